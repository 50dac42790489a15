// Strong components of a directed graph: the largest sets of vertices that all reach each other.
// Tarjan, Depth-first search and linear graph algorithms, 1972; without recursion.

#ifndef KRAIT_BASE_STRONG_COMPONENTS_H
#define KRAIT_BASE_STRONG_COMPONENTS_H

#include <stdint.h>

#define VERTEX_NONE UINT32_MAX

// The successor of a vertex that has this number among them, from 0 on; VERTEX_NONE behind the last
// one.
typedef uint32_t (*vertex_successor) (const void *context, uint32_t vertex, uint32_t number);

// The component of each vertex. Components are numbered in an order in which edges lead from higher
// ones to lower ones. The search begins at `start`: component 0 can be reached from there.
uint32_t *strong_components (uint32_t vertices, uint32_t start, vertex_successor, const void *context, uint32_t *count);

#endif
