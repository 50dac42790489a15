// A traced folder: opening and closing it and its sessions, and the first error of all of them (include/krait/trace.h).

#include "drive/tracer.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

int tracer_fail (krait_trace *trace, int code, const char *format, ...) {
  pthread_mutex_lock (&trace->lock);
  int stands = atomic_load (&trace->stopped);
  if (!stands) {
    va_list arguments;
    va_start (arguments, format);
    vsnprintf (trace->message, sizeof trace->message, format, arguments);
    va_end (arguments);
    atomic_store (&trace->stopped, code);
    stands = code;
  }
  pthread_mutex_unlock (&trace->lock);
  return stands;
}

int tracer_fail_session (krait_trace_session *session, int code, const char *what) {
  store_le32 (session->file.header + TRACE_AT_ERROR, (uint32_t) code);
  return tracer_fail (session->trace, code, "%.400s/%" PRIu64 TRACE_SUFFIX ": %s", session->trace->folder,
                      session->number, what);
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

krait_trace *krait_trace_open (const char *folder, unsigned flags, char *message, size_t size) {
  if (!folder || flags & ~(unsigned) KRAIT_TRACE_ADD) {
    say (message, size, folder ? "unknown flags" : "no folder");
    return NULL;
  }
  if (!may_trace_into (folder, flags, message, size))
    return NULL;
  krait_trace *trace = mem_zalloc (sizeof *trace);
  trace->folder = mem_strdup (folder);
  trace->clock = trace_clock_here ();
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
  mem_free (trace->folder);
  mem_free (trace);
  return code;
}

// --- Sessions ---------------------------------------------------------------

static int create (krait_trace_session *session, uint64_t number) {
  const size_t length = strlen (session->trace->folder) + 32;
  char *path = mem_alloc (length);
  snprintf (path, length, "%s/%" PRIu64 TRACE_SUFFIX, session->trace->folder, number);
  session->number = number;
  const int code = tracer_file_create (&session->file, path, &session->trace->clock);
  mem_free (path);
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
  pthread_mutex_unlock (&trace->lock);
}

krait_trace_session *krait_trace_session_open (krait_trace *trace, uint64_t number) {
  if (!trace || atomic_load (&trace->stopped))
    return NULL;
  krait_trace_session *session = mem_zalloc (sizeof *session);
  session->trace = trace;
  const int code = number == KRAIT_ANY_SESSION ? create_next (session) : create (session, number);
  if (code) {
    tracer_fail (trace, code, "%.400s/%" PRIu64 TRACE_SUFFIX ": cannot create: %s", trace->folder, session->number,
                 strerror (code));
    mem_free (session);
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
    tracer_fail (trace, code, "%.400s/%" PRIu64 TRACE_SUFFIX ": cannot close: %s", trace->folder, session->number,
                 strerror (code));
  mem_free (session);
  return atomic_load (&trace->stopped);
}
