#include "history/anonymise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// The new atoms are all different, hence interning them in the order of the old indexes keeps every
// index.
static void replace (struct atoms *old, struct atoms *fresh) {
  atoms_seal (fresh);
  atoms_free (old);
  *old = *fresh;
}

// Zero-padded: memcmp orders these strings as their numbers.
static void intern_named (struct atoms *atoms, char letter, uint32_t number) {
  char name[16];
  const int length = snprintf (name, sizeof name, "%c%010" PRIu32, letter, number);
  atoms_intern (atoms, atom_bytes (name, (size_t) length));
}

static void anonymise_keys (struct history *h) {
  uint32_t *rank;
  atoms_rank (&h->keys, NULL, &rank);
  struct atoms fresh = { 0 };
  for (uint32_t i = 0; i < history_keys (h); i++)
    if (h->key_type == KEYS_INT)
      atoms_intern (&fresh, atom_unsigned ((uint64_t) rank[i] + 1));
    else
      intern_named (&fresh, 'k', rank[i] + 1);
  replace (&h->keys, &fresh);
  mem_free (rank);
}

static bool has_incs (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_kinds.data[op] == OP_INC)
      return true;
  return false;
}

// An inc whose result no integer gives; there must not be one for its new values either.
static bool is_overflow (const struct history *h, uint32_t op) {
  const unsigned flags = history_flags (h, op);
  return h->op_kinds.data[op] == OP_INC && (flags & OP_RESULT_KNOWN) && !(flags & OP_RESULT_TRUE)
         && atoms_get (&h->values, history_aux (h, op)).kind != ATOM_BYTES;
}

// Numbered by first appearance. A default initial value becomes 0: some formats can say no other.
// Where an inc takes 0 for absent, 0 stays 0, and nothing else becomes it.
static void anonymise_values (struct history *h) {
  const uint32_t count = atoms_count (&h->values);
  const bool keeps_zero = has_incs (h);
  struct atoms fresh = { 0 };
  for (uint32_t i = 0; i < count; i++) {
    const bool zero =
      keeps_zero ? atom_is_zero (atoms_get (&h->values, i)) : h->init == INIT_DEFAULT && i == h->init_default;
    const uint32_t number = zero ? 0 : i + 1;
    if (atoms_get (&h->values, i).kind == ATOM_BYTES)
      intern_named (&fresh, 'v', number);
    else
      atoms_intern (&fresh, atom_unsigned (number));
  }
  const uint32_t by = keeps_zero ? atoms_intern (&fresh, atom_unsigned (UINT64_MAX)) : 0,
                 result = keeps_zero ? atoms_intern (&fresh, atom_signed (-1)) : 0;
  for (uint32_t op = 0; keeps_zero && op < history_ops (h); op++)
    if (is_overflow (h, op)) {
      h->op_values.data[op] = by;
      history_set_aux (h, op, result);
    }
  replace (&h->values, &fresh);
}

void history_anonymise (struct history *h) {
  anonymise_keys (h);
  anonymise_values (h);
  atoms_free (&h->texts);
  h->hints = AUX_NONE;
  VEC_FREE (h->txn_hints);
  VEC_FREE (h->op_hints);
  mem_free (h->source);
  h->source = NULL;
  if (h->incomplete) { // the reasons may name files
    mem_free (h->incomplete);
    h->incomplete = NULL;
    history_mark_incomplete (h, "something is missing");
  }
}
