#include "ir/builder.h"
#include "saturate/saturate.h"

#include <string.h>

static void copy_what_stays (struct ir *to, const struct ir *ir) {
  ir_borrow (to, &ir->columns, NULL, 0);
  for (uint32_t entry = 1; entry < ir->presence_count; entry++)
    ir_add_presence (to, ir->presences[entry]);
  to->node_presence = MEM_COPY (ir->node_presence, ir->nodes);
  to->install_presence = MEM_COPY (ir->install_presence, ir->installs);
  to->read_presence = MEM_COPY (ir->read_presence, ir->reads);
  to->read_anti = MEM_COPY (ir->read_anti, ir->reads);
  to->read_when = MEM_COPY (ir->read_when, ir->reads);
  to->orders = ir->orders;
  to->order_count = ir->order_count;
  to->implied = ir->implied;
  to->implied_count = ir->implied_count;
  to->slots = ir->slots;
  to->time_before = MEM_COPY (ir->time_before, ir->nodes);
  to->time_after = MEM_COPY (ir->time_after, ir->nodes);
  to->hint = MEM_COPY (ir->hint, ir->nodes);
  to->node_id = MEM_COPY (ir->node_id, ir->nodes);
  to->value_label = MEM_COPY (ir->value_label, ir->values);
  to->values = ir->values;
  VEC_COPY (to->edges, ir->edges);
  VEC_COPY (to->edge_module, ir->edge_module);
  to->edges_are_program_order = ir->edges_are_program_order;
  to->constraints = constraints_copy (ir->constraints);
  char **const texts[] = { &to->fault, &to->undefined, &to->tentative };
  const char *const said[] = { ir->fault, ir->undefined, ir->tentative };
  for (size_t i = 0; i < 3; i++)
    if (said[i])
      ir_say (texts[i], said[i]);
  to->history = ir->history;
}

static void add_derived (struct ir *to, const struct graph *g, uint32_t point) {
  for (uint32_t i = g->extra_head[point]; i != UINT32_MAX; i = g->extra.data[i].next) {
    const struct extra_edge *extra = &g->extra.data[i];
    if (extra->rule == RULE_GIVEN || extra->rule == RULE_KNOWN_ORDER || !graph_node (g, extra->from))
      continue;
    VEC_PUSH (to->derived,
              (struct derived_edge){ graph_node (g, extra->from), graph_node (g, point), rule_kind (extra->rule),
                                     rule_names_read (extra->rule) ? extra->read : READ_NONE,
                                     extra->rule == RULE_ORDER ? extra->read : KEY_NONE });
  }
}

static void add_presences (struct ir *to, const struct graph *g) {
  for (uint32_t entry = 1; entry < g->ir->first_delete + g->ir->deletes; entry++)
    if (g->presence[entry] == PRESENCE_HOLDS)
      VEC_PUSH (to->holds, if_so (entry));
}

// Reads that are still open keep what is left, others have the source that was found, and those
// that turned out not to be there have none.
static void settle_reads (struct ir *to, const struct saturation *s) {
  const struct ir *ir = s->graph->ir;
  uint32_t *source = MEM_COPY (ir->read_source, ir->reads), installs = 0, kept = 0;
  struct choice *choices = MEM_ARRAY (struct choice, ir->choice_count);
  uint32_t *list = MEM_ARRAY (uint32_t, s->candidates.count);
  for (uint32_t i = 0; i < ir->choice_count; i++) {
    const uint32_t read = ir->choices[i].read, writer = s->graph->read_writer[read];
    source[read] = writer == NODE_NONE ? SOURCE_NONE
                   : writer            ? ir_install_of (ir, ir->read_key[read], writer)
                                       : SOURCE_INITIAL;
  }
  for (size_t i = 0; i < s->open.count; i++) {
    const struct open_read *open = &s->open.data[i];
    struct choice choice = { .read = open->read, .listed = open->listed, .first = open->listed ? installs : 0 };
    choice.initial = !open->listed && ir->choices[ir->read_source[open->read] & ~SOURCE_MANY].initial;
    for (uint32_t k = 0; k < open->count && open->listed; k++)
      if (s->candidates.data[open->first + k] == SOURCE_INITIAL)
        choice.initial = true;
      else
        list[installs++] = s->candidates.data[open->first + k];
    choice.last = open->listed ? installs : 0;
    source[open->read] = SOURCE_MANY | kept;
    choices[kept++] = choice;
  }
  to->read_source = source;
  to->choices = choices;
  to->choice_count = kept;
  to->value_installs = list;
  VEC_PUSH (to->owned, (void *) source);
  VEC_PUSH (to->owned, (void *) choices);
  VEC_PUSH (to->owned, (void *) list);
}

struct ir *saturated_ir (const struct saturation *s) {
  const struct graph *g = s->graph;
  struct ir *to = ir_new (&g->ir->rules, g->ir->label);
  copy_what_stays (to, g->ir);
  add_presences (to, g);
  if (g->ir->rules.wr.used)
    settle_reads (to, s);
  for (uint32_t point = 0; point < g->first_slot; point++)
    add_derived (to, g, point);
  return to;
}
