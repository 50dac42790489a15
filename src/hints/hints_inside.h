// Inside of reading hints: what its files share.

#ifndef KRAIT_HINTS_HINTS_INSIDE_H
#define KRAIT_HINTS_HINTS_INSIDE_H

#include "hints/hints.h"

#include "base/hash.h"
#include "history/effects.h"

// Who installs what, and where ids and keys are found.
struct hint_index {
  const struct history *h;
  struct hash_set ids;   // transactions by id
  struct hash_set keys;  // keys by atom
  uint32_t *init_value;  // per key: the value, VALUE_ABSENT, or VALUE_UNRECORDED where it is open
  uint32_t *key_first;   // per key its installs, one more entry at the end
  uint32_t *install_txn; // ascending within a key
  uint32_t *install_op;  // the last operation of the transaction that may write the key
};

void index_build (struct hint_index *, const struct history *);
void index_free (struct hint_index *);
// TXN_NONE: there is none
uint32_t index_txn (const struct hint_index *, uint64_t id);
// KEY_NONE: there is none
uint32_t index_key (const struct hint_index *, struct atom);
// the operation, or OP_NONE
uint32_t index_install (const struct hint_index *, uint32_t key, uint32_t txn);

// Comparing with the history.
struct hint_place {
  uint32_t txn, op; // of the read
};
bool fit_version (const struct hint_index *, struct hint_place, uint32_t key, uint32_t source, struct error *);
bool fit_version_in_set (const struct hint_index *, struct hint_place, struct atom key, uint32_t source,
                         struct error *);
bool fit_order (const struct hint_index *, const struct hints *, const struct version_order *, struct error *);
bool fit_lists (const struct hint_index *, const struct hints *, struct error *);
bool fit_commit_ts (const struct hint_index *, const struct hints *, struct error *);
bool fit_unique_values (const struct hint_index *, struct error *);

// A key (or a value) for messages, in `buffer`.
const char *hint_key_words (struct atom, char *buffer, size_t size);

#endif
