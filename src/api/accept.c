// The last word on `valid`: a witness is written down as a certificate, and the verifier says
// whether that shows it. An IR that was read from a file has no history that the verifier could
// read; its witness is held against the edges that the level demands.

#include "api/decide.h"

#include "asg/asg.h"
#include "certify/make.h"
#include "dialects/dialects.h"
#include "hints/hints.h"
#include "history/history.h"
#include "levels/levels.h"
#include "levels/lower.h"

// Per demand of the modules, the alternative that the search took; NULL: it took none.
static uint32_t *preferred_alternatives (const struct to_accept *a, const struct ir_witness *w) {
  if (!a->given->certified || !w->chosen || !w->ir->constraints)
    return NULL;
  uint32_t *preferred = MEM_ARRAY (uint32_t, a->given->constraints->list.count);
  memset (preferred, 0xff, a->given->constraints->list.count * sizeof *preferred);
  for (size_t i = 0; i < w->ir->constraints->list.count; i++)
    preferred[w->ir->constraints->list.data[i].number] = w->chosen[i];
  return preferred;
}

static struct certify_claim claim_of (const struct to_accept *a, const struct ir_witness *w,
                                      const uint32_t *preferred) {
  _Static_assert(OWN_MUST + 0 == POLICY_MUST + 0 && OWN_EXTERNAL + 0 == POLICY_EXTERNAL + 0
                   && OWN_MAY + 0 == POLICY_MAY + 0,
                 "policies go by the same numbers");
  const struct hints *hints = w->ir->asg->hints;
  return (struct certify_claim){ .claim = { .level = w->ir->level->name,
                                            .policy = (enum own_policy) a->options->own_writes,
                                            .clock_skew = a->options->clock_skew,
                                            .trust_commit_ts = hints && hints->trust_commit_ts && hints->commit_ts,
                                            .dialect = a->options->dialect ? a->options->dialect->name : NULL },
                                 .generous = true,
                                 .constraints = a->given->certified,
                                 .preferred = preferred };
}

enum acceptance accept_witness (void *context, const struct ir_witness *w, const char **why) {
  struct to_accept *a = context;
  uint32_t *preferred = preferred_alternatives (a, w);
  struct certify_claim claim = claim_of (a, w, preferred);
  struct certificate *certificate = NULL;
  struct verification v;
  const struct verify_now now = { .hints = w->ir->asg->hints,
                                  .excusing = w->ir->asg->excusing,
                                  .budget = a->options->budget };
  *why = a->complaint.text;
  if (verification_prepare (&v, a->given->history, &claim.claim, true, &now, &a->complaint)) {
    claim.told = v.told;
    certificate = certify_witness (&claim, w);
    *why = certificate ? *why : "it cannot be written down";
  }
  const bool fine = certificate && verification_finish (&v, certificate, &a->complaint);
  certificate_free (certificate);
  if (fine && a->options->certify) { // at the level that was asked for, which follows
    claim.claim.level = a->options->level->name;
    claim.generous = false;
    *a->certificate = certify_witness (&claim, w);
  }
  verification_close (&v);
  mem_free (preferred);
  if (fine)
    return ACCEPTED;
  return a->options->budget && budget_check (a->options->budget) != BUDGET_LEFT ? STOPPED : REFUSED;
}
