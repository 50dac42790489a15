// Verifying, from files to an exit code: what krait-verify and `krait verify` do.

#ifndef KRAIT_CERTIFY_VERIFY_FILES_H
#define KRAIT_CERTIFY_VERIFY_FILES_H

#include "base/error.h"
#include "formats/formats.h"

struct verify_request {
  const char *history, *certificate; // paths; "-": standard input
  const struct format *format;       // or NULL: found from the content
  const char *init;                  // another initial state than the history says, or NULL
  bool json, dump, ignore_unreadable;
};

// Prints the answer. 0: certified; 1: refused; else the error is set.
int verify_files (const struct verify_request *, struct error *);

#endif
