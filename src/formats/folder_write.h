// Writing a history that is a folder: it is made beside its place, and takes it when it is
// complete.

#ifndef KRAIT_FORMATS_FOLDER_WRITE_H
#define KRAIT_FORMATS_FOLDER_WRITE_H

#include "formats/formats.h"

// Finds out before the work whether there is a place to make it in.
bool folder_may_be_made (const char *path, struct error *);

// What else is in a folder that is there already stays in it; only files of a history of this
// format go.
bool folder_write (const struct history *, const char *path, const struct format *, struct error *);

// For a process that is about to end: removes what is not in its place yet.
void folder_remove_unfinished (void);

#endif
