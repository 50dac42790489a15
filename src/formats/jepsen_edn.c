// Histories of Jepsen and Elle in EDN: maps one after the other (one per line, usually), or one
// vector of them.

#include "base/input.h"
#include "formats/edn.h"
#include "formats/formats.h"
#include "formats/jepsen.h"

struct edn_history {
  struct edn_reader edn;
  struct jepsen jepsen;
};

// --- Micro-operations ---

static bool read_key (struct edn_history *r, uint32_t *key) {
  struct atom atom;
  const char *why;
  edn_next (&r->edn);
  const char *at = r->edn.at;
  if (edn_accept_nil (&r->edn))
    return edn_fail (&r->edn, at, "expected a key, found nil");
  if (!edn_atom (&r->edn, &atom, "a key (an integer, a string or a keyword)"))
    return false;
  *key = jepsen_key (&r->jepsen, atom, &why);
  return *key != ATOM_NONE || edn_fail (&r->edn, at, "%s", why);
}

static bool read_value (struct edn_history *r, uint32_t *value) {
  struct atom atom;
  const char *why;
  edn_next (&r->edn);
  const char *at = r->edn.at;
  if (edn_accept_nil (&r->edn))
    return edn_fail (&r->edn, at, "expected a value, found nil");
  if (!edn_atom (&r->edn, &atom, "a value (an integer, a string or a keyword)"))
    return false;
  *value = history_value (r->jepsen.history, atom, &why);
  return *value != ATOM_NONE || edn_fail (&r->edn, at, "%s", why);
}

static bool read_list (struct edn_history *r, struct micro_op *op) {
  struct micro_ops *micro = &r->jepsen.event.micro;
  char close;
  int more;
  op->kind = MICRO_READ_LIST;
  op->first_item = (uint32_t) micro->items.count;
  if (!edn_open_sequence (&r->edn, &close, "a vector"))
    return false;
  while ((more = edn_element (&r->edn, close)) > 0) {
    uint32_t value;
    if (!read_value (r, &value))
      return false;
    VEC_PUSH (micro->items, value);
  }
  op->items = (uint32_t) micro->items.count - op->first_item;
  return !more;
}

// What a read returned; nothing at all is nil.
static bool read_result (struct edn_history *r, struct micro_op *op, char close) {
  const int c = edn_next (&r->edn);
  if (c == close || edn_accept_nil (&r->edn)) {
    op->kind = MICRO_READ_NIL;
    return true;
  }
  return c == '[' || c == '(' ? read_list (r, op) : read_value (r, &op->value);
}

static bool read_micro (struct edn_history *r) {
  static const char what[] = ":append, :r or :w";
  struct micro_op op = { 0 };
  struct edn_token name;
  char close;
  if (!edn_open_sequence (&r->edn, &close, "a micro-operation (a vector)"))
    return false;
  edn_next (&r->edn);
  const char *at = r->edn.at;
  if (!edn_keyword (&r->edn, &name, what))
    return false;
  if (!jepsen_micro (name.bytes + 1, name.length - 1, &op.kind)) {
    r->edn.at = at;
    return edn_expected (&r->edn, what);
  }
  if (!read_key (r, &op.key) || !(op.kind == MICRO_READ ? read_result (r, &op, close) : read_value (r, &op.value)))
    return false;
  const int more = edn_element (&r->edn, close);
  if (more > 0)
    return edn_expected (&r->edn, "the end of the micro-operation");
  jepsen_add_micro (&r->jepsen, op);
  return !more;
}

static bool read_micros (struct edn_history *r) {
  char close;
  int more;
  if (!edn_open_sequence (&r->edn, &close, "a vector of micro-operations"))
    return false;
  while ((more = edn_element (&r->edn, close)) > 0)
    if (!read_micro (r))
      return false;
  return !more;
}

// --- Lines ---

static bool read_type (struct edn_history *r) {
  static const char what[] = ":invoke, :ok, :fail or :info";
  struct edn_token name;
  edn_next (&r->edn);
  const char *at = r->edn.at;
  if (!edn_keyword (&r->edn, &name, what))
    return false;
  r->jepsen.event.seen |= JEPSEN_TYPE;
  if (jepsen_type (name.bytes + 1, name.length - 1, &r->jepsen.event.type))
    return true;
  r->edn.at = at;
  return edn_expected (&r->edn, what);
}

// Clients are numbers; :nemesis and its like are none of ours.
static bool read_process (struct edn_history *r) {
  struct jepsen_event *event = &r->jepsen.event;
  static const char what[] = "a process (an integer from 0 to 2^63-2, or a keyword)";
  const int c = edn_next (&r->edn);
  const char *at = r->edn.at;
  event->is_client = c == '-' || (c >= '0' && c <= '9');
  if (!event->is_client)
    return edn_skip (&r->edn);
  struct atom atom;
  int64_t process;
  if (!edn_atom (&r->edn, &atom, what))
    return false;
  r->edn.at = jepsen_time (atom, &process) && process >= 0 ? r->edn.at : at;
  if (r->edn.at == at)
    return edn_expected (&r->edn, what);
  event->process = atom.number;
  event->seen |= JEPSEN_PROCESS;
  return true;
}

static bool read_f (struct edn_history *r) {
  struct edn_token name;
  if (edn_next (&r->edn) != ':') {
    jepsen_set_f (&r->jepsen, "", 0);
    return edn_skip (&r->edn);
  }
  if (!edn_keyword (&r->edn, &name, "a keyword"))
    return false;
  jepsen_set_f (&r->jepsen, name.bytes + 1, name.length - 1);
  return true;
}

static bool read_number (struct edn_history *r, unsigned member, int64_t *number) {
  static const char what[] = "an integer from -2^63+1 to 2^63-2";
  struct atom atom;
  edn_next (&r->edn);
  const char *at = r->edn.at;
  if (!edn_atom (&r->edn, &atom, what))
    return false;
  r->jepsen.event.seen |= member;
  if (jepsen_time (atom, number))
    return true;
  r->edn.at = at;
  return edn_expected (&r->edn, what);
}

// The value of a nemesis can be anything, and whose line this is may stand behind it: so it is only
// passed over.
static bool read_member (struct edn_history *r, unsigned member, const char **value_at) {
  if (edn_accept_nil (&r->edn))
    return true;
  switch (member) {
  case JEPSEN_TYPE: return read_type (r);
  case JEPSEN_PROCESS: return read_process (r);
  case JEPSEN_F: return read_f (r);
  case JEPSEN_TIME: return read_number (r, JEPSEN_TIME, &r->jepsen.event.time);
  case JEPSEN_INDEX: return read_number (r, JEPSEN_INDEX, &r->jepsen.event.index);
  case JEPSEN_VALUE: *value_at = r->edn.at; return edn_skip (&r->edn);
  default: return edn_skip (&r->edn);
  }
}

static bool read_members (struct edn_history *r, const char **value_at) {
  unsigned named = 0;
  int more;
  r->edn.at++;
  while ((more = edn_element (&r->edn, '}')) > 0) {
    const char *at = r->edn.at;
    struct edn_token name = { "", 0 };
    if (!(*at == ':' ? edn_keyword (&r->edn, &name, "a keyword") : edn_skip (&r->edn)))
      return false;
    const unsigned member = name.length ? jepsen_member (name.bytes + 1, name.length - 1) : 0;
    if (named & member)
      return edn_fail (&r->edn, at, "%.*s is there twice", (int) name.length, name.bytes);
    named |= member;
    if (edn_next (&r->edn) == '}')
      return edn_expected (&r->edn, "a value for the last keyword");
    if (!read_member (r, member, value_at))
      return false;
  }
  return !more;
}

// Lines are counted from the start of the file: only for the first of what may be many.
static bool skip_event (struct edn_history *r, const char *at) {
  jepsen_skip_event (&r->jepsen, r->jepsen.unreadable ? 0 : edn_line (&r->edn, at));
  return true;
}

// False with an error, or without one: what it says is of another workload, or is to be ignored.
// That error is not to cost anything, so it is placed without counting lines.
static bool read_micros_if_possible (struct edn_history *r, const char *value_at) {
  const bool must = !r->jepsen.event.may_be_other && !r->jepsen.history->ignore_unreadable;
  const char *begin = r->edn.begin;
  r->edn.begin = must ? begin : value_at;
  const bool read = read_micros (r);
  r->edn.begin = begin;
  if (!read && !must) {
    *r->edn.error = (struct error){ 0 };
    r->edn.failed = false;
  }
  return read;
}

static bool read_event (struct edn_history *r) {
  struct jepsen_event *event = &r->jepsen.event;
  const char *at = r->edn.at, *value_at = NULL, *why;
  jepsen_clear (&r->jepsen);
  if (!read_members (r, &value_at))
    return false;
  if (event->is_client && event->seen & JEPSEN_PROCESS && !event->is_txn)
    skip_event (r, at);
  if (!event->is_client || !event->is_txn)
    return true;
  if (!(event->seen & JEPSEN_TYPE))
    return edn_fail (&r->edn, at, "an operation without :type");
  if (value_at) {
    const char *behind = r->edn.at;
    r->edn.at = value_at;
    event->seen |= JEPSEN_VALUE;
    const bool read = read_micros_if_possible (r, value_at);
    r->edn.at = behind;
    if (!read)
      return r->edn.error->code ? false : skip_event (r, at);
  }
  return jepsen_add_event (&r->jepsen, &why) || edn_fail (&r->edn, at, "%s", why);
}

// --- Files ---

static bool read_map (struct edn_history *r) {
  return edn_next (&r->edn) == '{' ? read_event (r) : edn_expected (&r->edn, "an operation (a map)");
}

static bool read_vector (struct edn_history *r) {
  char close;
  int more;
  if (!edn_open_sequence (&r->edn, &close, "a vector of operations"))
    return false;
  while ((more = edn_element (&r->edn, close)) > 0)
    if (!read_map (r))
      return false;
  if (more)
    return false;
  const int c = edn_next (&r->edn);
  return c == EDN_END || (c != EDN_ERROR && edn_expected (&r->edn, "the end of the file"));
}

// A test that was killed while it wrote leaves half a line.
static bool is_torn (const struct edn_history *r, const char *at) {
  const size_t length = (size_t) (r->edn.end - at);
  return !memchr (at, '\n', length) && !edn_is_whole (at, length);
}

static bool read_maps (struct edn_history *r) {
  int c;
  while ((c = edn_next (&r->edn)) >= 0) {
    const char *at = r->edn.at;
    if (read_map (r))
      continue;
    if (c != '{' || !is_torn (r, at))
      return false;
    *r->edn.error = (struct error){ 0 };
    history_warn (r->jepsen.history, "%s:%llu: dropped the last line: it is not complete", r->edn.file,
                  (unsigned long long) edn_line (&r->edn, at));
    history_mark_incomplete (r->jepsen.history, "%s:%llu: the last line is torn", r->edn.file,
                             (unsigned long long) edn_line (&r->edn, at));
    return true;
  }
  return c == EDN_END;
}

static bool read_edn (struct history *h, struct input *input, struct error *error) {
  struct edn_history r;
  const char *why;
  size_t length;
  const char *text = input_all (input, &length, error);
  if (!text)
    return false;
  edn_start (&r.edn, text, length, input_name (input), error);
  jepsen_start (&r.jepsen, h);
  const int c = edn_next (&r.edn);
  bool done = c != EDN_ERROR && (c == '[' || c == '(' ? read_vector (&r) : read_maps (&r));
  done = done && jepsen_accept_unreadable (&r.jepsen, input_name (input), error);
  if (done && !jepsen_finish (&r.jepsen, &why))
    done = error_set (error, "%.400s: %s", input_name (input), why);
  jepsen_stop (&r.jepsen);
  edn_stop (&r.edn);
  return done;
}

// The first map begins with a keyword.
static bool probe_edn (const char *path, const char *head, size_t length) {
  struct error ignored = { 0 };
  struct edn_reader r;
  (void) path;
  edn_start (&r, head, length, "", &ignored);
  int c = edn_next (&r);
  if (c == '[' || c == '(') {
    r.at++;
    c = edn_next (&r);
  }
  bool found = false;
  if (c == '{') {
    r.at++;
    found = edn_next (&r) == ':' && r.end - r.at > 1 && r.at[1] >= 'a' && r.at[1] <= 'z';
  }
  edn_stop (&r);
  return found;
}

const struct format format_jepsen = {
  .name = "jepsen",
  .title = "Jepsen and Elle histories in EDN",
  .probe = probe_edn,
  .read = read_edn,
};
