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
  const char *at = json_place (json);
  if (!json_string (json, &name, "\"b64\""))
    return false;
  if (!json_equal (name, "b64"))
    return json_fail (json, at, "expected an integer, a string or {\"b64\":\"...\"}, found another object");
  if (!json_open (json, ':', "':'"))
    return false;
  at = json_place (json);
  if (!json_string (json, &encoded, "a string of Base64"))
    return false;
  if (!base64_decode (&r->bytes, encoded.bytes, encoded.length))
    return json_unexpected (json, at, "Base64 with padding");
  *atom = atom_bytes (r->bytes.count ? r->bytes.data : "", r->bytes.count);
  return json_open (json, '}', "'}'");
}

bool jsonl_atom (struct jsonl_reader *r, struct atom *atom, const char *what) {
  return json_peek (&r->json) == '{' ? read_b64 (r, atom) : json_atom (&r->json, atom, what);
}

// Staged; only the type of key is asked now, while the place is known.
static bool read_key (struct jsonl_reader *r, uint32_t *key) {
  struct atom atom;
  const char *why, *at = json_place (&r->json);
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

bool jsonl_time (struct jsonl_reader *r, int64_t *time) {
  struct atom atom;
  const char *at = json_place (&r->json);
  if (!json_integer (&r->json, &atom, "a time (an integer)"))
    return false;
  *time = (int64_t) atom.number;
  // The two ends of the range stand for a missing time.
  if ((atom.kind == ATOM_NEGATIVE || atom.number < INT64_MAX) && *time != INT64_MIN)
    return true;
  return json_unexpected (&r->json, at, "a time from -2^63+1 to 2^63-2");
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

static bool read_lock (struct jsonl_reader *r) {
  static const char *const modes[] = { "update", "share", NULL };
  const int mode = json_word (&r->json, modes, "\"update\" or \"share\"");
  r->op.flags |= mode ? OP_LOCK_SHARE : OP_LOCK_UPDATE;
  return mode >= 0;
}

static bool read_flag (struct jsonl_reader *r, unsigned flag) {
  bool value;
  if (!json_bool (&r->json, &value))
    return false;
  r->op.flags |= value ? (uint8_t) flag : 0;
  return true;
}

// Iterators have a direction and an end, reads may lock and name a version, all have times.
enum { OPTION_END, OPTION_REVERSE, OPTION_LOCK, OPTION_VERSION, OPTION_B, OPTION_E };
enum { OPTIONS_OF_READS = OPTION_LOCK, OPTIONS_OF_WRITES = OPTION_B };
static const char *const options[] = { "end", "reverse", "lock", "version", "b", "e", NULL };

static unsigned first_option (enum op_kind kind) {
  const bool writes = kind == OP_PUT || kind == OP_APPEND;
  return kind == OP_ITER ? 0 : writes ? OPTIONS_OF_WRITES : OPTIONS_OF_READS;
}

static bool read_option (void *context, unsigned option) {
  struct jsonl_reader *r = context;
  switch (option + first_option ((enum op_kind) r->op.kind)) {
  case OPTION_END: return read_flag (r, OP_ITER_END);
  case OPTION_REVERSE: return read_flag (r, OP_ITER_REVERSE);
  case OPTION_LOCK: return read_lock (r);
  case OPTION_VERSION: r->extra.has_version = true; return jsonl_text (r, &r->extra.version);
  case OPTION_B: return jsonl_time (r, &r->extra.begin);
  default: return jsonl_time (r, &r->extra.end);
  }
}

static bool read_options (struct jsonl_reader *r) {
  struct json_reader *json = &r->json;
  const enum op_kind kind = (enum op_kind) r->op.kind;
  unsigned seen;
  r->extra = (struct staged_extra){ r->stage.ops.count, TIME_NONE_BEGIN, TIME_NONE_END, false, { 0, 0 } };
  const char *options_at = json_place (json);
  if (!json_open (json, '{', "an object of extras")
      || !json_members (json, options + first_option (kind), op_kind_name (kind), &seen, read_option, r))
    return false;
  if (r->extra.end < r->extra.begin)
    return json_fail (json, options_at, "the operation ends before it begins");
  if (r->op.flags & OP_ITER_END && r->op.value == VALUE_UNRECORDED)
    return json_fail (json, options_at, "an iterator that reached its end, but without a result");
  if (r->extra.begin != TIME_NONE_BEGIN || r->extra.end != TIME_NONE_END || r->extra.has_version)
    VEC_PUSH (r->stage.extras, r->extra);
  return true;
}

// --- Arguments ---

static bool read_written (struct jsonl_reader *r) {
  return json_open (&r->json, ',', "',' and a value") && read_value (r, &r->op.value);
}

static bool read_exchange (struct jsonl_reader *r) {
  return json_open (&r->json, ',', "',' and the old value")
         && (json_accept_null (&r->json) || read_value (r, &r->op.value))
         && json_open (&r->json, ',', "',' and the new value") && read_value (r, &r->op.aux);
}

static bool read_increment (struct jsonl_reader *r) {
  struct atom by;
  if (!json_open (&r->json, ',', "',' and an integer") || !json_integer (&r->json, &by, "an integer to add"))
    return false;
  r->op.value = stage_value (&r->stage, by);
  r->op.aux = VALUE_UNRECORDED;
  return true;
}

static bool read_bound (struct jsonl_reader *r, uint32_t *key) {
  *key = KEY_NONE;
  return json_open (&r->json, ',', "',' and a bound") && (json_accept_null (&r->json) || read_key (r, key));
}

static bool read_bounds (struct jsonl_reader *r) {
  uint32_t low, high;
  if (!read_bound (r, &low) || !read_bound (r, &high))
    return false;
  r->op.aux = stage_open_range (&r->stage, low, high);
  return true;
}

// --- Results ---

static bool read_found (struct jsonl_reader *r) {
  r->op.value = VALUE_ABSENT;
  return json_accept_null (&r->json) || read_value (r, &r->op.value);
}

static bool read_outcome (struct jsonl_reader *r) {
  r->op.flags |= OP_RESULT_KNOWN;
  return read_flag (r, OP_RESULT_TRUE);
}

static bool read_sum (struct jsonl_reader *r) {
  return read_value (r, &r->op.aux);
}

static bool read_item (void *context) {
  struct jsonl_reader *r = context;
  uint32_t key, value;
  if (!json_open (&r->json, '[', "an item [key,value]") || !read_key (r, &key)
      || !json_open (&r->json, ',', "',' and a value") || !read_value (r, &value) || !json_open (&r->json, ']', "']'"))
    return false;
  stage_add_item (&r->stage, key, value);
  return true;
}

static bool read_items (struct jsonl_reader *r) {
  r->op.value = VALUE_NONE;
  return json_array (&r->json, "an array of items", read_item, r);
}

static bool read_element (void *context) {
  struct jsonl_reader *r = context;
  uint32_t value;
  if (!read_value (r, &value))
    return false;
  stage_add_item (&r->stage, KEY_NONE, value);
  return true;
}

static bool read_list (struct jsonl_reader *r) {
  r->op.aux = stage_open_range (&r->stage, KEY_NONE, KEY_NONE);
  r->op.value = VALUE_ABSENT;
  if (json_accept_null (&r->json))
    return true;
  r->op.value = VALUE_NONE;
  return json_array (&r->json, "an array of values or null", read_element, r);
}

// --- Operations ---

// The value without a result, the arguments behind the key, and the result if there may be one.
// Scans and iterators have no key.
static const struct {
  uint32_t value;
  bool (*arguments) (struct jsonl_reader *);
  bool (*result) (struct jsonl_reader *);
} readers[OP_KINDS] = {
  [OP_PUT] = { VALUE_NONE, read_written, NULL },
  [OP_DEL] = { VALUE_NONE, NULL, read_outcome },
  [OP_GET] = { VALUE_UNRECORDED, NULL, read_found },
  [OP_SCAN] = { VALUE_UNRECORDED, read_bounds, read_items },
  [OP_ITER] = { VALUE_UNRECORDED, read_bounds, read_items },
  [OP_APPEND] = { VALUE_NONE, read_written, NULL },
  [OP_LIST] = { VALUE_UNRECORDED, NULL, read_list },
  [OP_CAS] = { VALUE_ABSENT, read_exchange, read_outcome },
  [OP_INC] = { VALUE_NONE, read_increment, read_sum },
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
  *atom = atom_unsigned (digits_up_to (at, end));
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
  const char *name_at = json_place (json);
  if (!json_string (json, &name, "the name of an operation"))
    return false;
  *kind = kind_of (name);
  return *kind >= 0 || json_unexpected (json, name_at, "put, get, del, scan, iter, append, list, cas or inc");
}

static bool read_key_argument (struct jsonl_reader *r) {
  return json_open (&r->json, ',', "',' and a key") && read_key (r, &r->op.key);
}

static bool read_result (struct jsonl_reader *r, int *more) {
  const int kind = r->op.kind;
  *more = json_next (&r->json, ']', false);
  if (*more <= 0 || !readers[kind].result || at_options (r))
    return true;
  if (!readers[kind].result (r))
    return false;
  *more = json_next (&r->json, ']', false);
  return true;
}

static bool read_op (struct jsonl_reader *r) {
  int kind, more;
  if (!json_open (&r->json, '[', "an operation (an array)") || !read_kind (&r->json, &kind))
    return false;
  r->op = (struct staged_op){ (uint8_t) kind, 0, KEY_NONE, readers[kind].value, AUX_NONE };
  if ((kind != OP_SCAN && kind != OP_ITER && !read_key_argument (r))
      || (readers[kind].arguments && !readers[kind].arguments (r)) || !read_result (r, &more) || more < 0)
    return false;
  if (more && (!read_options (r) || !json_open (&r->json, ']', "']'")))
    return false;
  VEC_PUSH (r->stage.ops, r->op);
  return true;
}

// The loop of json_array, because most operations are plain.
bool jsonl_ops (struct jsonl_reader *r) {
  int next;
  if (!json_open (&r->json, '[', "an array of operations"))
    return false;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_plain_op (r) && !read_op (r))
      return false;
  return !next;
}
