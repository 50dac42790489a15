#include "verify/clauses.h"

void clauses_clear (struct clauses *clauses) {
  hash_set_free (&clauses->known);
  clauses->names.count = clauses->literals.count = clauses->first.count = 0;
  VEC_PUSH (clauses->names, (struct variable_name){ NAME_IN, 0, 0, 0 }); // numbers start at 1
  VEC_PUSH (clauses->first, 0);
}

struct clauses *clauses_new_of (item_says *says, const void *sentence) {
  struct clauses *clauses = mem_zalloc (sizeof *clauses);
  clauses->says = says;
  clauses->sentence = sentence;
  clauses_clear (clauses);
  return clauses;
}

static item_says expand;

struct clauses *clauses_new (struct told *told, struct claim_level level, int64_t clock_skew) {
  struct clauses *clauses = clauses_new_of (expand, NULL);
  clauses->told = told;
  clauses->level = level;
  clauses->clock_skew = clock_skew;
  return clauses;
}

struct clauses *clauses_new_for (struct told *told, struct claim_level level, const struct certificate *c) {
  for (size_t i = 0; i < c->items.count; i++) {
    const struct cert_item *item = &c->items.data[i];
    const struct told_read *read = item->kind == ITEM_READ ? told_read_of (told, item->op, item->key) : NULL;
    if (read)
      told_ask_sources (told, read);
  }
  told_find_sources (told);
  return clauses_new (told, level, c->clock_skew);
}

void clauses_free (struct clauses *clauses) {
  if (!clauses)
    return;
  hash_set_free (&clauses->known);
  MEM_FREE_ALL (clauses->names.data, clauses->literals.data, clauses->first.data, clauses);
}

bool initial_can_be_source (const struct told *a, const struct told_read *read) {
  const uint32_t initial = a->init_value[read->key];
  if (!told_hint_allows (read, INITIAL))
    return false;
  return read->list ? read->writer == INITIAL : initial == VALUE_UNRECORDED || told_fits (read, initial);
}

bool is_possible_source (const struct clauses *clauses, const struct told_read *read, uint32_t source) {
  if (source == INITIAL)
    return initial_can_be_source (clauses->told, read);
  const struct told_read asked = *read; // which may be what was told last
  struct told_writer writer;
  return told_writer_of (clauses->told, asked.key, source, &writer)
         && told_can_be_source (&asked, source, writer.value);
}

const struct told_list *list_of (struct told *a, uint32_t op) {
  if (!told_add_of (a, op))
    return NULL;
  for (size_t i = 0; i < a->lists.count; i++)
    if (a->lists.data[i].op == op)
      return &a->lists.data[i];
  return NULL;
}

// --------------------------------------------------------------------------------------- variables

static bool same_name (const void *context, uint32_t index, const void *wanted) {
  const struct variable_name *one = (const struct variable_name *) context + index, *other = wanted;
  return one->kind == other->kind && one->a == other->a && one->b == other->b && one->c == other->c;
}

int32_t literal_named (struct clauses *clauses, struct variable_name name) {
  const uint64_t hash = hash_pair (name.a * 8 + name.kind, name.b) ^ hash_pair (name.c, 7);
  uint32_t found = hash_set_find (&clauses->known, hash, same_name, clauses->names.data, &name);
  if (found == HASH_NONE) {
    found = (uint32_t) clauses->names.count;
    VEC_PUSH (clauses->names, name);
    hash_set_insert (&clauses->known, hash, found);
  }
  return (int32_t) found;
}

int32_t literal_in (struct clauses *clauses, uint32_t txn) {
  if (txn == INITIAL || told_committed (clauses->told, txn))
    return LITERAL_TRUE;
  if (!told_takes_part (clauses->told, txn))
    return LITERAL_FALSE;
  return literal_named (clauses, (struct variable_name){ NAME_IN, txn, 0, 0 });
}

int32_t literal_wrote (struct clauses *clauses, uint32_t op) {
  return op == OP_NONE ? LITERAL_TRUE : literal_named (clauses, (struct variable_name){ NAME_WROTE, op, 0, 0 });
}

int32_t literal_source (struct clauses *clauses, uint32_t op, uint32_t key, uint32_t source) {
  return literal_named (clauses, (struct variable_name){ NAME_SOURCE, op, key, source });
}

int32_t literal_alternative (struct clauses *clauses, uint32_t constraint, uint32_t alternative) {
  return literal_named (clauses, (struct variable_name){ NAME_ALTERNATIVE, constraint, alternative, 0 });
}

int32_t literal_before (struct clauses *clauses, uint32_t key, uint32_t first, uint32_t second) {
  if (first == INITIAL)
    return LITERAL_TRUE;
  if (second == INITIAL)
    return LITERAL_FALSE;
  return first < second ? literal_named (clauses, (struct variable_name){ NAME_BEFORE, key, first, second })
                        : -literal_named (clauses, (struct variable_name){ NAME_BEFORE, key, second, first });
}

// ----------------------------------------------------------------------------------------- clauses

static uint32_t start_of_clause (const struct clauses *clauses) {
  return clauses->first.data[clauses->first.count - 1];
}

void clause_push (struct clauses *clauses, int32_t literal) {
  clauses->satisfied |= literal == LITERAL_TRUE;
  if (literal == LITERAL_TRUE || literal == LITERAL_FALSE)
    return;
  for (size_t i = start_of_clause (clauses); i < clauses->literals.count; i++) {
    if (clauses->literals.data[i] == literal)
      return;
    clauses->satisfied |= clauses->literals.data[i] == -literal;
  }
  VEC_PUSH (clauses->literals, literal);
}

bool clause_unless_version (struct clauses *clauses, uint32_t key, uint32_t txn) {
  struct told_writer writer;
  if (!told_writer_of (clauses->told, key, txn, &writer))
    return false;
  clause_push (clauses, -literal_in (clauses, txn));
  clause_push (clauses, -literal_wrote (clauses, writer.unrecorded));
  return true;
}

static bool add_read (struct clauses *clauses, const struct told_read *read, bool wrote, struct complaint *complaint) {
  const enum outcome outcome = wrote ? read->if_wrote : read->if_not;
  if (wrote && read->unrecorded == OP_NONE)
    return complain (complaint, "the read depends on no delete");
  if (outcome == OUTCOME_OWN)
    return complain (complaint, "the read may have seen an own write");
  clause_push (clauses, -literal_in (clauses, read->txn));
  if (read->unrecorded != OP_NONE)
    clause_push (clauses,
                 wrote ? -literal_wrote (clauses, read->unrecorded) : literal_wrote (clauses, read->unrecorded));
  if (outcome == OUTCOME_BROKEN)
    return true;
  if (initial_can_be_source (clauses->told, read))
    clause_push (clauses, literal_source (clauses, read->op, read->key, INITIAL));
  source_vec sources = VEC_EMPTY;
  told_sources (clauses->told, read, &sources);
  for (size_t i = 0; i < sources.count; i++)
    clause_push (clauses, literal_source (clauses, read->op, read->key, sources.data[i].txn));
  VEC_FREE (sources);
  return true;
}

static bool add_reader_external (struct clauses *clauses, const struct told_read *read, struct complaint *complaint) {
  const bool if_wrote = read->if_wrote == OUTCOME_EXTERNAL, if_not = read->if_not == OUTCOME_EXTERNAL;
  if (read->unrecorded == OP_NONE || if_wrote == if_not)
    return complain (complaint, "the read does not depend on a delete");
  clause_push (clauses,
               if_wrote ? literal_wrote (clauses, read->unrecorded) : -literal_wrote (clauses, read->unrecorded));
  return true;
}

// What two reads say about an initial value that may be anything.
static bool exclude_each_other (const struct told_read *x, const struct told_read *y) {
  const bool x_several = x->other || x->or_absent, y_several = y->other || y->or_absent;
  if (x->list || y->list || (x_several && y_several))
    return false;
  return x_several ? !told_fits (x, y->value) : !told_fits (y, x->value);
}

static bool add_initial (struct clauses *clauses, const struct told_read *read, uint32_t other_op,
                         struct complaint *complaint) {
  const struct told_read *other = told_read_of (clauses->told, other_op, read->key);
  if (clauses->told->init_value[read->key] != VALUE_UNRECORDED || !other || !exclude_each_other (read, other)
      || !initial_can_be_source (clauses->told, read) || !initial_can_be_source (clauses->told, other))
    return complain (complaint, "the reads may have found one initial value");
  clause_push (clauses, -literal_source (clauses, read->op, read->key, INITIAL));
  clause_push (clauses, -literal_source (clauses, other_op, read->key, INITIAL));
  return true;
}

// Items about one read and one source of it.
static bool add_about_source (struct clauses *clauses, const struct told_read *read, const struct cert_item *item,
                              struct complaint *complaint) {
  struct told_writer writer;
  if (!is_possible_source (clauses, read, item->a))
    return complain (complaint, "a source that the read cannot have");
  clause_push (clauses, -literal_source (clauses, read->op, read->key, item->a));
  switch ((enum item_kind) item->kind) {
  case ITEM_ONE_SOURCE:
    if (item->a == item->b || !is_possible_source (clauses, read, item->b))
      return complain (complaint, "it is one source, or one that the read cannot have");
    clause_push (clauses, -literal_source (clauses, read->op, read->key, item->b));
    return true;
  case ITEM_SOURCE_IN: clause_push (clauses, literal_in (clauses, item->a)); return true;
  case ITEM_READER_IN: clause_push (clauses, literal_in (clauses, read->txn)); return true;
  case ITEM_READER_EXTERNAL: return add_reader_external (clauses, read, complaint);
  default:
    if (item->a == INITIAL || !told_writer_of (clauses->told, read->key, item->a, &writer))
      return complain (complaint, "the initial state was not written");
    clause_push (clauses, literal_wrote (clauses, writer.unrecorded));
    return true;
  }
}

static bool add_about_read (struct clauses *clauses, const struct cert_item *item, struct complaint *complaint) {
  const struct told_read *found = told_read_of (clauses->told, item->op, item->key);
  if (!found)
    return complain (complaint, "there is no such read");
  const struct told_read read = *found;
  if (!claim_reads_count (clauses->level) && !(item->kind == ITEM_READ && told_shows_delete (&read)))
    return complain (complaint, "reads do not count at this level");
  told_assume_source (clauses->told, &read);
  if (item->kind == ITEM_READ)
    return add_read (clauses, &read, item->wrote, complaint);
  return item->kind == ITEM_INITIAL ? add_initial (clauses, &read, item->other_op, complaint)
                                    : add_about_source (clauses, &read, item, complaint);
}

// ------------------------------------------------------------------------------------------- lists

uint32_t place_in_list (const struct told *a, const struct told_list *list, uint32_t txn) {
  for (uint32_t i = 0; i < list->writers; i++)
    if (a->list_writers.data[list->first_writer + i] == txn)
      return i;
  return NOT_IN_LIST;
}

static bool add_lists_clash (struct clauses *clauses, const struct told_list *list, uint32_t other_op,
                             struct complaint *complaint) {
  const struct told_list one = *list, *other = list_of (clauses->told, other_op);
  if (!other || other->key != one.key || told_one_is_prefix (&one, other))
    return complain (complaint, "the lists do not contradict each other");
  clause_push (clauses, -literal_in (clauses, one.txn));
  clause_push (clauses, -literal_in (clauses, other->txn));
  return true;
}

static bool add_about_list (struct clauses *clauses, const struct cert_item *item, struct complaint *complaint) {
  struct told *a = clauses->told;
  const struct told_list *list = list_of (a, item->op);
  if (!list)
    return complain (complaint, "there is no such list");
  if (item->kind == ITEM_LISTS_CLASH)
    return add_lists_clash (clauses, list, item->other_op, complaint);
  if (item->kind != ITEM_LIST_ORDER && !claim_reads_count (clauses->level))
    return complain (complaint, "reads do not count at this level");
  const uint32_t at = place_in_list (a, list, item->a);
  clause_push (clauses, -literal_in (clauses, list->txn));
  if (item->kind == ITEM_LIST_IN) {
    clause_push (clauses, literal_in (clauses, item->a));
    return at != NOT_IN_LIST || complain (complaint, "the list holds nothing of that transaction");
  }
  clause_push (clauses, -literal_in (clauses, item->a));
  if (item->kind == ITEM_LIST_ORDER) {
    const uint32_t behind = place_in_list (a, list, item->b);
    clause_push (clauses, -literal_in (clauses, item->b));
    clause_push (clauses, literal_before (clauses, list->key, item->a, item->b));
    return (at != NOT_IN_LIST && behind != NOT_IN_LIST && at < behind)
           || complain (complaint, "the list does not show that order");
  }
  const uint32_t key = list->key,
                 last = list->writers ? a->list_writers.data[list->first_writer + list->writers - 1] : INITIAL;
  struct told_writer writer;
  if (at != NOT_IN_LIST || last == INITIAL || !told_writer_of (a, key, item->a, &writer))
    return complain (complaint, "the transaction is in the list, or appends nothing to it, or the list is empty");
  clause_push (clauses, literal_before (clauses, key, last, item->a));
  return true;
}

static bool add_broken (struct clauses *clauses, uint32_t op, struct complaint *complaint) {
  struct told *a = clauses->told;
  const bool reads_count = claim_reads_count (clauses->level);
  const struct told_list *list = list_of (a, op);
  bool broken = list && (list->impossible || (list->broken && reads_count));
  if (!list && told_add_of (a, op))
    for (size_t i = 0; i < a->malformed.count; i++)
      broken |= a->malformed.data[i] == op && reads_count;
  if (!broken)
    return complain (complaint, "the result is not broken by itself");
  clause_push (clauses, -literal_in (clauses, history_txn_of_op (a->h, op)));
  return true;
}

// What hints say about the order of two versions, if both are there.
static bool add_hint_order (struct clauses *clauses, const struct cert_item *item, struct complaint *complaint) {
  if (!told_hinted_order (clauses->told, item->key, item->a, item->b)
      || !clause_unless_version (clauses, item->key, item->a) || !clause_unless_version (clauses, item->key, item->b))
    return complain (complaint, "an order of versions that the history's hints do not tell");
  told_assume_order (clauses->told, item->key, item->a, item->b);
  clause_push (clauses, literal_before (clauses, item->key, item->a, item->b));
  return true;
}

// What a module demands. Where reads do not count, no condition holds.
static bool add_constraint (struct clauses *clauses, const struct certificate *c, const struct cert_item *item,
                            struct complaint *complaint) {
  if (item->constraint >= c->constraints.list.count)
    return complain (complaint, "there is no such constraint");
  const struct cert_constraint *constraint = &c->constraints.list.data[item->constraint];
  if (constraint->conditions && !claim_reads_count (clauses->level))
    return complain (complaint, "reads do not count at this level");
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct cert_condition *condition = &c->constraints.conditions.data[constraint->first_condition + i];
    const struct told_read *read = told_read_of (clauses->told, condition->op, condition->key);
    if (condition->source == INITIAL && told_found_nothing (clauses->told, condition->op, condition->key))
      clause_push (clauses, -literal_in (clauses, history_txn_of_op (clauses->told->h, condition->op)));
    else if (read && is_possible_source (clauses, read, condition->source))
      clause_push (clauses, -literal_source (clauses, condition->op, condition->key, condition->source));
    else
      return complain (complaint, "a condition that cannot hold");
  }
  for (uint32_t i = 0; i < constraint->alternatives; i++)
    clause_push (clauses, literal_alternative (clauses, item->constraint, i));
  return true;
}

static bool expand (struct clauses *clauses, const struct certificate *c, const struct cert_item *item,
                    struct complaint *complaint) {
  switch ((enum item_kind) item->kind) {
  case ITEM_READ:
  case ITEM_ONE_SOURCE:
  case ITEM_SOURCE_IN:
  case ITEM_SOURCE_WROTE:
  case ITEM_READER_IN:
  case ITEM_READER_EXTERNAL:
  case ITEM_INITIAL: return add_about_read (clauses, item, complaint);
  case ITEM_LIST_ORDER:
  case ITEM_LIST_IN:
  case ITEM_LIST_ABSENT:
  case ITEM_LISTS_CLASH: return add_about_list (clauses, item, complaint);
  case ITEM_BROKEN: return add_broken (clauses, item->op, complaint);
  case ITEM_HINT_ORDER: return add_hint_order (clauses, item, complaint);
  case ITEM_CONSTRAINT: return add_constraint (clauses, c, item, complaint);
  case ITEM_LEMMA: return clauses_add_lemma (clauses, c, item, complaint);
  case ITEM_KINDS: break;
  }
  return complain (complaint, "no such item");
}

bool clauses_add (struct clauses *clauses, const struct certificate *c, const struct cert_item *item,
                  struct complaint *complaint) {
  bool fine = clauses->says (clauses, c, item, complaint);
  if (fine && clauses->satisfied)
    fine = complain (complaint, "it holds whatever is chosen");
  if (fine)
    VEC_PUSH (clauses->first, (uint32_t) clauses->literals.count);
  else
    clauses->literals.count = start_of_clause (clauses);
  clauses->satisfied = false;
  return fine;
}
