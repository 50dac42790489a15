// Verifying, from files to an exit code: what krait-verify and `krait verify` do.

#ifndef KRAIT_CLI_VERIFY_FILES_H
#define KRAIT_CLI_VERIFY_FILES_H

#include "formats/formats.h"

#include <stdatomic.h>

struct verify_request {
  const char *history, *certificate; // paths; "-": standard input
  const struct format *format;       // or NULL: found from the content
  const char *init;                  // another initial state than the history says, or NULL
  bool json, dump, ignore_unreadable;
  double timeout;         // seconds; 0: none
  uint64_t memory;        // bytes; 0: as much as there is
  const atomic_int *stop; // set by a signal handler; or NULL
  const char *program;    // for messages when a limit is reached
};

// Prints the answer. 0: certified; 1: refused; else the error is set. Where a limit is reached, one
// line says so and the process ends.
int verify_files (const struct verify_request *, struct error *);

#endif
