// Pieces that the writers of JSON share.

#ifndef KRAIT_FORMATS_JSON_WRITE_H
#define KRAIT_FORMATS_JSON_WRITE_H

#include "formats/text.h"
#include "history/atoms.h"

#include <stddef.h>

// In quotes, with escapes where JSON wants them. The bytes must be UTF-8.
void json_put_string (struct text *, const char *bytes, size_t length);

// A number, or a string of bytes that are text.
void json_put_atom (struct text *, struct atom);

#endif
