// What options name, found in its table: the format to write, and the workload.

#ifndef KRAIT_CLI_NAMED_H
#define KRAIT_CLI_NAMED_H

#include "cli/options.h"
#include "generate/workload.h"

// The one of this name, if Krait writes it; NULL after setting the error.
const struct format *target_format (const char *name, struct error *);

bool is_named_after (const char *path, const struct format *); // ends in its name, behind a dot
// The one that a path ends in, before .gz or .zst; else JSON Lines.
const struct format *target_format_of_path (const char *path);

// NULL after setting the error.
const struct workload *workload_named (const char *name, struct error *);
struct workload_options workload_options_of (const struct options *);

#endif
