#include "generate/random.h"

#include <math.h>

// The sum of 1/k^theta. Exact for the first terms, an integral for the rest, so that many keys cost
// nothing.
static double zeta_of (uint64_t count, double theta) {
  enum { EXACT = 10000 };
  double sum = 0;
  for (uint64_t k = 1; k <= count && k <= EXACT; k++)
    sum += pow ((double) k, -theta);
  if (count > EXACT)
    sum += (pow ((double) count + 0.5, 1 - theta) - pow (EXACT + 0.5, 1 - theta)) / (1 - theta);
  return sum;
}

void draw_init (struct draw *draw, enum distribution distribution, uint64_t count) {
  *draw = (struct draw){ .distribution = distribution, .count = count, .theta = 0.99 };
  if (distribution != DISTRIBUTION_ZIPF)
    return;
  draw->zeta = zeta_of (count, draw->theta);
  draw->second = 1 + pow (0.5, draw->theta);
  draw->eta = (1 - pow (2.0 / (double) count, 1 - draw->theta)) / (1 - draw->second / draw->zeta);
}

static uint64_t draw_zipf (const struct draw *draw, struct random *random) {
  const double u = (double) (random_next (random) >> 11) / 9007199254740992.0, share = u * draw->zeta;
  if (share < 1 || draw->count < 2)
    return 0;
  if (share < draw->second || draw->count < 3)
    return 1;
  const uint64_t rank = (uint64_t) ((double) draw->count * pow (draw->eta * u - draw->eta + 1, 1 / (1 - draw->theta)));
  return rank < draw->count ? rank : draw->count - 1;
}

uint64_t draw_next (const struct draw *draw, struct random *random) {
  const uint64_t hot = (draw->count + 9) / 10;
  switch (draw->distribution) {
  case DISTRIBUTION_UNIFORM: break;
  case DISTRIBUTION_ZIPF: return draw_zipf (draw, random);
  case DISTRIBUTION_HOTSPOT:
    if (hot == draw->count || random_chance (random, 0.9))
      return random_below (random, hot);
    return hot + random_below (random, draw->count - hot);
  }
  return random_below (random, draw->count);
}
