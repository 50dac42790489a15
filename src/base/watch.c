#define _GNU_SOURCE

#include "base/watch.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

// Work that asks its budget ends well within this time; the contract allows one second.
static const double grace_seconds = 0.5;

// Between two samples memory must not grow past the tolerated 5%: the nap gets shorter as the limit
// comes nearer, down to what touching fresh pages can do in it. The hard stop leaves room for that
// last nap.
static const double longest_nap = 0.020, shortest_nap = 0.0005;
static const double fastest_growth = 4e9; // bytes per second
static const double tolerated_excess = 0.02;

struct watch {
  struct budget *budget;
  last_resort resort;
  void *context;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  bool running, stopping;
  double spent_since; // 0: not spent yet
};

static double nap_seconds (const struct budget *budget) {
  if (!budget->memory_limit)
    return longest_nap;
  const double left = (double) budget->memory_limit - (double) resident_bytes ();
  const double nap = left / fastest_growth;
  return nap < shortest_nap ? shortest_nap : nap > longest_nap ? longest_nap : nap;
}

static bool beyond_tolerance (const struct budget *budget) {
  return budget->memory_limit && (double) resident_bytes () > (double) budget->memory_limit * (1 + tolerated_excess);
}

// Whoever ends the work does not wait for himself.
static void end_work (struct watch *watch, enum budget_state state) {
  mem_go_slowly_near (0);
  watch->resort (watch->context, state);
}

static void sample (struct watch *watch) {
  const enum budget_state state = budget_check (watch->budget);
  if (state == BUDGET_LEFT)
    return;
  const double now = clock_seconds ();
  // Work that does not hear of the end of its slice may go on until the end of the whole.
  if (state == BUDGET_TIME && now < watch->budget->last_deadline)
    return;
  // A deadline may have passed under an earlier watch of the same budget.
  if (watch->spent_since == 0)
    watch->spent_since = state == BUDGET_TIME ? watch->budget->last_deadline : now;
  if (now - watch->spent_since > grace_seconds)
    end_work (watch, state);
  if (beyond_tolerance (watch->budget))
    end_work (watch, BUDGET_MEMORY);
}

static void wait_for (struct watch *watch, double seconds) {
  struct timespec until;
  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_nsec += (long) (seconds * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait (&watch->wake, &watch->mutex, &until);
}

static void *watch_main (void *argument) {
  struct watch *watch = argument;
  pthread_mutex_lock (&watch->mutex);
  while (!watch->stopping) {
    sample (watch);
    wait_for (watch, nap_seconds (watch->budget));
  }
  pthread_mutex_unlock (&watch->mutex);
  return NULL;
}

struct watch *watch_start (struct budget *budget, last_resort resort, void *context) {
  struct watch *watch = mem_zalloc (sizeof *watch);
  mem_go_slowly_near (budget->memory_limit);
  watch->budget = budget;
  watch->resort = resort;
  watch->context = context;
  pthread_mutex_init (&watch->mutex, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init (&watch->wake, &monotonic);
  pthread_condattr_destroy (&monotonic);
  // Signals are for the main thread, whose waiting they must interrupt.
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  // Without a thread to be had, the loops still ask by themselves.
  watch->running = !pthread_create (&watch->thread, NULL, watch_main, watch);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return watch;
}

void watch_turn_to (struct watch *watch, struct budget *budget) {
  pthread_mutex_lock (&watch->mutex);
  mem_go_slowly_near (budget->memory_limit);
  watch->budget = budget;
  watch->spent_since = 0;
  pthread_mutex_unlock (&watch->mutex);
}

void watch_stop (struct watch *watch) {
  pthread_mutex_lock (&watch->mutex);
  watch->stopping = true;
  pthread_cond_signal (&watch->wake);
  pthread_mutex_unlock (&watch->mutex);
  if (watch->running)
    pthread_join (watch->thread, NULL);
  mem_go_slowly_near (0);
  pthread_cond_destroy (&watch->wake);
  pthread_mutex_destroy (&watch->mutex);
  mem_free (watch);
}
