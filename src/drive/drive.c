#include "drive/drive.h"

#include "drive/session.h"

#include "base/budget.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

// Interrupts are for the thread that waits; a client library in the middle of an answer need not
// know of them.
static bool start_thread (struct session *session) {
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  const bool started = !pthread_create (&session->thread, NULL, session_run, session);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return started;
}

static struct session *connect_all (struct drive *drive) {
  const struct drive_options *options = drive->options;
  struct session *sessions = MEM_ZARRAY (struct session, options->sessions);
  for (unsigned i = 0; i < options->sessions; i++) {
    sessions[i].drive = drive;
    play_init (&sessions[i].play, &drive->ground, options->seed, i);
  }
  for (unsigned i = 0; i < options->sessions && !drive_stopped (drive); i++) {
    sessions[i].connection = options->driver->connect (drive->database, drive->error);
    if (!sessions[i].connection)
      atomic_store (&drive->over, true);
  }
  return sessions;
}

static void disconnect_all (struct drive *drive, struct session *sessions) {
  for (unsigned i = 0; i < drive->options->sessions; i++) {
    if (sessions[i].connection)
      drive->options->driver->disconnect (sessions[i].connection);
    play_free (&sessions[i].play);
    rows_free (&sessions[i].rows);
    VEC_FREE (sessions[i].items);
  }
  mem_free (sessions);
}

static void wait_for_sessions (struct drive *drive) {
  const struct drive_options *options = drive->options;
  for (unsigned naps = 0; atomic_load (&drive->sessions_left); naps++) {
    const struct timespec nap = { .tv_nsec = 10000000 };
    nanosleep (&nap, NULL);
    if (options->progress && naps % 20 == 0)
      options->progress (options->progress_context, (double) atomic_load (&drive->ended) / (double) options->txns);
  }
}

static void run_sessions (struct drive *drive, struct session *sessions) {
  unsigned started = 0;
  atomic_store (&drive->sessions_left, drive->options->sessions);
  while (started < drive->options->sessions && start_thread (&sessions[started]))
    started++;
  if (started < drive->options->sessions) {
    drive_fail (drive, "threads", "the system gives no more of them; take fewer --sessions");
    atomic_fetch_sub (&drive->sessions_left, drive->options->sessions - started);
  }
  wait_for_sessions (drive);
  for (unsigned i = 0; i < started; i++)
    pthread_join (sessions[i].thread, NULL);
}

static unsigned median_overlap (const struct drive *drive) {
  const uint64_t ended = atomic_load (&drive->ended);
  uint64_t seen = 0;
  for (unsigned i = 0; i < drive->options->sessions; i++) {
    seen += atomic_load (&drive->overlaps[i]);
    if (2 * seen >= ended)
      return i;
  }
  return 0;
}

static void summarize (const struct drive *drive, struct drive_summary *summary) {
  summary->committed = atomic_load (&drive->outcomes[KRAIT_COMMITTED]);
  summary->aborted = atomic_load (&drive->outcomes[KRAIT_ABORTED]);
  summary->unknown = atomic_load (&drive->outcomes[KRAIT_OUTCOME_UNKNOWN]);
  summary->operations = atomic_load (&drive->operations);
  summary->reconnects = atomic_load (&drive->reconnects);
  summary->median_overlap = median_overlap (drive);
}

static bool open_trace (struct drive *drive, struct session *sessions, struct drive_summary *summary) {
  char message[KRAIT_MESSAGE_SIZE];
  drive->trace = krait_trace_open (drive->options->folder, 0, message, sizeof message);
  if (!drive->trace)
    return error_set (drive->error, "%s", message);
  summary->traced = true;
  for (unsigned i = 0; i < drive->options->sessions; i++)
    sessions[i].trace = krait_trace_session_open (drive->trace, i + 1);
  const int code = krait_trace_error (drive->trace, message, sizeof message);
  const bool too_many = code == EMFILE || code == ENFILE;
  return !code || error_set (drive->error, "%s%s", message, too_many ? TOO_MANY_FILES : "");
}

static void close_trace (struct drive *drive) {
  char message[KRAIT_MESSAGE_SIZE];
  if (drive->trace && krait_trace_close (drive->trace, message, sizeof message))
    error_set (drive->error, "%s", message);
}

static void play (struct drive *drive, struct session *sessions, struct drive_summary *summary) {
  const double start = clock_seconds ();
  drive->overlaps = mem_zalloc (mem_bytes (drive->options->sessions, sizeof *drive->overlaps));
  run_sessions (drive, sessions);
  summary->seconds = clock_seconds () - start;
  summarize (drive, summary);
  mem_free (drive->overlaps);
}

// The table is emptied last: whatever else is wrong is found out before anything is changed.
static bool run (struct drive *drive, struct drive_summary *summary) {
  struct session *sessions = connect_all (drive);
  const bool begun = !drive_stopped (drive) && open_trace (drive, sessions, summary)
                     && drive->options->driver->clear (drive->database, drive->error) && !drive_stopped (drive);
  if (begun)
    play (drive, sessions, summary);
  disconnect_all (drive, sessions);
  close_trace (drive);
  return begun;
}

bool drive (const struct drive_options *asked, struct drive_summary *summary, struct error *error) {
  struct drive_options options = *asked;
  options.work = play_options (options.workload, options.work);
  struct drive drive = { .options = &options, .error = error };
  *summary = (struct drive_summary){ 0 };
  drive.database = options.driver->open (options.url, options.password, options.level, error);
  if (!drive.database)
    return false;
  pthread_mutex_init (&drive.mutex, NULL);
  play_ground_init (&drive.ground, options.workload, &options.work, options.distribution);
  const bool begun = run (&drive, summary);
  play_ground_free (&drive.ground);
  pthread_mutex_destroy (&drive.mutex);
  options.driver->close (drive.database);
  return begun;
}
