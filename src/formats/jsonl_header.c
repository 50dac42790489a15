// The header line: {"krait":1,"keys":…,"init":…,"source":…,"incomplete":…,"hints":…}.

#include "formats/jsonl_read.h"

static bool read_version (struct jsonl_reader *r) {
  uint64_t version;
  const char *at = json_place (&r->json);
  return json_unsigned (&r->json, &version, "the version of the format, 1")
         && (version == 1 || json_unexpected (&r->json, at, "the version of the format, 1"));
}

static bool read_key_type (struct jsonl_reader *r) {
  static const char *const types[] = { "int", "bytes", NULL };
  const char *at = json_place (&r->json);
  const int found = json_word (&r->json, types, "\"int\" or \"bytes\"");
  if (found < 0)
    return false;
  const enum key_type type = found ? KEYS_BYTES : KEYS_INT;
  // The initial state may stand before this member, and holds keys already.
  if (r->history->key_type != KEYS_UNDECIDED && r->history->key_type != type)
    return json_fail (&r->json, at, "the keys of the initial state are of the other type");
  r->history->key_type = type;
  return true;
}

static bool read_text (struct jsonl_reader *r, const char *what, char **text) {
  struct json_string string;
  const char *at = json_place (&r->json);
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

// `intern`: history_key or history_value.
static bool read_atom (struct jsonl_reader *r, const char *what,
                       uint32_t (*intern) (struct history *, struct atom, const char **), uint32_t *id) {
  struct atom atom;
  const char *why, *at = json_place (&r->json);
  if (!jsonl_atom (r, &atom, what))
    return false;
  *id = intern (r->history, atom, &why);
  return *id != ATOM_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_value_or_null (struct jsonl_reader *r, uint32_t *value) {
  *value = VALUE_ABSENT;
  return json_accept_null (&r->json) || read_atom (r, "a value (an integer or a string) or null", history_value, value);
}

static bool read_init_key (void *context) {
  struct jsonl_reader *r = context;
  struct json_reader *json = &r->json;
  uint32_t key, value;
  const char *why, *at = json_place (json);
  return json_open (json, '[', "an array [key,value]")
         && read_atom (r, "a key (an integer or a string)", history_key, &key)
         && json_open (json, ',', "',' and a value or null") && read_value_or_null (r, &value)
         && json_open (json, ']', "']'")
         && (history_set_init_key (r->history, key, value, &why) || json_fail (json, at, "%s", why));
}

static bool read_init_member (void *context, unsigned keys) {
  struct jsonl_reader *r = context;
  return keys ? json_array (&r->json, "an array of initial keys", read_init_key, r)
              : read_value_or_null (r, &r->history->init_default);
}

static bool read_init (struct jsonl_reader *r) {
  static const char *const members[] = { "default", "keys", NULL }, *const modes[] = { "absent", "any", NULL };
  unsigned seen;
  if (json_peek (&r->json) != '{') {
    const int mode = json_word (&r->json, modes, "\"absent\", \"any\" or an object");
    r->history->init = mode ? INIT_ANY : INIT_ABSENT;
    return mode >= 0;
  }
  r->json.at++;
  const bool fine = json_members (&r->json, members, "the initial state", &seen, read_init_member, r);
  r->history->init = r->history->init_default == VALUE_ABSENT ? INIT_ABSENT : INIT_DEFAULT;
  return fine;
}

enum { MEMBER_KRAIT, MEMBER_KEYS, MEMBER_INIT, MEMBER_SOURCE, MEMBER_HINTS, MEMBER_INCOMPLETE };
static const char *const members[] = { "krait", "keys", "init", "source", "hints", "incomplete", NULL };

static bool read_member (void *context, unsigned member) {
  struct jsonl_reader *r = context;
  switch (member) {
  case MEMBER_KRAIT: return read_version (r);
  case MEMBER_KEYS: return read_key_type (r);
  case MEMBER_INIT: return read_init (r);
  case MEMBER_SOURCE: return read_text (r, "the source", &r->history->source);
  case MEMBER_HINTS: return read_hints (r);
  default: return read_text (r, "the reason", &r->history->incomplete);
  }
}

bool jsonl_in_header (struct json_string name) {
  return json_among (name, members) >= 0;
}

bool jsonl_header (struct jsonl_reader *r) {
  unsigned seen;
  if (!json_members (&r->json, members, "the header", &seen, read_member, r))
    return false;
  if (!(seen & 1 << MEMBER_KRAIT))
    return json_fail (&r->json, r->json.at - 1, "expected member \"krait\" in the header, found the end of the object");
  return json_at_end (&r->json);
}
