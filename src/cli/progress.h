// What is being done, on standard error: a line that is overwritten on a terminal, one line per
// phase elsewhere.

#ifndef KRAIT_CLI_PROGRESS_H
#define KRAIT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
  bool on, terminal, shown;
  double start;
  uint64_t transactions; // 0: not known yet
};

// On a terminal, or where it was asked for.
void progress_start (struct progress *, bool asked, bool quiet);
// As check_options.progress wants it; the context is the struct progress.
void progress_phase (void *context, const char *phase, double fraction);
// Takes the line off the terminal, before results are printed.
void progress_clear (struct progress *);

#endif
