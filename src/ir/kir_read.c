// A line at a time: the words of a line become facts, and the facts a history. From there on the IR
// is built as for any other history; only the given edges are added to it.

#include "base/input.h"
#include "formats/found.h"
#include "ir/kir.h"
#include "ir/kir_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The times of a history whose real-time order is the one of the slots: what ends in slot s ends
// before what begins after it.
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

// ------------------------------------------------------------------------------------------- words

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

// False at the end of the line, a comment included; the word is empty then, and stands where one
// could.
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

// ---------------------------------------------------------------------- transactions, keys, values

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
  return number < r->facts.keys || fail_at (r, start, "no key of this name stands above");
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
  kir_facts_stage (&r->facts, op);
  if (r->facts.has_places)
    VEC_PUSH (r->facts.said, (struct said_at){ input_line_number (r->input), (uint64_t) (at - r->line) + 1 });
}

// ------------------------------------------------------------------------------------------ places

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

// "3", "3-7", "3?2" or "3-7?2", up to the end of the word. `unrecorded` is left as it is if there
// is none.
static bool parse_write_places (struct reader *r, const char *at, uint32_t *first, uint32_t *last,
                                uint32_t *unrecorded) {
  const char *start = at;
  if (!parse_place (r, &at, first))
    return false;
  *last = *first;
  if (at < r->at && *at == '-') {
    at++;
    if (!parse_place (r, &at, last))
      return false;
  }
  if (*first > *last)
    return fail_at (r, start, "the first write of the key stands behind the last one");
  if (at < r->at && *at == '?') {
    start = ++at;
    if (!parse_place (r, &at, unrecorded))
      return false;
    if (*unrecorded >= *first)
      return fail_at (r, start, "the delete in doubt does not stand before the first write of the key");
  }
  return at == r->at || fail_expected (r, at, "the end of the word");
}

// at=5, the word read last.
static bool parse_read_place (struct reader *r, struct staged_op *read) {
  static const char name[] = "at=";
  const char *at = r->word + sizeof name - 1;
  if (!word_begins (r, name))
    return fail_expected (r, r->word, "at= and the place of the read");
  if (!parse_place (r, &at, &read->place))
    return false;
  return at == r->at || fail_expected (r, at, "the end of the word");
}

// Reads of one operation share its place.
static bool check_read_place (struct reader *r, const struct staged_op *read, const char *at) {
  struct staged_txn *txn = &r->facts.txns.data[read->txn];
  const bool same = read->place == txn->last_place && read->part && txn->was_part;
  if (txn->has_read && read->place <= txn->last_place && !same)
    return fail_at (r, at, "the reads of a transaction stand in their order, each at a later place");
  txn->has_read = true;
  txn->last_place = read->place;
  txn->was_part = read->part;
  return true;
}

// ------------------------------------------------------------------------------------------- lines

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
  if (!r->facts.level->rules.rt.used)
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

static void stage_install (struct reader *r, struct staged_op write, uint32_t first, uint32_t unrecorded,
                           const char *at) {
  write.has_first_write = first < write.place;
  write.has_unrecorded = unrecorded != UINT32_MAX;
  stage (r, write, at);
  const struct staged_op other = { .txn = write.txn, .key = write.key, .value = write.value };
  if (write.has_first_write) {
    struct staged_op earlier = other;
    earlier.phase = write.unrecorded ? STAGED_UNRECORDED : STAGED_FIRST_WRITE;
    earlier.place = first;
    stage (r, earlier, at);
  }
  if (write.has_unrecorded) {
    struct staged_op earlier = other;
    earlier.phase = STAGED_UNRECORDED;
    earlier.place = unrecorded;
    stage (r, earlier, at);
  }
}

// T1=v0, T1=absent or T1=absent?; with places T1=v0@3, T1=v0@3-7, T1=v0@3?2, T1=absent?@3,
// T1=absent?@3-5 (several unrecorded deletes).
static bool read_install (struct reader *r, uint32_t key) {
  struct kir_facts *f = &r->facts;
  const char *at = r->word, *mark = memchr (at, '@', r->length), *end = mark ? mark : r->at;
  struct staged_op write = { .key = key, .phase = STAGED_INSTALL };
  uint32_t first = 0, unrecorded = UINT32_MAX;
  if (!parse_txn (r, &at, &write.txn) || !expect_equals (r, &at))
    return false;
  if (end > at && end[-1] == '?') {
    write.unrecorded = true;
    end--;
  }
  if (!parse_value_to (r, at, end, true, &write.value))
    return false;
  if (write.unrecorded && write.value != VALUE_ABSENT)
    return fail_at (r, end, "only a delete can be in doubt");
  if (f->txns.data[write.txn].last_key == key)
    return fail_at (r, r->word, "this transaction installs the key already");
  f->txns.data[write.txn].last_key = key;
  if (mark && !f->has_places)
    return fail_no_places (r, mark);
  if (!mark && f->has_places)
    return fail_expected (r, r->at, "@ and the place of the write");
  if (mark && !parse_write_places (r, mark + 1, &first, &write.place, &unrecorded))
    return false;
  if (write.unrecorded && unrecorded != UINT32_MAX)
    return fail_at (r, mark, "a delete in doubt is the only write of its transaction to the key");
  stage_install (r, write, first, unrecorded, mark);
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
  if (number != r->facts.keys)
    return fail_at (r, r->word, "keys are numbered one after the other, from k0");
  char name[16];
  const int used = snprintf (name, sizeof name, "k%" PRIu64, number);
  const uint32_t key = history_key (r->facts.h, atom_bytes (name, (size_t) used), &why);
  if (key == KEY_NONE)
    return fail_at (r, r->word, why);
  r->facts.keys++;
  if (!read_initial (r, key))
    return false;
  while (next_word (r))
    if (!read_install (r, key))
      return false;
  return true;
}

// The next word is a transaction, and no more.
static bool parse_txn_word (struct reader *r, uint32_t *txn) {
  next_word (r);
  const char *at = r->word;
  if (!parse_txn (r, &at, txn))
    return false;
  return at == r->at || fail_expected (r, at, "the end of the word");
}

// Up to the end of the word: a value or absent, with ! anything but that, or either of a value and
// absent.
static bool parse_seen (struct reader *r, const char *at, struct staged_op *read) {
  static const char either[] = "|absent";
  const size_t length = (size_t) (r->at - at), tail = sizeof either - 1;
  const bool other = at < r->at && *at == '!',
             or_absent = !other && length > tail && !memcmp (r->at - tail, either, tail);
  read->flags = other ? READ_OTHER : or_absent ? READ_OR_ABSENT : 0;
  return parse_value_to (r, at + other, r->at - (or_absent ? tail : 0), !or_absent, &read->value);
}

// The next two words: a transaction, and a key with = behind it; `at` is where its value begins.
static bool parse_access (struct reader *r, struct staged_op *op, const char **at) {
  if (!parse_txn_word (r, &op->txn))
    return false;
  next_word (r);
  *at = r->word;
  return parse_key (r, at, &op->key) && expect_equals (r, at);
}

// The words behind a read, in any order, each once.
static bool parse_read_words (struct reader *r, struct staged_op *read) {
  for (; r->length; next_word (r)) {
    const bool lock = word_is (r, "lock") && !read->locks, part = word_is (r, "part") && !read->part;
    if ((lock || part) && !r->facts.has_places)
      return fail_no_places (r, r->word);
    if (lock && !r->facts.locks)
      return fail_at (r, r->word, "a read that locks, and no line locks above");
    if (lock)
      read->locks = true;
    else if (part)
      read->part = true;
    else if (word_is (r, "undeleted") && !read->undeleted)
      read->undeleted = true;
    else if (!word_is (r, "range") || (read->flags & READ_PREDICATE))
      return true;
    else if (read->value != VALUE_ABSENT || read->flags)
      return fail_at (r, r->word, "only what is absent is read by a range without being returned");
    else
      read->flags = READ_PREDICATE;
  }
  return true;
}

static bool check_undeleted (struct reader *r, const struct staged_op *read, const char *at) {
  if (!read->undeleted)
    return true;
  struct staged_op *install = kir_facts_install (&r->facts, read->txn, read->key);
  if (!install || !(install->unrecorded || install->has_unrecorded))
    return fail_at (r, at, "the transaction has no delete in doubt of this key");
  install->unrecorded_is_read = true;
  return true;
}

// read T7 k0=v4 [range] [undeleted], or with places read T7 k0=v4 at=5 [lock] [part] …
static bool read_read (struct reader *r) {
  struct staged_op read = { .phase = STAGED_READ };
  const char *access;
  if (!parse_access (r, &read, &access) || !parse_seen (r, access, &read))
    return false;
  next_word (r);
  const char *at = r->word;
  if (!r->facts.has_places && word_begins (r, "at="))
    return fail_no_places (r, at);
  if (r->facts.has_places) {
    if (!parse_read_place (r, &read))
      return false;
    next_word (r);
  }
  if (!parse_read_words (r, &read) || !expect_ended (r) || !check_undeleted (r, &read, access)
      || (r->facts.has_places && !check_read_place (r, &read, at)))
    return false;
  stage (r, read, at);
  return true;
}

// own T7 k0=v4 read=v5. Where that was does not matter.
static bool read_own (struct reader *r) {
  static const char name[] = "read=";
  const size_t length = sizeof name - 1;
  struct staged_op own = { .phase = STAGED_OWN_WRITE };
  const char *at;
  if (!parse_access (r, &own, &at) || !parse_value (r, at, true, &own.value))
    return false;
  if (!kir_facts_install (&r->facts, own.txn, own.key))
    return fail_at (r, r->word, "this transaction does not install the key");
  if (!next_word (r) || r->length <= length || memcmp (r->word, name, length))
    return fail_expected (r, r->word, name);
  struct staged_op seen = own;
  seen.phase = STAGED_OWN_READ;
  if (!parse_seen (r, r->word + length, &seen) || !expect_end (r))
    return false;
  stage (r, own, r->word);
  stage (r, seen, r->word);
  return true;
}

// wrong T7 result, wrong T7 list k0, wrong T7 element k0=v4
static bool read_wrong (struct reader *r) {
  struct staged_op wrong = { .phase = STAGED_WRONG, .key = KEY_NONE, .value = VALUE_NONE };
  if (!parse_txn_word (r, &wrong.txn))
    return false;
  next_word (r);
  const bool list = word_is (r, "list"), element = word_is (r, "element");
  wrong.fault = list ? FAULT_LIST : element ? FAULT_ELEMENT : FAULT_RESULT;
  if (!list && !element && !word_is (r, "result"))
    return fail_expected (r, r->word, "result, list or element");
  if (list || element) {
    next_word (r);
    const char *at = r->word;
    if (!parse_key (r, &at, &wrong.key))
      return false;
    if (element && (!expect_equals (r, &at) || !parse_value (r, at, false, &wrong.value)))
      return false;
    if (list && at != r->at)
      return fail_expected (r, at, "the end of the word");
  }
  if (!expect_end (r))
    return false;
  stage (r, wrong, r->word);
  return true;
}

// ---------------------------------------------------------------------------- several transactions

static bool parse_unknown (struct reader *r, uint32_t *txn) {
  return parse_txn_word (r, txn)
         && (r->facts.txns.data[*txn].header.status == TXN_UNKNOWN
             || fail_at (r, r->word, "the outcome of this transaction is known"));
}

// [if T7], from the word read last on, up to the end of the line.
static bool parse_condition (struct reader *r, uint32_t *txn) {
  *txn = UINT32_MAX;
  return !r->length || (word_is (r, "if") ? parse_unknown (r, txn) && expect_end (r) : expect_ended (r));
}

static bool parse_installer (struct reader *r, uint32_t key, uint32_t *txn) {
  return parse_txn_word (r, txn)
         && (kir_facts_install (&r->facts, *txn, key)
             || fail_at (r, r->word, "this transaction does not install the key"));
}

// order k0 T1 T3 [unlisted] [if T7]
static bool read_order (struct reader *r) {
  struct order_fact order = { 0 };
  next_word (r);
  const char *at = r->word;
  if (!parse_key (r, &at, &order.key))
    return false;
  if (at != r->at)
    return fail_expected (r, at, "the end of the word");
  if (!parse_installer (r, order.key, &order.before) || !parse_installer (r, order.key, &order.after))
    return false;
  if (order.before == order.after)
    return fail_at (r, r->word, "an order of a transaction and itself");
  next_word (r);
  order.by_absence = word_is (r, "unlisted");
  if (order.by_absence)
    next_word (r);
  if (!parse_condition (r, &order.reader))
    return false;
  VEC_PUSH (r->facts.orders, order);
  return true;
}

// in T4 [if T7]
static bool read_in (struct reader *r) {
  struct claim_fact claim;
  if (!parse_unknown (r, &claim.other))
    return false;
  next_word (r);
  if (!parse_condition (r, &claim.reader))
    return false;
  if (claim.reader == UINT32_MAX)
    VEC_PUSH (r->facts.forced, claim.other);
  else
    VEC_PUSH (r->facts.implied, claim);
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
  if (!parse_txn_word (r, txn))
    return false;
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

// ---------------------------------------------------------------------------------------- the file

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
    { "txn", read_txn }, { "key", read_key },     { "read", read_read },
    { "own", read_own }, { "wrong", read_wrong }, { "order", read_order },
    { "in", read_in },   { "edge", read_edge },   { "locks", read_locks },
  };
  if (!next_word (r))
    return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (word_is (r, kinds[i].word))
      return kinds[i].read (r);
  return fail_expected (r, r->word, "txn, key, read, own, wrong, order, in, edge or locks");
}

// An unrecorded delete read absent if it did not write, whether or not a line says so.
static void read_where_unrecorded (struct reader *r) {
  const size_t count = r->facts.ops.count;
  for (size_t i = 0; i < count; i++) {
    const struct staged_op *op = &r->facts.ops.data[i];
    if (op->unrecorded_is_read || !(op->unrecorded || op->has_unrecorded))
      continue;
    const struct staged_op *deleted = op + op->has_first_write + !op->unrecorded;
    stage (r,
           (struct staged_op){ .txn = op->txn,
                               .place = deleted->place,
                               .key = op->key,
                               .value = VALUE_ABSENT,
                               .phase = STAGED_READ,
                               .part = true,
                               .undeleted = true },
           r->line);
  }
}

static bool read_all (struct reader *r) {
  if (!read_version (r) || !read_level (r) || !read_points (r))
    return false;
  while (next_line (r))
    if (!read_line (r))
      return false;
  read_where_unrecorded (r);
  return !r->error->code;
}

// ---------------------------------------------------------------------------------------------- IR

// From staged transactions to nodes; the history has grouped the transactions by session.
static void add_edges (const struct kir_facts *f, struct ir *ir) {
  uint32_t *node_of = MEM_ARRAY (uint32_t, f->ids.count);
  for (uint32_t t = 0; t < history_txns (ir->history); t++)
    node_of[kir_facts_txn (f, ir->history->txn_ids.data[t])] = ir->asg->txn_node[t];
  for (size_t i = 0; i < f->edges.count; i++)
    VEC_PUSH (ir->edges, (struct ir_edge){ node_of[f->edges.data[i].from], node_of[f->edges.data[i].to] });
  mem_free (node_of);
}

static void release (struct ir *ir) {
  asg_free (ir->asg);
  history_free (ir->history);
}

static struct ir *build (struct reader *r) {
  struct kir_facts *f = &r->facts;
  if (!read_all (r) || !kir_facts_fill_history (f, r->error))
    return NULL;
  struct ir *ir = lower_asg (kir_facts_asg (f), f->level, 0);
  ir->release = release;
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
