// The file: a magic word and a version, then numbers of variable length (seven bits a byte, the
// lowest first), signed ones folded (0, -1, 1, -2, …). Lists are a count and their entries; what
// ascends is written as differences.
//
// It is written and read by the same walk, so that each part of it stands here once: what is
// written is not judged, and what is read is held against the counts in the head.

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
  MEM_FREE_ALL (constraints->list.data, constraints->conditions.data, constraints->alternatives.data,
                constraints->edges.data);
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
  MEM_FREE_ALL (c->order.data, c->took_place.data, c->wrote.data, c->sources.data, c->items.data, c->steps.data,
                c->assumed.data, c->clauses.data, c->literals.data, c->hints.data, c);
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

// ----------------------------------------------------------------------------------------- numbers

struct file {
  byte_vec *out; // NULL: it is read
  const uint8_t *bytes;
  size_t length, at;
  const char *name;
  struct error *error;
};

static bool fits (const struct file *f, bool fine, const char *what) {
  return fine || f->out || error_at_byte (f->error, f->name, f->at, "%s", what);
}

static void put (byte_vec *out, uint64_t number) {
  while (number >= 128) {
    VEC_PUSH (*out, (uint8_t) (number | 128));
    number >>= 7;
  }
  VEC_PUSH (*out, (uint8_t) number);
}

static bool get (struct file *f, uint64_t most, uint64_t *number) {
  const size_t start = f->at;
  uint64_t found = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (f->at == f->length)
      return fits (f, false, "the certificate ends too early");
    const uint8_t byte = f->bytes[f->at++];
    if (shift == 63 && byte > 1)
      break;
    found |= (uint64_t) (byte & 127) << shift;
    if (byte & 128)
      continue;
    if (found > most || (!byte && shift)) { // one way to write a number
      f->at = start;
      return fits (f, false, "a number that cannot be");
    }
    *number = found;
    return true;
  }
  f->at = start;
  return fits (f, false, "a number that is too long");
}

static bool pass_long (struct file *f, uint64_t most, uint64_t *number) {
  if (!f->out)
    return get (f, most, number);
  put (f->out, *number);
  return true;
}

static bool pass_number (struct file *f, uint64_t most, uint32_t *number) {
  uint64_t wide = *number;
  if (!pass_long (f, most, &wide))
    return false;
  *number = (uint32_t) wide;
  return true;
}

// An operation or a key, say: below what the history has.
static bool pass_below (struct file *f, uint64_t limit, uint32_t *number) {
  return fits (f, limit, "a number of something that there is none of") && pass_number (f, limit - 1, number);
}

static bool pass_kind (struct file *f, uint8_t kinds, uint8_t *kind) {
  uint32_t number = *kind;
  const bool fine = pass_below (f, kinds, &number);
  *kind = (uint8_t) number;
  return fine;
}

static bool pass_flag (struct file *f, bool *flag) {
  uint32_t number = *flag;
  const bool fine = pass_number (f, 1, &number);
  *flag = number;
  return fine;
}

static bool pass_signed (struct file *f, int64_t *number) {
  uint64_t folded = ((uint64_t) *number << 1) ^ (uint64_t) (*number >> 63);
  const bool fine = pass_long (f, UINT64_MAX, &folded);
  *number = (int64_t) (folded >> 1) ^ -(int64_t) (folded & 1);
  return fine;
}

// How many entries follow; each takes at least a byte.
static bool pass_count (struct file *f, uint32_t *count) {
  const size_t left = f->length - f->at;
  return pass_number (f, left > UINT32_MAX - 1 ? UINT32_MAX - 1 : left, count);
}

// Transactions, with the initial state as 0.
static bool pass_txn (struct file *f, const struct certificate *c, uint32_t *txn) {
  uint32_t number = *txn + 1;
  const bool fine = pass_number (f, c->txns, &number);
  *txn = number - 1;
  return fine;
}

// Numbers that stand together in a vector; those that are read become its last ones.
static bool pass_numbers (struct file *f, uint64_t limit, cert_numbers *all, uint32_t *first, uint32_t *count) {
  if (!f->out)
    *first = (uint32_t) all->count;
  if (!pass_count (f, count))
    return false;
  for (uint32_t i = *first; i < *first + *count; i++) {
    if (!f->out)
      VEC_PUSH (*all, 0);
    if (!pass_below (f, limit, &all->data[i]))
      return false;
  }
  return true;
}

static bool pass_ascending (struct file *f, uint32_t limit, cert_numbers *numbers) {
  uint32_t count = (uint32_t) numbers->count, number = 0;
  if (!pass_count (f, &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t step = f->out ? numbers->data[i] - number : 0;
    if (!pass_number (f, UINT32_MAX, &step)
        || !fits (f, (!i || step) && step < limit - number && number + step < limit,
                  "numbers that do not ascend, or lie outside the history"))
      return false;
    number += step;
    if (!f->out)
      VEC_PUSH (*numbers, number);
  }
  return true;
}

// Entries of a list that stand together from `first` on. Each is one more in its vector when it is
// read.
typedef bool pass_entry (struct file *, struct certificate *, uint32_t at);

static bool pass_entries (struct file *f, struct certificate *c, uint32_t first, uint32_t *count, pass_entry *pass) {
  if (!pass_count (f, count))
    return false;
  for (uint32_t i = 0; i < *count; i++)
    if (!pass (f, c, first + i))
      return false;
  return true;
}

// ------------------------------------------------------------------------------------- constraints

static bool pass_condition (struct file *f, struct certificate *c, uint32_t at) {
  if (!f->out)
    VEC_PUSH (c->constraints.conditions, (struct cert_condition){ 0 });
  struct cert_condition *condition = &c->constraints.conditions.data[at];
  return pass_below (f, c->ops, &condition->op) && pass_below (f, c->keys, &condition->key)
         && pass_txn (f, c, &condition->source);
}

static bool pass_edge (struct file *f, struct certificate *c, uint32_t at) {
  if (!f->out)
    VEC_PUSH (c->constraints.edges, (struct cert_edge){ 0 });
  struct cert_edge *edge = &c->constraints.edges.data[at];
  return pass_below (f, c->txns, &edge->from) && pass_below (f, c->txns, &edge->to);
}

static bool pass_alternative (struct file *f, struct certificate *c, uint32_t at) {
  struct cert_constraints *all = &c->constraints;
  if (!f->out)
    VEC_PUSH (all->alternatives, (struct cert_alternative){ .first_edge = (uint32_t) all->edges.count });
  return pass_entries (f, c, all->alternatives.data[at].first_edge, &all->alternatives.data[at].edges, pass_edge);
}

static bool pass_constraint (struct file *f, struct certificate *c, uint32_t at) {
  struct cert_constraints *all = &c->constraints;
  if (!f->out)
    VEC_PUSH (all->list, (struct cert_constraint){ .first_condition = (uint32_t) all->conditions.count,
                                                   .first_alternative = (uint32_t) all->alternatives.count });
  struct cert_constraint *constraint = &all->list.data[at];
  return pass_entries (f, c, constraint->first_condition, &constraint->conditions, pass_condition)
         && pass_entries (f, c, constraint->first_alternative, &constraint->alternatives, pass_alternative);
}

// ------------------------------------------------------------------------------------------- valid

static bool pass_order (struct file *f, struct certificate *c) {
  uint32_t count = (uint32_t) c->order.count;
  int64_t point = 0;
  if (!pass_count (f, &count))
    return false;
  if (!f->out)
    VEC_RESERVE (c->order, count);
  for (uint32_t i = 0; i < count; i++) {
    int64_t step = f->out ? c->order.data[i] - point : 0;
    if (!pass_signed (f, &step)
        || !fits (f,
                  !__builtin_add_overflow (point, step, &point) && point >= 0 && point < (int64_t) c->txns * c->points,
                  "the order names a transaction that is not there"))
      return false;
    if (!f->out)
      VEC_PUSH (c->order, (uint32_t) point);
  }
  return true;
}

static bool pass_source (struct file *f, struct certificate *c, uint32_t at) {
  const uint32_t op = at ? c->sources.data[at - 1].op : 0;
  if (!f->out)
    VEC_PUSH (c->sources, (struct named_source){ .op = op });
  struct named_source *named = &c->sources.data[at];
  uint32_t step = named->op - op;
  if (!pass_number (f, c->ops, &step) || !pass_below (f, c->keys, &named->key) || !pass_txn (f, c, &named->source)
      || !fits (f, step < c->ops - op, "a source for an operation that is not there")
      || !fits (f, !at || step || named[-1].key < named->key, "sources that do not ascend"))
    return false;
  named->op = op + step;
  return true;
}

static bool pass_chosen (struct file *f, struct certificate *c) {
  uint32_t count = (uint32_t) c->constraints.list.count;
  if (c->of_ir && !pass_count (f, &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!f->out && c->of_ir)
      VEC_PUSH (c->constraints.list, (struct cert_constraint){ .alternatives = UINT32_MAX });
    if (!pass_number (f, c->constraints.list.data[i].alternatives, &c->constraints.list.data[i].chosen))
      return false;
  }
  return true;
}

static bool pass_valid (struct file *f, struct certificate *c) {
  uint32_t sources = (uint32_t) c->sources.count;
  return pass_number (f, 2, &c->points) && fits (f, c->points, "a transaction without a point")
         && fits (f, (uint64_t) c->txns * c->points < UINT32_MAX, "too many points")
         && pass_ascending (f, c->txns, &c->took_place) && pass_ascending (f, c->of_ir ? INDEX_MOST : c->ops, &c->wrote)
         && pass_order (f, c) && pass_entries (f, c, 0, &sources, pass_source) && pass_chosen (f, c);
}

// ----------------------------------------------------------------------------------------- invalid

#define ANY_NUMBER ((uint64_t) UINT32_MAX + 1) // below it

static bool pass_step (struct file *f, struct certificate *c, uint32_t at) {
  if (!f->out)
    VEC_PUSH (c->steps, (struct cert_step){ .from = INITIAL, .via = INITIAL });
  struct cert_step *step = &c->steps.data[at];
  if (!pass_kind (f, STEP_KINDS, &step->kind))
    return false;
  const uint8_t has = step_fields[step->kind];
  return (!(has & HAS_FROM) || pass_txn (f, c, &step->from)) && pass_txn (f, c, &step->to)
         && (!(has & HAS_OP) || pass_below (f, c->ops, &step->op))
         && (!(has & HAS_KEY) || pass_below (f, c->keys, &step->key))
         && (!(has & HAS_VIA) || pass_txn (f, c, &step->via)) && (!(has & HAS_PATH) || pass_count (f, &step->path))
         && (!(has & HAS_CONSTRAINT)
             || (pass_below (f, c->constraints.list.count, &step->constraint)
                 && pass_below (f, c->constraints.list.data[step->constraint].alternatives, &step->alternative)));
}

static bool pass_lemma (struct file *f, struct certificate *c, struct cert_item *item) {
  const uint32_t assumptions = c->ops < UINT32_MAX / 2 ? c->ops * 2 : UINT32_MAX;
  if (!f->out)
    item->first_step = (uint32_t) c->steps.count;
  return pass_numbers (f, assumptions, &c->assumed, &item->first_assumed, &item->assumed)
         && pass_entries (f, c, item->first_step, &item->steps, pass_step);
}

static bool pass_item (struct file *f, struct certificate *c, uint32_t at) {
  if (!f->out)
    VEC_PUSH (c->items, (struct cert_item){ .a = INITIAL, .b = INITIAL });
  struct cert_item *item = &c->items.data[at];
  if (!pass_kind (f, c->of_ir ? IR_ITEM_KINDS : ITEM_KINDS, &item->kind))
    return false;
  if (c->of_ir)
    return pass_numbers (f, ANY_NUMBER, &c->assumed, &item->first_assumed, &item->assumed);
  const uint8_t has = item_fields[item->kind];
  return (!(has & HAS_OP) || pass_below (f, c->ops, &item->op))
         && (!(has & HAS_KEY) || pass_below (f, c->keys, &item->key)) && (!(has & HAS_A) || pass_txn (f, c, &item->a))
         && (!(has & HAS_B) || pass_txn (f, c, &item->b))
         && (!(has & HAS_OTHER_OP) || pass_below (f, c->ops, &item->other_op))
         && (!(has & HAS_WROTE) || pass_flag (f, &item->wrote))
         && (!(has & HAS_CONSTRAINT) || pass_below (f, c->constraints.list.count, &item->constraint))
         && (item->kind != ITEM_LEMMA || pass_lemma (f, c, item));
}

static bool pass_literal (struct file *f, struct certificate *c, uint32_t at) {
  if (!f->out)
    VEC_PUSH (c->literals, 0);
  int64_t literal = c->literals.data[at];
  if (!pass_signed (f, &literal)
      || !fits (f, literal && literal <= INT32_MAX && literal >= -INT32_MAX, "a literal that cannot be"))
    return false;
  c->literals.data[at] = (int32_t) literal;
  return true;
}

static bool pass_clause (struct file *f, struct certificate *c, uint32_t at) {
  if (!f->out)
    VEC_PUSH (c->clauses, (struct cert_clause){ .first_literal = (uint32_t) c->literals.count });
  struct cert_clause *clause = &c->clauses.data[at];
  return pass_entries (f, c, clause->first_literal, &clause->literals, pass_literal)
         && pass_numbers (f, ANY_NUMBER, &c->hints, &clause->first_hint, &clause->hints);
}

static bool pass_invalid (struct file *f, struct certificate *c) {
  uint32_t items = (uint32_t) c->items.count, clauses = (uint32_t) c->clauses.count;
  return pass_entries (f, c, 0, &items, pass_item) && pass_entries (f, c, 0, &clauses, pass_clause);
}

// --------------------------------------------------------------------------------------- the whole

// Of small letters and hyphens.
static bool pass_name (struct file *f, char *name, size_t size) {
  uint32_t length = (uint32_t) strlen (name);
  if (!pass_number (f, size - 1, &length) || !fits (f, f->length - f->at >= length, "the certificate ends too early"))
    return false;
  for (uint32_t i = 0; i < length; i++)
    if (f->out)
      VEC_PUSH (*f->out, (uint8_t) name[i]);
    else {
      name[i] = (char) f->bytes[f->at++];
      if (!fits (f, name[i] == '-' || (name[i] >= 'a' && name[i] <= 'z'), "a name that cannot be"))
        return false;
    }
  return true;
}

static bool pass_counts (struct file *f, struct certificate *c) {
  return pass_number (f, INDEX_MOST, &c->txns) && pass_number (f, INDEX_MOST, &c->ops)
         && pass_number (f, INDEX_MOST, &c->keys);
}

// Behind the magic word.
static bool pass_head (struct file *f, struct certificate *c) {
  uint32_t version = FORMAT_VERSION, kind = (c->of_ir ? 2 : 0) + c->valid, policy = c->policy;
  uint32_t constraints = (uint32_t) c->constraints.list.count;
  if (!pass_number (f, UINT32_MAX, &version) || !fits (f, version == FORMAT_VERSION, "a certificate of another version")
      || !pass_number (f, 3, &kind) || !pass_name (f, c->level, sizeof c->level))
    return false;
  c->valid = kind & 1;
  c->of_ir = kind & 2;
  if (c->of_ir)
    return pass_counts (f, c) && pass_long (f, UINT64_MAX, &c->checksum);
  if (!pass_number (f, POLICIES - 1, &policy) || !pass_signed (f, &c->clock_skew) || !pass_flag (f, &c->trust_commit_ts)
      || !pass_name (f, c->dialect, sizeof c->dialect))
    return false;
  c->policy = (enum own_policy) policy;
  return pass_counts (f, c) && pass_entries (f, c, 0, &constraints, pass_constraint);
}

static bool pass_all (struct file *f, struct certificate *c) {
  return pass_head (f, c) && (c->valid ? pass_valid (f, c) : pass_invalid (f, c));
}

void certificate_write (const struct certificate *c, byte_vec *out) {
  struct certificate same = *c; // what is written is put back
  for (size_t i = 0; i < sizeof magic; i++)
    VEC_PUSH (*out, (uint8_t) magic[i]);
  pass_all (&(struct file){ .out = out }, &same);
}

struct certificate *certificate_read (const uint8_t *bytes, size_t length, const char *name, struct error *error) {
  struct certificate *c = mem_zalloc (sizeof *c);
  struct file f = { NULL, bytes, length, 0, name, error };
  bool fine = fits (&f, certificate_has_magic (bytes, length), "not a certificate");
  f.at = sizeof magic;
  fine = fine && pass_all (&f, c) && fits (&f, f.at == length, "something follows the certificate");
  if (fine)
    return c;
  certificate_free (c);
  return NULL;
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
