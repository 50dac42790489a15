#include "history/anonymise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// The new atoms are all different, hence interning them in the order of the old indexes keeps every index.
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

// Numbered by first appearance. A default initial value becomes 0: some formats can say no other.
static void anonymise_values (struct history *h) {
  const uint32_t count = atoms_count (&h->values);
  struct atoms fresh = { 0 };
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t number = h->init == INIT_DEFAULT && i == h->init_default ? 0 : i + 1;
    if (atoms_get (&h->values, i).kind == ATOM_BYTES)
      intern_named (&fresh, 'v', number);
    else
      atoms_intern (&fresh, atom_unsigned (number));
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
