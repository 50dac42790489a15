// A workload on a real database: a thread and a connection for each session, everything recorded.

#ifndef KRAIT_DRIVE_DRIVE_H
#define KRAIT_DRIVE_DRIVE_H

#include "drive/driver.h"
#include "generate/workload.h"

#include <stdatomic.h>

struct drive_options {
  const struct driver *driver;
  const struct driver_level *level;
  const char *url;
  const char *password; // if the URL has none; or NULL
  const char *folder;   // of the trace; made if it is not there, refused if it is not empty
  const struct workload *workload;
  struct workload_options work;
  enum distribution distribution;
  uint64_t txns; // that end with an outcome: aborted ones count, retries too
  unsigned sessions;
  unsigned retries; // of a transaction that the database refused
  double aborts;    // share of transactions that their client gives up
  // seconds to try for, after a connection was lost; 0: a lost connection ends the run
  double reconnect;
  uint64_t seed;
  const atomic_int *stop;                            // set by a signal handler
  void (*progress) (void *context, double fraction); // or NULL
  void *progress_context;
};

struct drive_summary {
  uint64_t committed, aborted, unknown, operations, reconnects;
  unsigned median_overlap; // transactions in progress, besides the one that ends
  double seconds;
  bool traced; // the folder is this run's, also if nothing was begun
};

// True if something was begun; then there is a trace of it, also when the run ended early: by the
// stop, or by an error, which is set.
bool drive (const struct drive_options *, struct drive_summary *, struct error *);

#endif
