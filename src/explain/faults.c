// Violations that need no cycle: a value that nobody wrote, that only an aborted transaction wrote, that was overwritten by its own writer, or a
// transaction that does not see its own write, or sees it where the policy says that it must not.

#include "explain/explain.h"

#include "explain/words.h"
#include "history/effects.h"
#include "ir/ir.h"

#include <inttypes.h>
#include <string.h>

struct culprits {
  uint32_t aborted, intermediate, left_out; // transactions, or UINT32_MAX
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

// Who else wrote what was read without being a possible source. What an unknown transaction overwrote itself is intermediate if it took place at all.
static struct culprits find_culprits (const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  struct culprits found = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      if (t == fault->txn || !writes_what_was_read (h, op, fault))
        continue;
      if (h->txn_status.data[t] == TXN_ABORTED)
        found.aborted = t;
      else if (h->txn_status.data[t] == TXN_UNKNOWN && !is_overwritten (h, op))
        found.left_out = t;
      else if (found.intermediate == UINT32_MAX || h->txn_status.data[t] == TXN_COMMITTED)
        found.intermediate = t;
    }
  if (found.aborted != UINT32_MAX && found.intermediate != UINT32_MAX
      && h->txn_status.data[found.intermediate] == TXN_UNKNOWN)
    found.intermediate = UINT32_MAX; // it need not have taken place
  return found;
}

static void add_core (struct check_result *result, const struct history *h, uint32_t txn) {
  if (txn != UINT32_MAX)
    VEC_PUSH (result->core, h->txn_ids.data[txn]);
}

// Where the value came from that should not have been read.
static void add_source (struct check_result *result, const struct history *h, const struct asg_fault *fault,
                        uint32_t writer) {
  const char *why = result->explanation;
  words w = VEC_EMPTY;
  words_add (&w, "%.*s", (int) strcspn (why, "\n"), why);
  if (writer != UINT32_MAX)
    VEC_PUSH (result->beside, (struct cycle_edge){ .from = h->txn_ids.data[writer],
                                                   .to = h->txn_ids.data[fault->txn],
                                                   .type = edge_kind_name (EDGE_WR),
                                                   .key = fault->key,
                                                   .why = words_take (&w) });
  VEC_FREE (w);
}

// How a read that nobody else explains stands to the reader's own writes of its value. ITS_LATEST: only a policy that forbids own reads refuses it.
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

static void words_fault_read (words *w, const struct history *h, const struct asg_fault *fault) {
  words_add (w, "T%" PRIu64 " ", h->txn_ids.data[fault->txn]);
  words_read (w, h, fault->op, fault->key, fault->value, fault->flags);
}

static void explain_forbidden_own_read (struct check_result *result, const struct history *h,
                                        const struct asg_fault *fault) {
  words w = VEC_EMPTY;
  result->anomaly = "own-write";
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " wrote ", h->txn_ids.data[fault->txn]);
  words_key (&w, h, fault->key);
  words_add (&w, " = ");
  words_value (&w, h, fault->value);
  words_add (&w, " and then read it: only its own write explains that, and the own-write policy `external` forbids "
                 "to see it.\n");
  result->explanation = words_take (&w);
}

// A hint names the source, and that is an unknown transaction that cannot have taken place.
static void explain_impossible_source (struct check_result *result, const struct history *h,
                                       const struct asg_fault *fault) {
  words w = VEC_EMPTY;
  result->anomaly = "garbage-read";
  add_core (result, h, fault->txn);
  add_core (result, h, fault->hinted - 1);
  words_fault_read (&w, h, fault);
  words_add (&w,
             ", which T%" PRIu64 " wrote, as a hint says, whose outcome is unknown and which cannot have committed.\n",
             h->txn_ids.data[fault->hinted - 1]);
  result->explanation = words_take (&w);
}

static void explain_no_source (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const enum own_value own = find_own_value (h, fault);
  if (fault->hinted) {
    explain_impossible_source (result, h, fault);
    return;
  }
  if (own == ITS_LATEST || fault->from_own) {
    explain_forbidden_own_read (result, h, fault);
    return;
  }
  const struct culprits by = find_culprits (asg, fault);
  words w = VEC_EMPTY;
  add_core (result, h, fault->txn);
  words_fault_read (&w, h, fault);
  if (by.intermediate != UINT32_MAX) {
    result->anomaly = "G1b";
    result->anomaly_name = "intermediate-read";
    words_add (&w, ", which T%" PRIu64 " wrote but then overwrote itself: nobody else may see it",
               h->txn_ids.data[by.intermediate]);
    if (h->txn_status.data[by.intermediate] == TXN_UNKNOWN)
      words_add (&w, ", even if that transaction, whose outcome is unknown, took place");
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
                 fault->flags & READ_OTHER      ? " that it could have been"
                 : fault->value == VALUE_ABSENT ? ": the key was there from the start, and nobody deleted it"
                                                : " and which is not its initial value");
    add_core (result, h, by.left_out);
  }
  words_add (&w, ".\n");
  result->explanation = words_take (&w);
  add_source (result, h, fault,
              by.intermediate != UINT32_MAX ? by.intermediate
              : by.aborted != UINT32_MAX    ? by.aborted
                                            : by.left_out);
}

static void explain_own_write (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  words w = VEC_EMPTY;
  result->anomaly = "own-write";
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " ", h->txn_ids.data[fault->txn]);
  const uint32_t written = effects_value_written (h, fault->other);
  const bool appended = effects_of (h, fault->other).writes == WRITES_ELEMENT;
  words_add (&w, written == VALUE_ABSENT ? "deleted " : appended ? "appended to " : "wrote ");
  words_key (&w, h, fault->key);
  if (written != VALUE_ABSENT) {
    words_add (&w, appended ? " the value " : " = ");
    words_value (&w, h, written);
  }
  words_add (&w, " and then ");
  const struct effects e = effects_of (h, fault->op);
  if (e.only_reads && e.reads == READS_VALUE) {
    words_add (&w, "read ");
    words_value (&w, h, fault->value);
  } else
    words_read (&w, h, fault->op, fault->key, fault->value, fault->flags);
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
  words_fault_read (&w, h, fault);
  words_add (&w, " and T%" PRIu64 " read another value", h->txn_ids.data[other]);
  words_add (&w, "; nobody else wrote either, and only one can be the initial value.\n");
  result->explanation = words_take (&w);
}

static void explain_result (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  words w = VEC_EMPTY;
  result->anomaly = "internal";
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " got a result from its %s that no state can have: %s.\n", h->txn_ids.data[fault->txn],
             op_kind_name ((enum op_kind) h->op_kinds.data[fault->op]),
             effects_of (h, fault->op).reads == READS_IMPOSSIBLE
               ? "the new value is not an integer, or no integer gives it"
               : "items out of range, out of order or repeated");
  result->explanation = words_take (&w);
}

static void words_list (words *w, const struct history *h, const struct asg_fault *fault) {
  words_add (w, "T%" PRIu64 " read a list ", h->txn_ids.data[fault->txn]);
  words_key (w, h, fault->key);
}

// An element that nobody appended who took place.
static void explain_element (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const uint32_t by = fault->other == UINT32_MAX ? UINT32_MAX : history_txn_of_op (h, fault->other);
  words w = VEC_EMPTY;
  add_core (result, h, fault->txn);
  add_core (result, h, by);
  words_list (&w, h, fault);
  words_add (&w, " that holds ");
  words_value (&w, h, fault->value);
  result->anomaly = "garbage-read";
  if (by == UINT32_MAX)
    words_add (&w, ", which nobody appended.\n");
  else if (h->txn_status.data[by] == TXN_ABORTED) {
    result->anomaly = "G1a";
    result->anomaly_name = "aborted-read";
    words_add (&w, ", which T%" PRIu64 " appended, and that transaction aborted.\n", h->txn_ids.data[by]);
  } else
    words_add (&w, ", which T%" PRIu64 " appended, whose outcome is unknown and which cannot have committed.\n",
               h->txn_ids.data[by]);
  result->explanation = words_take (&w);
  add_source (result, h, fault, by);
}

static void explain_list (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  const uint32_t other = fault->other == UINT32_MAX ? UINT32_MAX : history_txn_of_op (h, fault->other);
  words w = VEC_EMPTY;
  result->anomaly = "internal";
  result->anomaly_name = "incompatible-order";
  add_core (result, h, fault->txn);
  if (other != fault->txn)
    add_core (result, h, other);
  words_list (&w, h, fault);
  if (fault->value == VALUE_NONE && other == UINT32_MAX)
    words_add (&w, " that no order of appends gives.\n");
  else if (other == UINT32_MAX) {
    words_add (&w, " that holds ");
    words_value (&w, h, fault->value);
    words_add (&w, " twice, and it was appended once.\n");
  } else if (effects_of (h, fault->other).reads == READS_LIST)
    words_add (&w,
               ", and T%" PRIu64
               " read another one; neither is the beginning of the other, so no order of appends gives both.\n",
               h->txn_ids.data[other]);
  else
    words_add (&w, " that mixes what T%" PRIu64 " appended with the appends of others, or lacks some of it.\n",
               h->txn_ids.data[other]);
  result->explanation = words_take (&w);
}

// Only facts say so; an operation that does is a list with such an element.
static void explain_left_out (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  const struct history *h = asg->history;
  words w = VEC_EMPTY;
  result->anomaly = "garbage-read";
  add_core (result, h, fault->txn);
  words_add (&w, "T%" PRIu64 " took place, but nothing explains what it read.\n", h->txn_ids.data[fault->txn]);
  result->explanation = words_take (&w);
}

void explain_fault (struct check_result *result, const struct asg *asg, const struct asg_fault *fault) {
  switch (fault->kind) {
  case FAULT_NO_SOURCE: explain_no_source (result, asg, fault); break;
  case FAULT_OWN_WRITE: explain_own_write (result, asg, fault); break;
  case FAULT_TWO_INITIAL: explain_two_initial (result, asg, fault); break;
  case FAULT_RESULT: explain_result (result, asg, fault); break;
  case FAULT_ELEMENT: explain_element (result, asg, fault); break;
  case FAULT_LIST: explain_list (result, asg, fault); break;
  case FAULT_LEFT_OUT: explain_left_out (result, asg, fault); break;
  }
}
