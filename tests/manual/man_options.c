// Prints the options of all commands in the form of the man page. docs/krait.1 holds the output
// between two marks; tests/manual/run compares.

#include "cli/options.h"

#include <ctype.h>
#include <string.h>

// Words in back quotes become bold, hyphens and backslashes survive roff.
static void print_roff (const char *text) {
  bool bold = false;
  for (; *text; text++)
    if (*text == '`') {
      bold = !bold;
      printf (bold ? "\\fB" : "\\fR");
    } else if (*text == '-')
      printf ("\\-");
    else if (*text == '\\')
      printf ("\\e");
    else
      putchar (*text);
}

static void print_commands (unsigned commands) {
  const char *before = "(";
  for (unsigned i = 0; i < COMMANDS; i++)
    if (commands & 1u << i) {
      printf ("%s%s", before, command_rows[i].name);
      before = ", ";
    }
  printf (") ");
}

static void print_option (const struct option_row *row) {
  printf (".TP\n\\fB\\-\\-");
  print_roff (row->name);
  printf ("\\fR");
  if (row->value) {
    printf ("=\\fI");
    print_roff (row->value);
    printf ("\\fR");
  }
  printf ("\n");
  if (strcmp (row->name, "help"))
    print_commands (row->commands);
  print_roff (row->help);
  printf (".\n");
}

int main (void) {
  for (size_t i = 0; i < option_row_count; i++)
    print_option (&option_rows[i]);
  return 0;
}
