// Parts of histories that are valid, whichever of their operations are left out, are not invalid
// (core/core.h): the shapes that were found to be hard, each with all subsets of its operations.

#include "../unit/greatest_main.h"
#include "api/explanation.h"
#include "base/output.h"
#include "core/core.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "formats/formats.h"
#include "history/history.h"
#include "levels/levels.h"

#include <stdatomic.h>
#include <string.h>

struct shape {
  const char *level, *dialect; // NULL: none
  enum own_writes own_writes;
  const char *text;
};

static enum verdict verdict_of (const struct history *h, const struct check_options *options) {
  struct check_result *result = check_history (h, options);
  // hints of a part must fit it
  const enum verdict verdict = result->bad_input ? VERDICT_INVALID : result->verdict;
  check_result_free (result);
  return verdict;
}

static void print (const struct history *h) {
  struct output *text = output_open_memory ();
  struct error error = { 0 };
  size_t length = 0;
  format_find ("kht")->write (h, text, &error);
  const char *bytes = output_memory (text, &length);
  printf ("%.*s", (int) length, bytes);
  output_discard (text);
}

static bool parts_are_fine (const struct history *h, const struct check_options *options) {
  struct core_index *index = core_index_new (h, options);
  struct core_mask mask = core_mask_new (h);
  VEC (uint32_t) all = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (h); t++)
    VEC_PUSH (all, t);
  core_mask_keep (&mask, all.data, all.count);
  bool fine = true;
  for (uint32_t subset = 0; subset < 1u << history_ops (h) && fine; subset++) {
    for (uint32_t op = 0; op < history_ops (h); op++)
      mask.op[op] = subset >> op & 1;
    struct history *part = core_restrict (index, &mask);
    fine = verdict_of (part, options) != VERDICT_INVALID;
    if (!fine)
      print (part);
    history_free (part);
  }
  VEC_FREE (all);
  core_mask_free (&mask);
  core_index_free (index);
  return fine;
}

static const struct shape shapes[] = {
  // A piece of a scan ends at keys that there are: one that is made up as a bound would cut another
  // transaction's scan, whose snapshot would have a place in time then.
  { "strict-read-uncommitted", "mariadb-rr", OWN_MUST,
    "krait 1 keys=int\n"
    "s1 T1 [-17 -17] { put -1 3 @[0 5] } commit\n"
    "s1 T2 [-16 -] { del -1 -> found @[10 15]; scan - - -> none @[20 25]; del -1 @[30 35] } commit\n"
    "s1 T3 [-15 -14] { scan - - -> none } commit\n" },
  // The snapshot is taken where the first plain read stood, also in a part without that one.
  { "serializable", "mariadb-rr", OWN_MUST,
    "krait 1 init=0\n"
    "s1 T1 { put b 1; put c 1 } commit\n"
    "s2 T2 { get a -> 0; get b -> 1 @update; get c -> 0 } commit\n" },
  // A dialect does not say of an own read what it is a read of: the delete before it may be the
  // source of others' reads.
  { "repeatable-read", "mariadb-rr", OWN_MUST,
    "krait 1 init=any\n"
    "s1 T1 { get a -> nil } commit\n"
    "s2 T2 { get a -> v1 } commit\n"
    "s3 T3 { del a; get a -> v1 } commit\n" },
  // Without the read that shows what a delete found, the delete goes, and so does what rests on it.
  { "strong-session-cursor-stability", "mariadb-rr", OWN_MUST,
    "krait 1 init=7\n"
    "s1 T1 { del a; iter a b -> none; cas a nil 5 -> ok @share; put c 6 } commit\n" },
  // An append that was aborted and tried again is not missed.
  { "read-atomic", NULL, OWN_MAY,
    "krait 1\n"
    "s1 T1 { append a 1 } commit\n"
    "s2 T2 { append a 2 } commit\n"
    "s2 T3 { list a -> [1 2] } commit\n"
    "s3 T4 { append a 2 } abort\n" },
  // Without the last write of a key, an earlier one must not stand for its version: it would be
  // seen too soon.
  { "monotonic-view", NULL, OWN_MUST,
    "krait 1 hints={\"versionOrder\":[[\"a\",[1,2,3]]]}\n"
    "s1 T1 { list a -> nil; append a 1; list a -> [1] } commit\n"
    "s1 T2 { append a 2; list a -> [2]; append a 3 } commit\n"
    "s1 T3 { list a -> nil; append a 4; list a -> [4]; append a 5 } commit\n" },
  // A hint does not name a delete that is left out because nothing shows what it did.
  { "read-uncommitted", NULL, OWN_MUST,
    "krait 1 init=7 hints={\"versionOrder\":[[\"a\",[3,2,1]]]}\n"
    "s1 T1 { put a 1 } commit\n"
    "s2 T2 { del a; del a; scan a b -> a=1; del a } commit\n"
    "s2 T3 { scan a b -> none @version=[[\"a\",2]]; put a 5; put a 6; scan a b -> none } commit\n" },
};

TEST parts_of_valid_histories_are_not_invalid (void) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct error error = { 0 };
    struct history *h =
      history_read_memory ("test", shapes[i].text, strlen (shapes[i].text), format_find ("kht"), &error);
    ASSERTm (error.text, h);
    struct check_options options;
    check_options_default (&options);
    options.level = level_find (shapes[i].level);
    options.dialect = shapes[i].dialect ? dialect_find (shapes[i].dialect) : NULL;
    options.own_writes = shapes[i].own_writes;
    ASSERT_EQm (shapes[i].text, VERDICT_VALID, verdict_of (h, &options));
    ASSERTm (shapes[i].text, parts_are_fine (h, &options));
    history_free (h);
  }
  PASS ();
}

// A read that nothing explains guards no write, so it need not make way for a later one whose
// sources are gone.
TEST a_read_that_nothing_explains_is_wrong_by_itself (void) {
  static const char text[] = "krait 1\n"
                             "s1 T1 { put a 1; del a } commit\n"
                             "s2 T2 { get a -> 5; cas a nil 4 -> ok } commit\n";
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format_find ("kht"), &error);
  struct check_options options;
  check_options_default (&options);
  options.level = level_find ("cursor-stability");
  struct core_index *index = core_index_new (h, &options);
  struct core_mask mask = core_mask_new (h);
  const uint32_t reader = 1;
  core_mask_keep (&mask, &reader, 1);
  struct history *part = core_restrict (index, &mask);
  ASSERT_EQ (VERDICT_INVALID, verdict_of (part, &options));
  history_free (part);
  core_mask_free (&mask);
  core_index_free (index);
  history_free (h);
  PASS ();
}

// Wrong reads that need more than those who wrote what they read.
static const char *const not_met[] = {
  // T2 read what the delete of T1 would have written. That it wrote nothing is shown by the cas,
  // which can have found what T3 wrote: a part without T3 does without both.
  "krait 1 init=3\n"
  "s1 T1 { del x; cas x nil 1 -> failed } commit\n"
  "s2 T2 { get x -> nil } commit\n"
  "s3 T3 { put x 2 } commit\n",
  // What the delete of T1 did is for T2 to say, and so whether the get is of what T1 wrote.
  "krait 1 init=3\n"
  "s1 T1 { del x; get x -> 0; put x 1 } commit\n"
  "s2 T2 { del x } commit\n",
};

TEST a_read_that_more_is_wrong_with_is_not_met (void) {
  for (size_t i = 0; i < sizeof not_met / sizeof *not_met; i++) {
    struct error error = { 0 };
    struct history *h = history_read_memory ("test", not_met[i], strlen (not_met[i]), format_find ("kht"), &error);
    ASSERTm (error.text, h);
    struct check_options options;
    check_options_default (&options);
    options.level = level_find ("serializable");
    struct check_result *result = check_history (h, &options);
    ASSERT_EQm (not_met[i], VERDICT_INVALID, result->verdict);
    ASSERT_EQm (not_met[i], 0, result->met.end.count);
    check_result_free (result);
    history_free (h);
  }
  PASS ();
}

// No time is not the same as no limit.
TEST a_deadline_that_has_passed_ends_the_search (void) {
  static const char text[] =
    "krait 1 init=0\ns1 T1 { get a -> 0; put a 1 } commit\ns2 T2 { get a -> 0; put a 2 } commit\n";
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format_find ("kht"), &error);
  struct check_options options;
  check_options_default (&options);
  options.level = level_find ("serializable");
  const double deadlines[] = { 0, clock_seconds () - 1 };
  for (int i = 0; i < 2; i++) {
    struct check_result *result = check_history (h, &options);
    explain_result (result, h, &options, &(struct part_limits){ .deadline = deadlines[i] });
    ASSERT_EQ (i == 0, result->violation->part != NULL);
    check_result_free (result);
  }
  history_free (h);
  PASS ();
}

// Of these two it takes both, whatever they did.
enum { ONE = 2, OTHER = 5 };

static struct judgement take_both (const struct history *h, const struct check_options *options) {
  unsigned met = 0;
  (void) options;
  for (uint32_t t = 0; t < history_txns (h); t++)
    met += h->txn_ids.data[t] == ONE || h->txn_ids.data[t] == OTHER;
  if (met < 2)
    return (struct judgement){ .verdict = VERDICT_VALID };
  struct violation *v = violation_new (VIOLATION_CIRCLE, (struct anomaly){ .class = CLASS_G2 });
  violation_involve (v, (struct party){ .id = ONE });
  return (struct judgement){ .verdict = VERDICT_INVALID, .violation = v };
}

TEST a_core_is_what_the_judge_says (void) {
  static const char text[] = "krait 1 init=0\n"
                             "s1 T1 { put a 1 } commit\ns2 T2 { get a -> 1; put b 2 } commit\n"
                             "s3 T3 { get b -> 2 } commit\ns4 T4 { put c 3 } commit\n"
                             "s5 T5 { get c -> 3 } commit\ns6 T6 { put a 4 } commit\n";
  const struct judge judge = { .decide = take_both };
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format_find ("kht"), &error);
  struct check_options options;
  check_options_default (&options);
  options.level = level_find ("serializable");
  struct judgement whole = take_both (h, &options);
  struct history *core = core_find (&judge, h, &options, whole.violation);
  ASSERT (core);
  ASSERT_EQ (2, history_txns (core));
  ASSERT_EQ (ONE, core->txn_ids.data[0]);
  ASSERT_EQ (OTHER, core->txn_ids.data[1]);
  ASSERT_EQ (0, history_ops (core));
  violation_free (whole.violation);
  history_free (core);
  history_free (h);
  PASS ();
}

enum { ENOUGH = 3 };

static void stop_when_enough (void *stop, const struct check_result *so_far) {
  if (so_far->anomalies.count == ENOUGH)
    atomic_store ((atomic_int *) stop, 1);
}

// Whatever ends the search for all anomalies, those that were found by then are listed, and that
// there may be more is known.
TEST a_limit_leaves_the_anomalies_that_were_found (void) {
  static const char text[] = "krait 1 init=0\n"
                             "s1 T1 { get a -> 0; put a 1 } commit\ns2 T2 { get a -> 0; put a 2 } commit\n"
                             "s1 T3 { get b -> 0; put b 1 } commit\ns2 T4 { get b -> 0; put b 2 } commit\n"
                             "s1 T5 { get c -> 0; put c 1 } commit\ns2 T6 { get c -> 0; put c 2 } commit\n"
                             "s1 T7 { get d -> 0; put d 1 } commit\ns2 T8 { get d -> 0; put d 2 } commit\n";
  atomic_int never = 0, stop = 0;
  const struct {
    atomic_int *stop;
    uint64_t memory;
    size_t found;
  } limits[] = { { &never, 0, 4 }, { &stop, 0, ENOUGH }, { &never, 1, 1 } };
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format_find ("kht"), &error);
  struct check_options options;
  check_options_default (&options);
  options.level = level_find ("snapshot-isolation");
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    atomic_store (&stop, 0);
    struct check_result *result = check_history (h, &options);
    explain_result (result, h, &options, &(struct part_limits){ 0 });
    const struct part_limits limit = { .memory = limits[i].memory, .stop = limits[i].stop };
    list_anomalies (result, h, &options, &limit, stop_when_enough, &stop);
    ASSERT_EQ_FMT (limits[i].found, result->anomalies.count, "%zu");
    ASSERT_EQ (i == 0, result->anomalies_complete);
    check_result_free (result);
  }
  history_free (h);
  PASS ();
}

SUITE (parts) {
  RUN_TEST (a_core_is_what_the_judge_says);
  RUN_TEST (a_limit_leaves_the_anomalies_that_were_found);
  RUN_TEST (a_deadline_that_has_passed_ends_the_search);
  RUN_TEST (parts_of_valid_histories_are_not_invalid);
  RUN_TEST (a_read_that_nothing_explains_is_wrong_by_itself);
  RUN_TEST (a_read_that_more_is_wrong_with_is_not_met);
}

KRAIT_UNIT_MAIN (RUN_SUITE (parts);)
