#include "ir/constraints.h"

struct constraints *constraints_new (void) {
  return mem_zalloc (sizeof (struct constraints));
}

struct constraints *constraints_copy (const struct constraints *from) {
  if (!from)
    return NULL;
  struct constraints *copy = constraints_new ();
  VEC_COPY (copy->list, from->list);
  VEC_COPY (copy->conditions, from->conditions);
  VEC_COPY (copy->alternatives, from->alternatives);
  VEC_COPY (copy->edges, from->edges);
  VEC_COPY (copy->modules, from->modules);
  copy->open = from->open;
  return copy;
}

void constraints_free (struct constraints *constraints) {
  if (!constraints)
    return;
  MEM_FREE_ALL (constraints->list.data, constraints->conditions.data, constraints->alternatives.data,
                constraints->edges.data, constraints->modules.data, constraints);
}

void constraints_begin (struct constraints *d, uint32_t module) {
  VEC_PUSH (d->list, (struct constraint){ .first_condition = (uint32_t) d->conditions.count,
                                          .first_alternative = (uint32_t) d->alternatives.count,
                                          .module = module });
}

void constraints_add_condition (struct constraints *d, struct constraint_condition condition) {
  VEC_PUSH (d->conditions, condition);
  d->list.data[d->list.count - 1].conditions++;
}

void constraints_begin_alternative (struct constraints *d) {
  VEC_PUSH (d->alternatives, (struct constraint_alternative){ (uint32_t) d->edges.count, 0 });
  d->list.data[d->list.count - 1].alternatives++;
}

void constraints_add_edge (struct constraints *d, struct ir_edge edge) {
  VEC_PUSH (d->edges, edge);
  d->alternatives.data[d->alternatives.count - 1].edges++;
}

void constraints_take_back (struct constraints *d) {
  const struct constraint *last = &d->list.data[--d->list.count];
  d->conditions.count = last->first_condition;
  if (last->alternatives)
    d->edges.count = d->alternatives.data[last->first_alternative].first_edge;
  d->alternatives.count = last->first_alternative;
}

bool constraints_speak_of_reads (const struct constraints *d) {
  return d && d->conditions.count;
}
