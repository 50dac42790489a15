// What modules demand of a history, as a constraint of its nodes, reads and installs at a level.

#include "asg/asg.h"
#include "base/group.h"
#include "levels/levels.h"
#include "levels/lower.h"

struct lowering {
  const struct constraints *old;
  struct constraints *new;
  const struct asg *from, *to;
  uint32_t *reader; // per read of `from`: its node there
};

enum truth { SURELY_NOT, SURELY, PERHAPS };

// The same read in the other ASG: reads of a transaction are in program order, and one operation
// reads a key once. UINT32_MAX: it is not there, because its delete is taken to have written.
static uint32_t same_read (const struct lowering *l, uint32_t read) {
  if (l->from == l->to)
    return read;
  const uint32_t node = l->to->txn_node[l->from->node_txn[l->reader[read]]];
  const uint32_t op = l->from->read_op[read], end = l->to->node_first_read[node + 1];
  uint32_t same = lower_bound_u32 (l->to->read_op, l->to->node_first_read[node], end, op);
  for (; same < end && l->to->read_op[same] == op; same++)
    if (l->to->read_key[same] == l->from->read_key[read])
      return same;
  return UINT32_MAX;
}

static bool is_certain (const struct asg *asg, uint32_t reader, uint32_t read, uint32_t source) {
  if (asg->optional[reader] || asg_read_unrecorded (asg, read) != UNRECORDED_NONE)
    return false;
  return source == SOURCE_INITIAL
         || (!asg->optional[asg->install_node[source]] && asg_install_unrecorded (asg, source) == UNRECORDED_NONE);
}

static enum truth lower_condition (const struct lowering *l, struct constraint_condition *condition) {
  const struct asg *asg = l->to;
  const uint32_t reader = asg->txn_node[l->from->node_txn[l->reader[condition->read]]];
  const uint32_t read = same_read (l, condition->read);
  if (read == UINT32_MAX)
    return SURELY_NOT;
  uint32_t source = SOURCE_INITIAL;
  if (condition->source != SOURCE_INITIAL) {
    const uint32_t writer = asg->txn_node[condition->source];
    source = writer == NODE_NONE ? UINT32_MAX : asg_install_of (asg, asg->read_key[read], writer);
    if (source == UINT32_MAX)
      return SURELY_NOT;
  }
  *condition = (struct constraint_condition){ read, source };
  if (source_is_many (asg->read_source[read]))
    return PERHAPS;
  if (asg->read_source[read] != source)
    return SURELY_NOT;
  return is_certain (asg, reader, read, source) ? SURELY : PERHAPS;
}

// False: some condition cannot hold.
static bool lower_conditions (struct lowering *l, const struct constraint *constraint, bool *certain) {
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    struct constraint_condition condition = l->old->conditions.data[constraint->first_condition + i];
    const enum truth truth = lower_condition (l, &condition);
    if (truth == SURELY_NOT)
      return false;
    if (truth == PERHAPS)
      *certain = false;
    constraints_add_condition (l->new, condition);
  }
  return true;
}

// False: some alternative holds whatever happens, since all its transactions that are in the graph
// can stand as they like.
static bool lower_alternatives (struct lowering *l, const struct constraint *constraint, bool *certain) {
  const struct asg *asg = l->to;
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const struct constraint_alternative *alternative = &l->old->alternatives.data[constraint->first_alternative + i];
    constraints_begin_alternative (l->new);
    for (uint32_t k = 0; k < alternative->edges; k++) {
      const struct ir_edge edge = l->old->edges.data[alternative->first_edge + k];
      const uint32_t from = asg->txn_node[edge.from], to = asg->txn_node[edge.to];
      if (from == NODE_NONE || to == NODE_NONE) // unknown, and surely out
        continue;
      *certain = *certain && !asg->optional[from] && !asg->optional[to];
      constraints_add_edge (l->new, (struct ir_edge){ from, to });
    }
    if (!l->new->alternatives.data[l->new->alternatives.count - 1].edges)
      return false;
  }
  *certain = *certain && constraint->alternatives == 1;
  return true;
}

static void lower_constraint (struct lowering *l, const struct constraint *constraint) {
  bool certain = true;
  constraints_begin (l->new, constraint->module);
  if (!lower_conditions (l, constraint, &certain) || !lower_alternatives (l, constraint, &certain)) {
    constraints_take_back (l->new);
    return;
  }
  l->new->list.data[l->new->list.count - 1].known = certain;
  l->new->list.data[l->new->list.count - 1].number = (uint32_t) (constraint - l->old->list.data);
  l->new->open += !certain;
}

struct constraints *lower_constraints (const struct constraints *constraints, const struct asg *from,
                                       const struct asg *to, const struct level *level) {
  if (!constraints || !constraints->list.count)
    return NULL;
  struct lowering l = { .old = constraints, .new = constraints_new (), .from = from, .to = to };
  l.reader = groups_of_places (from->node_first_read, from->nodes);
  for (size_t i = 0; i < constraints->modules.count; i++)
    VEC_PUSH (l.new->modules, constraints->modules.data[i]);
  for (size_t i = 0; i < constraints->list.count; i++)
    if (level->rules.wr.used || !constraints->list.data[i].conditions) // else no read has a source
      lower_constraint (&l, &constraints->list.data[i]);
  mem_free (l.reader);
  return l.new;
}
