#include "levels/lattice.h"

#include <string.h>

// One step each; level_implies follows them. SEMANTICS section 5 (docs/semantics.md), "Lattice".
static const struct {
  const char *strong, *weak;
} steps[] = {
  { "strict-serializable", "strong-session-serializable" },
  { "strong-session-serializable", "serializable" },
};

// The steps have no cycle, hence this ends.
static bool name_implies (const char *strong, const char *weak) {
  if (!strcmp (strong, weak))
    return true;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (!strcmp (steps[i].strong, strong) && name_implies (steps[i].weak, weak))
      return true;
  return false;
}

bool level_implies (const struct level *strong, const struct level *weak) {
  return name_implies (strong->name, weak->name);
}
