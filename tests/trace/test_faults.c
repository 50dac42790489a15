// What becomes of a trace when its process is killed, and when the file may not grow. The traced
// program is that of store.c.

#include "base/error.h"
#include "formats/formats.h"
#include "tests/support/scratch.h"
#include "tests/trace/store.h"
#include "tests/unit/greatest_main.h"

#include <krait/krait.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 12 };

// Seen by parent and child.
static struct store_progress *progress;

static void share_progress (void) {
  const size_t bytes = STORE_MOST_THREADS * sizeof *progress;
  if (!progress)
    progress = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  memset ((void *) progress, 0, bytes);
}

// Takes the history, which may be NULL.
static krait_verdict verdict_of (krait_history *history, const char *level, const char *message) {
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, level);
  krait_result *result = history ? krait_check (history, options) : NULL;
  const krait_verdict found = result ? krait_result_verdict (result) : KRAIT_BAD_INPUT;
  if (found != KRAIT_VALID)
    fprintf (stderr, "%s%s\n", message, result ? krait_result_json (result) : "");
  krait_result_free (result);
  krait_options_free (options);
  krait_history_free (history);
  return found;
}

static krait_verdict verdict (const char *folder, const char *level) {
  char message[KRAIT_MESSAGE_SIZE] = "";
  krait_history *history = krait_history_open (folder, NULL, message, sizeof message);
  return verdict_of (history, level, message);
}

// What one session of the history holds.
struct held {
  uint64_t begins, inputs, outputs, ends;
};

static struct held held_by (const struct history *h, uint64_t label) {
  struct held held = { 0 };
  size_t times = 0;
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    if (h->session_labels.data[h->txn_sessions.data[txn]] != label)
      continue;
    held.begins++;
    held.ends += h->txn_status.data[txn] == TXN_COMMITTED;
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      while (h->op_times.data[times].op < op)
        times++;
      held.inputs++;
      held.outputs += h->op_times.data[times].end != TIME_NONE_END;
    }
  }
  return held;
}

// A call that was under way may have come to its end or not.
static bool is_complete (uint64_t there, uint64_t logged) {
  return there == logged || there == logged + 1;
}

// Only the last transaction of a session may be open, and only the last operation may lack its
// output.
static const char *check_shape (const struct history *h) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    const bool last = txn + 1 == history_txns (h) || h->txn_sessions.data[txn + 1] != h->txn_sessions.data[txn];
    if (h->txn_status.data[txn] != TXN_COMMITTED && (!last || h->txn_status.data[txn] != TXN_UNKNOWN))
      return "a transaction that is not committed and should be";
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
      if (h->op_values.data[op] == VALUE_UNRECORDED
          && (h->txn_status.data[txn] == TXN_COMMITTED || op + 1 < h->txn_first_op.data[txn + 1]))
        return "a read without a result that had one";
  }
  return NULL;
}

static const char *check_held (const struct history *h) {
  for (unsigned i = 0; i < THREADS; i++) {
    const struct held held = held_by (h, i);
    if (!is_complete (held.begins, progress[i].begins) || !is_complete (held.inputs, progress[i].inputs)
        || !is_complete (held.outputs, progress[i].outputs) || !is_complete (held.ends, progress[i].ends))
      return "what was logged is not what is there";
  }
  return check_shape (h);
}

static void wait_for_work (uint64_t txns) {
  for (unsigned i = 0; i < THREADS; i++)
    while (progress[i].txns < txns)
      usleep (500);
}

static enum greatest_test_res kill_one (unsigned round) {
  char name[32];
  snprintf (name, sizeof name, "killed-%u", round);
  const char *folder = scratch_path (name);
  share_progress ();
  const pid_t child = fork ();
  if (!child) {
    store_run (krait_trace_open (folder, 0, NULL, 0), THREADS, UINT64_MAX, round % 3 * 100, progress);
    _exit (0);
  }
  wait_for_work (1 + round * 50);
  kill (child, SIGKILL);
  int status;
  waitpid (child, &status, 0);
  ASSERT (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  struct error error = { 0 };
  struct history *h = history_read (folder, NULL, &error);
  ASSERTm (error.text, h);
  const char *wrong = check_held (h);
  ASSERT_EQm (wrong, NULL, wrong);
  ASSERT_EQm (h->warnings, NULL, h->warnings);
  history_free (h);
  ASSERT_EQ (KRAIT_VALID, verdict (folder, "strict-serializable"));
  PASS ();
}

TEST a_killed_process_loses_nothing (void) {
  for (unsigned round = 0; round < ROUNDS; round++)
    CHECK_CALL (kill_one (round));
  PASS ();
}

// --- Reading while others write ---------------------------------------------

enum { LIVE_ROUNDS = 20, LIVE_TXNS = 20000, BRIEF_SESSIONS = 400 };

// Sessions that come and go beside those of the store: their files shrink when they are closed.
static void *open_and_close (void *trace) {
  for (int i = 0; i < BRIEF_SESSIONS; i++) {
    krait_trace_session *session = krait_trace_session_open (trace, (uint64_t) (THREADS + i));
    krait_trace_begin (session);
    for (int op = 0; op < 20; op++) {
      krait_trace_get (session, krait_unsigned (STORE_KEYS), 0);
      krait_trace_absent (session);
    }
    krait_trace_end (session, KRAIT_COMMITTED);
    krait_trace_session_close (session);
  }
  return NULL;
}

static void run_live (const char *folder) {
  pthread_t brief;
  krait_trace *trace = krait_trace_open (folder, 0, NULL, 0);
  pthread_create (&brief, NULL, open_and_close, trace);
  store_run (trace, THREADS, LIVE_TXNS, 0, progress);
}

static enum greatest_test_res read_live (unsigned round) {
  char name[32], message[KRAIT_MESSAGE_SIZE] = "";
  snprintf (name, sizeof name, "live-%u", round);
  const char *folder = scratch_path (name);
  share_progress ();
  const pid_t child = fork ();
  if (!child) {
    run_live (folder);
    _exit (0);
  }
  wait_for_work (100);
  krait_history *history = krait_history_open (folder, NULL, message, sizeof message);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
  ASSERT_EQ (KRAIT_VALID, verdict_of (history, "strict-serializable", message));
  PASS ();
}

TEST a_trace_can_be_read_while_it_is_written (void) {
  for (unsigned round = 0; round < LIVE_ROUNDS; round++)
    CHECK_CALL (read_live (round));
  PASS ();
}

// --- Files that may not grow ------------------------------------------------

enum { LIMIT = 1 << 19, LIMITED_TXNS = 5000, PADDING = 60 };

// In a process of its own: the exit code tells what happened.
static int run_limited (const char *folder) {
  char message[KRAIT_MESSAGE_SIZE];
  const struct rlimit limit = { LIMIT, LIMIT };
  setrlimit (RLIMIT_FSIZE, &limit);
  krait_trace *trace = krait_trace_open (folder, 0, NULL, 0);
  store_run (trace, THREADS, LIMITED_TXNS, PADDING, progress);
  if (krait_trace_session_open (trace, KRAIT_ANY_SESSION) || krait_trace_error (trace, NULL, 0) != EFBIG)
    return 2;
  return krait_trace_close (trace, message, sizeof message) == EFBIG && strstr (message, ".ktr: ") ? 0 : 1;
}

TEST a_file_that_may_not_grow_ends_the_trace_and_not_the_program (void) {
  const char *folder = scratch_path ("limited");
  share_progress ();
  const pid_t child = fork ();
  if (!child)
    _exit (run_limited (folder));
  int status;
  waitpid (child, &status, 0);
  ASSERT (WIFEXITED (status));
  ASSERT_EQ (0, WEXITSTATUS (status));
  uint64_t ends = 0;
  for (unsigned i = 0; i < THREADS; i++) {
    ASSERT_EQ (LIMITED_TXNS, progress[i].txns);
    ASSERT (progress[i].errors > 0);
    ends += progress[i].ends;
  }
  ASSERT (ends > 0 && ends < THREADS * LIMITED_TXNS);
  struct error error = { 0 };
  struct history *h = history_read (folder, NULL, &error);
  ASSERTm (error.text, h);
  ASSERT (h->warnings && strstr (h->warnings, "tracing ended here") && !strchr (h->warnings, '\n'));
  const char *wrong = check_held (h);
  ASSERT_EQm (wrong, NULL, wrong);
  history_free (h);
  ASSERT_EQ (KRAIT_VALID, verdict (folder, "strict-serializable"));
  PASS ();
}

SUITE (faults) {
  RUN_TEST (a_killed_process_loses_nothing);
  RUN_TEST (a_trace_can_be_read_while_it_is_written);
  RUN_TEST (a_file_that_may_not_grow_ends_the_trace_and_not_the_program);
}

KRAIT_UNIT_MAIN (RUN_SUITE (faults);)
