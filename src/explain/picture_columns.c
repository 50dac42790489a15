// Columns: who stands to the left of whom.
//
// If all transactions have begin times, in the order in which they began; those in one column
// overlapped in time. Otherwise as early as the order in the sessions and the edges that go along
// with time allow. These may close a cycle (that is what is to be shown), so where nothing is free,
// a transaction whose session has come to it is taken all the same, and edges into it lead
// backwards.

#include "explain/picture_layout.h"

#include "base/group.h"
#include "base/sort.h"

struct columns {
  struct layout *layout;
  const struct picture *picture;
  uint32_t *order; // shown transactions but the initial state, by session and position
  uint32_t count;
  uint32_t *next; // per transaction: the one after it in its session, or PICTURE_NONE
  uint32_t first; // the first column that is not the initial state's
};

// qsort has no context argument in C11, hence pairs of key and index.
struct sortable {
  int64_t major;
  uint32_t minor, index;
};

static int by_key (const void *a, const void *b) {
  const struct sortable *x = a, *y = b;
  if (x->major != y->major)
    return COMPARE (x->major, y->major);
  return x->minor != y->minor ? COMPARE (x->minor, y->minor) : COMPARE (x->index, y->index);
}

static void sort_order (struct columns *c, bool by_time) {
  struct sortable *keys = MEM_ARRAY (struct sortable, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++) {
    const struct picture_txn *txn = &c->picture->txns.data[c->order[i]];
    keys[i] = (struct sortable){ by_time ? txn->begin : txn->session, txn->position, c->order[i] };
  }
  SORT (keys, c->count, by_key);
  for (uint32_t i = 0; i < c->count; i++)
    c->order[i] = keys[i].index;
  mem_free (keys);
}

static void link_sessions (struct columns *c) {
  const struct picture_txn *txns = c->picture->txns.data;
  c->next = mem_nones (c->picture->txns.count);
  for (uint32_t i = 1; i < c->count; i++)
    if (txns[c->order[i - 1]].session == txns[c->order[i]].session)
      c->next[c->order[i - 1]] = c->order[i];
}

// ------------------------------------------------------------------------------------------- times

static bool has_times (const struct columns *c) {
  const struct picture_txn *txns = c->picture->txns.data;
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t t = c->order[i];
    if (txns[t].begin == TIME_NONE_BEGIN || (c->next[t] != PICTURE_NONE && txns[c->next[t]].begin < txns[t].begin))
      return false;
  }
  return true;
}

// A new column begins where somebody of the present one has ended, or where the session has its
// place in it taken.
static void columns_by_time (struct columns *c) {
  const struct picture_txn *txns = c->picture->txns.data;
  uint32_t *taken = MEM_ZARRAY (uint32_t, c->picture->sessions.count + 1); // column + 1
  uint32_t column = c->first;
  int64_t earliest_end = TIME_NONE_END;
  sort_order (c, true);
  for (uint32_t i = 0; i < c->count; i++) {
    const struct picture_txn *txn = &txns[c->order[i]];
    if (txn->begin > earliest_end || taken[txn->session] == column + 1) {
      column++;
      earliest_end = TIME_NONE_END;
    }
    taken[txn->session] = column + 1;
    earliest_end = txn->end < earliest_end ? txn->end : earliest_end;
    c->layout->boxes[c->order[i]].column = column;
  }
  c->layout->columns = c->count ? column + 1 : c->first;
  mem_free (taken);
}

// ------------------------------------------------------------------------------------------- order

struct ordering {
  struct columns *columns;
  uint32_t *waits;      // per transaction: edges into it from those that have no column yet
  bool *placed, *ahead; // `ahead`: the one before it in its session has a column
  VEC (uint32_t) ready;
  uint32_t *edge_first, *edge_to; // edges that go along with time, by their beginning
};

static bool counts (const struct columns *c, const struct picture_edge *edge) {
  const struct box *boxes = c->layout->boxes;
  return picture_types[edge->type].forward && boxes[edge->from].shown && boxes[edge->to].shown
         && edge->from != c->picture->initial && edge->to != c->picture->initial;
}

static void list_edges (struct ordering *o) {
  const struct columns *c = o->columns;
  struct grouping by_start = { .groups = c->picture->txns.count };
  while (grouping_pass (&by_start))
    for (size_t i = 0; i < c->picture->edges.count; i++) {
      const struct picture_edge *edge = &c->picture->edges.data[i];
      if (counts (c, edge))
        group_put (&by_start, edge->from, edge->to);
    }
  o->edge_first = by_start.first;
  o->edge_to = by_start.items;
  for (uint32_t i = 0; i < o->edge_first[by_start.groups]; i++)
    o->waits[o->edge_to[i]]++;
}

static void push_right (struct ordering *o, uint32_t txn, uint32_t column) {
  struct box *box = &o->columns->layout->boxes[txn];
  if (box->column < column)
    box->column = column;
}

static void look_at (struct ordering *o, uint32_t txn) {
  if (!o->placed[txn] && o->ahead[txn] && !o->waits[txn])
    VEC_PUSH (o->ready, txn);
}

static void place (struct ordering *o, uint32_t txn) {
  struct columns *c = o->columns;
  const uint32_t column = c->layout->boxes[txn].column, next = c->next[txn];
  o->placed[txn] = true;
  c->layout->columns = column + 1 > c->layout->columns ? column + 1 : c->layout->columns;
  for (uint32_t i = o->edge_first[txn]; i < o->edge_first[txn + 1]; i++) {
    const uint32_t to = o->edge_to[i];
    o->waits[to]--;
    if (o->placed[to])
      continue;
    push_right (o, to, column + 1);
    look_at (o, to);
  }
  if (next == PICTURE_NONE)
    return;
  push_right (o, next, column + 1);
  o->ahead[next] = true;
  look_at (o, next);
}

// Nothing is free: the one that waits for the fewest.
static uint32_t least_bound (const struct ordering *o) {
  uint32_t best = PICTURE_NONE;
  for (uint32_t i = 0; i < o->columns->count; i++) {
    const uint32_t t = o->columns->order[i];
    if (!o->placed[t] && o->ahead[t] && (best == PICTURE_NONE || o->waits[t] < o->waits[best]))
      best = t;
  }
  return best;
}

static void place_all (struct ordering *o) {
  size_t at = 0;
  for (uint32_t left = o->columns->count; left;) {
    const uint32_t t = at < o->ready.count ? o->ready.data[at++] : least_bound (o);
    if (o->placed[t])
      continue;
    place (o, t);
    left--;
  }
}

static void columns_by_order (struct columns *c) {
  const size_t txns = c->picture->txns.count;
  struct ordering o = { .columns = c,
                        .waits = MEM_ZARRAY (uint32_t, txns + 1),
                        .placed = MEM_ZARRAY (bool, txns + 1),
                        .ahead = MEM_ZARRAY (bool, txns + 1) };
  c->layout->columns = c->first;
  list_edges (&o);
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t t = c->order[i];
    c->layout->boxes[t].column = c->first;
    o.ahead[t] = i == 0 || c->next[c->order[i - 1]] != t;
    look_at (&o, t);
  }
  place_all (&o);
  MEM_FREE_ALL (o.waits, o.placed, o.ahead, o.edge_first, o.edge_to, o.ready.data);
}

void layout_columns (struct layout *layout) {
  const struct picture *p = layout->picture;
  struct columns c = { .layout = layout, .picture = p, .order = MEM_ARRAY (uint32_t, p->txns.count + 1) };
  c.first = p->initial != PICTURE_NONE && layout->boxes[p->initial].shown;
  for (uint32_t t = 0; t < p->txns.count; t++)
    if (layout->boxes[t].shown && t != p->initial)
      c.order[c.count++] = t;
  sort_order (&c, false);
  link_sessions (&c);
  if (has_times (&c))
    columns_by_time (&c);
  else
    columns_by_order (&c);
  MEM_FREE_ALL (c.order, c.next);
}
