// Between the reader and the writer of Jepsen's JSON.

#ifndef KRAIT_FORMATS_JEPSEN_JSON_H
#define KRAIT_FORMATS_JEPSEN_JSON_H

#include "base/error.h"
#include "history/history.h"

#include <stdbool.h>

struct output;

bool jepsen_json_write (const struct history *, struct output *, struct error *);

#endif
