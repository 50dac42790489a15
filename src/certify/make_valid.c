#include "certify/make.h"

#include "asg/asg.h"
#include "base/sort.h"
#include "certify/valid.h"
#include "hints/hints.h"
#include "solve/witness.h"

static struct certificate *new_certificate (const struct certify_claim *claim) {
  struct certificate *c = certificate_new (&claim->claim, claim->h);
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
    if (h->op_kinds.data[op] == OP_DEL && !(h->op_flags.data[op] & OP_RESULT_KNOWN))
      return true;
  return false;
}

static bool breaks_if_it_wrote (const struct told *a, uint32_t delete) {
  for (size_t i = 0; i < a->reads.count; i++)
    if (a->reads.data[i].unrecorded == delete &&a->reads.data[i].if_wrote == OUTCOME_BROKEN)
      return true;
  return false;
}

// Those that the checker left in doubt it has settled since; the others wrote if they can have.
static void note_deletes (struct certificate *c, struct told *a, const uint8_t *in, const struct asg *asg,
                          const uint8_t *wrote) {
  uint8_t *settled = MEM_ZARRAY (uint8_t, history_ops (a->h)); // 1: wrote nothing, 2: wrote
  for (size_t i = 0; wrote && i < asg->unrecorded.count; i++)
    settled[asg->unrecorded.data[i].op] = wrote[i] ? 2 : 1;
  for (uint32_t txn = 0; txn < history_txns (a->h); txn++) {
    if (!in[txn])
      continue;
    told_add (a, txn);
    for (size_t i = 0; i < a->unrecorded.count; i++) {
      const uint32_t op = a->unrecorded.data[i];
      if (settled[op] ? settled[op] == 2 : !breaks_if_it_wrote (a, op))
        VEC_PUSH (c->wrote, op);
    }
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
  if (world_make (&world, a, c, &level, &complaint))
    certify_alternatives (c, &world, claim->preferred);
  world_free (&world);
}

// ---------------------------------------------------------------------------------------- an order

struct certificate *certify_order (const struct certify_claim *claim, const uint32_t *txns, uint32_t count) {
  struct certificate *c = new_certificate (claim);
  uint8_t *in = MEM_ZARRAY (uint8_t, history_txns (claim->h));
  const char *problem;
  VEC_RESERVE (c->order, count);
  for (uint32_t i = 0; i < count; i++) {
    VEC_PUSH (c->order, txns[i]);
    in[txns[i]] = 1;
  }
  note_unknown (c, claim->h, in);
  const bool blind = has_blind_deletes (claim->h);
  struct told *a =
    blind || claim->constraints ? told_new (claim->h, claim->claim.policy, claim->hints, false, &problem) : NULL;
  if (a && blind)
    note_deletes (c, a, in, NULL, NULL);
  if (a)
    note_alternatives (c, a, claim);
  told_free (a);
  mem_free (in);
  return c;
}

// --------------------------------------------------------------------------------------- a witness

#define POINT_NONE UINT32_MAX

static void note_order (struct certificate *c, const struct witness *w) {
  const struct asg *asg = w->asg;
  const unsigned points = c->points;
  const size_t all = (size_t) asg->nodes * points;
  uint32_t *at = mem_nones (all);
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (unsigned which = 0; w->in[node] && which < points; which++)
      at[w->position[node * points + which]] = asg->node_txn[node] * points + which;
  for (size_t i = 0; i < all; i++)
    if (at[i] != POINT_NONE)
      VEC_PUSH (c->order, at[i]);
  mem_free (at);
}

// The ASG's read of what was told of one read, from `from` on and around; equal ones may be one
// there.
static uint32_t find_read (const struct asg *asg, uint32_t node, const struct told_read *read, uint32_t from) {
  const uint32_t first = asg->node_first_read[node], count = asg->node_first_read[node + 1] - first;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t at = first + (from - first + i) % count;
    const unsigned several = (read->other ? READ_OTHER : 0u) | (read->or_absent ? READ_OR_ABSENT : 0u);
    if (asg->read_key[at] == read->key && asg->read_value[at] == read->value
        && (asg_read_flags (asg, at) & READ_SEVERAL) == several && (!asg->events || asg->read_op[at] == read->op)
        && hints_source (asg->hints, asg->read_op[at], read->key) == hints_source (asg->hints, read->op, read->key))
      return at;
  }
  return READ_NONE;
}

// Sources that are not the last version before the read. False: the ASG does not know a read.
static bool note_sources (struct certificate *c, const struct world *world, const struct witness *w, uint32_t txn) {
  struct told *a = world->told;
  const struct asg *asg = w->asg;
  const uint32_t node = asg->txn_node[txn];
  const size_t before = c->sources.count;
  uint32_t next = asg->node_first_read[node];
  told_add (a, txn);
  for (size_t i = 0; i < a->reads.count; i++) {
    const struct told_read *read = &a->reads.data[i];
    if (world_outcome (world, read) != OUTCOME_EXTERNAL)
      continue;
    const uint32_t at = find_read (asg, node, read, next);
    if (at == READ_NONE)
      return false;
    next = at + 1 < asg->node_first_read[node + 1] ? at + 1 : asg->node_first_read[node];
    const uint32_t install = w->read_source[at];
    const uint32_t source = install == SOURCE_INITIAL ? INITIAL : asg->node_txn[asg->install_node[install]];
    struct placed_read placed;
    if (!world_place_read (world, read, NULL, &placed) || placed.source != source)
      VEC_PUSH (c->sources, (struct named_source){ read->op, read->key, source });
  }
  SORT (c->sources.data + before, c->sources.count - before, by_u32_pair);
  return true;
}

static bool note_all_sources (struct certificate *c, struct told *a, const struct witness *w) {
  struct claim_level level = { FAMILY_READ_COMMITTED, false, false };
  struct complaint complaint;
  struct world world;
  bool fine = world_make (&world, a, c, &level, &complaint);
  for (uint32_t txn = 0; txn < history_txns (a->h) && fine; txn++)
    fine = !world.in[txn] || note_sources (c, &world, w, txn);
  world_free (&world);
  return fine;
}

struct certificate *certify_witness (const struct certify_claim *claim, const struct witness *w,
                                     const struct asg *unrecorded, const uint8_t *wrote) {
  const struct history *h = claim->h;
  const char *problem;
  struct told *a = told_new (h, claim->claim.policy, claim->hints, false, &problem);
  if (!a)
    return NULL;
  struct certificate *c = new_certificate (claim);
  uint8_t *in = MEM_ZARRAY (uint8_t, history_txns (h));
  for (uint32_t node = 1; node < w->asg->nodes; node++)
    in[w->asg->node_txn[node]] = w->in[node];
  c->points = w->level->rules.points;
  note_unknown (c, h, in);
  if (has_blind_deletes (h))
    note_deletes (c, a, in, unrecorded, wrote);
  note_order (c, w);
  const bool fine = !w->level->rules.wr.used || note_all_sources (c, a, w);
  if (fine)
    note_alternatives (c, a, claim);
  mem_free (in);
  told_free (a);
  if (fine)
    return c;
  certificate_free (c);
  return NULL;
}
