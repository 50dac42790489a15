#include "ir/builder.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#include <stddef.h>
#include <string.h>

struct ir *ir_new (const struct rules *rules, const char *label) {
  struct ir *ir = mem_zalloc (sizeof *ir);
  ir->rules = *rules;
  ir->chains_are_sessions = rules->so.used;
  ir_say (&ir->label, label);
  ir_add_presence (ir, (struct presence){ .kind = PRESENCE_ALWAYS, .install = INSTALL_NONE });
  return ir;
}

void ir_borrow (struct ir *ir, const struct ir_columns *columns, const struct choice *choices, size_t count) {
  ir->columns = *columns;
  ir->choices = choices;
  ir->choice_count = (uint32_t) count;
}

void ir_lent_by (struct ir *ir, void *lender, void (*release) (void *)) {
  ir->lender = lender;
  ir->release = release;
}

void ir_say (char **text, const char *words) {
  mem_free (*text);
  *text = mem_strdup (words);
}

uint32_t ir_add_presence (struct ir *ir, struct presence presence) {
  const uint32_t number = ir->presence_count++;
  if (!(number & (number - 1))) // room for twice as many
    MEM_RESIZE (ir->presences, number ? 2 * (size_t) number : 1);
  ir->presences[number] = presence;
  if (presence.kind <= PRESENCE_IN)
    ir->first_delete = number + 1;
  ir->deletes += presence.kind == PRESENCE_WROTE;
  return number;
}

// -------------------------------------------------------------------------------------- one by one

struct ir_builder {
  struct ir *ir;
  VEC (struct node_line) nodes;
  VEC (uint32_t) chain_first;
  VEC (uint32_t) key_first;
  VEC (uint32_t) init_value;
  VEC (struct install_line) installs;
  VEC (struct read_line) reads;
  VEC (uint32_t) sources; // of all reads
  VEC (struct choice) choices;
  VEC (uint32_t) value_installs;
  VEC (struct known_order) orders;
  VEC (struct unknown_claim) implied;
};

struct ir_builder *ir_builder_new (struct ir *ir) {
  struct ir_builder *b = mem_zalloc (sizeof *b);
  b->ir = ir;
  VEC_PUSH (b->chain_first, 0);
  ir_add_node (b, &(struct node_line){
                    .so_before = NODE_NONE, .time_before = SLOT_NONE, .time_after = SLOT_NONE, .presence = ALWAYS });
  return b;
}

void ir_add_node (struct ir_builder *b, const struct node_line *line) {
  if (line->chain == b->chain_first.count)
    VEC_PUSH (b->chain_first, (uint32_t) b->nodes.count);
  VEC_PUSH (b->nodes, *line);
}

void ir_add_key (struct ir_builder *b, uint32_t init_value) {
  VEC_PUSH (b->key_first, (uint32_t) b->installs.count);
  VEC_PUSH (b->init_value, init_value);
}

uint32_t ir_builder_install_of (const struct ir_builder *b, uint32_t key, uint32_t node) {
  const size_t end = key + 1 < b->key_first.count ? b->key_first.data[key + 1] : b->installs.count;
  size_t at = b->key_first.data[key];
  LOWER_BOUND (at, end, middle, b->installs.data[middle].node < node);
  return at < end && b->installs.data[at].node == node ? (uint32_t) at : INSTALL_NONE;
}

uint32_t ir_builder_presence (const struct ir_builder *b, uint32_t node) {
  return b->nodes.data[node].presence;
}

void ir_add_install (struct ir_builder *b, const struct install_line *line) {
  struct presence *presence = &b->ir->presences[presence_entry (line->presence)];
  if (presence->kind == PRESENCE_WROTE)
    presence->install = (uint32_t) b->installs.count;
  VEC_PUSH (b->installs, *line);
}

void ir_add_read (struct ir_builder *b, const struct read_line *line, const uint32_t *sources, size_t count) {
  for (size_t i = 0; i < count; i++)
    VEC_PUSH (b->sources, sources[i]);
  VEC_PUSH (b->reads, *line);
  b->reads.data[b->reads.count - 1].sources_end = (uint32_t) b->sources.count;
}

void ir_add_order (struct ir_builder *b, struct known_order order) {
  VEC_PUSH (b->orders, order);
}

void ir_add_claim (struct ir_builder *b, struct unknown_claim claim) {
  VEC_PUSH (b->implied, claim);
}

// --------------------------------------------------------------------------------------- finishing

// The block belongs to the IR from now on.
static void *own (struct ir *ir, void *block) {
  VEC_PUSH (ir->owned, block);
  return block;
}

// One member of all lines.
static uint32_t *column (const void *lines, size_t count, size_t length, size_t member) {
  uint32_t *made = MEM_ARRAY (uint32_t, count);
  for (size_t i = 0; i < count; i++)
    memcpy (&made[i], (const char *) lines + i * length + member, sizeof *made);
  return made;
}
#define COLUMN(lines, type, member) column ((lines).data, (lines).count, sizeof (type), offsetof (type, member))

// NULL if all entries are `usual`; the block is gone then.
static uint32_t *unless_all (uint32_t *column, size_t count, uint32_t usual) {
  for (size_t i = 0; i < count; i++)
    if (column[i] != usual)
      return column;
  mem_free (column);
  return NULL;
}

static void finish_nodes (struct ir_builder *b) {
  struct ir *ir = b->ir;
  ir->nodes = (uint32_t) b->nodes.count;
  ir->chains = (uint32_t) b->chain_first.count;
  VEC_PUSH (b->chain_first, ir->nodes);
  ir->node_chain = own (ir, COLUMN (b->nodes, struct node_line, chain));
  ir->chain_first = own (ir, b->chain_first.data);
  ir->so_before = own (ir, unless_all (COLUMN (b->nodes, struct node_line, so_before), ir->nodes, NODE_NONE));
  ir->node_id = MEM_ARRAY (uint64_t, ir->nodes);
  for (uint32_t node = 0; node < ir->nodes; node++)
    ir->node_id[node] = b->nodes.data[node].id;
  if (ir->rules.rt.used) {
    ir->time_before = COLUMN (b->nodes, struct node_line, time_before);
    ir->time_after = COLUMN (b->nodes, struct node_line, time_after);
  }
  if (ir->presence_count > 1)
    ir->node_presence = COLUMN (b->nodes, struct node_line, presence);
  VEC_FREE (b->nodes);
}

// A guess at when each node ran: by its times, or by its place in its chain.
static void finish_hints (struct ir *ir) {
  ir->hint = MEM_ZARRAY (uint32_t, ir->nodes);
  for (uint32_t node = 1; node < ir->nodes; node++) {
    const uint32_t first = ir->chain_first[ir->node_chain[node]], end = ir->chain_first[ir->node_chain[node] + 1];
    if (!ir->time_before)
      ir->hint[node] = (uint32_t) ((node - first) * (uint64_t) UINT32_MAX / (end - first));
    else if (ir->time_after[node] != SLOT_NONE)
      ir->hint[node] = 1 + ir->time_after[node];
    else
      ir->hint[node] = ir->time_before[node] == SLOT_NONE ? 0 : 1 + ir->time_before[node];
  }
}

static void finish_installs (struct ir_builder *b) {
  struct ir *ir = b->ir;
  ir->keys = (uint32_t) b->key_first.count;
  ir->installs = (uint32_t) b->installs.count;
  VEC_PUSH (b->key_first, ir->installs);
  ir->key_first = own (ir, b->key_first.data);
  ir->init_value = own (ir, b->init_value.data);
  ir->install_node = own (ir, COLUMN (b->installs, struct install_line, node));
  ir->install_value = own (ir, COLUMN (b->installs, struct install_line, value));
  ir->install_last_op = own (ir, COLUMN (b->installs, struct install_line, place));
  if (ir->presence_count > 1)
    ir->install_presence = COLUMN (b->installs, struct install_line, presence);
  VEC_FREE (b->installs);
  struct grouping by_node = { .groups = ir->nodes };
  while (grouping_pass (&by_node))
    for (uint32_t i = 0; i < ir->installs; i++)
      group_put (&by_node, ir->install_node[i], i);
  ir->node_first_install = own (ir, by_node.first);
  ir->node_installs = own (ir, by_node.items);
}

struct valued_install {
  uint32_t key, value, install; // sorted by
};

// Installs by key and value, at the beginning of value_installs. The caller frees what is returned.
static struct valued_install *group_values (struct ir_builder *b) {
  struct valued_install *list = MEM_ARRAY (struct valued_install, b->ir->installs);
  for (uint32_t key = 0; key < b->ir->keys; key++)
    for (uint32_t i = b->ir->key_first[key]; i < b->ir->key_first[key + 1]; i++)
      list[i] = (struct valued_install){ key, b->ir->install_value[i], i };
  SORT (list, b->ir->installs, by_u32_triple);
  for (uint32_t i = 0; i < b->ir->installs; i++)
    VEC_PUSH (b->value_installs, list[i].install);
  return list;
}

// The range of those that install what was read; empty for reads that several values explain.
static void find_range (const struct ir_builder *b, const struct valued_install *list, const struct read_line *line,
                        struct choice *choice) {
  const struct valued_install first = { line->key, line->value, 0 }, last = { line->key, line->value, UINT32_MAX };
  if (line->flags & READ_SEVERAL)
    return;
  uint32_t low = 0;
  LOWER_BOUND (low, b->ir->installs, middle, by_u32_triple (&list[middle], &first) < 0);
  choice->first = low;
  LOWER_BOUND (low, b->ir->installs, middle, by_u32_triple (&list[middle], &last) < 0);
  choice->last = low;
}

// Are these all of the range, the reader's own version excepted?
static bool is_whole_range (const struct ir_builder *b, const struct choice *range, const struct read_line *line,
                            uint32_t installs) {
  const uint32_t own_install = ir_install_of (b->ir, line->key, line->node);
  const bool has_own = own_install != INSTALL_NONE && b->ir->install_value[own_install] == line->value;
  return range->last > range->first && range->last - range->first - has_own == installs;
}

static uint32_t finish_source (struct ir_builder *b, const struct valued_install *list, uint32_t number) {
  const struct read_line *line = &b->reads.data[number];
  const uint32_t first = number ? line[-1].sources_end : 0, count = line->sources_end - first;
  const uint32_t *sources = b->sources.data + first;
  // Whether a read is there may be open, too: then it has a list, be it of none.
  const bool certain = line->presence == ALWAYS && (count || ir_node_presence (b->ir, line->node) == ALWAYS);
  if (!line->all && count <= 1 && certain)
    return count ? sources[0] : SOURCE_NONE;
  struct choice choice = { .read = number };
  find_range (b, list, line, &choice);
  for (uint32_t i = 0; i < count; i++)
    choice.initial |= sources[i] == SOURCE_INITIAL;
  if (!line->all && !is_whole_range (b, &choice, line, count - choice.initial)) {
    choice.listed = true;
    choice.first = (uint32_t) b->value_installs.count;
    for (uint32_t i = 0; i < count; i++)
      if (sources[i] != SOURCE_INITIAL)
        VEC_PUSH (b->value_installs, sources[i]);
    choice.last = (uint32_t) b->value_installs.count;
  }
  VEC_PUSH (b->choices, choice);
  return SOURCE_MANY | (uint32_t) (b->choices.count - 1);
}

// Columns that say nothing are not there: later rooms are quicker without.
static void drop_idle_columns (struct ir *ir) {
  ir->read_when = unless_all (ir->read_when, ir->reads, NEVER);
  bool differs = ir->read_when;
  for (uint32_t read = 0; read < ir->reads; read++)
    differs |= ir->read_anti[read] != ir->rules.anti;
  if (!differs) {
    mem_free (ir->read_anti);
    ir->read_anti = NULL;
  }
  ir->read_presence = unless_all (ir->read_presence, ir->reads, ALWAYS);
}

static void finish_reads (struct ir_builder *b) {
  struct ir *ir = b->ir;
  struct valued_install *list = group_values (b);
  ir->reads = (uint32_t) b->reads.count;
  uint32_t *first = own (ir, MEM_ZARRAY (uint32_t, (size_t) ir->nodes + 1));
  uint32_t *source = own (ir, MEM_ARRAY (uint32_t, ir->reads));
  uint8_t *flags = own (ir, MEM_ZARRAY (uint8_t, ir->reads)), any = 0;
  ir->read_anti = MEM_ARRAY (uint8_t, ir->reads);
  for (uint32_t i = 0; i < ir->reads; i++) {
    const struct read_line *line = &b->reads.data[i];
    source[i] = finish_source (b, list, i);
    ir->read_anti[i] = line->anti;
    flags[i] = line->flags;
    any |= line->flags;
    first[line->node + 1] = i + 1;
  }
  for (uint32_t node = 0; node < ir->nodes; node++)
    first[node + 1] = first[node + 1] > first[node] ? first[node + 1] : first[node];
  ir->node_first_read = first;
  ir->read_source = source;
  ir->read_flags = any ? flags : NULL;
  ir->read_key = own (ir, COLUMN (b->reads, struct read_line, key));
  ir->read_value = own (ir, COLUMN (b->reads, struct read_line, value));
  ir->read_op = own (ir, COLUMN (b->reads, struct read_line, place));
  ir->read_presence = COLUMN (b->reads, struct read_line, presence);
  ir->read_when = COLUMN (b->reads, struct read_line, when);
  drop_idle_columns (ir);
  ir->marks_reads = ir->read_anti || ir->read_when;
  ir->value_installs = own (ir, b->value_installs.data);
  ir->choices = own (ir, b->choices.data);
  ir->choice_count = (uint32_t) b->choices.count;
  mem_free (list);
}

void ir_finish (struct ir_builder *b) {
  struct ir *ir = b->ir;
  finish_nodes (b);
  finish_hints (ir);
  finish_installs (b);
  finish_reads (b);
  ir->orders = own (ir, b->orders.data);
  ir->order_count = (uint32_t) b->orders.count;
  ir->implied = own (ir, b->implied.data);
  ir->implied_count = (uint32_t) b->implied.count;
  ir->serial = ir_asks_for_serial (ir);
  MEM_FREE_ALL (b->reads.data, b->sources.data, b);
}
