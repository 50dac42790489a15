#include "formats/trace_read.h"

#include "base/output.h"
#include "formats/jsonl_read.h"
#include "formats/walk.h"

// The sessions of a history are walked in order, and so are its times and hints: they are used up
// as they come.
struct trace_writer {
  const struct history *h;
  struct text bytes; // of one session, without the header
  struct walk walk;
};

// --- Records ----------------------------------------------------------------

static char *room (struct text *bytes, size_t length) {
  VEC_RESERVE (*bytes, bytes->count + length);
  bytes->count += length;
  return bytes->data + bytes->count - length;
}

static size_t start (struct trace_writer *w, enum trace_kind kind, unsigned detail, unsigned flags, int64_t time,
                     int64_t missing) {
  const bool timed = time != missing;
  const struct trace_record record = { kind, detail, flags | (timed ? TRACE_TIMED : 0), 0, timed ? time : 0 };
  const size_t first = w->bytes.count;
  trace_put_record (room (&w->bytes, TRACE_RECORD_LENGTH), &record, 0);
  return first;
}

static bool finish (struct trace_writer *w, size_t first, uint32_t count, struct error *error) {
  char *record = w->bytes.data + first;
  const size_t length = w->bytes.count - first;
  if (length > UINT32_MAX / 2)
    return error_set (error, "%.400s: an operation of more than 2 GiB cannot be written as a trace", w->h->name);
  store_le32 (record, (uint32_t) length);
  store_le32 (record + TRACE_AT_COUNT, count);
  store_le32 (record + TRACE_AT_RECORD_CHECKSUM, trace_record_checksum (record, length, TRACE_HEADER_LENGTH + first));
  return true;
}

static void put_atom (struct trace_writer *w, struct atom atom) {
  if (atom.kind == ATOM_BYTES)
    trace_put_bytes (room (&w->bytes, trace_datum_length (TRACE_BYTES, atom.length)), atom.bytes, atom.length);
  else
    trace_put_number (room (&w->bytes, trace_datum_length (TRACE_UNSIGNED, 0)),
                      atom.kind == ATOM_NEGATIVE ? TRACE_NEGATIVE : TRACE_UNSIGNED, atom.number);
}

static void put_nothing (struct trace_writer *w) {
  trace_put_number (room (&w->bytes, trace_datum_length (TRACE_NOTHING, 0)), TRACE_NOTHING, 0);
}

static void put_key (struct trace_writer *w, uint32_t key) {
  if (key == KEY_NONE)
    put_nothing (w);
  else
    put_atom (w, atoms_get (&w->h->keys, key));
}

static void put_value (struct trace_writer *w, uint32_t value) {
  if (value == VALUE_ABSENT)
    put_nothing (w);
  else
    put_atom (w, atoms_get (&w->h->values, value));
}

static bool write_text (struct trace_writer *w, enum trace_kind kind, struct atom text, struct error *error) {
  // Hints that came in a binary file may be anything.
  if (!json_is_whole (text.bytes, text.length))
    return error_set (error, "%.400s: a hint that is not JSON cannot be written", w->h->name);
  const size_t first = start (w, kind, 0, 0, 0, 0);
  put_atom (w, text);
  return finish (w, first, 1, error);
}

// --- Operations -------------------------------------------------------------

static bool write_input (struct trace_writer *w, uint32_t op, int64_t begin, struct error *error) {
  const struct history *h = w->h;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const struct trace_shape *shape = &trace_shapes[kind];
  const size_t first = start (w, TRACE_INPUT, kind, history_flags (h, op) & shape->flags, begin, TIME_NONE_BEGIN);
  if (kind == OP_SCAN || kind == OP_ITER) {
    const uint32_t aux = history_aux (h, op);
    put_key (w, aux == AUX_NONE ? KEY_NONE : h->ranges.data[aux].low);
    put_key (w, aux == AUX_NONE ? KEY_NONE : h->ranges.data[aux].high);
  } else {
    put_key (w, h->op_keys.data[op]);
    if (kind == OP_INC)
      put_atom (w, history_inc_by (h, op));
    else if (shape->arguments > 1)
      put_value (w, h->op_values.data[op]);
    if (shape->arguments > 2)
      put_value (w, history_aux (h, op));
  }
  return finish (w, first, shape->arguments, error);
}

static enum trace_answer answer_of (const struct history *h, uint32_t op) {
  const uint32_t value = h->op_values.data[op];
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_GET: return value == VALUE_UNRECORDED ? TRACE_DONE : value == VALUE_ABSENT ? TRACE_ABSENT : TRACE_VALUE;
  case OP_INC: return history_flags (h, op) & OP_RESULT_KNOWN ? TRACE_VALUE : TRACE_DONE;
  case OP_LIST:
    if (value == VALUE_ABSENT)
      return TRACE_ABSENT; // fall through
  case OP_SCAN:
  case OP_ITER: return value == VALUE_UNRECORDED || history_aux (h, op) == AUX_NONE ? TRACE_DONE : TRACE_ITEMS;
  case OP_DEL:
  case OP_CAS:
    if (history_flags (h, op) & OP_RESULT_KNOWN)
      return history_flags (h, op) & OP_RESULT_TRUE ? TRACE_TRUE : TRACE_FALSE;
    return TRACE_DONE;
  default: return TRACE_DONE;
  }
}

static uint32_t put_items (struct trace_writer *w, uint32_t op) {
  const struct history *h = w->h;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const bool with_keys = h->op_kinds.data[op] != OP_LIST;
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++) {
    if (with_keys)
      put_key (w, h->item_keys.data[i]);
    put_value (w, h->item_values.data[i]);
  }
  return with_keys ? 2 * range->items : range->items;
}

static bool write_output (struct trace_writer *w, uint32_t op, enum trace_answer answer, int64_t end,
                          struct error *error) {
  const unsigned flags = answer == TRACE_ITEMS ? history_flags (w->h, op) & OP_ITER_END : 0;
  const size_t first = start (w, TRACE_OUTPUT, answer, flags, end, TIME_NONE_END);
  uint32_t count = 0;
  if (answer == TRACE_VALUE) {
    put_value (w, w->h->op_kinds.data[op] == OP_INC ? history_aux (w->h, op) : w->h->op_values.data[op]);
    count = 1;
  } else if (answer == TRACE_ITEMS) {
    count = put_items (w, op);
  }
  return finish (w, first, count, error);
}

static bool write_op (struct trace_writer *w, uint32_t op, struct error *error) {
  const struct history *h = w->h;
  int64_t begin = TIME_NONE_BEGIN, end = TIME_NONE_END;
  if (w->walk.next_times < h->op_times.count && h->op_times.data[w->walk.next_times].op == op) {
    begin = h->op_times.data[w->walk.next_times].begin;
    end = h->op_times.data[w->walk.next_times++].end;
  }
  const bool versioned = w->walk.next_op_hint < h->op_hints.count && h->op_hints.data[w->walk.next_op_hint].owner == op;
  const enum trace_answer answer = answer_of (h, op);
  if (!write_input (w, op, begin, error))
    return false;
  if ((answer != TRACE_DONE || end != TIME_NONE_END || versioned) && !write_output (w, op, answer, end, error))
    return false;
  return !versioned
         || write_text (w, TRACE_VERSION_HINT, atoms_get (&h->texts, h->op_hints.data[w->walk.next_op_hint++].text),
                        error);
}

// --- Transactions and sessions ----------------------------------------------

static bool write_txn (struct trace_writer *w, uint32_t txn, struct error *error) {
  const struct history *h = w->h;
  size_t first = start (w, TRACE_BEGIN, 0, 0, history_begin_time (h, txn), TIME_NONE_BEGIN);
  put_atom (w, atom_unsigned (h->txn_ids.data[txn]));
  bool done = finish (w, first, 1, error);
  for (uint32_t op = h->txn_first_op.data[txn]; done && op < h->txn_first_op.data[txn + 1]; op++)
    done = write_op (w, op, error);
  if (!done)
    return false;
  first = start (w, TRACE_END, h->txn_status.data[txn], 0, history_end_time (h, txn), TIME_NONE_END);
  done = finish (w, first, 0, error);
  if (w->walk.next_txn_hint < h->txn_hints.count && h->txn_hints.data[w->walk.next_txn_hint].owner == txn)
    done =
      done
      && write_text (w, TRACE_TXN_HINT, atoms_get (&h->texts, h->txn_hints.data[w->walk.next_txn_hint++].text), error);
  return done;
}

// What is not of a session stands in the first file.
static bool write_header (struct trace_writer *w, struct error *error) {
  struct text header = VEC_EMPTY;
  const bool done = jsonl_header_text (w->h, &header, error)
                    && write_text (w, TRACE_HEADER, atom_bytes (header.data, header.count), error);
  VEC_FREE (header);
  return done;
}

// Files of other histories are told apart from this one's, if not for sure.
static uint64_t identity_of (const struct history *h) {
  const uint64_t counts[] = { history_txns (h), history_ops (h), history_keys (h), atoms_count (&h->values),
                              history_txns (h) ? h->txn_ids.data[0] : 0 };
  return XXH3_64bits (counts, sizeof counts);
}

static bool write_file (const struct trace_writer *w, const char *folder, uint64_t label, uint32_t session,
                        struct error *error) {
  static const struct trace_clock clock; // the history's own
  char header[TRACE_HEADER_LENGTH];
  struct output *output = logs_create (folder, trace_log_name, label, error);
  if (!output)
    return false;
  trace_put_header (header, &clock, &(struct trace_identity){ .folder = identity_of (w->h), .ordinal = session + 1 });
  if (!session && history_sessions (w->h))
    store_le64 (header + TRACE_AT_SESSIONS, history_sessions (w->h));
  store_le64 (header + TRACE_AT_CLOSED, 1);
  store_le64 (header + TRACE_AT_LOGGED, TRACE_HEADER_LENGTH + w->bytes.count);
  output_write (output, header, sizeof header);
  output_write (output, w->bytes.data, w->bytes.count);
  return output_commit (output, error);
}

bool trace_write (const struct history *h, const char *folder, struct error *error) {
  struct trace_writer w = { .h = h };
  bool done = write_header (&w, error);
  for (uint32_t s = 0; done && s < history_sessions (h); s++) {
    for (uint32_t txn = h->session_first.data[s]; done && txn < h->session_first.data[s + 1]; txn++)
      done = write_txn (&w, txn, error);
    done = done && write_file (&w, folder, h->session_labels.data[s], s, error);
    w.bytes.count = 0;
  }
  if (done && !history_sessions (h)) // without any file it would be no trace
    done = write_file (&w, folder, 0, 0, error);
  VEC_FREE (w.bytes);
  return done;
}
