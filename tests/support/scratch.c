#include "tests/support/scratch.h"

#include "base/error.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

static void remove_below (const char *path, int depth) {
  DIR *entries = opendir (path);
  for (const struct dirent *entry; entries && (entry = readdir (entries));) {
    char inner[1024];
    snprintf (inner, sizeof inner, "%s/%s", path, entry->d_name);
    if (!strcmp (entry->d_name, ".") || !strcmp (entry->d_name, ".."))
      continue;
    if (unlink (inner) && depth)
      remove_below (inner, depth - 1);
  }
  if (entries)
    closedir (entries);
  rmdir (path);
}

static void remove_folder (void) {
  remove_below (folder, 2);
}

const char *scratch_folder (void) {
  if (!*folder) {
    const char *base = getenv ("TMPDIR");
    snprintf (folder, sizeof folder, "%.200s/krait-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp (folder))
      misuse (__func__, "no folder for temporary files");
    atexit (remove_folder);
  }
  return folder;
}

const char *scratch_path (const char *name) {
  static char paths[4][512];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf (path, sizeof paths[0], "%s/%s", scratch_folder (), name);
  return path;
}
