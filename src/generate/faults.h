// Bugs on purpose: each is a pattern that real databases have shown. The table says what it breaks, what it leaves intact, and what shows it.

#ifndef KRAIT_GENERATE_FAULTS_H
#define KRAIT_GENERATE_FAULTS_H

#include "base/vec.h"
#include "generate/random.h"
#include "generate/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_id {
  FAULT_NONE,
#define FAULT(id, name, isolation, breaks, keeps, rate, needs, about) FAULT_##id,
#include "generate/faults.def"
#undef FAULT
  FAULTS
};

// What a workload must do for a fault to show.
enum {
  NEEDS_GET = 1,
  NEEDS_PUT = 2,
  NEEDS_UPDATE = 4, // reads a key and then writes it
  NEEDS_SCAN = 8,
  NEEDS_ITER = 16,
  NEEDS_DELETE = 32,
  NEEDS_REPEATED = 64,  // values that repeat
  NEEDS_SEVERAL = 128,  // several reads, or several writes, in a transaction
  NEEDS_REWRITE = 256,  // writes a key twice in a transaction
  NEEDS_OWN_READ = 512, // reads a key that it has written itself
  NEEDS_READERS = 1024, // transactions that only read
  NEEDS_SKEW = 2048,    // reads keys that it does not write, and writes others
};

struct fault {
  const char *name;      // as in --fault
  const char *isolation; // the store's isolation that it is put into
  const char *breaks;    // a level that its histories do not satisfy
  const char *keeps;     // one that they still do
  double rate;           // share of the opportunities that it takes, by default
  unsigned needs;
  const char *about;
};

extern const struct fault faults[FAULTS]; // entry 0 is FAULT_NONE

enum fault_id fault_find (const char *name); // FAULT_NONE if there is none

struct replay {       // a write that comes once more
  uint32_t item, due; // commit
  uint64_t value;
};

// Per engine and per transaction. What strikes where: fault_hooks.c.
struct faults {
  enum fault_id id;
  double rate;
  struct random random;
  uint64_t struck; // how often
  VEC (struct replay) replays;
};

struct fault_txn {
  bool marked; // chosen to go wrong
  bool has_read;
  struct snapshot lagging; // marked, fractured-read: of half of the keys
};

#endif
