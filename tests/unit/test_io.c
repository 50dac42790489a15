// Files in and out: plain, compressed, broken.

#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"
#include "greatest_main.h"
#include "tests/support/scratch.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_file (const char *name, const char *bytes, size_t length, bool force, struct error *error) {
  struct output *output = output_open (scratch_path (name), force, error);
  if (!output)
    return false;
  output_write (output, bytes, length);
  return output_commit (output, error);
}

// All of a file as it lies on the disk. To be freed.
static char *raw_file (const char *name, size_t *length) {
  FILE *file = fopen (scratch_path (name), "rb");
  if (!file)
    misuse (__func__, "a file that was just written is not there");
  char *bytes = mem_alloc (1 << 20);
  *length = fread (bytes, 1, 1 << 20, file);
  fclose (file);
  return bytes;
}

// Text that compresses, but not to nothing: many windows and several blocks.
static char *long_text (size_t lines, size_t *length) {
  char *text = mem_alloc (lines * 24 + 1);
  *length = 0;
  for (size_t i = 0; i < lines; i++)
    *length += (size_t) sprintf (text + *length, "%zu %zu\n", i, i * 2654435761u % 1000003);
  return text;
}

static const char *const names[] = { "plain", "packed.gz", "packed.zst" };

TEST what_is_written_is_read_again (void) {
  size_t length, got;
  char *text = long_text (100000, &length);
  for (size_t i = 0; i < 3; i++) {
    struct error error = { 0 };
    ASSERT (write_file (names[i], text, length, true, &error));
    struct input *input = input_open (scratch_path (names[i]), &error);
    ASSERT (input);
    const char *head = input_peek (input, &got, &error);
    ASSERT (head && got == 64 << 10 && !memcmp (head, text, got));
    const char *all = input_all (input, &got, &error);
    ASSERT (all && got == length && !memcmp (all, text, length));
    input_close (input);
  }
  mem_free (text);
  PASS ();
}

TEST lines_are_the_same_whatever_the_wrapping (void) {
  size_t length, got;
  char *text = long_text (100000, &length);
  for (size_t i = 0; i < 3; i++) {
    struct error error = { 0 };
    ASSERT (write_file (names[i], text, length, true, &error));
    struct input *input = input_open (scratch_path (names[i]), &error);
    const char *line, *expected = text;
    while (input_line (input, &line, &got, &error)) {
      ASSERT (!memcmp (line, expected, got) && expected[got] == '\n');
      expected += got + 1;
    }
    ASSERT_EQ (0, error.code);
    ASSERT_EQ (text + length, expected);
    ASSERT_EQ (100000u, input_line_number (input));
    ASSERT_FALSE (input_line_torn (input));
    input_close (input);
  }
  mem_free (text);
  PASS ();
}

TEST line_ends_and_torn_lines (void) {
  static const char text[] = "a\r\n\nb\rc\nlast\r";
  struct error error = { 0 };
  struct input *input = input_open_memory ("text", text, sizeof text - 1);
  static const char *const expected[] = { "a", "", "b\rc", "last\r" };
  const char *line;
  size_t length;
  for (size_t i = 0; i < 4; i++) {
    ASSERT (input_line (input, &line, &length, &error));
    ASSERT_EQ (strlen (expected[i]), length);
    ASSERT (!memcmp (expected[i], line, length));
    ASSERT_EQ (i == 3, input_line_torn (input));
  }
  ASSERT_FALSE (input_line (input, &line, &length, &error));
  ASSERT_EQ (0, error.code);
  input_close (input);
  PASS ();
}

TEST an_empty_file_has_nothing (void) {
  struct error error = { 0 };
  ASSERT (write_file ("empty", "", 0, true, &error));
  struct input *input = input_open (scratch_path ("empty"), &error);
  const char *line;
  size_t length = 7;
  ASSERT (input_peek (input, &length, &error));
  ASSERT_EQ (0u, length);
  ASSERT_FALSE (input_line (input, &line, &length, &error));
  ASSERT (input_all (input, &length, &error));
  ASSERT_EQ (0u, length);
  ASSERT_EQ (0, error.code);
  input_close (input);
  PASS ();
}

TEST members_and_frames_follow_each_other (void) {
  for (size_t i = 1; i < 3; i++) {
    struct error error = { 0 };
    size_t length, got;
    ASSERT (write_file (names[i], "one\ntwo", 7, true, &error));
    char *packed = raw_file (names[i], &length), *twice = mem_alloc (2 * length);
    memcpy (twice, packed, length);
    memcpy (twice + length, packed, length);
    struct input *input = input_open_memory ("twice", twice, 2 * length);
    const char *all = input_all (input, &got, &error);
    ASSERT (all && got == 14 && !memcmp (all, "one\ntwoone\ntwo", 14));
    input_close (input);
    mem_free (packed);
    mem_free (twice);
  }
  PASS ();
}

static bool breaks (const char *bytes, size_t length, const char *text) {
  struct error error = { 0 };
  struct input *input = input_open_memory ("broken", bytes, length);
  size_t got;
  const bool broken = !input_all (input, &got, &error);
  input_close (input);
  return broken && error.code == ERROR_INPUT && !strncmp (error.text, "broken: at byte ", 16)
         && strstr (error.text, text);
}

TEST compressed_data_that_is_cut_off (void) {
  size_t text_length;
  char *text = long_text (300, &text_length);
  for (size_t i = 1; i < 3; i++) {
    struct error error = { 0 };
    size_t length;
    ASSERT (write_file (names[i], text, text_length, true, &error));
    char *packed = raw_file (names[i], &length);
    for (size_t cut = 4; cut < length; cut++)
      ASSERT (breaks (packed, cut, "cut off"));
    mem_free (packed);
  }
  mem_free (text);
  PASS ();
}

// Both wrappings have a checksum of their contents; only bits that mean nothing (a file time, say)
// may be flipped unseen.
TEST compressed_data_with_flipped_bits (void) {
  size_t text_length;
  char *text = long_text (300, &text_length);
  for (size_t i = 1; i < 3; i++) {
    struct error error = { 0 };
    size_t length, got;
    ASSERT (write_file (names[i], text, text_length, true, &error));
    char *packed = raw_file (names[i], &length);
    for (size_t bit = 32; bit < 8 * length; bit++) {
      packed[bit / 8] ^= (char) (1 << bit % 8);
      struct input *input = input_open_memory ("flipped", packed, length);
      error = (struct error){ 0 };
      const char *all = input_all (input, &got, &error);
      ASSERT (all ? got == text_length && !memcmp (all, text, got) : error.code != 0);
      input_close (input);
      packed[bit / 8] ^= (char) (1 << bit % 8);
    }
    mem_free (packed);
  }
  mem_free (text);
  PASS ();
}

TEST bytes_behind_compressed_data (void) {
  for (size_t i = 1; i < 3; i++) {
    struct error error = { 0 };
    size_t length;
    ASSERT (write_file (names[i], "x", 1, true, &error));
    char *packed = raw_file (names[i], &length);
    memcpy (packed + length, "garbage", 7);
    ASSERT (breaks (packed, length + 7, i == 1 ? "no gzip data" : "broken zstd data"));
    mem_free (packed);
  }
  PASS ();
}

TEST nothing_to_open (void) {
  struct error error = { 0 };
  ASSERT_FALSE (input_open (scratch_path ("missing"), &error));
  ASSERT (strstr (error.text, "missing: cannot open: "));
  error = (struct error){ 0 };
  ASSERT_FALSE (input_open (scratch_folder (), &error));
  ASSERT (strstr (error.text, "is a folder, not a file"));
  error = (struct error){ 0 };
  ASSERT_FALSE (output_open (scratch_path ("no/such/folder"), true, &error));
  ASSERT (strstr (error.text, "cannot create"));
  PASS ();
}

static unsigned files_named (const char *prefix) {
  DIR *folder = opendir (scratch_folder ());
  unsigned found = 0;
  for (const struct dirent *entry; (entry = readdir (folder));)
    found += !strncmp (entry->d_name, prefix, strlen (prefix));
  closedir (folder);
  return found;
}

TEST a_file_is_not_overwritten_without_force (void) {
  struct error error = { 0 };
  size_t length;
  ASSERT (write_file ("kept", "old", 3, false, &error));
  ASSERT_FALSE (write_file ("kept", "new", 3, false, &error));
  ASSERT (strstr (error.text, "kept: exists already (--force overwrites it)"));
  error = (struct error){ 0 };
  ASSERT (write_file ("kept", "newer", 5, true, &error));
  char *bytes = raw_file ("kept", &length);
  ASSERT_EQ (5u, length);
  ASSERT_EQ (1u, files_named ("kept"));
  mem_free (bytes);
  PASS ();
}

TEST a_file_that_appears_meanwhile_stays (void) {
  struct error error = { 0 };
  size_t length;
  struct output *output = output_open (scratch_path ("race"), false, &error);
  ASSERT (output);
  output_text (output, "mine");
  ASSERT (write_file ("race", "theirs", 6, false, &error));
  ASSERT_FALSE (output_commit (output, &error));
  ASSERT (strstr (error.text, "exists already"));
  char *bytes = raw_file ("race", &length);
  ASSERT_EQ (6u, length);
  ASSERT_EQ (1u, files_named ("race"));
  mem_free (bytes);
  PASS ();
}

TEST a_discarded_file_leaves_nothing (void) {
  struct error error = { 0 };
  struct output *output = output_open (scratch_path ("gone"), false, &error);
  output_text (output, "text");
  ASSERT_EQ (1u, files_named ("gone")); // the temporary
  output_discard (output);
  ASSERT_EQ (0u, files_named ("gone"));
  PASS ();
}

TEST a_device_is_written_not_replaced (void) {
  struct error error = { 0 };
  struct stat status;
  struct output *output = output_open ("/dev/null", false, &error);
  ASSERT (output);
  output_text (output, "text");
  ASSERT (output_commit (output, &error));
  ASSERT (!stat ("/dev/null", &status) && S_ISCHR (status.st_mode));
  output = output_open ("/dev/full", false, &error);
  if (!output)
    SKIP ();
  output_text (output, "text");
  ASSERT_FALSE (output_commit (output, &error));
  ASSERT (strstr (error.text, "/dev/full: cannot write: "));
  PASS ();
}

TEST numbers_and_formats (void) {
  struct output *output = output_open_memory ();
  char long_word[1000];
  size_t length;
  memset (long_word, 'x', sizeof long_word);
  output_u64 (output, 0);
  output_text (output, " ");
  output_u64 (output, UINT64_MAX);
  output_printf (output, " %d %.*s", -3, 1000, long_word);
  const char *text = output_memory (output, &length);
  ASSERT_EQ (sizeof "0 18446744073709551615 -3 " - 1 + 1000, length);
  ASSERT (!memcmp (text, "0 18446744073709551615 -3 xxx", 29));
  struct error error = { 0 };
  ASSERT (output_commit (output, &error));
  PASS ();
}

SUITE (input) {
  RUN_TEST (what_is_written_is_read_again);
  RUN_TEST (lines_are_the_same_whatever_the_wrapping);
  RUN_TEST (line_ends_and_torn_lines);
  RUN_TEST (an_empty_file_has_nothing);
  RUN_TEST (members_and_frames_follow_each_other);
  RUN_TEST (compressed_data_that_is_cut_off);
  RUN_TEST (compressed_data_with_flipped_bits);
  RUN_TEST (bytes_behind_compressed_data);
  RUN_TEST (nothing_to_open);
}

SUITE (output) {
  RUN_TEST (a_file_is_not_overwritten_without_force);
  RUN_TEST (a_file_that_appears_meanwhile_stays);
  RUN_TEST (a_discarded_file_leaves_nothing);
  RUN_TEST (a_device_is_written_not_replaced);
  RUN_TEST (numbers_and_formats);
}

KRAIT_UNIT_MAIN (RUN_SUITE (input); RUN_SUITE (output);)
