#include "cli/progress.h"

#include "base/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void progress_start (struct progress *progress, bool asked, bool quiet) {
  const bool terminal = isatty (STDERR_FILENO);
  *progress = (struct progress){ .on = asked || (terminal && !quiet), .terminal = terminal, .start = clock_seconds () };
}

void progress_phase (void *context, const char *phase, double fraction) {
  struct progress *progress = context;
  if (!progress->on)
    return;
  fprintf (stderr, "%skrait: %9.3f s  %s", progress->terminal ? "\r\033[K" : "", clock_seconds () - progress->start,
           phase);
  if (progress->transactions)
    fprintf (stderr, "  %" PRIu64 " transactions", progress->transactions);
  if (fraction >= 0)
    fprintf (stderr, "  %3.0f%%", fraction * 100);
  fprintf (stderr, progress->terminal ? "" : "\n");
  fflush (stderr);
  progress->shown = true;
}

void progress_clear (struct progress *progress) {
  if (progress->shown && progress->terminal)
    fprintf (stderr, "\r\033[K");
  progress->shown = false;
}
