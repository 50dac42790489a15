// `valid` of a .kir file: the witness that was accepted, written down.

#include "certify/make.h"
#include "ir/witness_check.h"
#include "verify_ir/verify_ir.h"

static void put_sources (const struct ir_witness *w, struct certificate *c) {
  const struct ir *ir = w->ir;
  for (uint32_t read = 0; read < ir->reads; read++)
    if (source_is_many (ir->read_source[read]) && w->read_writer[read] != NODE_NONE)
      VEC_PUSH (c->sources, (struct named_source){ read, ir->read_key[read], w->read_writer[read] - 1 });
}

static void put_alternatives (const struct ir_witness *w, struct certificate *c) {
  const struct constraints *constraints = w->ir->constraints;
  for (size_t i = 0; constraints && i < constraints->list.count; i++)
    VEC_PUSH (c->constraints.list, (struct cert_constraint){ .chosen = w->chosen ? w->chosen[i] + 1 : 0 });
}

static struct certificate *write_down (const struct ir_witness *w) {
  const struct ir *ir = w->ir;
  struct certificate *c = ir_certificate_new (ir, true);
  for (uint32_t node = 1; node < ir->nodes; node++)
    if (w->in[node] && ir_node_presence (ir, node) != ALWAYS)
      VEC_PUSH (c->took_place, node);
  for (uint32_t i = 0; i < ir->deletes; i++)
    if (w->wrote[i] && w->in[ir->presences[ir->first_delete + i].node])
      VEC_PUSH (c->wrote, i);
  certify_order (c, w, NULL);
  put_sources (w, c);
  put_alternatives (w, c);
  return c;
}

struct certificate *certify_ir_witness (const struct ir *ir, const struct ir_witness *w) {
  struct ir_witness placed = *w;
  uint32_t *position = NULL, *writer = NULL;
  placed.ir = ir;
  if (!w->position) {
    placed.position = position = MEM_ZARRAY (uint32_t, (size_t) ir->nodes * ir->rules.points);
    placed.read_writer = writer = mem_nones (ir->reads);
    ir_run_in_order (ir, w, position, writer);
  }
  struct certificate *c = write_down (&placed);
  MEM_FREE_ALL (position, writer);
  return c;
}
