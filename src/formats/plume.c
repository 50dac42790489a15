// The text of Plume and PolySI: one operation per line, `r(key,value,session,txn)` or `w(…)`. Lines
// that follow each other with the same session and transaction are one transaction. -1 as
// transaction: aborted; aborted lines of one session that follow each other are one aborted
// transaction.
//
// Every key starts with 0, unless the file says itself how keys start: its first transaction
// consists of writes of 0 only (IsoVista's files begin so). The keys written there start absent,
// else a read of 0 could be explained by the initial state although the explicit transaction is
// ordered in a session like any other. Keys that it does not write start with 0 as usual.

#include "base/digits.h"
#include "base/input.h"
#include "base/output.h"
#include "formats/formats.h"
#include "formats/json_read.h"
#include "formats/registers.h"

// --- Reading ----------------------------------------------------------------

enum { ARGUMENTS = 4, KEY = 0, VALUE = 1, SESSION = 2, TXN = 3 };

struct operation {
  enum op_kind kind;
  struct atom arguments[ARGUMENTS];
};

static bool expected (struct json_reader *r, const char *what) {
  return json_fail (r, r->at, "%s expected", what);
}

static bool read_line (struct json_reader *r, struct operation *operation) {
  const int c = json_peek (r);
  if (c != 'r' && c != 'w')
    return expected (r, "r or w");
  operation->kind = c == 'r' ? OP_GET : OP_PUT;
  r->at++;
  for (int i = 0; i < ARGUMENTS; i++) {
    if (!json_accept (r, i ? ',' : '('))
      return expected (r, i ? "a comma" : "an opening parenthesis");
    const char *end = atom_parse (json_place (r), r->end, &operation->arguments[i]);
    if (!end)
      return expected (r, "an integer from -2^63 to 2^64-1");
    r->at = end;
  }
  if (!json_accept (r, ')'))
    return expected (r, "a closing parenthesis");
  return json_peek (r) < 0 || expected (r, "the end of the line");
}

struct reader {
  struct history *h;
  struct json_reader line;
  bool begun, aborted; // of the transaction that the last line belongs to
  uint64_t session, txn, largest;
  VEC (uint32_t) without_id; // aborted transactions
  struct registers operations;
};

static bool fail_at (struct reader *reader, uint64_t line, const char *why) {
  return error_at_line (reader->line.error, reader->line.file, line, 0, "%s", why);
}

static bool fail (struct reader *reader, const char *why) {
  return fail_at (reader, reader->line.line, why);
}

static bool flush (struct reader *reader) {
  const char *why;
  uint64_t line;
  return registers_flush (&reader->operations, &why, &line) || fail_at (reader, line, why);
}

static bool begin_txn (struct reader *reader, uint64_t session, uint64_t txn, bool aborted) {
  struct txn_header header = {
    .session = session,
    .has_id = true,
    .id = txn,
    .status = aborted ? TXN_ABORTED : TXN_COMMITTED,
    .begin = TIME_NONE_BEGIN,
    .end = TIME_NONE_END,
  };
  if (aborted) {
    header.id = UINT64_MAX - reader->without_id.count; // until give_ids
    VEC_PUSH (reader->without_id, history_txns (reader->h));
  } else if (txn > reader->largest) {
    reader->largest = txn;
  }
  reader->begun = true;
  reader->aborted = aborted;
  reader->session = session;
  reader->txn = txn;
  const char *why;
  return history_begin_txn (reader->h, &header, &why) || fail (reader, why);
}

static inline bool enter_txn (struct reader *reader, uint64_t session, uint64_t txn, bool aborted) {
  return (reader->session == session && reader->txn == txn && reader->aborted == aborted && reader->begun)
         || begin_txn (reader, session, txn, aborted);
}

static bool read_any_line (struct reader *reader) {
  struct json_reader *r = &reader->line;
  struct operation operation;
  const char *why;
  if (json_peek (r) < 0)
    return true;
  if (!read_line (r, &operation))
    return false;
  const struct atom session = operation.arguments[SESSION], txn = operation.arguments[TXN];
  const bool aborted = txn.kind == ATOM_NEGATIVE;
  if (session.kind == ATOM_NEGATIVE)
    return fail (reader, "a session with a negative number");
  if (aborted && (int64_t) txn.number != -1)
    return fail (reader, "a transaction with a negative number other than -1");
  return flush (reader) && enter_txn (reader, session.number, txn.number, aborted)
         && (registers_add (reader->h, operation.kind, operation.arguments[KEY], operation.arguments[VALUE], &why)
             || fail (reader, why));
}

// Nearly all lines have no white space, and no number of 16 digits or below zero. Those take a
// short cut, where so many bytes can be read.
enum { QUICK_ROOM = 2 + ARGUMENTS * (DIGITS_ROOM + 1) };

// Where the next line begins; NULL: this one is a case for the long way.
static inline const char *read_quick_line (const char *at, enum op_kind *kind, uint64_t arguments[ARGUMENTS]) {
  static const char separators[] = { ',', ',', ',', ')' };
  if ((*at != 'r' && *at != 'w') || at[1] != '(')
    return NULL;
  *kind = *at == 'r' ? OP_GET : OP_PUT;
  at += 2;
  for (int i = 0; i < ARGUMENTS; i++)
    if (!digits_quick (&at, &arguments[i]) || *at++ != separators[i])
      return NULL;
  return *at == '\n' ? at + 1 : NULL;
}

static bool read_block (struct reader *reader, const char *at, const char *end) {
  struct json_reader *r = &reader->line;
  while (at < end) {
    uint64_t arguments[ARGUMENTS];
    enum op_kind kind;
    const char *next = end - at >= QUICK_ROOM ? read_quick_line (at, &kind, arguments) : NULL;
    r->line++;
    if (next) {
      if (!enter_txn (reader, arguments[SESSION], arguments[TXN], false)
          || (registers_full (&reader->operations) && !flush (reader)))
        return false;
      registers_put (&reader->operations, (uint8_t) kind, arguments[KEY], arguments[VALUE], r->line);
    } else {
      next = json_set_line (r, at, end);
      if (!read_any_line (reader))
        return false;
    }
    at = next;
  }
  return true;
}

static bool read_lines (struct reader *reader, struct input *input) {
  const char *lines;
  size_t length;
  while (input_lines (input, reader->line.line, &lines, &length, reader->line.error))
    if (!read_block (reader, lines, lines + length))
      return false;
  return !reader->line.error->code && flush (reader);
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
  struct reader reader = { .h = h };
  reader.operations.history = h;
  const char *why;
  json_start (&reader.line, "", 0, input_name (input), 0, error);
  h->key_type = KEYS_INT;
  h->init = INIT_DEFAULT;
  h->init_default = history_value (h, atom_unsigned (0), &why);
  const bool done = read_lines (&reader, input);
  if (done) {
    set_start (h);
    give_ids (&reader);
  }
  VEC_FREE (reader.without_id);
  return done;
}

// The first line that is not blank is an operation.
static bool probe_plume (struct json_reader *r) {
  struct operation operation;
  registers_first_line (r);
  return read_line (r, &operation);
}

// --- Writing ----------------------------------------------------------------

static const struct register_limits limits = { .format = "Plume text", .negative = true, .unknown = false };

static void put_integer (struct output *output, const struct atoms *atoms, uint32_t index) {
  const struct atom atom = atoms_get (atoms, index);
  if (atom.kind == ATOM_NEGATIVE)
    output_text (output, "-");
  output_u64 (output, atom.kind == ATOM_NEGATIVE ? -atom.number : atom.number);
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
  uint32_t zero = 0;
  while (zero < atoms_count (&h->values) && !atom_is_zero (atoms_get (&h->values, zero)))
    zero++;
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
  .probe = probe_plume,
  .read = read_plume,
  .write = write_plume,
};
