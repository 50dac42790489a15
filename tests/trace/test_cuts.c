// Folders that are cut off: files that end anywhere, or are not there any more. What is missing is
// never called the database's fault; and a file too many is refused.

#include "api/check.h"
#include "base/error.h"
#include "formats/formats.h"
#include "levels/levels.h"
#include "tests/brute/prng.h"
#include "tests/support/scratch.h"
#include "tests/trace/store.h"
#include "tests/unit/greatest_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SESSIONS = 4, TXNS = 12, CUTS = 300 };

struct file {
  char *bytes;
  size_t length;
};

static const char *file_name (const char *folder, unsigned session) {
  static char name[4][64];
  static unsigned next;
  char *to = name[next++ % 4];
  snprintf (to, sizeof name[0], "%s/%u.ktr", folder, session);
  return to;
}

static struct file load (const char *path) {
  struct file file = { NULL, 0 };
  FILE *in = fopen (path, "rb");
  if (!in)
    return file;
  fseek (in, 0, SEEK_END);
  file.length = (size_t) ftell (in);
  file.bytes = mem_alloc (file.length + 1);
  rewind (in);
  file.length = fread (file.bytes, 1, file.length, in);
  fclose (in);
  return file;
}

static void store_file (const char *path, const char *bytes, size_t length) {
  FILE *out = fopen (path, "wb");
  fwrite (bytes, 1, length, out);
  fclose (out);
}

static struct history *read_trace (const char *name, struct error *error) {
  *error = (struct error){ 0 };
  return history_read (scratch_path (name), NULL, error);
}

static enum verdict judge (const struct history *h, const char *level) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (level);
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

static const char *const judged[] = { "strict-serializable", "snapshot-isolation", "causal", "read-committed" };

// A trace by several threads, each file of it in memory.
static void make_trace (const char *name, struct file *files) {
  static struct store_progress progress[STORE_MOST_THREADS];
  memset (progress, 0, sizeof progress);
  krait_trace *trace = krait_trace_open (scratch_path (name), 0, NULL, 0);
  store_run (trace, SESSIONS, TXNS, 0, progress);
  krait_trace_close (trace, NULL, 0);
  for (unsigned i = 0; i < SESSIONS; i++)
    files[i] = load (scratch_path (file_name (name, i)));
}

static void free_files (struct file *files) {
  for (unsigned i = 0; i < SESSIONS; i++)
    mem_free (files[i].bytes);
}

// Some files whole, some cut, some gone; never all gone.
static bool cut_folder (struct prng *prng, const struct file *files) {
  bool changed = false;
  for (unsigned i = 0; i < SESSIONS; i++) {
    const char *path = scratch_path (file_name ("cut", i));
    const bool gone = i && prng_chance (prng, 15), cut = prng_chance (prng, 40);
    if (gone)
      unlink (path);
    else
      store_file (path, files[i].bytes, cut ? prng_below (prng, (unsigned) files[i].length) : files[i].length);
    changed |= gone || cut;
  }
  return changed;
}

TEST a_cut_folder_is_never_invalid (void) {
  struct file files[SESSIONS];
  struct error error;
  unsigned unknown = 0;
  make_trace ("whole", files);
  struct history *h = read_trace ("whole", &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (NULL, h->incomplete);
  for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
    ASSERT_EQ (VERDICT_VALID, judge (h, judged[i]));
  history_free (h);
  mkdir (scratch_path ("cut"), 0777);
  for (unsigned number = 0; number < CUTS; number++) {
    struct prng prng = prng_fork (5, number);
    const bool changed = cut_folder (&prng, files);
    h = read_trace ("cut", &error);
    ASSERTm (error.text, h);
    ASSERT_EQ (changed, h->incomplete != NULL);
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++) {
      const enum verdict verdict = judge (h, judged[i]);
      ASSERT (verdict != VERDICT_INVALID);
      unknown += verdict == VERDICT_UNKNOWN;
    }
    history_free (h);
  }
  ASSERT (unknown > CUTS); // or nothing was missed
  free_files (files);
  PASS ();
}

TEST a_missing_session_is_missed (void) {
  struct file files[SESSIONS];
  struct error error;
  make_trace ("full", files);
  mkdir (scratch_path ("lacking"), 0777);
  for (unsigned gone = 0; gone < SESSIONS; gone++) {
    for (unsigned i = 0; i < SESSIONS; i++)
      store_file (scratch_path (file_name ("lacking", i)), files[i].bytes, files[i].length);
    unlink (scratch_path (file_name ("lacking", gone)));
    struct history *h = read_trace ("lacking", &error);
    ASSERTm (error.text, h);
    ASSERT (h->incomplete && strstr (h->incomplete, "of 4 sessions of one process the files of 1 are missing"));
    history_free (h);
  }
  free_files (files);
  PASS ();
}

// Sessions that were opened one after the other, each closed before the next: the first one's file
// is told of the others all the same.
TEST a_missing_last_session_is_missed (void) {
  struct error error;
  krait_trace *trace = krait_trace_open (scratch_path ("serial"), 0, NULL, 0);
  for (uint64_t i = 0; i < 3; i++)
    ASSERT_EQ (0, krait_trace_session_close (krait_trace_session_open (trace, i)));
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  struct history *h = read_trace ("serial", &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (NULL, h->incomplete);
  history_free (h);
  unlink (scratch_path ("serial/2.ktr"));
  h = read_trace ("serial", &error);
  ASSERTm (error.text, h);
  ASSERT (h->incomplete && strstr (h->incomplete, "of 3 sessions"));
  history_free (h);
  PASS ();
}

TEST a_file_too_many_is_refused (void) {
  struct file files[SESSIONS], others[SESSIONS];
  struct error error;
  make_trace ("one", files);
  make_trace ("other", others);
  store_file (scratch_path ("one/9.ktr"), files[1].bytes, files[1].length);
  ASSERT_EQ (NULL, read_trace ("one", &error));
  ASSERT (strstr (error.text, "one/9.ktr") && strstr (error.text, "holds the same session as"));
  store_file (scratch_path ("one/9.ktr"), others[1].bytes, others[1].length);
  ASSERT_EQ (NULL, read_trace ("one", &error));
  ASSERT (strstr (error.text, "one/9.ktr") && strstr (error.text, "files of two different traces"));
  free_files (files);
  free_files (others);
  PASS ();
}

// --- fork -------------------------------------------------------------------

static int log_one (krait_trace_session *s, int value) {
  int wrong = krait_trace_begin (s) | krait_trace_put (s, krait_text ("x"), krait_int (value)) | krait_trace_done (s);
  return wrong | krait_trace_commit (s) | krait_trace_end (s, KRAIT_COMMITTED);
}

// Everything that the child of a traced program must not do. Exit code 0: all of it was refused.
static int misbehave (krait_trace *trace, krait_trace_session *s) {
  char message[KRAIT_MESSAGE_SIZE];
  if (krait_trace_begin (s) != EPERM || krait_trace_put (s, krait_text ("x"), krait_int (9)) != EPERM)
    return 1;
  if (krait_trace_header (s, "{}") != EPERM || krait_trace_session_open (trace, 7))
    return 2;
  if (krait_trace_error (trace, message, sizeof message) != EPERM || !strstr (message, "forked off"))
    return 3;
  if (krait_trace_session_close (s) != EPERM || krait_trace_close (trace, NULL, 0) != EPERM)
    return 4;
  trace = krait_trace_open (scratch_path ("forked"), KRAIT_TRACE_ADD, NULL, 0); // which it may
  return log_one (krait_trace_session_open (trace, 2), 2) || krait_trace_close (trace, NULL, 0) ? 5 : 0;
}

TEST a_child_may_not_use_its_parents_sessions (void) {
  struct error error;
  int status;
  krait_trace *trace = krait_trace_open (scratch_path ("forked"), 0, NULL, 0);
  krait_trace_session *s = krait_trace_session_open (trace, 1);
  ASSERT_EQ (0, log_one (s, 1));
  const pid_t child = fork ();
  if (!child)
    _exit (misbehave (trace, s));
  ASSERT_EQ (child, waitpid (child, &status, 0));
  ASSERT (WIFEXITED (status));
  ASSERT_EQ (0, WEXITSTATUS (status));
  ASSERT_EQ (0, log_one (s, 3)); // the parent goes on
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  struct history *h = read_trace ("forked", &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (3, history_txns (h));
  ASSERT_EQ (NULL, h->incomplete);
  history_free (h);
  PASS ();
}

SUITE (cuts) {
  RUN_TEST (a_cut_folder_is_never_invalid);
  RUN_TEST (a_missing_session_is_missed);
  RUN_TEST (a_missing_last_session_is_missed);
  RUN_TEST (a_file_too_many_is_refused);
  RUN_TEST (a_child_may_not_use_its_parents_sessions);
}

KRAIT_UNIT_MAIN (RUN_SUITE (cuts);)
