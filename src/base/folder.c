#define _GNU_SOURCE // getdents64

#include "base/folder.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

DIR *folder_open (const char *path) {
  DIR *folder = opendir (path);
  if (!folder && errno == ENOMEM)
    mem_run_out (0);
  return folder;
}

static bool is_entry (const char *name) {
  return strcmp (name, ".") && strcmp (name, "..");
}

const char *folder_next (DIR *folder) {
  const struct dirent *entry;
  do
    entry = readdir (folder);
  while (entry && !is_entry (entry->d_name));
  return entry ? entry->d_name : NULL;
}

bool folder_is_empty (const char *path) {
  DIR *folder = folder_open (path);
  const bool empty = folder && !folder_next (folder);
  if (folder)
    closedir (folder);
  return empty;
}

static void remove_files (int fd) {
  _Alignas(struct dirent64) char entries[4096];
  for (ssize_t length; (length = getdents64 (fd, entries, sizeof entries)) > 0;)
    for (ssize_t at = 0; at < length;) {
      const struct dirent64 *entry = (const struct dirent64 *) (const void *) (entries + at);
      if (is_entry (entry->d_name))
        unlinkat (fd, entry->d_name, 0);
      at += entry->d_reclen;
    }
}

bool folder_remove (const char *path) {
  const int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    remove_files (fd);
    close (fd);
  }
  return !rmdir (path);
}
