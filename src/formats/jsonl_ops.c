// Operations of a JSON Lines transaction: ["put",k,v] and so on.
//
// Each is a name, fixed arguments, a result that may be missing (not recorded), and an object of
// extras that may be missing.

#include "formats/base64.h"
#include "formats/jsonl_read.h"

// --- Keys and values ---

static bool read_b64 (struct jsonl_reader *r, struct atom *atom) {
  struct json_reader *json = &r->json;
  struct json_string name, encoded;
  if (!json_open (json, '{', "'{'"))
    return false;
  json_peek (json);
  const char *name_at = json->at;
  if (!json_string (json, &name, "\"b64\""))
    return false;
  if (!json_equal (name, "b64"))
    return json_fail (json, name_at, "expected an integer, a string or {\"b64\":\"...\"}, found another object");
  if (!json_accept (json, ':'))
    return json_expected (json, "':'");
  json_peek (json);
  const char *text_at = json->at;
  if (!json_string (json, &encoded, "a string of Base64"))
    return false;
  if (!base64_decode (&r->bytes, encoded.bytes, encoded.length)) {
    json->at = text_at;
    return json_expected (json, "Base64 with padding");
  }
  if (!json_accept (json, '}'))
    return json_expected (json, "'}'");
  *atom = atom_bytes (r->bytes.count ? r->bytes.data : "", r->bytes.count);
  return true;
}

bool jsonl_atom (struct jsonl_reader *r, struct atom *atom, const char *what) {
  struct json_string string;
  switch (json_peek (&r->json)) {
  case '"':
    if (!json_string (&r->json, &string, what))
      return false;
    *atom = atom_bytes (string.bytes, string.length);
    return true;
  case '{': return read_b64 (r, atom);
  default: return json_integer (&r->json, atom, what);
  }
}

// Staged; only the type of key is asked now, while the place is known.
static bool read_key (struct jsonl_reader *r, uint32_t *key) {
  struct atom atom;
  const char *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!jsonl_atom (r, &atom, "a key (an integer or a string)"))
    return false;
  const enum key_type type = atom.kind == ATOM_BYTES ? KEYS_BYTES : KEYS_INT;
  if (r->history->key_type != type && history_key (r->history, atom, &why) == KEY_NONE)
    return json_fail (&r->json, at, "%s", why);
  *key = stage_key (&r->stage, atom);
  return true;
}

static bool read_value (struct jsonl_reader *r, uint32_t *value) {
  struct atom atom;
  if (!jsonl_atom (r, &atom, "a value (an integer or a string)"))
    return false;
  *value = stage_value (&r->stage, atom);
  return true;
}

static bool read_value_or_null (struct jsonl_reader *r, uint32_t *value) {
  *value = VALUE_ABSENT;
  return json_accept_null (&r->json) || read_value (r, value);
}

bool jsonl_time (struct jsonl_reader *r, int64_t *time) {
  struct atom atom;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_integer (&r->json, &atom, "a time (an integer)"))
    return false;
  *time = (int64_t) atom.number;
  // The two ends of the range stand for a missing time.
  if ((atom.kind == ATOM_NEGATIVE || atom.number < INT64_MAX) && *time != INT64_MIN)
    return true;
  r->json.at = at;
  return json_expected (&r->json, "a time from -2^63+1 to 2^63-2");
}

// Is the next token an object, and is it not {"b64":…}?
static bool at_options (struct jsonl_reader *r) {
  struct json_reader *json = &r->json;
  if (json_peek (json) != '{')
    return false;
  const char *brace = json->at++;
  json_peek (json);
  const bool is_value = json->end - json->at >= 5 && !memcmp (json->at, "\"b64\"", 5);
  json->at = brace;
  return !is_value;
}

// --- The last object ---

enum {
  OPTION_LOCK = 1,
  OPTION_BEGIN = 2,
  OPTION_END = 4,
  OPTION_VERSION = 8,
  OPTION_ITER_END = 16,
  OPTION_REVERSE = 32
};

// Writes have times, reads may lock and name a version, iterators have a direction and an end
// besides.
static unsigned option_bit (enum op_kind kind, struct json_string name) {
  const bool reads = kind != OP_PUT && kind != OP_APPEND;
  if (json_equal (name, "b"))
    return OPTION_BEGIN;
  if (json_equal (name, "e"))
    return OPTION_END;
  if (reads && json_equal (name, "lock"))
    return OPTION_LOCK;
  if (reads && json_equal (name, "version"))
    return OPTION_VERSION;
  if (kind == OP_ITER && json_equal (name, "end"))
    return OPTION_ITER_END;
  return kind == OP_ITER && json_equal (name, "reverse") ? OPTION_REVERSE : 0;
}

static bool read_flag (struct jsonl_reader *r, struct staged_op *op, unsigned flag) {
  bool value;
  if (!json_bool (&r->json, &value))
    return false;
  if (value)
    op->flags |= (uint8_t) flag;
  return true;
}

static bool read_lock (struct jsonl_reader *r, struct staged_op *op) {
  struct json_string mode;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &mode, "\"update\" or \"share\""))
    return false;
  if (json_equal (mode, "update"))
    op->flags |= OP_LOCK_UPDATE;
  else if (json_equal (mode, "share"))
    op->flags |= OP_LOCK_SHARE;
  else {
    r->json.at = at;
    return json_expected (&r->json, "\"update\" or \"share\"");
  }
  return true;
}

static bool read_option (struct jsonl_reader *r, unsigned bit, struct staged_op *op, struct staged_extra *extra) {
  switch (bit) {
  case OPTION_LOCK: return read_lock (r, op);
  case OPTION_BEGIN: return jsonl_time (r, &extra->begin);
  case OPTION_END: return jsonl_time (r, &extra->end);
  case OPTION_ITER_END: return read_flag (r, op, OP_ITER_END);
  case OPTION_REVERSE: return read_flag (r, op, OP_ITER_REVERSE);
  default:
    extra->has_version = true;
    extra->version.first = r->stage.texts.count;
    if (!json_compact (&r->json, &r->stage.texts))
      return false;
    extra->version.length = r->stage.texts.count - extra->version.first;
    return true;
  }
}

static bool read_options (struct jsonl_reader *r, struct staged_op *op) {
  struct json_reader *json = &r->json;
  struct staged_extra extra = { r->stage.ops.count, TIME_NONE_BEGIN, TIME_NONE_END, false, { 0, 0 } };
  json_peek (json);
  const char *options_at = json->at;
  if (!json_open (json, '{', "an object of extras"))
    return false;
  unsigned seen = 0;
  int next;
  for (bool first = true; (next = json_next (json, '}', first)) > 0; first = false) {
    struct json_string name;
    json_peek (json);
    const char *name_at = json->at;
    if (!json_name (json, &name))
      return false;
    const unsigned bit = option_bit ((enum op_kind) op->kind, name);
    if (!bit)
      return jsonl_unknown_member (r, name, name_at, op_kind_name ((enum op_kind) op->kind));
    if (!jsonl_once (r, &seen, bit, name_at) || !read_option (r, bit, op, &extra))
      return false;
  }
  if (next < 0)
    return false;
  if (extra.end < extra.begin)
    return json_fail (json, options_at, "the operation ends before it begins");
  if (op->flags & OP_ITER_END && op->value == VALUE_UNRECORDED)
    return json_fail (json, options_at, "an iterator that reached its end, but without a result");
  if (seen & (OPTION_BEGIN | OPTION_END | OPTION_VERSION))
    VEC_PUSH (r->stage.extras, extra);
  return true;
}

// --- Arguments and results ---

static bool next_argument (struct jsonl_reader *r, const char *what) {
  return json_accept (&r->json, ',') || json_expected (&r->json, what);
}

static bool read_bound (struct jsonl_reader *r, uint32_t *key) {
  *key = KEY_NONE;
  return json_accept_null (&r->json) || read_key (r, key);
}

static bool read_item (struct jsonl_reader *r, bool with_key) {
  uint32_t key = KEY_NONE, value;
  if (with_key
      && (!json_open (&r->json, '[', "an item [key,value]") || !read_key (r, &key)
          || !next_argument (r, "',' and a value")))
    return false;
  if (!read_value (r, &value))
    return false;
  if (with_key && !json_accept (&r->json, ']'))
    return json_expected (&r->json, "']'");
  stage_add_item (&r->stage, key, value);
  return true;
}

static bool read_items (struct jsonl_reader *r, bool with_keys) {
  if (!json_open (&r->json, '[', with_keys ? "an array of items" : "an array of values or null"))
    return false;
  int next;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_item (r, with_keys))
      return false;
  return !next;
}

// Each of the following reads the arguments that must be there, then the result if there is one.
// `more` tells whether something is left before the closing bracket.

static bool read_write (struct jsonl_reader *r, struct staged_op *op, int *more) {
  if (!next_argument (r, "',' and a key") || !read_key (r, &op->key) || !next_argument (r, "',' and a value")
      || !read_value (r, &op->value))
    return false;
  *more = json_next (&r->json, ']', false);
  return true;
}

static bool read_get (struct jsonl_reader *r, struct staged_op *op, int *more) {
  if (!next_argument (r, "',' and a key") || !read_key (r, &op->key))
    return false;
  op->value = VALUE_UNRECORDED;
  *more = json_next (&r->json, ']', false);
  if (*more <= 0 || at_options (r))
    return true;
  if (!read_value_or_null (r, &op->value))
    return false;
  *more = json_next (&r->json, ']', false);
  return true;
}

static bool read_outcome (struct jsonl_reader *r, struct staged_op *op, int *more) {
  *more = json_next (&r->json, ']', false);
  if (*more <= 0 || at_options (r))
    return true;
  op->flags |= OP_RESULT_KNOWN;
  if (!read_flag (r, op, OP_RESULT_TRUE))
    return false;
  *more = json_next (&r->json, ']', false);
  return true;
}

static bool read_del (struct jsonl_reader *r, struct staged_op *op, int *more) {
  return next_argument (r, "',' and a key") && read_key (r, &op->key) && read_outcome (r, op, more);
}

static bool read_cas (struct jsonl_reader *r, struct staged_op *op, int *more) {
  return next_argument (r, "',' and a key") && read_key (r, &op->key) && next_argument (r, "',' and the old value")
         && read_value_or_null (r, &op->value) && next_argument (r, "',' and the new value") && read_value (r, &op->aux)
         && read_outcome (r, op, more);
}

// An integer; then the new value, which may be missing.
static bool read_inc (struct jsonl_reader *r, struct staged_op *op, int *more) {
  struct atom by;
  if (!next_argument (r, "',' and a key") || !read_key (r, &op->key) || !next_argument (r, "',' and an integer")
      || !json_integer (&r->json, &by, "an integer to add"))
    return false;
  op->value = stage_value (&r->stage, by);
  op->aux = VALUE_UNRECORDED;
  *more = json_next (&r->json, ']', false);
  if (*more <= 0 || at_options (r))
    return true;
  if (!read_value (r, &op->aux))
    return false;
  *more = json_next (&r->json, ']', false);
  return true;
}

static bool read_range (struct jsonl_reader *r, struct staged_op *op, int *more) {
  uint32_t low, high;
  if (!next_argument (r, "',' and a bound") || !read_bound (r, &low) || !next_argument (r, "',' and a bound")
      || !read_bound (r, &high))
    return false;
  op->aux = stage_open_range (&r->stage, low, high);
  op->value = VALUE_UNRECORDED;
  *more = json_next (&r->json, ']', false);
  if (*more <= 0 || at_options (r))
    return true;
  op->value = VALUE_NONE;
  if (!read_items (r, true))
    return false;
  *more = json_next (&r->json, ']', false);
  return true;
}

static bool read_list (struct jsonl_reader *r, struct staged_op *op, int *more) {
  if (!next_argument (r, "',' and a key") || !read_key (r, &op->key))
    return false;
  op->value = VALUE_UNRECORDED;
  *more = json_next (&r->json, ']', false);
  if (*more <= 0 || at_options (r))
    return true;
  op->aux = stage_open_range (&r->stage, KEY_NONE, KEY_NONE);
  op->value = VALUE_ABSENT;
  if (!json_accept_null (&r->json)) {
    op->value = VALUE_NONE;
    if (!read_items (r, false))
      return false;
  }
  *more = json_next (&r->json, ']', false);
  return true;
}

// --- Operations ---

static const struct {
  enum op_kind kind;
  bool (*read) (struct jsonl_reader *, struct staged_op *, int *more);
} readers[OP_KINDS] = {
  { OP_PUT, read_write },  { OP_DEL, read_del },    { OP_GET, read_get },
  { OP_SCAN, read_range }, { OP_ITER, read_range }, { OP_APPEND, read_write },
  { OP_LIST, read_list },  { OP_CAS, read_cas },    { OP_INC, read_inc },
};

static int kind_of (struct json_string name) {
  for (int kind = 0; kind < OP_KINDS; kind++)
    if (json_equal (name, op_kind_name ((enum op_kind) kind)))
      return kind;
  return -1;
}

// Nearly all operations of a history are gets and puts of plain strings and integers, written
// without white space. Those take a short cut; whatever is out of the ordinary, mistakes included,
// goes the long way from its beginning.

static inline bool plain_atom (const char **at, const char *end, struct atom *atom) {
  const char *first = *at;
  if (first < end && *first == '"') {
    const char *last = json_plain_run_end (first + 1, end);
    if (last == end || *last != '"')
      return false;
    *atom = atom_bytes (first + 1, (size_t) (last - first - 1));
    *at = last + 1;
    return true;
  }
  *atom = atom_unsigned (json_digits (at, end));
  return *at > first && (*first != '0' || *at == first + 1);
}

static inline bool read_plain_op (struct jsonl_reader *r) {
  static const size_t name_length = 7, null_length = 4;
  const char *at = r->json.at, *end = r->json.end;
  if ((size_t) (end - at) < name_length + null_length)
    return false;
  const bool get = !memcmp (at, "[\"get\",", name_length);
  if (!get && memcmp (at, "[\"put\",", name_length))
    return false;
  struct atom key, value;
  at += name_length;
  if (!plain_atom (&at, end, &key) || (size_t) (end - at) <= null_length || *at++ != ',')
    return false;
  const bool null = get && !memcmp (at, "null", null_length);
  if (null)
    at += null_length;
  else if (!plain_atom (&at, end, &value))
    return false;
  const enum key_type type = key.kind == ATOM_BYTES ? KEYS_BYTES : KEYS_INT;
  if (at == end || *at != ']' || r->history->key_type != type)
    return false;
  r->json.at = at + 1;
  struct staged_op op = { get ? OP_GET : OP_PUT, 0, stage_key (&r->stage, key), VALUE_ABSENT, AUX_NONE };
  if (!null)
    op.value = stage_value (&r->stage, value);
  VEC_PUSH (r->stage.ops, op);
  return true;
}

static bool read_kind (struct json_reader *json, int *kind) {
  struct json_string name;
  json_peek (json);
  const char *name_at = json->at;
  if (!json_string (json, &name, "the name of an operation"))
    return false;
  *kind = kind_of (name);
  if (*kind >= 0)
    return true;
  json->at = name_at;
  return json_expected (json, "put, get, del, scan, iter, append, list, cas or inc");
}

static bool read_op (struct jsonl_reader *r) {
  struct json_reader *json = &r->json;
  int kind;
  if (!json_open (json, '[', "an operation (an array)") || !read_kind (json, &kind))
    return false;
  struct staged_op op = { (uint8_t) kind, 0, KEY_NONE, VALUE_NONE, AUX_NONE };
  int more;
  if (!readers[kind].read (r, &op, &more) || more < 0)
    return false;
  if (more && (!read_options (r, &op) || !json_open (json, ']', "']'")))
    return false;
  VEC_PUSH (r->stage.ops, op);
  return true;
}

bool jsonl_ops (struct jsonl_reader *r) {
  if (!json_open (&r->json, '[', "an array of operations"))
    return false;
  int next;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_plain_op (r) && !read_op (r))
      return false;
  return !next;
}
