// A made-up level, worked through in docs/adding-a-level.md: the transactions that write are
// serializable in an order that keeps sessions, and each one that only reads has a consistent view
// of them and of its session. Two readers may disagree about the order of what they do not write,
// as at update-serializable; but whatever a session has seen, it goes on seeing.

#include "asg/asg.h"
#include "madeup.h"

// --------------------------------------------------------------------------------- for the checker

static bool surely_writes (const struct asg *asg, uint32_t node) {
  for (uint32_t k = asg->node_first_install[node]; k < asg->node_first_install[node + 1]; k++)
    if (asg_install_unrecorded (asg, asg->node_installs[k]) == UNRECORDED_NONE)
      return true;
  return false;
}

static void mark_read_only (const struct asg *asg, struct read_marks *marks) {
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t first = asg->node_first_read[node], end = asg->node_first_read[node + 1];
    if (surely_writes (asg, node) || first == end)
      continue;
    const bool may_write = marks->when && asg->node_first_install[node] < asg->node_first_install[node + 1];
    const uint32_t when = may_write ? mark_if_writes (marks, node) : NEVER;
    for (uint32_t read = first; read < end; read++) {
      marks->anti[read] = ANTI_FORBID;
      if (may_write)
        marks->when[read] = when;
    }
  }
}

static const struct level session_updates = {
  .name = "session-update-serializable",
  .aliases = "",
  .proscribes = "a cycle of ww, wr, session order and the rw of writers, with at most one rw of a reader",
  .rules.points = 1,
  .rules.so = { true, 0, 0 },
  .rules.ww = { true, 0, 0 },
  .rules.wr = { true, 0, 0 },
  .rules.rw = { true, 0, 0 },
  .rules.anti = ANTI_EDGE,
  .traits.mark_reads = mark_read_only,
  .stronger = "strong-session-serializable",
};

// --------------------------------------------------------------------- for the brute-force checker

static bool writes (const struct world *w, unsigned node) {
  for (unsigned key = 0; key < w->story->keys; key++)
    if (w->story->txns[node].versions[key].installed)
      return true;
  return false;
}

// (D ∪ so ∪ A of writers)⁺ ; (A of readers)? is irreflexive.
static bool holds (const struct world *w) {
  struct relation edges = relation_union (w->ww, &w->wr), of_readers = w->rw;
  edges = relation_union (edges, &w->so);
  for (unsigned node = 1; node < w->story->nodes; node++)
    if (writes (w, node)) {
      edges.after[node] |= w->rw.after[node];
      of_readers.after[node] = 0;
    }
  edges.nodes = w->story->nodes;
  const struct relation paths = relation_paths (edges), back = relation_then (&paths, &of_readers);
  return relation_irreflexive (&paths) && relation_irreflexive (&back);
}

const struct madeup madeup = {
  .level = &session_updates,
  .row = { "session-update-serializable", { .family = FAMILY_UPDATE_SERIALIZABLE, .so = true } },
  .so = true,
  .holds = holds,
};
