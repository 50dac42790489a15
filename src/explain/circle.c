#include "explain/circle.h"

const struct anomaly_class_row anomaly_classes[] = {
  { NULL, false },
#define CLASS(id, name, alone) { name, alone },
#include "explain/anomalies.def"
#undef CLASS
};

const struct anomaly_name_row anomaly_names[] = {
  { NULL, NULL },
#define ANOMALY(id, name, about) { name, about },
#include "explain/anomalies.def"
#undef ANOMALY
};

bool anomaly_is_same (struct anomaly a, struct anomaly b) {
  return a.class == b.class && a.name == b.name;
}

struct census {
  unsigned so, rt, ww, wr, rw; // scans among them
  unsigned predicate_rw;
  unsigned total;
  bool adjacent_rw, one_key;
};

static struct census count_edges (const struct circle_edge *edges, size_t count) {
  struct census n = { .total = (unsigned) count, .one_key = true };
  for (size_t i = 0; i < count; i++) {
    const enum edge_kind kind = edges[i].kind;
    n.so += kind == EDGE_SO;
    n.rt += kind == EDGE_RT;
    n.ww += kind == EDGE_WW;
    n.wr += kind == EDGE_WR;
    n.rw += kind == EDGE_RW;
    n.predicate_rw += kind == EDGE_RW && edges[i].predicate;
    n.adjacent_rw |= kind == EDGE_RW && edges[i + 1 == count ? 0 : i + 1].kind == EDGE_RW;
    n.one_key = n.one_key && edges[i].key == edges[0].key;
  }
  return n;
}

// What it takes to proscribe each class that circles have. They are no chain: a circle with one
// anti-dependency of a scan breaks snapshot isolation, but not repeatable read, and one with two of
// items beside each other the other way round.
#define BREAKS(class) (1u << (class))
enum { BREAKS_ALL = BREAKS (CLASS_G2 + 1) - BREAKS (CLASS_G0) };

// By classes, the levels that do not allow it.
static unsigned broken_by (const struct census *n, struct circle_facts facts, const struct rules *rules) {
  if (!n->rw) // elsewhere than at read-uncommitted, version orders rest on reads
    return rules->wr.used || n->wr ? BREAKS_ALL & ~BREAKS (CLASS_G0) : BREAKS_ALL;
  unsigned broken = BREAKS (CLASS_G2);
  const bool once = n->rw == 1 || facts.lost_update;
  if (rules->events || (rules->anti == ANTI_NONE && facts.single_reads))
    return broken | BREAKS (CLASS_NONADJACENT) | BREAKS (CLASS_SINGLE)
           | BREAKS (rules->events ? CLASS_MONOTONIC : CLASS_CURSOR);
  broken |= n->predicate_rw ? 0 : BREAKS (CLASS_G2_ITEM);
  if (facts.settled)
    return broken;
  broken |= once || !n->adjacent_rw ? BREAKS (CLASS_NONADJACENT) : 0;
  return broken | (once ? BREAKS (CLASS_SINGLE) : 0);
}

static enum anomaly_class worst_class (unsigned broken) {
  enum anomaly_class worst = CLASS_G0;
  while (worst < CLASS_G2 && !(broken >> worst & 1))
    worst++;
  return worst;
}

static enum anomaly_name name_without_rw (const struct census *n) {
  if (!n->so && !n->rt)
    return n->wr ? NAMED_CIRCULAR_FLOW : NAMED_DIRTY_WRITE;
  if (n->wr && !n->ww)
    return NAMED_FUTURE_READ;
  return n->rt ? NAMED_TIMESTAMP_INVERSION : NAMED_NOTHING;
}

// The transaction that missed a write is the one where the only anti-dependency starts; `last` is
// the edge by which the circle comes back to it.
static enum anomaly_name name_with_one_rw (const struct census *n, enum edge_kind last) {
  if (n->total == 2 && n->wr)
    return n->one_key ? NAMED_NON_REPEATABLE_READ : NAMED_FRACTURED_READ;
  if (n->rt)
    return last == EDGE_RT || !(n->wr + n->ww) ? NAMED_STALE_READ : NAMED_TIMESTAMP_INVERSION;
  if (n->so)
    return n->wr + n->ww ? NAMED_CAUSALITY : NAMED_STALE_READ;
  return NAMED_READ_SKEW;
}

static enum anomaly_name name_with_more_rw (const struct census *n, struct circle_facts facts) {
  if (n->rt)
    return NAMED_TIMESTAMP_INVERSION;
  // who saw one of the two writes may have seen it by reading it or by overwriting it
  if (!n->adjacent_rw)
    return n->wr && n->wr + n->ww >= 2 ? NAMED_LONG_FORK : NAMED_NOTHING;
  if (n->so)
    return NAMED_NOTHING;
  return facts.reader_only ? NAMED_READ_ONLY : NAMED_WRITE_SKEW;
}

static enum edge_kind edge_before_rw (const struct circle_edge *edges, size_t count) {
  size_t at = 0;
  while (at < count && edges[at].kind != EDGE_RW)
    at++;
  return edges[(at + count - 1) % count].kind;
}

struct anomaly circle_anomaly (const struct circle_edge *edges, size_t count, struct circle_facts facts,
                               const struct rules *rules) {
  const struct census n = count_edges (edges, count);
  enum anomaly_name name;
  if (n.total == 2 && n.ww && n.rw && n.one_key) // replaced without having seen what was there
    facts.lost_update = true;
  if (facts.lost_update)
    name = NAMED_LOST_UPDATE;
  else if (n.predicate_rw)
    name = NAMED_PHANTOM;
  else if (!n.rw)
    name = name_without_rw (&n);
  else if (n.rw == 1)
    name = name_with_one_rw (&n, edge_before_rw (edges, count));
  else
    name = name_with_more_rw (&n, facts);
  const unsigned broken = broken_by (&n, facts, rules);
  const enum anomaly_class class = worst_class (broken);
  if (class == CLASS_CURSOR) // what a cursor guards is the key until it is replaced
    name = NAMED_LOST_UPDATE;
  return (struct anomaly){ class, name, n.rt ? 2 : n.so ? 1 : 0, broken };
}

static bool is_milder (struct anomaly a, struct anomaly b) {
  if (a.class != b.class)
    return a.class < b.class;
  return !a.name != !b.name ? b.name != NAMED_NOTHING : b.rests_on > a.rests_on;
}

struct anomaly anomaly_either (struct anomaly a, struct anomaly b) {
  struct anomaly either = is_milder (a, b) ? b : a;
  either.broken = a.broken & b.broken;
  const enum anomaly_class class = worst_class (either.broken);
  if (class != either.class && a.name != b.name)
    either.name = NAMED_NOTHING;
  either.class = class;
  return either;
}
