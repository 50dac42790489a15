// Hints as the library reads them, what the semantic graph makes of them, and how they reach a
// program. Contradictions, one by one, are tests of the command line (tests/cli/check-hints-*);
// verdicts are compared with the brute force (tests/brute/hints).

#include "hints/hints.h"

#include "asg/asg.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "history/history.h"
#include "krait/krait.h"

#include <stdlib.h>
#include <string.h>

static struct history *history_of (const char *text) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("h", text, strlen (text), format_find ("kht"), &error);
  if (!h) {
    fprintf (stderr, "%s\n", error.text);
    abort ();
  }
  return h;
}

static struct asg *graph_of (const struct history *h, struct hints **hints, bool trust) {
  struct error error = { 0 };
  if (!hints_read (h, &(struct hints_options){ .trust_commit_ts = trust }, hints, &error)) {
    fprintf (stderr, "%s\n", error.text);
    abort ();
  }
  return asg_build (h, &(struct asg_options){ .merge_equal_reads = true, .hints = *hints });
}

TEST a_history_without_hints_has_none (void) {
  struct history *h = history_of ("s1 T1 { put x 1 } commit\n");
  struct error error = { 0 };
  struct hints *hints;
  ASSERT (hints_read (h, &(struct hints_options){ 0 }, &hints, &error));
  ASSERT_EQ (NULL, hints);
  ASSERT_EQ (HINT_NONE, hints_source (hints, 0, 0));
  history_free (h);
  PASS ();
}

static const char three_writers[] = "krait 1 hints={\"versionOrder\":[[\"x\",[3,2,1]]]}\n"
                                    "s1 T1 hints={\"commitTs\":1} { put x 1 } commit\n"
                                    "s2 T2 hints={\"commitTs\":2} { put x 1 } %s\n"
                                    "s3 T3 hints={\"commitTs\":3} { put x 1 } commit\n"
                                    "s4 T4 { get x -> 1 @version=2; get x -> 1 @version=2; get x -> 1 } commit\n";

TEST orders_and_sources_are_facts (void) {
  char text[600];
  snprintf (text, sizeof text, three_writers, "commit");
  struct history *h = history_of (text);
  struct hints *hints;
  struct asg *asg = graph_of (h, &hints, false);
  ASSERT_EQ (2u, asg->orders.count); // neighbours
  ASSERT_EQ (FACT_VERSION_ORDER | FACT_VERSION, (int) asg->hint_facts);
  ASSERT_EQ (2u, asg->reads); // equal hints are merged, the read without one stands by itself
  ASSERT_EQ (asg_install_of (asg, 0, asg->txn_node[1]), asg->read_source[0]);
  ASSERT (source_is_many (asg->read_source[1]));
  asg_free (asg);
  hints_free (hints);
  history_free (h);
  PASS ();
}

// A version that may not be there does not stand between its neighbours for sure.
TEST an_unknown_writer_leaves_its_neighbours_ordered (void) {
  char text[600];
  snprintf (text, sizeof text, three_writers, "unknown");
  struct history *h = history_of (text);
  struct hints *hints;
  struct asg *asg = graph_of (h, &hints, false);
  ASSERT_EQ (3u, asg->orders.count);
  asg_free (asg);
  hints_free (hints);
  history_free (h);
  PASS ();
}

TEST timestamps_count_only_if_trusted (void) {
  const char text[] = "s1 T1 hints={\"commitTs\":-9223372036854775808} { put x 1 } commit\n"
                      "s2 T2 hints={\"commitTs\":9223372036854775807} { put x 2 } commit\n"
                      "s3 T3 { put x 3 } commit\n";
  for (int trust = 0; trust < 2; trust++) {
    struct history *h = history_of (text);
    struct hints *hints;
    struct asg *asg = graph_of (h, &hints, trust);
    ASSERT_EQ ((size_t) trust, asg->orders.count);
    ASSERT_EQ (trust ? FACT_COMMIT_TS : 0, (int) asg->hint_facts);
    ASSERT_EQ (INT64_MIN, hints->commit_ts[0]);
    ASSERT_EQ (INT64_MAX, hints->commit_ts[1]);
    ASSERT_FALSE (hints->has_commit_ts[2]);
    asg_free (asg);
    hints_free (hints);
    history_free (h);
  }
  PASS ();
}

// One candidate: the hint tells nothing, and no verdict rests on it.
TEST what_is_known_anyway_is_no_fact (void) {
  struct history *h = history_of ("s1 T1 { put x 1 } commit\ns2 T2 { get x -> 1 @version=1 } commit\n");
  struct hints *hints;
  struct asg *asg = graph_of (h, &hints, false);
  ASSERT_EQ (0, (int) asg->hint_facts);
  asg_free (asg);
  hints_free (hints);
  history_free (h);
  PASS ();
}

TEST a_warning_names_each_unknown_hint_once (void) {
  struct history *h = history_of ("krait 1 hints={\"colour\":{\"a\":[1]}}\ns1 T1 hints={\"colour\":1} { } commit\ns1 "
                                  "T2 hints={\"size\":1} { } commit\n");
  struct error error = { 0 };
  struct hints *hints;
  ASSERT (hints_read (h, &(struct hints_options){ 0 }, &hints, &error));
  ASSERT_STR_EQ ("a hint of the name \"colour\" is not known; it is not used\n"
                 "a hint of the name \"size\" is not known; it is not used",
                 hints->warnings);
  hints_free (hints);
  history_free (h);
  PASS ();
}

// A binary file may hold anything for a hint.
TEST a_hint_that_is_no_json_is_bad_input (void) {
  static const char *const texts[] = { "", "{", "{\"uniqueValues\"", "{\"uniqueValues\":true}x", "[]", "\xff" };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct history *h = history_of ("s1 T1 { put x 1 } commit\n");
    const char *why;
    struct error error = { 0 };
    struct hints *hints;
    ASSERT (history_set_header_hints (h, texts[i], strlen (texts[i]), &why));
    ASSERT_FALSE (hints_read (h, &(struct hints_options){ 0 }, &hints, &error));
    ASSERT_EQ (ERROR_INPUT, error.code);
    ASSERT_EQm (error.text, error.text, strstr (error.text, "h: hints of the header: expected "));
    history_free (h);
  }
  PASS ();
}

// Under `must`, a hint that names another version than the own one shows a broken own write; a read
// of its own is no fact for the others.
TEST own_versions_meet_the_policy (void) {
  static const struct {
    const char *source;
    enum own_writes policy;
    size_t faults;
  } cases[] = { { "2", OWN_MUST, 0 }, { "1", OWN_MUST, 1 },     { "2", OWN_MAY, 0 },
                { "1", OWN_MAY, 0 },  { "2", OWN_EXTERNAL, 1 }, { "1", OWN_EXTERNAL, 0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    snprintf (text, sizeof text, "s1 T1 { put x 1 } commit\ns2 T2 { put x 1; get x -> 1 @version=%s } commit\n",
              cases[i].source);
    struct history *h = history_of (text);
    struct error error = { 0 };
    struct hints *hints;
    ASSERT (hints_read (h, &(struct hints_options){ 0 }, &hints, &error));
    struct asg *asg = asg_build (h, &(struct asg_options){ .own_writes = cases[i].policy, .hints = hints });
    ASSERT_EQm (text, cases[i].faults, asg->faults.count);
    asg_free (asg);
    ASSERT_STR_EQ (*cases[i].source == '2' ? "must" : "external", own_writes_name (asg_infer_own_writes (h, hints)));
    hints_free (hints);
    history_free (h);
  }
  PASS ();
}

// ------------------------------------------------------------------------------------- the library

static krait_result *checked (const char *text, int trust) {
  char message[KRAIT_MESSAGE_SIZE];
  krait_history *history = krait_history_read_memory ("h", text, strlen (text), "kht", message, sizeof message);
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, "strong-session-serializable");
  krait_options_set_trust_commit_ts (options, trust);
  krait_result *result = krait_check (history, options);
  krait_options_free (options);
  krait_history_free (history);
  return result;
}

TEST programs_hear_of_hints (void) {
  const char text[] =
    "s1 T1 hints={\"commitTs\":2} { put x 1 } commit\ns1 T2 hints={\"commitTs\":1} { put x 2 } commit\n";
  krait_result *result = checked (text, 0);
  ASSERT_EQ (KRAIT_VALID, krait_result_verdict (result));
  ASSERT_EQ (NULL, krait_result_hints (result));
  krait_result_free (result);
  result = checked (text, 1);
  ASSERT_EQ (KRAIT_INVALID, krait_result_verdict (result));
  ASSERT_STR_EQ ("commitTs", krait_result_hints (result));
  krait_result_free (result);
  result = checked ("s1 T1 { get x -> 1 @version=7 } commit\n", 0);
  ASSERT_EQ (KRAIT_BAD_INPUT, krait_result_verdict (result));
  ASSERT_STR_EQ ("h: transaction 1, operation 1, hint version: transaction 7 is not in the history",
                 krait_result_reason (result));
  krait_result_free (result);
  PASS ();
}

SUITE (hints) {
  RUN_TEST (a_history_without_hints_has_none);
  RUN_TEST (orders_and_sources_are_facts);
  RUN_TEST (an_unknown_writer_leaves_its_neighbours_ordered);
  RUN_TEST (timestamps_count_only_if_trusted);
  RUN_TEST (what_is_known_anyway_is_no_fact);
  RUN_TEST (a_warning_names_each_unknown_hint_once);
  RUN_TEST (a_hint_that_is_no_json_is_bad_input);
  RUN_TEST (own_versions_meet_the_policy);
  RUN_TEST (programs_hear_of_hints);
}

KRAIT_UNIT_MAIN (RUN_SUITE (hints);)
