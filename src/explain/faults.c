// Violations that need no cycle: a value that nobody wrote, that only an aborted transaction wrote,
// that was overwritten by its own writer, or a transaction that does not see its own write, or sees
// it where the policy says that it must not.

#include "explain/explain.h"

#include "explain/violation_words.h"
#include "history/effects.h"

struct culprits {
  uint32_t aborted, intermediate, left_out; // transactions, or TXN_NONE
};

static bool is_overwritten (const struct history *h, uint32_t op) {
  for (uint32_t next = op + 1; next < h->txn_first_op.data[history_txn_of_op (h, op) + 1]; next++)
    if (h->op_keys.data[next] == h->op_keys.data[op] && effects_value_written (h, next) != VALUE_NONE)
      return true;
  return false;
}

static bool writes_what_was_read (const struct history *h, uint32_t op, const struct asg_fault *fault) {
  const uint32_t written = effects_value_written (h, op);
  if (written == VALUE_NONE || h->op_keys.data[op] != fault->key)
    return false;
  return read_accepts (fault->value, fault->flags, written);
}

// Who else wrote what was read without being a possible source. What an unknown transaction
// overwrote itself is intermediate if it took place at all.
static struct culprits find_culprits (const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  struct culprits found = { TXN_NONE, TXN_NONE, TXN_NONE };
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      if (t == fault->txn || !writes_what_was_read (h, op, fault))
        continue;
      if (h->txn_status.data[t] == TXN_ABORTED)
        found.aborted = t;
      else if (h->txn_status.data[t] == TXN_UNKNOWN && !is_overwritten (h, op))
        found.left_out = t;
      else if (found.intermediate == TXN_NONE || h->txn_status.data[t] == TXN_COMMITTED)
        found.intermediate = t;
    }
  if (found.aborted != TXN_NONE && found.intermediate != TXN_NONE
      && h->txn_status.data[found.intermediate] == TXN_UNKNOWN)
    found.intermediate = TXN_NONE; // it need not have taken place
  return found;
}

// How a read that nobody else explains stands to the reader's own writes of its value. ITS_LATEST:
// only a policy that forbids own reads refuses it.
enum own_value { ITS_LATEST, ITS_OVERWRITTEN, ITS_LATER, NOT_ITS_OWN };

static enum own_value find_own_value (const struct history *h, const struct asg_fault *fault) {
  enum own_value found = NOT_ITS_OWN;
  for (uint32_t op = h->txn_first_op.data[fault->txn]; op < h->txn_first_op.data[fault->txn + 1]; op++) {
    if (op == fault->op || effects_value_written (h, op) == VALUE_NONE || h->op_keys.data[op] != fault->key)
      continue;
    const bool its = writes_what_was_read (h, op, fault);
    if (op > fault->op)
      found = found == NOT_ITS_OWN && its ? ITS_LATER : found;
    else if (its)
      found = ITS_LATEST;
    else if (found == ITS_LATEST)
      found = ITS_OVERWRITTEN;
  }
  return found;
}

// ----------------------------------------------------------------------------------------- telling

const struct fault_row fault_rows[] = {
#define FAULT(id, class, name, sourced, sentence) { { CLASS_##class, NAMED_##name, 0, 0 }, sourced, sentence },
#include "explain/faults.def"
#undef FAULT
};

static struct violation *tell (const struct history *h, const struct asg_fault *fault, enum fault_told told,
                               uint32_t other) {
  struct violation *v = violation_new (VIOLATION_FAULT, fault_rows[told].anomaly);
  const bool has_other = other != TXN_NONE;
  v->fault = (struct violation_fault){ .told = told,
                                       .reader = h->txn_ids.data[fault->txn],
                                       .read = show_read (h, fault->op, fault->key, fault->value, fault->flags),
                                       .other = has_other ? h->txn_ids.data[other] : 0 };
  if (has_other && told == TOLD_TWO_INITIAL) // the earlier of the two reads
    violation_involve (v, (struct party){ .id = v->fault.other });
  violation_involve (v, (struct party){ .id = v->fault.reader });
  if (has_other)
    violation_involve (v, (struct party){ .id = v->fault.other });
  return v;
}

static enum fault_told written_by_nobody (const struct asg_fault *fault) {
  if (fault->flags & READ_OTHER)
    return TOLD_NOBODY_OTHER;
  return fault->value == VALUE_ABSENT ? TOLD_NOBODY_DELETED : TOLD_NOBODY;
}

static struct violation *explain_no_source (const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const enum own_value own = find_own_value (h, fault);
  if (fault->hinted)
    return tell (h, fault, TOLD_IMPOSSIBLE_SOURCE, fault->hinted - 1);
  if (own == ITS_LATEST || fault->from_own)
    return tell (h, fault, TOLD_OWN_READ, TXN_NONE);
  const struct culprits by = find_culprits (asg, fault);
  if (by.intermediate != TXN_NONE)
    return tell (h, fault,
                 h->txn_status.data[by.intermediate] == TXN_UNKNOWN ? TOLD_INTERMEDIATE_UNKNOWN : TOLD_INTERMEDIATE,
                 by.intermediate);
  if (by.aborted != TXN_NONE)
    return tell (h, fault, TOLD_ABORTED, by.aborted);
  if (by.left_out != TXN_NONE)
    return tell (h, fault, TOLD_LEFT_OUT, by.left_out);
  if (own != NOT_ITS_OWN)
    return tell (h, fault, own == ITS_LATER ? TOLD_OWN_LATER : TOLD_OWN_OVERWRITTEN, TXN_NONE);
  return tell (h, fault, written_by_nobody (fault), TXN_NONE);
}

static struct violation *explain_own_write (const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  struct violation *v = tell (h, fault, TOLD_OWN_WRITE, TXN_NONE);
  v->fault.written = effects_value_written (h, fault->other);
  v->fault.appended = effects_of (h, fault->other).writes == WRITES_ELEMENT;
  return v;
}

// An element that nobody appended who took place.
static struct violation *explain_element (const struct history *h, const struct asg_fault *fault, uint32_t by) {
  if (by == TXN_NONE)
    return tell (h, fault, TOLD_ELEMENT_NOBODY, by);
  return tell (h, fault, h->txn_status.data[by] == TXN_ABORTED ? TOLD_ELEMENT_ABORTED : TOLD_ELEMENT_LEFT_OUT, by);
}

static struct violation *explain_list (const struct history *h, const struct asg_fault *fault, uint32_t other) {
  if (other == TXN_NONE)
    return tell (h, fault, fault->value == VALUE_NONE ? TOLD_LIST : TOLD_LIST_TWICE, other);
  return tell (h, fault, effects_of (h, fault->other).reads == READS_LIST ? TOLD_TWO_LISTS : TOLD_MIXED_APPENDS, other);
}

struct violation *explain_fault (const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const uint32_t other = fault->other == OP_NONE ? TXN_NONE : history_txn_of_op (h, fault->other);
  switch (fault->kind) {
  case FAULT_NO_SOURCE: return explain_no_source (asg, fault);
  case FAULT_OWN_WRITE: return explain_own_write (asg, fault);
  case FAULT_TWO_INITIAL: return tell (h, fault, TOLD_TWO_INITIAL, other);
  case FAULT_RESULT:
    return tell (h, fault, h->op_kinds.data[fault->op] == OP_INC ? TOLD_RESULT_OF_INC : TOLD_RESULT, TXN_NONE);
  case FAULT_ELEMENT: return explain_element (h, fault, other);
  case FAULT_LIST: return explain_list (h, fault, other);
  case FAULT_LEFT_OUT: return tell (h, fault, TOLD_UNEXPLAINED, TXN_NONE);
  }
  return NULL;
}

// ------------------------------------------------------------------------------------------- words

static void words_own_write (words *w, const struct history *h, const struct violation_fault *f) {
  SAY (w, h,
       f->written == VALUE_ABSENT ? "%a deleted %k and then "
       : f->appended              ? "%a appended to %k the value %v and then "
                                  : "%a wrote %k = %v and then ",
       .a = { .id = f->reader }, .key = f->read.key, .value = f->written);
  SAY (w, h, f->read.op == OP_GET ? "read %v: it does not see its own write." : "%r: it does not see its own write.",
       .value = f->read.value, .read = &f->read);
}

void words_fault (words *w, const struct history *h, const struct violation_fault *f) {
  if (f->told == TOLD_OWN_WRITE)
    words_own_write (w, h, f);
  else
    SAY (w, h, fault_rows[f->told].sentence, .a = { .id = f->reader }, .b = { .id = f->other }, .key = f->read.key,
         .value = f->read.value, .read = &f->read, .text = op_kind_name (f->read.op));
}
