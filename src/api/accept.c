// The last word on `valid`: a witness is held against the history, by replaying it where a serial
// order is asked for, and else by building again what the level demands.

#include "api/accept.h"

#include "asg/asg.h"
#include "certify/make.h"
#include "dialects/dialects.h"
#include "hints/hints.h"
#include "history/history.h"
#include "levels/levels.h"
#include "levels/lower.h"
#include "solve/replay.h"
#include "solve/witness.h"
#include "solve/witness_constraints.h"

#include <string.h>

// A certificate speaks of the history, of its hints, of the parts that a dialect makes and of what
// modules demand; not of edges from elsewhere.
static bool is_to_be_certified (const struct to_accept *a) {
  return a->options->certify && (a->given->program_order || !a->given->edge_count);
}

static bool trusts_commit_ts (const struct hints *hints) {
  return hints && hints->trust_commit_ts && hints->commit_ts;
}

// Per demand of the modules, the alternative that the search took; NULL: it took none.
static uint32_t *preferred_alternatives (const struct to_accept *a, const struct ir_witness *w) {
  if (!a->given->certified || !w->chosen || !w->ir->constraints)
    return NULL;
  uint32_t *preferred = MEM_ARRAY (uint32_t, a->given->constraints->list.count);
  memset (preferred, 0xff, a->given->constraints->list.count * sizeof *preferred);
  for (size_t i = 0; i < w->ir->constraints->list.count; i++)
    preferred[w->ir->constraints->list.data[i].number] = w->chosen[i];
  return preferred;
}

static struct certify_claim claim_of (const struct to_accept *a, const struct ir_witness *w,
                                      const uint32_t *preferred) {
  _Static_assert(OWN_MUST + 0 == POLICY_MUST + 0 && OWN_EXTERNAL + 0 == POLICY_EXTERNAL + 0
                   && OWN_MAY + 0 == POLICY_MAY + 0,
                 "policies go by the same numbers");
  return (struct certify_claim){ .h = w->ir->asg->history,
                                 .claim = { .level = a->options->level->name,
                                            .policy = (enum own_policy) a->options->own_writes,
                                            .clock_skew = a->options->clock_skew,
                                            .trust_commit_ts = trusts_commit_ts (w->ir->asg->hints),
                                            .dialect = a->options->dialect ? a->options->dialect->name : NULL },
                                 .hints = w->ir->asg->hints,
                                 .constraints = a->given->certified,
                                 .preferred = preferred };
}

static const char broken_constraint[] = "the order breaks what a module demands";

// --------------------------------------------------------------------------------- a serial order

// It says by itself whom each read reads from.
static bool serial_order_meets_constraints (const struct ir_witness *w) {
  const struct asg *asg = w->ir->asg;
  if (!w->ir->constraints)
    return true;
  ir_edge_vec edges = VEC_EMPTY;
  uint32_t *source = sources_in_order (asg, w->order, w->count, w->wrote);
  uint32_t *position = MEM_ZARRAY (uint32_t, asg->nodes);
  for (uint32_t i = 0; i < w->count; i++)
    position[w->order[i]] = i;
  const bool fine = constraints_hold (&(struct constrained){ .constraints = w->ir->constraints,
                                                             .asg = asg,
                                                             .in = w->in,
                                                             .read_writer = source,
                                                             .position = position,
                                                             .points = 1 },
                                      &edges);
  mem_free (source);
  mem_free (position);
  VEC_FREE (edges);
  return fine;
}

static enum acceptance accept_serial (const struct to_accept *a, const struct ir_witness *w, const char **why) {
  const struct asg *asg = w->ir->asg;
  const struct history *h = asg->history;
  uint32_t *txns = MEM_ARRAY (uint32_t, w->count);
  for (uint32_t i = 0; i < w->count; i++)
    txns[i] = asg->node_txn[w->order[i]];
  bool fine = replay_serial_order (h, asg->hints, w->ir->level, a->options->clock_skew, a->options->own_writes, txns,
                                   w->count, why)
              && replay_hints (h, asg->hints, txns, w->count, why)
              && replay_given_edges (h, a->given->edges, a->given->edge_count, txns, w->count, why);
  if (fine && !serial_order_meets_constraints (w)) {
    fine = false;
    *why = broken_constraint;
  }
  if (fine && is_to_be_certified (a)) {
    uint32_t *preferred = preferred_alternatives (a, w);
    const struct certify_claim claim = claim_of (a, w, preferred);
    *a->certificate = certify_order (&claim, txns, w->count);
    mem_free (preferred);
  }
  mem_free (txns);
  return fine ? ACCEPTED : REFUSED;
}

// ------------------------------------------------------------------------- any other order of points

// The ASG that a witness speaks of: one without unrecorded deletes. `source` is filled for its
// reads.
static struct asg *asg_of_witness (const struct ir_witness *w, uint32_t **source) {
  const struct asg *asg = w->ir->asg;
  uint32_t *new_install = NULL, *new_read = NULL;
  struct asg *settled = w->wrote ? asg_settle (asg, w->wrote, &new_install, &new_read) : NULL;
  *source = MEM_ARRAY (uint32_t, asg->reads);
  for (uint32_t read = 0; read < asg->reads; read++) {
    const uint32_t at = new_read ? new_read[read] : read, writer = w->read_writer[read];
    if (at == READ_NONE)
      continue;
    const uint32_t install =
      writer == NODE_NONE || !writer ? SOURCE_INITIAL : asg_install_of (asg, asg->read_key[read], writer);
    (*source)[at] = install == SOURCE_INITIAL || !new_install ? install : new_install[install];
  }
  mem_free (new_install);
  mem_free (new_read);
  return settled;
}

// Edges that the order must keep besides those of the level, in `edges`. False: there is no telling
// which, since a module's constraint is not met.
static bool collect_given (const struct to_accept *a, const struct ir_witness *w, ir_edge_vec *edges) {
  const struct asg *asg = w->ir->asg;
  for (size_t i = 0; i < a->given->edge_count; i++)
    VEC_PUSH (*edges, (struct ir_edge){ asg->txn_node[a->given->edges[i].from], asg->txn_node[a->given->edges[i].to] });
  return !w->ir->constraints
         || constraints_hold (&(struct constrained){ .constraints = w->ir->constraints,
                                                     .asg = asg,
                                                     .in = w->in,
                                                     .read_writer = w->read_writer,
                                                     .position = w->position,
                                                     .points = w->ir->rules.points,
                                                     .chosen = w->chosen },
                              edges);
}

static enum acceptance accept_points (const struct to_accept *a, const struct ir_witness *w, const char **why) {
  uint32_t *source;
  struct asg *settled = asg_of_witness (w, &source);
  ir_edge_vec edges = VEC_EMPTY;
  const bool met = collect_given (a, w, &edges);
  const struct witness witness = {
    .asg = settled ? settled : w->ir->asg,
    .level = w->ir->level,
    .clock_skew = a->options->clock_skew,
    .in = w->in,
    .read_source = source,
    .position = w->position,
    .edges = edges.data,
    .edge_count = edges.count,
    .budget = a->options->budget,
  };
  *why = broken_constraint;
  const enum witness_answer answer = met ? witness_check (&witness, why) : WITNESS_FAILS;
  if (answer == WITNESS_HOLDS && is_to_be_certified (a)) {
    uint32_t *preferred = preferred_alternatives (a, w);
    const struct certify_claim claim = claim_of (a, w, preferred);
    *a->certificate = certify_witness (&claim, &witness, w->ir->asg, w->wrote);
    mem_free (preferred);
  }
  VEC_FREE (edges);
  mem_free (source);
  asg_free (settled);
  return answer == WITNESS_HOLDS ? ACCEPTED : answer == WITNESS_STOPPED ? STOPPED : REFUSED;
}

enum acceptance accept_witness (void *context, const struct ir_witness *w, const char **why) {
  const struct to_accept *a = context;
  return w->position ? accept_points (a, w, why) : accept_serial (a, w, why);
}
