// The text of AWDIT's tests: one operation per line, `r key value` or `w key value`, a line of
// dashes between transactions, a line of equals signs between sessions. There is no initial value:
// every key starts absent, and a file that reads a 0 writes it itself.

#include "base/input.h"
#include "formats/formats.h"
#include "formats/found.h"

#include <string.h>

struct operation {
  enum op_kind kind;
  struct atom key, value;
};

static const char *skip_blanks (const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

// A blank and an integer from -2^63 to 2^64 - 1. NULL: something else; *place is where.
static const char *parse_argument (const char *at, const char *end, struct atom *number, const char **place) {
  const char *first = skip_blanks (at, end);
  *place = first;
  if (first == at)
    return NULL;
  const bool negative = first < end && *first == '-';
  uint64_t magnitude = 0;
  for (at = first + negative; at < end && *at >= '0' && *at <= '9'; at++) {
    const unsigned digit = (unsigned) (*at - '0');
    if (__builtin_mul_overflow (magnitude, 10u, &magnitude) || __builtin_add_overflow (magnitude, digit, &magnitude))
      return NULL;
  }
  if (at == first + negative || (negative && magnitude > (uint64_t) 1 << 63))
    return NULL;
  *number = negative && magnitude ? (struct atom){ ATOM_NEGATIVE, -magnitude, NULL, 0 } : atom_unsigned (magnitude);
  return at;
}

// NULL, or what was expected at *place.
static const char *parse_operation (const char *at, const char *end, struct operation *operation, const char **place) {
  *place = at;
  if (at == end || (*at != 'r' && *at != 'w'))
    return "r or w, dashes or equals signs";
  operation->kind = *at == 'r' ? OP_GET : OP_PUT;
  at = parse_argument (at + 1, end, &operation->key, place);
  if (!at)
    return "a key (an integer from -2^63 to 2^64-1)";
  at = parse_argument (at, end, &operation->value, place);
  if (!at)
    return "a value (an integer from -2^63 to 2^64-1)";
  *place = at = skip_blanks (at, end);
  return at == end ? NULL : "the end of the line";
}

// At least three of the same, and nothing else.
static bool is_rule (const char *at, const char *end, char sign) {
  if (end - at < 3)
    return false;
  while (at < end && *at == sign)
    at++;
  return skip_blanks (at, end) == end;
}

static bool read_operation (struct history *h, uint64_t session, bool *is_open, const struct operation *operation,
                            const char **why) {
  const struct txn_header header = { .session = session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  if (!*is_open && !history_begin_txn (h, &header, why))
    return false;
  *is_open = true;
  const uint32_t key = history_key (h, operation->key, why);
  const uint32_t value = key == KEY_NONE ? KEY_NONE : history_value (h, operation->value, why);
  return key != KEY_NONE && value != ATOM_NONE && history_add_op (h, operation->kind, 0, key, value, AUX_NONE, why);
}

static bool read_awdit (struct history *h, struct input *input, struct error *error) {
  const char *line, *place, *why;
  size_t length;
  uint64_t session = 0;
  bool is_open = false;
  h->key_type = KEYS_INT;
  while (input_line (input, &line, &length, error)) {
    const char *end = line + length, *at = skip_blanks (line, end);
    const bool between_sessions = is_rule (at, end, '=');
    if (between_sessions || is_rule (at, end, '-') || at == end) {
      is_open &= at == end;
      session += between_sessions;
      continue;
    }
    struct operation operation;
    const char *expected = parse_operation (at, end, &operation, &place);
    char found[FOUND_SIZE];
    if (expected)
      return error_at_line (error, input_name (input), input_line_number (input), (uint64_t) (place - line) + 1,
                            "expected %s, found %s", expected, found_text (found, place, end, "the end of the line"));
    if (!read_operation (h, session, &is_open, &operation, &why))
      return error_at_line (error, input_name (input), input_line_number (input), 0, "%s", why);
  }
  return !error->code;
}

// The first line that is not blank is an operation.
static bool probe_awdit (const char *path, const char *head, size_t length) {
  (void) path;
  const char *at = head, *end = head + length, *place;
  while (at < end && (*at == '\n' || *at == '\r' || *at == ' ' || *at == '\t'))
    at++;
  const char *stop = at < end ? memchr (at, '\n', (size_t) (end - at)) : NULL;
  if (!stop)
    stop = end;
  if (stop > at && stop[-1] == '\r')
    stop--;
  struct operation operation;
  return at < end && !parse_operation (at, stop, &operation, &place);
}

const struct format format_awdit = {
  .name = "awdit",
  .title = "AWDIT's test text: r key value, rules between transactions and sessions",
  .probe = probe_awdit,
  .read = read_awdit,
};
