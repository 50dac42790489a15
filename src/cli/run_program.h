// The program behind `krait run`.

#ifndef KRAIT_CLI_RUN_PROGRAM_H
#define KRAIT_CLI_RUN_PROGRAM_H

#include <stdbool.h>

extern const bool is_run_program; // this is krait-run

// Becomes krait-run, which has the drivers of databases, with the same words. Comes back only if
// that cannot be, with an exit code.
int become_run_program (char **argv);

#endif
