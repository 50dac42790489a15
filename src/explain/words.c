#include "explain/words.h"

#include "asg/asg.h"
#include "formats/json_write.h"
#include "history/effects.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

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

bool words_are_plain (struct atom atom) {
  static const char signs[5] = "_-.:/";
  if (!atom.length || atom.length > LONGEST_SHOWN || isdigit ((unsigned char) atom.bytes[0]))
    return false;
  for (size_t i = 0; i < atom.length; i++)
    if (!isalnum ((unsigned char) atom.bytes[i]) && !memchr (signs, atom.bytes[i], sizeof signs))
      return false;
  return true;
}

void words_atom (words *w, struct atom atom) {
  if (atom.kind != ATOM_BYTES) {
    json_put_atom (w, atom);
    return;
  }
  if (words_are_plain (atom)) {
    text_bytes (w, atom.bytes, atom.length);
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

static void words_value (words *w, const struct history *h, uint32_t value) {
  if (value == VALUE_ABSENT)
    words_add (w, "nil");
  else if (value == VALUE_UNRECORDED)
    words_add (w, "?");
  else
    words_atom (w, atoms_get (&h->values, value));
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

static const char *sentence_of_list (const struct shown_read *read) {
  if (read->value == VALUE_ABSENT)
    return read->beside_own ? "read the list %k, empty apart from its own appends" : "read %k = nil";
  return read->beside_own ? "read the list %k up to %v apart from its own appends" : "read the list %k up to %v";
}

static const char *sentence_of_read (const struct shown_read *read) {
  if (read->flags & READ_OTHER)
    return read->value == VALUE_ABSENT ? "found %k to be there" : "found %k to be something other than %v";
  if (read->flags & READ_PREDICATE)
    return "found no %k in its scan";
  if (read->op == OP_LIST)
    return sentence_of_list (read);
  return read->flags & READ_OR_ABSENT ? "read %k = %v or nil" : "read %k = %v";
}

static void words_read (words *w, const struct history *h, const struct shown_read *read) {
  SAY (w, h, sentence_of_read (read), .key = read->key, .value = read->value);
}

static void words_party (words *w, struct party party) {
  if (party.initial)
    words_add (w, "the initial state");
  else
    words_add (w, "T%" PRIu64, party.id);
}

void words_say (words *w, const struct history *h, const char *sentence, const struct said *s) {
  for (const char *at = sentence; *at; at++) {
    if (*at != '%') {
      VEC_PUSH (*w, *at);
      continue;
    }
    switch (*++at) {
    case 'a': words_party (w, s->a); break;
    case 'b': words_party (w, s->b); break;
    case 'c': words_party (w, s->c); break;
    case 'k': words_atom (w, atoms_get (&h->keys, s->key)); break;
    case 'v': words_value (w, h, s->value); break;
    case 'w': words_value (w, h, s->other); break;
    case 'n': words_atom (w, s->number); break;
    case 'r': words_read (w, h, s->read); break;
    case 's': words_add (w, "%s", s->text); break;
    default: misuse (__func__, sentence);
    }
  }
}

char *words_take (words *w) {
  VEC_PUSH (*w, 0);
  char *text = w->data;
  w->data = NULL;
  w->count = w->capacity = 0;
  return text;
}
