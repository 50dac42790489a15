// Nearly all operations of a large history are gets and puts of integers, words and short strings,
// with single blanks and nothing behind them. Those take a short cut, and go into the history
// together; whatever is out of the ordinary, mistakes included, goes the long way from its
// beginning.

#include "base/digits.h"
#include "formats/kht_read.h"

#include <string.h>

enum { NAME_LENGTH = 4, ARROW_LENGTH = 4, LONGEST_STRING = 1 << 12 };

// So many bytes can be read wherever a token begins, and behind it.
enum { QUICK_ROOM = 32 };

static inline const char *quick_string (const char *at, const char *end, struct atom *atom) {
  const char *last = json_plain_run_end (at + 1, end);
  const size_t length = (size_t) (last - at) - 1;
  if (last == end || *last != '"' || length > LONGEST_STRING || memchr (at + 1, 0x7f, length))
    return NULL;
  *atom = atom_bytes (at + 1, length);
  return last + 1;
}

static inline const char *quick_word (const char *at, const char *end, struct atom *atom) {
  const char *last = at + 1;
  while (last < end && kht_in_word (*last))
    last++;
  *atom = atom_bytes (at, (size_t) (last - at));
  return atom->length > LONGEST_STRING || (atom->length == 3 && !memcmp (at, "nil", 3)) ? NULL : last;
}

// Where it ends, or NULL. An integer without a superfluous zero that does not go on as something
// else.
static inline const char *quick_atom (const char *at, const char *end, struct atom *atom) {
  const char *first = at;
  if (end - at < QUICK_ROOM)
    return NULL;
  if (*at == '"')
    return quick_string (at, end, atom);
  if (kht_begins_word (*at))
    return quick_word (at, end, atom);
  *atom = atom_unsigned (0);
  return digits_quick (&at, &atom->number) && (*first != '0' || at == first + 1) ? at : NULL;
}

// Behind the value: where the next operation may begin. NULL: something else follows.
static inline const char *quick_end (const char *at, const char *end, enum kht_quick *quick) {
  *quick = KHT_QUICK;
  if (end - at < 2)
    return NULL;
  if (*at == ';')
    return at + 1;
  *quick = KHT_QUICK_LAST;
  return at[0] == ' ' && at[1] == '}' ? at + 2 : NULL;
}

static inline void announce (struct kht_reader *r, uint8_t kind, struct atom key, const struct atom *value) {
  struct kht_waiting *waiting = &r->waiting;
  const uint32_t at = r->history->waiting_ops;
  waiting->kinds[at] = kind;
  waiting->keys[at] = key;
  waiting->places[at] = r->text.at;
  if (value)
    waiting->values[waiting->with_value++] = *value;
  history_announce_op (r->history);
}

enum kht_quick kht_quick_op (struct kht_reader *r) {
  const char *at = r->text.at, *end = r->text.end;
  struct atom key, value;
  enum kht_quick quick;
  if (end - at < QUICK_ROOM)
    return KHT_NOT_QUICK;
  const bool get = !memcmp (at, "get ", NAME_LENGTH);
  if (!get && memcmp (at, "put ", NAME_LENGTH))
    return KHT_NOT_QUICK;
  at = quick_atom (at + NAME_LENGTH, end, &key);
  if (!at || r->history->key_type != (key.kind == ATOM_BYTES ? KEYS_BYTES : KEYS_INT) || end - at < QUICK_ROOM
      || (get ? memcmp (at, " -> ", ARROW_LENGTH) != 0 : *at != ' '))
    return KHT_NOT_QUICK;
  at += get ? ARROW_LENGTH : 1;
  const bool nil = get && !memcmp (at, "nil", 3) && !kht_in_word (at[3]);
  at = nil ? at + 3 : quick_atom (at, end, &value);
  at = at ? quick_end (at, end, &quick) : NULL;
  if (!at)
    return KHT_NOT_QUICK;
  announce (r, get ? nil ? OP_GET | GETS_ABSENT : OP_GET : OP_PUT, key, nil ? NULL : &value);
  r->text.at = at;
  return quick;
}

static bool add (struct kht_reader *r, uint32_t i, uint32_t key, uint32_t value) {
  const uint8_t kind = r->waiting.kinds[i];
  const char *why = "too many keys";
  if (value == ATOM_NONE && !(kind & GETS_ABSENT))
    why = "too many values";
  else if (key != KEY_NONE
           && history_add_op (r->history, (enum op_kind) (kind & ~GETS_ABSENT), 0, key, value, AUX_NONE, &why))
    return true;
  return json_fail (&r->text, r->waiting.places[i], "%s", why);
}

bool kht_flush (struct kht_reader *r) {
  struct kht_waiting *waiting = &r->waiting;
  uint32_t keys[MOST_ANNOUNCED], values[MOST_ANNOUNCED];
  const uint32_t count = r->history->waiting_ops;
  atoms_intern_all (&r->history->keys, waiting->keys, count, keys);
  atoms_intern_all (&r->history->values, waiting->values, waiting->with_value, values);
  r->history->waiting_ops = waiting->with_value = 0;
  for (uint32_t i = 0, next = 0; i < count; i++)
    if (!add (r, i, keys[i], waiting->kinds[i] & GETS_ABSENT ? VALUE_ABSENT : values[next++]))
      return false;
  return true;
}
