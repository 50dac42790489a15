// The semantic graph of random histories against the same facts worked out one by one.

#include "asg/asg.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "history/history.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/brute/story.h"

#include <inttypes.h>
#include <string.h>

// --- Plain answers -----------------------------------------------------------

// The last value that the transaction writes to the key; VALUE_NONE: none.
static uint32_t installed (const struct history *h, uint32_t txn, uint32_t key) {
  uint32_t value = VALUE_NONE;
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
    if (h->op_kinds.data[op] == OP_PUT && h->op_keys.data[op] == key)
      value = h->op_values.data[op];
  return value;
}

// The policy that the graph under test was built with.
static enum own_writes policy;

// The latest own write of the operation's key before it; VALUE_NONE: none.
static uint32_t own_write_before (const struct history *h, uint32_t txn, uint32_t op) {
  uint32_t own = VALUE_NONE;
  for (uint32_t k = h->txn_first_op.data[txn]; k < op; k++)
    if (h->op_kinds.data[k] == OP_PUT && h->op_keys.data[k] == h->op_keys.data[op])
      own = h->op_values.data[k];
  return own;
}

// A read with a result that the policy does not let the transaction's own writes settle.
static bool is_external_read (const struct history *h, uint32_t txn, uint32_t op) {
  if (h->op_kinds.data[op] != OP_GET || h->op_values.data[op] == VALUE_UNRECORDED)
    return false;
  const uint32_t own = own_write_before (h, txn, op);
  return own == VALUE_NONE || policy == OWN_EXTERNAL || (policy == OWN_MAY && own != h->op_values.data[op]);
}

static bool breaks_own_writes (const struct history *h, uint32_t txn) {
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
    if (h->op_kinds.data[op] == OP_GET && h->op_values.data[op] != VALUE_UNRECORDED && !is_external_read (h, txn, op)
        && own_write_before (h, txn, op) != h->op_values.data[op])
      return true;
  return false;
}

// --- Nodes -------------------------------------------------------------------

static const char *check_nodes (const struct asg *asg) {
  const struct history *h = asg->history;
  uint32_t optionals = 0;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const uint32_t node = asg->txn_node[t];
    const enum txn_status status = (enum txn_status) h->txn_status.data[t];
    if (status == TXN_COMMITTED && node == NODE_NONE)
      return "a committed transaction without a node";
    if (status == TXN_ABORTED && node != NODE_NONE)
      return "an aborted transaction with a node";
    if (node != NODE_NONE && (node == 0 || node >= asg->nodes || asg->node_txn[node] != t))
      return "a node that is not its transaction's";
    if (node != NODE_NONE && asg->optional[node] != (status == TXN_UNKNOWN))
      return "a wrong outcome";
    optionals += node != NODE_NONE && status == TXN_UNKNOWN;
  }
  return optionals == asg->optionals && asg->node_txn[0] == UINT32_MAX ? NULL : "a wrong count";
}

// The last node before this one in its session that session order comes from, or NODE_NONE.
static uint32_t plain_predecessor (const struct asg *asg, uint32_t node) {
  const struct history *h = asg->history;
  for (uint32_t t = asg->node_txn[node]; t-- > h->session_first.data[h->txn_sessions.data[asg->node_txn[node]]];)
    if (h->txn_status.data[t] == TXN_COMMITTED)
      return asg->txn_node[t];
  return NODE_NONE;
}

static const char *check_session_order (const struct asg *asg) {
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const bool first = asg->chain_first[asg->node_chain[node]] == node;
    uint32_t found = first ? NODE_NONE : node - 1;
    if (asg->so_before && asg->so_before[node] != NODE_NONE) {
      if (!first)
        return "a predecessor twice";
      found = asg->so_before[node];
    }
    if (found != plain_predecessor (asg, node))
      return "another predecessor in the session";
  }
  return NULL;
}

// --- Columns -----------------------------------------------------------------

static const char *check_installs (const struct asg *asg) {
  const struct history *h = asg->history;
  uint32_t expected = 0;
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t key = 0; key < history_keys (h); key++) {
      const uint32_t value = installed (h, t, key), node = asg->txn_node[t];
      if (node == NODE_NONE)
        continue;
      const uint32_t install = asg_install_of (asg, key, node);
      expected += value != VALUE_NONE;
      if ((value == VALUE_NONE) != (install == UINT32_MAX))
        return "another installer";
      if (install != UINT32_MAX && (asg->install_node[install] != node || asg->install_value[install] != value))
        return "another install";
    }
  return expected == asg->installs ? NULL : "another number of installs";
}

// Nodes that the read can have read, bit 0 for T0.
static uint32_t sources_of (const struct asg *asg, uint32_t node, uint32_t read) {
  const uint32_t source = asg->read_source[read];
  if (source == SOURCE_INITIAL || source == SOURCE_NONE)
    return source == SOURCE_INITIAL;
  if (!source_is_many (source))
    return 1u << asg->install_node[source];
  const struct choice *choice = &asg->choices.data[source & ~SOURCE_MANY];
  uint32_t nodes = choice->initial;
  for (uint32_t i = choice->first; i < choice->last; i++)
    if (asg->install_node[asg->value_installs[i]] != node)
      nodes |= 1u << asg->install_node[asg->value_installs[i]];
  return nodes;
}

static uint32_t plain_sources (const struct asg *asg, uint32_t node, uint32_t key, uint32_t value) {
  uint32_t nodes = (asg->init_value[key] == value || asg->init_value[key] == VALUE_UNRECORDED);
  for (uint32_t other = 1; other < asg->nodes; other++)
    if (other != node && value != VALUE_ABSENT && installed (asg->history, asg->node_txn[other], key) == value)
      nodes |= 1u << other;
  return nodes;
}

static const char *check_reads (const struct asg *asg) {
  const struct history *h = asg->history;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t txn = asg->node_txn[node];
    uint32_t read = asg->node_first_read[node];
    uint32_t last[STORY_KEYS];
    memset (last, 0x7f, sizeof last); // no value
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
      if (!is_external_read (h, txn, op) || last[key] == value)
        continue;
      last[key] = value;
      if (read == asg->node_first_read[node + 1] || asg->read_key[read] != key || asg->read_value[read] != value)
        return "another read";
      if (sources_of (asg, node, read) != plain_sources (asg, node, key, value))
        return "other sources";
      read++;
    }
    if (read != asg->node_first_read[node + 1])
      return "more reads than there are";
  }
  return NULL;
}

// --- Initial values, faults, unknown transactions -------------------------------

static const char *check_initial (const struct asg *asg) {
  const struct history *h = asg->history;
  for (uint32_t key = 0; key < asg->keys; key++)
    if (h->init != INIT_ANY && asg->init_value[key] != story_initial_value (h, key))
      return "another initial value";
  return NULL;
}

static const char *check_faults (const struct asg *asg) {
  const struct history *h = asg->history;
  bool expected = false;
  for (uint32_t t = 0; t < history_txns (h); t++)
    expected |= h->txn_status.data[t] == TXN_COMMITTED && breaks_own_writes (h, t);
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      if (!asg->optional[node])
        expected |= !plain_sources (asg, node, asg->read_key[read], asg->read_value[read]);
      else if (!sources_of (asg, node, read))
        return "an unknown transaction that cannot have taken place";
  return expected == (asg->faults.count != 0) ? NULL : expected ? "a fault was missed" : "a fault that is none";
}

// Who is left out: what cannot have taken place, and what nobody else reads; again and again.
static const char *check_left_out (const struct asg *asg) {
  const struct history *h = asg->history;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (!asg->optional[node])
      continue;
    uint32_t readers = 0;
    for (uint32_t other = 1; other < asg->nodes; other++)
      for (uint32_t read = asg->node_first_read[other]; read < asg->node_first_read[other + 1]; read++)
        readers += other != node && (sources_of (asg, other, read) & 1u << node);
    if (!readers)
      return "an unknown transaction that nobody can have read";
    if (breaks_own_writes (h, asg->node_txn[node]))
      return "an unknown transaction that breaks its own writes";
  }
  return NULL;
}

// If one that is left out was the only source of a committed read, it must have been impossible.
static const char *check_not_missed (const struct asg *asg) {
  const struct history *h = asg->history;
  // which read settles an initial value first is of no interest then
  if (h->init == INIT_ANY && asg->faults.count)
    return NULL;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] != TXN_UNKNOWN || asg->txn_node[t] != NODE_NONE || breaks_own_writes (h, t))
      continue;
    bool possible = true, wanted = false;
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
      if (is_external_read (h, t, op))
        possible &= plain_sources (asg, NODE_NONE, h->op_keys.data[op], h->op_values.data[op]) != 0;
    for (uint32_t node = 1; node < asg->nodes; node++)
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
        wanted |= installed (h, t, asg->read_key[read]) == asg->read_value[read];
    if (possible && wanted)
      return "an unknown transaction that could have been read was left out";
  }
  return NULL;
}

static const char *check_all (const struct asg *asg) {
  const char *wrong = check_nodes (asg);
  wrong = wrong ? wrong : check_session_order (asg);
  wrong = wrong ? wrong : check_installs (asg);
  wrong = wrong ? wrong : check_reads (asg);
  wrong = wrong ? wrong : check_initial (asg);
  wrong = wrong ? wrong : check_faults (asg);
  wrong = wrong ? wrong : check_left_out (asg);
  return wrong ? wrong : check_not_missed (asg);
}

TEST random_histories (void) {
  unsigned optionals = 0, choices = 0;
  for (uint64_t index = 0; index < 6000; index++) {
    struct brute_options options;
    struct history *h = random_history (41, index, &options);
    policy = (enum own_writes) (index % OWN_INFER);
    struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true, .own_writes = policy });
    const char *wrong = check_all (asg);
    optionals += asg->optionals;
    choices += asg->choices.count != 0;
    asg_free (asg);
    history_free (h);
    if (wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (wrong);
    }
  }
  ASSERT (optionals > 300);
  ASSERT (choices > 300);
  PASS ();
}

TEST inferred_policies (void) {
  unsigned found[OWN_INFER] = { 0 };
  for (uint64_t index = 0; index < 20000; index++) {
    struct brute_options options;
    struct history *h = random_history (43, index, &options);
    const enum own_writes inferred = asg_infer_own_writes (h, NULL);
    const enum brute_own_writes expected =
      story_own_writes (h, &(struct brute_options){ .own_writes = BRUTE_OWN_INFER });
    history_free (h);
    if ((int) inferred != (int) expected) {
      printf ("history %" PRIu64 "\n", index);
      FAILm ("another policy");
    }
    found[inferred]++;
  }
  ASSERT (found[OWN_MUST] > 300);
  ASSERT (found[OWN_EXTERNAL] > 100);
  ASSERT (found[OWN_MAY] > 50);
  PASS ();
}

// --- Other chains ---------------------------------------------------------------

static bool reads_known (const struct asg *asg, uint32_t node, uint32_t writer) {
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (asg->read_source[read] < SOURCE_MANY && asg->install_node[asg->read_source[read]] == writer)
      return true;
  return false;
}

// The same graph under other numbers, and chains that follow known reads of certain transactions.
static const char *check_chains (const struct asg *asg) {
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (asg->chain_first[asg->node_chain[node]] == node)
      continue;
    if (asg->optional[node] || asg->optional[node - 1])
      return "an unknown transaction in a chain";
    if (!reads_known (asg, node, node - 1))
      return "a chain that follows no read";
  }
  return NULL;
}

TEST rechained_graphs_say_the_same (void) {
  policy = OWN_MUST;
  for (uint64_t index = 0; index < 3000; index++) {
    struct brute_options options;
    struct history *h = random_history (42, index, &options);
    struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true });
    struct asg *other = asg_rechain (asg, true);
    const char *wrong = check_nodes (other);
    // members of a value's group may stand in any order there
    for (uint32_t key = 0; key < other->keys; key++)
      for (uint32_t i = other->key_first[key]; !wrong && i < other->key_first[key + 1]; i++) {
        const uint32_t txn = other->node_txn[other->install_node[i]];
        if (installed (h, txn, key) != other->install_value[i]
            || (i > other->key_first[key] && other->install_node[i] <= other->install_node[i - 1]))
          wrong = "another install";
      }
    wrong = wrong ? wrong : asg->installs != other->installs ? "another number of installs" : NULL;
    wrong = wrong ? wrong : check_reads (other);
    wrong = wrong ? wrong : check_chains (other);
    asg_free (other);
    asg_free (asg);
    history_free (h);
    if (wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (wrong);
    }
  }
  PASS ();
}

// --- By hand -----------------------------------------------------------------

static struct asg *text_asg_of (const char *text, enum own_writes own_writes, struct history **h) {
  struct error error = { 0 };
  *h = history_read_memory ("test", text, strlen (text), &format_kht, &error);
  if (!*h)
    fprintf (stderr, "%s\n", error.text);
  return asg_build (*h, &(struct asg_options){ .merge_equal_reads = true, .own_writes = own_writes });
}

static struct asg *text_asg (const char *text, struct history **h) {
  return text_asg_of (text, OWN_MUST, h);
}

TEST what_is_not_defined_is_said (void) {
  static const struct {
    const char *text, *why;
  } cases[] = {
    { "s1 T4 { append x 1 } commit\ns2 T7 { append x 1 } commit\n",
      "transactions 4 and 7 append the same value to one list, which is not defined" },
    { "s1 T4 { append x 1 } commit\ns2 T7 { put x 2 } commit\n",
      "a key holds a list and is also used in other ways (get, put, del, cas, or an initial value), which is not "
      "defined" },
    { "s1 T4 { append b 1 } commit\ns2 T7 { scan a c -> none } commit\n",
      "a scan covers a key that holds a list, which is not defined" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct history *h;
    struct asg *asg = text_asg (cases[i].text, &h);
    ASSERT (asg->unsupported);
    ASSERT_STR_EQ (cases[i].why, asg->unsupported);
    asg_free (asg);
    history_free (h);
  }
  PASS ();
}

// Installs, reads (of which predicate reads and reads of anything but a value), unrecorded deletes,
// reads that depend on one, known orders.
TEST operations_come_down_to_installs_and_reads (void) {
  static const struct {
    const char *text;
    unsigned installs, reads, predicates, others, unrecorded, dependent, orders;
  } cases[] = {
    { "s1 T1 { put b 1; put d 2 } commit\ns2 T2 { scan a z -> b=1 } commit\n", 2, 2, 1, 0, 0, 0, 0 },
    { "s1 T1 { put b 1; put d 2 } commit\ns2 T2 { scan a c -> b=1 } commit\n", 2, 1, 0, 0, 0, 0, 0 },
    { "s1 T1 { put b 1; scan a z -> b=1 } commit\n", 1, 0, 0, 0, 0, 0, 0 }, // its own
    { "s1 T1 { put b 1; del b; scan a z -> none } commit\n", 1, 0, 0, 0, 0, 0, 0 },
    { "s1 T1 { put b 1 } commit\ns2 T2 { del b -> found } commit\n", 2, 1, 0, 1, 0, 0, 0 },
    { "s1 T1 { put b 1 } commit\ns2 T2 { del b -> absent } commit\n", 1, 1, 0, 0, 0, 0, 0 },
    { "s1 T1 { put b 1 } commit\ns2 T2 { del b } commit\n", 2, 1, 0, 0, 1, 1, 0 },
    { "s1 T1 { put b 1 } commit\ns2 T2 { del b; get b -> nil } commit\n", 2, 1, 0, 0, 1, 1, 0 },
    { "s1 T1 { put b 1 } commit\ns2 T2 { del b; get b -> 1 } commit\n", 1, 2, 0, 0, 0, 0, 0 }, // it did nothing
    { "s1 T1 { put b 1 } commit\ns2 T2 { del b; put b 2 } commit\n", 2, 0, 0, 0, 0, 0, 0 },    // as well written
    { "s1 T1 { append x 1 } commit\ns2 T2 { append x 2 } commit\ns3 T3 { list x -> [1 2] } commit\n", 2, 1, 0, 0, 0, 0,
      1 },
    { "s1 T1 { append x 1 } commit\ns2 T2 { append x 2 } commit\ns3 T3 { list x -> [1] } commit\n", 2, 1, 0, 0, 0, 0,
      1 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct history *h;
    struct asg *asg = text_asg (cases[i].text, &h);
    unsigned predicates = 0, others = 0, dependent = 0;
    for (uint32_t read = 0; read < asg->reads; read++) {
      predicates += asg->read_flags && (asg->read_flags[read] & READ_PREDICATE);
      others += asg->read_flags && (asg->read_flags[read] & READ_OTHER);
      dependent += asg_read_unrecorded (asg, read) != UNRECORDED_NONE;
    }
    ASSERT_EQ_FMTm (cases[i].text, cases[i].installs, asg->installs, "%u");
    ASSERT_EQ_FMTm (cases[i].text, cases[i].reads, asg->reads, "%u");
    ASSERT_EQ_FMTm (cases[i].text, cases[i].predicates, predicates, "%u");
    ASSERT_EQ_FMTm (cases[i].text, cases[i].others, others, "%u");
    ASSERT_EQ_FMTm (cases[i].text, cases[i].unrecorded, (unsigned) asg->unrecorded.count, "%u");
    ASSERT_EQ_FMTm (cases[i].text, cases[i].dependent, dependent, "%u");
    ASSERT_EQ_FMTm (cases[i].text, cases[i].orders, (unsigned) asg->orders.count, "%u");
    ASSERT_EQ_FMTm (cases[i].text, 0u, (unsigned) asg->faults.count, "%u");
    asg_free (asg);
    history_free (h);
  }
  PASS ();
}

TEST leaving_out_cascades (void) {
  // T3 cannot have taken place, hence nobody wrote what T2 read, hence T1 has no reader.
  struct history *h;
  struct asg *asg = text_asg ("s1 T1 { put x 1 } unknown\n"
                              "s2 T2 { get x -> 1; get y -> 2; put z 3 } unknown\n"
                              "s3 T3 { get q -> 9; put y 2 } unknown\n"
                              "s4 T4 { get z -> nil } commit\n",
                              &h);
  ASSERT_EQ (0, asg->optionals);
  ASSERT_EQ (2, asg->nodes);
  ASSERT_EQ (0, asg->faults.count);
  asg_free (asg);
  history_free (h);
  PASS ();
}

TEST a_cut_out_transaction_keeps_its_predecessor (void) {
  struct history *h;
  struct asg *asg = text_asg ("s1 T1 { put x 1 } commit\ns1 T2 { put y 2 } unknown\ns1 T3 { get x -> 1 } commit\n"
                              "s2 T4 { get y -> 2 } commit\ns2 T5 { put x 3 } unknown\ns3 T6 { get x -> 3 } commit\n",
                              &h);
  ASSERT_EQ (7, asg->nodes);
  ASSERT_EQ (5, asg->chains); // T0; T1 T3; T4 T5; T6; T2
  ASSERT_EQ (6, asg->txn_node[1]);
  ASSERT_EQ (asg->txn_node[0], asg->so_before[6]);
  ASSERT_EQ (asg->node_chain[asg->txn_node[3]], asg->node_chain[asg->txn_node[4]]);
  asg_free (asg);
  history_free (h);
  PASS ();
}

TEST equal_reads_are_merged_if_asked (void) {
  struct history *h;
  struct asg *asg = text_asg ("s1 T1 { get x -> nil; get y -> nil; get x -> nil } commit\n", &h);
  ASSERT_EQ (2, asg->reads);
  ASSERT_EQ (3, asg->external_reads);
  asg_free (asg);
  asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = false });
  ASSERT_EQ (3, asg->reads);
  asg_free (asg);
  history_free (h);
  PASS ();
}

TEST reads_after_own_writes (void) {
  static const struct {
    const char *text;
    enum own_writes own_writes;
    unsigned reads, external_reads, choices, nodes;
    int fault; // its kind, or -1
    unsigned op;
  } cases[] = {
    // The own write alone has the value.
    { "s1 T1 { put x 1; get x -> 1 } commit\n", OWN_MUST, 0, 0, 0, 2, -1, 0 },
    { "s1 T1 { put x 1; get x -> 1 } commit\n", OWN_EXTERNAL, 1, 1, 0, 2, FAULT_NO_SOURCE, 1 },
    { "s1 T1 { put x 1; get x -> 1 } commit\n", OWN_MAY, 0, 0, 0, 2, -1, 0 },
    // The initial state alone has it.
    { "s1 T1 { put x 1; get x -> nil } commit\n", OWN_MUST, 0, 0, 0, 2, FAULT_OWN_WRITE, 1 },
    { "s1 T1 { put x 1; get x -> nil } commit\n", OWN_EXTERNAL, 1, 1, 0, 2, -1, 0 },
    { "s1 T1 { put x 1; get x -> nil } commit\n", OWN_MAY, 1, 1, 0, 2, -1, 0 },
    // Own and foreign writes have it; the own install is no candidate.
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } commit\n", OWN_EXTERNAL, 1, 1, 0, 3, -1, 0 },
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } commit\n", OWN_MAY, 0, 0, 0, 3, -1, 0 },
    { "init { x=1 }\ns1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } commit\n", OWN_EXTERNAL, 1, 1, 1, 3, -1,
      0 },
    // An overwritten own write is nobody's version; neither is it the latest.
    { "s1 T1 { put x 1; put x 2; get x -> 1 } commit\n", OWN_MUST, 0, 0, 0, 2, FAULT_OWN_WRITE, 2 },
    { "s1 T1 { put x 1; put x 2; get x -> 1 } commit\n", OWN_EXTERNAL, 1, 1, 0, 2, FAULT_NO_SOURCE, 2 },
    { "s1 T1 { put x 1; put x 2; get x -> 1 } commit\n", OWN_MAY, 1, 1, 0, 2, FAULT_NO_SOURCE, 2 },
    // The second read is at fault, not the own read of the same value before it.
    { "s1 T1 { put x 1; get x -> 1; put x 2; get x -> 1 } commit\n", OWN_MAY, 1, 1, 0, 2, FAULT_NO_SOURCE, 3 },
    // Equal reads before and after the own write are one, as long as both are external.
    { "s1 T1 { get x -> nil; put x 1; get x -> nil } commit\n", OWN_EXTERNAL, 1, 2, 0, 2, -1, 0 },
    { "s1 T1 { get x -> nil; put x 1; get x -> nil } commit\n", OWN_MAY, 1, 2, 0, 2, -1, 0 },
    { "s1 T1 { get x -> nil; put x 1; get x -> nil } commit\n", OWN_MUST, 1, 1, 0, 2, FAULT_OWN_WRITE, 2 },
    { "init { x=1 }\ns1 T1 { get x -> 1; put x 1; get x -> 1 } commit\n", OWN_EXTERNAL, 1, 2, 0, 2, -1, 0 },
    { "init { x=1 }\ns1 T1 { get x -> 1; put x 1; get x -> 1 } commit\n", OWN_MAY, 1, 1, 0, 2, -1, 0 },
    { "init { x=1 }\ns1 T1 { get x -> 1; put x 2; get x -> 2; get x -> 1 } commit\n", OWN_MAY, 1, 2, 0, 2, -1, 0 },
    { "init { x=1 }\ns1 T1 { get x -> 1; put x 2; get x -> 2 } commit\n", OWN_EXTERNAL, 2, 2, 0, 2, FAULT_NO_SOURCE,
      2 },
    // An open initial value is settled by external reads only.
    { "krait 1 init=any\ns1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { get x -> 2 } commit\n", OWN_EXTERNAL, 2, 2, 0, 3,
      FAULT_TWO_INITIAL, 2 },
    { "krait 1 init=any\ns1 T1 { put x 3; put x 1; get x -> 1 } commit\ns2 T2 { get x -> 2 } commit\n", OWN_MAY, 1, 1,
      0, 3, -1, 0 },
    // T2 is read only where the policy makes T1's read external; else nobody needs it.
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } unknown\n", OWN_EXTERNAL, 1, 1, 0, 3, -1, 0 },
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } unknown\n", OWN_MAY, 0, 0, 0, 2, -1, 0 },
    // An unknown transaction whose read the policy cannot explain is out, and takes T2's source
    // with it.
    { "s1 T1 { put x 1; get x -> 1; put y 2 } unknown\ns2 T2 { get y -> 2; put z 3 } unknown\ns3 T3 { get z -> nil } "
      "commit\n"
      "s4 T4 { get z -> 3 } commit\n",
      OWN_EXTERNAL, 2, 2, 0, 3, FAULT_NO_SOURCE, 6 },
    { "s1 T1 { put x 1; get x -> 1; put y 2 } unknown\ns2 T2 { get y -> 2; put z 3 } unknown\ns3 T3 { get z -> nil } "
      "commit\n"
      "s4 T4 { get z -> 3 } commit\n",
      OWN_MAY, 3, 3, 0, 5, -1, 0 },
    // No unknown transaction is a candidate of itself.
    { "s1 T1 { put x 1; get x -> 1 } unknown\ns2 T2 { get x -> 1 } commit\n", OWN_EXTERNAL, 1, 1, 0, 2, FAULT_NO_SOURCE,
      2 },
    { "s1 T1 { put x 1; get x -> 1 } unknown\ns2 T2 { get x -> 1 } commit\n", OWN_MAY, 1, 1, 0, 3, -1, 0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct history *h;
    struct asg *asg = text_asg_of (cases[i].text, cases[i].own_writes, &h);
    ASSERT_EQm (cases[i].text, cases[i].reads, asg->reads);
    ASSERT_EQm (cases[i].text, cases[i].external_reads, asg->external_reads);
    ASSERT_EQm (cases[i].text, cases[i].choices, asg->choices.count);
    ASSERT_EQm (cases[i].text, cases[i].nodes, asg->nodes);
    ASSERT_EQm (cases[i].text, cases[i].fault, asg->faults.count ? (int) asg->faults.data[0].kind : -1);
    if (asg->faults.count)
      ASSERT_EQm (cases[i].text, cases[i].op, asg->faults.data[0].op);
    asg_free (asg);
    history_free (h);
  }
  PASS ();
}

TEST policies_inferred_by_hand (void) {
  static const struct {
    const char *text;
    enum own_writes own_writes;
  } cases[] = {
    { "", OWN_MUST },
    { "s1 T1 { put x 1; get x -> 1 } commit\n", OWN_MUST },
    { "s1 T1 { put x 1; get x -> nil } commit\n", OWN_EXTERNAL },
    { "s1 T1 { put x 1; get x -> nil; get x -> 1 } commit\n", OWN_MAY },
    { "s1 T1 { put x 1; get x -> nil; get x } commit\n", OWN_EXTERNAL },
    { "s1 T1 { put x 1; get x -> nil; get x -> 1 } commit\ns2 T2 { put x 1 } commit\n", OWN_EXTERNAL },
    { "s1 T1 { put x 1; get x -> nil; get x -> 1 } commit\ns2 T2 { put x 1 } unknown\n", OWN_EXTERNAL },
    { "s1 T1 { put x 1; get x -> nil; get x -> 1 } commit\ns2 T2 { put x 1 } abort\n", OWN_MAY },
    { "s1 T1 { put x 1; get x -> nil; get x -> 1 } commit\ns2 T2 { put x 1; put x 2 } commit\n", OWN_MAY },
    // Two readers of one value, which only one of them installs.
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 2; get x -> 1 } commit\n", OWN_MAY },
    { "s1 T1 { put x 1; get x -> 2 } commit\ns2 T2 { put x 2; get x -> 1 } commit\n", OWN_EXTERNAL },
    // Only committed transactions count.
    { "s1 T1 { put x 1; get x -> nil } unknown\n", OWN_MUST },
    { "s1 T1 { put x 1; get x -> nil } abort\n", OWN_MUST },
    { "s1 T1 { put x 1; get x -> nil } commit\ns2 T2 { put x 2; get x -> 2 } unknown\n", OWN_EXTERNAL },
    // Initial states.
    { "krait 1 init=any\ns1 T1 { put x 1; get x -> nil; get x -> 1 } commit\n", OWN_EXTERNAL },
    { "krait 1 init=1\ns1 T1 { put x 1; put y 1; get x -> 1; get y -> nil } commit\n", OWN_MAY },
    { "krait 1 init=1\ninit { y=nil }\ns1 T1 { put x 1; put y 1; get x -> 1; get y -> nil } commit\n", OWN_EXTERNAL },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct history *h;
    asg_free (text_asg (cases[i].text, &h));
    ASSERT_STR_EQm (cases[i].text, own_writes_name (cases[i].own_writes),
                    own_writes_name (asg_infer_own_writes (h, NULL)));
    history_free (h);
  }
  PASS ();
}

// --- Threads -----------------------------------------------------------------

enum { LARGE = 33000, LARGE_OPERATIONS = 8, LARGE_KEYS = 300 };

struct large {
  uint32_t values;   // 0: none is written twice
  bool odd_outcomes; // some transactions are unknown or aborted
  bool wrong_reads;  // some reads have no source
};

// Reads are of what an earlier transaction wrote, or of nothing.
static char *large_text (const struct large *large) {
  struct prng prng = prng_fork (large->values, 7);
  char *text = malloc ((size_t) LARGE * LARGE_OPERATIONS * 24), *to = text;
  uint32_t *last = calloc (LARGE_KEYS, sizeof *last), next = 0;
  for (uint32_t t = 0; t < LARGE; t++) {
    to += sprintf (to, "s%u T%u {", t % 7, t + 1);
    for (uint32_t op = 0; op < LARGE_OPERATIONS; op++) {
      const uint32_t key = prng_below (&prng, LARGE_KEYS), kind = prng_below (&prng, 100);
      if (kind < 50) {
        last[key] = large->values ? prng_below (&prng, large->values) + 1 : ++next;
        to += sprintf (to, "; put %u %u" + !op, key, last[key]);
      } else if (large->wrong_reads && kind == 99)
        to += sprintf (to, "; get %u -> %u" + !op, key, UINT32_MAX - op);
      else if (last[key])
        to += sprintf (to, "; get %u -> %u" + !op, key, last[key]);
      else
        to += sprintf (to, "; get %u -> nil" + !op, key);
    }
    const uint32_t outcome = large->odd_outcomes ? prng_below (&prng, 100) : 50;
    to += sprintf (to, " } %s\n", outcome < 5 ? "unknown" : outcome < 10 ? "abort" : "commit");
  }
  free (last);
  return text;
}

#define SAME(name, count)                                                                                              \
  if ((a->name == NULL) != (b->name == NULL)                                                                           \
      || (a->name && memcmp (a->name, b->name, (size_t) (count) * sizeof *a->name) != 0))                              \
    return #name;

static const char *difference (const struct asg *a, const struct asg *b) {
  if (a->nodes != b->nodes || a->installs != b->installs || a->reads != b->reads
      || a->external_reads != b->external_reads || a->choices.count != b->choices.count
      || a->faults.count != b->faults.count)
    return "a count";
  SAME (node_txn, a->nodes)
  SAME (key_first, a->keys + 1)
  SAME (install_node, a->installs)
  SAME (install_value, a->installs)
  SAME (install_first_op, a->installs)
  SAME (install_last_op, a->installs)
  SAME (node_first_install, a->nodes + 1)
  SAME (node_installs, a->installs)
  SAME (node_first_read, a->nodes + 1)
  SAME (read_key, a->reads)
  SAME (read_value, a->reads)
  SAME (read_op, a->reads)
  SAME (read_source, a->reads)
  SAME (value_installs, a->value_entries)
  for (size_t i = 0; i < a->choices.count; i++)
    if (a->choices.data[i].read != b->choices.data[i].read || a->choices.data[i].first != b->choices.data[i].first
        || a->choices.data[i].last != b->choices.data[i].last)
      return "a choice";
  for (size_t i = 0; i < a->faults.count; i++)
    if (a->faults.data[i].op != b->faults.data[i].op || a->faults.data[i].kind != b->faults.data[i].kind)
      return "a fault";
  return NULL;
}

TEST threads_build_the_same_graph (void) {
  static const struct large kinds[] = {
    { 0, true, false },
    { 0, true, true },
    { 50, false, false },
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    char *text = large_text (&kinds[k]);
    struct history *h;
    asg_free (text_asg (text, &h));
    free (text);
    ASSERT (history_ops (h) > 1 << 18);
    for (int events = 0; events < 2; events++) {
      struct asg_options options = { .merge_equal_reads = !events, .events = events, .own_writes = OWN_MUST };
      struct asg *alone = asg_build (h, &options);
      options.threads = 3;
      struct asg *together = asg_build (h, &options);
      ASSERT_EQ (NULL, difference (alone, together));
      asg_free (together);
      asg_free (alone);
    }
    history_free (h);
  }
  PASS ();
}

SUITE (the_asg) {
  RUN_TEST (threads_build_the_same_graph);
  RUN_TEST (random_histories);
  RUN_TEST (inferred_policies);
  RUN_TEST (rechained_graphs_say_the_same);
  RUN_TEST (what_is_not_defined_is_said);
  RUN_TEST (operations_come_down_to_installs_and_reads);
  RUN_TEST (leaving_out_cascades);
  RUN_TEST (a_cut_out_transaction_keeps_its_predecessor);
  RUN_TEST (equal_reads_are_merged_if_asked);
  RUN_TEST (reads_after_own_writes);
  RUN_TEST (policies_inferred_by_hand);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_asg);)
