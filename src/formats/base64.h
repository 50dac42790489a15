// Base64 with padding (RFC 4648, section 4), strict: one text for each string of bytes.

#ifndef KRAIT_FORMATS_BASE64_H
#define KRAIT_FORMATS_BASE64_H

#include "formats/text.h"

#include <stdbool.h>

void base64_encode (struct text *, const char *bytes, size_t length);

// Replaces what is in `bytes`. False if it is not strict Base64.
bool base64_decode (struct text *bytes, const char *encoded, size_t length);

#endif
