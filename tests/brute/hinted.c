#include "hinted.h"

#include "formats/json_write.h"
#include "history/history.h"
#include "story.h"

#include <string.h>

// ----------------------------------------------------------------------------------- drawing facts

static void shuffle (struct prng *prng, unsigned *items, unsigned count) {
  for (unsigned i = count; i > 1; i--) {
    const unsigned k = prng_below (prng, i), item = items[i - 1];
    items[i - 1] = items[k];
    items[k] = item;
  }
}

static unsigned installers (const struct story *story, unsigned key, unsigned *nodes) {
  unsigned count = 0;
  for (unsigned node = 1; node < story->nodes; node++)
    if (story->txns[node].status != TXN_ABORTED && story->txns[node].versions[key].installed)
      nodes[count++] = node;
  return count;
}

// Some of the items stay, in their order.
static unsigned thin_out (struct prng *prng, unsigned *items, unsigned count, unsigned percent) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (prng_chance (prng, percent))
      items[kept++] = items[i];
  return kept;
}

static void draw_orders (struct hinted *t, const struct story *story) {
  const unsigned percent = prng_below (&t->prng, 101), stay = prng_chance (&t->prng, 50) ? 100 : 70;
  for (unsigned key = 0; key < story->keys; key++) {
    unsigned nodes[BRUTE_HINT_NODES], count = installers (story, key, nodes);
    if (!count || !prng_chance (&t->prng, percent))
      continue;
    shuffle (&t->prng, nodes, count);
    count = thin_out (&t->prng, nodes, count, stay);
    t->hints.order[t->hints.orders].key = key;
    t->hints.order[t->hints.orders].count = count;
    memcpy (t->hints.order[t->hints.orders++].node, nodes, count * sizeof *nodes);
  }
}

static bool can_be_source (const struct story *story, const struct story_read *read, unsigned node) {
  if (node == read->reader)
    return read->may_be_own;
  if (!node)
    return story->any_initial || expectation_met (read->expects, read->value, story->initial[read->key]);
  const struct story_version *version = &story->txns[node].versions[read->key];
  return story->txns[node].status != TXN_ABORTED && version->installed
         && expectation_met (read->expects, read->value, version->value);
}

static enum op_kind kind_of (const struct history *h, unsigned reader, unsigned operation) {
  return (enum op_kind) h->op_kinds.data[h->txn_first_op.data[reader - 1] + operation];
}

// A delete without a recorded result has no version; lists tell theirs.
static bool may_have_hint (const struct history *h, const struct story_read *read) {
  const uint32_t op = h->txn_first_op.data[read->reader - 1] + read->operation;
  if (read->expects == EXPECTS_WRITER || h->op_kinds.data[op] == OP_LIST)
    return false;
  return h->op_kinds.data[op] != OP_DEL || (history_flags (h, op) & OP_RESULT_KNOWN);
}

static void draw_sources (struct hinted *t, const struct story *story) {
  const unsigned percent = prng_chance (&t->prng, 30) ? 0 : prng_below (&t->prng, 101);
  for (unsigned r = 0; r < story->reads && t->hints.sources < BRUTE_HINT_SOURCES; r++) {
    const struct story_read *read = &story->read[r];
    if (!prng_chance (&t->prng, percent) || story->txns[read->reader].status == TXN_ABORTED
        || !may_have_hint (t->h, read))
      continue;
    unsigned nodes[STORY_NODES], count = 0;
    for (unsigned node = 0; node < story->nodes; node++)
      if (can_be_source (story, read, node))
        nodes[count++] = node;
    if (!count)
      continue;
    t->hints.source[t->hints.sources].reader = read->reader;
    t->hints.source[t->hints.sources].operation = read->operation;
    t->hints.source[t->hints.sources].key = read->key;
    t->hints.source[t->hints.sources++].source = nodes[prng_below (&t->prng, count)];
  }
}

// A part of a world in which some level holds.
static bool take_from_world (struct hinted *t) {
  struct brute_capture capture = { .level = prng_below (&t->prng, brute_levels ()) };
  struct brute_options options = t->options;
  struct brute_verdicts verdicts;
  options.capture = &capture;
  if (!brute_judge (t->h, &options, &verdicts) || !capture.found)
    return false;
  t->hints = capture.world;
  t->true_to_world = true;
  t->true_level = capture.level;
  const unsigned orders = prng_below (&t->prng, 3) * 50, sources = prng_below (&t->prng, 3) * 50;
  unsigned kept = 0;
  for (unsigned i = 0; i < t->hints.orders; i++)
    if (prng_chance (&t->prng, orders))
      t->hints.order[kept++] = t->hints.order[i];
  t->hints.orders = kept;
  kept = 0;
  for (unsigned i = 0; i < t->hints.sources; i++) {
    const unsigned reader = t->hints.source[i].reader, operation = t->hints.source[i].operation;
    const uint32_t op = t->h->txn_first_op.data[reader - 1] + operation;
    const enum op_kind kind = kind_of (t->h, reader, operation);
    const bool blind = kind == OP_DEL && !(history_flags (t->h, op) & OP_RESULT_KNOWN);
    if (kind != OP_LIST && !blind && prng_chance (&t->prng, sources))
      t->hints.source[kept++] = t->hints.source[i];
  }
  t->hints.sources = kept;
  return true;
}

// Timestamps: who has one comes in their order on every key.
static void draw_stamps (struct hinted *t, const struct story *story) {
  unsigned nodes[BRUTE_HINT_NODES], count = 0;
  const unsigned percent = prng_chance (&t->prng, 60) ? 100 : 70;
  for (unsigned node = 1; node < story->nodes; node++)
    nodes[count++] = node;
  shuffle (&t->prng, nodes, count);
  count = thin_out (&t->prng, nodes, count, percent);
  t->stamped = true;
  t->hints.orders = 0;
  for (unsigned i = 0; i < count; i++)
    t->stamp[nodes[i]] = (int64_t) i - 3;
  for (unsigned node = 0; node < story->nodes; node++) {
    bool has = false;
    for (unsigned i = 0; i < count; i++)
      has |= nodes[i] == node;
    if (!has)
      t->stamp[node] = INT64_MAX;
  }
  for (unsigned key = 0; key < story->keys; key++) {
    t->hints.order[t->hints.orders].key = key;
    t->hints.order[t->hints.orders].count = 0;
    for (unsigned i = 0; i < count; i++)
      if (story->txns[nodes[i]].status != TXN_ABORTED && story->txns[nodes[i]].versions[key].installed)
        t->hints.order[t->hints.orders].node[t->hints.order[t->hints.orders].count++] = nodes[i];
    t->hints.orders++;
  }
}

// ------------------------------------------------------------------------------------ telling them

static void text_source (struct text *text, const struct history *h, unsigned node) {
  if (node)
    text_unsigned (text, h->txn_ids.data[node - 1]);
  else
    text_string (text, "null");
}

static uint32_t keep_text (struct history *h, struct text *text) {
  const uint32_t index = atoms_intern (&h->texts, atom_bytes (text->data, text->count));
  VEC_FREE (*text);
  return index;
}

static void tell_orders (struct hinted *t) {
  struct text text = { 0 };
  text_string (&text, "{\"versionOrder\":[");
  for (unsigned i = 0; i < t->hints.orders; i++) {
    text_string (&text, i ? ",[" : "[");
    json_put_atom (&text, atoms_get (&t->h->keys, t->hints.order[i].key));
    text_string (&text, ",[");
    for (unsigned k = 0; k < t->hints.order[i].count; k++) {
      text_string (&text, k ? "," : "");
      text_source (&text, t->h, t->hints.order[i].node[k]);
    }
    text_string (&text, "]]");
  }
  text_string (&text, "]}");
  t->h->hints = keep_text (t->h, &text);
}

static void tell_stamps (struct hinted *t) {
  for (uint32_t txn = 0; txn < history_txns (t->h); txn++) {
    if (t->stamp[txn + 1] == INT64_MAX)
      continue;
    struct text text = { 0 };
    text_string (&text, "{\"commitTs\":");
    text_signed (&text, t->stamp[txn + 1]);
    text_char (&text, '}');
    VEC_PUSH (t->h->txn_hints, (struct op_hint){ txn, keep_text (t->h, &text) });
  }
}

// All that is said about one operation.
static void tell_operation (struct hinted *t, uint32_t op, unsigned reader, unsigned operation) {
  const enum op_kind kind = (enum op_kind) t->h->op_kinds.data[op];
  const bool set = kind == OP_SCAN || kind == OP_ITER;
  struct text text = { 0 };
  unsigned told = 0;
  for (unsigned i = 0; i < t->hints.sources; i++) {
    if (t->hints.source[i].reader != reader || t->hints.source[i].operation != operation)
      continue;
    text_string (&text, told++ ? "," : set ? "[" : "");
    if (set) {
      text_char (&text, '[');
      json_put_atom (&text, atoms_get (&t->h->keys, t->hints.source[i].key));
      text_char (&text, ',');
    }
    text_source (&text, t->h, t->hints.source[i].source);
    text_string (&text, set ? "]" : "");
  }
  if (!told)
    return;
  text_string (&text, set ? "]" : "");
  VEC_PUSH (t->h->op_hints, (struct op_hint){ op, keep_text (t->h, &text) });
}

static void tell (struct hinted *t) {
  if (t->stamped)
    tell_stamps (t);
  else if (t->hints.orders)
    tell_orders (t);
  for (uint32_t txn = 0; txn < history_txns (t->h); txn++)
    for (uint32_t op = t->h->txn_first_op.data[txn]; op < t->h->txn_first_op.data[txn + 1]; op++)
      tell_operation (t, op, txn + 1, op - t->h->txn_first_op.data[txn]);
}

bool hinted_draw (struct hinted *t, uint64_t seed, uint64_t index, const struct random_mixture *mixture) {
  return hinted_draw_other (t, seed, index, mixture, 0);
}

bool hinted_draw_other (struct hinted *t, uint64_t seed, uint64_t index, const struct random_mixture *mixture,
                        uint64_t other) {
  struct story story;
  struct brute_verdicts verdicts = { 0 };
  *t = (struct hinted){ .prng = prng_fork (~seed + other, index) };
  t->h = random_history_of (seed, index, mixture, &t->options);
  t->infer = t->options.own_writes == BRUTE_OWN_INFER;
  if (t->infer) // so that hints may say either of reads after own writes
    t->options.own_writes = BRUTE_OWN_MAY;
  if (!story_tell (&story, t->h, &t->options, 0, &verdicts))
    return false;
  if (prng_chance (&t->prng, 30) || !take_from_world (t)) {
    draw_sources (t, &story);
    if (prng_chance (&t->prng, 40))
      draw_stamps (t, &story);
    else
      draw_orders (t, &story);
  }
  tell (t);
  return true;
}
