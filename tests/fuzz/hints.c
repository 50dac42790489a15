// Hints in krait text. They are refused with a reason, or they are facts: facts take worlds away,
// so that a history that is valid with them is valid without, and one that is invalid without them
// is invalid with them.

#include "oracle.h"

#include "history/history.h"
#include "levels/levels.h"
#include "tests/brute/hinted.h"

#include <stdio.h>

static enum verdict check (const struct history *h, const struct check_options *options, bool *refused) {
  struct check_result *result = check_history (h, options);
  const enum verdict verdict = result->verdict;
  *refused = result->bad_input;
  if (result->bad_input && !result->reason)
    misuse (__func__, "refused without a reason");
  check_result_free (result);
  return verdict;
}

static const char *compare (const struct history *h, struct history *without, const struct check_options *options) {
  bool refused, never;
  const enum verdict with = check (h, options, &refused);
  if (refused)
    return NULL;
  without->hints = AUX_NONE;
  without->op_hints.count = without->txn_hints.count = 0;
  const enum verdict plain = check (without, options, &never);
  const char *wrong = never                                                 ? "refused without hints"
                      : with == VERDICT_VALID && plain == VERDICT_INVALID   ? "hints make an invalid history valid"
                      : with == VERDICT_UNKNOWN && plain != VERDICT_UNKNOWN ? "hints make a verdict unknown"
                                                                            : NULL;
  if (wrong) {
    struct brute_options brute;
    brute_options_default (&brute);
    oracle_tell (h, options->level->name, &brute);
  }
  return wrong;
}

static const char *run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  (void) target;
  struct history *h = oracle_read (bytes, length);
  struct history *without = h ? oracle_read (bytes, length) : NULL;
  const char *wrong = NULL;
  *understood = h != NULL;
  if (h && oracle_is_small (h) && oracle_has_hints (h)) {
    const uint64_t choice = fuzz_hash (bytes, length);
    struct check_options options;
    check_options_default (&options);
    options.threads = 1;
    options.level = oracle_level (choice / 2);
    options.own_writes = OWN_MUST;
    options.trust_commit_ts = choice % 2;
    wrong = compare (h, without, &options);
  }
  history_free (h);
  history_free (without);
  return wrong;
}

static bool seed (const struct fuzz_target *target, uint64_t number, fuzz_bytes *made) {
  static const struct random_mixture mixtures[] = { { .ops = RANDOM_BASIC },
                                                    { .ops = RANDOM_ALL, .often_unknown = true },
                                                    { .ops = RANDOM_LISTS } };
  (void) target;
  struct hinted hinted;
  const bool drawn = hinted_draw (&hinted, 31, number, &mixtures[number % 3]);
  if (drawn)
    oracle_write (hinted.h, made);
  history_free (hinted.h);
  return drawn;
}

static const char *const words[] = { "{",
                                     "}",
                                     "[",
                                     "]",
                                     ";",
                                     "->",
                                     "@",
                                     "=",
                                     "\"",
                                     "#",
                                     " ",
                                     "\n",
                                     "nil",
                                     "hints=",
                                     "@[",
                                     "commit",
                                     "s1 ",
                                     "T1 ",
                                     "1",
                                     "\"commitTs\":",
                                     "\"version\":",
                                     "\"versionOrder\":",
                                     "\"uniqueValues\":true",
                                     "\"txn\":",
                                     "\"key\":",
                                     "null",
                                     "-1",
                                     NULL };

extern const struct fuzz_target fuzz_hints;
const struct fuzz_target fuzz_hints = { .name = "hints", .run = run, .seed = seed, .words = words };
