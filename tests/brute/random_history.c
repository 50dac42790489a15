#include "random_history.h"

#include "base/error.h"
#include "mixture.h"
#include "plan.h"

#include <stdio.h>
#include <string.h>

static int pick (struct prng *prng, const int *choices, unsigned count) {
  return choices[prng_below (prng, count)];
}

// Values: each written once, or drawn from a handful, so that reads have several candidates.
struct value_source {
  unsigned distinct; // 0: each once
  int next;
};

static int draw_value (struct value_source *source, struct prng *prng) {
  return source->distinct ? (int) prng_between (prng, 1, source->distinct) : source->next++;
}

// What most anomalies are made of: transactions that write once, read several keys, read and write
// one key, or read one and write another.
enum txn_shape { SHAPE_MIXED, SHAPE_PUT, SHAPE_READS, SHAPE_UPDATE, SHAPE_SKEW, SHAPES };

static void plan_txn_ops (struct plan *plan, struct plan_txn *txn, struct prng *prng, struct value_source *values,
                          enum txn_shape shape, unsigned most_ops, unsigned put_percent) {
  txn->ops = prng_chance (prng, 1) ? 0 : shape == SHAPE_PUT ? 1 : prng_between (prng, 1, most_ops);
  for (unsigned o = 0; o < txn->ops; o++) {
    struct plan_op *op = &txn->op[o];
    op->wrote = shape == SHAPE_MIXED ? prng_chance (prng, put_percent)
                                     : shape == SHAPE_PUT || (shape != SHAPE_READS && o % 2 == 1);
    op->kind = op->wrote ? OP_PUT : OP_GET;
    op->key = prng_below (prng, plan->keys);
    if (o && shape != SHAPE_MIXED)
      op->key = (txn->op[o - 1].key + (shape != SHAPE_UPDATE || !op->wrote)) % plan->keys;
    op->value = op->wrote ? draw_value (values, prng) : PLAN_ABSENT;
  }
}

static void plan_txns (struct plan *plan, struct prng *prng, struct value_source *values, bool often_unknown) {
  static const int rare_percents[] = { 0, 0, 0, 10, 25 };
  const unsigned aborted = (unsigned) pick (prng, rare_percents, 5), drawn = (unsigned) pick (prng, rare_percents, 5),
                 unknown = often_unknown ? 40 : drawn;
  const unsigned most_ops = prng_chance (prng, 25) ? prng_between (prng, 1, PLAN_OPS) : PLAN_OPS,
                 put_percent = prng_between (prng, 30, 70);
  // All shapes, or two of them only: a long fork, say, needs writes and reads that stay apart.
  const unsigned one = prng_below (prng, SHAPES), other = prng_below (prng, SHAPES);
  const bool two_shapes = prng_chance (prng, 50);
  for (unsigned t = 0; t < plan->txns; t++) {
    struct plan_txn *txn = &plan->txn[t];
    const unsigned shape = !two_shapes ? prng_below (prng, SHAPES) : prng_chance (prng, 50) ? one : other;
    txn->session = prng_below (prng, plan->sessions);
    txn->status = prng_chance (prng, aborted) ? TXN_ABORTED : prng_chance (prng, unknown) ? TXN_UNKNOWN : TXN_COMMITTED;
    plan_txn_ops (plan, txn, prng, values, (enum txn_shape) shape, most_ops, put_percent);
  }
}

static void plan_initial (struct plan *plan, struct prng *prng, struct value_source *values) {
  const unsigned kind = prng_below (prng, 6);
  plan->init = kind < 2 ? INIT_ABSENT : kind < 4 ? INIT_DEFAULT : kind == 4 ? INIT_ANY : INIT_ABSENT;
  plan->initial_default = plan->init == INIT_DEFAULT ? draw_value (values, prng) : PLAN_ABSENT;
  for (unsigned key = 0; key < plan->keys; key++) {
    plan->mapped[key] = (kind == 3 || kind == 5) && prng_chance (prng, 60);
    plan->initial[key] = plan->initial_default;
    if (plan->mapped[key] || plan->init == INIT_ANY)
      plan->initial[key] = prng_chance (prng, 30) ? PLAN_ABSENT : draw_value (values, prng);
  }
}

// Reads without a result.
static void plan_unrecorded (struct plan *plan, struct prng *prng) {
  const unsigned unrecorded = prng_chance (prng, 15) ? 20 : 0;
  for (unsigned t = 0; t < plan->txns; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++)
      if (!plan->txn[t].op[o].wrote && prng_chance (prng, unrecorded))
        plan->txn[t].op[o].value = PLAN_UNRECORDED;
}

// Operations that lock, among all that read; the kinds of all operations are settled.
static void plan_locks (struct plan *plan, struct prng *prng) {
  const unsigned locks = prng_chance (prng, 25) ? 50 : 0;
  for (unsigned t = 0; t < plan->txns; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++) {
      struct plan_op *op = &plan->txn[t].op[o];
      if (op->kind != OP_PUT && op->kind != OP_APPEND && prng_chance (prng, locks))
        op->flags |= prng_chance (prng, 50) ? OP_LOCK_UPDATE : OP_LOCK_SHARE;
    }
}

// What a read drawn at random returns: mostly something that was written to the key.
static int random_read (const struct plan *plan, struct prng *prng, unsigned reader, unsigned key) {
  int found[1 + PLAN_TXNS * PLAN_OPS];
  unsigned count = 0;
  found[count++] = plan->initial[key];
  for (unsigned t = 0; t < plan->txns; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++)
      if (plan->txn[t].op[o].wrote && plan->txn[t].op[o].key == key && (t != reader || prng_chance (prng, 20))
          && (plan->txn[t].status != TXN_ABORTED || prng_chance (prng, 10)))
        found[count++] = plan_written (&plan->txn[t].op[o]);
  return prng_chance (prng, 2) ? PLAN_ABSENT : prng_chance (prng, 1) ? 99 : pick (prng, found, count);
}

static void fill_at_random (struct plan *plan, struct prng *prng) {
  const unsigned own = prng_chance (prng, 80) ? 100 : 50;
  for (unsigned t = 0; t < plan->txns; t++) {
    struct plan_txn *txn = &plan->txn[t];
    for (unsigned o = 0; o < txn->ops; o++) {
      struct plan_op *op = &txn->op[o];
      if (op->kind == OP_PUT || op->kind == OP_APPEND || op->value == PLAN_UNRECORDED)
        continue;
      if (op->kind != OP_GET) {
        mixture_fill (plan, prng, t, o, random_read);
        continue;
      }
      op->value = random_read (plan, prng, t, op->key);
      for (unsigned before = 0; before < o; before++)
        if (txn->op[before].wrote && txn->op[before].key == op->key && prng_chance (prng, own))
          op->value = plan_written (&txn->op[before]);
    }
    txn->begin = (int64_t) (4 * t + prng_below (prng, 12));
    txn->end = txn->begin + prng_below (prng, 12);
  }
}

// Times as recorded: none, all or some of them; coarse clocks make ties; a few histories have
// clocks that mean nothing.
static void distort_times (struct plan *plan, struct prng *prng) {
  static const int kept_percents[] = { 0, 100, 100, 70 };
  const unsigned kept = (unsigned) pick (prng, kept_percents, 4);
  const int64_t unit = prng_chance (prng, 50) ? 1 : prng_between (prng, 2, 6);
  const bool scrambled = prng_chance (prng, 6);
  const int64_t origin = prng_chance (prng, 80) ? 100 : -20;
  for (unsigned t = 0; t < plan->txns; t++) {
    struct plan_txn *txn = &plan->txn[t];
    if (scrambled) {
      txn->begin = prng_below (prng, 20);
      txn->end = txn->begin + prng_below (prng, 10);
    }
    txn->begin = prng_chance (prng, kept) ? origin + txn->begin / unit : TIME_NONE_BEGIN;
    txn->end = prng_chance (prng, kept) ? origin + txn->end / unit : TIME_NONE_END;
  }
}

static void check (bool fine, const char *why) {
  if (!fine)
    misuse ("random_history", why);
}

// A key, one of its neighbours, or PLAN_UNBOUNDED.
static uint32_t told_key (const struct plan *plan, struct history *h, int key) {
  static const char *const names[] = { "w", "x", "y", "z", "zz", "zzz" }; // from -1 on
  const char *why = "key";
  if (key == PLAN_UNBOUNDED)
    return KEY_NONE;
  const char *name = names[key + 1];
  const uint32_t told =
    history_key (h, plan->byte_keys ? atom_bytes (name, strlen (name)) : atom_signed (key - 1), &why);
  check (told != KEY_NONE, why);
  return told;
}

static uint32_t told_value (const struct plan *plan, struct history *h, int value) {
  const char *why = "value";
  if (value == PLAN_ABSENT || value == PLAN_UNRECORDED)
    return value == PLAN_ABSENT ? VALUE_ABSENT : VALUE_UNRECORDED;
  char text[16];
  const size_t length = (size_t) snprintf (text, sizeof text, "v%d", value);
  const uint32_t told = history_value (h, plan->byte_values ? atom_bytes (text, length) : atom_signed (value), &why);
  check (told < VALUE_UNRECORDED, why);
  return told;
}

static void tell_initial (const struct plan *plan, struct history *h) {
  const char *why = "";
  h->init = plan->init;
  if (plan->init == INIT_DEFAULT)
    h->init_default = told_value (plan, h, plan->initial_default);
  for (unsigned key = 0; key < plan->keys; key++)
    if (plan->mapped[key])
      check (history_set_init_key (h, told_key (plan, h, (int) key), told_value (plan, h, plan->initial[key]), &why),
             why);
}

static uint32_t told_items (const struct plan *plan, struct history *h, const struct plan_op *op) {
  const char *why = "";
  const bool is_list = op->kind == OP_LIST;
  const uint32_t low = is_list ? KEY_NONE : told_key (plan, h, op->low),
                 high = is_list ? KEY_NONE : told_key (plan, h, op->high), range = history_open_range (h, low, high);
  for (unsigned i = 0; i < op->items; i++) {
    const uint32_t key = is_list ? KEY_NONE : told_key (plan, h, op->item[i].key);
    check (history_add_item (h, key, told_value (plan, h, op->item[i].value), &why), why);
  }
  return range;
}

static void tell_inc (const struct plan *plan, struct history *h, const struct plan_op *op) {
  const char *why = "inc";
  const uint32_t key = told_key (plan, h, (int) op->key), by = history_value (h, atom_signed (op->by), &why);
  const uint32_t result = op->value == PLAN_UNRECORDED ? VALUE_UNRECORDED
                          : op->odd                    ? history_value (h, atom_bytes ("odd", 3), &why)
                                                       : told_value (plan, h, op->written);
  check (history_add_inc (h, op->flags, key, by, result, &why), why);
}

static void tell_op (const struct plan *plan, struct history *h, const struct plan_op *op) {
  const bool unrecorded = op->value == PLAN_UNRECORDED;
  const char *why = "";
  uint32_t key = told_key (plan, h, (int) op->key), value = VALUE_NONE, aux = AUX_NONE;
  switch (op->kind) {
  case OP_INC: tell_inc (plan, h, op); break;
  case OP_SCAN:
  case OP_ITER: key = KEY_NONE; // fall through
  case OP_LIST:
    aux = unrecorded && op->kind == OP_LIST ? AUX_NONE : told_items (plan, h, op);
    value = unrecorded ? VALUE_UNRECORDED : op->kind == OP_LIST && !op->items ? VALUE_ABSENT : VALUE_NONE;
    break;
  case OP_DEL: break;
  case OP_CAS: aux = told_value (plan, h, op->written); // fall through
  default: value = told_value (plan, h, op->value); break;
  }
  if (op->kind != OP_INC)
    check (history_add_op (h, op->kind, op->flags, key, value, aux, &why), why);
  if (op->timed)
    history_set_op_times (h, op->begin, op->end);
}

static struct history *tell (const struct plan *plan) {
  struct history *h = history_new ("random");
  const char *why = "";
  tell_initial (plan, h);
  for (unsigned t = 0; t < plan->txns; t++) {
    const struct plan_txn *txn = &plan->txn[t];
    const struct txn_header header = {
      .session = txn->session + 1, .status = txn->status, .begin = txn->begin, .end = txn->end
    };
    check (history_begin_txn (h, &header, &why), why);
    for (unsigned o = 0; o < txn->ops; o++)
      tell_op (plan, h, &txn->op[o]);
  }
  if (plan->incomplete)
    history_mark_incomplete (h, "something is left out");
  history_finish (h);
  return h;
}

static void leave_out_some (struct plan *plan, struct prng *prng) {
  const unsigned percent = prng_between (prng, 10, 60);
  unsigned kept = 0;
  for (unsigned t = 0; t < plan->txns; t++)
    if (!prng_chance (prng, percent))
      plan->txn[kept++] = plan->txn[t];
  plan->txns = kept;
  plan->incomplete = true;
}

static void choose_options (struct prng *prng, struct brute_options *options) {
  brute_options_default (options);
  if (prng_chance (prng, 40))
    options->own_writes = (enum brute_own_writes) prng_between (prng, BRUTE_OWN_EXTERNAL, BRUTE_OWN_INFER);
  if (prng_chance (prng, 15))
    options->clock_skew = prng_between (prng, 1, 6);
}

// The number of transactions and of keys; not every one needs to be used.
static void choose_size (struct plan *plan, struct prng *prng, const struct random_mixture *mixture) {
  enum { BASIC_KEYS = 3, MIXED_TXNS = 6 };
  plan->txns = prng_chance (prng, 20) ? prng_between (prng, 1, PLAN_TXNS) : prng_between (prng, 4, PLAN_TXNS);
  plan->sessions =
    prng_chance (prng, 20) ? prng_between (prng, 1, PLAN_SESSIONS) : prng_between (prng, 3, PLAN_SESSIONS);
  plan->keys = prng_chance (prng, 25) ? 1 : prng_between (prng, 2, BASIC_KEYS);
  if (mixture->ops == RANDOM_BASIC)
    return;
  if (plan->txns > MIXED_TXNS)
    plan->txns = prng_between (prng, 2, MIXED_TXNS);
  if (prng_chance (prng, 10))
    plan->keys = PLAN_KEYS;
}

struct history *random_history_of (uint64_t seed, uint64_t index, const struct random_mixture *mixture,
                                   struct brute_options *options) {
  struct prng prng = prng_fork (seed, index);
  struct plan plan;
  memset (&plan, 0, sizeof plan);
  choose_size (&plan, &prng, mixture);
  plan.byte_keys = prng_chance (&prng, 50);
  plan.byte_values = prng_chance (&prng, 25);
  struct value_source values = { prng_chance (&prng, 55) ? 0 : prng_between (&prng, 1, 4), 1 };
  plan_txns (&plan, &prng, &values, mixture->often_unknown);
  plan_initial (&plan, &prng, &values);
  plan_unrecorded (&plan, &prng);
  if (mixture->ops == RANDOM_ALL) {
    struct prng own = prng_fork (~seed, index);
    mixture_of_all (&plan, &prng);
    mixture_of_incs (&plan, &own);
  } else if (mixture->ops == RANDOM_LISTS)
    mixture_of_lists (&plan, &prng);
  plan_locks (&plan, &prng);
  if (prng_chance (&prng, mixture->often_unknown ? 40 : 25))
    fill_at_random (&plan, &prng);
  else
    plan_simulate (&plan, &prng);
  if (mixture->ops == RANDOM_ALL)
    mixture_of_open_iterators (&plan, &prng);
  distort_times (&plan, &prng);
  choose_options (&prng, options);
  if (mixture->incomplete)
    leave_out_some (&plan, &prng);
  return tell (&plan);
}

struct history *random_history (uint64_t seed, uint64_t index, struct brute_options *options) {
  return random_history_of (seed, index, &(struct random_mixture){ .ops = RANDOM_BASIC }, options);
}
