// What options name, found in its table or loaded: the format to write, the workload, modules; and
// what they say of a check.

#ifndef KRAIT_CLI_NAMED_H
#define KRAIT_CLI_NAMED_H

#include "api/check.h"
#include "cli/options.h"
#include "generate/workload.h"
#include "modules/modules.h"

// The one of this name, if Krait writes it; NULL after setting the error.
const struct format *target_format (const char *name, struct error *);

bool is_named_after (const char *path, const struct format *); // ends in its name, behind a dot
// The one that a path ends in, before .gz or .zst; else JSON Lines.
const struct format *target_format_of_path (const char *path);

// NULL after setting the error.
const struct workload *workload_named (const char *name, struct error *);
struct workload_options workload_options_of (const struct options *);

// False after setting the error.
typedef VEC (const struct module *) module_vec;
bool modules_load (module_vec *, const struct options *, struct error *);
void modules_free (module_vec *);

// What every check under these options has in common, whatever its level. NULL: without modules.
struct check_options check_options_of (const struct options *, const module_vec *);

#endif
