// A certificate as text, for people: names of the history instead of numbers, clauses as they are
// made from it.

#include "verify/dump.h"
#include "base/output.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdarg.h>

struct dump {
  struct output *out;
  const struct history *h;
  const struct certificate *c;
};

void dump_pour (struct output *from, FILE *to) {
  size_t length;
  const char *text = output_memory (from, &length);
  fwrite (text, 1, length, to);
  output_discard (from);
}

static void put_txn (const struct dump *d, uint32_t txn) {
  if (txn == INITIAL)
    output_text (d->out, "T0");
  else if (txn < history_txns (d->h))
    output_printf (d->out, "T%" PRIu64, d->h->txn_ids.data[txn]);
  else
    output_text (d->out, "T?");
}

// Control characters and what is not ASCII become dots, so that a line stays a line.
static void put_key (const struct dump *d, uint32_t key) {
  enum { MOST = 40 };
  if (key >= history_keys (d->h)) {
    output_text (d->out, "?");
    return;
  }
  const struct atom atom = atoms_get (&d->h->keys, key);
  if (atom.kind == ATOM_UNSIGNED)
    output_u64 (d->out, atom.number);
  else if (atom.kind == ATOM_NEGATIVE)
    output_printf (d->out, "%" PRId64, (int64_t) atom.number);
  for (size_t i = 0; atom.kind == ATOM_BYTES && i < atom.length && i < MOST; i++)
    output_printf (d->out, "%c", atom.bytes[i] > ' ' && atom.bytes[i] < 127 ? atom.bytes[i] : '.');
}

// T7/2: the third operation of T7.
static void put_op (const struct dump *d, uint32_t op) {
  if (op >= history_ops (d->h)) {
    output_text (d->out, "?");
    return;
  }
  const uint32_t txn = history_txn_of_op (d->h, op);
  put_txn (d, txn);
  output_printf (d->out, "/%" PRIu32, op - d->h->txn_first_op.data[txn]);
}

// A text in which $T, $O, $K and $N stand for the next number: of a transaction, an operation or a
// key, whose name is put there, or as it is.
static void say (const struct dump *d, const char *text, ...) {
  va_list numbers;
  va_start (numbers, text);
  for (; *text; text++) {
    if (*text != '$') {
      output_write (d->out, text, 1);
      continue;
    }
    const uint32_t number = va_arg (numbers, uint32_t);
    switch (*++text) {
    case 'T': put_txn (d, number); break;
    case 'O': put_op (d, number); break;
    case 'K': put_key (d, number); break;
    default: output_u64 (d->out, number);
    }
  }
  va_end (numbers);
}

// ------------------------------------------------------------------------------------------- valid

static void dump_valid (const struct dump *d) {
  const struct certificate *c = d->c;
  for (size_t i = 0; i < c->took_place.count; i++)
    say (d, "took-place $T\n", c->took_place.data[i]);
  for (size_t i = 0; i < c->wrote.count; i++)
    say (d, "wrote $O\n", c->wrote.data[i]);
  for (size_t i = 0; i < c->order.count; i++)
    say (d,
         c->points == 1         ? "place $T\n"
         : c->order.data[i] % 2 ? "commit $T\n"
                                : "begin $T\n",
         c->order.data[i] / c->points);
  for (size_t i = 0; i < c->sources.count; i++)
    say (d, "source $O $K from $T\n", c->sources.data[i].op, c->sources.data[i].key, c->sources.data[i].source);
}

// If T2/0 reads T1 at x: T1 before T3, or T3 before T2.
static void put_constraint (const struct dump *d, const struct cert_constraint *constraint) {
  const struct cert_constraints *all = &d->c->constraints;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct cert_condition *condition = &all->conditions.data[constraint->first_condition + i];
    say (d, i ? " and $O reads $T at $K" : "if $O reads $T at $K", condition->op, condition->source, condition->key);
  }
  output_text (d->out, constraint->conditions ? ": " : "");
  output_text (d->out, constraint->alternatives ? "" : "never");
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const struct cert_alternative *alternative = &all->alternatives.data[constraint->first_alternative + i];
    output_text (d->out, i ? ", or " : "");
    for (uint32_t k = 0; k < alternative->edges; k++) {
      const struct cert_edge *edge = &all->edges.data[alternative->first_edge + k];
      say (d, k ? " and $T before $T" : "$T before $T", edge->from, edge->to);
    }
    output_text (d->out, alternative->edges ? "" : "nothing");
  }
  output_text (d->out, "\n");
}

// ----------------------------------------------------------------------------------------- invalid

static void put_variable (const void *dump, const struct variable_name *name) {
  static const char *const words[] = { [NAME_IN] = "in($T)",
                                       [NAME_WROTE] = "wrote($O)",
                                       [NAME_SOURCE] = "reads($O $K $T)",
                                       [NAME_BEFORE] = "before($K $T $T)",
                                       [NAME_ALTERNATIVE] = "constraint($N $N)",
                                       [NAME_CONDITION] = "" }; // of something else
  const uint32_t from_one = name->kind == NAME_ALTERNATIVE;
  say (dump, words[name->kind], name->a + from_one, name->b + from_one, name->c);
}

static void put_steps (const void *dump, const struct cert_item *item) {
  static const char *const words[STEP_KINDS] = { [STEP_SESSION] = "    $T -so-> $T\n",
                                                 [STEP_REAL_TIME] = "    $T -rt-> $T\n",
                                                 [STEP_PROGRAM] = "    $T -part-> $T\n",
                                                 [STEP_FIRST] = "    $T -first-> $T\n",
                                                 [STEP_READ] = "    $T -wr-> $T $K\n",
                                                 [STEP_VERSION] = "    $T -ww-> $T $K\n",
                                                 [STEP_OVERWRITE] = "    $T -rw-> $T $K over $T\n",
                                                 [STEP_LIST] = "    $T -list-> $T\n",
                                                 [STEP_VISIBLE] = "    $T -visible-> $T $K\n",
                                                 [STEP_CONSTRAINT] = "    $T -constraint-> $T\n",
                                                 [STEP_HINT] = "    $T -hint-> $T $K\n" };
  const struct dump *d = dump;
  for (uint32_t i = 0; item->kind == ITEM_LEMMA && i < item->steps; i++) {
    const struct cert_step *step = &d->c->steps.data[item->first_step + i];
    say (d, words[step->kind], step->from, step->to, step->key, step->via);
  }
}

static void put_literals (const struct argument *a, const int32_t *literals, size_t count) {
  output_text (a->out, count ? "" : " false");
  for (size_t i = 0; i < count; i++) {
    const uint32_t variable = (uint32_t) (literals[i] > 0 ? literals[i] : -literals[i]);
    output_text (a->out, literals[i] > 0 ? " " : " not ");
    if (variable < a->clauses->names.count)
      a->put_variable (a->context, &a->clauses->names.data[variable]);
    else
      output_text (a->out, "?");
  }
}

static void dump_item (const struct argument *a, size_t number) {
  const struct cert_item *item = &a->c->items.data[number];
  struct complaint complaint;
  output_printf (a->out, "%zu %s", number + 1, a->item_names[item->kind]);
  for (uint32_t i = 0; a->c->of_ir && i < item->assumed; i++)
    output_printf (a->out, " %" PRIu32, a->c->assumed.data[item->first_assumed + i]);
  output_text (a->out, ":");
  if (clauses_add (a->clauses, a->c, item, &complaint)) {
    const uint32_t last = clauses_count (a->clauses), first = a->clauses->first.data[last - 1];
    put_literals (a, a->clauses->literals.data + first, a->clauses->first.data[last] - first);
  } else
    output_printf (a->out, " refused, %s", complaint.text);
  output_text (a->out, "\n");
  if (a->put_steps)
    a->put_steps (a->context, item);
}

void dump_argument (const struct argument *a) {
  const struct certificate *c = a->c;
  for (size_t i = 0; i < c->items.count; i++)
    dump_item (a, i);
  for (size_t i = 0; i < c->clauses.count; i++) {
    const struct cert_clause *clause = &c->clauses.data[i];
    output_printf (a->out, "%zu proof:", c->items.count + i + 1);
    put_literals (a, c->literals.data + clause->first_literal, clause->literals);
    output_text (a->out, " by");
    for (uint32_t k = 0; k < clause->hints; k++)
      output_printf (a->out, " %" PRIu32, c->hints.data[clause->first_hint + k]);
    output_text (a->out, "\n");
  }
}

static void dump_invalid (const struct dump *d, struct told *told) {
  static const char *const names[ITEM_KINDS] = { "read",       "one-source",  "source-in",   "source-wrote",
                                                 "reader-in",  "external",    "initial",     "list-order",
                                                 "list-in",    "list-absent", "lists-clash", "broken",
                                                 "hint-order", "constraint",  "lemma" };
  struct claim_level level;
  if (!claim_level_find (d->c->level, &level))
    return;
  struct clauses *clauses = clauses_new_for (told, level, d->c);
  dump_argument (&(struct argument){ d->out, d->c, clauses, names, put_variable, put_steps, d });
  clauses_free (clauses);
}

void certificate_dump (const struct certificate *c, struct told *told, FILE *out) {
  const struct dump d = { output_open_memory (), told->h, c };
  output_printf (d.out, "certificate of %s at %s, own writes %s, clock skew %" PRId64 "\n",
                 c->valid ? "valid" : "invalid", c->level, own_policy_name (c->policy), c->clock_skew);
  for (uint32_t txn = 0; told->origin && txn + 1 < history_txns (d.h); txn++)
    if (told->origin[txn] == told->origin[txn + 1])
      say (&d, "part $T before $T\n", txn, txn + 1);
  for (uint32_t i = 0; i < c->constraints.list.count; i++) {
    say (&d, "constraint $N: ", i + 1);
    put_constraint (&d, &c->constraints.list.data[i]);
  }
  if (c->valid)
    dump_valid (&d);
  else
    dump_invalid (&d, told);
  dump_pour (d.out, out);
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
  if (assumed->op == OP_NONE)
    say (d, "$T before $T at $K, by a hint about versions\n", assumed->a, assumed->b, assumed->key);
  else
    say (d, "$O reads $T at $K, by a hint about the read\n", assumed->op,
         assumed->a == HINT_INITIAL ? INITIAL : assumed->a, assumed->key);
}

// A refutation rests on the hints that it uses, an explanation agrees with all of them.
static void put_hints (const struct dump *d, struct told *told) {
  const struct hints *hints = told->hints;
  if (!d->c->valid) {
    VEC_SORT (told->assumed, by_place);
    for (size_t i = 0; i < told->assumed.count; i++)
      if (!i || by_place (&told->assumed.data[i - 1], &told->assumed.data[i]))
        put_assumption (d, &told->assumed.data[i]);
    return;
  }
  if (hints && hints->orders.count)
    output_printf (d->out, "the versionOrder of %zu keys that the hints of the history state\n", hints->orders.count);
  if (hints && hints->sources.count)
    output_printf (d->out, "the version of %zu reads that the hints of the history state\n", hints->sources.count);
  if (hints && hints->trust_commit_ts && hints->commit_ts)
    output_text (d->out, "the order of the commitTs that the hints of the history state\n");
}

void certificate_put_assumptions (const struct certificate *c, struct told *told, FILE *out) {
  enum { MOST = 20 };
  const struct dump d = { output_open_memory (), told->h, c };
  for (size_t i = 0; i < c->constraints.list.count && i < MOST; i++) {
    output_text (d.out, "a module demands ");
    put_constraint (&d, &c->constraints.list.data[i]);
  }
  if (c->constraints.list.count > MOST)
    output_printf (d.out, "%zu more constraints of modules, which --dump shows\n", c->constraints.list.count - MOST);
  put_hints (&d, told);
  dump_pour (d.out, out);
}
