// The text of AWDIT's tests: one operation per line, `r key value` or `w key value`, a line of
// dashes between transactions, a line of equals signs between sessions. There is no initial value:
// every key starts absent, and a file that reads a 0 writes it itself.

#include "base/digits.h"
#include "base/input.h"
#include "formats/formats.h"
#include "formats/json_read.h"
#include "formats/registers.h"

struct operation {
  enum op_kind kind;
  struct atom key, value;
};

// A blank and an integer from -2^63 to 2^64 - 1.
static inline bool read_argument (struct json_reader *r, struct atom *number, const char *what) {
  const char *before = r->at, *first = json_place (r), *end = atom_parse (first, r->end, number);
  if (first == before || !end)
    return json_unexpected (r, first, what);
  r->at = end;
  return true;
}

static bool read_operation (struct json_reader *r, struct operation *operation) {
  const int c = json_peek (r);
  if (c != 'r' && c != 'w')
    return json_expected (r, "r or w, dashes or equals signs");
  operation->kind = c == 'r' ? OP_GET : OP_PUT;
  r->at++;
  return read_argument (r, &operation->key, "a key (an integer from -2^63 to 2^64-1)")
         && read_argument (r, &operation->value, "a value (an integer from -2^63 to 2^64-1)")
         && (json_peek (r) < 0 || json_expected (r, "the end of the line"));
}

// At least three of the same, and nothing else.
static bool is_rule (const struct json_reader *r, char sign) {
  const char *at = r->at;
  while (at < r->end && *at == sign)
    at++;
  const bool is_long = at - r->at >= 3;
  while (is_long && at < r->end && (*at == ' ' || *at == '\t'))
    at++;
  return is_long && at == r->end;
}

struct reader {
  struct history *h;
  struct json_reader line;
  uint64_t session;
  bool is_open; // a transaction, and no rule since
  struct registers operations;
};

static bool fail_at (struct reader *reader, uint64_t line, const char *why) {
  return error_at_line (reader->line.error, reader->line.file, line, 0, "%s", why);
}

static bool flush (struct reader *reader) {
  const char *why;
  uint64_t line;
  return registers_flush (&reader->operations, &why, &line) || fail_at (reader, line, why);
}

static bool open_txn (struct reader *reader) {
  const struct txn_header header = { .session = reader->session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  const char *why;
  if (!reader->is_open && !history_begin_txn (reader->h, &header, &why))
    return fail_at (reader, reader->line.line, why);
  return reader->is_open = true;
}

static bool read_any_line (struct reader *reader) {
  struct json_reader *r = &reader->line;
  const int first = json_peek (r);
  if (first < 0 || ((first == '=' || first == '-') && is_rule (r, (char) first))) {
    reader->is_open &= first < 0;
    reader->session += first == '=';
    return true;
  }
  struct operation operation;
  const char *why;
  return read_operation (r, &operation) && flush (reader) && open_txn (reader)
         && (registers_add (reader->h, operation.kind, operation.key, operation.value, &why)
             || fail_at (reader, r->line, why));
}

// Nearly all lines have single blanks, and no number of 16 digits or below zero. Those take a short
// cut, where so many bytes can be read.
enum { QUICK_ROOM = 2 + 2 * (DIGITS_ROOM + 1) };

// Where the next line begins; NULL: this one is a case for the long way.
static inline const char *read_quick_line (const char *at, enum op_kind *kind, uint64_t *key, uint64_t *value) {
  if ((*at != 'r' && *at != 'w') || at[1] != ' ')
    return NULL;
  *kind = *at == 'r' ? OP_GET : OP_PUT;
  at += 2;
  if (!digits_quick (&at, key) || *at++ != ' ' || !digits_quick (&at, value))
    return NULL;
  return *at == '\n' ? at + 1 : NULL;
}

static bool read_block (struct reader *reader, const char *at, const char *end) {
  struct json_reader *r = &reader->line;
  while (at < end) {
    enum op_kind kind;
    uint64_t key, value;
    const char *next = end - at >= QUICK_ROOM ? read_quick_line (at, &kind, &key, &value) : NULL;
    r->line++;
    if (next) {
      if (!open_txn (reader) || (registers_full (&reader->operations) && !flush (reader)))
        return false;
      registers_put (&reader->operations, (uint8_t) kind, key, value, r->line);
    } else {
      next = json_set_line (r, at, end);
      if (!read_any_line (reader))
        return false;
    }
    at = next;
  }
  return true;
}

static bool read_awdit (struct history *h, struct input *input, struct error *error) {
  struct reader reader = { .h = h };
  const char *lines;
  size_t length;
  reader.operations.history = h;
  json_start (&reader.line, "", 0, input_name (input), 0, error);
  h->key_type = KEYS_INT;
  while (input_lines (input, reader.line.line, &lines, &length, error))
    if (!read_block (&reader, lines, lines + length))
      return false;
  return !error->code && flush (&reader);
}

// The first line that is not blank is an operation.
static bool probe_awdit (struct json_reader *r) {
  struct operation operation;
  registers_first_line (r);
  return read_operation (r, &operation);
}

const struct format format_awdit = {
  .name = "awdit",
  .title = "AWDIT's test text: r key value, rules between transactions and sessions",
  .probe = probe_awdit,
  .read = read_awdit,
};
