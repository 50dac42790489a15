// The databases of `krait run`, for its help.

#ifndef KRAIT_CLI_DRIVER_TABLE_H
#define KRAIT_CLI_DRIVER_TABLE_H

void driver_table_print (void);

#endif
