// Who can be the source of a read. Few reads are asked about, of histories that may be long: every
// operation is looked at once, and those transactions are told that write a key and, as far as a
// table of remainders knows, a value that was asked about.

#include "verify/effects.h"

#include "base/error.h"
#include "base/search.h"
#include "base/sort.h"

enum { REMAINDERS = 4096, ASKED = 1, ASKED_ANYTHING = 2 };

struct asked {
  uint8_t *keys;                 // per key: ASKED, ASKED_ANYTHING
  uint8_t remainder[REMAINDERS]; // of values
  bool news;                     // since they were found
  source_vec writers;            // by key and transaction
};

static inline bool is_asked (const struct asked *asked, uint32_t key, uint32_t value) {
  return asked->keys[key] && (asked->keys[key] & ASKED_ANYTHING || asked->remainder[value % REMAINDERS]);
}

static bool knows (const struct asked *asked, const struct told_read *read) {
  return read->other ? asked->keys[read->key] & ASKED_ANYTHING
                     : is_asked (asked, read->key, read->value)
                         && (!read->or_absent || is_asked (asked, read->key, VALUE_ABSENT));
}

void told_ask_sources (struct told *a, const struct told_read *read) {
  if (!a->asked) {
    a->asked = mem_zalloc (sizeof *a->asked);
    a->asked->keys = MEM_ZARRAY (uint8_t, history_keys (a->h));
  }
  if (read->list || knows (a->asked, read))
    return; // a list says so itself
  a->asked->news = true;
  a->asked->keys[read->key] |= read->other ? ASKED_ANYTHING : ASKED;
  a->asked->remainder[read->value % REMAINDERS] = 1;
  if (read->or_absent)
    a->asked->remainder[VALUE_ABSENT % REMAINDERS] = 1;
}

// Puts and gets are most of all operations.
static inline bool may_write_asked (const struct history *h, const struct asked *asked, uint32_t op) {
  const uint32_t key = h->op_keys.data[op];
  const uint8_t kind = h->op_kinds.data[op];
  if (key == KEY_NONE || kind == OP_GET || !asked->keys[key])
    return false;
  return kind == OP_PUT ? is_asked (asked, key, h->op_values.data[op])
                        : told_may_write (h, op) && is_asked (asked, key, told_value_written (h, op));
}

static void tell_writer (struct told *a, struct asked *asked, uint32_t txn) {
  told_add (a, txn);
  for (size_t i = 0; i < a->writes.count; i++) {
    const struct told_write *write = &a->writes.data[i];
    if (is_asked (asked, write->key, write->value))
      VEC_PUSH (asked->writers, (struct told_writer){ write->key, txn, write->value, write->unrecorded });
  }
}

void told_find_sources (struct told *a) {
  struct asked *asked = a->asked;
  const struct history *h = a->h;
  const uint32_t ops = history_ops (h);
  if (!asked || !asked->news)
    return;
  asked->news = false;
  asked->writers.count = 0;
  a->writes_only = true;
  for (uint32_t op = 0; op < ops; op++) {
    if (!may_write_asked (h, asked, op))
      continue;
    const uint32_t txn = history_txn_of_op (h, op);
    if (told_takes_part (a, txn))
      tell_writer (a, asked, txn);
    op = h->txn_first_op.data[txn + 1] - 1;
  }
  a->writes_only = false;
  VEC_SORT (asked->writers, by_u32_pair);
}

void told_sources (const struct told *a, const struct told_read *read, source_vec *sources) {
  const struct asked *asked = a->asked;
  if (read->list) {
    if (read->writer != INITIAL && told_can_be_source (read, read->writer, read->value))
      VEC_PUSH (*sources, (struct told_writer){ read->key, read->writer, read->value, OP_NONE });
    return;
  }
  if (!asked || asked->news || !knows (asked, read))
    misuse (__func__, "a read that nobody asked about"); // whoever is missing would be no source
  size_t at = 0;
  LOWER_BOUND (at, asked->writers.count, middle, asked->writers.data[middle].key < read->key);
  for (; at < asked->writers.count && asked->writers.data[at].key == read->key; at++) {
    const struct told_writer *writer = &asked->writers.data[at];
    if (told_can_be_source (read, writer->txn, writer->value))
      VEC_PUSH (*sources, *writer);
  }
}

void told_asked_free (struct asked *asked) {
  if (!asked)
    return;
  MEM_FREE_ALL (asked->keys, asked->writers.data, asked);
}
