// Histories of Jepsen and Elle in EDN: maps one after the other (one per line, usually), or one
// vector of them.

#include "formats/edn.h"
#include "formats/formats.h"
#include "formats/jepsen_read.h"

static int element (struct json_reader *r, char close, bool first) {
  (void) first;
  return edn_element (r, close);
}

// Commas are white space.
static bool comma (struct json_reader *r, const char *what) {
  (void) r;
  (void) what;
  return true;
}

static bool close_micro (struct json_reader *r, char close) {
  const int more = edn_element (r, close);
  return !more || (more > 0 && edn_expected (r, "the end of the micro-operation"));
}

static bool name (struct json_reader *r, struct json_string *name) {
  *name = (struct json_string){ "", 0 };
  return *r->at == ':' ? edn_keyword (r, name, "a keyword") : edn_skip (r);
}

// A key or a value, which nil is not.
static bool atom_but_nil (struct json_reader *r, struct atom *atom, const char *what) {
  const char *at = r->at;
  if (edn_accept_nil (r))
    return json_fail (r, at, "expected %.*s, found nil", (int) strcspn (what, "(") - 1, what);
  return edn_atom (r, atom, what);
}

static bool is_client (int first) {
  return first == '-' || (first >= '0' && first <= '9');
}

static const struct jepsen_notation notation = {
  .next = edn_next,
  .open = edn_open_sequence,
  .element = element,
  .comma = comma,
  .close = close_micro,
  .word = edn_keyword,
  .name = name,
  .atom = atom_but_nil,
  .integer = edn_atom,
  .accept_nil = edn_accept_nil,
  .skip = edn_skip,
  .expected = edn_expected,
  .is_whole = edn_is_whole,
  .is_client = is_client,
  .list = '(',
  .before = ":",
  .behind = "",
  .key = "a key (an integer, a string or a keyword)",
  .value = "a value (an integer, a string or a keyword)",
  .kind = ":append, :r or :w",
  .micro = "a micro-operation (a vector)",
  .micros = "a vector of micro-operations",
  .type = ":invoke, :ok, :fail or :info",
  .process = "a process (an integer from 0 to 2^63-2, or a keyword)",
  .event = "an operation (a map)",
  .events = "a vector of operations",
  .lone_name = "a value for the last keyword",
};

static bool read_edn (struct history *h, struct input *input, struct error *error) {
  return jepsen_read (h, input, &notation, error);
}

// The first map begins with a keyword.
static bool probe_edn (struct json_reader *r) {
  int c = edn_next (r);
  if (c == '[' || c == '(') {
    r->at++;
    c = edn_next (r);
  }
  if (c != '{')
    return false;
  r->at++;
  return edn_next (r) == ':' && r->end - r->at > 1 && r->at[1] >= 'a' && r->at[1] <= 'z';
}

const struct format format_jepsen = {
  .name = "jepsen",
  .title = "Jepsen and Elle histories in EDN",
  .probe = probe_edn,
  .read = read_edn,
};
