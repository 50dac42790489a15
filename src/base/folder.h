// Folders, where memory may have run out.

#ifndef KRAIT_BASE_FOLDER_H
#define KRAIT_BASE_FOLDER_H

#include <dirent.h>
#include <stdbool.h>

// opendir, but for want of memory the process ends as everywhere else, and nobody takes the folder
// for one that is not there.
DIR *folder_open (const char *path);

// The name of the next entry that is neither the folder itself nor the one above; NULL at the end.
const char *folder_next (DIR *);

bool folder_is_empty (const char *path); // false, too, if there is none, or it cannot be read

// Removes a folder and the files in it. Takes no memory. False, with errno, if it is still there.
bool folder_remove (const char *path);

#endif
