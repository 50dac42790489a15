// A traced folder: opening and closing it and its sessions, and the first error of all of them (include/krait/trace.h).

#include "drive/tracer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say (char *message, size_t size, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

static void say (char *message, size_t size, const char *format, ...) {
  if (!message || !size)
    return;
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (message, size, format, arguments);
  va_end (arguments);
}

// --- Errors -----------------------------------------------------------------

// The traced program goes on without memory for us: nothing here comes from base/memory.h, which ends the process. NULL: there is none.
static char *path_of (const krait_trace *trace, uint64_t number) {
  const size_t length = strlen (trace->folder) + 32;
  char *path = malloc (length);
  if (path)
    snprintf (path, length, "%s/%" PRIu64 TRACE_SUFFIX, trace->folder, number);
  return path;
}

static void mark_closed (const krait_trace *trace, const char *mark) {
  char *path = path_of (trace, trace->closed);
  const int fd = path ? open (path, O_WRONLY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    (void) !pwrite (fd, mark, 4, TRACE_AT_ERROR); // if it cannot be marked, the callers know all the same
    close (fd);
  }
  free (path);
}

// One file of the trace tells its readers that something is missing: that of the session at fault, or any other. `header` NULL: it has no file, or it is closed.
static void mark (krait_trace *trace, char *header, int code) {
  char text[4];
  store_le32 (text, (uint32_t) code);
  if (!header && trace->sessions)
    header = trace->sessions->file.header;
  if (header)
    memcpy (header + TRACE_AT_ERROR, text, sizeof text);
  else if (trace->has_closed)
    mark_closed (trace, text);
}

static int fail (krait_trace *trace, uint64_t number, char *header, int code, const char *format, ...)
  __attribute__ ((format (printf, 5, 6)));

// Keeps the first error of the trace and returns the one that stands.
static int fail (krait_trace *trace, uint64_t number, char *header, int code, const char *format, ...) {
  pthread_mutex_lock (&trace->lock);
  int stands = atomic_load (&trace->stopped);
  if (!stands) {
    char what[256];
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (what, sizeof what, format, arguments);
    va_end (arguments);
    say (trace->message, sizeof trace->message, "%.400s/%" PRIu64 TRACE_SUFFIX ": %s", trace->folder, number, what);
    mark (trace, header, code);
    atomic_store (&trace->stopped, code);
    stands = code;
  }
  pthread_mutex_unlock (&trace->lock);
  return stands;
}

int tracer_fail_session (krait_trace_session *session, int code, const char *what) {
  return fail (session->trace, session->number, session->file.header, code, "%s", what);
}

int krait_trace_error (krait_trace *trace, char *message, size_t size) {
  if (!trace) {
    say (message, size, "no trace");
    return EINVAL;
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

// A process may open a folder twice, and its id may come again in another container: only those who share an error have this in common. The process id is for people.
static uint64_t process_of (const krait_trace *trace) {
  const int64_t alone[] = { getpid (), trace_now (), (int64_t) (intptr_t) trace };
  return (uint64_t) (uint32_t) getpid () | XXH3_64bits (alone, sizeof alone) << 32;
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
  pthread_mutex_destroy (&trace->lock);
  free (trace->folder);
  free (trace);
  return code;
}

// --- Sessions ---------------------------------------------------------------

static int create (krait_trace_session *session, uint64_t number) {
  char *path = path_of (session->trace, number);
  session->number = number;
  const int code =
    path ? tracer_file_create (&session->file, path, &session->trace->clock, session->trace->process) : ENOMEM;
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

static void link_session (krait_trace_session *session) {
  krait_trace *trace = session->trace;
  pthread_mutex_lock (&trace->lock);
  session->next = trace->sessions;
  if (session->next)
    session->next->previous = session;
  trace->sessions = session;
  pthread_mutex_unlock (&trace->lock);
}

static void unlink_session (krait_trace_session *session) {
  krait_trace *trace = session->trace;
  pthread_mutex_lock (&trace->lock);
  if (session->next)
    session->next->previous = session->previous;
  if (session->previous)
    session->previous->next = session->next;
  else
    trace->sessions = session->next;
  trace->closed = session->number;
  trace->has_closed = true;
  pthread_mutex_unlock (&trace->lock);
}

krait_trace_session *krait_trace_session_open (krait_trace *trace, uint64_t number) {
  if (!trace || atomic_load (&trace->stopped))
    return NULL;
  krait_trace_session *session = calloc (1, sizeof *session);
  if (!session) {
    fail (trace, number, NULL, ENOMEM, "cannot create: %s", strerror (ENOMEM));
    return NULL;
  }
  session->trace = trace;
  const int code = number == KRAIT_ANY_SESSION ? create_next (session) : create (session, number);
  if (code) {
    fail (trace, session->number, NULL, code, "cannot create: %s", strerror (code));
    free (session);
    return NULL;
  }
  link_session (session);
  return session;
}

int krait_trace_session_close (krait_trace_session *session) {
  if (!session)
    return EINVAL;
  krait_trace *trace = session->trace;
  unlink_session (session);
  const int code = tracer_file_close (&session->file);
  if (code)
    fail (trace, session->number, NULL, code, "cannot close: %s", strerror (code));
  free (session);
  return atomic_load (&trace->stopped);
}
