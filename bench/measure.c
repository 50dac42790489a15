// Runs a command and says what it cost, from outside: the kernel's own account of the process and
// its threads, so that start, reading and freeing are in it.
//
//   measure [--memory=BYTES] [--output=FILE] LIMIT COMMAND…
//
// prints "USER SYSTEM WALL PEAK CODE WORD": seconds of processor time in user mode and in the
// kernel, seconds by the clock, peak resident size in bytes, the exit code (128 and more: ended by
// a signal), and the first word that the command wrote. After LIMIT seconds the command is ended
// (code 142), and with --memory when it is larger than that (code 137; looked at ten times a
// second). --output keeps what the command writes, its errors included.
//
// The command is a process group of its own, so that a script ends with all that it started.

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CODE_OF_TIME (128 + SIGALRM)
#define CODE_OF_MEMORY (128 + SIGKILL)

struct limits {
  double end;
  int64_t memory; // 0: none
};

struct first_word {
  char text[64];
  size_t length;
  bool complete;
};

static volatile sig_atomic_t child;

static double seconds (struct timeval time) {
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

static double now (void) {
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void end_child (int signal_number) {
  kill (-(pid_t) child, SIGKILL);
  _exit (128 + signal_number);
}

static void run (int output, bool with_errors, char **command) {
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  dup2 (output, STDOUT_FILENO);
  if (with_errors)
    dup2 (output, STDERR_FILENO);
  close (output);
  execvp (command[0], command);
  perror (command[0]);
  _exit (127);
}

// Of the command alone: what it starts is not counted.
static int64_t resident_size (pid_t process) {
  char path[64];
  long long size = 0, resident = 0;
  snprintf (path, sizeof path, "/proc/%ld/statm", (long) process);
  FILE *file = fopen (path, "r");
  if (!file)
    return 0;
  if (fscanf (file, "%lld %lld", &size, &resident) != 2)
    resident = 0;
  fclose (file);
  return (int64_t) resident * (int64_t) sysconf (_SC_PAGESIZE);
}

static void take_word (struct first_word *word, const char *buffer, ssize_t size) {
  for (ssize_t i = 0; i < size && !word->complete; i++) {
    word->complete = strchr (" \t\n", buffer[i]) || word->length + 1 == sizeof word->text;
    if (!word->complete)
      word->text[word->length++] = buffer[i];
  }
}

static bool keep (int copy, const char *buffer, ssize_t size) {
  for (ssize_t done = 0, part; copy >= 0 && done < size; done += part)
    if ((part = write (copy, buffer + done, (size_t) (size - done))) < 0)
      return false;
  return true;
}

// Reads until the command has closed its output: a full pipe would stop it. Gives the code of the
// limit that was reached, or 0.
static int watch (int input, int copy, const struct limits *limits, struct first_word *word) {
  char buffer[4096];
  for (;;) {
    struct pollfd ready = { .fd = input, .events = POLLIN };
    const int found = poll (&ready, 1, 100);
    if (now () >= limits->end)
      return CODE_OF_TIME;
    if (limits->memory && resident_size ((pid_t) child) > limits->memory)
      return CODE_OF_MEMORY;
    if (found <= 0)
      continue;
    const ssize_t got = read (input, buffer, sizeof buffer);
    if (got == 0)
      return 0;
    if (got < 0 && errno != EINTR)
      return perror ("measure"), 0;
    take_word (word, buffer, got);
    if (!keep (copy, buffer, got))
      perror ("measure"), copy = -1;
  }
}

// What closed its output may still run.
static int wait_for_end (const struct limits *limits, int *status, struct rusage *usage) {
  const struct timespec moment = { .tv_nsec = 2000000 };
  for (;;) {
    const pid_t ended = wait4 ((pid_t) child, status, WNOHANG, usage);
    if (ended != 0)
      return ended < 0 ? -1 : 0;
    if (now () >= limits->end)
      return CODE_OF_TIME;
    nanosleep (&moment, NULL);
  }
}

static int measure (int input, int copy, const struct limits *limits, double start) {
  struct first_word word = { 0 };
  struct rusage usage;
  int status, reached = watch (input, copy, limits, &word);
  if (!reached)
    reached = wait_for_end (limits, &status, &usage);
  if (reached > 0) {
    kill (-(pid_t) child, SIGKILL);
    if (wait4 ((pid_t) child, &status, 0, &usage) < 0)
      reached = -1;
  }
  if (reached < 0)
    return perror ("measure"), 2;
  const int code = reached ? reached : WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
  printf ("%.3f %.3f %.3f %" PRId64 " %d %s\n", seconds (usage.ru_utime), seconds (usage.ru_stime), now () - start,
          (int64_t) usage.ru_maxrss * 1024, code, word.length ? word.text : "-");
  return 0;
}

int main (int count, char **arguments) {
  const char *output = NULL;
  struct limits limits = { 0 };
  int ends[2], copy = -1, next = 1;
  for (; next < count && !strncmp (arguments[next], "--", 2); next++)
    if (!strncmp (arguments[next], "--memory=", 9))
      limits.memory = atoll (arguments[next] + 9);
    else if (!strncmp (arguments[next], "--output=", 9))
      output = arguments[next] + 9;
    else
      next = count;
  if (count - next < 2 || atoi (arguments[next]) <= 0 || limits.memory < 0) {
    fprintf (stderr, "usage: measure [--memory=BYTES] [--output=FILE] LIMIT COMMAND...\n");
    return 2;
  }
  if (output && (copy = open (output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
    return perror (output), 2;
  prctl (PR_SET_PDEATHSIG, SIGTERM); // nobody would read the answer
  const double start = now ();
  limits.end = start + atoi (arguments[next]);
  if (pipe (ends))
    return perror ("measure"), 2;
  child = fork ();
  if (child < 0)
    return perror ("measure"), 2;
  if (child == 0) {
    close (ends[0]);
    run (ends[1], copy >= 0, arguments + next + 1);
  }
  setpgid ((pid_t) child, (pid_t) child);
  signal (SIGINT, end_child);
  signal (SIGTERM, end_child);
  signal (SIGHUP, end_child);
  close (ends[1]);
  return measure (ends[0], copy, &limits, start);
}
