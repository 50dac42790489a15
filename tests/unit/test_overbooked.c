// Crowds in random histories, against counting them naively.

#include "greatest_main.h"
#include "levels/levels.h"
#include "saturate/overbooked.h"
#include "tests/support/saturated.h"

#include <inttypes.h>

enum { HISTORIES = 60000 };

static bool is_update (const struct graph *g, uint32_t read) {
  const uint32_t node = graph_reader (g, read), install = asg_install_of (g->ir->asg, g->ir->asg->read_key[read], node);
  return g->active[node] && graph_anti (g, read) != ANTI_NONE && install != UINT32_MAX && graph_installs (g, install);
}

static const struct open_read *open_entry (const struct saturated *s, uint32_t read) {
  for (size_t i = 0; i < s->saturation->open.count; i++)
    if (s->saturation->open.data[i].read == read)
      return &s->saturation->open.data[i];
  return NULL;
}

static bool is_candidate (const struct saturated *s, const struct open_read *open, uint32_t source) {
  for (uint32_t i = 0; i < open->count; i++)
    if (s->saturation->candidates.data[open->first + i] == source)
      return true;
  return false;
}

static bool is_any_candidate (const struct saturated *s, const overbooked_vec *reads, uint32_t source) {
  for (size_t i = 0; i < reads->count; i++)
    if (is_candidate (s, open_entry (s, reads->data[i]), source))
      return true;
  return false;
}

// How many updates have read, or must have read, one of the versions that these open reads can have
// read, and how many versions there are.
static void count (const struct saturated *s, const overbooked_vec *reads, uint32_t key, unsigned *updates,
                   unsigned *versions) {
  const struct graph *g = s->graph;
  const struct asg *asg = g->ir->asg;
  *versions = is_any_candidate (s, reads, SOURCE_INITIAL);
  for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
    *versions += is_any_candidate (s, reads, i);
  *updates = (unsigned) reads->count;
  for (uint32_t read = 0; read < asg->reads; read++) {
    const uint32_t writer = g->read_writer[read];
    if (asg->read_key[read] != key || writer == NODE_NONE || !is_update (g, read))
      continue;
    *updates += is_any_candidate (s, reads, writer ? asg_install_of (asg, key, writer) : SOURCE_INITIAL);
  }
}

static const char *check_overbooked (const struct saturated *s, const overbooked_vec *reads) {
  const struct asg *asg = s->graph->ir->asg;
  const uint32_t key = asg->read_key[reads->data[0]];
  for (size_t i = 0; i < reads->count; i++) {
    if (!open_entry (s, reads->data[i]) || !is_update (s->graph, reads->data[i]))
      return "a read that is no open update";
    if (asg->read_key[reads->data[i]] != key)
      return "reads of different keys";
    if (i && reads->data[i] <= reads->data[i - 1])
      return "reads out of order";
  }
  unsigned updates, versions;
  count (s, reads, key, &updates, &versions);
  return updates > versions ? NULL : "enough versions for all";
}

// All open updates that can have read what the given one can have: a crowd?
static bool is_overbooked (const struct saturated *s, const struct open_read *one) {
  const struct asg *asg = s->graph->ir->asg;
  const uint32_t key = asg->read_key[one->read], source = asg->read_source[one->read];
  overbooked_vec reads = VEC_EMPTY;
  for (size_t i = 0; i < s->saturation->open.count; i++) {
    const uint32_t read = s->saturation->open.data[i].read, other = asg->read_source[read];
    if (is_update (s->graph, read) && asg->read_key[read] == key
        && asg->choices.data[other & ~SOURCE_MANY].first == asg->choices.data[source & ~SOURCE_MANY].first)
      VEC_PUSH (reads, read);
  }
  unsigned updates = 0, versions = 0;
  if (reads.count)
    count (s, &reads, key, &updates, &versions);
  VEC_FREE (reads);
  return updates > versions && is_update (s->graph, one->read);
}

static const char *check (const struct saturated *s, unsigned *found) {
  overbooked_vec reads = VEC_EMPTY, nodes = VEC_EMPTY;
  const bool overbooked = find_overbooked (s->saturation, &reads, &nodes);
  const char *wrong = overbooked ? check_overbooked (s, &reads) : NULL;
  for (size_t i = 0; i < s->saturation->open.count && !overbooked && !wrong; i++)
    if (is_overbooked (s, &s->saturation->open.data[i]))
      wrong = "a crowd that was not found";
  *found += overbooked;
  VEC_FREE (reads);
  VEC_FREE (nodes);
  return wrong;
}

TEST random_histories (void) {
  unsigned found = 0;
  const struct level *tried[] = { level_find ("repeatable-read"), level_find ("snapshot-isolation"),
                                  level_find ("serializable") };
  for (uint64_t index = 0; index < HISTORIES; index++) {
    struct saturated s;
    if (!saturated_make (&s, 87, index, tried[index % 3], ROWS_AUTO, index % 2))
      continue;
    const char *wrong = s.outcome == SATURATE_SETTLED && s.saturation->open.count ? check (&s, &found) : NULL;
    saturated_free (&s);
    if (wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (wrong);
    }
  }
  printf ("%u crowds\n", found);
  ASSERT (found);
  PASS ();
}

SUITE (overbooked) {
  RUN_TEST (random_histories);
}

KRAIT_UNIT_MAIN (RUN_SUITE (overbooked);)
