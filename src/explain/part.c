#include "explain/part.h"

#include "explain/cases_words.h"
#include "explain/core.h"
#include "explain/core_levels.h"
#include "explain/deeds.h"
#include "explain/met.h"
#include "explain/words.h"
#include "history/effects.h"
#include "levels/levels.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------------------ the cases

static struct cycle_edge edge_for_programs (const struct cases *c, const struct case_edge *edge, bool elsewhere) {
  const struct scene *scene = c->scene;
  words why = VEC_EMPTY;
  words_case_edge (&why, c, edge, elsewhere);
  return (struct cycle_edge){ .from = scene->history->txn_ids.data[scene->asg->node_txn[edge->edge.from]],
                              .to = scene->history->txn_ids.data[scene->asg->node_txn[edge->edge.to]],
                              .type = circle_edge_name (edge->edge.kind, edge->edge.predicate),
                              .key = edge->edge.key,
                              .why = words_take (&why) };
}

static void add_circle (const struct cases *c, const struct one_case *leaf, bool elsewhere, cycle_edge_vec *cycle) {
  for (uint32_t i = 0; i < leaf->edges; i++)
    VEC_PUSH (*cycle, edge_for_programs (c, &c->edges.data[leaf->first_edge + i], elsewhere));
}

// The circle of the last leaf stands for all: there the other alternatives are refuted already.
static void adopt_cases (struct check_result *result, const struct cases *c) {
  cycle_edges_free (&result->cycle);
  add_circle (c, &c->all.data[cases_last_leaf (c)], true, &result->cycle);
  for (uint32_t i = 0; i < c->all.count && !c->plain; i++) {
    if (!case_is_leaf (&c->all.data[i]))
      continue;
    words w = VEC_EMPTY;
    words_assumptions (&w, c, i);
    struct cycle_case one = { .assumption = words_take (&w) };
    add_circle (c, &c->all.data[i], false, &one.cycle);
    VEC_PUSH (result->cases, one);
  }
  if (c->anomaly.class) {
    result->anomaly = c->anomaly.class;
    result->anomaly_name = c->anomaly.name;
  }
  words w = VEC_EMPTY;
  words_cases (&w, c);
  mem_free (result->explanation);
  result->explanation = words_take (&w);
}

// ------------------------------------------------------------------------------------------------------------------ the words

static void words_levels (words *w, const char *title, const level_name_vec *names) {
  if (!names->count)
    return;
  words_add (w, "%s:", title);
  for (size_t i = 0; i < names->count; i++)
    words_add (w, "%s %s", i ? "," : "", names->data[i]);
  words_add (w, "\n");
}

static void mark_ids (const struct history *part, const cycle_edge_vec *edges, uint8_t *which) {
  for (uint32_t t = 0; t < history_txns (part); t++)
    for (size_t i = 0; i < edges->count; i++)
      which[t] |= edges->data[i].from == part->txn_ids.data[t] || edges->data[i].to == part->txn_ids.data[t];
}

static uint8_t *txns_in_circles (const struct check_result *result, const struct history *part) {
  uint8_t *which = MEM_ZARRAY (uint8_t, history_txns (part));
  mark_ids (part, &result->cycle, which);
  for (size_t i = 0; i < result->cases.count; i++)
    mark_ids (part, &result->cases.data[i].cycle, which);
  return which;
}

// Of a large part, those that the circles go through.
static uint8_t *txns_to_tell (const struct check_result *result, const struct history *part) {
  enum { FEW = 12 };
  return history_txns (part) <= FEW || !result->cycle.count ? NULL : txns_in_circles (result, part);
}

static void put_into_words (struct check_result *result, const struct history *part, const struct history *whole) {
  words w = VEC_EMPTY;
  const char *about = anomaly_about (result->anomaly_name);
  uint8_t *which = txns_to_tell (result, part);
  if (about)
    words_add (&w, "In short: %s.\n", about);
  if (history_txns (part) < history_txns (whole) || which)
    words_add (&w, "The smallest part found that is invalid by itself, %" PRIu32 " of %" PRIu32 " transactions%s:\n",
               history_txns (part), history_txns (whole), which ? "; of these, those in a circle" : "");
  else
    words_add (&w, "What happened:\n");
  words_deeds (&w, part, which);
  words_add (&w, "%s", result->explanation ? result->explanation : "");
  words_levels (&w, "Weakest levels that this breaks", &result->violated);
  words_levels (&w, "Strongest levels that it keeps", &result->holding);
  mem_free (which);
  mem_free (result->explanation);
  result->explanation = words_take (&w);
}

// Where no circles could be told: cursor stability is what it is to have no lost updates.
static void name_by_levels (struct check_result *result) {
  for (size_t i = 0; i < result->violated.count && !result->anomaly_name; i++)
    if (!strcmp (result->violated.data[i], "cursor-stability"))
      result->anomaly_name = "lost-update";
}

static bool writes (const struct history *h, uint64_t id) {
  uint32_t t = 0;
  while (t < history_txns (h) && h->txn_ids.data[t] != id)
    t++;
  for (uint32_t op = h->txn_first_op.data[t]; t < history_txns (h) && op < h->txn_first_op.data[t + 1]; op++)
    if (effects_value_written (h, op) != VALUE_NONE)
      return true;
  return false;
}

// Who writes nothing in the part may have written something in the whole that is left out: then it is no anomaly of readers.
static void name_by_whole (struct check_result *result, const struct history *part, const struct history *whole) {
  if (!result->anomaly_name || strcmp (result->anomaly_name, "read-only-anomaly"))
    return;
  uint8_t *which = txns_in_circles (result, part);
  bool has_reader = false;
  for (uint32_t t = 0; t < history_txns (part); t++)
    has_reader |= which[t] && !writes (whole, part->txn_ids.data[t]);
  mem_free (which);
  if (!has_reader)
    result->anomaly_name = "write-skew";
}

static void name_core (struct check_result *result, const struct history *part) {
  result->core.count = 0;
  for (uint32_t t = 0; t < history_txns (part); t++)
    VEC_PUSH (result->core, part->txn_ids.data[t]);
}

// ------------------------------------------------------------------------------------------------------- back to the whole

static uint32_t key_in (const struct history *h, const struct history *part, uint32_t key) {
  if (key == KEY_NONE)
    return KEY_NONE;
  const struct atom atom = atoms_get (&part->keys, key);
  for (uint32_t k = 0; k < history_keys (h); k++)
    if (!atom_compare (atoms_get (&h->keys, k), atom))
      return k;
  return KEY_NONE;
}

static void copy_cycle (cycle_edge_vec *to, const cycle_edge_vec *from, const struct history *h,
                        const struct history *part) {
  for (size_t i = 0; i < from->count; i++) {
    struct cycle_edge edge = from->data[i];
    edge.key = key_in (h, part, edge.key);
    edge.why = mem_strdup (edge.why);
    VEC_PUSH (*to, edge);
  }
}

void tell_of_whole (struct check_result *result, const struct history *h, const struct explained_part *part) {
  const struct check_result *found = part->result;
  check_result_forget (result);
  result->anomaly = found->anomaly;
  result->anomaly_name = found->anomaly_name;
  result->explanation = mem_strdup (found->explanation);
  copy_cycle (&result->cycle, &found->cycle, h, part->history);
  copy_cycle (&result->beside, &found->beside, h, part->history);
  for (size_t i = 0; i < found->cases.count; i++) {
    struct cycle_case one = { .assumption = mem_strdup (found->cases.data[i].assumption) };
    copy_cycle (&one.cycle, &found->cases.data[i].cycle, h, part->history);
    VEC_PUSH (result->cases, one);
  }
  for (size_t i = 0; i < found->core.count; i++)
    VEC_PUSH (result->core, found->core.data[i]);
  result->parts.count = 0;
  for (size_t i = 0; i < found->parts.count; i++)
    VEC_PUSH (result->parts, found->parts.data[i]);
  for (size_t i = 0; i < found->violated.count; i++)
    VEC_PUSH (result->violated, found->violated.data[i]);
  for (size_t i = 0; i < found->holding.count; i++)
    VEC_PUSH (result->holding, found->holding.data[i]);
}

// --------------------------------------------------------------------------------------------------------------------- the search

static enum own_writes policy_named (const char *name) {
  const enum own_writes policies[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY };
  for (size_t i = 0; name && i < sizeof policies / sizeof *policies; i++)
    if (!strcmp (own_writes_name (policies[i]), name))
      return policies[i];
  return OWN_MUST;
}

// In reads, versions and transactions looked at. The first steps look at the whole for each part.
enum { MOST_WORK = 1000000 };

static struct history *find_core (const struct check_result *result, const struct history *h,
                                  const struct check_options *options, const struct part_limits *limits) {
  if (limits->bounded && history_ops (h) > 2 * MOST_WORK)
    return NULL;
  struct budget budget;
  budget_start_until (&budget, limits->deadline, limits->memory, limits->stop);
  if (limits->bounded)
    budget_limit_work (&budget, MOST_WORK);
  struct check_options search = *options;
  search.budget = &budget;
  return core_find (h, &search, result);
}

struct check_options options_of_part (const struct check_result *whole, const struct check_options *options) {
  struct check_options alone;
  check_options_default (&alone);
  alone.level = level_find (whole->level);
  alone.own_writes = policy_named (whole->own_writes);
  alone.clock_skew = options->clock_skew;
  alone.dialect = options->dialect;
  alone.trust_commit_ts = options->trust_commit_ts;
  alone.threads = 1;
  return alone;
}

// True: its circles are told.
static bool tell_cases (struct explained_part *part, const struct check_options *alone) {
  part->result = check_history (part->history, alone);
  // Cases are told of the history as it is: a dialect's parts and the facts of hints are none of their business.
  const bool plain = !part->result->dialect && !part->result->hint_facts;
  struct cases *cases = plain ? cases_find (part->history, alone) : NULL;
  if (cases)
    adopt_cases (part->result, cases);
  name_core (part->result, part->history);
  const bool told = cases != NULL;
  cases_free (cases);
  return told;
}

void explain_core (struct explained_part *part, const struct history *whole, const struct check_options *alone) {
  tell_cases (part, alone);
  name_by_whole (part->result, part->history, whole);
}

struct explained_part explain_part (struct check_result *result, const struct history *h,
                                    const struct check_options *options, const struct part_limits *limits) {
  const double start = clock_seconds ();
  struct explained_part part = { NULL, NULL };
  if (result->verdict != VERDICT_INVALID)
    return part;
  const struct check_options alone = options_of_part (result, options);
  part.history = options->module_count ? NULL : find_core (result, h, &alone, limits);
  if (part.history) {
    const bool told = tell_cases (&part, &alone);
    core_levels (part.history, &alone, part.result);
    if (!told)
      name_by_levels (part.result);
    name_by_whole (part.result, part.history, h);
    put_into_words (part.result, part.history, h);
    tell_of_whole (result, h, &part);
  }
  result->others = count_others (result);
  const double seconds = clock_seconds () - start;
  result->seconds.explain += seconds;
  result->seconds.total += seconds;
  return part;
}

void explained_part_free (struct explained_part *part) {
  check_result_free (part->result);
  history_free (part->history);
  *part = (struct explained_part){ NULL, NULL };
}
