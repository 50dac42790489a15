#include "cli/trace_folder.h"

#include "base/memory.h"
#include "cli/guard.h"
#include "formats/formats.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_in (const char *text, const char *ending) {
  const size_t length = strlen (text), wanted = strlen (ending);
  return length > wanted && !strcmp (text + length - wanted, ending);
}

bool is_trace_name (const char *out) {
  return ends_in (out, ".trace");
}

// Only what a tracer writes: anything else in the folder is somebody's.
static void remove_logs (const char *path) {
  DIR *folder = opendir (path);
  for (const struct dirent *entry; folder && (entry = readdir (folder));) {
    const size_t size = strlen (path) + strlen (entry->d_name) + 2;
    char *file = mem_alloc (size);
    snprintf (file, size, "%s/%s", path, entry->d_name);
    if (ends_in (entry->d_name, ".ktr"))
      unlink (file);
    mem_free (file);
  }
  if (folder)
    closedir (folder);
}

static char *path_beside (const char *out) {
  const char *end = ".trace";
  char *path = mem_alloc (strlen (out) + strlen (end) + 1);
  strcat (strcpy (path, out), end);
  return path;
}

// Standard output has no beside.
static char *temporary_path (struct error *error) {
  const char *folder = getenv ("TMPDIR"), *name = "/krait-run-XXXXXX";
  folder = folder && *folder ? folder : "/tmp";
  char *path = mem_alloc (strlen (folder) + strlen (name) + 1);
  strcat (strcpy (path, folder), name);
  if (mkdtemp (path))
    return path;
  error_set (error, "%.400s: cannot make this folder: %s", path, strerror (errno));
  mem_free (path);
  return NULL;
}

bool trace_folder_open (struct trace_folder *folder, const char *out, const struct format *to, bool force,
                        struct error *error) {
  *folder = (struct trace_folder){ .out = out, .to = to, .force = force };
  if (to == &format_trace)
    folder->path = mem_strdup (out);
  else
    folder->path = strcmp (out, "-") ? path_beside (out) : temporary_path (error);
  if (folder->path && force)
    remove_logs (folder->path);
  return folder->path != NULL;
}

bool trace_folder_convert (struct trace_folder *folder, struct error *error) {
  if (folder->to == &format_trace)
    return true;
  struct history *h = history_read (folder->path, &format_trace, error);
  if (h)
    print_history_warnings (h);
  const bool done = h && history_write (h, folder->out, folder->to, folder->force, error);
  history_free (h);
  if (done) {
    remove_logs (folder->path);
    rmdir (folder->path);
  }
  return done;
}

void trace_folder_free (struct trace_folder *folder) {
  mem_free (folder->path);
}
