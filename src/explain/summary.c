#include "explain/summary.h"

#include "history/history.h"

#include <inttypes.h>

enum { MOST_TXNS = 40, MOST_OPS = 12, MOST_ITEMS = 12 };

static void words_bound (words *w, const struct history *h, uint32_t key, const char *word) {
  if (key == KEY_NONE)
    return;
  words_add (w, " %s ", word);
  words_key (w, h, key);
}

static void words_items (words *w, const struct history *h, const struct op_range *range, bool has_keys) {
  for (uint32_t i = 0; i < range->items; i++) {
    if (i == MOST_ITEMS) {
      words_add (w, " and %" PRIu32 " more", range->items - i);
      return;
    }
    words_add (w, i ? ", " : " ");
    if (has_keys) {
      words_key (w, h, h->item_keys.data[range->first_item + i]);
      words_add (w, " = ");
    }
    words_value (w, h, h->item_values.data[range->first_item + i]);
  }
}

static void words_scan (words *w, const struct history *h, uint32_t op) {
  const bool whole = h->op_kinds.data[op] == OP_SCAN;
  words_add (w, whole ? "scanned the keys" : "iterated over the keys");
  if (h->op_aux.data[op] == AUX_NONE)
    return;
  const struct op_range *range = &h->ranges.data[h->op_aux.data[op]];
  words_bound (w, h, range->low, "from");
  words_bound (w, h, range->high, "to before");
  if (h->op_values.data[op] == VALUE_UNRECORDED)
    return;
  words_add (w, range->items ? " and found" : " and found nothing");
  words_items (w, h, range, true);
  if (!whole && !(h->op_flags.data[op] & OP_ITER_END))
    words_add (w, ", and stopped there");
}

static void words_list (words *w, const struct history *h, uint32_t op) {
  words_add (w, "read the list ");
  words_key (w, h, h->op_keys.data[op]);
  if (h->op_values.data[op] == VALUE_ABSENT)
    words_add (w, ", which was empty");
  else if (h->op_values.data[op] != VALUE_UNRECORDED && h->op_aux.data[op] != AUX_NONE) {
    words_add (w, ":");
    words_items (w, h, &h->ranges.data[h->op_aux.data[op]], false);
  }
}

static void words_key_value (words *w, const struct history *h, const char *verb, uint32_t op, const char *between) {
  words_add (w, "%s ", verb);
  words_key (w, h, h->op_keys.data[op]);
  words_add (w, "%s", between);
  words_value (w, h, h->op_values.data[op]);
}

static void words_cas (words *w, const struct history *h, uint32_t op) {
  const unsigned flags = h->op_flags.data[op];
  const bool known = flags & OP_RESULT_KNOWN, done = flags & OP_RESULT_TRUE;
  words_key_value (w, h, known && done ? "replaced" : "tried to replace", op, " = ");
  words_add (w, " by ");
  words_value (w, h, h->op_aux.data[op]);
  words_add (w, known && !done ? ", but found something else" : "");
}

static void words_inc (words *w, const struct history *h, uint32_t op) {
  words_add (w, "increased ");
  words_key (w, h, h->op_keys.data[op]);
  words_add (w, " by ");
  words_atom (w, history_inc_by (h, op));
  if (!(h->op_flags.data[op] & OP_RESULT_KNOWN))
    return;
  words_add (w, " to ");
  words_value (w, h, h->op_aux.data[op]);
}

static void words_del (words *w, const struct history *h, uint32_t op) {
  const unsigned flags = h->op_flags.data[op];
  words_add (w, "deleted ");
  words_key (w, h, h->op_keys.data[op]);
  if (flags & OP_RESULT_KNOWN)
    words_add (w, flags & OP_RESULT_TRUE ? ", which was there" : ", which was not there");
}

static void words_op (words *w, const struct history *h, uint32_t op) {
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_GET: words_key_value (w, h, "read", op, " = "); return;
  case OP_PUT: words_key_value (w, h, "wrote", op, " = "); return;
  case OP_APPEND: words_key_value (w, h, "appended to", op, ": "); return;
  case OP_DEL: words_del (w, h, op); return;
  case OP_CAS: words_cas (w, h, op); return;
  case OP_INC: words_inc (w, h, op); return;
  case OP_LIST: words_list (w, h, op); return;
  case OP_SCAN:
  case OP_ITER: words_scan (w, h, op); return;
  default: words_add (w, "%s", op_kind_name ((enum op_kind) h->op_kinds.data[op])); return;
  }
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
  uint32_t shown = 0, left = 0;
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    if (which && !which[txn])
      continue;
    if (shown == MOST_TXNS) {
      left++;
      continue;
    }
    words_txn (w, h, txn);
    shown++;
  }
  if (left)
    words_add (w, "  … and %" PRIu32 " more\n", left);
}
