// What saturation makes of an IR: the same, with more known edges and fewer alternatives.

#ifndef KRAIT_SATURATE_RESULT_H
#define KRAIT_SATURATE_RESULT_H

#include "saturate/saturate.h"

// It borrows from the IR that was saturated, which must outlive it.
struct ir *saturated_ir (const struct saturation *);

#endif
