// Violations that need no cycle: a value that nobody wrote, that only an aborted transaction wrote, that was overwritten by its own writer, or a
// transaction that does not see its own write, or sees it where the policy says that it must not.

#include "explain/explain.h"

#include "explain/words.h"
#include "history/history.h"

#include <inttypes.h>

struct culprits {
  uint32_t aborted, intermediate, left_out; // transactions, or UINT32_MAX
};

// Who else wrote this value to this key without being a possible source.
static struct culprits find_culprits (const struct asg *asg, uint32_t reader, uint32_t key, uint32_t value) {
  const struct history *h = asg->history;
  struct culprits found = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      if (t == reader || h->op_kinds.data[op] != OP_PUT || h->op_keys.data[op] != key || h->op_values.data[op] != value)
        continue;
      if (h->txn_status.data[t] == TXN_ABORTED)
        found.aborted = t;
      else if (h->txn_status.data[t] == TXN_UNKNOWN)
        found.left_out = t;
      else
        found.intermediate = t;
    }
  return found;
}

static void add_core (struct check_result *result, const struct history *h, uint32_t txn) {
  if (txn != UINT32_MAX)
    VEC_PUSH (result->core, h->txn_ids.data[txn]);
}

// How a read that nobody else explains stands to the reader's own writes of its value. ITS_LATEST: only a policy that forbids own reads refuses it.
enum own_value { ITS_LATEST, ITS_OVERWRITTEN, ITS_LATER, NOT_ITS_OWN };

static enum own_value find_own_value (const struct history *h, const struct asg_fault *fault) {
  const uint32_t key = h->op_keys.data[fault->op], value = h->op_values.data[fault->op];
  enum own_value found = NOT_ITS_OWN;
  for (uint32_t op = h->txn_first_op.data[fault->txn]; op < h->txn_first_op.data[fault->txn + 1]; op++) {
    if (h->op_kinds.data[op] != OP_PUT || h->op_keys.data[op] != key)
      continue;
    if (op > fault->op)
      found = found == NOT_ITS_OWN && h->op_values.data[op] == value ? ITS_LATER : found;
    else if (h->op_values.data[op] == value)
      found = ITS_LATEST;
    else if (found == ITS_LATEST)
      found = ITS_OVERWRITTEN;
  }
  return found;
}

static void explain_forbidden_own_read (struct check_result *result, const struct history *h,
                                        const struct asg_fault *fault) {
  words w = VEC_EMPTY;
  result->anomaly = "own-write";
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " wrote ", h->txn_ids.data[fault->txn]);
  words_key (&w, h, h->op_keys.data[fault->op]);
  words_add (&w, " = ");
  words_value (&w, h, h->op_values.data[fault->op]);
  words_add (&w, " and then read it: only its own write explains that, and the own-write policy `external` forbids "
                 "to see it.\n");
  result->explanation = words_take (&w);
}

static void explain_no_source (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const uint32_t key = h->op_keys.data[fault->op], value = h->op_values.data[fault->op];
  const enum own_value own = find_own_value (h, fault);
  if (own == ITS_LATEST) {
    explain_forbidden_own_read (result, h, fault);
    return;
  }
  const struct culprits by = find_culprits (asg, fault->txn, key, value);
  words w = VEC_EMPTY;
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " read ", h->txn_ids.data[fault->txn]);
  words_key (&w, h, key);
  words_add (&w, " = ");
  words_value (&w, h, value);
  if (by.intermediate != UINT32_MAX) {
    result->anomaly = "G1b";
    result->anomaly_name = "intermediate-read";
    words_add (&w, ", which T%" PRIu64 " wrote but then overwrote itself: nobody else may see it",
               h->txn_ids.data[by.intermediate]);
    add_core (result, h, by.intermediate);
  } else if (by.aborted != UINT32_MAX) {
    result->anomaly = "G1a";
    result->anomaly_name = "aborted-read";
    words_add (&w, ", which only T%" PRIu64 " wrote, and that transaction aborted", h->txn_ids.data[by.aborted]);
    add_core (result, h, by.aborted);
  } else {
    result->anomaly = "garbage-read";
    if (by.left_out != UINT32_MAX)
      words_add (&w, ", which only T%" PRIu64 " wrote, whose outcome is unknown and which cannot have committed",
                 h->txn_ids.data[by.left_out]);
    else if (own != NOT_ITS_OWN)
      words_add (&w, ", which only T%" PRIu64 " itself wrote%s", h->txn_ids.data[fault->txn],
                 own == ITS_LATER ? ", and only later" : " and then overwrote");
    else
      words_add (&w, ", which nobody wrote%s",
                 value == VALUE_ABSENT ? ": the key was there from the start, and nobody deleted it"
                                       : " and which is not its initial value");
    add_core (result, h, by.left_out);
  }
  words_add (&w, ".\n");
  result->explanation = words_take (&w);
}

static void explain_own_write (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  words w = VEC_EMPTY;
  result->anomaly = "own-write";
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " wrote ", h->txn_ids.data[fault->txn]);
  words_key (&w, h, h->op_keys.data[fault->op]);
  words_add (&w, " = ");
  words_value (&w, h, h->op_values.data[fault->other]);
  words_add (&w, " and then read ");
  words_value (&w, h, h->op_values.data[fault->op]);
  words_add (&w, ": it does not see its own write.\n");
  result->explanation = words_take (&w);
}

static void explain_two_initial (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const uint32_t other = history_txn_of_op (h, fault->other);
  words w = VEC_EMPTY;
  result->anomaly = "garbage-read";
  add_core (result, h, other);
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " read ", h->txn_ids.data[other]);
  words_key (&w, h, h->op_keys.data[fault->op]);
  words_add (&w, " = ");
  words_value (&w, h, h->op_values.data[fault->other]);
  words_add (&w, " and T%" PRIu64 " read ", h->txn_ids.data[fault->txn]);
  words_value (&w, h, h->op_values.data[fault->op]);
  words_add (&w, "; nobody else wrote either, and only one can be the initial value.\n");
  result->explanation = words_take (&w);
}

void explain_fault (struct check_result *result, const struct asg *asg) {
  const struct asg_fault *fault = &asg->faults.data[0];
  switch (fault->kind) {
  case FAULT_NO_SOURCE: explain_no_source (result, asg, fault); break;
  case FAULT_OWN_WRITE: explain_own_write (result, asg, fault); break;
  case FAULT_TWO_INITIAL: explain_two_initial (result, asg, fault); break;
  }
}
