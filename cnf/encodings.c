#include "cnf/encodings.h"

const struct encoding encodings[] = {
  { "krait", "a variable per open pair of writers and per candidate of an open read; readers follow by guarded edges",
    encode_krait },
  { NULL, NULL, NULL },
};
