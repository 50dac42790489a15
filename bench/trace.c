// What tracing costs: nanoseconds per operation, input and output logged, transactions of eight
// operations with their begin, commit and end.
//
//   bench/trace [OPERATIONS [FOLDER]]
//
// By the clock, and in processor time, which is the one to look at where others use the machine. In
// threads of one session each, all at once. FOLDER (made, and removed afterwards) decides which
// file system is measured. One clock reading is shown besides: an operation has two.

#include <krait/trace.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 2, OPS_PER_TXN = 8, KEYS = 1000 };

static double now (clockid_t clock) {
  struct timespec time;
  clock_gettime (clock, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

struct client {
  pthread_t thread;
  krait_trace_session *session;
  uint64_t ops;
  double elapsed, processor; // nanoseconds per operation
};

static void *run_client (void *context) {
  struct client *client = context;
  krait_trace_session *session = client->session;
  static const char value[24] = "twenty-four bytes of it";
  const double start = now (CLOCK_MONOTONIC), used = now (CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t op = 0; op < client->ops; op++) {
    const krait_datum key = krait_unsigned (op * 7 % KEYS);
    if (op % OPS_PER_TXN == 0)
      krait_trace_begin (session);
    if (op % 2) {
      krait_trace_get (session, key, 0);
      krait_trace_value (session, krait_bytes (value, sizeof value));
    } else {
      krait_trace_put (session, key, krait_bytes (value, sizeof value));
      krait_trace_done (session);
    }
    if (op % OPS_PER_TXN == OPS_PER_TXN - 1) {
      krait_trace_commit (session);
      krait_trace_end (session, KRAIT_COMMITTED);
    }
  }
  client->elapsed = (now (CLOCK_MONOTONIC) - start) / (double) client->ops;
  client->processor = (now (CLOCK_THREAD_CPUTIME_ID) - used) / (double) client->ops;
  return NULL;
}

static void remove_trace (const char *folder) {
  char path[4096];
  for (unsigned i = 1; i <= MOST_THREADS; i++) {
    snprintf (path, sizeof path, "%s/%u.ktr", folder, i);
    unlink (path);
  }
  rmdir (folder);
}

static int measure (const char *folder, unsigned threads, uint64_t ops) {
  char message[KRAIT_MESSAGE_SIZE];
  struct client clients[MOST_THREADS];
  krait_trace *trace = krait_trace_open (folder, 0, message, sizeof message);
  if (!trace) {
    fprintf (stderr, "%s\n", message);
    return 2;
  }
  for (unsigned i = 0; i < threads; i++)
    clients[i] = (struct client){ .session = krait_trace_session_open (trace, KRAIT_ANY_SESSION), .ops = ops };
  for (unsigned i = 0; i < threads; i++)
    pthread_create (&clients[i].thread, NULL, run_client, &clients[i]);
  double elapsed = 0, processor = 0;
  for (unsigned i = 0; i < threads; i++) {
    pthread_join (clients[i].thread, NULL);
    elapsed = clients[i].elapsed > elapsed ? clients[i].elapsed : elapsed;
    processor += clients[i].processor / threads;
  }
  const int code = krait_trace_close (trace, message, sizeof message);
  if (code)
    fprintf (stderr, "%s\n", message);
  else
    printf ("%u thread%s  %6.0f ns per operation, %4.0f ns of processor time\n", threads, threads > 1 ? "s" : " ",
            elapsed, processor);
  remove_trace (folder);
  return code ? 2 : 0;
}

int main (int argc, char **argv) {
  enum { READINGS = 1000000 };
  const uint64_t ops = argc > 1 ? strtoull (argv[1], NULL, 10) : 4000000;
  char folder[64];
  snprintf (folder, sizeof folder, "/tmp/krait-bench-%ld", (long) getpid ());
  const double start = now (CLOCK_MONOTONIC);
  for (unsigned i = 0; i < READINGS; i++)
    (void) now (CLOCK_MONOTONIC);
  printf ("clock      %6.0f ns per reading\n", (now (CLOCK_MONOTONIC) - start) / READINGS);
  for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
    const int code = measure (argc > 2 ? argv[2] : folder, threads, ops);
    if (code)
      return code;
  }
  return 0;
}
