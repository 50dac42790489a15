// Tasks for several threads: each is run once, whatever the number of threads, and parts of a range
// are all of it.

#include "base/memory.h"
#include "base/parallel.h"
#include "greatest_main.h"

#include <stdatomic.h>

enum { TASKS = 1000 };

struct sums {
  uint32_t *sum;       // per task
  atomic_uint started; // tasks
};

static void add_up (void *context, uint32_t number) {
  struct sums *sums = context;
  atomic_fetch_add (&sums->started, 1);
  uint32_t *own = MEM_ZARRAY (uint32_t, TASKS); // threads ask for memory, too
  for (uint32_t i = 0; i < number; i++)
    own[i] = i + 1;
  for (uint32_t i = 0; i < number; i++)
    sums->sum[number] += own[i];
  mem_free (own);
}

TEST each_task_is_run_once (void) {
  static const unsigned threads[] = { 0, 1, 2, 3, 8, 2 * TASKS };
  const size_t before = mem_in_use ();
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
    for (uint32_t count = 0; count <= TASKS; count = count * 3 + 1) {
      struct sums sums = { .sum = MEM_ZARRAY (uint32_t, TASKS) };
      atomic_init (&sums.started, 0);
      parallel_run (threads[t], count, add_up, &sums);
      ASSERT_EQ_FMT (count, atomic_load (&sums.started), "%u");
      for (uint32_t i = 0; i < TASKS; i++)
        ASSERT_EQ_FMT (i < count ? i * (i + 1) / 2 : 0, sums.sum[i], "%u");
      mem_free (sums.sum);
    }
  ASSERT_EQ (before, mem_in_use ());
  PASS ();
}

TEST parts_are_the_range (void) {
  static const uint32_t sizes[] = { 0, 1, 7, 1000, UINT32_MAX };
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (uint32_t parts = 1; parts < 20; parts++) {
      ASSERT_EQ (0, parallel_first (sizes[s], parts, 0));
      ASSERT_EQ (sizes[s], parallel_first (sizes[s], parts, parts));
      for (uint32_t part = 0; part < parts; part++) {
        const uint32_t size = parallel_first (sizes[s], parts, part + 1) - parallel_first (sizes[s], parts, part);
        ASSERT (size == sizes[s] / parts || size == sizes[s] / parts + 1);
      }
    }
  PASS ();
}

TEST there_is_a_thread (void) {
  ASSERT (parallel_threads (0) >= 1);
  ASSERT_EQ (7, parallel_threads (7));
  PASS ();
}

SUITE (parallel) {
  RUN_TEST (each_task_is_run_once);
  RUN_TEST (parts_are_the_range);
  RUN_TEST (there_is_a_thread);
}

KRAIT_UNIT_MAIN (RUN_SUITE (parallel);)
