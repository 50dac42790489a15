// Numbers of options: whole ones, bytes with a unit, fractions. Each parser is given the option's
// name and the text behind the `=`, and leaves the number alone when it fails.

#ifndef KRAIT_CLI_QUANTITIES_H
#define KRAIT_CLI_QUANTITIES_H

#include "base/error.h"

bool parse_count (const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *to, struct error *);
bool parse_bytes (const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *to, struct error *);
// `what` is expected: a share, or seconds.
bool parse_real (const char *name, const char *text, const char *what, double low, double high, double *to,
                 struct error *);

#endif
