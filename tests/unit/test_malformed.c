// One file per mistake in tests/malformed, named by its format and the mistake, and beside
// NAME.kht, NAME.edn and so on the one line that it must give in NAME.expected (with the file's
// name for its path). Reading through the library must give exactly that, as bad input.

#include "formats/formats.h"
#include "greatest_main.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static char folder[3000];

static bool has_suffix (const char *name, const char *suffix) {
  const size_t length = strlen (name), wanted = strlen (suffix);
  return length > wanted && !strcmp (name + length - wanted, suffix);
}

// A file's name begins with its format's.
static const struct format *format_of (const char *name) {
  const struct format *found = NULL;
  for (size_t i = 0; formats[i]; i++) {
    const size_t length = strlen (formats[i]->name);
    if (!strncmp (name, formats[i]->name, length) && name[length] == '-' && (!found || length > strlen (found->name)))
      found = formats[i];
  }
  return has_suffix (name, ".expected") ? NULL : found;
}

// NAME.expected, without its newline.
static bool expected_line (const char *name, char line[1024]) {
  char path[4000];
  snprintf (path, sizeof path, "%s/%.*s.expected", folder, (int) (strrchr (name, '.') - name), name);
  FILE *file = fopen (path, "r");
  const bool there = file && fgets (line, 1024, file);
  if (file)
    fclose (file);
  if (there)
    line[strcspn (line, "\n")] = 0;
  return there;
}

TEST gives_its_line (const char *name) {
  char path[4000], expected[1024] = "";
  struct error error = { 0 };
  snprintf (path, sizeof path, "%s/%s", folder, name);
  const size_t prefix = strlen (folder) + 1;
  const bool is_told = expected_line (name, expected);
  struct history *h = history_read (path, format_of (name), &error);
  const bool refused = !h && error.code == ERROR_INPUT && !strncmp (error.text, path, prefix);
  const bool fine = is_told && refused && !strcmp (expected, error.text + prefix);
  if (!fine)
    printf ("\n%s\n  expected %s\n  got      %s (code %d)\n", name, is_told ? expected : "(no .expected beside it)",
            h ? "no error" : error.text, error.code);
  history_free (h);
  ASSERT (fine);
  PASS ();
}

static int by_name (const void *a, const void *b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

SUITE (malformed) {
  const char *source = getenv ("KRAIT_SRCDIR");
  snprintf (folder, sizeof folder, "%s/tests/malformed", source ? source : ".");
  DIR *directory = opendir (folder);
  static VEC (char *) names; // static: greatest jumps out of failed tests
  static size_t i;
  for (const struct dirent *entry; directory && (entry = readdir (directory));)
    if (format_of (entry->d_name))
      VEC_PUSH (names, mem_strdup (entry->d_name));
  if (directory)
    closedir (directory);
  if (names.count)
    qsort (names.data, names.count, sizeof *names.data, by_name);
  else
    RUN_TEST1 (gives_its_line, "no file at all.kht");
  for (i = 0; i < names.count; i++) {
    RUN_TEST1 (gives_its_line, names.data[i]);
    mem_free (names.data[i]);
  }
  VEC_FREE (names);
}

KRAIT_UNIT_MAIN (RUN_SUITE (malformed);)
