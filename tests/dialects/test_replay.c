// The rewriting with operations of every kind. A tiny store that works as MariaDB does runs random
// transactions and notes when each snapshot was taken, each locking read made and each transaction
// committed. Carried out one by one in the order of these times, the parts must give every answer
// that is left in them.

#include "../brute/prng.h"
#include "../unit/greatest_main.h"
#include "dialects/dialects.h"
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 5, LISTS = 2, CLIENTS = 3, MOST_TXNS = 6, MOST_OPS = 7, LONGEST = 32, NOTHING = 0 };

struct list {
  unsigned count, element[LONGEST];
};

struct state {
  unsigned value[KEYS]; // NOTHING: absent
  struct list list[LISTS];
};

// Values are written down as they are, keys from 0 on, lists as keys behind them.
struct answer {
  uint8_t kind, flags;
  unsigned key, value, fresh; // fresh: what a cas writes
  bool unrecorded;
  unsigned low, high; // KEYS: no bound
  unsigned most;      // items that an iterator is asked for; 0: it reads nothing
  unsigned items, item_key[KEYS], item_value[KEYS];
  struct list list;
  int64_t time;
};

struct client {
  bool active, viewed;
  unsigned ops, wanted, txn;
  struct answer op[MOST_OPS];
  struct state view, own; // own: what others would see if it committed now, where `wrote` says so
  bool wrote[KEYS], appended[LISTS];
  struct list added[LISTS];
  bool locked[KEYS + LISTS];
};

struct world {
  struct prng prng;
  struct state now;
  struct client client[CLIENTS];
  int64_t time;
  unsigned fresh, begun;
  bool lists_are_rows; // one row per list: after an own append the newest is seen
  struct history *h;
  int64_t commit_time[MOST_TXNS + CLIENTS]; // by id; 0: never
};

// --------------------------------------------------------------------------------------- the store

static bool others_hold (const struct world *w, const struct client *me, unsigned lock) {
  for (unsigned c = 0; c < CLIENTS; c++)
    if (&w->client[c] != me && w->client[c].active && w->client[c].locked[lock])
      return true;
  return false;
}

static unsigned seen (const struct client *c, const struct state *view, unsigned key) {
  return c->wrote[key] ? c->own.value[key] : view->value[key];
}

static void write_key (struct client *c, unsigned key, unsigned value) {
  c->wrote[key] = true;
  c->own.value[key] = value;
}

static void join (struct list *to, const struct list *added) {
  for (unsigned i = 0; i < added->count; i++)
    to->element[to->count++] = added->element[i];
}

static void run_range (const struct client *c, struct answer *a, const struct state *view) {
  const bool reverse = a->flags & OP_ITER_REVERSE;
  bool stopped = false;
  for (unsigned i = 0; i < KEYS && !stopped; i++) {
    const unsigned key = reverse ? KEYS - 1 - i : i, value = seen (c, view, key);
    if (!value || (a->low < KEYS && key < a->low) || (a->high < KEYS && key >= a->high))
      continue;
    stopped = a->items == a->most;
    if (!stopped) {
      a->item_key[a->items] = key;
      a->item_value[a->items++] = value;
    }
  }
  if (a->kind == OP_ITER && !stopped && a->items < a->most)
    a->flags |= OP_ITER_END;
}

static void run_list (const struct world *w, struct client *c, struct answer *a, const struct state *view) {
  const unsigned list = a->key - KEYS;
  a->list = c->appended[list] && w->lists_are_rows ? w->now.list[list] : view->list[list];
  join (&a->list, &c->added[list]);
}

static void answer (struct world *w, struct client *c, struct answer *a) {
  const bool writes = a->kind == OP_PUT || a->kind == OP_APPEND || a->kind == OP_DEL || a->kind == OP_CAS,
             locks = writes || a->flags & (OP_LOCK_SHARE | OP_LOCK_UPDATE);
  if (!locks && !c->viewed && a->most) {
    c->viewed = true;
    c->view = w->now;
  }
  const struct state *view = locks ? &w->now : &c->view;
  switch ((enum op_kind) a->kind) {
  case OP_PUT: write_key (c, a->key, a->value); break;
  case OP_GET: a->value = seen (c, view, a->key); break;
  case OP_DEL:
    a->flags |= OP_RESULT_KNOWN | (seen (c, view, a->key) ? OP_RESULT_TRUE : 0);
    if (a->flags & OP_RESULT_TRUE)
      write_key (c, a->key, NOTHING);
    break;
  case OP_CAS:
    a->flags |= OP_RESULT_KNOWN | (seen (c, view, a->key) == a->value ? OP_RESULT_TRUE : 0);
    if (a->flags & OP_RESULT_TRUE)
      write_key (c, a->key, a->fresh);
    break;
  case OP_APPEND:
    c->appended[a->key - KEYS] = true;
    c->added[a->key - KEYS].element[c->added[a->key - KEYS].count++] = a->value;
    break;
  case OP_LIST: run_list (w, c, a, view); break;
  default: run_range (c, a, view);
  }
  if (a->unrecorded)
    a->flags &= (uint8_t) ~(OP_RESULT_KNOWN | OP_RESULT_TRUE | OP_ITER_END);
}

// What the client asks next, without the answer.
static struct answer draw (struct world *w, const struct client *c) {
  static const uint8_t kinds[] = {
    OP_PUT, OP_PUT, OP_DEL, OP_GET, OP_GET, OP_SCAN, OP_ITER, OP_APPEND, OP_LIST, OP_CAS
  };
  struct prng *prng = &w->prng;
  struct answer a = { .kind = kinds[prng_below (prng, sizeof kinds)], .unrecorded = prng_chance (prng, 8) };
  const bool lists = a.kind == OP_APPEND || a.kind == OP_LIST;
  a.key = lists ? KEYS + prng_below (prng, LISTS) : prng_below (prng, KEYS);
  a.value = a.fresh = ++w->fresh;
  if (a.kind == OP_CAS && prng_chance (prng, 70))
    a.value = seen (c, &w->now, a.key);
  a.low = prng_below (prng, KEYS + 1);
  a.high = prng_below (prng, KEYS + 1);
  a.most = a.kind != OP_ITER ? KEYS + 1 : prng_between (prng, a.unrecorded, KEYS);
  if (prng_chance (prng, 25) && a.kind != OP_PUT && a.kind != OP_APPEND)
    a.flags = prng_chance (prng, 50) ? OP_LOCK_UPDATE : OP_LOCK_SHARE;
  if (a.kind == OP_ITER && prng_chance (prng, 50))
    a.flags |= OP_ITER_REVERSE;
  return a;
}

// False: it has to wait.
static bool ask (struct world *w, struct client *c) {
  struct answer a = draw (w, c);
  const bool takes_lock =
    a.kind != OP_SCAN && a.kind != OP_ITER && (a.flags || (a.kind != OP_GET && a.kind != OP_LIST));
  if (takes_lock && others_hold (w, c, a.key))
    return false;
  c->locked[a.key] |= takes_lock;
  a.time = ++w->time;
  answer (w, c, &a);
  c->op[c->ops++] = a;
  return true;
}

// ------------------------------------------------------------------------------------- the history

static uint32_t key_of (struct history *h, unsigned key) {
  const char *why;
  return history_key (h, atom_unsigned (key), &why);
}

static uint32_t value_of (struct history *h, unsigned value) {
  const char *why;
  return value ? history_value (h, atom_unsigned (value), &why) : VALUE_ABSENT;
}

static void note_op (struct history *h, const struct answer *a) {
  const bool ranges = a->kind == OP_SCAN || a->kind == OP_ITER, list = a->kind == OP_LIST;
  const char *why;
  uint32_t value = value_of (h, a->value), aux = AUX_NONE;
  if (ranges) {
    const uint32_t low = a->low < KEYS ? key_of (h, a->low) : KEY_NONE,
                   high = a->high < KEYS ? key_of (h, a->high) : KEY_NONE;
    aux = history_open_range (h, low, high);
    for (unsigned i = 0; i < a->items && !a->unrecorded; i++)
      history_add_item (h, key_of (h, a->item_key[i]), value_of (h, a->item_value[i]), &why);
  }
  if (list && !a->unrecorded) {
    aux = history_open_range (h, KEY_NONE, KEY_NONE);
    for (unsigned i = 0; i < a->list.count; i++)
      history_add_item (h, KEY_NONE, value_of (h, a->list.element[i]), &why);
  }
  if (ranges || list || a->kind == OP_DEL)
    value = VALUE_NONE;
  if (a->unrecorded && (ranges || list || a->kind == OP_GET))
    value = VALUE_UNRECORDED;
  history_add_op (h, a->kind, a->flags, ranges ? KEY_NONE : key_of (h, a->key), value,
                  a->kind == OP_CAS ? value_of (h, a->fresh) : aux, &why);
  history_set_op_times (h, a->time, a->time);
}

static void end (struct world *w, struct client *c, unsigned number, bool commits) {
  const char *why;
  const bool unknown = prng_chance (&w->prng, 10);
  const int64_t begin = c->op[0].time;
  const struct txn_header header = { .session = number,
                                     .has_id = true,
                                     .id = c->txn,
                                     .status = unknown   ? TXN_UNKNOWN
                                               : commits ? TXN_COMMITTED
                                                         : TXN_ABORTED,
                                     .begin = begin,
                                     .end = ++w->time };
  history_begin_txn (w->h, &header, &why);
  for (unsigned i = 0; i < c->ops; i++)
    note_op (w->h, &c->op[i]);
  if (commits) {
    w->commit_time[c->txn] = w->time;
    for (unsigned key = 0; key < KEYS; key++)
      if (c->wrote[key])
        w->now.value[key] = c->own.value[key];
    for (unsigned list = 0; list < LISTS; list++)
      join (&w->now.list[list], &c->added[list]);
  }
  c->active = false;
}

static struct history *run (struct world *w, unsigned seed) {
  *w = (struct world){ .prng = prng_fork (2, seed), .lists_are_rows = seed % 2, .h = history_new ("run") };
  for (unsigned steps = 0; steps < 1000; steps++) {
    const unsigned number = prng_below (&w->prng, CLIENTS);
    struct client *c = &w->client[number];
    if (!c->active && w->begun < MOST_TXNS) {
      *c = (struct client){ .active = true, .wanted = prng_between (&w->prng, 1, MOST_OPS), .txn = w->begun++ };
      while (!ask (w, c))
        continue;
    } else if (c->active && c->ops == c->wanted)
      end (w, c, number, prng_chance (&w->prng, 95));
    else if (c->active && !ask (w, c) && prng_chance (&w->prng, 20))
      end (w, c, number, false);
  }
  history_finish (w->h);
  return w->h;
}

// -------------------------------------------------------------------------------------- the replay

struct event {
  int64_t time;
  uint32_t txn; // of the new history
};

static int by_time (const void *a, const void *b) {
  const struct event *x = a, *y = b;
  return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->txn > y->txn) - (x->txn < y->txn);
}

static bool is_plain_read (const struct history *h, uint32_t op) {
  const uint8_t kind = h->op_kinds.data[op], flags = history_flags (h, op);
  const bool never_asked = kind == OP_ITER && !(flags & OP_ITER_END) && h->op_values.data[op] != VALUE_UNRECORDED
                           && !h->ranges.data[history_aux (h, op)].items;
  return (kind == OP_GET || kind == OP_SCAN || kind == OP_ITER || kind == OP_LIST) && !never_asked
         && !(flags & (OP_LOCK_SHARE | OP_LOCK_UPDATE));
}

static bool writes (const struct history *h, uint32_t txn) {
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const uint8_t kind = h->op_kinds.data[op], flags = history_flags (h, op);
    if (kind == OP_PUT || kind == OP_APPEND
        || ((kind == OP_DEL || kind == OP_CAS) && (!(flags & OP_RESULT_KNOWN) || flags & OP_RESULT_TRUE)))
      return true;
  }
  return false;
}

// When the part took place; 0: never.
static int64_t time_of (const struct world *w, const struct rewriting *r, uint32_t txn) {
  const struct history *old = w->h, *h = r->history;
  const uint32_t from = r->origins.data[txn].txn, first = h->txn_first_op.data[txn];
  const int64_t committed = w->commit_time[old->txn_ids.data[from]];
  if (!committed || first == h->txn_first_op.data[txn + 1])
    return 0;
  if (writes (h, txn))
    return committed;
  const bool list_after_append = r->origins.data[txn].part && strstr (r->origins.data[txn].part, "append");
  if (!is_plain_read (h, first) || (list_after_append && w->lists_are_rows))
    for (size_t i = 0;; i++)
      if (h->op_times.data[i].op == first)
        return h->op_times.data[i].begin;
  uint32_t op = old->txn_first_op.data[from];
  while (!is_plain_read (old, op))
    op++;
  return old->op_times.data[op].begin; // every operation has times
}

static bool answers_range (const struct history *h, uint32_t op, const struct state *s) {
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const bool reverse = history_flags (h, op) & OP_ITER_REVERSE;
  const uint64_t low = range->low == KEY_NONE ? 0 : atoms_get (&h->keys, range->low).number,
                 high = range->high == KEY_NONE ? KEYS : atoms_get (&h->keys, range->high).number;
  uint32_t found = 0;
  for (unsigned i = 0; i < KEYS; i++) {
    const unsigned key = reverse ? KEYS - 1 - i : i;
    if (!s->value[key] || key < low || key >= high)
      continue;
    if (found == range->items)
      return h->op_kinds.data[op] == OP_ITER && !(history_flags (h, op) & OP_ITER_END);
    const uint32_t item = range->first_item + found++;
    if (atoms_get (&h->keys, h->item_keys.data[item]).number != key
        || atoms_get (&h->values, h->item_values.data[item]).number != s->value[key])
      return false;
  }
  return found == range->items;
}

static bool answers_list (const struct history *h, uint32_t op, const struct list *list) {
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  bool same = range->items == list->count;
  for (uint32_t i = 0; same && i < range->items; i++)
    same = atoms_get (&h->values, h->item_values.data[range->first_item + i]).number == list->element[i];
  return same;
}

static unsigned number_of (const struct history *h, uint32_t value) {
  return value >= VALUE_NONE ? NOTHING : (unsigned) atoms_get (&h->values, value).number;
}

// Carries out one operation on the state; false: that would have given another answer.
static bool carry_out (const struct history *h, uint32_t op, struct state *s) {
  const uint8_t kind = h->op_kinds.data[op], flags = history_flags (h, op);
  const unsigned key =
                   kind == OP_SCAN || kind == OP_ITER ? 0 : (unsigned) atoms_get (&h->keys, h->op_keys.data[op]).number,
                 value = number_of (h, h->op_values.data[op]);
  if (kind == OP_APPEND || kind == OP_LIST) {
    struct list *list = &s->list[key - KEYS];
    if (kind == OP_LIST)
      return answers_list (h, op, list);
    list->element[list->count++] = value;
    return true;
  }
  const bool hit = kind == OP_DEL ? s->value[key] != NOTHING : s->value[key] == value;
  switch ((enum op_kind) kind) {
  case OP_PUT: s->value[key] = value; return true;
  case OP_GET: return hit;
  case OP_DEL:
  case OP_CAS:
    if (hit)
      s->value[key] = kind == OP_DEL ? NOTHING : number_of (h, history_aux (h, op));
    return !(flags & OP_RESULT_KNOWN) || hit == !!(flags & OP_RESULT_TRUE);
  default: return answers_range (h, op, s);
  }
}

struct tally {
  unsigned reads, ranges, lists, locks;
};

static const char *replay (const struct world *w, const struct rewriting *r, struct tally *tally) {
  const struct history *h = r->history;
  struct event event[MOST_TXNS * (MOST_OPS + 2)];
  size_t events = 0;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const int64_t time = time_of (w, r, t);
    if (time && h->txn_status.data[t] == TXN_COMMITTED
        && (time < history_begin_time (h, t) || time > history_end_time (h, t)))
      return "a part took place outside of its times";
    if (time)
      event[events++] = (struct event){ time, t };
  }
  if (events)
    qsort (event, events, sizeof *event, by_time);
  struct state now = { 0 };
  for (size_t i = 0; i < events; i++)
    for (uint32_t op = h->txn_first_op.data[event[i].txn]; op < h->txn_first_op.data[event[i].txn + 1]; op++) {
      if (!carry_out (h, op, &now))
        return op_kind_name (h->op_kinds.data[op]);
      tally->reads += h->op_kinds.data[op] == OP_GET;
      tally->ranges += h->op_kinds.data[op] == OP_SCAN || h->op_kinds.data[op] == OP_ITER;
      tally->lists += h->op_kinds.data[op] == OP_LIST;
      tally->locks += (history_flags (h, op) & (OP_LOCK_SHARE | OP_LOCK_UPDATE)) != 0;
    }
  return NULL;
}

TEST parts_give_every_answer (void) {
  const unsigned count = getenv ("KRAIT_TEST_LONG") ? 200000 : 20000;
  struct tally tally = { 0 };
  for (unsigned seed = 0; seed < count; seed++) {
    struct world w;
    struct history *h = run (&w, seed);
    struct rewriting rewriting;
    const char *why = NULL;
    static char label[96];
    snprintf (label, sizeof label, "run %u", seed);
    ASSERTm (label, dialect_find ("mariadb-rr")->rewrite (h, OWN_MUST, &rewriting, &why));
    ASSERTm (label, history_validate (rewriting.history, &why));
    const char *wrong = replay (&w, &rewriting, &tally);
    snprintf (label, sizeof label, "run %u: %s", seed, wrong ? wrong : "");
    ASSERTm (label, !wrong);
    rewriting_free (&rewriting);
    history_free (h);
  }
  printf ("%u gets, %u ranges, %u lists; %u with locks\n", tally.reads, tally.ranges, tally.lists, tally.locks);
  ASSERT (tally.reads > count && tally.ranges > count && tally.lists > count / 4 && tally.locks > count / 4);
  PASS ();
}

SUITE (replays) {
  RUN_TEST (parts_give_every_answer);
}

KRAIT_UNIT_MAIN (RUN_SUITE (replays);)
