// A line at a time: the words of a line become rows of a staging table, and the table a history. From there on the IR is built as for any
// other history; only the given edges are added to it.

#include "base/hash.h"
#include "base/input.h"
#include "formats/found.h"
#include "history/history.h"
#include "ir/kir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The times of a history whose real-time order is the one of the slots: what ends in slot s ends before what begins after it.
#define TIME_BEFORE_ALL 0
#define TIME_AFTER_ALL (INT64_MAX - 1)
static int64_t time_of_end (uint32_t slot) {
  return 2 * (int64_t) slot + 1;
}
static int64_t time_of_begin (uint32_t slot) {
  return 2 * (int64_t) slot + 2;
}

// In the order in which a transaction does them.
enum phase { PHASE_READ, PHASE_OWN_WRITE, PHASE_OWN_READ, PHASE_INSTALL };

struct staged_op {
  uint32_t txn;
  uint32_t number; // of the line's entry, so that sorting keeps the order of the file
  enum phase phase;
  uint32_t key, value;
};

struct staged_txn {
  struct txn_header header;
  uint32_t last_key; // that its installs were given for
};

struct reader {
  struct input *input;
  struct error *error;
  struct history *h;
  const struct level *level;

  const char *line, *end; // the current line
  const char *at;         // behind the word read last
  const char *word;       // the word read last
  size_t length;

  VEC (struct staged_txn) txns;
  VEC (uint64_t) ids; // the same, for the table
  struct hash_set id_table;
  VEC (struct staged_op) ops;
  VEC (uint32_t) key_first_op; // per key: its installs begin here
  VEC (struct ir_edge) edges;  // between staged transactions
  bool any_open, any_closed;   // initial states seen so far
};

// ------------------------------------------------------------------------------------------------------------------- words

static bool fail_at (struct reader *r, const char *at, const char *text) {
  return error_at_line (r->error, input_name (r->input), input_line_number (r->input), (uint64_t) (at - r->line) + 1,
                        "%s", text);
}

static bool fail_expected (struct reader *r, const char *at, const char *expected) {
  char found[FOUND_SIZE];
  return error_at_line (r->error, input_name (r->input), input_line_number (r->input), (uint64_t) (at - r->line) + 1,
                        "expected %s, found %s", expected, found_text (found, at, r->end, "the end of the line"));
}

static bool is_blank (char c) {
  return c == ' ' || c == '\t';
}

// False at the end of the line, a comment included; the word is empty then, and stands where one could.
static bool next_word (struct reader *r) {
  while (r->at < r->end && is_blank (*r->at))
    r->at++;
  if (r->at < r->end && *r->at == '#')
    r->end = r->at;
  r->word = r->at;
  while (r->at < r->end && !is_blank (*r->at))
    r->at++;
  r->length = (size_t) (r->at - r->word);
  return r->length != 0;
}

static bool word_is (const struct reader *r, const char *text) {
  return r->length == strlen (text) && !memcmp (r->word, text, r->length);
}

static bool expect_end (struct reader *r) {
  return !next_word (r) || fail_expected (r, r->word, "the end of the line");
}

// A number from *at on, up to `most`; false if there is none, or it is too large.
static bool parse_number (const char **at, const char *end, uint64_t most, uint64_t *number) {
  const char *digit = *at;
  *number = 0;
  for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
    const uint64_t d = (uint64_t) (*digit - '0');
    if (*number > most / 10 || (*number == most / 10 && d > most % 10))
      return false;
    *number = 10 * *number + d;
  }
  const bool any = digit > *at;
  *at = digit;
  return any;
}

// "T7", "s2", "k0": a letter and a number.
static bool parse_named (const char **at, const char *end, char letter, uint64_t most, uint64_t *number) {
  if (*at == end || **at != letter)
    return false;
  ++*at;
  return parse_number (at, end, most, number);
}

// ------------------------------------------------------------------------------------------------- transactions, keys, values

static bool same_id (const void *context, uint32_t index, const void *wanted) {
  return ((const uint64_t *) context)[index] == *(const uint64_t *) wanted;
}

// A transaction named from *at on.
static bool parse_txn (struct reader *r, const char **at, uint32_t *txn) {
  const char *start = *at;
  uint64_t id;
  if (!parse_named (at, r->at, 'T', UINT64_MAX, &id))
    return fail_expected (r, start, "a transaction such as T7");
  *txn = hash_set_find (&r->id_table, hash_u64 (id), same_id, r->ids.data, &id);
  return *txn != UINT32_MAX || fail_at (r, start, "no transaction of this name stands above");
}

static bool parse_key (struct reader *r, const char **at, uint32_t *key) {
  const char *start = *at;
  uint64_t number;
  if (!parse_named (at, r->at, 'k', UINT32_MAX, &number))
    return fail_expected (r, start, "a key such as k0");
  *key = (uint32_t) number;
  return number < r->key_first_op.count || fail_at (r, start, "no key of this name stands above");
}

// A value from `at` to the end of the word; or `absent` where that is allowed.
static bool parse_value (struct reader *r, const char *at, bool may_be_absent, uint32_t *value) {
  const char *rest = at, *why = "?";
  const size_t length = (size_t) (r->at - at);
  uint64_t number;
  if (may_be_absent && length == 6 && !memcmp (at, "absent", 6)) {
    *value = VALUE_ABSENT;
    return true;
  }
  if (!parse_named (&rest, r->at, 'v', UINT32_MAX, &number) || rest != r->at)
    return fail_expected (r, at, may_be_absent ? "a value such as v4, or absent" : "a value such as v4");
  char name[16];
  const int used = snprintf (name, sizeof name, "v%" PRIu64, number);
  *value = history_value (r->h, atom_bytes (name, (size_t) used), &why);
  return *value != UINT32_MAX || fail_at (r, at, why);
}

static bool expect_equals (struct reader *r, const char **at) {
  if (*at == r->at || **at != '=')
    return fail_expected (r, *at, "=");
  ++*at;
  return true;
}

static void stage (struct reader *r, uint32_t txn, enum phase phase, uint32_t key, uint32_t value) {
  VEC_PUSH (r->ops, (struct staged_op){ txn, (uint32_t) r->ops.count, phase, key, value });
}

// ------------------------------------------------------------------------------------------------------------------- lines

// "begin=3", "end=-": true if the word is that; `slot` is SLOT_NONE for "-".
static bool parse_slot (struct reader *r, const char *name, uint32_t *slot) {
  const size_t length = strlen (name);
  const char *at = r->word + length;
  uint64_t number = SLOT_NONE;
  if (!r->length || r->length <= length || memcmp (r->word, name, length))
    return fail_expected (r, r->word, name);
  if (*at == '-')
    at++;
  else if (!parse_number (&at, r->at, SLOT_NONE - 1, &number))
    return fail_expected (r, r->word + length, "a time slot, or -");
  *slot = (uint32_t) number;
  return at == r->at || fail_expected (r, at, "the end of the word");
}

static bool parse_times (struct reader *r, struct txn_header *header) {
  const char *start = r->word;
  uint32_t before, after;
  if (!r->level->rt.used)
    return fail_at (r, start, "the level has no real time");
  if (!parse_slot (r, "begin=", &before))
    return false;
  next_word (r);
  if (!parse_slot (r, "end=", &after))
    return false;
  if (before != SLOT_NONE && after != SLOT_NONE && after <= before)
    return fail_at (r, start, "the transaction ends before it begins");
  header->begin = before == SLOT_NONE ? TIME_BEFORE_ALL : time_of_begin (before);
  header->end = after == SLOT_NONE ? TIME_AFTER_ALL : time_of_end (after);
  return true;
}

// txn T7 s2 [unknown] [begin=SLOT end=SLOT]
static bool read_txn (struct reader *r) {
  struct txn_header header = { .has_id = true, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  next_word (r);
  const char *at = r->word;
  if (!parse_named (&at, r->at, 'T', UINT64_MAX, &header.id) || at != r->at)
    return fail_expected (r, r->word, "a transaction such as T7");
  const uint64_t hash = hash_u64 (header.id);
  if (hash_set_find (&r->id_table, hash, same_id, r->ids.data, &header.id) != UINT32_MAX)
    return fail_at (r, r->word, "this transaction stands above already");
  next_word (r);
  at = r->word;
  if (!parse_named (&at, r->at, 's', UINT64_MAX, &header.session) || at != r->at)
    return fail_expected (r, r->word, "a session such as s1");
  bool more = next_word (r);
  if (word_is (r, "unknown")) {
    header.status = TXN_UNKNOWN;
    more = next_word (r);
  }
  if (more && (!parse_times (r, &header) || !expect_end (r)))
    return false;
  hash_set_insert (&r->id_table, hash, (uint32_t) r->ids.count);
  VEC_PUSH (r->ids, header.id);
  VEC_PUSH (r->txns, (struct staged_txn){ header, KEY_NONE });
  return true;
}

static bool read_initial (struct reader *r, uint32_t key) {
  static const char name[] = "init=";
  const size_t length = sizeof name - 1;
  const char *why = "?";
  uint32_t value;
  if (!next_word (r) || r->length <= length || memcmp (r->word, name, length))
    return fail_expected (r, r->word, name);
  const char *at = r->word + length;
  const bool is_open = r->at - at == 4 && !memcmp (at, "open", 4);
  r->any_open |= is_open;
  r->any_closed |= !is_open;
  if (r->any_open && r->any_closed)
    return fail_at (r, at, "the initial state is open for all keys or for none");
  if (is_open) {
    r->h->init = INIT_ANY;
    return true;
  }
  return parse_value (r, at, true, &value) && (history_set_init_key (r->h, key, value, &why) || fail_at (r, at, why));
}

static bool read_install (struct reader *r, uint32_t key) {
  const char *at = r->word;
  uint32_t txn, value;
  if (!parse_txn (r, &at, &txn) || !expect_equals (r, &at) || !parse_value (r, at, false, &value))
    return false;
  if (r->txns.data[txn].last_key == key)
    return fail_at (r, r->word, "this transaction installs the key already");
  r->txns.data[txn].last_key = key;
  stage (r, txn, PHASE_INSTALL, key, value);
  return true;
}

// key k0 init=absent T1=v0 T3=v1
static bool read_key (struct reader *r) {
  const char *why = "?";
  next_word (r);
  const char *at = r->word;
  uint64_t number;
  if (!parse_named (&at, r->at, 'k', UINT32_MAX, &number) || at != r->at)
    return fail_expected (r, r->word, "a key such as k0");
  if (number != r->key_first_op.count)
    return fail_at (r, r->word, "keys are numbered one after the other, from k0");
  char name[16];
  const int used = snprintf (name, sizeof name, "k%" PRIu64, number);
  const uint32_t key = history_key (r->h, atom_bytes (name, (size_t) used), &why);
  if (key == KEY_NONE)
    return fail_at (r, r->word, why);
  VEC_PUSH (r->key_first_op, (uint32_t) r->ops.count);
  if (!read_initial (r, key))
    return false;
  while (next_word (r))
    if (!read_install (r, key))
      return false;
  return true;
}

// The next two words: a transaction, and a key with a value.
static bool parse_access (struct reader *r, uint32_t *txn, uint32_t *key, uint32_t *value, bool may_be_absent) {
  next_word (r);
  const char *at = r->word;
  if (!parse_txn (r, &at, txn))
    return false;
  if (at != r->at)
    return fail_expected (r, at, "the end of the word");
  next_word (r);
  at = r->word;
  return parse_key (r, &at, key) && expect_equals (r, &at) && parse_value (r, at, may_be_absent, value);
}

// read T7 k0=v4
static bool read_read (struct reader *r) {
  uint32_t txn, key, value;
  if (!parse_access (r, &txn, &key, &value, true) || !expect_end (r))
    return false;
  stage (r, txn, PHASE_READ, key, value);
  return true;
}

static bool installs (const struct reader *r, uint32_t txn, uint32_t key) {
  for (size_t i = r->key_first_op.data[key]; i < r->ops.count; i++)
    if (r->ops.data[i].phase == PHASE_INSTALL && r->ops.data[i].txn == txn && r->ops.data[i].key == key)
      return true;
  return false;
}

// own T7 k0=v4 read=v5
static bool read_own (struct reader *r) {
  static const char name[] = "read=";
  const size_t length = sizeof name - 1;
  uint32_t txn, key, written, seen;
  if (!parse_access (r, &txn, &key, &written, false))
    return false;
  if (!installs (r, txn, key))
    return fail_at (r, r->word, "this transaction does not install the key");
  if (!next_word (r) || r->length <= length || memcmp (r->word, name, length))
    return fail_expected (r, r->word, name);
  if (!parse_value (r, r->word + length, true, &seen) || !expect_end (r))
    return false;
  stage (r, txn, PHASE_OWN_WRITE, key, written);
  stage (r, txn, PHASE_OWN_READ, key, seen);
  return true;
}

static bool parse_edge_end (struct reader *r, uint32_t *txn) {
  next_word (r);
  const char *at = r->word;
  if (!parse_txn (r, &at, txn))
    return false;
  if (at != r->at)
    return fail_expected (r, at, "the end of the word");
  return r->txns.data[*txn].header.status == TXN_COMMITTED
         || fail_at (r, r->word, "an edge at a transaction whose outcome is unknown");
}

// edge T3 T5
static bool read_edge (struct reader *r) {
  struct ir_edge edge;
  if (!parse_edge_end (r, &edge.from) || !parse_edge_end (r, &edge.to))
    return false;
  if (edge.from == edge.to)
    return fail_at (r, r->word, "an edge from a transaction to itself");
  VEC_PUSH (r->edges, edge);
  return expect_end (r);
}

// ------------------------------------------------------------------------------------------------------------------ the file

static bool next_line (struct reader *r) {
  size_t length;
  if (!input_line (r->input, &r->line, &length, r->error))
    return false;
  r->end = r->line + length;
  r->at = r->line;
  return true;
}

static bool header_line (struct reader *r, const char *word) {
  if (!next_line (r))
    return error_set (r->error, "%.400s: expected a line with %s, found the end of the file", input_name (r->input),
                      word);
  return (next_word (r) && word_is (r, word)) || fail_expected (r, r->word, word);
}

static bool read_version (struct reader *r) {
  if (!header_line (r, "kir"))
    return false;
  next_word (r);
  return word_is (r, "1") ? expect_end (r) : fail_expected (r, r->word, "version 1");
}

static bool read_level (struct reader *r) {
  if (!header_line (r, "level"))
    return false;
  if (!next_word (r))
    return fail_expected (r, r->word, "the name of a level");
  char name[64] = "";
  if (r->length < sizeof name)
    memcpy (name, r->word, r->length);
  r->level = strlen (name) == r->length ? level_find (name) : NULL;
  return r->level ? expect_end (r) : fail_at (r, r->word, "no level has this name");
}

// The edges that the level has, as its writer understood them.
static bool read_points (struct reader *r) {
  char expected[KIR_POINTS_SIZE];
  if (!header_line (r, "points"))
    return false;
  kir_points (r->level, expected);
  for (char *rest = expected; *rest;) {
    const size_t length = strcspn (rest, " ");
    const bool last = !rest[length];
    rest[length] = 0;
    next_word (r);
    if (!word_is (r, rest))
      return fail_expected (r, r->word, rest);
    rest += length + !last;
  }
  return expect_end (r);
}

static bool read_line (struct reader *r) {
  static const struct {
    const char *word;
    bool (*read) (struct reader *);
  } kinds[] = {
    { "txn", read_txn }, { "key", read_key }, { "read", read_read }, { "own", read_own }, { "edge", read_edge },
  };
  if (!next_word (r))
    return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (word_is (r, kinds[i].word))
      return kinds[i].read (r);
  return fail_expected (r, r->word, "txn, key, read, own or edge");
}

static bool read_all (struct reader *r) {
  if (!read_version (r) || !read_level (r) || !read_points (r))
    return false;
  while (next_line (r))
    if (!read_line (r))
      return false;
  return !r->error->code;
}

// ------------------------------------------------------------------------------------------------------------------- history

static int by_txn_and_phase (const void *a, const void *b) {
  const struct staged_op *x = a, *y = b;
  if (x->txn != y->txn)
    return x->txn < y->txn ? -1 : 1;
  // An own write and the read behind it stay together.
  const int px = x->phase == PHASE_OWN_READ ? PHASE_OWN_WRITE : (int) x->phase;
  const int py = y->phase == PHASE_OWN_READ ? PHASE_OWN_WRITE : (int) y->phase;
  if (px != py)
    return px < py ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static bool fill_history (struct reader *r) {
  const char *why = "?";
  size_t op = 0;
  bool fine = true;
  if (r->ops.count)
    qsort (r->ops.data, r->ops.count, sizeof *r->ops.data, by_txn_and_phase);
  for (size_t txn = 0; fine && txn < r->txns.count; txn++) {
    fine = history_begin_txn (r->h, &r->txns.data[txn].header, &why);
    for (; fine && op < r->ops.count && r->ops.data[op].txn == txn; op++) {
      const struct staged_op *o = &r->ops.data[op];
      const bool is_read = o->phase == PHASE_READ || o->phase == PHASE_OWN_READ;
      fine = history_add_op (r->h, is_read ? OP_GET : OP_PUT, 0, o->key, o->value, AUX_NONE, &why);
    }
  }
  if (!fine)
    return error_set (r->error, "%.400s: %s", input_name (r->input), why);
  history_finish (r->h);
  return true;
}

// From staged transactions to nodes; the history has grouped the transactions by session.
static void add_edges (const struct reader *r, struct ir *ir) {
  uint32_t *node_of = MEM_ARRAY (uint32_t, r->ids.count);
  for (uint32_t t = 0; t < history_txns (ir->history); t++) {
    const uint64_t id = ir->history->txn_ids.data[t];
    node_of[hash_set_find (&r->id_table, hash_u64 (id), same_id, r->ids.data, &id)] = ir->asg->txn_node[t];
  }
  for (size_t i = 0; i < r->edges.count; i++)
    VEC_PUSH (ir->edges, (struct ir_edge){ node_of[r->edges.data[i].from], node_of[r->edges.data[i].to] });
  mem_free (node_of);
}

static struct ir *build (struct reader *r) {
  if (!read_all (r) || !fill_history (r))
    return NULL;
  struct asg *asg = asg_build (r->h, &(struct asg_options){ .merge_equal_reads = true });
  struct ir *ir = ir_lower (asg, r->level, 0);
  ir->owns_asg = true;
  ir->history = r->h;
  r->h = NULL;
  add_edges (r, ir);
  const char *why = NULL;
  if (ir_validate (ir, &why))
    return ir;
  error_set_code (r->error, ERROR_INTERNAL, "%.400s: internal error: %s", input_name (r->input), why);
  ir_free (ir);
  return NULL;
}

struct ir *kir_read (struct input *input, struct error *error) {
  struct reader r = { .input = input, .error = error, .h = history_new (input_name (input)) };
  struct ir *ir = build (&r);
  history_free (r.h);
  VEC_FREE (r.txns);
  VEC_FREE (r.ids);
  hash_set_free (&r.id_table);
  VEC_FREE (r.ops);
  VEC_FREE (r.key_first_op);
  VEC_FREE (r.edges);
  return ir;
}
