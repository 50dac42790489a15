#include "formats/edn.h"

#include "formats/found.h"

// Keywords begin with a colon, which found_text shows alone.
static bool unexpected (struct json_reader *r, const char *at, const char *what) {
  char found[FOUND_SIZE];
  const bool colon = at < r->end && *at == ':' && r->end - at > 1;
  return json_fail (r, at, "expected %s, found %s%s", what, colon ? ":" : "",
                    found_text (found, at + colon, r->end, "the end of the file"));
}

bool edn_expected (struct json_reader *r, const char *what) {
  edn_next (r);
  return unexpected (r, r->at, what);
}

// --- White space and what counts as such ---

// What ends a token. Bytes that are not ASCII are left to whoever wants text.
enum { BLANK = 1, DELIMITER = 2, CONTROL = 3 };

static inline unsigned class_of (char c) {
  static const uint8_t classes[256] = {
    ['\t'] = BLANK,    ['\n'] = BLANK,    ['\f'] = BLANK,    ['\r'] = BLANK,    [' '] = BLANK,
    [','] = BLANK,     ['('] = DELIMITER, [')'] = DELIMITER, ['['] = DELIMITER, [']'] = DELIMITER,
    ['{'] = DELIMITER, ['}'] = DELIMITER, ['"'] = DELIMITER, [';'] = DELIMITER,
  };
  const unsigned class = classes[(unsigned char) c];
  return class || ((unsigned char) c >= 0x20 && c != 0x7f) ? class : CONTROL;
}

static const char *token_end (const char *at, const char *end) {
  while (at < end && !class_of (*at))
    at++;
  return at;
}

static bool is_letter (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Comments, discarded forms and tags; false at anything else. Nothing comes behind a broken one.
static bool pass_over (struct json_reader *r) {
  const char *at = r->at, second = r->end - at > 1 ? at[1] : 0;
  if (*at == ';') {
    const char *stop = memchr (at, '\n', (size_t) (r->end - at));
    r->at = stop ? stop : r->end;
  } else if (second == '_') {
    r->at += 2;
    r->at = edn_skip (r) ? r->at : r->end;
  } else if (is_letter (second) || second == ':')
    r->at = token_end (at + 1, r->end);
  return r->at > at;
}

int edn_next (struct json_reader *r) {
  for (;;) {
    const char *at = r->at;
    while (at < r->end && class_of (*at) == BLANK)
      at++;
    r->at = at;
    if (at == r->end)
      return EDN_END;
    if ((*at != ';' && *at != '#') || !pass_over (r))
      return (unsigned char) *at;
  }
}

// --- Collections ---

static char closing (int open) {
  return open == '[' ? ']' : open == '(' ? ')' : open == '{' ? '}' : 0;
}

bool edn_open_sequence (struct json_reader *r, char *close, const char *what) {
  const int c = edn_next (r);
  if (c != '[' && c != '(')
    return edn_expected (r, what);
  *close = closing (c);
  r->at++;
  return true;
}

int edn_element (struct json_reader *r, char close) {
  const int c = edn_next (r);
  if (c == close) {
    r->at++;
    return 0;
  }
  if (c == EDN_END || c == ']' || c == ')' || c == '}') {
    const char what[] = { '\'', close, '\'', 0 };
    unexpected (r, r->at, what);
    return -1;
  }
  return 1;
}

// --- Strings ---

static bool decode_escape (struct json_reader *r) {
  static const char from[] = "\"\\bfnrt", to[] = "\"\\\b\f\n\r\t";
  const char c = r->at[1];
  if (c == 'u')
    return json_code_point (r); // Java prints characters beyond 16 bits as a pair of surrogates
  const char *which = c ? strchr (from, c) : NULL;
  if (!which)
    return json_fail (r, r->at, "expected one of the escapes of EDN, found a backslash that begins none");
  text_char (&r->decoded, to[which - from]);
  r->at += 2;
  return true;
}

// The closing quote, or NULL. Strings may hold newlines.
static const char *string_end (const char *first, const char *end, bool *escapes) {
  *escapes = false;
  for (const char *at = first; at < end; at++) {
    if (*at == '"')
      return at;
    if (*at == '\\') {
      *escapes = true;
      at++;
    }
  }
  return NULL;
}

static bool skip_string (struct json_reader *r) {
  bool escapes;
  const char *last = string_end (r->at + 1, r->end, &escapes);
  if (!last)
    return json_fail (r, r->at, "a string without its closing quote");
  r->at = last + 1;
  return true;
}

static bool read_string (struct json_reader *r, struct atom *atom) {
  bool escapes;
  const char *first = r->at + 1, *last = string_end (first, r->end, &escapes);
  if (!last || !escapes) {
    if (last)
      *atom = atom_bytes (first, (size_t) (last - first));
    return skip_string (r);
  }
  r->decoded.count = 0;
  for (r->at = first; r->at < last;) {
    if (*r->at != '\\')
      text_char (&r->decoded, *r->at++);
    else if (!decode_escape (r))
      return false;
  }
  *atom = atom_bytes (r->decoded.data, r->decoded.count);
  r->at = last + 1;
  return true;
}

// --- Everything else that is one token ---

// Behind a backslash stands one character, whatever it is, and maybe the rest of its name.
static bool read_token (struct json_reader *r, struct json_string *token) {
  const char *first = r->at;
  const char *rest = *first == '\\' && r->end - first > 1 ? first + 2 : first;
  const char *last = token_end (rest, r->end);
  *token = (struct json_string){ first, (size_t) (last - first) };
  if (last == first)
    return unexpected (r, first, "a form");
  r->at = last;
  return true;
}

bool edn_keyword (struct json_reader *r, struct json_string *token, const char *what) {
  if (edn_next (r) != ':')
    return edn_expected (r, what);
  const bool read = read_token (r, token);
  token->bytes++;
  token->length--;
  return read;
}

bool edn_accept_nil (struct json_reader *r) {
  if (edn_next (r) != 'n')
    return false;
  const char *last = token_end (r->at, r->end);
  if (last - r->at != 3 || memcmp (r->at, "nil", 3))
    return false;
  r->at = last;
  return true;
}

// False: not an integer. `overflow`: one, but too large.
static bool parse_integer (struct json_string token, struct atom *atom, bool *overflow) {
  const char *at = token.bytes, *end = token.bytes + token.length;
  const bool negative = *at == '-';
  at += *at == '-' || *at == '+';
  end -= end - at > 1 && end[-1] == 'N'; // Clojure's mark of a big integer
  if (at == end)
    return false;
  uint64_t number = 0;
  for (; at < end; at++) {
    if (*at < '0' || *at > '9')
      return false;
    const uint64_t digit = (uint64_t) (*at - '0');
    *overflow |= __builtin_mul_overflow (number, 10, &number) || __builtin_add_overflow (number, digit, &number);
  }
  *overflow |= negative && number > (uint64_t) 1 << 63;
  *atom = negative && number ? (struct atom){ ATOM_NEGATIVE, -number, NULL, 0 } : atom_unsigned (number);
  return true;
}

bool edn_atom (struct json_reader *r, struct atom *atom, const char *what) {
  const int c = edn_next (r);
  if (c == '"')
    return read_string (r, atom);
  if (c == EDN_END || c == '#' || class_of ((char) c) == DELIMITER)
    return edn_expected (r, what);
  const char *first = r->at;
  struct json_string token;
  if (!read_token (r, &token))
    return false;
  bool overflow = false;
  if (!parse_integer (token, atom, &overflow))
    *atom = atom_bytes (token.bytes, token.length);
  return !overflow || unexpected (r, first, "an integer from -2^63 to 2^64-1");
}

// --- Skipping ---

static bool skip_collection (struct json_reader *r, char close) {
  int more;
  r->at++;
  while ((more = edn_element (r, close)) > 0)
    if (!edn_skip (r))
      return false;
  return !more;
}

static bool skip_form (struct json_reader *r) {
  int c = edn_next (r);
  const char second = r->end - r->at > 1 ? r->at[1] : 0;
  if (c == '#' && (closing (second) || second == '"')) { // sets, functions, patterns
    c = (unsigned char) second;
    r->at++;
  }
  if (closing (c))
    return skip_collection (r, closing (c));
  if (c == '"')
    return skip_string (r);
  struct json_string token;
  if (c == EDN_END || class_of ((char) c) == DELIMITER)
    return edn_expected (r, "a form");
  return read_token (r, &token);
}

bool edn_skip (struct json_reader *r) {
  if (r->depth == EDN_MAX_DEPTH)
    return json_fail (r, r->at, "nested deeper than %d", EDN_MAX_DEPTH);
  r->depth++;
  const bool fine = skip_form (r);
  r->depth--;
  return fine;
}

bool edn_is_whole (const char *bytes, size_t length) {
  struct error ignored = { 0 };
  struct json_reader r = { 0 };
  json_start_text (&r, bytes, length, "", &ignored);
  const bool whole = edn_skip (&r);
  json_stop (&r);
  return whole;
}
