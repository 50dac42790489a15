// Is it text? JSON strings must be UTF-8; keys and values of a history may be any bytes.

#ifndef KRAIT_FORMATS_UTF8_H
#define KRAIT_FORMATS_UTF8_H

#include "formats/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The length (1 to 4) of the well-formed sequence at `at`, or 0. Surrogates and overlong forms are
// not well-formed.
unsigned utf8_sequence (const char *at, const char *end);

bool utf8_valid (const char *bytes, size_t length);

int hex_value (char digit); // -1: it is none

// Adds the code point that \uXXXX at `at` stands for, or two of them, a pair of surrogates. Returns
// how many bytes these take, or 0 and why they do not stand for any.
unsigned utf8_unescape (const char *at, const char *end, struct text *to, const char **why);

#endif
