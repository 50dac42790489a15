#include "cnf/words.h"

#include "base/group.h"
#include "base/output.h"
#include "ir/kir.h"

#include <inttypes.h>

struct teller {
  const struct ir *ir;
  const struct kir_names *names;
  struct output *output;
};

static void put_node (const struct teller *t, uint32_t node) {
  if (node)
    output_printf (t->output, "T%" PRIu64, ir_txn_id (t->ir, node));
  else
    output_text (t->output, "the initial state");
}

static void put_key (const struct teller *t, uint32_t key) {
  if (t->names && t->names->key)
    t->names->key (t->names->context, t->output, key);
  else
    output_printf (t->output, "k%" PRIu32, key);
}

static void put_value (const struct teller *t, uint32_t value) {
  if (t->names && t->names->value)
    t->names->value (t->names->context, t->output, value);
  else
    output_printf (t->output, "v%" PRIu32, value);
}

// Reads of a transaction count from 1.
static void put_source (const struct teller *t, uint32_t read, uint32_t source) {
  const struct ir *ir = t->ir;
  const uint32_t node = group_of_place (ir->node_first_read, ir->nodes, read);
  output_printf (t->output, "read %" PRIu32 " of ", read - ir->node_first_read[node] + 1);
  put_node (t, node);
  output_text (t->output, " (key ");
  put_key (t, ir->read_key[read]);
  output_text (t->output, ") reads from ");
  put_node (t, ir_writer_of (ir, source));
}

static void put_presence (const struct teller *t, uint32_t entry) {
  const struct presence *presence = &t->ir->presences[entry];
  if (presence->kind == PRESENCE_WRITES)
    output_text (t->output, "a delete of ");
  put_node (t, presence->node);
  if (presence->kind == PRESENCE_IN)
    output_text (t->output, " took place");
  if (presence->kind == PRESENCE_WRITES)
    output_text (t->output, " found something");
  if (presence->kind != PRESENCE_WROTE)
    return;
  output_text (t->output, " deleted a version of ");
  put_key (t, presence->key);
}

static void put_initial (const struct teller *t, uint32_t key, uint32_t value) {
  put_key (t, key);
  if (value == INITIAL_OPEN) {
    output_text (t->output, " has an initial value that no read asks for");
    return;
  }
  output_text (t->output, " has the initial value ");
  put_value (t, value);
}

static void put_two (const struct teller *t, uint32_t a, const char *between, uint32_t b) {
  put_node (t, a);
  output_text (t->output, between);
  put_node (t, b);
}

// Points in time have no names, and what is no edge at all helps to say something else.
static void put_edge (const struct teller *t, uint32_t a, uint32_t b) {
  if (a == NODE_NONE && b == NODE_NONE) {
    output_text (t->output, "a helper: one of the variables before it holds");
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t node = i ? b : a;
    output_text (t->output, i ? " leads to " : "");
    if (node == NODE_NONE)
      output_text (t->output, "a point in time");
    else
      put_node (t, node);
  }
}

void words_of_variable (const struct problem *problem, const struct ir *ir, const struct kir_names *names,
                        uint32_t variable, struct output *output) {
  const struct teller t = { ir, names, output };
  const struct variable *v = &problem->variables.data[variable];
  switch (v->kind) {
  case VARIABLE_PAIR: put_two (&t, v->a, " before ", v->b); break;
  case VARIABLE_SOURCE: put_source (&t, v->a, v->b); break;
  case VARIABLE_PRESENCE: put_presence (&t, v->a); break;
  case VARIABLE_INITIAL: put_initial (&t, v->a, v->b); break;
  case VARIABLE_TRUE:
    output_text (output, "true, for what is known of ");
    put_node (&t, v->a);
    break;
  case VARIABLE_ALTERNATIVE:
    output_printf (output, "alternative %" PRIu32 " of demand %" PRIu32 " of modules", v->b + 1, v->a + 1);
    break;
  case VARIABLE_EDGE: put_edge (&t, v->a, v->b); break;
  }
}
