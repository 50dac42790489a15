#include "ir/builder.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

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

struct built_read {
  struct read_line line;
  uint32_t first; // of `sources`
};

struct ir_builder {
  struct ir *ir;
  uint32_t node; // added last
  VEC (uint32_t) node_chain;
  VEC (uint32_t) chain_first;
  VEC (uint32_t) so_before;
  VEC (uint32_t) time_before;
  VEC (uint32_t) time_after;
  VEC (uint32_t) node_presence;
  VEC (uint64_t) node_id;
  VEC (uint32_t) key_first;
  VEC (uint32_t) init_value;
  VEC (uint32_t) install_key;
  VEC (uint32_t) install_node;
  VEC (uint32_t) install_value;
  VEC (uint32_t) install_place;
  VEC (uint32_t) install_presence;
  VEC (struct built_read) reads;
  VEC (uint32_t) sources; // installs, or SOURCE_INITIAL
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
  b->node = (uint32_t) b->node_id.count;
  if (line->chain == b->chain_first.count)
    VEC_PUSH (b->chain_first, b->node);
  VEC_PUSH (b->node_chain, line->chain);
  VEC_PUSH (b->node_id, line->id);
  VEC_PUSH (b->so_before, line->so_before);
  VEC_PUSH (b->time_before, line->time_before);
  VEC_PUSH (b->time_after, line->time_after);
  VEC_PUSH (b->node_presence, line->presence);
}

void ir_add_key (struct ir_builder *b, uint32_t init_value) {
  VEC_PUSH (b->key_first, (uint32_t) b->install_node.count);
  VEC_PUSH (b->init_value, init_value);
}

static uint32_t install_count (const struct ir_builder *b) {
  return (uint32_t) b->install_node.count;
}

uint32_t ir_builder_install_of (const struct ir_builder *b, uint32_t key, uint32_t node) {
  const uint32_t end = key + 1 < b->key_first.count ? b->key_first.data[key + 1] : install_count (b);
  const uint32_t install = find_u32 (b->install_node.data, b->key_first.data[key], end, node);
  return install == NOT_FOUND ? INSTALL_NONE : install;
}

uint32_t ir_builder_presence (const struct ir_builder *b, uint32_t node) {
  return b->node_presence.data[node];
}

void ir_add_install (struct ir_builder *b, const struct install_line *line) {
  struct presence *presence = &b->ir->presences[presence_entry (line->presence)];
  if (presence->kind == PRESENCE_WROTE)
    presence->install = install_count (b);
  VEC_PUSH (b->install_key, (uint32_t) b->key_first.count - 1);
  VEC_PUSH (b->install_node, line->node);
  VEC_PUSH (b->install_value, line->value);
  VEC_PUSH (b->install_place, line->place);
  VEC_PUSH (b->install_presence, line->presence);
}

void ir_add_read (struct ir_builder *b, const struct read_line *line) {
  VEC_PUSH (b->reads, (struct built_read){ *line, (uint32_t) b->sources.count });
  for (uint32_t i = 0; i < line->source_count; i++)
    VEC_PUSH (b->sources, line->sources[i]);
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

static uint32_t *own_array (struct ir *ir, size_t count) {
  return own (ir, MEM_ZARRAY (uint32_t, count));
}

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
  ir->nodes = (uint32_t) b->node_id.count;
  ir->chains = (uint32_t) b->chain_first.count;
  VEC_PUSH (b->chain_first, ir->nodes);
  ir->node_chain = own (ir, b->node_chain.data);
  ir->chain_first = own (ir, b->chain_first.data);
  ir->so_before = unless_all (b->so_before.data, ir->nodes, NODE_NONE);
  if (ir->so_before)
    own (ir, b->so_before.data);
  ir->node_id = b->node_id.data;
  ir->time_before = b->time_before.data;
  ir->time_after = b->time_after.data;
  if (!ir->rules.rt.used) {
    mem_free (ir->time_before);
    mem_free (ir->time_after);
    ir->time_before = ir->time_after = NULL;
  }
  ir->node_presence = b->node_presence.data;
  ir->install_presence = b->install_presence.data;
  if (ir->presence_count == 1) {
    mem_free (ir->node_presence);
    mem_free (ir->install_presence);
    ir->node_presence = ir->install_presence = NULL;
  }
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
  ir->installs = install_count (b);
  VEC_PUSH (b->key_first, ir->installs);
  ir->key_first = own (ir, b->key_first.data);
  ir->init_value = own (ir, b->init_value.data);
  ir->install_node = own (ir, b->install_node.data);
  ir->install_value = own (ir, b->install_value.data);
  ir->install_last_op = own (ir, b->install_place.data);
  struct grouping by_node = { .groups = ir->nodes };
  while (grouping_pass (&by_node))
    for (uint32_t i = 0; i < ir->installs; i++)
      group_put (&by_node, ir->install_node[i], i);
  ir->node_first_install = own (ir, by_node.first);
  ir->node_installs = own (ir, by_node.items);
}

struct valued_install {
  uint32_t key, value, install;
};

static int by_value (const void *a, const void *b) {
  const struct valued_install *x = a, *y = b;
  if (x->key != y->key)
    return COMPARE (x->key, y->key);
  return x->value != y->value ? COMPARE (x->value, y->value) : COMPARE (x->install, y->install);
}

// Installs by key and value, at the beginning of value_installs. The caller frees what is returned.
static struct valued_install *group_values (struct ir_builder *b) {
  struct valued_install *list = MEM_ARRAY (struct valued_install, b->ir->installs);
  for (uint32_t i = 0; i < b->ir->installs; i++)
    list[i] = (struct valued_install){ b->install_key.data[i], b->ir->install_value[i], i };
  SORT (list, b->ir->installs, by_value);
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
  LOWER_BOUND (low, b->ir->installs, middle, by_value (&list[middle], &first) < 0);
  choice->first = low;
  LOWER_BOUND (low, b->ir->installs, middle, by_value (&list[middle], &last) < 0);
  choice->last = low;
}

// Are these all of the range, the reader's own version excepted?
static bool is_whole_range (const struct ir_builder *b, const struct choice *range, const struct read_line *line,
                            uint32_t installs) {
  const uint32_t own_install = ir_install_of (b->ir, line->key, line->node);
  const bool has_own = own_install != INSTALL_NONE && b->ir->install_value[own_install] == line->value;
  return range->last > range->first && range->last - range->first - has_own == installs;
}

static uint32_t finish_source (struct ir_builder *b, const struct valued_install *list, const struct built_read *read,
                               uint32_t number) {
  const uint32_t *sources = b->sources.data + read->first, count = read->line.source_count;
  // Whether a read is there may be open, too: then it has a list, be it of none.
  const bool certain = read->line.presence == ALWAYS && (count || ir_node_presence (b->ir, read->line.node) == ALWAYS);
  if (!read->line.all && count <= 1 && certain)
    return count ? sources[0] : SOURCE_NONE;
  struct choice choice = { .read = number };
  find_range (b, list, &read->line, &choice);
  for (uint32_t i = 0; i < count; i++)
    choice.initial |= sources[i] == SOURCE_INITIAL;
  if (!read->line.all && !is_whole_range (b, &choice, &read->line, count - choice.initial)) {
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
  uint32_t *first = own_array (ir, (size_t) ir->nodes + 1);
  uint32_t *key = own_array (ir, ir->reads), *value = own_array (ir, ir->reads), *source = own_array (ir, ir->reads),
           *place = own_array (ir, ir->reads);
  uint8_t *flags = own (ir, MEM_ZARRAY (uint8_t, ir->reads)), any = 0;
  ir->read_anti = MEM_ARRAY (uint8_t, ir->reads);
  ir->read_presence = MEM_ARRAY (uint32_t, ir->reads);
  ir->read_when = MEM_ARRAY (uint32_t, ir->reads);
  for (uint32_t i = 0; i < ir->reads; i++) {
    const struct read_line *line = &b->reads.data[i].line;
    key[i] = line->key;
    value[i] = line->value;
    source[i] = finish_source (b, list, &b->reads.data[i], i);
    place[i] = line->place;
    ir->read_presence[i] = line->presence;
    ir->read_when[i] = line->when;
    ir->read_anti[i] = line->anti;
    flags[i] = line->flags;
    any |= line->flags;
    first[line->node + 1] = i + 1;
  }
  for (uint32_t node = 0; node < ir->nodes; node++)
    first[node + 1] = first[node + 1] > first[node] ? first[node + 1] : first[node];
  ir->node_first_read = first;
  ir->read_key = key;
  ir->read_value = value;
  ir->read_source = source;
  ir->read_op = place;
  ir->read_flags = any ? flags : NULL;
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
  VEC_FREE (b->install_key);
  VEC_FREE (b->reads);
  VEC_FREE (b->sources);
  mem_free (b);
}
