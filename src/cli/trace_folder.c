#include "cli/trace_folder.h"

#include "cli/cli.h"
#include "formats/formats.h"
#include "formats/logs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// Only what a tracer writes: anything else in the folder is somebody's, and the folder stays then.
static void remove_folder (const char *path) {
  DIR *folder = opendir (path);
  for (const struct dirent *entry; folder && (entry = readdir (folder));) {
    char *file = mem_format ("%s/%s", path, entry->d_name);
    if (logs_is_name (entry->d_name, *format_trace.logs))
      unlink (file);
    mem_free (file);
  }
  if (folder)
    closedir (folder);
  rmdir (path);
}

// Standard output has no beside.
static char *temporary_path (struct error *error) {
  const char *folder = getenv ("TMPDIR");
  char *path = mem_format ("%s/krait-run-XXXXXX", folder && *folder ? folder : "/tmp");
  if (mkdtemp (path))
    return path;
  error_set (error, "%.400s: cannot make this folder: %s", path, strerror (errno));
  mem_free (path);
  return NULL;
}

// A run that was killed leaves its recording behind, which is all that there is of it: not even
// --force removes that.
static bool is_free (const char *path, struct error *error) {
  return (access (path, F_OK) && errno == ENOENT)
         || error_set (error,
                       "%.400s: there is something here already, perhaps the recording of a run that was cut off "
                       "(`krait check` reads it); move it away or remove it",
                       path);
}

bool trace_folder_open (struct trace_folder *folder, const char *out, const struct format *to, bool force,
                        struct error *error) {
  *folder = (struct trace_folder){ .out = out, .to = to, .force = force };
  if (!strcmp (out, "-"))
    return (folder->path = temporary_path (error));
  if (to != &format_trace)
    folder->path = mem_format ("%s.trace", out);
  else
    folder->path = access (out, F_OK) ? mem_strdup (out) : mem_format ("%s.new", out);
  if (is_free (folder->path, error))
    return true;
  mem_free (folder->path);
  return false;
}

static bool convert (const struct trace_folder *folder, struct error *error) {
  struct history *h = history_read (folder->path, &format_trace, error);
  if (h)
    print_history_warnings (h);
  const bool done = h && history_write (h, folder->out, folder->to, folder->force, error);
  history_free (h);
  if (done)
    remove_folder (folder->path);
  return done;
}

static bool replace (const struct trace_folder *folder, struct error *error) {
  if (!strcmp (folder->path, folder->out))
    return true;
  remove_folder (folder->out);
  return !rename (folder->path, folder->out)
         || error_set (error, "%.400s: cannot be replaced: %s", folder->out, strerror (errno));
}

bool trace_folder_finish (struct trace_folder *folder, struct error *error) {
  if (folder->to == &format_trace ? replace (folder, error) : convert (folder, error))
    return true;
  const struct error why = *error;
  *error = (struct error){ 0 };
  return error_set (error, "%.450s; the recording is in %.250s", why.text, folder->path);
}

void trace_folder_discard (struct trace_folder *folder, bool traced) {
  if (traced)
    remove_folder (folder->path);
  else if (!strcmp (folder->out, "-"))
    rmdir (folder->path);
}
