// Lines of numbers and words, as SAT solvers read and write them.

#ifndef KRAIT_CNF_TOKENS_H
#define KRAIT_CNF_TOKENS_H

#include "base/error.h"

#include <stddef.h>

struct input;

struct tokens {
  struct input *input;
  const char *line; // the one at hand
  size_t length, at;
};

// The next line. False at the end, or after setting the error.
bool tokens_line (struct tokens *, struct error *);

// Behind all of the line but blanks? Passes over these.
bool tokens_at_end (struct tokens *);

// Passes over this word, if it comes next.
bool tokens_word (struct tokens *, const char *word);

// A whole number from low to high comes next; false after setting the error.
bool tokens_number (struct tokens *, int64_t low, int64_t high, int64_t *number, struct error *);

// False, after setting the error for a place of the line; for the end of the file.
bool tokens_fail (const struct tokens *, size_t at, struct error *, const char *text);
bool tokens_fail_at_end (const struct tokens *, struct error *, const char *expected);

#endif
