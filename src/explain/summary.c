// What a transaction did, as a sentence: "T3 (session 2) read x = 1; wrote y = 4".

#include "explain/violation_words.h"

#include "history/history.h"

#include <inttypes.h>

enum { MOST_TXNS = 40, MOST_OPS = 12, MOST_ITEMS = 12 };

static void words_items (words *w, const struct history *h, const struct op_range *range, bool has_keys) {
  for (uint32_t i = 0; i < range->items; i++) {
    if (i == MOST_ITEMS) {
      words_add (w, " and %" PRIu32 " more", range->items - i);
      return;
    }
    words_add (w, i ? ", " : " ");
    SAY (w, h, has_keys ? "%k = %v" : "%v", .key = h->item_keys.data[range->first_item + i],
         .value = h->item_values.data[range->first_item + i]);
  }
}

static void words_scan (words *w, const struct history *h, uint32_t op) {
  const bool whole = h->op_kinds.data[op] == OP_SCAN;
  words_add (w, whole ? "scanned the keys" : "iterated over the keys");
  if (history_aux (h, op) == AUX_NONE)
    return;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  if (range->low != KEY_NONE)
    SAY (w, h, " from %k", .key = range->low);
  if (range->high != KEY_NONE)
    SAY (w, h, " to before %k", .key = range->high);
  if (h->op_values.data[op] == VALUE_UNRECORDED)
    return;
  words_add (w, range->items ? " and found" : " and found nothing");
  words_items (w, h, range, true);
  if (!whole && !(history_flags (h, op) & OP_ITER_END))
    words_add (w, ", and stopped there");
}

static void words_list (words *w, const struct history *h, uint32_t op) {
  SAY (w, h, "read the list %k", .key = h->op_keys.data[op]);
  if (h->op_values.data[op] == VALUE_ABSENT)
    words_add (w, ", which was empty");
  else if (h->op_values.data[op] != VALUE_UNRECORDED && history_aux (h, op) != AUX_NONE) {
    words_add (w, ":");
    words_items (w, h, &h->ranges.data[history_aux (h, op)], false);
  }
}

static const char *sentence_of_op (enum op_kind kind, bool known, bool yes) {
  switch (kind) {
  case OP_GET: return "read %k = %v";
  case OP_PUT: return "wrote %k = %v";
  case OP_APPEND: return "appended to %k: %v";
  case OP_DEL: return !known ? "deleted %k" : yes ? "deleted %k, which was there" : "deleted %k, which was not there";
  case OP_CAS:
    return !known ? "tried to replace %k = %v by %w"
           : yes  ? "replaced %k = %v by %w"
                  : "tried to replace %k = %v by %w, but found something else";
  case OP_INC: return known ? "increased %k by %n to %w" : "increased %k by %n";
  default: return "%s";
  }
}

static void words_op (words *w, const struct history *h, uint32_t op) {
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const unsigned flags = history_flags (h, op);
  if (kind == OP_LIST)
    words_list (w, h, op);
  else if (kind == OP_SCAN || kind == OP_ITER)
    words_scan (w, h, op);
  else
    SAY (w, h, sentence_of_op (kind, flags & OP_RESULT_KNOWN, flags & OP_RESULT_TRUE), .key = h->op_keys.data[op],
         .value = h->op_values.data[op], .other = history_aux (h, op),
         .number = kind == OP_INC ? history_inc_by (h, op) : atom_bytes ("", 0), .text = op_kind_name (kind));
}

static void words_txn (words *w, const struct history *h, uint32_t txn) {
  static const char *const outcome[] = {
    [TXN_COMMITTED] = "", [TXN_ABORTED] = ", aborted", [TXN_UNKNOWN] = ", outcome unknown"
  };
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  words_add (w, "  T%" PRIu64 " (session %" PRIu64 "%s)", h->txn_ids.data[txn],
             h->session_labels.data[h->txn_sessions.data[txn]], outcome[h->txn_status.data[txn]]);
  for (uint32_t op = first; op < end && op - first < MOST_OPS; op++) {
    words_add (w, op == first ? " " : "; ");
    words_op (w, h, op);
  }
  if (end - first > MOST_OPS)
    words_add (w, "; and %" PRIu32 " more operations", end - first - MOST_OPS);
  words_add (w, first == end ? " did nothing that matters here\n" : "\n");
}

void words_summary (words *w, const struct history *h, const uint8_t *which) {
  uint32_t told = 0;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if ((!which || which[txn]) && told++ < MOST_TXNS)
      words_txn (w, h, txn);
  if (told > MOST_TXNS)
    words_add (w, "  … and %" PRIu32 " more\n", told - MOST_TXNS);
}
