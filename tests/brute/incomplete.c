// What is missing is never the database's fault: a valid history from which some transactions are
// taken out, and which says that it is incomplete, is not called invalid, as long as those wrote
// only what nothing that is left explains. Now and then a transaction loses only its end, and with
// it the knowledge of its outcome, as when a recording is cut off.
//
//   incomplete [--count=N] [--seed=S] [--levels=A] [--only=INDEX] [--ops=basic|all|lists]
//     [--unknown=often]

#include "history/effects.h"
#include "levels/levels.h"
#include "prng.h"
#include "run.h"
#include "story.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 4 };

// What is left of each transaction: so many operations; more than it has: all, and its outcome.
struct cut {
  uint32_t left[STORY_NODES];
};

static bool is_gone (const struct cut *cut, uint32_t txn) {
  return cut->left[txn] == 0;
}

static struct cut draw_cut (struct prng *prng, const struct history *h) {
  struct cut cut;
  const unsigned percent = prng_between (prng, 10, 50);
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const uint32_t ops = h->txn_first_op.data[t + 1] - h->txn_first_op.data[t];
    cut.left[t] = !prng_chance (prng, percent) ? UINT32_MAX : prng_chance (prng, 30) ? prng_below (prng, ops + 1) : 0;
  }
  return cut;
}

static void copy_op (struct history *to, const struct history *h, uint32_t op) {
  const char *why;
  uint32_t aux = history_aux (h, op);
  if (op_has_range ((enum op_kind) h->op_kinds.data[op]) && aux != AUX_NONE) {
    const struct op_range *range = &h->ranges.data[aux];
    aux = history_open_range (to, range->low, range->high);
    for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
      history_add_item (to, h->item_keys.data[i], h->item_values.data[i], &why);
  }
  if (!history_add_op (to, (enum op_kind) h->op_kinds.data[op], history_flags (h, op), h->op_keys.data[op],
                       h->op_values.data[op], aux, &why))
    misuse (__func__, why);
  for (size_t i = 0; i < h->op_times.count; i++)
    if (h->op_times.data[i].op == op)
      history_set_op_times (to, h->op_times.data[i].begin, h->op_times.data[i].end);
}

static struct history *cut_off (const struct history *h, const struct cut *cut) {
  struct history *to = history_new_like (h);
  const char *why;
  history_mark_incomplete (to, "some of it was taken out");
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (is_gone (cut, t))
      continue;
    const uint32_t first = h->txn_first_op.data[t], all = h->txn_first_op.data[t + 1] - first;
    const bool whole = cut->left[t] > all;
    const struct txn_header header = { h->session_labels.data[h->txn_sessions.data[t]],
                                       true,
                                       h->txn_ids.data[t],
                                       whole ? (enum txn_status) h->txn_status.data[t] : TXN_UNKNOWN,
                                       history_begin_time (h, t),
                                       whole ? history_end_time (h, t) : TIME_NONE_END };
    if (!history_begin_txn (to, &header, &why))
      misuse (__func__, why);
    for (uint32_t op = first; op < first + (whole ? all : cut->left[t]); op++)
      copy_op (to, h, op);
  }
  history_finish (to);
  return to;
}

static bool writes_the_same (const struct history *h, uint32_t op, const struct history *other, uint32_t other_op) {
  const uint32_t value = effects_value_written (h, op);
  return value != VALUE_NONE && h->op_keys.data[op] == other->op_keys.data[other_op]
         && value == effects_value_written (other, other_op);
}

// Something that was taken out is what the initial state says, or what is still written.
static bool is_explained (const struct history *h, uint32_t op, const struct history *rest) {
  const uint32_t value = effects_value_written (h, op);
  if (value == VALUE_NONE)
    return false;
  if (story_initial_value (h, h->op_keys.data[op]) == value)
    return true;
  for (uint32_t other = 0; other < history_ops (rest); other++)
    if (writes_the_same (h, op, rest, other))
      return true;
  return false;
}

// May what is missing be missing, by the assumption that incomplete histories are judged under?
static bool is_allowed (const struct history *h, const struct history *rest, const struct cut *cut) {
  if (h->init == INIT_ANY) // which explains anything
    return false;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const uint32_t first = h->txn_first_op.data[t], all = h->txn_first_op.data[t + 1] - first;
    for (uint32_t op = first + (cut->left[t] < all ? cut->left[t] : all); op < first + all; op++)
      if (h->txn_status.data[t] != TXN_ABORTED && is_explained (h, op, rest))
        return false;
  }
  return true;
}

struct test {
  struct run run;
  uint64_t passed, failed, skipped, excused;
};

static void look_at_rest (struct test *test, uint64_t index, const struct history *h, const struct history *rest,
                          const struct brute_options *options, const struct brute_verdicts *whole) {
  for (unsigned level = 0; level < brute_levels (); level++) {
    if (whole->of[level] != BRUTE_HOLDS || !level_find (brute_level_name (level)))
      continue;
    const struct check_options check = run_check_options (options, level_find (brute_level_name (level)));
    struct check_result *result = check_history (rest, &check);
    test->excused += result->verdict == VERDICT_UNKNOWN && result->excused;
    if (result->verdict != VERDICT_INVALID)
      test->passed++;
    else if (!test->failed++) {
      fprintf (stderr, "%s: of a valid history a part is called invalid:\n", brute_level_name (level));
      run_tell (&test->run, index, options, h);
      shrink_print (stderr, rest);
    }
    check_result_free (result);
  }
}

static void look_at (struct test *test, uint64_t index, const struct random_mixture *mixture) {
  struct brute_options options;
  struct brute_verdicts whole;
  struct prng prng = prng_fork (test->run.seed, ~index);
  struct history *h = random_history_of (test->run.seed, index, mixture, &options);
  if (options.own_writes == BRUTE_OWN_INFER) // a part may lead to another policy
    options.own_writes = story_own_writes (h, &options);
  const bool judged = brute_judge (h, &options, &whole);
  for (int i = 0; i < TRIES; i++) {
    const struct cut cut = draw_cut (&prng, h);
    struct history *rest = cut_off (h, &cut);
    if (judged && is_allowed (h, rest, &cut))
      look_at_rest (test, index, h, rest, &options, &whole);
    else
      test->skipped++;
    history_free (rest);
  }
  history_free (h);
}

int main (int argc, char **argv) {
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_ALL, RANDOM_LISTS };
  struct test test = { .run = run_arguments (argc, argv, 1500, 50000) };
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++) {
    struct random_mixture mixture = test.run.mixture;
    if (mixture.ops == RANDOM_BASIC)
      mixture.ops = mixtures[index % 4];
    look_at (&test, index, &mixture);
  }
  printf ("%" PRIu64 " verdicts excuse something\n", test.excused);
  test.failed += test.run.count > 100 && !test.excused; // or nothing was tested
  return run_end (test.passed, test.failed, test.skipped);
}
