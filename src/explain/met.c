// A read of a value that only aborted transactions wrote, or that its writers overwrote, or nobody
// wrote, is wrong by itself together with all who wrote it. Where a possible writer cannot have
// taken place for other reasons, or something else shows what its delete did, or a hint or an open
// initial value plays a part, there may be more to it: such a read does not count.

#include "explain/met.h"

#include "base/search.h"
#include "base/sort.h"
#include "explain/violation.h"
#include "history/effects.h"

enum { MOST = 100000 }; // faults looked at

#define NO_WRITER UINT32_MAX

struct wrong_read {
  uint32_t key, value;
  uint32_t txn, op;
  uint32_t first_writer; // in the list of writers, or NO_WRITER
  bool unclear;
};

struct writer {
  uint32_t txn, next;
};

typedef VEC (struct wrong_read) wrong_vec;
typedef VEC (struct writer) writer_vec;

static void collect_reads (const struct asg *asg, wrong_vec *wrong) {
  for (uint32_t node = 1; node < asg->nodes && wrong->count < MOST; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const unsigned flags = asg->read_flags ? asg->read_flags[read] : 0;
      const struct effects e = effects_of (asg->history, asg->read_op[read]);
      const bool gets = e.reads == READS_VALUE && e.only_reads;
      if (asg->read_source[read] == SOURCE_NONE && !asg->optional[node] && !flags && gets)
        VEC_PUSH (*wrong, (struct wrong_read){ asg->read_key[read], asg->read_value[read], asg->node_txn[node],
                                               asg->read_op[read], NO_WRITER, false });
    }
  VEC_SORT (*wrong, by_u32_triple);
}

// The first of the reads of this value of the key, or `count`.
static size_t first_read_of (const wrong_vec *wrong, uint32_t key, uint32_t value) {
  const uint32_t wanted[] = { key, value };
  size_t low = 0;
  LOWER_BOUND (low, wrong->count, middle, by_u32_pair (&wrong->data[middle], wanted) < 0);
  const bool found = low < wrong->count && wrong->data[low].key == key && wrong->data[low].value == value;
  return found ? low : wrong->count;
}

// What others wrote can show that the transaction did not take place, or what its delete did.
static bool rests_on_others (const struct history *h, uint32_t txn, uint32_t op) {
  const uint8_t status = h->txn_status.data[txn];
  return status == TXN_UNKNOWN || (status == TXN_COMMITTED && effects_settled_write (h, op) == WRITES_PERHAPS);
}

// Of equal reads the first one knows who wrote it.
static void find_writers (const struct asg *asg, wrong_vec *wrong, writer_vec *writers) {
  const struct history *h = asg->history;
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      const uint32_t written = effects_value_written (h, op);
      const size_t at = written == VALUE_NONE ? wrong->count : first_read_of (wrong, h->op_keys.data[op], written);
      if (at == wrong->count)
        continue;
      struct wrong_read *read = &wrong->data[at];
      read->unclear |= rests_on_others (h, t, op);
      VEC_PUSH (*writers, (struct writer){ t, read->first_writer });
      read->first_writer = (uint32_t) (writers->count - 1);
    }
}

// The transaction deletes the key before it reads it: whether it found something is for others to
// say.
static bool is_behind_own_delete (const struct history *h, const struct wrong_read *read) {
  for (uint32_t op = read->op; (op = effects_last_write_before (h, op, read->key)) != UINT32_MAX;)
    if (effects_value_written (h, op) == VALUE_ABSENT)
      return true;
  return false;
}

// Adds the read and those who wrote what it read, unless one of them is taken, or the reader
// itself, whose own writes depend on others'.
static void take (struct met_reads *met, const struct history *h, const struct wrong_read *read,
                  const struct wrong_read *first, const writer_vec *writers, uint8_t *taken) {
  if (first->unclear || taken[read->txn])
    return;
  for (uint32_t i = first->first_writer; i != NO_WRITER; i = writers->data[i].next)
    if (taken[writers->data[i].txn] || writers->data[i].txn == read->txn)
      return;
  if (is_behind_own_delete (h, read))
    return;
  taken[read->txn] = 1;
  VEC_PUSH (met->ids, h->txn_ids.data[read->txn]);
  for (uint32_t i = first->first_writer; i != NO_WRITER; i = writers->data[i].next) {
    if (taken[writers->data[i].txn])
      continue;
    taken[writers->data[i].txn] = 1;
    VEC_PUSH (met->ids, h->txn_ids.data[writers->data[i].txn]);
  }
  VEC_PUSH (met->end, (uint32_t) met->ids.count);
}

void note_faults (struct met_reads *met, const struct asg *asg) {
  const struct history *h = asg->history;
  if (asg->hints || h->init == INIT_ANY)
    return;
  wrong_vec wrong = VEC_EMPTY;
  writer_vec writers = VEC_EMPTY;
  uint8_t *taken = MEM_ZARRAY (uint8_t, history_txns (h));
  collect_reads (asg, &wrong);
  find_writers (asg, &wrong, &writers);
  for (size_t i = 0, first = 0; i < wrong.count; i++) {
    if (wrong.data[i].key != wrong.data[first].key || wrong.data[i].value != wrong.data[first].value)
      first = i;
    take (met, h, &wrong.data[i], &wrong.data[first], &writers, taken);
  }
  MEM_FREE_ALL (taken, wrong.data, writers.data);
}

uint64_t count_others (const struct met_reads *met, const struct violation *v) {
  uint64_t others = 0;
  size_t count;
  const uint64_t *txns = violation_txns (v, &count);
  uint64_t *core = sorted_u64 (txns, count);
  for (size_t i = 0, at = 0; i < met->end.count; i++) {
    bool shared = false;
    for (; at < met->end.data[i]; at++)
      shared |= has_u64 (core, count, met->ids.data[at]);
    others += !shared;
  }
  mem_free (core);
  return others;
}
