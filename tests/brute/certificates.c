// Certificates of small random histories, at every level. What the checker says is written down, read back and verified. Then certificates are tampered with,
// one change at a time: each is refused, or what it claims is true all the same, as the brute-force checker says.
//
// With --broken the checker is a wrong one: levels go by each other's rules. Whatever it says, nothing false is certified.
//
//   certificates [--broken] [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often] [--levels=NAME]

#include "api/certify.h"
#include "certify/verify.h"
#include "hinted.h"
#include "levels/levels.h"
#include "prng.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

enum { TAMPERINGS = 5 }; // per certificate

struct certificates {
  const struct run *run;
  uint64_t passed, failed, skipped;
  uint64_t valid, invalid, tampered, refused, unreadable, lies;
  uint64_t index;
  struct prng prng;
  struct brute_options brute;
  const struct brute_hints *hints; // of the history, or NULL
  bool trust_commit_ts;
  const struct history *h;
  const char *level;
};

static void say (struct certificates *c, bool fine, const char *what, const char *more) {
  c->passed += fine;
  c->failed += !fine;
  if (fine || c->failed > 5)
    return;
  fprintf (stderr, "%s: %s: %s\n", c->level, what, more ? more : "");
  run_tell (c->run, c->index, &c->brute, c->h);
}

static struct certificate *read_back (const byte_vec *bytes) {
  struct error error = { 0 };
  return certificate_read (bytes->data, bytes->count, "certificate", &error);
}

// ---------------------------------------------------------------------------------------------------------------------- tampering

static uint32_t below (struct certificates *c, size_t count) {
  return (uint32_t) prng_below (&c->prng, (uint32_t) count);
}

static void change_byte (struct certificates *c, byte_vec *bytes) {
  const uint32_t at = 8 + below (c, bytes->count - 8);
  switch (below (c, 4)) {
  case 0: bytes->data[at] ^= (uint8_t) (1u << below (c, 8)); break;
  case 1: bytes->data[at] = (uint8_t) below (c, 4); break;
  case 2: bytes->count = at; break; // cut
  default: memmove (bytes->data + at, bytes->data + at + 1, bytes->count - at - 1); bytes->count--;
  }
}

static uint32_t near (struct certificates *c, uint32_t number) {
  return number + below (c, 3) - 1;
}

static bool change_valid (struct certificates *c, struct certificate *changed) {
  switch (below (c, 4)) {
  case 0: // two places of the order
    if (changed->order.count < 2)
      return false;
    const uint32_t x = below (c, changed->order.count), y = below (c, changed->order.count);
    const uint32_t point = changed->order.data[x];
    changed->order.data[x] = changed->order.data[y];
    changed->order.data[y] = point;
    return x != y;
  case 1: // a source
    if (!changed->sources.count)
      return false;
    changed->sources.data[below (c, changed->sources.count)].source = below (c, changed->txns + 1) - 1;
    return true;
  case 2:
    if (!changed->wrote.count)
      return false;
    changed->wrote.count--;
    return true;
  default:
    if (!changed->took_place.count)
      return false;
    changed->took_place.count--;
    return true;
  }
}

static void change_step (struct certificates *c, struct cert_step *step) {
  switch (below (c, 5)) {
  case 0: step->from = near (c, step->from); break;
  case 1: step->to = near (c, step->to); break;
  case 2: step->op = near (c, step->op); break;
  case 3: step->via = near (c, step->via); break;
  default: step->kind = (uint8_t) below (c, STEP_KINDS);
  }
}

static bool change_invalid (struct certificates *c, struct certificate *changed) {
  const uint32_t at = changed->items.count ? below (c, changed->items.count) : 0;
  switch (below (c, 6)) {
  case 0: // an item less
    if (!changed->items.count)
      return false;
    memmove (changed->items.data + at, changed->items.data + at + 1,
             (changed->items.count - at - 1) * sizeof *changed->items.data);
    changed->items.count--;
    return true;
  case 1:
    if (!changed->items.count)
      return false;
    changed->items.data[at].op = near (c, changed->items.data[at].op);
    return true;
  case 2:
    if (!changed->items.count)
      return false;
    changed->items.data[at].kind = (uint8_t) below (c, ITEM_KINDS);
    return true;
  case 3:
    if (!changed->steps.count)
      return false;
    change_step (c, &changed->steps.data[below (c, changed->steps.count)]);
    return true;
  case 4:
    if (!changed->hints.count)
      return false;
    changed->hints.data[below (c, changed->hints.count)] = 1 + below (c, changed->items.count + 2);
    return true;
  default:
    if (!changed->literals.count)
      return false;
    changed->literals.data[below (c, changed->literals.count)] *= -1;
    return true;
  }
}

// Is what the certificate claims true? -1: the brute force cannot tell.
static int is_true (const struct certificates *c, const struct certificate *claim) {
  static const enum brute_own_writes policies[] = { BRUTE_OWN_MUST, BRUTE_OWN_EXTERNAL, BRUTE_OWN_MAY };
  struct brute_options brute = c->brute;
  struct brute_verdicts verdicts;
  const int level = brute_level_find (claim->level);
  brute.own_writes = policies[claim->policy];
  brute.clock_skew = claim->clock_skew;
  brute.hints = c->hints;
  brute.as_if_complete = claim->valid; // nothing may have to be excused then
  if (level < 0 || !brute_judge (c->h, &brute, &verdicts))
    return -1;
  return verdicts.of[level] == (claim->valid ? BRUTE_HOLDS : BRUTE_FAILS);
}

// A certificate that lies must be refused; one that does not may be.
static void try_changed (struct certificates *c, struct certificate *changed) {
  struct complaint complaint;
  c->tampered++;
  if (!changed) {
    c->unreadable++;
    c->passed++;
    return;
  }
  if (!verify_certificate (c->h, changed, &complaint)) {
    c->refused++;
    c->passed++;
  } else {
    const int truth = is_true (c, changed);
    c->skipped += truth < 0;
    if (truth >= 0)
      say (c, truth, "a certificate that lies is believed", changed->level);
  }
  certificate_free (changed);
}

static void tamper (struct certificates *c, const byte_vec *bytes) {
  for (int i = 0; i < TAMPERINGS; i++) {
    byte_vec copy = VEC_EMPTY;
    for (size_t k = 0; k < bytes->count; k++)
      VEC_PUSH (copy, bytes->data[k]);
    const bool in_bytes = below (c, 3) == 0;
    if (in_bytes)
      change_byte (c, &copy);
    struct certificate *changed = read_back (&copy);
    if (!in_bytes && !(changed->valid ? change_valid (c, changed) : change_invalid (c, changed)))
      certificate_free (changed);
    else
      try_changed (c, changed);
    VEC_FREE (copy);
  }
}

// ------------------------------------------------------------------------------------------------------------------ one verdict

static void certify (struct certificates *c, const struct check_options *options, const struct check_result *result) {
  if (options->own_writes == OWN_MAY && c->h->op_hints.count) { // which certificates cannot deal with
    c->skipped++;
    return;
  }
  const char *why = NULL;
  struct certificate *made = certify_result (c->h, options, result, &why);
  say (c, made != NULL, "no certificate", why);
  if (!made)
    return;
  byte_vec bytes = VEC_EMPTY;
  struct complaint complaint = { "" };
  certificate_write (made, &bytes);
  struct certificate *read = read_back (&bytes);
  say (c, read != NULL, "the certificate cannot be read back", NULL);
  if (read) {
    say (c, verify_certificate (c->h, read, &complaint), verdict_name (result->verdict), complaint.text);
    say (c, read->valid == (result->verdict == VERDICT_VALID), "the certificate claims something else", NULL);
    if (!c->hints) // else it would have to be judged under the assumptions that are left
      tamper (c, &bytes);
  }
  c->valid += result->verdict == VERDICT_VALID;
  c->invalid += result->verdict == VERDICT_INVALID;
  certificate_free (read);
  certificate_free (made);
  VEC_FREE (bytes);
}

static void look_at (struct certificates *c) {
  static const enum own_writes policies[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  for (const struct level *const *level = levels; *level; level++) {
    if (c->run->levels && strcmp (c->run->levels, (*level)->name))
      continue;
    c->level = (*level)->name;
    struct check_options options;
    check_options_default (&options);
    options.level = *level;
    options.own_writes = policies[c->brute.own_writes];
    if (options.own_writes == OWN_INFER)
      options.own_writes = asg_infer_own_writes (c->h, NULL);
    options.clock_skew = c->brute.clock_skew;
    options.trust_commit_ts = c->trust_commit_ts;
    options.threads = 1;
    options.certify = true;
    options.steps.stronger_first = c->index % 2;
    struct check_result *result = check_history (c->h, &options);
    if (result->verdict == VERDICT_UNKNOWN)
      c->skipped++;
    else
      certify (c, &options, result);
    check_result_free (result);
  }
}

// Every third history has hints, the verdict then rests on assumptions; every third one is incomplete.
static void look_at_next (struct certificates *c, struct random_mixture *mixture) {
  struct hinted hinted;
  const bool wanted = c->index / 4 % 3 == 1 && !mixture->incomplete;
  mixture->incomplete |= c->index / 4 % 3 == 2;
  const bool drawn = wanted && hinted_draw (&hinted, c->run->seed, c->index, mixture);
  if (wanted && !drawn)
    history_free (hinted.h);
  if (!drawn)
    hinted.h = random_history_of (c->run->seed, c->index, mixture, &hinted.options);
  c->brute = hinted.options;
  c->hints = drawn ? &hinted.hints : NULL;
  c->trust_commit_ts = drawn && hinted.stamped;
  c->h = hinted.h;
  look_at (c);
  history_free (hinted.h);
}

// --------------------------------------------------------------------------------------------------------------- broken checkers

// A level's name with another one's rules: with those of a stronger one the checker says `invalid` too often, with those of a weaker one `valid`.
static const char *const mixed_up[][2] = {
  { "serializable", "snapshot-isolation" },    { "snapshot-isolation", "serializable" },
  { "snapshot-isolation", "consistent-view" }, { "repeatable-read", "serializable" },
  { "serializable", "repeatable-read" },       { "consistent-view", "snapshot-isolation" },
  { "parallel-snapshot-isolation", "causal" }, { "causal", "prefix-consistency" },
  { "read-committed", "read-uncommitted" },    { "cursor-stability", "read-committed" },
  { "monotonic-view", "consistent-view" },     { "update-serializable", "consistent-view" },
  { "prefix-consistency", "causal" },          { "read-atomic", "read-committed-axiomatic" },
};

static void trust_broken (struct certificates *c, const char *name, const char *rules) {
  struct level broken = *level_find (rules);
  struct check_options options;
  struct complaint complaint;
  const char *why;
  broken.name = c->level = name;
  broken.stronger = NULL;
  check_options_default (&options);
  options.level = &broken;
  options.own_writes = OWN_MUST;
  options.clock_skew = c->brute.clock_skew;
  options.threads = 1;
  options.certify = true;
  struct check_result *result = check_history (c->h, &options);
  struct certificate *made = certify_result (c->h, &options, result, &why);
  const bool believed = made && verify_certificate (c->h, made, &complaint);
  struct certificate claim = { .valid = result->verdict == VERDICT_VALID, .policy = POLICY_MUST };
  snprintf (claim.level, sizeof claim.level, "%s", name);
  claim.clock_skew = options.clock_skew;
  const int truth = result->verdict == VERDICT_UNKNOWN ? -1 : is_true (c, &claim);
  c->skipped += truth < 0;
  if (truth >= 0)
    say (c, truth || !believed, "a broken checker is believed", rules);
  c->lies += truth == 0;
  certificate_free (made);
  check_result_free (result);
}

static int run_broken (struct certificates *c) {
  for (c->index = c->run->first; c->index < c->run->first + c->run->count; c->index++) {
    struct random_mixture mixture = c->run->mixture;
    if (c->index % 2)
      mixture.ops = RANDOM_ALL;
    struct history *h = random_history_of (c->run->seed, c->index, &mixture, &c->brute);
    c->brute.own_writes = BRUTE_OWN_MUST;
    c->h = h;
    for (size_t i = 0; i < sizeof mixed_up / sizeof *mixed_up; i++)
      trust_broken (c, mixed_up[i][0], mixed_up[i][1]);
    history_free (h);
  }
  printf ("%llu wrong verdicts, none of them certified\n", (unsigned long long) c->lies);
  say (c, c->lies > 0, "the broken checkers are never wrong", NULL);
  return run_end (c->passed, c->failed, c->skipped);
}

int main (int argc, char **argv) {
  const bool broken = argc > 1 && !strcmp (argv[1], "--broken");
  if (broken) {
    argv[1] = argv[0];
    argc--;
    argv++;
  }
  struct run run = run_arguments (argc, argv, 150, 20000);
  struct certificates c = { .run = &run };
  c.prng = prng_fork (run.seed, 0);
  if (broken)
    return run_broken (&c);
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_ALL, RANDOM_LISTS };
  for (c.index = run.first; c.index < run.first + run.count; c.index++) {
    struct random_mixture mixture = run.mixture;
    if (mixture.ops == RANDOM_BASIC)
      mixture.ops = mixtures[c.index % 4];
    look_at_next (&c, &mixture);
  }
  printf ("%llu certificates of valid, %llu of invalid; %llu tampered with: %llu unreadable, %llu refused\n",
          (unsigned long long) c.valid, (unsigned long long) c.invalid, (unsigned long long) c.tampered,
          (unsigned long long) c.unreadable, (unsigned long long) c.refused);
  return run_end (c.passed, c.failed, c.skipped);
}
