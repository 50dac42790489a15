// Lists: what a list read says about the appends to its key, and what several of them say together.

#ifndef KRAIT_BRUTE_LISTS_H
#define KRAIT_BRUTE_LISTS_H

#include "story.h"

// False: an element appended twice, a list that is written or read in other ways, too, or that does
// not start empty.
bool lists_supported (const struct history *, key_set universe);

// The appends of a transaction to a key, by operations before `before`.
struct appends {
  unsigned count;
  uint32_t value[STORY_EVENTS];
};

struct appends lists_appends (const struct history *, uint32_t txn, uint32_t before, uint32_t key);

// Does the list end with all of these?
bool lists_ends_with (const struct op_range *, const struct history *, const struct appends *);

// Reduces a list read with a recorded result to a read and a list of the story. False: too many.
bool lists_tell_read (struct story *, const struct history *, uint32_t op, struct story_read,
                      enum brute_own_writes policy);

// With the transactions in `in`: does no list contradict another, and, unless reads are ignored, is
// everybody in whose element is in a list?
bool lists_agree (const struct story *, node_set in, bool ignore_reads);

// The order of appenders that the lists tell. Who is in no such list but appended comes after the
// last one in it, unless reads are ignored: else its element would be there.
struct relation lists_order (const struct story *, node_set in, bool ignore_reads);

#endif
