// Runs a command and says what it cost, from outside: the kernel's own account of the process and
// its threads, so that start, reading and freeing are in it.
//
//   measure LIMIT COMMAND…
//
// prints "USER SYSTEM WALL PEAK CODE WORD": seconds of processor time in user mode and in the
// kernel, seconds by the clock, peak resident size in bytes, the exit code (128 and more: ended by
// a signal), and the first word that the command wrote. After LIMIT seconds the command is ended.

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds (struct timeval time) {
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

static double now (void) {
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void run (int output, unsigned limit, char **command) {
  dup2 (output, STDOUT_FILENO);
  close (output);
  alarm (limit); // survives the exec
  execvp (command[0], command);
  perror (command[0]);
  _exit (127);
}

// The rest is read, too: a full pipe would stop the command.
static void first_word (int input, char *word, size_t size) {
  char buffer[4096];
  ssize_t got;
  size_t length = 0;
  bool complete = false;
  while ((got = read (input, buffer, sizeof buffer)) > 0)
    for (ssize_t i = 0; i < got && !complete; i++) {
      complete = strchr (" \t\n", buffer[i]) || length + 1 == size;
      if (!complete)
        word[length++] = buffer[i];
    }
  word[length] = 0;
}

int main (int count, char **arguments) {
  int ends[2];
  if (count < 3 || atoi (arguments[1]) <= 0) {
    fprintf (stderr, "usage: measure LIMIT COMMAND...\n");
    return 2;
  }
  const double start = now ();
  if (pipe (ends))
    return perror ("measure"), 2;
  const pid_t child = fork ();
  if (child < 0)
    return perror ("measure"), 2;
  if (child == 0) {
    close (ends[0]);
    run (ends[1], (unsigned) atoi (arguments[1]), arguments + 2);
  }
  close (ends[1]);
  char word[64];
  first_word (ends[0], word, sizeof word);
  int status;
  struct rusage usage;
  if (wait4 (child, &status, 0, &usage) < 0)
    return perror ("measure"), 2;
  const int code = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
  printf ("%.3f %.3f %.3f %" PRId64 " %d %s\n", seconds (usage.ru_utime), seconds (usage.ru_stime), now () - start,
          (int64_t) usage.ru_maxrss * 1024, code, word[0] ? word : "-");
  return 0;
}
