// A few transactions on their way from a text into the history.
//
// Two reasons to stop here. Members of a JSON object come in any order, so a transaction's id may
// stand after its operations. And interning waits for memory: many keys and values at once
// (atoms_intern_all) wait hardly longer than one. What was staged refers to keys and values by
// their place in the stage; stage_flush translates.

#ifndef KRAIT_FORMATS_STAGE_H
#define KRAIT_FORMATS_STAGE_H

#include "formats/text.h"
#include "history/history.h"

struct staged_text {
  size_t first, length; // in `texts`
};

struct staged_txn {
  struct txn_header header;
  size_t ops_end, extras_end; // those of the transaction before it come first
  bool has_hint;
  struct staged_text hint;
  uint64_t line; // for messages, with the columns of the id and of the end
  uint64_t id_column, end_column;
};

struct staged_op {
  uint8_t kind, flags;
  uint32_t key, value,
    // as in the history's columns, but staged keys, values (cas, inc: aux too) and ranges; inc: by
    // how much, and the new value
    aux;
};

struct staged_extra {
  size_t op;
  int64_t begin, end;
  bool has_version;
  struct staged_text version;
};

struct staged_item {
  uint32_t key, value;
};

struct stage {
  struct history *history;
  VEC (struct staged_txn) txns;
  VEC (struct staged_op) ops;
  VEC (struct staged_extra) extras;
  VEC (struct op_range) ranges;
  VEC (struct staged_item) items;
  struct text texts;      // hints
  VEC (struct atom) keys; // byte strings: `number` is where they are in `bytes`
  VEC (struct atom) values;
  struct text bytes;
  VEC (uint32_t) key_ids;
  VEC (uint32_t) value_ids;
};

void stage_free (struct stage *);

// The line that holds the bytes is gone when they are interned, and `bytes` moves when it grows:
// hence a copy, and an offset.
static inline struct atom stage_keep_bytes (struct stage *stage, struct atom atom) {
  if (atom.kind == ATOM_BYTES) {
    atom.number = stage->bytes.count;
    text_bytes (&stage->bytes, atom.bytes, atom.length);
  }
  return atom;
}

static inline uint32_t stage_key (struct stage *stage, struct atom atom) {
  VEC_PUSH (stage->keys, stage_keep_bytes (stage, atom));
  return (uint32_t) (stage->keys.count - 1);
}

static inline uint32_t stage_value (struct stage *stage, struct atom atom) {
  VEC_PUSH (stage->values, stage_keep_bytes (stage, atom));
  return (uint32_t) (stage->values.count - 1);
}

uint32_t stage_open_range (struct stage *, uint32_t low, uint32_t high);
void stage_add_item (struct stage *, uint32_t key, uint32_t value);

// Is it time to flush?
static inline bool stage_is_full (const struct stage *stage) {
  return stage->values.count + stage->keys.count >= 512;
}

// Hands the staged transactions to the history and empties the stage.
bool stage_flush (struct stage *, const char *file, struct error *);

#endif
