#include "cli/wrap.h"

#include <stdio.h>
#include <string.h>

void wrap_text (const char *text, int indent) {
  int column = indent;
  printf ("%*s", indent, "");
  while (*text) {
    const int length = (int) strcspn (text, " ");
    if (column > indent && column + 1 + length > WRAP_WIDTH) {
      printf ("\n%*s", indent, "");
      column = indent;
    }
    if (column > indent)
      column += printf (" ");
    column += printf ("%.*s", length, text);
    text += length;
    text += strspn (text, " ");
  }
  printf ("\n");
}
