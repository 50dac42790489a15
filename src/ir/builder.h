// Making an IR. Lowering borrows the columns of an abstract semantic graph in one call; who has
// none, the reader of .kir files, adds transactions, keys, installs and reads one by one.
// Everything else is the same for both. What was made is checked by ir_validate: whatever was read
// from a file, and everything in debug builds.

#ifndef KRAIT_IR_BUILDER_H
#define KRAIT_IR_BUILDER_H

#include "ir/ir.h"

// An IR with rules and nothing else. The label is copied.
struct ir *ir_new (const struct rules *, const char *label);

// The columns stay where they are. `release` is called with `lender` when the IR is freed; NULL:
// they outlive it.
void ir_borrow (struct ir *, const struct ir_columns *, const struct choice *, size_t choices);
void ir_lent_by (struct ir *, void *lender, void (*release) (void *));

// What may be there or not: transactions first, then deletes, then those that stand for some delete
// of a transaction. Tells the number of the entry.
uint32_t ir_add_presence (struct ir *, struct presence);

// A text of the IR that it owns.
void ir_say (char **text, const char *words);

// -------------------------------------------------------------------------------------- one by one

// Transactions in node order, from node 1 on; keys; the installs of the key added last, in node
// order; and the reads of all nodes in node order, those of a node in program order.
struct ir_builder;

struct node_line {
  uint64_t id;
  uint32_t chain;     // counted from 1: that of the node before, or the next one
  uint32_t so_before; // NODE_NONE: none but the chain's
  uint32_t time_before, time_after;
  uint32_t presence;
};

struct install_line {
  uint32_t node, value, place, presence;
};

// `all`: whoever fits is a source, and T0 if it is among `sources`. These are installs, or
// SOURCE_INITIAL.
struct read_line {
  uint32_t node, key, value, place, presence;
  uint8_t flags, anti;
  uint32_t when;
  bool all;
  uint32_t sources_end; // filled in: among the sources of all reads, where its own end
};

struct ir_builder *ir_builder_new (struct ir *);
void ir_add_node (struct ir_builder *, const struct node_line *);
void ir_add_key (struct ir_builder *, uint32_t init_value);
void ir_add_install (struct ir_builder *, const struct install_line *);
void ir_add_read (struct ir_builder *, const struct read_line *, const uint32_t *sources, size_t count);
void ir_add_order (struct ir_builder *, struct known_order);
void ir_add_claim (struct ir_builder *, struct unknown_claim);

// The presence of a node, of those so far.
uint32_t ir_builder_presence (const struct ir_builder *, uint32_t node);

// The install of a key by a node, of those so far; or INSTALL_NONE.
uint32_t ir_builder_install_of (const struct ir_builder *, uint32_t key, uint32_t node);

// The columns go to the IR, and the builder is gone.
void ir_finish (struct ir_builder *);

#endif
