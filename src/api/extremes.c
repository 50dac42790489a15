#include "api/extremes.h"

#include "levels/lattice.h"

static bool outdoes (const struct level_results *all, size_t other, size_t index, enum extreme extreme) {
  const bool stronger = level_implies (all->levels[other], all->levels[index]),
             weaker = level_implies (all->levels[index], all->levels[other]);
  if (stronger && weaker)
    return other < index;
  return extreme == STRONGEST ? stronger : weaker;
}

bool is_extreme (const struct level_results *all, size_t index, enum verdict verdict, enum extreme extreme) {
  if (all->results[index]->verdict != verdict)
    return false;
  for (size_t other = 0; other < all->count; other++)
    if (other != index && all->results[other]->verdict == verdict && outdoes (all, other, index, extreme))
      return false;
  return true;
}

bool has_verdict (const struct level_results *all, enum verdict verdict) {
  for (size_t i = 0; i < all->count; i++)
    if (all->results[i]->verdict == verdict)
      return true;
  return false;
}
