#include "solve/theory.h"

#include "base/error.h"
#include "base/group.h"
#include "base/sort.h"
#include "solve/acyclic.h"

#include <string.h>

#define NONE UINT32_MAX

struct trail_entry {
  int32_t literal;
  uint32_t queued_before; // length of the queue when the literal came
  uint32_t forbid_before; // and of the other one
};

// A literal that an edge with one guard missing implies: that guard does not hold, because of the
// first so many edges of the graph.
struct implied {
  int32_t literal;
  uint32_t edge, added;
};

struct theory {
  uint32_t variables, edge_count;
  const struct guarded_edge *edges;
  struct acyclic *graph;
  uint32_t *occurs_first, *occurs; // edges by guard literal
  uint8_t *missing;                // per edge: guards that are not true
  int8_t *value;                   // per variable
  uint8_t *is_fixed;               // per variable: it holds for good
  VEC (int32_t) again;             // scratch: such literals that backtracking took along
  VEC (struct trail_entry) trail;
  VEC (uint32_t) levels; // length of the trail at each level's start
  // active edges in the order of their activation; a prefix of it is in the graph
  VEC (uint32_t) queue;
  VEC (uint32_t) forbid; // active edges that only forbid; a prefix of it was looked at
  uint32_t forbid_seen;
  uint32_t *forbid_head;            // scratch: per point, those that end there; places in `forbid`
  VEC (uint32_t) forbid_next, ends; // scratch: the next of the same end; points with any
  bool in_conflict;
  VEC (int32_t) clause;
  VEC (uint32_t) lemma_first, lemma_edges;
  VEC (uint32_t) conflicts; // lemmas that are clauses to hand out
  uint32_t taken;           // of these
  // implied literals
  uint32_t nearby;                // points to look at on each side; 0: nothing is implied
  uint32_t *start_first, *starts; // edges by their start
  // per edge in the graph: the order was not as it wants when it came
  uint8_t *turned;
  uint32_t surrounded;          // edges in the graph whose surroundings were looked at
  VEC (struct implied) implied; // not handed out yet
  VEC (uint32_t) forbidden;     // scratch: active edges that forbid what seems to be there
  struct implied *reasons;      // per variable, of what was handed out
  bool hides;                   // some edge is hidden
  // decisions
  int8_t *phases;         // NULL: none are made
  VEC (uint32_t) agenda;  // variables in the order of decision
  VEC (uint32_t) cursors; // per level: what comes before that in the agenda is assigned
  uint32_t cursor;
  uint64_t assigned;
};

static uint32_t variable_of (int32_t literal) {
  return (uint32_t) (literal > 0 ? literal : -literal);
}

static uint32_t slot (int32_t literal) {
  return literal > 0 ? 2u * (uint32_t) literal : 2u * (uint32_t) -literal + 1;
}

static void index_guards (struct theory *t, uint32_t edge_count) {
  struct grouping by_literal = { .groups = 2 * ((size_t) t->variables + 1) };
  while (grouping_pass (&by_literal))
    for (uint32_t e = 0; e < edge_count; e++)
      for (unsigned i = 0; i < MOST_GUARDS && t->edges[e].guard[i]; i++) {
        group_put (&by_literal, slot (t->edges[e].guard[i]), e);
        t->missing[e] = (uint8_t) (i + 1);
      }
  t->occurs_first = by_literal.first;
  t->occurs = by_literal.items;
}

struct theory *theory_new (uint32_t variables, const struct guarded_edge *edges, uint32_t edge_count, uint32_t points,
                           const uint32_t *known_first, const uint32_t *known_to, const uint8_t *known_hidden,
                           const uint32_t *position) {
  struct theory *t = mem_zalloc (sizeof *t);
  t->variables = variables;
  t->edges = edges;
  t->edge_count = edge_count;
  t->missing = MEM_ZARRAY (uint8_t, edge_count);
  t->value = MEM_ZARRAY (int8_t, (size_t) variables + 1);
  t->is_fixed = MEM_ZARRAY (uint8_t, (size_t) variables + 1);
  index_guards (t, edge_count);
  t->forbid_head = mem_nones (points);
  t->graph = acyclic_new (points, known_first, known_to, known_hidden, position);
  t->hides = known_hidden != NULL;
  for (uint32_t e = 0; e < edge_count; e++) {
    acyclic_declare (t->graph, e, edges[e].from, edges[e].to, t->missing[e], edges[e].role == ROLE_ORDER);
    t->hides |= edges[e].role == ROLE_ORDER;
  }
  return t;
}

void theory_free (struct theory *t) {
  acyclic_free (t->graph);
  MEM_FREE_ALL (t->occurs_first, t->occurs, t->missing, t->value, t->is_fixed, t->again.data, t->trail.data,
                t->levels.data, t->queue.data, t->forbid.data, t->forbid_head, t->forbid_next.data, t->ends.data,
                t->clause.data, t->lemma_first.data, t->lemma_edges.data, t->conflicts.data, t->start_first, t->starts,
                t->implied.data, t->forbidden.data, t->turned, t->reasons, t->phases, t->agenda.data, t->cursors.data,
                t);
}

static void push (struct theory *t, int32_t literal) {
  const uint32_t variable = variable_of (literal);
  if (t->value[variable])
    return;
  t->value[variable] = literal > 0 ? 1 : -1;
  t->assigned++;
  VEC_PUSH (t->trail, (struct trail_entry){ literal, (uint32_t) t->queue.count, (uint32_t) t->forbid.count });
  const uint32_t s = slot (literal);
  for (uint32_t i = t->occurs_first[s]; i < t->occurs_first[s + 1]; i++) {
    const uint32_t edge = t->occurs[i];
    if (--t->missing[edge])
      continue;
    if (t->edges[edge].role == ROLE_FORBID)
      VEC_PUSH (t->forbid, edge);
    else
      VEC_PUSH (t->queue, edge);
  }
}

void theory_assign (struct theory *t, int32_t literal, bool fixed) {
  const uint32_t variable = variable_of (literal);
  if (variable > t->variables)
    misuse (__func__, "a variable that is not observed");
  t->is_fixed[variable] |= fixed;
  push (t, literal);
}

void theory_new_level (struct theory *t) {
  VEC_PUSH (t->levels, (uint32_t) t->trail.count);
  VEC_PUSH (t->cursors, t->cursor);
}

static void pop (struct theory *t) {
  const struct trail_entry entry = t->trail.data[--t->trail.count];
  const uint32_t s = slot (entry.literal);
  for (uint32_t i = t->occurs_first[s]; i < t->occurs_first[s + 1]; i++)
    t->missing[t->occurs[i]]++;
  const uint32_t variable = variable_of (entry.literal);
  t->value[variable] = 0;
  t->queue.count = entry.queued_before;
  t->forbid.count = entry.forbid_before;
  if (t->is_fixed[variable])
    VEC_PUSH (t->again, entry.literal);
}

void theory_backtrack (struct theory *t, uint32_t level) {
  if (level >= t->levels.count) // some versions announce levels above the current one
    return;
  const uint32_t length = t->levels.data[level];
  t->levels.count = t->cursors.count = level;
  t->cursor = t->cursors.data[level];
  t->implied.count = 0;
  t->again.count = 0;
  while (t->trail.count > length)
    pop (t);
  while (acyclic_added (t->graph) > t->queue.count)
    acyclic_remove_last (t->graph);
  if (t->forbid_seen > t->forbid.count)
    t->forbid_seen = (uint32_t) t->forbid.count;
  if (t->surrounded > t->queue.count)
    t->surrounded = (uint32_t) t->queue.count;
  t->in_conflict = false;
  // What holds for good may have been told on a level that is gone now.
  for (size_t i = 0; i < t->again.count; i++)
    push (t, t->again.data[i]);
}

static void negate_guards (struct theory *t, uint32_t edge) {
  for (unsigned i = 0; i < MOST_GUARDS && t->edges[edge].guard[i]; i++) {
    const int32_t literal = -t->edges[edge].guard[i];
    bool there = false;
    for (size_t k = 0; k < t->clause.count && !there; k++)
      there = t->clause.data[k] == literal;
    if (!there)
      VEC_PUSH (t->clause, literal);
  }
}

// The closing edge, and the path from its end back to its start that was found last.
static void make_lemma (struct theory *t, uint32_t closing) {
  uint32_t count;
  const uint32_t *path = acyclic_cycle (t->graph, &count); // from the end of the path to its start
  VEC_PUSH (t->lemma_first, (uint32_t) t->lemma_edges.count);
  VEC_PUSH (t->lemma_edges, closing);
  for (uint32_t i = count; i-- > 0;)
    VEC_PUSH (t->lemma_edges, path[i]);
}

// The same, as a clause to hand out.
static void object (struct theory *t, uint32_t closing) {
  VEC_PUSH (t->conflicts, theory_lemmas (t));
  make_lemma (t, closing);
}

static bool is_contradicted (struct theory *t, uint32_t forbid) {
  if (!acyclic_path (t->graph, t->edges[forbid].to, t->edges[forbid].from, NONE, true))
    return false;
  object (t, forbid);
  return true;
}

// Active edges that forbid, from one on, by their end.
static void sort_forbidding (struct theory *t, uint32_t first) {
  for (uint32_t i = first; i < t->forbid.count; i++) {
    const uint32_t end = t->edges[t->forbid.data[i]].to;
    if (t->forbid_head[end] == NONE)
      VEC_PUSH (t->ends, end);
    VEC_RESERVE (t->forbid_next, t->forbid.count);
    t->forbid_next.data[i] = t->forbid_head[end];
    t->forbid_head[end] = i;
  }
}

// Of those with this end, one that a path contradicts; NONE if there is none. One search serves for
// all.
static uint32_t contradicted_at (struct theory *t, uint32_t end) {
  uint32_t last = NONE, last_place = acyclic_position (t->graph, end);
  for (uint32_t i = t->forbid_head[end]; i != NONE; i = t->forbid_next.data[i]) {
    const uint32_t start = t->edges[t->forbid.data[i]].from, place = acyclic_position (t->graph, start);
    if (place >= last_place) {
      last = start;
      last_place = place;
    }
  }
  if (last == NONE)
    return NONE;
  acyclic_reach (t->graph, end, last);
  for (uint32_t i = t->forbid_head[end]; i != NONE; i = t->forbid_next.data[i])
    if (acyclic_reached (t->graph, t->edges[t->forbid.data[i]].from))
      return t->forbid.data[i];
  return NONE;
}

// Looks at those from one on, until there are enough lemmas: one would do, but each costs a look at
// everything.
static unsigned look_at_forbidding (struct theory *t, uint32_t first, unsigned enough) {
  unsigned found = 0;
  sort_forbidding (t, first);
  for (size_t i = 0; i < t->ends.count; i++) {
    const uint32_t forbid = found < enough ? contradicted_at (t, t->ends.data[i]) : NONE;
    found += forbid != NONE && is_contradicted (t, forbid);
    t->forbid_head[t->ends.data[i]] = NONE;
  }
  t->ends.count = 0;
  return found;
}

// -------------------------------------------------------------------------------- implied literals

void theory_propagate (struct theory *t, uint32_t points) {
  t->nearby = points;
  if (!points || t->reasons)
    return;
  struct grouping by_start = { .groups = acyclic_points (t->graph) };
  while (grouping_pass (&by_start))
    for (uint32_t e = 0; e < t->edge_count; e++)
      group_put (&by_start, t->edges[e].from, e);
  t->start_first = by_start.first;
  t->starts = by_start.items;
  t->turned = MEM_ZARRAY (uint8_t, t->edge_count);
  t->reasons = MEM_ZARRAY (struct implied, (size_t) t->variables + 1);
}

static bool is_against (const struct theory *t, uint32_t edge) {
  return acyclic_position (t->graph, t->edges[edge].from) >= acyclic_position (t->graph, t->edges[edge].to);
}

// The guard that is not true, of an edge that has one.
static int32_t missing_guard (const struct theory *t, uint32_t edge) {
  const int32_t *guard = t->edges[edge].guard;
  while (t->value[variable_of (*guard)] == (*guard > 0 ? 1 : -1))
    guard++;
  return *guard;
}

// An edge that would close a cycle with this one.
static void meet (struct theory *t, uint32_t edge) {
  if (!t->missing[edge] && t->edges[edge].role == ROLE_FORBID)
    VEC_PUSH (t->forbidden, edge);
  if (t->missing[edge] != 1)
    return;
  const int32_t guard = missing_guard (t, edge);
  if (!t->value[variable_of (guard)])
    VEC_PUSH (t->implied, (struct implied){ -guard, edge, acyclic_added (t->graph) });
}

static void look_around (struct theory *t, uint32_t edge) {
  uint32_t count, looks = 16 * t->nearby;
  const uint32_t *behind = acyclic_surroundings (t->graph, edge, t->nearby, &count);
  t->forbidden.count = 0;
  for (uint32_t i = 0; i < count && looks; i++)
    for (uint32_t k = t->start_first[behind[i]]; k < t->start_first[behind[i] + 1] && looks; k++, looks--)
      if (t->missing[t->starts[k]] < 2 && acyclic_reached (t->graph, t->edges[t->starts[k]].to))
        meet (t, t->starts[k]);
  for (size_t i = 0; i < t->forbidden.count && !t->in_conflict; i++)
    t->in_conflict = is_contradicted (t, t->forbidden.data[i]);
}

// The path that makes it so, of those edges that were there at the time.
static bool find_reason (struct theory *t, const struct implied *implied) {
  const struct guarded_edge *edge = &t->edges[implied->edge];
  return acyclic_path (t->graph, edge->to, edge->from, implied->added, edge->role == ROLE_FORBID);
}

static void look (struct theory *t) {
  while (!t->in_conflict && acyclic_added (t->graph) < t->queue.count) {
    const uint32_t edge = t->queue.data[acyclic_added (t->graph)];
    if (t->nearby)
      t->turned[edge] = is_against (t, edge);
    if (acyclic_add (t->graph, edge))
      continue;
    object (t, edge);
    t->in_conflict = true;
  }
  if (!t->in_conflict && t->forbid_seen < t->forbid.count) {
    t->in_conflict = look_at_forbidding (t, t->forbid_seen, 1) != 0;
    if (!t->in_conflict)
      t->forbid_seen = (uint32_t) t->forbid.count;
  }
  for (; t->nearby && !t->in_conflict && t->surrounded < acyclic_added (t->graph); t->surrounded++)
    if (t->turned[t->queue.data[t->surrounded]])
      look_around (t, t->queue.data[t->surrounded]);
}

int32_t theory_take_implied (struct theory *t) {
  if (!t->nearby)
    return 0;
  look (t);
  while (!t->in_conflict && t->implied.count) {
    const struct implied next = t->implied.data[--t->implied.count];
    const bool unsure = t->hides && t->edges[next.edge].role == ROLE_FORBID;
    if (t->value[variable_of (next.literal)] || (unsure && !find_reason (t, &next)))
      continue;
    if (t->levels.count) {
      t->reasons[variable_of (next.literal)] = next;
      return next.literal;
    }
    // What holds for good is a clause at once: nobody may ask for its reason later.
    if (find_reason (t, &next))
      object (t, next.edge);
  }
  return 0;
}

static const int32_t *clause_of (struct theory *t, uint32_t lemma) {
  uint32_t count;
  const uint32_t *edges = theory_lemma (t, lemma, &count);
  t->clause.count = 0;
  for (uint32_t i = 0; i < count; i++)
    negate_guards (t, edges[i]);
  VEC_PUSH (t->clause, 0);
  return t->clause.data;
}

const int32_t *theory_reason (struct theory *t, int32_t literal) {
  const struct implied *implied = &t->reasons[variable_of (literal)];
  if (implied->literal != literal || !find_reason (t, implied))
    misuse (__func__, "a literal that is not implied");
  make_lemma (t, implied->edge);
  return clause_of (t, theory_lemmas (t) - 1);
}

const int32_t *theory_take_clause (struct theory *t) {
  if (t->taken == t->conflicts.count)
    look (t);
  return t->taken == t->conflicts.count ? NULL : clause_of (t, t->conflicts.data[t->taken++]);
}

// --------------------------------------------------------------------------------------- decisions

// When the run of the history along the order first comes to an edge of the variable.
static void note_turns (const struct theory *t, uint64_t *turns) {
  for (uint32_t v = 0; v <= t->variables; v++)
    turns[v] = (uint64_t) UINT32_MAX << 32 | v;
  for (uint32_t e = 0; e < t->edge_count; e++) {
    const uint32_t from = acyclic_position (t->graph, t->edges[e].from),
                   to = acyclic_position (t->graph, t->edges[e].to);
    for (unsigned i = 0; i < MOST_GUARDS && t->edges[e].guard[i]; i++) {
      const uint32_t v = variable_of (t->edges[e].guard[i]);
      const uint64_t turn = (uint64_t) (from < to ? to : from) << 32 | v;
      turns[v] = turn < turns[v] ? turn : turns[v];
    }
  }
}

void theory_prioritise (struct theory *t, const int8_t *phases) {
  uint64_t *turns = MEM_ARRAY (uint64_t, (size_t) t->variables + 1);
  note_turns (t, turns);
  SORT (turns + 1, t->variables, by_u64);
  for (uint32_t v = 1; v <= t->variables; v++)
    VEC_PUSH (t->agenda, (uint32_t) turns[v]);
  mem_free (turns);
  t->phases = MEM_COPY (phases, (size_t) t->variables + 1);
}

// It would bring an edge that goes against the order.
static bool goes_against (const struct theory *t, int32_t literal) {
  const uint32_t s = slot (literal);
  for (uint32_t i = t->occurs_first[s]; i < t->occurs_first[s + 1]; i++) {
    if (t->missing[t->occurs[i]] == 1 && is_against (t, t->occurs[i]))
      return true;
  }
  return false;
}

int32_t theory_decide (struct theory *t) {
  while (t->cursor < t->agenda.count && t->value[t->agenda.data[t->cursor]])
    t->cursor++;
  if (t->cursor == t->agenda.count)
    return 0;
  const uint32_t v = t->agenda.data[t->cursor];
  const int32_t literal = t->phases[v] > 0 ? (int32_t) v : -(int32_t) v;
  return goes_against (t, literal) && !goes_against (t, -literal) ? -literal : literal;
}

// ----------------------------------------------------------------------------------------- the end

bool theory_accepts (struct theory *t) {
  enum { ENOUGH = 64 };
  look (t);
  if (!t->in_conflict)
    t->in_conflict = look_at_forbidding (t, 0, ENOUGH) != 0;
  return t->taken == t->conflicts.count && !t->in_conflict;
}

uint64_t theory_work (const struct theory *t) {
  return t->assigned + acyclic_visits (t->graph);
}

uint32_t theory_lemmas (const struct theory *t) {
  return (uint32_t) t->lemma_first.count;
}

const uint32_t *theory_lemma (const struct theory *t, uint32_t lemma, uint32_t *count) {
  const uint32_t first = t->lemma_first.data[lemma];
  const uint32_t end =
    lemma + 1 < t->lemma_first.count ? t->lemma_first.data[lemma + 1] : (uint32_t) t->lemma_edges.count;
  *count = end - first;
  return t->lemma_edges.data + first;
}
