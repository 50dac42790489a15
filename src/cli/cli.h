// What the commands share.

#ifndef KRAIT_CLI_CLI_H
#define KRAIT_CLI_CLI_H

#include "cli/options.h"

#include <stdatomic.h>

enum exit_code {
  EXIT_VALID = 0,
  EXIT_INVALID = 1,
  EXIT_USAGE = 2,
  EXIT_UNKNOWN = 3,
  EXIT_INTERNAL = 4,
  EXIT_INTERRUPTED = 130
};

#define COMMAND(name, arguments, summary) int command_##name (const struct options *);
#include "cli/commands.def"
#undef COMMAND

// Which of two codes a run ends with: an interrupt before all, then the first of 4, 2, 1, 3, 0.
int exit_code_of_both (int, int);

// One line on standard error; returns the exit code.
int fail (const struct error *);
int usage_error (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

// One line on standard error, with the history's name before it unless the text has it already.
void warn_about (const char *name, const char *text, size_t length);

// What the reader had to say besides, on standard error.
void print_history_warnings (const struct history *);

// Set by SIGINT and SIGTERM; budgets watch it.
extern atomic_int interrupted;
void catch_signals (void);

// Standard output took everything? Else one line and the code.
int flush_results (int code);

// Colour is for people who look at a terminal, and only if they did not say no (NO_COLOR,
// TERM=dumb).
bool may_colour (void);

#endif
