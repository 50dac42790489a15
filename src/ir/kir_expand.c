// The IR written out: each point, known edge, superposition and implication a line.

#include "base/group.h"
#include "base/output.h"
#include "ir/kir.h"
#include "ir/walk.h"

#include <inttypes.h>

struct writer {
  const struct ir *ir;
  struct output *out;
};

static void put_txn (const struct writer *w, uint32_t node) {
  output_printf (w->out, "T%" PRIu64, ir_txn_id (w->ir, node));
}

static void put_presence (const struct writer *w, uint32_t presence) {
  output_printf (w->out, "%sp%" PRIu32, presence_wanted (presence) ? "" : "!", presence_entry (presence));
}

static void put_point (const struct writer *w, uint32_t number) {
  const struct ir_point point = ir_point_at (w->ir, number);
  if (point.kind == POINT_SLOT)
    output_printf (w->out, "t%" PRIu32, point.owner);
  else
    put_txn (w, point.owner);
  if (point.kind == POINT_EVENT)
    output_printf (w->out, "@r%" PRIu32, point.read);
  else if (point.kind == POINT_TXN && w->ir->rules.points == 2)
    output_text (w->out, point.which ? ".commit" : ".begin");
}

static void put_condition (const struct writer *w, const struct condition *condition) {
  const struct ir *ir = w->ir;
  switch (condition->kind) {
  case IF_PRESENCE: put_presence (w, condition->a); break;
  case IF_SOURCE:
    output_printf (w->out, "r%" PRIu32 "=", condition->a);
    if (condition->b == SOURCE_INITIAL)
      output_text (w->out, "init");
    else
      put_txn (w, ir->install_node[condition->b]);
    break;
  case IF_ORDER:
    output_printf (w->out, "k%" PRIu32 ":", group_of_place (ir->key_first, ir->keys, condition->a));
    put_txn (w, ir->install_node[condition->a]);
    output_text (w->out, "<");
    put_txn (w, ir->install_node[condition->b]);
    break;
  case IF_INITIAL:
    output_printf (w->out, "k%" PRIu32 "=", condition->a);
    if (condition->b == INITIAL_OPEN)
      output_text (w->out, "other");
    else if (condition->b == ABSENT)
      output_text (w->out, "absent");
    else
      output_printf (w->out, "v%" PRIu32, ir->value_label ? ir->value_label[condition->b] : condition->b);
    break;
  case IF_ALTERNATIVE: output_printf (w->out, "c%" PRIu32 "=%" PRIu32, condition->a, condition->b); break;
  }
}

static void put_edge (const struct writer *w, const struct known_edge *edge) {
  static const char *const roles[] = { "path", "order", "forbid" };
  output_text (w->out, "edge ");
  put_point (w, edge->from);
  output_text (w->out, " ");
  put_point (w, edge->to);
  output_printf (w->out, " %s %s%s", roles[edge->role], edge->predicate ? "p" : "", edge_kind_name (edge->kind));
}

static void put_conditions (const struct writer *w, const struct condition *conditions, uint32_t count,
                            const char *between) {
  for (uint32_t i = 0; i < count; i++) {
    output_text (w->out, i ? between : " ");
    put_condition (w, &conditions[i]);
  }
}

static void put_if (const struct writer *w, uint32_t presence) {
  if (presence == ALWAYS)
    return;
  output_text (w->out, " if ");
  put_presence (w, presence);
}

static void put_known_edge (void *context, const struct known_edge *edge) {
  const struct writer *w = context;
  put_edge (w, edge);
  put_if (w, edge->presence);
  if (edge->reason)
    output_printf (w->out, "  # %s", edge->reason);
  output_text (w->out, "\n");
}

static void put_superposition (void *context, const struct superposition *s) {
  const struct writer *w = context;
  output_text (w->out, "choose");
  put_conditions (w, s->alternatives, s->count, " | ");
  put_if (w, s->presence[0]);
  if (s->presence[1] != s->presence[0])
    put_if (w, s->presence[1]);
  output_text (w->out, "\n");
}

static void put_implication (void *context, const struct implication *i) {
  const struct writer *w = context;
  output_text (w->out, "imply");
  put_conditions (w, i->conditions, i->count, " & ");
  output_text (w->out, " => ");
  if (i->impossible)
    output_text (w->out, "false");
  else
    put_edge (w, &i->edge);
  output_text (w->out, "\n");
}

void kir_expand (const struct ir *ir, struct output *output) {
  struct writer w = { ir, output };
  output_printf (output, "kir 2 expanded\nlevel %s\n", ir->label);
  // T0 comes before everything
  for (uint32_t point = ir->rules.points; point < ir_points (ir); point++) {
    output_text (output, "point ");
    put_point (&w, point);
    put_if (&w, ir_point_at (ir, point).presence);
    output_text (output, "\n");
  }
  ir_each_edge (ir, put_known_edge, &w);
  ir_each_superposition (ir, put_superposition, &w);
  ir_each_implication (ir, put_implication, &w);
}
