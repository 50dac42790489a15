// Order within a machine is a matter of its monotonic clock, which nobody sets; wall-clock time is
// for putting machines beside each other.

#include "formats/trace_clock.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS 1000000000

static int64_t now (clockid_t clock) {
  struct timespec time;
  clock_gettime (clock, &time);
  return (int64_t) time.tv_sec * NANOSECONDS + time.tv_nsec;
}

int64_t trace_now (void) {
  return now (CLOCK_MONOTONIC);
}

static size_t read_start (const char *path, char *to, size_t size) {
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  const ssize_t length = fd < 0 ? -1 : read (fd, to, size);
  if (fd >= 0)
    close (fd);
  return length > 0 ? (size_t) length : 0;
}

// Monotonic clocks can be compared within one boot of a machine, and within one time namespace.
// Where the boot is not known, only with those of this process.
static void identify (char *id) {
  char known[256];
  size_t length = read_start ("/proc/sys/kernel/random/boot_id", known, 64);
  if (length) {
    const ssize_t more = readlink ("/proc/self/ns/time", known + length, sizeof known - length);
    length += more > 0 ? (size_t) more : 0;
  } else {
    const int64_t alone[] = { getpid (), now (CLOCK_REALTIME), now (CLOCK_MONOTONIC) };
    memcpy (known, alone, length = sizeof alone);
  }
  const XXH128_hash_t hash = XXH3_128bits (known, length);
  store_le64 (id, hash.low64);
  store_le64 (id + 8, hash.high64 | 1); // not all zeros, whatever the hash
}

struct trace_clock trace_clock_here (void) {
  struct trace_clock clock;
  const int64_t before = now (CLOCK_MONOTONIC), wall = now (CLOCK_REALTIME), after = now (CLOCK_MONOTONIC);
  clock.wall = wall - (before + (after - before) / 2);
  identify (clock.id);
  return clock;
}
