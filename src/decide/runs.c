// When runs are searched for, and for how long.

#include "saturate/runs.h"

#include "decide/deciding.h"

// In looks at the next point of a chain: one to two hundred million in a second.
enum {
  MOST_WORK = 1 << 29,
  WORK_PER_CANDIDATE = 1 << 13, // a solver is fast where few are left
  WORK_PER_STEP = 1 << 9,       // for each point and word of a state: to come through without trouble
  SMALL_WORK = 1 << 24,
  MOST_WORDS = 1 << 10,      // of a state; larger ones take too long to copy
  MANY_CANDIDATES = 1 << 18, // and for each read:
  CANDIDATES_PER_READ = 32,
};
#define MOST_PASS (UINT64_C (1) << 31)

static bool run_within (struct deciding *d, uint64_t most_work) {
  point_vec order = VEC_EMPTY;
  if (!d->options->steps.run_search)
    return false;
  deciding_progress (d, "runs");
  const enum runs_outcome outcome =
    runs_search (d->saturation, &(struct runs_limits){ .work = most_work, .budget = d->options->budget }, &order);
  const bool accepted = outcome == RUNS_FOUND && accept_run (d, &order);
  d->decision->effort.runs++;
  d->decision->effort.runs_found += accepted;
  VEC_FREE (order);
  if (outcome == RUNS_STOPPED)
    deciding_stop (d);
  return accepted || outcome == RUNS_STOPPED;
}

// What it takes to get to the end of the history at all.
static uint64_t work_of_pass (const struct deciding *d) {
  return (uint64_t) d->graph->points * ((uint64_t) d->graph->chains + d->ir->keys) * WORK_PER_STEP;
}

static bool is_within_reach (const struct deciding *d) {
  return work_of_pass (d) <= MOST_PASS && (uint64_t) d->graph->chains + d->ir->keys <= MOST_WORDS;
}

// An attempt at a stronger level has less time.
static uint64_t bounded (const struct deciding *d, uint64_t work) {
  const uint64_t most = (d->options->most_conflicts ? MOST_WORK / 4 : MOST_WORK) + work_of_pass (d);
  return work < most ? work : most;
}

// With so many candidates per read saturation looks at each of them for long, and rules out few.
static bool has_many_candidates (const struct ir *ir) {
  uint64_t candidates = 0;
  for (uint32_t i = 0; i < ir->choice_count; i++)
    candidates += ir->choices[i].last - ir->choices[i].first;
  return candidates >= MANY_CANDIDATES && candidates / CANDIDATES_PER_READ >= ir->reads;
}

bool decided_by_early_run (struct deciding *d) {
  return has_many_candidates (d->ir) && is_within_reach (d) && run_within (d, bounded (d, UINT64_MAX));
}

bool decided_by_run (struct deciding *d) {
  uint64_t work = 0;
  for (size_t i = 0; i < d->saturation->open.count; i++)
    work += (uint64_t) WORK_PER_CANDIDATE * d->saturation->open.data[i].count;
  if (work_of_pass (d) <= SMALL_WORK)
    work += work_of_pass (d);
  return work && is_within_reach (d) && run_within (d, bounded (d, work));
}

bool decided_by_long_run (struct deciding *d) {
  return run_within (d, 0);
}
