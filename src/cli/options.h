// What the command line says. options.def has the options, commands.def the commands.

#ifndef KRAIT_CLI_OPTIONS_H
#define KRAIT_CLI_OPTIONS_H

#include "cnf/encodings.h"
#include "dialects/dialects.h"
#include "formats/formats.h"

#include <stdio.h>

struct acyclicity;
struct encoding;

enum command_id {
#define COMMAND(name, arguments, summary) COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
  COMMANDS
};

enum {
#define COMMAND(name, arguments, summary) IN_##name = 1 << COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
};

enum option_where { WHERE_SHORT, WHERE_LONG, WHERE_STEP };

#define TYPE_OF_FLAG bool
#define TYPE_OF_TEXT const char *
#define TYPE_OF_TEXTS text_list
#define TYPE_OF_CHOICE unsigned
#define TYPE_OF_FORMAT const struct format *
#define TYPE_OF_DIALECT const struct dialect *
#define TYPE_OF_ENCODING const struct encoding *
#define TYPE_OF_ACYCLICITY const struct acyclicity *
#define TYPE_OF_COUNT uint64_t
#define TYPE_OF_SECONDS double
#define TYPE_OF_BYTES uint64_t
#define TYPE_OF_SHARE double

typedef VEC (const char *) text_list;

struct options {
#define OPTION(member, name, kind, initial, low, high, value, commands, where, help) TYPE_OF_##kind member;
#include "cli/options.def"
#undef OPTION
  bool short_help;
  bool output_given;
  const char **arguments; // what is not an option
  int argument_count;
};

// The same table as data, for those who list options.
struct option_row {
  const char *name;
  const char *value; // NULL: a flag
  unsigned commands;
  enum option_where where;
  const char *help;
};
extern const struct option_row option_rows[];
extern const size_t option_row_count;

struct command_row {
  const char *name, *arguments, *summary;
};
extern const struct command_row command_rows[COMMANDS];

// `words` come after the command. False after setting the error.
bool options_parse (struct options *, enum command_id, const char **words, int count, struct error *);
void options_free (struct options *);

// Help on standard output.
void help_program (bool all);
void help_command (enum command_id, bool all);

#endif
