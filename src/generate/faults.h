// Bugs on purpose: each is a pattern that real databases have shown. The table says what it breaks,
// what it leaves intact, and what shows it.

#ifndef KRAIT_GENERATE_FAULTS_H
#define KRAIT_GENERATE_FAULTS_H

#include "base/vec.h"
#include "generate/random.h"
#include "generate/store.h"

#include <stdbool.h>
#include <stdint.h>

enum fault_id {
  FAULT_NONE,
#define FAULT(id, name, isolation, breaks, keeps, rate, shows, about) FAULT_##id,
#include "generate/faults.def"
#undef FAULT
  FAULTS
};

struct fault {
  const char *name;      // as in --fault
  const char *isolation; // the store's isolation that it is put into
  const char *breaks;    // a level that its histories do not satisfy
  const char *keeps;     // one that they still do
  double rate;           // share of the opportunities that it takes, by default
  const char *shows;     // the workloads that show it: "NAME NAME:KEYS …"
  const char *about;
};

extern const struct fault faults[FAULTS]; // entry 0 is FAULT_NONE

enum fault_id fault_find (const char *name); // FAULT_NONE if there is none

// With how many keys a workload shows the fault, where `crowd` is what the workload has otherwise;
// 0 if it does not.
uint64_t fault_keys (const struct fault *, const char *workload, uint64_t overbooked);
bool fault_shows_in (const struct fault *, const char *workload);

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
