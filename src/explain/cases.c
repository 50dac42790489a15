// A tree of cases is looked for with one step of foresight: what is decided next is that of which
// most alternatives end in a circle at once. Then one with fewer leaves is, by trying for two,
// three and so on; cores are small, and so are their trees.

#include "explain/cases.h"

#include "asg/asg.h"
#include "explain/choices.h"
#include "explain/explain.h"
#include "history/history.h"
#include "levels/levels.h"

enum { FEW_LEAVES = 12, MOST_LEAVES = 24 };
#define MOST_WORK 10000000u // edges looked at, by each way of searching

struct search {
  struct cases *cases;
  uint64_t most_work; // of the model, when it stops
  bool greedy;        // only the most promising choice is tried
  bool hopeless;      // everything was decided, and there was no circle
};

// Who comes first, and why that is so now.
static void note_order (const struct small_model *w, uint32_t first, uint32_t then, struct case_edge *edge) {
  const uint32_t at = w->pair_of[first * w->asg->nodes + then];
  if (!at)
    return;
  edge->why = w->pairs.data[at - 1].why;
  edge->by = w->pairs.data[at - 1].edge;
}

static void add_edge (struct cases *c, const struct circle_edge *circle) {
  const struct small_model *w = c->model;
  struct case_edge edge = { .edge = *circle, .why = WHY_KIND };
  if (circle->kind == EDGE_RW) {
    edge.writer = case_source_node (c, w->source[circle->read]);
    note_order (w, edge.writer, circle->to, &edge);
  } else if (circle->kind == EDGE_WW && circle->read != READ_NONE) {
    edge.writer = case_source_node (c, w->source[circle->read]);
    edge.why = WHY_REPLACED;
  } else if (circle->kind == EDGE_WW)
    note_order (w, circle->from, circle->to, &edge);
  VEC_PUSH (c->edges, edge);
}

// True if what is assumed so far ends in a circle.
static bool end_here (struct cases *c, uint32_t at) {
  circle_edge_vec circle = VEC_EMPTY;
  struct one_case *leaf = &c->all.data[at];
  leaf->orphan = case_orphan (c->model);
  const bool ends = model_find_circle (c->model, &circle) || leaf->orphan != READ_NONE;
  if (circle.count) {
    leaf->orphan = READ_NONE;
    leaf->first_edge = (uint32_t) c->edges.count;
    leaf->edges = (uint32_t) circle.count;
    leaf->anomaly = circle_anomaly (circle.data, circle.count, model_circle_facts (c->model, circle.data, circle.count),
                                    &c->model->level->rules);
    for (size_t i = 0; i < circle.count; i++)
      add_edge (c, &circle.data[i]);
  }
  VEC_FREE (circle);
  return ends;
}

static uint32_t add_case (struct cases *c, uint32_t parent, struct one_case what) {
  const uint32_t at = (uint32_t) c->all.count;
  what.parent = parent;
  VEC_PUSH (c->all, what);
  uint32_t *link = &c->all.data[parent].child;
  while (*link != CASE_NONE)
    link = &c->all.data[*link].next;
  *link = at;
  return at;
}

// --------------------------------------------------------------------------------------- searching

static uint32_t refute (struct search *, uint32_t at, uint32_t most);

static bool is_over (const struct search *s) {
  return s->hopeless || s->cases->model->work > s->most_work;
}

// Takes back what was added below a case.
static void cut_below (struct cases *c, uint32_t at, size_t cases, size_t edges) {
  c->all.count = cases;
  c->edges.count = edges;
  c->all.data[at].child = CASE_NONE;
}

static uint32_t refute_alternative (struct search *s, uint32_t at, const struct one_case *what, uint32_t most) {
  struct cases *c = s->cases;
  const uint32_t child = add_case (c, at, *what);
  case_assume (c->model, what);
  uint32_t leaves = 0;
  for (uint32_t few = s->greedy ? most : 1; few <= most && !leaves; few++)
    leaves = refute (s, child, few);
  return leaves;
}

// Each alternative needs a leaf at least.
static uint32_t refute_choice (struct search *s, uint32_t at, const struct choices *choices, size_t which,
                               const struct model_state *here, uint32_t most) {
  const struct open_choice *choice = &choices->list.data[which];
  struct cases *c = s->cases;
  const size_t cases = c->all.count, edges = c->edges.count;
  uint32_t leaves = 0;
  for (uint32_t i = 0; i < choice->count; i++) {
    const uint32_t to_come = choice->count - 1 - i;
    const uint32_t more =
      leaves + to_come < most
        ? refute_alternative (s, at, &choices->alternatives.data[choice->first + i], most - leaves - to_come)
        : 0;
    model_go_back (c->model, here);
    if (!more) {
      cut_below (c, at, cases, edges);
      return 0;
    }
    leaves += more;
  }
  return leaves;
}

// The number of leaves below the case, at most `most`; 0: that cannot be done.
static uint32_t refute (struct search *s, uint32_t at, uint32_t most) {
  struct small_model *w = s->cases->model;
  if (end_here (s->cases, at))
    return 1;
  if (most < 2 || is_over (s))
    return 0;
  struct model_state here = model_save (w);
  struct choices choices = { VEC_EMPTY, VEC_EMPTY };
  choices_find (w, &here, s->most_work, &choices);
  s->hopeless = !choices.list.count && w->work <= s->most_work;
  uint32_t leaves = 0;
  for (size_t i = 0; i < choices.list.count && !leaves && !is_over (s) && !(s->greedy && i); i++)
    leaves = refute_choice (s, at, &choices, i, &here, most);
  choices_free (&choices);
  model_state_free (&here);
  return leaves;
}

static uint32_t refute_greedily (struct cases *c, bool *hopeless) {
  struct search s = { .cases = c, .most_work = c->model->work + MOST_WORK, .greedy = true };
  const uint32_t leaves = refute (&s, 0, MOST_LEAVES);
  *hopeless = s.hopeless;
  return leaves;
}

// A tree by going for what looks best each time; then one with fewer leaves, if that is found soon.
static bool refute_all (struct cases *c) {
  bool hopeless;
  const uint32_t leaves = refute_greedily (c, &hopeless);
  if (hopeless || leaves == 1 || leaves == 2)
    return !hopeless;
  struct search s = { .cases = c, .most_work = c->model->work + MOST_WORK };
  const uint32_t fewer = leaves && leaves <= FEW_LEAVES ? leaves - 1 : FEW_LEAVES;
  cut_below (c, 0, 1, 0);
  for (uint32_t most = 2; most <= fewer && !is_over (&s); most++)
    if (refute (&s, 0, most))
      return true;
  return leaves && !s.hopeless && refute_greedily (c, &hopeless);
}

// One of the leaves is what happened.
static struct anomaly name_all (const struct cases *c) {
  struct anomaly all = { 0 };
  for (size_t i = 0; i < c->all.count; i++) {
    const struct one_case *leaf = &c->all.data[i];
    if (case_is_leaf (leaf) && leaf->edges)
      all = all.class ? anomaly_either (all, leaf->anomaly) : leaf->anomaly;
  }
  return all;
}

// -------------------------------------------------------------------------------------- as a value

static struct violation_edge edge_told (const struct asg *asg, const struct case_edge *one) {
  const struct circle_edge *edge = &one->edge, *by = &one->by;
  struct violation_edge told = { .from = party_of (asg->history, &asg->columns, edge->from),
                                 .to = party_of (asg->history, &asg->columns, edge->to),
                                 .kind = edge->kind,
                                 .predicate = edge->predicate,
                                 .key = edge->key,
                                 .why = one->why };
  if (edge->kind == EDGE_WR)
    told.seen = seen_by (asg->history, &asg->columns, edge->to, edge->read, edge->from);
  else if (edge->kind == EDGE_RW || one->why == WHY_REPLACED)
    told.seen = seen_by (asg->history, &asg->columns, edge->from, edge->read, one->writer);
  if (edge->kind == EDGE_RW)
    told.deletes = asg->install_value[asg_install_of (asg, edge->key, edge->to)] == VALUE_ABSENT;
  if (one->why == WHY_EDGE) {
    told.by = (struct leading_edge){ .kind = by->kind,
                                     .from = party_of (asg->history, &asg->columns, by->from),
                                     .to = party_of (asg->history, &asg->columns, by->to) };
    if (by->kind == EDGE_WR)
      told.by.seen = seen_by (asg->history, &asg->columns, by->to, by->read, by->from);
  }
  return told;
}

static struct violation_case case_told (const struct cases *c, const struct one_case *one) {
  const struct asg *asg = c->model->asg;
  struct violation_case told = { .kind = one->kind,
                                 .key = one->key,
                                 .wrote = one->wrote,
                                 .parent = one->parent,
                                 .child = one->child,
                                 .next = one->next,
                                 .first_edge = one->first_edge,
                                 .edges = one->edges,
                                 .orphaned = one->orphan != READ_NONE };
  uint32_t reader;
  if (one->kind == CASE_ORDER) {
    told.first = party_of (asg->history, &asg->columns, one->first);
    told.then = party_of (asg->history, &asg->columns, one->then);
  } else if (one->kind == CASE_SOURCE) {
    model_reads (c->model, one->read, &reader);
    told.seen = seen_by (asg->history, &asg->columns, reader, one->read, case_source_node (c, one->source));
  } else if (one->kind == CASE_DELETE)
    told.first = party_of (asg->history, &asg->columns, asg->unrecorded.data[one->unrecorded].node);
  if (told.orphaned) {
    model_reads (c->model, one->orphan, &reader);
    told.orphan = seen_by (asg->history, &asg->columns, reader, one->orphan, 0);
  }
  return told;
}

struct violation *cases_violation (const struct cases *c) {
  struct violation *v = violation_new (VIOLATION_CASES, c->anomaly);
  for (size_t i = 0; i < c->all.count; i++)
    VEC_PUSH (v->cases, case_told (c, &c->all.data[i]));
  for (size_t i = 0; i < c->edges.count; i++)
    VEC_PUSH (v->edges, edge_told (c->model->asg, &c->edges.data[i]));
  return v;
}

// ----------------------------------------------------------------------------------------- finding

struct cases *cases_find (const struct history *h, const struct check_options *options) {
  struct small_model *model = model_new (h, options);
  if (!model)
    return NULL;
  struct cases *c = mem_zalloc (sizeof *c);
  c->model = model;
  VEC_PUSH (c->all, case_without_assumption ());
  model_decide_plain_pairs (model);
  if (!refute_all (c)) {
    cases_free (c);
    return NULL;
  }
  c->anomaly = name_all (c);
  return c;
}

void cases_free (struct cases *c) {
  if (!c)
    return;
  model_free (c->model);
  VEC_FREE (c->all);
  VEC_FREE (c->edges);
  mem_free (c);
}
