// Text that grows, and how transactions, keys and values are called in messages.

#ifndef KRAIT_EXPLAIN_WORDS_H
#define KRAIT_EXPLAIN_WORDS_H

#include "formats/text.h"
#include "history/history.h"

typedef struct text words;

void words_add (words *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

// Byte strings appear bare when they are plain words, else quoted and escaped; long ones are cut.
void words_atom (words *, struct atom);
bool words_are_plain (struct atom);

// A transaction, or the initial state.
struct party {
  bool initial;
  uint64_t id; // of the history, or of what a dialect made of it
};

// A read as it is told; flags are those of the ASG's reads.
struct shown_read {
  uint32_t key, value;
  enum op_kind op; // what the client did; OP_GET if that is not known
  unsigned flags;
  bool beside_own; // OP_LIST: it found appends of its own behind what counts
};

// `op` OP_NONE: not known.
struct shown_read show_read (const struct history *, uint32_t op, uint32_t key, uint32_t value, unsigned flags);

// A sentence about transactions, keys and values, in one piece:
//   SAY (w, h, "%a wrote %k before %b", .a = edge->from, .b = edge->to, .key = edge->key);
struct said {
  struct party a, b, c;          // %a, %b, %c
  uint32_t key, value, other;    // %k, %v, %w; "nil" for absent
  const struct shown_read *read; // %r: "read x = 4", "found no x in its scan" …
  struct atom number;            // %n
  const char *text;              // %s
};
void words_say (words *, const struct history *, const char *sentence, const struct said *);
#define SAY(w, h, sentence, ...) words_say (w, h, sentence, &(struct said){ __VA_ARGS__ })

// The text, terminated; the caller frees it with mem_free. The words are empty afterwards.
char *words_take (words *);

#endif
