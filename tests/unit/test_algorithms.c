// Searching, sorting, grouping, heaps and strong components, each against the slow way to say the
// same.

#include "base/group.h"
#include "base/heap.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/strong_components.h"
#include "greatest_main.h"
#include "tests/brute/prng.h"

enum { ROUNDS = 2000, MOST = 40 };

static size_t random_numbers (struct prng *random, uint32_t *numbers, uint32_t below) {
  const size_t count = prng_below (random, MOST);
  for (size_t i = 0; i < count; i++)
    numbers[i] = prng_below (random, below);
  return count;
}

static size_t occurrences (const uint32_t *numbers, size_t count, uint32_t wanted) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    found += numbers[i] == wanted;
  return found;
}

// --------------------------------------------------------------------------------------- searching

TEST bounds_are_where_a_walk_finds_them (void) {
  struct prng random = { 1 };
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t numbers[MOST];
    const uint32_t count = (uint32_t) random_numbers (&random, numbers, 30), low = prng_below (&random, count + 1);
    SORT (numbers, count, by_u32);
    for (uint32_t wanted = 0; wanted <= 30; wanted++) {
      uint32_t lower = low, upper;
      while (lower < count && numbers[lower] < wanted)
        lower++;
      for (upper = lower; upper < count && numbers[upper] == wanted;)
        upper++;
      ASSERT_EQ (lower, lower_bound_u32 (numbers, low, count, wanted));
      ASSERT_EQ (upper, upper_bound_u32 (numbers, low, count, wanted));
      ASSERT_EQ (lower == upper ? NOT_FOUND : lower, find_u32 (numbers, low, count, wanted));
    }
  }
  PASS ();
}

TEST wide_numbers_are_found (void) {
  const uint64_t ids[] = { 3, UINT32_MAX, 1ull << 40, UINT64_MAX };
  for (size_t i = 0; i < 4; i++) {
    ASSERT (has_u64 (ids, 4, ids[i]));
    ASSERT_FALSE (has_u64 (ids, 4, ids[i] - 1));
  }
  ASSERT_FALSE (has_u64 (ids, 3, UINT64_MAX));
  ASSERT_FALSE (has_u64 (NULL, 0, 3));
  PASS ();
}

// ----------------------------------------------------------------------------------------- sorting

TEST distinct_numbers_ascend_and_are_all_there (void) {
  struct prng random = { 2 };
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t numbers[MOST], sorted[MOST];
    const size_t count = random_numbers (&random, numbers, 20);
    memcpy (sorted, numbers, sizeof numbers);
    const size_t distinct = sort_distinct_u32 (sorted, count);
    for (size_t i = 1; i < distinct; i++)
      ASSERT (sorted[i - 1] < sorted[i]);
    for (uint32_t number = 0; number < 20; number++)
      ASSERT_EQ (occurrences (numbers, count, number) != 0, occurrences (sorted, distinct, number));
  }
  ASSERT_EQ (0, sort_distinct_u32 (NULL, 0));
  PASS ();
}

TEST comparisons_do_not_wrap (void) {
  const uint32_t narrow[] = { 0, UINT32_MAX };
  const uint64_t wide[] = { 1, UINT64_MAX };
  const int64_t times[] = { INT64_MIN, INT64_MAX };
  ASSERT (by_u32 (&narrow[0], &narrow[1]) < 0 && by_u32 (&narrow[1], &narrow[0]) > 0);
  ASSERT (by_u64 (&wide[0], &wide[1]) < 0 && by_u64 (&wide[1], &wide[0]) > 0);
  ASSERT (by_i64 (&times[0], &times[1]) < 0 && by_i64 (&times[1], &times[0]) > 0);
  ASSERT_EQ (0, by_u32 (&narrow[1], &narrow[1]));
  ASSERT_EQ (0, by_u64 (&wide[1], &wide[1]));
  ASSERT_EQ (0, by_i64 (&times[0], &times[0]));
  PASS ();
}

TEST the_first_numbers_that_differ_decide (void) {
  const uint32_t sorted[][3] = { { 0, UINT32_MAX, 5 }, { 1, 2, 3 }, { 1, 2, 4 }, { 1, 3, 0 }, { UINT32_MAX, 0, 0 } };
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++) {
      ASSERT_EQ (COMPARE (i, k), by_u32_triple (sorted[i], sorted[k]));
      const bool same_pair = (i == 1 && k == 2) || (i == 2 && k == 1);
      ASSERT_EQ (same_pair ? 0 : COMPARE (i, k), by_u32_pair (sorted[i], sorted[k]));
    }
  PASS ();
}

// ---------------------------------------------------------------------------------------- grouping

TEST groups_hold_their_items_in_order (void) {
  struct prng random = { 3 };
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t group_of[MOST];
    const uint32_t groups = 1 + prng_below (&random, 12);
    const uint32_t count = (uint32_t) random_numbers (&random, group_of, groups);
    struct grouping grouped = { .groups = groups };
    while (grouping_pass (&grouped))
      for (uint32_t item = 0; item < count; item++)
        group_put (&grouped, group_of[item], item);
    ASSERT_EQ (0, grouped.first[0]);
    ASSERT_EQ (count, grouped.first[groups]);
    for (uint32_t group = 0; group < groups; group++) {
      ASSERT_EQ (occurrences (group_of, count, group), grouped.first[group + 1] - grouped.first[group]);
      for (uint32_t place = grouped.first[group]; place < grouped.first[group + 1]; place++) {
        ASSERT_EQ (group, group_of[grouped.items[place]]);
        ASSERT_EQ (group, group_of_place (grouped.first, groups, place));
        ASSERT (place == grouped.first[group] || grouped.items[place - 1] < grouped.items[place]);
      }
    }
    mem_free (grouped.first);
    mem_free (grouped.items);
  }
  PASS ();
}

TEST no_groups_and_no_items (void) {
  struct grouping none = { .groups = 0 };
  int passes = 0;
  while (grouping_pass (&none))
    passes++;
  ASSERT_EQ (2, passes);
  ASSERT_EQ (0, none.first[0]);
  mem_free (none.first);
  mem_free (none.items);
  PASS ();
}

// ------------------------------------------------------------------------------------------- heaps

static bool is_less (const uint32_t *key, uint32_t a, uint32_t b) {
  return key[a] < key[b];
}

// Pushes, pops and replacements in turn, against a set that is searched from end to end.
TEST heaps_give_the_first_of_all (void) {
  struct prng random = { 4 };
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t key[MOST];
    bool inside[MOST] = { false };
    VEC (uint32_t) heap = VEC_EMPTY;
    for (uint32_t item = 0; item < MOST; item++) {
      key[item] = prng_below (&random, 15);
      const uint32_t what = heap.count ? prng_below (&random, 4) : 0;
      if (heap.count) {
        for (uint32_t other = 0; other < MOST; other++)
          ASSERT (!inside[other] || key[heap.data[0]] <= key[other]);
        ASSERT (inside[heap.data[0]]);
      }
      if (what >= 2)
        inside[heap.data[0]] = false;
      if (what == 3)
        HEAP_POP (heap, is_less, key);
      else if (what == 2)
        HEAP_REPLACE (heap, item, is_less, key);
      else
        HEAP_PUSH (heap, item, is_less, key);
      inside[item] = what < 3;
    }
    for (uint32_t before = 0; heap.count;) {
      ASSERT (before <= key[heap.data[0]]);
      before = key[heap.data[0]];
      inside[heap.data[0]] = false;
      HEAP_POP (heap, is_less, key);
    }
    ASSERT_EQ (NULL, memchr (inside, true, sizeof inside));
    VEC_FREE (heap);
  }
  PASS ();
}

// -------------------------------------------------------------------------------------- components

enum { VERTICES = 12 };

struct arcs {
  uint32_t first[VERTICES + 1];
  uint32_t to[2 * VERTICES];
};

static uint32_t successor (const void *context, uint32_t vertex, uint32_t number) {
  const struct arcs *arcs = context;
  const uint32_t at = arcs->first[vertex] + number;
  return at < arcs->first[vertex + 1] ? arcs->to[at] : VERTEX_NONE;
}

static void random_arcs (struct prng *random, struct arcs *arcs, bool reaches[VERTICES][VERTICES]) {
  uint32_t count = 0;
  memset (reaches, 0, sizeof (bool[VERTICES][VERTICES]));
  for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
    arcs->first[vertex] = count;
    reaches[vertex][vertex] = true;
    for (uint32_t left = prng_below (random, 3); left; left--) {
      arcs->to[count] = prng_below (random, VERTICES);
      reaches[vertex][arcs->to[count++]] = true;
    }
  }
  arcs->first[VERTICES] = count;
  for (unsigned over = 0; over < VERTICES; over++)
    for (unsigned from = 0; from < VERTICES; from++)
      for (unsigned to = 0; to < VERTICES; to++)
        reaches[from][to] |= reaches[from][over] && reaches[over][to];
}

TEST components_reach_each_other_and_ascend_backwards (void) {
  struct prng random = { 5 };
  for (int round = 0; round < ROUNDS; round++) {
    struct arcs arcs;
    bool reaches[VERTICES][VERTICES];
    random_arcs (&random, &arcs, reaches);
    const uint32_t start = prng_below (&random, VERTICES);
    uint32_t count, highest = 0;
    uint32_t *component = strong_components (VERTICES, start, successor, &arcs, &count);
    for (unsigned from = 0; from < VERTICES; from++) {
      highest = component[from] > highest ? component[from] : highest;
      ASSERT (component[from] || reaches[start][from]);
      for (unsigned to = 0; to < VERTICES; to++) {
        ASSERT_EQ (reaches[from][to] && reaches[to][from], component[from] == component[to]);
        ASSERT (!reaches[from][to] || component[from] >= component[to]);
      }
    }
    ASSERT_EQ (count, highest + 1);
    mem_free (component);
  }
  PASS ();
}

SUITE (algorithms) {
  RUN_TEST (bounds_are_where_a_walk_finds_them);
  RUN_TEST (wide_numbers_are_found);
  RUN_TEST (distinct_numbers_ascend_and_are_all_there);
  RUN_TEST (comparisons_do_not_wrap);
  RUN_TEST (the_first_numbers_that_differ_decide);
  RUN_TEST (groups_hold_their_items_in_order);
  RUN_TEST (no_groups_and_no_items);
  RUN_TEST (heaps_give_the_first_of_all);
  RUN_TEST (components_reach_each_other_and_ascend_backwards);
}

KRAIT_UNIT_MAIN (RUN_SUITE (algorithms);)
