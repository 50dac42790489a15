#include "verdict.h"

#include "api/check.h"
#include "dialects/dialects.h"
#include "levels/levels.h"

const char *verdict_under (const struct history *h, const char *level, const char *dialect) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (level);
  options.dialect = dialect ? dialect_find (dialect) : NULL;
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  const char *name = verdict_name (result->verdict);
  check_result_free (result);
  return name;
}

const char *verdict_at (const struct history *h, const char *level) {
  return verdict_under (h, level, NULL);
}
