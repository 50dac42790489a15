// Reads histories and says what it cost, each a few times, and the quickest time counts:
//
//   read TIMES PATH…
//
// prints per path "PATH USER SYSTEM TRANSACTIONS OPERATIONS HELD": processor seconds in user mode
// and in the kernel from opening to the finished history, and the bytes that the history holds.

#include "formats/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static double seconds (struct timeval time) {
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

struct cost {
  double user, system;
};

static struct cost now (void) {
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (struct cost){ seconds (usage.ru_utime), seconds (usage.ru_stime) };
}

static int read_path (const char *path, int times) {
  struct cost least = { 1e9, 1e9 };
  struct error error = { 0 };
  uint32_t txns = 0, ops = 0;
  size_t held = 0;
  for (int i = 0; i < times; i++) {
    const struct cost before = now ();
    struct history *h = history_read (path, NULL, &error);
    const struct cost after = now ();
    if (!h) {
      fprintf (stderr, "%s\n", error.text);
      return 1;
    }
    if (after.user - before.user < least.user)
      least = (struct cost){ after.user - before.user, after.system - before.system };
    txns = history_txns (h);
    ops = history_ops (h);
    held = history_bytes (h);
    history_free (h);
  }
  printf ("%s %.3f %.3f %" PRIu32 " %" PRIu32 " %zu\n", path, least.user, least.system, txns, ops, held);
  return 0;
}

int main (int count, char **arguments) {
  int code = 0;
  for (int i = 2; i < count; i++)
    code |= read_path (arguments[i], atoi (arguments[1]));
  return code;
}
