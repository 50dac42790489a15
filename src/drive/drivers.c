#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "drive/driver.h"

#define DRIVER(name) extern const struct driver driver_##name;
#include "drive/drivers.def"
#undef DRIVER

const struct driver *const drivers[] = {
#define DRIVER(name) &driver_##name,
#include "drive/drivers.def"
#undef DRIVER
  NULL,
};
