// A tree of cases is looked for with one step of foresight: what is decided next is that of which
// most alternatives end in a circle at once. Then one with fewer leaves is, by trying for two,
// three and so on; cores are small, and so are their trees.

#include "explain/cases.h"

#include "asg/asg.h"
#include "explain/explain.h"
#include "explain/small_model.h"
#include "history/history.h"
#include "levels/levels.h"

enum { FEW_LEAVES = 12, MOST_LEAVES = 24 };
#define MOST_WORK 10000000u // edges looked at, by each way of searching

struct search {
  struct small_model *model;
  struct violation *told;         // the tree so far
  VEC (struct anomaly) anomalies; // per case, of those with a circle
  uint64_t most_work;             // of the model, when it stops
  bool greedy;                    // only the most promising choice is tried
  bool hopeless;                  // everything was decided, and there was no circle
};

// ----------------------------------------------------------------------------------------- telling

static struct party party (const struct small_model *w, uint32_t node) {
  return party_of (w->history, &w->asg->columns, node);
}

static struct seen seen (const struct small_model *w, uint32_t reader, uint32_t read, uint32_t writer) {
  return seen_by (w->history, &w->asg->columns, reader, read, writer);
}

// The node that a source of a read is a version of.
static uint32_t source_node (const struct small_model *w, uint32_t source) {
  return source == SOURCE_INITIAL ? 0 : w->asg->install_node[source];
}

// Why `then` comes second now.
static void tell_order (const struct small_model *w, uint32_t first, uint32_t then, struct violation_edge *told) {
  const uint32_t at = w->pair_of[first * w->asg->nodes + then];
  if (!at)
    return;
  const struct circle_edge *by = &w->pairs[at - 1].edge;
  told->why = w->pairs[at - 1].why;
  if (told->why != WHY_EDGE)
    return;
  told->by = (struct leading_edge){ .kind = by->kind, .from = party (w, by->from), .to = party (w, by->to) };
  if (by->kind == EDGE_WR)
    told->by.seen = seen (w, by->to, by->read, by->from);
}

static struct violation_edge edge_told (const struct small_model *w, const struct circle_edge *edge) {
  struct violation_edge told = { .from = party (w, edge->from),
                                 .to = party (w, edge->to),
                                 .kind = edge->kind,
                                 .predicate = edge->predicate,
                                 .key = edge->key };
  if (edge->kind == EDGE_WR)
    told.seen = seen (w, edge->to, edge->read, edge->from);
  else if (edge->read != READ_NONE) {
    const uint32_t writer = source_node (w, w->source[edge->read]);
    told.seen = seen (w, edge->from, edge->read, writer);
    told.why = WHY_REPLACED;
    if (edge->kind == EDGE_RW) {
      told.why = WHY_KIND;
      tell_order (w, writer, edge->to, &told);
      told.deletes = w->asg->install_value[asg_install_of (w->asg, edge->key, edge->to)] == VALUE_ABSENT;
    }
  } else if (edge->kind == EDGE_WW)
    tell_order (w, edge->from, edge->to, &told);
  return told;
}

static struct violation_case case_told (const struct small_model *w, const struct alternative *what) {
  struct violation_case told = { .kind = what->kind,
                                 .key = what->key,
                                 .wrote = what->wrote,
                                 .parent = CASE_NONE,
                                 .child = CASE_NONE,
                                 .next = CASE_NONE };
  uint32_t reader;
  if (what->kind == CASE_ORDER) {
    told.first = party (w, what->first);
    told.then = party (w, what->then);
  } else if (what->kind == CASE_SOURCE) {
    model_reads (w, what->read, &reader);
    told.seen = seen (w, reader, what->read, source_node (w, what->source));
  } else if (what->kind == CASE_DELETE)
    told.first = party (w, w->asg->unrecorded.data[what->unrecorded].node);
  return told;
}

// True if what is assumed so far ends in a circle.
static bool end_here (struct search *s, uint32_t at) {
  struct small_model *w = s->model;
  struct violation_case *leaf = &s->told->cases.data[at];
  circle_edge_vec circle = VEC_EMPTY;
  uint32_t reader;
  const uint32_t orphan = model_orphan (w);
  if (model_find_circle (w, &circle)) {
    leaf->first_edge = (uint32_t) s->told->edges.count;
    leaf->edges = (uint32_t) circle.count;
    s->anomalies.data[at] =
      circle_anomaly (circle.data, circle.count, model_circle_facts (w, circle.data, circle.count), &w->level->rules);
    for (size_t i = 0; i < circle.count; i++)
      VEC_PUSH (s->told->edges, edge_told (w, &circle.data[i]));
  } else if (orphan != READ_NONE) {
    model_reads (w, orphan, &reader);
    leaf->orphaned = true;
    leaf->orphan = seen (w, reader, orphan, 0);
  }
  VEC_FREE (circle);
  return leaf->edges || leaf->orphaned;
}

static uint32_t add_case (struct search *s, uint32_t parent, const struct alternative *what) {
  struct violation *v = s->told;
  const uint32_t at = (uint32_t) v->cases.count;
  VEC_PUSH (v->cases, case_told (s->model, what));
  VEC_PUSH (s->anomalies, (struct anomaly){ 0 });
  v->cases.data[at].parent = parent;
  if (parent == CASE_NONE)
    return at;
  uint32_t *link = &v->cases.data[parent].child;
  while (*link != CASE_NONE)
    link = &v->cases.data[*link].next;
  *link = at;
  return at;
}

// --------------------------------------------------------------------------------------- searching

static uint32_t refute (struct search *, uint32_t at, uint32_t most);

static bool is_over (const struct search *s) {
  return s->hopeless || s->model->work > s->most_work;
}

// Takes back what was added below a case.
static void cut_below (struct search *s, uint32_t at, size_t cases, size_t edges) {
  s->told->cases.count = s->anomalies.count = cases;
  s->told->edges.count = edges;
  s->told->cases.data[at].child = CASE_NONE;
}

static uint32_t refute_alternative (struct search *s, uint32_t at, const struct alternative *what, uint32_t most) {
  const uint32_t child = add_case (s, at, what);
  model_assume (s->model, what);
  uint32_t leaves = 0;
  for (uint32_t few = s->greedy ? most : 1; few <= most && !leaves; few++)
    leaves = refute (s, child, few);
  return leaves;
}

// Each alternative needs a leaf at least.
static uint32_t refute_choice (struct search *s, uint32_t at, const struct choices *choices, size_t which,
                               const void *here, uint32_t most) {
  const struct open_choice *choice = &choices->list.data[which];
  const size_t cases = s->told->cases.count, edges = s->told->edges.count;
  uint32_t leaves = 0;
  for (uint32_t i = 0; i < choice->count; i++) {
    const uint32_t to_come = choice->count - 1 - i;
    const uint32_t more =
      leaves + to_come < most
        ? refute_alternative (s, at, &choices->alternatives.data[choice->first + i], most - leaves - to_come)
        : 0;
    model_go_back (s->model, here);
    if (!more) {
      cut_below (s, at, cases, edges);
      return 0;
    }
    leaves += more;
  }
  return leaves;
}

// The number of leaves below the case, at most `most`; 0: that cannot be done.
static uint32_t refute (struct search *s, uint32_t at, uint32_t most) {
  struct small_model *w = s->model;
  if (end_here (s, at))
    return 1;
  if (most < 2 || is_over (s))
    return 0;
  void *here = model_save (w);
  struct choices choices = { VEC_EMPTY, VEC_EMPTY };
  choices_find (w, here, s->most_work, &choices);
  s->hopeless = !choices.list.count && w->work <= s->most_work;
  uint32_t leaves = 0;
  for (size_t i = 0; i < choices.list.count && !leaves && !is_over (s) && !(s->greedy && i); i++)
    leaves = refute_choice (s, at, &choices, i, here, most);
  choices_free (&choices);
  mem_free (here);
  return leaves;
}

static void start (struct search *s, bool greedy) {
  s->most_work = s->model->work + MOST_WORK;
  s->greedy = greedy;
}

// A tree by going for what looks best each time; then one with fewer leaves, if that is found soon.
static bool refute_all (struct search *s) {
  start (s, true);
  const uint32_t leaves = refute (s, 0, MOST_LEAVES);
  if (s->hopeless || leaves == 1 || leaves == 2)
    return !s->hopeless;
  const uint32_t fewer = leaves && leaves <= FEW_LEAVES ? leaves - 1 : FEW_LEAVES;
  cut_below (s, 0, 1, 0);
  start (s, false);
  for (uint32_t most = 2; most <= fewer && !is_over (s); most++)
    if (refute (s, 0, most))
      return true;
  if (!leaves || s->hopeless)
    return false;
  start (s, true);
  return refute (s, 0, MOST_LEAVES);
}

// One of the leaves is what happened.
static struct anomaly name_all (const struct search *s) {
  struct anomaly all = { 0 };
  for (size_t i = 0; i < s->anomalies.count; i++)
    if (s->told->cases.data[i].edges)
      all = all.class ? anomaly_either (all, s->anomalies.data[i]) : s->anomalies.data[i];
  return all;
}

struct violation *cases_find (const struct history *h, const struct check_options *options) {
  struct search s = { .model = model_new (h, options) };
  if (!s.model)
    return NULL;
  s.told = violation_new (VIOLATION_CASES, (struct anomaly){ 0 });
  add_case (&s, CASE_NONE, &(struct alternative){ .kind = CASE_ALL, .key = KEY_NONE });
  model_decide_plain_pairs (s.model);
  if (refute_all (&s))
    s.told->anomaly = name_all (&s);
  else {
    violation_free (s.told);
    s.told = NULL;
  }
  VEC_FREE (s.anomalies);
  model_free (s.model);
  return s.told;
}
