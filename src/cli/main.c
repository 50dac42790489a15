// krait COMMAND [options] [arguments]: finds the command, parses its options by the table, and runs
// it.

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/watch.h"
#include "cli/cli.h"
#include "cli/run_program.h"
#include "cli/suggest.h"
#include "solve/sat.h"

#include <unistd.h>

static int show_version (void) {
  printf ("krait %s\nCaDiCaL %s\nformats:", PACKAGE_VERSION, sat_version ());
  for (size_t i = 0; formats[i]; i++)
    printf (" %s", formats[i]->name);
  static const char *const databases[] = {
#define DRIVER(name) #name,
#include "drive/drivers.def"
#undef DRIVER
    NULL,
  };
  printf ("\ndatabases:");
  for (size_t i = 0; databases[i]; i++)
    printf (" %s", databases[i]);
  printf ("%s\n", databases[0] ? "" : " none");
  return flush_results (EXIT_VALID);
}

static int unknown_command (const char *name) {
  struct suggestion near = suggestion_for (name);
  for (size_t i = 0; i < COMMANDS; i++)
    suggestion_offer (&near, command_rows[i].name);
  suggestion_offer (&near, "--help");
  suggestion_offer (&near, "--version");
  return usage_error ("unknown %s %s%s (krait -h lists the commands)", *name == '-' ? "option" : "command", name,
                      suggestion_words (&near, ""));
}

// Those without limits of their own, which still stop cleanly when they are interrupted.
enum { GUARDED = IN_convert | IN_stats | IN_encode | IN_generate };

static void stop_at_once (void *context, enum budget_state state) {
  (void) context;
  (void) state;
  history_remove_unfinished ();
  _exit (EXIT_INTERRUPTED);
}

static int run_command (enum command_id command, const struct options *options) {
  if (options->help || options->short_help) {
    help_command (command, options->help);
    return flush_results (EXIT_VALID);
  }
  static int (*const commands[COMMANDS]) (const struct options *) = {
#define COMMAND(name, arguments, summary) command_##name,
#include "cli/commands.def"
#undef COMMAND
  };
  struct budget budget;
  budget_start (&budget, 0, 0, &interrupted);
  struct watch *guard = 1u << command & GUARDED ? watch_start (&budget, stop_at_once, NULL) : NULL;
  const int code = commands[command](options);
  if (guard)
    watch_stop (guard);
  return flush_results (code);
}

static void remove_files (void *context) {
  (void) context;
  history_remove_unfinished ();
}

// Out of memory, there is no verdict where one was asked for; elsewhere it is a failure like any
// other of ours.
static void prepare (enum command_id command) {
  mem_set_exit_code (command == COMMAND_check || command == COMMAND_explain ? EXIT_UNKNOWN : EXIT_INTERNAL);
  mem_set_last_words (remove_files, NULL);
  catch_signals ();
}

int main (int argc, char **argv) {
  if (argc < 2)
    return usage_error ("a command is missing (krait -h lists them)");
  const char *name = argv[1];
  if (!strcmp (name, "--version"))
    return show_version ();
  if (!strcmp (name, "-h") || !strcmp (name, "--help")) {
    help_program (name[1] == '-');
    return flush_results (EXIT_VALID);
  }
  for (unsigned command = 0; command < COMMANDS; command++) {
    if (strcmp (name, command_rows[command].name))
      continue;
    if (command == COMMAND_run && !is_run_program)
      return become_run_program (argv);
    struct options options;
    struct error error = { 0 };
    prepare ((enum command_id) command);
    const bool fine = options_parse (&options, (enum command_id) command, (const char **) argv + 2, argc - 2, &error);
    const int code = fine ? run_command ((enum command_id) command, &options) : fail (&error);
    options_free (&options);
    return code;
  }
  return unknown_command (name);
}
