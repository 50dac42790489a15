// Where files go: written to a temporary beside the target and renamed when complete, so that a
// failure leaves what was there. A path that ends in .gz or .zst is compressed; "-" is standard
// output.

#ifndef KRAIT_BASE_OUTPUT_H
#define KRAIT_BASE_OUTPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output;

// Finds out before the work whether the file can be written after it. Refuses an existing file
// without `force`; with it, the new file has the mode of the old one.
bool output_may_open (const char *path, bool force, struct error *);
struct output *output_open (const char *path, bool force, struct error *);

// Collects in memory instead; for tests.
struct output *output_open_memory (void);
const char *output_memory (const struct output *, size_t *length);

// Errors are kept and reported by output_commit.
void output_write (struct output *, const void *bytes, size_t length);
void output_text (struct output *, const char *text);
void output_printf (struct output *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void output_u64 (struct output *, uint64_t number); // decimal; the hot one

// Completes the file under its name. False after setting the error; the temporary is gone then.
// Frees the output.
bool output_commit (struct output *, struct error *);
void output_discard (struct output *);

// For a process that is about to end in the middle of everything: removes all temporaries that are
// not in their place. A signal handler may call it.
void output_remove_unfinished (void);

#endif
