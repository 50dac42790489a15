// The public interface, as an embedding program uses it.

#include "greatest_main.h"
#include "krait/krait.h"

#include <string.h>

static const char valid[] = "{\"krait\":1,\"init\":{\"default\":0}}\n"
                            "{\"s\":1,\"t\":1,\"st\":\"ok\",\"ops\":[[\"get\",\"x\",0],[\"put\",\"x\",1]]}\n"
                            "{\"s\":2,\"t\":2,\"st\":\"ok\",\"ops\":[[\"get\",\"x\",1],[\"get\",\"y\",0]]}\n";
static const char lost[] = "krait 1 init=0\n"
                           "s1 T7 { get x -> 0; put x 1 } commit\n"
                           "s2 T8 { get x -> 0; put x 2 } commit\n";

static krait_history *read_text (const char *text) {
  return krait_history_read_memory ("test", text, strlen (text), NULL, NULL, 0);
}

static krait_result *check (const krait_history *history, const char *level) {
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, level);
  krait_result *result = krait_check (history, options);
  krait_options_free (options);
  return result;
}

TEST levels_are_listed (void) {
  ASSERT (krait_level_count () > 0);
  for (size_t i = 0; i < krait_level_count (); i++) {
    ASSERT (krait_level_name (i) && krait_level_aliases (i) && *krait_level_proscribes (i));
    krait_options *options = krait_options_new ();
    ASSERT (krait_options_set_level (options, krait_level_name (i)));
    krait_options_free (options);
  }
  ASSERT_EQ (NULL, krait_level_name (krait_level_count ()));
  PASS ();
}

TEST histories_are_counted (void) {
  krait_history *history = read_text (valid);
  ASSERT (history);
  ASSERT_EQ (2, krait_history_transactions (history));
  ASSERT_EQ (2, krait_history_sessions (history));
  ASSERT_EQ (4, krait_history_operations (history));
  ASSERT_EQ (2, krait_history_keys (history));
  krait_history_free (history);
  PASS ();
}

TEST valid_and_invalid (void) {
  krait_history *history = read_text (valid);
  krait_result *result = check (history, "ser");
  ASSERT_EQ (KRAIT_VALID, krait_result_verdict (result));
  ASSERT_STR_EQ ("serializable", krait_result_level (result));
  ASSERT_EQ (NULL, krait_result_anomaly (result));
  ASSERT_EQ (0, krait_result_core_size (result));
  krait_result_free (result);
  krait_history_free (history);

  history = read_text (lost);
  result = check (history, "strong-session-serializable");
  ASSERT_EQ (KRAIT_INVALID, krait_result_verdict (result));
  ASSERT_STR_EQ ("lost-update", krait_result_anomaly_name (result));
  ASSERT (krait_result_explanation (result));
  ASSERT_EQ (2, krait_result_core_size (result));
  ASSERT_EQ (15, krait_result_core_id (result, 0) + krait_result_core_id (result, 1));
  ASSERT (strstr (krait_result_json (result), "\"anomalyName\":\"lost-update\""));
  ASSERT_EQ (NULL, strchr (krait_result_json (result), '\n'));
  krait_result_free (result);
  krait_history_free (history);
  PASS ();
}

TEST unknown_has_a_reason (void) {
  krait_history *history = read_text (valid);
  krait_result *result = check (history, "strict-serializable");
  ASSERT_EQ (KRAIT_UNKNOWN, krait_result_verdict (result));
  ASSERT (krait_result_reason (result));
  krait_result_free (result);
  krait_history_free (history);
  PASS ();
}

TEST bad_input_is_told (void) {
  char message[KRAIT_MESSAGE_SIZE] = "";
  ASSERT_EQ (NULL, krait_history_open ("/nowhere/at/all", NULL, message, sizeof message));
  ASSERT (strstr (message, "/nowhere/at/all"));
  ASSERT_EQ (NULL, krait_history_read_memory ("text", "s1 T1 {", 7, "kht", message, sizeof message));
  ASSERT (strstr (message, "text:1:8"));
  ASSERT_EQ (NULL, krait_history_read_memory ("text", "", 0, "no-such", message, sizeof message));
  ASSERT (strstr (message, "no-such"));
  ASSERT_EQ (NULL, krait_history_read_memory ("text", "", 0, "cobra", message, sizeof message));
  ASSERT (strstr (message, "folder"));
  ASSERT_EQ (NULL, krait_history_read_memory ("text", "s1 T1 {", 7, "kht", message, 5));
  ASSERT_EQ (4, strlen (message));
  ASSERT_EQ (NULL, krait_history_read_memory ("text", "s1 T1 {", 7, "kht", NULL, 0));
  PASS ();
}

TEST options_are_checked (void) {
  krait_history *history = read_text (valid);
  krait_options *options = krait_options_new ();
  ASSERT_EQ (NULL, krait_check (history, options));
  ASSERT_FALSE (krait_options_set_level (options, "none-such"));
  ASSERT_FALSE (krait_options_set_own_writes (options, "none-such"));
  ASSERT (krait_options_set_own_writes (options, "must"));
  krait_options_free (options);
  krait_history_free (history);
  PASS ();
}

TEST dialects_are_named (void) {
  krait_history *history =
    read_text ("s1 T1 { get x -> nil; put x 1 } commit\ns2 T2 { get x -> nil; put x 2 } commit\n");
  krait_options *options = krait_options_new ();
  ASSERT (krait_options_set_level (options, "snapshot-isolation"));
  ASSERT_FALSE (krait_options_set_dialect (options, "none-such"));
  krait_result *plain = krait_check (history, options);
  ASSERT_EQ (KRAIT_INVALID, krait_result_verdict (plain));
  ASSERT_EQ (NULL, krait_result_dialect (plain));
  for (size_t i = 0; i < krait_dialect_count (); i++)
    ASSERT (krait_dialect_about (i) && krait_options_set_dialect (options, krait_dialect_name (i)));
  ASSERT_EQ (NULL, krait_dialect_name (krait_dialect_count ()));
  ASSERT (krait_options_set_dialect (options, "mariadb-rr"));
  krait_result *rewritten = krait_check (history, options);
  ASSERT_EQ (KRAIT_VALID, krait_result_verdict (rewritten));
  ASSERT_STR_EQ ("mariadb-rr", krait_result_dialect (rewritten));
  ASSERT (krait_options_set_dialect (options, NULL));
  krait_result_free (rewritten);
  krait_result_free (plain);
  krait_options_free (options);
  krait_history_free (history);
  PASS ();
}

TEST own_writes_are_named (void) {
  static const struct {
    const char *asked, *used;
    krait_verdict verdict;
  } cases[] = { { "must", "must", KRAIT_INVALID },
                { "external", "external", KRAIT_VALID },
                { "may", "may", KRAIT_VALID },
                { "infer", "external", KRAIT_VALID } };
  krait_history *history = read_text ("s1 T1 { put x 1; get x -> nil } commit\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    krait_options *options = krait_options_new ();
    ASSERT (krait_options_set_level (options, "serializable"));
    ASSERT (krait_options_set_own_writes (options, cases[i].asked));
    krait_result *result = krait_check (history, options);
    ASSERT_EQ (cases[i].verdict, krait_result_verdict (result));
    ASSERT_STR_EQ (cases[i].used, krait_result_own_writes (result));
    krait_result_free (result);
    krait_options_free (options);
  }
  krait_history_free (history);
  PASS ();
}

TEST init_can_be_replaced (void) {
  static const struct {
    const char *init;
    krait_verdict verdict;
  } cases[] = { { "absent", KRAIT_INVALID }, { "any", KRAIT_VALID }, { "0", KRAIT_VALID },
                { "\"0\"", KRAIT_INVALID },  { "1", KRAIT_INVALID }, { "0", KRAIT_VALID } };
  krait_history *history = read_text (valid);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ASSERT (krait_history_set_init (history, cases[i].init));
    krait_result *result = check (history, "serializable");
    ASSERT_EQ (cases[i].verdict, krait_result_verdict (result));
    krait_result_free (result);
  }
  krait_history_free (history);
  PASS ();
}

static void count_phases (void *context, const char *phase, double fraction) {
  (void) fraction;
  *(int *) context += phase != NULL;
}

TEST progress_and_limits (void) {
  int phases = 0;
  krait_history *history = read_text (valid);
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, "serializable");
  krait_options_set_progress (options, count_phases, &phases);
  krait_options_set_timeout (options, 60);
  krait_options_set_threads (options, 2);
  krait_options_set_seed (options, 5);
  krait_options_set_clock_skew (options, 5);
  krait_result *result = krait_check (history, options);
  ASSERT_EQ (KRAIT_VALID, krait_result_verdict (result));
  ASSERT (phases > 0);
  krait_result_free (result);
  krait_options_free (options);
  krait_history_free (history);
  PASS ();
}

SUITE (suite) {
  RUN_TEST (levels_are_listed);
  RUN_TEST (histories_are_counted);
  RUN_TEST (valid_and_invalid);
  RUN_TEST (unknown_has_a_reason);
  RUN_TEST (bad_input_is_told);
  RUN_TEST (options_are_checked);
  RUN_TEST (dialects_are_named);
  RUN_TEST (own_writes_are_named);
  RUN_TEST (init_can_be_replaced);
  RUN_TEST (progress_and_limits);
}

KRAIT_UNIT_MAIN (RUN_SUITE (suite);)
