// Makes the checksums of a .ktr file fit what it holds, after a test has tampered with it: what the
// reader must catch then.

#ifndef KRAIT_TESTS_TRACE_SEAL_H
#define KRAIT_TESTS_TRACE_SEAL_H

#include <stddef.h>

// As far as the lengths of records lead.
void trace_seal (char *bytes, size_t length);

#endif
