// What krait generate can do, for its help: workloads, levels of the store, faults.

#ifndef KRAIT_CLI_GENERATE_TABLES_H
#define KRAIT_CLI_GENERATE_TABLES_H

void generate_tables_print (void);

#endif
