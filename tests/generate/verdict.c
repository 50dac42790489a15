#include "verdict.h"

#include "api/check.h"
#include "levels/levels.h"

const char *verdict_at (const struct history *h, const char *level) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (level);
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  const char *name = verdict_name (result->verdict);
  check_result_free (result);
  return name;
}
