// The IR's text form: what is written comes back, to the letter, and judges the same; written out,
// it says no more and no less; what is damaged is refused with its place.

#include "api/check.h"
#include "asg/asg.h"
#include "base/input.h"
#include "base/output.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "history/history.h"
#include "ir/builder.h"
#include "ir/kir.h"
#include "levels/levels.h"
#include "levels/lower.h"
#include "saturate/saturate.h"
#include "tests/brute/random_history.h"
#include "tests/brute/story.h"
#include "tests/support/effort.h"
#include "tests/support/sentence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_HISTORIES = 60, HISTORIES = 300, LONG_HISTORIES = 5000, MOST_CHOICES = 3000 };

static uint64_t histories (void) {
  return effort (FEW_HISTORIES, HISTORIES, LONG_HISTORIES);
}

static struct ir *read_text (const char *text, size_t length, struct error *error) {
  // A block of just that length, so that a sanitizer sees a read beyond.
  char *copy = mem_alloc (length);
  memcpy (copy, text, length);
  struct input *input = input_open_memory ("test.kir", copy, length);
  struct ir *ir = kir_read (input, error);
  input_close (input);
  mem_free (copy);
  return ir;
}

static struct output *text_of (const struct ir *ir) {
  struct output *output = output_open_memory ();
  kir_write (ir, NULL, output);
  return output;
}

static bool same_text (const struct output *a, const struct output *b) {
  size_t x, y;
  const char *left = output_memory (a, &x), *right = output_memory (b, &y);
  const bool same = x == y && !memcmp (left, right, x);
  if (!same)
    fprintf (stderr, "--- written\n%.*s--- written again\n%.*s", (int) x, left, (int) y, right);
  return same;
}

// What comes back; NULL: nothing does, or not the same.
static struct ir *through_text (const struct ir *ir) {
  struct error error = { 0 };
  struct output *first = text_of (ir), *second = NULL;
  size_t length;
  const char *text = output_memory (first, &length);
  struct ir *back = read_text (text, length, &error);
  if (back)
    second = text_of (back);
  else
    fprintf (stderr, "%s\n%.*s", error.text, (int) length, text);
  if (back && !same_text (first, second)) {
    ir_free (back);
    back = NULL;
  }
  if (second)
    output_discard (second);
  output_discard (first);
  return back;
}

static enum verdict verdict_of (struct check_result *result) {
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

// ------------------------------------------------------------------------------- random histories

static uint64_t decided_by_enumeration, too_large;

static const char *compare_sentence (const struct ir *ir, enum verdict verdict) {
  struct output *output = output_open_memory ();
  kir_expand (ir, output);
  size_t length;
  const char *text = output_memory (output, &length);
  const enum sentence_answer answer = sentence_decide (text, length, MOST_CHOICES);
  too_large += answer == SENTENCE_TOO_LARGE;
  decided_by_enumeration += answer != SENTENCE_TOO_LARGE;
  const bool wrong =
    (answer == SENTENCE_HOLDS && verdict == VERDICT_INVALID) || (answer == SENTENCE_FAILS && verdict == VERDICT_VALID);
  if (wrong)
    fprintf (stderr, "%.*s", (int) length, text);
  output_discard (output);
  return wrong ? "the sentence says something else" : NULL;
}

static const char *compare_ir (const struct ir *ir, enum verdict verdict, const struct check_options *options) {
  struct ir *back = through_text (ir);
  if (!back)
    return "it does not come back";
  const enum verdict found = verdict_of (check_ir (back, options));
  const char *wrong = found != verdict ? "another verdict" : compare_sentence (ir, verdict);
  if (!wrong)
    wrong = compare_sentence (back, verdict);
  if (found != verdict) {
    struct output *text = text_of (ir);
    size_t length;
    const char *data = output_memory (text, &length);
    fprintf (stderr, "%s, but %s:\n%.*s", verdict_name (verdict), verdict_name (found), (int) length, data);
    output_discard (text);
  }
  ir_free (back);
  return wrong;
}

static const char *compare (const struct history *h, const struct brute_options *drawn, const struct level *level) {
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.clock_skew = drawn->clock_skew;
  options.threads = 1;
  options.own_writes = (enum own_writes) story_own_writes (h, drawn);
  const enum verdict verdict = verdict_of (check_history (h, &options));
  struct check_subject *subject = check_subject_new (h, &options, level_needs_events (level));
  const char *wrong = NULL;
  for (int saturated = 0; saturated < 2 && !wrong; saturated++) {
    struct lowered *lowered = check_subject_lower (subject, &options, saturated);
    wrong = compare_ir (lowered->ir, verdict, &options);
    lowered_free (lowered);
  }
  check_subject_free (subject);
  return wrong;
}

TEST random_histories_judge_the_same (enum random_ops kind, bool often_unknown) {
  const struct random_mixture mixture = { .ops = kind, .often_unknown = often_unknown };
  decided_by_enumeration = too_large = 0;
  for (uint64_t index = 0; index < histories (); index++) {
    struct brute_options drawn;
    struct history *h = random_history_of (11, index, &mixture, &drawn);
    for (size_t i = 0; level_at (i); i++) {
      const char *wrong = compare (h, &drawn, level_at (i));
      if (wrong)
        printf ("history %" PRIu64 ", %s: %s\n", index, level_at (i)->name, wrong);
      ASSERT (!wrong);
    }
    history_free (h);
  }
  printf ("%" PRIu64 " sentences, %" PRIu64 " too large\n", decided_by_enumeration, too_large);
  ASSERT (decided_by_enumeration > too_large);
  PASS ();
}

// ----------------------------------------------------------------------------------- files by hand

#define HEADER "kir 2\nlevel serializable\nrules points=1 ww=0>0 wr=0>0 rw=0>0 anti=edge view=paths\n"
#define TWO "txn T1 c1\ntxn T2 c2\nkey k0 init=absent T1=v0 T2=v1\n"
#define STEPS "kir 2\nlevel read-atomic\nrules points=1 so=0>0 ww=0>0 wr=0>0 rw=0>0 anti=none view=steps hidden\n"
#define DELETE                                                                                                         \
  "module m0 mine\npresence p1 in T1\npresence p2 wrote T1 k0\ntxn T1 c1 if=p1\ntxn T2 c2\n"                           \
  "key k0 init=absent T1=absent/p2\n"
#define EVENTS "kir 2\nlevel monotonic-view\nrules points=1 ww=0>0 wr=0>0 rw=0>0 anti=forbid view=paths events\n"

TEST files_by_hand (void) {
  static const struct {
    const char *text;
    enum verdict verdict;
  } files[] = {
    { HEADER TWO "read r0 T2 k0=v0 sources=T1\n", VERDICT_VALID },
    { HEADER TWO "read r0 T2 k0=v0 sources=T1\nedge T2 T1 given\n", VERDICT_INVALID },
    { HEADER TWO "order k0 T1 T2\norder k0 T2 T1\n", VERDICT_INVALID },
    { HEADER TWO "read r0 T2 k0=absent sources=none\n", VERDICT_INVALID },
    { HEADER "fault words\n" TWO, VERDICT_INVALID },
    { HEADER "undefined words\n" TWO, VERDICT_UNKNOWN },
    { HEADER "module m0 mine\n" TWO "constraint m0 then T1>T2\nconstraint m0 then T2>T1\n", VERDICT_INVALID },
    { HEADER "module m0 mine\n" TWO "constraint m0 then T1>T2 or T2>T1\n", VERDICT_VALID },
    { HEADER "module m0 mine\n" TWO "read r0 T2 k0=v0 sources=T1\nconstraint m0 if r0=T1\n", VERDICT_INVALID },
    { HEADER DELETE "holds p2\nread r0 T2 k0=absent sources=T1,init\n", VERDICT_VALID },
    { HEADER DELETE "constraint m0 then T1>T2\nconstraint m0 then T2>T1\n", VERDICT_VALID },
    { HEADER DELETE "holds p2\nconstraint m0 then T1>T2\nconstraint m0 then T2>T1\n", VERDICT_INVALID },
    { STEPS "tentative words\ntxn T1 c1\ntxn T2 c1\nkey k0 init=v0 T1=v0\nread r0 T2 k0=v0 sources=init\n",
      VERDICT_INVALID },
    { HEADER "tentative words\ntxn T1 c1\ntxn T2 c2\ntxn T3 c3\nkey k0 init=v0 T1=absent T2=absent\n"
             "key k1 init=absent T3=v1\nread r0 T1 k0=v0 sources=init\nread r1 T1 k1=v1 sources=T3\n"
             "read r2 T3 k0=absent sources=T1,T2\n",
      VERDICT_UNKNOWN },
    { EVENTS TWO "read r0 T2 k0=v0 sources=T1 at=4294967293\n", VERDICT_VALID },
  };
  struct check_options options;
  check_options_default (&options);
  options.level = level_find ("serializable");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct error error = { 0 };
    struct ir *ir = read_text (files[i].text, strlen (files[i].text), &error);
    ASSERTm (error.text, ir);
    const char *wrong = compare_ir (ir, files[i].verdict, &options);
    ASSERT_EQm (files[i].text, NULL, wrong);
    ir_free (ir);
  }
  PASS ();
}

// --------------------------------------------------------------------------------- words and names

// Where words come from, there may be anything in them.
TEST words_stay_on_their_line (void) {
  static const char *const words[] = { "two\nlines", " a blank", "carriage return\r", "\t" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    struct error error = { 0 };
    struct ir *ir = read_text (HEADER "module m0 mine\n" TWO, strlen (HEADER "module m0 mine\n" TWO), &error);
    ASSERTm (error.text, ir);
    ir_say (&ir->fault, words[i]);
    ir->constraints->modules.data[0] = words[i];
    struct ir *back = through_text (ir);
    ASSERTm (words[i], back);
    ASSERT_EQ (strlen (words[i]), strlen (back->fault));
    ASSERT_STR_EQ (back->fault, back->constraints->modules.data[0]);
    ir_free (back);
    ir_free (ir);
  }
  PASS ();
}

TEST bad_files_are_refused_with_their_place (void) {
  static const struct {
    const char *text, *error;
  } files[] = {
    { "", "test.kir: expected kir 2, found the end of the file" },
    { "kir 1\n",
      "test.kir:1:5: this is version 1 of the format, which is not read any more: encode the history again" },
    { "kir 2\nlevel \n", "test.kir:2:7: expected the name of a level, found the end of the line" },
    { "kir 2\nlevel Serializable\n", "test.kir:2:7: expected the name of a level, found 'Serializable'" },
    { "kir 2\nlevel \x01si\n", "test.kir:2:7: expected the name of a level, found '?si'" },
    { HEADER "fault one\rtwo\n", "test.kir:4:10: a control character among words" },
    { HEADER "module m0 \x7f\n", "test.kir:4:11: a control character among words" },
    { EVENTS "txn T1 c1\nkey k0 init=absent T1=v0@0\n", "test.kir:5:26: expected a place from 1 on, found '0'" },
    { HEADER "txn T1\n", "test.kir:4:7: expected a chain such as c1, found the end of the line" },
    { HEADER TWO "read r0 T3 k0=v0 sources=T1\n", "test.kir:7:9: no transaction of this name stands above" },
    { HEADER TWO "read r0 T2 k0=v0\n", "test.kir:7:17: expected sources, found the end of the line" },
    { HEADER TWO "read r0 T2 k1=v0 sources=T1\n", "test.kir:7:12: nothing of this name stands above" },
    { HEADER TWO "edge T1 T2 rt\n", "test.kir:7:12: expected given, program, a module, so, ww or rw, found 'rt'" },
    { "kir 2\nlevel si\nrules points=1 ww=0>0 wr=0>0 rw=0>0 anti=edge view=steps\n",
      "test.kir:3:1: anti-dependencies mean nothing where readers have seen less than what leads to them" },
    { STEPS TWO "read r0 T2 k0=v0 sources=T1 anti=forbid\n", "test.kir: at the end of the file: anti-dependencies mean "
                                                             "nothing where readers have seen less than what leads to "
                                                             "them" },
    { HEADER DELETE "holds !p2\n",
      "test.kir:10:7: only that a transaction took place, or that a delete wrote, can be known" },
    { HEADER TWO "read r0 T2 k0=v1 sources=T1\n",
      "test.kir: at the end of the file: a read from something that did not write what it read" },
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct error error = { 0 };
    struct ir *ir = read_text (files[i].text, strlen (files[i].text), &error);
    ASSERT (!ir);
    ASSERT_STR_EQ (files[i].error, error.text);
  }
  PASS ();
}

TEST a_label_with_a_zero_byte_is_refused (void) {
  static const char text[] = "kir 2\nlevel \0si\nrules points=1 ww=0>0 anti=none view=paths\n";
  struct error error = { 0 };
  ASSERT (!read_text (text, sizeof text - 1, &error));
  ASSERT (!strncmp (error.text, "test.kir:2:7: expected the name of a level", 42));
  PASS ();
}

SUITE (kir) {
  RUN_TEST (files_by_hand);
  RUN_TEST (words_stay_on_their_line);
  RUN_TEST (bad_files_are_refused_with_their_place);
  RUN_TEST (a_label_with_a_zero_byte_is_refused);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_BASIC, false);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_ALL, false);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_ALL, true);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_LISTS, false);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_LISTS, true);
}

KRAIT_UNIT_MAIN (RUN_SUITE (kir);)
