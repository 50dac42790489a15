// Limits on a run: time, resident memory, an interrupt; for searches beside the main thing, work
// done. Long loops ask now and then; the answer is sticky.

#ifndef KRAIT_BASE_BUDGET_H
#define KRAIT_BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum budget_state { BUDGET_LEFT, BUDGET_TIME, BUDGET_MEMORY, BUDGET_INTERRUPTED, BUDGET_WORK };

struct budget {
  double deadline;        // of clock_seconds (); 0: none
  double last_deadline;   // of what this is a slice of; the same if of nothing
  uint64_t memory_limit;  // resident bytes; 0: none
  const atomic_int *stop; // set by a signal handler; NULL: none
  atomic_int state;       // enum budget_state
  atomic_uint calls;      // of budget_spent
  // Limits that do not depend on the clock, to be set after the start; 0: none.
  unsigned most_calls;      // whatever takes long asks often, a search most of all
  uint64_t most_work, work; // in units that its users agree on
};

// 0 seconds: no limit. A deadline is one of clock_seconds (), which may have passed; 0: none.
void budget_start (struct budget *, double timeout_seconds, uint64_t memory_bytes, const atomic_int *stop);
void budget_start_until (struct budget *, double deadline, uint64_t memory_bytes, const atomic_int *stop);

// A part of the time that is left of another budget, whose other limits it shares. What is spent
// here is not spent there. 0 seconds: all that is left.
void budget_start_slice (struct budget *, const struct budget *whole, double seconds);

// Until the deadline; negative if there is none.
double budget_seconds_left (const struct budget *);

void budget_add_work (struct budget *, uint64_t work); // NULL is allowed

// Looks at the clock and at the resident size. A few microseconds.
enum budget_state budget_check (struct budget *);

// The same, but only every 256th call; for inner loops. A NULL budget has no limits.
static inline bool budget_spent (struct budget *budget) {
  if (!budget)
    return false;
  if ((atomic_fetch_add_explicit (&budget->calls, 1, memory_order_relaxed) & 255) == 0)
    return budget_check (budget) != BUDGET_LEFT;
  return atomic_load_explicit (&budget->state, memory_order_relaxed) != BUDGET_LEFT;
}

// Words for the reason of an `unknown`.
const char *budget_reason (enum budget_state);

// For C++, which cannot read the structure.
int budget_stops (struct budget *);

double clock_seconds (void);    // monotonic
uint64_t resident_bytes (void); // now
uint64_t resident_peak (void);  // so far

#endif
