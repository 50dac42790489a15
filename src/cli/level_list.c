#include "cli/level_list.h"

#include "cli/suggest.h"

static void offer_level (struct suggestion *near, const struct level *level) {
  suggestion_offer (near, level->name);
  for (const char *at = level->aliases; *at;) {
    const size_t length = strcspn (at, " ");
    suggestion_offer_part (near, at, length);
    at += length + strspn (at + length, " ");
  }
}

const struct level *level_named (const char *name, struct error *error) {
  const struct level *level = level_find (name);
  if (level)
    return level;
  struct suggestion near = suggestion_for (name);
  suggestion_offer (&near, "all");
  suggestion_offer (&near, "strongest");
  for (size_t i = 0; level_at (i); i++)
    offer_level (&near, level_at (i));
  error_set (error, "unknown level %s%s (krait levels lists them)", name, suggestion_words (&near, ""));
  return NULL;
}

static void add_once (struct level_list *list, const struct level *level) {
  for (size_t i = 0; i < list->levels.count; i++)
    if (list->levels.data[i] == level)
      return;
  VEC_PUSH (list->levels, level);
}

static bool add_named (struct level_list *list, const char *text, size_t length, struct error *error) {
  char name[128];
  if (!length)
    return error_set (error, "--level: a level is missing between commas");
  if (length >= sizeof name)
    return error_set (error, "unknown level %.*s… (krait levels lists them)", 60, text);
  memcpy (name, text, length);
  name[length] = 0;
  if (!strcmp (name, "all") || !strcmp (name, "strongest"))
    return error_set (error, "--level=%s stands alone, without other levels beside it", name);
  const struct level *level = level_named (name, error);
  if (!level)
    return false;
  add_once (list, level);
  return true;
}

bool level_list_parse (struct level_list *list, const char *text, struct error *error) {
  *list = (struct level_list){ .mode = LEVELS_NAMED };
  if (!strcmp (text, "all") || !strcmp (text, "strongest")) {
    list->mode = !strcmp (text, "all") ? LEVELS_ALL : LEVELS_STRONGEST;
    for (size_t i = 0; level_at (i); i++)
      add_once (list, level_at (i));
    return true;
  }
  for (;;) {
    const size_t length = strcspn (text, ",");
    if (!add_named (list, text, length, error))
      return false;
    if (!text[length])
      return true;
    text += length + 1;
  }
}
