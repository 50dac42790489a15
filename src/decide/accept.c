// From choices and an order to a witness, and its way to whoever says whether it is one.

#include "decide/deciding.h"

#include <stdio.h>

static bool hand_over (struct deciding *d, const struct ir_witness *witness, bool surely) {
  const char *why = NULL;
  const enum acceptance answer = d->judge->accept (d->judge->context, witness, &why);
  if (answer == STOPPED)
    deciding_stop (d);
  if (answer == ACCEPTED)
    d->decision->verdict = VERDICT_VALID;
  if (answer == REFUSED && surely) {
    char text[200];
    snprintf (text, sizeof text, "a witness did not survive its check (%s)", why ? why : "?");
    deciding_break (d, text);
  }
  return answer == ACCEPTED;
}

// Of a serial order every transaction in it took place, and no other.
bool accept_serial (struct deciding *d, const node_vec *order, bool surely) {
  uint8_t *in = MEM_ZARRAY (uint8_t, d->ir->nodes);
  in[0] = 1;
  for (size_t i = 0; i < order->count; i++)
    in[order->data[i]] = 1;
  const struct ir_witness witness = { .ir = d->ir,
                                      .in = in,
                                      .wrote = d->wrote,
                                      .chosen = d->chosen,
                                      .order = order->data,
                                      .count = (uint32_t) order->count };
  const bool accepted = hand_over (d, &witness, surely);
  mem_free (in);
  return accepted;
}

// Who reads from whom, and when, told by a run.
struct told_by_run {
  uint8_t *in;
  node_vec order;
  uint32_t *writer, *position;
};

static void tell_point (const struct deciding *d, uint32_t point, uint32_t *last_writer, struct told_by_run *told) {
  const struct ir *ir = d->ir;
  const uint32_t node = graph_node (d->graph, point), last = (1u << d->graph->shift) - 1;
  for (uint32_t read = ir->node_first_read[node];
       (point & last) == ir->rules.wr.to && read < ir->node_first_read[node + 1]; read++)
    told->writer[read] = last_writer[ir->read_key[read]];
  if ((point & last) != last)
    return;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++)
    last_writer[graph_key (d->graph, ir->node_installs[i])] = node;
  told->in[node] = 1;
  VEC_PUSH (told->order, node);
}

bool accept_run (struct deciding *d, const point_vec *points) {
  const struct ir *ir = d->ir;
  struct told_by_run told = { .in = MEM_ZARRAY (uint8_t, ir->nodes),
                              .writer = mem_nones (ir->reads),
                              .position = MEM_ZARRAY (uint32_t, d->graph->first_slot) };
  uint32_t *last_writer = MEM_ZARRAY (uint32_t, ir->keys), placed = 0;
  told.in[0] = 1;
  for (unsigned which = 0; which < 1u << d->graph->shift; which++)
    told.position[which] = placed++;
  for (size_t i = 0; i < points->count; i++)
    if (!graph_is_slot (d->graph, points->data[i])) {
      told.position[points->data[i]] = placed++;
      tell_point (d, points->data[i], last_writer, &told);
    }
  const struct ir_witness witness = { .ir = ir,
                                      .in = told.in,
                                      .wrote = d->wrote,
                                      .chosen = d->chosen,
                                      .order = told.order.data,
                                      .count = (uint32_t) told.order.count,
                                      .read_writer = ir->serial ? NULL : told.writer,
                                      .position = ir->serial ? NULL : told.position };
  const bool accepted = hand_over (d, &witness, false);
  MEM_FREE_ALL (told.in, told.order.data, told.writer, told.position, last_writer);
  return accepted;
}

static void nodes_in_order (const struct graph *g, node_vec *order) {
  const uint32_t last = (1u << g->shift) - 1;
  for (uint32_t i = 0; i < g->ordered; i++)
    if (!graph_is_slot (g, g->order[i]) && graph_node (g, g->order[i]) && (g->order[i] & last) == last)
      VEC_PUSH (*order, graph_node (g, g->order[i]));
}

// Is the read there, in the witness at hand?
static bool is_there (const struct deciding *d, uint32_t node, uint32_t read) {
  const uint32_t presence = ir_read_presence (d->ir, read);
  return d->graph->active[node]
         && (presence == ALWAYS
             || presence_wanted (presence) == d->wrote[presence_entry (presence) - d->ir->first_delete]);
}

// Per read its source if it is there; NULL: all are.
static uint32_t *sources_in_force (const struct deciding *d) {
  const struct ir *ir = d->ir;
  if (!ir_has_unknown (ir) && !ir->read_presence)
    return NULL;
  uint32_t *writer = MEM_ARRAY (uint32_t, ir->reads);
  for (uint32_t node = 0; node < ir->nodes; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      writer[read] = is_there (d, node, read) ? d->graph->read_writer[read] : NODE_NONE;
  return writer;
}

// Sources and the order of the graph, for levels that do not ask for a serial order.
static bool accept_placed (struct deciding *d, const node_vec *order, bool surely) {
  const struct graph *g = d->graph;
  uint32_t *position = MEM_ZARRAY (uint32_t, g->first_slot), placed = 0;
  uint32_t *writer = sources_in_force (d);
  for (uint32_t i = 0; i < g->ordered; i++)
    if (!graph_is_slot (g, g->order[i]))
      position[g->order[i]] = placed++;
  const struct ir_witness witness = { .ir = d->ir,
                                      .in = g->active,
                                      .wrote = d->wrote,
                                      .chosen = d->chosen,
                                      .order = order->data,
                                      .count = (uint32_t) order->count,
                                      .read_writer = writer ? writer : g->read_writer,
                                      .position = position };
  const bool accepted = hand_over (d, &witness, surely);
  MEM_FREE_ALL (position, writer);
  return accepted;
}

bool accept_sorted (struct deciding *d, bool surely) {
  node_vec order = VEC_EMPTY;
  nodes_in_order (d->graph, &order);
  const bool accepted = d->ir->serial ? accept_serial (d, &order, surely) : accept_placed (d, &order, surely);
  VEC_FREE (order);
  return accepted;
}

void accept_known_deletes (struct deciding *d) {
  for (uint32_t i = 0; i < d->ir->deletes; i++)
    d->wrote[i] = d->graph->presence[d->ir->first_delete + i] == PRESENCE_HOLDS;
}

// ----------------------------------------------------------------------------------------- a model

static void accept_presence (struct deciding *d, uint32_t entry) {
  const struct presence *presence = &d->ir->presences[entry];
  if (presence->kind == PRESENCE_IN)
    d->graph->active[presence->node] = 1;
  if (presence->kind == PRESENCE_WROTE)
    d->wrote[entry - d->ir->first_delete] = 1;
}

static void accept_variables (struct deciding *d, const int8_t *values) {
  for (size_t v = 1; v < d->problem->variables.count; v++) {
    const struct variable *variable = &d->problem->variables.data[v];
    if (values[v] <= 0)
      continue;
    if (variable->kind == VARIABLE_PRESENCE)
      accept_presence (d, variable->a);
    if (variable->kind == VARIABLE_ALTERNATIVE)
      d->chosen[variable->a] = variable->b;
    if (variable->kind == VARIABLE_SOURCE)
      d->graph->read_writer[variable->a] = ir_writer_of (d->ir, variable->b);
  }
}

static bool holds (const struct guarded_edge *edge, const int8_t *values) {
  for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
    if ((edge->guard[k] > 0) != (values[edge->guard[k] > 0 ? edge->guard[k] : -edge->guard[k]] > 0))
      return false;
  return true;
}

static bool is_placed (const struct graph *g, uint32_t point) {
  return graph_is_slot (g, point) ? point < g->points : g->active[graph_node (g, point)];
}

// An encoding may have variables for edges that are true although a transaction did not take place.
static void accept_edge (struct graph *g, uint32_t from, uint32_t to) {
  if (is_placed (g, from) && is_placed (g, to))
    graph_add_extra (g, from, to, RULE_GIVEN, UINT32_MAX);
}

void accept_model (struct deciding *d, const int8_t *values) {
  struct graph *g = d->graph;
  const struct problem *problem = d->problem;
  accept_known_deletes (d);
  d->chosen = mem_nones (d->ir->constraints ? d->ir->constraints->list.count : 0);
  accept_variables (d, values);
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    if (edge->role != ROLE_FORBID && holds (edge, values))
      accept_edge (g, problem->point[edge->from], problem->point[edge->to]);
  }
  for (size_t i = 0; i < problem->replaced.count; i++)
    if (holds (&problem->replaced.data[i], values))
      accept_edge (g, problem->replaced.data[i].from, problem->replaced.data[i].to);
  point_vec cycle = VEC_EMPTY;
  if (graph_sort (g, &cycle))
    accept_sorted (d, true);
  else
    deciding_break (d, "the search's model has a cycle");
  VEC_FREE (cycle);
}
