// The file: a magic word and a version, then numbers of variable length (seven bits a byte, the
// lowest first), signed ones folded (0, -1, 1, -2, …). Lists are a count and their entries; what
// ascends is written as differences.

#include "verify/certificate.h"

#include <string.h>

static const char magic[8] = "KRAITCRT";
enum { FORMAT_VERSION = 2 };

const char *own_policy_name (enum own_policy policy) {
  static const char *const names[POLICIES] = { "must", "external", "may" };
  return policy < POLICIES ? names[policy] : "?";
}

struct certificate *certificate_new (const struct claim *claim, const struct history *h) {
  struct certificate *c = mem_zalloc (sizeof *c);
  const char *dialect = claim->dialect ? claim->dialect : "";
  if (strlen (claim->level) >= sizeof c->level || strlen (dialect) >= sizeof c->dialect)
    misuse (__func__, "the name of a level or a dialect is too long");
  memcpy (c->level, claim->level, strlen (claim->level) + 1);
  memcpy (c->dialect, dialect, strlen (dialect) + 1);
  c->policy = claim->policy;
  c->clock_skew = claim->clock_skew;
  c->trust_commit_ts = claim->trust_commit_ts;
  c->txns = history_txns (h);
  c->ops = history_ops (h);
  c->keys = history_keys (h);
  c->points = 1;
  return c;
}

void cert_constraints_free (struct cert_constraints *constraints) {
  VEC_FREE (constraints->list);
  VEC_FREE (constraints->conditions);
  VEC_FREE (constraints->alternatives);
  VEC_FREE (constraints->edges);
}

void cert_constraints_add (struct cert_constraints *to, const struct cert_constraints *from, uint32_t number) {
  struct cert_constraint constraint = from->list.data[number];
  const struct cert_condition *conditions = from->conditions.data + constraint.first_condition;
  const struct cert_alternative *alternatives = from->alternatives.data + constraint.first_alternative;
  constraint.first_condition = (uint32_t) to->conditions.count;
  constraint.first_alternative = (uint32_t) to->alternatives.count;
  for (uint32_t i = 0; i < constraint.conditions; i++)
    VEC_PUSH (to->conditions, conditions[i]);
  for (uint32_t i = 0; i < constraint.alternatives; i++) {
    const struct cert_edge *edges = from->edges.data + alternatives[i].first_edge;
    VEC_PUSH (to->alternatives, (struct cert_alternative){ (uint32_t) to->edges.count, alternatives[i].edges });
    for (uint32_t k = 0; k < alternatives[i].edges; k++)
      VEC_PUSH (to->edges, edges[k]);
  }
  VEC_PUSH (to->list, constraint);
}

void certificate_free (struct certificate *c) {
  if (!c)
    return;
  cert_constraints_free (&c->constraints);
  VEC_FREE (c->order);
  VEC_FREE (c->took_place);
  VEC_FREE (c->wrote);
  VEC_FREE (c->sources);
  VEC_FREE (c->items);
  VEC_FREE (c->steps);
  VEC_FREE (c->assumed);
  VEC_FREE (c->clauses);
  VEC_FREE (c->literals);
  VEC_FREE (c->hints);
  mem_free (c);
}

// Which fields of an item and of a step are in the file, by kind.
enum { HAS_OP = 1, HAS_KEY = 2, HAS_A = 4, HAS_B = 8, HAS_OTHER_OP = 16, HAS_WROTE = 32, HAS_CONSTRAINT = 64 };
enum { HAS_FROM = 4, HAS_VIA = 8, HAS_PATH = 16 }; // of steps, besides

static const uint8_t item_fields[ITEM_KINDS] = {
  [ITEM_READ] = HAS_OP | HAS_KEY | HAS_WROTE,
  [ITEM_ONE_SOURCE] = HAS_OP | HAS_KEY | HAS_A | HAS_B,
  [ITEM_SOURCE_IN] = HAS_OP | HAS_KEY | HAS_A,
  [ITEM_SOURCE_WROTE] = HAS_OP | HAS_KEY | HAS_A,
  [ITEM_READER_IN] = HAS_OP | HAS_KEY | HAS_A,
  [ITEM_READER_EXTERNAL] = HAS_OP | HAS_KEY | HAS_A,
  [ITEM_INITIAL] = HAS_OP | HAS_KEY | HAS_OTHER_OP,
  [ITEM_LIST_ORDER] = HAS_OP | HAS_A | HAS_B,
  [ITEM_LIST_IN] = HAS_OP | HAS_A,
  [ITEM_LIST_ABSENT] = HAS_OP | HAS_A,
  [ITEM_LISTS_CLASH] = HAS_OP | HAS_OTHER_OP,
  [ITEM_BROKEN] = HAS_OP,
  [ITEM_HINT_ORDER] = HAS_KEY | HAS_A | HAS_B,
  [ITEM_CONSTRAINT] = HAS_CONSTRAINT,
  [ITEM_LEMMA] = 0,
};

static const uint8_t step_fields[STEP_KINDS] = {
  [STEP_SESSION] = HAS_FROM,
  [STEP_REAL_TIME] = HAS_FROM,
  [STEP_PROGRAM] = HAS_FROM,
  [STEP_FIRST] = 0,
  [STEP_READ] = HAS_FROM | HAS_OP | HAS_KEY,
  [STEP_VERSION] = HAS_FROM | HAS_KEY,
  [STEP_OVERWRITE] = HAS_FROM | HAS_OP | HAS_KEY | HAS_VIA,
  [STEP_LIST] = HAS_FROM | HAS_OP,
  [STEP_CONSTRAINT] = HAS_FROM | HAS_CONSTRAINT,
  [STEP_HINT] = HAS_FROM | HAS_KEY,
  [STEP_VISIBLE] = HAS_FROM | HAS_OP | HAS_KEY | HAS_PATH,
};

// ----------------------------------------------------------------------------------------- writing

static void put (byte_vec *out, uint64_t number) {
  while (number >= 128) {
    VEC_PUSH (*out, (uint8_t) (number | 128));
    number >>= 7;
  }
  VEC_PUSH (*out, (uint8_t) number);
}

static void put_signed (byte_vec *out, int64_t number) {
  put (out, ((uint64_t) number << 1) ^ (uint64_t) (number >> 63));
}

// Transactions, with the initial state as 0.
static void put_txn (byte_vec *out, uint32_t txn) {
  put (out, (uint32_t) (txn + 1));
}

static void put_ascending (byte_vec *out, const uint32_t *numbers, size_t count) {
  put (out, count);
  for (size_t i = 0; i < count; i++)
    put (out, numbers[i] - (i ? numbers[i - 1] : 0));
}

static void put_constraints (const struct cert_constraints *constraints, byte_vec *out) {
  put (out, constraints->list.count);
  for (size_t i = 0; i < constraints->list.count; i++) {
    const struct cert_constraint *constraint = &constraints->list.data[i];
    put (out, constraint->conditions);
    for (uint32_t k = 0; k < constraint->conditions; k++) {
      const struct cert_condition *condition = &constraints->conditions.data[constraint->first_condition + k];
      put (out, condition->op);
      put (out, condition->key);
      put_txn (out, condition->source);
    }
    put (out, constraint->alternatives);
    for (uint32_t k = 0; k < constraint->alternatives; k++) {
      const struct cert_alternative *alternative = &constraints->alternatives.data[constraint->first_alternative + k];
      put (out, alternative->edges);
      for (uint32_t e = alternative->first_edge; e < alternative->first_edge + alternative->edges; e++) {
        put (out, constraints->edges.data[e].from);
        put (out, constraints->edges.data[e].to);
      }
    }
  }
}

static void put_valid (const struct certificate *c, byte_vec *out) {
  put (out, c->points);
  put_ascending (out, c->took_place.data, c->took_place.count);
  put_ascending (out, c->wrote.data, c->wrote.count);
  put (out, c->order.count);
  for (size_t i = 0; i < c->order.count; i++)
    put_signed (out, (int64_t) c->order.data[i] - (i ? c->order.data[i - 1] : 0));
  put (out, c->sources.count);
  for (size_t i = 0; i < c->sources.count; i++) {
    const struct named_source *named = &c->sources.data[i];
    put (out, named->op - (i ? named[-1].op : 0));
    put (out, named->key);
    put_txn (out, named->source);
  }
  for (size_t i = 0; i < c->constraints.list.count; i++)
    put (out, c->constraints.list.data[i].chosen);
}

static void put_item (const struct certificate *c, const struct cert_item *item, byte_vec *out) {
  const uint8_t fields = item_fields[item->kind];
  put (out, item->kind);
  if (fields & HAS_OP)
    put (out, item->op);
  if (fields & HAS_KEY)
    put (out, item->key);
  if (fields & HAS_A)
    put_txn (out, item->a);
  if (fields & HAS_B)
    put_txn (out, item->b);
  if (fields & HAS_OTHER_OP)
    put (out, item->other_op);
  if (fields & HAS_WROTE)
    put (out, item->wrote);
  if (fields & HAS_CONSTRAINT)
    put (out, item->constraint);
  if (item->kind != ITEM_LEMMA)
    return;
  put (out, item->assumed);
  for (uint32_t i = 0; i < item->assumed; i++)
    put (out, c->assumed.data[item->first_assumed + i]);
  put (out, item->steps);
  for (const struct cert_step *step = c->steps.data + item->first_step, *end = step + item->steps; step < end; step++) {
    const uint8_t has = step_fields[step->kind];
    put (out, step->kind);
    if (has & HAS_FROM)
      put_txn (out, step->from);
    put_txn (out, step->to);
    if (has & HAS_OP)
      put (out, step->op);
    if (has & HAS_KEY)
      put (out, step->key);
    if (has & HAS_VIA)
      put_txn (out, step->via);
    if (has & HAS_PATH)
      put (out, step->path);
    if (has & HAS_CONSTRAINT) {
      put (out, step->constraint);
      put (out, step->alternative);
    }
  }
}

static void put_invalid (const struct certificate *c, byte_vec *out) {
  put (out, c->items.count);
  for (size_t i = 0; i < c->items.count; i++)
    put_item (c, &c->items.data[i], out);
  put (out, c->clauses.count);
  for (size_t i = 0; i < c->clauses.count; i++) {
    const struct cert_clause *clause = &c->clauses.data[i];
    put (out, clause->literals);
    for (uint32_t k = 0; k < clause->literals; k++)
      put_signed (out, c->literals.data[clause->first_literal + k]);
    put (out, clause->hints);
    for (uint32_t k = 0; k < clause->hints; k++)
      put (out, c->hints.data[clause->first_hint + k]);
  }
}

static void put_name (byte_vec *out, const char *name) {
  put (out, strlen (name));
  for (; *name; name++)
    VEC_PUSH (*out, (uint8_t) *name);
}

void certificate_write (const struct certificate *c, byte_vec *out) {
  for (size_t i = 0; i < sizeof magic; i++)
    VEC_PUSH (*out, (uint8_t) magic[i]);
  put (out, FORMAT_VERSION);
  put (out, c->valid);
  put_name (out, c->level);
  put (out, c->policy);
  put_signed (out, c->clock_skew);
  put (out, c->trust_commit_ts);
  put_name (out, c->dialect);
  put (out, c->txns);
  put (out, c->ops);
  put (out, c->keys);
  put_constraints (&c->constraints, out);
  if (c->valid)
    put_valid (c, out);
  else
    put_invalid (c, out);
}

// Per transaction its outcome and two points; per operation a delete that wrote and a source; per
// item and per key that a range covers a source. A dialect makes at most a part of each operation
// and two of each transaction, and reads a key twice. The rest is for what modules demand, about a
// transaction or a read each, and for refutations, whose length has no other bound.
size_t certificate_most_bytes (const struct history *h) {
  enum { NUMBER = 5, CONSTRAINT = 64, REFUTATION = 1 << 20 };
  const size_t txns = history_txns (h), ops = history_ops (h);
  size_t ranges = 0;
  for (size_t op = 0; op < ops; op++)
    ranges += h->op_kinds.data[op] == OP_SCAN || h->op_kinds.data[op] == OP_ITER;
  const size_t covered = ranges * history_keys (h) < SIZE_MAX / 64 ? ranges * history_keys (h) : SIZE_MAX / 64;
  return REFUTATION + CONSTRAINT * (txns + ops) + NUMBER * (3 * (2 * txns + ops) + ops * 2 * 4)
         + (h->item_keys.count + covered) * 2 * 3 * NUMBER;
}

bool certificate_has_magic (const void *bytes, size_t length) {
  return length >= sizeof magic && !memcmp (bytes, magic, sizeof magic);
}

// ----------------------------------------------------------------------------------------- reading

struct reader {
  const uint8_t *bytes;
  size_t length, at;
  const char *name;
  struct error *error;
};

static bool bad (struct reader *r, const char *what) {
  return error_at_byte (r->error, r->name, r->at, "%s", what);
}

static bool get (struct reader *r, uint64_t most, uint64_t *number) {
  const size_t start = r->at;
  uint64_t found = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (r->at == r->length)
      return bad (r, "the certificate ends too early");
    const uint8_t byte = r->bytes[r->at++];
    if (shift == 63 && byte > 1)
      break;
    found |= (uint64_t) (byte & 127) << shift;
    if (byte & 128)
      continue;
    if (found > most || (!byte && shift)) { // one way to write a number
      r->at = start;
      return bad (r, "a number that cannot be");
    }
    *number = found;
    return true;
  }
  r->at = start;
  return bad (r, "a number that is too long");
}

static bool get_number (struct reader *r, uint64_t most, uint32_t *number) {
  uint64_t found;
  if (!get (r, most, &found))
    return false;
  *number = (uint32_t) found;
  return true;
}

// An operation or a key, say: below what the history has.
static bool get_below (struct reader *r, uint32_t limit, uint32_t *number) {
  return limit ? get_number (r, limit - 1, number) : bad (r, "a number of something that there is none of");
}

static bool get_flag (struct reader *r, bool *flag) {
  uint32_t found;
  if (!get_number (r, 1, &found))
    return false;
  *flag = found;
  return true;
}

static bool get_signed (struct reader *r, int64_t *number) {
  uint64_t found;
  if (!get (r, UINT64_MAX, &found))
    return false;
  *number = (int64_t) (found >> 1) ^ -(int64_t) (found & 1);
  return true;
}

// How many entries follow; each takes at least a byte.
static bool get_count (struct reader *r, uint32_t *count) {
  return get_number (r, r->length - r->at > UINT32_MAX - 1 ? UINT32_MAX - 1 : r->length - r->at, count);
}

static bool get_txn (struct reader *r, const struct certificate *c, uint32_t *txn) {
  uint32_t found;
  if (!get_number (r, c->txns, &found))
    return false;
  *txn = found - 1; // 0: INITIAL
  return true;
}

typedef VEC (uint32_t) number_vec;

static bool get_ascending (struct reader *r, uint32_t limit, number_vec *numbers) {
  uint32_t count, number = 0;
  if (!get_count (r, &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t step;
    if (!get_number (r, UINT32_MAX, &step))
      return false;
    if ((i && !step) || step >= limit - number || number + step >= limit)
      return bad (r, "numbers that do not ascend, or lie outside the history");
    number += step;
    VEC_PUSH (*numbers, number);
  }
  return true;
}

static bool get_order (struct reader *r, struct certificate *c) {
  uint32_t count;
  int64_t point = 0;
  if (!get_count (r, &count))
    return false;
  VEC_RESERVE (c->order, count);
  for (uint32_t i = 0; i < count; i++) {
    int64_t step;
    if (!get_signed (r, &step))
      return false;
    if (__builtin_add_overflow (point, step, &point) || point < 0 || point >= (int64_t) c->txns * c->points)
      return bad (r, "the order names a transaction that is not there");
    VEC_PUSH (c->order, (uint32_t) point);
  }
  return true;
}

static bool get_sources (struct reader *r, struct certificate *c) {
  uint32_t count, op = 0;
  if (!get_count (r, &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    struct named_source named;
    uint32_t step;
    if (!get_number (r, c->ops, &step) || !get_below (r, c->keys, &named.key) || !get_txn (r, c, &named.source))
      return false;
    if (step >= c->ops - op)
      return bad (r, "a source for an operation that is not there");
    op += step;
    named.op = op;
    if (i && !step && c->sources.data[i - 1].key >= named.key)
      return bad (r, "sources that do not ascend");
    VEC_PUSH (c->sources, named);
  }
  return true;
}

static bool get_condition (struct reader *r, struct certificate *c) {
  struct cert_condition condition;
  if (!get_below (r, c->ops, &condition.op) || !get_below (r, c->keys, &condition.key)
      || !get_txn (r, c, &condition.source))
    return false;
  VEC_PUSH (c->constraints.conditions, condition);
  return true;
}

static bool get_alternative (struct reader *r, struct certificate *c) {
  struct cert_alternative alternative = { .first_edge = (uint32_t) c->constraints.edges.count };
  if (!get_count (r, &alternative.edges))
    return false;
  for (uint32_t i = 0; i < alternative.edges; i++) {
    struct cert_edge edge;
    if (!get_below (r, c->txns, &edge.from) || !get_below (r, c->txns, &edge.to))
      return false;
    VEC_PUSH (c->constraints.edges, edge);
  }
  VEC_PUSH (c->constraints.alternatives, alternative);
  return true;
}

static bool get_constraints (struct reader *r, struct certificate *c) {
  uint32_t count;
  if (!get_count (r, &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    struct cert_constraint constraint = { .first_condition = (uint32_t) c->constraints.conditions.count,
                                          .first_alternative = (uint32_t) c->constraints.alternatives.count };
    if (!get_count (r, &constraint.conditions))
      return false;
    for (uint32_t k = 0; k < constraint.conditions; k++)
      if (!get_condition (r, c))
        return false;
    if (!get_count (r, &constraint.alternatives))
      return false;
    for (uint32_t k = 0; k < constraint.alternatives; k++)
      if (!get_alternative (r, c))
        return false;
    VEC_PUSH (c->constraints.list, constraint);
  }
  return true;
}

static bool get_chosen (struct reader *r, struct certificate *c) {
  for (size_t i = 0; i < c->constraints.list.count; i++)
    if (!get_number (r, c->constraints.list.data[i].alternatives, &c->constraints.list.data[i].chosen))
      return false;
  return true;
}

static bool get_valid (struct reader *r, struct certificate *c) {
  number_vec took_place = VEC_EMPTY, wrote = VEC_EMPTY;
  uint32_t points = 0;
  bool fine = get_number (r, 2, &points) && (points || bad (r, "a transaction without a point"));
  c->points = points ? points : 1;
  fine = fine && ((uint64_t) c->txns * points < UINT32_MAX || bad (r, "too many points"))
         && get_ascending (r, c->txns, &took_place) && get_ascending (r, c->ops, &wrote) && get_order (r, c)
         && get_sources (r, c) && get_chosen (r, c);
  memcpy (&c->took_place, &took_place, sizeof took_place);
  memcpy (&c->wrote, &wrote, sizeof wrote);
  return fine;
}

static bool get_step (struct reader *r, struct certificate *c) {
  uint32_t kind;
  struct cert_step step = { .from = INITIAL, .via = INITIAL };
  if (!get_number (r, STEP_KINDS - 1, &kind))
    return false;
  step.kind = (uint8_t) kind;
  const uint8_t has = step_fields[kind];
  if (((has & HAS_FROM) && !get_txn (r, c, &step.from)) || !get_txn (r, c, &step.to)
      || ((has & HAS_OP) && !get_below (r, c->ops, &step.op)) || ((has & HAS_KEY) && !get_below (r, c->keys, &step.key))
      || ((has & HAS_VIA) && !get_txn (r, c, &step.via)) || ((has & HAS_PATH) && !get_count (r, &step.path))
      || ((has & HAS_CONSTRAINT)
          && (!get_below (r, (uint32_t) c->constraints.list.count, &step.constraint)
              || !get_below (r, c->constraints.list.data[step.constraint].alternatives, &step.alternative))))
    return false;
  VEC_PUSH (c->steps, step);
  return true;
}

static bool get_lemma (struct reader *r, struct certificate *c, struct cert_item *item) {
  item->first_assumed = (uint32_t) c->assumed.count;
  item->first_step = (uint32_t) c->steps.count;
  if (!get_count (r, &item->assumed))
    return false;
  for (uint32_t i = 0; i < item->assumed; i++) {
    uint32_t assumed;
    if (!get_below (r, c->ops < UINT32_MAX / 2 ? c->ops * 2 : UINT32_MAX, &assumed))
      return false;
    VEC_PUSH (c->assumed, assumed);
  }
  if (!get_count (r, &item->steps))
    return false;
  for (uint32_t i = 0; i < item->steps; i++)
    if (!get_step (r, c))
      return false;
  return true;
}

static bool get_item (struct reader *r, struct certificate *c) {
  uint32_t kind;
  struct cert_item item = { .a = INITIAL, .b = INITIAL };
  if (!get_number (r, ITEM_KINDS - 1, &kind))
    return false;
  item.kind = (uint8_t) kind;
  const uint8_t has = item_fields[kind];
  if (((has & HAS_OP) && !get_below (r, c->ops, &item.op)) || ((has & HAS_KEY) && !get_below (r, c->keys, &item.key))
      || ((has & HAS_A) && !get_txn (r, c, &item.a)) || ((has & HAS_B) && !get_txn (r, c, &item.b))
      || ((has & HAS_OTHER_OP) && !get_below (r, c->ops, &item.other_op))
      || ((has & HAS_WROTE) && !get_flag (r, &item.wrote))
      || ((has & HAS_CONSTRAINT) && !get_below (r, (uint32_t) c->constraints.list.count, &item.constraint)))
    return false;
  if (kind == ITEM_LEMMA && !get_lemma (r, c, &item))
    return false;
  VEC_PUSH (c->items, item);
  return true;
}

static bool get_clause (struct reader *r, struct certificate *c) {
  struct cert_clause clause = { .first_literal = (uint32_t) c->literals.count,
                                .first_hint = (uint32_t) c->hints.count };
  if (!get_count (r, &clause.literals))
    return false;
  for (uint32_t i = 0; i < clause.literals; i++) {
    int64_t literal;
    if (!get_signed (r, &literal))
      return false;
    if (!literal || literal > INT32_MAX || literal < -INT32_MAX)
      return bad (r, "a literal that cannot be");
    VEC_PUSH (c->literals, (int32_t) literal);
  }
  if (!get_count (r, &clause.hints))
    return false;
  for (uint32_t i = 0; i < clause.hints; i++) {
    uint32_t hint;
    if (!get_number (r, UINT32_MAX, &hint))
      return false;
    VEC_PUSH (c->hints, hint);
  }
  VEC_PUSH (c->clauses, clause);
  return true;
}

static bool get_invalid (struct reader *r, struct certificate *c) {
  uint32_t count;
  if (!get_count (r, &count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!get_item (r, c))
      return false;
  if (!get_count (r, &count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!get_clause (r, c))
      return false;
  return true;
}

// Of small letters and hyphens.
static bool get_name (struct reader *r, char *name, size_t size) {
  uint32_t length;
  if (!get_number (r, size - 1, &length))
    return false;
  if (r->length - r->at < length)
    return bad (r, "the certificate ends too early");
  for (uint32_t i = 0; i < length; i++) {
    const uint8_t letter = r->bytes[r->at++];
    if (letter != '-' && (letter < 'a' || letter > 'z'))
      return bad (r, "a name that cannot be");
    name[i] = (char) letter;
  }
  return true;
}

static bool get_header (struct reader *r, struct certificate *c) {
  uint32_t version, policy;
  if (!certificate_has_magic (r->bytes, r->length))
    return bad (r, "not a certificate");
  r->at = sizeof magic;
  if (!get_number (r, UINT32_MAX, &version))
    return false;
  if (version != FORMAT_VERSION)
    return bad (r, "a certificate of another version");
  if (!get_flag (r, &c->valid) || !get_name (r, c->level, sizeof c->level))
    return false;
  if (!get_number (r, POLICIES - 1, &policy) || !get_signed (r, &c->clock_skew) || !get_flag (r, &c->trust_commit_ts)
      || !get_name (r, c->dialect, sizeof c->dialect))
    return false;
  c->policy = (enum own_policy) policy;
  return get_number (r, INDEX_MOST, &c->txns) && get_number (r, INDEX_MOST, &c->ops)
         && get_number (r, INDEX_MOST, &c->keys);
}

struct certificate *certificate_read (const uint8_t *bytes, size_t length, const char *name, struct error *error) {
  struct certificate *c = mem_zalloc (sizeof *c);
  struct reader r = { bytes, length, 0, name, error };
  bool fine = get_header (&r, c) && get_constraints (&r, c) && (c->valid ? get_valid (&r, c) : get_invalid (&r, c));
  if (fine && r.at != length)
    fine = bad (&r, "something follows the certificate");
  if (fine)
    return c;
  certificate_free (c);
  return NULL;
}
