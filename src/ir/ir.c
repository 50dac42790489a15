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
    ir->release (ir);
  mem_free (ir->read_anti);
  mem_free (ir->read_when);
  mem_free (ir->presences);
  mem_free (ir->node_presence);
  mem_free (ir->install_presence);
  mem_free (ir->read_presence);
  mem_free (ir->time_before);
  mem_free (ir->time_after);
  mem_free (ir->hint);
  VEC_FREE (ir->edges);
  VEC_FREE (ir->edge_module);
  demands_free (ir->demands);
  mem_free (ir);
}

void ir_demand (struct ir *ir, struct demands *demands) {
  ir->demands = demands;
  for (size_t i = 0; demands && i < demands->list.count; i++) {
    const struct demand *demand = &demands->list.data[i];
    const struct demand_alternative *only = &demands->alternatives.data[demand->first_alternative];
    for (uint32_t k = 0; demand->known && k < only->edges; k++) {
      VEC_PUSH (ir->edges, demands->edges.data[only->first_edge + k]);
      VEC_PUSH (ir->edge_module, demand->module);
    }
  }
}

const char *ir_edge_module (const struct ir *ir, uint32_t edge) {
  const size_t others = ir->edges.count - ir->edge_module.count;
  if (edge >= ir->edges.count || edge < others)
    return NULL;
  return ir->demands->modules.data[ir->edge_module.data[edge - others]];
}

uint32_t ir_writes (const struct ir *ir, uint32_t node) {
  uint32_t low = ir->first_delete + ir->deletes;
  LOWER_BOUND (low, ir->presence_count, middle, ir->presences[middle].node < node); // ascending by node
  return low < ir->presence_count && ir->presences[low].node == node ? low : 0;
}

uint32_t ir_install_of (const struct ir *ir, uint32_t key, uint32_t node) {
  const uint32_t install = find_u32 (ir->install_node, ir->key_first[key], ir->key_first[key + 1], node);
  return install == NOT_FOUND ? INSTALL_NONE : install;
}
