#include "generate/faults.h"

#include <stdlib.h>
#include <string.h>

const struct fault faults[FAULTS] = {
  { 0 },
#define FAULT(id, name, isolation, breaks, keeps, rate, shows, about)                                                  \
  { name, isolation, breaks, keeps, rate, shows, about },
#include "generate/faults.def"
#undef FAULT
};

enum fault_id fault_find (const char *name) {
  for (int id = FAULT_NONE + 1; id < FAULTS; id++)
    if (!strcmp (faults[id].name, name))
      return (enum fault_id) id;
  return FAULT_NONE;
}

uint64_t fault_keys (const struct fault *fault, const char *workload, uint64_t overbooked) {
  const size_t length = strlen (workload);
  for (const char *word = fault->shows; *word; word += strcspn (word, " "), word += strspn (word, " "))
    if (strcspn (word, " :") == length && !memcmp (word, workload, length))
      return word[length] == ':' ? strtoull (word + length + 1, NULL, 10) : overbooked;
  return 0;
}

bool fault_shows_in (const struct fault *fault, const char *workload) {
  return fault_keys (fault, workload, 1);
}
