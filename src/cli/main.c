// krait COMMAND [options] [arguments]: finds the command, parses its options by the table, and runs
// it.

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "cli/cli.h"
#include "cli/suggest.h"
#include "drive/driver.h"
#include "solve/sat.h"

#include <string.h>

static int show_version (void) {
  printf ("krait %s\nCaDiCaL %s\nformats:", PACKAGE_VERSION, sat_version ());
  for (size_t i = 0; formats[i]; i++)
    printf (" %s", formats[i]->name);
  printf ("\ndatabases:");
  for (size_t i = 0; drivers[i]; i++)
    printf (" %s", drivers[i]->name);
  printf ("%s\n", drivers[0] ? "" : " none");
  return flush_results (EXIT_VALID);
}

static int show_help (bool all) {
  help_program (all);
  return flush_results (EXIT_VALID);
}

static int unknown_command (const char *name) {
  char hint[128];
  struct suggestion near = suggestion_for (name);
  for (size_t i = 0; i < COMMANDS; i++)
    suggestion_offer (&near, command_rows[i].name, strlen (command_rows[i].name));
  suggestion_offer (&near, "--help", strlen ("--help"));
  suggestion_offer (&near, "--version", strlen ("--version"));
  return usage_error ("unknown %s %s%s (krait -h lists the commands)", *name == '-' ? "option" : "command", name,
                      suggestion_words (&near, "", hint, sizeof hint));
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
  return flush_results (commands[command](options));
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
  catch_interrupts ();
  ignore_file_size_signal ();
}

int main (int argc, char **argv) {
  if (argc < 2)
    return usage_error ("a command is missing (krait -h lists them)");
  const char *name = argv[1];
  if (!strcmp (name, "--version"))
    return show_version ();
  if (!strcmp (name, "-h") || !strcmp (name, "--help"))
    return show_help (name[1] == '-');
  for (unsigned command = 0; command < COMMANDS; command++) {
    if (strcmp (name, command_rows[command].name))
      continue;
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
