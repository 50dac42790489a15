// The format to write.

#ifndef KRAIT_CLI_TARGET_H
#define KRAIT_CLI_TARGET_H

#include "base/error.h"
#include "formats/formats.h"

// The one of this name, if Krait writes it; NULL after setting the error.
const struct format *target_format (const char *name, struct error *);

// The one that a path ends in, before .gz or .zst; else JSON Lines.
const struct format *target_format_of_path (const char *path);

#endif
