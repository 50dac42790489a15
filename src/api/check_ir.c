// A verdict on an IR that came from a .kir file. Nothing is lowered: what the file says is decided
// as it stands, and a witness is held against it.

#include "api/decide.h"
#include "certify/make.h"
#include "decide/decide.h"
#include "explain/violation.h"
#include "history/history.h"
#include "ir/witness_check.h"
#include "verify_ir/verify_ir.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------- words

static struct atom name_of (char text[24], char letter, uint32_t number) {
  return atom_bytes (text, (size_t) snprintf (text, 24, "%c%" PRIu32, letter, number));
}

struct history *ir_history (struct ir *ir, const char *name) {
  struct history *h = history_new (name);
  const char *why;
  char text[24];
  uint32_t *node_txn = MEM_ARRAY (uint32_t, ir->nodes);
  for (uint32_t key = 0; key < ir->keys; key++)
    history_key (h, name_of (text, 'k', key), &why);
  for (uint32_t value = 0; value < ir->values; value++)
    history_value (h, name_of (text, 'v', ir->value_label[value]), &why);
  node_txn[0] = TXN_NONE;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    const bool certain = ir_node_presence (ir, node) == ALWAYS;
    const struct txn_header header = { .session = ir->node_chain[node],
                                       .has_id = true,
                                       .id = ir_txn_id (ir, node),
                                       .status = certain ? TXN_COMMITTED : TXN_UNKNOWN,
                                       .begin = TIME_NONE_BEGIN,
                                       .end = TIME_NONE_END };
    if (!history_begin_txn (h, &header, &why))
      misuse (__func__, why);
    node_txn[node] = node - 1;
  }
  history_finish (h);
  ir->history = h;
  ir->node_txn = node_txn;
  VEC_PUSH (ir->owned, (void *) node_txn);
  return h;
}

// ----------------------------------------------------------------------------------------- verdict

struct asked {
  const struct ir *ir; // of the file
  const struct check_options *options;
  struct check_result *result; // gets a certificate if the options ask for one
};

static enum acceptance accept (void *context, const struct ir_witness *witness, const char **why) {
  const struct asked *asked = context;
  const enum acceptance acceptance = ir_holds_witness (asked->ir, witness, asked->options->budget, why);
  if (acceptance == ACCEPTED && asked->options->certify)
    asked->result->certificate = certify_ir_witness (asked->ir, witness);
  return acceptance;
}

static void decide_ir (const struct ir *ir, const struct ir *file, const struct check_options *options,
                       struct check_result *result) {
  struct asked asked = { file, options, result };
  const struct decision decision = decide (ir, options, &(struct witness_judge){ accept, &asked });
  check_result_add_decision (result, &decision);
}

// A serial order in which every read reads the last version before it is a witness whatever the
// rules say else. As with histories, it is looked for first where the order of sessions helps to
// find it.
static bool runs_serially (const struct ir *ir, const struct check_options *options, struct check_result *result) {
  if (ir->serial || ir->deletes || !ir->rules.wr.used || !ir->rules.so.used || !options->steps.stronger_first)
    return false;
  const struct edge_points one = { true, 0, 0 };
  const struct check_options attempt = check_attempt (options);
  struct ir serial = *ir;
  serial.rules = (struct rules){ .points = 1,
                                 .so = { ir->rules.so.used, 0, 0 },
                                 .rt = { ir->rules.rt.used, 0, 0 },
                                 .ww = one,
                                 .wr = one,
                                 .rw = one,
                                 .anti = ANTI_EDGE };
  serial.serial = true;
  serial.marks_reads = false;
  serial.read_anti = NULL;
  serial.read_when = NULL;
  decide_ir (&serial, ir, &attempt, result);
  if (result->verdict == VERDICT_VALID)
    return true;
  check_result_forget_attempt (result);
  return false;
}

// What anti-dependencies mean was one choice of several: what is invalid must be so without any.
static void decide_without_anti (const struct ir *ir, const struct check_options *options,
                                 struct check_result *result) {
  const struct ir weaker = ir_to_refute (ir);
  struct check_options own = *options;
  own.certify = false;
  check_result_forget_attempt (result);
  decide_ir (&weaker, &weaker, &own, result);
  if (result->verdict != VERDICT_VALID)
    return;
  check_result_forget_attempt (result);
  check_result_say_unknown (result, ir->tentative);
}

static bool anything_certain (const struct ir *ir) {
  for (uint32_t node = 1; node < ir->nodes; node++)
    if (ir_node_presence (ir, node) == ALWAYS)
      return true;
  return ir->holds.count;
}

static void judge (const struct ir *ir, const struct check_options *options, struct check_result *result) {
  const char *contradiction = ir_contradiction (ir);
  if (ir->undefined)
    check_result_say_unknown (result, ir->undefined);
  else if (contradiction) {
    result->verdict = VERDICT_INVALID;
    result->violation = violation_new (VIOLATION_STATED, (struct anomaly){ .class = CLASS_NONE });
    result->violation->words = mem_strdup (contradiction);
  } else if (!anything_certain (ir))
    check_result_say_unknown (result, "no committed transaction");
  else if (!runs_serially (ir, options, result))
    decide_ir (ir, ir, options, result);
  if (result->verdict == VERDICT_INVALID && ir->tentative && !contradiction)
    decide_without_anti (ir, options, result);
}

struct check_result *check_ir (struct ir *ir, const struct check_options *options) {
  const double start = clock_seconds ();
  struct check_result *result = check_result_new (options);
  struct history *own = ir->history ? NULL : ir_history (ir, "");
  result->own_writes = OWN_INFER; // worked in already
  judge (ir, options, result);
  if (own) {
    ir->history = NULL;
    history_free (own);
  }
  result->seconds = clock_seconds () - start;
  return result;
}
