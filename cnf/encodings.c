#include "cnf/encodings.h"

#include <string.h>

const struct encoding encodings[] = {
#define ENCODING(name, summary) { #name, summary, encode_##name },
#include "cnf/encodings.def"
#undef ENCODING
  { NULL, NULL, NULL },
};

const struct encoding *encoding_find (const char *name) {
  for (const struct encoding *encoding = encodings; encoding->name; encoding++)
    if (!strcmp (encoding->name, name))
      return encoding;
  return NULL;
}
