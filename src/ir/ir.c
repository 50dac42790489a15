#include "ir/ir.h"

#include "base/search.h"

const char *edge_kind_name (enum edge_kind kind) {
  static const char *const names[EDGE_KINDS] = { "so", "rt", "ww", "wr", "rw", "given" };
  return (unsigned) kind < EDGE_KINDS ? names[kind] : "?";
}

void ir_free (struct ir *ir) {
  if (!ir)
    return;
  if (ir->release)
    ir->release (ir->lender);
  VEC_FREE_EACH (ir->owned, mem_free);
  MEM_FREE_ALL (ir->owned.data, ir->label, ir->fault, ir->undefined, ir->tentative, ir->node_id, ir->value_label,
                ir->holds.data, ir->derived.data, ir->read_anti, ir->read_when, ir->presences, ir->node_presence,
                ir->install_presence, ir->read_presence, ir->time_before, ir->time_after, ir->hint, ir->edges.data,
                ir->edge_module.data);
  constraints_free (ir->constraints);
  mem_free (ir);
}

void ir_constrain (struct ir *ir, struct constraints *constraints) {
  ir->constraints = constraints;
  for (size_t i = 0; constraints && i < constraints->list.count; i++) {
    const struct constraint *constraint = &constraints->list.data[i];
    const struct constraint_alternative *only = &constraints->alternatives.data[constraint->first_alternative];
    for (uint32_t k = 0; constraint->known && k < only->edges; k++) {
      VEC_PUSH (ir->edges, constraints->edges.data[only->first_edge + k]);
      VEC_PUSH (ir->edge_module, constraint->module);
    }
  }
}

const char *ir_edge_module (const struct ir *ir, uint32_t edge) {
  const size_t others = ir->edges.count - ir->edge_module.count;
  if (edge >= ir->edges.count || edge < others)
    return NULL;
  return ir->constraints->modules.data[ir->edge_module.data[edge - others]];
}

uint32_t ir_writes (const struct ir *ir, uint32_t node) {
  uint32_t low = ir->first_delete + ir->deletes;
  // ascending by node
  LOWER_BOUND (low, ir->presence_count, middle, ir->presences[middle].node < node);
  return low < ir->presence_count && ir->presences[low].node == node ? low : 0;
}

uint32_t ir_install_of (const struct ir *ir, uint32_t key, uint32_t node) {
  const uint32_t install = find_u32 (ir->install_node, ir->key_first[key], ir->key_first[key + 1], node);
  return install == NOT_FOUND ? INSTALL_NONE : install;
}

uint64_t ir_txn_id (const struct ir *ir, uint32_t node) {
  return ir->node_id ? ir->node_id[node] : node;
}

bool ir_asks_for_serial (const struct ir *ir) {
  return ir->rules.points == 1 && ir->rules.wr.used && ir->rules.anti == ANTI_EDGE && !ir->marks_reads && !ir->read_anti
         && !ir->deletes;
}

const char *ir_contradiction (const struct ir *ir) {
  if (ir->fault)
    return ir->fault;
  for (uint32_t node = 1; ir->rules.wr.used && node < ir->nodes; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (ir->read_source[read] == SOURCE_NONE)
        return "a read has no source";
  return NULL;
}
