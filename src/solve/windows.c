#include "solve/windows.h"

#include "base/group.h"
#include "base/sort.h"
#include "solve/instance.h"

// Variables that are looked at as well, on either side of those that are decided at a time: as many
// as most edges span, and at least so many. A part that is not several times as large as a window
// is solved at once.
#ifdef KRAIT_DEBUG_CHECKS // so that small histories have windows, too
enum { LEAST_MARGIN = 2 };
#else
enum { LEAST_MARGIN = 750 };
#endif
enum { MANY_WINDOWS = 4, WORTH_IT = MANY_WINDOWS * LEAST_MARGIN };
// A window that takes so many conflicts is left as it was; and after so many of these, all others.
enum { MOST_CONFLICTS = 20000, MOST_FAILURES = 8 };

#define NOWHERE UINT32_MAX

struct placed_variable {
  uint32_t place, variable;
};

struct windows {
  const struct problem *problem;
  const struct component *part;
  const uint32_t *scc;
  const struct solve_options *options;
  const struct patience *patience;
  int8_t *phases;
  struct placed_variable *sorted;    // by place
  uint32_t *rank;                    // per variable of the problem: among the sorted
  uint32_t *edges_first, *edges;     // of the part, under the last of their guards
  uint32_t *clauses_first, *clauses; // the same
  uint32_t *by_position;             // local points
  uint8_t *is_of_part;               // per strong component: edges of the part lie in it
  uint32_t reach;                    // positions that most edges span
  uint32_t margin;                   // of a window
  uint64_t conflicts;
};

static uint32_t variable_of (int32_t literal) {
  return (uint32_t) (literal > 0 ? literal : -literal);
}

static uint32_t edge_place (const struct problem *problem, const struct guarded_edge *edge) {
  const uint32_t from = problem->local_position[edge->from], to = problem->local_position[edge->to];
  return from > to ? from : to;
}

// ------------------------------------------------------------------------------------------- order

// Where the first of its edges ends.
static void place_by_edges (struct windows *w, uint32_t *place) {
  for (size_t i = 0; i < w->part->edges.count; i++) {
    const struct guarded_edge *edge = &w->problem->edges.data[w->part->edges.data[i]];
    const uint32_t at = edge_place (w->problem, edge);
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      if (at < place[variable_of (edge->guard[k])])
        place[variable_of (edge->guard[k])] = at;
  }
}

// The variables of a clause belong together.
static void place_by_clauses (struct windows *w, uint32_t *place) {
  for (size_t i = 0; i < w->part->clauses.count; i++) {
    const int32_t *clause = w->problem->clauses.data + w->part->clauses.data[i];
    uint32_t last = 0;
    for (const int32_t *literal = clause; *literal; literal++) {
      const uint32_t at = place[variable_of (*literal)];
      last = at != NOWHERE && at > last ? at : last;
    }
    for (const int32_t *literal = clause; *literal; literal++) {
      uint32_t *at = &place[variable_of (*literal)];
      *at = *at == NOWHERE || *at < last ? last : *at;
    }
  }
}

static void sort_variables (struct windows *w) {
  const uint32_t count = (uint32_t) w->part->variables.count;
  uint32_t *place = mem_nones (w->problem->variables.count);
  place_by_edges (w, place);
  place_by_clauses (w, place);
  w->sorted = MEM_ARRAY (struct placed_variable, count);
  w->rank = mem_nones (w->problem->variables.count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t v = w->part->variables.data[i];
    w->sorted[i] = (struct placed_variable){ place[v] == NOWHERE ? 0 : place[v], v };
  }
  SORT (w->sorted, count, by_u32_pair);
  for (uint32_t i = 0; i < count; i++)
    w->rank[w->sorted[i].variable] = i;
  mem_free (place);
}

static uint32_t last_guard (const struct windows *w, const struct guarded_edge *edge) {
  uint32_t last = 0;
  for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++) {
    const uint32_t rank = w->rank[variable_of (edge->guard[k])];
    last = rank > last ? rank : last;
  }
  return last;
}

static uint32_t last_literal (const struct windows *w, const int32_t *literal) {
  uint32_t last = 0;
  for (; *literal; literal++) {
    const uint32_t rank = w->rank[variable_of (*literal)];
    last = rank > last ? rank : last;
  }
  return last;
}

static void index_part (struct windows *w) {
  const struct component *part = w->part;
  struct grouping edges = { .groups = part->variables.count }, clauses = { .groups = part->variables.count };
  while (grouping_pass (&edges))
    for (size_t i = 0; i < part->edges.count; i++)
      group_put (&edges, last_guard (w, &w->problem->edges.data[part->edges.data[i]]), part->edges.data[i]);
  while (grouping_pass (&clauses))
    for (size_t i = 0; i < part->clauses.count; i++)
      group_put (&clauses, last_literal (w, w->problem->clauses.data + part->clauses.data[i]), part->clauses.data[i]);
  w->edges_first = edges.first;
  w->edges = edges.items;
  w->clauses_first = clauses.first;
  w->clauses = clauses.items;
}

static void index_points (struct windows *w) {
  const struct problem *problem = w->problem;
  w->by_position = MEM_ARRAY (uint32_t, problem->points);
  w->is_of_part = MEM_ZARRAY (uint8_t, problem->points);
  for (uint32_t v = 0; v < problem->points; v++)
    w->by_position[problem->local_position[v]] = v;
  for (size_t i = 0; i < w->part->edges.count; i++)
    w->is_of_part[w->scc[problem->edges.data[w->part->edges.data[i]].from]] = 1;
}

// Of four edges three span no more positions than that.
static uint32_t usual_reach (const struct windows *w) {
  VEC (uint32_t) spans = VEC_EMPTY;
  for (size_t i = 0; i < w->part->edges.count; i += 1 + w->part->edges.count / 10000) {
    const struct guarded_edge *edge = &w->problem->edges.data[w->part->edges.data[i]];
    const uint32_t from = w->problem->local_position[edge->from], to = w->problem->local_position[edge->to];
    VEC_PUSH (spans, from > to ? from - to : to - from);
  }
  VEC_SORT (spans, by_u32);
  const uint32_t reach = spans.count ? spans.data[spans.count / 4 * 3] : 0;
  VEC_FREE (spans);
  return reach;
}

// So many variables lie within reach.
static uint32_t usual_margin (const struct windows *w) {
  const uint32_t count = (uint32_t) w->part->variables.count;
  const uint64_t range = w->sorted[count - 1].place - w->sorted[0].place + 1,
                 near = w->reach * (uint64_t) count / range;
  return near > LEAST_MARGIN ? (uint32_t) near : LEAST_MARGIN;
}

// ---------------------------------------------------------------------------------------- a window

// Of the sorted variables those from `first` to `end`, of which those before `open` are decided.
// Points are those of the same stretch of the order, and those within reach on either side.
struct window {
  uint32_t first, open, end;
  uint32_t low, high; // positions
};

static void set_range (const struct windows *w, struct window *window) {
  const uint32_t first = w->sorted[window->first].place, last = w->sorted[window->end - 1].place;
  const uint32_t more = 2 * w->reach + 64;
  window->low = first > more ? first - more : 0;
  window->high = w->problem->points - last > more ? last + more : w->problem->points;
}

static bool is_inside (const struct windows *w, const struct window *window, uint32_t point) {
  const uint32_t at = w->problem->local_position[point];
  return at >= window->low && at < window->high;
}

static bool edge_fits (const struct windows *w, const struct window *window, const struct guarded_edge *edge) {
  for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
    if (w->rank[variable_of (edge->guard[k])] < window->first)
      return false;
  return is_inside (w, window, edge->from) && is_inside (w, window, edge->to);
}

static bool clause_fits (const struct windows *w, const struct window *window, const int32_t *literal) {
  for (; *literal; literal++)
    if (w->rank[variable_of (*literal)] < window->first)
      return false;
  return true;
}

static void collect (const struct windows *w, const struct window *window, struct component *part) {
  for (uint32_t i = window->first; i < window->end; i++) {
    VEC_PUSH (part->variables, w->sorted[i].variable);
    for (uint32_t k = w->edges_first[i]; k < w->edges_first[i + 1]; k++)
      if (edge_fits (w, window, &w->problem->edges.data[w->edges[k]]))
        VEC_PUSH (part->edges, w->edges[k]);
    for (uint32_t k = w->clauses_first[i]; k < w->clauses_first[i + 1]; k++)
      if (clause_fits (w, window, w->problem->clauses.data + w->clauses[k]))
        VEC_PUSH (part->clauses, w->clauses[k]);
  }
  VEC_SORT (part->variables, by_u32);
  VEC_SORT (part->edges, by_u32);
  VEC_SORT (part->clauses, by_u32);
}

static uint32_t *points_of (const struct windows *w, const struct window *window, uint32_t *count) {
  uint32_t *point = MEM_ARRAY (uint32_t, window->high - window->low);
  *count = 0;
  for (uint32_t at = window->low; at < window->high; at++)
    if (w->is_of_part[w->scc[w->by_position[at]]])
      point[(*count)++] = w->by_position[at];
  SORT (point, *count, by_u32);
  return point;
}

// Per variable of the window, its place in the part and so its number in the instance.
static void add_decided (const struct windows *w, const struct window *window, const struct instance *instance) {
  for (uint32_t here = 0; here < instance->part->variables.count; here++) {
    const uint32_t v = instance->part->variables.data[here];
    if (w->rank[v] >= window->open)
      continue;
    sat_add (instance->sat, w->phases[v] > 0 ? (int32_t) here + 1 : -(int32_t) here - 1);
    sat_add (instance->sat, 0);
  }
}

static void take_phases (const struct windows *w, const struct window *window, const struct instance *instance) {
  for (uint32_t here = 0; here < instance->part->variables.count; here++) {
    const uint32_t v = instance->part->variables.data[here];
    if (w->rank[v] >= window->open)
      w->phases[v] = sat_value (instance->sat, (int32_t) here + 1) ? 1 : -1;
  }
}

// False: nothing came of it.
static bool solve_window (struct windows *w, struct window *window, const struct problem *phased) {
  struct component part = { 0 };
  struct instance instance;
  uint32_t points;
  set_range (w, window);
  collect (w, window, &part);
  uint32_t *point = points_of (w, window, &points);
  instance_open (&instance, phased, &part, w->scc, w->options, point, points);
  add_decided (w, window, &instance);
  sat_limit (instance.sat, MOST_CONFLICTS);
  sat_stop_when (instance.sat, w->patience->is_over, w->patience->context);
  const bool solved = sat_solve (instance.sat, w->options->budget) == SAT_YES;
  w->conflicts += sat_count (instance.sat).conflicts;
  if (solved)
    take_phases (w, window, &instance);
  instance_close (&instance);
  component_clear (&part);
  return solved;
}

// ------------------------------------------------------------------------------------------ public

bool windows_are_worth_it (uint64_t variables, const struct solve_options *options) {
  return variables >= WORTH_IT && options->priority;
}

// Conflicts in windows are cheap: where the search may have a few only, these may have as many more
// as there are variables.
static bool goes_on (const struct windows *w) {
  const uint64_t most = w->options->most_conflicts;
  return budget_check (w->options->budget) == BUDGET_LEFT && !w->patience->is_over (w->patience->context)
         && (!most || w->conflicts < most + w->part->variables.count);
}

// What was decided before may have been wrong: a window that contradicts it decides anew.
static void solve_all (struct windows *w) {
  const uint32_t count = (uint32_t) w->part->variables.count, step = 2 * w->margin;
  struct problem phased = *w->problem;
  phased.phases.data = w->phases;
  unsigned failures = 0;
  for (uint32_t open = 0; open < count && failures < MOST_FAILURES && goes_on (w); open += step) {
    struct window window = { .first = open > w->margin ? open - w->margin : 0, .open = open };
    window.end = count - open > step + w->margin ? open + step + w->margin : count;
    bool solved = solve_window (w, &window, &phased);
    if (!solved && goes_on (w)) {
      window.open = window.first;
      solved = solve_window (w, &window, &phased);
    }
    failures += !solved;
  }
}

uint64_t solve_windows (const struct problem *problem, const struct component *part, const uint32_t *scc,
                        const struct solve_options *options, const struct patience *patience, int8_t *phases) {
  const uint32_t count = (uint32_t) part->variables.count;
  struct windows w = {
    .problem = problem, .part = part, .scc = scc, .options = options, .patience = patience, .phases = phases
  };
  sort_variables (&w);
  w.reach = usual_reach (&w);
  w.margin = usual_margin (&w);
  if (count / MANY_WINDOWS >= w.margin) {
    index_part (&w);
    index_points (&w);
    solve_all (&w);
  }
  MEM_FREE_ALL (w.sorted, w.rank, w.edges_first, w.edges, w.clauses_first, w.clauses, w.by_position, w.is_of_part);
  return w.conflicts;
}
