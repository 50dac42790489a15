#include "levels/levels.h"

#include "levels/all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct level_base *const bases[] = {
  &serializable,
  &snapshot_isolation,
  &repeatable_read,
  &update_serializable,
  &parallel_snapshot_isolation,
  &prefix_consistency,
  &consistent_view,
  &forward_consistent_view,
  &monotonic_view,
  &cursor_stability,
  &causal,
  &read_atomic,
  &read_committed_axiomatic,
  &read_committed,
  &read_uncommitted,
};

// --------------------------------------------------------------------------------- forms of a base

static const struct {
  const char *prefix;
  unsigned adds;
} forms[LEVEL_FORMS] = { { "", 0 },
                         { "strong-session-", ORDER_SESSIONS },
                         { "strict-", ORDER_SESSIONS | ORDER_TIMES } };

enum { BASES = sizeof bases / sizeof *bases, MOST_TEXT = 192 };

static struct level table[BASES * LEVEL_FORMS];
static char texts[BASES * LEVEL_FORMS][3][MOST_TEXT]; // names, what they proscribe, stronger ones
static const struct level *list[BASES * LEVEL_FORMS + 1];
static size_t level_count;

static const char *text (char *room, const char *first, const char *second, const char *third) {
  snprintf (room, MOST_TEXT, "%s%s%s", first, second, third);
  return room;
}

static const char *added (const struct level_base *base, enum level_form form) {
  if (form == FORM_PLAIN)
    return "";
  if (form == FORM_SESSIONS)
    return ", with session order";
  return base->orders & ORDER_SESSIONS ? ", with real time" : ", with session order and real time";
}

static bool has_form (const struct level_base *base, enum level_form form) {
  return form == FORM_PLAIN || base->has_form[form];
}

// Nothing is cheaper than chains for free: a plain level without orders tries its own form with
// sessions first.
static const char *stronger (const struct level_base *base, enum level_form form, unsigned orders, char *room) {
  if (form == FORM_PLAIN && !orders && has_form (base, FORM_SESSIONS))
    return text (room, forms[FORM_SESSIONS].prefix, base->name, "");
  if (!base->stronger)
    return NULL;
  return text (room, forms[orders & ORDER_TIMES ? FORM_STRICT : FORM_SESSIONS].prefix, base->stronger, "");
}

static void make_level (const struct level_base *base, enum level_form form) {
  struct level *level = &table[level_count];
  char (*room)[MOST_TEXT] = texts[level_count];
  list[level_count++] = level;
  const unsigned orders = base->orders | forms[form].adds;
  const unsigned char last = (unsigned char) (base->rules.points - 1);
  level->name = text (room[0], forms[form].prefix, base->name, "");
  level->base = base->name;
  level->aliases = base->aliases[form] ? base->aliases[form] : "";
  level->proscribes = base->proscribes[form] ? base->proscribes[form]
                                             : text (room[1], base->proscribes[FORM_PLAIN], added (base, form), "");
  level->rules = base->rules;
  if (orders & ORDER_SESSIONS)
    level->rules.so = (struct edge_points){ true, last, 0 };
  if (orders & ORDER_TIMES)
    level->rules.rt = (struct edge_points){ true, last, 0 };
  level->traits = base->traits;
  level->stronger = stronger (base, form, orders, room[2]);
}

static void make_levels (void) {
  for (size_t i = 0; i < BASES; i++)
    for (enum level_form form = FORM_PLAIN; form < LEVEL_FORMS; form++)
      if (has_form (bases[i], form))
        make_level (bases[i], form);
}

const struct level *const *all_levels (void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, make_levels);
  return list;
}

const struct level *level_at (size_t index) {
  const struct level *const *levels = all_levels ();
  return index < level_count ? levels[index] : NULL;
}

// ----------------------------------------------------------------------------------------- by name

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
  const struct level *level;
  for (size_t i = 0; (level = level_at (i)); i++)
    if (!strcasecmp (level->name, name) || is_alias (level->aliases, name))
      return level;
  return NULL;
}

// A prefix before the name or alias of a base: the form of that name; or the level itself, if the
// prefix adds nothing.
static const struct level *find_prefixed (const char *name) {
  for (enum level_form form = FORM_SESSIONS; form < LEVEL_FORMS; form++) {
    const size_t length = strlen (forms[form].prefix);
    const char *rest = name + length;
    for (size_t i = 0; !strncasecmp (name, forms[form].prefix, length) && i < BASES; i++) {
      const char *aliases = bases[i]->aliases[FORM_PLAIN];
      if (strcasecmp (bases[i]->name, rest) && !(aliases && is_alias (aliases, rest)))
        continue;
      char full[MOST_TEXT];
      if (has_form (bases[i], form))
        return find_plainly (text (full, forms[form].prefix, bases[i]->name, ""));
      return forms[form].adds & ~bases[i]->orders ? NULL : find_plainly (bases[i]->name);
    }
  }
  return NULL;
}

const struct level *level_find (const char *name) {
  const struct level *level = find_plainly (name);
  return level ? level : find_prefixed (name);
}

const char *level_problem (const struct level *level) {
  if (level->rules.points == 2 && level->traits.mark_reads)
    return "with two points every anti-dependency is an edge";
  return rules_problem (&level->rules);
}

bool level_needs_events (const struct level *level) {
  return level->rules.events || level->traits.mark_reads || level->rules.view == VIEW_EARLIER_READS;
}
