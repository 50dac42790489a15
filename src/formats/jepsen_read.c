// An event is an object (a map), one per line usually, or all of them are in one array (a vector).
// What it holds means the same in both notations; `null` is called nil here.

#include "formats/jepsen_read.h"

#include "base/input.h"

#include <stdio.h>

struct jepsen_reader {
  struct json_reader text;
  struct jepsen jepsen;
  const struct jepsen_notation *notation;
  // of the event being read
  const char *value_at;
  unsigned named; // members
};

// --- Words ---

unsigned jepsen_member (struct json_string name) {
  static const char *const names[] = { "type", "process", "f", "value", "time", "index", NULL };
  const int found = json_among (name, names);
  return found < 0 ? 0 : 1u << found;
}

static const char *const types[] = { "invoke", "ok", "fail", "info", NULL }; // as enum jepsen_type

bool jepsen_type (struct json_string name, enum jepsen_type *type) {
  const int found = json_among (name, types);
  *type = (enum jepsen_type) found;
  return found >= 0;
}

static bool expected_at (struct jepsen_reader *r, const char *at, const char *what) {
  r->text.at = at;
  return r->notation->expected (&r->text, what);
}

// Where the next token stands.
static const char *place (struct jepsen_reader *r) {
  r->notation->next (&r->text);
  return r->text.at;
}

// One of some words: its index, or -1 after setting the error.
static int read_word (struct jepsen_reader *r, const char *const *words, const char *what) {
  struct json_string name;
  const char *at = place (r);
  if (!r->notation->word (&r->text, &name, what))
    return -1;
  const int found = json_among (name, words);
  if (found < 0)
    expected_at (r, at, what);
  return found;
}

// All elements of a list that is open.
static bool read_each (struct jepsen_reader *r, char close, bool (*read) (struct jepsen_reader *)) {
  int next;
  for (bool first = true; (next = r->notation->element (&r->text, close, first)) > 0; first = false)
    if (!read (r))
      return false;
  return !next;
}

// --- Micro-operations ---

static bool read_atom (struct jepsen_reader *r, const char *what,
                       uint32_t (*intern) (struct history *, struct atom, const char **), uint32_t *id) {
  struct atom atom;
  const char *why, *at = place (r);
  if (!r->notation->atom (&r->text, &atom, what))
    return false;
  *id = intern (r->jepsen.history, atom, &why);
  return *id != ATOM_NONE || json_fail (&r->text, at, "%s", why);
}

// Keys of both types may stand beside each other until jepsen_finish.
static uint32_t intern_key (struct history *h, struct atom atom, const char **why) {
  *why = "too many keys, or a key that is too long";
  return atoms_intern (&h->keys, atom);
}

static bool read_value (struct jepsen_reader *r, uint32_t *value) {
  return read_atom (r, r->notation->value, history_value, value);
}

static bool read_item (struct jepsen_reader *r) {
  uint32_t value;
  if (!read_value (r, &value))
    return false;
  VEC_PUSH (r->jepsen.event.micro.items, value);
  return true;
}

static bool read_list (struct jepsen_reader *r, struct micro_op *op) {
  const struct micro_ops *micro = &r->jepsen.event.micro;
  char close;
  op->kind = MICRO_READ_LIST;
  op->first_item = (uint32_t) micro->items.count;
  const bool fine = r->notation->open (&r->text, &close, r->notation->value) && read_each (r, close, read_item);
  op->items = (uint32_t) micro->items.count - op->first_item;
  return fine;
}

// What a read returned; nothing at all is nil.
static bool read_result (struct jepsen_reader *r, struct micro_op *op, char close) {
  const struct jepsen_notation *n = r->notation;
  const bool is_missing = n->next (&r->text) == close;
  if (!is_missing && !n->comma (&r->text, "',' or ']'"))
    return false;
  if (is_missing || n->accept_nil (&r->text)) {
    op->kind = MICRO_READ_NIL;
    return true;
  }
  const int c = n->next (&r->text);
  return c == '[' || c == n->list ? read_list (r, op) : read_value (r, &op->value);
}

static bool read_micro (struct jepsen_reader *r) {
  static const char *const kinds[] = { "append", "w", "r", NULL }; // as enum micro_kind
  const struct jepsen_notation *n = r->notation;
  struct micro_op op = { 0 };
  char close;
  if (!n->open (&r->text, &close, n->micro))
    return false;
  const int kind = read_word (r, kinds, n->kind);
  op.kind = (enum micro_kind) kind;
  if (kind < 0 || !n->comma (&r->text, "',' and a key") || !read_atom (r, n->key, intern_key, &op.key))
    return false;
  if (!(kind == MICRO_READ ? read_result (r, &op, close)
                           : n->comma (&r->text, "',' and a value") && read_value (r, &op.value)))
    return false;
  if (!n->close (&r->text, close))
    return false;
  jepsen_add_micro (&r->jepsen, op);
  return true;
}

// False with an error, or without one: what it says is of another workload, or is to be ignored.
// That error is not to cost anything, so it is placed without counting lines.
static bool read_micros_if_possible (struct jepsen_reader *r) {
  const bool must = !r->jepsen.event.may_be_other && !r->jepsen.history->ignore_unreadable;
  const char *begin = r->text.begin;
  char close;
  r->text.begin = must ? begin : r->value_at;
  const bool read = r->notation->open (&r->text, &close, r->notation->micros) && read_each (r, close, read_micro);
  r->text.begin = begin;
  if (!read && !must)
    *r->text.error = (struct error){ 0 };
  return read;
}

// --- Events ---

static bool read_type (struct jepsen_reader *r) {
  const int type = read_word (r, types, r->notation->type);
  r->jepsen.event.seen |= JEPSEN_TYPE;
  r->jepsen.event.type = (enum jepsen_type) type;
  return type >= 0;
}

// From `least` on; the two ends of the range stand for a missing time.
static bool read_number (struct jepsen_reader *r, unsigned member, int64_t least, const char *what, int64_t *number) {
  struct atom atom;
  const char *at = place (r);
  if (!r->notation->integer (&r->text, &atom, what))
    return false;
  r->jepsen.event.seen |= member;
  *number = (int64_t) atom.number;
  const bool fits = atom.kind == ATOM_UNSIGNED   ? atom.number < INT64_MAX
                    : atom.kind == ATOM_NEGATIVE ? *number > INT64_MIN
                                                 : false;
  return (fits && *number >= least) || expected_at (r, at, what);
}

// Clients are numbers; the nemesis and its like are none of ours.
static bool read_process (struct jepsen_reader *r) {
  struct jepsen_event *event = &r->jepsen.event;
  int64_t process;
  event->is_client = r->notation->is_client (r->notation->next (&r->text));
  if (!event->is_client)
    return r->notation->skip (&r->text);
  if (!read_number (r, JEPSEN_PROCESS, 0, r->notation->process, &process))
    return false;
  event->process = (uint64_t) process;
  return true;
}

// Something that is no word is no transaction. The long-fork workload calls its transactions :read
// and :write, and so do others what is none.
static bool read_f (struct jepsen_reader *r) {
  struct jepsen_event *event = &r->jepsen.event;
  struct json_string f = { "", 0 };
  const bool is_word = r->notation->next (&r->text) == *r->notation->before;
  if (!(is_word ? r->notation->word (&r->text, &f, "a word") : r->notation->skip (&r->text)))
    return false;
  event->seen |= JEPSEN_F;
  event->may_be_other = json_equal (f, "read") || json_equal (f, "write");
  event->is_txn = event->may_be_other || json_equal (f, "txn");
  const size_t most = sizeof event->f - 1;
  snprintf (event->f, sizeof event->f, "%.*s", (int) (f.length < most ? f.length : most), f.bytes);
  return true;
}

static bool read_member (struct jepsen_reader *r) {
  static const char integer[] = "an integer from -2^63+1 to 2^63-2";
  const struct jepsen_notation *n = r->notation;
  struct jepsen_event *event = &r->jepsen.event;
  struct json_string name;
  const char *at = place (r);
  if (!n->name (&r->text, &name))
    return false;
  const unsigned member = jepsen_member (name);
  if (r->named & member)
    return json_fail (&r->text, at, "%s%.*s%s is there twice", n->before, (int) name.length, name.bytes, n->behind);
  r->named |= member;
  if (n->lone_name && n->next (&r->text) == '}')
    return n->expected (&r->text, n->lone_name);
  if (n->accept_nil (&r->text))
    return true;
  switch (member) {
  case JEPSEN_TYPE: return read_type (r);
  case JEPSEN_PROCESS: return read_process (r);
  case JEPSEN_F: return read_f (r);
  case JEPSEN_TIME: return read_number (r, JEPSEN_TIME, INT64_MIN, integer, &event->time);
  case JEPSEN_INDEX: return read_number (r, JEPSEN_INDEX, INT64_MIN, integer, &event->index);
  case JEPSEN_VALUE: // a nemesis has anything there, and whose event this is may stand behind it
    r->value_at = r->text.at;
    return n->skip (&r->text);
  default: return n->skip (&r->text);
  }
}

// Lines are counted from the start of the file: only for the first of what may be many.
static bool skip_event (struct jepsen_reader *r, const char *at) {
  jepsen_skip_event (&r->jepsen, r->jepsen.unreadable ? 0 : json_line (&r->text, at));
  return true;
}

static void forget_event (struct jepsen_reader *r) {
  struct micro_ops micro = r->jepsen.event.micro;
  micro.ops.count = micro.items.count = 0;
  r->jepsen.event = (struct jepsen_event){ .is_client = true, .is_txn = true, .micro = micro };
  r->value_at = NULL;
  r->named = 0;
}

static bool read_event (struct jepsen_reader *r) {
  const struct jepsen_notation *n = r->notation;
  struct jepsen_event *event = &r->jepsen.event;
  if (n->next (&r->text) != '{')
    return n->expected (&r->text, n->event);
  const char *at = r->text.at++, *why;
  forget_event (r);
  if (!read_each (r, '}', read_member))
    return false;
  if (event->is_client && event->seen & JEPSEN_PROCESS && !event->is_txn)
    skip_event (r, at);
  if (!event->is_client || !event->is_txn)
    return true;
  if (!(event->seen & JEPSEN_TYPE))
    return json_fail (&r->text, at, "an operation without %stype%s", n->before, n->behind);
  if (r->value_at) {
    const char *behind = r->text.at;
    r->text.at = r->value_at;
    event->seen |= JEPSEN_VALUE;
    const bool read = read_micros_if_possible (r);
    r->text.at = behind;
    if (!read)
      return r->text.error->code ? false : skip_event (r, at);
  }
  return jepsen_add_event (&r->jepsen, &why) || json_fail (&r->text, at, "%s", why);
}

// --- Files ---

static bool read_array (struct jepsen_reader *r) {
  const struct jepsen_notation *n = r->notation;
  char close;
  return n->open (&r->text, &close, n->events) && read_each (r, close, read_event)
         && (n->next (&r->text) < 0 || n->expected (&r->text, "the end of the file")) && !r->text.error->code;
}

// A test that was killed while it wrote leaves half a line.
static bool is_torn (const struct jepsen_reader *r, const char *at) {
  const size_t length = (size_t) (r->text.end - at);
  return !memchr (at, '\n', length) && !r->notation->is_whole (at, length);
}

static bool read_lines (struct jepsen_reader *r) {
  int c;
  while ((c = r->notation->next (&r->text)) >= 0) {
    const char *at = r->text.at;
    if (read_event (r))
      continue;
    if (c != '{' || !is_torn (r, at))
      return false;
    *r->text.error = (struct error){ 0 };
    const unsigned long long line = json_line (&r->text, at);
    history_warn (r->jepsen.history, "%s:%llu: dropped the last line: it is not complete", r->text.file, line);
    history_mark_incomplete (r->jepsen.history, "%s:%llu: the last line is torn", r->text.file, line);
    return true;
  }
  return !r->text.error->code;
}

bool jepsen_read (struct history *h, struct input *input, const struct jepsen_notation *notation, struct error *error) {
  struct jepsen_reader r = { .notation = notation };
  const char *why, *name = input_name (input);
  size_t length;
  const char *text = input_all (input, &length, error);
  if (!text)
    return false;
  json_start_text (&r.text, text, length, name, error);
  jepsen_start (&r.jepsen, h);
  const int c = notation->next (&r.text);
  bool done = c == '[' || c == notation->list ? read_array (&r) : read_lines (&r);
  done = done && jepsen_accept_unreadable (&r.jepsen, name, error);
  if (done && !jepsen_finish (&r.jepsen, &why))
    done = error_set (error, "%.400s: %s", name, why);
  jepsen_stop (&r.jepsen);
  json_stop (&r.text);
  return done;
}
