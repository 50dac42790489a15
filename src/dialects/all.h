// The dialects, for their table.

#ifndef KRAIT_DIALECTS_ALL_H
#define KRAIT_DIALECTS_ALL_H

#include "dialects/dialects.h"

extern const struct dialect dialect_mariadb_rr;

#endif
