// Hints of a part: what those of the whole say about the transactions and reads that are left. That
// values are unique is not said again: it is a promise that nothing follows from.

#include "core/core_index.h"

#include "asg/asg.h"
#include "base/group.h"
#include "base/sort.h"
#include "explain/words.h"
#include "formats/json_write.h"
#include "hints/hints.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------- index

void core_index_hints (struct core_index *x) {
  const struct hints *hints = x->hints;
  if (!hints->order_txns.count)
    return;
  struct grouping by_txn = { .groups = history_txns (x->h) };
  while (grouping_pass (&by_txn))
    for (uint32_t i = 0; i < hints->order_txns.count; i++)
      group_put (&by_txn, hints->order_txns.data[i], i);
  x->txn_first_place = by_txn.first;
  x->places = by_txn.items;
}

// -------------------------------------------------------------------------------------------- text

static void text_source (struct text *text, const struct history *h, uint32_t source) {
  if (source == HINT_INITIAL)
    text_string (text, "null");
  else
    text_unsigned (text, h->txn_ids.data[source]);
}

// ------------------------------------------------------------------------------------------- reads

static bool is_lost (const struct restriction *r, uint32_t op) {
  return find_u32 (r->writes_lost.data, 0, (uint32_t) r->writes_lost.count, op) != NOT_FOUND;
}

// The transaction still installs what it did; or its operation is still there, and shows that it
// installed nothing: a transaction that cannot have taken place, or a delete that wrote nothing.
static bool still_installs (const struct restriction *r, uint32_t txn, uint32_t key) {
  const struct history *h = r->h;
  const uint32_t node = r->asg->txn_node[txn];
  const uint32_t install = asg_install_by (r->asg, key, txn);
  if (install != INSTALL_NONE)
    return core_keeps_install (r, install) && !is_lost (r, r->asg->install_last_op[install]);
  for (uint32_t op = h->txn_first_op.data[txn + 1]; r->mask->txn[txn] && op-- > h->txn_first_op.data[txn];)
    if (h->op_keys.data[op] == key && effects_value_written (h, op) != VALUE_NONE)
      return core_keeps_op (r, op) && !is_lost (r, op) && (node == NODE_NONE || core_keeps_reads (r, node, op));
  return false;
}

void core_hint_op (struct restriction *r, uint32_t op) {
  const struct hints *hints = r->index->hints;
  if (!r->tells_hints || !hints->op_first || hints->op_first[op] == hints->op_first[op + 1])
    return;
  const bool set = r->h->op_keys.data[op] == KEY_NONE;
  struct text text = { 0 };
  unsigned told = 0;
  for (uint32_t i = hints->op_first[op]; i < hints->op_first[op + 1]; i++) {
    const struct source_hint *hint = &hints->sources.data[i];
    if ((hint->source != HINT_INITIAL && hint->source != r->txn && !still_installs (r, hint->source, hint->key))
        || (set && !core_range_covers (r->to, r->to->ranges.count - 1, atoms_get (&r->h->keys, hint->key))))
      continue;
    text_string (&text, told++ ? "," : set ? "[" : "");
    if (set) {
      core_new_key (r, hint->key); // its initial state may be what the hint speaks of
      text_char (&text, '[');
      json_put_atom (&text, atoms_get (&r->h->keys, hint->key));
      text_char (&text, ',');
    }
    text_source (&text, r->h, hint->source);
    text_string (&text, set ? "]" : "");
  }
  text_string (&text, told && set ? "]" : "");
  const char *why = NULL;
  if (told)
    history_set_op_hint (r->to, text.data, text.count, &why);
  VEC_FREE (text);
}

// ------------------------------------------------------------------------- transactions and header

void core_hint_txn (struct restriction *r, uint32_t txn) {
  const struct hints *hints = r->index->hints;
  if (!r->tells_hints || !hints->commit_ts || !hints->has_commit_ts[txn])
    return;
  struct text text = { 0 };
  const char *why = NULL;
  words_add (&text, "{\"commitTs\":%" PRId64 "}", hints->commit_ts[txn]);
  history_set_txn_hint (r->to, text.data, text.count, &why);
  VEC_FREE (text);
}

static const struct version_order *order_of_place (const struct hints *hints, uint32_t place) {
  size_t behind = 0;
  LOWER_BOUND (behind, hints->orders.count, middle, hints->orders.data[middle].first <= place);
  return &hints->orders.data[behind - 1];
}

typedef VEC (uint32_t) place_vec;

static void find_places (const struct restriction *r, place_vec *places) {
  const struct core_index *x = r->index;
  for (size_t i = 0; i < r->mask->kept.count; i++) {
    const uint32_t txn = r->mask->kept.data[i];
    for (uint32_t k = x->txn_first_place[txn]; k < x->txn_first_place[txn + 1]; k++)
      if (still_installs (r, txn, order_of_place (x->hints, x->places[k])->key))
        VEC_PUSH (*places, x->places[k]);
  }
  VEC_SORT (*places, by_u32);
}

void core_hint_header (struct restriction *r) {
  const struct hints *hints = r->index->hints;
  place_vec places = VEC_EMPTY;
  if (!r->tells_hints || !r->index->txn_first_place)
    return;
  find_places (r, &places);
  struct text text = { 0 };
  const struct version_order *last = NULL;
  for (size_t i = 0; i < places.count; i++) {
    const struct version_order *order = order_of_place (hints, places.data[i]);
    if (order != last) {
      text_string (&text, last ? "]],[" : "{\"versionOrder\":[[");
      json_put_atom (&text, atoms_get (&r->h->keys, order->key));
      text_string (&text, ",[");
    } else
      text_char (&text, ',');
    text_source (&text, r->h, hints->order_txns.data[places.data[i]]);
    last = order;
  }
  const char *why = NULL;
  if (last) {
    text_string (&text, "]]]}");
    history_set_header_hints (r->to, text.data, text.count, &why);
  }
  VEC_FREE (text);
  VEC_FREE (places);
}
