#include "base/budget.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void budget_start (struct budget *budget, double timeout_seconds, uint64_t memory_bytes, const atomic_int *stop) {
  budget_start_until (budget, timeout_seconds > 0 ? clock_seconds () + timeout_seconds : 0, memory_bytes, stop);
}

void budget_start_until (struct budget *budget, double deadline, uint64_t memory_bytes, const atomic_int *stop) {
  *budget =
    (struct budget){ .deadline = deadline, .last_deadline = deadline, .memory_limit = memory_bytes, .stop = stop };
}

void budget_start_slice (struct budget *budget, const struct budget *whole, double seconds) {
  budget_start (budget, seconds, whole->memory_limit, whole->stop);
  budget->last_deadline = whole->deadline;
  if (budget->deadline == 0 || (whole->deadline > 0 && whole->deadline < budget->deadline))
    budget->deadline = whole->deadline;
}

double budget_seconds_left (const struct budget *budget) {
  const double left = budget->deadline - clock_seconds ();
  return budget->deadline == 0 ? -1 : left > 0 ? left : 0;
}

void budget_add_work (struct budget *budget, uint64_t work) {
  if (!budget || !budget->most_work)
    return;
  budget->work += work;
  if (budget->work > budget->most_work && atomic_load (&budget->state) == BUDGET_LEFT)
    atomic_store (&budget->state, BUDGET_WORK);
}

enum budget_state budget_check (struct budget *budget) {
  if (!budget)
    return BUDGET_LEFT;
  int state = atomic_load (&budget->state);
  if (state != BUDGET_LEFT)
    return (enum budget_state) state;
  if (budget->stop && atomic_load (budget->stop))
    state = BUDGET_INTERRUPTED;
  else if (budget->deadline > 0 && clock_seconds () >= budget->deadline)
    state = BUDGET_TIME;
  else if (budget->memory_limit && resident_bytes () >= budget->memory_limit)
    state = BUDGET_MEMORY;
  else if (budget->most_calls && atomic_load (&budget->calls) > budget->most_calls)
    state = BUDGET_WORK;
  if (state != BUDGET_LEFT)
    atomic_store (&budget->state, state);
  return (enum budget_state) state;
}

const char *budget_reason (enum budget_state state) {
  switch (state) {
  case BUDGET_TIME: return "time limit reached";
  case BUDGET_MEMORY: return "memory limit reached";
  case BUDGET_INTERRUPTED: return "interrupted";
  case BUDGET_WORK: return "enough was tried";
  case BUDGET_LEFT: break;
  }
  return "no limit reached";
}

double clock_seconds (void) {
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

uint64_t resident_bytes (void) {
  const int fd = open ("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  char text[128];
  const ssize_t got = read (fd, text, sizeof text - 1);
  close (fd);
  if (got <= 0)
    return 0;
  text[got] = 0;
  char *rest;
  (void) strtoull (text, &rest, 10); // the virtual size comes first
  return strtoull (rest, NULL, 10) * (uint64_t) sysconf (_SC_PAGESIZE);
}

uint64_t resident_peak (void) {
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (uint64_t) usage.ru_maxrss * 1024u;
}

int budget_stops (struct budget *budget) {
  return budget_spent (budget);
}
