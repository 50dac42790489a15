// The order of transactions in files: as the history says, for formats that can mix sessions; and
// what the generator asks for.

#include "formats/formats.h"
#include "generate/generate.h"
#include "greatest_main.h"
#include "tests/support/history_equal.h"
#include "tests/support/random_ops.h"
#include "tests/support/round_trip.h"

#include <string.h>

static struct error error;

// The first transaction of each session, then the second of each, and so on: sessions still appear
// in their order.
static void take_turns (struct history *h) {
  const uint32_t *first = h->session_first.data;
  for (uint32_t round = 0; h->txn_order.count < history_txns (h); round++)
    for (uint32_t s = 0; s < history_sessions (h); s++)
      if (first[s] + round < first[s + 1])
        VEC_PUSH (h->txn_order, first[s] + round);
}

TEST another_order_says_the_same (const struct format *format) {
  for (uint64_t seed = 0; seed < 1000; seed++) {
    struct history *before = random_ops_history (seed);
    take_turns (before);
    error = (struct error){ 0 };
    struct history *after = round_trip (before, format, &error);
    const char *difference = after ? history_difference (before, after) : error.text;
    if (difference)
      printf ("seed %llu\n", (unsigned long long) seed);
    ASSERTm (difference ? difference : "", !difference);
    history_free (before);
    history_free (after);
  }
  PASS ();
}

static struct history *generated (bool group_by_session, bool times) {
  struct generate_options options;
  struct generate_summary summary;
  generate_options_default (&options);
  options.workload = workload_find ("blindw");
  options.isolation = isolation_find ("serializable");
  options.txns = 500;
  options.sessions = 7;
  options.times = times;
  options.group_by_session = group_by_session;
  return generate (&options, &summary);
}

static const char *written (const struct history *h) {
  size_t length;
  history_free (round_trip (h, &format_kht, &error));
  return round_trip_text (&length);
}

// Sessions and ids of the lines "sN TN [BEGIN END] …" of a text; the number of lines.
static unsigned lines_of (const char *text, unsigned long *sessions, unsigned long *ids, long *ends) {
  unsigned count = 0;
  for (const char *at = strchr (text, '\n') + 1; *at; at = strchr (at, '\n') + 1, count++) {
    char *rest;
    sessions[count] = strtoul (at + 1, &rest, 10);
    ids[count] = strtoul (rest + 2, &rest, 10);
    ends[count] = rest[1] == '[' ? (strtol (rest + 2, &rest, 10), strtol (rest, &rest, 10)) : 0;
  }
  return count;
}

static unsigned long sessions[500], ids[500];
static long ends[500];

TEST transactions_in_the_order_of_their_ends (void) {
  struct history *h = generated (false, true);
  ASSERT_EQ (500, lines_of (written (h), sessions, ids, ends));
  unsigned changes = 0;
  for (unsigned i = 0; i < 500; i++) {
    ASSERT_EQ (i + 1, ids[i]);
    ASSERT (!i || ends[i - 1] <= ends[i]);
    changes += i && sessions[i - 1] != sessions[i];
  }
  ASSERT (changes > 100);
  history_free (h);
  PASS ();
}

TEST one_session_after_the_other (void) {
  struct history *h = generated (true, true);
  ASSERT_EQ (500, lines_of (written (h), sessions, ids, ends));
  for (unsigned i = 0; i < 500; i++) {
    ASSERT_EQ (i + 1, ids[i]);
    ASSERT (!i || sessions[i - 1] <= sessions[i]);
    ASSERT (!i || sessions[i - 1] != sessions[i] || ends[i - 1] < ends[i]);
  }
  ASSERT_EQ (1, sessions[0]);
  ASSERT_EQ (7, sessions[499]);
  history_free (h);
  PASS ();
}

// The order is the same when the times that it comes from are left out, and so is everything else.
TEST times_make_no_difference (void) {
  unsigned long other_sessions[500];
  struct history *h = generated (false, true), *without = generated (false, false);
  lines_of (written (h), sessions, ids, ends);
  lines_of (written (without), other_sessions, ids, ends);
  for (unsigned i = 0; i < 500; i++)
    ASSERT_EQ (sessions[i], other_sessions[i]);
  VEC_FREE (h->txn_begin);
  VEC_FREE (h->txn_end);
  const char *difference = history_difference (h, without);
  ASSERTm (difference ? difference : "", !difference);
  history_free (h);
  history_free (without);
  PASS ();
}

SUITE (order) {
  RUN_TESTp (another_order_says_the_same, &format_jsonl);
  RUN_TESTp (another_order_says_the_same, &format_kht);
  RUN_TEST (transactions_in_the_order_of_their_ends);
  RUN_TEST (one_session_after_the_other);
  RUN_TEST (times_make_no_difference);
}

KRAIT_UNIT_MAIN (RUN_SUITE (order);)
