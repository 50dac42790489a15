#include "lists.h"

#include <string.h>

// ----------------------------------------------------------------------------------------- appends

static uint32_t txn_of (const struct history *h, uint32_t op) {
  uint32_t txn = 0;
  while (h->txn_first_op.data[txn + 1] <= op)
    txn++;
  return txn;
}

struct appends lists_appends (const struct history *h, uint32_t txn, uint32_t before, uint32_t key) {
  struct appends found = { 0 };
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1] && op < before; op++)
    if (h->op_kinds.data[op] == OP_APPEND && h->op_keys.data[op] == key)
      found.value[found.count++] = h->op_values.data[op];
  return found;
}

static bool appends_element (const struct history *h, uint32_t op, uint32_t key, uint32_t element) {
  return h->op_kinds.data[op] == OP_APPEND && h->op_keys.data[op] == key && h->op_values.data[op] == element;
}

static bool is_aborted (const struct history *h, uint32_t op) {
  return h->txn_status.data[txn_of (h, op)] == TXN_ABORTED;
}

// An aborted transaction, one of whose appends to the key was made a second time: where its
// elements begin and end is anybody's guess.
static bool was_retried (const struct history *h, uint32_t txn, uint32_t key) {
  const struct appends all = lists_appends (h, txn, UINT32_MAX, key);
  for (unsigned i = 0; i < all.count && h->txn_status.data[txn] == TXN_ABORTED; i++) {
    unsigned times = 0;
    for (uint32_t op = 0; op < history_ops (h); op++)
      times += appends_element (h, op, key, all.value[i]);
    if (times > 1)
      return true;
  }
  return false;
}

// The transaction that appended the element, an aborted one only if nobody else did; the number of
// transactions if nobody can be named.
static uint32_t appender_of (const struct history *h, uint32_t key, uint32_t element) {
  uint32_t found = history_txns (h);
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (appends_element (h, op, key, element)) {
      if (!is_aborted (h, op))
        return txn_of (h, op);
      if (!was_retried (h, txn_of (h, op), key))
        found = txn_of (h, op);
    }
  return found;
}

// --------------------------------------------------------------------------------------- supported

static bool is_list_op (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_APPEND || h->op_kinds.data[op] == OP_LIST;
}

static key_set list_keys (const struct history *h) {
  key_set found = 0;
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (is_list_op (h, op))
      found |= key_bit (h->op_keys.data[op]);
  return found;
}

static bool touches (const struct history *h, uint32_t op, key_set keys) {
  if (h->op_keys.data[op] != KEY_NONE)
    return keys & key_bit (h->op_keys.data[op]);
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  for (uint32_t key = 0; key < history_keys (h); key++)
    if (keys & key_bit (key) && operation_in_range (h, key, range->low, range->high))
      return true;
  return false;
}

static bool appended_before (const struct history *h, uint32_t op) {
  for (uint32_t other = 0; other < op && !is_aborted (h, op); other++)
    if (appends_element (h, other, h->op_keys.data[op], h->op_values.data[op]) && !is_aborted (h, other))
      return true;
  return false;
}

bool lists_supported (const struct history *h, key_set universe) {
  const key_set lists = list_keys (h) & universe;
  if (lists && h->init == INIT_ANY)
    return false;
  for (uint32_t key = 0; key < history_keys (h); key++)
    if (lists & key_bit (key) && story_initial_value (h, key) != VALUE_ABSENT)
      return false;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    if (!is_list_op (h, op) && touches (h, op, lists))
      return false;
    if (h->op_kinds.data[op] == OP_APPEND && appended_before (h, op))
      return false;
  }
  return true;
}

// ----------------------------------------------------------------------------------- one list read

bool lists_ends_with (const struct op_range *range, const struct history *h, const struct appends *own) {
  return !own->count
         || (own->count <= range->items
             && !memcmp (own->value, h->item_values.data + range->first_item + range->items - own->count,
                         own->count * sizeof *own->value));
}

static bool has_repeated_element (const uint32_t *elements, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (elements[i] == elements[k])
        return true;
  return false;
}

// One transaction's elements from position `at` on: its appends from the first one on, in program
// order, all of them unless the list ends before. Returns the position after them.
static unsigned tell_block (struct story_txn *reader, const struct history *h, struct story_list *list, unsigned at,
                            uint32_t appender) {
  const struct appends appends = lists_appends (h, appender, UINT32_MAX, list->key);
  unsigned length = 0;
  while (length < appends.count && at + length < list->count && list->elements[at + length] == appends.value[length])
    length++;
  const bool at_the_end = at + length == list->count;
  reader->breaks_every_level |= !length || (length < appends.count && !at_the_end);
  reader->breaks_reads |= length < appends.count;  // G1b
  if (h->txn_status.data[appender] == TXN_ABORTED) // G1a
    reader->breaks_reads = true;
  else
    list->writer[list->writers++] = appender + 1;
  return length ? at + length : list->count;
}

static void tell_elements (struct story_txn *reader, const struct history *h, struct story_list *list) {
  for (unsigned at = 0; at < list->count && !reader->breaks_every_level;) {
    const uint32_t appender = appender_of (h, list->key, list->elements[at]);
    if (appender == history_txns (h)) { // nobody's
      reader->breaks_reads = true;
      at++;
      continue;
    }
    reader->breaks_reads |= appender + 1 == list->reader; // own, and not in the suffix
    at = tell_block (reader, h, list, at, appender);
  }
}

// In an incomplete history: an element is explained if it stands among all that another
// transaction, which is not aborted, appended to the key, in one piece; and the last of these is,
// wherever it stands.
static bool is_explained (const struct history *h, const struct story_list *list, unsigned at) {
  for (unsigned end = at; end < list->count; end++) {
    const uint32_t appender = appender_of (h, list->key, list->elements[end]);
    if (appender == history_txns (h) || appender + 1 == list->reader || h->txn_status.data[appender] == TXN_ABORTED)
      continue;
    const struct appends all = lists_appends (h, appender, UINT32_MAX, list->key);
    if (all.value[all.count - 1] != list->elements[end])
      continue;
    unsigned length = 1; // of what stands together up to here
    while (length < all.count && length <= end && list->elements[end - length] == all.value[all.count - 1 - length])
      length++;
    if (end - at < length)
      return true;
  }
  return false;
}

// Takes out what is excused. False: the last element was.
static bool leave_out_excused (const struct history *h, struct story_list *list) {
  const bool last = !list->count || is_explained (h, list, list->count - 1);
  unsigned kept = 0;
  for (unsigned i = 0; i < list->count; i++)
    if (is_explained (h, list, i))
      list->kept[kept++] = list->elements[i];
  list->count = kept;
  list->elements = list->kept;
  return last;
}

bool lists_tell_read (struct story *story, const struct history *h, uint32_t op, struct story_read read,
                      enum brute_own_writes policy) {
  struct story_txn *reader = &story->txns[read.reader];
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const struct appends own = lists_appends (h, read.reader - 1, op, read.key);
  const bool sees_own = lists_ends_with (range, h, &own);
  if (story->lists == STORY_LISTS || story->reads == STORY_READS || range->items > STORY_ELEMENTS)
    return false;
  struct story_list *list = &story->list[story->lists++];
  *list = (struct story_list){ .reader = read.reader, .key = read.key, .count = range->items };
  list->elements = h->item_values.data + range->first_item;
  if (!story->excusing)
    reader->breaks_every_level |= has_repeated_element (list->elements, list->count);
  reader->breaks_reads |= policy == BRUTE_OWN_MUST && !sees_own;
  if (policy != BRUTE_OWN_EXTERNAL && sees_own)
    list->count -= own.count;
  const bool says_from_whom = !story->excusing || leave_out_excused (h, list);
  reader->breaks_every_level |= has_repeated_element (list->elements, list->count);
  tell_elements (reader, h, list);
  if (reader->breaks_reads || reader->breaks_every_level || !says_from_whom)
    return true;
  read.expects = EXPECTS_WRITER;
  read.value = list->writers ? list->writer[list->writers - 1] : 0;
  story->read[story->reads++] = read;
  return true;
}

// ------------------------------------------------------------------------------------- all of them

static bool is_in (node_set in, unsigned node) {
  return in & node_bit (node);
}

static bool one_is_prefix (const struct story_list *a, const struct story_list *b) {
  const unsigned shorter = a->count < b->count ? a->count : b->count;
  return !shorter || !memcmp (a->elements, b->elements, shorter * sizeof *a->elements);
}

bool lists_agree (const struct story *story, node_set in, bool ignore_reads) {
  for (unsigned i = 0; i < story->lists; i++) {
    const struct story_list *list = &story->list[i];
    if (!is_in (in, list->reader))
      continue;
    for (unsigned k = 0; k < i; k++)
      if (is_in (in, story->list[k].reader) && story->list[k].key == list->key
          && !one_is_prefix (&story->list[k], list))
        return false;
    for (unsigned k = 0; k < list->writers && !ignore_reads; k++)
      if (!is_in (in, list->writer[k]))
        return false;
  }
  return true;
}

static bool is_listed (const struct story_list *list, unsigned node) {
  for (unsigned i = 0; i < list->writers; i++)
    if (list->writer[i] == node)
      return true;
  return false;
}

static void add_order (const struct story *story, const struct story_list *list, node_set in, bool ignore_reads,
                       struct relation *order) {
  for (unsigned i = 0; i < list->writers; i++)
    for (unsigned k = i + 1; k < list->writers; k++)
      if (is_in (in, list->writer[i]) && is_in (in, list->writer[k]))
        relation_add (order, list->writer[i], list->writer[k]);
  if (ignore_reads || !list->writers)
    return;
  for (unsigned node = 1; node < story->nodes; node++)
    if (is_in (in, node) && story->txns[node].versions[list->key].installed && !is_listed (list, node))
      relation_add (order, list->writer[list->writers - 1], node);
}

struct relation lists_order (const struct story *story, node_set in, bool ignore_reads) {
  struct relation order = relation_none ();
  for (unsigned i = 0; i < story->lists; i++)
    if (is_in (in, story->list[i].reader))
      add_order (story, &story->list[i], in, ignore_reads, &order);
  return order;
}
