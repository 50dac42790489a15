// Jepsen's histories, in EDN and in JSON: what they say, told as Krait text. Mistakes are in
// tests/malformed.

#include "greatest_main.h"
#include "tests/support/history_equal.h"
#include "tests/support/round_trip.h"
#include "tests/support/sample_history.h"

#include <string.h>

static struct error error;

// The history as text, without the header line; static.
static const char *told (const char *text, const struct format *format) {
  error = (struct error){ 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format, &error);
  if (!h)
    return error.text;
  const char *why = "";
  if (!history_validate (h, &why))
    return why;
  struct history *again = round_trip (h, &format_kht, &error);
  history_free (h);
  history_free (again);
  size_t length;
  const char *header_end = strchr (round_trip_text (&length), '\n');
  return header_end ? header_end + 1 : "no header";
}

#define SAYS(expected, text) ASSERT_STR_EQ (expected, told (text, &format_jepsen))
#define SAYS_IN_JSON(expected, text) ASSERT_STR_EQ (expected, told (text, &format_jepsen_json))

TEST invocations_are_paired_with_completions (void) {
  SAYS ("s0 T1 [10 30] { append 1 5; list 1 -> [5] } commit\n"
        "s1 T2 [20 40] { list 1 -> [5] } commit\n",
        "{:type :invoke, :f :txn, :value [[:append 1 5] [:r 1 nil]], :process 0, :time 10, :index 0}\n"
        "{:type :invoke, :f :txn, :value [[:r 1 nil]], :process 1, :time 20, :index 1}\n"
        "{:type :ok, :f :txn, :value [[:append 1 5] [:r 1 [5]]], :process 0, :time 30, :index 2}\n"
        "{:type :ok, :f :txn, :value [[:r 1 [5]]], :process 1, :time 40, :index 3}\n");
  SAYS_IN_JSON (
    "s0 T1 [10 30] { append 1 5; list 1 -> [5] } commit\n",
    "[{\"type\":\"invoke\",\"process\":0,\"f\":\"txn\",\"time\":10,\"value\":[[\"append\",1,5],[\"r\",1,null]]},\n"
    " {\"value\":[[\"append\",1,5],[\"r\",1,[5]]], \"process\" : 0,\"type\":\"ok\",\n\"time\":30}]\n");
  PASS ();
}

TEST outcomes (void) {
  // Of what failed, the invocation tells what was tried; a read of nil never came back.
  SAYS ("s0 T1 [1 2] { put 1 5; get 2 } abort\n"
        "s0 T2 [3 4] { put 1 6; get 2 -> 7 } unknown\n",
        "{:type :invoke, :process 0, :value [[:w 1 5] [:r 2 nil]], :index 1}\n"
        "{:type :fail, :process 0, :value nil, :index 2}\n"
        "{:type :invoke, :process 0, :value [[:w 1 6] [:r 2 nil]], :index 3}\n"
        "{:type :info, :process 0, :value [[:w 1 6] [:r 2 7]], :error :timeout, :index 4}\n");
  // A completion that says less than its invocation does not take writes back.
  SAYS ("s0 T1 [1 2] { put 1 5; put 2 6 } unknown\n", "{:type :invoke, :process 0, :value [[:w 1 5] [:w 2 6]]}\n"
                                                      "{:type :info, :process 0, :value [[:w 1 5]]}\n");
  SAYS ("s0 T1 [1 2] { put 1 5; get 2 } commit\n",
        "{:type :invoke, :process 0, :value [[:w 1 5] [:r 2 nil]]}\n{:type :ok, :process 0}\n");
  PASS ();
}

TEST unknown_outcomes_end_sessions (void) {
  SAYS ("s0 T1 [1 2] { put 1 1 } unknown\n"
        "s3 T3 { put 3 3 } unknown\n" // never completed; its process invokes again
        "s4 T2 [3 4] { put 2 2 } commit\n"
        "s5 T4 [6 7] { put 4 4 } commit\n",
        "{:type :invoke, :process 0, :value [[:w 1 1]], :time 1}\n"
        "{:type :info, :process 0, :value [[:w 1 1]], :time 2}\n"
        "{:type :invoke, :process 0, :value [[:w 2 2]], :time 3}\n"
        "{:type :ok, :process 0, :value [[:w 2 2]], :time 4}\n"
        "{:type :invoke, :process 3, :value [[:w 3 3]]}\n"
        "{:type :invoke, :process 3, :value [[:w 4 4]], :time 6}\n"
        "{:type :ok, :process 3, :value [[:w 4 4]], :time 7}\n");
  SAYS ("s7 T1 [5 -] { append 1 1 } unknown\n", "{:type :invoke, :process 7, :value [[:append 1 1]], :time 5}\n");
  PASS ();
}

TEST completions_alone_have_no_begin (void) {
  SAYS ("s1 T1 { append 1 1 } abort\ns2 T2 { list 1 -> [1] } commit\n",
        "{:index 0, :type :fail, :process 1, :f :txn, :value [[:append 1 1]]}\n"
        "{:index 1, :type :ok, :process 2, :f :txn, :value [[:r 1 [1]]]}");
  SAYS ("s1 T1 [- 9] { get 1 -> nil } commit\n", "{:time 9, :type :ok, :process 1, :value [[:r 1 nil]]}");
  PASS ();
}

TEST without_times_the_order_of_lines_is_the_clock (void) {
  SAYS ("s0 T1 [5 7] { } commit\ns1 T2 [9 -] { } unknown\n",
        "{:type :invoke, :process 0, :index 5}\n{:type :ok, :process 0, :index 7}\n{:type :invoke, :process 1, :index "
        "9}\n");
  // Indexes that are missing or fall: lines are counted.
  SAYS ("s0 T1 [1 2] { } commit\n", "{:type :invoke, :process 0, :index 5}{:type :ok, :process 0}");
  SAYS ("s0 T1 [1 2] { } commit\n", "{:type :invoke, :process 0, :index 5}{:type :ok, :process 0, :index 4}");
  PASS ();
}

TEST nil_depends_on_the_key (void) {
  SAYS ("s0 T1 { list 1 -> nil; get 2 -> nil; list 3 -> nil } commit\n"
        "s0 T2 { append 1 1; put 2 1; list 3 -> [] } commit\n"
        "s0 T3 { list 1; get 2 } abort\n",
        "{:type :ok, :process 0, :value [[:r 1 nil] [:r 2 nil] [:r 3]]}\n"
        "{:type :ok, :process 0, :value [[:append 1 1] [:w 2 1] [:r 3 []]]}\n"
        "{:type :fail, :process 0, :value [[:r 1 nil] [:r 2 nil]]}\n");
  PASS ();
}

TEST lines_without_process_are_one_session (void) {
  SAYS ("s0 T1 [1 2] { append 253 1 } commit\ns0 T2 [3 4] { list 253 -> [1] } commit\n",
        "{:type :invoke, :value [[:append 253 1]]}\n{:type :ok :value [[:append 253 1]]}\n"
        "{:type :invoke, :value [[:r 253 nil]]}\n{:type :ok, :value [[:r 253 [1]]]}\n");
  SAYS ("s4 T1 { put 1 1 } commit\ns5 T2 { put 1 2 } commit\n",
        "{:type :ok :process 4 :value [[:w 1 1]]} {:type :ok, :value [[:w 1 2]]}");
  PASS ();
}

TEST others_are_left_out (void) {
  SAYS ("s1 T1 { } commit\n",
        "{:type :info, :f :start, :process :nemesis, :value [:isolated {\"n1\" #{\"n2\" \"n3\"}}]}\n"
        "{:type :ok, :process 1, :value []}\n");
  SAYS_IN_JSON ("s1 T1 { } commit\n", "{\"type\":\"info\",\"process\":\"nemesis\",\"value\":{\"a\":[1.5e3]}}\n"
                                      "{\"type\":\"ok\",\"process\":1,\"value\":[],\"error\":[null,{\"x\":true}]}\n");
  static const char text[] = "\n{:type :ok, :f :dump, :process 1, :value {}}\n{:type :ok, :f :txn, :process 1}\n";
  ASSERT_EQ (NULL, history_read_memory ("test", text, strlen (text), &format_jepsen, &error));
  ASSERT (strstr (error.text, "test:2: operations :f :dump, which no reader of Krait knows"));
  error = (struct error){ 0 };
  PASS ();
}

TEST all_of_edn_is_passed_over (void) {
  SAYS ("s0 T1 [1 2] { put 1 3 } commit\n",
        "; a comment\n#jepsen.history.Op{:index 0, :time 1,:type :invoke,:process 0,:f :txn,:value [[:w 1 3]]}\r\n"
        "#_ {:type :broken} #_#_ 1 2 \n"
        "#jepsen.history.Op{:index 1 :time 2 :type :ok :process 0 :f :txn :value [#_ [:w 9 9] [:w , 1 3N]]\n"
        "  :error [\\a \\newline \\( \"st\\\"ring}\" #\"reg(ex\" #inst \"2020\" #uuid \"x\" 1.5e9 1/2 ##Inf +5 -3 true "
        "sym/bol :a/b]\n"
        "  :exception {:via [{:type com.x.Y, :at [z \"f\" 1]}], [1 2] #{}, nil (), \"k\" #:ns{:a 1}}}\n");
  SAYS ("s0 T1 { } commit\ns0 T2 { } commit\n", "({:type :ok :process 0}, {:type :ok, :process 0 :value ()})");
  PASS ();
}

TEST keys_and_values (void) {
  SAYS ("s0 T1 { put \":x\" 1; put \"a-b\" \":v\"; put \"\xc3\xa9\\n\" true } commit\n",
        "{:type :ok :process 0 :value [[:w :x 1] [:w \"a-b\" :v] [:w \"\\u00e9\\n\" true]]}");
  SAYS ("s0 T1 { put -9223372036854775808 18446744073709551615 } commit\n",
        "{:type :ok :process 0 :value [[:w -9223372036854775808 18446744073709551615]]}");
  // Integers among strings are strings.
  SAYS ("s0 T1 { put \"-1\" 1; put x \"1\"; put \"2\" \"1.5\" } commit\n",
        "{:type :ok :process 0 :value [[:w -1 1] [:w \"x\" \"1\"] [:w 2 1.5]]}");
  PASS ();
}

TEST half_a_last_line_is_dropped (const struct format *format, const char *text) {
  error = (struct error){ 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format, &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (1u, history_txns (h));
  ASSERT_STR_EQ ("test:2: dropped the last line: it is not complete", h->warnings);
  history_free (h);
  PASS ();
}

TEST found_by_content (const struct format *format, const char *text) {
  for (size_t i = 0; formats[i]; i++)
    if (formats[i]->read)
      ASSERT_EQ (formats[i] == format, format_begins_so (formats[i], "", text, strlen (text)));
  PASS ();
}

TEST every_truncation_is_survived (const struct format *format, const char *text) {
  for (size_t length = 0; length < strlen (text); length++) {
    char *exact = mem_alloc (length + !length);
    memcpy (exact, text, length);
    error = (struct error){ 0 };
    struct history *h = history_read_memory ("test", exact, length, format, &error);
    ASSERT (h || (error.code == ERROR_INPUT && !strncmp (error.text, "test:", 5)));
    history_free (h);
    mem_free (exact);
  }
  PASS ();
}

// Ids are numbered anew by the reader.
static void number (struct history *h) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    h->txn_ids.data[txn] = txn + 1;
}

TEST json_round_trip (void) {
  for (uint64_t seed = 0; seed < 3000; seed++) {
    struct history *before = sample_history (SAMPLE_JEPSEN, seed);
    error = (struct error){ 0 };
    struct history *after = round_trip (before, &format_jepsen_json, &error);
    ASSERTm (error.text, after);
    number (before);
    number (after);
    const char *difference = history_difference (before, after);
    size_t length;
    if (difference)
      printf ("seed %llu: %s\n%s", (unsigned long long) seed, difference, round_trip_text (&length));
    ASSERT (!difference);
    history_free (before);
    history_free (after);
  }
  PASS ();
}

static struct history *from_text (const char *text) {
  error = (struct error){ 0 };
  return history_read_memory ("test", text, strlen (text), &format_kht, &error);
}

TEST json_is_written (const char *text, const char *expected) {
  struct history *h = from_text (text);
  ASSERTm (error.text, h);
  struct history *again = round_trip (h, &format_jepsen_json, &error);
  size_t length;
  ASSERT_STR_EQ (expected, again ? round_trip_text (&length) : error.text);
  history_free (h);
  history_free (again);
  PASS ();
}

SUITE (reading) {
  RUN_TEST (invocations_are_paired_with_completions);
  RUN_TEST (outcomes);
  RUN_TEST (unknown_outcomes_end_sessions);
  RUN_TEST (completions_alone_have_no_begin);
  RUN_TEST (without_times_the_order_of_lines_is_the_clock);
  RUN_TEST (nil_depends_on_the_key);
  RUN_TEST (lines_without_process_are_one_session);
  RUN_TEST (others_are_left_out);
  RUN_TEST (all_of_edn_is_passed_over);
  RUN_TEST (keys_and_values);
  RUN_TESTp (half_a_last_line_is_dropped, &format_jepsen, "{:type :ok :process 0}\n{:type :ok :proc");
  RUN_TESTp (half_a_last_line_is_dropped, &format_jepsen, "{:type :ok :process 0}\n{:type :ok :value [[:r \"x");
  RUN_TESTp (half_a_last_line_is_dropped, &format_jepsen_json, "{\"type\":\"ok\"}\n{\"type\":\"ok\",\"val");
}

SUITE (content) {
  RUN_TESTp (found_by_content, &format_jepsen, "; hello\n\n #jepsen.history.Op{:index 0, :type :ok}");
  RUN_TESTp (found_by_content, &format_jepsen, "[{:type :invoke, :f :read, :value [[:r 0 nil]]}]");
  RUN_TESTp (found_by_content, &format_jepsen_json, "[\n {\"value\":[[\"r\",1,2]],\n\"type\":\"ok\"}]");
  RUN_TESTp (found_by_content, &format_jepsen_json, "{\"process\":1,\"value\":[[\"r\",1,2],[\"r\",1"); // cut
  static const char edn[] =
    "#x{:type :ok, :process 0, :time -5, :error [\\a \"\\u0041\" #{1}], :value [[:r :k [1 2]] [:w 7 nil]]} ; ";
  static const char json[] =
    "[{\"type\":\"info\",\"process\":12,\"value\":[[\"append\",\"\\u00e9\",-1],[\"r\",1,[2,3]]]}]";
  RUN_TESTp (every_truncation_is_survived, &format_jepsen, edn);
  RUN_TESTp (every_truncation_is_survived, &format_jepsen_json, json);
}

SUITE (writing) {
  RUN_TEST (json_round_trip);
  // By time; an invocation goes before a completion at the same moment.
  RUN_TESTp (
    json_is_written,
    "s1 T1 [1 5] { append x 1; get y -> nil } commit\n"
    "s2 T2 [5 -] { list x; put y 2 } unknown\n",
    "[{\"index\":0,\"time\":1,\"type\":\"invoke\",\"process\":1,\"f\":\"txn\",\"value\":[[\"append\",\"x\",1],[\"r\","
    "\"y\",null]]},\n"
    "{\"index\":1,\"time\":5,\"type\":\"invoke\",\"process\":2,\"f\":\"txn\",\"value\":[[\"r\",\"x\",null],[\"w\","
    "\"y\",2]]},\n"
    "{\"index\":2,\"time\":5,\"type\":\"ok\",\"process\":1,\"f\":\"txn\",\"value\":[[\"append\",\"x\",1],[\"r\",\"y\","
    "null]]},\n"
    "{\"index\":3,\"type\":\"info\",\"process\":2,\"f\":\"txn\",\"value\":[[\"r\",\"x\",null],[\"w\",\"y\",2]]}]\n");
  RUN_TESTp (json_is_written, "s1 T1 { put 1 -2 } abort\n",
             "[{\"index\":0,\"type\":\"fail\",\"process\":1,\"f\":\"txn\",\"value\":[[\"w\",1,-2]]}]\n");
  RUN_TESTp (json_is_written, "", "[]\n");
#define REFUSED(text, why) RUN_TESTp (json_is_written, text, "test: " why " cannot be written as Jepsen's JSON")
  REFUSED ("krait 1 init=any\ns1 T1 { } commit\n", "an initial state other than `absent`");
  REFUSED ("s1 T7 { put 1 1; del 1 } commit\n", "transaction 7, operation 2: del");
  REFUSED ("s1 T7 { scan 1 2 -> } commit\n", "transaction 7, operation 1: scan");
  REFUSED ("s1 T7 { get 1 } commit\n", "transaction 7, operation 1: a read without a result");
  REFUSED ("s1 T7 { list 1 } commit\n", "transaction 7, operation 1: a read without a result");
  REFUSED ("s1 T7 { get 1 -> nil } unknown\n",
           "transaction 7, operation 1: a read of absent in a transaction of unknown outcome");
  REFUSED ("s1 T7 { append 1 1; get 1 -> 1 } commit\n", "transaction 7, operation 2: a get of a key that holds a list");
  REFUSED ("s1 T7 { put \"\\xff\" 1 } commit\n", "transaction 7, operation 1: bytes that are not UTF-8");
  REFUSED ("s1 T7 { put 1 1 } unknown\ns1 T8 { } commit\n",
           "transaction 7: a session that goes on after an unknown outcome");
  REFUSED ("s9223372036854775807 T7 { } commit\n", "transaction 7: a session number beyond 2^63-2");
#undef REFUSED
}

KRAIT_UNIT_MAIN (RUN_SUITE (reading); RUN_SUITE (content); RUN_SUITE (writing);)
