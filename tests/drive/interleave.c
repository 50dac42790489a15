// Plays an interleaving of transactions that was written down, on a real database, and leaves a
// trace of it.
//
//   interleave URL ISOLATION SCRIPT FOLDER
//
// A script has one step per line: the transaction, and what it does. Each transaction is a session
// of its own.
//
//   T1 put 1 11      T1 del 1      T1 get 1      T1 scan 0 100      T1 commit      T1 abort
//
// All transactions begin first, in their order, but for T0, which is there before (the initial
// rows), and T9, which comes behind all others and looks at what they left: these run alone, as
// soon as they are named. A step that the database does not answer within a while waits for a lock;
// the script goes on without it, and the further steps of that transaction wait behind it. What the
// database refuses ends a transaction: its remaining steps are left out.

#include "drive/encode.h"
#include "drive/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ACTORS = 10, MOST_STEPS = 32, PATIENCE_MS = 250 };

enum deed { DEED_BEGIN, DEED_ASK, DEED_COMMIT, DEED_ABORT };

struct step {
  enum deed deed;
  struct request request;
};

struct actor {
  struct session session;
  struct step steps[MOST_STEPS]; // given to it so far
  unsigned given, done;
  bool open; // its transaction
  bool last; // no more steps will come
};

static struct actor actors[ACTORS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void die (const char *what, const char *why) {
  fprintf (stderr, "interleave: %s: %s\n", what, why);
  exit (2);
}

// ------------------------------------------------------------------------------------------ actors

static void end (struct actor *actor, krait_outcome outcome) {
  krait_trace_end (actor->session.trace, outcome);
  actor->open = false;
}

static void commit (struct actor *actor) {
  const struct driver *driver = actor->session.drive->options->driver;
  krait_trace_commit (actor->session.trace);
  switch (driver->commit (actor->session.connection)) {
  case ANSWER_DONE: end (actor, KRAIT_COMMITTED); return;
  case ANSWER_REFUSED:
    driver->rollback (actor->session.connection);
    end (actor, KRAIT_ABORTED);
    return;
  default: die ("commit", driver->reason (actor->session.connection));
  }
}

static void give_up (struct actor *actor) {
  actor->session.drive->options->driver->rollback (actor->session.connection);
  end (actor, KRAIT_ABORTED);
}

static void ask (struct actor *actor, const struct request *request) {
  const struct driver *driver = actor->session.drive->options->driver;
  actor->session.play.script.requests.data[0] = *request;
  switch (session_ask (&actor->session, request)) {
  case ANSWER_DONE: return;
  case ANSWER_REFUSED: give_up (actor); return;
  default: die ("statement", driver->reason (actor->session.connection));
  }
}

static void take (struct actor *actor, const struct step *step) {
  if (step->deed == DEED_BEGIN) {
    krait_trace_begin (actor->session.trace);
    if (actor->session.drive->options->driver->begin (actor->session.connection) != ANSWER_DONE)
      die ("begin", actor->session.drive->options->driver->reason (actor->session.connection));
    actor->open = true;
  } else if (!actor->open)
    return;
  else if (step->deed == DEED_COMMIT)
    commit (actor);
  else if (step->deed == DEED_ABORT)
    give_up (actor);
  else
    ask (actor, &step->request);
}

static void *act (void *of) {
  struct actor *actor = of;
  pthread_mutex_lock (&mutex);
  for (;;) {
    while (actor->done == actor->given && !actor->last)
      pthread_cond_wait (&changed, &mutex);
    if (actor->done == actor->given)
      break;
    const struct step step = actor->steps[actor->done];
    pthread_mutex_unlock (&mutex);
    take (actor, &step);
    pthread_mutex_lock (&mutex);
    actor->done++;
    pthread_cond_broadcast (&changed);
  }
  pthread_mutex_unlock (&mutex);
  return NULL;
}

// ------------------------------------------------------------------------------------------ script

static struct timespec deadline (long milliseconds) {
  struct timespec at;
  clock_gettime (CLOCK_REALTIME, &at);
  const long nanoseconds = at.tv_nsec + milliseconds * 1000000;
  at.tv_sec += nanoseconds / 1000000000;
  at.tv_nsec = nanoseconds % 1000000000;
  return at;
}

// Returns when it is done, or when it seems to wait for somebody (`patience` in milliseconds).
static void give (struct actor *actor, struct step step, long patience) {
  const struct timespec until = deadline (patience);
  if (actor->given == MOST_STEPS)
    die ("script", "too many steps");
  pthread_mutex_lock (&mutex);
  actor->steps[actor->given++] = step;
  pthread_cond_broadcast (&changed);
  while (actor->done < actor->given && pthread_cond_timedwait (&changed, &mutex, &until) != ETIMEDOUT)
    ;
  pthread_mutex_unlock (&mutex);
}

static void wait_for_all (void) {
  pthread_mutex_lock (&mutex);
  for (unsigned i = 0; i < ACTORS; i++)
    while (actors[i].done < actors[i].given)
      pthread_cond_wait (&changed, &mutex);
  pthread_mutex_unlock (&mutex);
}

static void start (struct drive *drive, unsigned number) {
  struct actor *actor = &actors[number];
  struct session *session = &actor->session;
  session->drive = drive;
  session->trace = krait_trace_session_open (drive->trace, number);
  session->connection = drive->options->driver->connect (drive->database, drive->error);
  if (!session->connection)
    die ("connection", drive->error->text);
  play_init (&session->play, &drive->ground, 0, number);
  script_request (&session->play.script, (struct request){ .kind = OP_GET });
  play_rewind (&session->play);
  if (pthread_create (&session->thread, NULL, act, actor))
    die ("thread", "the system gives none");
}

static void stop (struct drive *drive, struct actor *actor) {
  if (!actor->session.drive)
    return;
  pthread_mutex_lock (&mutex);
  actor->last = true;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&mutex);
  pthread_join (actor->session.thread, NULL);
  if (actor->open)
    die ("script", "a transaction that does not end");
  drive->options->driver->disconnect (actor->session.connection);
  play_free (&actor->session.play);
  rows_free (&actor->session.rows);
  VEC_FREE (actor->session.items);
}

static struct step step_of (const char *line) {
  char word[16] = "";
  uint64_t first = 0, second = 0;
  if (sscanf (line, "T%*u %15s %" SCNu64 " %" SCNu64, word, &first, &second) < 1)
    die ("script", line);
  struct step step = { .deed = DEED_ASK, .request = { OP_GET, .key = first } };
  if (!strcmp (word, "commit"))
    step.deed = DEED_COMMIT;
  else if (!strcmp (word, "abort"))
    step.deed = DEED_ABORT;
  else if (!strcmp (word, "put")) {
    step.request.kind = OP_PUT;
    step.request.value_kind = VALUE_GIVEN;
    step.request.value = second;
  } else if (!strcmp (word, "del"))
    step.request.kind = OP_DEL;
  else if (!strcmp (word, "scan")) {
    step.request.kind = OP_SCAN;
    step.request.high = second;
  } else if (strcmp (word, "get"))
    die ("script", line);
  return step;
}

static unsigned actor_of (const char *line) {
  return line[0] == 'T' && line[1] >= '0' && line[1] <= '9' ? (unsigned) (line[1] - '0') : ACTORS;
}

// Those between T0 and T9 that the script names begin together.
static void begin_all (FILE *script) {
  char line[128];
  bool named[ACTORS] = { false };
  while (fgets (line, sizeof line, script))
    if (actor_of (line) < ACTORS)
      named[actor_of (line)] = true;
  rewind (script);
  for (unsigned i = 1; i < ACTORS - 1; i++)
    if (named[i])
      give (&actors[i], (struct step){ .deed = DEED_BEGIN }, PATIENCE_MS);
}

static void play_script (FILE *script) {
  bool begun = false;
  char line[128];
  while (fgets (line, sizeof line, script)) {
    const unsigned number = actor_of (line);
    if (number == ACTORS)
      continue; // a comment
    if (number == ACTORS - 1)
      wait_for_all ();
    else if (number && !begun) {
      const long here = ftell (script);
      begin_all (script);
      fseek (script, here, SEEK_SET);
      begun = true;
    }
    if (!actors[number].given)
      give (&actors[number], (struct step){ .deed = DEED_BEGIN }, PATIENCE_MS);
    give (&actors[number], step_of (line), PATIENCE_MS);
  }
  wait_for_all ();
}

int main (int argc, char **argv) {
  static const struct workload numbers = { .name = "script" };
  struct error error = { 0 };
  char message[KRAIT_MESSAGE_SIZE];
  if (argc != 5)
    die ("usage", "interleave URL ISOLATION SCRIPT FOLDER");
  struct drive_options options = { .url = argv[1], .workload = &numbers, .work = { .keys = 1 } };
  struct drive drive = { .options = &options, .error = &error };
  FILE *script = fopen (argv[3], "r");
  if (!script)
    die (argv[3], strerror (errno));
  if (!(options.driver = driver_for (argv[1], &error))
      || !(options.level = driver_level_find (options.driver, argv[2], &error))
      || !(drive.database = options.driver->open (argv[1], NULL, options.level, &error))
      || !options.driver->clear (drive.database, &error))
    die (argv[1], error.text);
  if (!(drive.trace = krait_trace_open (argv[4], 0, message, sizeof message)))
    die (argv[4], message);
  pthread_mutex_init (&drive.mutex, NULL);
  play_ground_init (&drive.ground, &numbers, &options.work, DISTRIBUTION_UNIFORM);
  for (unsigned i = 0; i < ACTORS; i++)
    start (&drive, i);
  play_script (script);
  for (unsigned i = 0; i < ACTORS; i++)
    stop (&drive, &actors[i]);
  play_ground_free (&drive.ground);
  pthread_mutex_destroy (&drive.mutex);
  options.driver->close (drive.database);
  fclose (script);
  if (krait_trace_close (drive.trace, message, sizeof message))
    die (argv[4], message);
  return 0;
}
