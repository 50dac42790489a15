// Reads of one key in one transaction, where a transaction has one view of it: they have the same
// source, so that what is no candidate of the one is none of the other.
//
// Say they read from w1 and w2, w1 the older version. Where overwriting counts for both, the reader
// comes before w2 by the one read and behind it by the other. Where steps count, w2 is in view, and
// newer than what the first one has read.

#include "saturate/saturate.h"

static bool sees_one_version (const struct graph *g, uint32_t read) {
  const struct rules *rules = &g->ir->rules;
  if (ir_read_presence (g->ir, read) != ALWAYS || !rules->rw.used)
    return false;
  if (rules->view != VIEW_PATHS)
    return rules->view == VIEW_STEPS;
  return !rules->events && graph_anti (g, read) != ANTI_NONE && rules->wr.to == rules->rw.from
         && rules->wr.from == rules->rw.to;
}

bool saturation_reads_agree (const struct graph *g, uint32_t one, uint32_t other) {
  return one != other && graph_reader (g, one) == graph_reader (g, other)
         && g->ir->read_key[one] == g->ir->read_key[other] && sees_one_version (g, one) && sees_one_version (g, other);
}

static bool is_source (const struct saturation *s, uint32_t read, const struct open_read *open, uint32_t source) {
  const uint32_t known = s->graph->read_writer[read];
  if (known != NODE_NONE)
    return known == ir_writer_of (s->graph->ir, source);
  if (!open)
    return true;
  for (uint32_t i = 0; i < open->count; i++)
    if (s->candidates.data[open->first + i] == source)
      return true;
  return !open->listed;
}

static struct open_read *open_at (struct saturation *s, size_t first, size_t end, uint32_t read) {
  for (size_t i = first; i < end; i++)
    if (s->open.data[i].read == read)
      return &s->open.data[i];
  return NULL;
}

// What is open of one transaction, `first` to `end` in s->open. True: candidates fell out.
static bool look_at_node (struct saturation *s, size_t first, size_t end) {
  const struct graph *g = s->graph;
  const uint32_t node = graph_reader (g, s->open.data[first].read);
  bool fewer = false;
  for (size_t i = first; i < end; i++) {
    struct open_read *open = &s->open.data[i];
    for (uint32_t other = g->ir->node_first_read[node]; open->listed && other < g->ir->node_first_read[node + 1];
         other++) {
      if (!saturation_reads_agree (g, open->read, other))
        continue;
      const struct open_read *beside = open_at (s, first, end, other);
      uint32_t *list = s->candidates.data + open->first, kept = 0;
      for (uint32_t k = 0; k < open->count; k++)
        if (is_source (s, other, beside, list[k]))
          list[kept++] = list[k];
      fewer |= kept < open->count;
      open->count = kept;
    }
  }
  return fewer;
}

bool saturation_agree (struct saturation *s) {
  enum { MOST_READS = 32 }; // of a transaction: each is held against the others
  const struct ir *ir = s->graph->ir;
  bool fewer = false;
  for (size_t first = 0, end; first < s->open.count; first = end) {
    const uint32_t node = graph_reader (s->graph, s->open.data[first].read);
    for (end = first + 1; end < s->open.count && graph_reader (s->graph, s->open.data[end].read) == node;)
      end++;
    if (ir->node_first_read[node + 1] - ir->node_first_read[node] <= MOST_READS && !budget_spent (s->budget))
      fewer |= look_at_node (s, first, end);
  }
  return fewer;
}
