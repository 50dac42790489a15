// The reader of Jepsen's histories, in whichever of the two notations they are written.

#ifndef KRAIT_FORMATS_JEPSEN_READ_H
#define KRAIT_FORMATS_JEPSEN_READ_H

#include "formats/jepsen.h"
#include "formats/json_read.h"

// How the tokens of a notation are read, and what its things are called in messages.
struct jepsen_notation {
  int (*next) (struct json_reader *); // the first character of what comes next; below 0: nothing
  // A list and its elements, as json_next has them.
  bool (*open) (struct json_reader *, char *close, const char *what);
  int (*element) (struct json_reader *, char close, bool first);
  bool (*comma) (struct json_reader *, const char *what);
  bool (*close) (struct json_reader *, char close); // nothing more may come before it
  bool (*word) (struct json_reader *, struct json_string *, const char *what);
  // What stands at r->at: the name of a member (empty: no word), a key or a value.
  bool (*name) (struct json_reader *, struct json_string *);
  bool (*atom) (struct json_reader *, struct atom *, const char *what);
  bool (*integer) (struct json_reader *, struct atom *, const char *what);
  bool (*accept_nil) (struct json_reader *);
  bool (*skip) (struct json_reader *);
  bool (*expected) (struct json_reader *, const char *what);
  bool (*is_whole) (const char *bytes, size_t length);
  bool (*is_client) (int first); // a process that begins so
  char list;                     // opens a list as '[' does
  const char *before, *behind;   // a word
  const char *key, *value, *kind, *micro, *micros, *type, *process, *event, *events;
  const char *lone_name; // what is expected behind a name at the end of its event; NULL: never there
};

struct input;
bool jepsen_read (struct history *, struct input *, const struct jepsen_notation *, struct error *);

unsigned jepsen_member (struct json_string name); // JEPSEN_TYPE and so on, or 0
bool jepsen_type (struct json_string name, enum jepsen_type *);

#endif
