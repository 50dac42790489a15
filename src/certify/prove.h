// Inside of refuting a part of a history: prove.c says what the choices are and asks a solver for
// one world after the other; forbidden.c finds what the level proscribes in a world.

#ifndef KRAIT_CERTIFY_PROVE_H
#define KRAIT_CERTIFY_PROVE_H

#include "verify/clauses.h"

// A read of a transaction of the part all of whose sources lie in it.
struct part_read {
  struct told_read read;
  uint32_t reader; // place in the part
};

// A transaction of the part that may install a version of a key.
struct part_writer {
  uint32_t key, writer; // place in the part; sorted by both
  uint32_t unrecorded;
};

struct part {
  struct clauses *clauses;
  uint32_t count;
  const uint32_t *txn; // ascending
  VEC (struct part_read) reads;
  VEC (struct part_writer) writers; // by key, then by place
};

// One way to choose.
struct chosen {
  uint8_t *in;      // per place
  uint8_t *surely;  // per place: it installs a version
  uint32_t *source; // per read: a place, PLACE_INITIAL, or PLACE_NONE: there is no such read
  uint8_t *wrote;   // per entry of writers: the version is there
  // places that install the key
  bool (*before) (void *context, uint32_t key, uint32_t first, uint32_t second);
  bool (*delete_wrote) (void *context, uint32_t op);
  // of the certificate's constraints
  bool (*takes) (void *context, uint32_t constraint, uint32_t alternative);
  void *context;
};

#define PLACE_INITIAL (UINT32_MAX - 1)
#define PLACE_NONE UINT32_MAX
#define READ_NONE UINT32_MAX // of part.reads

// PLACE_NONE: outside; INITIAL: PLACE_INITIAL
uint32_t part_place (const struct part *, uint32_t txn);
void part_writers (const struct part *, uint32_t key, uint32_t *first, uint32_t *end);

// Adds lemmas to the certificate, items and all, that rule the world out; how many.
uint32_t find_forbidden (const struct part *, const struct chosen *, struct certificate *);

#endif
