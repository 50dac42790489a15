#include "cli/check_one.h"

#include "api/certify.h"
#include "base/output.h"
#include "verify/verify.h"
#include "verify_ir/verify_ir.h"

bool certificate_may_be_written (const struct check_job *job, size_t histories, struct error *error) {
  const struct options *options = job->options;
  if (!options->certificate)
    return true;
  // without a level, only a .kir file will do
  if (histories != 1 || job->levels.mode != LEVELS_NAMED || job->levels.levels.count > 1)
    return error_set (error, "check: --certificate is for one history and one --level");
  return output_may_open (options->certificate, options->force, error);
}

static struct certificate *make (const struct options *options, const struct check_result *result,
                                 const struct history *history, const struct ir *ir, const char **why) {
  struct check_options check = check_options_of (options, NULL);
  struct budget budget;
  budget_start (&budget, options->timeout, options->memory, &interrupted);
  check.level = level_find (result->level);
  check.own_writes = result->own_writes;
  check.budget = &budget;
  return ir ? certify_ir_result (ir, &check, result, why) : certify_result (history, &check, result, why);
}

// Of the two the refutation is the short one, and the one that was found by other means than the
// verdict. What is assumed may not fit either. A witness of a .kir file was held against that, but
// not what was written down of it.
static bool is_accepted (const struct certificate *c, const struct history *history, const struct ir *ir,
                         struct complaint *complaint) {
  if (ir)
    return ir_certificate_verify (ir, c, NULL, complaint);
  const bool again = !c->valid || history->hints != AUX_NONE || history->op_hints.count || history->txn_hints.count;
  return !again || verify_certificate (history, c, complaint);
}

bool certificate_look (void *context, const struct check_result *result, const struct history *history,
                       const struct ir *ir, struct error *error) {
  const struct options *options = ((const struct check_job *) context)->options;
  const char *why = NULL;
  struct complaint complaint;
  struct certificate *c = make (options, result, history, ir, &why);
  if (!c)
    return error_set_code (error, ERROR_LIMIT, "%.400s: not written: %s", options->certificate, why);
  if (!is_accepted (c, history, ir, &complaint)) {
    certificate_free (c);
    return error_set_code (error, ERROR_INTERNAL, "%.400s: not written: its check failed: %s", options->certificate,
                           complaint.text);
  }
  byte_vec bytes = VEC_EMPTY;
  certificate_write (c, &bytes);
  certificate_free (c);
  if (bytes.count > (ir ? ir_certificate_most_bytes (ir) : certificate_most_bytes (history))) { // nobody would read it
    VEC_FREE (bytes);
    return error_set_code (error, ERROR_LIMIT, "%.400s: not written: the refutation is too long", options->certificate);
  }
  struct output *output = output_open (options->certificate, options->force, error);
  if (output)
    output_write (output, bytes.data, bytes.count);
  VEC_FREE (bytes);
  return output && output_commit (output, error);
}
