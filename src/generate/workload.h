// A workload writes scripts: what one transaction of a client asks of the store, one request after the other. A request may use what earlier ones of the same
// transaction returned; nothing else is decided while it runs, so that a transaction that aborts can be tried again as it was.

#ifndef KRAIT_GENERATE_WORKLOAD_H
#define KRAIT_GENERATE_WORKLOAD_H

#include "base/vec.h"
#include "generate/random.h"
#include "history/history.h"

enum value_kind {
  VALUE_FRESH,  // one that nobody has written, or, in `repetition` of all cases, one of a few
  VALUE_UNIQUE, // one that nobody has written
  VALUE_GIVEN,  // `value`
  VALUE_PLUS,   // what request `from` read, plus `value` modulo 2^64; absent counts as 0
};

#define FROM_NONE UINT32_MAX

struct request {
  enum op_kind kind;  // OP_ITER with `most`; OP_CAS is not used
  unsigned flags;     // OP_LOCK_UPDATE, OP_LOCK_SHARE, OP_ITER_REVERSE
  bool hides_result;  // del: whether something was found is not recorded
  uint64_t key, high; // scan, iter: [key, high)
  uint32_t key_from;  // FROM_NONE, or a request: what it read is added to the key (absent counts as 0)
  uint64_t most;      // iter: at most so many items
  enum value_kind value_kind;
  uint32_t value_from;
  uint64_t value;
};

struct script {
  struct random *random;
  const struct workload_options *options;
  const struct draw *keys; // draws below options->keys
  uint64_t session;
  uint64_t *memory; // of the session, 8 numbers, from 0 on; for workloads that count something
  VEC (struct request) requests;
};

struct workload_options {
  uint64_t keys;
  uint64_t operations; // per transaction; 0: what the workload is known for
  double reads;        // share of reads, or less than 0: what the workload is known for
  double repetition;   // share of written values that repeat
};

struct workload {
  const char *name;
  const char *about;
  unsigned does; // NEEDS_… of faults.h
  uint64_t operations;
  double reads;
  double repetition; // what it is known for
  void (*write) (struct script *);
  // Keys by name, in the order of their numbers; NULL: keys are integers.
  void (*name_key) (uint64_t key, char *text, size_t size);
};

extern const struct workload *const workloads[]; // NULL at the end
const struct workload *workload_find (const char *name);

// Helpers for workloads. Each adds a request and returns its number.
uint32_t script_get (struct script *, uint64_t key);
uint32_t script_put (struct script *, uint64_t key);                               // VALUE_FRESH
uint32_t script_add (struct script *, uint64_t key, uint32_t from, uint64_t plus); // VALUE_PLUS
uint32_t script_request (struct script *, struct request);
uint64_t script_key (struct script *); // drawn
bool script_only_reads (const struct script *);

#endif
