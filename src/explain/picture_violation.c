// From a violation to a picture: the transactions of the core, the cycle, and beside them what the
// same clients did just before and after.

#include "explain/picture.h"

#include "base/search.h"
#include "base/sort.h"
#include "explain/violation_words.h"
#include "formats/text_write.h"

#include <inttypes.h>
#include <stdio.h>

enum {
  LONGEST_ATOM = 12 << 10,   // bytes of a key or value
  LONGEST_OP = 24 << 10,     // bytes of an operation: a scan may return many
  MOST_OPS = 400,            // operations of a transaction
  MOST_TXNS = 400,           // of the core; a larger one says little in a picture
  LONGEST_SUMMARY = 8 << 10, // bytes
};

// -------------------------------------------------------------------------------------- operations

static void put_atom (struct text *text, struct atom atom) {
  const bool is_nil = atom.length == 3 && !memcmp (atom.bytes, "nil", 3);
  if (atom.kind != ATOM_BYTES || (words_are_plain (atom) && !is_nil))
    words_atom (text, atom);
  else if (!text_put_quoted (text, atom.bytes, atom.length, LONGEST_ATOM))
    words_add (text, "… (%zu bytes)", atom.length);
}

// As in the text form, in full up to a bound.
static const struct text_form form = {
  .put_bytes = put_atom,
  TEXT_FORM_MARKS,
  .no_bound = "*",
  .unrecorded = "?",
  .goes_on = " …",
  .longest = LONGEST_OP,
};

static char *op_text (const struct history *h, uint32_t op) {
  struct text_writer w = { .history = h, .form = &form };
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const unsigned flags = history_flags (h, op);
  text_string (&w.text, op_kind_name (kind));
  if ((kind != OP_SCAN && kind != OP_ITER) || history_aux (h, op) != AUX_NONE)
    text_put_arguments (&w, op);
  if (flags & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
    text_string (&w.text, flags & OP_LOCK_UPDATE ? " @update" : " @share");
  return words_take (&w.text);
}

// ------------------------------------------------------------------------------------ transactions

// A transaction of the history that goes into the picture.
struct chosen {
  uint32_t txn;
  bool surrounding;
};

struct making {
  struct picture *picture;
  const struct history *history;
  const struct violation *violation;
  VEC (uint64_t) ids;         // of the core, sorted; those of fragments as the transactions that they come from
  VEC (struct chosen) chosen; // by transaction, which have the same places in the picture
};

static void collect_ids (struct making *m) {
  size_t core, count;
  const uint64_t *txns = violation_txns (m->violation, &core);
  const struct violation_edge *circle = violation_circle (m->violation, &count);
  for (size_t i = 0; i < count; i++) {
    if (!circle[i].from.initial)
      VEC_PUSH (m->ids, violation_whole_id (m->violation, circle[i].from.id));
    if (!circle[i].to.initial)
      VEC_PUSH (m->ids, violation_whole_id (m->violation, circle[i].to.id));
  }
  for (size_t i = 0; i < core && m->ids.count < MOST_TXNS; i++)
    VEC_PUSH (m->ids, violation_whole_id (m->violation, txns[i]));
  VEC_SORT (m->ids, by_u64);
}

static bool is_core (const struct making *m, uint32_t txn) {
  return has_u64 (m->ids.data, m->ids.count, m->history->txn_ids.data[txn]);
}

// The core, and its neighbours in each session.
static void choose (struct making *m) {
  const struct history *h = m->history;
  bool core_before = false, core_now = false;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const bool same_before = t && h->txn_sessions.data[t - 1] == h->txn_sessions.data[t];
    const bool same_after = t + 1 < history_txns (h) && h->txn_sessions.data[t + 1] == h->txn_sessions.data[t];
    core_before = t && core_now;
    core_now = is_core (m, t);
    const bool beside = (same_before && core_before) || (same_after && is_core (m, t + 1));
    if (core_now || beside)
      VEC_PUSH (m->chosen, (struct chosen){ t, !core_now });
  }
}

static void add_ops (struct making *m, uint32_t place, const struct history *h, uint32_t txn) {
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  for (uint32_t op = first; op < end && op - first < MOST_OPS; op++)
    VEC_PUSH (m->picture->txns.data[place].ops, op_text (h, op));
  if (end - first > MOST_OPS)
    VEC_PUSH (m->picture->txns.data[place].ops,
              mem_format ("… and %" PRIu32 " more operations", end - first - MOST_OPS));
}

static uint32_t txn_in_part (const struct making *m, uint64_t id) {
  const struct history *part = m->violation->part;
  for (uint32_t t = 0; part && t < history_txns (part); t++)
    if (part->txn_ids.data[t] == id)
      return t;
  return TXN_NONE;
}

static uint32_t op_count (const struct history *h, uint32_t txn) {
  return h->txn_first_op.data[txn + 1] - h->txn_first_op.data[txn];
}

// Of a transaction of the part, only what matters.
static void add_summary (struct making *m, uint32_t place, uint32_t txn) {
  const uint32_t in_part = txn_in_part (m, m->history->txn_ids.data[txn]);
  if (in_part == TXN_NONE) {
    add_ops (m, place, m->history, txn);
    return;
  }
  const uint32_t all = op_count (m->history, txn), kept = op_count (m->violation->part, in_part);
  add_ops (m, place, m->violation->part, in_part);
  if (kept < all)
    m->picture->txns.data[place].note =
      mem_format ("It did more, which does not matter here: %" PRIu32 " operation%s in all.", all, all == 1 ? "" : "s");
}

static void add_chosen (struct making *m) {
  const struct history *h = m->history;
  uint32_t session = PICTURE_NONE, lane = 0;
  char label[32];
  for (size_t i = 0; i < m->chosen.count; i++) {
    const uint32_t t = m->chosen.data[i].txn;
    if (h->txn_sessions.data[t] != session) {
      session = h->txn_sessions.data[t];
      snprintf (label, sizeof label, "%" PRIu64, h->session_labels.data[session]);
      lane = picture_add_session (m->picture, label);
    }
    snprintf (label, sizeof label, "T%" PRIu64, h->txn_ids.data[t]);
    const uint32_t place = picture_add_txn (m->picture, label, lane, t - h->session_first.data[session],
                                            (enum txn_status) h->txn_status.data[t]);
    struct picture_txn *txn = &m->picture->txns.data[place];
    txn->begin = history_begin_time (h, t);
    txn->end = history_end_time (h, t);
    txn->surrounding = m->chosen.data[i].surrounding;
    add_summary (m, place, t);
  }
}

// Consecutive ones of a session. What the cycle says already is not said twice.
static void add_session_order (struct making *m) {
  struct picture *p = m->picture;
  const size_t steps = p->edges.count;
  for (size_t i = 1; i < m->chosen.count; i++) {
    const uint32_t from = (uint32_t) i - 1, to = (uint32_t) i;
    if (p->txns.data[from].session != p->txns.data[to].session)
      continue;
    bool said = false;
    for (size_t k = 0; k < steps && !said; k++)
      said = p->edges.data[k].from == from && p->edges.data[k].to == to && p->edges.data[k].type == PICTURE_SO;
    if (!said)
      picture_add_edge (p, PICTURE_NONE, from, to, PICTURE_SO, NULL, "The same client did one after the other.");
  }
}

// ------------------------------------------------------------------------------------------- cycle

static uint32_t place_of (struct making *m, struct party party) {
  if (party.initial)
    return picture_initial (m->picture);
  const uint64_t id = violation_whole_id (m->violation, party.id);
  for (uint32_t i = 0; i < m->chosen.count; i++)
    if (m->history->txn_ids.data[m->chosen.data[i].txn] == id)
      return i;
  return PICTURE_NONE;
}

static enum picture_type picture_type_of (const struct violation_edge *edge) {
  enum picture_type type = 0;
  while (type + 1 < PICTURE_TYPE_COUNT && strcmp (picture_types[type].name, violation_edge_type (edge)))
    type++;
  return type;
}

// A step of a branch, or an edge beside them. Between fragments of one transaction there is nothing
// to draw.
static void add_edge (struct making *m, const struct violation_edge *edge, words *why, uint32_t branch) {
  const struct history *h = violation_history (m->violation, m->history);
  const uint32_t from = place_of (m, edge->from), to = place_of (m, edge->to);
  words name = VEC_EMPTY;
  if (edge->key != KEY_NONE)
    put_atom (&name, atoms_get (&h->keys, edge->key));
  char *key = edge->key == KEY_NONE ? NULL : words_take (&name), *reason = words_take (why);
  if (from != PICTURE_NONE && to != PICTURE_NONE && from != to)
    picture_add_edge (m->picture, branch, from, to, picture_type_of (edge), key, reason);
  MEM_FREE_ALL (key, reason);
}

static void add_circle (struct making *m, const struct violation_edge *edges, size_t count, const char *choice) {
  const struct history *h = violation_history (m->violation, m->history);
  const uint32_t branch = picture_add_branch (m->picture, choice);
  for (size_t i = 0; i < count; i++) {
    words why = VEC_EMPTY;
    words_edge (&why, h, m->violation, &edges[i], !choice);
    add_edge (m, &edges[i], &why, branch);
  }
}

static void add_cases (struct making *m) {
  const struct violation *v = m->violation;
  for (uint32_t at = violation_next_leaf (v, 0); at != CASE_NONE; at = violation_next_leaf (v, at + 1)) {
    words w = VEC_EMPTY;
    words_add (&w, "if ");
    words_case (&w, violation_history (v, m->history), v, at);
    char *choice = words_take (&w);
    add_circle (m, v->edges.data + v->cases.data[at].first_edge, v->cases.data[at].edges, choice);
    mem_free (choice);
  }
}

// Where a value came from that should not have been read.
static void add_source (struct making *m) {
  const struct violation_fault *fault = &m->violation->fault;
  words why = VEC_EMPTY;
  words_fault (&why, violation_history (m->violation, m->history), fault);
  const struct violation_edge edge = {
    .from = { .id = fault->other }, .to = { .id = fault->reader }, .kind = EDGE_WR, .key = fault->read.key
  };
  add_edge (m, &edge, &why, PICTURE_NONE);
}

static void add_cycles (struct making *m) {
  size_t count;
  const struct violation_edge *circle = violation_circle (m->violation, &count);
  add_cases (m);
  if (count && !violation_leaves (m->violation))
    add_circle (m, circle, count, NULL);
  if (m->violation->kind == VIOLATION_FAULT && fault_rows[m->violation->fault.told].sourced)
    add_source (m);
}

static void add_notes (struct making *m) {
  for (size_t i = 0; i < m->violation->fragments.count; i++) {
    const struct txn_fragment *fragment = &m->violation->fragments.data[i];
    const uint32_t place = place_of (m, (struct party){ .id = fragment->of });
    if (place == PICTURE_NONE)
      continue;
    struct picture_txn *txn = &m->picture->txns.data[place];
    char *before = txn->note;
    txn->note =
      mem_format ("%s%sT%" PRIu64 " is its %s.", before ? before : "", before ? " " : "", fragment->id, fragment->what);
    mem_free (before);
  }
}

static void add_summary_words (struct making *m) {
  const struct violation *v = m->violation;
  const char *about = anomaly_names[v->anomaly.name].about;
  const size_t leaves = violation_leaves (v);
  size_t circle, core;
  words w = VEC_EMPTY;
  violation_circle (v, &circle);
  violation_txns (v, &core);
  if (about)
    words_add (&w, "In short: %s.\n\n", about);
  if (leaves)
    words_add (&w,
               "The history leaves something open. Each of the %zu ways to decide it closes a circle, in which every "
               "transaction must come before the next.",
               leaves);
  else if (circle)
    words_add (&w, "Each of these must come before the next, in a circle.");
  else { // what the steps would say
    char *explanation = violation_explanation (v, m->history);
    words_add (&w, "%.*s", LONGEST_SUMMARY, explanation);
    mem_free (explanation);
  }
  while (w.count && w.data[w.count - 1] == '\n')
    w.count--;
  if (core > MOST_TXNS)
    words_add (&w, "\nOnly the first %d of %zu transactions are shown.", MOST_TXNS, core);
  m->picture->summary = words_take (&w);
}

static void add_words (struct making *m, const char *level) {
  const struct violation *v = m->violation;
  m->picture->level = mem_strdup (level);
  m->picture->anomaly = mem_strdup (violation_class (v));
  m->picture->anomaly_name = mem_strdup (violation_name (v));
  for (size_t i = 0; i < v->weakest_violated.count; i++)
    VEC_PUSH (m->picture->violated, mem_strdup (v->weakest_violated.data[i]));
  for (size_t i = 0; i < v->strongest_holding.count; i++)
    VEC_PUSH (m->picture->holding, mem_strdup (v->strongest_holding.data[i]));
  add_summary_words (m);
}

struct picture *picture_of_violation (const struct violation *v, const char *level, const struct history *h,
                                      const char *title) {
  struct making m = { .picture = picture_new (title), .history = h, .violation = v };
  collect_ids (&m);
  choose (&m);
  add_chosen (&m);
  add_cycles (&m);
  add_session_order (&m);
  add_notes (&m);
  add_words (&m, level);
  VEC_FREE (m.ids);
  const bool empty = !m.chosen.count;
  VEC_FREE (m.chosen);
  if (!empty)
    return m.picture;
  picture_free (m.picture);
  return NULL;
}
