#include "formats/logs.h"

#include "base/folder.h"
#include "base/output.h"
#include "base/sort.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool parse_name (const char *name, struct log_name wanted, uint64_t *session) {
  const size_t length = strlen (wanted.before);
  if (strncmp (name, wanted.before, length) || name[length] < '0' || name[length] > '9')
    return false;
  char *rest;
  errno = 0;
  *session = strtoull (name + length, &rest, 10);
  return !errno && !strcmp (rest, wanted.after);
}

bool logs_is_name (const char *name, struct log_name wanted) {
  uint64_t session;
  return parse_name (name, wanted, &session);
}

char *logs_path (const char *folder, const char *name) {
  return mem_format ("%s/%s", folder, name);
}

struct output *logs_create (const char *folder, struct log_name name, uint64_t session, struct error *error) {
  char file[32];
  snprintf (file, sizeof file, "%s%" PRIu64 "%s", name.before, session, name.after);
  char *path = logs_path (folder, file);
  struct output *output = output_open (path, true, error);
  mem_free (path);
  return output;
}

bool logs_are_in (const char *path, struct log_name name) {
  DIR *folder = folder_open (path);
  if (!folder)
    return false;
  bool found = false;
  for (const char *entry; !found && (entry = folder_next (folder));)
    found = logs_is_name (entry, name);
  closedir (folder);
  return found;
}

bool logs_list (struct logs *logs, const char *path, struct log_name name, struct error *error) {
  DIR *folder = folder_open (path);
  if (!folder)
    return error_set (error, "%.400s: cannot open: %s", path, strerror (errno));
  uint64_t session;
  for (const char *entry; (entry = folder_next (folder));)
    if (parse_name (entry, name, &session))
      VEC_PUSH (*logs, (struct log){ .session = session, .path = logs_path (path, entry) });
  closedir (folder);
  VEC_SORT (*logs, by_u64);
  for (size_t i = 1; i < logs->count; i++)
    if (logs->data[i].session == logs->data[i - 1].session)
      return error_set (error, "%.400s: session %" PRIu64 " has two logs", path, logs->data[i].session);
  return true;
}

bool logs_open (struct logs *logs, const char *path, struct log_name name, struct error *error) {
  if (!logs_list (logs, path, name, error))
    return false;
  for (size_t i = 0; i < logs->count; i++) {
    struct log *log = &logs->data[i];
    log->input = input_open (log->path, error);
    if (!log->input)
      return false;
    log->bytes = input_all (log->input, &log->length, error);
    if (!log->bytes)
      return false;
  }
  return true;
}

// Fewer bytes than wanted at the end of the file only, -1 after an error.
static ssize_t read_fully (int fd, char *to, size_t wanted) {
  size_t have = 0;
  while (have < wanted) {
    const ssize_t got = read (fd, to + have, wanted - have);
    if (!got)
      break;
    if (got < 0 && errno != EINTR)
      return -1;
    have += got > 0 ? (size_t) got : 0;
  }
  return (ssize_t) have;
}

// The size is asked for when the head has been read: what the head names was in the file then.
static ssize_t load (struct log *log, int fd, size_t head) {
  struct stat status;
  log->loaded = mem_alloc (head);
  const ssize_t first = read_fully (fd, log->loaded, head);
  if (first < (ssize_t) head || fstat (fd, &status) || (uint64_t) status.st_size <= head)
    return first;
  log->loaded = mem_realloc (log->loaded, (size_t) status.st_size);
  const ssize_t rest = read_fully (fd, log->loaded + head, (size_t) status.st_size - head);
  return rest < 0 ? rest : first + rest;
}

bool log_load (struct log *log, size_t head, struct error *error) {
  const int fd = open (log->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return error_set (error, "%.400s: cannot open: %s", log->path, strerror (errno));
  const ssize_t length = load (log, fd, head);
  const int code = errno;
  close (fd);
  if (length < 0)
    return error_set (error, "%.400s: cannot read: %s", log->path, strerror (code));
  log->input = input_open_memory (log->path, log->loaded, (size_t) length);
  log->bytes = input_all (log->input, &log->length, error);
  return log->bytes != NULL;
}

void log_unload (struct log *log) {
  input_close (log->input);
  mem_free (log->loaded);
  log->input = NULL;
  log->bytes = log->loaded = NULL;
}

void logs_close (struct logs *logs) {
  for (size_t i = 0; i < logs->count; i++) {
    log_unload (&logs->data[i]);
    mem_free (logs->data[i].path);
  }
  VEC_FREE (*logs);
}
