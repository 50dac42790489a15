// Formats that are not ours to read by eye: krait binary, Cobra, dbcop, Plume. Round trips, damage,
// and the corners of their meaning.

#include "base/input.h"
#include "base/output.h"
#include "formats/bytes.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "tests/brute/prng.h"
#include "tests/support/history_equal.h"
#include "tests/support/krt_seal.h"
#include "tests/support/sample_history.h"
#include "tests/support/scratch.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEEDS = 400 };

// The file that a format makes of a history. To be freed.
static char *file_of (const struct history *h, const struct format *format, size_t *length, struct error *error) {
  struct output *output = output_open_memory ();
  char *copy = NULL;
  if (format->write (h, output, error)) {
    const char *bytes = output_memory (output, length);
    copy = mem_alloc (*length + 1);
    memcpy (copy, bytes, *length);
  }
  output_discard (output);
  return copy;
}

static const char *trip_through_file (const struct history *h, const struct format *format, struct error *error) {
  size_t length;
  char *bytes = file_of (h, format, &length, error);
  if (!bytes)
    return error->text;
  struct history *back = history_read_memory ("trip", bytes, length, format, error);
  const char *difference = back ? history_difference (h, back) : error->text;
  history_free (back);
  mem_free (bytes);
  return difference;
}

static const char *trip_through_folder (const struct history *h, const struct format *format, struct error *error) {
  const char *path = scratch_path ("trip");
  if (!history_write (h, path, format, true, error))
    return error->text;
  struct history *back = history_read (path, format, error);
  const char *difference = back ? history_difference (h, back) : error->text;
  history_free (back);
  return difference;
}

TEST round_trips (enum sample_kind kind, const struct format *format) {
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct history *h = sample_history (kind, seed);
    struct error error = { 0 };
    const char *difference = NULL;
    if (!format_is_folder (format))
      difference = trip_through_file (h, format, &error);
    else if (history_txns (h)) // a folder without logs is no history
      difference = trip_through_folder (h, format, &error);
    history_free (h);
    ASSERT_EQm (difference, NULL, difference);
  }
  PASS ();
}

TEST krt_keeps_warnings_and_detects_itself (void) {
  struct history *h = sample_history (SAMPLE_FULL, 5);
  history_warn (h, "a torn last line");
  struct error error = { 0 };
  size_t length;
  char *bytes = file_of (h, &format_krt, &length, &error);
  struct history *back = history_read_memory ("x", bytes, length, NULL, &error);
  ASSERT (back);
  ASSERT_STR_EQ ("a torn last line", back->warnings);
  history_free (h);
  history_free (back);
  mem_free (bytes);
  PASS ();
}

// A message about a file: one line that begins with the file's name.
static bool is_message (const struct error *error, const char *name) {
  return error->code && !strncmp (error->text, name, strlen (name)) && !strchr (error->text, '\n');
}

static bool refuses (const char *bytes, size_t length, const struct format *format) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("damaged", bytes, length, format, &error);
  const bool refused = !h && is_message (&error, "damaged");
  history_free (h);
  return refused;
}

// A history with something in every column.
static char *small_krt (size_t *length) {
  struct error error = { 0 };
  struct history *h = sample_history (SAMPLE_FULL, 3);
  for (uint64_t seed = 4;
       !h->op_times.count || !h->op_hints.count || !h->txn_hints.count || !h->ranges.count || !h->source; seed++) {
    history_free (h);
    h = sample_history (SAMPLE_FULL, seed);
  }
  history_warn (h, "something");
  char *bytes = file_of (h, &format_krt, length, &error);
  history_free (h);
  return bytes;
}

TEST every_flipped_bit_of_a_krt_is_found (void) {
  size_t length;
  char *bytes = small_krt (&length);
  struct error error = { 0 };
  struct history *h = history_read_memory ("whole", bytes, length, NULL, &error);
  ASSERT (h);
  history_free (h);
  for (size_t bit = 0; bit < 8 * length; bit++) {
    bytes[bit / 8] ^= (char) (1 << bit % 8);
    ASSERT (refuses (bytes, length, NULL));
    ASSERT (refuses (bytes, length, &format_krt));
    bytes[bit / 8] ^= (char) (1 << bit % 8);
  }
  mem_free (bytes);
  PASS ();
}

TEST every_truncation_of_a_krt_is_found (void) {
  size_t length;
  char *bytes = small_krt (&length);
  for (size_t cut = 0; cut < length; cut++) {
    // A copy of just that length, so that a sanitizer sees a read beyond.
    char *copy = mem_alloc (cut);
    memcpy (copy, bytes, cut);
    ASSERT (refuses (copy, cut, &format_krt));
    mem_free (copy);
  }
  bytes[length] = 0;
  ASSERT (refuses (bytes, length + 1, &format_krt));
  mem_free (bytes);
  PASS ();
}

// Checksums cannot help against these; validation must. Most are refused, some still make sense;
// none may crash, here or later.
TEST tampered_krt_with_fitting_checksums (void) {
  size_t length;
  char *bytes = small_krt (&length), *copy = mem_alloc (length);
  struct prng random = prng_fork (1, 1);
  unsigned refused = 0;
  for (int i = 0; i < 20000; i++) {
    memcpy (copy, bytes, length);
    for (unsigned changes = 1 + prng_below (&random, 2); changes; changes--)
      copy[16 + prng_below (&random, (unsigned) length - 16)] =
        (char) (prng_chance (&random, 50) ? 255 : prng_below (&random, 16));
    krt_seal (copy, length);
    struct error error = { 0 };
    struct history *h = history_read_memory ("tampered", copy, length, &format_krt, &error);
    ASSERT (h || is_message (&error, "tampered"));
    if (h)
      ASSERT_EQ (NULL, history_difference (h, h)); // looks at everything
    refused += !h;
    history_free (h);
  }
  ASSERT (refused > 5000);
  mem_free (copy);
  mem_free (bytes);
  PASS ();
}

TEST random_bytes_are_no_history (void) {
  struct prng random = prng_fork (2, 2);
  char bytes[256];
  for (int i = 0; i < 5000; i++) {
    const size_t length = 1 + prng_below (&random, sizeof bytes);
    for (size_t at = 0; at < length; at++)
      bytes[at] = (char) prng_next (&random);
    bytes[0] = (char) 0x80; // no text
    ASSERT (refuses (bytes, length, NULL));
    ASSERT (refuses (bytes, length, &format_krt));
    ASSERT (refuses (bytes, length, &format_plume));
  }
  PASS ();
}

TEST dbcop_and_plume_refuse_every_truncation (void) {
  struct error error = { 0 };
  struct history *h = sample_history (SAMPLE_DBCOP, 7);
  size_t length;
  char *bytes = file_of (h, &format_dbcop, &length, &error);
  ASSERT (bytes);
  for (size_t cut = 0; cut < length; cut++) {
    char *copy = mem_alloc (cut);
    memcpy (copy, bytes, cut);
    ASSERT (refuses (copy, cut, &format_dbcop));
    mem_free (copy);
  }
  mem_free (bytes);
  history_free (h);
  static const char plume[] = "w(1,2,3,4)";
  for (size_t cut = 1; cut + 1 < sizeof plume; cut++)
    ASSERT (refuses (plume, cut, &format_plume));
  PASS ();
}

TEST a_count_that_the_file_cannot_hold_is_refused (void) {
  char bytes[5 * 8 + 3 * 8 + 8 + 8 + 8] = { 0 };
  store_le64 (bytes + 64, 1);
  store_le64 (bytes + 72, 1);
  store_le64 (bytes + 80, UINT64_MAX / 18 + 1); // events; times 18 it would wrap to a small number
  ASSERT (refuses (bytes, sizeof bytes, &format_dbcop));
  store_le64 (bytes + 64, UINT64_MAX);
  ASSERT (refuses (bytes, sizeof bytes, &format_dbcop));
  PASS ();
}

TEST unknown_formats_are_named_by_their_bytes (void) {
  struct error error = { 0 };
  ASSERT_FALSE (history_read_memory ("some/file", "\x53\x01", 2, NULL, &error));
  ASSERT_STR_EQ ("some/file: no known history format (first bytes 53 01)", error.text);
  ASSERT_EQ (2, error.code);
  error = (struct error){ 0 };
  ASSERT_FALSE (history_read (scratch_folder (), NULL, &error));
  ASSERT (strstr (error.text, "no known history format (a folder without"));
  PASS ();
}

// --- Plume ---

static struct history *plume (const char *text, struct error *error) {
  *error = (struct error){ 0 };
  return history_read_memory ("plume", text, strlen (text), &format_plume, error);
}

static struct atom value_of_op (const struct history *h, uint32_t op) {
  return atoms_get (&h->values, h->op_values.data[op]);
}

TEST plume_lines_make_transactions (void) {
  struct error error;
  struct history *h =
    plume ("w(1,1,0,-1)\r\nw(2,-9,0,-1)\n\nr(1,18446744073709551615,0,1)\nw(-5,3,4,-1)\nw(-5,4,0,2)", &error);
  ASSERT (h);
  ASSERT_EQ (2u, history_sessions (h));
  ASSERT_EQ (4u, history_txns (h));
  ASSERT_EQ (TXN_ABORTED, h->txn_status.data[0]);
  ASSERT_EQ (2u, h->txn_first_op.data[1]);
  ASSERT_EQ (3u, h->txn_ids.data[0]); // behind the largest of the file
  ASSERT_EQ (1u, h->txn_ids.data[1]);
  ASSERT_EQ (2u, h->txn_ids.data[2]);
  ASSERT_EQ (4u, h->txn_ids.data[3]);
  ASSERT_EQ (ATOM_NEGATIVE, value_of_op (h, 1).kind);
  ASSERT_EQ (UINT64_MAX, value_of_op (h, 2).number);
  ASSERT_EQ (INIT_DEFAULT, h->init);
  ASSERT_EQ (0u, h->init_keys.count);
  history_free (h);
  PASS ();
}

TEST plume_explicit_first_transaction_replaces_the_zeros (void) {
  struct error error;
  struct history *h = plume ("w(1,0,0,0)\nw(2,0,0,0)\nr(1,0,1,1)\nr(3,0,1,1)\n", &error);
  ASSERT (h);
  ASSERT_EQ (2u, h->init_keys.count); // 1 and 2 start absent; 3 starts with 0
  ASSERT_EQ (VALUE_ABSENT, h->init_values.data[0]);
  ASSERT_EQ (VALUE_ABSENT, h->init_values.data[1]);
  struct error write_error = { 0 };
  ASSERT_EQ (NULL, trip_through_file (h, &format_plume, &write_error));
  history_free (h);

  h = plume ("w(1,0,0,0)\nw(2,1,0,0)\nr(1,0,1,1)\n", &error); // an ordinary transaction
  ASSERT (h);
  ASSERT_EQ (0u, h->init_keys.count);
  history_free (h);
  PASS ();
}

TEST plume_errors_name_line_and_column (void) {
  struct error error;
  ASSERT_FALSE (plume ("r(1,2,3,4)\nr(1,2;3,4)\n", &error));
  ASSERT_STR_EQ ("plume:2:6: a comma expected", error.text);
  ASSERT_FALSE (plume ("r(1,18446744073709551616,3,4)\n", &error));
  ASSERT_STR_EQ ("plume:1:5: an integer from -2^63 to 2^64-1 expected", error.text);
  ASSERT_FALSE (plume ("r(1,2,0,4)\nr(1,2,0,5)\nr(1,2,0,4)\n", &error));
  ASSERT_STR_EQ ("plume:3: the transaction id was used before", error.text);
  ASSERT_FALSE (plume ("r(1,2,0,-2)\n", &error));
  ASSERT_STR_EQ ("plume:1: a transaction with a negative number other than -1", error.text);
  PASS ();
}

// --- dbcop ---

static size_t put_event (char *to, bool is_write, uint64_t key, uint64_t value, bool success) {
  to[0] = is_write;
  store_le64 (to + 1, key);
  store_le64 (to + 9, value);
  to[17] = success;
  return 18;
}

TEST dbcop_drops_failed_events_and_aborted_reads (void) {
  char bytes[512] = { 0 };
  size_t at = 64; // counts of the header and three empty strings
  store_le64 (bytes + at, 1);
  store_le64 (bytes + at + 8, 2);
  at += 16;
  store_le64 (bytes + at, 3);
  at += 8;
  at += put_event (bytes + at, false, 5, 0, true);
  at += put_event (bytes + at, true, 5, 1, true);
  at += put_event (bytes + at, true, 5, 2, false);
  bytes[at++] = 1;
  store_le64 (bytes + at, 2);
  at += 8;
  at += put_event (bytes + at, false, 5, 1, true);
  at += put_event (bytes + at, true, 5, 3, true);
  bytes[at++] = 0;
  struct error error = { 0 };
  struct history *h = history_read_memory ("dbcop", bytes, at, NULL, &error);
  ASSERT (h);
  ASSERT_EQ (2u, history_txns (h));
  ASSERT_EQ (TXN_COMMITTED, h->txn_status.data[0]);
  ASSERT_EQ (2u, h->txn_first_op.data[1]);
  ASSERT_EQ (TXN_ABORTED, h->txn_status.data[1]);
  ASSERT_EQ (3u, history_ops (h));
  ASSERT_EQ (OP_PUT, h->op_kinds.data[2]);
  ASSERT_EQ (INIT_DEFAULT, h->init);
  ASSERT_EQ (0u, atoms_get (&h->values, h->init_default).number);
  history_free (h);
  PASS ();
}

// --- Cobra ---

struct log {
  char bytes[512];
  size_t length;
};

static void record (struct log *log, char letter, size_t count, const uint64_t *numbers) {
  log->bytes[log->length++] = letter;
  for (size_t i = 0; i < count; i++, log->length += 8)
    store_be64 (log->bytes + log->length, numbers[i]);
}

#define RECORD(log, letter, ...)                                                                                       \
  record (log, letter, sizeof ((uint64_t[]){ __VA_ARGS__ }) / sizeof (uint64_t), (uint64_t[]){ __VA_ARGS__ })

static struct history *read_log (const struct log *log, struct error *error) {
  *error = (struct error){ 0 };
  mkdir (scratch_path ("cobra"), 0777);
  struct output *output = output_open (scratch_path ("cobra/T7.log"), true, error);
  output_write (output, log->bytes, log->length);
  if (!output_commit (output, error))
    return NULL;
  return history_read (scratch_path ("cobra"), NULL, error);
}

TEST cobra_ids_say_what_was_read (void) {
  struct log log = { 0 };
  RECORD (&log, 'S', 11);
  RECORD (&log, 'R', 0xbebeebee, 0xbebeebee, 1, 77); // initial
  RECORD (&log, 'R', 0xdeadbeef, 0xdeadbeef, 2, 0);  // null
  RECORD (&log, 'R', 0x23332333, 0x23332333, 3, 0);  // garbage collection
  RECORD (&log, 'R', 0x66666666, 0x66666666, 3, 0);
  RECORD (&log, 'W', 500, UINT64_MAX, 9);
  RECORD (&log, 'C', 11);
  RECORD (&log, 'S', 12);
  RECORD (&log, 'R', 99, 600, 1, 9); // from a transaction that is not there
  struct error error;
  struct history *h = read_log (&log, &error);
  ASSERT (h);
  ASSERT_EQ (7u, h->session_labels.data[0]);
  ASSERT_EQ (4u, history_ops (h));
  ASSERT_EQ (3u, history_keys (h));
  ASSERT_EQ (0xbebeebeeu, value_of_op (h, 0).number);
  ASSERT_EQ (1u, h->init_keys.count);
  ASSERT_EQ (h->op_keys.data[0], h->init_keys.data[0]);
  ASSERT_EQ (h->op_values.data[0], h->init_values.data[0]);
  ASSERT_EQ (INIT_ABSENT, h->init);
  ASSERT_EQ (VALUE_ABSENT, h->op_values.data[1]);
  ASSERT_EQ (500u, value_of_op (h, 2).number);
  ASSERT_EQ (600u, value_of_op (h, 3).number);
  ASSERT_EQ (TXN_COMMITTED, h->txn_status.data[0]);
  ASSERT_EQ (TXN_UNKNOWN, h->txn_status.data[1]);
  history_free (h);
  PASS ();
}

TEST cobra_without_ids_is_matched_by_value (void) {
  struct log log = { 0 };
  RECORD (&log, 'S', 11);
  RECORD (&log, 'W', 0xabddefee, 1, 9);
  RECORD (&log, 'R', 11, 0xabddefee, 1, 9);
  RECORD (&log, 'C', 11);
  struct error error;
  struct history *h = read_log (&log, &error);
  ASSERT (h);
  ASSERT_EQ (9u, value_of_op (h, 0).number);
  ASSERT_EQ (9u, value_of_op (h, 1).number);
  history_free (h);
  PASS ();
}

TEST cobra_errors_name_file_and_byte (void) {
  struct error error;
  struct log log = { 0 };
  RECORD (&log, 'W', 1, 2, 3);
  ASSERT_FALSE (read_log (&log, &error));
  ASSERT (strstr (error.text, "T7.log: at byte 0: a write outside of a transaction"));
  log.length = 0;
  RECORD (&log, 'S', 1);
  RECORD (&log, 'S', 2);
  ASSERT_FALSE (read_log (&log, &error));
  ASSERT (strstr (error.text, "T7.log: at byte 9: a transaction starts before the last one has committed"));
  log.length = 10;
  log.bytes[9] = 'C';
  ASSERT_FALSE (read_log (&log, &error));
  ASSERT (strstr (error.text, "T7.log: at byte 9: the record is cut off"));
  log.bytes[9] = 'X';
  ASSERT_FALSE (read_log (&log, &error));
  ASSERT (strstr (error.text, "no record starts with byte 0x58"));
  ASSERT_EQ (2, error.code);
  error = (struct error){ 0 };
  ASSERT_FALSE (history_read (scratch_path ("cobra/T7.log"), NULL, &error));
  ASSERT (strstr (error.text, "no known history format"));
  PASS ();
}

TEST cobra_writer_leaves_no_session_of_another_history (void) {
  struct error error = { 0 };
  struct log log = { 0 };
  RECORD (&log, 'S', 1);
  RECORD (&log, 'C', 1);
  history_free (read_log (&log, &error)); // T7.log
  struct history *h = sample_history (SAMPLE_COBRA, 1);
  ASSERT (history_txns (h) && h->session_labels.data[history_sessions (h) - 1] < 7);
  ASSERT_FALSE (history_write (h, scratch_path ("cobra"), &format_cobra, false, &error));
  ASSERT (strstr (error.text, "exists already"));
  error = (struct error){ 0 };
  ASSERT (history_write (h, scratch_path ("cobra"), &format_cobra, true, &error));
  ASSERT (access (scratch_path ("cobra/T7.log"), F_OK));
  struct history *back = history_read (scratch_path ("cobra"), NULL, &error);
  ASSERT_EQ (NULL, history_difference (h, back));
  history_free (h);
  history_free (back);
  PASS ();
}

// --- What others' formats cannot hold ---

static struct history *one_op (enum op_kind kind, struct atom key, uint32_t value, enum txn_status status) {
  struct history *h = history_new ("mine");
  const char *why;
  const struct txn_header header = { 0, true, 42, status, TIME_NONE_BEGIN, TIME_NONE_END };
  history_begin_txn (h, &header, &why);
  if (value == 0)
    value = history_value (h, atom_signed (-1), &why);
  history_add_op (h, kind, 0, history_key (h, key, &why), value, AUX_NONE, &why);
  history_finish (h);
  return h;
}

TEST writers_name_what_does_not_fit (void) {
  const struct {
    enum op_kind kind;
    struct atom key;
    uint32_t value;
    enum txn_status status;
    const struct format *format;
    const char *text;
  } cases[] = {
    { OP_DEL, atom_unsigned (1), VALUE_NONE, TXN_COMMITTED, &format_dbcop,
      "mine: transaction 42, operation 1: del cannot be written as a dbcop history" },
    { OP_GET, atom_bytes ("k", 1), VALUE_ABSENT, TXN_COMMITTED, &format_plume,
      "mine: transaction 42, operation 1: a string cannot be written as Plume text" },
    { OP_PUT, atom_unsigned (1), 0, TXN_COMMITTED, &format_dbcop,
      "mine: transaction 42, operation 1: a negative number cannot be written as a dbcop history" },
    { OP_GET, atom_unsigned (1), VALUE_UNRECORDED, TXN_COMMITTED, &format_plume,
      "mine: transaction 42, operation 1: a read without a result cannot be written as Plume text" },
    { OP_GET, atom_unsigned (1), VALUE_ABSENT, TXN_UNKNOWN, &format_plume,
      "mine: transaction 42: an unknown outcome cannot be written as Plume text" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct history *h = one_op (cases[i].kind, cases[i].key, cases[i].value, cases[i].status);
    struct error error = { 0 };
    size_t length;
    ASSERT_FALSE (file_of (h, cases[i].format, &length, &error));
    ASSERT_STR_EQ (cases[i].text, error.text);
    history_free (h);
  }
  PASS ();
}

SUITE (round_trip) {
  RUN_TESTp (round_trips, SAMPLE_FULL, &format_krt);
  RUN_TESTp (round_trips, SAMPLE_COBRA, &format_krt);
  RUN_TESTp (round_trips, SAMPLE_COBRA, &format_cobra);
  RUN_TESTp (round_trips, SAMPLE_DBCOP, &format_dbcop);
  RUN_TESTp (round_trips, SAMPLE_PLUME, &format_plume);
  RUN_TEST (krt_keeps_warnings_and_detects_itself);
}

SUITE (damage) {
  RUN_TEST (every_flipped_bit_of_a_krt_is_found);
  RUN_TEST (every_truncation_of_a_krt_is_found);
  RUN_TEST (tampered_krt_with_fitting_checksums);
  RUN_TEST (random_bytes_are_no_history);
  RUN_TEST (dbcop_and_plume_refuse_every_truncation);
  RUN_TEST (a_count_that_the_file_cannot_hold_is_refused);
  RUN_TEST (unknown_formats_are_named_by_their_bytes);
}

SUITE (meaning) {
  RUN_TEST (plume_lines_make_transactions);
  RUN_TEST (plume_explicit_first_transaction_replaces_the_zeros);
  RUN_TEST (plume_errors_name_line_and_column);
  RUN_TEST (dbcop_drops_failed_events_and_aborted_reads);
  RUN_TEST (cobra_ids_say_what_was_read);
  RUN_TEST (cobra_without_ids_is_matched_by_value);
  RUN_TEST (cobra_errors_name_file_and_byte);
  RUN_TEST (cobra_writer_leaves_no_session_of_another_history);
  RUN_TEST (writers_name_what_does_not_fit);
}

KRAIT_UNIT_MAIN (RUN_SUITE (round_trip); RUN_SUITE (damage); RUN_SUITE (meaning);)
