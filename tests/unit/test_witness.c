// The witness check of an IR, demand by demand: each case that is taken has a twin that is refused
// for the reason it should be. Then histories large enough for what small ones
// (tests/brute/witness.c) never reach, against a plain closure of all edges.

#include "asg/asg.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "ir/witness_check.h"
#include "levels/all.h"
#include "levels/lower.h"
#include "tests/brute/prng.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 16 };

struct candidate {
  struct history *h;
  struct asg *asg;
  struct ir *ir;
  uint8_t in[MOST];
  uint32_t writer[MOST], position[2 * MOST];
  struct budget *budget; // or NULL
};

static uint32_t only_writer (const struct asg *asg, uint32_t read) {
  const uint32_t source = asg->read_source[read];
  return source == SOURCE_INITIAL ? 0 : source >= asg->installs ? NODE_NONE : asg->install_node[source];
}

static struct history *text_history (const char *text) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), &format_kht, &error);
  if (!h)
    fprintf (stderr, "%s\n", error.text);
  return h;
}

// Transactions are T1, T2, ... session by session. `order` names them by their digits, with two
// points each twice; one that is not named is left out. `sources` has a digit per read, 0 for the
// initial state, or a dot for the only candidate; NULL: dots.
static void make_candidate (struct candidate *c, const char *text, const struct level *level, int64_t skew,
                            const char *order, const char *sources) {
  memset (c, 0, sizeof *c);
  c->h = text_history (text);
  c->asg = asg_build (c->h, &(struct asg_options){ .events = true });
  c->in[0] = 1;
  for (uint32_t place = 0; order[place]; place++) {
    const uint32_t node = c->asg->txn_node[order[place] - '1'];
    const bool second = c->in[node];
    c->in[node] = 1;
    c->position[node * level->rules.points + second] = place;
  }
  for (uint32_t read = 0; read < c->asg->reads; read++) {
    const char name = sources ? sources[read] : '.';
    c->writer[read] = name == '.' ? only_writer (c->asg, read) : name == '0' ? 0 : c->asg->txn_node[name - '1'];
  }
  c->ir = lower_asg (c->asg, level, skew);
}

static void free_candidate (struct candidate *c) {
  ir_free (c->ir);
  asg_free (c->asg);
  history_free (c->h);
}

// The reason, or NULL if it holds.
static const char *answer (const struct candidate *c) {
  const struct ir_witness w = { .ir = c->ir, .in = c->in, .read_writer = c->writer, .position = c->position };
  const char *why = NULL;
  const enum acceptance answer = ir_holds_witness (c->ir, &w, c->budget, &why);
  return answer == ACCEPTED ? NULL : answer == STOPPED ? "stopped" : why;
}

static const char left_out[] = "a certain transaction is left out";
static const char one_place[] = "two points in one place, or one outside the order";
static const char other_value[] = "the source of a read wrote another value, is the reader, or is left out";
static const char no_writer[] = "the source of a read does not write its key";
static const char no_candidate[] = "the source of a read is none of its candidates";
static const char initial[] = "a read of the initial state, which has another value";
static const char list_order[] = "the version order is not the one that a list or a hint gives away";
static const char source_behind[] = "a read before its source";
static const char session_order[] = "the order breaks session order";
static const char real_time[] = "the order breaks real time";
static const char overlap[] = "two versions of a key overlap";
static const char anti[] = "a read behind a later version than the one it read";
static const char in_view[] = "a read misses a later version that it has in view";
static const char path[] = "a read misses a later version that leads to it";

struct by_hand {
  const char *text;
  const struct level *level;
  int64_t skew;
  const char *order, *sources, *why;
};

static enum greatest_test_res check_cases (const struct by_hand *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct candidate c;
    make_candidate (&c, cases[i].text, cases[i].level, cases[i].skew, cases[i].order, cases[i].sources);
    const char *why = answer (&c);
    free_candidate (&c);
    if (!cases[i].why && why)
      printf ("%s at %s: %s\n", cases[i].text, cases[i].order, why);
    if (!cases[i].why)
      ASSERT_EQ (NULL, why);
    else
      ASSERT_STR_EQm (cases[i].text, cases[i].why, why ? why : "taken");
  }
  PASS ();
}

#define CASES(...)                                                                                                     \
  const struct by_hand cases[] = { __VA_ARGS__ };                                                                      \
  return check_cases (cases, sizeof cases / sizeof *cases)

#define RU level_find ("read-uncommitted")
#define RC level_find ("read-committed")
#define SI level_find ("snapshot-isolation")
#define PC level_find ("prefix-consistency")
#define SER level_find ("serializable")

// --- What took place, sources -------------------------------------------------

#define UNSURE "s1 T1 { put x 1 } unknown\ns2 T2 { get x -> 1 } commit\ns3 T3 { put x 1 } commit\n"

TEST what_took_place (void) {
  CASES ({ UNSURE, RC, 0, "132", "1", NULL }, { UNSURE, RC, 0, "32", "3", NULL },
         { UNSURE, RC, 0, "32", "1", other_value }, { UNSURE, RC, 0, "12", "1", left_out },
         { UNSURE, RU, 0, "23", "1", NULL }, { UNSURE, RU, 0, "3", "1", left_out });
}

TEST sources (void) {
#define TWO "s1 T1 { put x 1 } commit\ns2 T2 { put x 2; put y 1 } commit\ns3 T3 { get x -> 1 } commit\n"
#define OWN "s1 T1 { get x -> 1; put x 1 } commit\ns2 T2 { put x 1 } commit\n"
#define ANY "krait 1 init=any\ns1 T1 { get x -> 4; get y -> nil } commit\ns2 T2 { get x -> 4; get y -> nil } commit\n"
#define ANY_TWO                                                                                                        \
  "krait 1 init=any\ns1 T1 { put x 4; put x 5 } commit\ns1 T2 { put x 4 } commit\ns2 T3 { get x -> 4 } commit\n"       \
  "s3 T4 { get x -> 5 } commit\n"
  CASES ({ TWO, RC, 0, "123", "1", NULL }, { TWO, RC, 0, "123", "2", no_candidate },
         { TWO, RC, 0, "123", "0", no_candidate }, { TWO, RC, 0, "123", "3", no_writer },
         { TWO, RC, 0, "312", "1", source_behind }, { TWO, RU, 0, "312", "2", NULL }, { OWN, RC, 0, "21", "2", NULL },
         { OWN, RC, 0, "21", "1", no_candidate },
         { "init { x=1 }\ns1 T1 { get x -> 1; get y -> nil } commit\n", RC, 0, "1", "00", NULL },
         { ANY, RC, 0, "12", "0000", NULL }, { ANY_TWO, RC, 0, "1234", "21", NULL },
         { ANY_TWO, RC, 0, "1234", "20", NULL }, { ANY_TWO, RC, 0, "1234", "01", NULL },
         { ANY_TWO, RC, 0, "1234", "00", initial });
}

TEST positions (void) {
  struct candidate c;
  make_candidate (&c, "s1 T1 { put x 1 } commit\ns2 T2 { } commit\n", RC, 0, "12", NULL);
  c.position[0] = 99; // nobody looks at T0's
  c.position[c.asg->txn_node[0]] = 2;
  ASSERT_EQ (NULL, answer (&c)); // any place below the number of points
  c.position[c.asg->txn_node[0]] = 3;
  ASSERT_STR_EQ (one_place, answer (&c));
  c.position[c.asg->txn_node[0]] = 1;
  ASSERT_STR_EQ (one_place, answer (&c));
  c.position[c.asg->txn_node[0]] = 0;
  c.in[0] = 0;
  ASSERT_STR_EQ (left_out, answer (&c));
  free_candidate (&c);
  make_candidate (&c, "s1 T1 { put x 1 } commit\ns2 T2 { } commit\n", SI, 0, "1212", NULL);
  ASSERT_EQ (NULL, answer (&c));
  c.position[c.asg->txn_node[0] * 2] = 2;
  c.position[c.asg->txn_node[0] * 2 + 1] = 0;
  ASSERT_STR_EQ ("a commit before its begin", answer (&c));
  free_candidate (&c);
  PASS ();
}

TEST sources_out_of_bounds (void) {
  struct candidate c;
  make_candidate (&c, TWO, RC, 0, "123", "1");
  static const uint32_t nobody[] = { 4, 99, NODE_NONE };
  for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
    c.writer[0] = nobody[i];
    ASSERT_STR_EQ (no_writer, answer (&c));
  }
  free_candidate (&c);
  make_candidate (&c, "s1 T1 { get x -> 2 } commit\n", RC, 0, "1", NULL);
  ASSERT_STR_EQ ("unsatisfiable by itself", answer (&c));
  free_candidate (&c);
  make_candidate (&c, "s1 T1 { get x -> 2 } commit\n", RU, 0, "1", NULL);
  ASSERT_EQ (NULL, answer (&c));
  free_candidate (&c);
  PASS ();
}

// What a list holds took place, in the order of the list.
TEST lists (void) {
#define LIST "s1 T1 { append x 1 } unknown\ns2 T2 { append x 2 } commit\ns3 T3 { list x -> [1 2] } commit\n"
  CASES ({ LIST, RC, 0, "123", NULL, NULL }, { LIST, RC, 0, "213", NULL, list_order },
         { LIST, RC, 0, "23", NULL, "what is known to hold does not" });
}

// --- Edges between points -----------------------------------------------------

TEST sessions (void) {
#define SESSION "s1 T1 { put x 1 } commit\ns1 T2 { put y 1 } unknown\ns1 T3 { } commit\ns2 T4 { get y -> 1 } commit\n"
#define STRONG(name) level_find ("strong-session-" name)
  CASES ({ SESSION, STRONG ("read-committed"), 0, "1234", NULL, NULL },
         { SESSION, STRONG ("read-committed"), 0, "1324", NULL, NULL },
         { SESSION, STRONG ("read-committed"), 0, "3124", NULL, session_order },
         { SESSION, STRONG ("read-committed"), 0, "2134", NULL, session_order }, { SESSION, RC, 0, "2431", NULL, NULL },
         { SESSION, STRONG ("snapshot-isolation"), 0, "11232344", NULL, NULL },
         { SESSION, STRONG ("snapshot-isolation"), 0, "12123344", NULL, session_order },
         { SESSION, SI, 0, "12312344", NULL, NULL });
}

TEST real_times (void) {
#define CLOCK                                                                                                          \
  "s1 T1 [10 20] { } commit\ns2 T2 [21 30] { put x 1 } unknown\ns3 T3 [31 40] { get x -> 1 } commit\n"                 \
  "s4 T4 [- -] { } commit\ns5 T5 [15 20] { } commit\n"
#define STRICT(name) level_find ("strict-" name)
  CASES ({ CLOCK, STRICT ("read-committed"), 0, "15234", NULL, NULL },
         { CLOCK, STRICT ("read-committed"), 0, "41523", NULL, NULL },
         { CLOCK, STRICT ("read-committed"), 0, "52134", NULL, real_time },
         { CLOCK, STRICT ("read-committed"), 0, "12345", NULL, real_time },
         { CLOCK, STRICT ("read-committed"), 1, "52314", NULL, real_time }, // T3 begins long after
         { CLOCK, STRICT ("read-committed"), 1, "52134", NULL, NULL },
         { CLOCK, STRICT ("read-committed"), INT64_MAX, "23145", NULL, NULL },
         { CLOCK, STRICT ("read-uncommitted"), 0, "15324", NULL, NULL },
         { CLOCK, level_find ("forward-consistent-view"), 0, "52134", NULL, real_time },
         { CLOCK, STRICT ("snapshot-isolation"), 0, "1515223344", NULL, NULL },
         { CLOCK, STRICT ("snapshot-isolation"), 0, "1552123344", NULL, real_time });
}

TEST version_orders (void) {
#define UPDATES "s1 T1 { put x 1 } commit\ns2 T2 { put x 2 } commit\ns3 T3 { put x 3 } commit\n"
  CASES ({ UPDATES, SI, 0, "331122", NULL, NULL }, { UPDATES, SI, 0, "331212", NULL, overlap },
         { UPDATES, SI, 0, "133122", NULL, overlap }, { UPDATES, PC, 0, "331212", NULL, NULL },
         { UPDATES, PC, 0, "123123", NULL, NULL });
}

TEST anti_dependencies (void) {
#define STALE "s1 T1 { put x 1 } commit\ns2 T2 { put x 2 } commit\ns3 T3 { get x -> 1; put y 1 } commit\n"
#define LOST "s1 T1 { put x 1 } commit\ns2 T2 { put x 2 } commit\ns3 T3 { get x -> 1; put x 3 } commit\n"
#define LATE                                                                                                           \
  "s1 T1 { put x 1 } commit\ns2 T2 { put x 2 } commit\ns3 T3 { put x 3 } commit\ns4 T4 { get x -> nil; put x 4 } "     \
  "commit\n"
  CASES ({ STALE, SER, 0, "132", NULL, NULL }, { STALE, SER, 0, "123", NULL, anti },
         { STALE, SER, 0, "213", NULL, NULL }, { STALE, RC, 0, "123", NULL, NULL },
         { STALE, SI, 0, "112323", NULL, NULL }, { STALE, SI, 0, "113322", NULL, NULL },
         { STALE, SI, 0, "112233", NULL, anti }, { LOST, SER, 0, "132", NULL, NULL },
         { LOST, SER, 0, "123", NULL, anti }, { LOST, level_find ("cursor-stability"), 0, "132", NULL, NULL },
         { LOST, level_find ("cursor-stability"), 0, "123", NULL, anti },
         { STALE, level_find ("cursor-stability"), 0, "123", NULL, NULL }, { LATE, SER, 0, "4123", NULL, NULL },
         { LATE, SER, 0, "1423", NULL, anti }, { LATE, PC, 0, "41123234", NULL, NULL },
         { LATE, SI, 0, "41123234", NULL, overlap });
}

// --- What readers have seen -----------------------------------------------------

#define FORK                                                                                                           \
  "s1 T1 { put x 1; put y 1 } commit\ns2 T2 { put x 2 } commit\ns3 T3 { get x -> 2; put z 3 } commit\n"                \
  "s4 T4 { get z -> 3; get x -> 1 } commit\ns5 T5 { get z -> 3; get y -> 1 } commit\n"
#define FORWARD "s1 T1 [1 2] { put x 1 } commit\ns2 T2 [3 4] { put x 2 } commit\ns3 T3 [5 6] { get x -> 1 } commit\n"
#define SAME_SESSION "s1 T1 { put x 1 } commit\ns2 T2 { put x 2 } commit\ns2 T3 { get x -> 1 } commit\n"

TEST paths (void) {
#define PLV level_find ("consistent-view")
#define CAUSAL level_find ("causal")
  CASES ({ FORK, PLV, 0, "12345", NULL, path }, { FORK, PLV, 0, "21345", NULL, NULL },
         { FORK, CAUSAL, 0, "12345", NULL, path }, { FORK, CAUSAL, 0, "23145", NULL, NULL },
         { STALE, PLV, 0, "123", NULL, NULL }, { FORWARD, PLV, 0, "123", NULL, NULL },
         { FORWARD, level_find ("forward-consistent-view"), 0, "123", NULL, path },
         { FORWARD, level_find ("forward-consistent-view"), 1, "123", NULL, NULL },
         { FORWARD, level_find ("strict-causal"), 0, "123", NULL, path }, { FORWARD, CAUSAL, 0, "123", NULL, NULL },
         { SAME_SESSION, PLV, 0, "123", NULL, NULL },
         { SAME_SESSION, STRONG ("consistent-view"), 0, "123", NULL, path },
         { SAME_SESSION, CAUSAL, 0, "123", NULL, path }, { SAME_SESSION, CAUSAL, 0, "213", NULL, NULL },
         { LOST, PLV, 0, "123", NULL, path }, { LOST, PLV, 0, "132", NULL, NULL });
}

// The version order leads on at consistent view; causally it does not.
TEST hidden_version_order (void) {
#define OVERWRITTEN                                                                                                    \
  "s1 T1 { put x 1 } commit\ns2 T2 { put x 2; put y 2 } commit\ns3 T3 { put y 3 } commit\n"                            \
  "s4 T4 { get y -> 3; get x -> 1 } commit\n"
#define TWO_LATER                                                                                                      \
  "s1 T1 { put x 1 } commit\ns2 T2 { put x 2 } commit\ns3 T3 { put x 3; put y 3 } commit\ns4 T4 { get y -> 3; get x "  \
  "-> 1 } commit\n"
  CASES ({ OVERWRITTEN, PLV, 0, "1234", NULL, path }, { OVERWRITTEN, CAUSAL, 0, "1234", NULL, NULL },
         { OVERWRITTEN, PLV, 0, "1324", NULL, NULL }, { TWO_LATER, CAUSAL, 0, "1234", NULL, path },
         { TWO_LATER, CAUSAL, 0, "3124", NULL, NULL });
}

// Writers are in one serial order, readers fit into one each.
TEST updates_and_readers (void) {
#define READERS                                                                                                        \
  "s1 T1 { put x 1 } commit\ns2 T2 { put y 2 } commit\ns3 T3 { get x -> 1; get y -> nil } commit\n"                    \
  "s4 T4 { get x -> nil; get y -> 2 } commit\n"
#define BEHIND                                                                                                         \
  "s1 T1 { put x 1 } commit\ns2 T2 { get x -> nil; put y 2 } commit\ns3 T3 { get x -> 1; get y -> nil } commit\n"
  CASES ({ READERS, level_find ("update-serializable"), 0, "1234", NULL, NULL },
         { READERS, SER, 0, "1234", NULL, anti }, { BEHIND, level_find ("update-serializable"), 0, "213", NULL, path },
         { BEHIND, level_find ("update-serializable"), 0, "123", NULL, anti }, { BEHIND, PLV, 0, "213", NULL, NULL });
}

TEST events (void) {
#define MONOTONIC level_find ("monotonic-view")
#define SAW "s1 T1 { put x 1; put y 1 } commit\ns2 T2 { get y -> 1; get x -> nil } commit\n"
#define SAW_LATER "s1 T1 { put x 1; put y 1 } commit\ns2 T2 { get x -> nil; get y -> 1 } commit\n"
#define WROTE "s1 T1 { put x 1; put y 1 } commit\ns2 T2 { put y 2; get x -> nil } commit\n"
#define WROTE_LATER "s1 T1 { put x 1; put y 1 } commit\ns2 T2 { put y 2; get x -> nil; put y 3 } commit\n"
#define ONE_SESSION "s1 T1 { put x 1 } commit\ns1 T2 { get x -> nil } commit\n"
#define TIMES "s1 T1 [1 2] { put x 1 } commit\ns2 T2 [3 4] { get x -> nil } commit\n"
  CASES ({ SAW, MONOTONIC, 0, "12", NULL, path }, { SAW_LATER, MONOTONIC, 0, "12", NULL, NULL },
         { SAW_LATER, PLV, 0, "12", NULL, path }, { WROTE, MONOTONIC, 0, "12", NULL, path },
         { WROTE, MONOTONIC, 0, "21", NULL, NULL }, { WROTE_LATER, MONOTONIC, 0, "12", NULL, NULL },
         { WROTE_LATER, PLV, 0, "12", NULL, path }, { ONE_SESSION, MONOTONIC, 0, "12", NULL, NULL },
         { ONE_SESSION, STRONG ("monotonic-view"), 0, "12", NULL, path },
         { TIMES, STRONG ("monotonic-view"), 0, "12", NULL, NULL },
         { TIMES, STRICT ("monotonic-view"), 0, "12", NULL, path });
}

TEST steps (void) {
#define ATOMIC level_find ("read-atomic")
#define COMMITTED_AX level_find ("read-committed-axiomatic")
#define FRACTURED                                                                                                      \
  "s1 T1 { put x 1 } commit\ns2 T2 { put x 2; put y 2 } commit\ns3 T3 { get x -> 1; get y -> 2 } commit\n"
#define BACKWARD                                                                                                       \
  "s1 T1 { put x 1 } commit\ns2 T2 { put x 2; put y 2 } commit\ns3 T3 { get y -> 2; get x -> 1 } commit\n"
#define INITIAL "s1 T1 { put x 1; put y 1 } commit\ns2 T2 { get y -> 1; get x -> nil } commit\n"
  CASES ({ FRACTURED, ATOMIC, 0, "123", NULL, in_view }, { FRACTURED, ATOMIC, 0, "213", NULL, NULL },
         { FRACTURED, COMMITTED_AX, 0, "123", NULL, NULL }, { BACKWARD, COMMITTED_AX, 0, "123", NULL, in_view },
         { BACKWARD, COMMITTED_AX, 0, "213", NULL, NULL }, { INITIAL, COMMITTED_AX, 0, "12", NULL, in_view },
         { INITIAL, ATOMIC, 0, "12", NULL, in_view }, { INITIAL, RC, 0, "12", NULL, NULL },
         { FORK, ATOMIC, 0, "12345", NULL, NULL }, { SAME_SESSION, ATOMIC, 0, "123", NULL, in_view },
         { SAME_SESSION, ATOMIC, 0, "213", NULL, NULL }, { SAME_SESSION, COMMITTED_AX, 0, "123", NULL, NULL },
         { FORWARD, ATOMIC, 0, "123", NULL, NULL }, { FORWARD, STRICT ("read-atomic"), 0, "123", NULL, in_view },
         { FORWARD, STRICT ("read-atomic"), 1, "123", NULL, NULL },
         { FORWARD, STRICT ("read-committed-axiomatic"), 0, "123", NULL, NULL });
}

// --- What no IR has, what is given up ---------------------------------------------

// The check relies on this: no such rules are lowered, or read from a file.
TEST no_rules (void) {
  const struct rules two = { .points = 2, .ww = { true, 1, 0 }, .wr = { true, 1, 0 }, .rw = { true, 0, 1 } };
  ASSERT_EQ (NULL, rules_problem (&two));
  struct rules once = two, view = two, three = two, back = two;
  once.anti = ANTI_FORBID;
  view.view = VIEW_STEPS;
  three.points = 3;
  back.rw = (struct edge_points){ true, 0, 0 };
  const struct rules outside = { .points = 1, .ww = { true, 0, 1 } };
  const struct rules pointless = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .anti = ANTI_EDGE };
  const char *const edges = "with two points every anti-dependency is an edge";
  const char *const ends = "ww starts at the last point, rw runs from the first point to the last";
  ASSERT_STR_EQ (edges, rules_problem (&once));
  ASSERT_STR_EQ (edges, rules_problem (&view));
  ASSERT_STR_EQ ("a transaction has one point or two", rules_problem (&three));
  ASSERT_STR_EQ (ends, rules_problem (&back));
  ASSERT_STR_EQ (ends, rules_problem (&outside));
  ASSERT_STR_EQ ("anti-dependencies without points", rules_problem (&pointless));
  PASS ();
}

TEST spent (void) {
  const struct level *const some[] = { RC, SI, SER, PLV, MONOTONIC, CAUSAL, ATOMIC, STRICT ("serializable") };
  const atomic_int stop = 1;
  struct budget budget;
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    struct candidate c;
    make_candidate (&c, FORWARD, some[i], 100, some[i]->rules.points == 1 ? "132" : "113322", NULL);
    budget_start (&budget, 0, 0, &stop);
    c.budget = &budget;
    ASSERT_STR_EQm (some[i]->name, "stopped", answer (&c));
    budget_start (&budget, 0, 0, NULL);
    ASSERT_EQm (some[i]->name, NULL, answer (&c));
    free_candidate (&c);
  }
  PASS ();
}

// --- Larger histories, against a closure of all edges -----------------------------

enum { LARGE = 160, KEYS = 20, HOT_KEYS = 3 };

// Transactions one after the other; position i is transaction id i. Some sessions only read,
// from a snapshot of their own that lags behind; now and then a read is older still.
struct large {
  struct prng prng;
  unsigned txns, sessions, faults;
  uint64_t versions[KEYS][LARGE + 1]; // values, 0 for the initial state
  unsigned written[KEYS][LARGE + 1];  // by whom
  unsigned count[KEYS];
  unsigned snapshot[40]; // per session that lags: the time up to which it sees everything
  uint64_t next_value;
};

static void add_put (struct large *l, struct history *h, unsigned now, unsigned key) {
  const char *why;
  const uint32_t name = history_key (h, atom_unsigned (key), &why);
  if (l->written[key][l->count[key] - 1] != now || l->count[key] == 1)
    l->count[key]++;
  l->versions[key][l->count[key] - 1] = ++l->next_value;
  l->written[key][l->count[key] - 1] = now;
  history_add_op (h, OP_PUT, 0, name, history_value (h, atom_unsigned (l->next_value), &why), AUX_NONE, &why);
}

static void add_get (struct large *l, struct history *h, unsigned seen, unsigned key) {
  const char *why;
  const uint32_t name = history_key (h, atom_unsigned (key), &why);
  unsigned v = l->count[key] - 1;
  while (v && l->written[key][v] >= seen)
    v--;
  if (v && l->faults && prng_chance (&l->prng, 4)) {
    v -= prng_between (&l->prng, 1, v < 3 || prng_chance (&l->prng, 50) ? v : 3);
    l->faults--;
  }
  const uint64_t value = l->versions[key][v];
  history_add_op (h, OP_GET, 0, name, value ? history_value (h, atom_unsigned (value), &why) : VALUE_ABSENT, AUX_NONE,
                  &why);
}

static void add_operations (struct large *l, struct history *h, unsigned now, unsigned session) {
  const bool lags = session % 2;
  const bool writes_all = !lags && prng_chance (&l->prng, 5);
  unsigned put = 0; // bits of keys
  if (lags && l->snapshot[session] < now)
    l->snapshot[session] +=
      prng_below (&l->prng, (now - l->snapshot[session]) / (prng_chance (&l->prng, 10) ? 1 : 8) + 1);
  for (unsigned keys = prng_between (&l->prng, 1, 3); keys; keys--) {
    const unsigned key = prng_below (&l->prng, prng_chance (&l->prng, 80) ? HOT_KEYS : KEYS);
    if (!lags && prng_chance (&l->prng, 60)) {
      add_put (l, h, now, key);
      put |= 1u << key;
    } else if (!(put >> key & 1))
      add_get (l, h, lags ? l->snapshot[session] : now, key);
  }
  for (unsigned key = 0; writes_all && key < KEYS; key++)
    add_put (l, h, now, key);
}

static struct history *draw_large (struct large *l) {
  struct history *h = history_new ("large");
  const char *why;
  l->txns = prng_between (&l->prng, 20, LARGE);
  l->sessions = prng_between (&l->prng, 2, prng_chance (&l->prng, 40) ? 2 : prng_chance (&l->prng, 60) ? 6 : 40);
  l->faults = prng_chance (&l->prng, 50) ? 0 : prng_between (&l->prng, 1, 3);
  l->next_value = 0;
  memset (l->snapshot, 0, sizeof l->snapshot);
  for (unsigned key = 0; key < KEYS; key++) {
    l->count[key] = 1;
    l->versions[key][0] = 0;
  }
  // what is slow is rarely ordered by real time
  const unsigned slow = prng_chance (&l->prng, 50) ? 30 : 2000;
  for (unsigned now = 0; now < l->txns; now++) {
    const struct txn_header header = { .session = prng_below (&l->prng, l->sessions),
                                       .has_id = true,
                                       .id = now + 1,
                                       .begin = (int64_t) 10 * now - prng_below (&l->prng, slow),
                                       .end = (int64_t) 10 * now + prng_below (&l->prng, slow) };
    history_begin_txn (h, &header, &why);
    add_operations (l, h, now, (unsigned) header.session);
  }
  history_finish (h);
  return h;
}

struct bits {
  uint64_t word[(LARGE + 64) / 64];
};

struct closure {
  const struct asg *asg;
  const struct rules *rules;
  const uint32_t *position;
  struct bits before[LARGE + 1]; // per node: what leads there
};

static bool bit (const struct bits *b, uint32_t i) {
  return b->word[i / 64] >> i % 64 & 1;
}

static void join (struct bits *a, const struct bits *b) {
  for (size_t i = 0; i < sizeof a->word / sizeof *a->word; i++)
    a->word[i] |= b->word[i];
}

static void come_in (struct closure *closure, struct bits *into, uint32_t node) {
  if (!node)
    return;
  into->word[node / 64] |= UINT64_C (1) << node % 64;
  join (into, &closure->before[node]);
}

static bool times_are_apart (const struct history *h, uint32_t first, uint32_t second) {
  return history_end_time (h, first) < history_begin_time (h, second);
}

// What leads to a node by way of its operations before `limit`.
static struct bits led_to (struct closure *closure, uint32_t node, uint32_t limit) {
  const struct asg *asg = closure->asg;
  const struct rules *rules = closure->rules;
  const struct history *h = asg->history;
  struct bits all = { 0 };
  for (uint32_t other = 1; other < asg->nodes; other++) {
    const uint32_t a = asg->node_txn[other], b = asg->node_txn[node];
    if ((rules->so.used && a < b && h->txn_sessions.data[a] == h->txn_sessions.data[b])
        || (rules->rt.used && times_are_apart (h, a, b)))
      come_in (closure, &all, other);
    for (uint32_t k = asg->node_first_install[node]; !rules->ww_hidden && k < asg->node_first_install[node + 1]; k++) {
      const uint32_t install = asg->node_installs[k];
      uint32_t key = 0;
      while (asg->key_first[key + 1] <= install)
        key++;
      if (asg->install_last_op[install] < limit && closure->position[other] < closure->position[node]
          && asg_install_of (asg, key, other) != UINT32_MAX)
        come_in (closure, &all, other);
    }
  }
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (asg->read_op[read] < limit)
      come_in (closure, &all, only_writer (asg, read));
  return all;
}

// What a read has in view.
static struct bits viewed (struct closure *closure, uint32_t node, uint32_t read) {
  const struct asg *asg = closure->asg;
  const struct rules *rules = closure->rules;
  if (rules->view == VIEW_PATHS)
    return led_to (closure, node, rules->events ? asg->read_op[read] + 1 : UINT32_MAX);
  struct bits seen = { 0 };
  struct closure nothing = { .asg = asg, .rules = rules, .position = closure->position };
  if (rules->view == VIEW_STEPS)
    return led_to (&nothing, node, UINT32_MAX);
  for (uint32_t r = asg->node_first_read[node]; r < read; r++)
    come_in (&nothing, &seen, only_writer (asg, r));
  return seen;
}

static bool plainly_holds (struct closure *closure, const uint32_t *order) {
  const struct asg *asg = closure->asg;
  for (uint32_t i = 0; i + 1 < asg->nodes; i++) {
    const uint32_t node = order[i];
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const struct bits seen = viewed (closure, node, read);
      for (uint32_t k = asg->key_first[asg->read_key[read]]; k < asg->key_first[asg->read_key[read] + 1]; k++)
        if (bit (&seen, asg->install_node[k])
            && closure->position[asg->install_node[k]] > closure->position[only_writer (asg, read)])
          return false;
    }
    closure->before[node] = led_to (closure, node, UINT32_MAX);
  }
  return true;
}

// One history, one graph of it, one level: is the answer another one than the plain one?
static bool differs_large (struct asg *asg, const struct level *level, unsigned counts[2]) {
  uint32_t position[LARGE + 1] = { 0 }, writers[3 * LARGE], order[LARGE + 1];
  uint8_t in[LARGE + 1];
  memset (in, 1, sizeof in);
  for (uint32_t node = 1; node < asg->nodes; node++) {
    position[node] = (uint32_t) asg->history->txn_ids.data[asg->node_txn[node]];
    order[position[node] - 1] = node;
  }
  for (uint32_t read = 0; read < asg->reads; read++)
    writers[read] = only_writer (asg, read);
  struct ir *ir = lower_asg (asg, level, 0);
  const struct ir_witness w = { .ir = ir, .in = in, .read_writer = writers, .position = position };
  static struct closure closure;
  closure = (struct closure){ .asg = asg, .rules = &level->rules, .position = position };
  const bool wanted = plainly_holds (&closure, order);
  const char *why = NULL;
  const bool differs = (ir_holds_witness (ir, &w, NULL, &why) == ACCEPTED) != wanted;
  ir_free (ir);
  counts[wanted]++;
  return differs;
}

TEST large_histories (void) {
  const struct level *const some[] = {
    CAUSAL,
    STRICT ("causal"),
    PLV,
    STRONG ("consistent-view"),
    STRICT ("consistent-view"),
    MONOTONIC,
    STRICT ("monotonic-view"),
    COMMITTED_AX,
    ATOMIC,
    STRICT ("read-atomic"),
    STRONG ("monotonic-view"),
    STRICT ("read-committed-axiomatic"),
    level_find ("forward-consistent-view"),
  };
  static struct large large;
  static unsigned counts[sizeof some / sizeof *some][2];
  for (uint64_t index = 0; index < 300; index++) {
    large.prng = prng_fork (9, index);
    struct history *h = draw_large (&large);
    struct asg *asg = asg_build (h, &(struct asg_options){ .events = true }), *other = asg_rechain (asg, true);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
      const bool differs = differs_large (some[i]->rules.so.used || index % 2 ? asg : other, some[i], counts[i]);
      if (differs)
        printf ("history %" PRIu64 ", %s\n", index, some[i]->name);
      ASSERT (!differs);
    }
    asg_free (asg);
    asg_free (other);
    history_free (h);
  }
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    ASSERTm (some[i]->name, counts[i][0] >= 20 && counts[i][1] >= 20);
  PASS ();
}

SUITE (by_hand) {
  RUN_TEST (what_took_place);
  RUN_TEST (sources);
  RUN_TEST (positions);
  RUN_TEST (sources_out_of_bounds);
  RUN_TEST (lists);
  RUN_TEST (sessions);
  RUN_TEST (real_times);
  RUN_TEST (version_orders);
  RUN_TEST (anti_dependencies);
  RUN_TEST (paths);
  RUN_TEST (hidden_version_order);
  RUN_TEST (updates_and_readers);
  RUN_TEST (events);
  RUN_TEST (steps);
  RUN_TEST (no_rules);
  RUN_TEST (spent);
}

SUITE (at_random) {
  RUN_TEST (large_histories);
}

KRAIT_UNIT_MAIN (RUN_SUITE (by_hand); RUN_SUITE (at_random);)
