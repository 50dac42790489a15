// The clocks of a trace, for the tracer that reads them and for readers who want to know whether a
// file's clock is their own.

#ifndef KRAIT_FORMATS_TRACE_CLOCK_H
#define KRAIT_FORMATS_TRACE_CLOCK_H

#include "formats/trace_layout.h"

// Monotonic nanoseconds.
int64_t trace_now (void);

// That of this machine. Its id is never all zeros: those are for times that no machine's clock
// gave.
struct trace_clock trace_clock_here (void);

#endif
