// The theory under a solver that assigns and backtracks at random: it objects exactly when the true
// guards close a cycle, or lead back where that is forbidden, with a clause that is false and a
// lemma that is a cycle.

#include "greatest_main.h"
#include "solve/theory.h"
#include "tests/brute/prng.h"

#include <string.h>

enum { MOST_POINTS = 10, MOST_EDGES = 24, MOST_VARIABLES = 12, MOST_LEVELS = 40 };

struct trial {
  uint32_t points, variables, edge_count;
  bool known[MOST_POINTS][MOST_POINTS]; // paths, not only edges
  bool view[MOST_POINTS][MOST_POINTS];  // the same without hidden edges
  struct guarded_edge edges[MOST_EDGES];
  int8_t value[MOST_VARIABLES + 1];
  uint32_t level_of[MOST_VARIABLES + 1];
  bool fixed[MOST_VARIABLES + 1];
  uint32_t level;
  uint32_t asked;
  bool implies; // implied literals are asked for
  bool decides;
  bool was_implied[MOST_VARIABLES + 1];
  uint32_t came[MOST_VARIABLES + 1], clock; // when a variable was assigned
  struct theory *theory;
};

static void draw_edge (struct trial *t, struct prng *random, struct guarded_edge *edge) {
  static const enum edge_role kinds[] = { ROLE_PATH, ROLE_PATH, ROLE_ORDER, ROLE_FORBID };
  *edge = (struct guarded_edge){ .from = prng_below (random, t->points),
                                 .to = prng_below (random, t->points),
                                 .role = kinds[prng_below (random, 4)] };
  const unsigned guards = prng_between (random, 1, MOST_GUARDS);
  for (unsigned i = 0; i < guards; i++) {
    const int32_t variable = (int32_t) prng_between (random, 1, t->variables);
    bool there = false;
    for (unsigned k = 0; k < i; k++)
      there |= edge->guard[k] == variable || edge->guard[k] == -variable;
    if (there)
      return;
    edge->guard[i] = prng_chance (random, 50) ? variable : -variable;
  }
}

static void close_paths (const struct trial *t, bool path[MOST_POINTS][MOST_POINTS]) {
  for (uint32_t via = 0; via < t->points; via++)
    for (uint32_t v = 0; v < t->points; v++)
      for (uint32_t u = 0; u < t->points; u++)
        path[v][u] |= path[v][via] && path[via][u];
}

static void make_trial (struct trial *t, struct prng *random) {
  uint32_t first[MOST_POINTS + 1], to[MOST_POINTS * MOST_POINTS], position[MOST_POINTS], count = 0;
  uint8_t hidden[MOST_POINTS * MOST_POINTS];
  memset (t, 0, sizeof *t);
  t->points = prng_between (random, 2, MOST_POINTS);
  t->variables = prng_between (random, 1, MOST_VARIABLES);
  t->edge_count = prng_between (random, 1, MOST_EDGES);
  const unsigned density = prng_below (random, 30);
  for (uint32_t v = 0; v < t->points; v++) {
    position[v] = v;
    first[v] = count;
    for (uint32_t u = v + 1; u < t->points; u++)
      if (prng_chance (random, density)) {
        hidden[count] = prng_chance (random, 30);
        t->known[v][u] = true;
        t->view[v][u] = !hidden[count];
        to[count++] = u;
      }
  }
  first[t->points] = count;
  close_paths (t, t->known);
  close_paths (t, t->view);
  for (uint32_t e = 0; e < t->edge_count; e++)
    draw_edge (t, random, &t->edges[e]);
  t->theory = theory_new (t->variables, t->edges, t->edge_count, t->points, first, to, hidden, position);
  t->implies = prng_chance (random, 70);
  t->decides = prng_chance (random, 50);
  if (t->implies)
    theory_propagate (t->theory, prng_between (random, 1, MOST_POINTS));
  int8_t phases[MOST_VARIABLES + 1];
  memset (phases, 1, sizeof phases);
  if (t->decides)
    theory_prioritise (t->theory, phases);
}

static bool is_true (const struct trial *t, int32_t literal) {
  return t->value[literal > 0 ? literal : -literal] == (literal > 0 ? 1 : -1);
}

static bool is_active (const struct trial *t, uint32_t e) {
  for (unsigned i = 0; i < MOST_GUARDS && t->edges[e].guard[i]; i++)
    if (!is_true (t, t->edges[e].guard[i]))
      return false;
  return true;
}

static bool has_cycle (const struct trial *t) {
  bool path[MOST_POINTS][MOST_POINTS], view[MOST_POINTS][MOST_POINTS];
  memcpy (path, t->known, sizeof path);
  memcpy (view, t->view, sizeof view);
  for (uint32_t e = 0; e < t->edge_count; e++) {
    const struct guarded_edge *edge = &t->edges[e];
    path[edge->from][edge->to] |= is_active (t, e) && edge->role != ROLE_FORBID;
    view[edge->from][edge->to] |= is_active (t, e) && edge->role == ROLE_PATH;
  }
  close_paths (t, path);
  close_paths (t, view);
  for (uint32_t v = 0; v < t->points; v++)
    if (path[v][v])
      return true;
  for (uint32_t e = 0; e < t->edge_count; e++) {
    const struct guarded_edge *edge = &t->edges[e];
    if (edge->role == ROLE_FORBID && is_active (t, e) && (edge->from == edge->to || view[edge->to][edge->from]))
      return true;
  }
  return false;
}

static bool in_clause (const int32_t *clause, int32_t literal) {
  for (; *clause; clause++)
    if (*clause == literal)
      return true;
  return false;
}

static const char *check_lemma (const struct trial *t, uint32_t number, const int32_t *clause) {
  uint32_t count, forbid = 0, order = 0;
  const uint32_t *lemma = theory_lemma (t->theory, number, &count);
  if (!count)
    return "an empty lemma";
  for (uint32_t i = 0; i < count; i++) {
    forbid += t->edges[lemma[i]].role == ROLE_FORBID;
    order += t->edges[lemma[i]].role == ROLE_ORDER;
  }
  if (forbid > 1 || (forbid && order))
    return "a lemma that uses what it must not";
  for (uint32_t i = 0; i < count; i++) {
    const struct guarded_edge *edge = &t->edges[lemma[i]], *next = &t->edges[lemma[i + 1 == count ? 0 : i + 1]];
    if (!is_active (t, lemma[i]))
      return "a lemma with an edge that does not hold";
    if (edge->to != next->from && !(forbid ? t->view : t->known)[edge->to][next->from])
      return "a lemma that is no cycle";
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      if (!in_clause (clause, -edge->guard[k]))
        return "a guard is missing in the clause";
  }
  return NULL;
}

// The lemma is the one found last that the clause was made of.
static const char *check_clause (const struct trial *t, const int32_t *clause) {
  if (!*clause)
    return "an empty clause";
  for (const int32_t *literal = clause; *literal; literal++) {
    if (!is_true (t, -*literal))
      return "a clause that is not false";
    if (in_clause (literal + 1, *literal))
      return "a literal twice";
  }
  const char *wrong = "a clause without a lemma";
  for (uint32_t number = theory_lemmas (t->theory); wrong && number-- > 0;)
    wrong = check_lemma (t, number, clause);
  return wrong;
}

// All but one of its literals are false.
static bool is_unit (const struct trial *t, const int32_t *clause) {
  unsigned others = 0;
  for (; *clause; clause++)
    others += !is_true (t, -*clause);
  return others == 1;
}

// Before everything is assigned it may object, and if so rightly; at the end it must. What is
// implied for good comes as a clause.
static const char *check_conflict (struct trial *t, bool *objects) {
  const char *wrong = NULL;
  bool waits = false;
  const bool at_end = t->asked++ % 2, accepts = !at_end || theory_accepts (t->theory);
  *objects = false;
  for (const int32_t *clause; !wrong && (clause = theory_take_clause (t->theory));) {
    if (t->implies && is_unit (t, clause)) {
      waits = true;
      continue;
    }
    wrong = check_clause (t, clause);
    *objects = true;
  }
  if (wrong)
    return wrong;
  if (!accepts && !*objects && !waits)
    return "an objection without a clause";
  if (*objects && !has_cycle (t))
    return "a conflict without a cycle";
  return at_end && !*objects && !waits && has_cycle (t) ? "a cycle was missed" : NULL;
}

static const char *check_implied (struct trial *t, unsigned *count) {
  const int32_t literal = theory_take_implied (t->theory);
  if (!literal)
    return NULL;
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  if (t->value[variable])
    return "what is assigned was implied";
  t->value[variable] = literal > 0 ? -1 : 1;
  const bool closes = has_cycle (t);
  t->value[variable] = literal > 0 ? 1 : -1;
  if (!closes)
    return "what was implied may just as well not hold";
  t->was_implied[variable] = true;
  t->level_of[variable] = t->level;
  t->came[variable] = t->clock++;
  theory_assign (t->theory, literal, false);
  ++*count;
  return NULL;
}

// A reason has the literal, and besides only what was false before it.
static const char *check_reason (struct trial *t, uint32_t variable) {
  const int32_t literal = t->value[variable] > 0 ? (int32_t) variable : -(int32_t) variable;
  const int32_t *clause = theory_reason (t->theory, literal);
  if (!in_clause (clause, literal))
    return "a reason without the literal";
  for (const int32_t *other = clause; *other; other++)
    if (*other != literal && (!is_true (t, -*other) || t->came[*other > 0 ? *other : -*other] >= t->came[variable]))
      return "a reason that was none at the time";
  t->value[variable] = literal > 0 ? -1 : 1;
  const char *wrong = check_clause (t, clause);
  t->value[variable] = literal > 0 ? 1 : -1;
  return wrong;
}

static const char *check_some_reason (struct trial *t, struct prng *random) {
  const uint32_t variable = prng_between (random, 1, t->variables);
  return t->value[variable] && t->was_implied[variable] ? check_reason (t, variable) : NULL;
}

static void assign (struct trial *t, struct prng *random) {
  const int32_t variable = (int32_t) prng_between (random, 1, t->variables);
  const bool fixed = prng_chance (random, 8);
  int32_t literal = prng_chance (random, 50) ? variable : -variable;
  if (t->value[variable]) // only what it has, as when it becomes known that it holds for good
    literal = t->value[variable] > 0 ? variable : -variable;
  else {
    t->level_of[variable] = t->level;
    t->came[variable] = t->clock++;
    t->was_implied[variable] = false;
  }
  t->value[variable] = literal > 0 ? 1 : -1;
  t->fixed[variable] |= fixed;
  if (fixed) // nobody asks why any more
    t->was_implied[variable] = false;
  theory_assign (t->theory, literal, fixed);
}

static void backtrack (struct trial *t, uint32_t level) {
  theory_backtrack (t->theory, level);
  t->level = level;
  for (uint32_t v = 1; v <= t->variables; v++)
    if (t->value[v] && t->level_of[v] > level) {
      if (t->fixed[v])
        t->level_of[v] = level;
      else
        t->value[v] = 0;
    }
}

// A decision is about something open, and goes against the order only if its opposite does, too:
// here the order of the points at the start, as long as nothing is assigned.
static const char *check_decision (struct trial *t) {
  const int32_t literal = theory_decide (t->theory);
  bool open = false;
  for (uint32_t v = 1; v <= t->variables; v++)
    open |= !t->value[v];
  if (!t->decides)
    return literal ? "a decision that was not asked for" : NULL;
  if (!literal)
    return open ? "something is open, and there is no decision" : NULL;
  return t->value[literal > 0 ? literal : -literal] ? "a decision about what is assigned" : NULL;
}

// What the solver does after every step: it takes what is implied, then asks for clauses.
static const char *propagate (struct trial *t, bool *objects, unsigned *implied) {
  unsigned before;
  const char *wrong;
  do {
    before = *implied;
    wrong = check_implied (t, implied);
  } while (!wrong && *implied > before);
  return wrong ? wrong : check_conflict (t, objects);
}

static const char *step (struct trial *t, struct prng *random, bool *objects, unsigned *implied) {
  const unsigned dice = prng_below (random, 100);
  // At the start little happens: nothing that holds for good is ever taken back.
  if ((dice < 20 || !t->level) && t->level < MOST_LEVELS) {
    theory_new_level (t->theory);
    t->level++;
  } else if (dice < 30 && t->level)
    backtrack (t, prng_below (random, t->level));
  else if (dice < 80)
    assign (t, random);
  else if (!t->implies)
    return check_conflict (t, objects);
  return t->implies ? propagate (t, objects, implied) : NULL;
}

static const char *run (struct trial *t, struct prng *random, unsigned *conflicts, unsigned *implied) {
  for (int i = 0; i < 200; i++) {
    bool objects = false;
    const char *wrong = step (t, random, &objects, implied);
    wrong = wrong ? wrong : check_some_reason (t, random);
    wrong = wrong ? wrong : check_decision (t);
    if (wrong)
      return wrong;
    if (!objects)
      continue;
    ++*conflicts;
    if (!t->level)
      return NULL;
    backtrack (t, prng_below (random, t->level));
  }
  return NULL;
}

TEST random_assignments (void) {
  unsigned conflicts = 0, implied = 0;
  for (uint64_t index = 0; index < 4000; index++) {
    static struct trial trial;
    struct prng random = prng_fork (2, index);
    make_trial (&trial, &random);
    const char *wrong = run (&trial, &random, &conflicts, &implied);
    theory_free (trial.theory);
    if (wrong) {
      printf ("trial %llu\n", (unsigned long long) index);
      FAILm (wrong);
    }
  }
  ASSERT (conflicts > 1000);
  ASSERT (implied > 1000);
  PASS ();
}

// 0 < 1 < 2 < 3 at first; 2 -> 0 turns that around.
TEST a_literal_is_implied_and_told_why (void) {
  const uint32_t first[5] = { 0, 1, 1, 2, 2 }, to[2] = { 1, 3 }, position[4] = { 0, 1, 2, 3 };
  const struct guarded_edge edges[3] = { { .from = 2, .to = 0, .role = ROLE_PATH, .guard = { 1 } },
                                         { .from = 1, .to = 2, .role = ROLE_PATH, .guard = { 2, 3 } },
                                         { .from = 1, .to = 3, .role = ROLE_PATH, .guard = { -4 } } };
  const int8_t phases[5] = { 0, 1, -1, 1, 1 };
  struct theory *theory = theory_new (4, edges, 3, 4, first, to, NULL, position);
  theory_propagate (theory, 8);
  theory_prioritise (theory, phases);
  ASSERT_EQ (4, theory_decide (theory) + 5); // 2 -> 0 would be against the order
  theory_new_level (theory);
  theory_assign (theory, 2, false);
  ASSERT_EQ (0, theory_take_implied (theory));
  theory_new_level (theory);
  theory_assign (theory, 1, false);
  ASSERT_EQ (-3, theory_take_implied (theory));
  theory_assign (theory, -3, false);
  ASSERT_EQ (0, theory_take_implied (theory));
  theory_new_level (theory);
  theory_assign (theory, -4, false);
  ASSERT (!theory_take_clause (theory));
  ASSERT (theory_accepts (theory));
  const int32_t *reason = theory_reason (theory, -3);
  ASSERT_EQ (-6, reason[0] + reason[1] + reason[2]);
  ASSERT_EQ (0, reason[3]);
  ASSERT_EQ (1, theory_lemmas (theory));
  theory_free (theory);
  PASS ();
}

TEST levels_that_are_not_there_are_no_reason_to_act (void) {
  const uint32_t first[3] = { 0, 0, 0 }, position[2] = { 0, 1 };
  const struct guarded_edge edges[2] = { { .from = 0, .to = 1, .role = ROLE_PATH, .guard = { 1 } },
                                         { .from = 1, .to = 0, .role = ROLE_PATH, .guard = { 2 } } };
  struct theory *theory = theory_new (2, edges, 2, 2, first, NULL, NULL, position);
  theory_assign (theory, 1, false);
  theory_backtrack (theory, 3);
  theory_new_level (theory);
  theory_assign (theory, 2, false);
  const int32_t *clause = theory_take_clause (theory);
  ASSERT (clause);
  ASSERT_EQ (-3, clause[0] + clause[1]);
  ASSERT_EQ (0, clause[2]);
  theory_backtrack (theory, 0);
  ASSERT (!theory_take_clause (theory));
  theory_free (theory);
  PASS ();
}

SUITE (theory) {
  RUN_TEST (random_assignments);
  RUN_TEST (a_literal_is_implied_and_told_why);
  RUN_TEST (levels_that_are_not_there_are_no_reason_to_act);
}

KRAIT_UNIT_MAIN (RUN_SUITE (theory);)
