// Viper's logs: a folder of J<n>.log, one session each, or one such file alone. One committed
// transaction per line:
//
//   {"value": [["w", 9696, 2046010677777358256, true], ["r", 3848, 1050689658935092220, false]]}
//
// The last element of an operation says whether it is a write, once more; it is not looked at, and
// may be missing. Databases that Viper tests are filled before they are traced, with values that no
// log shows: every key starts with any value.

#include "formats/formats.h"
#include "formats/json_read.h"
#include "formats/logs.h"

#include <string.h>

static const struct log_name log_name = { "J", ".log" };

struct viper_reader {
  struct history *h;
  struct json_reader json;
  struct text skipped;
};

static bool read_atom (struct viper_reader *r, struct atom *atom, const char *what) {
  struct json_string string;
  if (json_peek (&r->json) != '"')
    return json_integer (&r->json, atom, what);
  if (!json_string (&r->json, &string, what))
    return false;
  *atom = atom_bytes (string.bytes, string.length);
  return true;
}

static bool comma (struct viper_reader *r, const char *what) {
  return json_accept (&r->json, ',') || json_expected (&r->json, what);
}

static bool read_kind (struct viper_reader *r, enum op_kind *kind) {
  struct json_string name;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &name, "\"r\" or \"w\""))
    return false;
  *kind = json_equal (name, "w") ? OP_PUT : OP_GET;
  if (*kind == OP_PUT || json_equal (name, "r"))
    return true;
  r->json.at = at;
  return json_expected (&r->json, "\"r\" or \"w\"");
}

// A read of null found nothing.
static bool read_value (struct viper_reader *r, enum op_kind kind, uint32_t *value, const char **why) {
  struct atom atom;
  *value = VALUE_ABSENT;
  if (kind == OP_GET && json_accept_null (&r->json))
    return true;
  if (!read_atom (r, &atom, "a value (an integer or a string)"))
    return false;
  *value = history_value (r->h, atom, why);
  return *value != ATOM_NONE;
}

static bool read_flag (struct viper_reader *r) {
  bool is_write;
  return !json_accept (&r->json, ',') || json_bool (&r->json, &is_write);
}

static bool read_op (struct viper_reader *r) {
  enum op_kind kind;
  struct atom atom;
  uint32_t value;
  const char *why = NULL;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_open (&r->json, '[', "an operation (an array)") || !read_kind (r, &kind) || !comma (r, "',' and a key")
      || !read_atom (r, &atom, "a key (an integer or a string)"))
    return false;
  const uint32_t key = history_key (r->h, atom, &why);
  if (key == KEY_NONE)
    return json_fail (&r->json, at, "%s", why);
  if (!comma (r, "',' and a value"))
    return false;
  if (!read_value (r, kind, &value, &why))
    return why ? json_fail (&r->json, at, "%s", why) : false;
  if (!read_flag (r))
    return false;
  if (!json_accept (&r->json, ']'))
    return json_expected (&r->json, "']'");
  return history_add_op (r->h, kind, 0, key, value, AUX_NONE, &why) || json_fail (&r->json, at, "%s", why);
}

static bool read_ops (struct viper_reader *r) {
  int next;
  if (!json_open (&r->json, '[', "an array of operations"))
    return false;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_op (r))
      return false;
  return !next;
}

static bool read_txn (struct viper_reader *r, uint64_t session) {
  const struct txn_header header = { .session = session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  const char *why, *at = r->json.at;
  bool has_value = false;
  int next;
  if (!json_open (&r->json, '{', "a transaction (an object)"))
    return false;
  if (!history_begin_txn (r->h, &header, &why))
    return json_fail (&r->json, at, "%s", why);
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false) {
    struct json_string name;
    json_peek (&r->json);
    const char *name_at = r->json.at;
    if (!json_name (&r->json, &name))
      return false;
    const bool is_value = json_equal (name, "value");
    if (is_value && has_value)
      return json_fail (&r->json, name_at, "\"value\" is there twice");
    has_value |= is_value;
    r->skipped.count = 0;
    if (!(is_value ? read_ops (r) : json_compact (&r->json, &r->skipped)))
      return false;
  }
  return !next && (has_value || json_fail (&r->json, at, "a transaction without \"value\""));
}

static bool read_session (struct history *h, uint64_t session, const struct log *log, struct error *error) {
  struct viper_reader r = { .h = h };
  json_start_text (&r.json, log->bytes, log->length, log->path, error);
  bool fine = true;
  while (fine && json_peek (&r.json) >= 0)
    fine = read_txn (&r, session);
  json_stop (&r.json);
  VEC_FREE (r.skipped);
  return fine;
}

static bool read_file (struct history *h, struct input *input, struct error *error) {
  struct log log = { .session = 0 };
  log.bytes = input_all (input, &log.length, error);
  if (!log.bytes)
    return false;
  log.path = mem_strdup (input_name (input));
  h->init = INIT_ANY;
  const bool done = read_session (h, 0, &log, error);
  mem_free (log.path);
  return done;
}

static bool read_folder (struct history *h, const char *path, struct error *error) {
  struct logs logs = VEC_EMPTY;
  h->init = INIT_ANY;
  bool done = logs_open (&logs, path, log_name, error);
  for (size_t i = 0; done && i < logs.count; i++)
    done = read_session (h, logs.data[i].session, &logs.data[i], error);
  logs_close (&logs);
  return done;
}

// A folder has J<n>.log; a file begins with {"value":[["r" or {"value":[["w".
static bool probe_viper (const char *path, const char *head, size_t length) {
  if (!head)
    return logs_are_in (path, log_name);
  struct error ignored = { 0 };
  struct json_reader r = { 0 };
  struct json_string name;
  json_start_text (&r, head, length, "", &ignored);
  const bool found = json_accept (&r, '{') && json_name (&r, &name) && json_equal (name, "value")
                     && json_accept (&r, '[') && json_accept (&r, '[') && json_string (&r, &name, "r or w")
                     && (json_equal (name, "r") || json_equal (name, "w"));
  json_stop (&r);
  return found;
}

const struct format format_viper = {
  .name = "viper",
  .title = "Viper's JSON: a folder of J<n>.log, or one such file",
  .probe = probe_viper,
  .read = read_file,
  .read_folder = read_folder,
};
