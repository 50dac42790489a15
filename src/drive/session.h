// One session of a run: a connection, a trace, and one transaction after the other.

#ifndef KRAIT_DRIVE_SESSION_H
#define KRAIT_DRIVE_SESSION_H

#include "drive/drive.h"
#include "generate/play.h"
#include "krait/trace.h"

#include <pthread.h>

// What sessions share.
struct drive {
  const struct drive_options *options;
  void *database;
  krait_trace *trace;
  struct play_ground ground;
  pthread_mutex_t mutex; // for scripts (they share memory) and the error
  struct error *error;
  atomic_bool over; // an error has ended the run
  atomic_uint_fast64_t tickets, ended, outcomes[KRAIT_OUTCOME_UNKNOWN + 1], operations, reconnects;
  atomic_uint active;             // transactions in progress
  atomic_uint_fast64_t *overlaps; // per number of other transactions: how often
  atomic_uint sessions_left;
};

struct session {
  struct drive *drive;
  pthread_t thread;
  void *connection;
  krait_trace_session *trace;
  struct play play;
  struct rows rows;        // what was read last
  VEC (krait_datum) items; // the same, for the trace
  bool lost;               // the connection
  unsigned pressure;       // how often transactions are refused of late, in steps of a quarter
};

// A thread's main function; the argument is the session, connected.
void *session_run (void *);

// Whether an interrupt or an error has ended the run.
bool drive_stopped (const struct drive *);
// Ends the run; of several errors the first counts.
void drive_fail (struct drive *, const char *what, const char *reason);

// request.c: asks the database, and puts down what is asked before, and what is answered behind it:
// a write that nobody answered may have been seen by others all the same.
enum answer session_ask (struct session *, const struct request *);

#endif
