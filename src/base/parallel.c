#define _GNU_SOURCE // sched_getaffinity

#include "base/parallel.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

unsigned parallel_threads (unsigned asked) {
  cpu_set_t allowed;
  if (asked)
    return asked;
  if (!sched_getaffinity (0, sizeof allowed, &allowed))
    return (unsigned) CPU_COUNT (&allowed);
  // more processors than the set has room for
  const long online = sysconf (_SC_NPROCESSORS_ONLN);
  return online > 0 ? (unsigned) online : 1;
}

struct tasks {
  parallel_task *task;
  void *context;
  uint32_t count;
  atomic_uint_fast64_t next;
};

static void *work (void *argument) {
  struct tasks *tasks = argument;
  for (;;) {
    const uint64_t number = atomic_fetch_add (&tasks->next, 1);
    if (number >= tasks->count)
      return NULL;
    tasks->task (tasks->context, (uint32_t) number);
  }
}

// A thread that the system refuses leaves more to the others.
void parallel_run (unsigned threads, uint32_t count, parallel_task *task, void *context) {
  struct tasks tasks = { .task = task, .context = context, .count = count };
  atomic_init (&tasks.next, 0);
  const unsigned all = threads < count ? threads : count;
  pthread_t *other = all > 1 ? MEM_ARRAY (pthread_t, all) : NULL;
  unsigned started = 0;
  while (started + 1 < all && !pthread_create (&other[started], NULL, work, &tasks))
    started++;
  work (&tasks);
  for (unsigned i = 0; i < started; i++)
    pthread_join (other[i], NULL);
  mem_free (other);
}
