#include "ir/demands.h"

struct demands *demands_new (void) {
  return mem_zalloc (sizeof (struct demands));
}

void demands_free (struct demands *demands) {
  if (!demands)
    return;
  VEC_FREE (demands->list);
  VEC_FREE (demands->conditions);
  VEC_FREE (demands->alternatives);
  VEC_FREE (demands->edges);
  VEC_FREE (demands->modules);
  mem_free (demands);
}

void demands_begin (struct demands *d, uint32_t module) {
  VEC_PUSH (d->list, (struct demand){ .first_condition = (uint32_t) d->conditions.count,
                                      .first_alternative = (uint32_t) d->alternatives.count,
                                      .module = module });
}

void demands_add_condition (struct demands *d, struct demand_condition condition) {
  VEC_PUSH (d->conditions, condition);
  d->list.data[d->list.count - 1].conditions++;
}

void demands_begin_alternative (struct demands *d) {
  VEC_PUSH (d->alternatives, (struct demand_alternative){ (uint32_t) d->edges.count, 0 });
  d->list.data[d->list.count - 1].alternatives++;
}

void demands_add_edge (struct demands *d, struct ir_edge edge) {
  VEC_PUSH (d->edges, edge);
  d->alternatives.data[d->alternatives.count - 1].edges++;
}

void demands_take_back (struct demands *d) {
  const struct demand *last = &d->list.data[--d->list.count];
  d->conditions.count = last->first_condition;
  if (last->alternatives)
    d->edges.count = d->alternatives.data[last->first_alternative].first_edge;
  d->alternatives.count = last->first_alternative;
}

bool demands_speak_of_reads (const struct demands *d) {
  return d && d->conditions.count;
}
