#include "verify/clauses.h"

#include "base/group.h"
#include "base/search.h"

// -------------------------------------------------------------------------------------- who writes

// Transactions tell their writes in ascending order, so that each key's writers ascend too.
static void find_writers (struct clauses *clauses) {
  struct told *a = clauses->told;
  const uint32_t keys = history_keys (a->h), txns = history_txns (a->h);
  clauses->key_first = groups_new (keys);
  a->writes_only = true;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t txn = 0; txn < txns; txn++) {
      if (!told_takes_part (a, txn))
        continue;
      told_add (a, txn);
      for (size_t i = 0; i < a->writes.count; i++) {
        const struct told_write *write = &a->writes.data[i];
        if (!pass)
          group_count (clauses->key_first, write->key);
        else
          clauses->writers[group_next (clauses->key_first, write->key)] =
            (struct writer){ txn, write->value, write->unrecorded };
      }
    }
    if (!pass)
      clauses->writers = MEM_ARRAY (struct writer, groups_sum (clauses->key_first, keys));
  }
  a->writes_only = false;
}

static struct clauses *new_clauses (struct told *told, struct claim_level level, int64_t clock_skew) {
  struct clauses *clauses = mem_zalloc (sizeof *clauses);
  clauses->told = told;
  clauses->level = level;
  clauses->clock_skew = clock_skew;
  VEC_PUSH (clauses->names, (struct variable_name){ NAME_IN, 0, 0, 0 }); // numbers start at 1
  VEC_PUSH (clauses->first, 0);
  return clauses;
}

struct clauses *clauses_new (struct told *told, struct claim_level level, int64_t clock_skew) {
  struct clauses *clauses = new_clauses (told, level, clock_skew);
  find_writers (clauses);
  return clauses;
}

struct clauses *clauses_new_like (const struct clauses *other) {
  struct clauses *clauses = new_clauses (other->told, other->level, other->clock_skew);
  clauses->key_first = other->key_first;
  clauses->writers = other->writers;
  clauses->borrowed = true;
  return clauses;
}

void clauses_free (struct clauses *clauses) {
  if (!clauses)
    return;
  if (!clauses->borrowed) {
    mem_free (clauses->key_first);
    mem_free (clauses->writers);
  }
  hash_set_free (&clauses->known);
  VEC_FREE (clauses->names);
  VEC_FREE (clauses->literals);
  VEC_FREE (clauses->first);
  mem_free (clauses);
}

const struct writer *writer_of (const struct clauses *clauses, uint32_t key, uint32_t txn) {
  if (key >= history_keys (clauses->told->h))
    return NULL;
  const uint32_t end = clauses->key_first[key + 1];
  uint32_t at = clauses->key_first[key];
  LOWER_BOUND (at, end, middle, clauses->writers[middle].txn < txn);
  return at < end && clauses->writers[at].txn == txn ? &clauses->writers[at] : NULL;
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
  const struct writer *writer = writer_of (clauses, read->key, source);
  return writer && can_be_source (read, writer);
}

const struct told_list *list_of (struct told *a, uint32_t op) {
  if (op >= history_ops (a->h) || a->h->op_kinds.data[op] != OP_LIST)
    return NULL;
  const uint32_t txn = history_txn_of_op (a->h, op);
  if (!told_takes_part (a, txn))
    return NULL;
  told_add (a, txn);
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

static int32_t variable (struct clauses *clauses, struct variable_name name) {
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
  return variable (clauses, (struct variable_name){ NAME_IN, txn, 0, 0 });
}

int32_t literal_wrote (struct clauses *clauses, uint32_t op) {
  return op == OP_NONE ? LITERAL_TRUE : variable (clauses, (struct variable_name){ NAME_WROTE, op, 0, 0 });
}

int32_t literal_source (struct clauses *clauses, uint32_t op, uint32_t key, uint32_t source) {
  return variable (clauses, (struct variable_name){ NAME_SOURCE, op, key, source });
}

int32_t literal_alternative (struct clauses *clauses, uint32_t constraint, uint32_t alternative) {
  return variable (clauses, (struct variable_name){ NAME_ALTERNATIVE, constraint, alternative, 0 });
}

int32_t literal_before (struct clauses *clauses, uint32_t key, uint32_t first, uint32_t second) {
  if (first == INITIAL)
    return LITERAL_TRUE;
  if (second == INITIAL)
    return LITERAL_FALSE;
  return first < second ? variable (clauses, (struct variable_name){ NAME_BEFORE, key, first, second })
                        : -variable (clauses, (struct variable_name){ NAME_BEFORE, key, second, first });
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
  for (uint32_t i = clauses->key_first[read->key]; i < clauses->key_first[read->key + 1]; i++)
    if (can_be_source (read, &clauses->writers[i]))
      clause_push (clauses, literal_source (clauses, read->op, read->key, clauses->writers[i].txn));
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
    if (item->a == INITIAL)
      return complain (complaint, "the initial state was not written");
    clause_push (clauses, literal_wrote (clauses, writer_of (clauses, read->key, item->a)->unrecorded));
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

static uint32_t place_in_list (const struct told *a, const struct told_list *list, uint32_t txn) {
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
  if (at != NOT_IN_LIST || !list->writers || !writer_of (clauses, list->key, item->a))
    return complain (complaint, "the transaction is in the list, or appends nothing to it, or the list is empty");
  const uint32_t last = a->list_writers.data[list->first_writer + list->writers - 1];
  clause_push (clauses, literal_before (clauses, list->key, last, item->a));
  return true;
}

static bool add_broken (struct clauses *clauses, uint32_t op, struct complaint *complaint) {
  struct told *a = clauses->told;
  const bool reads_count = claim_reads_count (clauses->level);
  const struct told_list *list = list_of (a, op);
  bool broken = list && (list->impossible || (list->broken && reads_count));
  if (!list && op < history_ops (a->h) && told_takes_part (a, history_txn_of_op (a->h, op))) {
    told_add (a, history_txn_of_op (a->h, op));
    for (size_t i = 0; i < a->malformed.count; i++)
      broken |= a->malformed.data[i] == op && reads_count;
  }
  if (!broken)
    return complain (complaint, "the result is not broken by itself");
  clause_push (clauses, -literal_in (clauses, history_txn_of_op (a->h, op)));
  return true;
}

// What hints say about the order of two versions, if both are there.
static bool add_hint_order (struct clauses *clauses, const struct cert_item *item, struct complaint *complaint) {
  const struct writer *first = writer_of (clauses, item->key, item->a);
  const struct writer *second = writer_of (clauses, item->key, item->b);
  if (!first || !second || !told_hinted_order (clauses->told, item->key, item->a, item->b))
    return complain (complaint, "an order of versions that the history's hints do not tell");
  told_assume_order (clauses->told, item->key, item->a, item->b);
  clause_push (clauses, -literal_in (clauses, item->a));
  clause_push (clauses, -literal_wrote (clauses, first->unrecorded));
  clause_push (clauses, -literal_in (clauses, item->b));
  clause_push (clauses, -literal_wrote (clauses, second->unrecorded));
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
  clauses->satisfied = false;
  bool fine = expand (clauses, c, item, complaint);
  if (fine && clauses->satisfied)
    fine = complain (complaint, "it holds whatever is chosen");
  if (fine)
    VEC_PUSH (clauses->first, (uint32_t) clauses->literals.count);
  else
    clauses->literals.count = start_of_clause (clauses);
  return fine;
}
