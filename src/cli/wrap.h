// Text of the help, in lines of at most 96 characters.

#ifndef KRAIT_CLI_WRAP_H
#define KRAIT_CLI_WRAP_H

enum { WRAP_WIDTH = 96, WRAP_INDENT = 6 };

void wrap_text (const char *text, int indent);

#endif
