// What is fed with bytes that nobody made on purpose: by libFuzzer (libfuzzer.c), and by damage
// that is the same each time (mutations.c).

#ifndef KRAIT_FUZZ_TARGET_H
#define KRAIT_FUZZ_TARGET_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct format;

typedef VEC (uint8_t) fuzz_bytes;

struct fuzz_target {
  const char *name; // as in --target
  // NULL, or what is wrong with what Krait made of the bytes. `understood`: they were not refused.
  const char *(*run) (const struct fuzz_target *, const uint8_t *bytes, size_t length, bool *understood);
  // Appends a good input, the same for the same number. False: this number has none; the next one
  // may.
  bool (*seed) (const struct fuzz_target *, uint64_t number, fuzz_bytes *);
  const char *const *words;    // what inputs are made of, NULL at the end; or NULL
  const struct format *format; // readers; NULL: found by content
};

extern const struct fuzz_target *const fuzz_targets[]; // NULL at the end

const struct fuzz_target *fuzz_target_find (const char *name); // or NULL

// Runs it on a block of just that length, so that a sanitizer sees a read beyond, and looks for
// memory that is not given back.
const char *fuzz_run (const struct fuzz_target *, const uint8_t *bytes, size_t length, bool *understood);

// Inputs of several parts (the files of a folder, a history and its certificate) have this between
// them.
#define FUZZ_PART "\xffPART\xff"
enum { FUZZ_PART_LENGTH = sizeof FUZZ_PART - 1 };

struct fuzz_part {
  const uint8_t *bytes;
  size_t length;
};

// The parts one after the other; the rest of the input begins behind `part` in the next call.
// False: there are no more.
struct fuzz_parts {
  const uint8_t *next, *end; // next NULL: at the end
};
bool fuzz_next_part (struct fuzz_parts *, struct fuzz_part *);

void fuzz_append (fuzz_bytes *, const void *bytes, size_t length);

// A number that depends on all bytes, for choices that an input of text leaves open.
uint64_t fuzz_hash (const uint8_t *bytes, size_t length);

#endif
