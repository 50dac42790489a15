// Counting sort: things are put into groups by number, and keep their order within a group.
// Afterwards those of a group stand in the places first[group] … first[group + 1] - 1.
//
// One loop does it if the things are numbers. It runs twice, first to count and then to place:
//
//   struct grouping by_key = { .groups = keys };
//   while (grouping_pass (&by_key))
//     for (uint32_t op = 0; op < ops; op++)
//       group_put (&by_key, key_of[op], op);
//   use (by_key.first, by_key.items);
//
// Both arrays are the caller's then. For other things, and several arrays at once, there are the
// steps: groups_new, group_count for each, groups_sum, group_next for each. The array has one entry
// more than is looked at in the end: what counts a group and then moves along with the filling of
// it stands one further, so that filling leaves the starts in place.

#ifndef KRAIT_BASE_GROUP_H
#define KRAIT_BASE_GROUP_H

#include "base/memory.h"
#include "base/search.h"

static inline uint32_t *groups_new (size_t groups) {
  return MEM_ZARRAY (uint32_t, groups + 2);
}

static inline void group_count (uint32_t *first, size_t group) {
  first[group + 2]++;
}

// From numbers to places; tells how many there are together.
static inline uint32_t groups_sum (uint32_t *first, size_t groups) {
  for (size_t group = 0; group < groups; group++)
    first[group + 2] += first[group + 1];
  return first[groups + 1];
}

// The next free place of the group.
static inline uint32_t group_next (uint32_t *first, size_t group) {
  return first[group + 1]++;
}

struct grouping {
  size_t groups;
  uint32_t *first, *items;
};

static inline bool grouping_pass (struct grouping *g) {
  if (!g->first)
    g->first = groups_new (g->groups);
  else if (!g->items)
    g->items = MEM_ARRAY (uint32_t, groups_sum (g->first, g->groups));
  else
    return false;
  return true;
}

static inline void group_put (struct grouping *g, size_t group, uint32_t item) {
  if (g->items)
    g->items[group_next (g->first, group)] = item;
  else
    group_count (g->first, group);
}

// Per place the group that it belongs to.
static inline uint32_t *groups_of_places (const uint32_t *first, uint32_t groups) {
  uint32_t *group_of = MEM_ARRAY (uint32_t, first[groups]);
  for (uint32_t group = 0; group < groups; group++)
    for (uint32_t place = first[group]; place < first[group + 1]; place++)
      group_of[place] = group;
  return group_of;
}

// The group that a place belongs to.
static inline uint32_t group_of_place (const uint32_t *first, uint32_t groups, uint32_t place) {
  return upper_bound_u32 (first, 0, groups, place) - 1;
}

#endif
