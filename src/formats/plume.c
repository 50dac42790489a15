// The text of Plume and PolySI: one operation per line, `r(key,value,session,txn)` or `w(…)`. Lines
// that follow each other with the same session and transaction are one transaction. -1 as
// transaction: aborted; aborted lines of one session that follow each other are one aborted
// transaction.
//
// Every key starts with 0, unless the file says itself how keys start: its first transaction
// consists of writes of 0 only (IsoVista's files begin so). The keys written there start absent,
// else a read of 0 could be explained by the initial state although the explicit transaction is
// ordered in a session like any other. Keys that it does not write start with 0 as usual.

#include "base/input.h"
#include "base/output.h"
#include "formats/formats.h"
#include "formats/registers.h"

#include <inttypes.h>
#include <string.h>

// --- Reading ----------------------------------------------------------------

enum { ARGUMENTS = 4, KEY = 0, VALUE = 1, SESSION = 2, TXN = 3 };

struct operation {
  enum op_kind kind;
  struct atom arguments[ARGUMENTS];
};

static const char *skip_blanks (const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

// From -2^63 to 2^64 - 1. NULL: not an integer, or beyond.
static const char *parse_integer (const char *at, const char *end, struct atom *number) {
  const bool negative = at < end && *at == '-';
  at += negative;
  const char *first = at;
  uint64_t magnitude = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) {
    const unsigned digit = (unsigned) (*at - '0');
    if (__builtin_mul_overflow (magnitude, 10u, &magnitude) || __builtin_add_overflow (magnitude, digit, &magnitude))
      return NULL;
  }
  if (at == first || (negative && magnitude > (uint64_t) 1 << 63))
    return NULL;
  *number = negative && magnitude ? (struct atom){ ATOM_NEGATIVE, -magnitude, NULL, 0 } : atom_unsigned (magnitude);
  return at;
}

// NULL, or what was expected at *place.
static const char *parse_line (const char *at, const char *end, struct operation *operation, const char **place) {
  *place = at;
  if (at == end || (*at != 'r' && *at != 'w'))
    return "r or w";
  operation->kind = *at == 'r' ? OP_GET : OP_PUT;
  at = skip_blanks (at + 1, end);
  for (int i = 0; i < ARGUMENTS; i++) {
    *place = at;
    if (at == end || *at != (i ? ',' : '('))
      return i ? "a comma" : "an opening parenthesis";
    *place = at = skip_blanks (at + 1, end);
    at = parse_integer (at, end, &operation->arguments[i]);
    if (!at)
      return "an integer from -2^63 to 2^64-1";
    at = skip_blanks (at, end);
  }
  *place = at;
  if (at == end || *at != ')')
    return "a closing parenthesis";
  *place = at = skip_blanks (at + 1, end);
  return at == end ? NULL : "the end of the line";
}

struct reader {
  struct history *h;
  struct input *input;
  struct error *error;
  bool begun, aborted; // of the transaction that the last line belongs to
  uint64_t session, txn, largest;
  VEC (uint32_t) without_id; // aborted transactions
};

static bool fail (struct reader *reader, size_t column, const char *why) {
  return error_at_line (reader->error, input_name (reader->input), input_line_number (reader->input), column, "%s",
                        why);
}

static bool enter_txn (struct reader *reader, const struct operation *operation) {
  const struct atom session = operation->arguments[SESSION], txn = operation->arguments[TXN];
  const bool aborted = txn.kind == ATOM_NEGATIVE;
  if (session.kind == ATOM_NEGATIVE)
    return fail (reader, 0, "a session with a negative number");
  if (aborted && (int64_t) txn.number != -1)
    return fail (reader, 0, "a transaction with a negative number other than -1");
  if (reader->begun && reader->session == session.number && reader->aborted == aborted
      && (aborted || reader->txn == txn.number))
    return true;
  struct txn_header header = {
    .session = session.number,
    .has_id = true,
    .id = txn.number,
    .status = aborted ? TXN_ABORTED : TXN_COMMITTED,
    .begin = TIME_NONE_BEGIN,
    .end = TIME_NONE_END,
  };
  if (aborted) {
    header.id = UINT64_MAX - reader->without_id.count; // until give_ids
    VEC_PUSH (reader->without_id, history_txns (reader->h));
  } else if (txn.number > reader->largest) {
    reader->largest = txn.number;
  }
  reader->begun = true;
  reader->aborted = aborted;
  reader->session = session.number;
  reader->txn = txn.number;
  const char *why;
  return history_begin_txn (reader->h, &header, &why) || fail (reader, 0, why);
}

static bool read_operation (struct reader *reader, const struct operation *operation) {
  const char *why;
  if (!enter_txn (reader, operation))
    return false;
  const uint32_t key = history_key (reader->h, operation->arguments[KEY], &why);
  if (key == KEY_NONE)
    return fail (reader, 0, why);
  const uint32_t value = history_value (reader->h, operation->arguments[VALUE], &why);
  if (value == ATOM_NONE)
    return fail (reader, 0, why);
  return history_add_op (reader->h, operation->kind, 0, key, value, AUX_NONE, &why) || fail (reader, 0, why);
}

static bool read_lines (struct reader *reader) {
  const char *line;
  size_t length;
  while (input_line (reader->input, &line, &length, reader->error)) {
    const char *end = line + length, *start = skip_blanks (line, end), *place;
    if (start == end)
      continue;
    struct operation operation;
    const char *expected = parse_line (start, end, &operation, &place);
    if (expected)
      return error_at_line (reader->error, input_name (reader->input), input_line_number (reader->input),
                            (uint64_t) (place - line) + 1, "%s expected", expected);
    if (!read_operation (reader, &operation))
      return false;
  }
  return !reader->error->code;
}

// Aborted transactions get the numbers behind the largest one of the file, or those before 2^64 - 1
// if there is no room.
static void give_ids (struct reader *reader) {
  const size_t count = reader->without_id.count;
  if (reader->largest > UINT64_MAX - count)
    return;
  for (size_t i = 0; i < count; i++)
    reader->h->txn_ids.data[reader->without_id.data[i]] = reader->largest + 1 + i;
}

// Are these operations writes of 0, and nothing else?
static bool only_zeros (const struct history *h, uint32_t zero, uint32_t first, uint32_t end) {
  for (uint32_t op = first; op < end; op++)
    if (h->op_kinds.data[op] != OP_PUT || h->op_values.data[op] != zero)
      return false;
  return first < end;
}

static void set_start (struct history *h) {
  if (!h->txn_ids.count || h->txn_status.data[0] != TXN_COMMITTED)
    return;
  const uint32_t end = h->txn_ids.count > 1 ? h->txn_first_op.data[1] : history_ops (h);
  if (!only_zeros (h, h->init_default, 0, end))
    return;
  const char *why;
  for (uint32_t op = 0; op < end; op++)
    (void) history_set_init_key (h, h->op_keys.data[op], VALUE_ABSENT, &why); // a key twice stays once
}

static bool read_plume (struct history *h, struct input *input, struct error *error) {
  struct reader reader = { .h = h, .input = input, .error = error };
  const char *why;
  h->key_type = KEYS_INT;
  h->init = INIT_DEFAULT;
  h->init_default = history_value (h, atom_unsigned (0), &why);
  const bool done = read_lines (&reader);
  if (done) {
    set_start (h);
    give_ids (&reader);
  }
  VEC_FREE (reader.without_id);
  return done;
}

// The first line that is not blank is an operation.
static bool probe_plume (const char *path, const char *head, size_t length) {
  (void) path;
  const char *at = head, *end = head + length;
  while (at < end && (*at == '\n' || *at == '\r' || *at == ' ' || *at == '\t'))
    at++;
  const char *stop = at < end ? memchr (at, '\n', (size_t) (end - at)) : NULL;
  if (!stop)
    stop = end;
  if (stop > at && stop[-1] == '\r')
    stop--;
  struct operation operation;
  const char *place;
  return at < end && !parse_line (at, stop, &operation, &place);
}

// --- Writing ----------------------------------------------------------------

static const struct register_limits limits = { .format = "Plume text", .negative = true, .unknown = false };

static void put_integer (struct output *output, const struct atoms *atoms, uint32_t index) {
  uint64_t number = atoms->payloads.data[index];
  if (atoms->kinds.data[index] == ATOM_NEGATIVE) {
    output_text (output, "-");
    number = -number;
  }
  output_u64 (output, number);
}

static void put_op (const struct history *h, struct output *output, uint32_t txn, uint32_t op) {
  const uint32_t value = h->op_values.data[op];
  output_text (output, h->op_kinds.data[op] == OP_PUT ? "w(" : "r(");
  put_integer (output, &h->keys, h->op_keys.data[op]);
  output_text (output, ",");
  if (value == VALUE_ABSENT)
    output_text (output, "0");
  else
    put_integer (output, &h->values, value);
  output_text (output, ",");
  output_u64 (output, h->session_labels.data[h->txn_sessions.data[txn]]);
  output_text (output, ",");
  if (h->txn_status.data[txn] == TXN_ABORTED)
    output_text (output, "-1");
  else
    output_u64 (output, h->txn_ids.data[txn]);
  output_text (output, ")\n");
}

// The transaction whose lines will stand first in the file.
static uint32_t first_written (const struct history *h) {
  uint32_t txn = 0;
  while (txn < history_txns (h) && h->txn_first_op.data[txn] == h->txn_first_op.data[txn + 1])
    txn++;
  return txn;
}

// Marks the keys that a reader will take to start absent. An empty transaction leaves no line.
static bool *explicit_zeros (const struct history *h) {
  bool *marks = MEM_ZARRAY (bool, history_keys (h));
  const uint32_t txn = first_written (h);
  struct atoms values = h->values;
  values.table = (struct hash_set){ 0 };
  const uint32_t zero = atoms_find (&values, atom_unsigned (0));
  hash_set_free (&values.table);
  if (txn == history_txns (h) || h->txn_status.data[txn] != TXN_COMMITTED)
    return marks;
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  if (only_zeros (h, zero, first, end))
    for (uint32_t op = first; op < end; op++)
      marks[h->op_keys.data[op]] = true;
  return marks;
}

static bool write_plume (const struct history *h, struct output *output, struct error *error) {
  if (!registers_check (h, &limits, error))
    return false;
  bool *marks = explicit_zeros (h);
  const bool fits = registers_start_at_zero (h, &limits, marks, error);
  mem_free (marks);
  if (!fits)
    return false;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
      put_op (h, output, txn, op);
  return true;
}

const struct format format_plume = {
  .name = "plume",
  .title = "Plume and PolySI text: r(key,value,session,txn)",
  .can_write = true,
  .probe = probe_plume,
  .read = read_plume,
  .write = write_plume,
};
