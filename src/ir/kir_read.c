// A line at a time: the words of a line become facts, and the facts a history. From there on the IR is built as for any other history; only
// the given edges are added to it.

#include "base/input.h"
#include "formats/found.h"
#include "ir/kir.h"
#include "ir/kir_facts.h"

#include <inttypes.h>
#include <stdio.h>
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

struct reader {
  struct input *input;
  struct error *error;
  const char *line, *end; // the current line
  const char *at;         // behind the word read last
  const char *word;       // the word read last
  size_t length;

  struct kir_facts facts;
  bool any_open, any_closed; // initial states seen so far
};

// ------------------------------------------------------------------------------------------------------------------- words

static bool fail_at (struct reader *r, const char *at, const char *text) {
  return error_at_line (r->error, input_name (r->input), input_line_number (r->input), (uint64_t) (at - r->line) + 1,
                        "%s", text);
}

static bool is_blank (char c) {
  return c == ' ' || c == '\t';
}

static bool fail_expected (struct reader *r, const char *at, const char *expected) {
  char found[FOUND_SIZE];
  return error_at_line (r->error, input_name (r->input), input_line_number (r->input), (uint64_t) (at - r->line) + 1,
                        "expected %s, found %s", expected,
                        at < r->end && is_blank (*at) ? "the end of the word"
                                                      : found_text (found, at, r->end, "the end of the line"));
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

static bool word_begins (const struct reader *r, const char *text) {
  return r->length >= strlen (text) && !memcmp (r->word, text, strlen (text));
}

// Was the word read last the end of the line?
static bool expect_ended (struct reader *r) {
  return !r->length || fail_expected (r, r->word, "the end of the line");
}

static bool expect_end (struct reader *r) {
  next_word (r);
  return expect_ended (r);
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

// A transaction named from *at on.
static bool parse_txn (struct reader *r, const char **at, uint32_t *txn) {
  const char *start = *at;
  uint64_t id;
  if (!parse_named (at, r->at, 'T', UINT64_MAX, &id))
    return fail_expected (r, start, "a transaction such as T7");
  *txn = kir_facts_txn (&r->facts, id);
  return *txn != UINT32_MAX || fail_at (r, start, "no transaction of this name stands above");
}

static bool parse_key (struct reader *r, const char **at, uint32_t *key) {
  const char *start = *at;
  uint64_t number;
  if (!parse_named (at, r->at, 'k', UINT32_MAX, &number))
    return fail_expected (r, start, "a key such as k0");
  *key = (uint32_t) number;
  return number < r->facts.key_first_op.count || fail_at (r, start, "no key of this name stands above");
}

// A value from `at` to `end`; or `absent` where that is allowed.
static bool parse_value_to (struct reader *r, const char *at, const char *end, bool may_be_absent, uint32_t *value) {
  const char *rest = at, *why = "?";
  const size_t length = (size_t) (end - at);
  uint64_t number;
  if (may_be_absent && length == 6 && !memcmp (at, "absent", 6)) {
    *value = VALUE_ABSENT;
    return true;
  }
  if (!parse_named (&rest, end, 'v', UINT32_MAX, &number) || rest != end)
    return fail_expected (r, at, may_be_absent ? "a value such as v4, or absent" : "a value such as v4");
  char name[16];
  const int used = snprintf (name, sizeof name, "v%" PRIu64, number);
  *value = history_value (r->facts.h, atom_bytes (name, (size_t) used), &why);
  return *value != UINT32_MAX || fail_at (r, at, why);
}

// To the end of the word.
static bool parse_value (struct reader *r, const char *at, bool may_be_absent, uint32_t *value) {
  return parse_value_to (r, at, r->at, may_be_absent, value);
}

static bool expect_equals (struct reader *r, const char **at) {
  if (*at == r->at || **at != '=')
    return fail_expected (r, *at, "=");
  ++*at;
  return true;
}

// `at` is where the operation's place is said, or anything where there are no places.
static void stage (struct reader *r, struct staged_op op, const char *at) {
  op.number = (uint32_t) r->facts.ops.count;
  VEC_PUSH (r->facts.ops, op);
  if (r->facts.has_places)
    VEC_PUSH (r->facts.said, (struct said_at){ input_line_number (r->input), (uint64_t) (at - r->line) + 1 });
}

// ------------------------------------------------------------------------------------------------------------------ places

static bool fail_no_places (struct reader *r, const char *at) {
  return fail_at (r, at, "the level does not ask where operations stand");
}

static bool parse_place (struct reader *r, const char **at, uint32_t *place) {
  const char *start = *at;
  uint64_t number;
  if (!parse_number (at, r->at, UINT32_MAX, &number))
    return fail_expected (r, start, "a place such as 5");
  *place = (uint32_t) number;
  return true;
}

// "3", or "3-7", up to the end of the word.
static bool parse_write_places (struct reader *r, const char *at, uint32_t *first, uint32_t *last) {
  const char *start = at;
  if (!parse_place (r, &at, first))
    return false;
  *last = *first;
  if (at < r->at && *at == '-') {
    at++;
    if (!parse_place (r, &at, last))
      return false;
  }
  if (at != r->at)
    return fail_expected (r, at, "the end of the word");
  return *first <= *last || fail_at (r, start, "the first write of the key stands behind the last one");
}

// at=5 [lock], from the word read last on; then the word behind that is the last one.
static bool parse_read_place (struct reader *r, struct staged_op *read) {
  static const char name[] = "at=";
  struct staged_txn *txn = &r->facts.txns.data[read->txn];
  const char *at = r->word + sizeof name - 1;
  if (!word_begins (r, name))
    return fail_expected (r, r->word, "at= and the place of the read");
  if (!parse_place (r, &at, &read->place))
    return false;
  if (at != r->at)
    return fail_expected (r, at, "the end of the word");
  if (read->place < txn->next_read_place)
    return fail_at (r, r->word, "the reads of a transaction stand in their order, each at a later place");
  txn->next_read_place = (uint64_t) read->place + 1;
  next_word (r);
  if (!word_is (r, "lock"))
    return true;
  if (!r->facts.locks)
    return fail_at (r, r->word, "a read that locks, and no line locks above");
  read->locks = true;
  next_word (r);
  return true;
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
  if (!r->facts.level->rt.used)
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
  if (kir_facts_txn (&r->facts, header.id) != UINT32_MAX)
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
  hash_set_insert (&r->facts.id_table, hash_u64 (header.id), (uint32_t) r->facts.ids.count);
  VEC_PUSH (r->facts.ids, header.id);
  VEC_PUSH (r->facts.txns, (struct staged_txn){ .header = header, .last_key = KEY_NONE });
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
    r->facts.h->init = INIT_ANY;
    return true;
  }
  return parse_value (r, at, true, &value)
         && (history_set_init_key (r->facts.h, key, value, &why) || fail_at (r, at, why));
}

// T1=v0, or with places T1=v0@3 or T1=v0@3-7.
static bool read_install (struct reader *r, uint32_t key) {
  struct kir_facts *f = &r->facts;
  const char *at = r->word, *mark = memchr (at, '@', r->length);
  struct staged_op write = { .key = key, .phase = STAGED_INSTALL };
  uint32_t first = 0;
  if (!parse_txn (r, &at, &write.txn) || !expect_equals (r, &at)
      || !parse_value_to (r, at, mark ? mark : r->at, false, &write.value))
    return false;
  if (f->txns.data[write.txn].last_key == key)
    return fail_at (r, r->word, "this transaction installs the key already");
  f->txns.data[write.txn].last_key = key;
  if (mark && !f->has_places)
    return fail_no_places (r, mark);
  if (!mark && f->has_places)
    return fail_expected (r, r->at, "@ and the place of the write");
  if (mark && !parse_write_places (r, mark + 1, &first, &write.place))
    return false;
  stage (r, write, mark);
  if (first < write.place) {
    write.phase = STAGED_FIRST_WRITE;
    write.place = first;
    stage (r, write, mark);
  }
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
  if (number != r->facts.key_first_op.count)
    return fail_at (r, r->word, "keys are numbered one after the other, from k0");
  char name[16];
  const int used = snprintf (name, sizeof name, "k%" PRIu64, number);
  const uint32_t key = history_key (r->facts.h, atom_bytes (name, (size_t) used), &why);
  if (key == KEY_NONE)
    return fail_at (r, r->word, why);
  VEC_PUSH (r->facts.key_first_op, (uint32_t) r->facts.ops.count);
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

// read T7 k0=v4, or with places read T7 k0=v4 at=5 [lock]
static bool read_read (struct reader *r) {
  struct staged_op read = { .phase = STAGED_READ };
  if (!parse_access (r, &read.txn, &read.key, &read.value, true))
    return false;
  next_word (r);
  const char *at = r->word;
  if (r->facts.has_places && !parse_read_place (r, &read))
    return false;
  if (!r->facts.has_places && word_begins (r, "at="))
    return fail_no_places (r, at);
  if (!expect_ended (r))
    return false;
  stage (r, read, at);
  return true;
}

// The transaction's install of the key, or NULL.
static const struct staged_op *find_install (const struct kir_facts *f, uint32_t txn, uint32_t key) {
  for (size_t i = f->key_first_op.data[key]; i < f->ops.count; i++)
    if (f->ops.data[i].phase == STAGED_INSTALL && f->ops.data[i].txn == txn && f->ops.data[i].key == key)
      return &f->ops.data[i];
  return NULL;
}

// own T7 k0=v4 read=v5. Where that was does not matter: it stands next to the install.
static bool read_own (struct reader *r) {
  static const char name[] = "read=";
  const size_t length = sizeof name - 1;
  struct staged_op own = { .phase = STAGED_OWN_WRITE };
  if (!parse_access (r, &own.txn, &own.key, &own.value, false))
    return false;
  const struct staged_op *install = find_install (&r->facts, own.txn, own.key);
  if (!install)
    return fail_at (r, r->word, "this transaction does not install the key");
  own.place = install->place;
  if (!next_word (r) || r->length <= length || memcmp (r->word, name, length))
    return fail_expected (r, r->word, name);
  struct staged_op seen = own;
  seen.phase = STAGED_OWN_READ;
  if (!parse_value (r, r->word + length, true, &seen.value) || !expect_end (r))
    return false;
  stage (r, own, r->word);
  stage (r, seen, r->word);
  return true;
}

// locks
static bool read_locks (struct reader *r) {
  if (!r->facts.has_places)
    return fail_no_places (r, r->word);
  r->facts.locks = true;
  return expect_end (r);
}

static bool parse_edge_end (struct reader *r, uint32_t *txn) {
  next_word (r);
  const char *at = r->word;
  if (!parse_txn (r, &at, txn))
    return false;
  if (at != r->at)
    return fail_expected (r, at, "the end of the word");
  return r->facts.txns.data[*txn].header.status == TXN_COMMITTED
         || fail_at (r, r->word, "an edge at a transaction whose outcome is unknown");
}

// edge T3 T5
static bool read_edge (struct reader *r) {
  struct ir_edge edge;
  if (!parse_edge_end (r, &edge.from) || !parse_edge_end (r, &edge.to))
    return false;
  if (edge.from == edge.to)
    return fail_at (r, r->word, "an edge from a transaction to itself");
  VEC_PUSH (r->facts.edges, edge);
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
  r->facts.level = strlen (name) == r->length ? level_find (name) : NULL;
  if (!r->facts.level)
    return fail_at (r, r->word, "no level has this name");
  r->facts.has_places = level_needs_events (r->facts.level);
  return expect_end (r);
}

// The edges that the level has, as its writer understood them.
static bool read_points (struct reader *r) {
  char expected[KIR_POINTS_SIZE];
  if (!header_line (r, "points"))
    return false;
  kir_points (r->facts.level, expected);
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
    { "txn", read_txn }, { "key", read_key },   { "read", read_read },
    { "own", read_own }, { "edge", read_edge }, { "locks", read_locks },
  };
  if (!next_word (r))
    return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (word_is (r, kinds[i].word))
      return kinds[i].read (r);
  return fail_expected (r, r->word, "txn, key, read, own, edge or locks");
}

static bool read_all (struct reader *r) {
  if (!read_version (r) || !read_level (r) || !read_points (r))
    return false;
  while (next_line (r))
    if (!read_line (r))
      return false;
  return !r->error->code;
}

// ---------------------------------------------------------------------------------------------------------------------- IR

// From staged transactions to nodes; the history has grouped the transactions by session.
static void add_edges (const struct kir_facts *f, struct ir *ir) {
  uint32_t *node_of = MEM_ARRAY (uint32_t, f->ids.count);
  for (uint32_t t = 0; t < history_txns (ir->history); t++)
    node_of[kir_facts_txn (f, ir->history->txn_ids.data[t])] = ir->asg->txn_node[t];
  for (size_t i = 0; i < f->edges.count; i++)
    VEC_PUSH (ir->edges, (struct ir_edge){ node_of[f->edges.data[i].from], node_of[f->edges.data[i].to] });
  mem_free (node_of);
}

static struct ir *build (struct reader *r) {
  struct kir_facts *f = &r->facts;
  if (!read_all (r) || !kir_facts_fill_history (f, r->error))
    return NULL;
  struct ir *ir = ir_lower (kir_facts_asg (f), f->level, 0);
  ir->owns_asg = true;
  ir->history = f->h;
  f->h = NULL;
  add_edges (f, ir);
  const char *why = NULL;
  if (ir_validate (ir, &why))
    return ir;
  error_set_code (r->error, ERROR_INTERNAL, "%.400s: internal error: %s", input_name (r->input), why);
  ir_free (ir);
  return NULL;
}

struct ir *kir_read (struct input *input, struct error *error) {
  struct reader r = { .input = input, .error = error, .facts.h = history_new (input_name (input)) };
  struct ir *ir = build (&r);
  kir_facts_free (&r.facts);
  return ir;
}
