// Update serializability (PL-3U): the transactions that write are serializable, and each one that
// only reads fits into some serial order of them, not necessarily the same for all. A reader that
// writes nothing starts no edge but its anti-dependencies, hence these must not lead back to it,
// and are part of no other path.

#include "asg/asg.h"
#include "levels/all.h"

static bool surely_writes (const struct asg *asg, uint32_t node) {
  for (uint32_t k = asg->node_first_install[node]; k < asg->node_first_install[node + 1]; k++)
    if (asg_install_unrecorded (asg, asg->node_installs[k]) == UNRECORDED_NONE)
      return true;
  return false;
}

// A reader all of whose writes are unrecorded deletes is an update transaction if one of these
// wrote.
static void mark_read_only (const struct asg *asg, struct read_marks *marks) {
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t first = asg->node_first_read[node], end = asg->node_first_read[node + 1];
    if (surely_writes (asg, node))
      continue;
    const bool may_write = marks->when && asg->node_first_install[node] < asg->node_first_install[node + 1];
    const uint32_t when = may_write && first < end ? mark_if_writes (marks, node) : NEVER;
    for (uint32_t read = first; read < end; read++) {
      marks->anti[read] = ANTI_FORBID;
      if (may_write)
        marks->when[read] = when;
    }
  }
}

const struct level_base update_serializable = {
  .name = "update-serializable",
  .aliases = { "PL-3U" },
  .proscribes = { "a cycle of ww, wr and rw with at most one transaction that only reads" },
  .rules = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }, .anti = ANTI_EDGE },
  .traits = { .mark_reads = mark_read_only },
  .stronger = "serializable",
};
