// TimeKiller's JSON: one array of committed transactions,
//
//   {"tid":50,"sid":32,"sts":{"p":"320316484","l":0},"cts":{"p":"320316486","l":0},
//    "ops":[{"t":"r","k":313,"v":0}]}
//
// with t = r and w; in the list variant r and a, where v of a read is an array. Registers start
// with 0, lists empty. The timestamps are those of the database, from a hybrid clock; their
// physical parts become the times of the transaction, and what differs only in the logical part
// counts as concurrent.

#include "base/input.h"
#include "formats/formats.h"
#include "formats/json_read.h"

#include <string.h>

struct timekiller_op {
  char kind; // r, w or a
  bool has_list;
  uint32_t key, value, range;
};

struct timekiller_reader {
  struct history *h;
  struct json_reader json;
  struct txn_header header;
  const char *ops_at;
  struct timekiller_op op;
  VEC (bool) is_list; // per key
};

// A number, or one in quotes.
static bool read_number (struct timekiller_reader *r, uint64_t *number, const char *what) {
  struct json_string string;
  struct error ignored = { 0 };
  if (json_peek (&r->json) != '"')
    return json_unsigned (&r->json, number, what);
  const char *at = r->json.at;
  if (!json_string (&r->json, &string, what))
    return false;
  struct json_reader digits = { 0 };
  json_start (&digits, string.bytes, string.length, "", 1, &ignored);
  const bool fine = json_unsigned (&digits, number, what) && json_at_end (&digits);
  json_stop (&digits);
  return fine || json_unexpected (&r->json, at, what);
}

// --- Operations ---

// `intern`: history_key or history_value.
static bool read_atom (struct timekiller_reader *r, const char *what,
                       uint32_t (*intern) (struct history *, struct atom, const char **), uint32_t *id) {
  struct atom atom;
  const char *why, *at = json_place (&r->json);
  if (!json_atom (&r->json, &atom, what))
    return false;
  *id = intern (r->h, atom, &why);
  return *id != ATOM_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_value (struct timekiller_reader *r, uint32_t *value) {
  return read_atom (r, "a value (an integer or a string)", history_value, value);
}

static bool read_item (void *context) {
  struct timekiller_reader *r = context;
  const char *why;
  uint32_t value;
  return read_value (r, &value)
         && (history_add_item (r->h, KEY_NONE, value, &why) || json_fail (&r->json, r->json.at, "%s", why));
}

static bool read_result (struct timekiller_reader *r) {
  r->op.has_list = json_peek (&r->json) == '[';
  r->op.value = VALUE_ABSENT;
  if (!r->op.has_list)
    return json_accept_null (&r->json) || read_value (r, &r->op.value);
  r->op.range = history_open_range (r->h, KEY_NONE, KEY_NONE);
  return json_array (&r->json, "a list", read_item, r);
}

static bool read_kind (struct timekiller_reader *r) {
  static const char *const kinds[] = { "r", "w", "a", NULL };
  const int kind = json_word (&r->json, kinds, "\"r\", \"w\" or \"a\"");
  r->op.kind = kind < 0 ? 0 : *kinds[kind];
  return kind >= 0;
}

static bool add_op (struct timekiller_reader *r, const char **why) {
  struct history *h = r->h;
  const struct timekiller_op *op = &r->op;
  while (r->is_list.count <= op->key)
    VEC_PUSH (r->is_list, false);
  r->is_list.data[op->key] |= op->kind == 'a' || op->has_list;
  if (op->has_list)
    return history_add_op (h, OP_LIST, 0, op->key, VALUE_NONE, op->range, why);
  const enum op_kind kind = op->kind == 'r' ? OP_GET : op->kind == 'a' ? OP_APPEND : OP_PUT;
  return history_add_op (h, kind, 0, op->key, op->value, AUX_NONE, why);
}

enum { MEMBER_T, MEMBER_K, MEMBER_V };

static bool read_op_member (void *context, unsigned member) {
  struct timekiller_reader *r = context;
  return member == MEMBER_T   ? read_kind (r)
         : member == MEMBER_K ? read_atom (r, "a key (an integer or a string)", history_key, &r->op.key)
                              : read_result (r);
}

static bool read_op (void *context) {
  static const char *const members[] = { "t", "k", "v", NULL };
  struct timekiller_reader *r = context;
  const char *why, *at = json_place (&r->json);
  unsigned seen;
  if (!json_open (&r->json, '{', "an operation (an object)")
      || !json_members (&r->json, members, NULL, &seen, read_op_member, r))
    return false;
  const char *lacks = json_lacking (members, seen, 7);
  if (lacks)
    return json_fail (&r->json, at, "an operation without \"%s\"", lacks);
  if (r->op.kind != 'r' && (r->op.has_list || r->op.value == VALUE_ABSENT))
    return json_fail (&r->json, at, "a write of null or of an array");
  return add_op (r, &why) || json_fail (&r->json, at, "%s", why);
}

// --- Transactions ---

static bool read_physical (struct timekiller_reader *r, int64_t *time) {
  static const char what[] = "a time (an integer from 0 to 2^63-2)";
  uint64_t number;
  const char *at = json_place (&r->json);
  if (!read_number (r, &number, what))
    return false;
  *time = (int64_t) number;
  return number < INT64_MAX || json_unexpected (&r->json, at, what);
}

static bool read_time (struct timekiller_reader *r, int64_t *time) {
  bool has_time = false;
  int next;
  if (!json_open (&r->json, '{', "a timestamp (an object)"))
    return false;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false) {
    struct json_string name;
    if (!json_name (&r->json, &name))
      return false;
    const bool is_physical = json_equal (name, "p");
    if (!(is_physical ? read_physical (r, time) : json_skip (&r->json)))
      return false;
    has_time |= is_physical;
  }
  return !next && (has_time || json_fail (&r->json, r->json.at - 1, "a timestamp without \"p\""));
}

enum { MEMBER_TID, MEMBER_SID, MEMBER_STS, MEMBER_CTS, MEMBER_OPS };
static const char *const txn_members[] = { "tid", "sid", "sts", "cts", "ops", NULL };

static bool read_txn_member (void *context, unsigned member) {
  struct timekiller_reader *r = context;
  switch (member) {
  case MEMBER_TID: r->header.has_id = true; return read_number (r, &r->header.id, "a transaction id (an integer)");
  case MEMBER_SID: return read_number (r, &r->header.session, "a session (an integer)");
  case MEMBER_STS: return read_time (r, &r->header.begin);
  case MEMBER_CTS: return read_time (r, &r->header.end);
  default: // may stand before the rest of the transaction, as in published files, and is read after it
    r->ops_at = json_place (&r->json);
    return json_skip (&r->json);
  }
}

static bool read_txn (void *context) {
  struct timekiller_reader *r = context;
  const char *why, *at = json_place (&r->json);
  unsigned seen;
  r->header = (struct txn_header){ .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  if (!json_open (&r->json, '{', "a transaction (an object)")
      || !json_members (&r->json, txn_members, NULL, &seen, read_txn_member, r))
    return false;
  const char *lacks = json_lacking (txn_members, seen, 1 << MEMBER_SID | 1 << MEMBER_OPS);
  if (lacks)
    return json_fail (&r->json, at, "a transaction without \"%s\"", lacks);
  if (!history_begin_txn (r->h, &r->header, &why))
    return json_fail (&r->json, at, "%s", why);
  const char *behind = r->json.at;
  r->json.at = r->ops_at;
  if (!json_array (&r->json, "an array of operations", read_op, r))
    return false;
  r->json.at = behind;
  return true;
}

// A null that was read from a list is an empty one.
static void settle_lists (struct timekiller_reader *r) {
  struct history *h = r->h;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    if (h->op_kinds.data[op] != OP_GET || h->op_values.data[op] != VALUE_ABSENT
        || !r->is_list.data[h->op_keys.data[op]])
      continue;
    h->op_kinds.data[op] = OP_LIST;
    history_set_aux (h, op, history_open_range (h, KEY_NONE, KEY_NONE));
  }
}

// Lists start empty: where there are only lists, nothing starts with 0.
static void set_start (struct timekiller_reader *r) {
  struct history *h = r->h;
  const char *why;
  bool has_registers = false;
  for (uint32_t key = 0; key < history_keys (h); key++)
    has_registers |= !r->is_list.data[key];
  if (!has_registers)
    return;
  h->init = INIT_DEFAULT;
  h->init_default = history_value (h, atom_unsigned (0), &why);
  for (uint32_t key = 0; key < history_keys (h); key++)
    if (r->is_list.data[key])
      (void) history_set_init_key (h, key, VALUE_ABSENT, &why);
}

static bool read_timekiller (struct history *h, struct input *input, struct error *error) {
  struct timekiller_reader r = { .h = h };
  size_t length;
  const char *text = input_all (input, &length, error);
  if (!text)
    return false;
  json_start_text (&r.json, text, length, input_name (input), error);
  const bool done = json_array (&r.json, "an array of transactions", read_txn, &r)
                    && (json_peek (&r.json) < 0 || json_expected (&r.json, "the end of the file"));
  if (done) {
    settle_lists (&r);
    set_start (&r);
  }
  json_stop (&r.json);
  VEC_FREE (r.is_list);
  return done;
}

// An array whose first object begins with a member of ours.
static bool probe_timekiller (struct json_reader *r) {
  struct json_string name;
  return json_accept (r, '[') && json_accept (r, '{') && json_name (r, &name) && json_among (name, txn_members) >= 0;
}

const struct format format_timekiller = {
  .name = "timekiller",
  .title = "TimeKiller's JSON: an array of transactions with timestamps",
  .probe = probe_timekiller,
  .read = read_timekiller,
};
