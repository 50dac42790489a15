#include "cli/driver_table.h"

#include "cli/wrap.h"
#include "drive/driver.h"

#include <stdio.h>

void driver_table_print (void) {
  printf ("\nDatabases\n");
  for (size_t i = 0; drivers[i]; i++) {
    printf ("  %s: %s\n", drivers[i]->name, drivers[i]->about);
    wrap_text (drivers[i]->url, WRAP_INDENT);
    for (const struct driver_level *level = drivers[i]->levels; level->name; level++) {
      char text[256];
      snprintf (text, sizeof text, "--isolation=%s: %s", level->name, level->about);
      wrap_text (text, WRAP_INDENT);
    }
  }
  if (!drivers[0])
    printf ("  none: this krait was built without client libraries\n");
}
