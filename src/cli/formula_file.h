// What a formula's file says about how it came about: options of `krait encode`, in a comment, with
// which the same formula can be made again. A file may come from anywhere: what names other files,
// modules among them, is not taken from it.

#ifndef KRAIT_CLI_FORMULA_FILE_H
#define KRAIT_CLI_FORMULA_FILE_H

#include "cli/named.h"
#include "cnf/dimacs.h"

// The options of encode that matter, at this level; to be freed.
char *formula_options_text (const struct options *, const struct level *);

// From the text, whose words they point into; to be freed with options_free. False after setting
// the error.
bool formula_options_read (struct options *, char *text, const char *file, struct error *);

// Where the formula comes from, as comments; to be freed.
struct posed_question;
char *formula_remarks (const struct options *, const struct history *, const struct posed_question *);

bool formula_is_asked_for (const struct options *); // --to=dimacs or gnf
struct formula_kind formula_kind_of (const struct options *);

#endif
