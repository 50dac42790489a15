#include "saturate/saturate.h"

#include "base/log.h"

#include <string.h>

// Candidates that are listed are all that there are; others are looked for when they are needed.
static void open_read (struct saturation *s, const struct choice *choice) {
  const uint32_t first = (uint32_t) s->candidates.count;
  if (choice->listed && choice->initial)
    VEC_PUSH (s->candidates, SOURCE_INITIAL);
  for (uint32_t i = choice->first; choice->listed && i < choice->last; i++)
    VEC_PUSH (s->candidates, s->graph->ir->value_installs[i]);
  const uint32_t count = (uint32_t) s->candidates.count - first;
  VEC_PUSH (s->open, (struct open_read){ choice->read, count ? first : 0, count, choice->listed });
}

struct saturation *saturation_new (struct graph *g) {
  struct saturation *s = mem_zalloc (sizeof *s);
  const struct ir *ir = g->ir;
  s->graph = g;
  s->lost_read = UINT32_MAX;
  s->dirty = MEM_ARRAY (uint8_t, g->points);
  for (uint32_t v = 0; v < g->points; v++)
    s->dirty[v] = graph_is_slot (g, v) || g->active[graph_node (g, v)] ? ROW_NEW : 0;
  s->changed = MEM_ZARRAY (uint8_t, g->points);
  s->grown = MEM_ZARRAY (uint64_t, g->points);
  s->versions = versions_new (g);
  s->old_row = mem_alloc (g->rows->stride);
  s->rw_edges = g->ir->rules.anti == ANTI_EDGE || g->read_anti;
  s->version_rules =
    (g->ir->rules.rw.used && g->ir->rules.view == VIEW_PATHS) || g->ir->rules.ww.from != g->ir->rules.ww.to;
  for (size_t i = 0; g->ir->rules.wr.used && i < ir->choice_count; i++)
    open_read (s, &ir->choices[i]);
  s->init_fixed = MEM_COPY (ir->init_value, ir->keys);
  return s;
}

void saturation_let_go (struct saturation *s) {
  MEM_FREE_ALL (s->maximal.data, s->found.data, s->dirty, s->changed, s->grown, s->old_row);
  versions_free (s->versions);
  views_free (s->views);
  memset (&s->maximal, 0, sizeof s->maximal);
  memset (&s->found, 0, sizeof s->found);
  s->dirty = s->changed = NULL;
  s->grown = NULL;
  s->versions = NULL;
  s->views = NULL;
  s->old_row = NULL;
}

void saturation_free (struct saturation *s) {
  if (!s)
    return;
  saturation_let_go (s);
  MEM_FREE_ALL (s->open.data, s->candidates.data, s->cycle.data, s->init_fixed, s->late_order_head, s->late_orders.data,
                s);
}

uint32_t *saturation_open_of (const struct saturation *s) {
  uint32_t *open_of = mem_nones (s->graph->ir->reads);
  for (size_t i = 0; i < s->open.count; i++)
    open_of[s->open.data[i].read] = (uint32_t) i;
  return open_of;
}

uint32_t last_install_not_above (const struct graph *g, uint32_t first, uint32_t end, int32_t bound, unsigned which) {
  if (bound < (int32_t) which)
    return UINT32_MAX;
  const uint32_t most = ((uint32_t) bound - which) >> g->shift;
  const uint32_t *node = g->ir->install_node;
  if (node[first] > most)
    return UINT32_MAX;
  uint32_t length = end - first;
  while (length > 1) { // without branches: node[first] <= most all along
    const uint32_t half = length / 2;
    first = node[first + half] <= most ? first + half : first;
    length -= half;
  }
  return first;
}

static void remember_row (struct saturation *s, uint32_t point) {
  memcpy (s->old_row, graph_before (s->graph, point), s->graph->rows->stride);
}

// Notes which tracks differ from the remembered row.
static void note_growth (struct saturation *s, uint32_t point) {
  s->grown[point] |= graph_row_difference (s->graph, graph_before (s->graph, point), s->old_row);
}

static void log_derived (const struct graph *g, uint32_t from, uint32_t to, enum rule rule) {
  static const char *const why[] = { "given",
                                     "session order",
                                     "who read from the second saw the first",
                                     "the first read a version that comes before",
                                     "the other order would be a cycle",
                                     "a list or a hint says so" };
  if (!graph_is_slot (g, from) && !graph_is_slot (g, to))
    LOG_EDGE ("saturate", ir_name (g->ir, graph_node (g, from)), "before", ir_name (g->ir, graph_node (g, to)), "%s",
              why[rule]);
}

void saturation_add_edge (struct saturation *s, uint32_t from, uint32_t to, enum rule rule, uint32_t read) {
  struct graph *g = s->graph;
  remember_row (s, to);
  if (!graph_add_extra (g, from, to, rule, read))
    return;
  if (LOG_IS_HEARD ("saturate"))
    log_derived (g, from, to, rule);
  s->must_wait |= to == s->at && g->position[from] == POINT_NONE;
  if (graph_is_hidden (g, rule))
    return;
  note_growth (s, to);
  s->dirty[to] |= ROW_GREW;
  if (g->position[from] >= g->position[to])
    s->dirty[to] |= ROW_STALE;
}

// ---------------------------------------------------------------------------- p before r, r from w

void saturation_write_before (struct saturation *s, uint32_t read, uint32_t p, uint32_t writer) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t from = graph_point (g, p, rules->ww.from), to = graph_point (g, writer, rules->ww.to);
  if (p != writer && p != graph_reader (g, read) && !graph_reaches (g, from, to))
    saturation_add_edge (s, from, to, RULE_WRITE_BEFORE, read);
}

void saturation_rule_read (struct saturation *s, uint32_t read, uint32_t reader, uint32_t writer, uint64_t grown) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = g->ir->read_key[read];
  const struct row *of_reader = graph_before (g, graph_point (g, reader, rules->rw.from));
  const struct row *of_writer = graph_before (g, graph_point (g, writer, rules->ww.to));
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t track = g->segment_track[segment];
    if (!(grown >> (track & 63) & 1) || graph_segment_out (g, segment))
      continue;
    const int32_t bound = row_last (g, of_reader, track);
    if (bound <= row_last (g, of_writer, track))
      continue;
    const uint32_t install =
      last_install_not_above (g, g->segment_install[segment], g->segment_install[segment + 1], bound, rules->rw.to);
    if (install != UINT32_MAX)
      saturation_write_before (s, read, g->ir->install_node[install], writer);
  }
}

// ---------------------------------------------------------------------------- w before p, r from w

void saturation_reader_before_write (struct saturation *s, uint32_t read, uint32_t p) {
  struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t reader = graph_reader (g, read);
  if (reader == p || graph_anti (g, read) != ANTI_EDGE)
    return;
  const uint32_t from = graph_point (g, reader, rules->rw.from), to = graph_point (g, p, rules->rw.to);
  if (!graph_reaches (g, from, to))
    saturation_add_edge (s, from, to, RULE_READ_BEFORE, read);
}

// `source`: an install, or SOURCE_INITIAL.
static void readers_before_write (struct saturation *s, uint32_t key, uint32_t source, uint32_t p) {
  struct graph_readers readers = graph_readers (s->graph, key, source);
  for (uint32_t read; graph_next_reader (s->graph, &readers, &read);)
    saturation_reader_before_write (s, read, p);
}

// Is the version order w1 < w2 of the key's installers known, given that both precede something?
static bool known_order (const struct graph *g, uint32_t w1, uint32_t w2) {
  const struct rules *rules = &g->ir->rules;
  return graph_reaches (g, graph_point (g, w1, rules->ww.to), graph_point (g, w2, rules->ww.from));
}

// Keeps in s->maximal only installs that no other one is known to follow: readers of the others
// already precede their followers.
void saturation_add_maximal (struct saturation *s, uint32_t install) {
  // one too many costs a look at its readers; comparing with hundreds costs more
  enum { COMPARED = 48 };
  const struct graph *g = s->graph;
  if (s->maximal.count >= COMPARED) {
    VEC_PUSH (s->maximal, install);
    return;
  }
  const uint32_t node = g->ir->install_node[install];
  for (size_t i = 0; i < s->maximal.count; i++)
    if (known_order (g, node, g->ir->install_node[s->maximal.data[i]]))
      return;
  size_t kept = 0;
  for (size_t i = 0; i < s->maximal.count; i++)
    if (!known_order (g, g->ir->install_node[s->maximal.data[i]], node))
      s->maximal.data[kept++] = s->maximal.data[i];
  s->maximal.count = kept;
  VEC_PUSH (s->maximal, install);
}

void saturation_follow_maximal (struct saturation *s, uint32_t p, uint32_t key, bool any) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  if (!any && s->rw_edges)
    readers_before_write (s, key, SOURCE_INITIAL, p);
  for (size_t i = 0; i < s->maximal.count; i++) {
    const uint32_t w = s->maximal.data[i];
    if (s->rw_edges)
      readers_before_write (s, key, w, p);
    const uint32_t from = graph_point (g, g->ir->install_node[w], rules->ww.from);
    const uint32_t to = graph_point (g, p, rules->ww.to);
    if (!graph_reaches (g, from, to))
      saturation_add_edge (s, from, to, RULE_ORDER, key);
  }
}

void saturation_rule_write (struct saturation *s, uint32_t p, uint32_t own_install) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = graph_key (g, own_install);
  const struct row *row = graph_before (g, graph_point (g, p, rules->ww.from));
  s->maximal.count = 0;
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t first = g->segment_install[segment], end = g->segment_install[segment + 1];
    uint32_t install;
    if (graph_segment_out (g, segment))
      continue;
    if (own_install >= first && own_install < end) // its own chain, whatever rows track
      install = own_install > first ? own_install - 1 : UINT32_MAX;
    else
      install = last_install_not_above (g, first, end, row_last (g, row, g->segment_track[segment]), rules->ww.to);
    if (install != UINT32_MAX)
      saturation_add_maximal (s, install);
  }
  saturation_follow_maximal (s, p, key, s->maximal.count != 0);
}

// ------------------------------------------------------------------------------------------ sweeps

// T0's version was read although another one is in view. (Where anti-dependencies are edges, that
// is a cycle.)
static void look_at_initial_read (struct saturation *s, uint32_t node, uint32_t read) {
  const struct graph *g = s->graph;
  const uint32_t key = g->ir->read_key[read];
  const struct row *row = graph_before (g, graph_point (g, node, g->ir->rules.rw.from));
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t first = g->ir->install_node[g->segment_install[segment]];
    if (first != node && !graph_segment_out (g, segment)
        && row_last (g, row, g->segment_track[segment]) >= (int32_t) graph_point (g, first, g->ir->rules.rw.to))
      s->lost_read = read;
  }
}

static void look_at_read (struct saturation *s, uint32_t node, uint32_t read, uint64_t grown, bool first_look) {
  const struct graph *g = s->graph;
  const uint32_t writer = g->read_writer[read];
  const enum anti anti = graph_anti (g, read);
  if (writer == 0 && anti == ANTI_FORBID)
    look_at_initial_read (s, node, read);
  // T0, whose version everybody's follows, or not known
  if (writer - 1 >= NODE_NONE - 1 || anti == ANTI_NONE)
    return;
  if (first_look ? !versions_rule_read (s, read, node, writer)
                 : !versions_rule_read_again (s, read, node, writer, grown))
    saturation_rule_read (s, read, node, writer, grown);
}

// The rules at one point, for chains whose entries grew: reads are looked at where
// anti-dependencies start, writes where version orders do.
static void apply_rules_once (struct saturation *s, uint32_t node, unsigned which, uint64_t grown, bool first_look) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  const struct rules *rules = &g->ir->rules;
  if (first_look && which == 0)
    versions_append (s, node);
  if (rules->rw.used && which == rules->rw.from && rules->view != VIEW_PATHS)
    saturation_rule_steps (s, node);
  else if (rules->rw.used && which == rules->rw.from && rules->events)
    saturation_rule_events (s, node);
  else if (rules->rw.used && which == rules->rw.from && s->all_rules)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      look_at_read (s, node, read, grown, first_look);
  if (which != rules->ww.from || !s->version_rules)
    return;
  for (uint32_t i = g->ir->node_first_install[node]; i < g->ir->node_first_install[node + 1]; i++) {
    const uint32_t install = ir->node_installs[i];
    const bool there = graph_installs (g, install);
    if (first_look ? !versions_rule_write (s, node, install) && there
                   : there && !versions_rule_write_again (s, node, install, grown))
      saturation_rule_write (s, node, install);
  }
}

static uint64_t take_grown (struct saturation *s, uint32_t point) {
  const uint64_t grown = s->grown[point];
  s->grown[point] = 0;
  return grown;
}

// They may grow its own row, which is cheaper to follow up now than in another sweep. Bounded,
// because a cycle would go on for ever.
static void apply_rules (struct saturation *s, uint32_t point, bool is_new) {
  const uint32_t node = graph_node (s->graph, point);
  for (int round = 0; round < 8; round++) {
    const uint64_t grown = take_grown (s, point);
    if (!grown)
      return;
    if (round == 0)
      versions_prefetch (s, node);
    apply_rules_once (s, node, point & ((1u << s->graph->shift) - 1), grown, is_new && round == 0);
    // for a reader without a place: it will come here again, and what grew is looked at then
    if (s->must_wait)
      return;
    s->dirty[point] &=
      (uint8_t) ~ROW_GREW; // its successors are still to come, unless the order is broken: then the row is stale
  }
  s->dirty[point] |= ROW_GREW;
}

static bool refresh_row (struct saturation *s, uint32_t v) {
  struct graph *g = s->graph;
  struct row *row = graph_before (g, v);
  const bool first_time = s->sweeps == 1;
  const bool merge_all = first_time || (s->dirty[v] & ROW_STALE);
  const uint32_t count = graph_preds_in_view (g, v, UINT32_MAX);
  bool remembered = false, grew = false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t u = g->preds.data[i];
    const int32_t known = row_last (g, row, graph_track (g, u));
    // A later point of u's chain is known to come before v: what u knows arrives through that one.
    if (known > (int32_t) u || !(merge_all || s->changed[u] || known < (int32_t) u))
      continue;
    if (!remembered)
      remember_row (s, v);
    remembered = true;
    grew |= graph_merge_row (g, row, u);
  }
  if (s->dirty[v] & ROW_NEW)
    s->grown[v] = UINT64_MAX;
  else if (grew)
    note_growth (s, v);
  grew |= s->dirty[v] != 0;
  s->dirty[v] = 0;
  return grew;
}

static void look_at_point (struct saturation *s, uint32_t v) {
  const struct graph *g = s->graph;
  const bool is_new = s->sweeps == 1 && (s->dirty[v] & ROW_NEW);
  s->must_wait = false;
  s->at = v;
  s->changed[v] = refresh_row (s, v);
  if (!graph_is_slot (g, v))
    apply_rules (s, v, is_new);
}

static bool sweep (struct saturation *s, struct budget *budget) {
  const struct graph *g = s->graph;
  memset (s->changed, 0, g->points);
  for (uint32_t k = 0; k < g->ordered; k++) {
    if ((k & 1023) == 0 && budget_spent (budget))
      return false;
    look_at_point (s, g->order[k]);
  }
  return true;
}

// The first sweep finds the order as it goes: a write that turns out to follow a reader that has no
// place yet waits for it.
static void arrive (void *context, uint32_t point) {
  struct saturation *s = context;
  s->stopped = s->stopped || budget_spent (s->budget);
  if (!s->stopped)
    look_at_point (s, point);
}

static bool anything_dirty (const struct saturation *s) {
  for (uint32_t v = 0; v < s->graph->points; v++)
    if (s->dirty[v])
      return true;
  return false;
}

#ifdef KRAIT_DEBUG_CHECKS
static void check_read (const struct saturation *s, uint32_t read, uint32_t p) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t reader = graph_reader (g, read), writer = g->read_writer[read];
  if (p == reader || p == writer || graph_anti (g, read) == ANTI_NONE)
    return;
  const uint32_t target = graph_point (g, p, rules->rw.to), source = graph_point (g, reader, rules->rw.from);
  if (graph_anti (g, read) == ANTI_EDGE && known_order (g, writer, p) && !graph_reaches (g, source, target))
    misuse (__func__, "an anti-dependency is missing");
  if (s->all_rules && writer && graph_reaches (g, target, source) && !known_order (g, p, writer)
      && !g->ir->rules.ww_hidden)
    misuse (__func__, "a write before a read is not before what was read");
}

// Writers that may not overlap: if one begins before the other commits, it commits before the other
// begins.
static void check_versions (const struct graph *g) {
  const struct edge_points ww = g->ir->rules.ww;
  const struct ir *ir = g->ir;
  for (uint32_t key = 0; ww.from != ww.to && key < ir->keys; key++)
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++)
      for (uint32_t k = ir->key_first[key]; k < ir->key_first[key + 1]; k++) {
        const uint32_t w = ir->install_node[i], p = ir->install_node[k];
        if (w != p && graph_installs (g, i) && graph_installs (g, k) && known_order (g, w, p)
            && !graph_reaches (g, graph_point (g, w, ww.from), graph_point (g, p, ww.to)))
          misuse (__func__, "a version order is missing");
      }
}

// The rules once more, for every read and every installer of its key, where rows know everything.
static void check_rules (const struct saturation *s) {
  const struct graph *g = s->graph;
  if (g->kind == ROWS_PARTIAL || !g->ir->rules.rw.used || g->ir->rules.events || g->ir->rules.view != VIEW_PATHS)
    return;
  check_versions (g);
  for (uint32_t read = 0; read < g->ir->reads; read++) {
    const uint32_t key = g->ir->read_key[read];
    if (g->read_writer[read] == NODE_NONE || !g->active[graph_reader (g, read)])
      continue;
    for (uint32_t i = g->ir->key_first[key]; i < g->ir->key_first[key + 1]; i++)
      if (graph_installs (g, i) && !ir_is_delete (g->ir, i)) // one that joined late was not looked at by all
        check_read (s, read, g->ir->install_node[i]);
  }
}
#endif

static enum saturate_outcome settled (struct saturation *s) {
#ifdef KRAIT_DEBUG_CHECKS
  check_rules (s);
#endif
  versions_settle (s);
  return SATURATE_SETTLED;
}

enum saturate_outcome saturate (struct saturation *s, bool all_rules, struct budget *budget) {
  struct graph *g = s->graph;
  s->all_rules = all_rules;
  s->budget = budget;
  if (!s->sweeps) {
    saturation_include_forced (s);
    saturation_add_known_orders (s);
  }
  if (s->lost_read != UINT32_MAX)
    return SATURATE_NO_SOURCE;
  while (budget_check (budget) == BUDGET_LEFT) {
    s->sweeps++;
    if (s->sweeps == 1) {
      const bool sorted = graph_sort_with (g, arrive, s, &s->cycle);
      if (s->stopped)
        return SATURATE_STOPPED;
      if (!sorted)
        return SATURATE_CYCLE;
    } else {
      if (g->order_broken && !graph_sort (g, &s->cycle))
        return SATURATE_CYCLE;
      versions_settle (s);
      if (!sweep (s, budget))
        return SATURATE_STOPPED;
    }
    if (s->lost_read != UINT32_MAX)
      return SATURATE_NO_SOURCE;
    if (anything_dirty (s))
      continue;
#ifdef KRAIT_DEBUG_CHECKS
    graph_check_rows (g);
#endif
    if (!s->open.count && !g->order_broken)
      return settled (s);
    versions_settle (s);
    const enum saturate_outcome outcome = saturation_settle_open (s);
    if (outcome != SATURATE_SETTLED)
      return outcome;
    if (!g->order_broken && !anything_dirty (s))
      return settled (s);
  }
  return SATURATE_STOPPED;
}
