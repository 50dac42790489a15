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
  char words[128];
};

struct suggestion suggestion_for (const char *wanted);
void suggestion_offer (struct suggestion *, const char *name);
void suggestion_offer_part (struct suggestion *, const char *name, size_t length);

// "; did you mean NAME?" or "", with something before the name.
const char *suggestion_words (struct suggestion *, const char *before);

#endif
