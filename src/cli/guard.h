// Commands without limits of their own still stop cleanly when they are interrupted.

#ifndef KRAIT_CLI_GUARD_H
#define KRAIT_CLI_GUARD_H

#include "base/budget.h"
#include "base/watch.h"

struct history;

struct guard {
  struct budget budget;
  struct watch *watch;
};

void guard_start (struct guard *);
void guard_stop (struct guard *);

// What the reader had to say besides, on standard error.
void print_history_warnings (const struct history *);

#endif
