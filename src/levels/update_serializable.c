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

static void mark_read_only (const struct asg *asg, uint8_t *anti) {
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (!surely_writes (asg, node))
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
        anti[read] = ANTI_FORBID;
}

// A reader all of whose writes are unrecorded deletes is an update transaction if one of these
// wrote.
static void mark_undecided (const struct asg *asg, uint32_t *when) {
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (asg->node_first_install[node] == asg->node_first_install[node + 1] || surely_writes (asg, node))
      continue;
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      when[read] = WHEN_READER_WRITES;
  }
}

const struct level_base update_serializable = {
  .name = "update-serializable",
  .aliases = { "PL-3U" },
  .proscribes = { "a cycle of ww, wr and rw with at most one transaction that only reads" },
  .rules = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }, .anti = ANTI_EDGE },
  .traits = { .mark_reads = mark_read_only, .mark_when = mark_undecided },
  .stronger = "serializable",
};
