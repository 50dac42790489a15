#include "formats/stage.h"

void stage_free (struct stage *stage) {
  VEC_FREE (stage->txns);
  VEC_FREE (stage->ops);
  VEC_FREE (stage->extras);
  VEC_FREE (stage->ranges);
  VEC_FREE (stage->items);
  VEC_FREE (stage->texts);
  VEC_FREE (stage->keys);
  VEC_FREE (stage->values);
  VEC_FREE (stage->bytes);
  VEC_FREE (stage->key_ids);
  VEC_FREE (stage->value_ids);
}

uint32_t stage_open_range (struct stage *stage, uint32_t low, uint32_t high) {
  VEC_PUSH (stage->ranges, (struct op_range){ low, high, (uint32_t) stage->items.count, 0 });
  return (uint32_t) (stage->ranges.count - 1);
}

void stage_add_item (struct stage *stage, uint32_t key, uint32_t value) {
  VEC_PUSH (stage->items, (struct staged_item){ key, value });
  stage->ranges.data[stage->ranges.count - 1].items++;
}

// --- Flushing ---

static bool intern (struct stage *stage, struct atoms *into, struct atom *atoms, size_t count, uint32_t *ids) {
  for (size_t i = 0; i < count; i++)
    if (atoms[i].kind == ATOM_BYTES)
      atoms[i].bytes = stage->bytes.count ? stage->bytes.data + atoms[i].number : "";
  atoms_intern_all (into, atoms, count, ids);
  bool all = true;
  for (size_t i = 0; i < count; i++)
    all &= ids[i] != ATOM_NONE;
  return all;
}

static inline uint32_t key_id (const struct stage *stage, uint32_t key) {
  return key == KEY_NONE ? KEY_NONE : stage->key_ids.data[key];
}

static inline uint32_t value_id (const struct stage *stage, uint32_t value) {
  return value >= VALUE_NONE ? value : stage->value_ids.data[value];
}

static bool add_range (struct stage *stage, uint32_t *aux, const char **why) {
  const struct op_range *range = &stage->ranges.data[*aux];
  *aux = history_open_range (stage->history, key_id (stage, range->low), key_id (stage, range->high));
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++) {
    const struct staged_item *item = &stage->items.data[i];
    if (!history_add_item (stage->history, key_id (stage, item->key), value_id (stage, item->value), why))
      return false;
  }
  return true;
}

static bool add_op (struct stage *stage, const struct staged_op *op, const char **why) {
  uint32_t aux = op->aux;
  if (op->kind == OP_INC)
    return history_add_inc (stage->history, op->flags, key_id (stage, op->key), value_id (stage, op->value),
                            value_id (stage, aux), why);
  if (op->kind == OP_CAS)
    aux = value_id (stage, aux);
  else if (aux != AUX_NONE && !add_range (stage, &aux, why))
    return false;
  return history_add_op (stage->history, (enum op_kind) op->kind, op->flags, key_id (stage, op->key),
                         value_id (stage, op->value), aux, why);
}

static bool add_extra (struct stage *stage, const struct staged_extra *extra, const char **why) {
  if (extra->begin != TIME_NONE_BEGIN || extra->end != TIME_NONE_END)
    history_set_op_times (stage->history, extra->begin, extra->end);
  return !extra->has_version
         || history_set_op_hint (stage->history, stage->texts.data + extra->version.first, extra->version.length, why);
}

static bool add_txn (struct stage *stage, size_t txn, const char **why) {
  const struct staged_txn *staged = &stage->txns.data[txn];
  size_t op = txn ? stage->txns.data[txn - 1].ops_end : 0;
  size_t extra = txn ? stage->txns.data[txn - 1].extras_end : 0;
  for (; op < staged->ops_end; op++) {
    if (!add_op (stage, &stage->ops.data[op], why))
      return false;
    if (extra < staged->extras_end && stage->extras.data[extra].op == op
        && !add_extra (stage, &stage->extras.data[extra++], why))
      return false;
  }
  return !staged->has_hint
         || history_set_txn_hint (stage->history, stage->texts.data + staged->hint.first, staged->hint.length, why);
}

static void empty (struct stage *stage) {
  stage->txns.count = stage->ops.count = stage->extras.count = stage->ranges.count = stage->items.count = 0;
  stage->texts.count = stage->keys.count = stage->values.count = stage->bytes.count = 0;
}

bool stage_flush (struct stage *stage, const char *file, struct error *error) {
  if (!stage->txns.count) {
    empty (stage);
    return true;
  }
  struct history *h = stage->history;
  VEC_RESERVE (stage->key_ids, stage->keys.count);
  VEC_RESERVE (stage->value_ids, stage->values.count);
  if (!intern (stage, &h->keys, stage->keys.data, stage->keys.count, stage->key_ids.data)
      || !intern (stage, &h->values, stage->values.data, stage->values.count, stage->value_ids.data))
    return error_at_line (error, file, stage->txns.data[0].line, 0, "too many keys or values");
  for (size_t txn = 0; txn < stage->txns.count; txn++)
    id_set_prefetch (&h->ids, stage->txns.data[txn].header.id);
  for (size_t txn = 0; txn < stage->txns.count; txn++) {
    const struct staged_txn *staged = &stage->txns.data[txn];
    const char *why;
    if (!history_begin_txn (h, &staged->header, &why)) {
      const bool by_times = staged->header.end < staged->header.begin;
      return error_at_line (error, file, staged->line, by_times ? staged->end_column : staged->id_column, "%s", why);
    }
    if (!add_txn (stage, txn, &why))
      return error_at_line (error, file, staged->line, 0, "%s", why);
  }
  empty (stage);
  return true;
}
