// Nested data as text, in JSON or in EDN: the two differ only in how members are named and
// separated.
//
//   struct tree tree = { .text = &text, .dialect = TREE_JSON };
//   tree_open (&tree, NULL, '{');
//   tree_string (&tree, "level", "serializable");
//   tree_close (&tree, '}');
//
// What stands in a list, or alone, has NULL for its name.

#ifndef KRAIT_FORMATS_TREE_H
#define KRAIT_FORMATS_TREE_H

#include "formats/text.h"
#include "history/atoms.h"

#include <stdbool.h>
#include <stdint.h>

enum tree_dialect { TREE_JSON, TREE_EDN };

struct tree {
  struct text *text;
  enum tree_dialect dialect;
  bool filled; // something stands before, at this depth: a separator comes first
};

void tree_open (struct tree *, const char *name, char bracket); // '{' or '['
void tree_close (struct tree *, char bracket);                  // '}' or ']'

// NULL: null. Bytes that are not UTF-8 become U+FFFD
void tree_string (struct tree *, const char *name, const char *string);
void tree_unsigned (struct tree *, const char *name, uint64_t);
void tree_seconds (struct tree *, const char *name, double);
void tree_bool (struct tree *, const char *name, bool);
void tree_null (struct tree *, const char *name);
void tree_atom (struct tree *, const char *name, struct atom); // bytes that are not UTF-8: {"b64":"…"}

#endif
