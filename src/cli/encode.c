// krait encode: what a level makes of a history, before anything is decided.

#include "asg/asg.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/guard.h"
#include "cli/init_option.h"
#include "cli/level_list.h"
#include "hints/hints.h"
#include "ir/kir.h"

#include <string.h>

static bool write_ir (const struct ir *ir, const struct options *options, struct error *error) {
  struct output *output = output_open (options->arguments[1], options->force, error);
  if (!output)
    return false;
  if (kir_write (ir, output, error))
    return output_commit (output, error);
  output_discard (output);
  return false;
}

// Program order between the parts of transactions that a dialect took apart.
static void add_edges (struct ir *ir, const struct rewriting *rewriting) {
  for (uint32_t t = 0; t < rewriting->origins.count; t++)
    if (rewriting_follows (rewriting, t))
      VEC_PUSH (ir->edges, (struct ir_edge){ ir->asg->txn_node[t - 1], ir->asg->txn_node[t] });
}

// `rewriting` is empty without a dialect.
static bool lower_and_write (const struct history *h, const struct rewriting *rewriting, enum own_writes policy,
                             const struct level *level, const struct options *options, struct error *error) {
  const bool events = level_needs_events (level);
  struct asg *asg =
    asg_build (h, &(struct asg_options){ .merge_equal_reads = !events, .events = events, .own_writes = policy });
  bool done;
  if (asg->unsupported)
    done = error_set_code (error, ERROR_LIMIT, "%.400s: %s", h->name, asg->unsupported);
  else {
    struct ir *ir = lower_asg (asg, level, (int64_t) options->clock_skew);
    add_edges (ir, rewriting);
    done = write_ir (ir, options, error);
    ir_free (ir);
  }
  asg_free (asg);
  return done;
}

static bool rewrite_and_write (const struct history *h, const struct level *level, const struct options *options,
                               struct error *error) {
  const enum own_writes asked = (enum own_writes) options->own_writes;
  const enum own_writes policy = asked == OWN_INFER ? asg_infer_own_writes (h, NULL) : asked;
  struct rewriting rewriting = { 0 };
  if (!options->dialect)
    return lower_and_write (h, &rewriting, policy, level, options, error);
  const char *why;
  const bool done = options->dialect->rewrite (h, policy, &rewriting, &why)
                      ? lower_and_write (rewriting.history, &rewriting, policy, level, options, error)
                      : error_set_code (error, ERROR_LIMIT, "%.400s: %s", h->name, why);
  rewriting_free (&rewriting);
  return done;
}

// A .kir file has no room for the facts of hints; but hints that the history contradicts are bad
// input here too.
static bool look_at_hints (const struct history *h, struct error *error) {
  static const char left_out[] = "hints are left out: a .kir file does not hold them";
  struct hints *hints;
  if (!hints_read (h, &(struct hints_options){ 0 }, &hints, error))
    return false;
  if (hints && (hints->orders.count || hints->sources.count))
    warn_about (h->name, left_out, sizeof left_out - 1);
  hints_free (hints);
  return true;
}

static bool encode (const struct options *options, const struct level *level, struct error *error) {
  struct init_option init;
  if (!init_option_read (&init, options->init, error))
    return false;
  struct history *h =
    history_read_what_can_be (options->arguments[0], options->format, options->ignore_unreadable, error);
  if (h)
    print_history_warnings (h);
  const bool complete =
    h
    && (!h->incomplete
        || error_set (error, "%.400s: the history is incomplete, which a .kir file cannot say", options->arguments[0]));
  const bool done = complete && init_option_apply (&init, h, error) && look_at_hints (h, error)
                    && rewrite_and_write (h, level, options, error);
  history_free (h);
  init_option_free (&init);
  return done;
}

int command_encode (const struct options *options) {
  struct error error = { 0 };
  if (!options->level)
    return usage_error ("encode: --level=LEVEL is missing (krait levels lists them)");
  if (!options->to)
    return usage_error ("encode: --to=kir is missing");
  if (strcmp (options->to, "kir"))
    return usage_error ("encode: --to=%s: expected kir", options->to);
  if (options->argument_count != 2)
    return usage_error ("encode: expected two arguments, HISTORY and OUT, found %d", options->argument_count);
  const struct level *level = level_named (options->level, &error);
  if (!level || !output_may_open (options->arguments[1], options->force, &error))
    return fail (&error);
  struct guard guard;
  guard_start (&guard);
  const bool done = encode (options, level, &error);
  guard_stop (&guard);
  return done ? EXIT_VALID : atomic_load (&interrupted) ? EXIT_INTERRUPTED : fail (&error);
}
