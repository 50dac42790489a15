// Makes the checksums of a krait binary fit what the file holds, after a test has tampered with it:
// what validation must catch then.

#ifndef KRAIT_TESTS_KRT_SEAL_H
#define KRAIT_TESTS_KRT_SEAL_H

#include <stddef.h>

// Does nothing to a file whose directory makes no sense.
void krt_seal (char *bytes, size_t length);

#endif
