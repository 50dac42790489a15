// Strict JSON (RFC 8259), pulled token by token out of one line, or out of a text of many
// (json_start_text).
//
// There is no tree: the caller says what it expects next and gets it, or an error with file, line
// and column (counted in bytes, from 1). Strings are checked to be UTF-8; one without escapes is a
// view into the line. Nothing is read beyond `end`: a line of a mapped file may be followed by
// nothing at all.

#ifndef KRAIT_FORMATS_JSON_READ_H
#define KRAIT_FORMATS_JSON_READ_H

#include "base/digits.h"
#include "base/error.h"
#include "base/input.h"
#include "formats/text.h"
#include "history/atoms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_MAX_DEPTH = 64 };

struct json_reader {
  const char *begin, *at, *end;
  const char *file;
  uint64_t line;
  struct error *error;
  struct text decoded; // the last string that held escapes
  struct text skipped; // the last value that was passed over
  char line_end;       // white space too: a newline, where the text has many lines
  int depth;           // of what is being passed over
  const char *name_at; // where the name of the member stands that is being read
};

struct json_string {
  const char *bytes; // valid until the next string is read
  size_t length;
};

void json_start (struct json_reader *, const char *line, size_t length, const char *file, uint64_t number,
                 struct error *);
// The next line of a file that was started with line 0; false at its end, or after setting the
// error.
static inline bool json_next_line (struct json_reader *, struct input *);
// The line that begins here, in a piece of whole lines (input_lines): where the next one does.
static inline const char *json_set_line (struct json_reader *, const char *line, const char *end);
// All of a text; values may go over lines. Ends with json_stop as well.
void json_start_text (struct json_reader *, const char *text, size_t length, const char *file, struct error *);
void json_stop (struct json_reader *);

uint64_t json_line (const struct json_reader *, const char *at);

// All return false, for `return json_fail (…)`.
bool json_fail (struct json_reader *, const char *at, const char *format, ...)
  __attribute__ ((format (printf, 3, 4), cold));
bool json_unexpected (struct json_reader *, const char *at, const char *what) __attribute__ ((cold));
// at the next token
bool json_expected (struct json_reader *, const char *what) __attribute__ ((cold));

// The first character of the next token, or -1 at the end. Consumes only white space.
static inline int json_peek (struct json_reader *r) {
  while (r->at < r->end && (unsigned char) *r->at <= ' '
         && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == r->line_end))
    r->at++;
  return r->at < r->end ? (unsigned char) *r->at : -1;
}

// Where the next token stands.
static inline const char *json_place (struct json_reader *r) {
  json_peek (r);
  return r->at;
}

static inline bool json_accept (struct json_reader *r, char c) {
  if (json_peek (r) != c)
    return false;
  r->at++;
  return true;
}

// A bracket, or another character that has to stand here.
static inline bool json_open (struct json_reader *r, char bracket, const char *what) {
  return json_accept (r, bracket) || json_expected (r, what);
}

// In an array or object, before each element: 1 if there is one (the comma is consumed), 0 if the
// closing bracket was consumed instead, -1 after setting the error.
static inline int json_next (struct json_reader *, char close, bool first);
int json_no_next (struct json_reader *, char close, bool first); // the same, where there is none

// All elements of an array, from its opening bracket.
static inline bool json_array (struct json_reader *, const char *what, bool (*element) (void *context), void *context);

// All members of an object, from behind its opening brace. `read` reads the value of names[member];
// NULL ends the names. Bit i of `seen`: names[i] is there.
// `of`: whose members these are; there can be no others. NULL: others are passed over.
static inline bool json_members (struct json_reader *, const char *const *names, const char *of, unsigned *seen,
                                 bool (*read) (void *context, unsigned member), void *context);
// The first member that has to be there and is not, or NULL.
const char *json_lacking (const char *const *names, unsigned seen, unsigned required);

// The name of a member and its colon.
static inline bool json_name (struct json_reader *, struct json_string *);

static inline bool json_string (struct json_reader *, struct json_string *, const char *what);
static inline bool json_integer (struct json_reader *, struct atom *, const char *what);
// an integer or a string
static inline bool json_atom (struct json_reader *, struct atom *, const char *what);
// The index of a string among some words, or -1. NULL ends them.
int json_among (struct json_string, const char *const *words);
// One of some words: its index, or -1 after setting the error.
int json_word (struct json_reader *, const char *const *words, const char *what);
bool json_unsigned (struct json_reader *, uint64_t *, const char *what);
bool json_bool (struct json_reader *, bool *);
bool json_accept_null (struct json_reader *);

bool json_skip (struct json_reader *); // any value
// The same, appended to `out` without white space between tokens and otherwise as it was written.
bool json_compact (struct json_reader *, struct text *out);

bool json_at_end (struct json_reader *); // an error if anything is left

// What \uXXXX at r->at stands for, into r->decoded.
bool json_code_point (struct json_reader *);

// Does the text hold exactly one JSON value?
bool json_is_whole (const char *bytes, size_t length);

// Words are short, and most differ in their first letter.
static inline bool json_is_word (struct json_string string, const char *word) {
  size_t i = 0;
  while (i < string.length && word[i] && string.bytes[i] == word[i])
    i++;
  return i == string.length && !word[i];
}

static inline bool json_equal (struct json_string string, const char *literal) {
  const size_t length = strlen (literal);
  return string.length == length && !memcmp (string.bytes, literal, length);
}

static inline bool json_next_line (struct json_reader *r, struct input *input) {
  const char *line;
  size_t length;
  if (!input_line (input, &line, &length, r->error))
    return false;
  r->begin = r->at = line;
  r->end = line + length;
  r->line++;
  return true;
}

static inline const char *json_set_line (struct json_reader *r, const char *line, const char *end) {
  const char *newline = (const char *) memchr (line, '\n', (size_t) (end - line));
  r->begin = r->at = line;
  r->end = newline ? newline : end;
  if (newline && newline > line && newline[-1] == '\r')
    r->end--;
  return newline ? newline + 1 : end;
}

static inline int json_next (struct json_reader *r, char close, bool first) {
  const int c = json_peek (r);
  if (first ? c < 0 || c == close : c != ',')
    return json_no_next (r, close, first);
  r->at += !first;
  return 1;
}

static inline bool json_array (struct json_reader *r, const char *what, bool (*element) (void *context),
                               void *context) {
  int next;
  if (!json_open (r, '[', what))
    return false;
  for (bool first = true; (next = json_next (r, ']', first)) > 0; first = false)
    if (!element (context))
      return false;
  return !next;
}

// --- The fast paths of strings and integers ---

// What the two below leave over: escapes, text that is not ASCII, negative and huge numbers,
// mistakes.
bool json_string_slowly (struct json_reader *, struct json_string *, const char *what);
bool json_integer_slowly (struct json_reader *, struct atom *, const char *what);

// Eight bytes at a time: is one of them a quote, a backslash, a control character or not ASCII? The
// usual tests for a zero byte and for a byte below a limit; the top bit of each byte of the result
// says so.
static inline uint64_t json_special_bytes (uint64_t eight) {
  const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
  const uint64_t quote = eight ^ (ones * '"'), backslash = eight ^ (ones * '\\');
  const uint64_t control = (eight - ones * 0x20) & ~eight;
  return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | control | eight) & tops;
}

static inline const char *json_plain_run_end (const char *at, const char *end) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (uint64_t eight; end - at >= 8; at += 8) {
    memcpy (&eight, at, 8);
    const uint64_t special = json_special_bytes (eight);
    if (special) // borrows spoil only what stands behind the first one
      return at + __builtin_ctzll (special) / 8;
  }
#endif
  while (at < end && *at != '"' && *at != '\\' && (unsigned char) *at >= 0x20 && (unsigned char) *at < 0x80)
    at++;
  return at;
}

static inline bool json_string (struct json_reader *r, struct json_string *string, const char *what) {
  if (json_peek (r) == '"') {
    const char *first = r->at + 1, *last = json_plain_run_end (first, r->end);
    if (last < r->end && *last == '"') {
      *string = (struct json_string){ first, (size_t) (last - first) };
      r->at = last + 1;
      return true;
    }
  }
  return json_string_slowly (r, string, what);
}

static inline bool json_name (struct json_reader *r, struct json_string *name) {
  return json_string (r, name, "a member name") && (json_accept (r, ':') || json_expected (r, "':'"));
}

static inline bool json_short_name (struct json_reader *r, struct json_string *name) {
  const char *at = r->name_at = json_place (r);
  // The usual form first: one letter, without white space.
  if (r->end - at <= 4 || at[0] != '"' || at[2] != '"' || at[3] != ':' || (unsigned char) (at[1] - 'a') >= 26)
    return json_name (r, name);
  *name = (struct json_string){ at + 1, 1 };
  r->at += 4;
  return true;
}

// For the two kinds of mistake that members can be.
bool json_twice (struct json_reader *, struct json_string name, const char *of) __attribute__ ((cold));
bool json_unknown (struct json_reader *, struct json_string name, const char *of) __attribute__ ((cold));

// In most texts members come in one order: the one behind the last is the first that is asked
// about.
static inline bool json_members (struct json_reader *r, const char *const *names, const char *of, unsigned *seen,
                                 bool (*read) (void *context, unsigned member), void *context) {
  int next, member = -1;
  *seen = 0;
  for (bool first = true; (next = json_next (r, '}', first)) > 0; first = false) {
    struct json_string name;
    if (!json_short_name (r, &name))
      return false;
    const char *expected = names[member + 1];
    member = expected && json_is_word (name, expected) ? member + 1 : json_among (name, names);
    const unsigned bit = member < 0 ? 0 : 1u << member;
    if (*seen & bit)
      return json_twice (r, name, of);
    *seen |= bit;
    if (!(bit ? read (context, (unsigned) member) : of ? json_unknown (r, name, of) : json_skip (r)))
      return false;
  }
  return !next;
}

static inline bool json_integer (struct json_reader *r, struct atom *atom, const char *what) {
  json_peek (r);
  const char *first = r->at, *at = first;
  const uint64_t number = digits_up_to (&at, r->end);
  // Whatever is not an end of the number is a case for the long way: more digits, a sign, a
  // fraction, a zero in front.
  const bool ends = at > first && at < r->end && (*at == ',' || *at == ']' || *at == '}');
  if (!ends || (*first == '0' && at - first > 1))
    return json_integer_slowly (r, atom, what);
  r->at = at;
  *atom = atom_unsigned (number);
  return true;
}

static inline bool json_atom (struct json_reader *r, struct atom *atom, const char *what) {
  struct json_string string;
  if (json_peek (r) != '"')
    return json_integer (r, atom, what);
  if (!json_string (r, &string, what))
    return false;
  *atom = atom_bytes (string.bytes, string.length);
  return true;
}

#endif
