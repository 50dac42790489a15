// Cores of small random histories (core/core.h), at every level:
//
// - with hints, and with a dialect, in turn, where the brute force has its say only about what it
//   knows;
// - a part of a valid history, whichever transactions and operations it keeps, is valid: what is
//   taken out takes its demands along;
// - an invalid history has a core; it is invalid by itself, as the brute-force checker says too,
//   and leaving out any one of its transactions makes it valid;
// - all its anomalies are cores that share no transaction, and what is left over is not invalid; so
//   are reads that are met on the way;
// - its explanation names the weakest levels that it breaks and the strongest that it keeps, and a
//   fault that needs no circle stays what it is.
//
//   cores [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]
//     [--levels=NAME]

#include "api/explanation.h"
#include "core/core.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "hinted.h"
#include "history/effects.h"
#include "levels/levels.h"
#include "prng.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

struct cores {
  const struct run *run;
  uint64_t passed, failed, skipped;
  uint64_t index;
  struct run_share renamed; // faults that are explained by another anomaly
  uint64_t met, series;     // reads met on the way; histories with several cores that share nothing
  struct prng prng;
  const struct dialect *dialect; // of the history at hand, or NULL
  bool trust_commit_ts, hinted;
};

static struct check_options options_for (const struct cores *c, const struct brute_options *brute,
                                         const struct level *level) {
  struct check_options options = run_check_options (brute, level);
  options.dialect = c->dialect;
  options.trust_commit_ts = c->trust_commit_ts;
  return options;
}

static enum verdict verdict_of (const struct history *h, const struct check_options *options) {
  struct check_result *result = check_history (h, options);
  // hints of a part must fit it
  const enum verdict verdict = result->bad_input ? VERDICT_INVALID : result->verdict;
  check_result_free (result);
  return verdict;
}

static void say (struct cores *c, bool fine, const char *what, const struct brute_options *brute,
                 const struct check_options *options, const struct history *h, const struct history *part) {
  c->passed += fine;
  c->failed += !fine;
  if (fine || c->failed > 5)
    return;
  fprintf (stderr, "%s: %s\n", options->level->name, what);
  run_tell (c->run, c->index, brute, h);
  if (part)
    shrink_print (stderr, part);
}

// A random part, or all but one transaction.
static struct history *part_of (struct cores *c, const struct history *h, const struct check_options *options,
                                uint32_t without) {
  struct core_index *index = core_index_new (h, options);
  struct core_mask mask = core_mask_new (h);
  VEC (uint32_t) kept = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (without == UINT32_MAX ? prng_below (&c->prng, 4) != 0 : t != without)
      VEC_PUSH (kept, t);
  core_mask_keep (&mask, kept.data, kept.count);
  for (uint32_t op = 0; op < history_ops (h); op++)
    mask.op[op] = without != UINT32_MAX || prng_below (&c->prng, 6) != 0;
  struct history *part = core_restrict (index, &mask);
  VEC_FREE (kept);
  core_mask_free (&mask);
  core_index_free (index);
  return part;
}

// All but one operation.
static void try_without_each (struct cores *c, const struct history *h, const struct brute_options *brute,
                              const struct check_options *options) {
  struct core_index *index = core_index_new (h, options);
  struct core_mask mask = core_mask_new (h);
  VEC (uint32_t) all = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (h); t++)
    VEC_PUSH (all, t);
  core_mask_keep (&mask, all.data, all.count);
  for (uint32_t op = 0; op < history_ops (h); op++) {
    mask.op[op] = 0;
    struct history *part = core_restrict (index, &mask);
    say (c, verdict_of (part, options) != VERDICT_INVALID, "a valid history without an operation is invalid", brute,
         options, h, part);
    history_free (part);
    mask.op[op] = 1;
  }
  VEC_FREE (all);
  core_mask_free (&mask);
  core_index_free (index);
}

static void try_valid (struct cores *c, const struct history *h, const struct brute_options *brute,
                       const struct check_options *options, bool thoroughly) {
  struct check_options settled = *options;
  if (settled.own_writes == OWN_INFER)
    settled.own_writes = asg_infer_own_writes (h, NULL); // with hints the policy is never left to be inferred
  struct history *part = part_of (c, h, &settled, UINT32_MAX);
  say (c, verdict_of (part, &settled) != VERDICT_INVALID, "a part of a valid history is invalid", brute, options, h,
       part);
  history_free (part);
  if (thoroughly)
    try_without_each (c, h, brute, &settled);
}

static bool some_level_holds (const struct history *h, const struct check_options *asked) {
  struct check_options options = *asked;
  bool holds = false;
  for (const struct level *const *level = all_levels (); *level && !holds; level++) {
    options.level = *level;
    holds = verdict_of (h, &options) == VERDICT_VALID;
  }
  return holds;
}

static bool has_level (const level_name_vec *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (!strcmp (names->data[i], name))
      return true;
  return false;
}

// Everything that the explanation says about levels is so, and it says something.
static void try_levels (struct cores *c, const struct history *core, const struct brute_options *brute,
                        const struct check_options *asked, const struct violation *v) {
  say (c, v->weakest_violated.count != 0, "no level that the core breaks", brute, asked, core, NULL);
  say (c, v->strongest_holding.count || !some_level_holds (core, asked), "no level that the core keeps", brute, asked,
       core, NULL);
  struct check_options options = *asked;
  for (const struct level *const *level = all_levels (); *level; level++) {
    const bool broken = has_level (&v->weakest_violated, (*level)->name),
               kept = has_level (&v->strongest_holding, (*level)->name);
    options.level = *level;
    if (broken || kept)
      say (c, verdict_of (core, &options) == (broken ? VERDICT_INVALID : VERDICT_VALID), "a level is told wrongly",
           brute, &options, core, NULL);
  }
}

static bool writes_it (const struct history *h, uint64_t id, const struct history *core, uint32_t written) {
  uint32_t txn = 0;
  while (h->txn_ids.data[txn] != id)
    txn++;
  const uint32_t value = effects_value_written (core, written);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const uint32_t other = effects_value_written (h, op);
    if (other == VALUE_NONE || (value == VALUE_ABSENT) != (other == VALUE_ABSENT)
        || atom_compare (atoms_get (&h->keys, h->op_keys.data[op]),
                         atoms_get (&core->keys, core->op_keys.data[written])))
      continue;
    if (value == VALUE_ABSENT || !atom_compare (atoms_get (&h->values, other), atoms_get (&core->values, value)))
      return true;
  }
  return false;
}

// Nobody writes in the core what it did not write in the whole.
static bool nothing_is_invented (const struct history *h, const struct history *core) {
  for (uint32_t t = 0; t < history_txns (core); t++)
    for (uint32_t op = core->txn_first_op.data[t]; op < core->txn_first_op.data[t + 1]; op++)
      if (effects_value_written (core, op) != VALUE_NONE && !writes_it (h, core->txn_ids.data[t], core, op))
        return false;
  return true;
}

static void try_core (struct cores *c, const struct history *h, const struct brute_options *brute,
                      const struct check_options *options, const struct history *core) {
  say (c, verdict_of (core, options) == VERDICT_INVALID, "the core is valid", brute, options, h, core);
  say (c, nothing_is_invented (h, core), "a write is invented", brute, options, h, core);
  struct brute_options same = *brute;
  same.own_writes = options->own_writes == OWN_MUST       ? BRUTE_OWN_MUST
                    : options->own_writes == OWN_EXTERNAL ? BRUTE_OWN_EXTERNAL
                                                          : BRUTE_OWN_MAY;
  struct brute_verdicts verdicts;
  if (!c->hinted && !c->dialect && brute_judge (core, &same, &verdicts))
    say (c, verdicts.of[brute_level_find (options->level->name)] == BRUTE_FAILS,
         "the brute force says that the core is fine", brute, options, h, core);
  else
    c->skipped++;
  for (uint32_t t = 0; t < history_txns (core); t++) {
    struct history *part = part_of (c, core, options, t);
    say (c, verdict_of (part, options) != VERDICT_INVALID, "the core is not minimal", brute, options, core, part);
    history_free (part);
  }
}

static bool share_a_txn (const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
  for (size_t i = 0; i < a_count; i++)
    for (size_t k = 0; k < b_count; k++)
      if (a[i] == b[k])
        return true;
  return false;
}

// Only these transactions of the history.
static struct history *part_with (const struct history *h, const struct check_options *options, const uint64_t *ids,
                                  size_t count) {
  struct core_index *index = core_index_new (h, options);
  struct core_mask mask = core_mask_new (h);
  VEC (uint32_t) kept = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (share_a_txn (&h->txn_ids.data[t], 1, ids, count))
      VEC_PUSH (kept, t);
  core_mask_keep (&mask, kept.data, kept.count);
  struct history *part = core_restrict (index, &mask);
  VEC_FREE (kept);
  core_mask_free (&mask);
  core_index_free (index);
  return part;
}

// Reads that were met on the way: each is wrong together with those who wrote what it read.
static void try_met (struct cores *c, const struct history *h, const struct brute_options *brute,
                     const struct check_options *options, const struct check_result *result) {
  for (size_t i = 0, first = 0; i < result->met.end.count; first = result->met.end.data[i++]) {
    const size_t count = result->met.end.data[i] - first;
    struct history *part = part_with (h, options, result->met.ids.data + first, count);
    const enum verdict verdict = verdict_of (part, options);
    if (verdict == VERDICT_UNKNOWN) // only others have times, and the level needs some
      c->skipped++;
    else
      say (c, verdict == VERDICT_INVALID, "a read that was met is fine", brute, options, h, part);
    say (c, !share_a_txn (result->met.ids.data, first, result->met.ids.data + first, count),
         "two reads that are not independent", brute, options, h, part);
    history_free (part);
  }
  c->met += result->met.end.count;
}

// All anomalies, without the history's own policy being left to be inferred.
static void try_series (struct cores *c, const struct history *h, const struct brute_options *brute,
                        const struct check_options *options) {
  struct core_series *series = core_series_new (&check_judge, h, options);
  VEC (uint64_t) used = VEC_EMPTY;
  unsigned count = 0;
  for (struct history *core; (core = core_series_next (series)); history_free (core), count++) {
    try_core (c, h, brute, options, core);
    say (c, !share_a_txn (used.data, used.count, core->txn_ids.data, history_txns (core)),
         "two cores share a transaction", brute, options, h, core);
    for (uint32_t t = 0; t < history_txns (core); t++)
      VEC_PUSH (used, core->txn_ids.data[t]);
  }
  say (c, count, "no core in a series of them", brute, options, h, NULL);
  VEC (uint64_t) rest = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (!share_a_txn (&h->txn_ids.data[t], 1, used.data, used.count))
      VEC_PUSH (rest, h->txn_ids.data[t]);
  struct history *part = part_with (h, options, rest.data, rest.count);
  const bool fine = !history_has_committed (part) || verdict_of (part, options) == VERDICT_VALID;
  say (c, fine == core_series_is_complete (series), "the series says wrongly whether it is complete", brute, options, h,
       part);
  say (c, verdict_of (part, options) != VERDICT_INVALID, "something is left over that is invalid", brute, options, h,
       part);
  c->series += count > 1;
  history_free (part);
  VEC_FREE (rest);
  VEC_FREE (used);
  core_series_free (series);
}

// What a read alone shows, with those who wrote what it read: a core has no need to lose it. (Of
// lists that exclude each other, one may be wrong by itself.)
static bool is_fault (const char *anomaly) {
  static const char *const faults[] = { "G1a", "G1b", "garbage-read", "own-write" };
  for (size_t i = 0; anomaly && i < sizeof faults / sizeof *faults; i++)
    if (!strcmp (anomaly, faults[i]))
      return true;
  return false;
}

static void try_invalid (struct cores *c, const struct history *h, const struct brute_options *brute,
                         const struct check_options *asked, struct check_result *result, bool explain) {
  struct check_options options = *asked;
  if (options.own_writes == OWN_INFER)
    options.own_writes = asg_infer_own_writes (h, NULL);
  if (!explain) { // which takes much longer, for the sake of the levels
    struct history *core = core_find (&check_judge, h, &options, result->violation);
    say (c, core != NULL, "there is no core", brute, &options, h, NULL);
    if (core)
      try_core (c, h, brute, &options, core);
    history_free (core);
    return;
  }
  try_met (c, h, brute, &options, result);
  try_series (c, h, brute, &options);
  const char *anomaly = violation_class (result->violation);
  explain_result (result, h, asked, &(struct part_limits){ 0 });
  const struct violation *v = result->violation;
  say (c, v->part != NULL, "there is no core", brute, &options, h, NULL);
  if (v->part) {
    try_core (c, h, brute, &options, v->part);
    try_levels (c, v->part, brute, &options, v);
    const bool same = !strcmp (anomaly, violation_class (v));
    if (is_fault (anomaly))
      run_share_count (&c->renamed, c->index, !same);
    if (is_fault (anomaly) && !same && c->run->single)
      printf ("%s: %s became %s\n", asked->level->name, anomaly, violation_class (v));
  }
}

static void look_at (struct cores *c, const struct history *h, const struct brute_options *brute) {
  for (const struct level *const *level = all_levels (); *level; level++) {
    if (c->run->levels && strcmp (c->run->levels, (*level)->name))
      continue;
    const struct check_options options = options_for (c, brute, *level);
    struct check_result *result = check_history (h, &options);
    const uint64_t turn = c->index + (uint64_t) (level - all_levels ());
    if (result->verdict == VERDICT_VALID)
      try_valid (c, h, brute, &options, turn % 3 == 0);
    else if (result->verdict == VERDICT_INVALID)
      try_invalid (c, h, brute, &options, result, turn % 12 == 0);
    else
      c->skipped++;
    check_result_free (result);
  }
}

// As it is; with hints; as a dialect sees it.
static void look_at_next (struct cores *c, const struct random_mixture *mixture) {
  struct hinted hinted;
  c->hinted = c->index / 4 % 3 == 1 && hinted_draw (&hinted, c->run->seed, c->index, mixture);
  if (c->index / 4 % 3 == 1 && !c->hinted)
    history_free (hinted.h);
  if (!c->hinted)
    hinted.h = random_history_of (c->run->seed, c->index, mixture, &hinted.options);
  c->trust_commit_ts = c->hinted && hinted.stamped;
  c->dialect = c->index / 4 % 3 == 2 ? dialect_find ("mariadb-rr") : NULL;
  look_at (c, hinted.h, &hinted.options);
  history_free (hinted.h);
}

int main (int argc, char **argv) {
  struct run run = run_arguments (argc, argv, 300, 10000);
  struct cores c = { .run = &run, .renamed.most = 0.05 };
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_ALL, RANDOM_LISTS };
  for (c.index = run.first; c.index < run.first + run.count; c.index++) {
    struct random_mixture mixture = run.mixture;
    c.prng = prng_fork (run.seed, c.index); // so that one history can be looked at again by itself
    if (mixture.ops == RANDOM_BASIC)
      mixture.ops = mixtures[c.index % 4];
    look_at_next (&c, &mixture);
  }
  printf ("%llu reads met on the way, %llu times several cores\n", (unsigned long long) c.met,
          (unsigned long long) c.series);
  if (!run.single && run.count >= 100 && (!c.met || !c.series)) {
    printf ("FAIL: too few\n");
    c.failed++;
  }
  // What is smaller goes before what was found first, but only now and then.
  const bool too_many = run_share_is_too_large (&c.renamed);
  printf ("%llu faults, %llu of them explained by another anomaly\n", (unsigned long long) c.renamed.all_cases,
          (unsigned long long) c.renamed.all_hits);
  if (!run.single && too_many) {
    printf ("FAIL: too many\n");
    c.failed++;
  }
  return run_end (c.passed, c.failed, c.skipped);
}
