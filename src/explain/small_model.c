#include "explain/small_model.h"

#include "asg/asg.h"
#include "base/group.h"
#include "history/history.h"
#include "levels/levels.h"

enum { MOST_NODES = 256, MOST_READS = 4096 };

// -------------------------------------------------------------------------------------- making one

// Unrecorded deletes taken to have written, where the level does not mind.
static struct asg *build_asg (const struct history *h, const struct check_options *options) {
  const bool events = level_needs_events (options->level);
  const enum own_writes policy =
    options->own_writes == OWN_INFER ? asg_infer_own_writes (h, NULL) : options->own_writes;
  struct asg *asg = asg_build (
    h, &(struct asg_options){ .merge_equal_reads = !events, .events = events, .own_writes = policy, .excuse = true });
  if (asg->unsupported || !asg->unrecorded.count || asg->excused.unrecorded || !options->level->traits.deletes_write)
    return asg;
  struct asg *settled = asg_settle (asg);
  asg_free (asg);
  return settled;
}

// Reads of an open initial value must agree; only the case in which they do anyway is dealt with.
static bool initial_values_agree (const struct asg *asg) {
  bool agree = true;
  uint32_t *seen = MEM_ARRAY (uint32_t, asg->keys);
  for (uint32_t key = 0; key < asg->keys; key++)
    seen[key] = VALUE_NONE;
  for (uint32_t read = 0; read < asg->reads && agree; read++) {
    const uint32_t key = asg->read_key[read], source = asg->read_source[read];
    if (asg->init_value[key] != VALUE_UNRECORDED || (source != SOURCE_INITIAL && !source_is_many (source)))
      continue;
    agree =
      !(asg_read_flags (asg, read) & READ_SEVERAL) && (seen[key] == VALUE_NONE || seen[key] == asg->read_value[read]);
    seen[key] = asg->read_value[read];
  }
  mem_free (seen);
  return agree;
}

static bool can_be_told (const struct asg *asg, const struct level *level) {
  return !(asg->unrecorded.count && level->traits.mark_reads) && !asg->unsupported && !asg->faults.count
         && !asg->implied.count && asg->nodes <= MOST_NODES && asg->reads <= MOST_READS && initial_values_agree (asg);
}

static void add_fixed (struct small_model *w, uint32_t from, uint32_t to, enum edge_kind kind) {
  VEC_PUSH (w->fixed, (struct circle_edge){ from, to, kind, false, KEY_NONE, READ_NONE });
}

// An unknown transaction has no end: nothing comes after it by session or by time.
static void find_fixed_edges (struct small_model *w) {
  const struct asg *asg = w->asg;
  const struct history *h = w->history;
  for (uint32_t a = 1; a < asg->nodes; a++) {
    const uint32_t first = asg->node_txn[a];
    const int64_t end = history_end_time (h, first);
    for (uint32_t b = 1; b < asg->nodes && !asg->optional[a]; b++) {
      const uint32_t second = asg->node_txn[b];
      const int64_t begin = history_begin_time (h, second);
      int64_t limit;
      if (w->level->rules.so.used && first < second && h->txn_sessions.data[first] == h->txn_sessions.data[second])
        add_fixed (w, a, b, EDGE_SO);
      if (w->level->rules.rt.used && end != TIME_NONE_END && begin != TIME_NONE_BEGIN
          && !__builtin_sub_overflow (begin, w->clock_skew, &limit) && end < limit)
        add_fixed (w, a, b, EDGE_RT);
    }
  }
}

static void find_pairs (struct small_model *w) {
  const struct asg *asg = w->asg;
  VEC (struct model_pair) pairs = VEC_EMPTY;
  w->pair_of = MEM_ZARRAY (uint32_t, (size_t) asg->nodes * asg->nodes);
  for (uint32_t key = 0; key < asg->keys; key++)
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      for (uint32_t k = i + 1; k < asg->key_first[key + 1]; k++) {
        const uint32_t a = asg->install_node[i], b = asg->install_node[k];
        if (w->pair_of[a * asg->nodes + b])
          continue;
        VEC_PUSH (pairs, (struct model_pair){ .a = a, .b = b });
        w->pair_of[a * asg->nodes + b] = w->pair_of[b * asg->nodes + a] = (uint32_t) pairs.count;
      }
  w->pair_count = pairs.count;
  w->decided_bytes =
    pairs.count * sizeof *w->pairs + asg->reads * sizeof *w->source + asg->nodes + asg->unrecorded.count;
  w->decided = mem_zalloc (w->decided_bytes);
  w->pairs = w->decided;
  w->source = (uint32_t *) (w->pairs + w->pair_count);
  w->in = (uint8_t *) (w->source + asg->reads);
  w->unrecorded = w->in + asg->nodes;
  if (pairs.count)
    memcpy (w->pairs, pairs.data, pairs.count * sizeof *w->pairs);
  VEC_FREE (pairs);
}

struct model_pair *model_pair_of (const struct small_model *w, uint32_t a, uint32_t b) {
  const uint32_t at = w->pair_of[a * w->asg->nodes + b];
  return at ? &w->pairs[at - 1] : NULL;
}

void model_decide_pair (struct model_pair *pair, uint32_t first, enum why why) {
  pair->state = pair->a == first ? PAIR_A_FIRST : PAIR_B_FIRST;
  pair->why = why;
}

// What lists say about the order of their elements. What they say by not holding an element counts
// where reads do.
static void decide_known_orders (struct small_model *w) {
  const struct asg *asg = w->asg;
  for (size_t i = 0; i < asg->orders.count; i++) {
    const struct known_order *order = &asg->orders.data[i];
    const uint32_t first = asg->install_node[order->before];
    struct model_pair *pair = model_pair_of (w, first, asg->install_node[order->after]);
    if (pair && !order->reader && (!order->by_absence || w->level->rules.wr.used))
      model_decide_pair (pair, first, WHY_LIST);
  }
}

// The transaction took place.
static void include (struct small_model *w, uint32_t node);

void model_take_from (struct small_model *w, uint32_t install) {
  const uint32_t unrecorded = asg_install_unrecorded (w->asg, install);
  if (unrecorded != UNRECORDED_NONE)
    w->unrecorded[unrecorded] = UNRECORDED_WROTE;
  include (w, w->asg->install_node[install]);
}

static void include (struct small_model *w, uint32_t node) {
  const struct asg *asg = w->asg;
  if (w->in[node])
    return;
  w->in[node] = 1;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1] && w->level->rules.wr.used;
       read++) {
    const uint32_t source = asg->read_source[read];
    w->source[read] = source_is_many (source) ? SOURCE_OPEN : source;
    if (source < SOURCE_MANY && asg_read_unrecorded (asg, read) == UNRECORDED_NONE)
      model_take_from (w, source);
  }
}

struct small_model *model_new (const struct history *h, const struct check_options *options) {
  struct small_model *w = mem_zalloc (sizeof *w);
  w->history = h;
  w->level = options->level;
  w->clock_skew = options->clock_skew;
  w->asg = build_asg (h, options);
  const struct asg *asg = w->asg;
  if (!can_be_told (asg, w->level)) {
    model_free (w);
    return NULL;
  }
  find_pairs (w);
  w->anti = MEM_ARRAY (uint8_t, asg->reads);
  memset (w->anti, (int) w->level->rules.anti, asg->reads);
  for (uint32_t read = 0; read < asg->reads; read++)
    w->source[read] = SOURCE_OPEN;
  if (w->level->traits.mark_reads)
    w->level->traits.mark_reads (asg, &(struct read_marks){ .anti = w->anti });
  decide_known_orders (w);
  w->in[0] = 1;
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (!asg->optional[node])
      include (w, node);
  for (size_t i = 0; i < asg->forced.count && w->level->rules.wr.used; i++) // reads show it
    include (w, asg->forced.data[i]);
  find_fixed_edges (w);
  model_make_edges (w);
  return w;
}

void model_free (struct small_model *w) {
  if (!w)
    return;
  asg_free (w->asg);
  MEM_FREE_ALL (w->decided, w->anti, w->pair_of, w->edges.data, w->fixed.data, w);
}

// An unrecorded delete that wrote did not read.
static bool took_place (const struct small_model *w, uint32_t read) {
  const uint32_t unrecorded = asg_read_unrecorded (w->asg, read);
  return unrecorded == UNRECORDED_NONE || w->unrecorded[unrecorded] == UNRECORDED_WROTE_NOTHING;
}

// The version is there, as far as is decided.
static bool is_installed (const struct small_model *w, uint32_t install) {
  const uint32_t unrecorded = asg_install_unrecorded (w->asg, install);
  return w->in[w->asg->install_node[install]]
         && (unrecorded == UNRECORDED_NONE || w->unrecorded[unrecorded] == UNRECORDED_WROTE);
}

bool model_installs_key (const struct small_model *w, uint32_t key, uint32_t node) {
  const uint32_t install = asg_install_of (w->asg, key, node);
  return install != INSTALL_NONE && is_installed (w, install);
}

uint32_t model_pair_key (const struct small_model *w, const struct model_pair *pair) {
  const struct asg *asg = w->asg;
  for (uint32_t k = asg->node_first_install[pair->a]; k < asg->node_first_install[pair->a + 1]; k++) {
    const uint32_t key = group_of_place (asg->key_first, asg->keys, asg->node_installs[k]);
    if (is_installed (w, asg->node_installs[k]) && model_installs_key (w, key, pair->b))
      return key;
  }
  return KEY_NONE;
}

bool model_reads (const struct small_model *w, uint32_t read, uint32_t *reader) {
  const struct asg *asg = w->asg;
  *reader = group_of_place (asg->node_first_read, asg->nodes, read);
  return w->in[*reader] && w->level->rules.wr.used && took_place (w, read);
}

static bool is_ruled_out (const struct small_model *w, uint32_t install) {
  const uint32_t unrecorded = asg_install_unrecorded (w->asg, install);
  return unrecorded != UNRECORDED_NONE && w->unrecorded[unrecorded] == UNRECORDED_WROTE_NOTHING;
}

void model_candidates (const struct small_model *w, uint32_t read, source_vec *found) {
  const struct asg *asg = w->asg;
  const uint32_t key = asg->read_key[read];
  uint32_t reader;
  found->count = 0;
  model_reads (w, read, &reader);
  if (asg_accepts_initial (asg, read))
    VEC_PUSH (*found, SOURCE_INITIAL);
  for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
    if (asg->install_node[i] != reader && asg_accepts (asg, read, asg->install_value[i]) && !is_ruled_out (w, i))
      VEC_PUSH (*found, i);
}

// --------------------------------------------------------------------------------------- its edges

struct edge_points model_points (const struct small_model *w, enum edge_kind kind) {
  const struct rules *rules = &w->level->rules;
  switch (kind) {
  case EDGE_SO: return rules->so;
  case EDGE_RT: return rules->rt;
  case EDGE_WW: return rules->ww;
  case EDGE_WR: return rules->wr;
  default: return rules->rw;
  }
}

static bool is_first (const struct small_model *w, uint32_t a, uint32_t b) {
  const struct model_pair *pair = model_pair_of (w, a, b);
  return pair && pair->state == (pair->a == a ? PAIR_A_FIRST : PAIR_B_FIRST);
}

static void add_order_edges (struct small_model *w) {
  const struct asg *asg = w->asg;
  for (uint32_t key = 0; key < asg->keys && w->level->rules.ww.used; key++)
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      for (uint32_t k = asg->key_first[key]; k < asg->key_first[key + 1]; k++) {
        const uint32_t a = asg->install_node[i], b = asg->install_node[k];
        if (i != k && is_installed (w, i) && is_installed (w, k) && is_first (w, a, b))
          VEC_PUSH (w->edges, (struct circle_edge){ a, b, EDGE_WW, false, key, READ_NONE });
      }
}

// An anti-dependency that the level looks at.
static bool is_guarded (const struct small_model *w, uint32_t read, bool predicate) {
  return (w->anti[read] != ANTI_NONE || w->level->rules.view != VIEW_PATHS)
         && !(predicate && w->level->traits.predicates_free);
}

static bool has_source (const struct small_model *w, uint32_t read) {
  return w->source[read] < SOURCE_MANY || w->source[read] == SOURCE_INITIAL;
}

static void add_read_edges (struct small_model *w, uint32_t read, uint32_t reader) {
  const struct asg *asg = w->asg;
  const uint32_t source = w->source[read], key = asg->read_key[read];
  const bool predicate = asg_read_flags (asg, read) & READ_PREDICATE;
  const uint32_t writer = source == SOURCE_INITIAL ? 0 : asg->install_node[source];
  if (writer)
    VEC_PUSH (w->edges, (struct circle_edge){ writer, reader, EDGE_WR, predicate, key, read });
  for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1] && is_guarded (w, read, predicate); i++) {
    const uint32_t p = asg->install_node[i];
    if (p != reader && p != writer && is_installed (w, i) && (!writer || is_first (w, writer, p)))
      VEC_PUSH (w->edges, (struct circle_edge){ reader, p, EDGE_RW, predicate, key, read });
  }
}

void model_make_edges (struct small_model *w) {
  const struct asg *asg = w->asg;
  w->edges.count = 0;
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      if (w->in[node] && w->level->rules.wr.used && took_place (w, read) && has_source (w, read))
        add_read_edges (w, read, node);
  add_order_edges (w);
  for (size_t i = 0; i < w->fixed.count; i++)
    if (w->in[w->fixed.data[i].from] && w->in[w->fixed.data[i].to])
      VEC_PUSH (w->edges, w->fixed.data[i]);
  // about what was looked at
  w->work += w->edges.count + asg->reads + 2 * w->pair_count + w->fixed.count;
}

// The other order would close a circle of two with this edge.
static bool decides_order (const struct small_model *w, const struct circle_edge *edge) {
  const struct edge_points points = model_points (w, edge->kind), order = w->level->rules.ww;
  return (edge->kind == EDGE_SO || edge->kind == EDGE_RT || edge->kind == EDGE_WR) && order.used
         && order.to <= points.from && points.to <= order.from;
}

void model_decide_plain_pairs (struct small_model *w) {
  bool changed = false;
  for (size_t i = 0; i < w->edges.count; i++) {
    const struct circle_edge *edge = &w->edges.data[i];
    struct model_pair *pair = model_pair_of (w, edge->from, edge->to);
    if (!pair || !decides_order (w, edge) || pair->state != PAIR_OPEN)
      continue;
    model_decide_pair (pair, edge->from, WHY_EDGE);
    pair->edge = *edge;
    changed = true;
  }
  if (changed)
    model_make_edges (w);
}

// ------------------------------------------------------------------------------- what it is called

static bool both_replace (const struct small_model *w, uint32_t a, uint32_t b) {
  const struct asg *asg = w->asg;
  for (uint32_t i = asg->node_first_read[a]; i < asg->node_first_read[a + 1]; i++)
    for (uint32_t k = asg->node_first_read[b]; k < asg->node_first_read[b + 1]; k++)
      if (asg->read_key[k] == asg->read_key[i] && w->source[i] == w->source[k] && has_source (w, i)
          && model_installs_key (w, asg->read_key[i], a) && model_installs_key (w, asg->read_key[i], b))
        return true;
  return false;
}

struct circle_facts model_circle_facts (const struct small_model *w, const struct circle_edge *edges, size_t count) {
  struct circle_facts facts = { .lost_update = count == 2 && both_replace (w, edges[0].from, edges[1].from),
                                .settled = w->asg->settled,
                                .single_reads = w->level->traits.mark_reads };
  for (size_t i = 0; i < count; i++)
    facts.reader_only |= w->asg->node_first_install[edges[i].from] == w->asg->node_first_install[edges[i].from + 1];
  return facts;
}
