// Is it text? JSON strings must be UTF-8; keys and values of a history may be any bytes.

#ifndef KRAIT_FORMATS_UTF8_H
#define KRAIT_FORMATS_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The length (1 to 4) of the well-formed sequence at `at`, or 0. Surrogates and overlong forms are not well-formed.
unsigned utf8_sequence (const char *at, const char *end);

bool utf8_valid (const char *bytes, size_t length);

// Writes the 1 to 4 bytes of a code point that is not a surrogate; returns how many.
unsigned utf8_encode (uint32_t code_point, char bytes[4]);

#endif
