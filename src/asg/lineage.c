// What each read can have read from, and which unknown transactions cannot matter.

#include "asg/builder.h"

#include "base/error.h"
#include "base/group.h"
#include "base/parallel.h"
#include "base/search.h"

#include <stdatomic.h>

// ------------------------------------------------------------------------------- installs by value

// Dead versions form a group of their own behind the values.
static uint32_t group_of (const struct asg *asg, uint32_t value) {
  return value == VALUE_ABSENT ? atoms_count (&asg->history->values) : value;
}

// The value that some inc took for 0, if it was not absent; VALUE_NONE: there is no such inc.
static uint32_t find_zero (const struct asg *asg) {
  for (uint32_t read = 0; asg->read_flags && read < asg->reads; read++)
    if (asg->read_flags[read] & READ_OR_ABSENT)
      return asg->read_value[read];
  return VALUE_NONE;
}

// Per key the installs of 0 and the deletes, behind those of single values.
static void group_zeros (struct asg *asg, uint32_t zero) {
  asg->zero_first = MEM_ARRAY (uint32_t, (size_t) asg->keys + 1);
  MEM_RESIZE (asg->value_installs, 2 * (size_t) asg->installs);
  for (uint32_t key = 0; key < asg->keys; key++) {
    asg->zero_first[key] = asg->value_entries;
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      if (asg->install_value[i] == zero || asg->install_value[i] == VALUE_ABSENT)
        asg->value_installs[asg->value_entries++] = i;
  }
  asg->zero_first[asg->keys] = asg->value_entries;
}

// As long as nobody writes a value that somebody wrote before, a number per value says it all.
// Parts of the installs take the names of their values at once. Two that take one name at the same
// moment may not see each other, but then a name is missing in the end.
struct naming {
  struct asg *asg;
  uint32_t parts;
  _Atomic uint32_t *install; // per value
  atomic_bool repeated;
  atomic_uint named;
};

static void name_values (void *context, uint32_t number) {
  enum { AHEAD = 16 };
  struct naming *n = context;
  const struct asg *asg = n->asg;
  const uint32_t end = parallel_first (asg->installs, n->parts, number + 1);
  for (uint32_t i = parallel_first (asg->installs, n->parts, number); i < end; i++) {
    if (i + AHEAD < end)
      __builtin_prefetch (&n->install[group_of (asg, asg->install_value[i + AHEAD])], 1);
    _Atomic uint32_t *only = &n->install[group_of (asg, asg->install_value[i])];
    if (atomic_load_explicit (only, memory_order_relaxed) != INSTALL_NONE) {
      atomic_store (&n->repeated, true);
      return;
    }
    atomic_store_explicit (only, i, memory_order_relaxed);
  }
}

static void count_names (void *context, uint32_t number) {
  struct naming *n = context;
  const uint32_t values = atoms_count (&n->asg->history->values) + 1;
  const uint32_t end = parallel_first (values, n->parts, number + 1);
  uint32_t named = 0;
  for (uint32_t v = parallel_first (values, n->parts, number); v < end; v++)
    named += atomic_load_explicit (&n->install[v], memory_order_relaxed) != INSTALL_NONE;
  atomic_fetch_add (&n->named, named);
}

static bool name_by_value (struct asg *asg, uint32_t parts) {
  struct naming n = { .asg = asg, .parts = parts };
  _Static_assert(sizeof *n.install == sizeof *asg->value_install, "a number that two may write is a number");
  asg->value_install = mem_nones ((size_t) atoms_count (&asg->history->values) + 1);
  n.install = (_Atomic uint32_t *) asg->value_install;
  parallel_run (parts, parts, name_values, &n);
  if (parts > 1 && !atomic_load (&n.repeated))
    parallel_run (parts, parts, count_names, &n);
  if (!atomic_load (&n.repeated) && (parts == 1 || atomic_load (&n.named) == asg->installs))
    return true;
  mem_free (asg->value_install);
  asg->value_install = NULL;
  return false;
}

void lineage_group_by_value (struct builder *b) {
  struct asg *asg = b->asg;
  const uint32_t zero = find_zero (asg);
  if (zero == VALUE_NONE && name_by_value (asg, builder_parts (b)))
    return;
  struct grouping by_value = { .groups = atoms_count (&asg->history->values) + 1 };
  while (grouping_pass (&by_value))
    for (uint32_t i = 0; i < asg->installs; i++)
      group_put (&by_value, group_of (asg, asg->install_value[i]), i);
  asg->value_first = by_value.first;
  asg->value_installs = by_value.items;
  asg->value_entries = asg->installs;
  if (zero != VALUE_NONE)
    group_zeros (asg, zero);
}

// Choices name ranges of the installs grouped by value. Where no two are of one value, each is a
// group of its own wherever it stands, and its own place is as good as any.
static void give_ranges (struct asg *asg) {
  if (!asg->choices.count || !asg->value_install)
    return;
  asg->value_installs = MEM_ARRAY (uint32_t, asg->installs);
  asg->value_entries = asg->installs;
  for (uint32_t i = 0; i < asg->installs; i++)
    asg->value_installs[i] = i;
}

void lineage_forget_values (struct asg *asg) {
  MEM_FREE_ALL (asg->value_first, asg->value_install, asg->zero_first);
  asg->value_first = asg->value_install = asg->zero_first = NULL;
  if (asg->choices.count)
    return;
  mem_free (asg->value_installs);
  asg->value_installs = NULL;
  asg->value_entries = 0;
}

void lineage_initial_values (struct asg *asg) {
  asg->init_value = history_initial_values (asg->history);
}

// -------------------------------------------------------------------------------------- candidates

uint32_t asg_install_of (const struct asg *asg, uint32_t key, uint32_t node) {
  RELIES_ON (key < asg->keys && node < asg->nodes);
  return find_u32 (asg->install_node, asg->key_first[key], asg->key_first[key + 1], node);
}

uint32_t asg_install_by (const struct asg *asg, uint32_t key, uint32_t txn) {
  const uint32_t node = asg->txn_node[txn];
  return node == NODE_NONE ? INSTALL_NONE : asg_install_of (asg, key, node);
}

bool asg_accepts_initial (const struct asg *asg, uint32_t read) {
  const uint32_t initial = asg->init_value[asg->read_key[read]];
  return initial == VALUE_UNRECORDED || asg_accepts (asg, read, initial);
}

// A read of anything but a value. Two are as good as more.
static uint32_t other_candidates (const struct asg *asg, uint32_t node, uint32_t read, uint32_t *only) {
  const uint32_t key = asg->read_key[read];
  uint32_t count = 0;
  for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1] && count < 2; i++)
    if (asg->install_node[i] != node && asg->install_value[i] != asg->read_value[read]) {
      count++;
      *only = i;
    }
  return count;
}

// The same of a read of one value that nobody wrote twice.
static uint32_t only_candidate (const struct asg *asg, uint32_t node, uint32_t read, uint32_t range[2],
                                uint32_t *only) {
  const uint32_t key = asg->read_key[read], install = asg->value_install[group_of (asg, asg->read_value[read])];
  // INSTALL_NONE is behind every key
  if (install < asg->key_first[key] || install >= asg->key_first[key + 1])
    return 0;
  *only = range[0] = install;
  range[1] = install + 1;
  // a reader only: no install is its own
  return asg->node_first_install[node] == asg->node_first_install[node + 1] || asg->install_node[install] != node;
}

uint32_t lineage_candidates (const struct asg *asg, uint32_t node, uint32_t read, uint32_t range[2], uint32_t *only) {
  const uint32_t key = asg->read_key[read], value = asg->read_value[read];
  const unsigned flags = asg_read_flags (asg, read);
  range[0] = range[1] = 0;
  if (flags & READ_OTHER)
    return other_candidates (asg, node, read, only);
  if (asg->value_install)
    return only_candidate (asg, node, read, range, only);
  if (flags & READ_OR_ABSENT) {
    range[0] = asg->zero_first[key];
    range[1] = asg->zero_first[key + 1];
  } else {
    const uint32_t group = group_of (asg, value), begin = asg->value_first[group], end = asg->value_first[group + 1];
    range[0] = lower_bound_u32 (asg->value_installs, begin, end, asg->key_first[key]);
    range[1] = lower_bound_u32 (asg->value_installs, range[0], end, asg->key_first[key + 1]);
  }
  uint32_t count = range[1] - range[0];
  if (!count)
    return 0;
  *only = asg->value_installs[range[0]];
  // a reader only: no install is its own
  if (asg->node_first_install[node] == asg->node_first_install[node + 1])
    return count;
  if (count == 1)
    return asg->install_node[*only] != node;
  const uint32_t own = asg_install_of (asg, key, node);
  count -= own != INSTALL_NONE && read_accepts (value, flags, asg->install_value[own]);
  if (*only == own)
    *only = asg->value_installs[range[0] + 1];
  return count;
}

bool lineage_is_written (const struct asg *asg, uint32_t node, uint32_t key, uint32_t value) {
  const uint32_t group = group_of (asg, value);
  if (asg->value_install) {
    const uint32_t only = asg->value_install[group];
    return only >= asg->key_first[key] && only < asg->key_first[key + 1] && asg->install_node[only] != node;
  }
  const uint32_t end = asg->value_first[group + 1];
  uint32_t at = lower_bound_u32 (asg->value_installs, asg->value_first[group], end, asg->key_first[key]);
  for (; at < end && asg->value_installs[at] < asg->key_first[key + 1]; at++)
    if (asg->install_node[asg->value_installs[at]] != node)
      return true;
  return false;
}

static void fault_of_read (struct builder *b, enum fault_kind kind, uint32_t node, uint32_t read, uint32_t other) {
  const struct asg *asg = b->asg;
  builder_fault (b, builder_fault_of (b, kind, node, asg->read_op[read], asg->read_key[read], asg->read_value[read],
                                      (uint8_t) asg_read_flags (asg, read), other));
}

static uint32_t hint_of (const struct builder *b, uint32_t read) {
  return b->read_hint.count ? b->read_hint.data[read] : HINT_NONE;
}

// ---------------------------------------------------------------------------------- initial values

// Can it have read from anybody but T0?
static bool has_other_candidates (const struct builder *b, uint32_t node, uint32_t read) {
  uint32_t range[2], only;
  const uint32_t hint = hint_of (b, read);
  return hint == HINT_NONE ? lineage_candidates (b->asg, node, read, range, &only) : hint != HINT_INITIAL;
}

// Under `init any` a committed read that no install explains fixes the key's initial value, or says
// what it is not.
static void fix_open_initial_values (struct builder *b) {
  struct asg *asg = b->asg;
  uint32_t *fixed_by = MEM_ARRAY (uint32_t, asg->keys); // read
  for (int others = 0; others < 2; others++)
    for (uint32_t node = 1; node < asg->nodes; node++) {
      if (asg->optional[node])
        continue;
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
        const uint32_t key = asg->read_key[read];
        const bool other = asg_read_flags (asg, read) & READ_SEVERAL;
        if (other != others || asg_read_unrecorded (asg, read) != UNRECORDED_NONE
            || has_other_candidates (b, node, read))
          continue;
        if (asg->init_value[key] == VALUE_UNRECORDED) {
          if (!other) {
            asg->init_value[key] = asg->read_value[read];
            fixed_by[key] = read;
          }
        } else if (!asg_accepts (asg, read, asg->init_value[key]) && !asg->faults.count)
          fault_of_read (b, FAULT_TWO_INITIAL, node, read, asg->read_op[fixed_by[key]]);
      }
    }
  mem_free (fixed_by);
}

// ----------------------------------------------------------------------------------------- sources

static uint32_t no_source (struct builder *b, uint32_t node, uint32_t read) {
  const uint32_t hint = hint_of (b, read);
  if (b->asg->optional[node])
    builder_exclude (b, b->asg->node_txn[node]);
  else if (!b->asg->faults.count) { // one is enough for a verdict
    fault_of_read (b, FAULT_NO_SOURCE, node, read, OP_NONE);
    if (hint < HINT_INITIAL)
      b->asg->faults.data[b->asg->faults.count - 1].hinted = hint + 1;
  }
  return SOURCE_NONE;
}

// A hint names the source. It fits what was read; but an unknown transaction may turn out not to
// have taken place.
static uint32_t hinted_source (struct builder *b, uint32_t node, uint32_t read) {
  struct asg *asg = b->asg;
  const uint32_t hint = hint_of (b, read);
  uint32_t range[2], only;
  if (lineage_candidates (asg, node, read, range, &only) + asg_accepts_initial (asg, read) > 1) {
    const bool of_range = effects_of (b->h, asg->read_op[read]).reads == READS_RANGE;
    asg->hint_facts |= of_range ? FACT_VERSION_SET : FACT_VERSION;
  }
  if (hint == HINT_INITIAL)
    return asg_accepts_initial (asg, read) ? SOURCE_INITIAL : no_source (b, node, read);
  const uint32_t install = asg_install_by (asg, asg->read_key[read], hint);
  return install == INSTALL_NONE ? no_source (b, node, read) : install;
}

static uint32_t source_of (struct builder *b, uint32_t node, uint32_t read) {
  struct asg *asg = b->asg;
  uint32_t range[2], only = INSTALL_NONE;
  if (hint_of (b, read) != HINT_NONE)
    return hinted_source (b, node, read);
  const uint32_t installs = lineage_candidates (asg, node, read, range, &only);
  const bool initial = asg_accepts_initial (asg, read), unrecorded = asg_read_unrecorded (asg, read) != UNRECORDED_NONE;
  if (installs + initial > 1 || unrecorded) {
    VEC_PUSH (asg->choices, (struct choice){ read, range[0], range[1], initial, false });
    return SOURCE_MANY | (uint32_t) (asg->choices.count - 1);
  }
  if (initial)
    return SOURCE_INITIAL;
  if (installs)
    return only;
  return no_source (b, node, read);
}

// The look-up of a read hops through three columns, or two; the hops of later reads are made in
// advance, each when the one before it has arrived.
static void prefetch_sources (const struct asg *asg, uint32_t read) {
  enum { FAR = 24, MIDDLE = 16, NEAR = 8 };
  if (read + FAR >= asg->reads)
    return;
  if (asg->value_install) {
    const uint32_t install = asg->value_install[group_of (asg, asg->read_value[read + NEAR])];
    __builtin_prefetch (&asg->value_install[group_of (asg, asg->read_value[read + FAR])]);
    if (install != INSTALL_NONE)
      __builtin_prefetch (&asg->install_node[install]);
    return;
  }
  const uint32_t far = asg->read_value[read + FAR], middle = asg->read_value[read + MIDDLE],
                 near = asg->read_value[read + NEAR];
  if (far < VALUE_UNRECORDED)
    __builtin_prefetch (&asg->value_first[far]);
  if (middle < VALUE_UNRECORDED)
    __builtin_prefetch (&asg->value_installs[asg->value_first[middle]]);
  if (near < VALUE_UNRECORDED && asg->value_first[near] < asg->installs)
    __builtin_prefetch (&asg->install_node[asg->value_installs[asg->value_first[near]]]);
}

// Most reads have one source, which can be seen without touching anything else.
static bool find_only_source (struct builder *b, uint32_t node, uint32_t read) {
  const struct asg *asg = b->asg;
  uint32_t range[2], only = INSTALL_NONE;
  if (hint_of (b, read) != HINT_NONE || asg_read_unrecorded (asg, read) != UNRECORDED_NONE)
    return false;
  const uint32_t installs = lineage_candidates (asg, node, read, range, &only);
  const bool initial = asg_accepts_initial (asg, read);
  asg->read_source[read] = initial ? SOURCE_INITIAL : only;
  return installs + initial == 1;
}

struct unsettled {
  uint32_t node, read;
};

struct sources_part {
  VEC (struct unsettled) left;
};

struct sources {
  struct builder *b;
  uint32_t parts;
  struct sources_part *part;
};

static void find_only_sources (void *context, uint32_t number) {
  struct sources *s = context;
  const struct asg *asg = s->b->asg;
  struct sources_part *part = &s->part[number];
  const uint32_t end = parallel_first (asg->nodes, s->parts, number + 1);
  for (uint32_t node = parallel_first (asg->nodes, s->parts, number); node < end; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      prefetch_sources (asg, read);
      if (!find_only_source (s->b, node, read))
        VEC_PUSH (part->left, (struct unsettled){ node, read });
    }
}

void lineage_find_sources (struct builder *b) {
  struct asg *asg = b->asg;
  if (b->h->init == INIT_ANY)
    fix_open_initial_values (b);
  struct sources sources = { .b = b, .parts = builder_parts (b) };
  sources.part = MEM_ZARRAY (struct sources_part, sources.parts);
  asg->read_source = MEM_ARRAY (uint32_t, asg->reads);
  parallel_run (sources.parts, sources.parts, find_only_sources, &sources);
  for (uint32_t i = 0; i < sources.parts; i++) {
    struct sources_part *part = &sources.part[i];
    for (size_t k = 0; k < part->left.count; k++)
      asg->read_source[part->left.data[k].read] = source_of (b, part->left.data[k].node, part->left.data[k].read);
    VEC_FREE (part->left);
  }
  mem_free (sources.part);
  give_ranges (asg);
}

// ---------------------------------------------------------------------------- unknown transactions

#define READ_BY_SEVERAL (UINT32_MAX - 1) // nodes

// Who has read what: a node, NODE_NONE or READ_BY_SEVERAL, where the installs begin that explain a
// read. READ_OTHER: per key.
struct readers {
  uint32_t *of_range, *of_others;
};

// Whoever installed what a read asks for is wanted, unless it is the reader itself: seen to for the
// first reader, and for the second.
static void want_sources (const struct asg *asg, struct readers *readers, uint32_t node, uint32_t read,
                          uint8_t *wanted) {
  const uint32_t key = asg->read_key[read];
  uint32_t range[2], only;
  if (asg_read_flags (asg, read) & READ_OTHER) {
    for (uint32_t i = asg->key_first[key]; readers->of_others[key] == NODE_NONE && i < asg->key_first[key + 1]; i++)
      wanted[asg->install_node[i]] = 1;
    readers->of_others[key] = node;
    return;
  }
  lineage_candidates (asg, node, read, range, &only);
  uint32_t *reader = &readers->of_range[range[0]];
  if (range[0] == range[1] || *reader == node || *reader == READ_BY_SEVERAL)
    return;
  for (uint32_t i = range[0]; i < range[1]; i++) {
    const uint32_t writer = asg->install_node[asg->value_install ? i : asg->value_installs[i]];
    if (writer != node)
      wanted[writer] = 1;
  }
  *reader = *reader == NODE_NONE ? node : READ_BY_SEVERAL;
}

// An unknown transaction none of whose versions anybody else read is left out.
void lineage_exclude_unread (struct builder *b) {
  struct asg *asg = b->asg;
  struct readers readers = { mem_nones ((size_t) (asg->value_install ? asg->installs : asg->value_entries) + 1),
                             mem_nones (asg->keys) };
  uint8_t *wanted = MEM_ZARRAY (uint8_t, asg->nodes);
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      want_sources (asg, &readers, node, read, wanted);
  for (size_t i = 0; i < asg->forced.count; i++)
    wanted[asg->forced.data[i]] = 1;
  for (size_t i = 0; i < asg->implied.count; i++)
    wanted[asg->implied.data[i].other] = 1;
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (asg->optional[node] && !wanted[node])
      builder_exclude (b, asg->node_txn[node]);
  MEM_FREE_ALL (wanted, readers.of_range, readers.of_others);
}
