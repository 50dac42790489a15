// Pictures for tests, and what they are made of.

#ifndef KRAIT_TESTS_PICTURES_SAMPLES_H
#define KRAIT_TESTS_PICTURES_SAMPLES_H

#include "explain/picture.h"

// By name (make_sample.c lists them); NULL if there is none of that name.
struct picture *sample_picture (const char *name, uint32_t txns);

// Anything: sessions, times or none, an initial state or none, edges of all kinds, branches or
// none.
struct picture *random_picture (uint64_t seed, uint32_t txns);

extern const char *const hostile_names[];
extern const unsigned hostile_name_count;

#endif
