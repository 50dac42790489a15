/* Monotonic reads: what a session has read of a key once, it does not read an older version of later, be it in the same transaction or in a later one.
 *
 * If a read of x reads from w1, and a later one of the same session from w2, then w1 comes before w2, or is the same. The initial state comes before
 * everything, so that it is not read again after a read from w1. Where values repeat it is open from whom the reads read: the conditions say so, and the
 * checker looks for a choice that fits.
 *
 * Each read is held against the one before it, which was held against the one before that. Only a read in doubt, which perhaps never took place, cannot
 * stand for those before it.
 *
 *   cc -std=c11 -shared -fPIC -I PREFIX/include -o monotonic_reads.so monotonic_reads.c */

#include <krait/module.h>

#include <stdlib.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

#define NONE UINT32_MAX

struct session_reads {
  uint32_t *newest; /* per key: the last read of it in this session, or NONE */
  uint32_t *older;  /* per read: the one before it, if it was held against that one on behalf of later ones too */
};

static int not_older (const struct krait_host *host, struct krait_model *model, uint32_t first, uint32_t second) {
  struct krait_read earlier, later;
  if (host->read (model, first, &earlier) || host->read (model, second, &later))
    return 1;
  for (uint32_t i = 0; i < earlier.candidates; i++)
    for (uint32_t k = 0; k < later.candidates; k++) {
      struct krait_condition both[2] = { { first, 0 }, { second, 0 } };
      if (host->candidate (model, first, i, &both[0].writer) || host->candidate (model, second, k, &both[1].writer))
        return 1;
      const uint32_t w1 = both[0].writer, w2 = both[1].writer;
      if (w1 == w2 || w1 == KRAIT_INITIAL)
        continue;
      if (w2 == KRAIT_INITIAL ? krait_forbid (host, model, both, 2)
                              : krait_demand_edge_if (host, model, both, 2, w1, w2))
        return 1;
    }
  return 0;
}

static int look_at (const struct krait_host *host, struct krait_model *model, struct session_reads *reads,
                    const struct krait_transaction *now) {
  for (uint32_t r = now->first_read; r < now->first_read + now->reads; r++) {
    struct krait_read read;
    if (host->read (model, r, &read))
      return 1;
    for (uint32_t e = reads->newest[read.key]; e != NONE; e = reads->older[e])
      if (not_older (host, model, e, r))
        return 1;
    if (now->status != KRAIT_COMMITTED) /* session order leads into an unknown transaction, not out of it */
      continue;
    reads->older[r] = read.flags & KRAIT_READ_IN_DOUBT ? reads->newest[read.key] : NONE;
    reads->newest[read.key] = r;
  }
  return 0;
}

static int look_at_all (const struct krait_host *host, struct krait_model *model, struct session_reads *reads) {
  for (uint32_t t = 0; t < host->transactions (model); t++) {
    struct krait_transaction now;
    if (host->transaction (model, t, &now))
      return 1;
    if (now.position == 0) /* a new session */
      for (uint32_t key = 0; key < host->keys (model); key++)
        reads->newest[key] = NONE;
    if (look_at (host, model, reads, &now))
      return 1;
  }
  return 0;
}

int krait_module (const struct krait_host *host, struct krait_model *model) {
  struct session_reads reads = {
    malloc (((size_t) host->keys (model) + 1) * sizeof (uint32_t)),
    malloc (((size_t) host->reads (model) + 1) * sizeof (uint32_t)),
  };
  const int wrong =
    reads.newest && reads.older ? look_at_all (host, model, &reads) : host->fail (model, "out of memory");
  free (reads.newest);
  free (reads.older);
  return wrong;
}
