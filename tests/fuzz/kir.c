// Damaged .kir files. Each is either refused with one line that names the file and, but for a file
// that ends too early, the line; or read, and then the checker gives a verdict on it, the verifier
// takes the certificate of that, and it can be written and read again with the same verdict.

#include "target.h"

#include "api/certify.h"
#include "base/decompress.h"
#include "base/input.h"
#include "base/output.h"
#include "history/history.h"
#include "ir/kir.h"
#include "levels/levels.h"
#include "tests/brute/random_history.h"
#include "verify_ir/verify_ir.h"

#include <string.h>

static struct ir *read_text (const void *text, size_t length, struct error *error) {
  struct input *from = input_open_memory ("damaged", text, length);
  struct ir *ir = kir_read (from, error);
  input_close (from);
  return ir;
}

// What is certified is verified. A refutation need not be found, and there are certificates for
// levels only.
static void certify (const struct ir *ir, const struct check_options *options, const struct check_result *result) {
  const char *why;
  if (!level_find (ir->label))
    return;
  struct complaint complaint;
  struct certificate *c = certify_ir_result (ir, options, result, &why);
  if (!c && result->verdict == VERDICT_VALID)
    misuse (__func__, why);
  if (c && (c->valid != (result->verdict == VERDICT_VALID) || !ir_certificate_verify (ir, c, NULL, &complaint)))
    misuse (__func__, complaint.text);
  certificate_free (c);
}

// What a file says may be the reason, too, and sound like anything.
static bool is_internal (const struct ir *ir, const char *reason) {
  return reason && !strncmp (reason, "internal error", 14) && !(ir->undefined && !strcmp (reason, ir->undefined))
         && !(ir->tentative && !strcmp (reason, ir->tentative));
}

static enum verdict verdict_of (struct ir *ir) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_at (0); // to report for; the file decides
  options.threads = 1;
  options.certify = true;
  struct check_result *result = check_ir (ir, &options);
  const enum verdict verdict = result->verdict;
  if (is_internal (ir, result->reason))
    misuse (__func__, result->reason);
  certify (ir, &options, result);
  check_result_free (result);
  return verdict;
}

static const char *check_read (struct ir *ir) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  const enum verdict verdict = verdict_of (ir);
  const char *wrong;
  kir_write (ir, NULL, output);
  size_t length;
  const char *text = output_memory (output, &length);
  struct ir *back = read_text (text, length, &error);
  wrong = !back ? "cannot be read again" : verdict_of (back) != verdict ? "has another verdict when read again" : NULL;
  ir_free (back);
  output_discard (output);
  return wrong;
}

// What was read by way of a decompressor may have no lines.
static const char *check_error (const struct error *error, bool compressed) {
  if (error->code != ERROR_INPUT || !*error->text)
    return "refused without a reason";
  if (strchr (error->text, '\n'))
    return "an error of several lines";
  const bool has_place =
    !strncmp (error->text, "damaged:", 8)
    && (compressed || (error->text[8] >= '1' && error->text[8] <= '9') || strstr (error->text, "the end of the file"));
  return has_place ? NULL : "an error without a place";
}

static const char *run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  (void) target;
  struct error error = { 0 };
  struct ir *ir = read_text (bytes, length, &error);
  const char *wrong =
    ir ? check_read (ir) : check_error (&error, compression_of ((const char *) bytes, length) != COMPRESSION_NONE);
  *understood = ir != NULL;
  ir_free (ir);
  return wrong;
}

static bool seed (const struct fuzz_target *target, uint64_t number, fuzz_bytes *made) {
  static const struct random_mixture mixtures[] = { { .ops = RANDOM_BASIC },
                                                    { .ops = RANDOM_ALL },
                                                    { .ops = RANDOM_ALL, .often_unknown = true },
                                                    { .ops = RANDOM_LISTS, .often_unknown = true } };
  (void) target;
  size_t count = 0;
  while (level_at (count))
    count++;
  const struct level *level = level_at (number % count);
  struct brute_options drawn;
  struct history *h = random_history_of (17, number, &mixtures[number % 4], &drawn);
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.clock_skew = drawn.clock_skew;
  struct check_subject *subject = check_subject_new (h, &options, level_needs_events (level));
  struct lowered *lowered = check_subject_lower (subject, &options, number % 3 == 0);
  struct ir *ir = lowered->ir;
  if (!ir->undefined && ir->nodes > 2 && ir_node_presence (ir, 1) == ALWAYS && ir_node_presence (ir, 2) == ALWAYS)
    VEC_PUSH (ir->edges, (struct ir_edge){ 1, 2 });
  struct output *output = output_open_memory ();
  size_t length;
  kir_write (ir, NULL, output);
  const char *text = output_memory (output, &length);
  fuzz_append (made, text, length);
  output_discard (output);
  lowered_free (lowered);
  check_subject_free (subject);
  history_free (h);
  return true;
}

static const char *const words[] = { "txn ",
                                     "key ",
                                     "read ",
                                     "edge ",
                                     "presence ",
                                     "order k0 T1 T2\n",
                                     "holds p1\n",
                                     "holds p2\n",
                                     "implies p1 p2\n",

                                     "constraint m0 if r0=T1 then T1>T2 or T2>T1\n",
                                     "module m0 x\n",
                                     "fault words\n",
                                     "undefined words\n",
                                     "tentative words\n",
                                     "T1",
                                     "T2",
                                     "c1",
                                     "c2",
                                     "k0",
                                     "k1",
                                     "v0",
                                     "v1",
                                     "r0",
                                     "r1",
                                     "p1",
                                     "!p1",
                                     "=absent",
                                     "init=",
                                     "=open",
                                     "\n",
                                     " ",
                                     "#",
                                     " begin=0",
                                     " end=1",
                                     " after=T1",
                                     " if=p1",
                                     " if=!p1",
                                     " edge-if=p1",
                                     "/p1",
                                     "sources=",
                                     "none",
                                     "all,init",
                                     ",init",
                                     "T1,T2",
                                     " anti=edge",
                                     " anti=forbid",
                                     " anti=none",
                                     " range",
                                     "|absent",
                                     "!",
                                     "@1",
                                     " at=1",
                                     "4294967296",
                                     "18446744073709551616",
                                     "-",
                                     "=",
                                     "\t",
                                     "edge T1 T2 given\n",
                                     "edge T1 T2 program\n",
                                     " ww k0",
                                     " ww r0",
                                     " rw r0",
                                     " so",
                                     "presence p1 in T1\n",
                                     "presence p1 wrote T1 k0\n",
                                     "presence p1 writes T1\n",
                                     " hidden",
                                     " events",
                                     "view=steps",
                                     "points=2",
                                     NULL };

extern const struct fuzz_target fuzz_kir;
const struct fuzz_target fuzz_kir = { .name = "kir", .run = run, .seed = seed, .words = words };
