// The walk over gets and puts in several threads: parts of the nodes are walked apart, each into
// room of its own, and what they found is put together in their order.

#include "asg/builder.h"

#include "base/parallel.h"

#include <string.h>

// What a walk over a part of the nodes collects, and what it has to remember for each key.
#define COLLECTED(VECTOR) /* by installs, then by reads; those of gets and puts alone */                               \
  VECTOR (pending, installs)                                                                                           \
  VECTOR (first_op, installs)                                                                                          \
  VECTOR (last_op, installs)                                                                                           \
  VECTOR (read_key, reads)                                                                                             \
  VECTOR (read_value, reads)                                                                                           \
  VECTOR (read_op, reads)

struct walk_part {
  struct builder b;
  struct asg asg; // the same graph, with faults and counts of its own
  uint32_t first, end;
  size_t installs, reads; // at most
};

struct walk_parts {
  struct builder *b;
  uint32_t count;
  struct walk_part *part;
};

static void count_operations (void *context, uint32_t number) {
  struct walk_parts *parts = context;
  struct walk_part *part = &parts->part[number];
  const struct history *h = parts->b->h;
  const struct asg *asg = parts->b->asg;
  part->first = parallel_first (asg->nodes - 1, parts->count, number) + 1;
  part->end = parallel_first (asg->nodes - 1, parts->count, number + 1) + 1;
  size_t operations = 0;
  for (uint32_t node = part->first; node < part->end; node++) {
    const uint32_t txn = asg->node_txn[node];
    operations += h->txn_first_op.data[txn + 1] - h->txn_first_op.data[txn];
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
      part->installs += h->op_kinds.data[op] == OP_PUT;
  }
  part->reads = operations - part->installs;
}

static void walk_part (void *context, uint32_t number) {
  struct walk_parts *parts = context;
  struct walk_part *part = &parts->part[number];
  builder_new_stamps (&part->b);
  builder_walk_nodes (&part->b, part->first, part->end);
  builder_free_stamps (&part->b);
}

// Each part has room of its own in the columns, as much as it can fill.
static void divide_room (struct walk_parts *parts) {
  struct builder *b = parts->b;
  size_t installs = 0, reads = 0;
  for (uint32_t i = 0; i < parts->count; i++) {
    installs += parts->part[i].installs;
    reads += parts->part[i].reads;
  }
  const bool events = b->options->events;
  VEC_RESERVE (b->pending, installs);
  VEC_RESERVE (b->first_op, events ? installs : 0);
  VEC_RESERVE (b->last_op, events ? installs : 0);
  VEC_RESERVE (b->read_key, reads);
  VEC_RESERVE (b->read_value, reads);
  VEC_RESERVE (b->read_op, reads);
  installs = reads = 0;
  for (uint32_t i = 0; i < parts->count; i++) {
    struct walk_part *part = &parts->part[i];
    part->b = *b;
    part->asg = *b->asg;
    part->b.asg = &part->asg;
    memset (&part->asg.faults, 0, sizeof part->asg.faults);
#define DIVIDE(vector, kind)                                                                                           \
  part->b.vector.data = b->vector.data ? b->vector.data + (kind) : NULL;                                               \
  part->b.vector.capacity = b->vector.data ? part->kind : 0;
    COLLECTED (DIVIDE)
#undef DIVIDE
    installs += part->installs;
    reads += part->reads;
  }
}

static void join_part (struct builder *b, struct walk_part *part) {
  struct asg *asg = b->asg;
  for (uint32_t node = part->first; node < part->end; node++) {
    asg->node_first_read[node] += (uint32_t) b->read_key.count;
    asg->node_first_install[node] += (uint32_t) b->pending.count;
  }
#define JOIN(vector, kind)                                                                                             \
  if (part->b.vector.count)                                                                                            \
    memmove (b->vector.data + b->vector.count, part->b.vector.data,                                                    \
             part->b.vector.count * sizeof *part->b.vector.data);                                                      \
  b->vector.count += part->b.vector.count;
  COLLECTED (JOIN)
#undef JOIN
  asg->external_reads += part->asg.external_reads;
  b->newly_excluded += part->b.newly_excluded;
  for (size_t i = 0; i < part->asg.faults.count; i++)
    VEC_PUSH (asg->faults, part->asg.faults.data[i]);
  VEC_FREE (part->asg.faults);
}

void builder_walk_in_parts (struct builder *b, uint32_t count) {
  struct walk_parts parts = { .b = b, .count = count, .part = MEM_ZARRAY (struct walk_part, count) };
  parallel_run (b->options->threads, count, count_operations, &parts);
  divide_room (&parts);
  parallel_run (b->options->threads, count, walk_part, &parts);
  for (uint32_t i = 0; i < count; i++)
    join_part (b, &parts.part[i]);
  mem_free (parts.part);
}

// Threads are worth it, and what they need for each key by themselves is little.
uint32_t builder_parts (const struct builder *b) {
  enum { FEW_OPERATIONS = 1 << 18, OPERATIONS_PER_KEY = 8, MOST = 16 };
  const uint32_t ops = history_ops (b->h), threads = b->options->threads;
  if (threads < 2 || ops < FEW_OPERATIONS || history_keys (b->h) > ops / OPERATIONS_PER_KEY / threads)
    return 1;
  return threads < MOST ? threads : MOST;
}
