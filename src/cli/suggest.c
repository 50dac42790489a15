#include "cli/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static size_t smaller (size_t a, size_t b) {
  return a < b ? a : b;
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), case
// ignored.
static size_t distance (const char *a, size_t length_a, const char *b, size_t length_b) {
  size_t row[3][LONGEST + 1];
  for (size_t j = 0; j <= length_b; j++)
    row[0][j] = j;
  for (size_t i = 1; i <= length_a; i++) {
    size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= length_b; j++) {
      const int x = tolower ((unsigned char) a[i - 1]), y = tolower ((unsigned char) b[j - 1]);
      now[j] = smaller (smaller (now[j - 1], last[j]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == tolower ((unsigned char) b[j - 2]) && y == tolower ((unsigned char) a[i - 2]))
        now[j] = smaller (now[j], before[j - 2] + 1);
    }
  }
  return row[length_a % 3][length_b];
}

struct suggestion suggestion_for (const char *wanted) {
  return (struct suggestion){ .wanted = wanted, .distance = (size_t) -1 };
}

void suggestion_offer (struct suggestion *s, const char *name) {
  suggestion_offer_part (s, name, strlen (name));
}

void suggestion_offer_part (struct suggestion *s, const char *name, size_t length) {
  const size_t wanted = strlen (s->wanted);
  if (!wanted || wanted > LONGEST || length > LONGEST)
    return;
  size_t d = distance (s->wanted, wanted, name, length);
  // The beginning of a name is near to it, however much is missing.
  if (wanted >= 3 && wanted < length && !memcmp (name, s->wanted, wanted))
    d = 1;
  const size_t tolerated = wanted < 4 ? 1 : wanted < 8 ? 2 : wanted / 3;
  if (d > tolerated || d >= s->distance)
    return;
  s->nearest = name;
  s->length = length;
  s->distance = d;
}

const char *suggestion_words (struct suggestion *s, const char *before) {
  if (s->nearest)
    snprintf (s->words, sizeof s->words, "; did you mean %s%.*s?", before, (int) s->length, s->nearest);
  return s->words;
}
