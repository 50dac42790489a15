// Facts first, what follows from them behind a `#`. Transactions stand session by session, as in
// the history, because the order of the lines is the session order; unknown ones that the ASG left
// out stand there too, without reads and writes, so that a reader leaves them out again.

#include "base/group.h"
#include "base/output.h"
#include "history/effects.h"
#include "ir/kir.h"

#include <inttypes.h>

enum { MOST_CANDIDATES_SHOWN = 8, LONGEST_NAME_SHOWN = 40 };

struct writer {
  const struct ir *ir;
  const struct asg *asg;
  const struct history *h;
  struct output *out;
  bool has_places; // the level asks where operations stand
  // per install: the unrecorded delete that its transaction made before it surely wrote the key
  uint32_t *unrecorded_before;
};

// ------------------------------------------------------------------------------------------- words

static void put_txn (const struct writer *w, uint32_t txn) {
  output_printf (w->out, "T%" PRIu64, w->h->txn_ids.data[txn]);
}

static void put_node (const struct writer *w, uint32_t node) {
  put_txn (w, w->asg->node_txn[node]);
}

static void put_value (const struct writer *w, uint32_t value) {
  if (value == VALUE_ABSENT)
    output_text (w->out, "absent");
  else if (value == VALUE_UNRECORDED)
    output_text (w->out, "open");
  else
    output_printf (w->out, "v%" PRIu32, value);
}

// The history's own name, in a comment.
static void put_name (const struct writer *w, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED)
    output_printf (w->out, "%" PRIu64, atom.number);
  if (atom.kind == ATOM_NEGATIVE)
    output_printf (w->out, "%" PRId64, (int64_t) atom.number);
  if (atom.kind != ATOM_BYTES)
    return;
  for (size_t i = 0; i < atom.length && i < LONGEST_NAME_SHOWN; i++) {
    const unsigned char byte = (unsigned char) atom.bytes[i];
    if (byte < ' ' || byte > '~' || byte == '\\')
      output_printf (w->out, "\\x%02x", byte);
    else
      output_write (w->out, &atom.bytes[i], 1);
  }
  if (atom.length > LONGEST_NAME_SHOWN)
    output_text (w->out, "...");
}

static void put_value_name (const struct writer *w, uint32_t value) {
  if (value == VALUE_ABSENT)
    output_text (w->out, "nil");
  else
    put_name (w, atoms_get (&w->h->values, value));
}

// ------------------------------------------------------------------------------------------- lines

static void put_header (const struct writer *w) {
  char points[KIR_POINTS_SIZE];
  kir_points (w->ir->level, points);
  output_printf (w->out, "kir 1\nlevel %s\npoints %s\n", w->ir->level->name, points);
}

static bool is_plain_read (const struct history *h, uint32_t op) {
  const struct effects e = effects_of (h, op);
  return e.only_reads && e.key != KEY_NONE;
}

// The reads that lock may be those of transactions that are not in the file.
static void put_locks (const struct writer *w) {
  for (uint32_t op = 0; op < history_ops (w->h); op++)
    if (effects_lock (w->h, op)) {
      output_text (w->out, "locks\n");
      return;
    }
}

// Where an operation stands in its transaction, counted from 1 as in messages.
static void put_place (const struct writer *w, uint32_t node, const char *before, uint32_t op) {
  output_printf (w->out, "%s%" PRIu32, before, op - w->h->txn_first_op.data[w->asg->node_txn[node]] + 1);
}

static void put_slot (const struct writer *w, const char *name, uint32_t slot) {
  if (slot == SLOT_NONE)
    output_printf (w->out, " %s=-", name);
  else
    output_printf (w->out, " %s=%" PRIu32, name, slot);
}

static void put_transaction (const struct writer *w, uint32_t txn) {
  const uint32_t node = w->asg->txn_node[txn];
  output_text (w->out, "txn ");
  put_txn (w, txn);
  output_printf (w->out, " s%" PRIu64, w->h->session_labels.data[w->h->txn_sessions.data[txn]]);
  if (w->h->txn_status.data[txn] == TXN_UNKNOWN)
    output_text (w->out, " unknown");
  const bool has_time =
    history_begin_time (w->h, txn) != TIME_NONE_BEGIN || history_end_time (w->h, txn) != TIME_NONE_END;
  if (w->ir->time_before && has_time) {
    put_slot (w, "begin", node == NODE_NONE ? SLOT_NONE : w->ir->time_before[node]);
    put_slot (w, "end", node == NODE_NONE ? SLOT_NONE : w->ir->time_after[node]);
  }
  output_text (w->out, node == NODE_NONE ? "  # left out\n" : "\n");
}

static void put_transactions (const struct writer *w) {
  for (uint32_t txn = 0; txn < history_txns (w->h); txn++)
    if (w->h->txn_status.data[txn] != TXN_ABORTED)
      put_transaction (w, txn);
}

static void put_install (const struct writer *w, uint32_t install) {
  const struct asg *asg = w->asg;
  const uint32_t node = asg->install_node[install];
  output_text (w->out, " ");
  put_node (w, node);
  output_text (w->out, "=");
  put_value (w, asg->install_value[install]);
  if (asg_install_unrecorded (asg, install) != UNRECORDED_NONE)
    output_text (w->out, "?");
  if (!w->has_places)
    return;
  put_place (w, node, "@", asg->install_first_op[install]);
  if (asg->install_first_op[install] != asg->install_last_op[install])
    put_place (w, node, "-", asg->install_last_op[install]);
  if (w->unrecorded_before[install] != UNRECORDED_NONE)
    put_place (w, node, "?", asg->unrecorded.data[w->unrecorded_before[install]].op);
}

static void put_keys (const struct writer *w) {
  const struct asg *asg = w->asg;
  for (uint32_t key = 0; key < asg->keys; key++) {
    output_printf (w->out, "key k%" PRIu32 " init=", key);
    put_value (w, w->h->init == INIT_ANY ? VALUE_UNRECORDED : asg->init_value[key]);
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      put_install (w, i);
    output_text (w->out, "  # ");
    put_name (w, atoms_get (&w->h->keys, key));
    output_text (w->out, "\n");
  }
}

static void put_candidates (const struct writer *w, uint32_t node, uint32_t source) {
  const struct asg *asg = w->asg;
  const struct choice *choice = &asg->choices.data[source & ~SOURCE_MANY];
  const uint32_t key = asg->read_key[choice->read];
  const bool other = asg->read_flags && (asg->read_flags[choice->read] & READ_OTHER);
  const uint32_t first = other ? asg->key_first[key] : choice->first;
  const uint32_t last = other ? asg->key_first[key + 1] : choice->last;
  unsigned shown = 0;
  if (choice->initial) {
    output_text (w->out, "the initial state");
    shown++;
  }
  for (uint32_t i = first; i < last; i++) {
    const uint32_t install = other ? i : asg->value_installs[i], writer = asg->install_node[install];
    if (writer == node || !asg_accepts (asg, choice->read, asg->install_value[install]))
      continue;
    if (shown == MOST_CANDIDATES_SHOWN) {
      output_text (w->out, " or ...");
      return;
    }
    output_text (w->out, shown++ ? " or " : "");
    put_node (w, writer);
  }
  if (!shown)
    output_text (w->out, "nobody");
}

static void put_source (const struct writer *w, uint32_t node, uint32_t source) {
  if (source == SOURCE_INITIAL)
    output_text (w->out, "the initial state");
  else if (source == SOURCE_NONE)
    output_text (w->out, "nobody");
  else if (source_is_many (source))
    put_candidates (w, node, source);
  else
    put_node (w, w->asg->install_node[source]);
}

static void put_reads (const struct writer *w, uint32_t node) {
  const struct asg *asg = w->asg;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
    output_text (w->out, "read ");
    put_node (w, node);
    const unsigned flags = asg->read_flags ? asg->read_flags[read] : 0;
    output_printf (w->out, " k%" PRIu32 "=%s", asg->read_key[read], flags & READ_OTHER ? "!" : "");
    put_value (w, asg->read_value[read]);
    output_text (w->out, flags & READ_OR_ABSENT ? "|absent" : "");
    if (w->has_places)
      put_place (w, node, " at=", asg->read_op[read]);
    if (w->has_places && effects_lock (w->h, asg->read_op[read]))
      output_text (w->out, " lock");
    if (w->has_places && !is_plain_read (w->h, asg->read_op[read]))
      output_text (w->out, " part");
    output_text (w->out, flags & READ_PREDICATE ? " range" : "");
    output_text (w->out, asg_read_unrecorded (asg, read) != UNRECORDED_NONE ? " undeleted" : "");
    output_text (w->out, "  # ");
    put_name (w, atoms_get (&w->h->keys, asg->read_key[read]));
    output_text (w->out, flags & READ_OTHER ? "!=" : "=");
    put_value_name (w, asg->read_value[read]);
    output_text (w->out, " from ");
    put_source (w, node, asg->read_source[read]);
    output_text (w->out, "\n");
  }
}

static void put_broken_own_write (const struct writer *w, const struct asg_fault *fault) {
  output_text (w->out, "own ");
  put_txn (w, fault->txn);
  output_printf (w->out, " k%" PRIu32 "=", fault->key);
  put_value (w, effects_of (w->h, fault->other).written);
  output_text (w->out, fault->flags & READ_OTHER ? " read=!" : " read=");
  put_value (w, fault->value);
  output_text (w->out, fault->flags & READ_OR_ABSENT ? "|absent\n" : "\n");
}

static void put_wrong (const struct writer *w, const struct asg_fault *fault, const char *what) {
  output_text (w->out, "wrong ");
  put_txn (w, fault->txn);
  output_printf (w->out, " %s", what);
}

// What is wrong by itself and does not follow from other facts: own writes that were not seen,
// results that cannot be.
static void put_faults (const struct writer *w) {
  for (size_t i = 0; i < w->asg->faults.count; i++) {
    const struct asg_fault *fault = &w->asg->faults.data[i];
    switch (fault->kind) {
    case FAULT_NO_SOURCE:
    case FAULT_TWO_INITIAL: break;
    case FAULT_OWN_WRITE:
      if (effects_of (w->h, fault->op).reads == READS_LIST)
        put_wrong (w, fault, "result  # a list without its reader's own appends at its end\n");
      else
        put_broken_own_write (w, fault);
      break;
    case FAULT_LEFT_OUT:
      output_text (w->out, "in ");
      put_txn (w, fault->txn);
      output_text (w->out, "\n");
      put_wrong (w, fault, "result\n");
      break;
    case FAULT_RESULT: put_wrong (w, fault, "result\n"); break;
    case FAULT_ELEMENT:
      put_wrong (w, fault, "element");
      output_printf (w->out, " k%" PRIu32 "=", fault->key);
      put_value (w, fault->value);
      output_text (w->out, "\n");
      break;
    case FAULT_LIST:
      put_wrong (w, fault, "list");
      output_printf (w->out, " k%" PRIu32 "\n", fault->key);
      break;
    }
  }
}

static void put_condition (const struct writer *w, uint32_t reader) {
  if (reader) {
    output_text (w->out, " if ");
    put_node (w, reader);
  }
  output_text (w->out, "\n");
}

static void put_order (const struct writer *w, const struct known_order *order) {
  const struct asg *asg = w->asg;
  output_printf (w->out, "order k%" PRIu32 " ", group_of_place (asg->key_first, asg->keys, order->before));
  put_node (w, asg->install_node[order->before]);
  output_text (w->out, " ");
  put_node (w, asg->install_node[order->after]);
  output_text (w->out, order->by_absence ? " unlisted" : "");
  put_condition (w, order->reader);
}

// What lists say besides what was read. That two unknown readers clash follows from the orders that
// each of them implies.
static void put_claims (const struct writer *w) {
  const struct asg *asg = w->asg;
  for (size_t i = 0; i < asg->orders.count; i++)
    put_order (w, &asg->orders.data[i]);
  for (size_t i = 0; i < asg->forced.count; i++) {
    output_text (w->out, "in ");
    put_node (w, asg->forced.data[i]);
    put_condition (w, 0);
  }
  for (size_t i = 0; i < asg->implied.count; i++) {
    output_text (w->out, "in ");
    put_node (w, asg->implied.data[i].other);
    put_condition (w, asg->implied.data[i].reader);
  }
}

static bool put_edges (const struct writer *w, struct error *error) {
  for (size_t i = 0; i < w->ir->edges.count; i++) {
    const struct ir_edge edge = w->ir->edges.data[i];
    if (!edge.from) // the initial state comes before everything anyway
      continue;
    if (!edge.to || w->asg->optional[edge.from] || w->asg->optional[edge.to])
      return error_set_code (error, ERROR_INTERNAL, "a known edge at the initial state or at an unknown transaction");
    output_text (w->out, "edge ");
    put_node (w, edge.from);
    output_text (w->out, " ");
    put_node (w, edge.to);
    output_text (w->out, "\n");
  }
  return true;
}

static uint32_t *unrecorded_before (const struct asg *asg) {
  uint32_t *before = MEM_ARRAY (uint32_t, asg->installs);
  for (uint32_t i = 0; i < asg->installs; i++)
    before[i] = UNRECORDED_NONE;
  for (uint32_t d = 0; d < asg->unrecorded.count; d++) {
    const struct unrecorded_delete *unrecorded = &asg->unrecorded.data[d];
    const uint32_t own = asg_install_of (asg, asg->history->op_keys.data[unrecorded->op], unrecorded->node);
    if (unrecorded->install == UINT32_MAX && own != UINT32_MAX)
      before[own] = d;
  }
  return before;
}

bool kir_write (const struct ir *ir, struct output *output, struct error *error) {
  struct writer w = {
    .ir = ir, .asg = ir->asg, .h = ir->asg->history, .out = output, .has_places = level_needs_events (ir->level)
  };
  if (ir->asg->unsupported)
    return error_set_code (error, ERROR_LIMIT, "%s", ir->asg->unsupported);
  if (w.has_places && !ir->asg->events)
    misuse (__func__, "the level asks where operations stand, and the ASG was built without events");
  w.unrecorded_before = unrecorded_before (ir->asg);
  put_header (&w);
  if (w.has_places)
    put_locks (&w);
  put_transactions (&w);
  put_keys (&w);
  for (uint32_t txn = 0; txn < history_txns (w.h); txn++)
    if (ir->asg->txn_node[txn] != NODE_NONE)
      put_reads (&w, ir->asg->txn_node[txn]);
  put_faults (&w);
  put_claims (&w);
  mem_free (w.unrecorded_before);
  return put_edges (&w, error);
}
