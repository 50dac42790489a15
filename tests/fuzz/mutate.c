#include "mutate.h"

#include <string.h>

enum { LONGEST = 1 << 16 };

static size_t below (struct prng *random, size_t bound) {
  return prng_below (random, (unsigned) bound);
}

// Puts a piece in the place of up to `most` bytes at `at`.
static void replace (fuzz_bytes *input, size_t at, size_t gone, const void *piece, size_t length) {
  if (gone > input->count - at)
    gone = input->count - at;
  const size_t rest = input->count - at - gone;
  if (at + length + rest > LONGEST)
    return;
  VEC_RESERVE (*input, at + length + rest + 1);
  memmove (input->data + at + length, input->data + at + gone, rest);
  memcpy (input->data + at, piece, length);
  input->count = at + length + rest;
}

static void flip (struct prng *random, fuzz_bytes *input) {
  for (unsigned i = 1 + prng_below (random, 3); input->count && i; i--)
    input->data[below (random, input->count)] ^= (uint8_t) (1 << prng_below (random, 8));
}

static void overwrite (struct prng *random, fuzz_bytes *input) {
  static const uint8_t interesting[] = {
    0, 1, 0x7f, 0x80, 0xff, '{', '}', '[', ']', '"', '\\', '\n', ' ', '-', '0', '9'
  };
  for (unsigned i = 1 + prng_below (random, 4); input->count && i; i--)
    input->data[below (random, input->count)] = interesting[prng_below (random, sizeof interesting)];
}

// A piece of another seed in the place of a piece of the input; with an empty piece of either it
// inserts or removes.
static void splice (struct prng *random, fuzz_bytes *input, const fuzz_bytes *other) {
  const size_t at = below (random, input->count + 1);
  const size_t gone = prng_chance (random, 30) ? 0 : prng_below (random, 64);
  const size_t from = below (random, other->count + 1);
  size_t piece = prng_chance (random, 20) ? 0 : prng_below (random, 200);
  if (piece > other->count - from)
    piece = other->count - from;
  if (piece || gone)
    replace (input, at, gone, piece ? other->data + from : (const uint8_t *) "", piece);
}

// A whole line of another seed, so that facts contradict each other.
static void put_line (struct prng *random, fuzz_bytes *input, const fuzz_bytes *other) {
  if (!other->count)
    return;
  size_t from = below (random, other->count), to = from, at = below (random, input->count + 1);
  while (from && other->data[from - 1] != '\n')
    from--;
  while (to < other->count && other->data[to++] != '\n') {
  }
  while (at && input->data[at - 1] != '\n')
    at--;
  replace (input, at, 0, other->data + from, to - from);
}

// Another number in the place of one: another value, another transaction, another place.
static void put_digit (struct prng *random, fuzz_bytes *input) {
  for (unsigned tries = 0; input->count && tries < 50; tries++) {
    uint8_t *digit = &input->data[below (random, input->count)];
    if (*digit >= '0' && *digit <= '9') {
      *digit = (uint8_t) ('0' + prng_below (random, 10));
      return;
    }
  }
}

static void put_word (struct prng *random, fuzz_bytes *input, const char *const *words) {
  unsigned count = 0;
  while (words && words[count])
    count++;
  if (!count)
    return;
  const char *word = words[prng_below (random, count)];
  replace (input, below (random, input->count + 1), prng_below (random, 4), word, strlen (word));
}

static void randomize (struct prng *random, fuzz_bytes *input) {
  const size_t kept = prng_chance (random, 50) ? below (random, input->count + 1) : 0;
  input->count = kept;
  for (unsigned more = prng_below (random, 300); more; more--)
    VEC_PUSH (*input, (uint8_t) prng_next (random));
}

void mutate (const struct mutator *mutator, struct prng *random, fuzz_bytes *input) {
  const fuzz_bytes *seed = &mutator->seeds[prng_below (random, mutator->seed_count)];
  input->count = 0;
  fuzz_append (input, seed->data, seed->count < LONGEST ? seed->count : LONGEST);
  for (unsigned steps = 1 + prng_below (random, 3); steps; steps--) {
    const fuzz_bytes *other = &mutator->seeds[prng_below (random, mutator->seed_count)];
    switch (prng_below (random, mutator->words ? 12 : 6)) {
    case 0: input->count = below (random, input->count + 1); break;
    case 1: flip (random, input); break;
    case 2: overwrite (random, input); break;
    case 3: randomize (random, input); break;
    case 4:
    case 5: splice (random, input, other); break;
    case 6:
    case 7: put_line (random, input, other); break;
    case 8:
    case 9: put_digit (random, input); break;
    default: put_word (random, input, mutator->words); break;
    }
  }
}
