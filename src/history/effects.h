// What an operation reads and writes, told once (SEMANTICS 2): at most one read, and behind it at
// most one write.
//
// Whoever wants to know what an operation means asks here, and not for its kind. Formats and those
// who put operations into words know the kinds; so do the verifier and the brute-force checker of
// the tests, which have an account of their own on purpose.

#ifndef KRAIT_HISTORY_EFFECTS_H
#define KRAIT_HISTORY_EFFECTS_H

#include "history/history.h"

enum effect_read {
  // of others, at least; an iterator that was never asked for an item is here, too
  READS_NOTHING,
  READS_UNRECORDED, // a read whose result was not recorded: it constrains nothing
  READS_VALUE,      // of `key`: `read`, a value or VALUE_ABSENT
  READS_OTHER,      // of `key`: anything but `read`
  READS_OR_ABSENT,  // of `key`: `read`, which is 0, or VALUE_ABSENT: an inc takes either for 0
  READS_IMPOSSIBLE, // of `key`, which cannot have held anything that gives the result
  READS_RANGE,      // the items of effects_range, and that the other keys covered are absent
  READS_LIST,       // of `key`: the items of effects_range
};

enum effect_write {
  WRITES_NOTHING,
  // to `key`: `written`; VALUE_ABSENT: a dead version; VALUE_UNRECORDED: nobody knows
  WRITES_VALUE,
  WRITES_ELEMENT, // to the list `key`, behind what is there: `written`
  // a delete without a recorded result: it wrote VALUE_ABSENT, or it read that and wrote nothing
  WRITES_PERHAPS,
  WRITES_UNDEFINED, // a cas without a recorded result: nobody can say
};

struct effects {
  enum effect_read reads;
  enum effect_write writes;
  uint32_t key; // KEY_NONE: those of a range
  uint32_t read, written;
  bool only_reads; // an operation of this kind never writes; others that did not write have failed
  bool on_list;    // it takes its key for a list, whatever was recorded
};

// All operations of this kind have the same kinds of effects, or a result that was not recorded.
static inline bool effects_alike (enum op_kind kind) {
  return kind == OP_GET || kind == OP_PUT || kind == OP_APPEND || kind == OP_LIST;
}

static inline bool effects_lock (const struct history *h, uint32_t op) {
  return history_flags (h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
}

// An iterator stays open: it may meet what its transaction writes behind it.
static inline bool effects_stay_open (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_ITER;
}

// Scans and iterators: what was asked for, and the items. Lists: the items. Others have none, and
// neither has a list that was null.
static inline struct op_range effects_range (const struct history *h, uint32_t op) {
  const uint32_t at = history_aux (h, op);
  const bool has_range = op_has_range ((enum op_kind) h->op_kinds.data[op]) && at != AUX_NONE;
  return has_range ? h->ranges.data[at] : (struct op_range){ KEY_NONE, KEY_NONE, 0, 0 };
}

// The items come from the largest key downwards.
static inline bool effects_reverse (const struct history *h, uint32_t op) {
  return effects_stay_open (h, op) && (history_flags (h, op) & OP_ITER_REVERSE);
}

// An iterator that did not reach its end says nothing about what lies behind the last item.
static inline bool effects_stopped (const struct history *h, uint32_t op) {
  return effects_stay_open (h, op) && !(history_flags (h, op) & OP_ITER_END);
}

// Keys by their ranks: low … high - 1.
struct key_span {
  uint32_t low, high;
};
// What a range asks for; and what its operation has seen, be it that there was nothing. False:
// items that are out of order or range, or there twice.
struct key_span effects_asked_for (const struct history *, const uint32_t *rank, const struct op_range *);
bool effects_looked_at (const struct history *, const uint32_t *rank, uint32_t op, struct key_span *);

static inline enum effect_read effects_read_of_range (const struct history *h, uint32_t op) {
  if (h->op_values.data[op] == VALUE_UNRECORDED || history_aux (h, op) == AUX_NONE)
    return READS_UNRECORDED;
  return effects_stopped (h, op) && !h->ranges.data[history_aux (h, op)].items ? READS_NOTHING : READS_RANGE;
}

static inline enum effect_read effects_read_of_inc (const struct history *h, uint32_t read) {
  return atom_is_zero (atoms_get (&h->values, read)) ? READS_OR_ABSENT : READS_VALUE;
}

static inline struct effects effects_of (const struct history *h, uint32_t op) {
  const uint32_t value = h->op_values.data[op];
  const unsigned flags = history_flags (h, op);
  const bool known = flags & OP_RESULT_KNOWN, done = flags & OP_RESULT_TRUE;
  struct effects e = { .key = h->op_keys.data[op], .read = VALUE_NONE, .written = VALUE_NONE };
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_GET:
    e.reads = value == VALUE_UNRECORDED ? READS_UNRECORDED : READS_VALUE;
    e.read = value;
    e.only_reads = true;
    break;
  case OP_PUT:
    e.writes = WRITES_VALUE;
    e.written = value;
    break;
  case OP_DEL:
    e.reads = !known ? READS_NOTHING : done ? READS_OTHER : READS_VALUE;
    e.writes = !known ? WRITES_PERHAPS : done ? WRITES_VALUE : WRITES_NOTHING;
    e.read = e.written = VALUE_ABSENT;
    break;
  case OP_CAS:
    e.reads = !known ? READS_UNRECORDED : done ? READS_VALUE : READS_OTHER;
    e.writes = !known ? WRITES_UNDEFINED : done ? WRITES_VALUE : WRITES_NOTHING;
    e.read = value;
    e.written = history_aux (h, op);
    break;
  case OP_INC:
    e.reads = !known ? READS_UNRECORDED : done ? effects_read_of_inc (h, value) : READS_IMPOSSIBLE;
    e.writes = WRITES_VALUE;
    e.read = value;
    e.written = known ? history_aux (h, op) : VALUE_UNRECORDED;
    break;
  case OP_SCAN:
  case OP_ITER:
    e.reads = effects_read_of_range (h, op);
    e.only_reads = true;
    break;
  case OP_APPEND:
    e.writes = WRITES_ELEMENT;
    e.written = value;
    e.on_list = true;
    break;
  case OP_LIST:
    e.reads = history_aux (h, op) == AUX_NONE && value != VALUE_ABSENT ? READS_UNRECORDED : READS_LIST;
    e.only_reads = e.on_list = true;
    break;
  }
  return e;
}

// The operation wrote, or may have.
static inline bool effects_may_write (const struct history *h, uint32_t op) {
  return effects_of (h, op).writes != WRITES_NOTHING;
}

// Some operation locks.
bool effects_some_lock (const struct history *);

// What an operation wrote, if it did or may have: VALUE_ABSENT for a delete; VALUE_NONE: nothing,
// or nobody can say.
uint32_t effects_value_written (const struct history *, uint32_t op);

// The transaction's last operation before this one that wrote the key or may have, or UINT32_MAX.
uint32_t effects_last_write_before (const struct history *, uint32_t op, uint32_t key);

// What an operation wrote, as far as the transaction's own writes before it say: a delete without a
// recorded result wrote behind an own put, and did nothing behind an own delete. WRITES_PERHAPS:
// they do not say.
enum effect_write effects_settled_write (const struct history *, uint32_t op);

#endif
