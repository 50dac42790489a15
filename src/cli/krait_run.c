// What makes krait-run of it: the drivers are linked.

#include "cli/run_program.h"

const bool is_run_program = true;
