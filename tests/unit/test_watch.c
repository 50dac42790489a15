// A limit on memory holds where nobody asks: a child fills one large block, and its watch ends it.

#include "base/memory.h"
#include "base/watch.h"
#include "greatest_main.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MEBIBYTE = 1 << 20,
  LIMIT_MORE = 32 * MEBIBYTE,
  BLOCK = 512 * MEBIBYTE,
  STOPPED = 42,
  PAST = 43,
  NOT_STOPPED = 44
};

static uint64_t tolerated;

static void leave (void *context, enum budget_state state) {
  (void) context;
  (void) state;
  _exit (resident_bytes () <= tolerated ? STOPPED : PAST);
}

static void fill (bool zeroed) {
  struct budget budget;
  budget_start (&budget, 0, resident_bytes () + LIMIT_MORE, NULL);
  tolerated = budget.memory_limit / 100 * 105;
  struct watch *watch = watch_start (&budget, leave, NULL);
  char *block = zeroed ? mem_zalloc (BLOCK) : mem_alloc (BLOCK);
  memset (block, 1, BLOCK);
  watch_stop (watch);
  _exit (NOT_STOPPED);
}

static int code_of_child (bool zeroed) {
  const pid_t child = fork ();
  int status = 0;
  if (!child)
    fill (zeroed);
  return waitpid (child, &status, 0) == child && WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

TEST a_block_that_is_filled_in_one_go_stays_near_the_limit (void) {
#ifdef __SANITIZE_ADDRESS__
  SKIPm ("the sanitizer's own memory for the block is past the limit at once");
#endif
  for (int i = 0; i < 6; i++)
    ASSERT_EQ_FMT ((int) STOPPED, code_of_child (i % 2), "%d");
  PASS ();
}

// What fits below the limit is left alone, even if it is reserved more than used.
TEST a_block_that_fits_is_not_stopped (void) {
  struct budget budget;
  budget_start (&budget, 0, resident_bytes () + 2 * (uint64_t) LIMIT_MORE, NULL);
  struct watch *watch = watch_start (&budget, leave, NULL);
  char *block = mem_zalloc (LIMIT_MORE);
  memset (block, 1, LIMIT_MORE);
  ASSERT_EQ (BUDGET_LEFT, budget_check (&budget));
  mem_free (block);
  watch_stop (watch);
  PASS ();
}

SUITE (watch) {
  RUN_TEST (a_block_that_is_filled_in_one_go_stays_near_the_limit);
  RUN_TEST (a_block_that_fits_is_not_stopped);
}

KRAIT_UNIT_MAIN (RUN_SUITE (watch);)
