// The least that must work for any other unit test to mean something.

#include "base/vec.h"
#include "greatest_main.h"

TEST vector_grows_and_keeps_its_items (void) {
  VEC (uint32_t) numbers = VEC_EMPTY;
  for (uint32_t i = 0; i < 1000; i++)
    VEC_PUSH (numbers, i);
  ASSERT_EQ (1000, numbers.count);
  for (uint32_t i = 0; i < 1000; i++)
    ASSERT_EQ (i, numbers.data[i]);
  VEC_FREE (numbers);
  PASS ();
}

SUITE (smoke) {
  RUN_TEST (vector_grows_and_keeps_its_items);
}

KRAIT_UNIT_MAIN (RUN_SUITE (smoke);)
