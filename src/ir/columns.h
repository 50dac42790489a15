// What the columns of the IR, and those of the abstract semantic graph that it is lowered from, are
// made of: the numbers that stand for something else than an index, and the small records.

#ifndef KRAIT_IR_COLUMNS_H
#define KRAIT_IR_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#define NODE_NONE UINT32_MAX
#define INSTALL_NONE UINT32_MAX
#define READ_NONE UINT32_MAX
#define SLOT_NONE UINT32_MAX
#define KEY_NONE UINT32_MAX
// A value that is none: the version is dead, or there never was one.
#define ABSENT UINT32_MAX

// An initial value that is not known (`init any`).
#define INITIAL_OPEN (UINT32_MAX - 1)

// The source of a read: an install, or one of these.
#define SOURCE_INITIAL UINT32_MAX    // T0
#define SOURCE_NONE (UINT32_MAX - 1) // nothing can explain it (the reader is unknown, and out)
// With this bit: several candidates, entry `source & ~SOURCE_MANY` of `choices`.
#define SOURCE_MANY 0x80000000u
static inline bool source_is_many (uint32_t source) {
  return (source & SOURCE_MANY) && source < SOURCE_NONE;
}

// A read with several candidates: the installs value_installs[first .. last), those of the reader
// itself excepted, and T0 if `initial`. For a read that several values explain the range may be
// empty: all installs of the key are to be looked at.
struct choice {
  uint32_t read;
  uint32_t first, last;
  bool initial;
  bool listed; // these and no others; else all installs of the key whose value fits
};

// What kind of read it is; 0 for an item read of read_value.
enum {
  READ_PREDICATE = 1, // a scan that covered the key and did not return it
  // of anything but read_value: a delete that found something, a cas that failed
  READ_OTHER = 2,
  READ_OR_ABSENT = 4, // of read_value, which is 0, or of absent (UINT32_MAX): an inc
};
// Those that more than one value explains.
#define READ_SEVERAL (READ_OTHER | READ_OR_ABSENT)

// Can a read of `wanted` with these flags have returned this value?
static inline bool read_accepts (uint32_t wanted, unsigned flags, uint32_t value) {
  if (flags & READ_OTHER)
    return value != wanted;
  return value == wanted || (value == UINT32_MAX && (flags & READ_OR_ABSENT));
}

// A delete whose result was not recorded: either it installed a dead version, or it read absent and
// wrote nothing. So did those of the same key that its transaction made after it, up to the next
// that surely wrote.
#define UNRECORDED_NONE UINT32_MAX
struct unrecorded_delete {
  uint32_t node;
  uint32_t op;
  uint32_t key;
  // INSTALL_NONE: its transaction wrote the key again, so that it installs nothing either way
  uint32_t install;
};

// The version order of two installs of a key that a list or a hint gives away.
struct known_order {
  uint32_t before, after; // installs
  bool by_absence;        // a list does not hold the second one: counts only where reads do
  // 0; or the unknown transaction that read the list: counts only if that took place
  uint32_t reader;
};

// What else follows if an unknown transaction took place that read a list: another one did.
struct unknown_claim {
  uint32_t reader, other; // nodes
};

// What an abstract semantic graph and the IR that is lowered from it have in common: who installs
// what, and who read it. The one owns them, and the other borrows them. `constness`: of what the
// pointers point to.
#define IR_COLUMNS(constness)                                                                                          \
  /* Nodes and their chains. */                                                                                        \
  uint32_t nodes, chains;                                                                                              \
  constness uint32_t *node_chain;                                                                                      \
  constness uint32_t *chain_first; /* nodes; one more entry at the end */                                              \
  /* Or NULL; of an unknown transaction that was cut out of its chain: who comes before it. */                         \
  constness uint32_t *so_before;                                                                                       \
  constness uint32_t *node_txn; /* for words alone: the transaction's number in the history */                         \
  /* Installers of each key, in node order; and the same by node. */                                                   \
  uint32_t keys, installs;                                                                                             \
  constness uint32_t *key_first; /* one more entry at the end */                                                       \
  constness uint32_t *install_node, *install_value;                                                                    \
  constness uint32_t *node_first_install, *node_installs;                                                              \
  constness uint32_t *install_last_op; /* place in the transaction's program; NULL unless places matter */             \
  constness uint32_t *init_value;      /* per key: the value of T0, or INITIAL_OPEN */                                 \
  /* Reads of each node, in program order. */                                                                          \
  uint32_t reads;                                                                                                      \
  constness uint32_t *node_first_read; /* one more entry at the end */                                                 \
  constness uint32_t *read_key, *read_value, *read_source;                                                             \
  constness uint32_t *read_op;        /* place in the transaction's program; NULL unless places matter */              \
  constness uint8_t *read_flags;      /* READ_…; NULL: no read has any */                                            \
  constness uint32_t *value_installs; /* what choices name ranges of */

struct ir_columns {
  IR_COLUMNS (const)
};

#endif
