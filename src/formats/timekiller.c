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

enum { HAS_TID = 1, HAS_SID = 2, HAS_STS = 4, HAS_CTS = 8, HAS_OPS = 16 };

struct timekiller_reader {
  struct history *h;
  struct json_reader json;
  struct text skipped;
  VEC (bool) is_list; // per key
};

static bool skip (struct timekiller_reader *r) {
  r->skipped.count = 0;
  return json_compact (&r->json, &r->skipped);
}

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
  if (fine)
    return true;
  r->json.at = at;
  return json_expected (&r->json, what);
}

static bool read_atom (struct timekiller_reader *r, struct atom *atom, const char *what) {
  struct json_string string;
  if (json_peek (&r->json) != '"')
    return json_integer (&r->json, atom, what);
  if (!json_string (&r->json, &string, what))
    return false;
  *atom = atom_bytes (string.bytes, string.length);
  return true;
}

// --- Operations ---

struct timekiller_op {
  char kind; // r, w or a; 0: not there
  bool has_value, has_list;
  uint32_t key, value, range;
};

static bool read_key (struct timekiller_reader *r, uint32_t *key) {
  struct atom atom;
  const char *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!read_atom (r, &atom, "a key (an integer or a string)"))
    return false;
  *key = history_key (r->h, atom, &why);
  return *key != KEY_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_value (struct timekiller_reader *r, uint32_t *value) {
  struct atom atom;
  const char *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!read_atom (r, &atom, "a value (an integer or a string)"))
    return false;
  *value = history_value (r->h, atom, &why);
  return *value != ATOM_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_list (struct timekiller_reader *r, uint32_t *range) {
  const char *why;
  int next;
  r->json.at++;
  *range = history_open_range (r->h, KEY_NONE, KEY_NONE);
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false) {
    uint32_t value;
    if (!read_value (r, &value))
      return false;
    if (!history_add_item (r->h, KEY_NONE, value, &why))
      return json_fail (&r->json, r->json.at, "%s", why);
  }
  return !next;
}

static bool read_result (struct timekiller_reader *r, struct timekiller_op *op) {
  op->has_value = true;
  op->has_list = json_peek (&r->json) == '[';
  op->value = VALUE_ABSENT;
  if (op->has_list)
    return read_list (r, &op->range);
  return json_accept_null (&r->json) || read_value (r, &op->value);
}

static bool read_kind (struct timekiller_reader *r, char *kind) {
  static const char what[] = "\"r\", \"w\" or \"a\"";
  struct json_string name;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &name, what))
    return false;
  *kind = name.length == 1 && strchr ("rwa", name.bytes[0]) ? name.bytes[0] : 0;
  if (*kind)
    return true;
  r->json.at = at;
  return json_expected (&r->json, what);
}

static bool read_op_member (struct timekiller_reader *r, struct timekiller_op *op) {
  struct json_string name;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_name (&r->json, &name))
    return false;
  const char letter = name.length == 1 ? name.bytes[0] : 0;
  if ((letter == 't' && op->kind) || (letter == 'k' && op->key != KEY_NONE) || (letter == 'v' && op->has_value))
    return json_fail (&r->json, at, "\"%c\" is there twice", letter);
  switch (letter) {
  case 't': return read_kind (r, &op->kind);
  case 'k': return read_key (r, &op->key);
  case 'v': return read_result (r, op);
  default: return skip (r);
  }
}

static bool add_op (struct timekiller_reader *r, const struct timekiller_op *op, const char **why) {
  struct history *h = r->h;
  const bool is_read = op->kind == 'r';
  while (r->is_list.count <= op->key)
    VEC_PUSH (r->is_list, false);
  r->is_list.data[op->key] |= op->kind == 'a' || op->has_list;
  if (op->has_list)
    return history_add_op (h, OP_LIST, 0, op->key, VALUE_NONE, op->range, why);
  const enum op_kind kind = is_read ? OP_GET : op->kind == 'a' ? OP_APPEND : OP_PUT;
  return history_add_op (h, kind, 0, op->key, op->value, AUX_NONE, why);
}

static bool read_op (struct timekiller_reader *r) {
  struct timekiller_op op = { .key = KEY_NONE };
  const char *why;
  int next;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_open (&r->json, '{', "an operation (an object)"))
    return false;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false)
    if (!read_op_member (r, &op))
      return false;
  if (next)
    return false;
  if (!op.kind || op.key == KEY_NONE || !op.has_value)
    return json_fail (&r->json, at, "an operation without \"%s\"", !op.kind ? "t" : op.key == KEY_NONE ? "k" : "v");
  if (op.kind != 'r' && (op.has_list || op.value == VALUE_ABSENT))
    return json_fail (&r->json, at, "a write of null or of an array");
  return add_op (r, &op, &why) || json_fail (&r->json, at, "%s", why);
}

static bool read_ops (struct timekiller_reader *r) {
  int next;
  if (!json_open (&r->json, '[', "an array of operations"))
    return false;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_op (r))
      return false;
  return !next;
}

// --- Transactions ---

static bool read_time (struct timekiller_reader *r, int64_t *time) {
  static const char what[] = "a time (an integer from 0 to 2^63-2)";
  uint64_t number;
  bool has_time = false;
  int next;
  if (!json_open (&r->json, '{', "a timestamp (an object)"))
    return false;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false) {
    struct json_string name;
    if (!json_name (&r->json, &name))
      return false;
    const bool is_physical = json_equal (name, "p");
    json_peek (&r->json);
    const char *at = r->json.at;
    if (!(is_physical ? read_number (r, &number, what) : skip (r)))
      return false;
    if (is_physical && number >= INT64_MAX) {
      r->json.at = at;
      return json_expected (&r->json, what);
    }
    if (is_physical)
      *time = (int64_t) number;
    has_time |= is_physical;
  }
  return !next && (has_time || json_fail (&r->json, r->json.at - 1, "a timestamp without \"p\""));
}

static unsigned member_bit (struct json_string name) {
  static const char *const names[] = { "tid", "sid", "sts", "cts", "ops" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (json_equal (name, names[i]))
      return 1u << i;
  return 0;
}

// Operations may stand before the rest of their transaction, as they do in published files: they
// are read when the header is known.
static bool read_member (struct timekiller_reader *r, unsigned bit, struct txn_header *header, const char **ops_at) {
  switch (bit) {
  case HAS_TID: header->has_id = true; return read_number (r, &header->id, "a transaction id (an integer)");
  case HAS_SID: return read_number (r, &header->session, "a session (an integer)");
  case HAS_STS: return read_time (r, &header->begin);
  case HAS_CTS: return read_time (r, &header->end);
  case HAS_OPS:
    json_peek (&r->json);
    *ops_at = r->json.at;
    return skip (r);
  default: return skip (r);
  }
}

static bool read_members (struct timekiller_reader *r, struct txn_header *header, const char **ops_at) {
  unsigned seen = 0;
  int next;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_open (&r->json, '{', "a transaction (an object)"))
    return false;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false) {
    struct json_string name;
    json_peek (&r->json);
    const char *name_at = r->json.at;
    if (!json_name (&r->json, &name))
      return false;
    const unsigned bit = member_bit (name);
    if (seen & bit)
      return json_fail (&r->json, name_at, "\"%.*s\" is there twice", (int) name.length, name.bytes);
    seen |= bit;
    if (!read_member (r, bit, header, ops_at))
      return false;
  }
  if (next)
    return false;
  if (!(seen & HAS_SID) || !(seen & HAS_OPS))
    return json_fail (&r->json, at, "a transaction without \"%s\"", seen & HAS_SID ? "ops" : "sid");
  return true;
}

static bool read_txn (struct timekiller_reader *r) {
  struct txn_header header = { .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  const char *ops_at = NULL, *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!read_members (r, &header, &ops_at))
    return false;
  if (!history_begin_txn (r->h, &header, &why))
    return json_fail (&r->json, at, "%s", why);
  const char *behind = r->json.at;
  r->json.at = ops_at;
  if (!read_ops (r))
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
    h->op_aux.data[op] = history_open_range (h, KEY_NONE, KEY_NONE);
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

static bool read_all (struct timekiller_reader *r) {
  int next;
  if (!json_open (&r->json, '[', "an array of transactions"))
    return false;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_txn (r))
      return false;
  return !next && (json_peek (&r->json) < 0 || json_expected (&r->json, "the end of the file"));
}

static bool read_timekiller (struct history *h, struct input *input, struct error *error) {
  struct timekiller_reader r = { .h = h };
  size_t length;
  const char *text = input_all (input, &length, error);
  if (!text)
    return false;
  json_start_text (&r.json, text, length, input_name (input), error);
  const bool done = read_all (&r);
  if (done) {
    settle_lists (&r);
    set_start (&r);
  }
  json_stop (&r.json);
  VEC_FREE (r.skipped);
  VEC_FREE (r.is_list);
  return done;
}

// An array whose first object begins with a member of ours.
static bool probe_timekiller (const char *path, const char *head, size_t length) {
  struct error ignored = { 0 };
  struct json_reader r = { 0 };
  struct json_string name;
  (void) path;
  json_start_text (&r, head, length, "", &ignored);
  const bool found = json_accept (&r, '[') && json_accept (&r, '{') && json_name (&r, &name) && member_bit (name);
  json_stop (&r);
  return found;
}

const struct format format_timekiller = {
  .name = "timekiller",
  .title = "TimeKiller's JSON: an array of transactions with timestamps",
  .probe = probe_timekiller,
  .read = read_timekiller,
};
