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

static void rebuild_table (struct atoms *atoms) {
  for (uint32_t i = 0; i < atoms_count (atoms); i++)
    hash_set_insert (&atoms->table, atom_hash (atoms_get (atoms, i)), i);
}

uint32_t atoms_find (struct atoms *atoms, struct atom atom) {
  if (!atoms->table.slots)
    rebuild_table (atoms);
  return hash_set_find (&atoms->table, atom_hash (atom), equals_stored, atoms, &atom);
}

static uint32_t intern_hashed (struct atoms *atoms, struct atom atom, uint64_t hash) {
  uint32_t index = hash_set_find (&atoms->table, hash, equals_stored, atoms, &atom);
  if (index != HASH_NONE)
    return index;
  if (atoms->kinds.count >= INDEX_MOST || atom.length > ATOM_MAX_LENGTH)
    return ATOM_NONE;
  index = atoms_count (atoms);
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
  VEC_PUSH (atoms->kinds, (uint8_t) atom.kind);
  VEC_PUSH (atoms->payloads, payload);
  hash_set_insert (&atoms->table, hash, index);
  return index;
}

uint32_t atoms_intern (struct atoms *atoms, struct atom atom) {
  if (!atoms->table.slots)
    rebuild_table (atoms);
  return intern_hashed (atoms, atom, atom_hash (atom));
}

enum { INTERN_TOGETHER = 64 };

// Slots first, then what they name, then the bytes of strings: each pass finds in the cache what
// the pass before it asked for. Nearly all atoms that are there already are then found without
// another look at the table; the rest goes the usual way, in order.
static void intern_some (struct atoms *atoms, const struct atom *wanted, size_t count, uint32_t *ids) {
  uint64_t hashes[INTERN_TOGETHER];
  const uint32_t known = atoms_count (atoms);
  for (size_t i = 0; i < count; i++) {
    hashes[i] = atom_hash (wanted[i]);
    hash_set_prefetch (&atoms->table, hashes[i]);
  }
  for (size_t i = 0; i < count; i++) {
    ids[i] = hash_set_likely (&atoms->table, hashes[i]);
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
      ids[i] = intern_hashed (atoms, wanted[i], hashes[i]);
}

void atoms_intern_all (struct atoms *atoms, const struct atom *wanted, size_t count, uint32_t *ids) {
  if (!atoms->table.slots)
    rebuild_table (atoms);
  for (size_t first = 0; first < count; first += INTERN_TOGETHER)
    intern_some (atoms, wanted + first, count - first < INTERN_TOGETHER ? count - first : INTERN_TOGETHER, ids + first);
}

struct atom atoms_get (const struct atoms *atoms, uint32_t index) {
  const enum atom_kind kind = (enum atom_kind) atoms->kinds.data[index];
  const uint64_t payload = atoms->payloads.data[index];
  if (kind != ATOM_BYTES)
    return (struct atom){ kind, payload, NULL, 0 };
  uint32_t length;
  memcpy (&length, atoms->pool.data + payload, sizeof length);
  return (struct atom){ ATOM_BYTES, 0, atoms->pool.data + payload + sizeof length, length };
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

void atoms_seal (struct atoms *atoms) {
  hash_set_free (&atoms->table);
  VEC_TRIM (atoms->kinds);
  VEC_TRIM (atoms->payloads);
  VEC_TRIM (atoms->pool);
}

void atoms_free (struct atoms *atoms) {
  hash_set_free (&atoms->table);
  VEC_FREE (atoms->kinds);
  VEC_FREE (atoms->payloads);
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
