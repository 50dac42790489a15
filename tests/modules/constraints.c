// Random demands of a module on random histories, at every level, against the brute-force checker,
// which tries every alternative in every world. Verdicts have certificates; one that was tampered
// with is refused, or what it claims is true under the constraints that it lists.
//
//   demands [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]

#include "api/certify.h"
#include "api/check.h"
#include "history/history.h"
#include "krait/module.h"
#include "levels/levels.h"
#include "modules/modules.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/brute/run.h"
#include "verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CONSTRAINTS = 3, MOST_REPORTS = 5, CERTIFIED = 4 }; // every so many verdicts

struct test {
  struct run run;
  uint64_t passed, failed, skipped;
  uint64_t of[2];
  uint64_t certified, tampered, believed;
  struct prng prng; // for tampering; the module draws the same demands each time
};

// What the module demands, as it was drawn; a module has no context of its own.
static struct {
  struct prng prng;
  struct brute_constraint constraint[MOST_CONSTRAINTS];
  unsigned count;
} drawn;

static bool draw_edge (const struct krait_host *host, struct krait_model *model, struct krait_edge *edge) {
  const uint32_t txns = host->transactions (model);
  for (unsigned tries = 0; tries < 20; tries++) {
    struct krait_transaction from, to;
    *edge = (struct krait_edge){ prng_below (&drawn.prng, txns), prng_below (&drawn.prng, txns) };
    if (edge->from != edge->to && !host->transaction (model, edge->from, &from)
        && !host->transaction (model, edge->to, &to) && from.status != KRAIT_ABORTED && to.status != KRAIT_ABORTED)
      return true;
  }
  return false;
}

static bool draw_condition (const struct krait_host *host, struct krait_model *model, struct krait_condition *condition,
                            struct brute_condition *same) {
  struct krait_read read;
  if (!host->reads (model))
    return false;
  condition->read = prng_below (&drawn.prng, host->reads (model));
  if (host->read (model, condition->read, &read) || !read.candidates
      || host->candidate (model, condition->read, prng_below (&drawn.prng, read.candidates), &condition->writer))
    return false;
  *same = (struct brute_condition){ read.transaction, read.operation, read.key, condition->writer };
  return true;
}

static int draw_constraint (const struct krait_host *host, struct krait_model *model, struct brute_constraint *same) {
  struct krait_condition conditions[CONSTRAINT_CONDITIONS];
  struct krait_edge edges[CONSTRAINT_ALTERNATIVES][CONSTRAINT_EDGES];
  struct krait_alternative alternatives[CONSTRAINT_ALTERNATIVES];
  memset (same, 0, sizeof *same);
  const unsigned wanted = prng_chance (&drawn.prng, 40) ? 0 : prng_between (&drawn.prng, 1, CONSTRAINT_CONDITIONS);
  while (same->conditions < wanted
         && draw_condition (host, model, &conditions[same->conditions], &same->condition[same->conditions]))
    same->conditions++;
  unsigned left = prng_chance (&drawn.prng, 50) ? 1 : prng_between (&drawn.prng, 2, CONSTRAINT_ALTERNATIVES);
  if (same->conditions && prng_chance (&drawn.prng, 25))
    left = 0;
  for (; left; left--) {
    struct brute_alternative *alternative = &same->alternative[same->alternatives];
    const unsigned most = prng_chance (&drawn.prng, 70) ? 1 : CONSTRAINT_EDGES;
    struct krait_edge *of = edges[same->alternatives];
    for (; alternative->edges < most && draw_edge (host, model, &of[alternative->edges]); alternative->edges++) {
      alternative->edge[alternative->edges].from = of[alternative->edges].from;
      alternative->edge[alternative->edges].to = of[alternative->edges].to;
    }
    alternatives[same->alternatives++] = (struct krait_alternative){ of, alternative->edges };
  }
  if (!same->conditions && !same->alternatives)
    return 0;
  drawn.count++;
  return host->demand (model, conditions, same->conditions, alternatives, same->alternatives);
}

static int draw (const struct krait_host *host, struct krait_model *model) {
  const struct prng start = drawn.prng;
  drawn.count = 0;
  for (unsigned left = prng_between (&drawn.prng, 1, MOST_CONSTRAINTS); left && host->transactions (model); left--)
    if (draw_constraint (host, model, &drawn.constraint[drawn.count]))
      return 1;
  drawn.prng = start; // the same next time
  return 0;
}

static void tell_constraints (void) {
  for (unsigned i = 0; i < drawn.count; i++) {
    const struct brute_constraint *constraint = &drawn.constraint[i];
    fprintf (stderr, "demand:");
    for (unsigned k = 0; k < constraint->conditions; k++)
      fprintf (stderr, " [%" PRIu32 " op %" PRIu32 " key %" PRIu32 " from %d]", constraint->condition[k].reader,
               constraint->condition[k].operation, constraint->condition[k].key, (int) constraint->condition[k].writer);
    for (unsigned k = 0; k < constraint->alternatives; k++) {
      fprintf (stderr, " |");
      for (unsigned e = 0; e < constraint->alternative[k].edges; e++)
        fprintf (stderr, " %" PRIu32 "->%" PRIu32, constraint->alternative[k].edge[e].from,
                 constraint->alternative[k].edge[e].to);
    }
    fprintf (stderr, "\n");
  }
}

// ------------------------------------------------------------------------------------ certificates

// The demands that the certificate lists, for the brute force. False: they are larger than it can
// take.
static bool constraints_listed (const struct history *h, const struct certificate *c,
                                struct brute_constraint *constraints) {
  if (c->constraints.list.count > MOST_CONSTRAINTS)
    return false;
  for (size_t i = 0; i < c->constraints.list.count; i++) {
    const struct cert_constraint *from = &c->constraints.list.data[i];
    struct brute_constraint *to = &constraints[i];
    *to = (struct brute_constraint){ .conditions = from->conditions, .alternatives = from->alternatives };
    if (from->conditions > CONSTRAINT_CONDITIONS || from->alternatives > CONSTRAINT_ALTERNATIVES)
      return false;
    for (uint32_t k = 0; k < from->conditions; k++) {
      const struct cert_condition *condition = &c->constraints.conditions.data[from->first_condition + k];
      const uint32_t reader = history_txn_of_op (h, condition->op);
      to->condition[k] = (struct brute_condition){ reader, condition->op - h->txn_first_op.data[reader], condition->key,
                                                   condition->source };
    }
    for (uint32_t k = 0; k < from->alternatives; k++) {
      const struct cert_alternative *alternative = &c->constraints.alternatives.data[from->first_alternative + k];
      to->alternative[k].edges = alternative->edges;
      if (alternative->edges > CONSTRAINT_EDGES)
        return false;
      for (uint32_t e = 0; e < alternative->edges; e++) {
        to->alternative[k].edge[e].from = c->constraints.edges.data[alternative->first_edge + e].from;
        to->alternative[k].edge[e].to = c->constraints.edges.data[alternative->first_edge + e].to;
      }
    }
  }
  return true;
}

// -1: the brute force cannot tell.
static int is_true (const struct history *h, const struct brute_options *options, const struct certificate *c) {
  struct brute_constraint constraints[MOST_CONSTRAINTS];
  struct brute_options now = *options;
  struct brute_verdicts verdicts;
  const int level = brute_level_find (c->level);
  now.own_writes = (enum brute_own_writes) c->policy;
  now.clock_skew = c->clock_skew;
  now.constraints = constraints;
  now.constraint_count = (unsigned) c->constraints.list.count;
  if (level < 0 || *c->dialect || !constraints_listed (h, c, constraints) || !brute_judge (h, &now, &verdicts))
    return -1;
  return verdicts.of[level] == (c->valid ? BRUTE_HOLDS : BRUTE_FAILS);
}

static void wrong_certificate (struct test *test, uint64_t index, const char *level, const char *what, const char *more,
                               const struct brute_options *options, const struct history *h) {
  if (test->failed++ >= MOST_REPORTS)
    return;
  fprintf (stderr, "history %" PRIu64 ", %s: %s: %s\n", index, level, what, more ? more : "");
  tell_constraints ();
  run_tell (&test->run, index, options, h);
}

static void tamper (struct test *test, uint64_t index, const struct history *h, const struct brute_options *options,
                    const byte_vec *bytes) {
  enum { CHANGES = 4, HEAD = 9 };
  for (int i = 0; i < CHANGES; i++) {
    struct error error = { 0 };
    struct complaint complaint;
    const size_t at = HEAD + prng_below (&test->prng, (unsigned) (bytes->count - HEAD));
    const uint8_t before = bytes->data[at];
    bytes->data[at] = (uint8_t) (prng_chance (&test->prng, 50) ? before ^ (1u << prng_below (&test->prng, 3))
                                                               : prng_below (&test->prng, 6));
    struct certificate *changed =
      bytes->data[at] == before ? NULL : certificate_read (bytes->data, bytes->count, "changed", &error);
    test->tampered++;
    if (changed && verify_certificate (h, changed, &complaint)) {
      const int truth = is_true (h, options, changed);
      test->believed++;
      test->skipped += truth < 0;
      if (!truth)
        wrong_certificate (test, index, changed->level, "a certificate that lies is believed", NULL, options, h);
    }
    certificate_free (changed);
    bytes->data[at] = before;
  }
}

static void certify (struct test *test, uint64_t index, const struct history *h, const struct check_options *check,
                     const struct brute_options *options, const struct check_result *result) {
  const char *why = NULL;
  struct complaint complaint;
  struct error error = { 0 };
  struct check_options settled = *check;
  byte_vec bytes = VEC_EMPTY;
  settled.own_writes = result->own_writes;
  struct certificate *made = certify_result (h, &settled, result, &why), *read = NULL;
  if (made) {
    certificate_write (made, &bytes);
    read = certificate_read (bytes.data, bytes.count, "certificate", &error);
  }
  if (!read)
    wrong_certificate (test, index, check->level->name, "no certificate", made ? error.text : why, options, h);
  else if (!verify_certificate (h, read, &complaint))
    wrong_certificate (test, index, check->level->name, "refused", complaint.text, options, h);
  else if (read->valid != (result->verdict == VERDICT_VALID)
           || (read->valid && read->constraints.list.count != drawn.count))
    wrong_certificate (test, index, check->level->name, "claims something else", NULL, options, h);
  else {
    test->certified++;
    test->passed++;
    tamper (test, index, h, options, &bytes);
  }
  certificate_free (made);
  certificate_free (read);
  VEC_FREE (bytes);
}

static void compare (struct test *test, uint64_t index, const struct history *h, const struct check_options *check,
                     const struct brute_options *options, const struct brute_verdicts *brute) {
  for (unsigned level = 0; level < brute_levels (); level++) {
    struct check_options now = *check;
    now.level = level_find (brute_level_name (level));
    if (!now.level) {
      test->skipped++;
      continue;
    }
    struct check_result *result = check_history (h, &now);
    const enum verdict expected = brute->of[level] == BRUTE_HOLDS   ? VERDICT_VALID
                                  : brute->of[level] == BRUTE_FAILS ? VERDICT_INVALID
                                                                    : VERDICT_UNKNOWN;
    if (expected != VERDICT_UNKNOWN)
      test->of[expected == VERDICT_VALID]++;
    if (result->verdict == expected) {
      test->passed++;
      if (expected != VERDICT_UNKNOWN && (index + level) % CERTIFIED == 0)
        certify (test, index, h, &now, options, result);
    } else if (test->failed++ < MOST_REPORTS) {
      fprintf (stderr, "history %" PRIu64 ", %s: the checker says %s, the brute force %s%s%s\n", index,
               brute_level_name (level), verdict_name (result->verdict), verdict_name (expected),
               result->reason ? "; because " : "", result->reason ? result->reason : "");
      tell_constraints ();
      run_tell (&test->run, index, options, h);
    }
    check_result_free (result);
  }
}

static void draw_steps (struct check_options *check) {
  struct prng *prng = &drawn.prng;
  if (prng_chance (prng, 50))
    return;
  check->steps = (struct check_steps){ prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 30),
                                       prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 50),
                                       prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 50),
                                       prng_chance (prng, 50) };
  check->rows = (enum rows_kind) prng_below (prng, ROWS_PARTIAL + 1);
}

static void test_history (struct test *test, uint64_t index, const struct module *module) {
  struct brute_options options;
  struct brute_verdicts brute;
  static const enum own_writes same[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  struct history *h = random_history_of (test->run.seed, index, &test->run.mixture, &options);
  struct check_options check;
  check_options_default (&check);
  check.own_writes = same[options.own_writes];
  check.clock_skew = options.clock_skew;
  check.threads = 1;
  check.certify = true;
  check.modules = &module;
  check.module_count = 1;
  drawn.prng = prng_fork (~test->run.seed, index);
  draw_steps (&check);
  check.level = level_find ("serializable");
  struct check_subject *subject = check_subject_new (h, &check, true); // for what it demands
  if (check_subject_error (subject)) {
    fprintf (stderr, "history %" PRIu64 ": %s\n", index, check_subject_error (subject)->text);
    test->failed++;
  }
  check_subject_free (subject);
  options.constraints = drawn.constraint;
  options.constraint_count = drawn.count;
  if (brute_judge (h, &options, &brute))
    compare (test, index, h, &check, &options, &brute);
  else
    test->skipped++;
  history_free (h);
}

int main (int argc, char **argv) {
  struct test test = { .run = run_arguments (argc, argv, 3000, 30000) };
  test.prng = prng_fork (test.run.seed, UINT64_MAX);
  struct module *module = module_of ("drawn", "", draw);
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++)
    test_history (&test, index, module);
  module_free (module);
  printf ("seed %" PRIu64 ": %" PRIu64 " valid, %" PRIu64 " invalid; %" PRIu64 " certified, %" PRIu64
          " tampered with, of which %" PRIu64 " are believed and true\n",
          test.run.seed, test.of[1], test.of[0], test.certified, test.tampered, test.believed);
  return run_end (test.passed, test.failed, test.skipped);
}
