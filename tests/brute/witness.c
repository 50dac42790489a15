// Holds the witness check of IRs (ir/witness_check.h) against the brute-force checker, on worlds
// that are drawn at random from small random histories: what took place, sources, and an order of
// points.
//
// - Exact: the witness check says `holds` if and only if the order contains every edge of the world
//   that the level asks for, and no reader has a later version in view. That is written down here
//   once more, with all pairs instead of neighbours.
// - Sound: what it accepts, judge.c accepts, for the version orders that the order of points gives.
// - Complete: if judge.c accepts a world, some order of points that gives its version orders is
//   accepted.
//
// Chains of sessions and those of reads take turns at random.
//
//   witness [--count=N] [--seed=S] [--only=INDEX]

#include "asg/asg.h"
#include "ir/witness_check.h"
#include "judge.h"
#include "levels/all.h"
#include "levels/lower.h"
#include "prng.h"
#include "random_history.h"
#include "run.h"
#include "tests/support/every_level.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void mark_readers (const struct asg *asg, struct read_marks *marks) {
  update_serializable.traits.mark_reads (asg, marks);
}

static void mark_every_other (const struct asg *asg, struct read_marks *marks) {
  for (uint32_t read = 0; read < asg->reads; read++)
    marks->anti[read] = (uint8_t) ((asg->read_key[read] + asg->read_value[read]) % 3);
}

static void drop_some (const struct asg *asg, struct read_marks *marks) {
  for (uint32_t read = 0; read < asg->reads; read++)
    if (asg->read_key[read] % 2)
      marks->anti[read] = ANTI_NONE;
}

#define ONE_POINT .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 }, .rules.rw = { true, 0, 0 }
#define SO .rules.so = { true, 0, 0 }
#define RT .rules.rt = { true, 0, 0 }

// No levels that anybody asks for, but combinations of fields that the others do not have.
static const struct level made_up[] = {
  { .name = "update-serializable with sessions",
    ONE_POINT,
    SO,
    .rules.anti = ANTI_EDGE,
    .traits.mark_reads = mark_readers },
  { .name = "update-serializable, strict",
    ONE_POINT,
    SO,
    RT,
    .rules.anti = ANTI_EDGE,
    .traits.mark_reads = mark_readers },
  { .name = "every other", ONE_POINT, .traits.mark_reads = mark_every_other },
  { .name = "every other, strict", ONE_POINT, SO, RT, .traits.mark_reads = mark_every_other },
  { .name = "causal without sessions", ONE_POINT, .rules.anti = ANTI_FORBID, .rules.ww_hidden = true },
  { .name = "read atomic without sessions", ONE_POINT, RT, .rules.view = VIEW_STEPS, .rules.ww_hidden = true },
  { .name = "causal, some reads free",
    ONE_POINT,
    SO,
    .traits.mark_reads = drop_some,
    .rules.anti = ANTI_FORBID,
    .rules.ww_hidden = true },
  { .name = "two points, version orders apart",
    .rules.points = 2,
    .rules.so = { true, 1, 0 },
    .rules.rt = { true, 1, 0 },
    .rules.ww = { true, 1, 0 },
    .rules.wr = { true, 1, 0 } },
};

enum { MADE_UP = sizeof made_up / sizeof *made_up, LEVELS = EVERY + MADE_UP, MOST_POINTS = 2 * STORY_NODES };

static const struct level *level_number (unsigned number) {
  return number < EVERY ? every[number] : &made_up[number - EVERY];
}

struct counts {
  uint64_t held, failed;        // orders, by what was expected
  uint64_t judged_true, judged; // worlds of which all orders were tried
};

struct test {
  const struct run *run;
  uint64_t index;
  struct prng prng;
  const struct history *h;
  struct brute_options options;
  struct story story;
  struct world world;    // the sources, and whatever order was looked at last
  bool explained;        // every read that counts has a source, and nobody needs two initial values
  struct asg *graphs[3]; // chains of sessions; of reads; equal reads merged
  const struct level *level;
  unsigned position[MOST_POINTS]; // by node of the story and point
  struct counts counts[LEVELS];
  uint64_t worlds, passed, failed, skipped;
};

static bool is_in (const struct test *t, unsigned node) {
  return t->world.in & node_bit (node);
}

static int place_of (const struct test *t, unsigned node, unsigned which) {
  return node ? (int) t->position[node * t->level->rules.points + which] : -1;
}

// ----------------------------------------------------------------------------------- the candidate

// The read of the graph that stands for a read of the story; merged reads keep the first one's
// place.
static uint32_t read_in_graph (const struct test *t, const struct asg *asg, unsigned r) {
  const struct story_read *read = &t->story.read[r];
  const uint32_t node = asg->txn_node[read->reader - 1],
                 op = t->h->txn_first_op.data[read->reader - 1] + (uint32_t) read->operation;
  uint32_t found = UINT32_MAX;
  for (uint32_t k = asg->node_first_read[node]; k < asg->node_first_read[node + 1]; k++)
    if (asg->read_key[k] == read->key && asg->read_op[k] <= op)
      found = k;
  return found;
}

static bool ask (const struct test *t, struct asg *asg, const char **why) {
  uint8_t in[STORY_NODES] = { 1 };
  uint32_t position[MOST_POINTS], writers[STORY_READS];
  const unsigned points = t->level->rules.points;
  for (unsigned node = 0; node < STORY_NODES * points; node++)
    position[node] = prng_below (&(struct prng){ node }, 99); // what is not in may have anything
  for (unsigned r = 0; r < STORY_READS; r++)
    writers[r] = NODE_NONE;
  for (unsigned node = 1; node < t->story.nodes; node++) {
    if (asg->txn_node[node - 1] == NODE_NONE)
      continue;
    in[asg->txn_node[node - 1]] = is_in (t, node);
    for (unsigned which = 0; which < points && is_in (t, node); which++)
      position[asg->txn_node[node - 1] * points + which] = t->position[node * points + which];
  }
  for (unsigned r = 0; r < t->story.reads; r++)
    if (t->world.source[r] < STORY_NODES) {
      const unsigned writer = t->world.source[r];
      writers[read_in_graph (t, asg, r)] = writer ? asg->txn_node[writer - 1] : 0;
    }
  struct ir *ir = lower_asg (asg, t->level, t->options.clock_skew);
  const struct ir_witness w = { .ir = ir, .in = in, .read_writer = writers, .position = position };
  const bool holds = ir_holds_witness (ir, &w, NULL, why) == ACCEPTED;
  ir_free (ir);
  return holds;
}

static bool program_order_counts (const struct level *level) {
  return level->rules.events || level->rules.view == VIEW_EARLIER_READS || level->traits.mark_reads;
}

// Merged reads have one source.
static bool sources_fit_merged (const struct test *t) {
  uint32_t seen[STORY_READS];
  memset (seen, 0xff, sizeof seen);
  for (unsigned r = 0; r < t->story.reads; r++) {
    if (t->world.source[r] >= STORY_NODES)
      continue;
    const uint32_t read = read_in_graph (t, t->graphs[2], r);
    if (seen[read] != UINT32_MAX && seen[read] != t->world.source[r])
      return false;
    seen[read] = t->world.source[r];
  }
  return true;
}

static bool accepts (struct test *t, const char **why) {
  unsigned graph = prng_below (&t->prng, 3);
  if (graph == 2 && (program_order_counts (t->level) || !sources_fit_merged (t)))
    graph = 0;
  // chains of reads say nothing of sessions
  if (graph == 1 && t->level->rules.so.used)
    graph = 0;
  *why = "accepted";
  return ask (t, t->graphs[graph], why);
}

// ------------------------------------------------------------------------------------------ worlds

static bool may_read (const struct test *t, unsigned node, const struct story_read *read) {
  if (node == read->reader || !is_in (t, node))
    return false;
  if (!node)
    return t->story.any_initial || t->story.initial[read->key] == read->value;
  const struct story_version *version = &t->story.txns[node].versions[read->key];
  return version->installed && version->value == read->value;
}

static unsigned draw_source (struct test *t, const struct story_read *read) {
  unsigned found[STORY_NODES], count = 0;
  for (unsigned node = 0; node < t->story.nodes; node++)
    if (may_read (t, node, read))
      found[count++] = node;
  return count ? found[prng_below (&t->prng, count)] : READ_IGNORED;
}

static bool one_initial_value (const struct test *t) {
  for (unsigned a = 0; a < t->story.reads; a++)
    for (unsigned b = 0; b < a; b++)
      if (!t->world.source[a] && !t->world.source[b] && t->story.read[a].key == t->story.read[b].key
          && t->story.read[a].value != t->story.read[b].value)
        return false;
  return true;
}

static void draw_world (struct test *t) {
  struct world *w = &t->world;
  const struct asg *asg = t->graphs[0];
  memset (w, 0, sizeof *w);
  w->story = &t->story;
  w->in = node_bit (0);
  for (unsigned node = 1; node < t->story.nodes; node++) {
    const uint32_t known = asg->txn_node[node - 1];
    if (known != NODE_NONE && (!asg->optional[known] || prng_chance (&t->prng, 60)))
      w->in |= node_bit (node);
  }
  t->explained = true;
  for (unsigned r = 0; r < t->story.reads; r++) {
    w->source[r] = is_in (t, t->story.read[r].reader) ? draw_source (t, &t->story.read[r]) : READ_IGNORED;
    if (w->source[r] < STORY_NODES)
      relation_add (&w->wr, w->source[r], t->story.read[r].reader);
    else
      t->explained &= !is_in (t, t->story.read[r].reader);
  }
  t->explained &= one_initial_value (t);
  w->so = relation_within (t->story.session_order, w->in);
  w->rt = relation_within (t->story.real_time, w->in);
}

// The version orders that the positions give.
static void order_by_position (const struct test *t, struct world *w) {
  const unsigned from = t->level->rules.ww.from;
  for (unsigned key = 0; key < t->story.keys; key++) {
    w->order[key][0] = 0;
    w->versions[key] = 1;
    for (unsigned node = 1; node < t->story.nodes; node++) {
      if (!is_in (t, node) || !t->story.txns[node].versions[key].installed)
        continue;
      unsigned at = w->versions[key]++;
      for (; place_of (t, w->order[key][at - 1], from) > place_of (t, node, from); at--)
        w->order[key][at] = w->order[key][at - 1];
      w->order[key][at] = node;
    }
  }
}

// Version orders that need not fit one another.
static void order_at_random (struct test *t) {
  const bool together = prng_chance (&t->prng, 60);
  for (unsigned key = 0; key < t->story.keys; key++) {
    unsigned wish[STORY_NODES];
    for (unsigned node = 0; node < t->story.nodes; node++)
      wish[node] =
        together && key ? t->position[node * t->level->rules.points] : prng_below (&t->prng, 1u << 20) * 16 + node;
    for (unsigned node = 0; node < t->story.nodes; node++)
      for (unsigned which = 0; which < t->level->rules.points; which++)
        t->position[node * t->level->rules.points + which] = wish[node];
    struct world drawn = t->world;
    order_by_position (t, &drawn);
    memcpy (t->world.order[key], drawn.order[key], sizeof drawn.order[key]);
    t->world.versions[key] = drawn.versions[key];
  }
}

static bool same_orders (const struct world *a, const struct world *b) {
  for (unsigned key = 0; key < a->story->keys; key++)
    if (memcmp (a->order[key], b->order[key], a->versions[key] * sizeof *a->order[key]))
      return false;
  return true;
}

// -------------------------------------------------------------------------------- what is expected

static bool forward (const struct test *t, const struct relation *edges, struct edge_points points) {
  for (unsigned i = 0; points.used && i < t->story.nodes; i++)
    for (unsigned j = 0; j < t->story.nodes; j++)
      if (relation_has (edges, i, j) && place_of (t, i, points.from) >= place_of (t, j, points.to))
        return false;
  return true;
}

// The anti-dependencies of one kind.
static struct relation anti_dependencies (const struct test *t, const struct world *w, enum anti kind) {
  uint8_t anti[STORY_READS];
  struct world part = *w;
  memset (anti, t->level->rules.anti, sizeof anti);
  if (t->level->traits.mark_reads)
    t->level->traits.mark_reads (t->graphs[0], &(struct read_marks){ .anti = anti });
  for (unsigned r = 0; r < t->story.reads; r++)
    if (part.source[r] < STORY_NODES && anti[read_in_graph (t, t->graphs[0], r)] != kind)
      part.source[r] = READ_IGNORED;
  judge_add_edges (&part);
  return part.rw;
}

static struct relation path_edges (const struct test *t, const struct world *w, const struct relation *edge) {
  struct relation paths = relation_union (w->wr, edge);
  if (t->level->rules.so.used)
    paths = relation_union (paths, &w->so);
  if (t->level->rules.rt.used)
    paths = relation_union (paths, &w->rt);
  if (!t->level->rules.ww_hidden)
    paths = relation_union (paths, &w->ww);
  return paths;
}

// An installer in view must not be later than the one read.
static bool steps_are_older (const struct test *t, const struct world *w) {
  struct relation steps = w->wr;
  if (t->level->rules.so.used)
    steps = relation_union (steps, &w->so);
  if (t->level->rules.rt.used)
    steps = relation_union (steps, &w->rt);
  for (unsigned r = 0; r < t->story.reads; r++) {
    const struct story_read *read = &t->story.read[r];
    for (unsigned node = 1; w->source[r] < STORY_NODES && node < t->story.nodes; node++) {
      bool seen = t->level->rules.view == VIEW_STEPS && relation_has (&steps, node, read->reader);
      for (unsigned e = 0; t->level->rules.view == VIEW_EARLIER_READS && e < t->story.reads; e++)
        seen |= t->story.read[e].reader == read->reader && t->story.read[e].event < read->event && w->source[e] == node;
      if (seen && node != read->reader && t->story.txns[node].versions[read->key].installed
          && place_of (t, node, 0) > place_of (t, w->source[r], 0))
        return false;
    }
  }
  return true;
}

static bool expected (const struct test *t, const struct world *w) {
  const struct level *level = t->level;
  if (!forward (t, &w->so, level->rules.so) || !forward (t, &w->rt, level->rules.rt)
      || !forward (t, &w->ww, level->rules.ww))
    return false;
  if (!level->rules.wr.used)
    return true;
  const struct relation edge = anti_dependencies (t, w, ANTI_EDGE), once = anti_dependencies (t, w, ANTI_FORBID);
  if (!t->explained || !forward (t, &w->wr, level->rules.wr) || !forward (t, &edge, level->rules.rw))
    return false;
  if (level->rules.events)
    return judge_level (w, (unsigned) brute_level_find (level->name));
  const struct relation paths = relation_paths (path_edges (t, w, &edge)), back = relation_then (&paths, &once);
  return relation_irreflexive (&back) && (level->rules.view == VIEW_PATHS || steps_are_older (t, w));
}

// ------------------------------------------------------------------------------------------- tests

static void complain (struct test *t, const char *what, const char *why) {
  t->failed++;
  fprintf (stderr, "%s at %s (%s); order of points:", what, t->level->name, why);
  for (unsigned node = 1; node < t->story.nodes; node++)
    for (unsigned which = 0; which < t->level->rules.points && is_in (t, node); which++)
      fprintf (stderr, " T%" PRIu64 "%s at %u", t->h->txn_ids.data[node - 1], which ? "'" : "",
               t->position[node * t->level->rules.points + which]);
  fprintf (stderr, "; sources:");
  for (unsigned r = 0; r < t->story.reads; r++)
    if (t->world.source[r] < STORY_NODES)
      fprintf (stderr, " %u.%u from %u", t->story.read[r].reader, t->story.read[r].event, t->world.source[r]);
  fprintf (stderr, "\n");
  run_tell (t->run, t->index, &t->options, t->h);
}

static void check_order (struct test *t, unsigned number) {
  struct world w = t->world;
  const char *why;
  order_by_position (t, &w);
  judge_add_edges (&w);
  const bool wanted = expected (t, &w), got = accepts (t, &why);
  const int judged = brute_level_find (t->level->name);
  t->counts[number].held += wanted;
  t->counts[number].failed += !wanted;
  if (wanted != got)
    complain (t, got ? "accepted wrongly" : "refused wrongly", why);
  else if (got && judged >= 0 && !judge_level (&w, (unsigned) judged))
    complain (t, "accepted, but not by judge.c", why);
  else
    t->passed++;
}

// Does any edge of what the level always has lead from a point that is not placed yet?
static bool waits (const struct test *t, unsigned node, unsigned which, node_set *placed) {
  const struct level *level = t->level;
  const struct relation *edges[] = { &t->world.so, &t->world.rt, &t->world.wr };
  const struct edge_points points[] = { level->rules.so, level->rules.rt, level->rules.wr };
  for (unsigned e = 0; e < 3; e++)
    for (unsigned i = 1; points[e].used && points[e].to == which && i < t->story.nodes; i++)
      if (relation_has (edges[e], i, node) && !(placed[points[e].from] & node_bit (i)))
        return true;
  return false;
}

// An order at random; mostly one that keeps to the edges which do not depend on it.
static void draw_order (struct test *t) {
  const bool careful = prng_chance (&t->prng, 85);
  const unsigned points = t->level->rules.points;
  node_set placed[2] = { node_bit (0), node_bit (0) };
  for (unsigned place = 0;; place++) {
    unsigned found[MOST_POINTS], count = 0, patient = 0;
    for (unsigned node = 1; node < t->story.nodes; node++)
      for (unsigned which = 0; which < points && is_in (t, node); which++) {
        if (placed[which] & node_bit (node) || (which && !(placed[0] & node_bit (node))))
          continue;
        found[count++] = node * points + which;
        if (waits (t, node, which, placed)) // to the end of the list
          continue;
        const unsigned last = found[count - 1];
        found[count - 1] = found[patient];
        found[patient++] = last;
      }
    if (!count)
      return;
    const unsigned point = found[prng_below (&t->prng, careful && patient ? patient : count)];
    t->position[point] = place;
    placed[point % points] |= node_bit (point / points);
  }
}

// Tries every order of points, from `place` on, until one is accepted that gives the version orders
// of the world.
static bool some_order (struct test *t, unsigned place, node_set *placed, bool any_versions) {
  const unsigned points = t->level->rules.points;
  bool complete = true;
  for (unsigned node = 1; node < t->story.nodes; node++)
    for (unsigned which = 0; which < points && is_in (t, node); which++) {
      if (placed[which] & node_bit (node))
        continue;
      complete = false;
      if (which && !(placed[0] & node_bit (node)))
        continue;
      placed[which] |= node_bit (node);
      t->position[node * points + which] = place;
      const bool found = some_order (t, place + 1, placed, any_versions);
      placed[which] &= ~node_bit (node);
      if (found)
        return true;
    }
  if (!complete)
    return false;
  struct world w = t->world;
  const char *why;
  order_by_position (t, &w);
  return (any_versions || same_orders (&w, &t->world)) && accepts (t, &why);
}

// Judge.c, and whether any order is accepted, must agree: `holds` is an order that judge.c accepts.
static void check_world (struct test *t, unsigned number) {
  const int judged = brute_level_find (t->level->name);
  const unsigned size = (unsigned) __builtin_popcount (t->world.in) - 1;
  if (judged < 0 || size > (t->level->rules.points == 1 ? 5 : 3)) {
    t->skipped++;
    return;
  }
  order_at_random (t);
  judge_add_edges (&t->world);
  const bool any_versions = judge_levels_of (JUDGE_READS) >> judged & 1;
  const bool reads_fine = t->explained || !t->level->rules.wr.used;
  const bool wanted = reads_fine && judge_level (&t->world, (unsigned) judged);
  node_set placed[2] = { node_bit (0), node_bit (0) };
  t->counts[number].judged++;
  t->counts[number].judged_true += wanted;
  if (some_order (t, 0, placed, any_versions) != wanted)
    complain (t, wanted ? "no order was accepted of a world that judge.c accepts" : "judge.c accepts no such world",
              "-");
  else
    t->passed++;
}

static void test_history (struct test *t) {
  struct brute_verdicts verdicts;
  t->options.own_writes = BRUTE_OWN_MUST; // as the graph has it
  t->graphs[0] = asg_build (t->h, &(struct asg_options){ .events = true });
  // faults are told before anything is lowered
  if (t->graphs[0]->unsupported || t->graphs[0]->faults.count
      || !story_tell (&t->story, t->h, &t->options, 0, &verdicts)) {
    t->skipped++;
    asg_free (t->graphs[0]);
    return;
  }
  t->graphs[1] = asg_rechain (t->graphs[0], true);
  t->graphs[2] = asg_build (t->h, &(struct asg_options){ .merge_equal_reads = true, .events = true });
  draw_world (t);
  t->worlds++;
  for (unsigned i = 0; i < 12; i++) {
    const unsigned number = prng_below (&t->prng, LEVELS);
    t->level = level_number (number);
    draw_order (t);
    check_order (t, number);
  }
  for (unsigned i = 0; i < 2; i++) {
    const unsigned number = prng_below (&t->prng, LEVELS);
    t->level = level_number (number);
    check_world (t, number);
  }
  for (unsigned i = 0; i < 3; i++)
    asg_free (t->graphs[i]);
}

// A level of which every order is accepted, or none, was not tested; read uncommitted accepts them
// all.
static void check_coverage (struct test *t) {
  printf ("%-48s %10s %10s %10s %10s\n", "", "accepted", "refused", "worlds", "hold");
  for (unsigned i = 0; i < LEVELS; i++) {
    const struct counts *counts = &t->counts[i];
    printf ("%-48s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", level_number (i)->name, counts->held,
            counts->failed, counts->judged, counts->judged_true);
    if (t->run->count >= 10000
        && (counts->held < 100 || (counts->failed < 100 && level_number (i) != level_find ("read-uncommitted"))))
      t->failed++;
  }
}

int main (int argc, char **argv) {
  const struct run run = run_arguments (argc, argv, 30000, 1000000);
  static struct test t;
  t.run = &run;
  for (t.index = run.first; t.index < run.first + run.count; t.index++) {
    t.prng = prng_fork (run.seed + 77, t.index);
    struct history *h = random_history (run.seed, t.index, &t.options);
    t.h = h;
    if (run.single)
      run_tell (&run, t.index, &t.options, h);
    test_history (&t);
    history_free (h);
  }
  check_coverage (&t);
  printf ("%" PRIu64 " worlds\n", t.worlds);
  return run_end (t.passed, t.failed, t.skipped);
}
