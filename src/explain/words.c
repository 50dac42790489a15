#include "explain/words.h"

#include "asg/asg.h"
#include "history/effects.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_SHOWN = 60 };

void words_add (words *w, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  va_list again;
  va_copy (again, arguments);
  const int length = vsnprintf (NULL, 0, format, arguments);
  va_end (arguments);
  if (length > 0) {
    VEC_RESERVE (*w, w->count + (size_t) length + 1);
    vsnprintf (w->data + w->count, (size_t) length + 1, format, again);
    w->count += (size_t) length;
  }
  va_end (again);
}

static bool is_plain (struct atom atom) {
  static const char signs[5] = "_-.:/";
  if (!atom.length || atom.length > LONGEST_SHOWN || isdigit ((unsigned char) atom.bytes[0]))
    return false;
  for (size_t i = 0; i < atom.length; i++)
    if (!isalnum ((unsigned char) atom.bytes[i]) && !memchr (signs, atom.bytes[i], sizeof signs))
      return false;
  return true;
}

void words_atom (words *w, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED) {
    words_add (w, "%" PRIu64, atom.number);
    return;
  }
  if (atom.kind == ATOM_NEGATIVE) {
    words_add (w, "%" PRId64, (int64_t) atom.number);
    return;
  }
  if (is_plain (atom)) {
    words_add (w, "%.*s", (int) atom.length, atom.bytes);
    return;
  }
  words_add (w, "\"");
  for (size_t i = 0; i < atom.length && i < LONGEST_SHOWN; i++) {
    const unsigned char byte = (unsigned char) atom.bytes[i];
    if (byte == '"' || byte == '\\')
      words_add (w, "\\%c", byte);
    else if (byte < 0x20 || byte >= 0x7f)
      words_add (w, "\\x%02x", byte);
    else
      words_add (w, "%c", byte);
  }
  words_add (w, atom.length > LONGEST_SHOWN ? "\"…" : "\"");
}

void words_key (words *w, const struct history *h, uint32_t key) {
  words_atom (w, atoms_get (&h->keys, key));
}

void words_value (words *w, const struct history *h, uint32_t value) {
  if (value == VALUE_ABSENT)
    words_add (w, "nil");
  else if (value == VALUE_UNRECORDED)
    words_add (w, "?");
  else
    words_atom (w, atoms_get (&h->values, value));
}

static void words_other (words *w, const struct history *h, uint32_t key, uint32_t value) {
  words_add (w, "found ");
  words_key (w, h, key);
  if (value == VALUE_ABSENT)
    words_add (w, " to be there");
  else {
    words_add (w, " to be something other than ");
    words_value (w, h, value);
  }
}

// What others appended is what counts; what the reader itself did stands behind that.
static bool has_own_appends (const struct history *h, uint32_t op, uint32_t last) {
  const struct op_range range = effects_range (h, op);
  return range.items && h->item_values.data[range.first_item + range.items - 1] != last;
}

struct shown_read show_read (const struct history *h, uint32_t op, uint32_t key, uint32_t value, unsigned flags) {
  const enum op_kind kind = op == OP_NONE ? OP_GET : (enum op_kind) h->op_kinds.data[op];
  return (struct shown_read){ key, value, kind, flags, kind == OP_LIST && has_own_appends (h, op, value) };
}

static void words_list (words *w, const struct history *h, const struct shown_read *read) {
  const bool empty = read->value == VALUE_ABSENT;
  words_add (w, empty && !read->beside_own ? "read " : "read the list ");
  words_key (w, h, read->key);
  if (empty)
    words_add (w, read->beside_own ? ", empty" : " = nil");
  else {
    words_add (w, " up to ");
    words_value (w, h, read->value);
  }
  words_add (w, read->beside_own ? " apart from its own appends" : "");
}

void words_read (words *w, const struct history *h, const struct shown_read *read) {
  if (read->flags & READ_OTHER) {
    words_other (w, h, read->key, read->value);
    return;
  }
  if (read->flags & READ_PREDICATE) {
    words_add (w, "found no ");
    words_key (w, h, read->key);
    words_add (w, " in its scan");
    return;
  }
  if (read->op == OP_LIST) {
    words_list (w, h, read);
    return;
  }
  words_add (w, "read ");
  words_key (w, h, read->key);
  words_add (w, " = ");
  words_value (w, h, read->value);
  words_add (w, read->flags & READ_OR_ABSENT ? " or nil" : "");
}

char *words_take (words *w) {
  VEC_PUSH (*w, 0);
  char *text = w->data;
  w->data = NULL;
  w->count = w->capacity = 0;
  return text;
}
