// How much a random test does: less under sanitizers, where everything takes five times as long,
// and much more in `make check-long`.

#ifndef KRAIT_TESTS_SUPPORT_EFFORT_H
#define KRAIT_TESTS_SUPPORT_EFFORT_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool effort_is_long (void) {
  const char *asked = getenv ("KRAIT_TEST_LONG");
  return asked && *asked;
}

static inline bool effort_is_sanitized (void) {
#ifdef __SANITIZE_ADDRESS__
  return !effort_is_long ();
#else
  return false;
#endif
}

static inline unsigned effort (unsigned sanitized, unsigned plain, unsigned long_run) {
  return effort_is_long () ? long_run : effort_is_sanitized () ? sanitized : plain;
}

#endif
