// What makes the program krait of what is in main.c: it plays on no database. That is left to
// krait-run, since the client libraries bring thirty others, and to load these takes longer than to
// check a small history.

#include "cli/run_program.h"
#include "drive/driver.h"

const bool is_run_program = false;
const struct driver *const drivers[] = { NULL };
