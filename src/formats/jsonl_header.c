// The header line: {"krait":1,"keys":…,"init":…,"source":…,"incomplete":…,"hints":…}.

#include "formats/jsonl_read.h"

enum {
  HEADER_KRAIT = 1,
  HEADER_KEYS = 2,
  HEADER_INIT = 4,
  HEADER_SOURCE = 8,
  HEADER_HINTS = 16,
  HEADER_INCOMPLETE = 32
};
enum { INIT_HAS_DEFAULT = 1, INIT_HAS_KEYS = 2 };

static bool read_version (struct jsonl_reader *r) {
  uint64_t version;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_unsigned (&r->json, &version, "the version of the format, 1"))
    return false;
  if (version == 1)
    return true;
  r->json.at = at;
  return json_expected (&r->json, "the version of the format, 1");
}

static bool read_key_type (struct jsonl_reader *r) {
  struct json_string string;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &string, "\"int\" or \"bytes\""))
    return false;
  const enum key_type type = json_equal (string, "int")     ? KEYS_INT
                             : json_equal (string, "bytes") ? KEYS_BYTES
                                                            : KEYS_UNDECIDED;
  r->json.at = type == KEYS_UNDECIDED ? at : r->json.at;
  if (type == KEYS_UNDECIDED)
    return json_expected (&r->json, "\"int\" or \"bytes\"");
  // The initial state may stand before this member, and holds keys already.
  if (r->history->key_type != KEYS_UNDECIDED && r->history->key_type != type)
    return json_fail (&r->json, at, "the keys of the initial state are of the other type");
  r->history->key_type = type;
  return true;
}

static bool read_text (struct jsonl_reader *r, const char *what, char **text) {
  struct json_string string;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &string, "a string"))
    return false;
  if (memchr (string.bytes, 0, string.length))
    return json_fail (&r->json, at, "%s holds a zero byte", what);
  mem_free (*text);
  *text = mem_alloc (string.length + 1);
  memcpy (*text, string.bytes, string.length);
  (*text)[string.length] = 0;
  return true;
}

static bool read_source (struct jsonl_reader *r) {
  return read_text (r, "the source", &r->history->source);
}

static bool read_incomplete (struct jsonl_reader *r) {
  return read_text (r, "the reason", &r->history->incomplete);
}

static bool read_hints (struct jsonl_reader *r) {
  const char *why;
  if (json_peek (&r->json) != '{')
    return json_expected (&r->json, "an object of hints");
  const char *at = r->json.at;
  struct text *hints = &r->stage.texts; // nothing is staged while the header is read
  hints->count = 0;
  if (!json_compact (&r->json, hints))
    return false;
  return history_set_header_hints (r->history, hints->data, hints->count, &why) || json_fail (&r->json, at, "%s", why);
}

static bool read_key (struct jsonl_reader *r, uint32_t *key) {
  struct atom atom;
  const char *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!jsonl_atom (r, &atom, "a key (an integer or a string)"))
    return false;
  *key = history_key (r->history, atom, &why);
  return *key != KEY_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_value_or_null (struct jsonl_reader *r, uint32_t *value) {
  struct atom atom;
  const char *why;
  *value = VALUE_ABSENT;
  if (json_accept_null (&r->json))
    return true;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!jsonl_atom (r, &atom, "a value (an integer or a string) or null"))
    return false;
  *value = history_value (r->history, atom, &why);
  return *value != ATOM_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_init_key (struct jsonl_reader *r) {
  struct json_reader *json = &r->json;
  uint32_t key, value;
  const char *why;
  json_peek (json);
  const char *at = json->at;
  if (!json_open (json, '[', "an array [key,value]") || !read_key (r, &key))
    return false;
  if (!json_accept (json, ','))
    return json_expected (json, "',' and a value or null");
  if (!read_value_or_null (r, &value))
    return false;
  if (!json_accept (json, ']'))
    return json_expected (json, "']'");
  return history_set_init_key (r->history, key, value, &why) || json_fail (json, at, "%s", why);
}

static bool read_init_keys (struct jsonl_reader *r) {
  if (!json_open (&r->json, '[', "an array of initial keys"))
    return false;
  int next;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_init_key (r))
      return false;
  return !next;
}

static bool read_init_object (struct jsonl_reader *r) {
  struct json_reader *json = &r->json;
  unsigned seen = 0;
  int next;
  json->at++;
  for (bool first = true; (next = json_next (json, '}', first)) > 0; first = false) {
    struct json_string name;
    json_peek (json);
    const char *name_at = json->at;
    if (!json_name (json, &name))
      return false;
    const unsigned bit = json_equal (name, "default") ? INIT_HAS_DEFAULT
                         : json_equal (name, "keys")  ? INIT_HAS_KEYS
                                                      : 0;
    if (!bit)
      return jsonl_unknown_member (r, name, name_at, "the initial state");
    if (!jsonl_once (r, &seen, bit, name_at)
        || !(bit == INIT_HAS_KEYS ? read_init_keys (r) : read_value_or_null (r, &r->history->init_default)))
      return false;
  }
  r->history->init = r->history->init_default == VALUE_ABSENT ? INIT_ABSENT : INIT_DEFAULT;
  return !next;
}

static bool read_init (struct jsonl_reader *r) {
  static const char wanted[] = "\"absent\", \"any\" or an object";
  struct json_string string;
  if (json_peek (&r->json) == '{')
    return read_init_object (r);
  const char *at = r->json.at;
  if (!json_string (&r->json, &string, wanted))
    return false;
  if (json_equal (string, "absent") || json_equal (string, "any")) {
    r->history->init = json_equal (string, "any") ? INIT_ANY : INIT_ABSENT;
    return true;
  }
  r->json.at = at;
  return json_expected (&r->json, wanted);
}

static const struct {
  const char *name;
  unsigned bit;
  bool (*read) (struct jsonl_reader *);
} members[] = {
  { "krait", HEADER_KRAIT, read_version }, { "keys", HEADER_KEYS, read_key_type },
  { "init", HEADER_INIT, read_init },      { "source", HEADER_SOURCE, read_source },
  { "hints", HEADER_HINTS, read_hints },   { "incomplete", HEADER_INCOMPLETE, read_incomplete },
};

static bool read_header_member (struct jsonl_reader *r, unsigned *seen) {
  struct json_string name;
  json_peek (&r->json);
  const char *name_at = r->json.at;
  if (!json_name (&r->json, &name))
    return false;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (json_equal (name, members[i].name))
      return jsonl_once (r, seen, members[i].bit, name_at) && members[i].read (r);
  return jsonl_unknown_member (r, name, name_at, "the header");
}

bool jsonl_header (struct jsonl_reader *r) {
  unsigned seen = 0;
  int next;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false)
    if (!read_header_member (r, &seen))
      return false;
  if (next < 0)
    return false;
  if (!(seen & HEADER_KRAIT))
    return json_fail (&r->json, r->json.at - 1, "expected member \"krait\" in the header, found the end of the object");
  return json_at_end (&r->json);
}
