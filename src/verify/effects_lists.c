// List-append: a list shows the appends before it in their order. Elements are told apart by their
// values, so that a value appended twice, or a key that is used in other ways too, leaves the
// question undefined. Repetitions by aborted transactions are those of a client that tried again,
// and do not count.

#include "verify/effects.h"

#include "base/group.h"
#include "base/hash.h"
#include "base/sort.h"

#include <string.h>

struct append {
  uint32_t op, txn;
  uint32_t times; // that it was appended, by whomever
};

struct element {
  uint32_t key, value;
};

struct appends {
  const struct history *h;
  struct hash_set set;
  VEC (struct append) all;
};

static bool same_append (const void *context, uint32_t index, const void *wanted) {
  const struct appends *appends = context;
  const struct element *element = wanted;
  const uint32_t op = appends->all.data[index].op;
  return appends->h->op_keys.data[op] == element->key && appends->h->op_values.data[op] == element->value;
}

static const struct append *find_append (const struct appends *appends, uint32_t key, uint32_t value) {
  const struct element wanted = { key, value };
  const uint32_t at = hash_set_find (&appends->set, hash_pair (key, value), same_append, appends, &wanted);
  return at == HASH_NONE ? NULL : &appends->all.data[at];
}

// --------------------------------------------------------------------------------- what is defined

enum { USED_AS_LIST = 1, USED_OTHERWISE = 2 };

static const char *mixed_use (const struct told *a) {
  const struct history *h = a->h;
  uint8_t *use = MEM_ZARRAY (uint8_t, history_keys (h));
  const char *problem = NULL;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
    if (h->op_keys.data[op] != KEY_NONE)
      use[h->op_keys.data[op]] |= kind == OP_APPEND || kind == OP_LIST ? USED_AS_LIST : USED_OTHERWISE;
  }
  for (uint32_t key = 0; key < history_keys (h); key++) {
    if ((use[key] & USED_AS_LIST) && (use[key] & USED_OTHERWISE || a->init_value[key] != VALUE_ABSENT))
      problem = "a key holds a list and is used in other ways too, which is not defined";
    use[key] &= USED_AS_LIST;
  }
  if (!problem && a->order && key_order_covers_list (a, use))
    problem = "a scan covers a key that holds a list, which is not defined";
  mem_free (use);
  return problem;
}

// A value that was appended to one list twice, by transactions that take part. Each list's values
// stand together, and are sorted: a matter of memory, as this is asked of every history.
static bool has_equal_appends (const struct told *a) {
  const struct history *h = a->h;
  struct grouping by_key = { .groups = history_keys (h) };
  bool found = false;
  while (grouping_pass (&by_key))
    for (uint32_t txn = 0; txn < history_txns (h); txn++)
      for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
        if (h->op_kinds.data[op] == OP_APPEND && told_takes_part (a, txn))
          group_put (&by_key, h->op_keys.data[op], h->op_values.data[op]);
  for (uint32_t key = 0; key < history_keys (h) && !found; key++) {
    uint32_t *values = by_key.items + by_key.first[key];
    const uint32_t count = by_key.first[key + 1] - by_key.first[key];
    SORT (values, count, by_u32);
    for (uint32_t i = 1; i < count; i++)
      found |= values[i] == values[i - 1];
  }
  MEM_FREE_ALL (by_key.first, by_key.items);
  return found;
}

const char *told_undefined_list (const struct told *a) {
  const char *problem = mixed_use (a);
  return !problem && has_equal_appends (a) ? "a value is appended to one list twice, which is not defined" : problem;
}

// One more append of a value. It is the one that counts unless there is one of a transaction that
// takes part.
static void note_append (const struct told *a, struct appends *appends, struct append append) {
  const uint32_t key = a->h->op_keys.data[append.op], value = a->h->op_values.data[append.op];
  const struct append *found = find_append (appends, key, value);
  if (!found) {
    hash_set_insert (&appends->set, hash_pair (key, value), (uint32_t) appends->all.count);
    VEC_PUSH (appends->all, append);
    return;
  }
  struct append *there = &appends->all.data[found - appends->all.data];
  append.times += there->times;
  if (told_takes_part (a, append.txn))
    *there = append;
  else
    there->times = append.times;
}

static struct appends *appends_new (const struct told *a) {
  const struct history *h = a->h;
  struct appends *appends = mem_zalloc (sizeof *appends);
  appends->h = h;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
      if (h->op_kinds.data[op] == OP_APPEND)
        note_append (a, appends, (struct append){ op, txn, 1 });
  return appends;
}

void appends_free (struct appends *appends) {
  if (!appends)
    return;
  hash_set_free (&appends->set);
  MEM_FREE_ALL (appends->all.data, appends);
}

// ---------------------------------------------------------------------------------------- one list

bool told_ends_with_own (const struct history *h, uint32_t txn, uint32_t op, const uint32_t *elements, uint32_t count,
                         uint32_t *own) {
  bool ends = true;
  *own = 0;
  for (uint32_t other = op; other-- > h->txn_first_op.data[txn];) {
    if (h->op_kinds.data[other] != OP_APPEND || h->op_keys.data[other] != h->op_keys.data[op])
      continue;
    ends = ends && *own < count && elements[count - 1 - *own] == h->op_values.data[other];
    ++*own;
  }
  return ends;
}

static uint32_t next_append (const struct history *h, uint32_t txn, uint32_t from, uint32_t key) {
  for (uint32_t op = from; op < h->txn_first_op.data[txn + 1]; op++)
    if (h->op_kinds.data[op] == OP_APPEND && h->op_keys.data[op] == key)
      return op;
  return OP_NONE;
}

// Of an aborted transaction one of whose appends to the key was made elsewhere, too, nobody can
// tell where its elements begin and end.
static bool is_vague (const struct told *a, uint32_t txn, uint32_t key) {
  const struct history *h = a->h;
  for (uint32_t op = h->txn_first_op.data[txn]; !told_takes_part (a, txn) && op < h->txn_first_op.data[txn + 1]; op++)
    if (h->op_kinds.data[op] == OP_APPEND && h->op_keys.data[op] == key
        && find_append (a->appends, key, h->op_values.data[op])->times > 1)
      return true;
  return false;
}

// The elements of one transaction from `at` on: its appends from the first one on, in their order,
// all of them unless the list ends before. Returns the place after them.
static uint32_t tell_block (struct told *a, struct told_list *list, uint32_t at, uint32_t appender) {
  const struct history *h = a->h;
  uint32_t op = next_append (h, appender, h->txn_first_op.data[appender], list->key);
  const uint32_t start = at;
  while (op != OP_NONE && at < list->count && list->elements[at] == h->op_values.data[op]) {
    op = next_append (h, appender, op + 1, list->key);
    at++;
  }
  list->impossible |= at == start || (op != OP_NONE && at < list->count);
  list->broken |= op != OP_NONE || !told_takes_part (a, appender) || appender == list->txn;
  if (told_takes_part (a, appender)) {
    VEC_PUSH (a->list_writers, appender);
    list->writers++;
  }
  return at;
}

static bool same_element (const void *context, uint32_t index, const void *wanted) {
  return ((const uint32_t *) context)[index] == *(const uint32_t *) wanted;
}

static bool has_repetition (const struct told_list *list) {
  struct hash_set set = { 0 };
  bool repeated = false;
  for (uint32_t i = 0; i < list->count && !repeated; i++) {
    const uint64_t hash = hash_pair (list->key, list->elements[i]);
    repeated = hash_set_find (&set, hash, same_element, list->elements, &list->elements[i]) != HASH_NONE;
    hash_set_insert (&set, hash, i);
  }
  hash_set_free (&set);
  return repeated;
}

// Are the elements up to `last` all that another transaction, not an aborted one, appended? How
// many of them: 0 if `last` is not the last of such; fewer than there should be if others stand
// between.
static uint32_t explained_up_to (const struct told *a, const struct told_list *list, uint32_t last) {
  const struct history *h = a->h;
  const struct append *append = find_append (a->appends, list->key, list->elements[last]);
  if (!append || !told_takes_part (a, append->txn) || append->txn == list->txn
      || next_append (h, append->txn, append->op + 1, list->key) != OP_NONE)
    return 0;
  uint32_t count = 1;
  for (uint32_t op = append->op; op-- > h->txn_first_op.data[append->txn] && count <= last;)
    if (h->op_kinds.data[op] == OP_APPEND && h->op_keys.data[op] == list->key) {
      if (list->elements[last - count] != h->op_values.data[op])
        break;
      count++;
    }
  return count;
}

// The list without the elements that nothing recorded explains; false: its last one is among these,
// so that it does not say from whom it read.
static bool leave_out_excused (struct told *a, struct told_list *list) {
  if (!list->count)
    return true;
  uint32_t *kept = a->kept_elements + (list->elements - a->h->item_values.data), count = 0;
  uint8_t *explained = MEM_ZARRAY (uint8_t, list->count);
  for (uint32_t i = 0; i < list->count; i++)
    for (uint32_t length = explained_up_to (a, list, i); length; length--)
      explained[i + 1 - length] = 1;
  const bool last = explained[list->count - 1];
  for (uint32_t i = 0; i < list->count; i++)
    if (explained[i])
      kept[count++] = list->elements[i];
  mem_free (explained);
  list->elements = kept;
  list->count = count;
  return last;
}

void told_add_list (struct told *a, uint32_t txn, uint32_t op) {
  const struct history *h = a->h;
  struct told_list list = { .txn = txn, .op = op, .key = h->op_keys.data[op] };
  if (!a->appends)
    a->appends = appends_new (a);
  if (history_aux (h, op) != AUX_NONE) {
    const struct op_range *range = &h->ranges.data[history_aux (h, op)];
    list.count = range->items;
    list.elements = h->item_values.data + range->first_item;
  }
  list.first_writer = (uint32_t) a->list_writers.count;
  list.impossible = !a->excusing && has_repetition (&list);
  uint32_t own;
  const bool sees_own = told_ends_with_own (h, txn, op, list.elements, list.count, &own);
  list.broken = a->policy == POLICY_MUST && !sees_own;
  if (a->policy != POLICY_EXTERNAL && sees_own)
    list.count -= own;
  const bool says_from_whom = !a->excusing || leave_out_excused (a, &list);
  list.impossible |= a->excusing && has_repetition (&list);
  for (uint32_t at = 0; at < list.count && !list.impossible;) {
    const struct append *append = find_append (a->appends, list.key, list.elements[at]);
    const bool nobodys = !append || is_vague (a, append->txn, list.key);
    list.broken |= nobodys;
    at = nobodys ? at + 1 : tell_block (a, &list, at, append->txn);
  }
  VEC_PUSH (a->lists, list);
  if (!says_from_whom && !list.broken && !list.impossible)
    return;
  const uint32_t last = list.count ? list.elements[list.count - 1] : VALUE_ABSENT;
  struct told_read read = told_new_read (a, txn, op, list.key, last, false);
  read.list = true;
  read.writer = list.writers ? a->list_writers.data[a->list_writers.count - 1] : INITIAL;
  read.hint = HINT_NONE; // elements tell who wrote them
  if (list.broken || list.impossible)
    read.if_wrote = read.if_not = OUTCOME_BROKEN;
  VEC_PUSH (a->reads, read);
}

bool told_one_is_prefix (const struct told_list *x, const struct told_list *y) {
  const uint32_t shorter = x->count < y->count ? x->count : y->count;
  return !shorter || !memcmp (x->elements, y->elements, shorter * sizeof *x->elements);
}
