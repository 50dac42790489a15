// Did you mean …?

#ifndef KRAIT_CLI_SUGGEST_H
#define KRAIT_CLI_SUGGEST_H

#include <stddef.h>

// Offered one name after the other; keeps the nearest.
struct suggestion {
  const char *wanted;
  const char *nearest; // NULL: nothing near enough
  size_t length;       // of nearest, which need not be terminated there
  size_t distance;
};

struct suggestion suggestion_for (const char *wanted);
void suggestion_offer (struct suggestion *, const char *name, size_t length);

// "; did you mean NAME?" or "". The buffer is the caller's.
const char *suggestion_words (const struct suggestion *, const char *before, char *buffer, size_t size);

#endif
