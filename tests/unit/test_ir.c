// Lowering: real time as slots, the count of superpositions, and a checker that sees every kind of
// damage.

#include "formats/formats.h"
#include "greatest_main.h"
#include "ir/builder.h"
#include "levels/lower.h"
#include "tests/brute/random_history.h"
#include "tests/brute/story.h"
#include "tests/support/random_ir.h"

#include <inttypes.h>
#include <string.h>

// --- Real time ---------------------------------------------------------------

// A path through the slots: from the one that the first feeds to the one that the second hangs off.
static bool slots_order (const struct ir *ir, uint32_t first, uint32_t second) {
  return ir->time_after[first] != SLOT_NONE && ir->time_before[second] != SLOT_NONE
         && ir->time_after[first] <= ir->time_before[second];
}

TEST slots_say_what_times_say (void) {
  const struct level *strict = level_find ("strict-serializable");
  unsigned ordered = 0;
  for (uint64_t index = 0; index < 4000; index++) {
    struct brute_options options;
    struct history *h = random_history (31, index, &options);
    struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true });
    struct ir *ir = lower_asg (asg, strict, options.clock_skew);
    for (uint32_t a = 1; a < asg->nodes; a++)
      for (uint32_t b = 1; b < asg->nodes; b++)
        if (a != b) {
          const bool before = story_in_real_time (h, asg->node_txn[a], asg->node_txn[b], options.clock_skew);
          if (before != slots_order (ir, a, b))
            printf ("history %" PRIu64 "\n", index);
          ASSERT_EQ (before, slots_order (ir, a, b));
          ordered += before;
        }
    for (uint32_t slot = 0; slot < ir->slots; slot++) { // none is of no use
      bool fed = false, seen = false;
      for (uint32_t node = 1; node < asg->nodes; node++) {
        fed |= ir->time_after[node] == slot;
        seen |= ir->time_before[node] == slot;
      }
      ASSERT (fed && seen);
    }
    ir_free (ir);
    asg_free (asg);
    history_free (h);
  }
  ASSERT (ordered > 1000);
  PASS ();
}

TEST other_levels_have_no_slots (void) {
  struct random_ir made;
  uint64_t index = 0;
  while (!random_ir_make (&made, 32, index, level_find ("strong-session-serializable")))
    index++;
  ASSERT (!made.ir->time_before && !made.ir->time_after && !made.ir->slots);
  random_ir_free (&made);
  PASS ();
}

// --- Counting ----------------------------------------------------------------

TEST superpositions_are_counted (void) {
  for (uint64_t index = 0; index < 1000; index++) {
    struct random_ir made;
    if (!random_ir_make (&made, 33, index, level_at (index % 3)))
      continue;
    const struct asg *asg = made.ir->asg;
    uint64_t expected = 0;
    for (uint32_t key = 0; key < asg->keys; key++)
      for (uint32_t a = asg->key_first[key]; a < asg->key_first[key + 1]; a++)
        expected += a - asg->key_first[key];
    for (uint32_t read = 0; read < asg->reads; read++)
      expected += source_is_many (asg->read_source[read]);
    ASSERT_EQ (expected, asg_superpositions (made.ir->asg));
    random_ir_free (&made);
  }
  PASS ();
}

// --- Damage ------------------------------------------------------------------

TEST what_is_lowered_is_sound (void) {
  for (uint64_t index = 0; index < 3000; index++) {
    struct random_ir made;
    if (!random_ir_make (&made, 34, index, level_at (index % 3)))
      continue;
    const char *why = NULL;
    if (!ir_validate (made.ir, &why))
      FAILm (why);
    random_ir_free (&made);
  }
  PASS ();
}

static const char text[] = "s1 T1 [1 2] { put x 1; put y 1 } commit\n"
                           "s1 T2 [3 4] { get x -> 1; put x 1 } commit\n"
                           "s2 T3 [1 9] { get x -> 1; get y -> 1 } commit\n"
                           "s3 T4 [1 9] { put z 5 } unknown\n"
                           "s4 T5 [5 9] { get z -> 5 } commit\n";

static void release (void *lender) {
  struct asg *asg = lender;
  struct history *h = (struct history *) asg->history;
  asg_free (asg);
  history_free (h);
}

static struct ir *fresh (void) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, sizeof text - 1, &format_kht, &error);
  if (!h) {
    fprintf (stderr, "%s\n", error.text);
    return NULL;
  }
  struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true });
  struct ir *ir = lower_asg (asg, level_find ("strict-serializable"), 0);
  ir_lent_by (ir, asg, release);
  return ir;
}

// Nodes: T1 1, T2 2, T3 3, T4 4, T5 5. Installs: x by 1 and 2, y by 1, z by 4. Reads: 2 x; 3 x, y;
// 5 z.
static void break_chain_start (struct ir *ir) {
  ir->asg->chain_first[0] = 1;
}
static void break_chain_end (struct ir *ir) {
  ir->asg->chain_first[ir->asg->chains]--;
}
static void break_initial_chain (struct ir *ir) {
  ir->asg->chain_first[1] = 2;
}
static void break_empty_chain (struct ir *ir) {
  ir->asg->chain_first[2] = ir->asg->chain_first[1];
}
static void break_node_chain (struct ir *ir) {
  ir->asg->node_chain[2] = 2;
}
static void break_optional (struct ir *ir) {
  ir->node_presence[1] = if_so (1);
}
static void break_key_end (struct ir *ir) {
  ir->asg->key_first[ir->asg->keys]++;
}
static void break_install_order (struct ir *ir) {
  ir->asg->install_node[1] = ir->asg->install_node[0];
}
static void break_install_node (struct ir *ir) {
  ir->asg->install_node[1] = ir->asg->nodes;
}
static void break_install_by_initial (struct ir *ir) {
  ir->asg->install_node[0] = 0;
}
static void break_read_end (struct ir *ir) {
  ir->asg->node_first_read[ir->asg->nodes]++;
}
static void break_read_order (struct ir *ir) {
  ir->asg->node_first_read[3] = 4;
}
static void break_read_key (struct ir *ir) {
  ir->asg->read_key[0] = ir->asg->keys;
}
static void break_source_key (struct ir *ir) {
  ir->asg->read_source[2] = 0;
}
static void break_source_self (struct ir *ir) {
  ir->asg->read_source[0] = 1;
}
static void break_choice_number (struct ir *ir) {
  ir->asg->read_source[1] = SOURCE_MANY | 7;
}
static void break_choice_read (struct ir *ir) {
  ir->asg->choices.data[0].read = 0;
}
static void break_candidate (struct ir *ir) {
  struct choice *choice = &ir->asg->choices.data[0];
  ir->asg->value_installs[choice->first] = 3;
}
static void break_time_before (struct ir *ir) {
  ir->time_before[2] = ir->slots;
}
static void break_time_after (struct ir *ir) {
  ir->time_after[2] = ir->slots;
}
static void break_edge_from (struct ir *ir) {
  VEC_PUSH (ir->edges, (struct ir_edge){ ir->asg->nodes, 1 });
}
static void break_edge_to (struct ir *ir) {
  VEC_PUSH (ir->edges, (struct ir_edge){ 1, ir->asg->nodes });
}
static void break_edge_certainty (struct ir *ir) {
  VEC_PUSH (ir->edges, (struct ir_edge){ 1, 4 });
}

TEST every_kind_of_damage_is_seen (void) {
  static const struct {
    void (*damage) (struct ir *);
    const char *why;
  } kinds[] = {
    { break_chain_start, "chains do not cover the nodes" },
    { break_chain_end, "chains do not cover the nodes" },
    { break_initial_chain, "the initial state is not a chain of its own" },
    { break_empty_chain, "an empty chain" },
    { break_node_chain, "a node whose chain is another one" },
    { break_optional, "an unknown transaction that is not the last of its chain" },
    { break_key_end, "keys do not cover the installs" },
    { break_install_order, "installers of a key out of order" },
    { break_install_node, "installers of a key out of order" },
    { break_install_by_initial, "installers of a key out of order" },
    { break_read_end, "reads without a node" },
    { break_read_order, "reads out of order" },
    { break_read_key, "a read of no key" },
    { break_source_key, "a read from something that did not write what it read" },
    { break_source_self, "a read from something that did not write what it read" },
    { break_choice_number, "a read without its candidates" },
    { break_choice_read, "a read without its candidates" },
    { break_candidate, "a candidate that does not install the key" },
    { break_time_before, "a time slot that is not there" },
    { break_time_after, "a time slot that is not there" },
    { break_edge_from, "an edge to a transaction that is not there, or to itself" },
    { break_edge_to, "an edge to a transaction that is not there, or to itself" },
    { break_edge_certainty, "an edge at a transaction that is not certain" },
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct ir *ir = fresh ();
    const char *why = NULL;
    ASSERT (ir && ir_validate (ir, &why));
    kinds[i].damage (ir);
    ASSERT_FALSEm (kinds[i].why, ir_validate (ir, &why));
    ASSERT_STR_EQ (kinds[i].why, why);
    ir_free (ir);
  }
  PASS ();
}

TEST edges_have_names (void) {
  ASSERT_STR_EQ ("so", edge_kind_name (EDGE_SO));
  ASSERT_STR_EQ ("given", edge_kind_name (EDGE_GIVEN));
  ASSERT_STR_EQ ("?", edge_kind_name (EDGE_KINDS));
  PASS ();
}

SUITE (the_ir) {
  RUN_TEST (slots_say_what_times_say);
  RUN_TEST (other_levels_have_no_slots);
  RUN_TEST (superpositions_are_counted);
  RUN_TEST (what_is_lowered_is_sound);
  RUN_TEST (every_kind_of_damage_is_seen);
  RUN_TEST (edges_have_names);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_ir);)
