#include "generate/faults.h"

#include <string.h>

const struct fault faults[FAULTS] = {
  { 0 },
#define FAULT(id, name, isolation, breaks, keeps, rate, needs, about)                                                  \
  { name, isolation, breaks, keeps, rate, needs, about },
#include "generate/faults.def"
#undef FAULT
};

enum fault_id fault_find (const char *name) {
  for (int id = FAULT_NONE + 1; id < FAULTS; id++)
    if (!strcmp (faults[id].name, name))
      return (enum fault_id) id;
  return FAULT_NONE;
}
