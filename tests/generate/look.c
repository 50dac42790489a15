#include "look.h"

#include "base/sort.h"

// ------------------------------------------------------------------------------------ what it does

static bool is_write (enum op_kind kind) {
  return kind == OP_PUT || kind == OP_DEL || kind == OP_APPEND || kind == OP_INC;
}

static unsigned does_alone (enum op_kind kind) {
  switch (kind) {
  case OP_GET: return DOES_GET;
  case OP_PUT: return DOES_PUT;
  case OP_SCAN: return DOES_SCAN;
  case OP_ITER: return DOES_ITER;
  case OP_DEL: return DOES_DELETE;
  case OP_INC: return DOES_INC;
  default: return 0;
  }
}

// What a get or put does together with the operations before it.
static unsigned does_after (const struct history *h, uint32_t first, uint32_t op) {
  unsigned does = 0;
  const enum op_kind kind = h->op_kinds.data[op];
  for (uint32_t before = first; before < op; before++) {
    const enum op_kind earlier = h->op_kinds.data[before];
    if (h->op_keys.data[before] != h->op_keys.data[op])
      continue;
    if (kind == OP_PUT)
      does |= earlier == OP_GET ? DOES_UPDATE : earlier == OP_PUT ? DOES_REWRITE : 0;
    if (kind == OP_GET && earlier == OP_PUT)
      does |= DOES_OWN_READ;
  }
  return does;
}

static bool is_written (const struct history *h, uint32_t first, uint32_t end, uint32_t key) {
  for (uint32_t op = first; op < end; op++)
    if (is_write (h->op_kinds.data[op]) && h->op_keys.data[op] == key)
      return true;
  return false;
}

static unsigned txn_does (const struct history *h, uint32_t first, uint32_t end) {
  unsigned does = 0, reads = 0, writes = 0, gets_only = 0;
  for (uint32_t op = first; op < end; op++) {
    const enum op_kind kind = h->op_kinds.data[op];
    does |= does_alone (kind) | does_after (h, first, op);
    reads += !is_write (kind);
    writes += is_write (kind);
    gets_only += kind == OP_GET && !is_written (h, first, end, h->op_keys.data[op]);
  }
  does |= gets_only && writes ? DOES_SKEW : 0;
  does |= reads && !writes ? DOES_READERS : 0;
  return does | (reads > 1 || writes > 1 ? DOES_SEVERAL : 0);
}

struct written {
  uint32_t key, value, txn; // sorted by
};
typedef VEC (struct written) written_vec;

// Once in a while anything may come again, as when a file is renamed there and back.
static bool repeats (const written_vec *written) {
  size_t times = 0;
  for (size_t i = 1; i < written->count; i++) {
    const struct written *x = &written->data[i - 1], *y = &written->data[i];
    times += x->key == y->key && x->value == y->value && x->txn != y->txn;
  }
  return times > written->count / 100;
}

unsigned look_does (const struct history *h) {
  unsigned does = 0;
  written_vec written = { 0 };
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
    if (h->txn_status.data[txn] != TXN_COMMITTED)
      continue;
    does |= txn_does (h, first, end);
    for (uint32_t op = first; op < end; op++)
      if (h->op_kinds.data[op] == OP_PUT)
        VEC_PUSH (written, (struct written){ h->op_keys.data[op], h->op_values.data[op], txn });
  }
  VEC_SORT (written, by_u32_triple);
  does |= repeats (&written) ? DOES_REPEATED : 0;
  VEC_FREE (written);
  return does;
}

// ------------------------------------------------------------------------------------------ ranges

static int compare_keys (const struct history *h, uint32_t a, uint32_t b) {
  return atom_compare (atoms_get (&h->keys, a), atoms_get (&h->keys, b));
}

static const char *look_at_range (const struct history *h, uint32_t op) {
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const unsigned flags = history_flags (h, op);
  if (compare_keys (h, range->low, range->high) >= 0)
    return "an empty range";
  for (uint32_t i = 0; i < range->items; i++) {
    const uint32_t item = range->first_item + i, key = h->item_keys.data[item];
    if (compare_keys (h, key, range->low) < 0 || compare_keys (h, key, range->high) >= 0)
      return "an item out of range";
    const int order = i ? compare_keys (h, h->item_keys.data[item - 1], key) : 0;
    if (i && (flags & OP_ITER_REVERSE ? order <= 0 : order >= 0))
      return "items out of order";
  }
  if (h->op_kinds.data[op] == OP_ITER && !(flags & OP_ITER_END) && !range->items)
    return "an iterator that stopped before it began";
  return NULL;
}

const char *look_at_ranges (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const enum op_kind kind = h->op_kinds.data[op];
    const char *wrong = kind == OP_SCAN || kind == OP_ITER ? look_at_range (h, op) : NULL;
    if (wrong)
      return wrong;
  }
  return NULL;
}

// ------------------------------------------------------------------------------------------- lists

// Own appends of transactions that did not commit are in their reads, hence only committed ones
// count, without their own appends behind the rest.
static uint32_t others_in_list (const struct history *h, uint32_t txn, uint32_t op) {
  uint32_t own = 0;
  for (uint32_t before = h->txn_first_op.data[txn]; before < op; before++)
    own += h->op_kinds.data[before] == OP_APPEND && h->op_keys.data[before] == h->op_keys.data[op];
  return h->ranges.data[history_aux (h, op)].items - own;
}

static bool is_detour (const struct history *h, const struct op_range *a, uint32_t b_first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (h->item_values.data[a->first_item + i] != h->item_values.data[b_first + i])
      return true;
  return false;
}

struct seen {
  uint32_t first, items;
};

const char *look_at_lists (const struct history *h, uint32_t longest) {
  struct seen *seen = MEM_ZARRAY (struct seen, history_keys (h) + 1u);
  const char *wrong = NULL;
  for (uint32_t txn = 0; txn < history_txns (h) && !wrong; txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      if (h->op_kinds.data[op] != OP_LIST || h->txn_status.data[txn] != TXN_COMMITTED)
        continue;
      const struct op_range *range = &h->ranges.data[history_aux (h, op)];
      struct seen *most = &seen[h->op_keys.data[op]];
      const uint32_t items = others_in_list (h, txn, op);
      if (is_detour (h, range, most->first, items < most->items ? items : most->items))
        wrong = "two lists, neither a prefix of the other";
      if (items > longest)
        wrong = "a list that is too long";
      if (items > most->items)
        *most = (struct seen){ range->first_item, items };
    }
  mem_free (seen);
  return wrong;
}
