// The text of AWDIT's tests: one operation per line, `r key value` or `w key value`, a line of
// dashes between transactions, a line of equals signs between sessions. There is no initial value:
// every key starts absent, and a file that reads a 0 writes it itself.

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

static bool add_operation (struct history *h, uint64_t session, bool *is_open, const struct operation *operation,
                           const char **why) {
  const struct txn_header header = { .session = session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  if (!*is_open && !history_begin_txn (h, &header, why))
    return false;
  *is_open = true;
  return registers_add (h, operation->kind, operation->key, operation->value, why);
}

static bool read_awdit (struct history *h, struct input *input, struct error *error) {
  uint64_t session = 0;
  bool is_open = false;
  struct json_reader r = { 0 };
  json_start (&r, "", 0, input_name (input), 0, error);
  h->key_type = KEYS_INT;
  while (json_next_line (&r, input)) {
    const int first = json_peek (&r);
    if (first < 0 || ((first == '=' || first == '-') && is_rule (&r, (char) first))) {
      is_open &= first < 0;
      session += first == '=';
      continue;
    }
    struct operation operation;
    const char *why;
    if (!read_operation (&r, &operation))
      return false;
    if (!add_operation (h, session, &is_open, &operation, &why))
      return error_at_line (error, r.file, r.line, 0, "%s", why);
  }
  return !error->code;
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
