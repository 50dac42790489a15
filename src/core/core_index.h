// Inside of cores: what is known about the whole history, and what the files share that write down
// a part, and those that search for a core.

#ifndef KRAIT_CORE_CORE_INDEX_H
#define KRAIT_CORE_CORE_INDEX_H

#include "core/core.h"
#include "explain/violation.h"
#include "history/effects.h"

struct core_index {
  const struct history *h;
  struct hints *hints; // NULL: there are none
  struct asg *asg;     // with events
  // It matters when in its transaction an operation took place: a scan that would have to be cut is
  // taken out instead.
  bool tells_events;
  // of a key, among those of a transaction before its first write of it (cursor stability)
  bool last_read_counts;
  bool tells_locks; // some operation locks, and whether one does matters
  // A dialect rewrites the parts: where the first plain read of a transaction stands matters, for
  // its snapshot, and who could have been the source of a read may be told differently then.
  bool is_rewritten;

  // Every operation that writes, by key and by what it writes; made when they are first asked for,
  // as most parts need none of it.
  uint32_t *key_first_write; // one more entry at the end; NULL: not made yet
  uint32_t *writes;
  uint32_t *sorted_keys; // NULL: not made yet

  // Readers of each install, as far as they are certain, for core_grow.c.
  uint32_t *install_first_reader; // one more entry at the end; NULL: not made yet
  uint32_t *readers;              // nodes

  // Per transaction its places in the hinted version orders; NULL: there are none.
  uint32_t *txn_first_place; // one more entry at the end
  uint32_t *places;          // of hints->order_txns

  uint32_t *in_initial_map; // per key: 1 + its place there, or 0; NULL: there is no map

  // Left as they were found, so that a part need not pay for them.
  uint8_t *install_gone; // per install; NULL: no delete is in doubt
  uint32_t *key_cut;     // per key: the number of the last scan that was cut around it
  uint32_t *key_used;    // per key: the number of the last part that it occurs in
  uint32_t cuts, parts;  // so far
};

// The operations that write that, as a range of `writes`; or all that write the key.
struct core_writes {
  uint32_t first, last;
};
struct core_writes core_writes_of_value (struct core_index *, uint32_t key, uint32_t value);
struct core_writes core_writes_of_key (struct core_index *, uint32_t key);

// The keys of a range, as a range of `sorted_keys`.
struct core_writes core_keys_in_range (struct core_index *, const struct op_range *);

// One part as it is being written down.
struct restriction {
  struct core_index *index;
  const struct history *h;
  const struct asg *asg;
  const struct core_mask *mask;
  struct history *to;
  VEC (uint32_t) installs_gone; // that are marked in the index
  VEC (uint32_t) writes_gone;   // of the transaction at hand, ascending
  VEC (uint32_t) writes_lost;   // kept by the mask, but left out or vague; ascending
  VEC (uint32_t) keys_used;     // where there is a map of initial values
  uint32_t number;              // of this part
  uint32_t txn, node;           // at hand
  bool has_plain_read;          // the transaction, so far
  bool tells_hints;
};

bool core_keeps_op (const struct restriction *, uint32_t op);
bool core_keeps_install (const struct restriction *, uint32_t install);

// Whoever can have been the source of the read, or wrote what it read without being one, is still
// there.
bool core_keeps_read (const struct restriction *, uint32_t node, uint32_t read);

// The reads of an operation of the node; whether all of them are kept. (An own read is none.)
struct core_writes core_reads_of_op (const struct restriction *, uint32_t node, uint32_t op);
bool core_keeps_reads (const struct restriction *, uint32_t node, uint32_t op);

uint32_t core_new_key (struct restriction *, uint32_t key);
uint32_t core_new_value (struct restriction *, uint32_t value);
void core_add_op (struct restriction *, enum op_kind, unsigned flags, uint32_t key, uint32_t value, uint32_t aux);
void core_copy_op (struct restriction *, uint32_t op); // with times and hints

// A scan or an iterator, whole or in pieces.
void core_write_range (struct restriction *, uint32_t op);
bool core_range_covers (const struct history *, size_t range, struct atom key);

// Hints: of the operation, or the piece of a scan, that was added last; of the transaction begun
// last; of the header.
void core_hint_op (struct restriction *, uint32_t op);
void core_hint_txn (struct restriction *, uint32_t txn);
void core_hint_header (struct restriction *);
void core_index_hints (struct core_index *);

// Transactions in the order in which they are worth looking at once some are suspected: these
// first, then whoever they can have read from, then those who read from them, stand beside them in
// their sessions or write the same keys; then the same for those, and so on.
struct grower;

// `within`: per transaction, whether it may be met at all; copied.
struct grower *grower_new (struct core_index *, const uint8_t *within, const uint32_t *suspects, size_t count);
void grower_free (struct grower *);

// Goes on until so many were met, or all. How many there are now; *txns: the nearest first.
size_t grower_reach (struct grower *, size_t wanted, const uint32_t **txns);

// The suspects, and whoever they can have read from.
size_t grower_sources (struct grower *, const uint32_t **txns);

// ------------------------------------------------------------------------------ the search for one

typedef VEC (uint32_t) txn_vec;

struct search {
  const struct judge *judge;
  const struct history *h;
  struct check_options options;
  struct core_index *index;
  struct core_mask mask;
  // The anomaly that the part is to show; CLASS_NONE: any. Smaller parts may show another one only.
  struct anomaly anomaly;
  bool met_another;
  bool from_the_end; // items are tried in that order
};

// False: the history cannot be checked at all. `options` have a policy for own writes that is not
// OWN_INFER.
bool search_start (struct search *, const struct judge *, const struct history *, const struct check_options *,
                   struct anomaly);
void search_end (struct search *);
bool search_is_spent (const struct search *);

// A core of transactions that are marked in `within`, around some of them: of what is nearest to
// them, `first` transactions, then twice as many and so on, fewer than `most`. NULL: none was
// found. Afterwards no transaction is kept, and all operations are.
struct history *search_around (struct search *, const uint8_t *within, const txn_vec *suspects, size_t first,
                               size_t most);

// The transactions that a violation speaks of, and those that a part has, in ascending order.
void search_find_suspects (const struct search *, const struct violation *, txn_vec *suspects);
void search_find_txns (const struct search *, const struct history *part, txn_vec *);

#endif
