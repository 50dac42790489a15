// krait levels: the table of levels, for people and for programs.

#include "levels/levels.h"
#include "api/tree.h"
#include "cli/cli.h"

#include <string.h>

static void add_aliases (struct tree *tree, const char *aliases) {
  tree_open (tree, '[');
  while (*aliases) {
    char alias[64];
    const size_t length = strcspn (aliases, " ");
    snprintf (alias, sizeof alias, "%.*s", (int) length, aliases);
    tree_string (tree, alias);
    aliases += length + strspn (aliases + length, " ");
  }
  tree_close (tree, ']');
}

static void add_level (const struct level *level, struct text *text) {
  struct tree tree = { .text = text, .dialect = TREE_JSON };
  tree_open (&tree, '{');
  tree_name (&tree, "level");
  tree_string (&tree, level->name);
  tree_name (&tree, "aliases");
  add_aliases (&tree, level->aliases);
  tree_name (&tree, "proscribes");
  tree_string (&tree, level->proscribes);
  tree_close (&tree, '}');
  text_char (text, '\n');
}

static int widest (const char *(*column) (const struct level *), const char *title) {
  size_t width = strlen (title);
  for (size_t i = 0; level_at (i); i++)
    if (strlen (column (level_at (i))) > width)
      width = strlen (column (level_at (i)));
  return (int) width;
}

static const char *name_of (const struct level *level) {
  return level->name;
}

static const char *aliases_of (const struct level *level) {
  return level->aliases;
}

static void print_table (void) {
  const int name = widest (name_of, "level"), aliases = widest (aliases_of, "aliases");
  printf ("%-*s  %-*s  %s\n", name, "level", aliases, "aliases", "proscribes");
  for (size_t i = 0; level_at (i); i++)
    printf ("%-*s  %-*s  %s\n", name, level_at (i)->name, aliases, level_at (i)->aliases, level_at (i)->proscribes);
  printf ("\nThe prefixes strong-session- and strict- go with aliases, too: strict-ser, strong-session-PL-3.\n");
}

int command_levels (const struct options *options) {
  if (options->argument_count)
    return usage_error ("levels: takes no arguments, found %s", options->arguments[0]);
  if (!options->json) {
    print_table ();
    return EXIT_VALID;
  }
  struct text text = { 0 };
  for (size_t i = 0; level_at (i); i++)
    add_level (level_at (i), &text);
  fwrite (text.data, 1, text.count, stdout);
  VEC_FREE (text);
  return EXIT_VALID;
}
