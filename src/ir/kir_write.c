// The IR as text: column by column, with names of the history in comments; and written out, each
// point, known edge, superposition and implication a line.

#include "base/group.h"
#include "base/output.h"
#include "base/sort.h"
#include "ir/kir.h"
#include "ir/walk.h"

#include <inttypes.h>

// Longer lists of candidates are not written out while all who fit are candidates.
enum { MOST_CANDIDATES = 8 };

struct writer {
  const struct ir *ir;
  const struct kir_names *names;
  struct output *out;
  uint32_t *first_place; // per node; NULL where places say nothing
  const uint32_t *some;  // the next statement to be written out, if not all are; so many are left
  size_t left;
};

// ------------------------------------------------------------------------------------------- words

static void put_txn (const struct writer *w, const char *before, uint32_t node) {
  output_text (w->out, before);
  output_text (w->out, "T");
  output_u64 (w->out, ir_txn_id (w->ir, node));
}

static void put_number (const struct writer *w, const char *before, uint32_t number) {
  output_text (w->out, before);
  output_u64 (w->out, number);
}

// For people; they may come from anywhere, as the name of a module is that of a file.
static void put_words (const struct writer *w, const char *before, const char *words) {
  output_text (w->out, before);
  for (size_t i = 0; words[i]; i++) {
    const bool fits = kir_is_text (words[i]) && (i || words[i] != ' ');
    output_write (w->out, fits ? &words[i] : "?", 1);
  }
}

static void put_value (const struct writer *w, uint32_t value) {
  if (value == ABSENT)
    output_text (w->out, "absent");
  else if (value == INITIAL_OPEN)
    output_text (w->out, "open");
  else
    put_number (w, "v", w->ir->value_label ? w->ir->value_label[value] : value);
}

static void put_presence (const struct writer *w, const char *before, uint32_t presence) {
  output_text (w->out, before);
  put_number (w, presence_wanted (presence) ? "p" : "!p", presence_entry (presence));
}

static void put_source (const struct writer *w, const char *before, uint32_t source) {
  if (source != SOURCE_INITIAL)
    put_txn (w, before, w->ir->install_node[source]);
  else
    output_printf (w->out, "%sinit", before);
}

static void put_presence_of_node (const struct writer *w, const char *before, uint32_t node) {
  put_presence (w, before, ir_node_presence (w->ir, node));
}

// ------------------------------------------------------------------------------------------ header

static void put_points (const struct writer *w, const char *kind, struct edge_points points) {
  if (points.used)
    output_printf (w->out, " %s=%u>%u", kind, points.from, points.to);
}

static void put_header (const struct writer *w) {
  const struct rules *rules = &w->ir->rules;
  output_printf (w->out, "kir 2\nlevel %s\nrules points=%u", w->ir->label, rules->points);
  put_points (w, "so", rules->so);
  put_points (w, "rt", rules->rt);
  put_points (w, "ww", rules->ww);
  put_points (w, "wr", rules->wr);
  put_points (w, "rw", rules->rw);
  output_printf (w->out, " anti=%s view=%s%s%s\n", kir_anti[rules->anti], kir_views[rules->view],
                 rules->ww_hidden ? " hidden" : "", rules->events ? " events" : "");
}

static void put_remark (const struct writer *w, const char *line, const char *words) {
  if (!words)
    return;
  output_text (w->out, line);
  put_words (w, " ", words);
  output_text (w->out, "\n");
}

static void put_modules (const struct writer *w) {
  const struct constraints *constraints = w->ir->constraints;
  for (uint32_t i = 0; constraints && i < constraints->modules.count; i++) {
    put_number (w, "module m", i);
    put_words (w, " ", constraints->modules.data[i]);
    output_text (w->out, "\n");
  }
}

static void put_presences (const struct writer *w) {
  for (uint32_t entry = 1; entry < w->ir->presence_count; entry++) {
    const struct presence *presence = &w->ir->presences[entry];
    put_number (w, "presence p", entry);
    output_printf (w->out, " %s", kir_presences[presence->kind]);
    put_txn (w, " ", presence->node);
    if (presence->kind == PRESENCE_WROTE)
      put_number (w, " k", presence->key);
    output_text (w->out, "\n");
  }
}

// ---------------------------------------------------------------------------------------- the rest

static void put_node (const struct writer *w, uint32_t node) {
  const struct ir *ir = w->ir;
  put_txn (w, "txn ", node);
  put_number (w, " c", ir->node_chain[node]);
  if (ir->rules.so.used && ir->so_before && ir->so_before[node] != NODE_NONE)
    put_txn (w, " after=", ir->so_before[node]);
  if (ir->time_before && ir->time_before[node] != SLOT_NONE)
    put_number (w, " begin=", ir->time_before[node]);
  if (ir->time_after && ir->time_after[node] != SLOT_NONE)
    put_number (w, " end=", ir->time_after[node]);
  if (ir_node_presence (ir, node) != ALWAYS)
    put_presence_of_node (w, " if=", node);
  output_text (w->out, "\n");
}

// Places count from 1 in each transaction; only their order says something.
static uint32_t find_first_place (const struct ir *ir, uint32_t node) {
  uint32_t first = UINT32_MAX;
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    first = ir->read_op[read] < first ? ir->read_op[read] : first;
  for (uint32_t k = ir->node_first_install[node]; ir->rules.events && k < ir->node_first_install[node + 1]; k++) {
    const uint32_t place = ir->install_last_op[ir->node_installs[k]];
    first = place < first ? place : first;
  }
  return first;
}

static void put_place (const struct writer *w, const char *before, uint32_t node, uint32_t place) {
  put_number (w, before, place - w->first_place[node] + 1);
}

static void put_key (const struct writer *w, uint32_t key) {
  const struct ir *ir = w->ir;
  put_number (w, "key k", key);
  output_text (w->out, " init=");
  put_value (w, ir->init_value[key]);
  for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++) {
    const uint32_t node = ir->install_node[i];
    put_txn (w, " ", node);
    output_text (w->out, "=");
    put_value (w, ir->install_value[i]);
    if (ir->rules.events)
      put_place (w, "@", node, ir->install_last_op[i]);
    if (ir_install_presence (ir, i) != ir_node_presence (ir, node))
      put_presence (w, "/", ir_install_presence (ir, i));
  }
  if (w->names && w->names->key) {
    output_text (w->out, "  # ");
    w->names->key (w->names->context, w->out, key);
  }
  output_text (w->out, "\n");
}

static void put_sources (const struct writer *w, uint32_t node, uint32_t read) {
  const struct ir *ir = w->ir;
  struct ir_sources sources = ir_sources_of (ir, node, read);
  const bool initial = sources.initial;
  VEC (uint32_t) list = VEC_EMPTY;
  output_text (w->out, " sources=");
  for (uint32_t source; (sources.listed || list.count <= MOST_CANDIDATES) && ir_next_source (&sources, &source);)
    VEC_PUSH (list, source);
  const bool all = !sources.listed && list.count > MOST_CANDIDATES;
  VEC_SORT (list, by_u32); // the initial state is the last
  for (size_t i = 0; i < list.count && !all; i++)
    put_source (w, i ? "," : "", list.data[i]);
  output_text (w->out, !all ? list.count ? "" : "none" : initial ? "all,init" : "all");
  VEC_FREE (list);
}

static void put_read (const struct writer *w, uint32_t node, uint32_t read) {
  const struct ir *ir = w->ir;
  const unsigned flags = ir_read_flags (ir, read);
  put_number (w, "read r", read);
  put_txn (w, " ", node);
  put_number (w, " k", ir->read_key[read]);
  output_text (w->out, flags & READ_OTHER ? "=!" : "=");
  put_value (w, ir->read_value[read]);
  output_text (w->out, flags & READ_OR_ABSENT ? "|absent" : "");
  put_sources (w, node, read);
  if (ir_has_places (ir))
    put_place (w, " at=", node, ir->read_op[read]);
  if (ir->read_anti && ir->read_anti[read] != ir->rules.anti)
    output_printf (w->out, " anti=%s", kir_anti[ir->read_anti[read]]);
  if (ir->read_when && ir->read_when[read] != NEVER)
    put_presence (w, " edge-if=", ir->read_when[read]);
  if (ir_read_presence (ir, read) != ALWAYS)
    put_presence (w, " if=", ir->read_presence[read]);
  output_text (w->out, flags & READ_PREDICATE ? " range" : "");
  if (w->names && w->names->value) {
    output_text (w->out, "  # ");
    w->names->key (w->names->context, w->out, ir->read_key[read]);
    output_text (w->out, flags & READ_OTHER ? "!=" : "=");
    w->names->value (w->names->context, w->out, ir->read_value[read]);
  }
  output_text (w->out, "\n");
}

static void put_claims (const struct writer *w) {
  const struct ir *ir = w->ir;
  for (uint32_t i = 0; i < ir->order_count; i++) {
    const struct known_order *order = &ir->orders[i];
    if (order->by_absence && !ir->rules.wr.used) // it counts only where reads do
      continue;
    put_number (w, "order k", group_of_place (ir->key_first, ir->keys, order->before));
    put_txn (w, " ", ir->install_node[order->before]);
    put_txn (w, " ", ir->install_node[order->after]);
    if (order->reader)
      put_presence_of_node (w, " if=", order->reader);
    output_text (w->out, "\n");
  }
  for (size_t i = 0; i < ir->holds.count; i++) {
    put_presence (w, "holds ", ir->holds.data[i]);
    output_text (w->out, "\n");
  }
  for (uint32_t i = 0; i < ir->implied_count; i++) {
    put_presence_of_node (w, "implies ", ir->implied[i].reader);
    put_presence_of_node (w, " ", ir->implied[i].other);
    output_text (w->out, "\n");
  }
}

static void put_edges (const struct writer *w) {
  const struct ir *ir = w->ir;
  const size_t others = ir->edges.count - ir->edge_module.count;
  for (size_t i = 0; i < ir->edges.count; i++) {
    put_txn (w, "edge ", ir->edges.data[i].from);
    put_txn (w, " ", ir->edges.data[i].to);
    if (i >= others)
      put_number (w, " m", ir->edge_module.data[i - others]);
    output_text (w->out, i >= others ? "\n" : ir->edges_are_program_order ? " program\n" : " given\n");
  }
  for (size_t i = 0; i < ir->derived.count; i++) {
    const struct derived_edge *edge = &ir->derived.data[i];
    put_txn (w, "edge ", edge->from);
    put_txn (w, " ", edge->to);
    output_printf (w->out, " %s", edge_kind_name (edge->kind));
    if (edge->read != READ_NONE)
      put_number (w, " r", edge->read);
    else if (edge->key != KEY_NONE)
      put_number (w, " k", edge->key);
    output_text (w->out, "\n");
  }
}

static void put_alternative (const struct writer *w, const struct constraint_alternative *alternative) {
  for (uint32_t i = 0; i < alternative->edges; i++) {
    const struct ir_edge edge = w->ir->constraints->edges.data[alternative->first_edge + i];
    put_txn (w, " ", edge.from);
    put_txn (w, ">", edge.to);
  }
}

// Those that hold in any case stand among the edges.
static void put_constraint (const struct writer *w, const struct constraint *constraint) {
  const struct constraints *all = w->ir->constraints;
  if (constraint->known)
    return;
  put_number (w, "constraint m", constraint->module);
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct constraint_condition *condition = &all->conditions.data[constraint->first_condition + i];
    put_number (w, " if r", condition->read);
    put_source (w, "=", condition->source);
  }
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    output_text (w->out, i ? " or" : " then");
    put_alternative (w, &all->alternatives.data[constraint->first_alternative + i]);
  }
  output_text (w->out, "\n");
}

void kir_write (const struct ir *ir, const struct kir_names *names, struct output *output) {
  struct writer w = { .ir = ir, .names = names, .out = output };
  w.first_place = ir_has_places (ir) ? MEM_ARRAY (uint32_t, ir->nodes) : NULL;
  for (uint32_t node = 0; w.first_place && node < ir->nodes; node++)
    w.first_place[node] = find_first_place (ir, node);
  put_header (&w);
  put_remark (&w, "fault", ir->fault);
  put_remark (&w, "undefined", ir->undefined);
  put_remark (&w, "tentative", ir->tentative);
  put_modules (&w);
  put_presences (&w);
  for (uint32_t node = 1; node < ir->nodes; node++)
    put_node (&w, node);
  for (uint32_t key = 0; key < ir->keys; key++)
    put_key (&w, key);
  for (uint32_t node = 1; node < ir->nodes && ir->rules.wr.used; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      put_read (&w, node, read);
  put_claims (&w);
  put_edges (&w);
  for (size_t i = 0; ir->constraints && i < ir->constraints->list.count; i++)
    put_constraint (&w, &ir->constraints->list.data[i]);
  mem_free (w.first_place);
}

// ------------------------------------------------------------------------------------ written out

static void put_point (const struct writer *w, const char *before, uint32_t number) {
  const struct ir_point point = ir_point_at (w->ir, number);
  if (point.kind == POINT_SLOT) {
    output_text (w->out, before);
    put_number (w, "t", point.owner);
    return;
  }
  put_txn (w, before, point.owner);
  if (point.kind == POINT_EVENT)
    put_number (w, "@r", point.read);
  else if (w->ir->rules.points == 2)
    output_text (w->out, point.which ? ".commit" : ".begin");
}

static void put_condition (const struct writer *w, const char *before, const struct condition *condition) {
  const struct ir *ir = w->ir;
  const uint32_t a = condition->a, b = condition->b;
  output_text (w->out, before);
  switch (condition->kind) {
  case IF_PRESENCE: put_presence (w, "", a); break;
  case IF_SOURCE:
    put_number (w, "r", a);
    put_source (w, "=", b);
    break;
  case IF_ORDER:
    put_number (w, "k", group_of_place (ir->key_first, ir->keys, a));
    put_txn (w, ":", ir->install_node[a]);
    put_txn (w, "<", ir->install_node[b]);
    break;
  case IF_INITIAL:
    put_number (w, "k", a);
    output_text (w->out, b == INITIAL_OPEN ? "=other" : "=");
    if (b != INITIAL_OPEN)
      put_value (w, b);
    break;
  case IF_ALTERNATIVE:
    put_number (w, "c", a);
    put_number (w, "=", b);
    break;
  }
}

static void put_edge (const struct writer *w, const struct known_edge *edge) {
  static const char *const roles[] = { "path", "order", "forbid" };
  put_point (w, "edge ", edge->from);
  put_point (w, " ", edge->to);
  output_printf (w->out, " %s %s%s", roles[edge->role], edge->predicate ? "p" : "", edge_kind_name (edge->kind));
}

static void put_conditions (const struct writer *w, const struct statement *s, const char *word, const char *between) {
  output_text (w->out, word);
  for (uint32_t i = 0; i < s->count; i++)
    put_condition (w, i ? between : " ", &s->conditions[i]);
}

static void put_if (const struct writer *w, uint32_t presence) {
  if (presence != ALWAYS)
    put_presence (w, " if ", presence);
}

static void put_known_edge (const struct writer *w, const struct statement *s) {
  put_edge (w, &s->edge);
  if (s->count)
    put_if (w, s->conditions->a);
  if (s->edge.reason)
    put_words (w, "  # ", s->edge.reason);
}

static void put_choice (const struct writer *w, const struct statement *s) {
  put_conditions (w, s, "choose", " | ");
  put_if (w, s->presence[0]);
  if (s->presence[1] != s->presence[0])
    put_if (w, s->presence[1]);
}

static void put_implication (const struct writer *w, const struct statement *s) {
  put_conditions (w, s, "imply", " & ");
  output_text (w->out, " => ");
  if (s->kind == STATES_EDGE)
    put_edge (w, &s->edge);
  else
    output_text (w->out, "false");
}

static bool put_statement (void *context, uint64_t number, const struct statement *s) {
  struct writer *w = context;
  if (w->some && (!w->left || number != *w->some))
    return w->left;
  if (w->some) {
    output_printf (w->out, "statement %" PRIu64 ": ", number);
    w->some++;
    w->left--;
  }
  if (is_known_edge (s))
    put_known_edge (w, s);
  else if (s->kind == STATES_CHOICE)
    put_choice (w, s);
  else
    put_implication (w, s);
  output_text (w->out, "\n");
  return true;
}

void kir_put_condition (const struct ir *ir, const struct condition *condition, struct output *output) {
  put_condition (&(struct writer){ .ir = ir, .out = output }, "", condition);
}

void kir_expand_some (const struct ir *ir, const uint32_t *numbers, size_t count, struct output *output) {
  if (count)
    ir_each_statement (ir, put_statement, &(struct writer){ .ir = ir, .out = output, .some = numbers, .left = count });
}

void kir_expand (const struct ir *ir, struct output *output) {
  struct writer w = { .ir = ir, .out = output };
  output_printf (output, "kir 2 expanded\nlevel %s\n", ir->label);
  // T0 comes before everything
  for (uint32_t point = ir->rules.points; point < ir_points (ir); point++) {
    put_point (&w, "point ", point);
    put_if (&w, ir_point_at (ir, point).presence);
    output_text (output, "\n");
  }
  ir_each_statement (ir, put_statement, &w);
}
