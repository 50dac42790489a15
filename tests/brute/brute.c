// The enumeration of worlds: which deletes without a recorded result wrote, who took place, then
// initial values, then what each read read from, then the order of versions.
//
// Two shortcuts are taken, both of which lose nothing. A level that some world has satisfied is not
// asked again. And every level proscribes a cycle of ww and wr (those that ignore reads or version
// orders: of what is left) together with the session order and the real-time order that it has, so
// that a partial choice with a cycle that all levels still open proscribe is given up.

#include "brute.h"
#include "excuses.h"

#include "judge.h"
#include "lists.h"

#include <string.h>

struct search {
  const struct brute_options *options;
  struct world world;
  uint32_t initial[STORY_KEYS];
  uint64_t without_reads, of_reads, of_all; // levels by stage
  uint64_t open;                            // levels that no world has satisfied yet
  uint64_t worlds, most_worlds;
  bool ignore_reads;
  const struct brute_hints *hints;
  bool sees_own; // the own-write policy lets reads see own writes
  struct brute_capture *capture;
};

static bool finished (const struct search *s) {
  return !s->open || s->worlds > s->most_worlds;
}

static void capture_orders (const struct world *w, struct brute_hints *to) {
  for (unsigned key = 0; key < w->story->keys && to->orders < BRUTE_HINT_ORDERS; key++) {
    to->order[to->orders].key = key;
    to->order[to->orders].count = 0;
    for (unsigned i = 1; i < w->versions[key]; i++)
      to->order[to->orders].node[to->order[to->orders].count++] = w->order[key][i];
    to->orders++;
  }
}

static void capture_sources (const struct world *w, struct brute_hints *to) {
  for (unsigned r = 0; r < w->story->reads && to->sources < BRUTE_HINT_SOURCES; r++) {
    const struct story_read *read = &w->story->read[r];
    if (w->source[r] == READ_IGNORED)
      continue;
    to->source[to->sources].reader = read->reader;
    to->source[to->sources].operation = read->operation;
    to->source[to->sources].key = read->key;
    to->source[to->sources++].source = w->source[r] == READ_OWN ? read->reader : w->source[r];
  }
}

static void capture (struct search *s, unsigned level) {
  struct brute_capture *to = s->capture;
  if (!to || to->level != level || to->found)
    return;
  to->found = true;
  to->world.orders = to->world.sources = 0;
  if (!(s->of_reads >> level & 1))
    capture_orders (&s->world, &to->world);
  if (!s->ignore_reads)
    capture_sources (&s->world, &to->world);
}

static void judge_chosen (struct search *s, uint64_t levels) {
  for (uint64_t left = s->open & levels; left; left &= left - 1) {
    const unsigned level = (unsigned) __builtin_ctzll (left);
    if (!judge_level (&s->world, level))
      continue;
    s->open &= ~((uint64_t) 1 << level);
    capture (s, level);
  }
}

static bool condition_holds (const struct world *w, const struct brute_condition *condition) {
  for (unsigned r = 0; r < w->story->reads; r++) {
    const struct story_read *read = &w->story->read[r];
    if (read->reader == condition->reader + 1 && read->operation == condition->operation && read->key == condition->key)
      return w->source[r] == (condition->writer == UINT32_MAX ? 0 : condition->writer + 1);
  }
  return false;
}

static void add_alternative (struct world *w, const struct brute_alternative *alternative) {
  for (unsigned i = 0; i < alternative->edges; i++) {
    const unsigned from = alternative->edge[i].from + 1, to = alternative->edge[i].to + 1;
    if (w->in & node_bit (from) && w->in & node_bit (to))
      relation_add (&w->given, from, to);
  }
}

// One alternative of each constraint whose conditions hold, from this one on.
static void choose_alternatives (struct search *s, uint64_t levels, unsigned number) {
  if (number == s->options->constraint_count) {
    judge_chosen (s, levels);
    return;
  }
  const struct brute_constraint *constraint = &s->options->constraints[number];
  bool holds = true;
  for (unsigned i = 0; i < constraint->conditions; i++)
    holds = holds && condition_holds (&s->world, &constraint->condition[i]);
  if (!holds) {
    choose_alternatives (s, levels, number + 1);
    return;
  }
  for (unsigned i = 0; i < constraint->alternatives; i++) {
    const struct relation given = s->world.given;
    add_alternative (&s->world, &constraint->alternative[i]);
    choose_alternatives (s, levels, number + 1);
    s->world.given = given;
  }
}

static void judge (struct search *s, uint64_t levels) {
  s->worlds++;
  s->world.given = relation_none ();
  if (!s->options->accepts || s->options->accepts (&s->world, s->options->context))
    choose_alternatives (s, levels, 0);
}

static void choose_order (struct search *s, unsigned key, const struct relation *before);

// Extends the version order of `key`, of which the installers in `left` are not placed yet. One
// that must come after another of them cannot be next.
static void choose_next_version (struct search *s, unsigned key, node_set left, const struct relation *before) {
  struct world *w = &s->world;
  if (!left) {
    struct relation edges = *before;
    for (unsigned i = 1; i < w->versions[key]; i++)
      relation_add (&edges, w->order[key][i - 1], w->order[key][i]);
    edges = relation_paths (edges);
    choose_order (s, key + 1, &edges);
    return;
  }
  for (node_set rest = left; rest && !finished (s); rest &= rest - 1) {
    const unsigned next = (unsigned) __builtin_ctz (rest);
    bool waits = false;
    for (node_set others = left & ~node_bit (next); others; others &= others - 1)
      waits |= relation_has (before, (unsigned) __builtin_ctz (others), next);
    if (waits)
      continue;
    w->order[key][w->versions[key]++] = next;
    choose_next_version (s, key, left & ~node_bit (next), before);
    w->versions[key]--;
  }
}

// The version orders of `key` and later keys. `before` is the transitive closure of wr, of ww on
// earlier keys and of what all open levels have.
static void choose_order (struct search *s, unsigned key, const struct relation *before) {
  struct world *w = &s->world;
  if (key == w->story->keys) {
    judge_add_edges (w);
    judge (s, s->ignore_reads ? s->without_reads : s->of_all);
    return;
  }
  node_set installers = 0;
  for (unsigned node = 1; node < w->story->nodes; node++)
    if (w->in & node_bit (node) && w->story->txns[node].versions[key].installed)
      installers |= node_bit (node);
  w->order[key][0] = 0;
  w->versions[key] = 1;
  choose_next_version (s, key, installers, before);
}

static bool someone_read_initial (const struct world *w, unsigned key) {
  for (unsigned r = 0; r < w->story->reads; r++)
    if (w->story->read[r].key == key && w->source[r] == 0)
      return true;
  return false;
}

// An initial value that nobody read is as good as absent, and that world has its turn already.
static bool repeats_a_world (const struct search *s) {
  const struct story *story = s->world.story;
  for (unsigned key = 0; story->any_initial && key < story->keys; key++)
    if (s->initial[key] != VALUE_ABSENT && !someone_read_initial (&s->world, key))
      return true;
  return false;
}

// The closure of wr, of the order that lists tell and of the orders that all open levels of the
// stage have.
static struct relation certain_paths (const struct search *s, uint64_t levels) {
  struct relation common = judge_common_edges (&s->world, s->open & levels);
  common = relation_union (common, &s->world.list_order);
  return relation_paths (relation_union (common, &s->world.wr));
}

static void reads_are_chosen (struct search *s) {
  if (repeats_a_world (s))
    return;
  if (!s->ignore_reads)
    judge (s, s->of_reads);
  const uint64_t levels = s->ignore_reads ? s->without_reads : s->of_all;
  const struct relation before = certain_paths (s, levels);
  if (s->open & levels && relation_irreflexive (&before))
    choose_order (s, 0, &before);
}

// What a hint says about a read: a node, or STORY_NODES if nothing.
static unsigned hinted_source (const struct search *s, unsigned reader, unsigned operation, unsigned key) {
  for (unsigned i = 0; s->hints && i < s->hints->sources; i++)
    if (s->hints->source[i].reader == reader && s->hints->source[i].operation == operation
        && s->hints->source[i].key == key)
      return s->hints->source[i].source;
  return STORY_NODES;
}

static bool is_candidate (const struct search *s, unsigned node, const struct story_read *read) {
  const struct world *w = &s->world;
  if (node == read->reader || !(w->in & node_bit (node)))
    return false;
  if (read->expects == EXPECTS_WRITER)
    return node == read->value;
  const struct story_version *version = &w->story->txns[node].versions[read->key];
  return (!node || version->installed)
         && expectation_met (read->expects, read->value, node ? version->value : s->initial[read->key]);
}

// What read r and later ones read from. `before` is the transitive closure of the wr edges so far
// and of what all open levels have.
static void choose_source (struct search *s, unsigned r, const struct relation *before) {
  struct world *w = &s->world;
  if (finished (s))
    return;
  if (r == w->story->reads) {
    reads_are_chosen (s);
    return;
  }
  const struct story_read *read = &w->story->read[r];
  if (s->ignore_reads || !(w->in & node_bit (read->reader))) {
    w->source[r] = READ_IGNORED;
    choose_source (s, r + 1, before);
    return;
  }
  const unsigned hint = hinted_source (s, read->reader, read->operation, read->key);
  if (read->may_be_own && (hint == STORY_NODES || hint == read->reader)) {
    w->source[r] = READ_OWN;
    choose_source (s, r + 1, before);
  }
  for (unsigned node = 0; node < w->story->nodes; node++) {
    if (hint != STORY_NODES && hint != node)
      continue;
    if (!is_candidate (s, node, read) || relation_has (before, read->reader, node))
      continue;
    const struct relation wr = w->wr;
    struct relation edges = *before;
    relation_add (&w->wr, node, read->reader);
    relation_add (&edges, node, read->reader);
    edges = relation_paths (edges);
    w->source[r] = node;
    choose_source (s, r + 1, &edges);
    w->wr = wr;
  }
}

static void choose_initial (struct search *s, unsigned key);

static void try_initial (struct search *s, unsigned key, uint32_t value) {
  s->initial[key] = value;
  choose_initial (s, key + 1);
}

static bool names_value (const struct story_read *read) {
  return read->expects == EXPECTS_VALUE || read->expects == EXPECTS_ZERO;
}

// The initial values of `key` and later keys: under `any` absent, whatever was read on the key, or
// a value of which only is known that it was there, or that it was not a certain one.
static void choose_initial (struct search *s, unsigned key) {
  const struct story *story = s->world.story;
  if (key == story->keys || !story->any_initial || s->ignore_reads) {
    const struct relation before = certain_paths (s, s->open);
    if (relation_irreflexive (&before))
      choose_source (s, 0, &before);
    return;
  }
  bool somebody_guessed = false;
  try_initial (s, key, VALUE_ABSENT);
  for (unsigned r = 0; r < story->reads && !finished (s); r++) {
    const struct story_read *read = &story->read[r];
    if (read->key != key)
      continue;
    somebody_guessed |= read->expects != EXPECTS_VALUE;
    bool had_its_turn = !names_value (read) || read->value == VALUE_ABSENT;
    for (const struct story_read *earlier = story->read; earlier < read; earlier++)
      had_its_turn |= earlier->key == key && names_value (earlier) && earlier->value == read->value;
    if (!had_its_turn)
      try_initial (s, key, read->value);
  }
  if (somebody_guessed)
    try_initial (s, key, VALUE_NONE);
}

// A read that a hint speaks of and that the story does not tell saw an own write. One that saw an
// own write says that there was one, also where reads are ignored.
static bool own_reads_fit_hints (const struct search *s, node_set in) {
  const struct story *story = s->world.story;
  for (unsigned i = 0; s->hints && i < s->hints->sources; i++) {
    const unsigned reader = s->hints->source[i].reader;
    const bool own = s->hints->source[i].source == reader;
    bool told = false, external = false;
    for (unsigned r = 0; r < story->reads; r++)
      if (story->read[r].reader == reader && story->read[r].operation == s->hints->source[i].operation
          && story->read[r].key == s->hints->source[i].key) {
        told = true;
        external |= !story->read[r].may_be_own;
      }
    if (in & node_bit (reader) && ((!own && !told && !s->ignore_reads) || (own && external && s->sees_own)))
      return false;
  }
  return true;
}

static struct relation hinted_order (const struct search *s, node_set in) {
  struct relation order = relation_none ();
  for (unsigned i = 0; s->hints && i < s->hints->orders; i++) {
    const unsigned key = s->hints->order[i].key, *node = s->hints->order[i].node;
    for (unsigned k = 0; k < s->hints->order[i].count; k++)
      for (unsigned l = k + 1; l < s->hints->order[i].count; l++)
        if (in & node_bit (node[k]) && in & node_bit (node[l]) && s->world.story->txns[node[k]].versions[key].installed
            && s->world.story->txns[node[l]].versions[key].installed)
          relation_add (&order, node[k], node[l]);
  }
  return order;
}

// The transactions in `in` took place, and T0 did.
static void judge_outcome (struct search *s, node_set in) {
  struct world *w = &s->world;
  const struct story *story = w->story;
  for (unsigned node = 1; node < story->nodes; node++)
    if (in & node_bit (node)
        && (story->txns[node].breaks_every_level || (story->txns[node].breaks_reads && !s->ignore_reads)))
      return;
  if (!lists_agree (story, in, s->ignore_reads) || !own_reads_fit_hints (s, in))
    return;
  const struct relation hinted = hinted_order (s, in);
  w->in = in;
  w->list_order = relation_union (lists_order (story, in, s->ignore_reads), &hinted);
  w->so = relation_within (story->session_order, in);
  w->rt = relation_within (story->real_time, in);
  w->wr = relation_none ();
  choose_initial (s, 0);
}

// in(U), for `node` and later ones.
static void choose_outcomes (struct search *s, unsigned node, node_set in) {
  const struct story *story = s->world.story;
  if (finished (s))
    return;
  if (node == story->nodes) {
    judge_outcome (s, in);
    return;
  }
  const enum txn_status status = story->txns[node].status;
  if (status != TXN_COMMITTED)
    choose_outcomes (s, node + 1, in);
  if (status != TXN_ABORTED)
    choose_outcomes (s, node + 1, in | node_bit (node));
}

static void search_all (struct search *s, bool ignore_reads, uint64_t levels) {
  const uint64_t others = s->open & ~levels;
  s->open &= levels;
  s->ignore_reads = ignore_reads;
  choose_outcomes (s, 1, node_bit (0));
  s->open |= others;
}

void brute_options_default (struct brute_options *options) {
  *options = (struct brute_options){ .own_writes = BRUTE_OWN_MUST, .most_worlds = 20000 };
}

static void search_story (struct search *s, const struct story *story) {
  s->world.story = story;
  memcpy (s->initial, story->initial, sizeof s->initial);
  search_all (s, true, s->without_reads);
  search_all (s, false, s->of_reads | s->of_all);
}

bool brute_judge (const struct history *h, const struct brute_options *options, struct brute_verdicts *verdicts) {
  struct story story;
  struct search s;
  struct brute_excuses excuses;
  struct brute_options excusing = *options;
  memset (verdicts, 0, sizeof *verdicts);
  if (!story_tell (&story, h, options, 0, verdicts))
    return false;
  if (story.excusing) {
    excusing.excuses = &excuses;
    options = &excusing;
    verdicts->too_big = !brute_find_excuses (&excuses, h, &(struct brute_options){ .own_writes = options->own_writes })
                        || !story_tell (&story, h, options, 0, verdicts);
    if (verdicts->too_big)
      return false;
  }
  memset (&s, 0, sizeof s);
  s.options = options;
  s.most_worlds = options->most_worlds;
  s.hints = options->hints;
  s.sees_own = options->own_writes != BRUTE_OWN_EXTERNAL;
  s.capture = options->capture;
  s.without_reads = judge_levels_of (JUDGE_WITHOUT_READS);
  s.of_reads = judge_levels_of (JUDGE_READS);
  s.of_all = judge_levels_of (JUDGE_ALL);
  const uint64_t undefined = !story_has_committed (h) ? UINT64_MAX
                             : story.has_times        ? 0
                                                      : judge_levels_that_need_times ();
  s.open = (s.without_reads | s.of_reads | s.of_all) & ~undefined;
  search_story (&s, &story);
  const uint32_t stories = (uint32_t) 1 << story.open_deletes;
  bool untold = false;
  for (uint32_t did_nothing = 1; did_nothing < stories && !finished (&s); did_nothing++)
    if (story_tell (&story, h, options, did_nothing, verdicts))
      search_story (&s, &story);
    else
      untold = true;
  verdicts->worlds = s.worlds;
  verdicts->too_big = untold || s.worlds > s.most_worlds;
  for (unsigned level = 0; level < brute_levels (); level++) {
    const uint64_t bit = (uint64_t) 1 << level;
    verdicts->of[level] = undefined & bit ? BRUTE_UNDEFINED : s.open & bit ? BRUTE_FAILS : BRUTE_HOLDS;
  }
  return !verdicts->too_big;
}
