// Cursor stability (PL-CS): read committed, and no lost update. A transaction that reads a key and then writes it puts its version right behind the one
// that it read; in other words, the anti-dependencies of such reads, and of no others, are edges. Its own version follows the one it read anyway, so
// "nothing between the two" and "whatever follows the one read follows the reader" say the same.

#include "asg/asg.h"
#include "history/history.h"
#include "levels/all.h"

static bool locks (const struct history *h, uint32_t op) {
  return h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
}

static bool any_read_locks (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (locks (h, op))
      return true;
  return false;
}

// The last read of each key before the transaction's first write of it. Reads are in program order; if any read of the history locks, only those
// that do hold a cursor.
static void mark_cursor_reads (const struct asg *asg, uint8_t *anti) {
  const struct history *h = asg->history;
  const bool some_lock = any_read_locks (h);
  uint8_t *marked = MEM_ZARRAY (uint8_t, asg->installs); // a later read holds the cursor
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node + 1]; read-- > asg->node_first_read[node];) {
      const uint32_t own = asg_install_of (asg, asg->read_key[read], node), op = asg->read_op[read];
      if (own == UINT32_MAX || marked[own] || op >= asg->install_first_op[own] || (some_lock && !locks (h, op)))
        continue;
      anti[read] = ANTI_EDGE;
      marked[own] = 1;
    }
  mem_free (marked);
}

static const char *remark (const struct asg *asg) {
  return any_read_locks (asg->history)
           ? NULL
           : "cursor stability: no read is flagged as locking, so every get counts as one that holds a cursor";
}

LEVEL_FORMS (cursor_stability, "cursor-stability", "cs PL-CS",
             "a cycle of ww and wr; a version between the one read and the one written instead (lost update)", 0, 0,
             "serializable", .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 },
             .mark_reads = mark_cursor_reads, .remark = remark)
