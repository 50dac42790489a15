// Histories of Jepsen and Elle in JSON, as elle-cli takes them: one array of objects, or objects
// one after the other. The words are those of the EDN form without their colons.
// jepsen_json_write.c has the way back.

#include "formats/jepsen_json.h"
#include "base/input.h"
#include "formats/formats.h"
#include "formats/jepsen.h"
#include "formats/json_read.h"

struct json_history {
  struct json_reader json;
  struct jepsen jepsen;
  struct text skipped;
};

static bool skip (struct json_history *r) {
  r->skipped.count = 0;
  return json_compact (&r->json, &r->skipped);
}

// --- Micro-operations ---

static bool read_atom (struct json_history *r, struct atom *atom, const char *what) {
  struct json_string string;
  if (json_peek (&r->json) != '"')
    return json_integer (&r->json, atom, what);
  if (!json_string (&r->json, &string, what))
    return false;
  *atom = atom_bytes (string.bytes, string.length);
  return true;
}

static bool read_key (struct json_history *r, uint32_t *key) {
  struct atom atom;
  const char *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!read_atom (r, &atom, "a key (an integer or a string)"))
    return false;
  *key = jepsen_key (&r->jepsen, atom, &why);
  return *key != ATOM_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_value (struct json_history *r, uint32_t *value) {
  struct atom atom;
  const char *why;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!read_atom (r, &atom, "a value (an integer or a string)"))
    return false;
  *value = history_value (r->jepsen.history, atom, &why);
  return *value != ATOM_NONE || json_fail (&r->json, at, "%s", why);
}

static bool read_list (struct json_history *r, struct micro_op *op) {
  struct micro_ops *micro = &r->jepsen.event.micro;
  int next;
  op->kind = MICRO_READ_LIST;
  op->first_item = (uint32_t) micro->items.count;
  r->json.at++;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false) {
    uint32_t value;
    if (!read_value (r, &value))
      return false;
    VEC_PUSH (micro->items, value);
  }
  op->items = (uint32_t) micro->items.count - op->first_item;
  return !next;
}

// What a read returned; nothing at all is null.
static bool read_result (struct json_history *r, struct micro_op *op) {
  if (json_peek (&r->json) == ']') {
    op->kind = MICRO_READ_NIL;
    return true;
  }
  if (!json_accept (&r->json, ','))
    return json_expected (&r->json, "',' or ']'");
  if (json_accept_null (&r->json)) {
    op->kind = MICRO_READ_NIL;
    return true;
  }
  return json_peek (&r->json) == '[' ? read_list (r, op) : read_value (r, &op->value);
}

static bool read_name (struct json_history *r, struct micro_op *op) {
  static const char what[] = "\"append\", \"r\" or \"w\"";
  struct json_string name;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &name, what))
    return false;
  if (jepsen_micro (name.bytes, name.length, &op->kind))
    return true;
  r->json.at = at;
  return json_expected (&r->json, what);
}

static bool comma (struct json_history *r, const char *what) {
  return json_accept (&r->json, ',') || json_expected (&r->json, what);
}

static bool read_micro (struct json_history *r) {
  struct micro_op op = { 0 };
  if (!json_open (&r->json, '[', "a micro-operation (an array)") || !read_name (r, &op) || !comma (r, "',' and a key")
      || !read_key (r, &op.key))
    return false;
  if (!(op.kind == MICRO_READ ? read_result (r, &op) : comma (r, "',' and a value") && read_value (r, &op.value)))
    return false;
  if (!json_accept (&r->json, ']'))
    return json_expected (&r->json, "']'");
  jepsen_add_micro (&r->jepsen, op);
  return true;
}

static bool read_micros (struct json_history *r) {
  int next;
  if (!json_open (&r->json, '[', "an array of micro-operations"))
    return false;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_micro (r))
      return false;
  return !next;
}

// --- Lines ---

static bool read_type (struct json_history *r) {
  static const char what[] = "\"invoke\", \"ok\", \"fail\" or \"info\"";
  struct json_string name;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_string (&r->json, &name, what))
    return false;
  r->jepsen.event.seen |= JEPSEN_TYPE;
  if (jepsen_type (name.bytes, name.length, &r->jepsen.event.type))
    return true;
  r->json.at = at;
  return json_expected (&r->json, what);
}

static bool read_number (struct json_history *r, unsigned member, int64_t least, const char *what, int64_t *number) {
  struct atom atom;
  json_peek (&r->json);
  const char *at = r->json.at;
  if (!json_integer (&r->json, &atom, what))
    return false;
  r->jepsen.event.seen |= member;
  if (jepsen_time (atom, number) && *number >= least)
    return true;
  r->json.at = at;
  return json_expected (&r->json, what);
}

// Clients are numbers; "nemesis" and its like are none of ours.
static bool read_process (struct json_history *r) {
  struct jepsen_event *event = &r->jepsen.event;
  int64_t process;
  event->is_client = json_peek (&r->json) != '"';
  if (!event->is_client)
    return skip (r);
  if (!read_number (r, JEPSEN_PROCESS, 0, "a process (an integer from 0 to 2^63-2, or a string)", &process))
    return false;
  event->process = (uint64_t) process;
  return true;
}

static bool read_f (struct json_history *r) {
  struct json_string name;
  jepsen_set_f (&r->jepsen, "", 0);
  if (json_peek (&r->json) != '"')
    return skip (r);
  if (!json_string (&r->json, &name, "a string"))
    return false;
  jepsen_set_f (&r->jepsen, name.bytes, name.length);
  return true;
}

static bool read_member (struct json_history *r, unsigned member, const char **value_at) {
  static const char number[] = "an integer from -2^63+1 to 2^63-2";
  struct jepsen_event *event = &r->jepsen.event;
  if (json_accept_null (&r->json))
    return true;
  switch (member) {
  case JEPSEN_TYPE: return read_type (r);
  case JEPSEN_PROCESS: return read_process (r);
  case JEPSEN_F: return read_f (r);
  case JEPSEN_TIME: return read_number (r, JEPSEN_TIME, INT64_MIN, number, &event->time);
  case JEPSEN_INDEX: return read_number (r, JEPSEN_INDEX, INT64_MIN, number, &event->index);
  case JEPSEN_VALUE: // whose line this is may stand behind it
    json_peek (&r->json);
    *value_at = r->json.at;
    return skip (r);
  default: return skip (r);
  }
}

static bool read_members (struct json_history *r, const char **value_at) {
  unsigned named = 0;
  int next;
  r->json.at++;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false) {
    struct json_string name;
    json_peek (&r->json);
    const char *at = r->json.at;
    if (!json_name (&r->json, &name))
      return false;
    const unsigned member = jepsen_member (name.bytes, name.length);
    if (named & member)
      return json_fail (&r->json, at, "\"%.*s\" is there twice", (int) name.length, name.bytes);
    named |= member;
    if (!read_member (r, member, value_at))
      return false;
  }
  return !next;
}

// Lines are counted from the start of the file: only for the first of what may be many.
static bool skip_event (struct json_history *r, const char *at) {
  jepsen_skip_event (&r->jepsen, r->jepsen.unreadable ? 0 : json_line (&r->json, at));
  return true;
}

// False with an error, or without one: what it says is of another workload, or is to be ignored.
// That error is not to cost anything, so it is placed without counting lines.
static bool read_micros_if_possible (struct json_history *r, const char *value_at) {
  const bool must = !r->jepsen.event.may_be_other && !r->jepsen.history->ignore_unreadable;
  const char *begin = r->json.begin;
  r->json.begin = must ? begin : value_at;
  const bool read = read_micros (r);
  r->json.begin = begin;
  if (!read && !must) {
    *r->json.error = (struct error){ 0 };
  }
  return read;
}

static bool read_event (struct json_history *r) {
  struct jepsen_event *event = &r->jepsen.event;
  if (json_peek (&r->json) != '{')
    return json_expected (&r->json, "an operation (an object)");
  const char *at = r->json.at, *value_at = NULL, *why;
  jepsen_clear (&r->jepsen);
  if (!read_members (r, &value_at))
    return false;
  if (event->is_client && event->seen & JEPSEN_PROCESS && !event->is_txn)
    skip_event (r, at);
  if (!event->is_client || !event->is_txn)
    return true;
  if (!(event->seen & JEPSEN_TYPE))
    return json_fail (&r->json, at, "an operation without \"type\"");
  if (value_at) {
    const char *behind = r->json.at;
    r->json.at = value_at;
    event->seen |= JEPSEN_VALUE;
    const bool read = read_micros_if_possible (r, value_at);
    r->json.at = behind;
    if (!read)
      return r->json.error->code ? false : skip_event (r, at);
  }
  return jepsen_add_event (&r->jepsen, &why) || json_fail (&r->json, at, "%s", why);
}

// --- Files ---

static bool read_array (struct json_history *r) {
  int next;
  r->json.at++;
  for (bool first = true; (next = json_next (&r->json, ']', first)) > 0; first = false)
    if (!read_event (r))
      return false;
  return !next && (json_peek (&r->json) < 0 || json_expected (&r->json, "the end of the file"));
}

// A test that was killed while it wrote leaves half a line.
static bool is_torn (const struct json_history *r, const char *at) {
  const size_t length = (size_t) (r->json.end - at);
  return !memchr (at, '\n', length) && !json_is_whole (at, length);
}

static bool read_objects (struct json_history *r) {
  int c;
  while ((c = json_peek (&r->json)) >= 0) {
    const char *at = r->json.at;
    if (read_event (r))
      continue;
    if (c != '{' || !is_torn (r, at))
      return false;
    *r->json.error = (struct error){ 0 };
    history_warn (r->jepsen.history, "%s:%llu: dropped the last line: it is not complete", r->json.file,
                  (unsigned long long) json_line (&r->json, at));
    history_mark_incomplete (r->jepsen.history, "%s:%llu: the last line is torn", r->json.file,
                             (unsigned long long) json_line (&r->json, at));
    return true;
  }
  return true;
}

static bool read_json (struct history *h, struct input *input, struct error *error) {
  struct json_history r = { 0 };
  const char *why;
  size_t length;
  const char *text = input_all (input, &length, error);
  if (!text)
    return false;
  json_start_text (&r.json, text, length, input_name (input), error);
  jepsen_start (&r.jepsen, h);
  bool done = json_peek (&r.json) == '[' ? read_array (&r) : read_objects (&r);
  done = done && jepsen_accept_unreadable (&r.jepsen, input_name (input), error);
  if (done && !jepsen_finish (&r.jepsen, &why))
    done = error_set (error, "%.400s: %s", input_name (input), why);
  jepsen_stop (&r.jepsen);
  json_stop (&r.json);
  VEC_FREE (r.skipped);
  return done;
}

// The first object has a "type" of ours. One that is longer than the head gives itself away by any
// other member.
static bool probe_json (const char *path, const char *head, size_t length) {
  struct error ignored = { 0 };
  struct json_reader r = { 0 };
  struct json_string name;
  struct text skipped = { 0 };
  enum jepsen_type type;
  unsigned named = 0;
  bool found = false, cut = false;
  (void) path;
  json_start_text (&r, head, length, "", &ignored);
  if (json_accept (&r, '['))
    json_peek (&r);
  if (json_accept (&r, '{'))
    for (bool first = true; !found && !cut && json_next (&r, '}', first) > 0; first = false) {
      if (!json_name (&r, &name))
        break;
      const unsigned member = jepsen_member (name.bytes, name.length);
      if (member == JEPSEN_TYPE)
        found = json_string (&r, &name, "a type") && jepsen_type (name.bytes, name.length, &type);
      else
        cut = !json_compact (&r, &skipped) && r.at == r.end;
      named |= member;
    }
  json_stop (&r);
  VEC_FREE (skipped);
  return found || (cut && named & (JEPSEN_PROCESS | JEPSEN_F | JEPSEN_INDEX | JEPSEN_TIME));
}

const struct format format_jepsen_json = {
  .name = "jepsen-json",
  .title = "Jepsen and Elle histories in JSON",
  .can_write = true,
  .probe = probe_json,
  .read = read_json,
  .write = jepsen_json_write,
};
