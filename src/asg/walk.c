// One walk over the operations of every node, in program order. Per key it is known what the
// transaction wrote so far, which settles what a read of the key can have seen under the own-write
// policy (SEMANTICS 2); everything else is an external read. What is written ends up as the node's
// installs, one per key.
//
// A delete without a recorded result, of a key that its transaction has not written, is an
// unrecorded delete: its install and the read of absent that would be there instead are both
// collected. If a later read of the same transaction returned something that an own delete would
// have hidden, the unrecorded delete is settled: it wrote nothing.
//
// Further deletes of the key like that, with no certain write of it between them, join the
// unrecorded delete: all of them wrote, or none did. That one of them wrote and an earlier one did
// not demands more than that both did, and gives the same version; only where it matters which read
// was the last one before the first write it may be the better choice (asg.delete_runs). One that
// follows after the unrecorded delete was settled is an unrecorded delete of its own.

#include "asg/builder.h"

#include "base/parallel.h"

#include <string.h>

// Has the node at hand written the key so far?
bool builder_has_written (const struct builder *b, uint32_t node, uint32_t key) {
  return b->own_stamp[key] == node && b->pending.data[b->own_slot[key]].key != KEY_NONE;
}

static uint32_t own_unrecorded (const struct builder *b, uint32_t key) {
  return b->own_unrecorded ? b->own_unrecorded[key] : UNRECORDED_NONE;
}

static bool names_sources (const struct builder *b) {
  return b->options->hints && b->options->hints->op_first;
}

// ------------------------------------------------------------------------------------------ writes

// An incomplete history may lack operations behind this one that wrote the key again.
static uint32_t last_write (const struct builder *b, uint32_t node, uint32_t op) {
  return b->asg->excusing ? b->h->txn_first_op.data[b->asg->node_txn[node] + 1] - 1 : op;
}

static void new_install (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value,
                         uint32_t unrecorded) {
  b->own_stamp[key] = node;
  b->own_slot[key] = (uint32_t) b->pending.count;
  VEC_PUSH (b->pending, (struct pending_install){ key, value, unrecorded });
  if (b->options->events) {
    VEC_PUSH (b->first_op, op);
    VEC_PUSH (b->last_op, last_write (b, node, op));
  }
}

static void write_key (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value) {
  if (!builder_has_written (b, node, key))
    new_install (b, node, op, key, value, UNRECORDED_NONE);
  const uint32_t slot = b->own_slot[key];
  b->pending.data[slot].value = value;
  if (b->options->events)
    b->last_op.data[slot] = last_write (b, node, op);
  b->own_op[key] = op;
  if (!b->own_unrecorded)
    return;
  const uint32_t unrecorded = b->pending.data[slot].unrecorded;
  b->pending.data[slot].unrecorded = UNRECORDED_NONE;
  if (unrecorded != UNRECORDED_NONE
      && !b->unrecorded.data[unrecorded].wrote) { // of what the transaction surely writes this is the first
    b->unrecorded.data[unrecorded].install = INSTALL_NONE;
    if (b->options->events)
      b->first_op.data[slot] = op;
  }
  b->own_unrecorded[key] = UNRECORDED_NONE;
}

// ------------------------------------------------------------------------------------------- reads

static void push_read (struct builder *b, uint32_t op, uint32_t key, uint32_t value, uint8_t flags,
                       uint32_t unrecorded) {
  VEC_PUSH (b->read_key, key);
  VEC_PUSH (b->read_value, value);
  VEC_PUSH (b->read_op, op);
  if (!b->simple)
    VEC_PUSH (b->read_flags, flags);
  if (b->own_unrecorded)
    VEC_PUSH (b->read_unrecorded, unrecorded);
  if (names_sources (b))
    VEC_PUSH (b->read_hint, hints_source (b->options->hints, op, key));
}

// Was the node's last read of the key the same? Then there is one choice for both, and it is an
// item read if either is one.
static bool is_repeated (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags,
                         uint32_t unrecorded) {
  if (!b->options->merge_equal_reads || b->read_stamp[key] != node)
    return false;
  const uint32_t last = b->read_last[key];
  if (b->read_value.data[last] != value || (b->own_unrecorded && b->read_unrecorded.data[last] != unrecorded))
    return false;
  if (names_sources (b) && b->read_hint.data[last] != hints_source (b->options->hints, op, key))
    return false;
  if (b->simple)
    return true;
  if ((b->read_flags.data[last] ^ flags) & READ_SEVERAL)
    return false;
  b->read_flags.data[last] &= (uint8_t) (flags | ~READ_PREDICATE);
  return true;
}

void builder_external_read (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags,
                            uint32_t unrecorded) {
  if (b->asg->excusing && excuses_read (b, node, op, key, value, flags, unrecorded))
    return;
  b->asg->external_reads++;
  if (is_repeated (b, node, op, key, value, flags, unrecorded))
    return;
  b->read_stamp[key] = node;
  b->read_last[key] = (uint32_t) b->read_key.count;
  push_read (b, op, key, value, flags, unrecorded);
}

// A read after a write of the same transaction. Under `may`, a read that can have seen the own
// write is taken to have done so. That is never worse than an external read, which would need a
// source, hence perhaps an unknown transaction or an initial value, and would add edges; an own
// read asks for nothing. True if nothing is left to be read from outside; `unrecorded`: what is
// left is there only if that delete wrote nothing.
static bool settled_by_own_write (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value,
                                  uint8_t flags, uint32_t *unrecorded) {
  const enum own_writes policy = b->options->own_writes;
  const uint32_t hint = hints_source (b->options->hints, op, key); // not the transaction itself
  if (b->note_after_own && own_unrecorded (b, key) == UNRECORDED_NONE)
    VEC_PUSH (b->after_own, (uint32_t) b->read_key.count);
  if (policy == OWN_EXTERNAL)
    return false;
  struct pending_install *own = &b->pending.data[b->own_slot[key]];
  const bool accepts = hint == HINT_NONE && read_accepts (value, flags, own->value);
  const uint32_t own_delete = own_unrecorded (b, key);
  if (own_delete != UNRECORDED_NONE) {
    if (accepts)
      *unrecorded = own_delete;
    else if (policy == OWN_MUST) {
      b->unrecorded.data[own_delete].nothing = true;
      own->key = KEY_NONE;
    }
    return false;
  }
  if (!accepts && policy == OWN_MUST)
    builder_fault (b, builder_fault_of (b, FAULT_OWN_WRITE, node, op, key, value, flags, b->own_op[key]));
  return accepts || policy == OWN_MUST;
}

// A hint says that the read saw an own write; which one, and that it fits, was looked at when the
// hint was read.
static void read_own (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags) {
  struct asg_fault fault = builder_fault_of (b, FAULT_NO_SOURCE, node, op, key, value, flags, OP_NONE);
  if (b->options->own_writes == OWN_EXTERNAL) {
    fault.from_own = true;
    builder_fault (b, fault);
  } else if (!builder_has_written (b, node, key)) { // an own delete that another read shows to have written nothing
    fault.kind = FAULT_OWN_WRITE;
    fault.other = b->own_stamp[key] == node ? b->own_op[key] : op;
    builder_fault (b, fault);
  } else if (own_unrecorded (b, key) != UNRECORDED_NONE) {
    b->unrecorded.data[own_unrecorded (b, key)].wrote = true;
    b->own_unrecorded[key] = UNRECORDED_NONE;
    b->asg->hint_facts |= FACT_VERSION;
  }
}

void builder_read (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags) {
  uint32_t unrecorded = UNRECORDED_NONE;
  if (hints_source (b->options->hints, op, key) == b->asg->node_txn[node]) {
    read_own (b, node, op, key, value, flags);
    return;
  }
  if (builder_has_written (b, node, key) && settled_by_own_write (b, node, op, key, value, flags, &unrecorded))
    return;
  builder_external_read (b, node, op, key, value, flags, unrecorded);
}

// ----------------------------------------------------------------------------------- blind deletes

static uint32_t unrecorded_of (struct builder *b, uint32_t node, uint32_t op) {
  for (size_t i = 0; i < b->early_unrecorded.count; i++)
    if (b->unrecorded.data[b->early_unrecorded.data[i]].op == op)
      return b->early_unrecorded.data[i];
  VEC_PUSH (b->unrecorded, (struct pending_unrecorded){ node, op, INSTALL_NONE, false, false, UNRECORDED_NONE });
  return (uint32_t) b->unrecorded.count - 1;
}

uint32_t builder_early_unrecorded (struct builder *b, uint32_t node, uint32_t op) {
  const uint32_t unrecorded = unrecorded_of (b, node, op);
  VEC_PUSH (b->early_unrecorded, unrecorded);
  return unrecorded;
}

static void delete_unrecorded (struct builder *b, uint32_t node, uint32_t op, uint32_t key) {
  const uint32_t unrecorded = unrecorded_of (b, node, op);
  b->unrecorded.data[unrecorded].install = (uint32_t) b->pending.count;
  new_install (b, node, op, key, VALUE_ABSENT, unrecorded);
  b->own_op[key] = op;
  b->own_unrecorded[key] = b->unrecorded.data[unrecorded].wrote ? UNRECORDED_NONE : unrecorded;
  builder_external_read (b, node, op, key, VALUE_ABSENT, 0, unrecorded);
}

// May the operation have read the key with a cursor? (levels/cursor_stability.c)
static bool may_hold_cursor (const struct builder *b, uint32_t op, uint32_t key) {
  const struct effects e = effects_of (b->h, op);
  if (e.key != key && e.key != KEY_NONE)
    return false;
  return b->some_lock ? effects_lock (b->h, op) : e.only_reads && e.key == key;
}

static bool some_cursor (const struct builder *b, uint32_t first, uint32_t end, uint32_t key) {
  for (uint32_t op = first; op < end; op++)
    if (may_hold_cursor (b, op, key))
      return true;
  return false;
}

// Behind an own unrecorded delete: one more, and all of them are one unrecorded delete.
static void join_unrecorded (struct builder *b, uint32_t node, uint32_t op, uint32_t key) {
  const uint32_t slot = b->own_slot[key], unrecorded = b->pending.data[slot].unrecorded;
  const uint32_t own = unrecorded_of (b, node, op); // an open iterator may have met it by itself
  const uint32_t first = b->unrecorded.data[unrecorded].op, begin = b->h->txn_first_op.data[b->asg->node_txn[node]];
  b->unrecorded.data[own].joined = unrecorded;
  b->asg->delete_runs |= b->options->events && some_cursor (b, first, op, key) && some_cursor (b, begin, first, key);
  if (b->options->events)
    b->last_op.data[slot] = last_write (b, node, op);
  if (b->unrecorded.data[own].wrote) {
    b->unrecorded.data[unrecorded].wrote = true;
    b->own_unrecorded[key] = UNRECORDED_NONE;
  }
  if (b->own_unrecorded[key] != UNRECORDED_NONE)
    builder_external_read (b, node, op, key, VALUE_ABSENT, 0, unrecorded);
}

// Behind an own put it wrote, behind a certain own delete it did nothing.
static void walk_blind_delete (struct builder *b, uint32_t node, uint32_t op, uint32_t key) {
  if (!builder_has_written (b, node, key))
    delete_unrecorded (b, node, op, key);
  else if (b->pending.data[b->own_slot[key]].unrecorded != UNRECORDED_NONE)
    join_unrecorded (b, node, op, key);
  else if (b->pending.data[b->own_slot[key]].value != VALUE_ABSENT)
    write_key (b, node, op, key, VALUE_ABSENT);
}

// ----------------------------------------------------------------------------------------- walking

// Of a version whose value is not known nobody reads (asg.c), so that any value will do.
static uint32_t value_to_install (const struct builder *b, uint32_t op, const struct effects *e) {
  return e->written == VALUE_UNRECORDED ? b->h->op_values.data[op] : e->written;
}

static void walk_operation (struct builder *b, uint32_t node, uint32_t op) {
  const struct effects e = effects_of (b->h, op);
  switch (e.reads) {
  case READS_NOTHING:
  case READS_UNRECORDED: break;
  case READS_VALUE: builder_read (b, node, op, e.key, e.read, 0); break;
  case READS_OTHER: builder_read (b, node, op, e.key, e.read, READ_OTHER); break;
  case READS_OR_ABSENT: builder_read (b, node, op, e.key, e.read, READ_OR_ABSENT); break;
  case READS_IMPOSSIBLE:
    builder_fault (b, builder_fault_of (b, FAULT_RESULT, node, op, e.key, VALUE_NONE, 0, OP_NONE));
    break;
  case READS_RANGE: ranges_read (b, node, op); break;
  case READS_LIST: lists_read (b, node, op); break;
  }
  switch (e.writes) {
  case WRITES_NOTHING:
  case WRITES_UNDEFINED: break; // the latter is refused before
  case WRITES_VALUE:
  case WRITES_ELEMENT: write_key (b, node, op, e.key, value_to_install (b, op, &e)); break;
  case WRITES_PERHAPS: walk_blind_delete (b, node, op, e.key); break;
  }
}

static void forget_walk (struct builder *b) {
  const size_t keys = b->asg->keys;
  memset (b->own_stamp, 0, keys * sizeof *b->own_stamp);
  memset (b->read_stamp, 0, keys * sizeof *b->read_stamp);
  if (b->own_unrecorded)
    memset (b->own_unrecorded, 0xff, keys * sizeof *b->own_unrecorded);
  b->pending.count = b->unrecorded.count = b->first_op.count = b->last_op.count = 0;
  b->after_own.count = b->read_hint.count = 0;
}

static void reserve (struct builder *b) {
  size_t puts = 0;
  for (uint32_t op = 0; op < history_ops (b->h); op++)
    puts += b->h->op_kinds.data[op] == OP_PUT;
  const size_t reads = history_ops (b->h) - puts;
  VEC_RESERVE (b->pending, puts);
  VEC_RESERVE (b->read_key, reads);
  VEC_RESERVE (b->read_value, reads);
  VEC_RESERVE (b->read_op, reads);
}

void builder_walk_nodes (struct builder *b, uint32_t first, uint32_t end) {
  struct asg *asg = b->asg;
  const struct history *h = b->h;
  for (uint32_t node = first; node < end; node++) {
    const uint32_t txn = asg->node_txn[node], end_op = h->txn_first_op.data[txn + 1];
    asg->node_first_read[node] = (uint32_t) b->read_key.count;
    asg->node_first_install[node] = (uint32_t) b->pending.count;
    b->early_unrecorded.count = 0;
    for (uint32_t op = h->txn_first_op.data[txn]; op < end_op; op++)
      walk_operation (b, node, op);
  }
}

// --------------------------------------------------------------------- settling unrecorded deletes

#define UNRECORDED_GONE (UINT32_MAX - 1) // its reads go with it

// New numbers of the unrecorded deletes that stay. One whose transaction wrote the key again
// installs nothing; that it wrote is then the better choice, unless it matters which of its
// transaction's reads came before the first write, as it may where operations are told apart.
static uint32_t *number_unrecorded (struct builder *b) {
  uint32_t *number = MEM_ARRAY (uint32_t, b->unrecorded.count);
  for (size_t i = 0; i < b->unrecorded.count; i++) {
    const struct pending_unrecorded *unrecorded = &b->unrecorded.data[i];
    number[i] = UNRECORDED_NONE;
    if (unrecorded->nothing || unrecorded->joined != UNRECORDED_NONE)
      continue;
    number[i] = UNRECORDED_GONE;
    if (unrecorded->wrote)
      continue;
    if (unrecorded->install == INSTALL_NONE && !b->options->events)
      continue;
    number[i] = (uint32_t) b->asg->unrecorded.count;
    VEC_PUSH (b->asg->unrecorded, (struct unrecorded_delete){ unrecorded->node, unrecorded->op,
                                                              b->h->op_keys.data[unrecorded->op], INSTALL_NONE });
  }
  for (size_t i = 0; i < b->unrecorded.count; i++)
    if (b->unrecorded.data[i].joined != UNRECORDED_NONE)
      number[i] = number[b->unrecorded.data[i].joined];
  return number;
}

// Reads that were apart only because of an unrecorded delete between them are one now.
static void drop_reads (struct builder *b, const uint32_t *number) {
  struct asg *asg = b->asg;
  uint32_t kept = 0;
  memset (b->read_stamp, 0, asg->keys * sizeof *b->read_stamp);
  for (uint32_t node = 0; node < asg->nodes; node++) {
    const uint32_t first = asg->node_first_read[node], end = asg->node_first_read[node + 1];
    asg->node_first_read[node] = kept;
    for (uint32_t read = first; read < end; read++) {
      const uint32_t before = b->read_unrecorded.data[read],
                     unrecorded = before == UNRECORDED_NONE ? UNRECORDED_NONE : number[before];
      const uint32_t key = b->read_key.data[read], op = b->read_op.data[read];
      if (unrecorded == UNRECORDED_GONE) {
        asg->external_reads--;
        continue;
      }
      if (is_repeated (b, node, op, key, b->read_value.data[read], b->read_flags.data[read], unrecorded))
        continue;
      b->read_stamp[key] = node;
      b->read_last[key] = kept;
      b->read_key.data[kept] = key;
      b->read_value.data[kept] = b->read_value.data[read];
      b->read_op.data[kept] = op;
      b->read_flags.data[kept] = b->read_flags.data[read];
      if (names_sources (b))
        b->read_hint.data[kept] = b->read_hint.data[read];
      b->read_unrecorded.data[kept++] = unrecorded;
    }
  }
  asg->node_first_read[asg->nodes] = kept;
  b->read_key.count = b->read_value.count = b->read_op.count = b->read_flags.count = b->read_unrecorded.count = kept;
}

static void drop_installs (struct builder *b, const uint32_t *number) {
  struct asg *asg = b->asg;
  uint32_t kept = 0;
  for (uint32_t node = 0; node < asg->nodes; node++) {
    const uint32_t first = asg->node_first_install[node], end = asg->node_first_install[node + 1];
    asg->node_first_install[node] = kept;
    for (uint32_t i = first; i < end; i++) {
      struct pending_install install = b->pending.data[i];
      if (install.key == KEY_NONE)
        continue;
      if (install.unrecorded != UNRECORDED_NONE)
        install.unrecorded =
          number[install.unrecorded] == UNRECORDED_GONE ? UNRECORDED_NONE : number[install.unrecorded];
      if (b->options->events) {
        b->first_op.data[kept] = b->first_op.data[i];
        b->last_op.data[kept] = b->last_op.data[i];
      }
      b->pending.data[kept++] = install;
    }
  }
  asg->node_first_install[asg->nodes] = kept;
  b->pending.count = kept;
}

static void settle_unrecorded (struct builder *b) {
  if (!b->unrecorded.count)
    return;
  uint32_t *number = number_unrecorded (b);
  drop_reads (b, number);
  drop_installs (b, number);
  mem_free (number);
}

// ----------------------------------------------------------------------------------------- columns

static void place_unrecorded (struct asg *asg, uint32_t install, uint32_t unrecorded) {
  asg->install_unrecorded[install] = unrecorded;
  if (unrecorded != UNRECORDED_NONE)
    asg->unrecorded.data[unrecorded].install = install;
}

// Installs by key: nodes give theirs to the keys in their order, so that each key's ascend. Parts
// of the nodes are counted by themselves, and then each has places of its own at every key.
struct placing {
  struct builder *b;
  uint32_t parts;
  uint32_t *next; // per part and key: how many there are, then where the next one goes
};

static struct placing_part {
  uint32_t first, end; // installs in `pending`
  uint32_t *next;
} part_to_place (const struct placing *p, uint32_t part) {
  const struct asg *asg = p->b->asg;
  return (struct placing_part){ asg->node_first_install[parallel_first (asg->nodes, p->parts, part)],
                                asg->node_first_install[parallel_first (asg->nodes, p->parts, part + 1)],
                                p->next + (size_t) part * asg->keys };
}

static void count_installs (void *context, uint32_t number) {
  const struct placing *p = context;
  const struct placing_part part = part_to_place (p, number);
  for (uint32_t i = part.first; i < part.end; i++)
    part.next[p->b->pending.data[i].key]++;
}

static void give_places (struct placing *p) {
  struct asg *asg = p->b->asg;
  uint32_t place = 0;
  for (uint32_t key = 0; key < asg->keys; key++) {
    asg->key_first[key] = place;
    for (uint32_t part = 0; part < p->parts; part++) {
      uint32_t *next = &p->next[(size_t) part * asg->keys + key];
      const uint32_t count = *next;
      *next = place;
      place += count;
    }
  }
  asg->key_first[asg->keys] = place;
}

static void place_part (void *context, uint32_t number) {
  enum { AHEAD = 8 };
  const struct placing *p = context;
  struct builder *b = p->b;
  struct asg *asg = b->asg;
  const struct placing_part part = part_to_place (p, number);
  const struct pending_install *pending = b->pending.data;
  uint32_t node = parallel_first (asg->nodes, p->parts, number);
  for (uint32_t i = part.first; i < part.end; i++) {
    while (asg->node_first_install[node + 1] <= i)
      node++;
    if (i + AHEAD < part.end)
      __builtin_prefetch (&part.next[pending[i + AHEAD].key]);
    const uint32_t at = part.next[pending[i].key]++;
    asg->node_installs[i] = at;
    asg->install_node[at] = node;
    asg->install_value[at] = pending[i].value;
    if (b->options->events) {
      asg->install_first_op[at] = b->first_op.data[i];
      asg->install_last_op[at] = b->last_op.data[i];
    }
    if (asg->install_unrecorded)
      place_unrecorded (asg, at, pending[i].unrecorded);
  }
}

static void place_installs (struct builder *b) {
  struct asg *asg = b->asg;
  const uint32_t installs = asg->installs = (uint32_t) b->pending.count;
  struct placing placing = { .b = b, .parts = builder_parts (b) };
  placing.next = MEM_ZARRAY (uint32_t, (size_t) placing.parts * asg->keys);
  asg->key_first = MEM_ARRAY (uint32_t, (size_t) asg->keys + 1);
  asg->install_node = MEM_ARRAY (uint32_t, installs);
  asg->install_value = MEM_ARRAY (uint32_t, installs);
  asg->node_installs = MEM_ARRAY (uint32_t, installs);
  if (b->options->events) {
    asg->install_first_op = MEM_ARRAY (uint32_t, installs);
    asg->install_last_op = MEM_ARRAY (uint32_t, installs);
  }
  if (asg->unrecorded.count)
    asg->install_unrecorded = MEM_ARRAY (uint32_t, installs);
  parallel_run (b->options->threads, placing.parts, count_installs, &placing);
  give_places (&placing);
  parallel_run (b->options->threads, placing.parts, place_part, &placing);
  mem_free (placing.next);
}

static void take_reads (struct builder *b) {
  struct asg *asg = b->asg;
  asg->reads = (uint32_t) b->read_key.count;
#define COLUMN(name)                                                                                                   \
  asg->name = b->name.data;                                                                                            \
  memset (&b->name, 0, sizeof b->name);
  ASG_READ_COLUMNS (COLUMN)
#undef COLUMN
  for (uint32_t read = 0; asg->read_flags && read < asg->reads && !asg->predicates; read++)
    asg->predicates = asg->read_flags[read] & READ_PREDICATE;
  if (asg->unrecorded.count)
    return;
  mem_free (asg->read_unrecorded);
  asg->read_unrecorded = NULL;
}

void builder_walk (struct builder *b) {
  struct asg *asg = b->asg;
  asg->keys = history_keys (b->h);
  asg->events = b->options->events;
  asg->external_reads = 0;
  forget_walk (b);
  asg->node_first_read = MEM_ZARRAY (uint32_t, (size_t) asg->nodes + 1);
  asg->node_first_install = MEM_ZARRAY (uint32_t, (size_t) asg->nodes + 1);
  const uint32_t parts = b->plain ? builder_parts (b) : 1;
  if (parts > 1)
    builder_walk_in_parts (b, parts);
  else {
    reserve (b);
    builder_walk_nodes (b, 1, asg->nodes);
  }
  asg->node_first_read[asg->nodes] = (uint32_t) b->read_key.count;
  asg->node_first_install[asg->nodes] = (uint32_t) b->pending.count;
  settle_unrecorded (b);
  place_installs (b);
  take_reads (b);
}
