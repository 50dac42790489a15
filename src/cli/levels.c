// krait levels: the table of levels, for people and for programs.

#include "levels/levels.h"
#include "cli/cli.h"
#include "formats/tree.h"

static void add_aliases (struct tree *tree, const char *aliases) {
  tree_open (tree, "aliases", '[');
  while (*aliases) {
    char alias[64];
    const size_t length = strcspn (aliases, " ");
    snprintf (alias, sizeof alias, "%.*s", (int) length, aliases);
    tree_string (tree, NULL, alias);
    aliases += length + strspn (aliases + length, " ");
  }
  tree_close (tree, ']');
}

static void add_level (const struct level *level, struct text *text) {
  struct tree tree = { .text = text, .dialect = TREE_JSON };
  tree_open (&tree, NULL, '{');
  tree_string (&tree, "level", level->name);
  add_aliases (&tree, level->aliases);
  tree_string (&tree, "proscribes", level->proscribes);
  tree_close (&tree, '}');
  text_char (text, '\n');
}

static int larger (int width, const char *text) {
  const int length = (int) strlen (text);
  return length > width ? length : width;
}

static void print_table (void) {
  int name = 0, aliases = 0;
  for (size_t i = 0; level_at (i); i++) {
    name = larger (name, level_at (i)->name);
    aliases = larger (aliases, level_at (i)->aliases);
  }
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
