// EDN, pulled form by form out of a whole text.
//
// There is no tree: the caller says what it expects next and gets it, or an error with file, line
// and column (counted in bytes, from 1). White space, commas, comments, discarded forms (#_) and
// tags (#inst, #jepsen.history.Op: the form behind the tag stands for both) are passed over.
// Reading is lenient where nobody cares: a form that is skipped must have its brackets and strings
// in order, and no more. Nothing is read beyond `end`.

#ifndef KRAIT_FORMATS_EDN_H
#define KRAIT_FORMATS_EDN_H

#include "base/error.h"
#include "formats/text.h"
#include "history/atoms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EDN_MAX_DEPTH = 200, EDN_END = -1, EDN_ERROR = -2 };

struct edn_reader {
  const char *begin, *at, *end;
  const char *file;
  struct error *error;
  struct text decoded; // the last string that held escapes
  int depth;
  bool failed; // nothing more is read then
};

struct edn_token {
  const char *bytes;
  size_t length;
};

void edn_start (struct edn_reader *, const char *text, size_t length, const char *file, struct error *);
void edn_stop (struct edn_reader *);

uint64_t edn_line (const struct edn_reader *, const char *at);

// Both return false, for `return edn_fail (…)`.
bool edn_fail (struct edn_reader *, const char *at, const char *format, ...)
  __attribute__ ((format (printf, 3, 4), cold));
// at the next form
bool edn_expected (struct edn_reader *, const char *what) __attribute__ ((cold));

// The first character of the next form or closing bracket; EDN_END, or EDN_ERROR after setting the
// error (a discarded form may be broken). A '#' begins a set or something odder.
int edn_next (struct edn_reader *);

// Vectors and lists are the same to us. Before each element: 1 if there is one, 0 if the closing
// bracket was consumed instead, -1 after setting the error.
bool edn_open_sequence (struct edn_reader *, char *close, const char *what);
int edn_element (struct edn_reader *, char close);

// A keyword, with its colon.
bool edn_keyword (struct edn_reader *, struct edn_token *, const char *what);
bool edn_accept_nil (struct edn_reader *);

// An integer from -2^63 to 2^64-1 is a number, everything else that is not a collection is bytes:
// what a string says; keywords with their colon, symbols, booleans, characters and fractions as
// they are written. Valid until the next atom is read.
bool edn_atom (struct edn_reader *, struct atom *, const char *what);

// Any one form.
bool edn_skip (struct edn_reader *);

// Does the text begin with a form that is complete?
bool edn_is_whole (const char *bytes, size_t length);

static inline bool edn_equal (struct edn_token token, const char *literal) {
  const size_t length = strlen (literal);
  return token.length == length && !memcmp (token.bytes, literal, length);
}

#endif
