// The whole check of small histories, with the brute-force checker as the judge: any other verdict
// than its one is wrong, and so is `unknown` where the semantics defines one. A verdict has a
// certificate, and the verifier believes it.

#include "oracle.h"
#include "small_history.h"

#include "api/certify.h"
#include "history/history.h"
#include "levels/levels.h"
#include "tests/brute/prng.h"
#include "verify/verify.h"

#include <stdio.h>

// With all steps most of the time; else the later ones would have nothing left to do.
static void choose_steps (struct check_options *options, struct choices *choices) {
  const unsigned off = choose (choices, 2048);
  if (off < 1024)
    return;
  options->steps = (struct check_steps){
    .stronger_first = off & 1,
    .saturation = off & 2,
    .guess = off & 4,
    .components = off & 8,
    .priority = off & 16,
    .static_lemmas = off & 32,
    .unsat_search = off & 64,
    .propagation = off & 128,
    .decisions = off & 256,
    .run_search = off & 512,
  };
}

static const char *check_certificate (const struct history *h, struct check_options *options,
                                      const struct check_result *result) {
  const char *why = NULL;
  struct complaint complaint;
  options->own_writes = options->own_writes == OWN_INFER ? asg_infer_own_writes (h, NULL) : options->own_writes;
  struct certificate *certificate = certify_result (h, options, result, &why);
  if (!certificate) {
    fprintf (stderr, "  %s\n", why);
    return "a verdict without a certificate";
  }
  const bool believed = verify_certificate (h, certificate, &complaint);
  if (!believed)
    fprintf (stderr, "  %s\n", complaint.text);
  certificate_free (certificate);
  return believed ? NULL : "a certificate that is refused";
}

static const char *check_verdict (const struct history *h, const struct brute_options *brute,
                                  struct check_options *options, bool *compared) {
  enum verdict expected;
  if (!oracle_is_small (h) || !oracle_verdict (h, brute, options->level->name, &expected))
    return NULL;
  *compared = true;
  struct check_result *result = check_history (h, options);
  const char *wrong = NULL;
  if (result->verdict != expected) {
    fprintf (stderr, "  the checker says %s%s%s, the brute force %s\n", verdict_name (result->verdict),
             result->reason ? ": " : "", result->reason ? result->reason : "", verdict_name (expected));
    wrong = "a wrong verdict";
  } else if (options->certify && expected != VERDICT_UNKNOWN)
    wrong = check_certificate (h, options, result);
  check_result_free (result);
  if (wrong)
    oracle_tell (h, options->level->name, brute);
  return wrong;
}

static const char *run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  static const enum own_writes policies[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  (void) target;
  struct choices choices = { bytes, bytes + length };
  struct brute_options brute;
  struct check_options options;
  brute_options_default (&brute);
  check_options_default (&options);
  options.threads = 1;
  options.level = oracle_level (choose (&choices, 256));
  brute.own_writes = (enum brute_own_writes) choose (&choices, 4);
  options.own_writes = policies[brute.own_writes];
  const unsigned more = choose (&choices, 16);
  options.clock_skew = brute.clock_skew = more / 2 < 5 ? 0 : more / 2 - 4;
  options.certify = more % 2;
  choose_steps (&options, &choices);
  struct history *h = small_history (&choices);
  const char *wrong = h ? check_verdict (h, &brute, &options, understood) : NULL;
  history_free (h);
  return wrong;
}

static bool seed (const struct fuzz_target *target, uint64_t number, fuzz_bytes *made) {
  (void) target;
  struct prng random = prng_fork (23, number);
  for (unsigned left = prng_between (&random, 10, 90); left; left--)
    VEC_PUSH (*made, (uint8_t) prng_next (&random));
  return true;
}

extern const struct fuzz_target fuzz_verdicts;
const struct fuzz_target fuzz_verdicts = { .name = "verdicts", .run = run, .seed = seed };
