// What a session may claim about an outcome: committed, if the database said so; aborted, if it
// said so, or if the commit was never sent; else unknown.

#include "drive/session.h"

#include "base/budget.h"

#include <stdio.h>
#include <time.h>

bool drive_stopped (const struct drive *drive) {
  return atomic_load (&drive->over) || (drive->options->stop && atomic_load (drive->options->stop));
}

void drive_fail (struct drive *drive, const char *what, const char *reason) {
  pthread_mutex_lock (&drive->mutex);
  error_set (drive->error, "%s: %.500s", what, reason);
  pthread_mutex_unlock (&drive->mutex);
  atomic_store (&drive->over, true);
}

// In the words of the database.
static void fail_asking (struct session *session, const char *what) {
  const struct driver *driver = session->drive->options->driver;
  char text[128];
  snprintf (text, sizeof text, "%s: %s", driver->name, what);
  drive_fail (session->drive, text, driver->reason (session->connection));
}

static void rest (uint64_t nanoseconds) {
  const struct timespec span = { .tv_sec = (time_t) (nanoseconds / 1000000000),
                                 .tv_nsec = (long) (nanoseconds % 1000000000) };
  nanosleep (&span, NULL);
}

// ------------------------------------------------------------------------------------ transactions

static enum answer roll_back (struct session *session) {
  const enum answer answer = session->drive->options->driver->rollback (session->connection);
  // A connection that cannot even roll back is of no use; the database forgets the transaction with
  // it.
  session->lost = answer != ANSWER_DONE;
  return answer;
}

static krait_outcome commit (struct session *session) {
  const struct driver *driver = session->drive->options->driver;
  krait_trace_commit (session->trace);
  switch (driver->commit (session->connection)) {
  case ANSWER_DONE: return KRAIT_COMMITTED;
  case ANSWER_REFUSED: roll_back (session); return KRAIT_ABORTED;
  case ANSWER_LOST: session->lost = true; return KRAIT_OUTCOME_UNKNOWN;
  case ANSWER_WRONG: break;
  }
  fail_asking (session, "commit");
  return KRAIT_OUTCOME_UNKNOWN;
}

// Requests one after the other, to the last one or the first that is not done.
static enum answer play_requests (struct session *session) {
  const struct driver *driver = session->drive->options->driver;
  enum answer answer = driver->begin (session->connection);
  const struct request *request;
  while (answer == ANSWER_DONE && !drive_stopped (session->drive) && (request = play_next (&session->play))) {
    answer = session_ask (session, request);
    session->play.next++;
  }
  return answer;
}

static krait_outcome play_transaction (struct session *session, bool *gave_up) {
  struct drive *drive = session->drive;
  const enum answer answer = play_requests (session);
  *gave_up = drive_stopped (drive) || random_chance (&session->play.random, drive->options->aborts);
  if (answer == ANSWER_DONE && !*gave_up)
    return commit (session);
  if (answer == ANSWER_WRONG)
    fail_asking (session, "transaction");
  if (answer == ANSWER_LOST)
    session->lost = true;
  else
    roll_back (session);
  return KRAIT_ABORTED;
}

static krait_outcome record_transaction (struct session *session, bool *gave_up) {
  struct drive *drive = session->drive;
  atomic_fetch_add (&drive->active, 1);
  krait_trace_begin (session->trace);
  const krait_outcome outcome = play_transaction (session, gave_up);
  if (krait_trace_end (session->trace, outcome)) {
    char message[KRAIT_MESSAGE_SIZE];
    krait_trace_error (drive->trace, message, sizeof message);
    drive_fail (drive, "the recording ends early", message);
  }
  const unsigned others = atomic_fetch_sub (&drive->active, 1) - 1;
  atomic_fetch_add (&drive->overlaps[others], 1);
  atomic_fetch_add (&drive->outcomes[outcome], 1);
  atomic_fetch_add (&drive->ended, 1);
  return outcome;
}

// ---------------------------------------------------------------------------------------- sessions

static bool reconnect (struct session *session) {
  enum { BETWEEN_TRIES = 50000000 };
  struct drive *drive = session->drive;
  const struct driver *driver = drive->options->driver;
  if (!drive->options->reconnect) {
    fail_asking (session, "the connection was lost (--reconnect=SECONDS would wait for the database)");
    return false;
  }
  driver->disconnect (session->connection);
  const double deadline = clock_seconds () + drive->options->reconnect;
  struct error error;
  do {
    error = (struct error){ 0 };
    session->connection = driver->connect (drive->database, &error);
    if (session->connection) {
      session->lost = false;
      atomic_fetch_add (&drive->reconnects, 1);
      return true;
    }
    rest (BETWEEN_TRIES);
  } while (clock_seconds () < deadline && !drive_stopped (drive));
  if (!drive_stopped (drive))
    drive_fail (drive, "cannot connect again", error.text);
  return false;
}

static bool takes_ticket (struct drive *drive) {
  return !drive_stopped (drive) && atomic_fetch_add (&drive->tickets, 1) < drive->options->txns;
}

// Where every other transaction is refused, asking at once again makes it worse for all. So a
// session rests between its transactions, twice as long after each refusal and a little less after
// each commit: when one in five is refused, the two are in balance. Rests are measured by how long
// a transaction takes. Who does not try again wants to see the database under pressure, and does
// not rest.
static void rest_if_refused (struct session *session, bool refused, double took) {
  enum { STEP = 4, MOST = 8 * STEP };
  const double longest = 0.25;
  if (!session->drive->options->retries)
    return;
  if (refused)
    session->pressure += session->pressure < MOST ? STEP : 0;
  else if (session->pressure)
    session->pressure--;
  if (session->pressure < STEP || drive_stopped (session->drive))
    return;
  const double bound = took * (double) (1u << session->pressure / STEP);
  rest (random_below (&session->play.random, (uint64_t) ((bound < longest ? bound : longest) * 1e9) + 1));
}

void *session_run (void *of) {
  struct session *session = of;
  struct drive *drive = session->drive;
  unsigned tries = 0;
  while (takes_ticket (drive)) {
    bool gave_up;
    pthread_mutex_lock (&drive->mutex);
    play_write (&session->play, &drive->ground);
    pthread_mutex_unlock (&drive->mutex);
    play_rewind (&session->play);
    const double begin = clock_seconds ();
    const krait_outcome outcome = record_transaction (session, &gave_up);
    const bool refused = outcome == KRAIT_ABORTED && !gave_up;
    const bool again = refused && tries < drive->options->retries;
    const double took = clock_seconds () - begin;
    tries = again ? tries + 1 : 0;
    if (!again)
      play_drop (&session->play);
    if (session->lost && !reconnect (session))
      break;
    rest_if_refused (session, refused, took);
  }
  atomic_fetch_sub (&drive->sessions_left, 1);
  return NULL;
}
