#include "certify/make.h"

#include "asg/asg.h"
#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"
#include "hints/hints.h"
#include "ir/witness.h"
#include "verify/valid.h"

#include <string.h>

static struct certificate *new_certificate (const struct certify_claim *claim) {
  struct certificate *c = certificate_new (&claim->claim, claim->told->h);
  c->valid = true;
  for (uint32_t i = 0; claim->constraints && i < claim->constraints->list.count; i++)
    cert_constraints_add (&c->constraints, claim->constraints, i);
  return c;
}

static void note_unknown (struct certificate *c, const struct history *h, const uint8_t *in) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if (in[txn] && h->txn_status.data[txn] == TXN_UNKNOWN)
      VEC_PUSH (c->took_place, txn);
}

// ------------------------------------------------------------------------------ unrecorded deletes

static bool has_blind_deletes (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_kinds.data[op] == OP_DEL && !(history_flags (h, op) & OP_RESULT_KNOWN))
      return true;
  return false;
}

// Those that the checker left in doubt it has settled since; the others wrote if they can have.
static void note_deletes (struct certificate *c, struct told *a, const uint8_t *in, const struct asg *asg,
                          const uint8_t *wrote) {
  uint8_t *settled = MEM_ZARRAY (uint8_t, history_ops (a->h)); // 1: wrote nothing, 2: wrote
  for (size_t i = 0; wrote && i < asg->unrecorded.count; i++)
    settled[asg->unrecorded.data[i].op] = wrote[i] ? 2 : 1;
  for (uint32_t txn = 0; told_next (a, in, &txn); txn++)
    for (size_t i = 0; i < a->unrecorded.count; i++) {
      const uint32_t op = a->unrecorded.data[i];
      if (settled[op] ? settled[op] == 2 : !told_is_refuted (a, op))
        VEC_PUSH (c->wrote, op);
    }
  mem_free (settled);
}

// ----------------------------------------------------------------------------------------- demands

static void note_alternatives (struct certificate *c, struct told *a, const struct certify_claim *claim) {
  struct claim_level level;
  struct complaint complaint;
  struct world world;
  if (!c->constraints.list.count || !claim_level_find (claim->claim.level, &level))
    return;
  if (world_make (&world, a, c, &level, &complaint) && world_order_versions (&world, NULL, NULL))
    certify_alternatives (c, &world, claim->preferred);
  world_free (&world);
}

// --------------------------------------------------------------------------------------- the order

#define POINT_NONE UINT32_MAX

static void note_serial_order (struct certificate *c, const struct ir_witness *w) {
  VEC_RESERVE (c->order, w->count);
  for (uint32_t i = 0; i < w->count; i++)
    VEC_PUSH (c->order, w->ir->asg->node_txn[w->order[i]]);
}

void certify_order (struct certificate *c, const struct ir_witness *w, const uint32_t *node_txn) {
  const unsigned points = w->ir->rules.points;
  const size_t all = (size_t) w->ir->nodes * points;
  uint32_t *at = mem_nones (all), placed = 0;
  for (uint32_t node = 1; node < w->ir->nodes; node++)
    for (unsigned which = 0; w->in[node] && which < points; which++, placed++)
      at[w->position[node * points + which]] = (node_txn ? node_txn[node] : node) * points + which;
  VEC_RESERVE (c->order, placed);
  for (size_t i = 0; i < all; i++)
    if (at[i] != POINT_NONE)
      VEC_PUSH (c->order, at[i]);
  mem_free (at);
}

// ----------------------------------------------------------------------------------------- sources

// A bit per read.
static bool is_late (const uint8_t *late, uint32_t read) {
  return late[read / 8] >> read % 8 & 1;
}

static void mark_late_reads (const struct ir_witness *w, const uint32_t *last, uint32_t node, uint8_t *late) {
  const struct asg *asg = w->ir->asg;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (w->read_writer[read] != NODE_NONE && w->read_writer[read] != last[asg->read_key[read]])
      late[read / 8] |= (uint8_t) (1u << read % 8);
}

static void install (const struct ir_witness *w, const uint32_t *key_of, uint32_t *last, uint32_t node) {
  const struct asg *asg = w->ir->asg;
  for (uint32_t i = asg->node_first_install[node]; i < asg->node_first_install[node + 1]; i++) {
    const uint32_t unrecorded = asg_install_unrecorded (asg, asg->node_installs[i]);
    if (unrecorded == UNRECORDED_NONE || w->wrote[unrecorded])
      last[key_of[asg->node_installs[i]]] = node;
  }
}

// Reads that are not of the last version before their transactions.
static uint8_t *find_late_reads (const struct certificate *c, const struct ir_witness *w) {
  const struct asg *asg = w->ir->asg;
  uint8_t *late = MEM_ZARRAY (uint8_t, asg->reads / 8 + 1);
  uint32_t *last = MEM_ZARRAY (uint32_t, asg->keys); // T0 at first
  uint32_t *key_of = groups_of_places (asg->key_first, asg->keys);
  for (size_t i = 0; i < c->order.count; i++) {
    const uint32_t point = c->order.data[i], node = asg->txn_node[point / c->points];
    if (point % c->points == 0)
      mark_late_reads (w, last, node, late);
    if (point % c->points == c->points - 1)
      install (w, key_of, last, node);
  }
  MEM_FREE_ALL (last, key_of);
  return late;
}

// The ASG's read of what was told as one read. Of equal ones that follow each other only the first
// is there, and stands for the others.
static uint32_t find_read (const struct ir_witness *w, uint32_t node, const struct told_read *read) {
  const struct asg *asg = w->ir->asg;
  const uint32_t first = asg->node_first_read[node];
  uint32_t at = upper_bound_u32 (asg->read_op, first, asg->node_first_read[node + 1], read->op);
  while (at > first) {
    at--;
    const unsigned several = (read->other ? READ_OTHER : 0u) | (read->or_absent ? READ_OR_ABSENT : 0u);
    if (w->read_writer[at] != NODE_NONE && asg->read_key[at] == read->key && asg->read_value[at] == read->value
        && (asg_read_flags (asg, at) & READ_SEVERAL) == several && (!asg->events || asg->read_op[at] == read->op)
        && hints_source (asg->hints, asg->read_op[at], read->key) == hints_source (asg->hints, read->op, read->key))
      return at;
  }
  return READ_NONE;
}

// Sources that are not the last version before the read. False: the ASG does not know a read.
static bool note_sources (struct certificate *c, const struct world *world, const struct ir_witness *w, uint32_t txn) {
  struct told *a = world->told;
  const struct asg *asg = w->ir->asg;
  const uint32_t node = asg->txn_node[txn];
  const size_t before = c->sources.count;
  told_add (a, txn);
  for (size_t i = 0; i < a->reads.count; i++) {
    const struct told_read *read = &a->reads.data[i];
    if (world_outcome (world, read) != OUTCOME_EXTERNAL)
      continue;
    const uint32_t at = find_read (w, node, read);
    if (at == READ_NONE)
      return false;
    const uint32_t source = w->read_writer[at] ? asg->node_txn[w->read_writer[at]] : INITIAL;
    struct placed_read placed;
    if (!world_place_read (world, read, NULL, &placed) || placed.source != source)
      VEC_PUSH (c->sources, (struct named_source){ read->op, read->key, source });
  }
  SORT (c->sources.data + before, c->sources.count - before, by_u32_pair);
  return true;
}

static bool has_late_reads (const struct asg *asg, const uint8_t *late, uint32_t node) {
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (is_late (late, read))
      return true;
  return false;
}

static bool note_sources_of (struct certificate *c, struct told *a, const struct ir_witness *w, const uint8_t *late) {
  const struct asg *asg = w->ir->asg;
  struct claim_level level = { FAMILY_READ_COMMITTED, false, false };
  struct complaint complaint;
  struct world world;
  bool fine = world_make (&world, a, c, &level, &complaint) && world_order_versions (&world, NULL, NULL);
  for (uint32_t txn = 0; txn < c->txns && fine; txn++)
    fine = asg->txn_node[txn] == NODE_NONE || !has_late_reads (asg, late, asg->txn_node[txn])
           || note_sources (c, &world, w, txn);
  world_free (&world);
  return fine;
}

static bool note_all_sources (struct certificate *c, struct told *a, const struct ir_witness *w) {
  uint8_t *late = find_late_reads (c, w);
  bool any = false;
  for (uint32_t i = 0; i < w->ir->asg->reads / 8 + 1 && !any; i++)
    any = late[i];
  const bool fine = !any || note_sources_of (c, a, w, late);
  mem_free (late);
  return fine;
}

// -------------------------------------------------------------------------------- sources, at once

// An operation reads one key at most, and what it read follows from it alone.
static bool is_plain (const struct certify_claim *claim) {
  const struct told *a = claim->told;
  return !a->order && !a->some_lists && !a->hints && !a->excusing && !claim->constraints;
}

struct late_read {
  uint32_t node, source; // the node that read the key last, if that read is late; and from whom
};

// Reads that were merged with an equal one before them have its source.
static void name_sources (struct certificate *c, const struct ir_witness *w, const uint8_t *late,
                          struct late_read *last, uint32_t txn) {
  const struct asg *asg = w->ir->asg;
  const struct history *h = asg->history;
  const uint32_t node = asg->txn_node[txn], end = asg->node_first_read[node + 1];
  uint32_t read = asg->node_first_read[node];
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    struct late_read *of_key = &last[h->op_keys.data[op]];
    if (read < end && asg->read_op[read] == op) {
      *of_key = (struct late_read){ is_late (late, read) ? node : 0, asg->node_txn[w->read_writer[read]] };
      read++;
    }
    if (of_key->node == node && h->op_kinds.data[op] != OP_PUT)
      VEC_PUSH (c->sources, (struct named_source){ op, h->op_keys.data[op], of_key->source });
  }
}

static void name_all_sources (struct certificate *c, const struct ir_witness *w) {
  _Static_assert(TXN_NONE == INITIAL, "the initial state goes by the same number");
  const struct asg *asg = w->ir->asg;
  uint8_t *late = find_late_reads (c, w);
  struct late_read *last = MEM_ZARRAY (struct late_read, c->keys); // node 0 reads nothing
  for (uint32_t txn = 0; txn < c->txns; txn++)
    if (asg->txn_node[txn] != NODE_NONE && has_late_reads (asg, late, asg->txn_node[txn]))
      name_sources (c, w, late, last, txn);
  MEM_FREE_ALL (last, late);
}

// --------------------------------------------------------------------------------------- a witness

// What the operations say is looked up only if somebody has to know.
static bool note_choices (struct certificate *c, const struct certify_claim *claim, const struct ir_witness *w,
                          const uint8_t *in) {
  const bool deletes = has_blind_deletes (claim->told->h), sources = w->position && w->ir->rules.wr.used;
  struct told *a = claim->told;
  if (!deletes && !sources && !claim->constraints)
    return true;
  if (!deletes && claim->generous && is_plain (claim)) {
    name_all_sources (c, w);
    return true;
  }
  if (deletes)
    note_deletes (c, a, in, w->ir->asg, w->position ? w->wrote : NULL);
  const bool fine = !sources || note_all_sources (c, a, w);
  if (fine)
    note_alternatives (c, a, claim);
  return fine;
}

struct certificate *certify_witness (const struct certify_claim *claim, const struct ir_witness *w) {
  struct certificate *c = new_certificate (claim);
  uint8_t *in = MEM_ZARRAY (uint8_t, c->txns);
  for (uint32_t node = 1; node < w->ir->asg->nodes; node++)
    in[w->ir->asg->node_txn[node]] = w->in[node];
  note_unknown (c, claim->told->h, in);
  if (w->position) {
    c->points = w->ir->rules.points;
    certify_order (c, w, w->ir->asg->node_txn);
  } else
    note_serial_order (c, w);
  const bool fine = note_choices (c, claim, w, in);
  mem_free (in);
  if (fine)
    return c;
  certificate_free (c);
  return NULL;
}
