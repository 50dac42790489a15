// Presences: what must be so for something to be there at all. An unknown transaction took place; a
// delete without a recorded result wrote. Transactions, installs and reads carry one, or its
// opposite.

#ifndef KRAIT_IR_PRESENCE_H
#define KRAIT_IR_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

enum presence_kind {
  PRESENCE_ALWAYS, // entry 0 of the table, and no other
  PRESENCE_IN,     // the transaction took place
  PRESENCE_WROTE,  // the delete wrote, and so its transaction took place
  PRESENCE_WRITES, // some delete of the transaction wrote
};

struct presence {
  enum presence_kind kind;
  uint32_t node;
  uint32_t key,
    // PRESENCE_WROTE; INSTALL_NONE: the transaction wrote the key again, so that it installs
    // nothing
    install;
};

// An entry of the table, or its opposite.
#define ALWAYS 0u
#define NEVER 1u
static inline uint32_t if_so (uint32_t entry) {
  return entry << 1;
}
static inline uint32_t unless (uint32_t entry) {
  return entry << 1 | 1;
}
static inline uint32_t presence_entry (uint32_t presence) {
  return presence >> 1;
}
static inline bool presence_wanted (uint32_t presence) {
  return !(presence & 1);
}

#endif
