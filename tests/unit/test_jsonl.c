// JSON Lines: what it holds comes back, what people write by hand is understood. Mistakes are in
// tests/malformed.

#include "greatest_main.h"
#include "tests/support/history_equal.h"
#include "tests/support/random_ops.h"
#include "tests/support/round_trip.h"

#include <string.h>

static struct error error;

static struct history *read_text (const char *text) {
  error = (struct error){ 0 };
  return history_read_memory ("test", text, strlen (text), &format_jsonl, &error);
}

#define READ(variable, lines)                                                                                          \
  struct history *variable = read_text (lines);                                                                        \
  ASSERTm (error.text, variable)

static struct atom value_of (const struct history *h, uint32_t op) {
  return atoms_get (&h->values, h->op_values.data[op]);
}

static bool has_bytes (struct atom atom, const char *bytes, size_t length) {
  return atom.kind == ATOM_BYTES && atom.length == length && !memcmp (atom.bytes, bytes, length);
}

TEST random_histories_come_back (void) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct history *before = random_ops_history (seed);
    error = (struct error){ 0 };
    struct history *after = round_trip (before, &format_jsonl, &error);
    ASSERTm (error.text, after);
    const char *difference = history_difference (before, after), *why = "";
    if (difference) {
      size_t length;
      printf ("seed %llu: %s\n%s", (unsigned long long) seed, difference, round_trip_text (&length));
    }
    ASSERT (!difference);
    ASSERTm (why, history_validate (after, &why));
    history_free (before);
    history_free (after);
  }
  PASS ();
}

TEST writing_twice_gives_the_same_bytes (void) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct history *before = random_ops_history (seed);
    struct history *once = round_trip (before, &format_jsonl, &error);
    ASSERTm (error.text, once);
    size_t length, again_length;
    char *text = mem_strdup (round_trip_text (&length));
    struct history *twice = round_trip (once, &format_jsonl, &error);
    ASSERTm (error.text, twice);
    const char *again = round_trip_text (&again_length);
    ASSERT_EQ (length, again_length);
    ASSERT_MEM_EQ (text, again, length);
    mem_free (text);
    history_free (before);
    history_free (once);
    history_free (twice);
  }
  PASS ();
}

// Space around every token; the reader's short cuts are for texts without.
static char *spread (const char *text, size_t length) {
  char *spaced = mem_alloc (3 * length + 1), *out = spaced;
  bool in_string = false;
  for (size_t i = 0; i < length; i++) {
    const bool token = !in_string && strchr ("[]{},:", text[i]);
    if (token)
      *out++ = ' ';
    *out++ = text[i];
    if (token)
      *out++ = '\t';
    if (text[i] == '"')
      in_string = !in_string;
    else if (in_string && text[i] == '\\')
      *out++ = text[++i];
  }
  *out = 0;
  return spaced;
}

TEST white_space_changes_nothing (void) {
  for (uint64_t seed = 0; seed < 500; seed++) {
    struct history *before = random_ops_history (seed);
    error = (struct error){ 0 };
    struct history *plain = round_trip (before, &format_jsonl, &error);
    ASSERTm (error.text, plain);
    size_t length;
    const char *text = round_trip_text (&length);
    char *spaced = spread (text, length);
    READ (after, spaced);
    const char *difference = history_difference (plain, after);
    ASSERTm (difference ? difference : "", !difference);
    mem_free (spaced);
    history_free (before);
    history_free (plain);
    history_free (after);
  }
  PASS ();
}

TEST members_come_in_any_order (void) {
  READ (a, "{\"s\":1,\"t\":7,\"st\":\"abort\",\"b\":3,\"e\":4,\"ops\":[[\"put\",1,2]],\"h\":{\"commitTs\":5}}\n");
  READ (b, " { \"ops\" : [ [ \"put\" , 1 , 2 ] ] ,\t\"h\":{ \"commitTs\" : 5 "
           "},\"e\":4,\"b\":3,\"st\":\"abort\",\"t\":7,\"s\":1}\n");
  ASSERT_EQ (NULL, history_difference (a, b));
  ASSERT_EQ (7u, a->txn_ids.data[0]);
  ASSERT_EQ (TXN_ABORTED, a->txn_status.data[0]);
  history_free (a);
  history_free (b);
  PASS ();
}

TEST ids_are_numbered_when_missing (void) {
  READ (h,
        "{\"s\":1,\"st\":\"ok\",\"ops\":[]}\n{\"s\":2,\"st\":\"ok\",\"ops\":[]}\n\n{\"s\":1,\"st\":\"ok\",\"ops\":[]}");
  ASSERT_EQ (3u, history_txns (h));
  ASSERT_EQ (2u, history_sessions (h));
  ASSERT_EQ (1u, h->txn_ids.data[0]);
  ASSERT_EQ (3u, h->txn_ids.data[1]);
  ASSERT_EQ (2u, h->txn_ids.data[2]);
  ASSERT_EQ (NULL, h->warnings);
  history_free (h);
  PASS ();
}

TEST strings_are_decoded (void) {
  READ (
    h,
    "{\"s\":0,\"st\":\"ok\",\"ops\":[[\"get\",\"k\",\"a\\u00e9\\ud83d\\udc0d\\n\\/\\\"\"],[\"get\",\"k\",\"\\u0000b\"],"
    "[\"get\",\"k\",{\"b64\":\"/w==\"}],[\"get\",\"k\",\"caf\xc3\xa9 and more\"],[\"get\",\"k\",{\"b64\":\"YQ==\"}],"
    "[\"get\",\"k\",\"a\"],[\"get\",\"k\",{ \"b64\" : \"\" }]]}\n");
  ASSERT (has_bytes (value_of (h, 0), "a\xc3\xa9\xf0\x9f\x90\x8d\n/\"", 10));
  ASSERT (has_bytes (value_of (h, 1), "\0b", 2));
  ASSERT (has_bytes (value_of (h, 2), "\xff", 1));
  ASSERT (has_bytes (value_of (h, 3), "caf\xc3\xa9 and more", 14));
  ASSERT_EQ (h->op_values.data[4], h->op_values.data[5]);
  ASSERT (has_bytes (value_of (h, 6), "", 0));
  history_free (h);
  PASS ();
}

TEST integers_are_exact (void) {
  READ (
    h, "{\"s\":18446744073709551615,\"t\":0,\"st\":\"ok\",\"ops\":[[\"put\",-9223372036854775808,18446744073709551615],"
       "[\"put\",9223372036854775808,\"1\"],[\"put\",0,1],[\"put\",-0,1234567890123456789]]}");
  ASSERT_EQ (UINT64_MAX, h->session_labels.data[0]);
  ASSERT_EQ (ATOM_NEGATIVE, atoms_get (&h->keys, 0).kind);
  ASSERT_EQ ((uint64_t) INT64_MIN, atoms_get (&h->keys, 0).number);
  ASSERT_EQ (UINT64_MAX, value_of (h, 0).number);
  ASSERT (has_bytes (value_of (h, 1), "1", 1));
  ASSERT_EQ (ATOM_UNSIGNED, value_of (h, 2).kind);
  ASSERT_EQ (h->op_keys.data[2], h->op_keys.data[3]);
  ASSERT_EQ (1234567890123456789u, value_of (h, 3).number);
  history_free (h);
  PASS ();
}

TEST results_may_be_missing (void) {
  READ (
    h,
    "{\"s\":0,\"st\":\"ok\",\"ops\":[[\"get\",1],[\"get\",1,null],[\"get\",1,{\"lock\":\"share\"}],[\"scan\",null,5],"
    "[\"scan\",1,null,[]],[\"iter\",1,2,{\"reverse\":true}],[\"list\",1],[\"list\",1,null],[\"list\",1,[]],[\"del\",1],"
    "[\"del\",1,false],[\"cas\",1,null,2],[\"cas\",1,2,3,true]]}");
  ASSERT_EQ (VALUE_UNRECORDED, h->op_values.data[0]);
  ASSERT_EQ (VALUE_ABSENT, h->op_values.data[1]);
  ASSERT_EQ (VALUE_UNRECORDED, h->op_values.data[2]);
  ASSERT_EQ (OP_LOCK_SHARE, history_flags (h, 2));
  ASSERT_EQ (VALUE_UNRECORDED, h->op_values.data[3]);
  ASSERT_EQ (KEY_NONE, h->ranges.data[history_aux (h, 3)].low);
  ASSERT_EQ (VALUE_NONE, h->op_values.data[4]);
  ASSERT_EQ (OP_ITER_REVERSE, history_flags (h, 5));
  ASSERT_EQ (AUX_NONE, history_aux (h, 6));
  ASSERT_EQ (VALUE_ABSENT, h->op_values.data[7]);
  ASSERT (history_aux (h, 7) != AUX_NONE);
  ASSERT_EQ (VALUE_NONE, h->op_values.data[8]);
  ASSERT_EQ (0, history_flags (h, 9));
  ASSERT_EQ (OP_RESULT_KNOWN, history_flags (h, 10));
  ASSERT_EQ (VALUE_ABSENT, h->op_values.data[11]);
  ASSERT_EQ (OP_RESULT_KNOWN | OP_RESULT_TRUE, history_flags (h, 12));
  history_free (h);
  PASS ();
}

TEST the_header_says_how_it_began (void) {
  READ (
    h, "{\"init\":{\"keys\":[[\"x\",1],[\"y\",null]],\"default\":0},\"keys\":\"bytes\",\"krait\":1,\"source\":\"here\","
       "\"hints\":{ \"uniqueValues\" : true }}\n");
  ASSERT_EQ (INIT_DEFAULT, h->init);
  ASSERT_EQ (2u, h->init_keys.count);
  ASSERT_EQ (VALUE_ABSENT, h->init_values.data[1]);
  ASSERT_EQ (KEYS_BYTES, h->key_type);
  ASSERT_STR_EQ ("here", h->source);
  ASSERT (has_bytes (atoms_get (&h->texts, h->hints), "{\"uniqueValues\":true}", 21));
  history_free (h);
  READ (any, "{\"krait\":1,\"init\":\"any\"}\n");
  ASSERT_EQ (INIT_ANY, any->init);
  ASSERT_EQ (KEYS_UNDECIDED, any->key_type);
  history_free (any);
  READ (map, "{\"krait\":1,\"init\":{\"default\":null,\"keys\":[]}}\n");
  ASSERT_EQ (INIT_ABSENT, map->init);
  history_free (map);
  PASS ();
}

TEST a_torn_last_line_is_dropped (void) {
  static const char line[] = "{\"s\":0,\"t\":2,\"st\":\"ok\",\"ops\":[[\"put\",\"k\xe2\x82\xac\\u00e9\",true1]]}";
  char text[200];
  for (size_t cut = 1; cut < sizeof line - 1; cut++) {
    snprintf (text, sizeof text, "{\"s\":0,\"t\":1,\"st\":\"ok\",\"ops\":[]}\n%.*s", (int) cut, line);
    READ (h, text);
    ASSERT_EQ (1u, history_txns (h));
    ASSERT_EQ (0u, history_keys (h));
    ASSERT_STR_EQ ("test:2: dropped the last line: it is not complete", h->warnings);
    history_free (h);
  }
  PASS ();
}

TEST only_the_last_line_may_be_torn (void) {
  ASSERT_EQ (NULL, read_text ("{\"s\":0,\"st\":\"ok\",\"ops\":[\n{\"s\":0,\"st\":\"ok\",\"ops\":[]}\n"));
  ASSERT_STR_EQ ("test:1:25: expected an element or ']', found the end of the line", error.text);
  // Whole, but wrong: that is a mistake, not an accident.
  ASSERT_EQ (NULL, read_text ("{\"s\":0,\"st\":\"ok\"}"));
  ASSERT_EQ (ERROR_INPUT, error.code);
  ASSERT_EQ (NULL, read_text ("garbage"));
  ASSERT_EQ (ERROR_INPUT, error.code);
  PASS ();
}

TEST an_earlier_mistake_is_told_first (void) {
  ASSERT_EQ (
    NULL, read_text ("{\"s\":0,\"t\":1,\"st\":\"ok\",\"ops\":[]}\n{\"s\":0,\"t\":1,\"st\":\"ok\",\"ops\":[]}\n{]\n"));
  ASSERT_STR_EQ ("test:2:12: the transaction id was used before", error.text);
  PASS ();
}

// More than one stage full of transactions, so that flushing in the middle is seen.
TEST long_histories_keep_their_order (void) {
  enum { TXNS = 3000 };
  char *text = mem_alloc (TXNS * 100);
  size_t length = 0;
  for (unsigned t = 0; t < TXNS; t++)
    length +=
      (size_t) sprintf (text + length, "{\"s\":%u,\"t\":%u,\"st\":\"ok\",\"ops\":[[\"put\",\"k%u\",\"v%u\"]]}\n", t % 3,
                        t, t % 10, t % 700);
  error = (struct error){ 0 };
  struct history *h = history_read_memory ("test", text, length, &format_jsonl, &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (10u, history_keys (h));
  ASSERT_EQ (700u, atoms_count (&h->values));
  for (uint32_t t = 0; t < TXNS; t++) {
    char value[16];
    ASSERT_EQ (3 * (t % (TXNS / 3)) + t / (TXNS / 3), h->txn_ids.data[t]);
    snprintf (value, sizeof value, "v%u", (unsigned) h->txn_ids.data[t] % 700);
    ASSERT (has_bytes (value_of (h, t), value, strlen (value)));
  }
  history_free (h);
  mem_free (text);
  PASS ();
}

TEST it_is_told_by_its_first_bytes (void) {
  static const struct {
    const char *text;
    bool is_ours;
  } heads[] = {
    { "{\"krait\":1}", true },
    { "\n { \"s\" : 1", true },
    { "{\"ops\":[", true },
    { "{\"value\":[[\"r\",1]]}", false },
    { "[{\"tid\":1}]", false },
    { "", false },
    { "{\"type\":\"ok\"}", false },
    { "s1 T1 { } commit", false },
    { "{", false },
  };
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    ASSERT_EQm (heads[i].text, heads[i].is_ours,
                format_begins_so (&format_jsonl, "-", heads[i].text, strlen (heads[i].text)));
  PASS ();
}

SUITE (jsonl) {
  RUN_TEST (random_histories_come_back);
  RUN_TEST (writing_twice_gives_the_same_bytes);
  RUN_TEST (white_space_changes_nothing);
  RUN_TEST (members_come_in_any_order);
  RUN_TEST (ids_are_numbered_when_missing);
  RUN_TEST (strings_are_decoded);
  RUN_TEST (integers_are_exact);
  RUN_TEST (results_may_be_missing);
  RUN_TEST (the_header_says_how_it_began);
  RUN_TEST (a_torn_last_line_is_dropped);
  RUN_TEST (only_the_last_line_may_be_torn);
  RUN_TEST (an_earlier_mistake_is_told_first);
  RUN_TEST (long_histories_keep_their_order);
  RUN_TEST (it_is_told_by_its_first_bytes);
}

KRAIT_UNIT_MAIN (RUN_SUITE (jsonl);)
