// The files of traces: histories that are written and read again, files that are cut, damaged, or
// of two machines.

#include "base/error.h"
#include "base/input.h"
#include "formats/formats.h"
#include "formats/trace_clock.h"
#include "formats/trace_layout.h"
#include "tests/support/history_equal.h"
#include "tests/support/random_ops.h"
#include "tests/support/sample_history.h"
#include "tests/support/scratch.h"
#include "tests/support/trace_seal.h"
#include "tests/unit/greatest_main.h"

#include <krait/trace.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct history *read_trace (const char *name, struct error *error) {
  *error = (struct error){ 0 };
  return history_read (scratch_path (name), NULL, error);
}

static void log_one (krait_trace_session *s, int key) {
  krait_trace_begin (s);
  krait_trace_put (s, krait_text (key > 1 ? "many" : "one"), krait_int (key));
  krait_trace_done (s);
  krait_trace_get (s, krait_text ("other"), KRAIT_LOCK_SHARE);
  krait_trace_absent (s);
  krait_trace_version (s, "null");
  krait_trace_commit (s);
  krait_trace_end (s, KRAIT_COMMITTED);
  krait_trace_commit_ts (s, key);
}

// --- Files ------------------------------------------------------------------

static bool sessions_ascend (const struct history *h) {
  for (uint32_t s = 1; s < history_sessions (h); s++)
    if (h->session_labels.data[s] < h->session_labels.data[s - 1])
      return false;
  return true;
}

// Files are read by number, so the order of sessions is kept only where they are numbered in order.
static const char *trip (const struct history *h, unsigned *compared) {
  struct error error = { 0 };
  if (!history_write (h, scratch_path ("trip"), &format_trace, true, &error))
    return error.text[0] ? "cannot be written" : "?";
  struct history *back = read_trace ("trip", &error);
  if (!back)
    return "cannot be read";
  const char *wrong =
    history_txns (h) == history_txns (back) && history_ops (h) == history_ops (back) ? NULL : "counts";
  if (!wrong && sessions_ascend (h)) {
    ++*compared;
    wrong = history_difference (h, back);
  }
  history_free (back);
  return wrong;
}

TEST converted_histories_come_back (void) {
  unsigned compared = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    struct history *h = seed % 2 ? random_ops_history (seed) : sample_history (SAMPLE_FULL, seed);
    const char *wrong = trip (h, &compared);
    history_free (h);
    ASSERT_EQm (wrong, NULL, wrong);
  }
  ASSERT (compared > 100);
  PASS ();
}

static char *load (const char *path, size_t *length) {
  struct error error = { 0 };
  struct input *input = input_open (path, &error);
  const char *bytes = input_all (input, length, &error);
  char *copy = mem_alloc (*length);
  memcpy (copy, bytes, *length);
  input_close (input);
  return copy;
}

static void store_file (const char *name, const char *bytes, size_t length) {
  unlink (scratch_path (name)); // some file systems wait for the disk when a file is written over
  FILE *file = fopen (scratch_path (name), "wb");
  if (!file || fwrite (bytes, 1, length, file) != length || fclose (file))
    misuse (__func__, "cannot write a temporary file");
}

// The file as the first version wrote it: the same records behind a shorter header, at places of
// their own.
static void store_as_version_1 (const char *name, const char *bytes, size_t length) {
  const size_t less = TRACE_HEADER_LENGTH - TRACE_HEADER_LENGTH_1;
  char *old = mem_alloc (length - less);
  memcpy (old, bytes, TRACE_HEADER_LENGTH_1);
  memcpy (old + TRACE_HEADER_LENGTH_1, bytes + TRACE_HEADER_LENGTH, length - TRACE_HEADER_LENGTH);
  store_le32 (old + TRACE_AT_VERSION, 1);
  store_le64 (old + TRACE_AT_LOGGED, load_le64 (bytes + TRACE_AT_LOGGED) - less);
  trace_seal (old, length - less);
  store_file (name, old, length - less);
  mem_free (old);
}

// Files of the first version are read as others are; that one is missing cannot be seen from them.
TEST files_of_version_1_are_read (void) {
  krait_trace *trace = krait_trace_open (scratch_path ("version-2"), 0, NULL, 0);
  for (unsigned session = 1; session <= 2; session++) {
    krait_trace_session *s = krait_trace_session_open (trace, session);
    for (int i = 0; i < 5; i++)
      log_one (s, 10 * (int) session + i);
  }
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  mkdir (scratch_path ("version-1"), 0777);
  mkdir (scratch_path ("half-of-version-1"), 0777);
  size_t length;
  char *first = load (scratch_path ("version-2/1.ktr"), &length);
  store_as_version_1 ("version-1/1.ktr", first, length);
  mem_free (first);
  char *second = load (scratch_path ("version-2/2.ktr"), &length);
  store_as_version_1 ("version-1/2.ktr", second, length);
  store_as_version_1 ("half-of-version-1/2.ktr", second, length);
  mem_free (second);

  struct error error;
  struct history *expected = read_trace ("version-2", &error);
  ASSERTm (error.text, expected);
  ASSERT_EQ (10u, history_txns (expected));
  struct history *found = read_trace ("version-1", &error);
  ASSERTm (error.text, found);
  const char *wrong = history_difference (expected, found);
  ASSERT_EQm (wrong, NULL, wrong);
  ASSERT_EQ (NULL, found->incomplete);
  history_free (found);
  found = read_trace ("half-of-version-1", &error);
  ASSERTm (error.text, found);
  ASSERT_EQ (5u, history_txns (found));
  ASSERT_EQ (NULL, found->incomplete);
  history_free (found);
  history_free (expected);
  PASS ();
}

enum { LOGGED = 6 };

// A file as a killed process leaves it: with space reserved behind the records.
static char *unfinished_file (const char *folder, int txns, size_t *length) {
  char name[64];
  snprintf (name, sizeof name, "%s/1.ktr", folder);
  krait_trace *trace = krait_trace_open (scratch_path (folder), 0, NULL, 0);
  krait_trace_session *s = krait_trace_session_open (trace, 1);
  for (int i = 0; i < txns; i++)
    log_one (s, i);
  char *bytes = load (scratch_path (name), length);
  krait_trace_close (trace, NULL, 0);
  return bytes;
}

// A process may be killed between making a file and giving it a header, of which the magic comes
// last.
TEST a_file_without_a_header_is_empty (void) {
  struct error error;
  size_t length;
  char *bytes = unfinished_file ("headless", 0, &length);
  ASSERT (length > TRACE_HEADER_LENGTH);
  memset (bytes, 0, TRACE_AT_VERSION);
  mkdir (scratch_path ("early"), 0777);
  // with a header but for its magic, with zeros, short, empty
  for (unsigned kind = 0; kind < 4; kind++) {
    store_file ("early/1.ktr", bytes, kind < 2 ? length : kind < 3 ? 20 : 0);
    struct history *h = read_trace ("early", &error);
    ASSERTm (error.text, h);
    ASSERT_EQ (0, history_txns (h));
    ASSERT (h->warnings && strstr (h->warnings, "early/1.ktr: has no header"));
    history_free (h);
    memset (bytes, 0, TRACE_HEADER_LENGTH);
  }
  mem_free (bytes);
  PASS ();
}

// What a file system may leave after the power went: zeros where the magic was, or the whole
// header, and records behind it.
TEST records_without_a_header_are_an_error (void) {
  struct error error;
  size_t length;
  char *bytes = unfinished_file ("beheaded", 1, &length);
  mkdir (scratch_path ("zeros"), 0777);
  for (unsigned kind = 0; kind < 3; kind++) {
    memset (bytes, 0, kind ? TRACE_HEADER_LENGTH : TRACE_AT_VERSION);
    if (kind == 2)
      memset (bytes + TRACE_HEADER_LENGTH, 0, TRACE_RECORD_LENGTH);
    store_file ("zeros/1.ktr", bytes, length);
    ASSERT_EQ (NULL, read_trace ("zeros", &error));
    ASSERT (strstr (error.text, "zeros/1.ktr: at byte 0: "));
  }
  // Zeros all over, but for a header that tells of records.
  memset (bytes, 0, length);
  store_le64 (bytes + TRACE_AT_LOGGED, 1000);
  store_file ("zeros/1.ktr", bytes, length);
  ASSERT_EQ (NULL, read_trace ("zeros", &error));
  mem_free (bytes);
  PASS ();
}

TEST a_file_may_be_cut_anywhere (void) {
  struct error error;
  size_t length;
  char *bytes = unfinished_file ("source", LOGGED, &length);
  const size_t logged = (size_t) load_le64 (bytes + TRACE_AT_LOGGED);
  ASSERT (length > logged && logged > 1000);
  mkdir (scratch_path ("cut"), 0777);
  uint32_t last = 0;
  for (size_t end = 0; end <= logged + 50; end++) {
    store_file ("cut/1.ktr", bytes, end);
    struct history *h = read_trace ("cut", &error);
    ASSERTm (error.text, h);
    ASSERT_EQ (end < logged, h->warnings != NULL);
    ASSERT_EQ (end < logged, h->incomplete != NULL);
    ASSERT (history_ops (h) >= last); // more bytes, more history
    last = history_ops (h);
    history_free (h);
  }
  ASSERT_EQ (2 * LOGGED, last);
  mem_free (bytes);
  PASS ();
}

// Bytes that no checksum covers: why tracing ended, and how far it went, which says less than the
// records themselves; how many sessions there are, and whether this one is closed.
static bool is_covered (size_t at, size_t logged) {
  const bool changes =
    (at >= TRACE_AT_ERROR && at < TRACE_AT_WALL) || (at >= TRACE_AT_SESSIONS && at < TRACE_AT_CLOSED + 8);
  return at < logged && !changes;
}

TEST a_flipped_bit_is_found (void) {
  struct error error;
  size_t length;
  krait_trace *trace = krait_trace_open (scratch_path ("whole"), 0, NULL, 0);
  krait_trace_session *s = krait_trace_session_open (trace, 5);
  for (int i = 0; i < 2; i++)
    log_one (s, i);
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  char *bytes = load (scratch_path ("whole/5.ktr"), &length);
  struct history *whole = read_trace ("whole", &error);
  mkdir (scratch_path ("flipped"), 0777);
  for (size_t bit = 0; bit < 8 * length; bit++) {
    bytes[bit / 8] ^= (char) (1 << bit % 8);
    store_file ("flipped/5.ktr", bytes, length);
    struct history *h = read_trace ("flipped", &error);
    if (is_covered (bit / 8, length)) {
      ASSERT_EQ (NULL, h);
      ASSERT (strstr (error.text, "flipped/5.ktr: at byte "));
    } else if (h) {
      const char *wrong = history_difference (whole, h);
      ASSERTm (wrong, !wrong || !strcmp (wrong, "incomplete")); // a session that seems to be missing, or not closed
    }
    history_free (h);
    bytes[bit / 8] ^= (char) (1 << bit % 8);
  }
  history_free (whole);
  mem_free (bytes);
  PASS ();
}

// --- Clocks -----------------------------------------------------------------

static int64_t first_begin (const char *name, char **warnings, int64_t *second) {
  struct error error;
  struct history *h = read_trace (name, &error);
  if (!h)
    return -1;
  const int64_t begin = history_begin_time (h, 0);
  *second = history_begin_time (h, 1);
  *warnings = h->warnings ? mem_strdup (h->warnings) : NULL;
  history_free (h);
  return begin;
}

// Sessions of one machine have its monotonic clock; of two, their wall clocks.
TEST two_machines_are_put_on_one_time_line (void) {
  char *warnings;
  int64_t second, second_moved;
  size_t length;
  krait_trace *trace = krait_trace_open (scratch_path ("clocks"), 0, NULL, 0);
  log_one (krait_trace_session_open (trace, 1), 1);
  log_one (krait_trace_session_open (trace, 2), 2);
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  const int64_t first = first_begin ("clocks", &warnings, &second);
  ASSERT (first > 0 && second > first);
  ASSERT_EQ (NULL, warnings);

  char *bytes = load (scratch_path ("clocks/2.ktr"), &length);
  const int64_t wall = (int64_t) load_le64 (bytes + TRACE_AT_WALL);
  bytes[TRACE_AT_CLOCK] ^= 1;
  store_le64 (bytes + TRACE_AT_WALL, (uint64_t) (wall + 1000000));
  store_le64 (bytes + TRACE_AT_CHECKSUM, trace_header_checksum (bytes));
  store_file ("clocks/2.ktr", bytes, length);
  ASSERT_EQ (first + wall, first_begin ("clocks", &warnings, &second_moved));
  ASSERT_EQ (second + wall + 1000000, second_moved);
  ASSERT (warnings && strstr (warnings, "several machines"));
  mem_free (warnings);
  mem_free (bytes);
  PASS ();
}

static void change_clock (const char *name, char flip, int64_t later) {
  size_t length;
  char *bytes = load (scratch_path (name), &length);
  bytes[TRACE_AT_CLOCK] ^= flip;
  store_le64 (bytes + TRACE_AT_WALL, load_le64 (bytes + TRACE_AT_WALL) + (uint64_t) later);
  trace_seal (bytes, length);
  store_file (name, bytes, length);
  mem_free (bytes);
}

// The wall clock of one of two machines was set back between two of its sessions. Their order is
// that of its monotonic clock all the same.
TEST a_clock_that_was_set_does_not_move_sessions_of_one_machine (void) {
  struct error error;
  krait_trace *trace = krait_trace_open (scratch_path ("stepped"), 0, NULL, 0);
  for (int i = 1; i <= 4; i++)
    log_one (krait_trace_session_open (trace, (uint64_t) i), i);
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  struct history *h = read_trace ("stepped", &error);
  ASSERTm (error.text, h);
  const int64_t second = history_begin_time (h, 1),
                apart[] = { history_begin_time (h, 2) - history_begin_time (h, 0), history_begin_time (h, 3) - second };
  history_free (h);
  change_clock ("stepped/2.ktr", 1, 0);
  change_clock ("stepped/3.ktr", 0, -5000000000);
  change_clock ("stepped/4.ktr", 1, 5000000000);
  h = read_trace ("stepped", &error);
  ASSERTm (error.text, h);
  ASSERT (history_begin_time (h, 1) > second); // wall-clock time
  ASSERT_EQ (apart[0], history_begin_time (h, 2) - history_begin_time (h, 0));
  ASSERT_EQ (apart[1], history_begin_time (h, 3) - history_begin_time (h, 1));
  history_free (h);
  PASS ();
}

// --- Files that are being written -------------------------------------------

static const int64_t hour = (int64_t) 3600 * 1000000000;

// Moves the records from the `first`-th on by an hour, as if they were logged while others are
// read.
static void make_late (const char *name, unsigned first) {
  size_t length;
  char *bytes = load (scratch_path (name), &length);
  unsigned record = 0;
  for (size_t at = TRACE_HEADER_LENGTH; at < length; at += load_le32 (bytes + at), record++)
    if (record >= first)
      store_le64 (bytes + at + TRACE_AT_TIME, load_le64 (bytes + at + TRACE_AT_TIME) + (uint64_t) hour);
  trace_seal (bytes, length);
  store_file (name, bytes, length);
  mem_free (bytes);
}

// Each transaction of log_one has two operations in six records and three hints. Here one session
// has the output of its second transaction's put later than now, the other one its first begin,
// behind which stands the header of the history.
TEST what_is_logged_while_others_are_read_is_left_out (void) {
  struct error error;
  krait_trace *trace = krait_trace_open (scratch_path ("live"), 0, NULL, 0);
  krait_trace_session *s = krait_trace_session_open (trace, 1);
  for (int i = 0; i < 3; i++)
    log_one (s, i);
  s = krait_trace_session_open (trace, 2);
  log_one (s, 3);
  krait_trace_header (s, "{\"krait\":1,\"init\":{\"default\":0}}");
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  make_late ("live/1.ktr", 11);
  make_late ("live/2.ktr", 0);
  struct history *h = read_trace ("live", &error);
  ASSERTm (error.text, h);
  ASSERT (h->warnings && strstr (h->warnings, "live: still being written") && !strchr (h->warnings, '\n'));
  ASSERT_EQ (2, history_txns (h));
  ASSERT_EQ (TXN_COMMITTED, h->txn_status.data[0]);
  ASSERT_EQ (TXN_UNKNOWN, h->txn_status.data[1]);
  ASSERT_EQ (3, history_ops (h));
  ASSERT_EQ (TIME_NONE_END, h->op_times.data[2].end);
  ASSERT (h->init_default != VALUE_ABSENT);
  history_free (h);
  PASS ();
}

// The times of a history that was converted are nobody's clock, and may be anything.
TEST converted_histories_are_never_being_written (void) {
  static const char text[] = "s1 T1 [9000000000000000000 9000000000000000001] { put x 1 } commit\n";
  struct error error = { 0 };
  struct history *h = history_read_memory ("future", text, strlen (text), &format_kht, &error);
  ASSERTm (error.text, h);
  ASSERT (history_write (h, scratch_path ("future"), &format_trace, true, &error));
  struct history *back = read_trace ("future", &error);
  ASSERTm (error.text, back);
  ASSERT_EQ (NULL, back->warnings);
  const char *wrong = history_difference (h, back);
  ASSERT_EQm (wrong, NULL, wrong);
  history_free (back);
  history_free (h);
  size_t length;
  static const char nobody[TRACE_CLOCK_LENGTH];
  char *bytes = load (scratch_path ("future/1.ktr"), &length);
  ASSERT_EQ (0, memcmp (bytes + TRACE_AT_CLOCK, nobody, sizeof nobody));
  mem_free (bytes);
  const struct trace_clock here = trace_clock_here ();
  ASSERT (here.id[8] & 1);
  PASS ();
}

SUITE (trace_files) {
  RUN_TEST (converted_histories_come_back);
  RUN_TEST (files_of_version_1_are_read);
  RUN_TEST (a_file_without_a_header_is_empty);
  RUN_TEST (records_without_a_header_are_an_error);
  RUN_TEST (a_file_may_be_cut_anywhere);
  RUN_TEST (a_flipped_bit_is_found);
  RUN_TEST (two_machines_are_put_on_one_time_line);
  RUN_TEST (a_clock_that_was_set_does_not_move_sessions_of_one_machine);
  RUN_TEST (what_is_logged_while_others_are_read_is_left_out);
  RUN_TEST (converted_histories_are_never_being_written);
}

KRAIT_UNIT_MAIN (RUN_SUITE (trace_files);)
