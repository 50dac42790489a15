// Numbers of options: whole ones, bytes with a unit, seconds. Each parser is given the option's
// name and the text behind the `=`, and leaves the number alone when it fails.

#ifndef KRAIT_CLI_QUANTITIES_H
#define KRAIT_CLI_QUANTITIES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

bool bad_value (struct error *, const char *name, const char *text, const char *expected);
bool parse_count (const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *to, struct error *);
bool parse_bytes (const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *to, struct error *);
bool parse_seconds (const char *name, const char *text, double low, double high, double *to, struct error *);

#endif
