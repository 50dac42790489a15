// Text that grows, and how transactions, keys and values are called in messages.

#ifndef KRAIT_EXPLAIN_WORDS_H
#define KRAIT_EXPLAIN_WORDS_H

#include "base/vec.h"
#include "history/atoms.h"

#include <stdint.h>

struct history;

typedef VEC (char) words;

void words_add (words *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

// Byte strings appear bare when they are plain words, else quoted and escaped; long ones are cut.
void words_atom (words *, struct atom);
void words_key (words *, const struct history *, uint32_t key);
void words_value (words *, const struct history *, uint32_t value); // "nil" for absent

// What a read of this operation returned: "read x = 4", "found no x in its scan", "found x to be something other than 4" …; flags are those of the ASG's
// reads. `op` UINT32_MAX: not known.
void words_read (words *, const struct history *, uint32_t op, uint32_t key, uint32_t value, unsigned flags);

// The text, terminated; the caller frees it with mem_free. The words are empty afterwards.
char *words_take (words *);

#endif
