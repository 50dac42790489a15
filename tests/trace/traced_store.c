// The store of store.c, traced: traced_store FOLDER THREADS TXNS PADDING. Says how far the program
// came and how the tracing went.

#include "tests/trace/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main (int argc, char **argv) {
  static struct store_progress progress[STORE_MOST_THREADS];
  char message[KRAIT_MESSAGE_SIZE];
  const unsigned threads = argc == 5 ? (unsigned) strtoul (argv[2], NULL, 10) : 0;
  if (!threads || threads > STORE_MOST_THREADS) {
    fprintf (stderr, "usage: traced_store FOLDER THREADS TXNS PADDING\n");
    return 2;
  }
  krait_trace *trace = krait_trace_open (argv[1], KRAIT_TRACE_ADD, message, sizeof message);
  if (!trace) {
    fprintf (stderr, "%s\n", message);
    return 2;
  }
  store_run (trace, threads, strtoull (argv[3], NULL, 10), (unsigned) strtoul (argv[4], NULL, 10), progress);
  uint64_t txns = 0, ends = 0;
  for (unsigned i = 0; i < threads; i++) {
    txns += progress[i].txns;
    ends += progress[i].ends;
  }
  const int code = krait_trace_close (trace, message, sizeof message);
  printf ("%llu transactions, %llu traced: %s\n", (unsigned long long) txns, (unsigned long long) ends,
          code ? message : "no error");
  return code ? 1 : 0;
}
