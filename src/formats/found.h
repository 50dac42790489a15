// What stands at a place, in a few characters, for the second half of "expected …, found …".

#ifndef KRAIT_FORMATS_FOUND_H
#define KRAIT_FORMATS_FOUND_H

enum { FOUND_SIZE = 64 };

// `end_name` is said when nothing is left: "the end of the line". Fills and returns the buffer.
const char *found_text (char buffer[FOUND_SIZE], const char *at, const char *end, const char *end_name);

#endif
