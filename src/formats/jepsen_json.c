// Histories of Jepsen and Elle in JSON, as elle-cli takes them: one array of objects, or objects
// one after the other. The words are those of the EDN form without their colons.
// jepsen_json_write.c has the way back.

#include "formats/formats.h"
#include "formats/jepsen_read.h"

static bool open_array (struct json_reader *r, char *close, const char *what) {
  *close = ']';
  return json_open (r, '[', what);
}

static bool comma (struct json_reader *r, const char *what) {
  return json_open (r, ',', what);
}

static bool close_array (struct json_reader *r, char close) {
  return json_open (r, close, "']'");
}

static bool is_client (int first) {
  return first != '"';
}

static const struct jepsen_notation notation = {
  .next = json_peek,
  .open = open_array,
  .element = json_next,
  .comma = comma,
  .close = close_array,
  .word = json_string,
  .name = json_name,
  .atom = json_atom,
  .integer = json_integer,
  .accept_nil = json_accept_null,
  .skip = json_skip,
  .expected = json_expected,
  .is_whole = json_is_whole,
  .is_client = is_client,
  .list = '[',
  .before = "\"",
  .behind = "\"",
  .key = "a key (an integer or a string)",
  .value = "a value (an integer or a string)",
  .kind = "\"append\", \"r\" or \"w\"",
  .micro = "a micro-operation (an array)",
  .micros = "an array of micro-operations",
  .type = "\"invoke\", \"ok\", \"fail\" or \"info\"",
  .process = "a process (an integer from 0 to 2^63-2, or a string)",
  .event = "an operation (an object)",
  .events = "an array of operations",
};

static bool read_json (struct history *h, struct input *input, struct error *error) {
  return jepsen_read (h, input, &notation, error);
}

// The first object has a "type" of ours. One that is longer than the head gives itself away by any
// other member.
static bool probe_json (struct json_reader *r) {
  struct json_string name;
  enum jepsen_type type;
  unsigned named = 0;
  bool found = false, cut = false;
  if (json_accept (r, '['))
    json_peek (r);
  if (json_accept (r, '{'))
    for (bool first = true; !found && !cut && json_next (r, '}', first) > 0 && json_name (r, &name); first = false) {
      const unsigned member = jepsen_member (name);
      if (member == JEPSEN_TYPE)
        found = json_string (r, &name, "a type") && jepsen_type (name, &type);
      else
        cut = !json_skip (r) && r->at == r->end;
      named |= member;
    }
  return found || (cut && named & (JEPSEN_PROCESS | JEPSEN_F | JEPSEN_INDEX | JEPSEN_TIME));
}

const struct format format_jepsen_json = {
  .name = "jepsen-json",
  .title = "Jepsen and Elle histories in JSON",
  .probe = probe_json,
  .read = read_json,
  .write = jepsen_json_write,
};
