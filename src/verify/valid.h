// Inside of verifying `valid`: one world, that is, all choices made, and what each level asks of
// it.

#ifndef KRAIT_VERIFY_VALID_H
#define KRAIT_VERIFY_VALID_H

#include "verify/claim.h"
#include "verify/verify.h"

struct version {
  uint32_t place; // of the commit, in the order
  uint32_t value;
};

struct world {
  struct told *told;
  const struct certificate *c;
  const struct claim_level *level;
  struct complaint *complaint;
  struct budget *budget; // or NULL
  bool generous;         // sources may be named for reads that are not there
  bool in_turn;          // all there is to see of a transaction can be seen when its turn comes

  uint32_t txns, placed;
  uint8_t *in; // per transaction: it took place
  // places in the order; where a transaction has one point, they are one column with `rank`
  uint32_t *begin, *commit;
  const uint32_t *by_commit; // transactions in the order of their commits
  uint32_t *rank;            // where in by_commit
  uint8_t *wrote;            // a bit per operation; NULL: no unrecorded delete wrote
  uint32_t *source_first;    // per transaction, in the certificate's sources; NULL: there are none
  size_t sources_used;       // those that a read was looked at with

  // The versions of each key in their order, the initial one left out.
  uint32_t *key_first; // one more entry at the end
  struct version *versions;
  uint32_t *room; // per key, while they are put in order: where its own begin; else NULL
  // Of a serial order instead: per key the last value, or VALUE_UNRECORDED: the initial one, which
  // may be any.
  uint32_t *values;

  // Whom transactions read from, those that had their turn in the order of these; NULL: nobody
  // asks.
  VEC (uint32_t) seen;
  uint32_t *seen_first; // per place in by_commit; one more entry at the end

  // What modules demand, in this world: edges, and per transaction where those come from that lead
  // to it.
  VEC (struct cert_edge) given;
  uint32_t *given_first; // one more entry at the end; NULL: none
  uint32_t *given_from;

  // For looking back (look_back.c); NULL: nobody did yet.
  uint32_t *mark, stamp;
};

// A read of another transaction's version, or of the initial one.
struct placed_read {
  struct told_read read;
  uint32_t source; // INITIAL
  uint32_t at;     // the first version behind the one that was read, in world.versions
  uint32_t end;    // and the end of the key's versions
};

// Edges lead from commit to begin at levels with both, else between commits.
static inline bool world_has_points (const struct world *w) {
  return w->level->family == FAMILY_SNAPSHOT_ISOLATION || w->level->family == FAMILY_PREFIX_CONSISTENCY;
}

static inline uint32_t world_entry (const struct world *w, uint32_t txn) {
  return world_has_points (w) ? w->begin[txn] : w->commit[txn];
}

static inline bool world_wrote (const struct world *w, uint32_t op) {
  return w->wrote && (w->wrote[op / 8] >> op % 8 & 1);
}

static inline enum outcome world_outcome (const struct world *w, const struct told_read *read) {
  return read->unrecorded != OP_NONE && world_wrote (w, read->unrecorded) ? read->if_wrote : read->if_not;
}

static inline bool world_installed (const struct world *w, const struct told_write *write) {
  return write->unrecorded == OP_NONE || world_wrote (w, write->unrecorded);
}

// The transaction told last installs a version.
bool world_writes (const struct world *);

// Makes the world of a certificate, without its versions; false with a complaint. world_free in any
// case.
bool world_make (struct world *, struct told *, const struct certificate *, const struct claim_level *,
                 struct complaint *);
// With their versions. Transactions are told in the order of their commits; `look` is asked about
// each whose sources are not named, or `in_turn` about all, before its own versions are there, and
// says whether it fits.
// NULL: their reads do not matter yet.
typedef bool world_look (struct world *, uint32_t txn, void *context);
bool world_order_versions (struct world *, world_look *look, void *context);
// The same with the last values instead of versions; how many unrecorded deletes wrote.
bool world_tell (struct world *, world_look *look, void *context, size_t *wrote);
void world_free (struct world *);

// Whether these are those that the certificate names.
bool world_wrote_no_more_than (const struct world *, size_t wrote);

// Who wrote a version of world.versions.
static inline uint32_t world_writer (const struct world *w, uint32_t at) {
  return w->c->order.data[w->versions[at].place] >> (w->c->points - 1);
}

#define NOT_PLACED UINT32_MAX // of world.begin and world.commit
#define VERSION_NONE UINT32_MAX

// The version of the key that the transaction wrote, in world.versions, or VERSION_NONE.
uint32_t world_version_of (const struct world *, uint32_t key, uint32_t txn);

// Where an external read of the transaction told last reads. `named`: a certificate's source for
// it, or NULL. False: from nothing that explains it.
bool world_place_read (const struct world *, const struct told_read *, const struct named_source *named,
                       struct placed_read *);
// The same while versions are put in their order, of a read that has the last one there is.
bool world_place_last (const struct world *, const struct told_read *, struct placed_read *);
// The certificate names a source for a read of the transaction; and which for this one, or NULL.
static inline bool world_has_named (const struct world *w, uint32_t txn) {
  return w->source_first && w->source_first[txn] < w->source_first[txn + 1];
}
const struct named_source *world_named (const struct world *, const struct told_read *);

// plain.c: of a serial order. True: all there is are gets and puts, and each read has the last
// value before it. False says nothing.
bool world_runs_plainly (const struct world *);

// constraints.c
bool world_conditions_hold (struct world *, const struct cert_constraint *);
// Whether all constraints are met, by the alternatives that the certificate names.
bool world_meets_constraints (struct world *);

// The first version behind the one read that somebody else than the reader wrote, or INITIAL: there
// is none.
static inline uint32_t next_writer (const struct world *w, const struct placed_read *placed) {
  uint32_t at = placed->at;
  at += at < placed->end && world_writer (w, at) == placed->read.txn;
  return at < placed->end ? world_writer (w, at) : INITIAL;
}

// Marks every transaction of the ranks from `lowest` on from which an edge leads, over others, to
// `target`; `before` limits which of the target's own reads and writes count: those of operations
// up to it. Edges are reads, versions (unless they are hidden), session order and real time as the
// level has them, and anti-dependencies of transactions that write (with_anti).
struct look_back {
  uint32_t target, before, lowest;
  bool hide_versions, with_anti;
};
void world_look_back (struct world *, const struct look_back *);
void world_unmark (struct world *); // before somebody is marked by hand
static inline bool world_marked (const struct world *w, uint32_t txn) {
  return w->mark[txn] == w->stamp;
}

#endif
