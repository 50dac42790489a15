#include "levels/levels.h"

#include "levels/all.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FORMS(id) &level_##id, &level_strong_session_##id, &level_strict_##id

const struct level *const levels[] = {
  FORMS (serializable),
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

static const struct level *find_plainly (const char *name) {
  for (const struct level *const *level = levels; *level; level++)
    if (!strcasecmp ((*level)->name, name) || is_alias ((*level)->aliases, name))
      return *level;
  return NULL;
}

// `prefix` before the name or alias of a level: the level's form of that name; or the level itself, if the prefix adds nothing to it.
static const struct level *find_prefixed (const char *prefix, const char *name, bool adds_nothing_to_sessions) {
  const size_t length = strlen (prefix);
  if (strncasecmp (name, prefix, length))
    return NULL;
  const struct level *base = find_plainly (name + length);
  if (!base || !strncmp (base->name, "str", 3))
    return NULL;
  char full[96];
  snprintf (full, sizeof full, "%s%s", prefix, base->name);
  const struct level *form = find_plainly (full);
  return form ? form : adds_nothing_to_sessions && base->so.used ? base : NULL;
}

const struct level *level_find (const char *name) {
  const struct level *level = find_plainly (name);
  if (!level)
    level = find_prefixed ("strong-session-", name, true);
  return level ? level : find_prefixed ("strict-", name, false);
}

bool level_is_serial (const struct level *level) {
  return level->points == 1 && level->wr.used && level->anti == ANTI_EDGE && !level->mark_reads;
}
