// Reading the text of hints. The text is short JSON that a reader of formats has made sure of,
// unless it came in a binary file.

#include "hints/hints.h"

#include "base/log.h"
#include "base/search.h"
#include "base/sort.h"
#include "formats/jsonl_read.h"
#include "hints/hints_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const fact_names[FACT_KINDS] = { "versionOrder", "version", "versionSet", "commitTs" };

struct hint_reader {
  const struct history *h;
  const struct hints_options *options;
  struct hint_index index;
  struct hints *hints;
  struct jsonl_reader json;
  struct hint_place read; // whose versions are told
  char place[200];        // of the text at hand
  uint8_t *key_seen;
  uint32_t *txn_seen; // per transaction: the number of the last list that it stood in
  struct error malformed, *error;
};

// -------------------------------------------------------------------------------------------- text

// Starts on one piece of text; what is wrong with it is told with the place.
static void start (struct hint_reader *r, uint32_t text) {
  const struct atom atom = atoms_get (&r->h->texts, text);
  json_start (&r->json.json, atom.bytes, atom.length, "", 1, &r->malformed);
}

// What reading a piece of text comes to. The reader of JSON speaks of lines and columns of the
// text; there are none that a user could look up.
static bool told (struct hint_reader *r, bool fine) {
  const char *text = r->malformed.text, *words = strstr (text, ": ");
  return fine
         || (r->malformed.code
             && error_set (r->error, "%.300s: %s: %s", r->h->name, r->place, words ? words + 2 : text));
}

static bool skip_unknown (struct hint_reader *r, struct json_string name) {
  char line[160];
  snprintf (line, sizeof line, "a hint of the name \"%.*s\" is not known; it is not used",
            (int) (name.length < 60 ? name.length : 60), name.bytes);
  const bool fine = json_skip (&r->json.json);
  if (r->hints->warnings && strstr (r->hints->warnings, line))
    return fine;
  const size_t before = r->hints->warnings ? strlen (r->hints->warnings) + 1 : 0;
  char *both = mem_alloc (before + strlen (line) + 1);
  if (before)
    snprintf (both, before + 1, "%s\n", r->hints->warnings);
  memcpy (both + before, line, strlen (line) + 1);
  mem_free (r->hints->warnings);
  r->hints->warnings = both;
  return fine;
}

// An object of hints: `member` reads the value of those that it knows, and says which.
enum member { MEMBER_READ, MEMBER_WRONG, MEMBER_UNKNOWN };
typedef enum member (*read_member) (struct hint_reader *, struct json_string name, void *context);

static bool read_object (struct hint_reader *r, read_member member, void *context) {
  struct json_reader *json = &r->json.json;
  struct json_string name;
  int next;
  if (!json_open (json, '{', "an object of hints"))
    return false;
  for (bool first = true; (next = json_next (json, '}', first)) > 0; first = false) {
    const enum member found = json_name (json, &name) ? member (r, name, context) : MEMBER_WRONG;
    if (found == MEMBER_WRONG || (found == MEMBER_UNKNOWN && !skip_unknown (r, name)))
      return false;
  }
  return !next && json_at_end (json);
}

// A transaction by its id.
static bool read_txn (struct hint_reader *r, uint32_t *txn) {
  uint64_t id;
  if (!json_unsigned (&r->json.json, &id, "the id of a transaction"))
    return false;
  *txn = index_txn (&r->index, id);
  return *txn != TXN_NONE
         || error_set (r->error, "%.300s: %s: transaction %" PRIu64 " is not in the history", r->h->name, r->place, id);
}

static bool read_source (struct hint_reader *r, uint32_t *source) {
  *source = HINT_INITIAL;
  if (json_accept_null (&r->json.json))
    return true;
  const int c = json_peek (&r->json.json);
  return c < '0' || c > '9' ? json_expected (&r->json.json, "the id of a transaction, or null for the initial state")
                            : read_txn (r, source);
}

// ------------------------------------------------------------------------------------------ header

static bool read_ordered_txn (void *context) {
  struct hint_reader *r = context;
  uint32_t txn;
  if (!read_txn (r, &txn))
    return false;
  if (r->txn_seen[txn] == r->hints->orders.count + 1)
    return error_set (r->error, "%.300s: %s: transaction %" PRIu64 " stands there twice", r->h->name, r->place,
                      r->h->txn_ids.data[txn]);
  r->txn_seen[txn] = (uint32_t) r->hints->orders.count + 1;
  VEC_PUSH (r->hints->order_txns, txn);
  return true;
}

// [key, [transaction, …]]
static bool read_order (void *context) {
  struct hint_reader *r = context;
  struct json_reader *json = &r->json.json;
  struct atom atom;
  char name[80];
  struct version_order order = { .first = (uint32_t) r->hints->order_txns.count };
  snprintf (r->place, sizeof r->place, "hint versionOrder");
  if (!json_open (json, '[', "a key and its transactions, [key, [id, ...]]")
      || !jsonl_atom (&r->json, &atom, "a key (an integer or a string)"))
    return false;
  snprintf (r->place, sizeof r->place, "hint versionOrder, key %s", hint_key_words (atom, name, sizeof name));
  order.key = index_key (&r->index, atom);
  if (order.key == KEY_NONE)
    return error_set (r->error, "%.300s: %s: the key is not in the history", r->h->name, r->place);
  if (r->key_seen[order.key]++)
    return error_set (r->error, "%.300s: %s: the key stands there twice", r->h->name, r->place);
  if (!json_open (json, ',', "a comma and the key's transactions")
      || !json_array (json, "an array of transaction ids", read_ordered_txn, r)
      || !json_open (json, ']', "the end of the pair"))
    return false;
  order.count = (uint32_t) r->hints->order_txns.count - order.first;
  VEC_PUSH (r->hints->orders, order);
  return true;
}

static bool read_orders (struct hint_reader *r) {
  const bool fine = json_array (&r->json.json, "an array of keys with their transactions", read_order, r);
  if (fine)
    snprintf (r->place, sizeof r->place, "hints of the header");
  return fine;
}

static enum member read_header_member (struct hint_reader *r, struct json_string name, void *context) {
  bool *has_orders = context;
  if (json_equal (name, "uniqueValues"))
    return json_bool (&r->json.json, &r->hints->unique_values) ? MEMBER_READ : MEMBER_WRONG;
  if (!json_equal (name, "versionOrder"))
    return MEMBER_UNKNOWN;
  if (*has_orders) {
    error_set (r->error, "%.300s: %s: versionOrder stands there twice", r->h->name, r->place);
    return MEMBER_WRONG;
  }
  *has_orders = true;
  return read_orders (r) ? MEMBER_READ : MEMBER_WRONG;
}

static bool read_header (struct hint_reader *r) {
  if (r->h->hints == AUX_NONE)
    return true;
  bool has_orders = false;
  start (r, r->h->hints);
  snprintf (r->place, sizeof r->place, "hints of the header");
  return told (r, read_object (r, read_header_member, &has_orders));
}

// ------------------------------------------------------------------------------------ transactions

static enum member read_txn_member (struct hint_reader *r, struct json_string name, void *context) {
  const uint32_t txn = *(const uint32_t *) context;
  struct atom atom;
  if (!json_equal (name, "commitTs"))
    return MEMBER_UNKNOWN;
  json_peek (&r->json.json);
  const char *at = r->json.json.at;
  if (!json_integer (&r->json.json, &atom, "a timestamp (an integer)"))
    return MEMBER_WRONG;
  if (atom.kind == ATOM_UNSIGNED && atom.number > INT64_MAX) {
    json_fail (&r->json.json, at, "expected a timestamp below 2^63, found %" PRIu64, atom.number);
    return MEMBER_WRONG;
  }
  if (!r->hints->commit_ts) {
    r->hints->commit_ts = MEM_ARRAY (int64_t, history_txns (r->h));
    r->hints->has_commit_ts = MEM_ZARRAY (uint8_t, history_txns (r->h));
  }
  r->hints->commit_ts[txn] = (int64_t) atom.number;
  r->hints->has_commit_ts[txn] = 1;
  return MEMBER_READ;
}

static bool read_txns (struct hint_reader *r) {
  for (size_t i = 0; i < r->h->txn_hints.count; i++) {
    uint32_t txn = r->h->txn_hints.data[i].owner;
    start (r, r->h->txn_hints.data[i].text);
    snprintf (r->place, sizeof r->place, "transaction %" PRIu64 ", hints", r->h->txn_ids.data[txn]);
    if (!told (r, read_object (r, read_txn_member, &txn)))
      return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------- reads

// Is anything to be compared with, or learnt? Reads of aborted transactions are not checked, and a
// result that was not recorded says nothing.
static bool counts (const struct history *h, struct hint_place place) {
  const struct effects e = effects_of (h, place.op);
  return h->txn_status.data[place.txn] != TXN_ABORTED && e.reads != READS_UNRECORDED && e.writes != WRITES_PERHAPS;
}

// In a history that a dialect made, what does not fit a part is left out, and so is what a part
// read from another part of its transaction.
static bool take_source (struct hint_reader *r, struct hint_place place, uint32_t key, uint32_t source, bool fits) {
  const uint32_t *origin = r->options->origin;
  if (origin && (!fits || (source < HINT_INITIAL && source != place.txn && origin[source] == origin[place.txn])))
    return true;
  if (fits && key != KEY_NONE && effects_of (r->h, place.op).reads != READS_LIST)
    VEC_PUSH (r->hints->sources, (struct source_hint){ place.op, key, source });
  LOG_EDGE ("hints", source < HINT_INITIAL ? r->h->txn_ids.data[source] : LOG_INITIAL, "wr",
            r->h->txn_ids.data[place.txn], "key %u, %s", key, fits ? "taken" : "does not fit");
  return fits;
}

static struct error *error_of_fit (struct hint_reader *r, struct error *unused) {
  return r->options->origin ? unused : r->error;
}

// [key, transaction], of r->read
static bool read_version_of_key (void *context) {
  struct hint_reader *r = context;
  struct atom atom;
  uint32_t source;
  struct error unused = { 0 };
  if (!json_open (&r->json.json, '[', "a key and a transaction, [key, id]")
      || !jsonl_atom (&r->json, &atom, "a key (an integer or a string)"))
    return false;
  const uint32_t key = index_key (&r->index, atom);
  struct text kept = { 0 }; // the bytes of the reader do not stay
  if (atom.kind == ATOM_BYTES) {
    text_bytes (&kept, atom.bytes, atom.length);
    atom.bytes = kept.count ? kept.data : "";
  }
  bool fine = json_open (&r->json.json, ',', "a comma and the transaction") && read_source (r, &source)
              && json_open (&r->json.json, ']', "the end of the pair");
  if (fine && counts (r->h, r->read))
    fine = take_source (r, r->read, key, source,
                        fit_version_in_set (&r->index, r->read, atom, source, error_of_fit (r, &unused)));
  VEC_FREE (kept);
  return fine;
}

static bool read_version (struct hint_reader *r, struct hint_place place) {
  uint32_t source;
  struct error unused = { 0 };
  const uint32_t key = r->h->op_keys.data[place.op];
  if (!read_source (r, &source))
    return false;
  return !counts (r->h, place)
         || take_source (r, place, key, source, fit_version (&r->index, place, key, source, error_of_fit (r, &unused)));
}

static bool index_sources (struct hint_reader *r) {
  struct hints *hints = r->hints;
  const uint32_t ops = history_ops (r->h);
  if (!hints->sources.count)
    return true;
  VEC_SORT (hints->sources, by_u32_pair);
  hints->op_first = MEM_ARRAY (uint32_t, (size_t) ops + 1);
  uint32_t next = 0;
  for (uint32_t op = 0; op <= ops; op++) {
    hints->op_first[op] = next;
    while (next < hints->sources.count && hints->sources.data[next].op == op)
      next++;
  }
  for (size_t i = 1; i < hints->sources.count; i++) {
    const struct source_hint *one = &hints->sources.data[i - 1], *other = one + 1;
    if (one->op != other->op || one->key != other->key)
      continue;
    const uint32_t txn = history_txn_of_op (r->h, one->op);
    char name[80];
    return error_set (r->error,
                      "%.300s: transaction %" PRIu64 ", operation %" PRIu32 ", hint version: key %s stands there twice",
                      r->h->name, r->h->txn_ids.data[txn], one->op - r->h->txn_first_op.data[txn] + 1,
                      hint_key_words (atoms_get (&r->h->keys, one->key), name, sizeof name));
  }
  return true;
}

static bool read_ops (struct hint_reader *r) {
  const struct history *h = r->h;
  uint32_t txn = 0;
  for (size_t i = 0; i < h->op_hints.count; i++) {
    const uint32_t op = h->op_hints.data[i].owner;
    while (h->txn_first_op.data[txn + 1] <= op)
      txn++;
    r->read = (struct hint_place){ txn, op };
    start (r, h->op_hints.data[i].text);
    snprintf (r->place, sizeof r->place, "transaction %" PRIu64 ", operation %" PRIu32 ", hint version",
              h->txn_ids.data[txn], op - h->txn_first_op.data[txn] + 1);
    const bool fine =
      h->op_keys.data[op] != KEY_NONE
        ? read_version (r, r->read)
        : json_array (&r->json.json, "an array of keys with the transactions that wrote them", read_version_of_key, r);
    if (!told (r, fine && json_at_end (&r->json.json)))
      return false;
  }
  return index_sources (r);
}

// ---------------------------------------------------------------------------------------- together

static bool fit_header (struct hint_reader *r) {
  const struct hints *hints = r->hints;
  if (hints->unique_values && !fit_unique_values (&r->index, r->error))
    return false;
  for (size_t i = 0; i < hints->orders.count; i++)
    if (!fit_order (&r->index, hints, &hints->orders.data[i], r->error))
      return false;
  const bool timed = hints->trust_commit_ts && hints->commit_ts;
  return (!timed || fit_commit_ts (&r->index, hints, r->error))
         && ((!timed && !hints->orders.count) || fit_lists (&r->index, hints, r->error));
}

bool hints_read (const struct history *h, const struct hints_options *options, struct hints **hints,
                 struct error *error) {
  *hints = NULL;
  if (h->hints == AUX_NONE && !h->txn_hints.count && !h->op_hints.count)
    return true;
  struct hint_reader r = { .h = h, .options = options, .error = error };
  r.hints = mem_zalloc (sizeof *r.hints);
  r.hints->trust_commit_ts = options->trust_commit_ts;
  r.key_seen = MEM_ZARRAY (uint8_t, history_keys (h));
  r.txn_seen = MEM_ZARRAY (uint32_t, history_txns (h));
  index_build (&r.index, h);
  const bool fine = read_header (&r) && read_txns (&r) && read_ops (&r) && fit_header (&r);
  json_stop (&r.json.json);
  VEC_FREE (r.json.bytes);
  index_free (&r.index);
  MEM_FREE_ALL (r.key_seen, r.txn_seen);
  if (fine)
    *hints = r.hints;
  else
    hints_free (r.hints);
  return fine;
}

void hints_free (struct hints *hints) {
  if (!hints)
    return;
  MEM_FREE_ALL (hints->orders.data, hints->order_txns.data, hints->sources.data, hints->op_first, hints->commit_ts,
                hints->has_commit_ts, hints->warnings, hints);
}

uint32_t hints_find_source (const struct hints *hints, uint32_t op, uint32_t key) {
  const uint32_t end = hints->op_first[op + 1];
  RELIES_ON (hints->op_first[op] <= end && end <= hints->sources.count);
  uint32_t low = hints->op_first[op];
  LOWER_BOUND (low, end, middle, hints->sources.data[middle].key < key);
  return low < end && hints->sources.data[low].key == key ? hints->sources.data[low].source : HINT_NONE;
}
