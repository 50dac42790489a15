// Finding a core. The transactions of the cycle that was found come first; others join them,
// nearest first, twice as many each time, until the part is invalid by itself. What is wrong with
// the part names fewer suspects, with whom the same starts again. In the end whatever can be left
// out is left out, in chunks first and one by one then, transactions first and operations then.
// Every step is a check of the part alone, so nothing has to be believed.

#include "core/core.h"

#include "base/search.h"
#include "base/sort.h"
#include "core/core_index.h"
#include "history/history.h"

static bool is_spent (const struct check_options *options) {
  return options->budget && budget_check (options->budget) != BUDGET_LEFT;
}

bool search_is_spent (const struct search *s) {
  return is_spent (&s->options);
}

static const struct anomaly any_anomaly = { .class = CLASS_NONE };

// What is wrong with the part as it is masked; NULL if it is not invalid, or shows another anomaly.
static struct violation *refute (struct search *s) {
  struct history *part = core_restrict (s->index, &s->mask);
  struct judgement found = s->judge->decide (part, &s->options);
  history_free (part);
  const bool invalid = found.verdict == VERDICT_INVALID;
  const bool wanted = invalid && (!s->anomaly.class || anomaly_is_same (s->anomaly, found.violation->anomaly));
  s->met_another |= invalid && !wanted;
  if (wanted)
    return found.violation;
  violation_free (found.violation);
  return NULL;
}

static bool is_invalid (struct search *s) {
  struct violation *found = refute (s);
  violation_free (found);
  return found != NULL;
}

// ---------------------------------------------------------------------------------------- suspects

// Those of the history with these ids, in ascending order.
static void find_txns (const struct search *s, const uint64_t *ids, size_t count, txn_vec *txns) {
  uint64_t *sorted = sorted_u64 (ids, count);
  for (uint32_t t = 0; count && t < history_txns (s->h); t++)
    if (has_u64 (sorted, count, s->h->txn_ids.data[t]))
      VEC_PUSH (*txns, t);
  mem_free (sorted);
}

void search_find_suspects (const struct search *s, const struct violation *v, txn_vec *suspects) {
  VEC (uint64_t) ids = VEC_EMPTY;
  size_t count, circle;
  const uint64_t *txns = violation_txns (v, &count);
  const struct violation_edge *edges = violation_circle (v, &circle);
  for (size_t i = 0; i < count; i++)
    VEC_PUSH (ids, violation_whole_id (v, txns[i]));
  for (size_t i = 0; i < circle; i++) // each transaction of it is where an edge begins
    if (!edges[i].from.initial)
      VEC_PUSH (ids, violation_whole_id (v, edges[i].from.id));
  find_txns (s, ids.data, ids.count, suspects);
  VEC_FREE (ids);
}

void search_find_txns (const struct search *s, const struct history *part, txn_vec *txns) {
  find_txns (s, part->txn_ids.data, part->txn_ids.count, txns);
}

// ----------------------------------------------------------------------------------------- growing

// The smallest part around the suspects, among those tried, that is invalid by itself; what is
// wrong with it. NULL: none with less than `most` transactions, of parts with `first`, twice as
// many and so on. A part that shows another anomaly is not taken while parts are small enough for a
// few more to cost nothing, and never if `same`.
static struct violation *grow_from (struct search *s, const uint8_t *within, const txn_vec *suspects, size_t first,
                                    size_t most, bool same) {
  enum { FEW = 512 };
  txn_vec another = VEC_EMPTY;
  struct violation *found = NULL;
  struct grower *grower = grower_new (s->index, within, suspects->data, suspects->count);
  size_t count = 0;
  for (size_t wanted = first; !found && wanted < most && !search_is_spent (s); wanted *= 2) {
    const uint32_t *txns;
    const size_t reached = grower_reach (grower, wanted, &txns);
    if (reached == count || (another.count && reached > FEW))
      break;
    count = reached;
    core_mask_keep (&s->mask, txns, count);
    s->met_another = false;
    found = refute (s);
    if (s->met_another && !another.count)
      VEC_COPY (another, s->mask.kept);
  }
  grower_free (grower);
  if (!found && another.count && !same) {
    core_mask_keep (&s->mask, another.data, another.count);
    s->anomaly = any_anomaly;
    found = refute (s);
  }
  VEC_FREE (another);
  return found;
}

static struct violation *grow (struct search *s, const struct violation *from, size_t most, bool same) {
  txn_vec suspects = VEC_EMPTY;
  search_find_suspects (s, from, &suspects);
  struct violation *found = grow_from (s, s->mask.txn, &suspects, suspects.count ? suspects.count : 8, most, same);
  VEC_FREE (suspects);
  return found;
}

// Again and again, as long as that leaves out a good deal. A read that nothing explains is as
// easily found by itself as anything else in a part that shows it.
static void tighten (struct search *s, struct violation *found) {
  for (bool smaller = true; smaller && found && !search_is_spent (s);) {
    txn_vec before = VEC_EMPTY;
    VEC_COPY (before, s->mask.kept);
    struct violation *next = grow (s, found, before.count - before.count / 4, anomaly_classes[s->anomaly.class].alone);
    smaller = next != NULL;
    if (!smaller)
      core_mask_keep (&s->mask, before.data, before.count);
    else {
      violation_free (found);
      found = next;
    }
    VEC_FREE (before);
  }
  violation_free (found);
}

// ------------------------------------------------------------------------------------- leaving out

// Items of a kind, and how they are left out and put back.
struct kind {
  void (*collect) (const struct search *, txn_vec *);
  void (*set) (struct search *, const uint32_t *items, size_t count, bool kept);
};

static void collect_txns (const struct search *s, txn_vec *items) {
  VEC_FREE (*items);
  VEC_COPY (*items, s->mask.kept);
}

static void set_txns (struct search *s, const uint32_t *items, size_t count, bool kept) {
  struct core_mask *mask = &s->mask;
  for (size_t i = 0; i < count; i++) {
    if (kept)
      VEC_PUSH (mask->kept, items[i]);
    mask->txn[items[i]] = kept;
  }
  size_t left = 0;
  for (size_t i = 0; i < mask->kept.count; i++)
    if (mask->txn[mask->kept.data[i]])
      mask->kept.data[left++] = mask->kept.data[i];
  mask->kept.count = left;
  if (kept)
    VEC_SORT (mask->kept, by_u32);
}

static void collect_ops (const struct search *s, txn_vec *items) {
  const struct history *h = s->h;
  items->count = 0;
  for (size_t i = 0; i < s->mask.kept.count; i++) {
    const uint32_t txn = s->mask.kept.data[i];
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
      if (s->mask.op[op])
        VEC_PUSH (*items, op);
  }
}

static void set_ops (struct search *s, const uint32_t *items, size_t count, bool kept) {
  for (size_t i = 0; i < count; i++)
    s->mask.op[items[i]] = kept;
}

static const struct kind transactions = { collect_txns, set_txns }, operations = { collect_ops, set_ops };

static bool leave_out (struct search *s, const struct kind *kind, const uint32_t *items, size_t count) {
  kind->set (s, items, count, false);
  if (is_invalid (s))
    return true;
  kind->set (s, items, count, true);
  return false;
}

// Halves, quarters … single ones, again and again until no single one can go. True: something was
// left out.
static bool shrink (struct search *s, const struct kind *kind) {
  txn_vec items = VEC_EMPTY;
  kind->collect (s, &items);
  const size_t before = items.count;
  for (size_t chunk = (items.count + 1) / 2; chunk && !search_is_spent (s);) {
    bool left_out = false;
    for (size_t first = 0; first < items.count && !search_is_spent (s); first += chunk) {
      const size_t count = chunk < items.count - first ? chunk : items.count - first;
      const size_t at = s->from_the_end ? items.count - first - count : first;
      left_out |= leave_out (s, kind, items.data + at, count);
    }
    kind->collect (s, &items);
    if (chunk == 1 && !left_out)
      break;
    if (chunk > 1 && (!left_out || chunk > items.count))
      chunk = chunk / 2 < items.count ? chunk / 2 : items.count;
  }
  const bool smaller = items.count < before;
  VEC_FREE (items);
  return smaller;
}

// Without some operations another transaction may turn out not to matter, and without that one
// another operation.
static bool shrink_all (struct search *s) {
  bool smaller = shrink (s, &transactions);
  while (shrink (s, &operations)) {
    smaller = true;
    if (!shrink (s, &transactions))
      break;
  }
  return smaller;
}

// The anomaly of the whole is kept as long as that leaves something to be left out; that nothing
// can be left out goes before it.
static bool shrink_to_core (struct search *s) {
  s->met_another = false;
  bool smaller = shrink_all (s);
  if (!s->met_another)
    return smaller;
  s->anomaly = any_anomaly;
  return shrink_all (s) || smaller;
}

// ------------------------------------------------------------------------------------------- cores

bool search_start (struct search *s, const struct judge *judge, const struct history *h,
                   const struct check_options *options, struct anomaly anomaly) {
  *s = (struct search){ .judge = judge, .h = h, .options = *options, .anomaly = anomaly };
  s->options.threads = 1;
  s->options.progress = NULL;
  s->index = core_index_new (h, &s->options);
  if (s->index)
    s->mask = core_mask_new (h);
  return s->index;
}

void search_end (struct search *s) {
  core_mask_free (&s->mask);
  core_index_free (s->index);
}

static bool is_smaller (const struct history *one, const struct history *other) {
  return history_txns (one) < history_txns (other)
         || (history_txns (one) == history_txns (other) && history_ops (one) < history_ops (other));
}

// The smaller one of two cores, both of which it owns. Once the budget is spent, the other one may
// not be minimal.
static struct history *take_smaller (struct history *core, struct history *other, const struct check_options *options) {
  const bool better = is_smaller (other, core) && !is_spent (options);
  history_free (better ? core : other);
  return better ? other : core;
}

static void put_back (struct search *s, const txn_vec *txns) {
  const struct history *h = s->h;
  core_mask_keep (&s->mask, txns->data, txns->count);
  for (size_t i = 0; i < txns->count; i++)
    for (uint32_t op = h->txn_first_op.data[txns->data[i]]; op < h->txn_first_op.data[txns->data[i] + 1]; op++)
      s->mask.op[op] = 1;
}

// Nothing can be left out of what is found, but which of several such parts that is depends on the
// order of trying: a large one is worth another try.
static struct history *shrink_from_both_ends (struct search *s) {
  enum { LARGE = 6 };
  txn_vec before = VEC_EMPTY;
  collect_txns (s, &before);
  const struct anomaly anomaly = s->anomaly;
  shrink_to_core (s);
  struct history *core = core_restrict (s->index, &s->mask);
  if (history_txns (core) > LARGE && !search_is_spent (s)) {
    put_back (s, &before);
    s->anomaly = anomaly;
    s->from_the_end = true;
    shrink_to_core (s);
    core = take_smaller (core, core_restrict (s->index, &s->mask), &s->options);
  }
  VEC_FREE (before);
  return core;
}

static struct history *find_first (const struct judge *judge, const struct history *h,
                                   const struct check_options *options, const struct violation *found) {
  struct search s;
  struct history *core = NULL;
  if (!search_start (&s, judge, h, options, found->anomaly))
    return NULL;
  core_mask_keep (&s.mask, NULL, history_txns (s.h)); // so that everybody may be met
  struct violation *part = grow (&s, found, SIZE_MAX, false);
  if (part) {
    tighten (&s, part);
    core = shrink_from_both_ends (&s);
  }
  search_end (&s);
  return core;
}

// Scans that were cut are several operations in the core, of which some may not be needed. NULL:
// all are.
static struct history *find_smaller (const struct judge *judge, const struct history *core,
                                     const struct check_options *options) {
  struct search s;
  struct history *smaller = NULL;
  struct judgement found = judge->decide (core, options);
  if (found.verdict == VERDICT_INVALID && search_start (&s, judge, core, options, found.violation->anomaly)) {
    core_mask_keep (&s.mask, NULL, history_txns (s.h));
    if (is_invalid (&s) && shrink_to_core (&s))
      smaller = core_restrict (s.index, &s.mask);
    search_end (&s);
  }
  violation_free (found.violation);
  return smaller;
}

// Again and again, as long as something can go; NULL stays NULL.
static struct history *shrink_as_history (const struct judge *judge, struct history *core,
                                          const struct check_options *options) {
  while (core && !is_spent (options)) {
    struct history *smaller = find_smaller (judge, core, options);
    if (!smaller || !is_smaller (smaller, core)) {
      history_free (smaller);
      break;
    }
    history_free (core);
    core = smaller;
  }
  return core;
}

struct history *search_around (struct search *s, const uint8_t *within, const txn_vec *suspects, size_t first,
                               size_t most) {
  txn_vec part = VEC_EMPTY;
  s->anomaly = any_anomaly;
  s->from_the_end = false;
  struct history *core = NULL;
  struct violation *wrong = grow_from (s, within, suspects, first, most, false);
  if (wrong) {
    collect_txns (s, &part);
    tighten (s, wrong);
    core = shrink_from_both_ends (s);
    put_back (s, &part);
  }
  core_mask_keep (&s->mask, NULL, 0);
  VEC_FREE (part);
  return shrink_as_history (s->judge, core, &s->options);
}

// The history without the transactions of a core.
static struct history *without (const struct history *h, const struct history *core,
                                const struct check_options *options) {
  struct search s;
  if (!search_start (&s, NULL, h, options, any_anomaly))
    return NULL;
  txn_vec left_out = VEC_EMPTY;
  search_find_txns (&s, core, &left_out);
  core_mask_keep (&s.mask, NULL, history_txns (s.h));
  set_txns (&s, left_out.data, left_out.count, false);
  struct history *rest = core_restrict (s.index, &s.mask);
  VEC_FREE (left_out);
  search_end (&s);
  return rest;
}

// A core of what is left, of the same kind. NULL: there is none.
static struct history *find_another (const struct judge *judge, const struct history *rest,
                                     const struct check_options *options, const struct violation *whole) {
  struct judgement found = judge->decide (rest, options);
  const bool another = found.verdict == VERDICT_INVALID && found.violation->anomaly.class == whole->anomaly.class;
  struct history *core = another ? find_first (judge, rest, options, found.violation) : NULL;
  violation_free (found.violation);
  return core;
}

// What is wrong in one place may be wrong in another, and easier to see there: a large core is left
// out of the history, and another one looked for. The smallest of them.
static struct history *look_elsewhere (const struct judge *judge, const struct history *h,
                                       const struct check_options *options, const struct violation *found,
                                       struct history *core) {
  enum { LARGE = 4, TRIES = 6, MOST_OPERATIONS = 1000000 };
  if (history_txns (core) <= LARGE || history_ops (h) > MOST_OPERATIONS)
    return core;
  struct history *rest = without (h, core, options);
  for (int i = 0; i < TRIES && rest && history_txns (core) > LARGE && !is_spent (options); i++) {
    struct history *other = find_another (judge, rest, options, found);
    if (!other)
      break;
    struct history *left = without (rest, other, options);
    history_free (rest);
    rest = left;
    core = take_smaller (core, other, options);
  }
  history_free (rest);
  return core;
}

struct history *core_find (const struct judge *judge, const struct history *h, const struct check_options *asked,
                           const struct violation *found) {
  struct check_options options = *asked;
  if (options.module_count)
    return NULL;
  if (options.own_writes == OWN_INFER)
    options.own_writes = asg_infer_own_writes (h, NULL);
  struct history *core = find_first (judge, h, &options, found);
  if (core)
    core = look_elsewhere (judge, h, &options, found, core);
  return shrink_as_history (judge, core, &options);
}
