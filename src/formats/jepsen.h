// What histories of Jepsen and Elle say, whether they are written in EDN or in JSON.
//
// A line (an operation, in Jepsen's words) is an event of a process: it invokes a transaction, or
// says how one ended. Readers fill a jepsen_event per line; here events become transactions of a
// history.

#ifndef KRAIT_FORMATS_JEPSEN_H
#define KRAIT_FORMATS_JEPSEN_H

#include "history/history.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jepsen_type { JEPSEN_INVOKE, JEPSEN_OK, JEPSEN_FAIL, JEPSEN_INFO };

enum micro_kind { MICRO_APPEND, MICRO_WRITE, MICRO_READ, MICRO_READ_NIL, MICRO_READ_LIST };

struct micro_op {
  enum micro_kind kind;
  uint32_t key, value;        // value: written, or read as MICRO_READ
  uint32_t first_item, items; // MICRO_READ_LIST
};

struct micro_ops {
  VEC (struct micro_op) ops;
  VEC (uint32_t) items; // values
};

// Members of a line that mean something; the others are skipped.
enum {
  JEPSEN_TYPE = 1,
  JEPSEN_PROCESS = 2,
  JEPSEN_F = 4,
  JEPSEN_VALUE = 8,
  JEPSEN_TIME = 16,
  JEPSEN_INDEX = 32,
};

struct jepsen_event {
  unsigned seen; // members that are there, and not nil
  enum jepsen_type type;
  bool is_client;    // a process that is a number, or none at all; not :nemesis
  bool is_txn;       // :f, if it is there, means a transaction
  bool may_be_other; // so it does, but other workloads have operations of that name, too
  char f[32];        // as far as it fits
  uint64_t process;
  int64_t time, index;
  struct micro_ops micro; // empty without JEPSEN_VALUE
};

struct jepsen_process;

struct jepsen {
  struct history *history;
  struct jepsen_event event; // the one being read
  uint64_t events;           // that count
  bool has_times, has_invocations, has_indexes;
  VEC (int64_t) indexes; // of the events, while there are no times
  VEC (uint64_t) begins; // per transaction: its events, from 1; 0: none
  VEC (uint64_t) ends;
  VEC (bool) is_list; // per key
  VEC (struct jepsen_process) processes;
  struct hash_set process_table;
  uint64_t new_sessions, largest_process;
  bool has_process;
  uint64_t unreadable,
    // events of clients that no transaction can be made of, and where the first one stands
    unreadable_line;
  VEC (char) unreadable_names; // what they are called: ":cas, :read"
};

void jepsen_start (struct jepsen *, struct history *);
void jepsen_stop (struct jepsen *);

// Adds a micro-operation to the event.
void jepsen_add_micro (struct jepsen *, struct micro_op);

// The event is complete. Texts lack the place.
bool jepsen_add_event (struct jepsen *, const char **why);

// The event, which begins at this line, is of a client and cannot be read.
void jepsen_skip_event (struct jepsen *, uint64_t line);

// Before jepsen_finish: were there such, and are they not to be ignored? Then the error is set,
// naming the workload that they are from; else they are warned of, and the history is incomplete.
bool jepsen_accept_unreadable (struct jepsen *, const char *file, struct error *);

// Everything was read.
bool jepsen_finish (struct jepsen *, const char **why);

struct output;
bool jepsen_json_write (const struct history *, struct output *, struct error *);

#endif
