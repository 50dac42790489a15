#include "tests/support/random_ir.h"

#include "asg/asg.h"
#include "ir/builder.h"
#include "levels/levels.h"
#include "levels/lower.h"
#include "tests/brute/random_history.h"

static void release (void *asg) {
  asg_free (asg);
}

bool random_ir_make (struct random_ir *made, uint64_t seed, uint64_t index, const struct level *level) {
  struct brute_options options;
  made->h = random_history (seed, index, &options);
  const bool events = level_needs_events (level);
  made->asg = asg_build (made->h, &(struct asg_options){ .merge_equal_reads = !events, .events = events });
  made->ir = NULL;
  if (made->asg->unsupported || made->asg->faults.count) {
    random_ir_free (made);
    return false;
  }
  struct asg *chained = level->rules.so.used ? made->asg : asg_rechain (made->asg, level->rules.wr.used);
  made->ir = lower_asg (chained, level, options.clock_skew);
  if (chained != made->asg)
    ir_lent_by (made->ir, chained, release);
  return true;
}

void random_ir_free (struct random_ir *made) {
  ir_free (made->ir);
  asg_free (made->asg);
  history_free (made->h);
}
