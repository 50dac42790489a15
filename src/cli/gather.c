#include "cli/gather.h"

#include "base/folder.h"
#include "base/sort.h"
#include "formats/formats.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void paths_add (struct paths *paths, const char *path) {
  VEC_PUSH (*paths, mem_strdup (path));
}

void paths_free (struct paths *paths) {
  for (size_t i = 0; i < paths->count; i++)
    mem_free (paths->data[i]);
  VEC_FREE (*paths);
}

static int by_name (const void *a, const void *b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static bool is_folder (const char *path) {
  struct stat status;
  return !stat (path, &status) && S_ISDIR (status.st_mode);
}

static bool is_history_folder (const char *path) {
  for (size_t i = 0; formats[i]; i++)
    if (formats[i]->read_folder && formats[i]->probe (path, NULL, 0))
      return true;
  return false;
}

static bool list_folder (struct paths *entries, const char *folder, struct error *error) {
  DIR *open = folder_open (folder);
  if (!open)
    return error_set (error, "%.400s: cannot open: %s", folder, strerror (errno));
  for (const struct dirent *entry; (entry = readdir (open));) {
    if (entry->d_name[0] == '.')
      continue;
    const size_t length = strlen (folder) + strlen (entry->d_name) + 2;
    char *path = mem_alloc (length);
    const bool slash = folder[0] && folder[strlen (folder) - 1] == '/';
    snprintf (path, length, "%s%s%s", folder, slash ? "" : "/", entry->d_name);
    VEC_PUSH (*entries, path);
  }
  closedir (open);
  VEC_SORT (*entries, by_name);
  return true;
}

// The folders that lead to the one that is being read: a link to one of them leads nowhere new.
struct way {
  const struct way *from;
  dev_t device;
  ino_t number;
  unsigned depth;
};

static bool is_on_the_way (const struct way *way, const struct stat *status) {
  for (; way; way = way->from)
    if (way->device == status->st_dev && way->number == status->st_ino)
      return true;
  return false;
}

static bool add_below (struct paths *paths, const char *folder, const struct way *from, struct error *error) {
  struct stat status;
  if (stat (folder, &status))
    return error_set (error, "%.400s: cannot open: %s", folder, strerror (errno));
  if (is_on_the_way (from, &status))
    return true;
  const struct way way = { from, status.st_dev, status.st_ino, from ? from->depth + 1 : 0 };
  if (way.depth > 64)
    return error_set (error, "%.400s: too many folders within folders", folder);
  struct paths entries = { 0 };
  bool fine = list_folder (&entries, folder, error);
  for (size_t i = 0; fine && i < entries.count; i++)
    if (is_folder (entries.data[i]) && !is_history_folder (entries.data[i]))
      fine = add_below (paths, entries.data[i], &way, error);
    else
      paths_add (paths, entries.data[i]);
  paths_free (&entries);
  return fine;
}

bool paths_add_batch (struct paths *paths, const char *folder, struct error *error) {
  const size_t before = paths->count;
  if (!add_below (paths, folder, NULL, error))
    return false;
  return paths->count > before || error_set (error, "%.400s: no history in this folder", folder);
}
