// Seeds of hashes: keys that were chosen for one seed are like any others under the next.

#include "greatest_main.h"
#include "history/atoms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHOSEN = 2000, CHOSEN_BITS = 10, TEXT = 16 };

static struct atom number_atom (uint64_t number, char text[TEXT]) {
  (void) text;
  return atom_unsigned (number);
}

static struct atom text_atom (uint64_t number, char text[TEXT]) {
  return atom_bytes (text, (size_t) snprintf (text, TEXT, "key %" PRIu64, number));
}

typedef struct atom (*make_atom) (uint64_t number, char text[TEXT]);

static uint64_t hash_of (struct atom atom) {
  return atom.kind == ATOM_BYTES ? hash_bytes (atom.bytes, atom.length) : hash_u64 (atom.number);
}

// Numbers of atoms that all start at one place of a table, under the seed that counts now.
static void choose (make_atom make, uint64_t chosen[CHOSEN]) {
  char text[TEXT];
  size_t count = 0;
  for (uint64_t number = 0; count < CHOSEN; number++)
    if (!(hash_of (make (number, text)) >> (64 - CHOSEN_BITS)))
      chosen[count++] = number;
}

// How many slots all lookups together step over.
static uint64_t steps (make_atom make, const uint64_t chosen[CHOSEN]) {
  struct hash_set table = { 0 };
  char text[TEXT];
  for (uint32_t i = 0; i < CHOSEN; i++)
    hash_set_insert (&table, hash_of (make (chosen[i], text)), i);
  uint64_t sum = 0;
  for (size_t slot = 0; slot <= table.mask; slot++)
    if (table.slots[slot])
      sum += (slot - hash_set_first (&table, table.slots[slot])) & table.mask;
  hash_set_free (&table);
  return sum;
}

TEST chosen_keys_scatter_under_another_seed (make_atom make) {
  static uint64_t chosen[CHOSEN];
  for (uint64_t known = 0; known < 2; known++) {
    hash_reseed (known);
    choose (make, chosen);
    ASSERT (steps (make, chosen) > (uint64_t) CHOSEN * CHOSEN / 4);
    for (uint64_t other = 10; other < 20; other++) {
      hash_reseed (other);
      ASSERT (steps (make, chosen) < (uint64_t) 3 * CHOSEN);
    }
  }
  PASS ();
}

// Numbers that differ in a few bits only, and numbers in a row, are what keys really are.
TEST plain_keys_scatter (void) {
  static uint64_t keys[CHOSEN];
  for (uint64_t seed = 0; seed < 20; seed++) {
    hash_reseed (seed);
    for (unsigned shift = 0; shift <= 48; shift += 8) {
      for (uint64_t i = 0; i < CHOSEN; i++)
        keys[i] = i << shift;
      ASSERT (steps (number_atom, keys) < (uint64_t) 3 * CHOSEN);
    }
  }
  PASS ();
}

// Equal numbers are told apart by their hashes alone in some places.
TEST hashes_of_numbers_are_one_to_one (void) {
  for (uint64_t seed = 0; seed < 100; seed++) {
    hash_reseed (seed);
    ASSERT_EQ (1u, hash_seed.factor & 1);
  }
  PASS ();
}

static uint64_t hash_in_another_process (const char *environment) {
  char command[128], line[32] = "";
  snprintf (command, sizeof command, "%s KRAIT_TEST_PRINT_HASH=1 /proc/%d/exe", environment, (int) getpid ());
  FILE *out = popen (command, "r");
  if (out && !fgets (line, sizeof line, out))
    *line = 0;
  if (out)
    pclose (out);
  return strtoull (line, NULL, 16);
}

TEST processes_draw_seeds_of_their_own (void) {
  const uint64_t one = hash_in_another_process ("KRAIT_HASH_SEED="), two = hash_in_another_process ("KRAIT_HASH_SEED=");
  ASSERT (one && two && one != two);
  hash_reseed (7);
  ASSERT_EQ (hash_u64 (1) ^ hash_bytes ("1", 1), hash_in_another_process ("KRAIT_HASH_SEED=7"));
  PASS ();
}

SUITE (seeds) {
  RUN_TESTp (chosen_keys_scatter_under_another_seed, number_atom);
  RUN_TESTp (chosen_keys_scatter_under_another_seed, text_atom);
  RUN_TEST (plain_keys_scatter);
  RUN_TEST (hashes_of_numbers_are_one_to_one);
  RUN_TEST (processes_draw_seeds_of_their_own);
}

KRAIT_UNIT_MAIN (if (getenv ("KRAIT_TEST_PRINT_HASH")) {
  printf ("%" PRIx64 "\n", hash_u64 (1) ^ hash_bytes ("1", 1));
  return 0;
} RUN_SUITE (seeds);)
