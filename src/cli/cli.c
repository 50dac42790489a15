#include "cli/cli.h"

#include "base/output.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

int exit_code_of_both (int a, int b) {
  static const int order[] = { EXIT_INTERRUPTED, EXIT_INTERNAL, EXIT_USAGE, EXIT_INVALID, EXIT_UNKNOWN };
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (a == order[i] || b == order[i])
      return order[i];
  return EXIT_VALID;
}

int fail (const struct error *error) {
  fflush (stdout);
  fprintf (stderr, "krait: %s\n", error->text);
  return error->code;
}

int usage_error (const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  struct error error = { 0 };
  error_set (&error, "%s", text);
  return fail (&error);
}

void warn_about (const char *name, const char *text, size_t length) {
  const size_t named = strlen (name);
  const bool has_name = length > named && !memcmp (text, name, named);
  fprintf (stderr, "krait: warning: %s%s%.*s\n", has_name ? "" : name, has_name ? "" : ": ", (int) length, text);
}

void print_history_warnings (const struct history *h) {
  for (const char *at = h->warnings; at && *at;) {
    const size_t length = strcspn (at, "\n");
    warn_about (h->name, at, length);
    at += length + (at[length] == '\n');
  }
}

atomic_int interrupted;

// The first signal asks for a clean stop, the second one insists.
static void on_interrupt (int signal_number) {
  (void) signal_number;
  if (atomic_exchange (&interrupted, 1)) {
    output_remove_unfinished ();
    _exit (EXIT_INTERRUPTED);
  }
}

// A write beyond the limit on the size of files fails like any other.
void catch_signals (void) {
  struct sigaction action = { .sa_handler = on_interrupt };
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  signal (SIGXFSZ, SIG_IGN);
}

int flush_results (int code) {
  errno = 0;
  if (!fflush (stdout) && !ferror (stdout))
    return code;
  return usage_error ("standard output: cannot write%s%s", errno ? ": " : "", errno ? strerror (errno) : "");
}

bool may_colour (void) {
  const char *no = getenv ("NO_COLOR"), *term = getenv ("TERM");
  return !(no && *no) && term && strcmp (term, "dumb") && isatty (STDOUT_FILENO);
}
