// A traced folder: opening and closing it and its sessions, and the first error of all of them
// (include/krait/trace.h).

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // statx
#endif

#include "drive/tracer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__ ((format (printf, 3, 4))) static void say (char *message, size_t size, const char *format, ...) {
  if (!message || !size)
    return;
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (message, size, format, arguments);
  va_end (arguments);
}

// --- Errors -----------------------------------------------------------------

// The traced program goes on without memory for us: nothing here comes from base/memory.h, which
// ends the process. NULL: there is none.
static char *path_of (const krait_trace *trace, uint64_t number) {
  const size_t length = strlen (trace->folder) + 32;
  char *path = malloc (length);
  if (path)
    snprintf (path, length, "%s/%" PRIu64 TRACE_SUFFIX, trace->folder, number);
  return path;
}

// Into the header of a session that is closed.
static void write_closed (const krait_trace *trace, uint64_t number, const char *bytes, size_t length, off_t place) {
  char *path = path_of (trace, number);
  const int fd = path ? open (path, O_WRONLY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    // the best that can be done; of errors the callers know all the same
    (void) !pwrite (fd, bytes, length, place);
    close (fd);
  }
  free (path);
}

// One file of the trace tells its readers that something is missing: that of the session at fault,
// or any other. `header` NULL: it has no file, or it is closed.
static void mark (krait_trace *trace, char *header, int code) {
  char text[4];
  store_le32 (text, (uint32_t) code);
  if (!header && trace->sessions)
    header = trace->sessions->file.header;
  if (header)
    memcpy (header + TRACE_AT_ERROR, text, sizeof text);
  else if (trace->has_closed)
    write_closed (trace, trace->closed, text, sizeof text, TRACE_AT_ERROR);
}

// Keeps the first error of the trace and returns the one that stands.
static int fail (krait_trace *trace, uint64_t number, char *header, int code, const char *what, const char *why) {
  pthread_mutex_lock (&trace->lock);
  int stands = atomic_load (&trace->stopped);
  if (!stands) {
    say (trace->message, sizeof trace->message, "%.400s/%" PRIu64 TRACE_SUFFIX ": %s%s", trace->folder, number, what,
         why);
    mark (trace, header, code);
    atomic_store (&trace->stopped, code);
    stands = code;
  }
  pthread_mutex_unlock (&trace->lock);
  return stands;
}

int tracer_fail_session (krait_trace_session *session, int code, const char *what) {
  return fail (session->trace, session->number, session->file.header, code, what, "");
}

int krait_trace_error (krait_trace *trace, char *message, size_t size) {
  if (!trace) {
    say (message, size, "no trace");
    return EINVAL;
  }
  if (!tracer_is_mine (trace)) { // whose lock another thread may have held when it was copied
    say (message, size, "%.400s: this process was forked off the one that opened the trace; it must open it again",
         trace->folder);
    return EPERM;
  }
  pthread_mutex_lock (&trace->lock);
  const int code = atomic_load (&trace->stopped);
  say (message, size, "%s", code ? trace->message : "");
  pthread_mutex_unlock (&trace->lock);
  return code;
}

// --- The folder -------------------------------------------------------------

static bool is_empty (DIR *folder) {
  for (const struct dirent *entry; (entry = readdir (folder));)
    if (strcmp (entry->d_name, ".") && strcmp (entry->d_name, ".."))
      return false;
  return true;
}

static bool may_trace_into (const char *path, unsigned flags, char *message, size_t size) {
  if (mkdir (path, 0777) && errno != EEXIST) {
    say (message, size, "%.400s: cannot create: %s", path, strerror (errno));
    return false;
  }
  DIR *folder = opendir (path);
  if (!folder) {
    say (message, size, "%.400s: cannot open: %s", path, strerror (errno));
    return false;
  }
  const bool fine = flags & KRAIT_TRACE_ADD || is_empty (folder);
  closedir (folder);
  if (!fine)
    say (message, size, "%.400s: the folder is not empty", path);
  return fine;
}

// A process may open a folder twice, and its id may come again in another container: only those who
// share an error have this in common. The process id is for people.
static uint64_t process_of (const krait_trace *trace) {
  const int64_t alone[] = { getpid (), trace_now (), (int64_t) (intptr_t) trace };
  return (uint64_t) (uint32_t) getpid () | XXH3_64bits (alone, sizeof alone) << 32;
}

// The same for all who trace into the folder, on this machine.
static uint64_t folder_of (const char *path) {
  struct statx status = { 0 };
  if (statx (AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &status))
    return 0;
  const int64_t folder[] = { (int64_t) status.stx_ino, status.stx_btime.tv_sec, status.stx_btime.tv_nsec };
  return XXH3_64bits (folder, sizeof folder);
}

// A page that children find wiped.
static const volatile char *make_sign (void) {
  const size_t length = (size_t) sysconf (_SC_PAGESIZE);
  char *page = mmap (NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return NULL;
  if (madvise (page, length, MADV_WIPEONFORK)) {
    munmap (page, length);
    return NULL;
  }
  *page = 1;
  return page;
}

static void free_trace (krait_trace *trace) {
  if (trace->is_mine)
    munmap ((void *) (uintptr_t) trace->is_mine, (size_t) sysconf (_SC_PAGESIZE));
  free (trace->folder);
  free (trace);
}

krait_trace *krait_trace_open (const char *folder, unsigned flags, char *message, size_t size) {
  if (!folder || flags & ~(unsigned) KRAIT_TRACE_ADD) {
    say (message, size, folder ? "unknown flags" : "no folder");
    return NULL;
  }
  if (!may_trace_into (folder, flags, message, size))
    return NULL;
  krait_trace *trace = calloc (1, sizeof *trace);
  if (!trace || !(trace->folder = strdup (folder))) {
    say (message, size, "%.400s: cannot trace: %s", folder, strerror (ENOMEM));
    free (trace);
    return NULL;
  }
  trace->clock = trace_clock_here ();
  trace->process = process_of (trace);
  trace->folder_id = folder_of (folder);
  trace->is_mine = make_sign ();
  trace->pid = getpid ();
  trace->next_number = 1;
  pthread_mutex_init (&trace->lock, NULL);
  return trace;
}

int krait_trace_close (krait_trace *trace, char *message, size_t size) {
  if (!trace)
    return krait_trace_error (NULL, message, size);
  while (trace->sessions)
    krait_trace_session_close (trace->sessions);
  const int code = krait_trace_error (trace, message, size);
  if (tracer_is_mine (trace))
    pthread_mutex_destroy (&trace->lock);
  free_trace (trace);
  return code;
}

// --- Sessions ---------------------------------------------------------------

static int create (krait_trace_session *session, uint64_t number) {
  char *path = path_of (session->trace, number);
  session->number = number;
  const krait_trace *trace = session->trace;
  const struct trace_identity identity = { trace->process, trace->folder_id, session->ordinal };
  const int code = path ? tracer_file_create (&session->file, path, &trace->clock, &identity) : ENOMEM;
  free (path);
  return code;
}

static int create_next (krait_trace_session *session) {
  krait_trace *trace = session->trace;
  int code;
  do {
    pthread_mutex_lock (&trace->lock);
    const uint64_t number = trace->next_number++;
    pthread_mutex_unlock (&trace->lock);
    code = create (session, number);
  } while (code == EEXIST);
  return code;
}

// The file of the first session says how many there are, so that a file that is missing later is
// missed.
static void count_session (krait_trace *trace, uint64_t ordinal) {
  if (ordinal > trace->counted)
    trace->counted = ordinal;
  if (!trace->has_first) // it is being opened, by another thread, and will say so
    return;
  char bytes[8];
  store_le64 (bytes, trace->counted);
  if (trace->first_open)
    memcpy (trace->first_open->file.header + TRACE_AT_SESSIONS, bytes, sizeof bytes);
  else
    write_closed (trace, trace->first, bytes, sizeof bytes, TRACE_AT_SESSIONS);
}

static void link_session (krait_trace_session *session) {
  krait_trace *trace = session->trace;
  pthread_mutex_lock (&trace->lock);
  session->next = trace->sessions;
  if (session->next)
    session->next->previous = session;
  trace->sessions = session;
  if (session->ordinal == 1) {
    trace->has_first = true;
    trace->first = session->number;
    trace->first_open = session;
  }
  count_session (trace, session->ordinal);
  pthread_mutex_unlock (&trace->lock);
}

static void take_out (krait_trace_session *session) {
  krait_trace *trace = session->trace;
  if (session->next)
    session->next->previous = session->previous;
  if (session->previous)
    session->previous->next = session->next;
  else
    trace->sessions = session->next;
}

static void unlink_session (krait_trace_session *session) {
  krait_trace *trace = session->trace;
  pthread_mutex_lock (&trace->lock);
  take_out (session);
  if (trace->first_open == session)
    trace->first_open = NULL;
  trace->closed = session->number;
  trace->has_closed = true;
  pthread_mutex_unlock (&trace->lock);
}

krait_trace_session *krait_trace_session_open (krait_trace *trace, uint64_t number) {
  if (!trace || !tracer_is_mine (trace) || atomic_load (&trace->stopped))
    return NULL;
  krait_trace_session *session = calloc (1, sizeof *session);
  if (!session) {
    fail (trace, number, NULL, ENOMEM, "cannot create: ", strerror (ENOMEM));
    return NULL;
  }
  session->trace = trace;
  pthread_mutex_lock (&trace->lock);
  session->ordinal = ++trace->opened;
  pthread_mutex_unlock (&trace->lock);
  const int code = number == KRAIT_ANY_SESSION ? create_next (session) : create (session, number);
  if (code) {
    fail (trace, session->number, NULL, code, "cannot create: ", strerror (code));
    free (session);
    return NULL;
  }
  link_session (session);
  return session;
}

// In a child: the memory is its own, the file and whoever writes it are not.
static void abandon (krait_trace_session *session) {
  take_out (session);
  tracer_file_abandon (&session->file);
  free (session);
}

int krait_trace_session_close (krait_trace_session *session) {
  if (!session)
    return EINVAL;
  krait_trace *trace = session->trace;
  if (!tracer_is_mine (trace)) {
    abandon (session);
    return EPERM;
  }
  unlink_session (session);
  const int code = tracer_file_close (&session->file);
  if (code)
    fail (trace, session->number, NULL, code, "cannot close: ", strerror (code));
  free (session);
  return atomic_load (&trace->stopped);
}
