#include "explain/circle.h"

#include "levels/levels.h"

#include <string.h>

const char *circle_edge_name (enum edge_kind kind, bool predicate) {
  if (predicate && (kind == EDGE_WR || kind == EDGE_RW))
    return kind == EDGE_WR ? "pwr" : "prw";
  return edge_kind_name (kind);
}

enum anomaly_id {
#define ANOMALY(id, name, about) NAMED_##id,
#include "explain/anomalies.def"
#undef ANOMALY
  NAMED_NOTHING
};

static const struct {
  const char *name, *about;
} anomalies[] = {
#define ANOMALY(id, name, about) { name, about },
#include "explain/anomalies.def"
#undef ANOMALY
  { NULL, NULL },
};

const char *anomaly_about (const char *name) {
  for (size_t i = 0; name && anomalies[i].name; i++)
    if (!strcmp (anomalies[i].name, name))
      return anomalies[i].about;
  return NULL;
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

// The classes, mildest last.
static const char *const classes[] = { "G0",       "G1c",           "G-cursor", "G-monotonic",
                                       "G-single", "G-nonadjacent", "G2-item",  "G2" };

static const char *class_of (const struct census *n, struct circle_facts facts, const struct level *level) {
  if (!n->rw)
    return n->wr ? "G1c" : "G0";
  if (level->anti == ANTI_NONE && level->mark_reads) // only some reads are guarded: those of a cursor
    return "G-cursor";
  if (level->events)
    return "G-monotonic";
  if (n->rw == 1 || facts.lost_update)
    return "G-single";
  if (!n->adjacent_rw)
    return "G-nonadjacent";
  return n->predicate_rw ? "G2" : "G2-item";
}

static enum anomaly_id name_without_rw (const struct census *n) {
  if (!n->so && !n->rt)
    return n->wr ? NAMED_CIRCULAR_FLOW : NAMED_DIRTY_WRITE;
  if (n->wr && !n->ww)
    return NAMED_FUTURE_READ;
  return n->rt ? NAMED_TIMESTAMP_INVERSION : NAMED_NOTHING;
}

// The transaction that missed a write is the one where the only anti-dependency starts; `last` is the edge by which the circle comes back to it.
static enum anomaly_id name_with_one_rw (const struct census *n, enum edge_kind last) {
  if (n->total == 2 && n->wr)
    return n->one_key ? NAMED_NON_REPEATABLE_READ : NAMED_FRACTURED_READ;
  if (n->rt)
    return last == EDGE_RT || !(n->wr + n->ww) ? NAMED_STALE_READ : NAMED_TIMESTAMP_INVERSION;
  if (n->so)
    return n->wr + n->ww ? NAMED_CAUSALITY : NAMED_STALE_READ;
  return NAMED_READ_SKEW;
}

static enum anomaly_id name_with_more_rw (const struct census *n, struct circle_facts facts) {
  if (n->rt)
    return NAMED_TIMESTAMP_INVERSION;
  if (!n->adjacent_rw) // who saw one of the two writes may have seen it by reading it or by overwriting it
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
                               const struct level *level) {
  const struct census n = count_edges (edges, count);
  enum anomaly_id name;
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
  const char *class = class_of (&n, facts, level);
  if (!strcmp (class, "G-cursor")) // what a cursor guards is the key until it is replaced
    name = NAMED_LOST_UPDATE;
  return (struct anomaly){ class, anomalies[name].name, n.rt ? 2 : n.so ? 1 : 0 };
}

static size_t mildness (const char *class) {
  size_t at = 0;
  while (at < sizeof classes / sizeof *classes && strcmp (classes[at], class))
    at++;
  return at;
}

// The class comes first: what real time or session order makes of a read that has several explanations says nothing about levels without them, but a class that is not
// the mildest would accuse the database of breaking levels that it keeps.
bool anomaly_is_milder (struct anomaly a, struct anomaly b) {
  const size_t of_a = mildness (a.class), of_b = mildness (b.class);
  if (of_a != of_b)
    return of_b > of_a;
  return !a.name != !b.name ? b.name != NULL : b.rests_on > a.rests_on;
}
