// Inside of refuting a part of a history: prove.c says what the choices are and asks a solver for
// one world after the other; forbidden.c finds what the level proscribes in a world.

#ifndef KRAIT_CERTIFY_PROVE_H
#define KRAIT_CERTIFY_PROVE_H

#include "certify/refutation.h"

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

struct part_list {
  uint32_t op, key, reader; // place in the part
  VEC (uint32_t) inside;    // places of its writers that are in the part
  bool last_is_inside;
};

struct part {
  struct clauses *clauses;
  uint32_t count;
  const uint32_t *txn; // ascending
  VEC (struct part_read) reads;
  VEC (struct part_writer) writers; // by key, then by place
  VEC (struct part_list) lists;
};

// One way to choose.
struct chosen {
  uint8_t *in;      // per place
  uint8_t *surely;  // per place: it installs a version
  uint32_t *source; // per read: a place, PLACE_INITIAL, or PLACE_NONE: there is no such read
  uint8_t *wrote;   // per entry of writers: the version is there
  struct prover *prover;
};

// Of places that install the key.
bool chosen_before (const struct chosen *, uint32_t key, uint32_t first, uint32_t second);
bool chosen_delete_wrote (const struct chosen *, uint32_t op);
// Of the certificate's constraints.
bool chosen_takes (const struct chosen *, uint32_t constraint, uint32_t alternative);

#define PLACE_INITIAL (UINT32_MAX - 1)
#define PLACE_NONE UINT32_MAX
#define READ_NONE UINT32_MAX // of part.reads

// PLACE_NONE: outside; INITIAL: PLACE_INITIAL
uint32_t part_place (const struct part *, uint32_t txn);
void part_writers (const struct part *, uint32_t key, uint32_t *first, uint32_t *end);

// Adds lemmas to the certificate, items and all, that rule the world out, if there are any.
void find_forbidden (const struct part *, const struct chosen *, struct certificate *);

#endif
