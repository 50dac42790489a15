#include "drive/driver.h"
#include "drive/url.h"

#include <stdio.h>
#include <string.h>

static bool takes_scheme (const struct driver *driver, const char *url) {
  for (size_t i = 0; driver->schemes[i]; i++) {
    const size_t length = strlen (driver->schemes[i]);
    if (!strncmp (url, driver->schemes[i], length) && url[length] == ':')
      return true;
  }
  return false;
}

const struct driver *driver_for (const char *url, struct error *error) {
  char list[256] = "";
  size_t used = 0;
  for (size_t i = 0; drivers[i]; i++) {
    if (takes_scheme (drivers[i], url))
      return drivers[i];
    for (size_t j = 0; drivers[i]->schemes[j] && used + 32 < sizeof list; j++)
      used += (size_t) snprintf (list + used, sizeof list - used, "%s%s:", used ? ", " : "", drivers[i]->schemes[j]);
  }
  char shown[URL_SHOWN];
  error_set (error, "--db=%s: no driver for it; this krait was built with those for %s", url_shown (url, shown),
             used ? list : "no database at all");
  return NULL;
}

const struct driver_level *driver_level_find (const struct driver *driver, const char *name, struct error *error) {
  char list[256] = "";
  size_t used = 0;
  for (const struct driver_level *level = driver->levels; level->name; level++) {
    if (!strcmp (level->name, name))
      return level;
    if (used + 32 < sizeof list)
      used += (size_t) snprintf (list + used, sizeof list - used, "%s%s", used ? ", " : "", level->name);
  }
  error_set (error, "--isolation=%.60s: %s has %s", name, driver->name, list);
  return NULL;
}
