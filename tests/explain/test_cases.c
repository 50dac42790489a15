// Explanations by cases (explain/cases.h) of histories that once had one and need none: those that
// are valid.

#include "../unit/greatest_main.h"
#include "api/check.h"
#include "explain/cases.h"
#include "explain/violation.h"
#include "formats/formats.h"
#include "history/history.h"
#include "levels/levels.h"

#include <string.h>

static const struct {
  const char *level, *text;
} valid[] = {
  // Where reads constrain nothing, a list says in which order its elements came, but not that an
  // unknown transaction that appended one took place.
  { "strong-session-read-uncommitted", "krait 1\n"
                                       "s1 T1 { append a 1 } commit\n"
                                       "s1 T2 { append a 2 } unknown\n"
                                       "s2 T3 { list a -> [2 1] } commit\n" },
};

TEST a_valid_history_is_not_refuted (void) {
  for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
    struct error error = { 0 };
    struct history *h =
      history_read_memory ("test", valid[i].text, strlen (valid[i].text), format_find ("kht"), &error);
    ASSERTm (error.text, h);
    struct check_options options;
    check_options_default (&options);
    options.level = level_find (valid[i].level);
    struct check_result *result = check_history (h, &options);
    ASSERT_EQm (valid[i].text, VERDICT_VALID, result->verdict);
    struct violation *cases = cases_find (h, &options);
    ASSERT_EQm (valid[i].text, NULL, cases);
    violation_free (cases);
    check_result_free (result);
    history_free (h);
  }
  PASS ();
}

SUITE (cases) {
  RUN_TEST (a_valid_history_is_not_refuted);
}

KRAIT_UNIT_MAIN (RUN_SUITE (cases);)
