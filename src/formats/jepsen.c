// From events to transactions.
//
// An invocation belongs to the next completion of its process. A completion without an invocation
// is a transaction by itself (some tools write nothing else), an invocation without a completion
// one whose outcome nobody knows. Jepsen gives a client that lost track of a transaction a new
// process; files in which a process goes on after an unknown outcome get a new session for it here.
//
// What a transaction did is in its completion if it is :ok. Else what it tried to write is in its
// invocation, and a nil is a read that never came back.
//
// Whether nil on a key is an empty list or an absent value depends on how the key is used
// elsewhere, so reads of nil are gets until everything was read. The same holds for the clock: only
// then is it known that there are no times, and that the order of the events has to serve.

#include "formats/jepsen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct jepsen_process {
  bool has_number;
  uint64_t number;
  uint64_t session; // label
  bool has_session; // false before the first transaction, and after an unknown outcome
  bool was_used;    // the label `number` is taken
  bool is_open;     // invoked and not completed
  int64_t begin;
  uint64_t begin_event;
  struct micro_ops micro;
};

#define LARGEST_PROCESS INT64_MAX // labels above it are new sessions, until these get their numbers

void jepsen_start (struct jepsen *j, struct history *h) {
  *j = (struct jepsen){ .history = h, .has_indexes = true };
}

static void micro_free (struct micro_ops *micro) {
  VEC_FREE (micro->ops);
  VEC_FREE (micro->items);
}

void jepsen_stop (struct jepsen *j) {
  for (size_t i = 0; i < j->processes.count; i++)
    micro_free (&j->processes.data[i].micro);
  VEC_FREE (j->processes);
  hash_set_free (&j->process_table);
  micro_free (&j->event.micro);
  VEC_FREE (j->indexes);
  VEC_FREE (j->begins);
  VEC_FREE (j->ends);
  VEC_FREE (j->is_list);
  VEC_FREE (j->unreadable_names);
}

// --- The event being read ---

void jepsen_add_micro (struct jepsen *j, struct micro_op op) {
  while (j->is_list.count <= op.key)
    VEC_PUSH (j->is_list, false);
  if (op.kind == MICRO_APPEND || op.kind == MICRO_READ_LIST)
    j->is_list.data[op.key] = true;
  VEC_PUSH (j->event.micro.ops, op);
}

// --- Processes and sessions ---

static bool same_process (const void *context, uint32_t index, const void *wanted) {
  const struct jepsen_process *process = (const struct jepsen_process *) context + index;
  const struct jepsen_event *event = wanted;
  const bool has_number = event->seen & JEPSEN_PROCESS;
  return process->has_number == has_number && process->number == event->process;
}

static struct jepsen_process *process_of (struct jepsen *j, const struct jepsen_event *event) {
  const bool has_number = event->seen & JEPSEN_PROCESS;
  const uint64_t hash = hash_u64 (event->process + !has_number);
  uint32_t index = hash_set_find (&j->process_table, hash, same_process, j->processes.data, event);
  if (index == HASH_NONE) {
    index = (uint32_t) j->processes.count;
    VEC_PUSH (j->processes, (struct jepsen_process){ .has_number = has_number, .number = event->process });
    hash_set_insert (&j->process_table, hash, index);
    if (has_number && (!j->has_process || event->process > j->largest_process))
      j->largest_process = event->process;
    j->has_process |= has_number;
  }
  return &j->processes.data[index];
}

static uint64_t session_of (struct jepsen *j, struct jepsen_process *process) {
  if (!process->has_session)
    process->session = process->has_number && !process->was_used ? process->number : UINT64_MAX - j->new_sessions++;
  process->has_session = process->was_used = true;
  return process->session;
}

// New sessions get the numbers behind the largest process.
static void name_sessions (struct jepsen *j) {
  struct history *h = j->history;
  const uint64_t first = j->has_process ? j->largest_process + 1 : 0;
  for (size_t i = 0; i < h->session_labels.count; i++)
    if (h->session_labels.data[i] > LARGEST_PROCESS)
      h->session_labels.data[i] = first + (UINT64_MAX - h->session_labels.data[i]);
}

// --- Transactions ---

static bool add_list (struct history *h, const struct micro_ops *micro, const struct micro_op *op, const char **why) {
  const uint32_t range = history_open_range (h, KEY_NONE, KEY_NONE);
  for (uint32_t i = op->first_item; i < op->first_item + op->items; i++)
    if (!history_add_item (h, KEY_NONE, micro->items.data[i], why))
      return false;
  return history_add_op (h, OP_LIST, 0, op->key, VALUE_NONE, range, why);
}

static bool add_op (struct history *h, const struct micro_ops *micro, const struct micro_op *op, bool is_ok,
                    const char **why) {
  switch (op->kind) {
  case MICRO_APPEND: return history_add_op (h, OP_APPEND, 0, op->key, op->value, AUX_NONE, why);
  case MICRO_WRITE: return history_add_op (h, OP_PUT, 0, op->key, op->value, AUX_NONE, why);
  case MICRO_READ: return history_add_op (h, OP_GET, 0, op->key, op->value, AUX_NONE, why);
  case MICRO_READ_LIST: return add_list (h, micro, op, why);
  case MICRO_READ_NIL: break;
  }
  return history_add_op (h, OP_GET, 0, op->key, is_ok ? VALUE_ABSENT : VALUE_UNRECORDED, AUX_NONE, why);
}

struct outcome {
  enum txn_status status;
  const struct micro_ops *micro;
  bool has_results; // a nil is a result
  int64_t end;
  uint64_t end_event;
};

static bool add_txn (struct jepsen *j, struct jepsen_process *process, const struct outcome *outcome,
                     const char **why) {
  const struct txn_header header = {
    .session = session_of (j, process),
    .status = outcome->status,
    .begin = process->is_open ? process->begin : TIME_NONE_BEGIN,
    .end = outcome->end,
  };
  if (!history_begin_txn (j->history, &header, why))
    return false;
  if (!j->has_times) {
    VEC_PUSH (j->begins, process->is_open ? process->begin_event : 0);
    VEC_PUSH (j->ends, outcome->end_event);
  }
  for (size_t i = 0; i < outcome->micro->ops.count; i++)
    if (!add_op (j->history, outcome->micro, &outcome->micro->ops.data[i], outcome->has_results, why))
      return false;
  process->is_open = false;
  process->has_session = outcome->status != TXN_UNKNOWN;
  return true;
}

static bool give_up (struct jepsen *j, struct jepsen_process *process, const char **why) {
  const struct outcome outcome = { TXN_UNKNOWN, &process->micro, false, TIME_NONE_END, 0 };
  return add_txn (j, process, &outcome, why);
}

static bool invoke (struct jepsen *j, struct jepsen_process *process, const char **why) {
  if (process->is_open && !give_up (j, process, why))
    return false;
  struct jepsen_event *event = &j->event;
  const struct micro_ops spare = process->micro;
  process->micro = event->micro;
  event->micro = spare;
  process->is_open = true;
  process->begin = event->seen & JEPSEN_TIME ? event->time : TIME_NONE_BEGIN;
  process->begin_event = j->events;
  j->has_invocations = true;
  return true;
}

static bool is_write (enum micro_kind kind) {
  return kind == MICRO_APPEND || kind == MICRO_WRITE;
}

// The same operations, but for results?
static bool same_intent (const struct micro_ops *a, const struct micro_ops *b) {
  if (a->ops.count != b->ops.count)
    return false;
  for (size_t i = 0; i < a->ops.count; i++) {
    const struct micro_op *x = &a->ops.data[i], *y = &b->ops.data[i];
    if (x->key != y->key || is_write (x->kind) != is_write (y->kind))
      return false;
    if (is_write (x->kind) && (x->kind != y->kind || x->value != y->value))
      return false;
  }
  return true;
}

static bool complete (struct jepsen *j, struct jepsen_process *process, const char **why) {
  const struct jepsen_event *event = &j->event;
  const bool is_ok = event->type == JEPSEN_OK, has_value = event->seen & JEPSEN_VALUE;
  const bool from_invocation = process->is_open && (is_ok ? !has_value : !same_intent (&process->micro, &event->micro));
  const struct outcome outcome = {
    .status = is_ok                        ? TXN_COMMITTED
              : event->type == JEPSEN_FAIL ? TXN_ABORTED
                                           : TXN_UNKNOWN,
    .micro = from_invocation ? &process->micro : &event->micro,
    .has_results = is_ok && !from_invocation,
    .end = event->seen & JEPSEN_TIME ? event->time : TIME_NONE_END,
    .end_event = j->events,
  };
  return add_txn (j, process, &outcome, why);
}

bool jepsen_add_event (struct jepsen *j, const char **why) {
  const struct jepsen_event *event = &j->event;
  j->events++;
  j->has_times |= (event->seen & JEPSEN_TIME) != 0;
  if (!j->has_times) {
    const bool rises = !j->indexes.count || event->index > j->indexes.data[j->indexes.count - 1];
    j->has_indexes &= event->seen & JEPSEN_INDEX && rises;
    VEC_PUSH (j->indexes, event->index);
  }
  struct jepsen_process *process = process_of (j, event);
  return event->type == JEPSEN_INVOKE ? invoke (j, process, why) : complete (j, process, why);
}

// --- What cannot be read ---

static bool is_named (const struct jepsen *j, const char *name) {
  const size_t length = strlen (name);
  const char *names = j->unreadable_names.data;
  for (size_t at = 0; at + length < j->unreadable_names.count; at++)
    if (names[at] == ':' && !memcmp (names + at + 1, name, length)
        && (at + 1 + length == j->unreadable_names.count || names[at + 1 + length] == ','))
      return true;
  return false;
}

static void add_name (struct jepsen *j, const char *name) {
  enum { LONGEST = 200 };
  if (!*name || is_named (j, name) || j->unreadable_names.count > LONGEST)
    return;
  for (const char *c = j->unreadable_names.count ? ", :" : ":"; *c; c++)
    VEC_PUSH (j->unreadable_names, *c);
  for (; *name; name++)
    VEC_PUSH (j->unreadable_names, *name);
}

// If it ends something that looked like a transaction when it was invoked, as a :read without a
// value does, that was none.
void jepsen_skip_event (struct jepsen *j, uint64_t line) {
  if (!j->unreadable++)
    j->unreadable_line = line;
  add_name (j, j->event.f);
  if (j->event.seen & JEPSEN_TYPE && j->event.type != JEPSEN_INVOKE)
    process_of (j, &j->event)->is_open = false;
}

static const struct {
  const char *f, *workload, *reader;
} known_workloads[] = {
  { "transfer", "bank", "its own checker, jepsen.tests.bank," },
  { "enqueue", "queue", "jepsen.checker/total-queue" },
  { "dequeue", "queue", "jepsen.checker/total-queue" },
  { "drain", "queue", "jepsen.checker/total-queue" },
  { "acquire", "lock", "Knossos" },
  { "release", "lock", "Knossos" },
  { "generate", "unique-ids", "jepsen.checker/unique-ids" },
  { "cas", "register", "Knossos" },
  { "increment", "counter", "jepsen.checker/counter" },
  { "inc", "counter", "jepsen.checker/counter" },
  { "decrement", "counter", "jepsen.checker/counter" },
  { "add", "set or counter", "jepsen.checker/set-full or jepsen.checker/counter" },
  { "write", "register", "Knossos" },
  { "read", "register", "Knossos" },
};

bool jepsen_accept_unreadable (struct jepsen *j, const char *file, struct error *error) {
  if (!j->unreadable)
    return true;
  const char *names = j->unreadable_names.count ? j->unreadable_names.data : ":?";
  const int length = j->unreadable_names.count ? (int) j->unreadable_names.count : 2;
  if (j->history->ignore_unreadable) {
    history_warn (j->history, "%.200s:%" PRIu64 ": left out %" PRIu64 " lines that cannot be read (:f %.*s)", file,
                  j->unreadable_line, j->unreadable, length, names);
    history_mark_incomplete (j->history, "%.200s: %" PRIu64 " lines cannot be read (:f %.*s)", file, j->unreadable,
                             length, names);
    return true;
  }
  for (size_t i = 0; i < sizeof known_workloads / sizeof *known_workloads; i++)
    if (is_named (j, known_workloads[i].f))
      return error_set (error,
                        "%.200s:%" PRIu64 ": this is Jepsen's %s workload (operations :f %.*s), which %s reads; Krait "
                        "reads transactions (:f :txn, and long-fork's); --ignore-unreadable leaves such lines out",
                        file, j->unreadable_line, known_workloads[i].workload, length, names,
                        known_workloads[i].reader);
  return error_set (error,
                    "%.200s:%" PRIu64 ": operations :f %.*s, which no reader of Krait knows; --ignore-unreadable "
                    "leaves such lines out",
                    file, j->unreadable_line, length, names);
}

// --- The end ---

// Integers among strings become strings themselves.
static bool settle_keys (struct history *h, const char **why) {
  uint32_t strings = 0;
  for (uint32_t key = 0; key < history_keys (h); key++)
    strings += atoms_kind (&h->keys, key) == ATOM_BYTES;
  if (history_keys (h))
    h->key_type = strings ? KEYS_BYTES : KEYS_INT;
  if (!strings || strings == history_keys (h))
    return true;
  struct atoms renamed = { 0 };
  bool distinct = true;
  for (uint32_t key = 0; distinct && key < history_keys (h); key++) {
    struct atom atom = atoms_get (&h->keys, key);
    char digits[24];
    if (atom.kind != ATOM_BYTES) {
      const int length = atom.kind == ATOM_NEGATIVE
                           ? snprintf (digits, sizeof digits, "%lld", (long long) atom.number)
                           : snprintf (digits, sizeof digits, "%llu", (unsigned long long) atom.number);
      atom = atom_bytes (digits, (size_t) length);
    }
    distinct = atoms_intern (&renamed, atom) == key;
  }
  if (!distinct) {
    *why = "an integer and the same integer as a string are keys of one history";
    atoms_free (&renamed);
    return false;
  }
  atoms_free (&h->keys);
  h->keys = renamed;
  return true;
}

static void settle_lists (struct jepsen *j) {
  struct history *h = j->history;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const uint32_t value = h->op_values.data[op];
    if (h->op_kinds.data[op] != OP_GET || value < VALUE_UNRECORDED || !j->is_list.data[h->op_keys.data[op]])
      continue;
    h->op_kinds.data[op] = OP_LIST;
    if (value == VALUE_ABSENT)
      history_set_aux (h, op, history_open_range (h, KEY_NONE, KEY_NONE));
  }
}

static int64_t event_time (const struct jepsen *j, uint64_t event) {
  return j->has_indexes ? j->indexes.data[event - 1] : (int64_t) event;
}

// Without times, the order of the lines is the clock. Completions alone say nothing about when
// their transactions began.
static void settle_clock (struct jepsen *j) {
  struct history *h = j->history;
  if (j->has_times || !j->has_invocations)
    return;
  for (size_t txn = 0; txn < h->txn_ids.count; txn++) {
    const uint64_t begin = j->begins.data[txn], end = j->ends.data[txn];
    VEC_PUSH (h->txn_begin, begin ? event_time (j, begin) : TIME_NONE_BEGIN);
    VEC_PUSH (h->txn_end, end ? event_time (j, end) : TIME_NONE_END);
  }
}

bool jepsen_finish (struct jepsen *j, const char **why) {
  for (size_t i = 0; i < j->processes.count; i++)
    if (j->processes.data[i].is_open && !give_up (j, &j->processes.data[i], why))
      return false;
  if (!settle_keys (j->history, why))
    return false;
  settle_lists (j);
  settle_clock (j);
  name_sessions (j);
  history_sort_sessions (j->history);
  return true;
}
