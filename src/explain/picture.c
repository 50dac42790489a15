#include "explain/picture.h"

const struct picture_type_row picture_types[PICTURE_TYPE_COUNT] = {
#define TYPE(id, name, says, dashes, forward) { name, says, dashes, forward },
  PICTURE_TYPES (TYPE)
#undef TYPE
};

const char *const picture_outcomes[] = {
  [TXN_COMMITTED] = "", [TXN_ABORTED] = " aborted", [TXN_UNKNOWN] = " outcome unknown"
};

struct picture *picture_new (const char *title) {
  struct picture *p = mem_zalloc (sizeof *p);
  p->title = mem_strdup (title);
  p->initial = PICTURE_NONE;
  return p;
}

void picture_free (struct picture *p) {
  if (!p)
    return;
  for (size_t i = 0; i < p->txns.count; i++) {
    MEM_FREE_ALL (p->txns.data[i].label, p->txns.data[i].note);
    VEC_FREE_EACH (p->txns.data[i].ops, mem_free);
  }
  for (size_t i = 0; i < p->edges.count; i++) {
    MEM_FREE_ALL (p->edges.data[i].key, p->edges.data[i].why);
  }
  for (size_t i = 0; i < p->branches.count; i++)
    mem_free (p->branches.data[i].choice);
  VEC_FREE_EACH (p->violated, mem_free);
  VEC_FREE_EACH (p->holding, mem_free);
  VEC_FREE_EACH (p->sessions, mem_free);
  MEM_FREE_ALL (p->txns.data, p->edges.data, p->branches.data, p->title, p->level, p->anomaly, p->anomaly_name,
                p->summary, p);
}

uint32_t picture_add_session (struct picture *p, const char *label) {
  VEC_PUSH (p->sessions, mem_strdup (label));
  return (uint32_t) p->sessions.count - 1;
}

uint32_t picture_add_txn (struct picture *p, const char *label, uint32_t session, uint32_t position,
                          enum txn_status status) {
  if (session != PICTURE_NONE && session >= p->sessions.count)
    misuse (__func__, "no such session");
  VEC_PUSH (p->txns, (struct picture_txn){ .label = mem_strdup (label),
                                           .session = session,
                                           .position = position,
                                           .status = status,
                                           .begin = TIME_NONE_BEGIN,
                                           .end = TIME_NONE_END });
  return (uint32_t) p->txns.count - 1;
}

uint32_t picture_initial (struct picture *p) {
  if (p->initial == PICTURE_NONE)
    p->initial = picture_add_txn (p, "T0", PICTURE_NONE, 0, TXN_COMMITTED);
  return p->initial;
}

uint32_t picture_add_branch (struct picture *p, const char *choice) {
  VEC_PUSH (p->branches, (struct picture_branch){ mem_strdup (choice) });
  return (uint32_t) p->branches.count - 1;
}

void picture_add_edge (struct picture *p, uint32_t branch, uint32_t from, uint32_t to, enum picture_type type,
                       const char *key, const char *why) {
  if (from >= p->txns.count || to >= p->txns.count || from == to)
    misuse (__func__, "an edge joins two transactions of the picture");
  if (branch != PICTURE_NONE && branch >= p->branches.count)
    misuse (__func__, "no such branch");
  VEC_PUSH (p->edges, (struct picture_edge){ .from = from,
                                             .to = to,
                                             .type = type,
                                             .key = mem_strdup (key),
                                             .why = mem_strdup (why),
                                             .on_cycle = branch != PICTURE_NONE,
                                             .branch = branch });
}
