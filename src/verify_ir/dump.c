// A certificate of a .kir file as text: in its words, and those of its expanded text.

#include "verify/dump.h"
#include "base/output.h"
#include "ir/kir.h"
#include "verify_ir/sentence.h"
#include "verify_ir/verify_ir.h"

#include <inttypes.h>

struct dump {
  const struct ir *ir;
  const struct certificate *c;
  struct output *out;
};

// ------------------------------------------------------------------------------------------- valid

static void put_txn (const struct dump *d, const char *before, uint32_t node) {
  if (node < d->ir->nodes)
    output_printf (d->out, "%sT%" PRIu64, before, ir_txn_id (d->ir, node));
  else
    output_printf (d->out, "%sT?", before);
}

static void dump_valid (const struct dump *d) {
  const struct certificate *c = d->c;
  for (size_t i = 0; i < c->took_place.count; i++) {
    put_txn (d, "took-place ", c->took_place.data[i]);
    output_text (d->out, "\n");
  }
  for (size_t i = 0; i < c->wrote.count; i++)
    output_printf (d->out, "wrote p%" PRIu32 "\n", d->ir->first_delete + c->wrote.data[i]);
  for (size_t i = 0; i < c->order.count; i++) {
    const uint32_t point = c->order.data[i];
    put_txn (d, c->points == 1 ? "place " : point % 2 ? "commit " : "begin ", point / c->points);
    output_text (d->out, "\n");
  }
  for (size_t i = 0; i < c->sources.count; i++) {
    output_printf (d->out, "source r%" PRIu32, c->sources.data[i].op);
    put_txn (d, " from ", c->sources.data[i].source + 1);
    output_text (d->out, "\n");
  }
  for (size_t i = 0; i < c->constraints.list.count; i++)
    if (c->constraints.list.data[i].chosen)
      output_printf (d->out, "alternative c%zu=%" PRIu32 "\n", i, c->constraints.list.data[i].chosen - 1);
}

// ----------------------------------------------------------------------------------------- invalid

static void put_variable (const void *dump, const struct variable_name *name) {
  const struct dump *d = dump;
  const uint32_t a = name->c == IF_PRESENCE ? if_so (name->a) : name->a;
  kir_put_condition (d->ir, &(struct condition){ (enum condition_kind) name->c, a, name->b }, d->out);
}

static void dump_invalid (const struct dump *d) {
  static const char *const names[IR_ITEM_KINDS] = { "choice", "not-both", "only-if", "false", "walk" };
  struct sentence *sentence = sentence_of (d->ir, d->c);
  struct clauses *clauses = sentence_clauses (sentence);
  VEC (uint32_t) numbers = VEC_EMPTY;
  for (size_t i = 0; i < sentence->list.count; i++)
    VEC_PUSH (numbers, sentence->list.data[i].number);
  kir_expand_some (d->ir, numbers.data, numbers.count, d->out);
  VEC_FREE (numbers);
  dump_argument (&(struct argument){ d->out, d->c, clauses, names, put_variable, NULL, d });
  clauses_free (clauses);
  sentence_free (sentence);
}

void ir_certificate_dump (const struct ir *ir, const struct certificate *c, FILE *out) {
  const struct ir refuted = ir_to_refute (ir);
  const struct dump d = { c->valid ? ir : &refuted, c, output_open_memory () };
  output_printf (d.out, "certificate of %s at %s, of a .kir file\n", c->valid ? "valid" : "invalid", c->level);
  if (c->valid)
    dump_valid (&d);
  else
    dump_invalid (&d);
  dump_pour (d.out, out);
}
