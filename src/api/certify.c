// `invalid` has the last word of the verifier, too. What it gets to see is a refutation that speaks
// of a part of the history alone, the core if one was found (core/core.h), and that is found anew:
// how the checker came to its verdict does not matter any more.

#include "api/certify.h"

#include "api/decide.h"
#include "api/explanation.h"
#include "base/search.h"
#include "base/sort.h"
#include "certify/make.h"
#include "core/core.h"
#include "explain/violation.h"
#include "hints/hints.h"
#include "history/history.h"
#include "verify/verify.h"

// A refutation under way.
struct refuting {
  const struct history *h;
  const struct check_result *result;
  struct claim claim;
  struct verification v;
  struct certificate *c; // NULL: none was found
  const char *why;
};

// ---------------------------------------------------------------------------------------- one part

// Of the transactions with these ids, of the history or of the parts that a dialect made of it; or
// of all.
static void refute (struct refuting *r, const uint64_t *given, size_t count, bool all, struct budget *budget) {
  const struct history *meant = r->v.told->h;
  const uint32_t *origin = r->v.told->origin;
  uint64_t *ids = sorted_u64 (given, count);
  VEC (uint32_t) txns = VEC_EMPTY;
  for (uint32_t txn = 0; txn < history_txns (meant); txn++)
    if (told_takes_part (r->v.told, txn)
        && (all || has_u64 (ids, count, meant->txn_ids.data[txn])
            || (origin && has_u64 (ids, count, r->h->txn_ids.data[origin[txn]]))))
      VEC_PUSH (txns, txn);
  r->c = certify_refutation (r->v.told, &r->claim, r->result->constraints, txns.data, (uint32_t) txns.count, budget,
                             &r->why);
  mem_free (ids);
  VEC_FREE (txns);
}

// A core leaves out unknown transactions that the rest of the history shows not to have taken
// place, and there are no cores for modules, which may tie together what has nothing else to do
// with each other: where the core says too little, a small history is tried as a whole.
static void refute_part (struct refuting *r, const uint64_t *ids, size_t count, struct budget *budget) {
  enum { SMALL = 200 };
  refute (r, ids, count, false, budget);
  if (!r->c && history_txns (r->v.told->h) <= SMALL)
    refute (r, ids, count, true, budget);
}

// -------------------------------------------------------------------------------------- a verdict

static bool refuting_start (struct refuting *r, const struct history *h, const struct check_options *options,
                            const struct check_result *result) {
  struct complaint complaint;
  *r = (struct refuting){ .h = h,
                          .result = result,
                          .claim = { .level = result->level,
                                     .policy = (enum own_policy) result->own_writes,
                                     .clock_skew = options->clock_skew,
                                     .trust_commit_ts = options->trust_commit_ts,
                                     .dialect = result->dialect },
                          .why = "no part of the history was found that is small enough to be told apart" };
  if (!verification_prepare (&r->v, h, &r->claim, false, NULL, &complaint)) {
    r->why = "to the verifier, the history has no verdict";
    return false;
  }
  r->claim.trust_commit_ts &= r->v.hints && r->v.hints->commit_ts;
  return true;
}

static void say_refused (struct check_result *result, const char *why) {
  char *text = mem_format ("a refutation did not survive its check (%s)", why);
  check_result_forget_attempt (result);
  check_result_say_broken (result, text);
  mem_free (text);
}

void verify_refutation (struct check_result *result, const struct history *h, const struct check_options *options,
                        const struct part_limits *limits) {
  enum { MOST_WORK = 1000000 }; // items, and what was told for them
  struct budget budget;
  struct refuting r;
  struct complaint complaint;
  size_t count;
  if (result->verdict != VERDICT_INVALID)
    return;
  budget_start_until (&budget, limits->deadline, limits->memory, limits->stop);
  budget.most_work = MOST_WORK;
  if (budget_check (&budget) != BUDGET_LEFT) {
    check_result_say_not_verified (result, budget_reason (budget_check (&budget)));
    return;
  }
  const uint64_t *ids = violation_txns (result->violation, &count);
  if (refuting_start (&r, h, options, result))
    refute_part (&r, ids, count, &budget);
  if (!r.c)
    check_result_say_not_verified (result, r.why);
  else if (!verification_finish (&r.v, r.c, &complaint))
    say_refused (result, complaint.text);
  result->verified = r.c && result->verdict == VERDICT_INVALID;
  certificate_free (r.c);
  verification_close (&r.v);
}

static struct certificate *certify_invalid (const struct history *h, const struct check_options *options,
                                            const struct check_result *result, const char **why) {
  struct refuting r;
  struct history *core =
    result->constraints ? NULL : core_find (&check_judge, h, options, result->violation); // which knows no modules
  size_t count = core ? core->txn_ids.count : 0;
  const uint64_t *ids = core ? core->txn_ids.data : violation_txns (result->violation, &count);
  if (refuting_start (&r, h, options, result))
    refute_part (&r, ids, count, options->budget);
  *why = r.why;
  verification_close (&r.v);
  history_free (core);
  return r.c;
}

static struct certificate *copy_of (const struct certificate *certificate) {
  byte_vec bytes = VEC_EMPTY;
  struct error error = { 0 };
  certificate_write (certificate, &bytes);
  struct certificate *copy = certificate_read (bytes.data, bytes.count, "certificate", &error);
  VEC_FREE (bytes);
  return copy;
}

// What does not depend on what was checked.
static struct certificate *written_down (const struct check_result *result, const char **why) {
  *why =
    result->verdict == VERDICT_UNKNOWN ? "there is no verdict to certify" : "the witness could not be written down";
  return result->certificate ? copy_of (result->certificate) : NULL;
}

struct certificate *certify_result (const struct history *h, const struct check_options *options,
                                    const struct check_result *result, const char **why) {
  return result->verdict == VERDICT_INVALID ? certify_invalid (h, options, result, why) : written_down (result, why);
}

struct certificate *certify_ir_result (const struct ir *ir, const struct check_options *options,
                                       const struct check_result *result, const char **why) {
  if (result->verdict != VERDICT_INVALID)
    return written_down (result, why);
  size_t count;
  const uint64_t *involved = violation_txns (result->violation, &count);
  uint64_t *ids = sorted_u64 (involved, count);
  VEC (uint32_t) nodes = VEC_EMPTY;
  for (uint32_t node = 1; node < ir->nodes && count; node++)
    if (has_u64 (ids, count, ir_txn_id (ir, node)))
      VEC_PUSH (nodes, node);
  struct certificate *certificate = certify_ir_refutation (ir, nodes.data, nodes.count, options->budget, why);
  mem_free (ids);
  VEC_FREE (nodes);
  return certificate;
}
