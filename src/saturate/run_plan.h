// What a run has to know of a history, laid out flat: per point whom it comes behind, what it finds
// and what it leaves.
//
// A run carries out points one after the other, each chain in its order, with the version in force
// of every key. Versions count by what can tell them apart: those of equal value are one class,
// unless a read names the very version that it saw.

#ifndef KRAIT_SATURATE_RUN_PLAN_H
#define KRAIT_SATURATE_RUN_PLAN_H

#include "saturate/saturate.h"

// With this bit: any class whose value one of `several` accepts.
#define CLASS_SEVERAL 0x80000000u

// Comes behind this point, which is one of another chain.
struct plan_wait {
  uint32_t chain, point;
};

// Finds, or leaves, this class in force. `place` is that of the key among those that matter.
struct plan_access {
  uint32_t place, class;
};

struct plan_several {
  uint32_t value;
  unsigned flags; // READ_…
};

// The last points of a chain that leave a class in force, and that must find it; 0: none does.
struct plan_use {
  uint32_t chain, last_write, last_read;
};

struct plan_access_vec {
  struct plan_access *data;
  size_t count, capacity;
};
struct plan_wait_vec {
  struct plan_wait *data;
  size_t count, capacity;
};

enum {
  POINT_WRITES = 1,   // it changes what is in force, or keeps others from doing so
  POINT_OPTIONAL = 2, // of a transaction that may not have taken place
  POINT_CHOOSES = 4,  // it may settle the initial value of a key
};

struct plan {
  const struct graph *g;
  uint32_t chains, places;     // places: keys that matter
  const uint32_t *chain_first; // points
  uint32_t *chain_end;         // behind the last point that must be run
  uint8_t *flags;              // per point: POINT_…
  // Per point; one more entry at the end of each `first`.
  uint32_t *wait_first, *read_first, *write_first;
  struct plan_wait *waits;
  struct plan_access *reads, *writes;
  bool locks;        // writers of one key may not overlap: a begin locks what its commit writes
  uint32_t *initial; // per place: the class in force at the start
  uint32_t classes;
  uint32_t *class_value; // INITIAL_OPEN: whatever the first one who reads it asks for
  VEC (struct plan_several) several;
  uint32_t *use_first; // per class; one more entry at the end
  struct plan_use *uses;
  // In thousandths of natural logarithms: of n factorial; and, per point, of how unlikely it is
  // that all points before it (by number) find what they have to find.
  int64_t *log_factorial, *hardness;
  bool complete; // no run is out of reach
};

// NULL: runs do not show that the level holds, or unrecorded deletes are around.
struct plan *plan_new (const struct saturation *);
void plan_free (struct plan *);

#endif
