#include "history/digest.h"

#include "base/hash.h"

static uint64_t mix (uint64_t digest, uint64_t number) {
  return scramble_u64 (digest ^ number) + 0x9e3779b97f4a7c15u;
}

// Eight bytes at a time.
static uint64_t mix_bytes (uint64_t digest, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  digest = mix (digest, length);
  for (; length >= sizeof digest; at += sizeof digest, length -= sizeof digest) {
    uint64_t word;
    memcpy (&word, at, sizeof word);
    digest = mix (digest, word);
  }
  for (; length; length--)
    digest = mix (digest, *at++);
  return digest;
}

// As many of one byte, as above.
static uint64_t mix_byte (uint64_t digest, unsigned char byte, size_t length) {
  const uint64_t word = byte * UINT64_C (0x0101010101010101);
  digest = mix (digest, length);
  for (; length >= sizeof digest; length -= sizeof digest)
    digest = mix (digest, word);
  for (; length; length--)
    digest = mix (digest, byte);
  return digest;
}

static uint64_t mix_atoms (uint64_t digest, const struct atoms *atoms) {
  for (uint32_t i = 0; i < atoms_count (atoms); i++) {
    const struct atom atom = atoms_get (atoms, i);
    digest = mix (digest, (uint64_t) atom.kind);
    digest = atom.kind == ATOM_BYTES ? mix_bytes (digest, atom.bytes, atom.length) : mix (digest, atom.number);
  }
  return digest;
}

// Where a struct has bytes between its members, nobody says what they are; and it does not matter
// in which order a format writes transactions.
static bool is_plain (const struct history *h, const void *column) {
  return column != (const void *) &h->op_times && column != (const void *) &h->txn_order;
}

uint64_t history_digest (const struct history *h) {
  uint64_t digest = mix (h->init, h->init_default);
  digest = mix_atoms (digest, &h->keys);
  digest = mix_atoms (digest, &h->values);
  digest = mix_atoms (digest, &h->texts);
  const size_t ops = history_ops (h);
  // a column that says nothing of any operation, as if it were there
#define MIX(column)                                                                                                    \
  if ((const void *) &h->column == (const void *) &h->some_op_flags && !h->column.count)                               \
    digest = mix_byte (digest, 0, ops);                                                                                \
  else if ((const void *) &h->column == (const void *) &h->some_op_aux && !h->column.count)                            \
    digest = mix_byte (digest, AUX_NONE & 0xff, ops * sizeof *h->some_op_aux.data);                                    \
  else if (is_plain (h, &h->column))                                                                                   \
    digest = mix_bytes (digest, h->column.data, h->column.count * sizeof *h->column.data);
  HISTORY_COLUMNS (MIX)
#undef MIX
  for (size_t i = 0; i < h->op_times.count; i++) {
    digest = mix (digest, h->op_times.data[i].op);
    digest = mix (digest, (uint64_t) h->op_times.data[i].begin);
    digest = mix (digest, (uint64_t) h->op_times.data[i].end);
  }
  return digest;
}
