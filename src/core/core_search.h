// Inside of cores: the search for one, as core.c and core_series.c share it.

#ifndef KRAIT_CORE_CORE_SEARCH_H
#define KRAIT_CORE_CORE_SEARCH_H

#include "core/core.h"
#include "explain/violation.h"

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
