// krait convert: a history in another format.

#include "cli/cli.h"
#include "cli/named.h"
#include "history/anonymise.h"

static bool convert (const struct options *options, const struct format *to, struct error *error) {
  struct history *h =
    history_read_what_can_be (options->arguments[0], options->format, options->ignore_unreadable, error);
  if (!h)
    return false;
  print_history_warnings (h);
  if (options->anonymise)
    history_anonymise (h);
  const bool done = history_write (h, options->arguments[1], to, options->force, error);
  history_free (h);
  return done;
}

int command_convert (const struct options *options) {
  struct error error = { 0 };
  if (!options->to)
    return usage_error ("convert: --to=FORMAT is missing (krait --help lists the formats)");
  if (options->argument_count != 2)
    return usage_error ("convert: expected two arguments, IN and OUT, found %d", options->argument_count);
  const struct format *to = target_format (options->to, &error);
  if (!to || !history_may_write (options->arguments[1], to, options->force, &error))
    return fail (&error);
  return convert (options, to, &error) ? EXIT_VALID : atomic_load (&interrupted) ? EXIT_INTERRUPTED : fail (&error);
}
