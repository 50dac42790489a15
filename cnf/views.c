// Readers that need not have seen everything before them (saturate/views.c has the rules for what
// is known; this is what is open).

#include "cnf/encoder.h"

#include "base/search.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ events

uint32_t encoder_event_of (const struct encoder *e, uint32_t read) {
  const struct ir *ir = e->ir;
  const uint32_t end = ir->node_first_read[graph_reader (e->g, read) + 1];
  while (read + 1 < end && ir->read_op[read + 1] == ir->read_op[read])
    read++;
  return e->g->points + read;
}

uint32_t encoder_event_from (const struct encoder *e, uint32_t node, uint32_t op) {
  const struct ir *ir = e->ir;
  const uint32_t end = ir->node_first_read[node + 1];
  const uint32_t read = lower_bound_u32 (ir->read_op, ir->node_first_read[node], end, op);
  return read < end ? e->g->points + read : UINT32_MAX;
}

static void arrive (ir_edge_vec *known, uint32_t from, uint32_t event) {
  VEC_PUSH (*known, (struct ir_edge){ from, event });
}

// Whoever is known to have installed the key before: per chain the last one, before the first read
// behind the write.
static void arrive_by_overwriting (const struct encoder *e, uint32_t node, uint32_t install, ir_edge_vec *known) {
  const struct graph *g = e->g;
  const uint32_t event = encoder_event_from (e, node, e->ir->install_last_op[install] + 1);
  if (event == UINT32_MAX || !graph_installs (g, install))
    return;
  const struct row *row = graph_before (g, node);
  const uint32_t key = graph_key (g, install);
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t first = g->segment_install[segment], end = g->segment_install[segment + 1];
    if (graph_segment_out (g, segment))
      continue;
    uint32_t last = last_install_not_above (g, first, end, row_last (g, row, g->segment_track[segment]), 0);
    if (install > first && install < end) // its own chain, whatever rows track
      last = install - 1;
    if (last != UINT32_MAX && e->ir->install_node[last] != node)
      arrive (known, e->ir->install_node[last], event);
  }
}

static void arrive_before_everything (const struct encoder *e, uint32_t node, uint32_t event, ir_edge_vec *known) {
  const struct graph *g = e->g;
  if (g->ir->chains_are_sessions && node > e->ir->chain_first[e->ir->node_chain[node]])
    arrive (known, node - 1, event);
  if (g->ir->time_before && g->ir->time_before[node] != SLOT_NONE)
    arrive (known, g->first_slot + g->ir->time_before[node], event);
  for (uint32_t i = g->extra_head[node]; i != UINT32_MAX; i = g->extra.data[i].next)
    if (g->extra.data[i].rule == RULE_GIVEN || g->extra.data[i].rule == RULE_SESSION)
      arrive (known, g->extra.data[i].from, event);
}

void encoder_known_arrivals (struct encoder *e, ir_edge_vec *known) {
  const struct graph *g = e->g;
  const struct ir *ir = e->ir;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    const uint32_t first = ir->node_first_read[node], end = ir->node_first_read[node + 1];
    for (uint32_t read = first; read + 1 < end; read++)
      arrive (known, g->points + read, g->points + read + 1);
    if (first == end || !g->active[node])
      continue;
    arrive_before_everything (e, node, g->points + first, known);
    for (uint32_t read = first; read < end; read++)
      if (g->read_writer[read] - 1 < NODE_NONE - 1)
        arrive (known, g->read_writer[read], encoder_event_from (e, node, ir->read_op[read]));
    for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++)
      arrive_by_overwriting (e, node, ir->node_installs[i], known);
  }
}

void encoder_unknown_arrival (struct encoder *e, uint32_t from, uint32_t node, enum edge_kind kind, int32_t in) {
  const uint32_t first = e->ir->node_first_read[node];
  if (e->rules->events && first < e->ir->node_first_read[node + 1])
    encoder_edge (e, from, e->g->points + first, kind, UINT32_MAX, (struct guards){ { in } });
}

void encoder_version_arrival (struct encoder *e, uint32_t p, uint32_t q, struct guards guards) {
  const uint32_t event =
    e->rules->events ? encoder_event_from (e, e->ir->install_node[q], e->ir->install_last_op[q] + 1) : UINT32_MAX;
  if (event != UINT32_MAX)
    encoder_edge (e, graph_point (e->g, e->ir->install_node[p], e->rules->ww.from), event, EDGE_WW, graph_key (e->g, q),
                  guards);
}

// ------------------------------------------------------------------------------------------- steps

void encoder_sources_of (const struct encoder *e, uint32_t read, const uint32_t *open_of, step_vec *sources) {
  const struct graph *g = e->g;
  const uint32_t node = graph_reader (g, read), source = e->ir->read_source[read];
  sources->count = 0;
  if (open_of[read] != UINT32_MAX) {
    const struct open_read *open = &e->s->open.data[open_of[read]];
    for (uint32_t i = 0; i < open->count; i++) {
      const uint32_t candidate = e->s->candidates.data[open->first + i];
      VEC_PUSH (*sources,
                (struct step){ ir_writer_of (e->ir, candidate), e->open_variable[open_of[read]] + (int32_t) i });
    }
  } else if (!g->active[node] && !source_is_many (source))
    VEC_PUSH (*sources, (struct step){ ir_writer_of (e->ir, source), encoder_in_literal (e, node) });
  else if (g->read_writer[read] != NODE_NONE) // else a delete wrote, and there is no such read
    VEC_PUSH (*sources, (struct step){ g->read_writer[read], 0 });
}

// If both hold, p was in view of a read of the key from w; and if it installed the key, it must
// come before w.
static void in_view (struct encoder *e, uint32_t install, int32_t a, uint32_t w, int32_t b) {
  const uint32_t key = graph_key (e->g, install), p = e->ir->install_node[install];
  if (p == w)
    return;
  struct guards guards = { { a, b, encoder_install_literal (e, install) } };
  if (!guards.literal[0] && !guards.literal[1] && !guards.literal[2]) {
    if (!ir_is_delete (e->ir, install)) // saturation knows
      return;
    guards.literal[0] = encoder_true_literal (e, p);
  }
  if (w) {
    encoder_edge_with_role (e, p, w, EDGE_WW, ROLE_ORDER, key, guards);
    return;
  }
  encoder_end_clause (e, guards.literal, MOST_GUARDS);
}

static void view_of_reads (struct encoder *e, uint32_t earlier, const step_vec *seen, uint32_t later,
                           const step_vec *read) {
  const uint32_t key = e->ir->read_key[later], node = graph_reader (e->g, later);
  if (e->rules->view == VIEW_EARLIER_READS && e->ir->read_op[earlier] >= e->ir->read_op[later])
    return;
  for (size_t i = 0; i < seen->count; i++) {
    const uint32_t p = seen->data[i].writer;
    const uint32_t install = p && p != node ? ir_install_of (e->ir, key, p) : UINT32_MAX;
    for (size_t k = 0; install != UINT32_MAX && k < read->count; k++)
      in_view (e, install, seen->data[i].literal, read->data[k].writer, read->data[k].literal);
  }
}

static bool in_session_before (const struct ir *ir, uint32_t p, uint32_t node) {
  const uint32_t previous = ir_session_before (ir, node);
  return previous != NODE_NONE && p <= previous && ir->node_chain[p] == ir->node_chain[previous]
         && ir_node_presence (ir, p) == ALWAYS;
}

static void in_view_of_all (struct encoder *e, uint32_t install, const step_vec *sources) {
  for (size_t k = 0; k < sources->count; k++)
    in_view (e, install, 0, sources->data[k].writer, sources->data[k].literal);
}

// Certain transactions that the session or real time puts before the node, and that install the
// key. Of the session the last one that surely installs it will do, and those in doubt.
static void view_of_others (struct encoder *e, uint32_t read, const step_vec *sources) {
  const uint32_t key = e->ir->read_key[read], node = graph_reader (e->g, read);
  uint32_t last = UINT32_MAX;
  for (uint32_t i = e->ir->key_first[key]; i < e->ir->key_first[key + 1]; i++) {
    const uint32_t p = e->ir->install_node[i];
    if (p != node && in_session_before (e->ir, p, node)) {
      if (graph_installs (e->g, i))
        last = i; // nodes of a session ascend
      else
        in_view_of_all (e, i, sources);
    }
    if (p != node && ir_ended_before (e->ir, p, node))
      in_view_of_all (e, i, sources);
  }
  if (last != UINT32_MAX)
    in_view_of_all (e, last, sources);
}

static bool is_open (const step_vec *sources) {
  return sources->count != 1 || sources->data[0].literal;
}

// Some install of the key was in doubt: known reads of it may have something in view that
// saturation did not look at.
static bool key_unrecorded (const uint8_t *doubtful, const struct encoder *e, uint32_t read) {
  return doubtful && doubtful[e->ir->read_key[read]];
}

static void steps_of (struct encoder *e, uint32_t node, const uint32_t *open_of, const uint8_t *doubtful) {
  const uint32_t first = e->ir->node_first_read[node], count = e->ir->node_first_read[node + 1] - first;
  step_vec *sources = MEM_ZARRAY (step_vec, count);
  for (uint32_t i = 0; i < count; i++)
    encoder_sources_of (e, first + i, open_of, &sources[i]);
  for (uint32_t i = 0; i < count && !encoder_stops (e); i++) {
    const bool open = is_open (&sources[i]), unrecorded = key_unrecorded (doubtful, e, first + i);
    if (!open && !unrecorded) // of two known reads everything is known
      continue;
    for (uint32_t k = 0; k < count; k++) {
      if (i != k && open)
        view_of_reads (e, first + i, &sources[i], first + k, &sources[k]);
      if (i != k && !is_open (&sources[k]))
        view_of_reads (e, first + k, &sources[k], first + i, &sources[i]);
    }
    if (e->rules->view == VIEW_STEPS)
      view_of_others (e, first + i, &sources[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    VEC_FREE (sources[i]);
  mem_free (sources);
}

void encoder_steps (struct encoder *e) {
  const struct ir *ir = e->ir;
  if (e->rules->view == VIEW_PATHS)
    return;
  uint32_t *open_of = saturation_open_of (e->s);
  uint8_t *doubtful = ir->deletes ? MEM_ZARRAY (uint8_t, ir->keys) : NULL;
  for (uint32_t d = 0; d < ir->deletes; d++)
    if (ir->presences[ir->first_delete + d].install != INSTALL_NONE)
      doubtful[ir->presences[ir->first_delete + d].key] = 1;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    bool open = !e->g->active[node];
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1] && !open; read++)
      open = open_of[read] != UINT32_MAX || key_unrecorded (doubtful, e, read);
    if (open)
      steps_of (e, node, open_of, doubtful);
  }
  MEM_FREE_ALL (doubtful, open_of);
}
