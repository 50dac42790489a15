#include "explain/violation.h"

#include "history/history.h"

const char *violation_edge_type (const struct violation_edge *edge) {
  if (edge->predicate && (edge->kind == EDGE_WR || edge->kind == EDGE_RW))
    return edge->kind == EDGE_WR ? "pwr" : "prw";
  return edge_kind_name (edge->kind);
}

struct violation *violation_new (enum violation_kind kind, struct anomaly anomaly) {
  struct violation *v = mem_zalloc (sizeof *v);
  atomic_init (&v->shares, 1);
  v->kind = kind;
  v->anomaly = anomaly;
  return v;
}

struct violation *violation_share (struct violation *v) {
  if (v)
    atomic_fetch_add (&v->shares, 1);
  return v;
}

void violation_free (struct violation *v) {
  if (!v || atomic_fetch_sub (&v->shares, 1) > 1)
    return;
  VEC_FREE_EACH (v->modules, mem_free);
  MEM_FREE_ALL (v->involved.data, v->edges.data, v->cases.data, v->reads.data, v->sources.data, v->lemmas.data,
                v->choices.data, v->words, v->fragments.data, v->weakest_violated.data, v->strongest_holding.data);
  history_free (v->part);
  mem_free (v);
}

void violation_involve (struct violation *v, struct party party) {
  if (party.initial)
    return;
  for (size_t i = 0; i < v->involved.count; i++)
    if (v->involved.data[i] == party.id)
      return;
  VEC_PUSH (v->involved, party.id);
}

uint32_t violation_module (struct violation *v, const char *name) {
  uint32_t at = 0;
  while (at < v->modules.count && strcmp (v->modules.data[at], name))
    at++;
  if (at == v->modules.count)
    VEC_PUSH (v->modules, mem_strdup (name));
  return at;
}

const char *violation_class (const struct violation *v) {
  return v ? anomaly_classes[v->anomaly.class].text : NULL;
}

const char *violation_name (const struct violation *v) {
  return v ? anomaly_names[v->anomaly.name].text : NULL;
}

const uint64_t *violation_txns (const struct violation *v, size_t *count) {
  *count = !v ? 0 : v->part ? v->part->txn_ids.count : v->involved.count;
  return !*count ? NULL : v->part ? v->part->txn_ids.data : v->involved.data;
}

const struct history *violation_history (const struct violation *v, const struct history *judged) {
  return v && v->part ? v->part : judged;
}

static uint32_t last_leaf (const struct violation *v) {
  uint32_t at = 0;
  while (v->cases.data[at].child != CASE_NONE)
    for (at = v->cases.data[at].child; v->cases.data[at].next != CASE_NONE; at = v->cases.data[at].next)
      ;
  return at;
}

const struct violation_edge *violation_circle (const struct violation *v, size_t *count) {
  *count = 0;
  if (!v || !v->edges.count)
    return NULL;
  if (v->kind != VIOLATION_CASES) {
    *count = v->edges.count;
    return v->edges.data;
  }
  const struct violation_case *leaf = &v->cases.data[last_leaf (v)];
  *count = leaf->edges;
  return v->edges.data + leaf->first_edge;
}

uint32_t violation_next_leaf (const struct violation *v, uint32_t at) {
  for (at = at ? at : 1; v && at < v->cases.count; at++)
    if (v->cases.data[at].child == CASE_NONE)
      return at;
  return CASE_NONE;
}

size_t violation_leaves (const struct violation *v) {
  size_t count = 0;
  for (uint32_t at = violation_next_leaf (v, 0); at != CASE_NONE; at = violation_next_leaf (v, at + 1))
    count++;
  return count;
}

uint8_t *violation_txns_in_circles (const struct violation *v) {
  const struct history *part = v->part;
  uint8_t *which = MEM_ZARRAY (uint8_t, history_txns (part));
  for (uint32_t t = 0; t < history_txns (part); t++)
    for (size_t i = 0; i < v->edges.count; i++)
      which[t] |= v->edges.data[i].from.id == part->txn_ids.data[t] || v->edges.data[i].to.id == part->txn_ids.data[t];
  return which;
}

uint64_t violation_whole_id (const struct violation *v, uint64_t id) {
  for (size_t i = 0; i < v->fragments.count; i++)
    if (v->fragments.data[i].id == id)
      return v->fragments.data[i].of;
  return id;
}
