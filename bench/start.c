// What it takes to start a program: runs a command many times, and prints the medians.
//
//   start [TIMES] COMMAND…
//
// prints "PROCESSOR WALL CODE": seconds of processor time, user and system, and seconds by the
// clock, of the median of TIMES runs (default 200), and the exit code of the last one. Its output
// goes nowhere. The processor time is all that the kernel did for the process, exec and exit
// included; the clock runs from before the fork until the parent has heard of the end.

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_TIMES = 200, MOST_TIMES = 100000 };

struct cost {
  double processor, wall;
  int code;
};

static double now (void) {
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static double seconds (struct timeval time) {
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

static int by_size (const void *a, const void *b) {
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static double median (double *of, size_t count) {
  qsort (of, count, sizeof *of, by_size);
  return of[count / 2];
}

static void run (char **command) {
  const int nowhere = open ("/dev/null", O_WRONLY);
  dup2 (nowhere, STDOUT_FILENO);
  execvp (command[0], command);
  perror (command[0]);
  _exit (127);
}

static bool start (char **command, struct cost *cost) {
  struct rusage usage;
  int status;
  const double begin = now ();
  const pid_t child = fork ();
  if (child == 0)
    run (command);
  if (child < 0 || wait4 (child, &status, 0, &usage) < 0)
    return perror ("start"), false;
  *cost = (struct cost){ seconds (usage.ru_utime) + seconds (usage.ru_stime), now () - begin,
                         WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status) };
  return true;
}

int main (int count, char **arguments) {
  const int asked = count > 1 ? atoi (arguments[1]) : 0, first = asked > 0 ? 2 : 1;
  const size_t times = asked > 0 && asked <= MOST_TIMES ? (size_t) asked : DEFAULT_TIMES;
  if (count <= first) {
    fprintf (stderr, "usage: start [TIMES] COMMAND...\n");
    return 2;
  }
  double *processor = calloc (times, sizeof *processor), *wall = calloc (times, sizeof *wall);
  struct cost cost = { 0 };
  bool fine = processor && wall;
  for (size_t i = 0; i < times && fine; i++) {
    fine = start (arguments + first, &cost);
    processor[i] = cost.processor;
    wall[i] = cost.wall;
  }
  if (fine)
    printf ("%.6f %.6f %d\n", median (processor, times), median (wall, times), cost.code);
  free (processor);
  free (wall);
  return fine ? 0 : 2;
}
