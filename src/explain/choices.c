// What is open in a model, the ways to decide it, and how far each would lead.

#include "explain/small_model.h"

#include "asg/asg.h"
#include "base/sort.h"
#include "history/history.h"

void *model_save (const struct small_model *w) {
  return memcpy (mem_alloc (w->decided_bytes), w->decided, w->decided_bytes);
}

void model_go_back (struct small_model *w, const void *saved) {
  memcpy (w->decided, saved, w->decided_bytes);
  model_make_edges (w);
}

// ---------------------------------------------------------------------------------------- deciding

void model_assume (struct small_model *w, const struct alternative *c) {
  if (c->kind == CASE_ORDER)
    model_decide_pair (model_pair_of (w, c->first, c->then), c->first, WHY_ASSUMED);
  else if (c->kind == CASE_SOURCE) {
    w->source[c->read] = c->source;
    if (c->source != SOURCE_INITIAL)
      model_take_from (w, c->source);
  } else if (c->kind == CASE_DELETE)
    w->unrecorded[c->unrecorded] = c->wrote ? UNRECORDED_WROTE : UNRECORDED_WROTE_NOTHING;
  model_make_edges (w);
  model_decide_plain_pairs (w);
}

// A read that nothing explains: of an unknown transaction that cannot have taken place, or of a key
// that was never absent.
uint32_t model_orphan (const struct small_model *w) {
  source_vec sources = VEC_EMPTY;
  uint32_t orphan = READ_NONE;
  for (uint32_t read = 0; read < w->asg->reads && orphan == READ_NONE; read++) {
    uint32_t reader;
    if (!model_reads (w, read, &reader) || (w->source[read] != SOURCE_OPEN && w->source[read] != SOURCE_NONE))
      continue;
    model_candidates (w, read, &sources);
    if (!sources.count)
      orphan = read;
  }
  VEC_FREE (sources);
  return orphan;
}

// Adds the alternatives of a choice that is open.
static void alternatives_of_pair (const struct model_pair *pair, uint32_t key, alternative_vec *found) {
  VEC_PUSH (*found, (struct alternative){ CASE_ORDER, key, .first = pair->a, .then = pair->b });
  VEC_PUSH (*found, (struct alternative){ CASE_ORDER, key, .first = pair->b, .then = pair->a });
}

static void alternatives_of_read (const struct small_model *w, uint32_t read, alternative_vec *found) {
  source_vec sources = VEC_EMPTY;
  model_candidates (w, read, &sources);
  for (size_t i = 0; i < sources.count; i++)
    VEC_PUSH (*found,
              (struct alternative){ CASE_SOURCE, w->asg->read_key[read], .read = read, .source = sources.data[i] });
  VEC_FREE (sources);
}

static void alternatives_of_delete (const struct small_model *w, uint32_t unrecorded, alternative_vec *found) {
  const uint32_t key = w->asg->unrecorded.data[unrecorded].key;
  for (int wrote = 0; wrote < 2; wrote++)
    VEC_PUSH (*found, (struct alternative){ CASE_DELETE, key, .unrecorded = unrecorded, .wrote = wrote });
}

// --------------------------------------------------------------------------------------- foresight

static uint32_t kind_rank (enum case_kind kind) {
  return kind == CASE_SOURCE ? 0 : kind == CASE_DELETE ? 1 : 2;
}

// The choice at hand as one of the list; alternatives that end at once come first. They are used
// up.
static void add_choice (struct small_model *w, const void *here, alternative_vec *alternatives, struct choices *found) {
  struct open_choice choice = { .first = (uint32_t) found->alternatives.count,
                                .count = (uint32_t) alternatives->count,
                                .kind_rank = alternatives->count ? kind_rank (alternatives->data[0].kind) : 0 };
  circle_edge_vec circle = VEC_EMPTY;
  uint8_t *ends = MEM_ZARRAY (uint8_t, alternatives->count);
  for (size_t i = 0; i < alternatives->count; i++) {
    model_assume (w, &alternatives->data[i]);
    ends[i] = model_find_circle (w, &circle) || model_orphan (w) != READ_NONE;
    choice.open += !ends[i];
    choice.edges += (uint32_t) circle.count;
    model_go_back (w, here);
  }
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; i < alternatives->count; i++)
      if (ends[i] != last)
        VEC_PUSH (found->alternatives, alternatives->data[i]);
  alternatives->count = 0;
  mem_free (ends);
  VEC_FREE (circle);
  VEC_PUSH (found->list, choice);
}

// Where an alternative ends at once, the fewer are left the better. Else sources come first: orders
// of writers mean little until somebody reads.
static uint32_t promise (const struct open_choice *choice) {
  return choice->open < choice->count ? choice->open : 1u << (28 + choice->kind_rank);
}

static int by_promise (const void *a, const void *b) {
  const struct open_choice *x = a, *y = b;
  const uint64_t first = (uint64_t) promise (x) << 32 | x->edges, second = (uint64_t) promise (y) << 32 | y->edges;
  return first != second ? COMPARE (first, second) : COMPARE (x->first, y->first);
}

void choices_find (struct small_model *w, const void *here, uint64_t most_work, struct choices *found) {
  const struct asg *asg = w->asg;
  alternative_vec tried = VEC_EMPTY;
  for (size_t i = 0; i < w->pair_count && w->work < most_work; i++) {
    const struct model_pair *pair = &w->pairs[i];
    const uint32_t key = pair->state == PAIR_OPEN ? model_pair_key (w, pair) : KEY_NONE;
    if (key == KEY_NONE)
      continue;
    alternatives_of_pair (pair, key, &tried);
    add_choice (w, here, &tried, found);
  }
  for (uint32_t read = 0; read < asg->reads && w->work < most_work; read++) {
    uint32_t reader;
    if (!model_reads (w, read, &reader) || w->source[read] != SOURCE_OPEN)
      continue;
    alternatives_of_read (w, read, &tried);
    add_choice (w, here, &tried, found);
  }
  for (uint32_t unrecorded = 0; unrecorded < asg->unrecorded.count && w->work < most_work; unrecorded++) {
    if (w->unrecorded[unrecorded] != UNRECORDED_OPEN || !w->in[asg->unrecorded.data[unrecorded].node])
      continue;
    alternatives_of_delete (w, unrecorded, &tried);
    add_choice (w, here, &tried, found);
  }
  VEC_FREE (tried);
  VEC_SORT (found->list, by_promise);
}

void choices_free (struct choices *choices) {
  VEC_FREE (choices->list);
  VEC_FREE (choices->alternatives);
}
