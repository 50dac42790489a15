// The tables of the help: everything that goes by a name, with what it is about.

#ifndef KRAIT_CLI_HELP_TABLES_H
#define KRAIT_CLI_HELP_TABLES_H

// Behind its heading, in lines of at most 96 characters.
void print_about (const char *text);

void print_workloads (void);
void print_isolations (void);
void print_faults (void);
void print_drivers (void);
void print_dialects (void);
void print_formats (void);

#endif
