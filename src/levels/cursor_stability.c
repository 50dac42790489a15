// Cursor stability (PL-CS): read committed, and no lost update. A transaction that reads a key and
// then writes it puts its version right behind the one that it read; in other words, the
// anti-dependencies of such reads, and of no others, are edges. Its own version follows the one it
// read anyway, so "nothing between the two" and "whatever follows the one read follows the reader"
// say the same.

#include "asg/asg.h"
#include "history/effects.h"
#include "levels/all.h"

// Gets and lists hold a cursor. If any operation of the history locks, item reads by those that do,
// whatever their kind, and no others. None does where reads are excused: which one is the last, and
// whether any locks, may be up to what is missing.
static bool holds_cursor (const struct asg *asg, uint32_t read, bool some_lock) {
  const struct history *h = asg->history;
  const uint32_t op = asg->read_op[read];
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (asg->excusing || (asg->read_flags && (asg->read_flags[read] & READ_PREDICATE)))
    return false;
  return some_lock ? effects_lock (h, op) : kind == OP_GET || kind == OP_LIST;
}

// Per install: the unrecorded delete that its transaction made before its first certain write of
// the key, or UNRECORDED_NONE. NULL: no unrecorded deletes.
static uint32_t *unrecorded_before (const struct asg *asg) {
  if (!asg->unrecorded.count)
    return NULL;
  uint32_t *before = mem_nones (asg->installs);
  for (uint32_t d = 0; d < asg->unrecorded.count; d++) {
    const struct unrecorded_delete *unrecorded = &asg->unrecorded.data[d];
    const uint32_t own = asg_install_of (asg, unrecorded->key, unrecorded->node);
    if (own != UINT32_MAX && unrecorded->install == UINT32_MAX)
      before[own] = d;
  }
  return before;
}

// What is known of an install while its reads are walked through backwards.
enum { CURSOR_FOUND = 1, CURSOR_BEHIND_UNRECORDED = 2 };

struct cursors {
  const struct asg *asg;
  struct read_marks *marks;
};

static void mark (const struct cursors *c, uint32_t read) {
  c->marks->anti[read] = ANTI_EDGE;
}

// Only if the unrecorded delete wrote, or only if it did not.
static void mark_if (const struct cursors *c, uint32_t read, uint32_t unrecorded, bool wrote) {
  if (c->marks->when)
    c->marks->when[read] = mark_if_wrote (c->marks, unrecorded) ^ !wrote;
}

// A cursor read of a key that its transaction installs. The last one before the first write counts;
// if that write is in doubt, it depends. What a delete or a cas read comes before what it wrote.
static void look_at_cursor (const struct cursors *c, uint32_t read, uint32_t own, uint32_t before, uint8_t *state) {
  const struct asg *asg = c->asg;
  const uint32_t op = asg->read_op[read], unrecorded = asg_install_unrecorded (asg, own);
  if ((*state & CURSOR_FOUND) || op > asg->install_first_op[own])
    return;
  if (unrecorded != UNRECORDED_NONE
      && asg_read_unrecorded (asg, read) == unrecorded) // there is not both this read and the version
    return;
  if (unrecorded != UNRECORDED_NONE) // the only write there may be
    mark_if (c, read, unrecorded, true);
  else if (before == UNRECORDED_NONE || (op < asg->unrecorded.data[before].op && !(*state & CURSOR_BEHIND_UNRECORDED)))
    mark (c, read);
  else if (op < asg->unrecorded.data[before].op)
    mark_if (c, read, before, true);
  else if (!(*state & CURSOR_BEHIND_UNRECORDED)) {
    if (asg_read_unrecorded (asg, read) == before)
      mark (c, read);
    else
      mark_if (c, read, before, false);
    *state |= CURSOR_BEHIND_UNRECORDED;
    return;
  } else
    return;
  *state |= CURSOR_FOUND;
}

static void mark_cursors (const struct asg *asg, struct read_marks *marks) {
  const struct cursors c = { asg, marks };
  const bool some_lock = effects_some_lock (asg->history);
  uint8_t *state = MEM_ZARRAY (uint8_t, asg->installs);
  uint32_t *before = unrecorded_before (asg);
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node + 1]; read-- > asg->node_first_read[node];) {
      const uint32_t own = asg_install_of (asg, asg->read_key[read], node);
      if (own != UINT32_MAX && holds_cursor (asg, read, some_lock))
        look_at_cursor (&c, read, own, before ? before[own] : UNRECORDED_NONE, &state[own]);
    }
  MEM_FREE_ALL (state, before);
}

static const char *remark (const struct asg *asg) {
  return effects_some_lock (asg->history)
           ? NULL
           : "cursor stability: no read is flagged as locking, so every get counts as one that holds a cursor";
}

const struct level_base cursor_stability = {
  .name = "cursor-stability",
  .aliases = { "cs PL-CS" },
  .proscribes = { "a cycle of ww and wr; a version between the one read and the one written instead (lost update)" },
  .rules = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 } },
  .traits = { .mark_reads = mark_cursors, .remark = remark, .last_read_counts = true },
  .has_form = { true, true, true },
  .stronger = "serializable",
};
