#include "writes.h"

#include "operations.h"

// What the transaction surely has done to keys so far.
struct touched {
  key_set put, deleted; // the last one counts
};

// After an own put it wrote; after an own delete that surely wrote it did nothing; else it is open,
// whatever open ones there were before.
static struct op_write settle_unrecorded (key_set key, const struct touched *touched, uint32_t did_nothing,
                                          unsigned *open_deletes) {
  if (touched->deleted & key)
    return (struct op_write){ .wrote = false };
  if (touched->put & key)
    return (struct op_write){ .wrote = true, .value = VALUE_ABSENT };
  const bool nothing = *open_deletes < 32 && did_nothing >> *open_deletes & 1;
  ++*open_deletes;
  return (struct op_write){ .wrote = !nothing, .read_absent = nothing, .value = VALUE_ABSENT };
}

void writes_settle (const struct history *h, uint32_t txn, uint32_t did_nothing, unsigned *open_deletes,
                    struct op_write *writes) {
  struct touched touched = { 0, 0 };
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const key_set key = h->op_keys.data[op] == KEY_NONE ? 0 : key_bit (h->op_keys.data[op]);
    const bool known = history_flags (h, op) & OP_RESULT_KNOWN, yes = history_flags (h, op) & OP_RESULT_TRUE;
    struct op_write *write = writes++;
    *write = (struct op_write){ .wrote = false };
    switch ((enum op_kind) h->op_kinds.data[op]) {
    case OP_PUT: *write = (struct op_write){ true, false, h->op_values.data[op] }; break;
    case OP_APPEND: *write = (struct op_write){ true, false, VALUE_NONE }; break;
    case OP_CAS: *write = (struct op_write){ yes, false, history_aux (h, op) }; break;
    case OP_INC: *write = (struct op_write){ true, false, known ? history_aux (h, op) : VALUE_UNRECORDED }; break;
    case OP_DEL:
      *write = known ? (struct op_write){ yes, false, VALUE_ABSENT }
                     : settle_unrecorded (key, &touched, did_nothing, open_deletes);
      break;
    default: break;
    }
    const bool is_delete = h->op_kinds.data[op] == OP_DEL;
    if (is_delete && !known && !(touched.put & key)) // in doubt, or nothing at all
      continue;
    if (is_delete && write->wrote) {
      touched.deleted |= key;
      touched.put &= ~key;
    } else if (write->wrote) {
      touched.put |= key;
      touched.deleted &= ~key;
    }
  }
}
