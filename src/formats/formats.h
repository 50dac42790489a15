// The table of history formats, and reading and writing through it.
//
// Adding a format touches one file here and one line of FORMATS. A format never sees a level.

#ifndef KRAIT_FORMATS_FORMATS_H
#define KRAIT_FORMATS_FORMATS_H

#include "base/error.h"
#include "history/history.h"

#include <stdbool.h>
#include <stddef.h>

struct input;  // base/input.h: a plain or compressed file, standard input, or a block of memory
struct output; // base/output.h: a file that appears under its name only when it is complete

struct format {
  const char *name;  // as in --format
  const char *title; // one line for --help
  // a history is a folder of files, not one file. A format may read both: then it is a file
  bool is_folder;
  bool can_write;
  bool tells_incomplete; // a history that is written can say that it is incomplete
  // Does this look like the format? `head` holds the first bytes of the (uncompressed) file; for
  // folders the path is asked.
  bool (*probe) (const char *path, const char *head, size_t length);
  // Readers fill a history and return false after setting the error, with file and place.
  bool (*read) (struct history *, struct input *, struct error *);
  bool (*read_folder) (struct history *, const char *path, struct error *);
  bool (*write) (const struct history *, struct output *, struct error *);
  // Into a folder that is empty. `owns`: a file of this name in a folder is of a history of this
  // format.
  bool (*write_folder) (const struct history *, const char *path, struct error *);
  bool (*owns) (const char *name);
};

extern const struct format format_jsonl, format_kht, format_krt, format_cobra, format_dbcop, format_plume,
  format_jepsen, format_jepsen_json, format_awdit, format_viper, format_timekiller, format_trace;

extern const struct format *const formats[]; // NULL at the end

const struct format *format_find (const char *name); // or NULL

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
