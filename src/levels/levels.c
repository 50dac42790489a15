#include "levels/levels.h"

#include "levels/all.h"

#include <string.h>
#include <strings.h>

const struct level *const levels[] = {
  &level_serializable,
  &level_strong_session_serializable,
  &level_strict_serializable,
  NULL,
};

static bool is_alias (const char *aliases, const char *name) {
  const size_t length = strlen (name);
  for (const char *at = aliases; *at;) {
    const size_t word = strcspn (at, " ");
    if (word == length && !strncasecmp (at, name, length))
      return true;
    at += word + strspn (at + word, " ");
  }
  return false;
}

const struct level *level_find (const char *name) {
  for (const struct level *const *level = levels; *level; level++)
    if (!strcasecmp ((*level)->name, name) || is_alias ((*level)->aliases, name))
      return *level;
  return NULL;
}
