#include "cnf/encodings.h"

#include <string.h>

const char *refuses_nothing (const struct ir *ir) {
  (void) ir;
  return NULL;
}

const struct encoding encodings[] = {
#define ENCODING(name, refuses, summary) { #name, summary, refuses, encode_##name },
#include "cnf/encodings.def"
#undef ENCODING
  { NULL, NULL, NULL, NULL },
};

const struct encoding *encoding_find (const char *name) {
  for (const struct encoding *e = encodings; e->name; e++)
    if (!strcmp (e->name, name))
      return e;
  return NULL;
}
