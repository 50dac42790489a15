// Which format a path holds, and the way in and out of it. Files are told by their first bytes,
// never by their names; folders by what stands in them.

#include "formats/formats.h"

#include "base/folder.h"
#include "base/input.h"
#include "base/output.h"
#include "formats/folder_write.h"
#include "formats/json_read.h"
#include "formats/logs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct format *const formats[] = {
  &format_jsonl,  &format_kht,         &format_krt,   &format_trace, &format_cobra,      &format_dbcop, &format_plume,
  &format_jepsen, &format_jepsen_json, &format_awdit, &format_viper, &format_timekiller, NULL
};

// Published histories often come as a folder that holds this one file.
static const char *const file_in_folder[] = { "history.bincode", "history.txt", "history.edn", "history.json" };

const struct format *format_find (const char *name) {
  for (size_t i = 0; formats[i]; i++)
    if (!strcmp (formats[i]->name, name))
      return formats[i];
  return NULL;
}

bool format_begins_so (const struct format *format, const char *file, const char *head, size_t length) {
  struct error ignored = { 0 };
  struct json_reader r = { 0 };
  json_start_text (&r, head, length, file, &ignored);
  const bool found = format->probe (&r);
  json_stop (&r);
  return found;
}

static bool holds_logs (const char *path, const struct format *format) {
  return format->logs && logs_are_in (path, *format->logs);
}

const struct format *format_of_folder (const char *path) {
  for (size_t i = 0; formats[i]; i++)
    if (holds_logs (path, formats[i]))
      return formats[i];
  return NULL;
}

static bool is_folder (const char *path) {
  struct stat status;
  return !stat (path, &status) && S_ISDIR (status.st_mode);
}

static bool say_unknown_file (const char *name, const char *head, size_t length, struct error *error) {
  char bytes[8 * 3 + 1] = "";
  for (size_t i = 0; i < length && i < 8; i++)
    snprintf (bytes + 3 * i, 4, " %02x", (unsigned char) head[i]);
  return error_set (error, "%.400s: no known history format (%s%s)", name, length ? "first bytes" : "the file is empty",
                    bytes);
}

static bool read_input (struct history *h, struct input *input, const struct format *format, struct error *error) {
  if (!format) {
    size_t length;
    const char *head = input_peek (input, &length, error);
    if (!head)
      return false;
    for (size_t i = 0; formats[i] && !format; i++)
      if (formats[i]->read && format_begins_so (formats[i], input_name (input), head, length))
        format = formats[i];
    if (!format)
      return say_unknown_file (input_name (input), head, length, error);
  }
  return format->read (h, input, error);
}

static bool read_file (struct history *h, const char *path, const struct format *format, struct error *error) {
  if (format && !format->read)
    return error_set (error, "%.400s: a history of format %s is a folder, this is a file", path, format->name);
  struct input *input = input_open (path, error);
  if (!input)
    return false;
  const bool done = read_input (h, input, format, error);
  input_close (input);
  return done;
}

static bool read_folder (struct history *h, const char *path, const struct format *format, struct error *error) {
  const struct format *found = !format ? format_of_folder (path) : holds_logs (path, format) ? format : NULL;
  if (found)
    return found->read_folder (h, path, error);
  if (format && !format->read)
    return error_set (error, "%.400s: no history of format %s in this folder", path, format->name);
  for (size_t i = 0; i < sizeof file_in_folder / sizeof *file_in_folder; i++) {
    char *file = logs_path (path, file_in_folder[i]);
    const bool there = !access (file, F_OK);
    const bool done = there && read_file (h, file, format, error);
    mem_free (file);
    if (there)
      return done;
  }
  return error_set (
    error,
    "%.400s: no known history format (a folder without T<n>.log, J<n>.log, <n>.ktr and history.{bincode,txt,edn,json})",
    path);
}

// What every way of reading ends with.
static struct history *finished (struct history *h, bool done, struct error *error) {
  if (done) {
    history_finish (h);
    return h;
  }
  if (!error->code)
    misuse (__func__, "a reader failed without saying why");
  history_free (h);
  return NULL;
}

struct history *history_read (const char *path, const struct format *format, struct error *error) {
  return history_read_what_can_be (path, format, false, error);
}

struct history *history_read_what_can_be (const char *path, const struct format *format, bool ignore_unreadable,
                                          struct error *error) {
  struct history *h = history_new (path);
  h->ignore_unreadable = ignore_unreadable;
  const bool done =
    strcmp (path, "-") && is_folder (path) ? read_folder (h, path, format, error) : read_file (h, path, format, error);
  return finished (h, done, error);
}

struct history *history_read_memory (const char *name, const void *bytes, size_t length, const struct format *format,
                                     struct error *error) {
  if (format && !format->read)
    misuse (__func__, "a folder cannot be read from memory");
  struct history *h = history_new (name);
  struct input *input = input_open_memory (name, bytes, length);
  const bool done = read_input (h, input, format, error);
  input_close (input);
  return finished (h, done, error);
}

void history_remove_unfinished (void) {
  output_remove_unfinished ();
  folder_remove_unfinished ();
}

static bool may_write_folder (const char *path, const struct format *format, bool force, struct error *error) {
  if (!strcmp (path, "-"))
    return error_set (error, "a history of format %s is a folder, standard output is not", format->name);
  struct stat status;
  if (lstat (path, &status))
    return folder_may_be_made (path, error);
  if (!is_folder (path))
    return error_set (error, "%.400s: exists already and is not a folder", path);
  if (!force && !folder_is_empty (path))
    return error_set (error, "%.400s: exists already (--force overwrites it)", path);
  return folder_may_be_made (path, error);
}

bool history_may_write (const char *path, const struct format *format, bool force, struct error *error) {
  if (!format_can_write (format))
    return error_set (error, "%.400s: histories of format %s can only be read", path, format->name);
  return format_is_folder (format) ? may_write_folder (path, format, force, error)
                                   : output_may_open (path, force, error);
}

bool history_write (const struct history *h, const char *path, const struct format *format, bool force,
                    struct error *error) {
  if (!history_may_write (path, format, force, error))
    return false;
  if (h->incomplete && !format->tells_incomplete)
    return error_set (error, "%.400s: the history is incomplete, which format %s cannot say", path, format->name);
  if (format_is_folder (format))
    return folder_write (h, path, format, error);
  struct output *output = output_open (path, force, error);
  if (!output)
    return false;
  if (!format->write (h, output, error)) {
    output_discard (output);
    return false;
  }
  return output_commit (output, error);
}
