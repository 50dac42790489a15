// Finding a core: a first guess from the cycle that was found, which grows until it is invalid by itself; then whatever can be left out is left out, in
// chunks first and one by one in the end, transactions first and operations then. Every step is a check of the part alone, so nothing has to be believed.

#include "explain/core.h"

#include "asg/asg.h"
#include "base/error.h"
#include "history/history.h"
#include "levels/levels.h"

#include <string.h>

struct search {
  const struct history *h;
  const struct check_options *options;
  struct asg *asg;
  struct core_mask mask;
  bool whole_ranges;
};

static bool spent (const struct search *s) {
  return budget_check (s->options->budget) != BUDGET_LEFT;
}

static bool is_invalid (const struct search *s) {
  struct history *part = core_restrict (s->h, s->asg, &s->mask, s->whole_ranges);
  struct check_options options = *s->options;
  options.threads = 1;
  options.progress = NULL;
  struct check_result *result = check_history (part, &options);
  const bool invalid = result->verdict == VERDICT_INVALID;
  check_result_free (result);
  history_free (part);
  return invalid;
}

// ------------------------------------------------------------------------------------------------------------------- the first guess

static uint32_t find_txn (const struct history *h, uint64_t id) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (h->txn_ids.data[t] == id)
      return t;
  return UINT32_MAX;
}

static void keep_id (struct search *s, uint64_t id) {
  const uint32_t txn = find_txn (s->h, id);
  if (txn != UINT32_MAX)
    s->mask.txn[txn] = 1;
}

static uint32_t kept_txns (const struct search *s) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < history_txns (s->h); t++)
    count += s->mask.txn[t];
  return count;
}

// Whoever can have been the source of a read that is kept; beyond so many the read is left to be taken out.
enum { MOST_SOURCES = 64 };

static void keep_sources (struct search *s, uint32_t node, uint8_t *next) {
  const struct asg *asg = s->asg;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
    const uint32_t source = asg->read_source[read], key = asg->read_key[read];
    if (source < SOURCE_MANY)
      next[asg->node_txn[asg->install_node[source]]] = 1;
    if (!source_is_many (source) || asg->key_first[key + 1] - asg->key_first[key] > MOST_SOURCES)
      continue;
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      if (asg_accepts (asg, read, asg->install_value[i]))
        next[asg->node_txn[asg->install_node[i]]] = 1;
  }
}

static void grow (struct search *s) {
  uint8_t *next = MEM_ARRAY (uint8_t, history_txns (s->h));
  memcpy (next, s->mask.txn, history_txns (s->h));
  for (uint32_t t = 0; t < history_txns (s->h); t++)
    if (s->mask.txn[t] && s->asg->txn_node[t] != NODE_NONE)
      keep_sources (s, s->asg->txn_node[t], next);
  memcpy (s->mask.txn, next, history_txns (s->h));
  mem_free (next);
}

static bool first_guess (struct search *s, const struct check_result *result) {
  enum { ROUNDS = 6 };
  for (size_t i = 0; i < result->core.count; i++)
    keep_id (s, result->core.data[i]);
  for (size_t i = 0; i < result->cycle.count; i++) {
    if (!result->cycle.data[i].from_initial)
      keep_id (s, result->cycle.data[i].from);
    if (!result->cycle.data[i].to_initial)
      keep_id (s, result->cycle.data[i].to);
  }
  uint32_t before = 0;
  for (int round = 0; round < ROUNDS && kept_txns (s) != before; round++) {
    if (is_invalid (s))
      return true;
    before = kept_txns (s);
    grow (s);
  }
  memset (s->mask.txn, 1, history_txns (s->h));
  return is_invalid (s);
}

// ----------------------------------------------------------------------------------------------------------------------- leaving out

typedef VEC (uint32_t) index_vec;

static void collect (const uint8_t *mask, uint32_t count, index_vec *kept) {
  kept->count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (mask[i])
      VEC_PUSH (*kept, i);
}

// Tries to leave out kept[first .. first + count).
static bool leave_out (struct search *s, uint8_t *mask, const index_vec *kept, size_t first, size_t count) {
  for (size_t i = first; i < first + count; i++)
    mask[kept->data[i]] = 0;
  if (is_invalid (s))
    return true;
  for (size_t i = first; i < first + count; i++)
    mask[kept->data[i]] = 1;
  return false;
}

// Halves, quarters … single ones, again and again until no single one can go.
static void shrink (struct search *s, uint8_t *mask, uint32_t all) {
  index_vec kept = VEC_EMPTY;
  collect (mask, all, &kept);
  for (size_t chunk = (kept.count + 1) / 2; chunk && !spent (s);) {
    bool left_out = false;
    for (size_t first = 0; first < kept.count && !spent (s); first += chunk)
      left_out |= leave_out (s, mask, &kept, first, chunk < kept.count - first ? chunk : kept.count - first);
    collect (mask, all, &kept);
    if (chunk == 1 && !left_out)
      break;
    if (chunk > 1 && (!left_out || chunk > kept.count))
      chunk = chunk / 2 < kept.count ? chunk / 2 : kept.count;
  }
  VEC_FREE (kept);
}

// Operations of transactions that are gone are gone, too. Without some operations another transaction may turn out not to matter.
static void shrink_all (struct search *s) {
  const struct history *h = s->h;
  shrink (s, s->mask.txn, history_txns (h));
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
      s->mask.op[op] = s->mask.txn[t];
  shrink (s, s->mask.op, history_ops (h));
  shrink (s, s->mask.txn, history_txns (h));
}

static struct history *find_once (const struct history *h, const struct check_options *options,
                                  const struct check_result *result) {
  struct search s = { .h = h, .options = options };
  s.asg = asg_build (h, &(struct asg_options){ .events = true, .own_writes = options->own_writes });
  struct history *core = NULL;
  if (!s.asg->unsupported) {
    s.whole_ranges = level_needs_events (options->level);
    s.mask.txn = MEM_ZARRAY (uint8_t, history_txns (h));
    s.mask.op = MEM_ARRAY (uint8_t, history_ops (h));
    memset (s.mask.op, 1, history_ops (h));
    if (first_guess (&s, result)) {
      shrink_all (&s);
      core = core_restrict (h, s.asg, &s.mask, s.whole_ranges);
    }
    mem_free (s.mask.txn);
    mem_free (s.mask.op);
  }
  asg_free (s.asg);
  return core;
}

// Scans that were cut are several operations in the core, some of which may not be needed: a core of the core has fewer.
struct history *core_find (const struct history *h, const struct check_options *asked,
                           const struct check_result *result) {
  enum { ROUNDS = 3 };
  struct check_options options = *asked;
  if (options.own_writes == OWN_INFER)
    options.own_writes = asg_infer_own_writes (h, NULL);
  struct history *core = find_once (h, &options, result);
  for (int round = 1; core && round < ROUNDS && budget_check (options.budget) == BUDGET_LEFT; round++) {
    struct check_result *of_core = check_history (core, &options);
    struct history *smaller = of_core->verdict == VERDICT_INVALID ? find_once (core, &options, of_core) : NULL;
    check_result_free (of_core);
    if (!smaller)
      break;
    const bool done = history_ops (smaller) == history_ops (core) && history_txns (smaller) == history_txns (core);
    history_free (core);
    core = smaller;
    if (done)
      break;
  }
  return core;
}
