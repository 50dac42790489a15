#include "cli/quantities.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number (const char *text, uint64_t *number, char **rest) {
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *number = strtoull (text, rest, 10);
  return !errno;
}

static bool out_of_range (struct error *error, const char *name, const char *text, uint64_t low, uint64_t high) {
  return error_set (error, "--%s=%s: expected an integer from %" PRIu64 " to %" PRIu64, name, text, low, high);
}

bool parse_count (const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *to, struct error *error) {
  uint64_t number;
  char *rest;
  if (!parse_number (text, &number, &rest) || *rest || number < low || number > high)
    return out_of_range (error, name, text, low, high);
  *to = number;
  return true;
}

bool parse_bytes (const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *to, struct error *error) {
  static const char wrong[] = "--%s=%s: expected an integer of bytes, with K, M or G behind it or without";
  uint64_t number;
  char *rest;
  if (!parse_number (text, &number, &rest))
    return error_set (error, wrong, name, text);
  unsigned shift = 0;
  if (*rest) {
    const char *unit = strchr ("KkMmGg", *rest);
    if (!unit || rest[1])
      return error_set (error, wrong, name, text);
    shift = *unit == 'K' || *unit == 'k' ? 10 : *unit == 'M' || *unit == 'm' ? 20 : 30;
  }
  if (number > high >> shift || number << shift < low)
    return out_of_range (error, name, text, low, high);
  *to = number << shift;
  return true;
}

bool parse_real (const char *name, const char *text, const char *what, double low, double high, double *to,
                 struct error *error) {
  char *rest;
  const double number = strtod (text, &rest);
  const bool plain = *text && strspn (text, "0123456789.") == strlen (text);
  if (!plain || *rest || !(number >= low) || number > high)
    return error_set (error, "--%s=%s: expected %s, from %g to %g", name, text, what, low, high);
  *to = number;
  return true;
}
