// Certificates of small random histories, at every level. What the checker says is written down,
// read back and verified. Then certificates are tampered with, one change at a time: each is
// refused, or what it claims is true all the same, as the brute-force checker says. Every number of
// the file gets other values, and behind the head none of them can be what it likes. A certificate
// for a history with hints is held against the same history with other hints. Some histories are
// seen through a dialect: the verifier makes the same parts of them as the checker.
//
// With --broken the checker is a wrong one: levels go by each other's rules. Whatever it says,
// nothing false is certified.
//
//   certificates [--broken] [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists]
//     [--unknown=often] [--levels=NAME]

#include "api/certify.h"
#include "api/explanation.h"
#include "dialects/dialects.h"
#include "hinted.h"
#include "levels/levels.h"
#include "prng.h"
#include "run.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

// changes per certificate; every so many of them has each number changed
enum { TAMPERINGS = 5, MUTATED = 7 };

struct certificates {
  const struct run *run;
  uint64_t passed, failed, skipped;
  uint64_t valid, invalid, tampered, refused, unreadable, lies, mutated, foreign;
  uint64_t index;
  struct prng prng;
  struct brute_options brute;
  const struct brute_hints *hints; // of the history, or NULL
  bool trust_commit_ts;
  const struct dialect *dialect;
  const struct hinted *other; // the history with other hints, or NULL
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

// --------------------------------------------------------------------------------------- tampering

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
  switch (below (c, 7)) {
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
    if (!changed->items.count)
      return false;
    const uint32_t a = changed->items.data[at].a; // an order the other way round, say
    changed->items.data[at].a = changed->items.data[at].b;
    changed->items.data[at].b = a;
    return true;
  case 5:
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

static int judge (const struct history *h, const struct brute_options *brute, const struct certificate *claim) {
  struct brute_verdicts verdicts;
  const int level = brute_level_find (claim->level);
  if (level < 0 || !brute_judge (h, brute, &verdicts))
    return -1;
  return verdicts.of[level] == (claim->valid ? BRUTE_HOLDS : BRUTE_FAILS);
}

// The parts that the checker makes, each behind the one before it.
static int judge_parts (const struct history *h, struct brute_options brute, const struct certificate *claim) {
  enum { MOST = 64 };
  struct brute_constraint constraints[MOST];
  struct rewriting parts = { 0 };
  const char *why;
  const struct dialect *dialect = dialect_find (claim->dialect);
  if (!dialect || !dialect->rewrite (h, (enum own_writes) claim->policy, &parts, &why))
    return -1;
  brute.constraints = constraints;
  brute.most_worlds = 2000; // parts are more than transactions
  for (uint32_t txn = 0; txn < history_txns (parts.history) && brute.constraint_count < MOST; txn++)
    if (rewriting_follows (&parts, txn))
      constraints[brute.constraint_count++] =
        (struct brute_constraint){ .alternatives = 1, .alternative = { { .edges = 1, .edge = { { txn - 1, txn } } } } };
  const int truth = judge (parts.history, &brute, claim);
  rewriting_free (&parts);
  return truth;
}

// Is what the certificate claims true? -1: the brute force cannot tell.
static int is_true (const struct certificates *c, const struct certificate *claim) {
  static const enum brute_own_writes policies[] = { BRUTE_OWN_MUST, BRUTE_OWN_EXTERNAL, BRUTE_OWN_MAY };
  struct brute_options brute = c->brute;
  brute.own_writes = policies[claim->policy];
  brute.clock_skew = claim->clock_skew;
  struct brute_hints without_times;
  brute.hints = c->hints;
  // nothing may have to be excused then
  brute.as_if_complete = claim->valid;
  // all orders are told by them then
  if (c->hints && c->trust_commit_ts && !claim->trust_commit_ts) {
    without_times = *c->hints;
    without_times.orders = 0;
    brute.hints = &without_times;
  }
  if (*claim->dialect)
    return c->hints ? -1 : judge_parts (c->h, brute, claim);
  return judge (c->h, &brute, claim);
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

// ------------------------------------------------------------------------------------ every number

typedef VEC (uint64_t) number_vec;

// The numbers of the file behind the magic word; the letters of the level's name are each one, too.
static void numbers_of (const byte_vec *bytes, number_vec *numbers) {
  uint64_t number = 0;
  unsigned shift = 0;
  for (size_t i = 8; i < bytes->count; i++) {
    number |= (uint64_t) (bytes->data[i] & 127) << shift;
    shift += 7;
    if (bytes->data[i] & 128)
      continue;
    VEC_PUSH (*numbers, number);
    number = shift = 0;
  }
}

static struct certificate *with_number (const byte_vec *bytes, const number_vec *numbers, size_t at, uint64_t changed) {
  byte_vec copy = VEC_EMPTY;
  for (size_t i = 0; i < 8; i++)
    VEC_PUSH (copy, bytes->data[i]);
  for (size_t i = 0; i < numbers->count; i++) {
    uint64_t number = i == at ? changed : numbers->data[i];
    for (; number >= 128; number >>= 7)
      VEC_PUSH (copy, (uint8_t) (number | 128));
    VEC_PUSH (copy, (uint8_t) number);
  }
  struct certificate *read = read_back (&copy);
  VEC_FREE (copy);
  return read;
}

// Where the numbers begin that are no part of the claim.
static size_t end_of_claim (const struct certificate *c) {
  return 2 + 1 + strlen (c->level) + 3 + 1 + strlen (c->dialect);
}

static void mutate (struct certificates *c, const byte_vec *bytes) {
  number_vec numbers = VEC_EMPTY;
  struct certificate *unchanged = read_back (bytes);
  const size_t behind_claim = end_of_claim (unchanged);
  numbers_of (bytes, &numbers);
  for (size_t i = 0; i < numbers.count; i++) {
    const uint64_t now = numbers.data[i],
                   others[] = { now + 1, now - 1, now ^ 2, 0, 1, 2, now + 12345, UINT32_MAX - 3 };
    uint64_t refused = c->refused + c->unreadable;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      if (others[k] != now && others[k] < UINT64_MAX / 2) {
        refused = c->refused + c->unreadable;
        try_changed (c, with_number (bytes, &numbers, i, others[k]));
        c->mutated++;
      }
    if (i >= behind_claim) // the last one is beyond everything that there is
      say (c, c->refused + c->unreadable > refused, "a number of the certificate is not looked at", c->level);
  }
  VEC_FREE (numbers);
  certificate_free (unchanged);
}

// ----------------------------------------------------------------------------------- other changes

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

// Additions that change nothing of what is claimed, and that nothing asks for: they are refused all
// the same.
static void must_be_refused (struct certificates *c, struct certificate *changed, const char *what) {
  struct complaint complaint;
  say (c, !verify_certificate (c->h, changed, &complaint), what, changed->level);
  certificate_free (changed);
}

static void add_idle (struct certificates *c, const byte_vec *bytes) {
  struct certificate *changed = read_back (bytes);
  const struct history *h = c->h;
  if (changed->valid && !*changed->dialect) {
    uint32_t op = 0;
    while (op < history_ops (h) && h->op_kinds.data[op] == OP_DEL)
      op++;
    if (op < history_ops (h)) {
      VEC_PUSH (changed->wrote, op);
      must_be_refused (c, changed, "a delete wrote that is none");
      return;
    }
  } else if (!changed->valid) {
    if (changed->clauses.count) {
      struct certificate *longer = read_back (bytes);
      VEC_PUSH (longer->hints, 1);
      longer->clauses.data[longer->clauses.count - 1].hints++;
      must_be_refused (c, longer, "a hint stands behind the contradiction");
    }
    VEC_PUSH (changed->clauses, (struct cert_clause){ 0 });
    must_be_refused (c, changed, "a clause stands behind the contradiction");
    return;
  }
  certificate_free (changed);
}

// The same history, with other hints: what is claimed has to be true of that one.
static void hold_against_other (struct certificates *c, const byte_vec *bytes) {
  struct certificates foreign = *c;
  foreign.h = c->other->h;
  foreign.hints = &c->other->hints;
  foreign.trust_commit_ts = c->other->stamped;
  try_changed (&foreign, read_back (bytes));
  c->passed = foreign.passed;
  c->failed = foreign.failed;
  c->skipped = foreign.skipped;
  c->foreign++;
}

// ------------------------------------------------------------------------------------------- parts

static bool same_times (const struct history *x, const struct history *y) {
  for (uint32_t txn = 0; txn < history_txns (x); txn++)
    if (history_begin_time (x, txn) != history_begin_time (y, txn)
        || history_end_time (x, txn) != history_end_time (y, txn))
      return false;
  for (size_t i = 0; i < x->op_times.count; i++)
    if (x->op_times.data[i].op != y->op_times.data[i].op || x->op_times.data[i].begin != y->op_times.data[i].begin
        || x->op_times.data[i].end != y->op_times.data[i].end)
      return false;
  return true;
}

static bool same_hints (const struct history *x, const struct op_hint *one, const struct history *y,
                        const struct op_hint *other, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (one[i].owner != other[i].owner
        || atom_compare (atoms_get (&x->texts, one[i].text), atoms_get (&y->texts, other[i].text)))
      return false;
  return true;
}

#define SAME(column)                                                                                                   \
  (x->column.count == y->column.count                                                                                  \
   && (!x->column.count || !memcmp (x->column.data, y->column.data, x->column.count * sizeof *x->column.data)))

// Keys and values go by the same numbers in both.
static bool same_history (const struct history *x, const struct history *y) {
  return SAME (txn_ids) && SAME (txn_sessions) && SAME (txn_status) && SAME (txn_first_op) && SAME (op_kinds)
         && SAME (some_op_flags) && SAME (op_keys) && SAME (op_values) && SAME (some_op_aux) && SAME (ranges)
         && SAME (item_keys) && SAME (item_values) && x->op_times.count == y->op_times.count && same_times (x, y)
         && x->op_hints.count == y->op_hints.count && x->txn_hints.count == y->txn_hints.count
         && same_hints (x, x->op_hints.data, y, y->op_hints.data, x->op_hints.count)
         && same_hints (x, x->txn_hints.data, y, y->txn_hints.data, x->txn_hints.count);
}

// The verifier's parts are those of the checker.
static void compare_parts (struct certificates *c) {
  const char *why = NULL;
  c->level = "all levels";
  for (int policy = 0; policy < POLICIES && c->dialect; policy++) {
    struct rewriting parts = { 0 };
    struct split split;
    const bool checker = c->dialect->rewrite (c->h, (enum own_writes) policy, &parts, &why);
    const bool verifier = split_make (&split, c->h, c->dialect->name, (enum own_policy) policy, &why);
    bool same =
      checker && verifier && split.origin.count == parts.origins.count && same_history (parts.history, split.history);
    for (size_t i = 0; same && i < split.origin.count; i++)
      same = split.origin.data[i] == parts.origins.data[i].txn;
    say (c, same, "checker and verifier make different parts, with own writes",
         own_policy_name ((enum own_policy) policy));
    rewriting_free (&parts);
    split_free (&split);
  }
}

// ------------------------------------------------------------------------------------- one verdict

static void certify (struct certificates *c, const struct check_options *options, const struct check_result *result) {
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
    tamper (c, &bytes);
    if ((c->valid + c->invalid) % MUTATED == 0)
      mutate (c, &bytes);
    add_idle (c, &bytes);
    if (c->other)
      hold_against_other (c, &bytes);
  }
  c->valid += result->verdict == VERDICT_VALID;
  c->invalid += result->verdict == VERDICT_INVALID;
  certificate_free (read);
  certificate_free (made);
  VEC_FREE (bytes);
}

static void look_at (struct certificates *c) {
  static const enum own_writes policies[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  for (const struct level *const *level = all_levels (); *level; level++) {
    if (c->run->levels && strcmp (c->run->levels, (*level)->name))
      continue;
    c->level = (*level)->name;
    struct check_options options;
    check_options_default (&options);
    options.level = *level;
    options.dialect = c->dialect;
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
    if (result->verdict == VERDICT_INVALID) {
      explain_result (result, c->h, &options, &(struct part_limits){ .skip = true });
      say (c, result->verified, "not verified", result->reason);
    }
    check_result_free (result);
  }
}

// Every third history has hints, the verdict then rests on assumptions; every third one is seen
// through a dialect, and some are both; every third one is incomplete.
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
  struct hinted other = { 0 };
  c->other = drawn && hinted_draw_other (&other, c->run->seed, c->index, mixture, 1) ? &other : NULL;
  c->dialect = c->index / 4 % 3 == 2 || c->index / 4 % 6 == 4 ? dialect_find ("mariadb-rr") : NULL;
  compare_parts (c);
  look_at (c);
  history_free (hinted.h);
  history_free (other.h);
}

// --------------------------------------------------------------------------------- broken checkers

// A level's name with another one's rules: with those of a stronger one the checker says `invalid`
// too often, with those of a weaker one `valid`.
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
  bool believed = made && verify_certificate (c->h, made, &complaint);
  struct certificate claim = { .valid = result->verdict == VERDICT_VALID, .policy = POLICY_MUST };
  snprintf (claim.level, sizeof claim.level, "%s", name);
  claim.clock_skew = options.clock_skew;
  const int truth = result->verdict == VERDICT_UNKNOWN ? -1 : is_true (c, &claim);
  explain_result (result, c->h, &options, &(struct part_limits){ .skip = true });
  believed |= result->verified;
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
  struct run run = run_arguments (argc, argv, 150, 4000);
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
  printf (
    "%llu certificates of valid, %llu of invalid; %llu tampered with (%llu numbers): %llu unreadable, %llu refused; "
    "%llu held against other hints\n",
    (unsigned long long) c.valid, (unsigned long long) c.invalid, (unsigned long long) c.tampered,
    (unsigned long long) c.mutated, (unsigned long long) c.unreadable, (unsigned long long) c.refused,
    (unsigned long long) c.foreign);
  return run_end (c.passed, c.failed, c.skipped);
}
