// The tracer's calls: what is logged is what is read, and what is wrong is said.

#include "base/error.h"
#include "formats/formats.h"
#include "tests/support/history_equal.h"
#include "tests/support/scratch.h"
#include "tests/trace/store.h"
#include "tests/unit/greatest_main.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char message[KRAIT_MESSAGE_SIZE];

static krait_trace *open_trace (const char *name) {
  return krait_trace_open (scratch_path (name), 0, message, sizeof message);
}

static struct history *read_trace (const char *name, struct error *error) {
  *error = (struct error){ 0 };
  return history_read (scratch_path (name), NULL, error);
}

// --- Every kind of call -----------------------------------------------------

static int log_reads (krait_trace_session *s) {
  const krait_datum items[] = { krait_text ("a"), krait_int (1), krait_text ("b"), krait_bytes ("\0\xff", 2) };
  const krait_datum elements[] = { krait_int (INT64_MIN), krait_unsigned (UINT64_MAX) };
  int wrong = krait_trace_begin_id (s, 7);
  wrong |= krait_trace_get (s, krait_text ("a"), 0) | krait_trace_value (s, krait_int (-1));
  wrong |= krait_trace_get (s, krait_text (""), KRAIT_LOCK_SHARE) | krait_trace_absent (s);
  wrong |= krait_trace_version (s, " null ");
  wrong |= krait_trace_get (s, krait_text ("a"), KRAIT_LOCK_UPDATE); // no output
  wrong |= krait_trace_get (s, krait_text ("a"), 0) | krait_trace_done (s);
  wrong |= krait_trace_get (s, krait_text ("gone"), 0) | krait_trace_refused (s);
  wrong |= krait_trace_scan (s, krait_text ("a"), krait_nothing (), 0) | krait_trace_items (s, items, 4, 0);
  wrong |= krait_trace_version (s, "[[\"a\", 5]]");
  wrong |=
    krait_trace_scan (s, krait_nothing (), krait_text ("c"), KRAIT_LOCK_UPDATE) | krait_trace_items (s, NULL, 0, 0);
  wrong |= krait_trace_scan (s, krait_nothing (), krait_nothing (), 0); // no output
  wrong |= krait_trace_iter (s, krait_text ("a"), krait_text ("z"), KRAIT_ITER_REVERSE | KRAIT_LOCK_SHARE);
  wrong |= krait_trace_items (s, items, 2, KRAIT_ITER_END);
  wrong |= krait_trace_iter (s, krait_text ("a"), krait_text ("z"), 0) | krait_trace_items (s, items + 2, 2, 0);
  wrong |= krait_trace_list (s, krait_text ("l"), 0) | krait_trace_items (s, elements, 2, 0);
  wrong |= krait_trace_list (s, krait_text ("l"), 0) | krait_trace_absent (s);
  wrong |= krait_trace_list (s, krait_text ("l"), 0) | krait_trace_done (s);
  wrong |= krait_trace_hint (s, "{ \"commitTs\" : 3, \"other\": [ ] }");
  return wrong | krait_trace_commit (s) | krait_trace_end (s, KRAIT_COMMITTED);
}

static int log_writes (krait_trace_session *s) {
  int wrong = krait_trace_begin_id (s, 8);
  wrong |= krait_trace_put (s, krait_text ("a"), krait_unsigned (UINT64_MAX)) | krait_trace_done (s);
  wrong |= krait_trace_put (s, krait_text ("a"), krait_text ("refused")) | krait_trace_refused (s);
  wrong |= krait_trace_append (s, krait_text ("l"), krait_bytes ("12345678", 8)) | krait_trace_done (s);
  wrong |= krait_trace_del (s, krait_text ("a")) | krait_trace_bool (s, 1);
  wrong |= krait_trace_del (s, krait_text ("a")) | krait_trace_bool (s, 0);
  wrong |= krait_trace_del (s, krait_text ("a")) | krait_trace_done (s);
  wrong |= krait_trace_cas (s, krait_text ("a"), krait_nothing (), krait_int (4)) | krait_trace_bool (s, 1);
  wrong |= krait_trace_version (s, "8");
  wrong |= krait_trace_cas (s, krait_text ("a"), krait_int (3), krait_int (5)) | krait_trace_bool (s, 0);
  wrong |= krait_trace_cas (s, krait_text ("a"), krait_int (3), krait_int (5)) | krait_trace_done (s);
  wrong |= krait_trace_commit (s) | krait_trace_end (s, KRAIT_ABORTED) | krait_trace_commit_ts (s, -5);
  wrong |= krait_trace_begin_id (s, 9) | krait_trace_end (s, KRAIT_OUTCOME_UNKNOWN);
  wrong |= krait_trace_begin_id (s, 10) | krait_trace_put (s, krait_text ("b"), krait_int (1)) | krait_trace_commit (s);
  return wrong | krait_trace_begin_id (s, 11); // 10 and 11 without an end
}

static const char expected[] =
  "{\"krait\":1,\"keys\":\"bytes\",\"init\":{\"default\":0,\"keys\":[[\"a\",null]]},\"source\":\"a test\"}\n"
  "{\"s\":5,\"t\":7,\"st\":\"ok\",\"ops\":[[\"get\",\"a\",-1],[\"get\",\"\",null,{\"lock\":\"share\",\"version\":null}]"
  ","
  "[\"get\",\"a\",{\"lock\":\"update\"}],[\"get\",\"a\"],[\"scan\",\"a\",null,[[\"a\",1],[\"b\",{\"b64\":\"AP8=\"}]],"
  "{\"version\":[[\"a\",5]]}],[\"scan\",null,\"c\",[],{\"lock\":\"update\"}],[\"scan\",null,null],"
  "[\"iter\",\"a\",\"z\",[[\"a\",1]],{\"end\":true,\"reverse\":true,\"lock\":\"share\"}],"
  "[\"iter\",\"a\",\"z\",[[\"b\",{\"b64\":\"AP8=\"}]],{\"end\":false}],"
  "[\"list\",\"l\",[-9223372036854775808,18446744073709551615]],[\"list\",\"l\",null],[\"list\",\"l\"]],"
  "\"h\":{\"commitTs\":3,\"other\":[]}}\n"
  "{\"s\":5,\"t\":8,\"st\":\"abort\",\"ops\":[[\"put\",\"a\",18446744073709551615],[\"append\",\"l\",\"12345678\"],"
  "[\"del\",\"a\",true],[\"del\",\"a\",false],[\"del\",\"a\"],[\"cas\",\"a\",null,4,true,{\"version\":8}],"
  "[\"cas\",\"a\",3,5,false],[\"cas\",\"a\",3,5]],\"h\":{\"commitTs\":-5}}\n"
  "{\"s\":5,\"t\":9,\"st\":\"unknown\",\"ops\":[]}\n"
  "{\"s\":5,\"t\":10,\"st\":\"unknown\",\"ops\":[[\"put\",\"b\",1]]}\n"
  "{\"s\":5,\"t\":11,\"st\":\"unknown\",\"ops\":[]}\n";

static void forget_times (struct history *h) {
  h->op_times.count = h->txn_begin.count = h->txn_end.count = 0;
}

// Times go up along a session, and each thing that has an end has it after its begin.
static const char *check_times (const struct history *h) {
  if (h->op_times.count != history_ops (h))
    return "an operation without times";
  int64_t last = 0;
  for (size_t op = 0; op < h->op_times.count; op++) {
    const struct op_times *times = &h->op_times.data[op];
    if (times->begin < last || times->end < times->begin)
      return "operations that overlap";
    last = times->begin;
  }
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if ((history_end_time (h, txn) == TIME_NONE_END) != (h->txn_status.data[txn] == TXN_UNKNOWN))
      return "the end of an unknown transaction, or none of another one";
  return NULL;
}

TEST every_call_comes_back (void) {
  struct error error;
  krait_trace *trace = open_trace ("calls");
  ASSERTm (message, trace);
  krait_trace_session *s = krait_trace_session_open (trace, 5);
  ASSERT (s);
  ASSERT_EQ (
    0, krait_trace_header (s, "{\"krait\":1,\"source\":\"a test\",\"init\":{\"default\":0,\"keys\":[[\"a\",null]]}}"));
  ASSERT_EQ (0, log_reads (s));
  ASSERT_EQ (0, log_writes (s));
  ASSERT_EQ (0, krait_trace_close (trace, message, sizeof message));
  struct history *h = read_trace ("calls", &error);
  ASSERTm (error.text, h);
  const char *wrong = check_times (h);
  ASSERT_EQm (wrong, NULL, wrong);
  forget_times (h);
  struct history *wanted = history_read_memory ("wanted", expected, strlen (expected), &format_jsonl, &error);
  ASSERTm (error.text, wanted);
  wrong = history_difference (wanted, h);
  ASSERT_EQm (wrong, NULL, wrong);
  ASSERT_EQ (NULL, h->warnings);
  history_free (wanted);
  history_free (h);
  PASS ();
}

// --- Misuse -----------------------------------------------------------------

static int output_first (krait_trace_session *s) {
  return krait_trace_done (s);
}
static int input_outside (krait_trace_session *s) {
  return krait_trace_end (s, KRAIT_COMMITTED) | krait_trace_get (s, krait_int (1), 0);
}
static int end_twice (krait_trace_session *s) {
  return krait_trace_end (s, KRAIT_COMMITTED) | krait_trace_end (s, KRAIT_COMMITTED);
}
static int commit_outside (krait_trace_session *s) {
  return krait_trace_end (s, KRAIT_COMMITTED) | krait_trace_commit (s);
}
static int two_outputs (krait_trace_session *s) {
  return krait_trace_get (s, krait_int (1), 0) | krait_trace_absent (s) | krait_trace_absent (s);
}
static int output_behind_commit (krait_trace_session *s) {
  return krait_trace_get (s, krait_int (1), 0) | krait_trace_commit (s) | krait_trace_absent (s);
}
static int value_of_put (krait_trace_session *s) {
  return krait_trace_put (s, krait_int (1), krait_int (1)) | krait_trace_value (s, krait_int (1));
}
static int odd_items (krait_trace_session *s) {
  const krait_datum datum = krait_int (1);
  return krait_trace_scan (s, datum, datum, 0) | krait_trace_items (s, &datum, 1, 0);
}
static int end_of_scan (krait_trace_session *s) {
  return krait_trace_scan (s, krait_int (1), krait_int (2), 0) | krait_trace_items (s, NULL, 0, KRAIT_ITER_END);
}
static int item_of_nothing (krait_trace_session *s) {
  const krait_datum nothing = krait_nothing ();
  return krait_trace_list (s, krait_int (1), 0) | krait_trace_items (s, &nothing, 1, 0);
}
static int key_of_nothing (krait_trace_session *s) {
  return krait_trace_get (s, krait_nothing (), 0);
}
static int two_locks (krait_trace_session *s) {
  return krait_trace_get (s, krait_int (1), KRAIT_LOCK_SHARE | KRAIT_LOCK_UPDATE);
}
static int reverse_get (krait_trace_session *s) {
  return krait_trace_get (s, krait_int (1), KRAIT_ITER_REVERSE);
}
static int version_of_put (krait_trace_session *s) {
  return krait_trace_put (s, krait_int (1), krait_int (1)) | krait_trace_done (s) | krait_trace_version (s, "1");
}
static int two_hints (krait_trace_session *s) {
  return krait_trace_commit_ts (s, 1) | krait_trace_hint (s, "{}");
}
static int no_such_datum (krait_trace_session *s) {
  krait_datum key = krait_int (1);
  key.type = (krait_datum_type) 77;
  return krait_trace_get (s, key, 0);
}
static int negative_and_not (krait_trace_session *s) {
  krait_datum key = krait_int (1);
  key.type = KRAIT_NEGATIVE;
  return krait_trace_get (s, key, 0);
}
static int no_such_operation (krait_trace_session *s) {
  return krait_trace_input (s, (krait_operation) 8, 0, krait_int (1), krait_nothing (), krait_nothing ());
}
static int no_such_answer (krait_trace_session *s) {
  return krait_trace_get (s, krait_int (1), 0) | krait_trace_output (s, (krait_answer) 7, 0, NULL, 0);
}
static int no_such_outcome (krait_trace_session *s) {
  return krait_trace_end (s, (krait_outcome) 3);
}
static int no_text (krait_trace_session *s) {
  return krait_trace_header (s, NULL);
}

static int (*const misuses[]) (krait_trace_session *) = {
  output_first,   input_outside,   end_twice,   commit_outside,  two_outputs,      output_behind_commit,
  value_of_put,   odd_items,       end_of_scan, item_of_nothing, key_of_nothing,   two_locks,
  reverse_get,    version_of_put,  two_hints,   no_such_datum,   negative_and_not, no_such_operation,
  no_such_answer, no_such_outcome, no_text,
};

// Another session of the trace stops with it; what both logged before can be read.
static enum greatest_test_res expect_stop (size_t number) {
  struct error error;
  char name[32];
  snprintf (name, sizeof name, "misuse-%zu", number);
  krait_trace *trace = open_trace (name);
  krait_trace_session *s = krait_trace_session_open (trace, KRAIT_ANY_SESSION);
  krait_trace_session *other = krait_trace_session_open (trace, KRAIT_ANY_SESSION);
  ASSERT (s && other);
  ASSERT_EQ (0, krait_trace_begin (s) | krait_trace_begin (other));
  ASSERT_EQ (EINVAL, misuses[number](s));
  ASSERT_EQ (EINVAL, krait_trace_begin (s));
  ASSERT_EQ (EINVAL, krait_trace_put (other, krait_int (1), krait_int (1)));
  ASSERT_EQ (EINVAL, krait_trace_end (other, KRAIT_COMMITTED));
  ASSERT_EQ (EINVAL, krait_trace_error (trace, message, sizeof message));
  ASSERT (strstr (message, "/1.ktr: "));
  ASSERT_EQ (EINVAL, krait_trace_session_close (other));
  *message = 0;
  ASSERT_EQ (EINVAL, krait_trace_close (trace, message, sizeof message));
  ASSERT (strstr (message, "/1.ktr: "));
  struct history *h = read_trace (name, &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (2, history_txns (h));
  ASSERT (h->warnings && strstr (h->warnings, "1.ktr: tracing ended here") && !strchr (h->warnings, '\n'));
  history_free (h);
  PASS ();
}

TEST misuse_is_an_error_that_stays (void) {
  for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++)
    CHECK_CALL (expect_stop (i));
  PASS ();
}

TEST nothing_is_an_error_and_no_crash (void) {
  ASSERT_EQ (EINVAL, krait_trace_begin (NULL));
  ASSERT_EQ (EINVAL, krait_trace_get (NULL, krait_int (1), 0));
  ASSERT_EQ (EINVAL, krait_trace_absent (NULL));
  ASSERT_EQ (EINVAL, krait_trace_commit_ts (NULL, 1));
  ASSERT_EQ (EINVAL, krait_trace_header (NULL, "{}"));
  ASSERT_EQ (EINVAL, krait_trace_session_close (NULL));
  ASSERT_EQ (EINVAL, krait_trace_close (NULL, NULL, 0));
  ASSERT_EQ (NULL, krait_trace_session_open (NULL, 1));
  ASSERT_EQ (NULL, krait_trace_open (NULL, 0, NULL, 0));
  ASSERT_EQ (NULL, krait_trace_open ("x", 1u << 31, message, sizeof message));
  PASS ();
}

// --- Folders ----------------------------------------------------------------

static void log_one (krait_trace_session *s, int key) {
  krait_trace_begin (s);
  krait_trace_put (s, krait_int (key), krait_int (key));
  krait_trace_done (s);
  krait_trace_end (s, KRAIT_COMMITTED);
}

TEST folders_are_added_to_only_when_told (void) {
  struct error error;
  krait_trace *trace = open_trace ("folder");
  log_one (krait_trace_session_open (trace, 2), 1);
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  ASSERT_EQ (NULL, open_trace ("folder"));
  ASSERT (strstr (message, "not empty"));
  ASSERT_EQ (NULL, open_trace ("folder/2.ktr"));
  ASSERT_EQ (NULL, open_trace ("no/such/folder"));

  trace = krait_trace_open (scratch_path ("folder"), KRAIT_TRACE_ADD, NULL, 0);
  ASSERT (trace);
  for (int i = 0; i < 3; i++) // 1, 3 and 4
    log_one (krait_trace_session_open (trace, KRAIT_ANY_SESSION), 2 + i);
  ASSERT_EQ (0, krait_trace_error (trace, message, sizeof message));
  ASSERT_EQ (NULL, krait_trace_session_open (trace, 2));
  ASSERT_EQ (EEXIST, krait_trace_close (trace, message, sizeof message));
  struct history *h = read_trace ("folder", &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (4, history_sessions (h));
  for (uint32_t i = 0; i < 4; i++)
    ASSERT_EQ (i + 1, h->session_labels.data[i]);
  ASSERT_EQ (4, history_txns (h));
  history_free (h);
  PASS ();
}

// A trace ends for errors that no record is to blame for, too: a file is marked then that is open,
// or one that is closed, if no other is there.
TEST errors_of_opening_and_closing_are_in_the_files (void) {
  struct error error;
  for (int kind = 0; kind < 3; kind++) {
    char name[32];
    snprintf (name, sizeof name, "marked-%d", kind);
    krait_trace *trace = open_trace (name);
    const int fd = open ("/dev/null", O_RDONLY); // the session's file will have this number
    close (fd);
    krait_trace_session *s = krait_trace_session_open (trace, 1);
    log_one (s, 1);
    if (kind == 1)
      ASSERT_EQ (0, krait_trace_session_close (s));
    if (kind == 2) {
      close (fd);
      ASSERT_EQ (EBADF, krait_trace_session_close (s));
    } else {
      ASSERT_EQ (NULL, krait_trace_session_open (trace, 1));
    }
    ASSERT_EQ (kind == 2 ? EBADF : EEXIST, krait_trace_close (trace, message, sizeof message));
    ASSERT (strstr (message, kind == 2 ? "/1.ktr: cannot close: " : "/1.ktr: cannot create: "));
    struct history *h = read_trace (name, &error);
    ASSERTm (error.text, h);
    ASSERT_EQ (1, history_txns (h));
    ASSERT (h->warnings && strstr (h->warnings, "1.ktr: tracing ended here") && !strchr (h->warnings, '\n'));
    history_free (h);
  }
  PASS ();
}

// An error stops the sessions of its own trace, and nobody else's.
TEST an_error_beside_other_traces_is_doubted (void) {
  struct error error;
  krait_trace *first = open_trace ("beside");
  krait_trace_session *mistaken = krait_trace_session_open (first, 1);
  log_one (mistaken, 1);
  ASSERT_EQ (EINVAL, krait_trace_done (mistaken));
  ASSERT_EQ (EINVAL, krait_trace_close (first, NULL, 0));
  struct history *h = read_trace ("beside", &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (NULL, h->incomplete);
  history_free (h);

  krait_trace *second = krait_trace_open (scratch_path ("beside"), KRAIT_TRACE_ADD, NULL, 0);
  log_one (krait_trace_session_open (second, 2), 2);
  log_one (krait_trace_session_open (second, 3), 3);
  ASSERT_EQ (0, krait_trace_close (second, NULL, 0));
  h = read_trace ("beside", &error);
  ASSERTm (error.text, h);
  ASSERT (h->incomplete && strstr (h->incomplete, "beside: one process could not log all that it did"));
  history_free (h);
  PASS ();
}

TEST records_of_any_length (void) {
  static const size_t lengths[] = { 0, 1, 7, 8, 9, 65000, 66000, 1 << 20, 9 << 20 };
  struct error error;
  char *bytes = mem_zalloc (9 << 20);
  krait_trace *trace = open_trace ("lengths");
  krait_trace_session *s = krait_trace_session_open (trace, 0);
  krait_trace_begin (s);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    memset (bytes, (int) ('a' + i), lengths[i]);
    ASSERT_EQ (0, krait_trace_put (s, krait_int (1), krait_bytes (bytes, lengths[i])));
  }
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  struct history *h = read_trace ("lengths", &error);
  ASSERTm (error.text, h);
  for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const struct atom atom = atoms_get (&h->values, h->op_values.data[i]);
    ASSERT_EQ (lengths[i], atom.length);
    ASSERT (!atom.length || (atom.bytes[0] == (char) ('a' + i) && atom.bytes[atom.length - 1] == (char) ('a' + i)));
  }
  history_free (h);
  mem_free (bytes);
  PASS ();
}

TEST threads_do_not_disturb_each_other (void) {
  static struct store_progress progress[STORE_MOST_THREADS];
  enum { TXNS = 3000 };
  struct error error;
  krait_trace *trace = open_trace ("threads");
  store_run (trace, STORE_MOST_THREADS, TXNS, 0, progress);
  ASSERT_EQ (0, krait_trace_close (trace, NULL, 0));
  struct history *h = read_trace ("threads", &error);
  ASSERTm (error.text, h);
  ASSERT_EQ (STORE_MOST_THREADS, history_sessions (h));
  ASSERT_EQ (STORE_MOST_THREADS * TXNS, history_txns (h));
  ASSERT_EQ (STORE_MOST_THREADS * TXNS * STORE_OPS, history_ops (h));
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    ASSERT_EQ (TXN_COMMITTED, h->txn_status.data[txn]);
  history_free (h);
  PASS ();
}

SUITE (tracer) {
  RUN_TEST (every_call_comes_back);
  RUN_TEST (misuse_is_an_error_that_stays);
  RUN_TEST (nothing_is_an_error_and_no_crash);
  RUN_TEST (folders_are_added_to_only_when_told);
  RUN_TEST (errors_of_opening_and_closing_are_in_the_files);
  RUN_TEST (an_error_beside_other_traces_is_doubted);
  RUN_TEST (records_of_any_length);
  RUN_TEST (threads_do_not_disturb_each_other);
}

KRAIT_UNIT_MAIN (RUN_SUITE (tracer);)
