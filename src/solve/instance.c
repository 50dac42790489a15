#include "solve/instance.h"

#include "base/search.h"
#include "base/sort.h"

// --------------------------------------------------------------------------------------- numbering

static int32_t renumber (const struct instance *instance, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  const int32_t here =
    (int32_t) find_u32 (instance->part->variables.data, 0, (uint32_t) instance->part->variables.count, variable) + 1;
  return literal > 0 ? here : -here;
}

uint32_t *part_points (const struct problem *problem, const struct component *part, const uint32_t *scc,
                       uint32_t *count) {
  VEC (uint32_t) wanted = VEC_EMPTY; // components
  for (size_t i = 0; i < part->edges.count; i++)
    VEC_PUSH (wanted, scc[problem->edges.data[part->edges.data[i]].from]);
  const uint32_t distinct = (uint32_t) sort_distinct_u32 (wanted.data, wanted.count);
  uint32_t *point = MEM_ARRAY (uint32_t, problem->points);
  *count = 0;
  for (uint32_t v = 0; v < problem->points; v++)
    if (find_u32 (wanted.data, 0, distinct, scc[v]) != NOT_FOUND)
      point[(*count)++] = v;
  MEM_RESIZE (point, *count);
  VEC_FREE (wanted);
  return point;
}

static void copy_known_graph (struct instance *instance) {
  const struct problem *problem = instance->problem;
  const uint32_t *scc = instance->scc;
  const uint32_t points = instance->points;
  instance->known_first = MEM_ARRAY (uint32_t, (size_t) points + 1);
  VEC (uint32_t) to = VEC_EMPTY;
  VEC (uint8_t) hidden = VEC_EMPTY;
  uint64_t *places = MEM_ARRAY (uint64_t, points);
  for (uint32_t v = 0; v < points; v++) {
    const uint32_t from = instance->point[v];
    instance->known_first[v] = (uint32_t) to.count;
    places[v] = (uint64_t) problem->local_position[from] << 32 | v;
    for (uint32_t i = problem->known_first[from]; i < problem->known_first[from + 1]; i++)
      if (scc[problem->known_to[i]] == scc[from]) {
        const uint32_t here = find_u32 (instance->point, 0, points, problem->known_to[i]);
        if (here == NOT_FOUND)
          continue;
        VEC_PUSH (to, here);
        if (problem->known_hidden)
          VEC_PUSH (hidden, problem->known_hidden[i]);
      }
  }
  instance->known_first[points] = (uint32_t) to.count;
  instance->known_to = to.data;
  instance->known_hidden = hidden.data;
  SORT (places, points, by_u64);
  instance->position = MEM_ARRAY (uint32_t, points);
  for (uint32_t i = 0; i < points; i++)
    instance->position[(uint32_t) places[i]] = i;
  mem_free (places);
}

static void copy_edges (struct instance *instance) {
  const struct component *part = instance->part;
  for (size_t i = 0; i < part->edges.count; i++) {
    struct guarded_edge copy = instance->problem->edges.data[part->edges.data[i]];
    copy.from = find_u32 (instance->point, 0, instance->points, copy.from);
    copy.to = find_u32 (instance->point, 0, instance->points, copy.to);
    for (unsigned k = 0; k < MOST_GUARDS && copy.guard[k]; k++)
      copy.guard[k] = renumber (instance, copy.guard[k]);
    VEC_PUSH (instance->edges, copy);
  }
}

void instance_add_clauses (const struct instance *instance, struct sat *sat) {
  for (size_t i = 0; i < instance->part->clauses.count; i++) {
    for (const int32_t *literal = instance->problem->clauses.data + instance->part->clauses.data[i]; *literal;
         literal++)
      sat_add (sat, renumber (instance, *literal));
    sat_add (sat, 0);
  }
}

// ------------------------------------------------------------------------------------------ lemmas

static bool known_path (const void *context, uint32_t from, uint32_t to) {
  const struct instance *instance = context;
  return problem_path (instance->problem, instance->point[from], instance->point[to]) == PATH_KNOWN;
}

uint32_t instance_lemmas (const struct instance *instance) {
  return (uint32_t) instance->lemmas.count + theory_lemmas (instance->theory);
}

const uint32_t *instance_lemma (const struct instance *instance, uint32_t lemma, uint32_t *count) {
  if (lemma >= instance->lemmas.count)
    return theory_lemma (instance->theory, lemma - (uint32_t) instance->lemmas.count, count);
  *count = 2;
  return instance->lemmas.data[lemma].edge;
}

void instance_add_lemma (const struct instance *instance, struct sat *sat, const uint32_t *edges, uint32_t count,
                         int32_t selector) {
  for (uint32_t i = 0; i < count; i++)
    for (unsigned k = 0; k < MOST_GUARDS && instance->edges.data[edges[i]].guard[k]; k++)
      sat_add (sat, -instance->edges.data[edges[i]].guard[k]);
  if (selector)
    sat_add (sat, -selector);
  sat_add (sat, 0);
}

// ------------------------------------------------------------------------------------ the instance

void instance_set_phases (const struct instance *instance, const int8_t *phases) {
  const struct component *part = instance->part;
  for (size_t v = 0; v < part->variables.count; v++) {
    const int32_t here = (int32_t) v + 1;
    sat_phase (instance->sat, phases[part->variables.data[v]] > 0 ? here : -here);
  }
}

static void set_priorities (const struct instance *instance) {
  const struct component *part = instance->part;
  int8_t *phases = MEM_ZARRAY (int8_t, part->variables.count + 1);
  for (size_t v = 0; v < part->variables.count; v++)
    phases[v + 1] = instance->problem->phases.data[part->variables.data[v]];
  theory_prioritise (instance->theory, phases);
  mem_free (phases);
}

// Points on each side of an edge that are looked at for what it implies.
enum { NEARBY = 128 };

void instance_open (struct instance *instance, const struct problem *problem, const struct component *part,
                    const uint32_t *scc, const struct solve_options *options, uint32_t *point, uint32_t points) {
  *instance = (struct instance){
    .problem = problem, .part = part, .scc = scc, .options = options, .point = point, .points = points
  };
  const uint32_t variables = (uint32_t) part->variables.count;
  copy_known_graph (instance);
  copy_edges (instance);
  const uint32_t edges = (uint32_t) instance->edges.count;
  instance->theory = theory_new (variables, instance->edges.data, edges, points, instance->known_first,
                                 instance->known_to, instance->known_hidden, instance->position);
  instance->sat = sat_new (options->seed);
  sat_attach (instance->sat, instance->theory, variables);
  instance_add_clauses (instance, instance->sat);
  if (options->static_lemmas)
    find_static_lemmas (instance->edges.data, edges, points, instance->known_first, instance->known_to,
                        instance->known_hidden, known_path, instance, &instance->lemmas);
  for (size_t i = 0; i < instance->lemmas.count; i++)
    instance_add_lemma (instance, instance->sat, instance->lemmas.data[i].edge, 2, 0);
  if (options->priority)
    instance_set_phases (instance, problem->phases.data);
  if (options->propagation)
    theory_propagate (instance->theory, NEARBY);
  if (options->decisions)
    set_priorities (instance);
}

void instance_close (struct instance *instance) {
  sat_free (instance->sat);
  theory_free (instance->theory);
  MEM_FREE_ALL (instance->point, instance->known_first, instance->known_to, instance->known_hidden, instance->position,
                instance->edges.data, instance->lemmas.data);
}

uint64_t instance_work (const struct instance *instance) {
  const struct component *part = instance->part;
  return part->variables.count + part->edges.count + part->clauses.count + instance->points
         + theory_work (instance->theory);
}
