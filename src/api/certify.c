// Certificates of `invalid` start from a core: the smallest part of the history that is invalid by
// itself (core/core.h). What the verifier gets to see is a refutation that speaks of that part
// alone, found anew; how the checker came to its verdict does not matter any more.

#include "api/certify.h"

#include "api/judge.h"
#include "base/search.h"
#include "base/sort.h"
#include "certify/make.h"
#include "core/core.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "hints/hints.h"
#include "history/history.h"
#include "levels/levels.h"
#include "verify/verify.h"

typedef VEC (uint32_t) txn_vec;

// By ids of the history, or of the parts that a dialect made of it.
static void transactions_of (const struct history *h, const struct rewriting *parts, uint64_t *ids, size_t count,
                             txn_vec *txns) {
  const struct history *meant = parts->history ? parts->history : h;
  txns->count = 0;
  if (!count)
    return;
  SORT (ids, count, by_u64);
  for (uint32_t txn = 0; txn < history_txns (meant); txn++) {
    const uint64_t whole = h->txn_ids.data[parts->history ? parts->origins.data[txn].txn : txn];
    if (meant->txn_status.data[txn] != TXN_ABORTED
        && (has_u64 (ids, count, whole) || has_u64 (ids, count, meant->txn_ids.data[txn])))
      VEC_PUSH (*txns, txn);
  }
}

static struct certificate *refute (const struct certify_claim *claim, const txn_vec *txns,
                                   const struct check_options *options, const char **why) {
  return txns->count ? certify_refutation (claim, txns->data, (uint32_t) txns->count, options->budget, why) : NULL;
}

// A core leaves out unknown transactions that the rest of the history shows not to have taken
// place, and there are no cores for modules, which may tie together what has nothing else to do
// with each other: where the core says too little, a small history is tried as a whole.
enum { SMALL = 200 };

static void all_transactions (const struct history *h, txn_vec *txns) {
  txns->count = 0;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if (h->txn_status.data[txn] != TXN_ABORTED)
      VEC_PUSH (*txns, txn);
}

// What the verdict is about: the history, or its parts.
struct meant {
  struct rewriting parts;
  uint32_t *origin; // per part, or NULL
  struct hints *hints;
};

static bool find_meant (struct meant *meant, const struct history *h, const struct check_options *options,
                        const char **why) {
  struct error error = { 0 };
  struct hints_options hints = { .trust_commit_ts = options->trust_commit_ts };
  *meant = (struct meant){ 0 };
  if (options->dialect) {
    if (!options->dialect->rewrite (h, options->own_writes, &meant->parts, why))
      return false;
    meant->origin = MEM_ARRAY (uint32_t, meant->parts.origins.count);
    for (size_t i = 0; i < meant->parts.origins.count; i++)
      meant->origin[i] = meant->parts.origins.data[i].txn;
    hints.origin = meant->origin;
  }
  *why = "the hints are no good";
  return hints_read (options->dialect ? meant->parts.history : h, &hints, &meant->hints, &error);
}

static void meant_free (struct meant *meant) {
  rewriting_free (&meant->parts);
  mem_free (meant->origin);
  hints_free (meant->hints);
}

static struct certificate *certify_invalid (const struct history *h, const struct check_options *options,
                                            const struct check_result *result, const char **why) {
  struct meant meant;
  if (!find_meant (&meant, h, options, why)) {
    meant_free (&meant);
    return NULL;
  }
  const struct certify_claim claim = {
    .h = options->dialect ? meant.parts.history : h,
    .claim = { .level = options->level->name,
               .policy = (enum own_policy) options->own_writes,
               .clock_skew = options->clock_skew,
               .trust_commit_ts = meant.hints && meant.hints->trust_commit_ts && meant.hints->commit_ts,
               .dialect = options->dialect ? options->dialect->name : NULL },
    .hints = meant.hints,
    .origin = meant.origin,
    .constraints = result->constraints,
  };
  struct history *core =
    result->constraints ? NULL : core_find (&check_judge, h, options, result->violation); // which knows no modules
  txn_vec txns = VEC_EMPTY;
  VEC (uint64_t) ids = VEC_EMPTY;
  *why = "no part of the history was found that is small enough to be told apart";
  size_t count;
  const uint64_t *involved = violation_txns (result->violation, &count);
  for (size_t i = 0; i < (core ? core->txn_ids.count : count); i++)
    VEC_PUSH (ids, core ? core->txn_ids.data[i] : involved[i]);
  transactions_of (h, &meant.parts, ids.data, ids.count, &txns);
  struct certificate *certificate = refute (&claim, &txns, options, why);
  if (!certificate && history_txns (claim.h) <= SMALL) {
    all_transactions (claim.h, &txns);
    certificate = refute (&claim, &txns, options, why);
  }
  VEC_FREE (txns);
  VEC_FREE (ids);
  history_free (core);
  meant_free (&meant);
  return certificate;
}

static struct certificate *copy_of (const struct certificate *certificate) {
  byte_vec bytes = VEC_EMPTY;
  struct error error = { 0 };
  certificate_write (certificate, &bytes);
  struct certificate *copy = certificate_read (bytes.data, bytes.count, "certificate", &error);
  VEC_FREE (bytes);
  return copy;
}

struct certificate *certify_result (const struct history *h, const struct check_options *options,
                                    const struct check_result *result, const char **why) {
  if (result->verdict == VERDICT_UNKNOWN) {
    *why = "there is no verdict to certify";
    return NULL;
  }
  if (result->verdict == VERDICT_INVALID)
    return certify_invalid (h, options, result, why);
  *why = "the witness could not be written down";
  return result->certificate ? copy_of (result->certificate) : NULL;
}
