#include "levels/levels.h"
#include "asg/asg.h"

#include "levels/all.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FORMS(id) &level_##id, &level_strong_session_##id, &level_strict_##id

const struct level *const levels[] = {
  FORMS (serializable),
  FORMS (snapshot_isolation),
  FORMS (repeatable_read),
  &level_update_serializable,
  &level_parallel_snapshot_isolation,
  &level_strict_parallel_snapshot_isolation,
  &level_prefix_consistency,
  &level_strict_prefix_consistency,
  FORMS (consistent_view),
  &level_forward_consistent_view,
  &level_strong_session_forward_consistent_view,
  FORMS (monotonic_view),
  FORMS (cursor_stability),
  &level_causal,
  &level_strict_causal,
  &level_read_atomic,
  &level_strict_read_atomic,
  &level_read_committed_axiomatic,
  &level_strict_read_committed_axiomatic,
  FORMS (read_committed),
  FORMS (read_uncommitted),
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
  return form ? form : adds_nothing_to_sessions && base->rules.so.used ? base : NULL;
}

const struct level *level_find (const char *name) {
  const struct level *level = find_plainly (name);
  if (!level)
    level = find_prefixed ("strong-session-", name, true);
  return level ? level : find_prefixed ("strict-", name, false);
}

bool level_is_serial (const struct level *level, const struct asg *asg) {
  return !asg->symbolic && level->rules.points == 1 && level->rules.wr.used && level->rules.anti == ANTI_EDGE
         && !level->mark_reads && !(level->predicates_free && asg->predicates) && !asg->doubts.count
         && !asg->excused.reads && !asg->excused.vague && !asg->excused.elements; // no order would give what was read
}

static bool runs (struct edge_points points, unsigned from, unsigned to) {
  return !points.used || (points.from == from && points.to == to);
}

const char *level_problem (const struct level *level) {
  const unsigned last = level->rules.points - 1;
  if (level->rules.points != 1 && level->rules.points != 2)
    return "a transaction has one point or two";
  if (!runs (level->rules.so, last, 0) || !runs (level->rules.rt, last, 0) || !runs (level->rules.wr, last, 0))
    return "so, rt and wr run from the last point to the first";
  if (!level->rules.ww.used || level->rules.ww.from != last || level->rules.ww.to > last
      || !runs (level->rules.rw, 0, last))
    return "ww starts at the last point, rw runs from the first point to the last";
  if (level->rules.points == 2
      && (level->rules.anti == ANTI_ONCE || level->mark_reads || level->rules.events
          || level->rules.view != VIEW_PATHS))
    return "with two points every anti-dependency is an edge";
  if (level->rules.ww_hidden && level->rules.anti == ANTI_EDGE)
    return "anti-dependencies that are edges need version orders in view";
  return NULL;
}

bool level_needs_events (const struct level *level) {
  return level->rules.events || level->mark_reads || level->rules.view == VIEW_EARLIER_READS;
}
