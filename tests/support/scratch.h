// A folder of one's own for a test's files.

#ifndef KRAIT_TESTS_SCRATCH_H
#define KRAIT_TESTS_SCRATCH_H

// Made at the first call, removed with its files (two levels deep) when the program ends.
const char *scratch_folder (void);

// FOLDER/NAME; valid until the fourth call after.
const char *scratch_path (const char *name);

#endif
