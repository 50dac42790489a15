// The table of history formats, and reading and writing through it.
//
// Adding a format touches one file here and one line of FORMATS. A format never sees a level.

#ifndef KRAIT_FORMATS_FORMATS_H
#define KRAIT_FORMATS_FORMATS_H

#include "base/error.h"
#include "history/history.h"

#include <stdbool.h>
#include <stddef.h>

struct input;       // base/input.h: a plain or compressed file, standard input, or a block of memory
struct output;      // base/output.h: a file that appears under its name only when it is complete
struct json_reader; // formats/json_read.h
struct log_name;    // formats/logs.h

struct format {
  const char *name;      // as in --format
  const char *title;     // one line for --help
  bool tells_incomplete; // a history that is written can say that it is incomplete
  // Does this look like the format? The reader stands at the first bytes of the (uncompressed)
  // file.
  bool (*probe) (struct json_reader *);
  // How the files of a folder are called that is a history; NULL: a history is one file. A format
  // may read both: then it is written as a file.
  const struct log_name *logs;
  // Readers fill a history and return false after setting the error, with file and place.
  bool (*read) (struct history *, struct input *, struct error *);
  bool (*read_folder) (struct history *, const char *path, struct error *);
  bool (*write) (const struct history *, struct output *, struct error *);
  bool (*write_folder) (const struct history *, const char *path, struct error *); // into one that is empty
};

static inline bool format_is_folder (const struct format *format) {
  return !format->read;
}
static inline bool format_can_write (const struct format *format) {
  return format->write || format->write_folder;
}

extern const struct format format_jsonl, format_kht, format_krt, format_cobra, format_dbcop, format_plume,
  format_jepsen, format_jepsen_json, format_awdit, format_viper, format_timekiller, format_trace;

extern const struct format *const formats[]; // NULL at the end

const struct format *format_find (const char *name); // or NULL

// By content: does what begins so look like the format? And what a folder holds, or NULL.
bool format_begins_so (const struct format *, const char *file, const char *head, size_t length);
const struct format *format_of_folder (const char *path);

// Reads a file, a folder, or "-". `format` NULL: found by content. The history is finished. NULL
// after setting the error.
struct history *history_read (const char *path, const struct format *format, struct error *);

// The same; with `ignore_unreadable`, what a reader cannot read but can pass over is left out, and
// makes the history incomplete.
struct history *history_read_what_can_be (const char *path, const struct format *format, bool ignore_unreadable,
                                          struct error *);

// The same as the first from a block of memory, for tests and fuzzing; `format` must not be a
// folder format.
struct history *history_read_memory (const char *name, const void *bytes, size_t length, const struct format *format,
                                     struct error *);

// Whether history_write would refuse the path, for those who want to know before the work is done.
bool history_may_write (const char *path, const struct format *format, bool force, struct error *);

// Writes to a temporary beside `path` and renames it; "-" is standard output; compresses when the
// path ends in .gz or .zst. Refuses to overwrite without `force`.
bool history_write (const struct history *, const char *path, const struct format *format, bool force, struct error *);

// For a process that is about to end in the middle of everything: removes what history_write or an
// output has begun and not put in its place.
void history_remove_unfinished (void);

#endif
