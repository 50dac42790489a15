// Damaged .kir files, in one process and the same each time:
//
//   mutate_kir [COUNT [SEED [FIRST]]]
//
// COUNT texts are made from the IRs of small random histories: cut, flipped, spliced, with words of the format thrown in. Each is either refused
// with one line that names the file and, but for a file that ends too early, the line; or read, and then the checker gives a verdict on it, and
// it can be written and read again with the same verdict. Nothing leaks. A failure prints the number of its input; FIRST runs that one alone.

#include "api/check.h"
#include "base/input.h"
#include "base/output.h"
#include "history/history.h"
#include "ir/kir.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_COUNT = 20000, SEEDS = 444, LONGEST = 1 << 14 };

struct text {
  char data[LONGEST];
  size_t length;
};

static struct text seeds[SEEDS];
static struct text input;

// --- Inputs -----------------------------------------------------------------

static bool make_seed (struct text *seed, uint64_t index, const struct level *level) {
  static const struct random_mixture mixtures[] = {
    { .ops = RANDOM_BASIC },
    { .ops = RANDOM_ALL },
    { .ops = RANDOM_ALL, .often_unknown = true },
    { .ops = RANDOM_LISTS, .often_unknown = true }
  };
  struct brute_options drawn;
  struct history *h = random_history_of (17, index, &mixtures[index % 4], &drawn);
  const bool events = level_needs_events (level);
  struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = !events, .events = events });
  if (asg->unsupported) {
    asg_free (asg);
    history_free (h);
    return false;
  }
  struct ir *ir = ir_lower (asg, level, drawn.clock_skew);
  if (asg->nodes > 2 && !asg->optional[1] && !asg->optional[2])
    VEC_PUSH (ir->edges, (struct ir_edge){ 1, 2 });
  struct output *output = output_open_memory ();
  struct error error = { 0 };
  const bool made = kir_write (ir, output, &error);
  const char *text = output_memory (output, &seed->length);
  if (seed->length > LONGEST)
    seed->length = LONGEST;
  memcpy (seed->data, text, seed->length);
  output_discard (output);
  ir_free (ir);
  asg_free (asg);
  history_free (h);
  return made;
}

static void make_seeds (void) {
  size_t count = 0;
  unsigned made = 0;
  while (levels[count])
    count++;
  for (uint64_t index = 0; made < SEEDS; index++)
    made += make_seed (&seeds[made], index, levels[made % count]);
}

static void flip (struct prng *random) {
  for (unsigned i = 1 + prng_below (random, 3); input.length && i; i--)
    input.data[prng_below (random, (unsigned) input.length)] ^= (char) (1 << prng_below (random, 8));
}

// Puts a piece in the place of up to `most` bytes.
static void replace (struct prng *random, const char *piece, size_t length, unsigned most) {
  static char tail[LONGEST];
  const size_t at = prng_below (random, (unsigned) input.length + 1);
  size_t gone = prng_below (random, most + 1);
  if (gone > input.length - at)
    gone = input.length - at;
  const size_t rest = input.length - at - gone;
  if (at + length + rest > LONGEST)
    return;
  memcpy (tail, input.data + at + gone, rest);
  memcpy (input.data + at, piece, length);
  memcpy (input.data + at + length, tail, rest);
  input.length = at + length + rest;
}

static void put_word (struct prng *random) {
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
                                       "\0",
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
                                       "wrong T2 list k0\n" };
  const char *word = words[prng_below (random, sizeof words / sizeof *words)];
  replace (random, word, *word ? strlen (word) : 1, 3);
}

// Another number in the place of one: another value, another transaction, another place.
static void put_digit (struct prng *random) {
  for (unsigned tries = 0; input.length && tries < 50; tries++) {
    char *digit = &input.data[prng_below (random, (unsigned) input.length)];
    if (*digit >= '0' && *digit <= '9') {
      *digit = (char) ('0' + prng_below (random, 10));
      return;
    }
  }
}

// A whole line of another seed, so that facts contradict each other.
static void put_line (struct prng *random) {
  const struct text *seed = &seeds[prng_below (random, SEEDS)];
  const char *end = seed->data + seed->length;
  const char *line = seed->data + prng_below (random, (unsigned) seed->length);
  while (line > seed->data && line[-1] != '\n')
    line--;
  const char *newline = memchr (line, '\n', (size_t) (end - line));
  const size_t length = (size_t) ((newline ? newline + 1 : end) - line);
  // Behind some line of the input.
  size_t at = prng_below (random, (unsigned) input.length + 1);
  while (at && input.data[at - 1] != '\n')
    at--;
  if (input.length + length > LONGEST)
    return;
  memmove (input.data + at + length, input.data + at, input.length - at);
  memcpy (input.data + at, line, length);
  input.length += length;
}

static void mutate (struct prng *random) {
  input = seeds[prng_below (random, SEEDS)];
  for (unsigned steps = 1 + prng_below (random, 3); steps; steps--) {
    const struct text *other = &seeds[prng_below (random, SEEDS)];
    switch (prng_below (random, 11)) {
    case 0: input.length = prng_below (random, (unsigned) input.length + 1); break;
    case 1: flip (random); break;
    case 2:
      replace (random, other->data + prng_below (random, (unsigned) other->length / 2),
               prng_below (random, (unsigned) other->length / 2), 60);
      break;
    case 3:
    case 4: put_line (random); break;
    case 5:
    case 6:
    case 7: put_digit (random); break;
    default: put_word (random); break;
    }
  }
}

// --- Checks -----------------------------------------------------------------

static struct ir *read_text (const char *text, size_t length, struct error *error) {
  char *copy = mem_alloc (length); // just that long, so that a sanitizer sees a read beyond
  memcpy (copy, text, length);
  struct input *from = input_open_memory ("mutated", copy, length);
  struct ir *ir = kir_read (from, error);
  input_close (from);
  mem_free (copy);
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

static const char *check_error (const struct error *error) {
  if (error->code != ERROR_INPUT || !*error->text)
    return "refused without a reason";
  if (strchr (error->text, '\n'))
    return "an error of several lines";
  const bool has_place =
    !strncmp (error->text, "mutated:", 8)
    && ((error->text[8] >= '1' && error->text[8] <= '9') || strstr (error->text, "the end of the file"));
  return has_place ? NULL : "an error without a place";
}

static const char *run_one (struct prng *random, bool *was_read) {
  mutate (random);
  const size_t before = mem_in_use ();
  struct error error = { 0 };
  struct ir *ir = read_text (input.data, input.length, &error);
  const char *wrong = ir ? check_read (ir) : check_error (&error);
  if (wrong)
    fprintf (stderr, "%s\n%.*s\n", error.text, (int) input.length, input.data);
  *was_read = ir;
  ir_free (ir);
  return wrong || mem_in_use () == before ? wrong : "memory is not given back";
}

int main (int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull (argv[1], NULL, 10) : DEFAULT_COUNT;
  const uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  const uint64_t first = argc > 3 ? strtoull (argv[3], NULL, 10) : 0;
  if (getenv ("KRAIT_TEST_LONG") && argc < 2)
    count *= 50;
  if (argc > 3)
    count = 1;
  make_seeds ();
  unsigned long long failures = 0, understood = 0;
  for (uint64_t i = first; i < first + count; i++) {
    struct prng random = prng_fork (seed, i);
    bool was_read;
    const char *wrong = run_one (&random, &was_read);
    understood += was_read;
    if (!wrong)
      continue;
    failures++;
    fprintf (stderr, "input %llu of seed %llu: %s\n", (unsigned long long) i, (unsigned long long) seed, wrong);
  }
  printf ("%llu of them could be read\n", understood);
  printf ("%llu passed, %llu failed, 0 skipped\n", (unsigned long long) count - failures, failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
