#include "base/strong_components.h"

#include "base/vec.h"

struct search {
  uint32_t *index;     // per vertex: when it was met
  uint32_t *low;       // the earliest vertex of the pile that is known to be reached from it
  uint32_t *looked_at; // successors so far
  uint32_t *component;
  VEC (uint32_t) path, pile; // the pile: vertices that were met and have no component yet
  uint32_t met, components;
};

static void enter (struct search *s, uint32_t vertex) {
  s->index[vertex] = s->low[vertex] = s->met++;
  VEC_PUSH (s->pile, vertex);
  VEC_PUSH (s->path, vertex);
}

static void lower (uint32_t *low, uint32_t index) {
  if (index < *low)
    *low = index;
}

static void leave (struct search *s, uint32_t vertex) {
  if (--s->path.count)
    lower (&s->low[s->path.data[s->path.count - 1]], s->low[vertex]);
  if (s->low[vertex] != s->index[vertex])
    return;
  uint32_t member;
  do {
    member = s->pile.data[--s->pile.count];
    s->component[member] = s->components;
  } while (member != vertex);
  s->components++;
}

static void explore (struct search *s, uint32_t start, vertex_successor successor, const void *context) {
  if (s->index[start] != VERTEX_NONE)
    return;
  enter (s, start);
  while (s->path.count) {
    const uint32_t at = s->path.data[s->path.count - 1], next = successor (context, at, s->looked_at[at]++);
    if (next == VERTEX_NONE)
      leave (s, at);
    else if (s->index[next] == VERTEX_NONE)
      enter (s, next);
    else if (s->component[next] == VERTEX_NONE)
      lower (&s->low[at], s->index[next]);
  }
}

uint32_t *strong_components (uint32_t vertices, uint32_t start, vertex_successor successor, const void *context,
                             uint32_t *count) {
  struct search s = { .index = mem_nones (vertices), .component = mem_nones (vertices) };
  s.low = MEM_ARRAY (uint32_t, vertices);
  s.looked_at = MEM_ZARRAY (uint32_t, vertices);
  if (vertices)
    explore (&s, start, successor, context);
  for (uint32_t vertex = 0; vertex < vertices; vertex++)
    explore (&s, vertex, successor, context);
  MEM_FREE_ALL (s.index, s.low, s.looked_at);
  VEC_FREE (s.path);
  VEC_FREE (s.pile);
  *count = s.components;
  return s.component;
}
