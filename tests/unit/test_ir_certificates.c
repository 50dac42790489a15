// Certificates of .kir files: what the checker says of one is written down, read back and verified,
// and is what the sentence that the file stands for says. Then certificates are tampered with: each
// number gets other values, and what is still believed is true. A certificate of one file is held
// against another one.

#include "api/certify.h"
#include "asg/asg.h"
#include "base/input.h"
#include "base/output.h"
#include "greatest_main.h"
#include "history/history.h"
#include "ir/kir.h"
#include "levels/levels.h"
#include "tests/brute/random_history.h"
#include "tests/brute/story.h"
#include "tests/support/effort.h"
#include "tests/support/sentence.h"
#include "verify_ir/verify_ir.h"

#include <inttypes.h>
#include <string.h>

enum { FEW_HISTORIES = 25, HISTORIES = 150, LONG_HISTORIES = 3000, MOST_CHOICES = 3000, MUTATED = 5 };

static struct { uint64_t valid, invalid, unknown, by_sentence, changed, believed; } count;

static struct ir *read_text (const char *text, size_t length) {
  struct error error = { 0 };
  struct input *input = input_open_memory ("test.kir", text, length);
  struct ir *ir = kir_read (input, &error);
  input_close (input);
  if (!ir)
    fprintf (stderr, "%s\n", error.text);
  return ir;
}

static struct ir *through_text (const struct ir *ir) {
  struct output *output = output_open_memory ();
  size_t length;
  kir_write (ir, NULL, output);
  const char *text = output_memory (output, &length);
  struct ir *back = read_text (text, length);
  output_discard (output);
  return back;
}

static enum sentence_answer ask_sentence (const struct ir *ir) {
  struct output *output = output_open_memory ();
  size_t length;
  kir_expand (ir, output);
  const char *text = output_memory (output, &length);
  const enum sentence_answer answer = sentence_decide (text, length, MOST_CHOICES);
  output_discard (output);
  return answer;
}

static struct certificate *read_back (const byte_vec *bytes) {
  struct error error = { 0 };
  // a block of just that length, so that a sanitizer sees a read beyond
  uint8_t *copy = mem_alloc (bytes->count);
  memcpy (copy, bytes->data, bytes->count);
  struct certificate *c = certificate_read (copy, bytes->count, "certificate", &error);
  mem_free (copy);
  return c;
}

// --------------------------------------------------------------------------------------- tampering

typedef VEC (uint64_t) number_vec;

static void put_number (byte_vec *bytes, uint64_t number) {
  for (; number >= 128; number >>= 7)
    VEC_PUSH (*bytes, (uint8_t) (number | 128));
  VEC_PUSH (*bytes, (uint8_t) number);
}

// Those behind the magic word; letters of the name are numbers, too.
static void numbers_of (const byte_vec *bytes, number_vec *numbers) {
  uint64_t number = 0;
  unsigned shift = 0;
  for (size_t i = 8; i < bytes->count; i++) {
    number |= (uint64_t) (bytes->data[i] & 127) << shift;
    shift += 7;
    if (bytes->data[i] & 128)
      continue;
    VEC_PUSH (*numbers, number);
    number = shift = 0;
  }
}

// The verdict that is believed of the changed certificate: 1 valid, 0 invalid, -1 none.
static int believed (const struct ir *ir, const byte_vec *bytes) {
  struct complaint complaint;
  struct certificate *c = read_back (bytes);
  const int claim = c && ir_certificate_verify (ir, c, NULL, &complaint) ? c->valid : -1;
  certificate_free (c);
  count.changed++;
  count.believed += claim >= 0;
  return claim;
}

static bool lies (const struct ir *ir, const byte_vec *bytes, bool valid) {
  const int claim = believed (ir, bytes);
  return claim >= 0 && claim != valid;
}

static const char *change_numbers (const struct ir *ir, const byte_vec *bytes, bool valid) {
  number_vec numbers = VEC_EMPTY;
  const char *wrong = NULL;
  numbers_of (bytes, &numbers);
  for (size_t i = 0; i < numbers.count && !wrong; i++) {
    const uint64_t now = numbers.data[i],
                   others[] = { now + 1, now - 1, now ^ 2, 0, 1, 2, now + 12345, UINT32_MAX - 3 };
    for (size_t k = 0; k < sizeof others / sizeof *others && !wrong; k++) {
      byte_vec changed = VEC_EMPTY;
      for (size_t b = 0; b < 8; b++)
        VEC_PUSH (changed, bytes->data[b]);
      for (size_t n = 0; n < numbers.count; n++)
        put_number (&changed, n == i ? others[k] : numbers.data[n]);
      wrong = lies (ir, &changed, valid) ? "a certificate that lies is believed" : NULL;
      VEC_FREE (changed);
    }
  }
  VEC_FREE (numbers);
  return wrong;
}

// Cut, or with something behind its end: never believed.
static const char *change_length (const struct ir *ir, const byte_vec *bytes) {
  byte_vec changed = VEC_EMPTY;
  int claim = -1;
  for (size_t i = 0; i < bytes->count && claim < 0; i++) {
    claim = i ? believed (ir, &changed) : -1;
    VEC_PUSH (changed, bytes->data[i]);
  }
  VEC_PUSH (changed, 0);
  claim = claim < 0 ? believed (ir, &changed) : claim;
  VEC_FREE (changed);
  return claim < 0 ? NULL : "a certificate of another length is believed";
}

// ------------------------------------------------------------------------------------- one verdict

// The file with another line.
static bool is_believed_of_another (struct ir *ir, const struct certificate *c) {
  struct complaint complaint;
  if (ir->nodes < 3)
    return false;
  VEC_PUSH (ir->edges, (struct ir_edge){ 1, 2 });
  const bool fine = ir_certificate_verify (ir, c, NULL, &complaint);
  ir->edges.count--;
  return fine;
}

static const char *verify (struct ir *ir, const byte_vec *bytes, bool valid) {
  struct complaint complaint = { "" };
  struct certificate *read = read_back (bytes);
  if (!read)
    return "the certificate cannot be read back";
  const bool fine = read->valid == valid && ir_certificate_verify (ir, read, NULL, &complaint);
  const bool foreign = is_believed_of_another (ir, read);
  if (!fine)
    fprintf (stderr, "%s\n", complaint.text);
  certificate_free (read);
  if (bytes->count > ir_certificate_most_bytes (ir))
    return "the certificate is too long";
  return !fine ? "the certificate is refused" : foreign ? "it is believed of another file" : NULL;
}

static const char *certify (struct ir *ir, const struct check_options *options, const struct check_result *result) {
  const char *why = NULL, *wrong;
  const bool valid = result->verdict == VERDICT_VALID;
  struct certificate *made = certify_ir_result (ir, options, result, &why);
  if (!made)
    return why;
  byte_vec bytes = VEC_EMPTY;
  certificate_write (made, &bytes);
  certificate_free (made);
  wrong = verify (ir, &bytes, valid);
  if (!wrong && (count.valid + count.invalid) % MUTATED == 0)
    wrong = change_numbers (ir, &bytes, valid);
  if (!wrong && (count.valid + count.invalid) % MUTATED == 1)
    wrong = change_length (ir, &bytes);
  VEC_FREE (bytes);
  count.valid += valid;
  count.invalid += !valid;
  return wrong;
}

static const char *look_at (struct ir *ir, const struct check_options *options, enum verdict *verdict) {
  struct check_result *result = check_ir (ir, options);
  const char *why = NULL, *wrong = NULL;
  *verdict = result->verdict;
  if (result->verdict != VERDICT_UNKNOWN) {
    const enum sentence_answer answer = ir->tentative ? SENTENCE_TOO_LARGE : ask_sentence (ir);
    count.by_sentence += answer != SENTENCE_TOO_LARGE;
    if (answer == (result->verdict == VERDICT_VALID ? SENTENCE_FAILS : SENTENCE_HOLDS))
      wrong = "the sentence says something else";
    wrong = wrong ? wrong : certify (ir, options, result);
  } else {
    count.unknown++;
    wrong = certify_ir_result (ir, options, result, &why) ? "a certificate of unknown" : NULL;
  }
  check_result_free (result);
  return wrong;
}

static struct check_options options_of (const struct level *level) {
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.threads = 1;
  options.certify = true;
  return options;
}

// ------------------------------------------------------------------------------- random histories

static const char *look_at_history (const struct history *h, const struct brute_options *drawn,
                                    const struct level *level) {
  struct check_options options = options_of (level);
  options.clock_skew = drawn->clock_skew;
  options.own_writes = (enum own_writes) story_own_writes (h, drawn);
  struct check_subject *subject = check_subject_new (h, &options, level_needs_events (level));
  const char *wrong = NULL;
  enum verdict verdict;
  for (int saturated = 0; saturated < 2 && !wrong; saturated++) {
    struct lowered *lowered = check_subject_lower (subject, &options, saturated);
    struct ir *ir = through_text (lowered->ir);
    wrong = ir ? look_at (ir, &options, &verdict) : "it does not come back";
    lowered_free (lowered);
    ir_free (ir);
  }
  check_subject_free (subject);
  return wrong;
}

TEST verdicts_on_random_histories_are_certified (enum random_ops kind, bool often_unknown) {
  const struct random_mixture mixture = { .ops = kind, .often_unknown = often_unknown };
  memset (&count, 0, sizeof count);
  for (uint64_t index = 0; index < effort (FEW_HISTORIES, HISTORIES, LONG_HISTORIES); index++) {
    struct brute_options drawn;
    struct history *h = random_history_of (12, index, &mixture, &drawn);
    for (size_t i = 0; level_at (i); i++) {
      const char *wrong = look_at_history (h, &drawn, level_at (i));
      if (wrong)
        printf ("history %" PRIu64 ", %s: %s\n", index, level_at (i)->name, wrong);
      ASSERT (!wrong);
    }
    history_free (h);
  }
  printf ("%" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64 " unknown; %" PRIu64 " decided by the sentence; %" PRIu64
          " of %" PRIu64 " changed certificates are true all the same\n",
          count.valid, count.invalid, count.unknown, count.by_sentence, count.believed, count.changed);
  ASSERT (count.valid && count.invalid && count.by_sentence && count.changed > count.believed);
  PASS ();
}

// ----------------------------------------------------------------------------------- files by hand

#define HEADER "kir 2\nlevel serializable\nrules points=1 ww=0>0 wr=0>0 rw=0>0 anti=edge view=paths\n"
#define TWO "txn T1 c1\ntxn T2 c2\nkey k0 init=absent T1=v0 T2=v1\n"
#define CHOICE "txn T1 c1\ntxn T2 c2\ntxn T3 c3\nkey k0 init=absent T1=v0 T2=v0\n"

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
    { HEADER "tentative words\n" TWO, VERDICT_VALID },
    { HEADER "tentative words\n" TWO "order k0 T1 T2\norder k0 T2 T1\n", VERDICT_INVALID },
    { HEADER "tentative words\n" TWO "read r0 T2 k0=absent sources=init\norder k0 T1 T2\n", VERDICT_UNKNOWN },
    { HEADER "module m0 mine\n" TWO "constraint m0 then T1>T2\nconstraint m0 then T2>T1\n", VERDICT_INVALID },
    { HEADER "module m0 mine\n" TWO "constraint m0 then T1>T2 or T2>T1\n", VERDICT_VALID },
    { HEADER "module m0 mine\n" TWO "read r0 T2 k0=v0 sources=T1\nconstraint m0 if r0=T1\n", VERDICT_INVALID },
    { HEADER CHOICE "read r0 T3 k0=v0 sources=T1,T2\n", VERDICT_VALID },
    { HEADER CHOICE "read r0 T3 k0=v0 sources=T1,T2\nedge T3 T1 given\nedge T3 T2 given\n", VERDICT_INVALID },
    { HEADER "presence p1 in T2\ntxn T1 c1\ntxn T2 c2 if=p1\nkey k0 init=absent T1=v0 T2=v1\n"
             "read r0 T2 k0=v0 sources=T1\norder k0 T2 T1\n",
      VERDICT_VALID },
    { HEADER "presence p1 in T2\ntxn T1 c1\ntxn T2 c2 if=p1\nkey k0 init=absent T1=v0 T2=v1\n"
             "read r0 T2 k0=v0 sources=T1\norder k0 T2 T1\nholds p1\n",
      VERDICT_INVALID },
    { "kir 2\nlevel causal\nrules points=1 so=0>0 ww=0>0 wr=0>0 rw=0>0 anti=forbid view=paths hidden\n"
      "txn T1 c1\ntxn T2 c2\ntxn T3 c3\nkey k0 init=absent T1=v0 T2=v1\nkey k1 init=absent T2=v2\n"
      "read r0 T2 k0=v0 sources=T1\nread r1 T3 k0=v0 sources=T1\nread r2 T3 k1=v2 sources=T2\n",
      VERDICT_INVALID },
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct ir *ir = read_text (files[i].text, strlen (files[i].text));
    ASSERT (ir);
    const struct check_options options = options_of (level_find (ir->label));
    enum verdict verdict;
    count.valid = count.invalid = 0; // so that all numbers are changed
    const char *wrong = look_at (ir, &options, &verdict);
    ASSERT_EQm (files[i].text, NULL, wrong);
    ASSERT_EQm (files[i].text, files[i].verdict, verdict);
    ir_free (ir);
  }
  PASS ();
}

SUITE (ir_certificates) {
  RUN_TEST (files_by_hand);
  RUN_TESTp (verdicts_on_random_histories_are_certified, RANDOM_BASIC, false);
  RUN_TESTp (verdicts_on_random_histories_are_certified, RANDOM_ALL, false);
  RUN_TESTp (verdicts_on_random_histories_are_certified, RANDOM_ALL, true);
  RUN_TESTp (verdicts_on_random_histories_are_certified, RANDOM_LISTS, false);
  RUN_TESTp (verdicts_on_random_histories_are_certified, RANDOM_LISTS, true);
}

KRAIT_UNIT_MAIN (RUN_SUITE (ir_certificates);)
