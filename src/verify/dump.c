// A certificate as text, for people: names of the history instead of numbers, clauses as they are
// made from it.

#include "verify/dump.h"
#include "base/sort.h"
#include "verify/clauses.h"

#include <inttypes.h>
#include <stdio.h>

struct dump {
  FILE *out;
  const struct history *h;
  const struct certificate *c;
};

static void put_txn (const struct dump *d, uint32_t txn) {
  if (txn == INITIAL)
    fprintf (d->out, "T0");
  else if (txn < history_txns (d->h))
    fprintf (d->out, "T%" PRIu64, d->h->txn_ids.data[txn]);
  else
    fprintf (d->out, "T?");
}

// Control characters and what is not ASCII become dots, so that a line stays a line.
static void put_key (const struct dump *d, uint32_t key) {
  enum { MOST = 40 };
  if (key >= history_keys (d->h)) {
    fprintf (d->out, "?");
    return;
  }
  const struct atom atom = atoms_get (&d->h->keys, key);
  if (atom.kind == ATOM_UNSIGNED)
    fprintf (d->out, "%" PRIu64, atom.number);
  else if (atom.kind == ATOM_NEGATIVE)
    fprintf (d->out, "%" PRId64, (int64_t) atom.number);
  for (size_t i = 0; atom.kind == ATOM_BYTES && i < atom.length && i < MOST; i++)
    fputc (atom.bytes[i] > ' ' && atom.bytes[i] < 127 ? atom.bytes[i] : '.', d->out);
}

// T7/2: the third operation of T7.
static void put_op (const struct dump *d, uint32_t op) {
  if (op >= history_ops (d->h)) {
    fprintf (d->out, "?");
    return;
  }
  const uint32_t txn = history_txn_of_op (d->h, op);
  put_txn (d, txn);
  fprintf (d->out, "/%" PRIu32, op - d->h->txn_first_op.data[txn]);
}

// ------------------------------------------------------------------------------------------- valid

static void dump_valid (const struct dump *d) {
  const struct certificate *c = d->c;
  for (size_t i = 0; i < c->took_place.count; i++) {
    fprintf (d->out, "took-place ");
    put_txn (d, c->took_place.data[i]);
    fputc ('\n', d->out);
  }
  for (size_t i = 0; i < c->wrote.count; i++) {
    fprintf (d->out, "wrote ");
    put_op (d, c->wrote.data[i]);
    fputc ('\n', d->out);
  }
  for (size_t i = 0; i < c->order.count; i++) {
    fprintf (d->out, "%s ", c->points == 1 ? "place" : c->order.data[i] % 2 ? "commit" : "begin");
    put_txn (d, c->order.data[i] / c->points);
    fputc ('\n', d->out);
  }
  for (size_t i = 0; i < c->sources.count; i++) {
    fprintf (d->out, "source ");
    put_op (d, c->sources.data[i].op);
    fputc (' ', d->out);
    put_key (d, c->sources.data[i].key);
    fprintf (d->out, " from ");
    put_txn (d, c->sources.data[i].source);
    fputc ('\n', d->out);
  }
}

// ----------------------------------------------------------------------------------------- invalid

static void put_variable (const struct dump *d, const struct variable_name *name) {
  switch (name->kind) {
  case NAME_IN:
    fprintf (d->out, "in(");
    put_txn (d, name->a);
    break;
  case NAME_WROTE:
    fprintf (d->out, "wrote(");
    put_op (d, name->a);
    break;
  case NAME_SOURCE:
    fprintf (d->out, "reads(");
    put_op (d, name->a);
    fputc (' ', d->out);
    put_key (d, name->b);
    fputc (' ', d->out);
    put_txn (d, name->c);
    break;
  case NAME_ALTERNATIVE: fprintf (d->out, "constraint(%" PRIu32 " %" PRIu32, name->a + 1, name->b + 1); break;
  case NAME_BEFORE:
    fprintf (d->out, "before(");
    put_key (d, name->a);
    fputc (' ', d->out);
    put_txn (d, name->b);
    fputc (' ', d->out);
    put_txn (d, name->c);
    break;
  }
  fputc (')', d->out);
}

// If T2/0 reads T1 at x: T1 before T3, or T3 before T2.
static void put_constraint (const struct dump *d, const struct cert_constraint *constraint) {
  const struct cert_constraints *all = &d->c->constraints;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct cert_condition *condition = &all->conditions.data[constraint->first_condition + i];
    fprintf (d->out, i ? " and " : "if ");
    put_op (d, condition->op);
    fprintf (d->out, " reads ");
    put_txn (d, condition->source);
    fprintf (d->out, " at ");
    put_key (d, condition->key);
  }
  fprintf (d->out, constraint->conditions ? ": " : "");
  fprintf (d->out, constraint->alternatives ? "" : "never");
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const struct cert_alternative *alternative = &all->alternatives.data[constraint->first_alternative + i];
    fprintf (d->out, i ? ", or " : "");
    for (uint32_t k = 0; k < alternative->edges; k++) {
      fprintf (d->out, k ? " and " : "");
      put_txn (d, all->edges.data[alternative->first_edge + k].from);
      fprintf (d->out, " before ");
      put_txn (d, all->edges.data[alternative->first_edge + k].to);
    }
    fprintf (d->out, alternative->edges ? "" : "nothing");
  }
  fputc ('\n', d->out);
}

static void put_literals (const struct dump *d, const struct clauses *clauses, const int32_t *literals, size_t count) {
  if (!count)
    fprintf (d->out, " false");
  for (size_t i = 0; i < count; i++) {
    const uint32_t variable = (uint32_t) (literals[i] > 0 ? literals[i] : -literals[i]);
    fprintf (d->out, literals[i] > 0 ? " " : " not ");
    if (variable < clauses->names.count)
      put_variable (d, &clauses->names.data[variable]);
    else
      fprintf (d->out, "?");
  }
}

static void put_step (const struct dump *d, const struct cert_step *step) {
  static const char *const names[STEP_KINDS] = { "so", "rt",   "part",    "first",      "wr",  "ww",
                                                 "rw", "list", "visible", "constraint", "hint" };
  fprintf (d->out, "    ");
  put_txn (d, step->from);
  fprintf (d->out, " -%s-> ", names[step->kind]);
  put_txn (d, step->to);
  const bool has_key = step->kind == STEP_READ || step->kind == STEP_VERSION || step->kind == STEP_OVERWRITE
                       || step->kind == STEP_VISIBLE || step->kind == STEP_HINT;
  if (has_key) {
    fputc (' ', d->out);
    put_key (d, step->key);
  }
  if (step->kind == STEP_OVERWRITE) {
    fprintf (d->out, " over ");
    put_txn (d, step->via);
  }
  fputc ('\n', d->out);
}

static void dump_item (const struct dump *d, struct clauses *clauses, size_t number) {
  static const char *const names[ITEM_KINDS] = { "read",       "one-source",  "source-in",   "source-wrote",
                                                 "reader-in",  "external",    "initial",     "list-order",
                                                 "list-in",    "list-absent", "lists-clash", "broken",
                                                 "hint-order", "constraint",  "lemma" };
  const struct cert_item *item = &d->c->items.data[number];
  struct complaint complaint;
  fprintf (d->out, "%zu %s:", number + 1, names[item->kind]);
  if (clauses_add (clauses, d->c, item, &complaint)) {
    const uint32_t last = clauses_count (clauses), first = clauses->first.data[last - 1];
    put_literals (d, clauses, clauses->literals.data + first, clauses->first.data[last] - first);
  } else
    fprintf (d->out, " refused, %s", complaint.text);
  fputc ('\n', d->out);
  for (uint32_t i = 0; item->kind == ITEM_LEMMA && i < item->steps; i++)
    put_step (d, &d->c->steps.data[item->first_step + i]);
}

static void dump_invalid (const struct dump *d, struct told *told) {
  struct claim_level level;
  if (!claim_level_find (d->c->level, &level))
    return;
  struct clauses *clauses = clauses_new (told, level, d->c->clock_skew);
  for (size_t i = 0; i < d->c->items.count; i++)
    dump_item (d, clauses, i);
  for (size_t i = 0; i < d->c->clauses.count; i++) {
    const struct cert_clause *clause = &d->c->clauses.data[i];
    fprintf (d->out, "%zu proof:", d->c->items.count + i + 1);
    put_literals (d, clauses, d->c->literals.data + clause->first_literal, clause->literals);
    fprintf (d->out, " by");
    for (uint32_t k = 0; k < clause->hints; k++)
      fprintf (d->out, " %" PRIu32, d->c->hints.data[clause->first_hint + k]);
    fputc ('\n', d->out);
  }
  clauses_free (clauses);
}

void certificate_dump (const struct certificate *c, struct told *told, FILE *out) {
  const struct dump d = { out, told->h, c };
  fprintf (out, "certificate of %s at %s, own writes %s, clock skew %" PRId64 "\n", c->valid ? "valid" : "invalid",
           c->level, own_policy_name (c->policy), c->clock_skew);
  for (uint32_t txn = 0; told->origin && txn + 1 < history_txns (d.h); txn++)
    if (told->origin[txn] == told->origin[txn + 1]) {
      fprintf (out, "part ");
      put_txn (&d, txn);
      fprintf (out, " before ");
      put_txn (&d, txn + 1);
      fputc ('\n', out);
    }
  for (size_t i = 0; i < c->constraints.list.count; i++) {
    fprintf (out, "constraint %zu: ", i + 1);
    put_constraint (&d, &c->constraints.list.data[i]);
  }
  if (c->valid)
    dump_valid (&d);
  else
    dump_invalid (&d, told);
}

// ------------------------------------------------------------------------------------- assumptions

static int by_place (const void *x, const void *y) {
  const struct assumption *p = x, *q = y;
  const uint32_t one[] = { p->op, p->key, p->a, p->b }, other[] = { q->op, q->key, q->a, q->b };
  for (int i = 0; i < 4; i++)
    if (one[i] != other[i])
      return one[i] < other[i] ? -1 : 1;
  return 0;
}

static void put_assumption (const struct dump *d, const struct assumption *assumed) {
  if (assumed->op == OP_NONE) {
    put_txn (d, assumed->a);
    fprintf (d->out, " before ");
    put_txn (d, assumed->b);
  } else {
    put_op (d, assumed->op);
    fprintf (d->out, " reads ");
    put_txn (d, assumed->a == HINT_INITIAL ? INITIAL : assumed->a);
  }
  fprintf (d->out, " at ");
  put_key (d, assumed->key);
  fprintf (d->out, assumed->op == OP_NONE ? ", by a hint about versions\n" : ", by a hint about the read\n");
}

// A refutation rests on the hints that it uses, an explanation agrees with all of them.
void certificate_put_assumptions (const struct certificate *c, struct told *told, FILE *out) {
  enum { MOST = 20 };
  const struct dump d = { out, told->h, c };
  const struct hints *hints = told->hints;
  for (size_t i = 0; i < c->constraints.list.count && i < MOST; i++) {
    fprintf (out, "a module demands ");
    put_constraint (&d, &c->constraints.list.data[i]);
  }
  if (c->constraints.list.count > MOST)
    fprintf (out, "%zu more constraints of modules, which --dump shows\n", c->constraints.list.count - MOST);
  if (!c->valid) {
    VEC_SORT (told->assumed, by_place);
    for (size_t i = 0; i < told->assumed.count; i++)
      if (!i || by_place (&told->assumed.data[i - 1], &told->assumed.data[i]))
        put_assumption (&d, &told->assumed.data[i]);
    return;
  }
  if (hints && hints->orders.count)
    fprintf (out, "the versionOrder of %zu keys that the hints of the history state\n", hints->orders.count);
  if (hints && hints->sources.count)
    fprintf (out, "the version of %zu reads that the hints of the history state\n", hints->sources.count);
  if (hints && hints->trust_commit_ts && hints->commit_ts)
    fprintf (out, "the order of the commitTs that the hints of the history state\n");
}
