// List-append: what lists say about the order of appends.
//
// A list is read as its last element, less what the reader appended itself; the element's writer is
// the source. Besides, a list shows all versions before it in their order. Two lists of one key of
// which neither is a prefix of the other, or a list that mixes the appends of two transactions,
// come from no order at all. So the longest list of a key says everything: its elements' writers,
// one after the other, are a known part of the version order.
//
// Elements are told apart by their values, so a value that is appended twice leaves the question
// undefined, and so does a key that is also written or read in other ways. An append that was
// aborted does not count where another transaction made it, too: a client that tries again appends
// the same.

#include "asg/builder.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct append {
  uint32_t key, value;
  uint32_t op, txn;
  bool repeated; // by a transaction that aborted
};

struct list_read {
  uint32_t key, op, node;
  uint32_t first, count; // in `items`: without what the reader appended itself
  bool stripped;         // there was such
};

struct lists {
  struct hash_set set; // of appends, by key and value
  VEC (struct append) appends;
  VEC (struct list_read) reads;
  // the history's; NULL: as they are, else less what is excused, in the same places
  uint32_t *items;
};

static bool same_append (const void *context, uint32_t index, const void *wanted) {
  const struct append *one = (const struct append *) context + index, *other = wanted;
  return one->key == other->key && one->value == other->value;
}

static const struct append *find_append (const struct lists *l, uint32_t key, uint32_t value) {
  const struct append wanted = { .key = key, .value = value };
  const uint32_t found = hash_set_find (&l->set, hash_pair (key, value), same_append, l->appends.data, &wanted);
  return found == HASH_NONE ? NULL : &l->appends.data[found];
}

static void add_appends (struct lists *l, const struct history *h, uint32_t t) {
  for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
    const struct effects e = effects_of (h, op);
    if (e.writes != WRITES_ELEMENT)
      continue;
    const struct append append = { e.key, e.written, op, t, false };
    const struct append *there =
      h->txn_status.data[t] == TXN_ABORTED ? find_append (l, append.key, append.value) : NULL;
    if (there) {
      l->appends.data[there - l->appends.data].repeated = true;
      continue;
    }
    hash_set_insert (&l->set, hash_pair (append.key, append.value), (uint32_t) l->appends.count);
    VEC_PUSH (l->appends, append);
  }
}

// Aborted transactions come last, so that an element is theirs only if nobody else appended it.
struct lists *lists_new (const struct history *h) {
  struct lists *l = mem_zalloc (sizeof *l);
  for (int aborted = 0; aborted < 2; aborted++)
    for (uint32_t t = 0; t < history_txns (h); t++)
      if ((h->txn_status.data[t] == TXN_ABORTED) == aborted)
        add_appends (l, h, t);
  return l;
}

void lists_free (struct lists *l) {
  if (!l)
    return;
  hash_set_free (&l->set);
  MEM_FREE_ALL (l->appends.data, l->reads.data, l->items, l);
}

void lists_forget (struct lists *l) {
  l->reads.count = 0;
}

// ------------------------------------------------------------------------------- what is undefined

enum { KEY_APPENDED = 1, KEY_OTHERWISE = 2, KEY_STARTS_PRESENT = 4 };

static uint8_t *uses_of_keys (const struct history *h) {
  uint8_t *uses = MEM_ZARRAY (uint8_t, history_keys (h));
  if (h->init == INIT_DEFAULT && h->init_default != VALUE_ABSENT)
    memset (uses, KEY_STARTS_PRESENT, history_keys (h));
  for (size_t i = 0; i < h->init_keys.count; i++)
    uses[h->init_keys.data[i]] = h->init_values.data[i] == VALUE_ABSENT ? 0 : KEY_OTHERWISE;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const struct effects e = effects_of (h, op);
    if (e.on_list)
      uses[e.key] |= KEY_APPENDED;
    else if (e.key != KEY_NONE)
      uses[e.key] |= KEY_OTHERWISE;
  }
  return uses;
}

static const char *mixed_use (const struct history *h, bool has_ranges) {
  static const char present[] = "a history with lists starts with keys that are not absent, which is not defined";
  if (h->init == INIT_ANY)
    return present;
  uint8_t *uses = uses_of_keys (h);
  const char *text = NULL;
  for (uint32_t key = 0; key < history_keys (h); key++)
    if (uses[key] & KEY_APPENDED && uses[key] & KEY_STARTS_PRESENT)
      text = present;
    else if (uses[key] & KEY_APPENDED && uses[key] & KEY_OTHERWISE)
      text =
        "a key holds a list and is also used in other ways (get, put, del, cas, or an initial value), which is not "
        "defined";
    else
      uses[key] = uses[key] == KEY_APPENDED;
  if (!text && has_ranges) {
    struct ranges *ranges = ranges_new (h);
    if (ranges_cover_marked (ranges, h, uses, NULL, NULL) != KEY_NONE)
      text = "a scan covers a key that holds a list, which is not defined";
    ranges_free (ranges);
  }
  mem_free (uses);
  return text;
}

char *lists_problem (const struct lists *l, const struct history *h, bool has_ranges) {
  const char *mixed = mixed_use (h, has_ranges);
  if (mixed)
    return mem_strdup (mixed);
  char *text = NULL;
  for (size_t i = 0; i < l->appends.count && !text; i++) {
    const struct append *append = &l->appends.data[i], *other = find_append (l, append->key, append->value);
    if (other != append) {
      text = mem_alloc (160);
      snprintf (text, 160,
                "transactions %" PRIu64 " and %" PRIu64 " append the same value to one list, which is not defined",
                h->txn_ids.data[other->txn], h->txn_ids.data[append->txn]);
    }
  }
  return text;
}

// ---------------------------------------------------------------------------------------- one read

static bool appends_to (const struct history *h, uint32_t op, uint32_t key) {
  const struct effects e = effects_of (h, op);
  return e.writes == WRITES_ELEMENT && e.key == key;
}

// The appends of one transaction to one key, as they should stand in a list.
static uint32_t next_append (const struct history *h, const struct append *append) {
  for (uint32_t op = append->op + 1; op < h->txn_first_op.data[append->txn + 1]; op++)
    if (appends_to (h, op, append->key))
      return op;
  return OP_NONE;
}

static bool is_first_append (const struct history *h, const struct append *append) {
  for (uint32_t op = h->txn_first_op.data[append->txn]; op < append->op; op++)
    if (appends_to (h, op, append->key))
      return false;
  return true;
}

// Does the list end with what the transaction appended so far? How many elements that is.
static bool ends_with_own (const struct builder *b, uint32_t node, uint32_t op, const struct list_read *read,
                           uint32_t *own) {
  const struct history *h = b->h;
  const uint32_t first = h->txn_first_op.data[b->asg->node_txn[node]];
  *own = 0;
  bool ends = true;
  for (uint32_t other = op; other-- > first;) {
    if (!appends_to (h, other, read->key))
      continue;
    ends = ends && *own < read->count
           && h->item_values.data[read->first + read->count - 1 - *own] == h->op_values.data[other];
    ++*own;
  }
  return ends;
}

// False: the own-write policy forbids the list.
static bool strip_own (struct builder *b, uint32_t node, uint32_t op, struct list_read *read) {
  uint32_t own;
  if (b->note_after_own)
    VEC_PUSH (b->after_own, (uint32_t) b->read_key.count);
  if (b->options->own_writes == OWN_EXTERNAL)
    return true;
  if (ends_with_own (b, node, op, read, &own)) {
    read->count -= own;
    read->stripped = true;
    return true;
  }
  return b->options->own_writes == OWN_MAY;
}

// An element is explained if it belongs to all that another transaction, not an aborted one,
// appended to the key, in one piece. Of a piece whose end is not there the beginning may be a
// missing transaction's as well; one whose end is there is that transaction's, and `is_in_blocks`
// looks for the rest.
static void mark_block (const struct builder *b, const struct list_read *read, uint32_t last, uint8_t *explained) {
  const struct history *h = b->h;
  const struct append *append = find_append (b->lists, read->key, h->item_values.data[read->first + last]);
  if (!append || h->txn_status.data[append->txn] == TXN_ABORTED || append->txn == b->asg->node_txn[read->node]
      || next_append (h, append) != OP_NONE)
    return;
  explained[last] = 1;
  for (uint32_t op = append->op; last && op-- > h->txn_first_op.data[append->txn];) {
    if (!appends_to (h, op, read->key))
      continue;
    if (h->item_values.data[read->first + last - 1] != h->op_values.data[op])
      return;
    explained[--last] = 1;
  }
}

// In an incomplete history, elements that are not explained are excused: the list is taken without
// them. False: its last one is among these, so that it does not say from whom it read.
static bool leave_out_excused (struct builder *b, struct list_read *read) {
  const struct history *h = b->h;
  struct lists *l = b->lists;
  if (!b->asg->excusing || !read->count)
    return true;
  if (!l->items)
    l->items = MEM_ARRAY (uint32_t, h->item_values.count);
  uint8_t *explained = MEM_ZARRAY (uint8_t, read->count);
  for (uint32_t i = 0; i < read->count; i++)
    mark_block (b, read, i, explained);
  const bool last = explained[read->count - 1];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < read->count; i++) {
    const uint32_t element = h->item_values.data[read->first + i];
    if (explained[i])
      l->items[read->first + kept++] = element;
    else
      excuses_note (
        b, (struct asg_excused){
             .elements = 1, .txn = b->asg->node_txn[read->node], .op = read->op, .key = read->key, .value = element });
  }
  read->count = kept;
  mem_free (explained);
  return last;
}

void lists_read (struct builder *b, uint32_t node, uint32_t op) {
  const struct history *h = b->h;
  const struct op_range list = effects_range (h, op);
  struct list_read read = {
    .key = h->op_keys.data[op], .op = op, .node = node, .first = list.first_item, .count = list.items
  };
  const bool allowed = !builder_has_written (b, node, read.key) || strip_own (b, node, op, &read);
  const uint32_t last = read.count ? h->item_values.data[read.first + read.count - 1] : VALUE_ABSENT;
  const bool explained = leave_out_excused (b, &read);
  VEC_PUSH (b->lists->reads, read); // even if it is not allowed, it is to be compared with others
  if (!allowed)
    builder_fault (b, builder_fault_of (b, FAULT_OWN_WRITE, node, op, read.key, last, 0, b->own_op[read.key]));
  else if (explained)
    builder_external_read (b, node, op, read.key, last, 0, UNRECORDED_NONE);
}

// --------------------------------------------------------------------------------- comparing lists

static uint32_t element_at (const struct builder *b, const struct list_read *read, uint32_t place) {
  const uint32_t *items = b->lists->items ? b->lists->items : b->h->item_values.data;
  return items[read->first + place];
}

static const struct append *append_at (const struct builder *b, const struct list_read *read, uint32_t place) {
  return find_append (b->lists, read->key, element_at (b, read, place));
}

// The version that its writer made of the list, or INSTALL_NONE.
static uint32_t install_at (const struct builder *b, const struct list_read *read, uint32_t place) {
  const struct append *append = append_at (b, read, place);
  return append ? asg_install_by (b->asg, read->key, append->txn) : INSTALL_NONE;
}

static bool is_prefix (const struct builder *b, const struct list_read *of, const struct list_read *read) {
  for (uint32_t i = 0; i < read->count; i++)
    if (element_at (b, read, i) != element_at (b, of, i))
      return false;
  return true;
}

#define PLACE_NONE UINT32_MAX // the list as a whole

static void list_fault (struct builder *b, enum fault_kind kind, const struct list_read *read, uint32_t place,
                        uint32_t other) {
  const uint32_t element = place == PLACE_NONE ? VALUE_NONE : element_at (b, read, place);
  builder_fault (b, builder_fault_of (b, kind, read->node, read->op, read->key, element, 0, other));
}

// An aborted transaction that shares an append to the key with another one: nobody can tell where
// its elements begin and end.
static bool was_tried_again (const struct builder *b, const struct append *append) {
  const struct history *h = b->h;
  if (h->txn_status.data[append->txn] != TXN_ABORTED)
    return false;
  for (uint32_t op = h->txn_first_op.data[append->txn]; op < h->txn_first_op.data[append->txn + 1]; op++)
    if (appends_to (h, op, append->key) && find_append (b->lists, append->key, h->op_values.data[op])->repeated)
      return true;
  return false;
}

// Each transaction's appends stand together, in their order, and are all there unless the list ends
// with them. Elements of transactions that did not take place are left to `look_at_elements`.
static bool is_in_blocks (struct builder *b, const struct list_read *read) {
  const struct history *h = b->h;
  uint32_t expected = OP_NONE; // the append that must come next
  for (uint32_t i = 0; i < read->count; i++) {
    const struct append *append = append_at (b, read, i);
    if (append && was_tried_again (b, append))
      append = NULL;
    const bool fits = append && (expected == OP_NONE ? is_first_append (h, append) : append->op == expected);
    if (!fits && (append || expected != OP_NONE)) {
      list_fault (b, FAULT_LIST, read, i, append ? append->op : expected);
      return false;
    }
    expected = append ? next_append (h, append) : OP_NONE;
  }
  return true;
}

// An element twice: its transaction's block would start again.
static bool has_no_repetition (struct builder *b, const struct list_read *read) {
  struct hash_set set = { 0 };
  VEC (struct append) seen = VEC_EMPTY;
  bool fine = true;
  for (uint32_t i = 0; i < read->count && fine; i++) {
    const struct append element = { .key = read->key, .value = element_at (b, read, i) };
    const uint64_t hash = hash_pair (element.key, element.value);
    fine = hash_set_find (&set, hash, same_append, seen.data, &element) == HASH_NONE;
    hash_set_insert (&set, hash, i);
    VEC_PUSH (seen, element);
    if (!fine)
      list_fault (b, FAULT_LIST, read, i, OP_NONE);
  }
  VEC_FREE (seen);
  hash_set_free (&set);
  return fine;
}

// Elements before the last one, which is the business of the read itself: their writers took place.
static void look_at_elements (struct builder *b, const struct list_read *read) {
  for (uint32_t i = 0; i < read->count; i++) {
    const struct append *append = append_at (b, read, i);
    const uint32_t node = append ? b->asg->txn_node[append->txn] : NODE_NONE;
    if (node == NODE_NONE) {
      list_fault (b, FAULT_ELEMENT, read, i, append ? append->op : OP_NONE);
      return;
    }
    if (!b->asg->optional[node] || node == read->node)
      continue;
    if (b->asg->optional[read->node])
      VEC_PUSH (b->asg->implied, (struct unknown_claim){ read->node, node });
    else
      VEC_PUSH (b->asg->forced, node);
  }
}

// The writers one after the other; and, where one of them may be out, its neighbours too.
static void order_writers (struct builder *b, const struct list_read *read, uint32_t reader) {
  struct asg *asg = b->asg;
  uint32_t last = INSTALL_NONE, last_certain = INSTALL_NONE;
  for (uint32_t i = 0; i < read->count; i++) {
    const uint32_t install = install_at (b, read, i);
    if (install == INSTALL_NONE || install == last)
      continue;
    const bool certain = !asg->optional[asg->install_node[install]];
    if (last != INSTALL_NONE)
      VEC_PUSH (asg->orders, (struct known_order){ last, install, false, reader });
    if (last_certain != INSTALL_NONE && last_certain != last && certain)
      VEC_PUSH (asg->orders, (struct known_order){ last_certain, install, false, reader });
    last = install;
    if (certain)
      last_certain = install;
  }
}

// A list holds everything that was appended before: whoever is not in it comes behind its last
// element.
static void order_others (struct builder *b, const struct list_read *read, uint32_t reader) {
  struct asg *asg = b->asg;
  const uint32_t install = install_at (b, read, read->count - 1);
  const uint32_t first = asg->key_first[read->key], count = asg->key_first[read->key + 1] - first;
  if (install == INSTALL_NONE)
    return;
  uint8_t *listed = MEM_ZARRAY (uint8_t, count);
  for (uint32_t i = 0; i < read->count; i++) {
    const uint32_t other = install_at (b, read, i);
    if (other != INSTALL_NONE)
      listed[other - first] = 1;
  }
  for (uint32_t i = 0; i < count; i++)
    if (!listed[i])
      VEC_PUSH (asg->orders, (struct known_order){ install, first + i, true, reader });
  mem_free (listed);
}

#define LIST_NONE UINT32_MAX // of lists.reads

// The longest list that a committed transaction read of each key, or LIST_NONE. False: two of them
// do not fit.
static bool longest_lists (struct builder *b, uint32_t *longest) {
  const struct lists *l = b->lists;
  for (uint32_t key = 0; key < b->asg->keys; key++)
    longest[key] = LIST_NONE;
  for (uint32_t i = 0; i < l->reads.count; i++) {
    const struct list_read *read = &l->reads.data[i];
    uint32_t *of_key = &longest[read->key];
    if (!b->asg->optional[read->node] && (*of_key == LIST_NONE || read->count > l->reads.data[*of_key].count))
      *of_key = i;
  }
  for (uint32_t i = 0; i < l->reads.count; i++) {
    const struct list_read *read = &l->reads.data[i];
    if (b->asg->optional[read->node] || is_prefix (b, &l->reads.data[longest[read->key]], read))
      continue;
    list_fault (b, FAULT_LIST, read, PLACE_NONE, l->reads.data[longest[read->key]].op);
    return false;
  }
  return true;
}

// What its reader appended stands at its end already.
static void look_for_own_elements (struct builder *b, const struct list_read *read) {
  for (uint32_t i = 0; read->stripped && i < read->count; i++) {
    const struct append *append = append_at (b, read, i);
    if (append && append->txn == b->asg->node_txn[read->node] && append->op < read->op) {
      list_fault (b, FAULT_LIST, read, i, OP_NONE);
      return;
    }
  }
}

// What the list of a key says, for certain or if its reader took place.
static void take_list (struct builder *b, const struct list_read *read) {
  const uint32_t reader = b->asg->optional[read->node] ? read->node : 0;
  if (!has_no_repetition (b, read) || !is_in_blocks (b, read))
    return;
  look_at_elements (b, read);
  order_writers (b, read, reader);
  if (read->count)
    order_others (b, read, reader);
}

static bool fit (const struct builder *b, const struct list_read *one, const struct list_read *other) {
  return one->count >= other->count ? is_prefix (b, one, other) : is_prefix (b, other, one);
}

// A transaction with an unknown outcome: if its list does not fit, or its lists do not fit each
// other, it did not take place; if it is longer than what is certain, what it says counts only if
// it did. That two such transactions exclude each other follows from the orders that both give
// away, where reads count; elsewhere neither is there (levels/lower.c).
static void look_at_unknown_reader (struct builder *b, uint32_t number, const struct list_read *longest) {
  const struct list_read none = { 0 };
  const struct list_read *certain = longest ? longest : &none, *reads = b->lists->reads.data;
  const struct list_read *read = &reads[number];
  if (!fit (b, certain, read)) {
    builder_exclude (b, b->asg->node_txn[read->node]);
    return;
  }
  if (read->count <= certain->count)
    return;
  take_list (b, read);
  for (uint32_t i = number; i-- > 0 && reads[i].node == read->node;)
    if (reads[i].key == read->key && !fit (b, &reads[i], read))
      builder_exclude (b, b->asg->node_txn[read->node]);
}

void lists_compare (struct builder *b) {
  const struct lists *l = b->lists;
  uint32_t *longest = MEM_ARRAY (uint32_t, b->asg->keys);
  for (size_t i = 0; i < l->reads.count; i++)
    look_for_own_elements (b, &l->reads.data[i]);
  if (longest_lists (b, longest)) {
    for (uint32_t key = 0; key < b->asg->keys; key++)
      if (longest[key] != LIST_NONE)
        take_list (b, &l->reads.data[longest[key]]);
    for (uint32_t i = 0; i < l->reads.count; i++) {
      const uint32_t certain = longest[l->reads.data[i].key];
      if (b->asg->optional[l->reads.data[i].node])
        look_at_unknown_reader (b, i, certain == LIST_NONE ? NULL : &l->reads.data[certain]);
    }
  }
  mem_free (longest);
}
