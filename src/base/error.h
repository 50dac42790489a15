// Bad input, told in one line.
//
// A function that can meet bad input takes a `struct error *` and returns false (or NULL) after
// filling it. The text carries file and place; main prints it after "krait: " and ends with `code`.
// Misuse of an internal interface is not an error of this kind: it aborts, naming the function.

#ifndef KRAIT_BASE_ERROR_H
#define KRAIT_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct error {
  // 0: none; else the exit code of CLI: 2 bad input, 3 a limit, 4 internal, 130 interrupted
  int code;
  char text[768];
};

enum { ERROR_INPUT = 2, ERROR_LIMIT = 3, ERROR_INTERNAL = 4, ERROR_INTERRUPTED = 130 };

// Both keep the first error and return false, for `return error_set (...)`. Line ends, tabs and
// other control characters in the text are replaced, so that it stays one line whatever the input
// held.
bool error_set_code (struct error *, int code, const char *format, ...) __attribute__ ((format (printf, 3, 4)));
#define error_set(error, ...) error_set_code (error, ERROR_INPUT, __VA_ARGS__)

// "FILE:LINE: …" and "FILE:LINE:COLUMN: …" (column 0: left out), "FILE: at byte OFFSET: …".
bool error_at_line (struct error *, const char *file, uint64_t line, uint64_t column, const char *format, ...)
  __attribute__ ((format (printf, 5, 6)));
bool error_at_byte (struct error *, const char *file, uint64_t offset, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

// Misuse: says what and aborts.
void misuse (const char *function, const char *what) __attribute__ ((noreturn));

// What a function relies on, as a condition without side effects: misuse otherwise, in builds with
// KRAIT_DEBUG_CHECKS. It is compiled in every build.
#ifdef KRAIT_DEBUG_CHECKS
#define CHECKS_ARE_ON true
#else
#define CHECKS_ARE_ON false
#endif
#define RELIES_ON(condition)                                                                                           \
  do {                                                                                                                 \
    if (CHECKS_ARE_ON && !(condition))                                                                                 \
      misuse (__func__, "this does not hold: " #condition);                                                            \
  } while (0)

#endif
