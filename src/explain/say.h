// Sentences about transactions, keys and values, each in one piece.
//
//   SAY (w, h, "%a wrote %k before %b", .a = edge->from, .b = edge->to, .key = edge->key);

#ifndef KRAIT_EXPLAIN_SAY_H
#define KRAIT_EXPLAIN_SAY_H

#include "explain/violation.h"

struct said {
  struct party a, b, c;          // %a, %b, %c
  uint32_t key, value;           // %k, %v
  const struct shown_read *read; // %r
  const char *text;              // %s
};

void say (words *, const struct history *, const char *sentence, const struct said *);

#define SAY(w, h, sentence, ...) say (w, h, sentence, &(struct said){ __VA_ARGS__ })

#endif
