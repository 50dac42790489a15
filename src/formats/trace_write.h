// Writing any history as a trace, for `krait convert`; programs that run have the tracer
// (include/krait/trace.h).

#ifndef KRAIT_FORMATS_TRACE_WRITE_H
#define KRAIT_FORMATS_TRACE_WRITE_H

#include "formats/logs.h"

extern const struct log_name trace_log_name;

bool trace_write (const struct history *, const char *folder, struct error *);

#endif
