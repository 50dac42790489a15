// Numbers with few gaps have a bit each. For others, one hash table over everything would miss the
// cache twice per number. Instead they are hashed, the hashes thrown into bins by their high bits,
// and each bin checked with a table that fits the nearest cache. hash_u64 is a bijection: equal
// hashes are equal numbers.

#include "history/distinct.h"

#include "base/group.h"
#include "base/sort.h"

#include <string.h>

enum { BIN_BITS_MOST = 11, BIN_LENGTH = 2048 };

// Bins that grow too large for one table (by bad luck, or by somebody's intent) are sorted.
enum { TABLE_LENGTH = 4 * BIN_LENGTH };

static bool sorted_distinct (uint64_t *hashes, size_t count) {
  SORT (hashes, count, by_u64);
  for (size_t i = 1; i < count; i++)
    if (hashes[i] == hashes[i - 1])
      return false;
  return true;
}

// Zero marks a free slot; the hash 0 is counted apart.
static bool bin_distinct (uint64_t *hashes, size_t count, uint64_t *table) {
  if (count > TABLE_LENGTH / 2)
    return sorted_distinct (hashes, count);
  size_t length = 16, zeros = 0;
  while (length < 2 * count)
    length *= 2;
  memset (table, 0, length * sizeof *table);
  for (size_t i = 0; i < count; i++) {
    zeros += hashes[i] == 0;
    size_t slot = hashes[i] & (length - 1);
    while (table[slot] && table[slot] != hashes[i])
      slot = (slot + 1) & (length - 1);
    if (table[slot] || zeros > 1)
      return false;
    table[slot] = hashes[i];
  }
  return true;
}

static bool hashes_distinct (const uint64_t *hashes, size_t count) {
  unsigned bits = 1;
  while (bits < BIN_BITS_MOST && count >> bits > BIN_LENGTH)
    bits++;
  const size_t bins = (size_t) 1 << bits;
  const unsigned shift = 64 - bits;
  uint32_t *first = groups_new (bins);
  for (size_t i = 0; i < count; i++)
    group_count (first, hashes[i] >> shift);
  groups_sum (first, bins);
  uint64_t *binned = MEM_ARRAY (uint64_t, count), *table = MEM_ARRAY (uint64_t, TABLE_LENGTH);
  for (size_t i = 0; i < count; i++)
    binned[group_next (first, hashes[i] >> shift)] = hashes[i];
  bool distinct = true;
  for (size_t b = 0; distinct && b < bins; b++)
    distinct = bin_distinct (binned + first[b], first[b + 1] - first[b], table);
  MEM_FREE_ALL (binned, table, first);
  return distinct;
}

// The bits take no more memory than the numbers themselves.
static bool small_distinct (const uint64_t *numbers, size_t count, uint64_t largest) {
  uint64_t *bits = MEM_ZARRAY (uint64_t, largest / 64 + 1);
  bool distinct = true;
  for (size_t i = 0; distinct && i < count; i++) {
    uint64_t *word = &bits[numbers[i] / 64];
    const uint64_t bit = (uint64_t) 1 << numbers[i] % 64;
    distinct = !(*word & bit);
    *word |= bit;
  }
  mem_free (bits);
  return distinct;
}

bool numbers_distinct (const uint64_t *numbers, size_t count) {
  uint64_t largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = numbers[i] > largest ? numbers[i] : largest;
  if (largest / 64 < count)
    return small_distinct (numbers, count, largest);
  uint64_t *hashes = MEM_ARRAY (uint64_t, count);
  for (size_t i = 0; i < count; i++)
    hashes[i] = hash_u64 (numbers[i]);
  const bool distinct = hashes_distinct (hashes, count);
  mem_free (hashes);
  return distinct;
}

// The exact answer for strings of which two have one hash.
static bool strings_distinct (const struct atoms *atoms) {
  struct atoms copy = { 0 };
  bool distinct = true;
  uint32_t strings = 0;
  for (uint32_t i = 0; distinct && i < atoms_count (atoms); i++)
    if (atoms_kind (atoms, i) == ATOM_BYTES)
      distinct = atoms_intern (&copy, atoms_get (atoms, i)) == strings++;
  atoms_free (&copy);
  return distinct;
}

// What tells atoms of one kind apart: the numbers, or hashes of the strings.
static size_t of_kind (const struct atoms *atoms, enum atom_kind kind, uint64_t *found) {
  size_t count = 0;
  for (uint32_t i = 0; i < atoms_count (atoms); i++) {
    if (atoms_kind (atoms, i) != kind)
      continue;
    const struct atom atom = atoms_get (atoms, i);
    found[count++] = kind == ATOM_BYTES ? hash_bytes (atom.bytes, atom.length) : atom.number;
  }
  return count;
}

static bool is_one_kind (const struct atoms *atoms) {
  uint8_t others = 0;
  for (size_t i = 0; i < atoms->kinds.count; i++)
    others |= atoms->kinds.data[i] ^ ATOM_UNSIGNED;
  return !others && !atoms->numbers.count;
}

bool atoms_distinct (const struct atoms *atoms) {
  if (is_one_kind (atoms)) // without a copy of many numbers
    return numbers_distinct (atoms->payloads.data, atoms->payloads.count);
  uint64_t *found = MEM_ARRAY (uint64_t, atoms_count (atoms));
  bool distinct = numbers_distinct (found, of_kind (atoms, ATOM_UNSIGNED, found))
                  && numbers_distinct (found, of_kind (atoms, ATOM_NEGATIVE, found));
  distinct = distinct && (hashes_distinct (found, of_kind (atoms, ATOM_BYTES, found)) || strings_distinct (atoms));
  mem_free (found);
  return distinct;
}
