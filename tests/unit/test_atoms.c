// Interned keys and values.

#include "greatest_main.h"
#include "history/atoms.h"
#include "history/distinct.h"
#include "tests/brute/prng.h"

#include <string.h>

TEST kinds_differ_and_equals_meet (void) {
  struct atoms atoms = { 0 };
  const struct atom different[] = {
    atom_unsigned (1),          atom_bytes ("1", 1),  atom_signed (-1),      atom_unsigned (UINT64_MAX),
    atom_bytes ("", 0),         atom_bytes ("\0", 1), atom_unsigned (0),     atom_signed (INT64_MIN),
    atom_unsigned (1ull << 63), atom_bytes ("11", 2), atom_bytes ("1\0", 2),
  };
  const uint32_t count = sizeof different / sizeof *different;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < count; i++)
      ASSERT_EQ (i, atoms_intern (&atoms, different[i]));
  ASSERT_EQ (count, atoms_count (&atoms));
  ASSERT_EQ (0u, atoms_intern (&atoms, atom_signed (1)));
  atoms_seal (&atoms);
  for (uint32_t i = 0; i < count; i++) {
    ASSERT_EQ (i, atoms_find (&atoms, different[i]));
    ASSERT_EQ (0, atom_compare (different[i], atoms_get (&atoms, i)));
  }
  ASSERT_EQ (UINT32_MAX, atoms_find (&atoms, atom_unsigned (2)));
  ASSERT (atoms_distinct (&atoms));
  atoms_free (&atoms);
  PASS ();
}

TEST order_of_atoms (void) {
  const struct atom ascending[] = {
    atom_signed (INT64_MIN), atom_signed (-2),           atom_signed (-1),    atom_unsigned (0),
    atom_unsigned (1),       atom_unsigned (UINT64_MAX), atom_bytes ("", 0),  atom_bytes ("\0", 1),
    atom_bytes ("a", 1),     atom_bytes ("ab", 2),       atom_bytes ("b", 1), atom_bytes ("\xff", 1),
  };
  const int count = sizeof ascending / sizeof *ascending;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      const int order = atom_compare (ascending[i], ascending[j]);
      ASSERT_EQ ((i > j) - (i < j), (order > 0) - (order < 0));
    }
  PASS ();
}

TEST many_atoms_keep_their_numbers (void) {
  struct atoms atoms = { 0 };
  char text[32];
  enum { MANY = 50000 };
  for (uint32_t i = 0; i < MANY; i++) {
    const int length = snprintf (text, sizeof text, "key %u", i / 2);
    const struct atom atom = i % 2 ? atom_bytes (text, (size_t) length) : atom_unsigned (i);
    ASSERT_EQ (i, atoms_intern (&atoms, atom));
  }
  for (uint32_t i = 0; i < MANY; i++) {
    const int length = snprintf (text, sizeof text, "key %u", i / 2);
    ASSERT_EQ (i, atoms_find (&atoms, i % 2 ? atom_bytes (text, (size_t) length) : atom_unsigned (i)));
  }
  atoms_free (&atoms);
  PASS ();
}

TEST a_copy_of_any_number_is_noticed (void) {
  enum { MOST = 20000 };
  uint64_t *numbers = MEM_ARRAY (uint64_t, MOST);
  struct prng random = prng_fork (1, 1);
  for (unsigned round = 0; round < 60; round++) {
    const unsigned count = 2 + prng_below (&random, round < 30 ? 30 : MOST - 2);
    for (unsigned i = 0; i < count; i++)
      numbers[i] = (uint64_t) i * 0x9e3779b97f4a7c15u; // the odd factor keeps them different
    ASSERT (numbers_distinct (numbers, count));
    const unsigned from = prng_below (&random, count), to = (from + 1 + prng_below (&random, count - 1)) % count;
    numbers[to] = numbers[from];
    ASSERT_FALSE (numbers_distinct (numbers, count));
  }
  ASSERT (numbers_distinct (numbers, 0));
  ASSERT (numbers_distinct (numbers, 1));
  mem_free (numbers);
  PASS ();
}

TEST a_copy_of_any_atom_is_noticed (void) {
  struct atoms atoms = { 0 };
  atoms_intern (&atoms, atom_unsigned (5));
  atoms_intern (&atoms, atom_unsigned (UINT64_MAX));
  atoms_intern (&atoms, atom_signed (-1)); // the same bits
  atoms_intern (&atoms, atom_bytes ("abc", 3));
  atoms_intern (&atoms, atom_bytes ("abd", 3));
  ASSERT (atoms_distinct (&atoms));
  atoms.pool.data[4 + 3 + 4 + 2] = 'c';
  ASSERT_FALSE (atoms_distinct (&atoms));
  atoms.pool.data[4 + 3 + 4 + 2] = 'd';
  atoms.payloads.data[0] = UINT64_MAX;
  ASSERT_FALSE (atoms_distinct (&atoms));
  atoms_free (&atoms);
  PASS ();
}

SUITE (atoms) {
  RUN_TEST (kinds_differ_and_equals_meet);
  RUN_TEST (order_of_atoms);
  RUN_TEST (many_atoms_keep_their_numbers);
  RUN_TEST (a_copy_of_any_number_is_noticed);
  RUN_TEST (a_copy_of_any_atom_is_noticed);
}

KRAIT_UNIT_MAIN (RUN_SUITE (atoms);)
