// A certificate as text.

#ifndef KRAIT_VERIFY_DUMP_H
#define KRAIT_VERIFY_DUMP_H

#include "verify/certificate.h"

#include <stdio.h>

// For the history that it belongs to; numbers that are not there are shown as question marks.
void certificate_dump (const struct certificate *, struct told *, FILE *);

// What the verdict takes for granted besides the history, a line each; after it was verified with
// what is told here.
void certificate_put_assumptions (const struct certificate *, struct told *, FILE *);

#endif
