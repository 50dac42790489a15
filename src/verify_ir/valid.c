// `valid`: the certificate's choices as a witness of the IR.

#include "ir/witness_check.h"
#include "verify_ir/verify_ir.h"

// What a witness consists of, per transaction, delete, constraint, read and point.
struct choices {
  uint8_t *in, *wrote;
  uint32_t *chosen, *read_writer, *position;
};

static struct choices choices_new (const struct ir *ir) {
  struct choices choices = { .in = MEM_ARRAY (uint8_t, ir->nodes),
                             .wrote = MEM_ZARRAY (uint8_t, ir->deletes),
                             .chosen = ir->constraints ? mem_nones (ir->constraints->list.count) : NULL,
                             .read_writer = mem_nones (ir->reads),
                             .position = mem_nones ((size_t) ir->nodes * ir->rules.points) };
  for (uint32_t node = 0; node < ir->nodes; node++)
    choices.in[node] = ir_node_presence (ir, node) == ALWAYS;
  for (uint32_t read = 0; read < ir->reads; read++) {
    const uint32_t source = ir->read_source[read];
    if (source == SOURCE_INITIAL)
      choices.read_writer[read] = 0;
    else if (source < SOURCE_MANY)
      choices.read_writer[read] = ir->install_node[source];
  }
  return choices;
}

static bool take_presences (const struct ir *ir, const struct certificate *c, struct choices *choices,
                            struct complaint *complaint) {
  for (size_t i = 0; i < c->took_place.count; i++) {
    if (choices->in[c->took_place.data[i]])
      return complain (complaint, "a transaction took place that is there in any case");
    choices->in[c->took_place.data[i]] = true;
  }
  for (size_t i = 0; i < c->wrote.count; i++) {
    const uint32_t number = c->wrote.data[i];
    if (number >= ir->deletes || !choices->in[ir->presences[ir->first_delete + number].node])
      return complain (complaint, "a delete wrote that is not there");
    choices->wrote[number] = true;
  }
  return true;
}

static bool take_order (const struct ir *ir, const struct certificate *c, struct choices *choices,
                        struct complaint *complaint) {
  size_t points = 0;
  if (c->points != ir->rules.points)
    return complain (complaint, "transactions have another number of points");
  for (uint32_t node = 1; node < ir->nodes; node++)
    points += choices->in[node] ? c->points : 0;
  for (uint32_t i = 0; i < c->order.count; i++) {
    const uint32_t point = c->order.data[i], node = point / c->points;
    if (!node || !choices->in[node] || choices->position[point] != UINT32_MAX)
      return complain (complaint, "a point is in the order twice, or does not belong there");
    choices->position[point] = i;
  }
  return c->order.count == points || complain (complaint, "a point is missing in the order");
}

static bool take_sources (const struct ir *ir, const struct certificate *c, struct choices *choices,
                          struct complaint *complaint) {
  for (size_t i = 0; i < c->sources.count; i++) {
    const struct named_source *named = &c->sources.data[i];
    if (!source_is_many (ir->read_source[named->op]) || named->key != ir->read_key[named->op])
      return complain (complaint, "a source is named of a read that is not open, or of another key");
    choices->read_writer[named->op] = named->source + 1; // INITIAL: T0
  }
  return true;
}

static bool take_alternatives (const struct ir *ir, const struct certificate *c, struct choices *choices,
                               struct complaint *complaint) {
  const size_t count = ir->constraints ? ir->constraints->list.count : 0;
  if (c->constraints.list.count != count)
    return complain (complaint, "there is another number of constraints");
  for (size_t i = 0; i < count; i++) {
    const uint32_t chosen = c->constraints.list.data[i].chosen;
    if (chosen > ir->constraints->list.data[i].alternatives)
      return complain (complaint, "an alternative of a constraint that it does not have");
    choices->chosen[i] = chosen - 1;
  }
  return true;
}

bool ir_verify_valid (const struct ir *ir, const struct certificate *c, struct budget *budget,
                      struct complaint *complaint) {
  struct choices choices = choices_new (ir);
  const char *why = NULL;
  bool fine = take_presences (ir, c, &choices, complaint) && take_order (ir, c, &choices, complaint)
              && take_sources (ir, c, &choices, complaint) && take_alternatives (ir, c, &choices, complaint);
  const struct ir_witness witness = { .ir = ir,
                                      .in = choices.in,
                                      .wrote = choices.wrote,
                                      .chosen = choices.chosen,
                                      .read_writer = choices.read_writer,
                                      .position = choices.position };
  fine = fine && (ir_holds_witness (ir, &witness, budget, &why) == ACCEPTED || complain (complaint, "%s", why));
  MEM_FREE_ALL (choices.in, choices.wrote, choices.chosen, choices.read_writer, choices.position);
  return fine;
}
