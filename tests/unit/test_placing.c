// Order and sources that are guessed together: what comes of it is nearly always a witness, at each
// kind of level, and nothing else than the guess changes.

#include "greatest_main.h"
#include "ir/witness_check.h"
#include "levels/levels.h"
#include "saturate/placing.h"
#include "tests/support/saturated.h"

#include <inttypes.h>

enum { HISTORIES = 40000 };

static const char *const names[] = { "read-committed",
                                     "strong-session-read-committed",
                                     "read-committed-axiomatic",
                                     "read-atomic",
                                     "causal",
                                     "cursor-stability",
                                     "strong-session-cursor-stability",
                                     "strict-cursor-stability",
                                     "monotonic-view",
                                     "strong-session-monotonic-view",
                                     "strict-monotonic-view",
                                     "consistent-view",
                                     "parallel-snapshot-isolation" };
enum { LEVELS = sizeof names / sizeof *names };

// Places of transactions alone; those of time slots are nobody's business.
static uint32_t *places (const struct graph *g, const struct placed *placed) {
  uint32_t *position = MEM_ZARRAY (uint32_t, g->ir->nodes), next = 0;
  for (uint32_t i = 0; i < placed->ordered; i++)
    if (!graph_is_slot (g, placed->order[i]))
      position[placed->order[i]] = next++;
  return position;
}

static uint8_t *all_wrote (const struct graph *g) {
  uint8_t *wrote = MEM_ZARRAY (uint8_t, g->ir->deletes + 1);
  for (uint32_t i = 0; i < g->ir->deletes; i++)
    wrote[i] = g->presence[g->ir->first_delete + i] != PRESENCE_FAILS;
  return wrote;
}

static void drop_reads (const struct graph *g, const struct placed *placed, const uint8_t *wrote) {
  for (uint32_t read = 0; read < g->ir->reads; read++) {
    const uint32_t presence = ir_read_presence (g->ir, read);
    const bool there =
      presence == ALWAYS || presence_wanted (presence) == wrote[presence_entry (presence) - g->ir->first_delete];
    if (!there || !placed->in[graph_reader (g, read)])
      placed->read_writer[read] = NODE_NONE;
  }
}

static bool is_witness (const struct graph *g, const struct placed *placed, const char **why) {
  uint32_t *position = places (g, placed);
  uint8_t *wrote = all_wrote (g);
  drop_reads (g, placed, wrote);
  const struct ir_witness witness = { .ir = g->ir,
                                      .in = placed->in,
                                      .wrote = g->ir->deletes ? wrote : NULL,
                                      .read_writer = placed->read_writer,
                                      .position = position };
  const bool fine = ir_holds_witness (g->ir, &witness, NULL, why) == ACCEPTED;
  MEM_FREE_ALL (position, wrote);
  return fine;
}

static bool is_active (const struct graph *g) {
  uint32_t active = 0;
  for (uint32_t node = 0; node < g->ir->nodes; node++)
    active += g->active[node];
  return active > 1;
}

TEST random_histories (void) {
  unsigned tried[LEVELS] = { 0 }, found[LEVELS] = { 0 }, accepted[LEVELS] = { 0 };
  for (uint64_t index = 0; index < HISTORIES; index++) {
    const unsigned at = (unsigned) (index % LEVELS);
    struct saturated s;
    struct placed placed;
    if (!saturated_make (&s, 97, index, level_find (names[at]), ROWS_AUTO, true))
      continue;
    if (s.outcome == SATURATE_SETTLED && s.saturation->open.count && is_active (s.graph)
        && placing_is_possible (s.saturation)) {
      tried[at]++;
      if (place_transactions (s.saturation, &placed)) {
        const char *why = NULL;
        found[at]++;
        accepted[at] += is_witness (s.graph, &placed, &why);
        placed_free (&placed);
      }
    }
    saturated_free (&s);
  }
  for (unsigned at = 0; at < LEVELS; at++) {
    printf ("%-32s %4u tried, %4u found, %4u of them witnesses\n", names[at], tried[at], found[at], accepted[at]);
    ASSERT (tried[at] && found[at] > tried[at] / 2 && accepted[at] >= found[at] - found[at] / 20);
  }
  PASS ();
}

SUITE (placing) {
  RUN_TEST (random_histories);
}

KRAIT_UNIT_MAIN (RUN_SUITE (placing);)
