#include "cnf/encodings.h"

const struct encoding encodings[] = {
#define ENCODING(name, summary) { #name, summary, encode_##name },
#include "cnf/encodings.def"
#undef ENCODING
  { NULL, NULL, NULL },
};
