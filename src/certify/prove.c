// A refutation of a part of a history: choices are made by a solver, a world at a time, until it
// runs out of them. Whatever the level proscribes in a world becomes a lemma. At the end the solver
// proves that choices and lemmas contradict each other; those that it did not need are left out.
//
// This works on parts of a few transactions, the cores that src/explain finds. It takes nothing
// over from saturation or from the search before.

#include "certify/prove.h"

#include "base/budget.h"
#include "base/search.h"
#include "base/sort.h"
#include "certify/make.h"
#include "solve/sat.h"

#include <string.h>

struct prover {
  const struct claim *claim;
  const struct cert_constraints *constraints; // of modules, or NULL
  struct told *told;
  struct claim_level level;
  struct part part;
  struct refutation made;
  uint32_t known_names;
  // Or NULL. Work is an item and what is told for it, and two transactions looked at together.
  struct budget *budget;
  const char *why; // there is no refutation
};

// ---------------------------------------------------------------------------------------- the part

uint32_t part_place (const struct part *part, uint32_t txn) {
  return txn == INITIAL ? PLACE_INITIAL : find_u32 (part->txn, 0, part->count, txn);
}

void part_writers (const struct part *part, uint32_t key, uint32_t *first, uint32_t *end) {
  *first = 0;
  LOWER_BOUND (*first, (uint32_t) part->writers.count, middle, part->writers.data[middle].key < key);
  for (*end = *first; *end < part->writers.count && part->writers.data[*end].key == key;)
    (*end)++;
}

static bool sources_are_inside (const struct prover *p, const struct told_read *read) {
  source_vec sources = VEC_EMPTY;
  bool inside = true;
  told_sources (p->told, read, &sources);
  for (size_t i = 0; i < sources.count; i++)
    inside &= part_place (&p->part, sources.data[i].txn) != PLACE_NONE;
  VEC_FREE (sources);
  return inside;
}

static bool may_be_external (const struct told_read *read) {
  return read->if_wrote == OUTCOME_EXTERNAL || read->if_not == OUTCOME_EXTERNAL;
}

// Of the transaction told last.
static void collect_list (struct prover *p, const struct told_list *told, uint32_t reader) {
  struct part_list list = { .op = told->op, .key = told->key, .reader = reader };
  for (uint32_t i = 0; i < told->writers; i++) {
    const uint32_t writer = part_place (&p->part, p->told->list_writers.data[told->first_writer + i]);
    list.last_is_inside = writer != PLACE_NONE;
    if (list.last_is_inside)
      VEC_PUSH (list.inside, writer);
  }
  VEC_PUSH (p->part.lists, list);
}

static void collect_part (struct prover *p) {
  struct told *a = p->told;
  for (uint32_t place = 0; place < p->part.count; place++) {
    told_add (a, p->part.txn[place]);
    for (size_t i = 0; i < a->writes.count; i++)
      VEC_PUSH (p->part.writers, (struct part_writer){ a->writes.data[i].key, place, a->writes.data[i].unrecorded });
    for (size_t i = 0; i < a->reads.count; i++) {
      const struct told_read *read = &a->reads.data[i];
      if (may_be_external (read) && claim_reads_count (p->part.clauses->level) && sources_are_inside (p, read))
        VEC_PUSH (p->part.reads, (struct part_read){ *read, place });
    }
    for (size_t i = 0; i < a->lists.count; i++)
      collect_list (p, &a->lists.data[i], place);
  }
  VEC_SORT (p->part.writers, by_u32_pair);
}

// ------------------------------------------------------------------------------------------- items

// An item that holds anyway is not kept.
static void add_item (struct prover *p, struct cert_item item) {
  struct certificate *c = p->made.c;
  budget_add_work (p->budget, 1 + p->told->reads.count + p->told->writes.count);
  if (budget_spent (p->budget))
    return;
  VEC_PUSH (c->items, item);
  if (!refutation_add (&p->made, c->items.count - 1))
    c->items.count--;
}

static struct cert_item about_read (enum item_kind kind, const struct told_read *read) {
  return (struct cert_item){ .kind = (uint8_t) kind, .op = read->op, .key = read->key, .a = INITIAL, .b = INITIAL };
}

static void about_source (struct prover *p, enum item_kind kind, const struct told_read *read, uint32_t source,
                          uint32_t other) {
  struct cert_item item = about_read (kind, read);
  item.a = source;
  item.b = other;
  add_item (p, item);
}

static void say_sources (struct prover *p, const struct told_read *read) {
  source_vec sources = VEC_EMPTY;
  if (initial_can_be_source (p->told, read))
    VEC_PUSH (sources, (struct told_writer){ read->key, INITIAL, VALUE_UNRECORDED, OP_NONE });
  told_sources (p->told, read, &sources);
  for (size_t i = 0; i < sources.count && !budget_spent (p->budget); i++) {
    about_source (p, ITEM_READER_IN, read, sources.data[i].txn, INITIAL);
    if (sources.data[i].txn != INITIAL) {
      about_source (p, ITEM_SOURCE_IN, read, sources.data[i].txn, INITIAL);
      about_source (p, ITEM_SOURCE_WROTE, read, sources.data[i].txn, INITIAL);
    }
    if (read->unrecorded != OP_NONE)
      about_source (p, ITEM_READER_EXTERNAL, read, sources.data[i].txn, INITIAL);
    for (size_t k = 0; k < i; k++)
      about_source (p, ITEM_ONE_SOURCE, read, sources.data[k].txn, sources.data[i].txn);
  }
  VEC_FREE (sources);
}

static void say_read (struct prover *p, const struct told_read *read) {
  for (uint32_t wrote = 0; wrote <= (read->unrecorded != OP_NONE); wrote++) {
    const enum outcome outcome = wrote ? read->if_wrote : read->if_not;
    struct cert_item item = about_read (ITEM_READ, read);
    item.wrote = wrote;
    if (outcome == OUTCOME_BROKEN || (outcome == OUTCOME_EXTERNAL && sources_are_inside (p, read)))
      add_item (p, item);
  }
}

static void say_reads (struct prover *p, uint32_t txn) {
  struct told *a = p->told;
  told_add (a, txn);
  VEC (struct told_read) reads;
  cert_numbers malformed;
  VEC_COPY (reads, a->reads);
  VEC_COPY (malformed, a->malformed);
  for (size_t i = 0; i < malformed.count; i++)
    add_item (p, (struct cert_item){ .kind = ITEM_BROKEN, .op = malformed.data[i] });
  for (size_t i = 0; i < reads.count; i++)
    say_read (p, &reads.data[i]);
  MEM_FREE_ALL (reads.data, malformed.data);
}

// Reads of the initial state of one key that exclude each other. Those that do not are dropped by
// add_item.
static void say_initial (struct prover *p) {
  const struct part_read *reads = p->part.reads.data;
  if (p->told->h->init != INIT_ANY)
    return;
  for (size_t i = 0; i < p->part.reads.count; i++)
    for (size_t k = 0; k < i; k++)
      if (reads[i].read.key == reads[k].read.key) {
        struct cert_item item = about_read (ITEM_INITIAL, &reads[i].read);
        item.other_op = reads[k].read.op;
        add_item (p, item);
      }
}

// ------------------------------------------------------------------------------------------- lists

static void say_list (struct prover *p, const struct part_list *list) {
  const uint32_t *txn = p->part.txn, *inside = list->inside.data, op = list->op;
  uint32_t first, end;
  add_item (p, (struct cert_item){ .kind = ITEM_BROKEN, .op = op });
  for (size_t i = 0; i < list->inside.count; i++) {
    add_item (p, (struct cert_item){ .kind = ITEM_LIST_IN, .op = op, .a = txn[inside[i]] });
    for (size_t k = i + 1; k < list->inside.count; k++)
      add_item (p, (struct cert_item){ .kind = ITEM_LIST_ORDER, .op = op, .a = txn[inside[i]], .b = txn[inside[k]] });
  }
  part_writers (&p->part, list->key, &first, &end);
  for (uint32_t i = first; i < end; i++)
    add_item (p, (struct cert_item){ .kind = ITEM_LIST_ABSENT, .op = op, .a = txn[p->part.writers.data[i].writer] });
}

static void say_lists (struct prover *p) {
  const struct part_list *lists = p->part.lists.data;
  for (size_t i = 0; i < p->part.lists.count; i++) {
    say_list (p, &lists[i]);
    for (size_t k = 0; k < i; k++)
      if (lists[k].key == lists[i].key)
        add_item (p, (struct cert_item){ .kind = ITEM_LISTS_CLASH, .op = lists[k].op, .other_op = lists[i].op });
  }
}

// What hints say about the order of versions of the part.
static void say_orders (struct prover *p) {
  const struct part_writer *writers = p->part.writers.data;
  for (size_t i = 0; p->told->hints && i < p->part.writers.count; i++)
    for (size_t k = 0; k < p->part.writers.count; k++)
      if (i != k && writers[i].key == writers[k].key)
        add_item (p, (struct cert_item){ .kind = ITEM_HINT_ORDER,
                                         .key = writers[i].key,
                                         .a = p->part.txn[writers[i].writer],
                                         .b = p->part.txn[writers[k].writer] });
}

// A demand says something about the part if each of its alternatives does.
static bool concerns_part (const struct prover *p, const struct cert_constraint *constraint) {
  const struct cert_constraints *constraints = p->constraints;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const uint32_t op = constraints->conditions.data[constraint->first_condition + i].op;
    if (part_place (&p->part, history_txn_of_op (p->told->h, op)) == PLACE_NONE)
      return false;
  }
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const struct cert_alternative *alternative = &constraints->alternatives.data[constraint->first_alternative + i];
    bool inside = false;
    for (uint32_t k = alternative->first_edge; k < alternative->first_edge + alternative->edges; k++)
      inside |= part_place (&p->part, constraints->edges.data[k].from) != PLACE_NONE
                && part_place (&p->part, constraints->edges.data[k].to) != PLACE_NONE;
    if (!inside)
      return false;
  }
  return true;
}

static void say_constraints (struct prover *p) {
  for (uint32_t i = 0; p->constraints && i < p->constraints->list.count; i++)
    if (concerns_part (p, &p->constraints->list.data[i])) {
      cert_constraints_add (&p->made.c->constraints, p->constraints, i);
      add_item (p, (struct cert_item){ .kind = ITEM_CONSTRAINT,
                                       .constraint = (uint32_t) p->made.c->constraints.list.count - 1 });
    }
}

static void say_all (struct prover *p) {
  say_orders (p);
  for (uint32_t place = 0; place < p->part.count; place++)
    say_reads (p, p->part.txn[place]);
  for (size_t i = 0; i < p->part.reads.count; i++)
    say_sources (p, &p->part.reads.data[i].read);
  say_initial (p);
  say_lists (p);
  say_constraints (p);
}

// --------------------------------------------------------------------------------------- one world

// What no clause speaks of is as good one way as the other.
static bool holds (const struct prover *p, int32_t literal, bool otherwise) {
  if (literal == LITERAL_TRUE || literal == LITERAL_FALSE)
    return literal == LITERAL_TRUE;
  const int32_t variable = literal > 0 ? literal : -literal;
  if (variable >= (int32_t) p->known_names)
    return otherwise;
  return sat_value (p->made.sat, variable) == (literal > 0);
}

bool chosen_before (const struct chosen *chosen, uint32_t key, uint32_t first, uint32_t second) {
  struct prover *p = chosen->prover;
  const uint32_t a = p->part.txn[first], b = p->part.txn[second];
  return holds (p, literal_before (p->part.clauses, key, a, b), a < b);
}

bool chosen_delete_wrote (const struct chosen *chosen, uint32_t op) {
  return holds (chosen->prover, literal_wrote (chosen->prover->part.clauses, op), false);
}

bool chosen_takes (const struct chosen *chosen, uint32_t constraint, uint32_t alternative) {
  return holds (chosen->prover, literal_alternative (chosen->prover->part.clauses, constraint, alternative), false);
}

static uint32_t source_of (struct prover *p, const struct part_read *read) {
  const uint32_t key = read->read.key;
  source_vec sources = VEC_EMPTY;
  uint32_t found = PLACE_NONE;
  if (initial_can_be_source (p->told, &read->read)
      && holds (p, literal_source (p->part.clauses, read->read.op, key, INITIAL), false))
    return PLACE_INITIAL;
  told_sources (p->told, &read->read, &sources);
  for (size_t i = 0; i < sources.count && found == PLACE_NONE; i++)
    if (holds (p, literal_source (p->part.clauses, read->read.op, key, sources.data[i].txn), false))
      found = part_place (&p->part, sources.data[i].txn);
  VEC_FREE (sources);
  return found;
}

static struct chosen choose (struct prover *p) {
  const struct part *part = &p->part;
  struct chosen chosen = { .in = MEM_ZARRAY (uint8_t, part->count),
                           .surely = MEM_ZARRAY (uint8_t, part->count),
                           .source = MEM_ARRAY (uint32_t, part->reads.count),
                           .wrote = MEM_ARRAY (uint8_t, part->writers.count),
                           .prover = p };
  for (uint32_t place = 0; place < part->count; place++)
    chosen.in[place] = holds (p, literal_in (part->clauses, part->txn[place]), false);
  for (size_t i = 0; i < part->reads.count; i++)
    chosen.source[i] = source_of (p, &part->reads.data[i]);
  for (size_t i = 0; i < part->writers.count; i++) {
    const struct part_writer *writer = &part->writers.data[i];
    chosen.wrote[i] =
      chosen.in[writer->writer] && (writer->unrecorded == OP_NONE || chosen_delete_wrote (&chosen, writer->unrecorded));
    chosen.surely[writer->writer] |= chosen.wrote[i];
  }
  return chosen;
}

// Rules out one world. False: nothing is wrong with it.
static bool rule_out (struct prover *p) {
  struct chosen chosen = choose (p);
  struct certificate *c = p->made.c;
  const size_t before = c->items.count;
  find_forbidden (&p->part, &chosen, c);
  size_t useful = before; // what the verifier would refuse is of no use; the rest goes with it
  while (useful < c->items.count && refutation_add (&p->made, useful))
    useful++;
  c->items.count = useful;
  MEM_FREE_ALL (chosen.in, chosen.surely, chosen.source, chosen.wrote);
  return useful > before;
}

// --------------------------------------------------------------------------------------- the proof

static bool search (struct prover *p) {
  while (!p->made.empty) {
    refutation_tell (&p->made);
    p->known_names = (uint32_t) p->part.clauses->names.count;
    const enum sat_answer answer = sat_solve (p->made.sat, p->budget);
    if (answer == SAT_NO)
      break;
    p->why = "the limits were reached";
    if (answer == SAT_STOPPED || budget_check (p->budget) != BUDGET_LEFT)
      return false;
    p->why = "the part found has an explanation of its own";
    if (!rule_out (p))
      return false;
  }
  p->why = "the solver gives no proof";
  return true;
}

// Only what the refutation uses is demanded.
static void drop_unused_constraints (struct certificate *c) {
  struct cert_constraints all = c->constraints;
  uint32_t *number = MEM_ZARRAY (uint32_t, all.list.count); // from 1 on
  for (size_t i = 0; i < c->items.count; i++)
    if (c->items.data[i].kind == ITEM_CONSTRAINT)
      number[c->items.data[i].constraint] = 1;
  for (size_t i = 0; i < c->steps.count; i++)
    if (c->steps.data[i].kind == STEP_CONSTRAINT)
      number[c->steps.data[i].constraint] = 1;
  memset (&c->constraints, 0, sizeof c->constraints);
  for (uint32_t i = 0; i < all.list.count; i++)
    if (number[i]) {
      cert_constraints_add (&c->constraints, &all, i);
      number[i] = (uint32_t) c->constraints.list.count;
    }
  for (size_t i = 0; i < c->items.count; i++)
    if (c->items.data[i].kind == ITEM_CONSTRAINT)
      c->items.data[i].constraint = number[c->items.data[i].constraint] - 1;
  for (size_t i = 0; i < c->steps.count; i++)
    if (c->steps.data[i].kind == STEP_CONSTRAINT)
      c->steps.data[i].constraint = number[c->steps.data[i].constraint] - 1;
  cert_constraints_free (&all);
  mem_free (number);
}

// A refutation of one part, or NULL.
static struct certificate *refute_part (struct prover *p, const cert_numbers *txns) {
  struct clauses *clauses = clauses_new (p->told, p->level, p->claim->clock_skew);
  struct certificate *c = NULL;
  p->part = (struct part){ .clauses = clauses, .count = (uint32_t) txns->count, .txn = txns->data };
  refutation_open (&p->made, certificate_new (p->claim, p->told->h), clauses);
  p->known_names = 0;
  collect_part (p);
  say_all (p);
  if (search (p) && refutation_prove (&p->made, p->budget)) {
    c = p->made.c;
    p->made.c = NULL;
    drop_unused_constraints (c);
  }
  refutation_close (&p->made);
  for (size_t i = 0; i < p->part.lists.count; i++)
    VEC_FREE (p->part.lists.data[i].inside);
  MEM_FREE_ALL (p->part.lists.data, p->part.reads.data, p->part.writers.data);
  return c;
}

// ---------------------------------------------------------------------------------------- the part

// Where the reads of the part can have read from.
static void ask_for_part (struct told *a, const cert_numbers *txns) {
  for (size_t i = 0; i < txns->count; i++) {
    told_add (a, txns->data[i]);
    for (size_t k = 0; k < a->reads.count; k++)
      told_ask_sources (a, &a->reads.data[k]);
  }
  told_find_sources (a);
}

// Adds who may be the source of a read of the part. `doubtful`: only those of whom it is open
// whether there is such a version; where the checker knew better, it may have left them out of the
// part.
static void add_sources (struct told *a, cert_numbers *txns, uint8_t *inside, bool doubtful) {
  const size_t count = txns->count;
  source_vec sources = VEC_EMPTY;
  for (size_t i = 0; i < count; i++) {
    told_add (a, txns->data[i]);
    for (size_t k = 0; k < a->reads.count; k++) {
      sources.count = 0;
      told_sources (a, &a->reads.data[k], &sources);
      for (size_t s = 0; may_be_external (&a->reads.data[k]) && s < sources.count; s++) {
        const struct told_writer *writer = &sources.data[s];
        const bool open = writer->unrecorded != OP_NONE || !told_committed (a, writer->txn);
        if (inside[writer->txn] || (doubtful && !open))
          continue;
        inside[writer->txn] = 1;
        VEC_PUSH (*txns, writer->txn);
      }
    }
  }
  VEC_FREE (sources);
}

// The part, and if it can be explained by itself, more and more of what it read from.
static struct certificate *refute_growing (struct prover *p, cert_numbers *txns) {
  enum { DOUBTFUL_ROUNDS = 4, ROUNDS = 8 };
  uint8_t *inside = MEM_ZARRAY (uint8_t, history_txns (p->told->h));
  struct certificate *c = NULL;
  for (size_t i = 0; i < txns->count; i++)
    inside[txns->data[i]] = 1;
  for (int round = 0; round < ROUNDS && !c && budget_check (p->budget) == BUDGET_LEFT; round++) {
    const size_t before = txns->count;
    if (round)
      add_sources (p->told, txns, inside, round < DOUBTFUL_ROUNDS);
    if (round && txns->count == before)
      continue;
    ask_for_part (p->told, txns);
    VEC_SORT (*txns, by_u32);
    budget_add_work (p->budget, (uint64_t) txns->count * txns->count);
    c = refute_part (p, txns);
  }
  mem_free (inside);
  return c;
}

struct certificate *certify_refutation (struct told *told, const struct claim *claim,
                                        const struct cert_constraints *constraints, const uint32_t *txns,
                                        uint32_t count, struct budget *budget, const char **why) {
  struct prover p = { .claim = claim, .constraints = constraints, .told = told, .budget = budget };
  *why = "the level is not one that certificates know";
  if (!count || !claim_level_find (claim->level, &p.level))
    return NULL;
  cert_numbers part = VEC_EMPTY;
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH (part, txns[i]);
  struct certificate *c = refute_growing (&p, &part);
  *why = budget_check (budget) == BUDGET_LEFT ? p.why : "the limits were reached";
  VEC_FREE (part);
  return c;
}
