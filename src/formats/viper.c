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
};

// A read of null found nothing.
static bool read_value (struct viper_reader *r, enum op_kind kind, uint32_t *value, const char **why) {
  struct atom atom;
  *value = VALUE_ABSENT;
  if (kind == OP_GET && json_accept_null (&r->json))
    return true;
  if (!json_atom (&r->json, &atom, "a value (an integer or a string)"))
    return false;
  *value = history_value (r->h, atom, why);
  return *value != ATOM_NONE;
}

static bool read_flag (struct viper_reader *r) {
  bool is_write;
  return !json_accept (&r->json, ',') || json_bool (&r->json, &is_write);
}

static const char *const kinds[] = { "r", "w", NULL };

static bool read_op (void *context) {
  struct viper_reader *r = context;
  struct json_reader *json = &r->json;
  struct atom atom;
  uint32_t value;
  const char *why = NULL, *at = json_place (json);
  const int word = json_open (json, '[', "an operation (an array)") ? json_word (json, kinds, "\"r\" or \"w\"") : -1;
  const enum op_kind kind = word ? OP_PUT : OP_GET;
  if (word < 0 || !json_open (json, ',', "',' and a key") || !json_atom (json, &atom, "a key (an integer or a string)"))
    return false;
  const uint32_t key = history_key (r->h, atom, &why);
  if (key == KEY_NONE)
    return json_fail (json, at, "%s", why);
  if (!json_open (json, ',', "',' and a value"))
    return false;
  if (!read_value (r, kind, &value, &why))
    return why ? json_fail (json, at, "%s", why) : false;
  return read_flag (r) && json_open (json, ']', "']'")
         && (history_add_op (r->h, kind, 0, key, value, AUX_NONE, &why) || json_fail (json, at, "%s", why));
}

static bool read_ops (void *context, unsigned member) {
  struct viper_reader *r = context;
  (void) member;
  return json_array (&r->json, "an array of operations", read_op, r);
}

static bool read_txn (struct viper_reader *r, uint64_t session) {
  static const char *const members[] = { "value", NULL };
  const struct txn_header header = { .session = session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  const char *why, *at = r->json.at;
  unsigned seen;
  if (!json_open (&r->json, '{', "a transaction (an object)"))
    return false;
  if (!history_begin_txn (r->h, &header, &why))
    return json_fail (&r->json, at, "%s", why);
  return json_members (&r->json, members, NULL, &seen, read_ops, r)
         && (seen || json_fail (&r->json, at, "a transaction without \"value\""));
}

static bool read_session (struct history *h, const struct log *log, struct error *error) {
  struct viper_reader r = { .h = h };
  json_start_text (&r.json, log->bytes, log->length, log->path, error);
  bool fine = true;
  while (fine && json_peek (&r.json) >= 0)
    fine = read_txn (&r, log->session);
  json_stop (&r.json);
  return fine;
}

static bool read_file (struct history *h, struct input *input, struct error *error) {
  struct log log = { .path = (char *) (uintptr_t) input_name (input) };
  log.bytes = input_all (input, &log.length, error);
  h->init = INIT_ANY;
  return log.bytes && read_session (h, &log, error);
}

static bool read_folder (struct history *h, const char *path, struct error *error) {
  struct logs logs = VEC_EMPTY;
  h->init = INIT_ANY;
  bool done = logs_open (&logs, path, log_name, error);
  for (size_t i = 0; done && i < logs.count; i++)
    done = read_session (h, &logs.data[i], error);
  logs_close (&logs);
  return done;
}

// A file begins with {"value":[["r" or {"value":[["w".
static bool probe_viper (struct json_reader *r) {
  struct json_string name;
  return json_accept (r, '{') && json_name (r, &name) && json_equal (name, "value") && json_accept (r, '[')
         && json_accept (r, '[') && json_string (r, &name, "r or w") && json_among (name, kinds) >= 0;
}

const struct format format_viper = {
  .name = "viper",
  .title = "Viper's JSON: a folder of J<n>.log, or one such file",
  .probe = probe_viper,
  .logs = &log_name,
  .read = read_file,
  .read_folder = read_folder,
};
