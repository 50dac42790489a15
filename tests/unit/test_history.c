// Building a history: what builders refuse, how sessions are brought together, what validation
// catches.

#include "greatest_main.h"
#include "history/history.h"
#include "tests/support/history_equal.h"
#include "tests/support/sample_history.h"

#include <string.h>

static const char *why;

static bool begin (struct history *h, uint64_t session, uint64_t id, int64_t begin_time, int64_t end_time) {
  const struct txn_header header = { session, true, id, TXN_COMMITTED, begin_time, end_time };
  return history_begin_txn (h, &header, &why);
}

static bool begin_plain (struct history *h, uint64_t session, uint64_t id) {
  return begin (h, session, id, TIME_NONE_BEGIN, TIME_NONE_END);
}

static void put (struct history *h, uint64_t key, uint64_t value) {
  const uint32_t k = history_key (h, atom_unsigned (key), &why), v = history_value (h, atom_unsigned (value), &why);
  history_add_op (h, OP_PUT, 0, k, v, AUX_NONE, &why);
}

static uint64_t key_of (const struct history *h, uint32_t op) {
  return atoms_get (&h->keys, h->op_keys.data[op]).number;
}

TEST an_empty_history (void) {
  struct history *h = history_new ("nothing");
  history_finish (h);
  ASSERT_EQ (0u, history_txns (h));
  ASSERT_EQ (0u, history_sessions (h));
  ASSERT_EQ (1u, h->txn_first_op.count);
  ASSERT_EQ (1u, h->session_first.count);
  ASSERT (history_validate (h, &why));
  history_free (h);
  PASS ();
}

TEST sessions_are_brought_together (void) {
  struct history *h = history_new ("h");
  // Sessions 9, 4, 9, 4; operations are named by their key.
  begin_plain (h, 9, 100), put (h, 0, 1), put (h, 1, 1);
  begin_plain (h, 4, 101);
  begin (h, 9, 102, 5, 6), put (h, 2, 1), history_set_op_times (h, 1, 2), history_set_op_hint (h, "2", 1, &why);
  history_set_txn_hint (h, "102", 3, &why);
  begin_plain (h, 4, 103), put (h, 3, 1), history_set_op_times (h, 3, 4);
  history_set_status (h, TXN_ABORTED);
  history_set_txn_hint (h, "103", 3, &why);
  begin_plain (h, 9, 104), put (h, 4, 1);
  history_finish (h);
  static const uint64_t ids[] = { 100, 102, 104, 101, 103 }, keys[] = { 0, 1, 2, 4, 3 };
  for (uint32_t t = 0; t < 5; t++)
    ASSERT_EQ (ids[t], h->txn_ids.data[t]);
  for (uint32_t op = 0; op < 5; op++)
    ASSERT_EQ (keys[op], key_of (h, op));
  ASSERT_EQ (3u, h->session_first.data[1]);
  ASSERT_EQ (5u, h->session_first.data[2]);
  ASSERT_EQ (TXN_ABORTED, h->txn_status.data[4]);
  ASSERT_EQ (5, history_begin_time (h, 1));
  ASSERT_EQ (TIME_NONE_BEGIN, history_begin_time (h, 0));
  ASSERT_EQ (TIME_NONE_END, history_end_time (h, 4));
  ASSERT_EQ (2u, h->op_times.data[0].op);
  ASSERT_EQ (4u, h->op_times.data[1].op);
  ASSERT_EQ (2u, h->op_hints.data[0].owner);
  ASSERT_EQ (1u, h->txn_hints.data[0].owner);
  ASSERT_EQ (4u, h->txn_hints.data[1].owner);
  ASSERT (history_validate (h, &why));
  history_free (h);
  PASS ();
}

TEST sessions_by_label (void) {
  struct history *h = history_new ("h");
  begin_plain (h, 9, 100), put (h, 0, 1);
  begin_plain (h, 4, 101), put (h, 1, 1);
  begin_plain (h, 9, 102), put (h, 2, 1);
  begin_plain (h, 7, 103), put (h, 3, 1);
  history_sort_sessions (h);
  history_finish (h);
  static const uint64_t labels[] = { 4, 7, 9 }, ids[] = { 101, 103, 100, 102 };
  for (uint32_t s = 0; s < 3; s++)
    ASSERT_EQ (labels[s], h->session_labels.data[s]);
  for (uint32_t t = 0; t < 4; t++)
    ASSERT_EQ (ids[t], h->txn_ids.data[t]);
  ASSERT (history_validate (h, &why));
  history_free (h);
  PASS ();
}

TEST finishing_twice_changes_nothing (void) {
  for (uint64_t seed = 0; seed < 100; seed++) {
    struct history *once = sample_history (SAMPLE_FULL, seed), *twice = sample_history (SAMPLE_FULL, seed);
    history_finish (twice);
    const char *difference = history_difference (once, twice);
    ASSERT_EQm (difference, NULL, difference);
    ASSERT (history_validate (twice, &why));
    history_free (once);
    history_free (twice);
  }
  PASS ();
}

TEST builders_refuse (void) {
  struct history *h = history_new ("h");
  ASSERT (begin_plain (h, 1, 7));
  ASSERT_FALSE (begin_plain (h, 2, 7));
  ASSERT_STR_EQ ("the transaction id was used before", why);
  ASSERT_FALSE (begin (h, 1, 8, 10, 9));
  ASSERT_STR_EQ ("the transaction ends before it begins", why);
  ASSERT (begin (h, 1, 9, 10, TIME_NONE_END));
  ASSERT_FALSE (history_set_end (h, 9, &why));
  ASSERT (history_set_end (h, 10, &why));
  const uint32_t key = history_key (h, atom_unsigned (1), &why);
  ASSERT_EQ (KEY_NONE, history_key (h, atom_bytes ("1", 1), &why));
  ASSERT (strstr (why, "a string as key"));
  ASSERT (history_set_init_key (h, key, VALUE_ABSENT, &why));
  ASSERT_FALSE (history_set_init_key (h, key, VALUE_ABSENT, &why));
  ASSERT_STR_EQ ("the initial state names a key twice", why);
  history_finish (h);
  ASSERT_EQ (10, history_end_time (h, 1));
  history_free (h);
  PASS ();
}

TEST warnings_are_joined (void) {
  struct history *h = history_new ("h");
  history_warn (h, "first %d", 1);
  history_warn (h, "second");
  ASSERT_STR_EQ ("first 1\nsecond", h->warnings);
  history_free (h);
  PASS ();
}

// Each case breaks one thing in a history that was fine.
TEST validation_catches (int what, const char *expected) {
  struct history *h = history_new ("h");
  begin_plain (h, 1, 1), put (h, 1, 1), put (h, 2, 2);
  begin_plain (h, 1, 2), put (h, 3, 3);
  const uint32_t range = history_open_range (h, KEY_NONE, 0);
  history_add_item (h, 1, 1, &why);
  history_add_op (h, OP_SCAN, 0, KEY_NONE, VALUE_NONE, range, &why);
  history_finish (h);
  ASSERT (history_validate (h, &why));
  atoms_widen (&h->keys);
  switch (what) {
  case 0: h->op_keys.data[0] = 3; break;
  case 1: h->op_values.data[0] = 3; break;
  case 2: h->txn_ids.data[1] = 1; break;
  case 3: h->txn_sessions.data[1] = 1; break;
  case 4: h->txn_status.data[1] = 3; break;
  case 5: h->txn_first_op.data[1] = 5; break;
  case 6: h->keys.payloads.data[0] = 2; break;
  case 7: h->keys.kinds.data[0] = 3; break;
  case 8: h->op_kinds.data[0] = OP_KINDS; break;
  case 9: h->ranges.data[0].items = 2; break;
  case 10: h->ranges.data[0].high = 3; break;
  case 11: h->item_keys.data[0] = KEY_NONE; break;
  case 12: h->hints = 0; break;
  case 13: h->init = INIT_DEFAULT; break;
  case 14: history_set_aux (h, 3, 1); break;
  case 15: h->op_keys.count--; break;
  case 16: h->keys.kinds.data[0] = ATOM_NEGATIVE; break;
  case 17: h->key_type = KEYS_BYTES; break;
  }
  ASSERT_FALSE (history_validate (h, &why));
  ASSERT_STR_EQ (expected, why);
  history_free (h);
  PASS ();
}

static const char *const complaints[] = {
  "an operation without a key",
  "a write without a value",
  "a transaction id that was used before",
  "a transaction of no session",
  "a transaction of no known status",
  "a transaction with less than no operations",
  "a key or value that stands in its table twice",
  "an atom of no known kind",
  "an operation of no known kind",
  "a result outside of its column",
  "a bound that is not a key",
  "an item without a key or value",
  "a hint that is not there",
  "an initial value that is not there",
  "a result that is not there",
  "operation columns of different length",
  "a negative integer that is not negative",
  "keys of two types",
};

SUITE (building) {
  RUN_TEST (an_empty_history);
  RUN_TEST (sessions_are_brought_together);
  RUN_TEST (sessions_by_label);
  RUN_TEST (finishing_twice_changes_nothing);
  RUN_TEST (builders_refuse);
  RUN_TEST (warnings_are_joined);
}

SUITE (validation) {
  static int what; // greatest may jump out of a test
  for (what = 0; what < (int) (sizeof complaints / sizeof *complaints); what++)
    RUN_TESTp (validation_catches, what, complaints[what]);
}

KRAIT_UNIT_MAIN (RUN_SUITE (building); RUN_SUITE (validation);)
