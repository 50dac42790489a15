// A workload writes scripts: what one transaction of a client asks of the store, one request after
// the other. A request may use what earlier ones of the same transaction returned; nothing else is
// decided while it runs, so that a transaction that aborts can be tried again as it was.

#ifndef KRAIT_GENERATE_WORKLOAD_H
#define KRAIT_GENERATE_WORKLOAD_H

#include "base/vec.h"
#include "generate/random.h"
#include "history/history.h"

enum value_kind {
  VALUE_FRESH,  // one that nobody has written, or, in `repetition` of all cases, one of a few
  VALUE_UNIQUE, // one that nobody has written
  VALUE_GIVEN,  // `value`; by so much an inc increases its key
  // the reply to request `value_from`, plus `value` modulo 2^64; absent counts as `absent`
  VALUE_PLUS,
};

// Requests are named by their numbers, from 1 on; where none is named, nothing is asked of a reply.
enum { FROM_NONE = 0 };

// A request is made only when another one's reply is so; one that is not made replies absent.
enum when {
  WHEN_PRESENT,
  WHEN_ABSENT,
  WHEN_AT_LEAST, // the number `least`
};

// The reply to a get, or to a scan, iterator or list read (the value of its first item); what a
// put, append or inc wrote; for a del, whether something was found.
struct request {
  enum op_kind kind;  // OP_ITER with `most`; OP_CAS is not used
  uint64_t key, high; // scan, iter: [key, high)
  unsigned flags;     // OP_LOCK_UPDATE, OP_LOCK_SHARE, OP_ITER_REVERSE
  bool hides_result;  // del: whether something was found is not recorded
  uint32_t key_from,
    // FROM_NONE, or a request: its reply is added to the key or to `high` (absent counts as 0)
    high_from;
  unsigned shift; // by which that reply is shifted to the left before
  uint64_t most;  // iter: at most so many items
  enum value_kind value_kind;
  uint32_t value_from;
  uint64_t value;
  uint32_t when_from; // FROM_NONE: always; or a request
  enum when when;
  uint64_t least;
  uint64_t absent; // what an absent reply counts as, for VALUE_PLUS and WHEN_AT_LEAST
};

enum { SCRIPT_SHARED = 4096 };

struct script {
  struct random *random;
  const struct workload_options *options;
  const struct draw *keys; // draws below options->keys
  uint64_t session;
  uint64_t *memory; // of the session, 8 numbers, from 0 on; for workloads that count something
  uint64_t *shared; // the same for all sessions, SCRIPT_SHARED numbers
  VEC (struct request) requests;
};

struct workload_options {
  // or users, accounts, …; 0: what the workload is known for, or its crowd if there is a fault
  uint64_t keys;
  uint64_t operations; // per transaction; 0: what the workload is known for
  double reads;        // share of reads, or less than 0: what the workload is known for
  double repetition;   // share of written values that repeat
  uint64_t values;     // how many there are that repeat; 0: eight
};

// One of several kinds of transaction, about a key that is drawn.
struct profile {
  unsigned share; // percents, which add up to 100
  void (*write) (struct script *, uint64_t key);
};

struct table; // workloads/rows.h

// What a workload is that has tables, and several kinds of transaction.
struct application {
  const struct table *tables; // keys are named after their rows, in the order of the numbers
  const struct profile *profiles;
};

struct workload {
  const char *name;
  const char *about;
  uint64_t keys;
  uint64_t overbooked; // keys so few that transactions meet: those of a run with a fault
  uint64_t operations;
  double reads;
  double repetition;                     // what it is known for
  void (*write) (struct script *);       // or NULL:
  const struct application *application; // or NULL: keys are integers
};

extern const struct workload workloads[]; // the first one without a name ends them
const struct workload *workload_find (const char *name);

void workload_write (const struct workload *, struct script *);

// Helpers for workloads. Each adds a request and returns its number.
uint32_t script_get (struct script *, uint64_t key);
uint32_t script_put (struct script *, uint64_t key); // VALUE_FRESH
uint32_t script_get_or_put (struct script *, uint64_t key, bool get);
uint32_t script_add (struct script *, uint64_t key, uint32_t from, uint64_t plus); // VALUE_PLUS
// a get, and then script_add
uint32_t script_update (struct script *, uint64_t key, uint64_t plus);
void script_replace (struct script *, uint64_t key); // a get, and then a put of another value
uint32_t script_inc (struct script *, uint64_t key, uint64_t by);
uint32_t script_scan (struct script *, uint64_t low, uint64_t high);
uint32_t script_request (struct script *, struct request);
uint64_t script_key (struct script *); // drawn
bool script_only_reads (const struct script *);

#endif
