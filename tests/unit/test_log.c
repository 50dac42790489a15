// The log, compiled in for this program whatever the build says.

#include "greatest_main.h"

#include "base/log.h"

#include <string.h>
#include <unistd.h>

static char said[1024];

// Standard error goes to a file between these two.
static FILE *kept;
static int before;

static void listen (const char *rooms) {
  setenv ("KRAIT_LOG", rooms, 1);
  kept = tmpfile ();
  fflush (stderr);
  before = dup (STDERR_FILENO);
  dup2 (fileno (kept), STDERR_FILENO);
}

static const char *heard (void) {
  fflush (stderr);
  dup2 (before, STDERR_FILENO);
  close (before);
  rewind (kept);
  said[fread (said, 1, sizeof said - 1, kept)] = '\0';
  fclose (kept);
  return said;
}

TEST objects_have_their_forms (void) {
  listen ("here");
  LOG_TRANSACTION ("here", 7, "has %u reads", 2u);
  LOG_EDGE ("here", LOG_INITIAL, "wr", 7, "key %s", "x");
  LOG_SUPERPOSITION ("here", 3, "T%d reads y", 7);
  ASSERT_STR_EQ ("here: T7: has 2 reads\n"
                 "here: init -wr-> T7: key x\n"
                 "here: one of 3: T7 reads y\n",
                 heard ());
  PASS ();
}

TEST only_rooms_that_are_asked_for_are_heard (void) {
  static const struct {
    const char *rooms;
    bool heard;
  } cases[] = { { "asg", true }, { "hints,asg", true }, { "all", true },   { "ir,all", true },
                { "", false },   { "as", false },       { "asgs", false }, { "hints,ir", false } };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    listen (cases[i].rooms);
    LOG_TRANSACTION ("asg", 1, "is there");
    ASSERT_STR_EQ (cases[i].heard ? "asg: T1: is there\n" : "", heard ());
  }
  PASS ();
}

TEST long_lines_are_cut (void) {
  listen ("all");
  LOG_TRANSACTION ("here", 7, "%600s", "long");
  const char *line = heard ();
  ASSERT_EQ (512, strlen (line));
  ASSERT_EQ ('\n', line[511]);
  PASS ();
}

SUITE (logging) {
  RUN_TEST (objects_have_their_forms);
  RUN_TEST (only_rooms_that_are_asked_for_are_heard);
  RUN_TEST (long_lines_are_cut);
}

KRAIT_UNIT_MAIN (RUN_SUITE (logging);)
