// Damaged .kir files. Each is either refused with one line that names the file and, but for a file
// that ends too early, the line; or read, and then the checker gives a verdict on it, and it can be
// written and read again with the same verdict.

#include "target.h"

#include "api/check.h"
#include "base/decompress.h"
#include "base/input.h"
#include "base/output.h"
#include "history/history.h"
#include "ir/kir.h"
#include "tests/brute/random_history.h"

#include <string.h>

static struct ir *read_text (const void *text, size_t length, struct error *error) {
  struct input *from = input_open_memory ("damaged", text, length);
  struct ir *ir = kir_read (from, error);
  input_close (from);
  return ir;
}

static enum verdict verdict_of (struct ir *ir) {
  struct check_options options;
  check_options_default (&options);
  options.threads = 1;
  struct check_result *result = check_ir (ir, &options);
  const enum verdict verdict = result->verdict;
  if (result->reason && strstr (result->reason, "internal"))
    misuse (__func__, result->reason);
  check_result_free (result);
  return verdict;
}

static const char *check_read (struct ir *ir) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  const enum verdict verdict = verdict_of (ir);
  const char *wrong = "cannot be written again";
  if (kir_write (ir, output, &error)) {
    size_t length;
    const char *text = output_memory (output, &length);
    struct ir *back = read_text (text, length, &error);
    wrong = !back                          ? "cannot be read again"
            : verdict_of (back) != verdict ? "has another verdict when read again"
                                           : NULL;
    ir_free (back);
  }
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
  const bool events = level_needs_events (level);
  struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = !events, .events = events });
  const bool supported = !asg->unsupported;
  if (supported) {
    struct ir *ir = lower_asg (asg, level, drawn.clock_skew);
    if (asg->nodes > 2 && !asg->optional[1] && !asg->optional[2])
      VEC_PUSH (ir->edges, (struct ir_edge){ 1, 2 });
    struct output *output = output_open_memory ();
    struct error error = { 0 };
    if (!kir_write (ir, output, &error))
      misuse (__func__, error.text);
    size_t length;
    const char *text = output_memory (output, &length);
    fuzz_append (made, text, length);
    output_discard (output);
    ir_free (ir);
  }
  asg_free (asg);
  history_free (h);
  return supported;
}

static const char *const words[] = { "txn ",
                                     "key ",
                                     "read ",
                                     "own ",
                                     "edge ",
                                     "T1",
                                     "T2",
                                     "s1",
                                     "k0",
                                     "k1",
                                     "v0",
                                     "v1",
                                     "=absent",
                                     "init=",
                                     "=open",
                                     "read=",
                                     "\n",
                                     " ",
                                     "#",
                                     " unknown",
                                     " begin=0",
                                     " end=1",
                                     "4294967296",
                                     "18446744073709551616",
                                     "-",
                                     "=",
                                     "\t",
                                     "edge T1 T2\n",
                                     "@1",
                                     "@2-3",
                                     "@",
                                     " at=1",
                                     " at=3",
                                     " lock",
                                     "locks\n",
                                     "?",
                                     "!",
                                     " part",
                                     " range",
                                     " undeleted",
                                     "=absent?",
                                     "=!absent",
                                     "?1",
                                     "order k0 T1 T2\n",
                                     " unlisted",
                                     " if T3",
                                     "in T3\n",
                                     "wrong T1 result\n",
                                     "wrong T2 list k0\n",
                                     NULL };

extern const struct fuzz_target fuzz_kir;
const struct fuzz_target fuzz_kir = { .name = "kir", .run = run, .seed = seed, .words = words };
