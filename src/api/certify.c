// Certificates of `invalid` start from a core: the smallest part of the history that is invalid by itself (explain/core.h). What the verifier gets to see is
// a refutation that speaks of that part alone, found anew; how the checker came to its verdict does not matter any more.

#include "api/certify.h"

#include "certify/make.h"
#include "certify/verify.h"
#include "explain/core.h"
#include "hints/hints.h"
#include "history/history.h"
#include "levels/levels.h"

#include <stdlib.h>
#include <string.h>

static int by_number (const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

typedef VEC (uint32_t) txn_vec;

static void transactions_of (const struct history *h, uint64_t *ids, size_t count, txn_vec *txns) {
  txns->count = 0;
  if (!count)
    return;
  qsort (ids, count, sizeof *ids, by_number);
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if (h->txn_status.data[txn] != TXN_ABORTED && bsearch (&h->txn_ids.data[txn], ids, count, sizeof *ids, by_number))
      VEC_PUSH (*txns, txn);
}

static struct certificate *refute (const struct certify_claim *claim, const txn_vec *txns,
                                   const struct check_options *options, const char **why) {
  return txns->count ? certify_refutation (claim, txns->data, (uint32_t) txns->count, options->budget, why) : NULL;
}

static struct certificate *certify_invalid (const struct history *h, const struct check_options *options,
                                            const struct check_result *result, const char **why) {
  struct hints *hints = NULL;
  struct error error = { 0 };
  *why = "the hints are no good";
  if (!hints_read (h, &(struct hints_options){ .trust_commit_ts = options->trust_commit_ts }, &hints, &error))
    return NULL;
  const struct certify_claim claim = {
    .h = h,
    .claim = { .level = options->level->name,
               .policy = (enum own_policy) options->own_writes,
               .clock_skew = options->clock_skew,
               .trust_commit_ts = hints && hints->trust_commit_ts && hints->commit_ts },
    .hints = hints,
  };
  struct history *core = core_find (h, options, result);
  txn_vec txns = VEC_EMPTY;
  VEC (uint64_t) ids = VEC_EMPTY;
  *why = "no part of the history was found that is small enough to be told apart";
  for (size_t i = 0; i < (core ? core->txn_ids.count : result->core.count); i++)
    VEC_PUSH (ids, core ? core->txn_ids.data[i] : result->core.data[i]);
  transactions_of (h, ids.data, ids.count, &txns);
  struct certificate *certificate = refute (&claim, &txns, options, why);
  VEC_FREE (txns);
  VEC_FREE (ids);
  history_free (core);
  hints_free (hints);
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
  if (options->dialect || options->module_count) {
    *why = "the verdict rests on a dialect or on modules, which certificates do not know";
    return NULL;
  }
  if (result->verdict == VERDICT_UNKNOWN) {
    *why = "there is no verdict to certify";
    return NULL;
  }
  if (result->verdict == VERDICT_INVALID)
    return certify_invalid (h, options, result, why);
  *why = "the witness could not be written down";
  return result->certificate ? copy_of (result->certificate) : NULL;
}
