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

#include <stdlib.h>
#include <string.h>

struct prover {
  const struct certify_claim *claim;
  struct told *told;
  const struct clauses *all; // who writes what
  struct part part;
  struct certificate *c;
  struct sat *sat;
  uint32_t handed_over; // clauses that the solver knows
  uint32_t known_names;
  bool empty; // some item says by itself that there is no explanation
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
  const struct clauses *clauses = p->part.clauses;
  for (uint32_t i = clauses->key_first[read->key]; i < clauses->key_first[read->key + 1]; i++)
    if (can_be_source (read, &clauses->writers[i]) && part_place (&p->part, clauses->writers[i].txn) == PLACE_NONE)
      return false;
  return true;
}

static bool may_be_external (const struct told_read *read) {
  return read->if_wrote == OUTCOME_EXTERNAL || read->if_not == OUTCOME_EXTERNAL;
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
  }
  VEC_SORT (p->part.writers, by_u32_pair);
}

// ------------------------------------------------------------------------------------------- items

// An item that holds anyway is not kept.
static void add_item (struct prover *p, struct cert_item item) {
  struct complaint complaint;
  struct clauses *clauses = p->part.clauses;
  if (!clauses_add (clauses, p->c, &item, &complaint))
    return;
  VEC_PUSH (p->c->items, item);
  const uint32_t last = clauses_count (clauses);
  p->empty |= clauses->first.data[last] == clauses->first.data[last - 1];
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
  const struct clauses *clauses = p->part.clauses;
  VEC (uint32_t) sources = VEC_EMPTY;
  if (initial_can_be_source (p->told, read))
    VEC_PUSH (sources, INITIAL);
  for (uint32_t i = clauses->key_first[read->key]; i < clauses->key_first[read->key + 1]; i++)
    if (can_be_source (read, &clauses->writers[i]))
      VEC_PUSH (sources, clauses->writers[i].txn);
  for (size_t i = 0; i < sources.count; i++) {
    about_source (p, ITEM_READER_IN, read, sources.data[i], INITIAL);
    if (sources.data[i] != INITIAL) {
      about_source (p, ITEM_SOURCE_IN, read, sources.data[i], INITIAL);
      about_source (p, ITEM_SOURCE_WROTE, read, sources.data[i], INITIAL);
    }
    if (read->unrecorded != OP_NONE)
      about_source (p, ITEM_READER_EXTERNAL, read, sources.data[i], INITIAL);
    for (size_t k = 0; k < i; k++)
      about_source (p, ITEM_ONE_SOURCE, read, sources.data[k], sources.data[i]);
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
  VEC (struct told_read) reads = VEC_EMPTY;
  VEC (uint32_t) malformed = VEC_EMPTY;
  for (size_t i = 0; i < a->reads.count; i++)
    VEC_PUSH (reads, a->reads.data[i]);
  for (size_t i = 0; i < a->malformed.count; i++)
    VEC_PUSH (malformed, a->malformed.data[i]);
  for (size_t i = 0; i < malformed.count; i++)
    add_item (p, (struct cert_item){ .kind = ITEM_BROKEN, .op = malformed.data[i] });
  for (size_t i = 0; i < reads.count; i++)
    say_read (p, &reads.data[i]);
  VEC_FREE (reads);
  VEC_FREE (malformed);
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

struct part_list {
  struct told_list list;
  VEC (uint32_t) inside; // its writers that are in the part
};
typedef VEC (struct part_list) part_list_vec;

static void collect_lists (struct prover *p, part_list_vec *lists) {
  struct told *a = p->told;
  for (uint32_t place = 0; place < p->part.count; place++) {
    told_add (a, p->part.txn[place]);
    for (size_t i = 0; i < a->lists.count; i++) {
      struct part_list list = { .list = a->lists.data[i] };
      for (uint32_t k = 0; k < list.list.writers; k++) {
        const uint32_t writer = a->list_writers.data[list.list.first_writer + k];
        if (part_place (&p->part, writer) != PLACE_NONE)
          VEC_PUSH (list.inside, writer);
      }
      VEC_PUSH (*lists, list);
    }
  }
}

static void say_list (struct prover *p, const struct part_list *list) {
  uint32_t first, end;
  const uint32_t op = list->list.op;
  add_item (p, (struct cert_item){ .kind = ITEM_BROKEN, .op = op });
  for (size_t i = 0; i < list->inside.count; i++) {
    add_item (p, (struct cert_item){ .kind = ITEM_LIST_IN, .op = op, .a = list->inside.data[i] });
    for (size_t k = i + 1; k < list->inside.count; k++)
      add_item (p, (struct cert_item){
                     .kind = ITEM_LIST_ORDER, .op = op, .a = list->inside.data[i], .b = list->inside.data[k] });
  }
  part_writers (&p->part, list->list.key, &first, &end);
  for (uint32_t i = first; i < end; i++)
    add_item (
      p, (struct cert_item){ .kind = ITEM_LIST_ABSENT, .op = op, .a = p->part.txn[p->part.writers.data[i].writer] });
}

static void say_lists (struct prover *p) {
  part_list_vec lists = VEC_EMPTY;
  if (p->told->some_lists)
    collect_lists (p, &lists);
  for (size_t i = 0; i < lists.count; i++) {
    say_list (p, &lists.data[i]);
    for (size_t k = 0; k < i; k++)
      if (lists.data[k].list.key == lists.data[i].list.key)
        add_item (p, (struct cert_item){
                       .kind = ITEM_LISTS_CLASH, .op = lists.data[k].list.op, .other_op = lists.data[i].list.op });
  }
  for (size_t i = 0; i < lists.count; i++)
    VEC_FREE (lists.data[i].inside);
  VEC_FREE (lists);
}

// What hints say about the order of versions of the part.
static void say_orders (struct prover *p) {
  const struct part_writer *writers = p->part.writers.data;
  for (size_t i = 0; p->claim->hints && i < p->part.writers.count; i++)
    for (size_t k = 0; k < p->part.writers.count; k++)
      if (i != k && writers[i].key == writers[k].key)
        add_item (p, (struct cert_item){ .kind = ITEM_HINT_ORDER,
                                         .key = writers[i].key,
                                         .a = p->part.txn[writers[i].writer],
                                         .b = p->part.txn[writers[k].writer] });
}

// A demand says something about the part if each of its alternatives does.
static bool concerns_part (const struct prover *p, const struct cert_constraint *constraint) {
  const struct cert_constraints *constraints = p->claim->constraints;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const uint32_t op = constraints->conditions.data[constraint->first_condition + i].op;
    if (part_place (&p->part, history_txn_of_op (p->claim->h, op)) == PLACE_NONE)
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
  for (uint32_t i = 0; p->claim->constraints && i < p->claim->constraints->list.count; i++)
    if (concerns_part (p, &p->claim->constraints->list.data[i])) {
      cert_constraints_add (&p->c->constraints, p->claim->constraints, i);
      add_item (
        p, (struct cert_item){ .kind = ITEM_CONSTRAINT, .constraint = (uint32_t) p->c->constraints.list.count - 1 });
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

static void tell_solver (struct prover *p) {
  const struct clauses *clauses = p->part.clauses;
  for (; p->handed_over < clauses_count (clauses); p->handed_over++) {
    for (uint32_t i = clauses->first.data[p->handed_over]; i < clauses->first.data[p->handed_over + 1]; i++)
      sat_add (p->sat, clauses->literals.data[i]);
    sat_add (p->sat, 0);
  }
  p->known_names = (uint32_t) clauses->names.count;
}

// What no clause speaks of is as good one way as the other.
static bool holds (const struct prover *p, int32_t literal, bool otherwise) {
  if (literal == LITERAL_TRUE || literal == LITERAL_FALSE)
    return literal == LITERAL_TRUE;
  const int32_t variable = literal > 0 ? literal : -literal;
  if (variable >= (int32_t) p->known_names)
    return otherwise;
  return sat_value (p->sat, variable) == (literal > 0);
}

static bool comes_before (void *context, uint32_t key, uint32_t first, uint32_t second) {
  struct prover *p = context;
  const uint32_t a = p->part.txn[first], b = p->part.txn[second];
  return holds (p, literal_before (p->part.clauses, key, a, b), a < b);
}

static bool delete_wrote (void *context, uint32_t op) {
  struct prover *p = context;
  return holds (p, literal_wrote (p->part.clauses, op), false);
}

static bool takes (void *context, uint32_t constraint, uint32_t alternative) {
  struct prover *p = context;
  return holds (p, literal_alternative (p->part.clauses, constraint, alternative), false);
}

static uint32_t source_of (struct prover *p, const struct part_read *read) {
  const struct clauses *clauses = p->part.clauses;
  const uint32_t key = read->read.key;
  if (initial_can_be_source (p->told, &read->read)
      && holds (p, literal_source (p->part.clauses, read->read.op, key, INITIAL), false))
    return PLACE_INITIAL;
  for (uint32_t i = clauses->key_first[key]; i < clauses->key_first[key + 1]; i++)
    if (can_be_source (&read->read, &clauses->writers[i])
        && holds (p, literal_source (p->part.clauses, read->read.op, key, clauses->writers[i].txn), false))
      return part_place (&p->part, clauses->writers[i].txn);
  return PLACE_NONE;
}

static struct chosen choose (struct prover *p) {
  const struct part *part = &p->part;
  struct chosen chosen = { .in = MEM_ZARRAY (uint8_t, part->count),
                           .surely = MEM_ZARRAY (uint8_t, part->count),
                           .source = MEM_ARRAY (uint32_t, part->reads.count),
                           .wrote = MEM_ARRAY (uint8_t, part->writers.count),
                           .before = comes_before,
                           .delete_wrote = delete_wrote,
                           .takes = takes,
                           .context = p };
  for (uint32_t place = 0; place < part->count; place++)
    chosen.in[place] = holds (p, literal_in (part->clauses, part->txn[place]), false);
  for (size_t i = 0; i < part->reads.count; i++)
    chosen.source[i] = source_of (p, &part->reads.data[i]);
  for (size_t i = 0; i < part->writers.count; i++) {
    const struct part_writer *writer = &part->writers.data[i];
    chosen.wrote[i] =
      chosen.in[writer->writer] && (writer->unrecorded == OP_NONE || delete_wrote (p, writer->unrecorded));
    chosen.surely[writer->writer] |= chosen.wrote[i];
  }
  return chosen;
}

static void chosen_free (struct chosen *chosen) {
  mem_free (chosen->in);
  mem_free (chosen->surely);
  mem_free (chosen->source);
  mem_free (chosen->wrote);
}

// Rules out one world. False: nothing is wrong with it.
static bool rule_out (struct prover *p) {
  struct chosen chosen = choose (p);
  const size_t before = p->c->items.count;
  const uint32_t found = find_forbidden (&p->part, &chosen, p->c);
  uint32_t useful = 0;
  for (size_t i = before; i < p->c->items.count; i++) {
    struct complaint complaint;
    struct clauses *clauses = p->part.clauses;
    if (!clauses_add (clauses, p->c, &p->c->items.data[i], &complaint))
      break; // what the verifier would refuse is of no use; the rest goes with it
    const uint32_t last = clauses_count (clauses);
    p->empty |= clauses->first.data[last] == clauses->first.data[last - 1];
    useful++;
  }
  p->c->items.count = before + useful;
  chosen_free (&chosen);
  return found && useful;
}

// --------------------------------------------------------------------------------------- the proof

static bool spent (struct budget *budget) {
  return budget && budget_check (budget) != BUDGET_LEFT;
}

static bool search (struct prover *p, struct budget *budget, const char **why) {
  p->sat = sat_new (0);
  while (!p->empty) {
    tell_solver (p);
    const enum sat_answer answer = sat_solve (p->sat, budget);
    if (answer == SAT_NO)
      break;
    *why = "the limits were reached";
    if (answer == SAT_STOPPED || spent (budget))
      return false;
    *why = "the part found has an explanation of its own";
    if (!rule_out (p))
      return false;
  }
  return true;
}

static void copy_item (struct certificate *to, const struct certificate *from, struct cert_item item) {
  const uint32_t first_step = item.first_step, first_assumed = item.first_assumed;
  item.first_step = (uint32_t) to->steps.count;
  item.first_assumed = (uint32_t) to->assumed.count;
  for (uint32_t i = 0; item.kind == ITEM_LEMMA && i < item.steps; i++)
    VEC_PUSH (to->steps, from->steps.data[first_step + i]);
  for (uint32_t i = 0; item.kind == ITEM_LEMMA && i < item.assumed; i++)
    VEC_PUSH (to->assumed, from->assumed.data[first_assumed + i]);
  VEC_PUSH (to->items, item);
}

// The items with a mark, and their clauses made anew, so that variables are numbered as the
// verifier will number them.
static void keep_items (struct prover *p, const uint8_t *kept) {
  const struct certify_claim *claim = p->claim;
  struct certificate *to = certificate_new (&claim->claim, claim->h);
  struct clauses *clauses = clauses_new_like (p->all);
  for (uint32_t i = 0; i < p->c->constraints.list.count; i++)
    cert_constraints_add (&to->constraints, &p->c->constraints, i);
  for (size_t i = 0; i < p->c->items.count; i++) {
    struct complaint complaint;
    if (!kept[i])
      continue;
    copy_item (to, p->c, p->c->items.data[i]);
    if (!clauses_add (clauses, to, &to->items.data[to->items.count - 1], &complaint))
      misuse (__func__, complaint.text);
  }
  certificate_free (p->c);
  clauses_free (p->part.clauses);
  p->c = to;
  p->part.clauses = clauses;
}

static char *prove_clauses (const struct clauses *clauses, struct budget *budget) {
  VEC (int32_t) all = VEC_EMPTY;
  for (uint32_t i = 0; i < clauses_count (clauses); i++) {
    for (uint32_t k = clauses->first.data[i]; k < clauses->first.data[i + 1]; k++)
      VEC_PUSH (all, clauses->literals.data[k]);
    VEC_PUSH (all, 0);
  }
  char *text = sat_prove (all.data, all.count, budget);
  VEC_FREE (all);
  return text;
}

// Numbers of the solver's lines are its own; the ones that it gave to our clauses are those that no
// line defines.
static uint32_t *clause_numbers (const char *text, uint32_t items, uint32_t *most) {
  *most = 0;
  for (const char *line = text; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL) {
    const unsigned long number = strtoul (line, NULL, 10);
    *most = number > *most ? (uint32_t) number : *most;
  }
  *most = *most > items ? *most : items;
  *most += items;
  uint32_t *numbers = MEM_ZARRAY (uint32_t, (size_t) *most + 1);
  uint32_t derived = 0;
  for (const char *line = text; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL) {
    char *rest;
    const unsigned long number = strtoul (line, &rest, 10);
    if (number && strncmp (rest, " d", 2))
      numbers[number] = items + ++derived;
  }
  for (uint32_t number = 1, item = 0; number <= *most && item < items; number++)
    if (!numbers[number])
      numbers[number] = ++item;
  return numbers;
}

static void take_line (struct certificate *c, const char *line, const uint32_t *numbers, uint32_t most) {
  struct cert_clause clause = { .first_literal = (uint32_t) c->literals.count,
                                .first_hint = (uint32_t) c->hints.count };
  char *rest;
  strtoul (line, &rest, 10);
  if (!strncmp (rest, " d", 2))
    return;
  for (long literal = strtol (rest, &rest, 10); literal; literal = strtol (rest, &rest, 10)) {
    VEC_PUSH (c->literals, (int32_t) literal);
    clause.literals++;
  }
  for (long hint = strtol (rest, &rest, 10); hint > 0 && (uint32_t) hint <= most; hint = strtol (rest, &rest, 10)) {
    VEC_PUSH (c->hints, numbers[hint]);
    clause.hints++;
  }
  VEC_PUSH (c->clauses, clause);
}

static void take_proof (struct prover *p, const char *text) {
  uint32_t most;
  uint32_t *numbers = clause_numbers (text, (uint32_t) p->c->items.count, &most);
  for (const char *line = text; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL)
    take_line (p->c, line, numbers, most);
  mem_free (numbers);
}

// What the empty clause rests on, one step after the other. The rest of the proof goes.
static void trim_proof (struct certificate *c) {
  const uint32_t items = (uint32_t) c->items.count;
  uint32_t last = 0;
  while (last < c->clauses.count && c->clauses.data[last].literals)
    last++;
  if (last == c->clauses.count)
    return;
  uint8_t *needed = MEM_ZARRAY (uint8_t, (size_t) last + 1);
  uint32_t *number = MEM_ZARRAY (uint32_t, (size_t) items + last + 2), kept = 0;
  needed[last] = 1;
  for (uint32_t i = last + 1; i-- > 0;)
    for (uint32_t k = 0; needed[i] && k < c->clauses.data[i].hints; k++) {
      const uint32_t hint = c->hints.data[c->clauses.data[i].first_hint + k];
      if (hint > items && hint - items - 1 < i)
        needed[hint - items - 1] = 1;
    }
  for (uint32_t i = 0; i <= items; i++)
    number[i] = i;
  for (uint32_t i = 0; i <= last; i++) {
    if (!needed[i])
      continue;
    struct cert_clause clause = c->clauses.data[i];
    for (uint32_t k = 0; k < clause.hints; k++)
      c->hints.data[clause.first_hint + k] = number[c->hints.data[clause.first_hint + k]];
    c->clauses.data[kept++] = clause;
    number[items + 1 + i] = items + kept;
  }
  c->clauses.count = kept;
  mem_free (needed);
  mem_free (number);
}

static uint8_t *items_in_proof (const struct certificate *c) {
  uint8_t *used = MEM_ZARRAY (uint8_t, c->items.count);
  for (size_t i = 0; i < c->clauses.count; i++)
    for (uint32_t k = 0; k < c->clauses.data[i].hints; k++) {
      const uint32_t hint = c->hints.data[c->clauses.data[i].first_hint + k];
      if (hint && hint <= c->items.count)
        used[hint - 1] = 1;
    }
  return used;
}

// One item that needs no proof.
static void keep_empty_item (struct prover *p) {
  const struct clauses *clauses = p->part.clauses;
  uint8_t *kept = MEM_ZARRAY (uint8_t, p->c->items.count);
  uint32_t i = 0;
  while (clauses->first.data[i] != clauses->first.data[i + 1])
    i++;
  kept[i] = 1;
  keep_items (p, kept);
  mem_free (kept);
}

// Each round proves what the one before was found to need.
static bool prove (struct prover *p, struct budget *budget, const char **why) {
  enum { ROUNDS = 3 };
  for (int round = 0; round < ROUNDS; round++) {
    if (round) {
      uint8_t *kept = items_in_proof (p->c);
      keep_items (p, kept);
      mem_free (kept);
    }
    char *text = prove_clauses (p->part.clauses, budget);
    *why = "the solver gives no proof";
    if (!text)
      return false;
    take_proof (p, text);
    trim_proof (p->c);
    free (text);
  }
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
static struct certificate *refute_part (const struct certify_claim *claim, const struct clauses *all,
                                        const uint32_t *txns, uint32_t count, struct budget *budget, const char **why) {
  struct prover p = { .claim = claim, .told = all->told, .all = all, .part = { .count = count, .txn = txns } };
  p.part.clauses = clauses_new_like (all);
  p.c = certificate_new (&claim->claim, claim->h);
  collect_part (&p);
  say_all (&p);
  bool done = search (&p, budget, why);
  if (done && p.empty)
    keep_empty_item (&p);
  else if (done)
    done = prove (&p, budget, why);
  sat_free (p.sat);
  VEC_FREE (p.part.reads);
  VEC_FREE (p.part.writers);
  clauses_free (p.part.clauses);
  if (done) {
    drop_unused_constraints (p.c);
    return p.c;
  }
  certificate_free (p.c);
  return NULL;
}

// ---------------------------------------------------------------------------------------- the part

typedef VEC (uint32_t) txn_vec;

// Adds who may be the source of a read of the part. `doubtful`: only those of whom it is open
// whether there is such a version; where the checker knew better, it may have left them out of the
// part.
static void add_sources (const struct clauses *all, txn_vec *txns, uint8_t *inside, bool doubtful) {
  struct told *a = all->told;
  const size_t count = txns->count;
  for (size_t i = 0; i < count; i++) {
    told_add (a, txns->data[i]);
    for (size_t k = 0; k < a->reads.count; k++) {
      const struct told_read *read = &a->reads.data[k];
      for (uint32_t w = all->key_first[read->key]; may_be_external (read) && w < all->key_first[read->key + 1]; w++) {
        const struct writer *writer = &all->writers[w];
        const bool open = writer->unrecorded != OP_NONE || !told_committed (a, writer->txn);
        if (inside[writer->txn] || !can_be_source (read, writer) || (doubtful && !open))
          continue;
        inside[writer->txn] = 1;
        VEC_PUSH (*txns, writer->txn);
      }
    }
  }
}

// The part, and if it can be explained by itself, more and more of what it read from.
static struct certificate *refute_growing (const struct certify_claim *claim, const struct clauses *all, txn_vec *txns,
                                           struct budget *budget, const char **why) {
  enum { DOUBTFUL_ROUNDS = 4, ROUNDS = 8 };
  uint8_t *inside = MEM_ZARRAY (uint8_t, history_txns (claim->h));
  struct certificate *c = NULL;
  for (size_t i = 0; i < txns->count; i++)
    inside[txns->data[i]] = 1;
  for (int round = 0; round < ROUNDS && !c; round++) {
    const size_t before = txns->count;
    if (round)
      add_sources (all, txns, inside, round < DOUBTFUL_ROUNDS);
    if (round && txns->count == before)
      continue;
    VEC_SORT (*txns, by_u32);
    c = refute_part (claim, all, txns->data, (uint32_t) txns->count, budget, why);
    if (spent (budget))
      break;
  }
  mem_free (inside);
  return c;
}

struct certificate *certify_refutation (const struct certify_claim *claim, const uint32_t *txns, uint32_t count,
                                        struct budget *budget, const char **why) {
  struct claim_level level;
  struct told *told;
  *why = "the level is not one that certificates know";
  if (!count || !claim_level_find (claim->claim.level, &level)
      || !(told = told_new (claim->h, claim->claim.policy, claim->hints, true, why)))
    return NULL;
  told->origin = claim->origin;
  struct clauses *all = clauses_new (told, level, claim->claim.clock_skew);
  txn_vec part = VEC_EMPTY;
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH (part, txns[i]);
  struct certificate *c = refute_growing (claim, all, &part, budget, why);
  VEC_FREE (part);
  clauses_free (all);
  told_free (told);
  return c;
}
