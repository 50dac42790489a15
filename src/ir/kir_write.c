// Facts first, what follows from them behind a `#`. Transactions stand session by session, as in the history, because the order of the lines
// is the session order; unknown ones that the ASG left out stand there too, without reads and writes, so that a reader leaves them out again.

#include "base/output.h"
#include "history/history.h"
#include "ir/kir.h"

#include <inttypes.h>

enum { MOST_CANDIDATES_SHOWN = 8, LONGEST_NAME_SHOWN = 40 };

struct writer {
  const struct ir *ir;
  const struct asg *asg;
  const struct history *h;
  struct output *out;
  bool has_places; // the level asks where operations stand
};

// ------------------------------------------------------------------------------------------------------------------- words

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

// ------------------------------------------------------------------------------------------------------------------- lines

static void put_header (const struct writer *w) {
  char points[KIR_POINTS_SIZE];
  kir_points (w->ir->level, points);
  output_printf (w->out, "kir 1\nlevel %s\npoints %s\n", w->ir->level->name, points);
}

static bool locks (const struct history *h, uint32_t op) {
  return h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
}

// The reads that lock may be those of transactions that are not in the file.
static void put_locks (const struct writer *w) {
  for (uint32_t op = 0; op < history_ops (w->h); op++)
    if (locks (w->h, op)) {
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
  if (!w->has_places)
    return;
  put_place (w, node, "@", asg->install_first_op[install]);
  if (asg->install_first_op[install] != asg->install_last_op[install])
    put_place (w, node, "-", asg->install_last_op[install]);
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
  const struct choice *choice = &w->asg->choices.data[source & ~SOURCE_MANY];
  unsigned shown = 0;
  if (choice->initial) {
    output_text (w->out, "the initial state");
    shown++;
  }
  for (uint32_t i = choice->first; i < choice->last; i++) {
    const uint32_t writer = w->asg->install_node[w->asg->value_installs[i]];
    if (writer == node)
      continue;
    if (shown == MOST_CANDIDATES_SHOWN) {
      output_text (w->out, " or ...");
      return;
    }
    output_text (w->out, shown++ ? " or " : "");
    put_node (w, writer);
  }
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
    output_printf (w->out, " k%" PRIu32 "=", asg->read_key[read]);
    put_value (w, asg->read_value[read]);
    if (w->has_places)
      put_place (w, node, " at=", asg->read_op[read]);
    if (w->has_places && locks (w->h, asg->read_op[read]))
      output_text (w->out, " lock");
    output_text (w->out, "  # ");
    put_name (w, atoms_get (&w->h->keys, asg->read_key[read]));
    output_text (w->out, "=");
    put_value_name (w, asg->read_value[read]);
    output_text (w->out, " from ");
    put_source (w, node, asg->read_source[read]);
    output_text (w->out, "\n");
  }
}

// Own writes that their transaction did not see.
static void put_broken_own_writes (const struct writer *w) {
  for (size_t i = 0; i < w->asg->faults.count; i++) {
    const struct asg_fault *fault = &w->asg->faults.data[i];
    if (fault->kind != FAULT_OWN_WRITE)
      continue;
    output_text (w->out, "own ");
    put_txn (w, fault->txn);
    output_printf (w->out, " k%" PRIu32 "=", w->h->op_keys.data[fault->op]);
    put_value (w, w->h->op_values.data[fault->other]);
    output_text (w->out, " read=");
    put_value (w, w->h->op_values.data[fault->op]);
    output_text (w->out, "\n");
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

bool kir_write (const struct ir *ir, struct output *output, struct error *error) {
  const struct writer w = {
    .ir = ir, .asg = ir->asg, .h = ir->asg->history, .out = output, .has_places = level_needs_events (ir->level)
  };
  if (ir->asg->unsupported)
    return error_set_code (error, ERROR_LIMIT, "%s", ir->asg->unsupported);
  if (w.has_places && !ir->asg->read_op)
    misuse (__func__, "the level asks where operations stand, and the ASG was built without events");
  put_header (&w);
  if (w.has_places)
    put_locks (&w);
  put_transactions (&w);
  put_keys (&w);
  for (uint32_t txn = 0; txn < history_txns (w.h); txn++)
    if (ir->asg->txn_node[txn] != NODE_NONE)
      put_reads (&w, ir->asg->txn_node[txn]);
  put_broken_own_writes (&w);
  return put_edges (&w, error);
}
