#include "history/atoms.h"

#include "base/sort.h"

#include <string.h>

static uint64_t atom_hash (struct atom atom) {
  if (atom.kind == ATOM_BYTES)
    return hash_bytes (atom.bytes, atom.length);
  return hash_u64 (atom.number + (atom.kind == ATOM_NEGATIVE ? 0x9e3779b97f4a7c15u : 0));
}

static bool equals_stored (const void *context, uint32_t index, const void *wanted) {
  const struct atom have = atoms_get (context, index), *want = wanted;
  if (have.kind != want->kind)
    return false;
  if (have.kind != ATOM_BYTES)
    return have.number == want->number;
  return have.length == want->length && !memcmp (have.bytes, want->bytes, have.length);
}

// --- Small numbers ---

// An array that is longer than this could take more memory than a hash table.
static uint64_t most_direct (const struct atoms *atoms) {
  enum { PER_ATOM = 8, AT_FIRST = 512 };
  return PER_ATOM * ((uint64_t) atoms_count (atoms) + AT_FIRST);
}

static bool is_direct (const struct atoms *atoms, struct atom atom) {
  return atom.kind == ATOM_UNSIGNED && atom.number < atoms->direct_length;
}

// Numbers that were too large for the array when they came stay in the table as well.
static void set_direct (struct atoms *atoms, uint64_t from) {
  for (uint32_t i = 0; i < atoms_count (atoms); i++)
    if (atoms->kinds.data[i] == ATOM_UNSIGNED && atoms->payloads.data[i] >= from
        && atoms->payloads.data[i] < atoms->direct_length)
      atoms->direct[atoms->payloads.data[i]] = i + 1;
}

static void grow_direct (struct atoms *atoms, uint64_t number) {
  const uint64_t old = atoms->direct_length, twice = 2 * old;
  const uint64_t length = number < twice ? twice : most_direct (atoms);
  uint32_t *direct = MEM_ZARRAY (uint32_t, length);
  if (old)
    memcpy (direct, atoms->direct, old * sizeof *direct);
  mem_free (atoms->direct);
  atoms->direct = direct;
  atoms->direct_length = length;
  set_direct (atoms, old);
}

// Is there a place for this number in the array, or may there be one from now on? The array at
// least doubles, since all atoms are looked at when it grows.
static inline bool may_be_direct (struct atoms *atoms, uint64_t number) {
  if (number < atoms->direct_length)
    return true;
  const uint64_t most = most_direct (atoms);
  if (number >= most || most < 2 * atoms->direct_length)
    return false;
  grow_direct (atoms, number);
  return true;
}

// --- Interning ---

static void rebuild_tables (struct atoms *atoms) {
  const uint64_t most = most_direct (atoms);
  uint64_t length = 0;
  for (uint32_t i = 0; i < atoms_count (atoms); i++) {
    const struct atom atom = atoms_get (atoms, i);
    if (atom.kind != ATOM_UNSIGNED || atom.number >= most)
      hash_set_insert (&atoms->table, atom_hash (atom), i);
    else if (atom.number >= length)
      length = atom.number + 1;
  }
  if (!length)
    return;
  atoms->direct = MEM_ZARRAY (uint32_t, length);
  atoms->direct_length = length;
  set_direct (atoms, 0);
}

static inline void need_tables (struct atoms *atoms) {
  atoms_widen (atoms);
  if (atoms->kinds.count && !atoms->table.slots && !atoms->direct)
    rebuild_tables (atoms);
}

uint32_t atoms_find (struct atoms *atoms, struct atom atom) {
  need_tables (atoms);
  if (is_direct (atoms, atom))
    return atoms->direct[atom.number] - 1;
  return hash_set_find (&atoms->table, atom_hash (atom), equals_stored, atoms, &atom);
}

static inline uint32_t add (struct atoms *atoms, uint8_t kind, uint64_t payload) {
  VEC_PUSH (atoms->kinds, kind);
  VEC_PUSH (atoms->payloads, payload);
  return atoms_count (atoms) - 1;
}

static uint32_t intern_hashed (struct atoms *atoms, struct atom atom, uint64_t hash) {
  uint32_t index = hash_set_find (&atoms->table, hash, equals_stored, atoms, &atom);
  if (index != HASH_NONE)
    return index;
  if (atoms->kinds.count >= INDEX_MOST || atom.length > ATOM_MAX_LENGTH)
    return ATOM_NONE;
  uint64_t payload = atom.number;
  if (atom.kind == ATOM_BYTES) {
    payload = atoms->pool.count;
    const uint32_t length = (uint32_t) atom.length;
    VEC_RESERVE (atoms->pool, atoms->pool.count + sizeof length + length);
    memcpy (atoms->pool.data + atoms->pool.count, &length, sizeof length);
    if (length)
      memcpy (atoms->pool.data + atoms->pool.count + sizeof length, atom.bytes, length);
    atoms->pool.count += sizeof length + length;
  }
  index = add (atoms, (uint8_t) atom.kind, payload);
  hash_set_insert (&atoms->table, hash, index);
  return index;
}

static inline uint32_t intern_direct (struct atoms *atoms, uint64_t number) {
  const uint32_t known = atoms->direct[number];
  if (known)
    return known - 1;
  if (atoms->kinds.count >= INDEX_MOST)
    return ATOM_NONE;
  return (atoms->direct[number] = add (atoms, ATOM_UNSIGNED, number) + 1) - 1;
}

static uint32_t intern (struct atoms *atoms, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED && may_be_direct (atoms, atom.number))
    return intern_direct (atoms, atom.number);
  return intern_hashed (atoms, atom, atom_hash (atom));
}

uint32_t atoms_intern (struct atoms *atoms, struct atom atom) {
  need_tables (atoms);
  return intern (atoms, atom);
}

enum { INTERN_TOGETHER = 64 };

// Slots first, then what they name, then the bytes of strings: each pass finds in the cache what
// the pass before it asked for. Nearly all atoms that are there already are then found without
// another look at the table; the rest goes the usual way, in order.
static void intern_some (struct atoms *atoms, const struct atom *wanted, size_t count, uint32_t *ids) {
  uint64_t hashes[INTERN_TOGETHER];
  const uint32_t known = atoms_count (atoms);
  for (size_t i = 0; i < count; i++) {
    if (is_direct (atoms, wanted[i])) {
      __builtin_prefetch (&atoms->direct[wanted[i].number]);
      continue;
    }
    hashes[i] = atom_hash (wanted[i]);
    hash_set_prefetch (&atoms->table, hashes[i]);
  }
  for (size_t i = 0; i < count; i++) {
    ids[i] = is_direct (atoms, wanted[i]) ? ATOM_NONE : hash_set_likely (&atoms->table, hashes[i]);
    if (ids[i] < known) {
      __builtin_prefetch (&atoms->kinds.data[ids[i]]);
      __builtin_prefetch (&atoms->payloads.data[ids[i]]);
    }
  }
  if (atoms->pool.count)
    for (size_t i = 0; i < count; i++)
      if (ids[i] < known && wanted[i].kind == ATOM_BYTES && atoms->kinds.data[ids[i]] == ATOM_BYTES)
        __builtin_prefetch (atoms->pool.data + atoms->payloads.data[ids[i]]);
  for (size_t i = 0; i < count; i++)
    if (ids[i] >= known || !equals_stored (atoms, ids[i], &wanted[i]))
      ids[i] = ATOM_NONE;
  for (size_t i = 0; i < count; i++)
    if (ids[i] == ATOM_NONE)
      ids[i] = intern (atoms, wanted[i]);
}

void atoms_intern_all (struct atoms *atoms, const struct atom *wanted, size_t count, uint32_t *ids) {
  need_tables (atoms);
  for (size_t first = 0; first < count; first += INTERN_TOGETHER)
    intern_some (atoms, wanted + first, count - first < INTERN_TOGETHER ? count - first : INTERN_TOGETHER, ids + first);
}

// As above, without what only byte strings need. False: some are beyond the array.
static bool intern_direct_numbers (struct atoms *atoms, const uint64_t *wanted, size_t count, uint32_t *ids) {
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++)
    most = wanted[i] > most ? wanted[i] : most;
  if (!may_be_direct (atoms, most))
    return false;
  for (size_t i = 0; i < count; i++)
    __builtin_prefetch (&atoms->direct[wanted[i]]);
  for (size_t i = 0; i < count; i++)
    ids[i] = intern_direct (atoms, wanted[i]);
  return true;
}

size_t atoms_intern_numbers (struct atoms *atoms, const uint64_t *wanted, size_t count, uint32_t *ids) {
  need_tables (atoms);
  for (size_t first = 0; first < count; first += INTERN_TOGETHER) {
    const size_t some = count - first < INTERN_TOGETHER ? count - first : INTERN_TOGETHER;
    if (!intern_direct_numbers (atoms, wanted + first, some, ids + first)) {
      struct atom numbers[INTERN_TOGETHER];
      for (size_t i = 0; i < some; i++)
        numbers[i] = atom_unsigned (wanted[first + i]);
      intern_some (atoms, numbers, some, ids + first);
    }
    for (size_t i = first; i < first + some; i++)
      if (ids[i] == ATOM_NONE)
        return i;
  }
  return count;
}

int atom_compare (struct atom a, struct atom b) {
  if (a.kind == ATOM_BYTES || b.kind == ATOM_BYTES) {
    if (a.kind != b.kind)
      return a.kind == ATOM_BYTES ? 1 : -1;
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter ? memcmp (a.bytes, b.bytes, shorter) : 0;
    return order ? order : COMPARE (a.length, b.length);
  }
  if (a.kind != b.kind)
    return a.kind == ATOM_NEGATIVE ? -1 : 1;
  return COMPARE (a.number, b.number); // two's complement keeps the order of negatives
}

struct ranked {
  struct atom atom;
  uint32_t index;
};

static int by_atom (const void *a, const void *b) {
  return atom_compare (((const struct ranked *) a)->atom, ((const struct ranked *) b)->atom);
}

void atoms_rank (const struct atoms *atoms, uint32_t **sorted, uint32_t **rank) {
  const uint32_t count = atoms_count (atoms);
  struct ranked *all = MEM_ARRAY (struct ranked, count);
  for (uint32_t i = 0; i < count; i++)
    all[i] = (struct ranked){ atoms_get (atoms, i), i };
  SORT (all, count, by_atom);
  if (sorted)
    *sorted = MEM_ARRAY (uint32_t, count);
  if (rank)
    *rank = MEM_ARRAY (uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    if (sorted)
      (*sorted)[i] = all[i].index;
    if (rank)
      (*rank)[all[i].index] = i;
  }
  mem_free (all);
}

static void drop_tables (struct atoms *atoms) {
  mem_free (atoms->direct);
  atoms->direct = NULL;
  atoms->direct_length = 0;
  hash_set_free (&atoms->table);
}

static bool all_small (const struct atoms *atoms) {
  uint64_t any = 0;
  for (size_t i = 0; i < atoms->kinds.count; i++)
    any |= (uint64_t) atoms->kinds.data[i] << 32 | atoms->payloads.data[i];
  return !(any >> 32);
}

static void make_small (struct atoms *atoms) {
  const size_t count = atoms->kinds.count;
  VEC_RESERVE (atoms->numbers, count);
  for (size_t i = 0; i < count; i++)
    atoms->numbers.data[i] = (uint32_t) atoms->payloads.data[i];
  atoms->numbers.count = count;
  VEC_FREE (atoms->kinds);
  VEC_FREE (atoms->payloads);
}

void atoms_widen (struct atoms *atoms) {
  const size_t count = atoms->numbers.count;
  if (!count)
    return;
  VEC_RESERVE (atoms->kinds, count);
  VEC_RESERVE (atoms->payloads, count);
  memset (atoms->kinds.data, ATOM_UNSIGNED, count);
  for (size_t i = 0; i < count; i++)
    atoms->payloads.data[i] = atoms->numbers.data[i];
  atoms->kinds.count = atoms->payloads.count = count;
  VEC_FREE (atoms->numbers);
}

void atoms_seal (struct atoms *atoms) {
  drop_tables (atoms);
  if (atoms->kinds.count && all_small (atoms))
    make_small (atoms);
  VEC_TRIM (atoms->kinds);
  VEC_TRIM (atoms->payloads);
  VEC_TRIM (atoms->pool);
}

void atoms_free (struct atoms *atoms) {
  drop_tables (atoms);
  VEC_FREE (atoms->kinds);
  VEC_FREE (atoms->payloads);
  VEC_FREE (atoms->numbers);
  VEC_FREE (atoms->pool);
}

__extension__ typedef __int128 wide;

static wide wide_of (struct atom atom) {
  return atom.kind == ATOM_NEGATIVE ? (wide) (int64_t) atom.number : (wide) atom.number;
}

bool atom_minus (struct atom a, struct atom b, struct atom *difference) {
  if (a.kind == ATOM_BYTES || b.kind == ATOM_BYTES)
    return false;
  const wide d = wide_of (a) - wide_of (b);
  if (d < INT64_MIN || d > UINT64_MAX)
    return false;
  *difference = d < 0 ? atom_signed ((int64_t) d) : atom_unsigned ((uint64_t) d);
  return true;
}
