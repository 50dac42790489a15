// The examples of the manual are read as users would: docs/examples, and the histories in the
// fenced blocks of the pages on formats.

#include "formats/formats.h"
#include "greatest_main.h"
#include "tests/support/history_equal.h"
#include "tests/support/round_trip.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *document (const char *name) {
  static char path[4096];
  const char *source = getenv ("KRAIT_SRCDIR");
  snprintf (path, sizeof path, "%s/docs/%s", source ? source : ".", name);
  return path;
}

static char *contents (const char *path) {
  FILE *file = fopen (path, "r");
  char *text = mem_zalloc (1 << 20);
  if (file && fread (text, 1, (1 << 20) - 1, file) == 0)
    text[0] = 0;
  if (file)
    fclose (file);
  return text;
}

static const char *check (struct history *h, const struct error *error, const struct format *format) {
  struct error second = { 0 };
  if (!h)
    return error->text;
  struct history *again = round_trip (h, format, &second);
  const char *wrong = again ? history_difference (h, again) : "cannot be written and read again";
  history_free (again);
  history_free (h);
  return wrong;
}

TEST every_example_is_read (void) {
  DIR *folder = opendir (document ("examples"));
  unsigned read = 0;
  ASSERT (folder);
  for (const struct dirent *entry; (entry = readdir (folder));) {
    char name[512];
    struct error error = { 0 };
    if (!strstr (entry->d_name, ".kht"))
      continue;
    snprintf (name, sizeof name, "examples/%.300s", entry->d_name);
    const char *wrong = check (history_read (document (name), NULL, &error), &error, &format_jsonl);
    ASSERTm (wrong ? wrong : "", !wrong);
    read++;
  }
  closedir (folder);
  ASSERT (read >= 6);
  PASS ();
}

// Blocks that hold a line beginning with `mark` are histories.
TEST blocks_are_read (const char *page, const char *mark, const struct format *format, unsigned expected) {
  char *text = contents (document (page));
  unsigned read = 0;
  for (char *block = strstr (text, "\n```\n"); block; block = strstr (block, "\n```\n")) {
    char *end = strstr (block + 4, "\n```\n");
    ASSERTm ("a block that does not end", end);
    end[1] = 0;
    if (strstr (block, mark)) {
      struct error error = { 0 };
      const char *wrong =
        check (history_read_memory (page, block + 5, strlen (block + 5), NULL, &error), &error, format);
      ASSERTm (wrong ? wrong : "", !wrong);
      read++;
    }
    block = end + 2;
  }
  ASSERT_EQ_FMT (expected, read, "%u");
  mem_free (text);
  PASS ();
}

SUITE (manual) {
  RUN_TEST (every_example_is_read);
  RUN_TESTp (blocks_are_read, "kht.md", "\nkrait 1 ", &format_kht, 2);
  RUN_TESTp (blocks_are_read, "formats.md", "\n{\"krait\":1", &format_jsonl, 1);
}

KRAIT_UNIT_MAIN (RUN_SUITE (manual);)
