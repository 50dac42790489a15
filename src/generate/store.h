// An embedded multi-version key-value store: ordered keys, each with its committed versions, newest
// first.
//
// Keys and values are numbers; workloads give them names. A version that is not live says that its
// key was deleted. Commits are numbered, by the replica that they happen at; a snapshot says, per
// replica, up to which commit it has seen everything. With one replica that is a single timestamp.

#ifndef KRAIT_GENERATE_STORE_H
#define KRAIT_GENERATE_STORE_H

#include "base/hash.h"
#include "base/vec.h"
#include "generate/random.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_REPLICAS = 3 };
#define NONE UINT32_MAX

struct snapshot {
  uint32_t seen[MOST_REPLICAS];
};

struct item_version {
  uint32_t older; // version, or NONE
  uint32_t commit;
  uint64_t value;
  uint8_t replica;
  bool live;
};

struct item {
  uint64_t key;
  uint32_t newest; // version, or NONE: never written
  uint32_t links;  // in store->links: as many as its height
  uint32_t height;
  // Locks (locks.h).
  uint32_t exclusive; // transaction, or NONE
  uint32_t shared;    // how many transactions
};

struct store {
  VEC (struct item) items;
  VEC (struct item_version) versions;
  struct hash_set by_key;
  // Skip list over the items, for ranges: a link is an item or NONE; heads first.
  VEC (uint32_t) links;
  uint32_t heads[16];
  struct random heights;
  uint32_t commits[MOST_REPLICAS]; // so far, per replica
};

struct store *store_new (uint64_t seed);
void store_free (struct store *);

uint32_t store_find (const struct store *, uint64_t key); // item, or NONE
uint32_t store_item (struct store *, uint64_t key);       // made if need be

// The first item at or behind the key; the one behind an item. NONE: no more.
uint32_t store_seek (const struct store *, uint64_t key);
uint32_t store_next (const struct store *, uint32_t item);

static inline bool version_in (const struct item_version *version, const struct snapshot *snapshot) {
  return version->commit <= snapshot->seen[version->replica];
}

// The version of an item that a snapshot sees, or NONE.
uint32_t store_visible (const struct store *, uint32_t item, const struct snapshot *);

// Everything that is committed.
struct snapshot store_now (const struct store *);

// A new version, on top of the others.
void store_install (struct store *, uint32_t item, uint64_t value, bool live, unsigned replica, uint32_t commit);

#endif
