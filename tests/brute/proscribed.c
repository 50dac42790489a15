#include "proscribed.h"

#include "base/error.h"
#include "history/effects.h"

#include <string.h>

struct circle {
  const struct history *h;
  const struct violation_edge *edges;
  size_t count;
  bool so, rt; // the level has these
};

// ------------------------------------------------------------------------------------------- edges

static bool is (const struct violation_edge *edge, const char *type) {
  return !strcmp (violation_edge_type (edge), type);
}

static bool is_extra (const struct circle *c, const struct violation_edge *edge) {
  return (is (edge, "so") && c->so) || (is (edge, "rt") && c->rt);
}

static bool is_visible (const struct circle *c, const struct violation_edge *edge) {
  return is (edge, "wr") || is (edge, "pwr") || is_extra (c, edge);
}

static bool is_dependency (const struct circle *c, const struct violation_edge *edge) {
  return is (edge, "ww") || is_visible (c, edge);
}

static bool is_anti (const struct violation_edge *edge) {
  return is (edge, "rw") || is (edge, "prw");
}

static const struct violation_edge *before (const struct circle *c, size_t i) {
  return &c->edges[(i + c->count - 1) % c->count];
}

static const struct violation_edge *only_anti (const struct circle *c, const struct violation_edge **into) {
  const struct violation_edge *found = NULL;
  for (size_t i = 0; i < c->count; i++)
    if (is_anti (&c->edges[i])) {
      if (found)
        return NULL;
      found = &c->edges[i];
      *into = before (c, i);
    }
  return found;
}

static size_t count_anti (const struct circle *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++)
    count += is_anti (&c->edges[i]);
  return count;
}

// Each leads to where the next begins, and all are edges that the level has.
static bool is_circle (const struct circle *c) {
  for (size_t i = 0; i < c->count; i++) {
    const struct violation_edge *edge = &c->edges[i], *last = before (c, i);
    if (last->to.id != edge->from.id || last->to.initial != edge->from.initial)
      return false;
    if (!is_dependency (c, edge) && !is_anti (edge))
      return false;
  }
  return c->count > 1;
}

// ------------------------------------------------------------------------------------ transactions

static uint32_t txn_of (const struct history *h, uint64_t id) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (h->txn_ids.data[t] == id)
      return t;
  misuse (__func__, "no such transaction");
  return 0;
}

static bool covers (const struct history *h, uint32_t op, uint32_t key) {
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (kind != OP_SCAN && kind != OP_ITER)
    return h->op_keys.data[op] == key && kind != OP_PUT && kind != OP_APPEND;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const struct atom atom = atoms_get (&h->keys, key);
  return (range->low == KEY_NONE || atom_compare (atoms_get (&h->keys, range->low), atom) <= 0)
         && (range->high == KEY_NONE || atom_compare (atom, atoms_get (&h->keys, range->high)) < 0);
}

static bool writes (const struct history *h, uint32_t op, uint32_t key) {
  return effects_value_written (h, op) != VALUE_NONE && (key == KEY_NONE || h->op_keys.data[op] == key);
}

static bool installs (const struct history *h, uint64_t id, uint32_t key) {
  const uint32_t t = txn_of (h, id);
  for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
    if (writes (h, op, key))
      return true;
  return false;
}

// Some read of the key by the transaction comes at the edge's arrival or after it; `earlier`:
// strictly after, by the arrival of a read.
static bool arrives_in_time (const struct circle *c, const struct violation_edge *into,
                             const struct violation_edge *missed, bool earlier) {
  const struct history *h = c->h;
  const uint32_t t = txn_of (h, missed->from.id);
  uint32_t first = UINT32_MAX, last_write = 0, last_read = 0;
  for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
    if (covers (h, op, missed->key))
      last_read = op + 1;
    if (into->key != KEY_NONE && covers (h, op, into->key) && first == UINT32_MAX)
      first = op + 1;
    if (into->key != KEY_NONE && writes (h, op, into->key))
      last_write = op + 1;
  }
  if (is (into, "wr") || is (into, "pwr"))
    return earlier ? first < last_read : first <= last_read;
  return is_extra (c, into) ? !earlier : !earlier && last_write < last_read;
}

// ------------------------------------------------------------------------------------------ levels

static bool only_ww (const struct circle *c) {
  for (size_t i = 0; i < c->count; i++)
    if (!is (&c->edges[i], "ww") && !is_extra (c, &c->edges[i]))
      return false;
  return true;
}

static bool dependencies_only (const struct circle *c) {
  return !count_anti (c);
}

static bool lost_update (const struct circle *c) {
  const struct violation_edge *into, *anti = only_anti (c, &into);
  return dependencies_only (c) || (anti && is (anti, "rw") && installs (c->h, anti->from.id, anti->key));
}

static bool seen_too_late (const struct circle *c) {
  const struct violation_edge *into, *anti = only_anti (c, &into);
  return dependencies_only (c) || (anti && arrives_in_time (c, into, anti, false));
}

static bool at_most_one_anti (const struct circle *c) {
  return count_anti (c) <= 1;
}

static bool items_only (const struct circle *c) {
  for (size_t i = 0; i < c->count; i++)
    if (is (&c->edges[i], "prw"))
      return false;
  return true;
}

static bool no_adjacent_anti (const struct circle *c) {
  for (size_t i = 0; i < c->count; i++)
    if (is_anti (&c->edges[i]) && is_anti (before (c, i)))
      return false;
  return true;
}

static bool anything (const struct circle *c) {
  (void) c;
  return true;
}

static bool one_reader (const struct circle *c) {
  size_t readers = 0;
  for (size_t i = 0; i < c->count; i++)
    readers += !c->edges[i].from.initial && !installs (c->h, c->edges[i].from.id, KEY_NONE);
  return readers <= 1;
}

static bool anti_behind_visible (const struct circle *c) {
  for (size_t i = 0; i < c->count; i++)
    if (is_anti (&c->edges[i]) && !is_visible (c, before (c, i)))
      return false;
  return true;
}

static bool only_visible_before (const struct circle *c) {
  for (size_t i = 0; i < c->count; i++)
    if (!is_anti (&c->edges[i]) && !is_visible (c, &c->edges[i]))
      return false;
  return count_anti (c) == 1;
}

static bool causal (const struct circle *c) {
  return dependencies_only (c) || only_visible_before (c);
}

static bool read_atomic (const struct circle *c) {
  return dependencies_only (c) || (only_visible_before (c) && c->count == 2);
}

static bool earlier_read (const struct circle *c) {
  const struct violation_edge *into, *anti = only_anti (c, &into);
  return dependencies_only (c)
         || (anti && c->count == 2 && !is_extra (c, into) && is_visible (c, into)
             && arrives_in_time (c, into, anti, true));
}

static const struct {
  const char *name;
  bool so, rt; // by definition
  bool (*proscribes) (const struct circle *);
} rules[] = {
  { "read-uncommitted", false, false, only_ww },
  { "read-committed", false, false, dependencies_only },
  { "cursor-stability", false, false, lost_update },
  { "monotonic-view", false, false, seen_too_late },
  { "consistent-view", false, false, at_most_one_anti },
  { "forward-consistent-view", false, true, at_most_one_anti },
  { "repeatable-read", false, false, items_only },
  { "snapshot-isolation", false, false, no_adjacent_anti },
  { "serializable", false, false, anything },
  { "update-serializable", false, false, one_reader },
  { "parallel-snapshot-isolation", true, false, at_most_one_anti },
  { "prefix-consistency", true, false, anti_behind_visible },
  { "causal", true, false, causal },
  { "read-atomic", true, false, read_atomic },
  { "read-committed-axiomatic", true, false, earlier_read },
};

static bool skip (const char **name, const char *prefix) {
  const size_t length = strlen (prefix);
  const bool there = !strncmp (*name, prefix, length);
  *name += there ? length : 0;
  return there;
}

const char *why_not_proscribed (const struct history *h, const char *level, const struct violation_edge *edges,
                                size_t count) {
  struct circle c = { .h = h, .edges = edges, .count = count };
  c.rt = skip (&level, "strict-");
  c.so = skip (&level, "strong-session-") || c.rt;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (strcmp (rules[i].name, level))
      continue;
    c.so |= rules[i].so;
    c.rt |= rules[i].rt;
    if (!is_circle (&c))
      return "no circle of edges that the level has";
    return rules[i].proscribes (&c) ? NULL : "a circle that the level permits";
  }
  return "no such level";
}
