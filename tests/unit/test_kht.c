// The text form: it holds all that JSON Lines holds, and reads what people write. Mistakes are in
// tests/malformed.

#include "greatest_main.h"
#include "tests/support/history_equal.h"
#include "tests/support/random_ops.h"
#include "tests/support/round_trip.h"

#include <string.h>

static struct error error;

static struct history *read_as (const char *text, const struct format *format) {
  error = (struct error){ 0 };
  return history_read_memory ("test", text, strlen (text), format, &error);
}

#define SAME(kht, jsonl)                                                                                               \
  do {                                                                                                                 \
    struct history *text_ = read_as (kht, &format_kht);                                                                \
    ASSERTm (error.text, text_);                                                                                       \
    struct history *lines_ = read_as (jsonl, &format_jsonl);                                                           \
    ASSERTm (error.text, lines_);                                                                                      \
    const char *difference_ = history_difference (text_, lines_);                                                      \
    ASSERTm (difference_ ? difference_ : "", !difference_);                                                            \
    history_free (text_);                                                                                              \
    history_free (lines_);                                                                                             \
  } while (0)

TEST random_histories_come_back (void) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct history *before = random_ops_history (seed);
    error = (struct error){ 0 };
    struct history *after = round_trip (before, &format_kht, &error);
    const char *difference = after ? history_difference (before, after) : error.text;
    if (difference) {
      size_t length;
      printf ("seed %llu: %s\n%s", (unsigned long long) seed, difference, round_trip_text (&length));
    }
    ASSERT (!difference);
    history_free (before);
    history_free (after);
  }
  PASS ();
}

TEST json_lines_to_text_and_back (void) {
  for (uint64_t seed = 5000; seed < 6000; seed++) {
    struct history *before = random_ops_history (seed);
    error = (struct error){ 0 };
    struct history *lines = round_trip (before, &format_jsonl, &error);
    ASSERTm (error.text, lines);
    size_t length, again_length;
    char *text = mem_strdup (round_trip_text (&length));
    struct history *people = round_trip (lines, &format_kht, &error);
    ASSERTm (error.text, people);
    struct history *again = round_trip (people, &format_jsonl, &error);
    ASSERTm (error.text, again);
    ASSERT_STR_EQ (text, round_trip_text (&again_length));
    ASSERT_EQ (length, again_length);
    mem_free (text);
    history_free (before);
    history_free (lines);
    history_free (people);
    history_free (again);
  }
  PASS ();
}

TEST the_example_of_the_manual (void) {
  SAME ("s1 T1 [10 20] { put x 1; get y -> 2; get z -> nil; del q; scan a m -> b=1 c=2; iter a m -> b=1 ... } commit",
        "{\"s\":1,\"t\":1,\"st\":\"ok\",\"b\":10,\"e\":20,\"ops\":[[\"put\",\"x\",1],[\"get\",\"y\",2],[\"get\",\"z\","
        "null],"
        "[\"del\",\"q\"],[\"scan\",\"a\",\"m\",[[\"b\",1],[\"c\",2]]],[\"iter\",\"a\",\"m\",[[\"b\",1]]]]}");
  PASS ();
}

TEST operations (void) {
  SAME (
    "s0 T0 { append x 1; list x -> [1 a \"b c\"]; list x -> []; list x -> nil; list x; cas x 1 2 -> ok; cas x nil 2 -> "
    "failed;"
    " cas x 1 2; del x -> found; del x -> absent; get x; scan - m; scan a - ->; scan a b -> none; scan a b -> none=1;"
    " iter - - -> a=1; iter a b -> ...; iter a b @reverse; } abort",
    "{\"s\":0,\"t\":0,\"st\":\"abort\",\"ops\":[[\"append\",\"x\",1],[\"list\",\"x\",[1,\"a\",\"b "
    "c\"]],[\"list\",\"x\",[]],"
    "[\"list\",\"x\",null],[\"list\",\"x\"],[\"cas\",\"x\",1,2,true],[\"cas\",\"x\",null,2,false],[\"cas\",\"x\",1,2],"
    "[\"del\",\"x\",true],[\"del\",\"x\",false],[\"get\",\"x\"],[\"scan\",null,\"m\"],[\"scan\",\"a\",null,[]],"
    "[\"scan\",\"a\",\"b\",[]],[\"scan\",\"a\",\"b\",[[\"none\",1]]],[\"iter\",null,null,[[\"a\",1]],{\"end\":true}],"
    "[\"iter\",\"a\",\"b\",[]],[\"iter\",\"a\",\"b\",{\"reverse\":true}]]}");
  PASS ();
}

TEST marks (void) {
  SAME ("s0 T0 [- 5] hints={\"commitTs\": 7} { get x -> 1 @update @[1 2] @version={\"a\": [1, 2]}; put x 2 @[- 3];"
        " scan a b -> c=1 @share; del x -> found @[3 -] } unknown",
        "{\"s\":0,\"t\":0,\"st\":\"unknown\",\"e\":5,\"h\":{\"commitTs\":7},\"ops\":[[\"get\",\"x\",1,{\"lock\":"
        "\"update\",\"b\":1,"
        "\"e\":2,\"version\":{\"a\":[1,2]}}],[\"put\",\"x\",2,{\"e\":3}],[\"scan\",\"a\",\"b\",[[\"c\",1]],{\"lock\":"
        "\"share\"}],"
        "[\"del\",\"x\",true,{\"b\":3}]]}");
  PASS ();
}

TEST headers (void) {
  SAME (
    "# first a comment\nkrait 1 keys=int init=any source=\"a \\\"b\\\"\" hints={ \"uniqueValues\" : true } # and "
    "another\n",
    "{\"krait\":1,\"keys\":\"int\",\"init\":\"any\",\"source\":\"a \\\"b\\\"\",\"hints\":{\"uniqueValues\":true}}\n");
  SAME ("krait 1 init=\"any\"\ninit { x=1 \"y z\"=nil\n z=w }\ns1 T1 { } commit\n",
        "{\"krait\":1,\"init\":{\"default\":\"any\",\"keys\":[[\"x\",1],[\"y z\",null],[\"z\",\"w\"]]}}\n"
        "{\"s\":1,\"t\":1,\"st\":\"ok\",\"ops\":[]}\n");
  SAME ("init { 1=2 }\ninit { 2=3 }\n", "{\"krait\":1,\"init\":{\"keys\":[[1,2],[2,3]]}}\n");
  SAME ("krait 1 init=absent", "");
  PASS ();
}

TEST strings_and_integers (void) {
  SAME ("s1 T1 { put a 1; put a \"1\"; put a -9223372036854775808; put a 18446744073709551615; put \"\" "
        "\"\\x00\\xff\\n\\\"\\\\\\t\\r\";"
        " put user:7/a.b_c \"caf\xc3\xa9\" } commit",
        "{\"s\":1,\"t\":1,\"st\":\"ok\",\"ops\":[[\"put\",\"a\",1],[\"put\",\"a\",\"1\"],[\"put\",\"a\",-"
        "9223372036854775808],"
        "[\"put\",\"a\",18446744073709551615],[\"put\",\"\",{\"b64\":\"AP8KIlwJDQ==\"}],[\"put\",\"user:7/"
        "a.b_c\",\"caf\xc3\xa9\"]]}");
  PASS ();
}

TEST lines_and_comments (void) {
  SAME ("\n\n# comment\r\ns1 T1 { # why\n  put x 1; # one\n\n  put y 2\n} commit # done\r\ns1 T2 {} commit",
        "{\"s\":1,\"t\":1,\"st\":\"ok\",\"ops\":[[\"put\",\"x\",1],[\"put\",\"y\",2]]}\n{\"s\":1,\"t\":2,\"st\":\"ok\","
        "\"ops\":[]}\n");
  PASS ();
}

TEST it_is_told_by_its_first_bytes (void) {
  static const struct {
    const char *text;
    bool is_ours;
  } heads[] = {
    { "krait 1", true },           { "# note\ns1 T1 {", true }, { "init { x=1 }", true },   { "s10   T3 [1 2]", true },
    { "r(1,2,3,4)\n", false },     { "s1 put", false },         { "{\"krait\":1}", false }, { "", false },
    { "# only a comment", false }, { "r 1 2\n-----\n", false }, { "Krait", false },
  };
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    ASSERT_EQm (heads[i].text, heads[i].is_ours,
                format_begins_so (&format_kht, "-", heads[i].text, strlen (heads[i].text)));
  ASSERT (format_begins_so (&format_kht, "empty.kht", "# only a comment", 16));
  PASS ();
}

SUITE (kht) {
  RUN_TEST (random_histories_come_back);
  RUN_TEST (json_lines_to_text_and_back);
  RUN_TEST (the_example_of_the_manual);
  RUN_TEST (operations);
  RUN_TEST (marks);
  RUN_TEST (headers);
  RUN_TEST (strings_and_integers);
  RUN_TEST (lines_and_comments);
  RUN_TEST (it_is_told_by_its_first_bytes);
}

KRAIT_UNIT_MAIN (RUN_SUITE (kht);)
