// The table of levels, and which imply which.

#include "greatest_main.h"
#include "levels/lattice.h"
#include "levels/levels.h"

#include <ctype.h>
#include <string.h>

TEST every_name_and_alias_finds_its_level (void) {
  for (size_t i = 0; levels[i]; i++) {
    ASSERT_EQ (levels[i], level_find (levels[i]->name));
    for (const char *at = levels[i]->aliases; *at;) {
      char alias[64] = "", loud[64] = "";
      const size_t length = strcspn (at, " ");
      ASSERT (length && length < sizeof alias);
      for (size_t k = 0; k < length; k++) {
        alias[k] = at[k];
        loud[k] = (char) toupper ((unsigned char) at[k]);
      }
      ASSERT_EQm (alias, levels[i], level_find (alias));
      ASSERT_EQm (loud, levels[i], level_find (loud));
      at += length + strspn (at + length, " ");
    }
  }
  PASS ();
}

TEST what_is_no_level_is_not_found (void) {
  static const char *const names[] = { "", " ", "serial", "serializable ", "ser PL-3", "strict", "serializable,ser" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ASSERT_EQm (names[i], NULL, level_find (names[i]));
  PASS ();
}

static bool points_fine (const struct level *level, struct edge_points points) {
  return points.used ? points.from < level->points && points.to < level->points : !points.from && !points.to;
}

TEST the_table_is_sound (void) {
  for (size_t i = 0; levels[i]; i++) {
    const struct level *level = levels[i];
    ASSERT (level->points == 1 || level->points == 2);
    ASSERT (points_fine (level, level->so) && points_fine (level, level->rt) && points_fine (level, level->ww));
    ASSERT (points_fine (level, level->wr) && points_fine (level, level->rw));
    ASSERT (level->ww.used);
    ASSERT (level->proscribes && *level->proscribes && !strchr (level->proscribes, '\n'));
    ASSERT (!level->rt.used || level->so.used); // so far only the strict levels have real time
    if (level->stronger) {
      const struct level *stronger = level_find (level->stronger);
      ASSERT (stronger && stronger != level);
      ASSERT (level_implies (stronger, level));
    }
    for (size_t k = 0; k < i; k++)
      ASSERT (strcmp (levels[k]->name, level->name));
  }
  PASS ();
}

TEST implication_is_an_order (void) {
  for (size_t a = 0; levels[a]; a++) {
    ASSERT (level_implies (levels[a], levels[a]));
    for (size_t b = 0; levels[b]; b++) {
      if (a != b)
        ASSERT (!level_implies (levels[a], levels[b]) || !level_implies (levels[b], levels[a]));
      for (size_t c = 0; levels[c]; c++)
        if (level_implies (levels[a], levels[b]) && level_implies (levels[b], levels[c]))
          ASSERT (level_implies (levels[a], levels[c]));
    }
  }
  PASS ();
}

TEST some_implications (void) {
  static const struct {
    const char *strong, *weak;
    bool implies;
  } pairs[] = {
    { "strict-serializable", "strong-session-serializable", true },
    { "strict-serializable", "serializable", true },
    { "strong-session-serializable", "serializable", true },
    { "serializable", "strong-session-serializable", false },
    { "serializable", "strict-serializable", false },
    { "strong-session-serializable", "strict-serializable", false },
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    ASSERT_EQm (pairs[i].strong, pairs[i].implies,
                level_implies (level_find (pairs[i].strong), level_find (pairs[i].weak)));
  PASS ();
}

SUITE (the_levels) {
  RUN_TEST (every_name_and_alias_finds_its_level);
  RUN_TEST (what_is_no_level_is_not_found);
  RUN_TEST (the_table_is_sound);
  RUN_TEST (implication_is_an_order);
  RUN_TEST (some_implications);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_levels);)
