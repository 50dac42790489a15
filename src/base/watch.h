// A thread that looks after a budget while nobody asks.
//
// Most loops ask their budget now and then (budget.h). Some work cannot: a reader in the middle of
// a file, a library call. The watch samples clock and resident size beside it, so that the next
// question is answered at once; and if no answer was taken for a while, or memory grows on
// regardless, it calls the last resort, which reports and ends the process.

#ifndef KRAIT_BASE_WATCH_H
#define KRAIT_BASE_WATCH_H

#include "base/budget.h"

struct watch;

// Called in the watch's thread; must not return.
typedef void (*last_resort) (void *context, enum budget_state);

struct watch *watch_start (struct budget *, last_resort, void *context);

// Looks after another budget from now on.
void watch_turn_to (struct watch *, struct budget *);

// Afterwards the last resort is not called any more. If it is under way, this never returns.
void watch_stop (struct watch *);

#endif
