#include "history/override.h"

#include <string.h>

static void forget_init (struct history *h) {
  h->init = INIT_ABSENT;
  h->init_default = VALUE_ABSENT;
  h->init_keys.count = h->init_values.count = 0;
  hash_set_free (&h->init_table);
}

static struct atom parse_value (const char *text) {
  struct atom atom;
  const size_t length = strlen (text);
  if (atom_parse (text, text + length, &atom) == text + length)
    return atom;
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"')
    return atom_bytes (text + 1, length - 2);
  return atom_bytes (text, length);
}

bool history_override_init (struct history *h, const char *text, const char **why) {
  forget_init (h);
  if (!strcmp (text, "absent"))
    return true;
  if (!strcmp (text, "any")) {
    h->init = INIT_ANY;
    return true;
  }
  h->init = INIT_DEFAULT;
  h->init_default = history_value (h, parse_value (text), why);
  atoms_seal (&h->values);
  return h->init_default != ATOM_NONE;
}

static bool copy_value (struct history *h, const struct history *from, uint32_t value, uint32_t *copy,
                        const char **why) {
  *copy = VALUE_ABSENT;
  if (value == VALUE_ABSENT)
    return true;
  *copy = history_value (h, atoms_get (&from->values, value), why);
  return *copy != ATOM_NONE;
}

static bool copy_keys (struct history *h, const struct history *from, const char **why) {
  for (size_t i = 0; i < from->init_keys.count; i++) {
    uint32_t value;
    const uint32_t key = history_key (h, atoms_get (&from->keys, from->init_keys.data[i]), why);
    if (key == KEY_NONE || !copy_value (h, from, from->init_values.data[i], &value, why)
        || !history_set_init_key (h, key, value, why))
      return false;
  }
  return true;
}

bool history_copy_init (struct history *h, const struct history *from, const char **why) {
  forget_init (h);
  h->init = from->init;
  const bool fine = copy_value (h, from, from->init_default, &h->init_default, why) && copy_keys (h, from, why);
  hash_set_free (&h->init_table);
  atoms_seal (&h->keys);
  atoms_seal (&h->values);
  return fine;
}
