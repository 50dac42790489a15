// Update serializability (PL-3U): the transactions that write are serializable, and each one that only reads fits into some serial order of
// them, not necessarily the same for all. A reader that writes nothing starts no edge but its anti-dependencies, hence these must not lead back
// to it, and are part of no other path.

#include "asg/asg.h"
#include "levels/all.h"

static void mark_read_only (const struct asg *asg, uint8_t *anti) {
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (asg->node_first_install[node] == asg->node_first_install[node + 1])
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
        anti[read] = ANTI_ONCE;
}

const struct level level_update_serializable = {
  .name = "update-serializable",
  .aliases = "PL-3U",
  .proscribes = "a cycle of ww, wr and rw with at most one transaction that only reads",
  .stronger = "strong-session-serializable",
  .points = 1,
  .ww = { true, 0, 0 },
  .wr = { true, 0, 0 },
  .rw = { true, 0, 0 },
  .anti = ANTI_EDGE,
  .mark_reads = mark_read_only,
};
