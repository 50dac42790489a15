// What must hold of the core of one invalid history.

#ifndef KRAIT_TESTS_EXPLAIN_TRIAL_H
#define KRAIT_TESTS_EXPLAIN_TRIAL_H

#include "api/check.h"
#include "families.h"
#include "history/history.h"

struct trials {
  family_vec families;
  uint64_t passed, failed, skipped;
  uint64_t renamed; // cores whose cycle has another name than that of the whole
  bool tell_times;  // of each history
};

// `label` is for messages. False: the history is not invalid, and nothing was tried.
bool trial (struct trials *, const char *family, const char *label, const struct history *,
            const struct check_options *);

// "N passed, ..." and the table before it; the exit status.
int trials_end (struct trials *);

#endif
