// What the rewriting of mariadb-rr makes of single transactions, rule by rule, and of what stands
// around them. Histories are written as text; the text form of the result is compared.

#include "../support/history_equal.h"
#include "../support/round_trip.h"
#include "dialects/dialects.h"
#include "greatest_main.h"
#include "history/history.h"

#include <string.h>

static struct history *parse (const char *text) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), format_find ("kht"), &error);
  if (!h)
    printf ("%s\n", error.text);
  return h;
}

// The transactions of the rewritten history, a line each; the text stays until the next call.
static const char *rewritten (const char *text, enum own_writes policy) {
  static char lines[4096];
  struct rewriting rewriting = { 0 };
  struct error error = { 0 };
  const char *why = NULL;
  struct history *h = parse (text);
  if (!h || !dialect_find ("mariadb-rr")->rewrite (h, policy, &rewriting, &why)
      || !history_validate (rewriting.history, &why))
    return why ? why : "not a history";
  size_t length;
  history_free (round_trip (rewriting.history, format_find ("kht"), &error));
  const char *written = round_trip_text (&length), *from = strstr (written, "\ns");
  size_t at = 0;
  // One transaction per line, whatever the writer's layout.
  for (from = from ? from + 1 : ""; *from && at + 2 < sizeof lines; from++)
    if (*from != '\n' || from[1] == 's' || !from[1])
      lines[at++] = *from;
    else if (lines[at - 1] != ' ')
      lines[at++] = ' ';
    else
      continue;
  lines[at] = 0;
  rewriting_free (&rewriting);
  history_free (h);
  return lines;
}

struct rule {
  const char *name;
  enum own_writes policy;
  // of T7, which gives T7 and, if it has more parts, T8 and so on
  const char *operations, *expected;
};

static const struct rule rules[] = {
  { "nothing", OWN_MUST, "", "s2 T7 { } commit\n" },
  { "plain reads share a view, writes come last", OWN_MUST, "get a -> 1; put a 2; get b -> 2",
    "s2 T8 { get a -> 1; get b -> 2 } commit\ns2 T7 { put a 2 } commit\n" },
  { "only reads", OWN_MUST, "get a -> 1; scan b d -> b=2 c=3", "s2 T7 { get a -> 1; scan b d -> b=2 c=3 } commit\n" },
  { "only writes", OWN_MUST, "put a 2; del b -> found", "s2 T7 { put a 2; del b -> found } commit\n" },
  { "locking reads stand alone, and once more before an own write", OWN_MUST,
    "get a -> 1 @update; get b -> 2; get c -> 3 @share; put c 5",
    "s2 T8 { get a -> 1 @update } commit\ns2 T9 { get b -> 2 } commit\ns2 T10 { get c -> 3 @share } commit\n"
    "s2 T7 { get c -> 3 @share; put c 5 } commit\n" },
  { "what was not recorded goes", OWN_MUST, "get a; scan a c; get b @update; list l; iter a c", "s2 T7 { } commit\n" },
  { "an iterator that was never asked", OWN_MUST, "iter a c -> ...; get a -> 1 @update; get b -> 2",
    "s2 T8 { get a -> 1 @update } commit\ns2 T7 { get b -> 2 } commit\n" },
  { "an unrecorded read takes the snapshot all the same", OWN_MUST, "get a; get c -> 3 @update; get b -> 2",
    "s2 T8 { get b -> 2 } commit\ns2 T7 { get c -> 3 @update } commit\n" },

  { "own writes are judged where they are", OWN_MUST, "put a 9; get a -> 9; get a -> 1; get b -> 2",
    "s2 T8 { get b -> 2 } commit\ns2 T7 { put a 9; get a -> 9; get a -> 1 } commit\n" },
  { "own writes are not seen", OWN_EXTERNAL, "put a 9; get a -> 9; get a -> 1 @share",
    "s2 T8 { get a -> 9 } commit\ns2 T9 { get a -> 1 @share } commit\ns2 T7 { put a 9 } commit\n" },
  { "own writes may be seen", OWN_MAY, "put a 9; get a -> 9; get a -> 1; get a -> 1 @update",
    "s2 T8 { get a -> 1 } commit\ns2 T9 { get a -> 1 @update } commit\ns2 T7 { put a 9 } commit\n" },
  { "after an unrecorded result nothing is known", OWN_MUST,
    "del a; get a -> nil; cas b 1 2; get b -> 1; scan a c -> none", "s2 T7 { del a; cas b 1 2 } commit\n" },
  { "unless an own write came first", OWN_MUST, "put a 1; del a; get a -> nil; put b 1; cas b 1 2; get b -> 2",
    "s2 T7 { put a 1; del a; get a -> nil; put b 1; cas b 1 2; get b -> 2 } commit\n" },

  { "a scan is cut at own writes", OWN_MUST, "put b 9; del d -> found; scan a z -> a=1 b=9 c=3 e=5",
    "s2 T8 { scan a b -> a=1; scan c d -> c=3; scan e z -> e=5 } commit\n"
    "s2 T7 { put b 9; del d -> found; get b -> 9; get d -> nil } commit\n" },
  { "a scan without bounds", OWN_MUST, "put a 9; put z 9; scan - - -> a=9 b=2 z=9",
    "s2 T8 { scan b z -> b=2 } commit\ns2 T7 { put a 9; put z 9; get a -> 9; get z -> 9 } commit\n" },
  { "a scan that may see own writes", OWN_MAY, "put b 9; del d -> found; scan a z -> a=1 b=2 c=3 e=5",
    "s2 T8 { scan a d -> a=1 b=2 c=3; scan e z -> e=5 } commit\ns2 T7 { put b 9; del d -> found } commit\n" },
  { "a scan that sees none", OWN_EXTERNAL, "put b 9; scan a c -> a=1 b=2",
    "s2 T8 { scan a c -> a=1 b=2 } commit\ns2 T7 { put b 9 } commit\n" },
  { "a locking scan", OWN_MUST, "put d 9; scan a z -> a=1 d=9 e=5 @update",
    "s2 T8 { scan a d -> a=1 @update; scan e z -> e=5 @update } commit\ns2 T7 { put d 9; get d -> 9 @update } "
    "commit\n" },
  { "own writes outside of the range", OWN_MUST, "put a 9; put d 9; scan b d -> b=2",
    "s2 T8 { scan b d -> b=2 } commit\ns2 T7 { put a 9; put d 9 } commit\n" },
  { "an iterator that stopped", OWN_MUST, "put b 9; put d 9; iter a z -> a=1 b=9 c=3 ...",
    "s2 T8 { iter a b -> a=1; iter c d -> c=3 } commit\ns2 T7 { put b 9; put d 9; get b -> 9 } commit\n" },
  { "one that stopped at an own write", OWN_MUST, "put b 9; iter a z -> a=1 b=9 ...",
    "s2 T8 { iter a b -> a=1 } commit\ns2 T7 { put b 9; get b -> 9 } commit\n" },
  { "one that goes backwards", OWN_MUST, "put d 9; iter a - -> e=5 d=9 c=3 ... @reverse",
    "s2 T8 { iter c d -> c=3 @reverse; iter e - -> e=5 @reverse } commit\ns2 T7 { put d 9; get d -> 9 } commit\n" },
  { "one that goes backwards to the end", OWN_MUST, "put d 9; iter a - -> e=5 d=9 c=3 @reverse",
    "s2 T8 { iter a d -> c=3 @reverse; iter e - -> e=5 @reverse } commit\ns2 T7 { put d 9; get d -> 9 } commit\n" },
  { "items out of order stay for others to refuse", OWN_MUST, "put d 9; iter a z -> c=3 a=1 d=9",
    "s2 T8 { iter a z -> c=3 a=1 d=9 } commit\ns2 T7 { put d 9 } commit\n" },

  { "deletes", OWN_MUST, "del q -> absent; put q 1; del q -> found; del q -> absent; del r -> absent",
    "s2 T8 { del q -> absent } commit\ns2 T9 { del r -> absent } commit\n"
    "s2 T7 { del q -> absent; put q 1; del q -> found; del q -> absent } commit\n" },
  { "compare and set", OWN_MUST, "cas a 1 2 -> ok; cas a 1 3 -> failed; cas b 7 8 -> failed; cas c 3 4",
    "s2 T8 { cas b 7 8 -> failed } commit\ns2 T7 { cas a 1 2 -> ok; cas a 1 3 -> failed; cas c 3 4 } commit\n" },
  { "failed writes that may see own ones", OWN_MAY,
    "put a 5; cas a 1 3 -> failed; cas a 5 3 -> failed; del a -> absent",
    "s2 T8 { cas a 5 3 -> failed } commit\ns2 T9 { del a -> absent } commit\ns2 T7 { put a 5 } commit\n" },

  { "lists", OWN_MUST, "list l -> [4]; list l -> [4] @update; append l 1",
    "s2 T8 { list l -> [4] } commit\ns2 T9 { list l -> [4] @update } commit\n"
    "s2 T7 { list l -> [4] @update; append l 1 } commit\n" },
  { "a list after own appends has a view of its own", OWN_MUST,
    "get a -> 1; append l 1; append l 2; list l -> [4 1 2]; get b -> 2",
    "s2 T8 { get a -> 1; get b -> 2 } commit\ns2 T9 { list l -> [4] } commit\ns2 T7 { append l 1; append l 2 } "
    "commit\n" },
  { "or, with a lock, the newest", OWN_MUST, "append l 1; list l -> [4 1] @update",
    "s2 T7 { append l 1; list l -> [4 1] @update } commit\n" },
  { "or is not known", OWN_MUST, "append l 1; get a -> 1; get b -> 2 @update; list l -> [4 1]",
    "s2 T8 { get a -> 1 } commit\ns2 T9 { get b -> 2 @update } commit\ns2 T7 { append l 1 } commit\n" },
  { "a list without the own appends is wrong", OWN_MUST, "append l 1; list l -> [4]",
    "s2 T7 { append l 1; list l -> [4] } commit\n" },
};

TEST rules_hold (void) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    char text[1024];
    snprintf (text, sizeof text,
              "s1 T1 { put a 1; put b 2; put c 3; put d 4; put e 5; put z 6 } commit\ns2 T7 { %s } commit\n",
              rules[i].operations);
    const char *all = rewritten (text, rules[i].policy), *second = strstr (all, "s2");
    ASSERT_STR_EQm (rules[i].name, rules[i].expected, second ? second : all);
  }
  PASS ();
}

// ---------------------------------------------------------------------------------- what is around

TEST outcomes_are_kept (void) {
  ASSERT_STR_EQ ("s1 T1 { get a -> 1; put a 2; get a -> 1 @update } abort\n"
                 "s1 T2 { get a -> 1 @update; put a 2; get a -> 2 } unknown\n"
                 "s1 T3 { } unknown\n",
                 rewritten ("s1 T1 { get a -> 1; put a 2; get a -> 1 @update } abort\n"
                            "s1 T2 { get b -> 1; get a -> 1 @update; put a 2; get a -> 2 } unknown\n"
                            "s1 T3 { get a -> 1; get a -> 1 @update } unknown\n",
                            OWN_MUST));
  PASS ();
}

TEST times_are_the_transactions_or_the_operations (void) {
  // The snapshot is taken by the first plain read, whatever it read.
  ASSERT_STR_EQ (
    "s1 T2 [12 13] { get b -> 1 @[40 41] } commit\n"
    "s1 T3 [20 21] { get c -> 1 @update @[20 21] } commit\n"
    "s1 T1 [10 50] { put a 2 } commit\n",
    rewritten ("s1 T1 [10 50] { get x @[12 13]; get c -> 1 @update @[20 21]; get b -> 1 @[40 41]; put a 2 } commit\n",
               OWN_MUST));
  // Nothing sensible: a read before the one before it, or outside of its transaction.
  ASSERT_STR_EQ (
    "s1 T2 [10 50] { get b -> 1 @[40 41] } commit\n"
    "s1 T3 [10 50] { get c -> 1 @update @[20 21] } commit\n"
    "s1 T1 [10 50] { put a 2 } commit\n",
    rewritten ("s1 T1 [10 50] { get b -> 1 @[40 41]; get c -> 1 @update @[20 21]; put a 2 } commit\n", OWN_MUST));
  ASSERT_STR_EQ ("s1 T2 [10 50] { get b -> 1 @[60 61] } commit\n"
                 "s1 T1 [10 50] { put a 2 } commit\n",
                 rewritten ("s1 T1 [10 50] { get b -> 1 @[60 61]; put a 2 } commit\n", OWN_MUST));
  // A transaction without times has none.
  ASSERT_STR_EQ ("s1 T2 { get b -> 1 @[60 61] } commit\n"
                 "s1 T1 { put a 2 } commit\n",
                 rewritten ("s1 T1 { get b -> 1 @[60 61]; put a 2 } commit\n", OWN_MUST));
  ASSERT_STR_EQ ("s1 T2 [60 61] { get b -> 1 @[60 61] } commit\n"
                 "s1 T1 [10 -] { put a 2 } commit\n",
                 rewritten ("s1 T1 [10 -] { get b -> 1 @[60 61]; put a 2 } commit\n", OWN_MUST));
  PASS ();
}

TEST ids_are_new_ones (void) {
  ASSERT_STR_EQ (
    "s1 T3 { get a -> 1 } commit\n"
    "s1 T18446744073709551615 { put a 2 } commit\n"
    "s2 T2 { put a 1 } commit\n",
    rewritten ("s1 T18446744073709551615 { get a -> 1; put a 2 } commit\ns2 T2 { put a 1 } commit\n", OWN_MUST));
  PASS ();
}

TEST hints_stay_where_they_belong (void) {
  ASSERT_STR_EQ ("s1 T2 { get a -> 1 @version=5 } commit\n"
                 "s1 T1 hints={\"commitTs\":9} { put a 2 } commit\n",
                 rewritten ("s1 T1 hints={\"commitTs\":9} { get a -> 1 @version=5; put a 2 } commit\n", OWN_MUST));
  ASSERT_STR_EQ ("s1 T2 { scan b c -> b=1 } commit\n"
                 "s1 T1 { put a 2; get a -> 2 } commit\n",
                 rewritten ("s1 T1 { put a 2; scan a c -> a=2 b=1 @version=5 } commit\n", OWN_MUST));
  PASS ();
}

TEST origins_are_told (void) {
  struct history *h = parse ("s1 T1 { get a -> 1 @update; get b -> 2; put c 3 } commit\n"
                             "s1 T2 { put a 1 } commit\n"
                             "s1 T3 { get b -> 1; put c 1 } unknown\n"
                             "s2 T4 { append l 1; list l -> [1] } commit\n");
  static const struct {
    uint32_t txn;
    const char *part;
    bool follows;
  } expected[] = { { 0, "a locking read", false },
                   { 0, "the snapshot reads", true },
                   { 0, "the writes", true },
                   { 1, NULL, false },
                   { 2, NULL, false },
                   { 3, "a list read after an own append", false },
                   { 3, "the writes", true } };
  struct rewriting rewriting;
  const char *why;
  ASSERT (dialect_find ("mariadb-rr")->rewrite (h, OWN_MUST, &rewriting, &why));
  ASSERT_EQ (sizeof expected / sizeof *expected, rewriting.origins.count);
  ASSERT_EQ (history_txns (rewriting.history), rewriting.origins.count);
  for (uint32_t t = 0; t < rewriting.origins.count; t++) {
    const struct origin *origin = &rewriting.origins.data[t];
    ASSERT_EQ (expected[t].txn, origin->txn);
    ASSERT_EQ (expected[t].follows, rewriting_follows (&rewriting, t));
    ASSERT_EQ (!expected[t].part, !origin->part);
    if (origin->part)
      ASSERT_STR_EQ (expected[t].part, origin->part);
  }
  rewriting_free (&rewriting);
  history_free (h);
  PASS ();
}

TEST header_and_initial_state_are_kept (void) {
  struct history *h = parse ("krait 1 keys=bytes init=0 source=\"by hand\"\ninit { x=1 y=nil }\ns4 T1 { put a 1 } "
                             "commit\ns2 T2 { get a -> 1 } commit\n");
  struct rewriting rewriting;
  const char *why;
  ASSERT (dialect_find ("mariadb-rr")->rewrite (h, OWN_MUST, &rewriting, &why));
  const char *difference = history_difference (h, rewriting.history);
  ASSERTm (difference, !difference);
  rewriting_free (&rewriting);
  history_free (h);
  PASS ();
}

TEST names_are_found (void) {
  for (size_t i = 0; dialects[i]; i++)
    ASSERT_EQ (dialects[i], dialect_find (dialects[i]->name));
  ASSERT (!dialect_find ("oracle"));
  PASS ();
}

SUITE (the_dialects) {
  RUN_TEST (rules_hold);
  RUN_TEST (outcomes_are_kept);
  RUN_TEST (times_are_the_transactions_or_the_operations);
  RUN_TEST (ids_are_new_ones);
  RUN_TEST (hints_stay_where_they_belong);
  RUN_TEST (origins_are_told);
  RUN_TEST (header_and_initial_state_are_kept);
  RUN_TEST (names_are_found);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_dialects);)
