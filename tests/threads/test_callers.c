// The library called by several threads at once, as krait.h allows: one history that many check,
// histories of their own, a check that another thread stops. Verdicts must be those of one thread
// alone; that no two of them touch the same memory is seen by the thread sanitizer
// (tests/threads/run).

#include "krait/krait.h"
#include "tests/brute/prng.h"
#include "tests/unit/greatest_main.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { CALLERS = 4, GROUPS = 4, TXNS = 6, TEXT_SIZE = 1 << 15 };

static const char *const levels[] = { "serializable", "snapshot-isolation", "causal" };
enum { LEVELS = sizeof levels / sizeof *levels };

// Groups that share neither sessions nor keys, so that the search has a part for each. Few values,
// so that reads have several sources. The store errs now and then: for some groups there is
// something to refute.
static void write_history (char *text, uint64_t seed) {
  struct prng prng = prng_fork (seed, 0);
  int length = snprintf (text, TEXT_SIZE, "krait 1 init=0\n");
  for (unsigned group = 0; group < GROUPS; group++) {
    unsigned value[2] = { 0 };
    for (unsigned t = 0; t < TXNS; t++) {
      length +=
        snprintf (text + length, TEXT_SIZE - (size_t) length, "s%u T%u {", group * 4 + t % 4 + 1, group * TXNS + t + 1);
      for (unsigned op = 0; op < 3; op++) {
        const unsigned key = prng_below (&prng, 2);
        const bool writes = prng_chance (&prng, 50);
        if (writes)
          value[key] = prng_between (&prng, 1, 3);
        else if (prng_chance (&prng, 4))
          value[key] = prng_below (&prng, 4);
        length += snprintf (text + length, TEXT_SIZE - (size_t) length, "%s %s %c%u %s%u", op ? ";" : "",
                            writes ? "put" : "get", "xy"[key], group, writes ? "" : "-> ", value[key]);
      }
      length += snprintf (text + length, TEXT_SIZE - (size_t) length, " } commit\n");
    }
  }
}

static krait_history *read_history (uint64_t seed) {
  static _Thread_local char text[TEXT_SIZE];
  write_history (text, seed);
  return krait_history_read_memory ("history", text, strlen (text), NULL, NULL, 0);
}

static krait_verdict verdict_of (const krait_history *history, const char *level, unsigned threads) {
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, level);
  krait_options_set_threads (options, threads);
  krait_result *result = krait_check (history, options);
  const krait_verdict verdict = krait_result_verdict (result);
  krait_result_free (result);
  krait_options_free (options);
  return verdict;
}

struct caller {
  pthread_t thread;
  const krait_history *shared; // NULL: each reads its own
  uint64_t seed;
  const krait_verdict *expected; // of each level
  unsigned wrong;
};

static void *call (void *argument) {
  struct caller *caller = argument;
  krait_history *own = caller->shared ? NULL : read_history (caller->seed);
  for (unsigned l = 0; l < LEVELS; l++)
    caller->wrong += verdict_of (own ? own : caller->shared, levels[l], 2) != caller->expected[l];
  krait_history_free (own);
  return NULL;
}

static unsigned valid, invalid;

// How many verdicts of the callers are not what a single thread finds.
static unsigned wrong_verdicts (uint64_t seed, bool share) {
  krait_history *history = read_history (seed);
  krait_verdict expected[LEVELS];
  for (unsigned l = 0; l < LEVELS; l++) {
    expected[l] = verdict_of (history, levels[l], 1);
    valid += expected[l] == KRAIT_VALID;
    invalid += expected[l] == KRAIT_INVALID;
  }
  struct caller callers[CALLERS];
  unsigned wrong = 0;
  for (unsigned i = 0; i < CALLERS; i++) {
    callers[i] = (struct caller){ .shared = share ? history : NULL, .seed = seed, .expected = expected };
    wrong += pthread_create (&callers[i].thread, NULL, call, &callers[i]) != 0;
  }
  for (unsigned i = 0; i < CALLERS; i++) {
    pthread_join (callers[i].thread, NULL);
    wrong += callers[i].wrong;
  }
  krait_history_free (history);
  return wrong;
}

TEST one_history_for_all (void) {
  for (uint64_t seed = 0; seed < 5; seed++)
    ASSERT_EQ (0, wrong_verdicts (seed, true));
  PASS ();
}

TEST a_history_for_each (void) {
  for (uint64_t seed = 5; seed < 10; seed++)
    ASSERT_EQ (0, wrong_verdicts (seed, false));
  PASS ();
}

TEST verdicts_were_of_both_kinds (void) {
  ASSERT (valid >= 5);
  ASSERT (invalid >= 5);
  PASS ();
}

static void *stop (void *options) {
  krait_options_stop (options);
  return NULL;
}

TEST another_thread_stops_a_check (void) {
  krait_history *history = read_history (1);
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, "serializable");
  const krait_verdict expected = verdict_of (history, "serializable", 1);
  pthread_t stopper;
  ASSERT_EQ (0, pthread_create (&stopper, NULL, stop, options));
  krait_result *result = krait_check (history, options);
  pthread_join (stopper, NULL);
  ASSERT (krait_result_verdict (result) == KRAIT_UNKNOWN || krait_result_verdict (result) == expected);
  krait_result_free (result);
  krait_options_free (options);
  krait_history_free (history);
  PASS ();
}

SUITE (callers) {
  RUN_TEST (one_history_for_all);
  RUN_TEST (a_history_for_each);
  RUN_TEST (verdicts_were_of_both_kinds);
  RUN_TEST (another_thread_stops_a_check);
}

KRAIT_UNIT_MAIN (RUN_SUITE (callers);)
