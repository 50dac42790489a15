// What the parts of the tracer share: the folder with its first error, and the file of a session,
// of which a window is mapped.

#ifndef KRAIT_DRIVE_TRACER_H
#define KRAIT_DRIVE_TRACER_H

#include "formats/trace_clock.h"
#include "formats/trace_layout.h"

#include <krait/trace.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

struct krait_trace {
  char *folder;
  struct trace_clock clock;
  uint64_t process, folder_id; // as in the headers of its files
  const volatile char
    *is_mine; // 1; in a child of the process, 0, which the kernel sees to. NULL: it cannot, and `pid` has to do
  pid_t pid;
  // Why tracing ended, 0 while it goes on. Sessions ask before each record, and an error is set
  // before the operation that it leaves unlogged can run: whoever reads what that operation wrote
  // sees the error and logs nothing either.
  atomic_int stopped;
  pthread_mutex_t lock; // of everything below
  char message[KRAIT_MESSAGE_SIZE];
  uint64_t next_number;
  krait_trace_session *sessions; // a list
  uint64_t opened;               // sessions so far; the file of the first one says so, too
  uint64_t counted;              // that have a file
  uint64_t first;                // the number of that one
  bool has_first;
  krait_trace_session *first_open; // or NULL: it is closed
  uint64_t closed;                 // a session that is not in it any more
  bool has_closed;
};

// A mapped file that grows by pieces. The disk is asked for the space beforehand, so that a full
// one is an error here and not a signal at some store.
struct tracer_file {
  int fd;
  char *header;         // its first page
  char *window;         // from `window_from` to `window_to`
  uint64_t window_from; // multiples of the page size
  uint64_t window_to;
  uint64_t at; // where the next record goes
  size_t piece;
};

struct krait_trace_session {
  krait_trace *trace;
  krait_trace_session *next, *previous;
  uint64_t number;
  uint64_t ordinal; // of the trace's sessions, from 1
  struct tracer_file file;
  bool begun, ended; // a transaction has begun; its end is logged
  bool has_input;    // an input waits for its output
  bool may_version;  // the last operation can have a version hint
  bool hinted;       // the last transaction has its hint
  uint8_t kind;      // of the last input
};

// Keeps the first error of the trace, marks the session's file with it, and returns the one that
// stands. `code` is an errno value.
int tracer_fail_session (krait_trace_session *, int code, const char *what);

// 0 or an errno value. A file that was there before is EEXIST.
int tracer_file_create (struct tracer_file *, const char *path, const struct trace_clock *,
                        const struct trace_identity *);
int tracer_file_close (struct tracer_file *);
// The same without touching the file, which is another process's.
int tracer_file_abandon (struct tracer_file *);

// A process that was forked off the one that opened the trace has its memory, but must not write
// into its files.
static inline bool tracer_is_mine (const krait_trace *trace) {
  return trace->is_mine ? *trace->is_mine : getpid () == trace->pid;
}

// Makes the window reach `length` bytes beyond the next record's place; the slow way of
// tracer_file_room.
int tracer_file_grow (struct tracer_file *, size_t length);

static inline int tracer_file_room (struct tracer_file *file, size_t length) {
  return file->window_to - file->at >= length ? 0 : tracer_file_grow (file, length);
}

static inline char *tracer_file_place (const struct tracer_file *file) {
  return file->window + (file->at - file->window_from);
}

// The record at the next place is complete.
static inline void tracer_file_publish (struct tracer_file *file, size_t length) {
  file->at += length;
  __atomic_store_n ((uint64_t *) (void *) (file->header + TRACE_AT_LOGGED), htole64 (file->at), __ATOMIC_RELEASE);
}

#endif
