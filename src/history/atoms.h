// Interned keys and values.
//
// An atom is an integer from -2^63 to 2^64-1 or a byte string; 1 and "1" differ. Atoms are numbered
// from 0 in order of first appearance. An integer costs 9 bytes, a byte string its length and 13;
// but 4 bytes each where all are integers from 0 to 2^32-1 and no more are coming. The tables exist
// only while a history is being built.
//
// Most histories count: their keys and values are integers from 0 or 1 on with few gaps. Those are
// looked up by the number itself, in an array that is a few times as long as there are atoms; all
// others are hashed.

#ifndef KRAIT_HISTORY_ATOMS_H
#define KRAIT_HISTORY_ATOMS_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum atom_kind { ATOM_UNSIGNED, ATOM_NEGATIVE, ATOM_BYTES };

struct atom {
  enum atom_kind kind;
  uint64_t number;   // ATOM_UNSIGNED: the value; ATOM_NEGATIVE: its two's complement
  const char *bytes; // ATOM_BYTES: not terminated; valid until the next insertion
  size_t length;
};

struct atoms {
  VEC (uint8_t) kinds;     // enum atom_kind
  VEC (uint64_t) payloads; // the number, or the offset of [length, 4 bytes][bytes] in pool
  VEC (uint32_t) numbers;  // instead of both, where all are small: see atoms_seal
  VEC (char) pool;
  uint32_t *direct; // of each small number: 1 + its index, or 0. What is here need not be in the table
  uint64_t direct_length;
  struct hash_set table;
};

enum { ATOM_MAX_LENGTH = 1u << 30 };
#define INDEX_MOST (UINT32_MAX - 16) // of everything that a history counts: what is above names no index
#define ATOM_NONE UINT32_MAX

static inline struct atom atom_unsigned (uint64_t number) {
  return (struct atom){ ATOM_UNSIGNED, number, NULL, 0 };
}
static inline struct atom atom_signed (int64_t number) {
  return (struct atom){ number < 0 ? ATOM_NEGATIVE : ATOM_UNSIGNED, (uint64_t) number, NULL, 0 };
}
static inline struct atom atom_bytes (const void *bytes, size_t length) {
  return (struct atom){ ATOM_BYTES, 0, (const char *) bytes, length };
}

// The integer that stands here in decimal digits, with a minus sign or without: where it ends.
// NULL: there is none, or it is beyond the range.
static inline const char *atom_parse (const char *at, const char *end, struct atom *atom) {
  const bool negative = at < end && *at == '-';
  const char *first = at + negative;
  uint64_t number = 0;
  for (at = first; at < end && (unsigned char) (*at - '0') < 10; at++)
    if (__builtin_mul_overflow (number, 10u, &number)
        || __builtin_add_overflow (number, (unsigned) (*at - '0'), &number))
      return NULL;
  if (at == first || (negative && number > (uint64_t) 1 << 63))
    return NULL;
  *atom = negative ? atom_signed ((int64_t) -number) : atom_unsigned (number);
  return at;
}

static inline uint32_t atoms_count (const struct atoms *atoms) {
  return (uint32_t) (atoms->kinds.count + atoms->numbers.count);
}

// The index of the atom, added if it is new. At most INDEX_MOST atoms, each at most ATOM_MAX_LENGTH
// long; beyond that ATOM_NONE.
uint32_t atoms_intern (struct atoms *, struct atom);

// The same for many, in their order: ids[i] becomes the index of wanted[i]. Several times faster
// than one by one where the table is larger than the caches, because memory is waited for in
// parallel.
void atoms_intern_all (struct atoms *, const struct atom *wanted, size_t count, uint32_t *ids);

// ATOM_NONE if it is not there. Works after atoms_seal too (the tables are built again).
uint32_t atoms_find (struct atoms *, struct atom);

// The same for integers that are not negative. How many of them have got an index: fewer than
// `count` if there is no room for the next one.
size_t atoms_intern_numbers (struct atoms *, const uint64_t *wanted, size_t count, uint32_t *ids);

static inline enum atom_kind atoms_kind (const struct atoms *atoms, uint32_t index) {
  return atoms->numbers.count ? ATOM_UNSIGNED : (enum atom_kind) atoms->kinds.data[index];
}
static inline struct atom atoms_get (const struct atoms *atoms, uint32_t index) {
  if (atoms->numbers.count)
    return atom_unsigned (atoms->numbers.data[index]);
  const enum atom_kind kind = (enum atom_kind) atoms->kinds.data[index];
  const uint64_t payload = atoms->payloads.data[index];
  if (kind != ATOM_BYTES)
    return (struct atom){ kind, payload, NULL, 0 };
  uint32_t length;
  memcpy (&length, atoms->pool.data + payload, sizeof length);
  return (struct atom){ ATOM_BYTES, 0, atoms->pool.data + payload + sizeof length, length };
}

// Integers before byte strings; integers by number, byte strings by memcmp, the shorter first.
int atom_compare (struct atom, struct atom);

// The difference of two integers. False: one of them is none, or the difference is out of range.
bool atom_minus (struct atom, struct atom, struct atom *difference);

static inline bool atom_is_zero (struct atom atom) {
  return atom.kind == ATOM_UNSIGNED && !atom.number;
}

// Indexes in the order of their atoms, and per atom its place among them; NULL: not asked for.
void atoms_rank (const struct atoms *, uint32_t **sorted, uint32_t **rank);

// Drops the tables and spare capacity, and makes small what can be: `numbers` takes the place of
// `kinds` and `payloads`. What adds an atom later undoes that.
void atoms_seal (struct atoms *);
void atoms_widen (struct atoms *); // undoes it, too, for who wants those
void atoms_free (struct atoms *);

#endif
