// Files of two histories in one folder read as one history, and a verdict on that is worth nothing.
// So a folder is never written into: whatever ends the process, what is under the name is the old
// history or the new one, or, between two renames, nothing, with both beside it.

#include "formats/folder_write.h"

#include "base/folder.h"
#include "formats/logs.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder that is being written. Whoever takes it out of here decides what becomes of it.
static _Atomic (char *) unfinished;

void folder_remove_unfinished (void) {
  enum { TRIES = 100 }; // the writer may add a file meanwhile
  const char *path = atomic_exchange (&unfinished, NULL);
  for (int try = 0; path && try < TRIES && !folder_remove (path); try++)
    continue;
}

// A link stays one: what it leads to is replaced.
static char *place_of (const char *path) {
  char *real = realpath (path, NULL);
  if (!real && errno == ENOMEM)
    mem_run_out (strlen (path));
  char *place = mem_strdup (real ? real : path);
  free (real);
  for (size_t length = strlen (place); length > 1 && place[length - 1] == '/'; length--)
    place[length - 1] = 0;
  return place;
}

static char *beside (const char *place, const char *suffix) {
  return mem_format ("%s.%ld.%s", place, (long) getpid (), suffix);
}

// Files of the old history go, and the rest comes back. False: something is still there, with
// errno.
static bool clear_out (const char *old, const char *place, const struct format *format) {
  DIR *folder = folder_open (old);
  bool done = folder;
  for (const char *name; done && (name = folder_next (folder));) {
    char *from = logs_path (old, name), *to = logs_path (place, name);
    done = logs_is_name (name, *format->logs) ? !unlink (from) : !rename (from, to);
    MEM_FREE_ALL (from, to);
  }
  const int code = errno;
  if (folder)
    closedir (folder);
  errno = code;
  return done && !rmdir (old);
}

static bool swap (const char *made, const char *place, const struct format *format, struct error *error) {
  char *old = beside (place, "old");
  bool done = !rename (place, old);
  if (done && rename (made, place)) {
    const int code = errno;
    (void) !rename (old, place);
    errno = code;
    done = false;
  }
  if (!done)
    error_set (error, "%.400s: cannot replace: %s", place, strerror (errno));
  else if (!clear_out (old, place, format))
    done = error_set (error, "%.400s: written, but what was in the folder before is in %.400s: %s", place, old,
                      strerror (errno));
  mem_free (old);
  return done;
}

static bool put_in_place (const char *made, const char *place, const struct format *format, struct error *error) {
  struct stat status;
  if (!stat (place, &status))
    (void) !chmod (made, status.st_mode & 07777);
  if (!rename (made, place)) // nothing was there, or nothing was in it
    return true;
  if (errno == ENOTEMPTY || errno == EEXIST)
    return swap (made, place, format, error);
  return error_set (error, "%.400s: cannot create: %s", place, strerror (errno));
}

// Takes `made`.
static bool write_and_place (const struct history *h, char *made, const char *place, const struct format *format,
                             struct error *error) {
  atomic_store (&unfinished, made);
  bool done = format->write_folder (h, made, error);
  if (!atomic_exchange (&unfinished, NULL)) // it is being removed
    return done && error_set (error, "%.400s: interrupted", place);
  done = done && put_in_place (made, place, format, error);
  if (!done)
    folder_remove (made);
  mem_free (made);
  return done;
}

// NULL after setting the error.
static char *make_beside (const char *place, const char *path, struct error *error) {
  char *made = beside (place, "tmp");
  if (!mkdir (made, 0777))
    return made;
  error_set (error, "%.400s: cannot create: %s", path, strerror (errno));
  mem_free (made);
  return NULL;
}

bool folder_may_be_made (const char *path, struct error *error) {
  char *place = place_of (path), *made = make_beside (place, path, error);
  const bool done = made && (!rmdir (made) || error_set (error, "%.400s: cannot create: %s", path, strerror (errno)));
  MEM_FREE_ALL (made, place);
  return done;
}

bool folder_write (const struct history *h, const char *path, const struct format *format, struct error *error) {
  char *place = place_of (path), *made = make_beside (place, path, error);
  const bool done = made && write_and_place (h, made, place, format, error);
  mem_free (place);
  return done;
}
