// Every fuzz target on damaged inputs, in one process and the same each time:
//
//   mutations [--target=NAME] [--count=N] [--seed=S] [--only=INDEX]
//   mutations --target=NAME --write-seeds=FOLDER     the good inputs, as files, for libFuzzer
//   mutations --target=NAME --write-words            a dictionary for libFuzzer, to standard output
//   mutations --list                                 names of all targets
//
// COUNT inputs per target are made from good ones (mutate.c); the target says what is wrong
// (target.h). A failure prints the number of its input; --only runs that one again alone.

#include "mutate.h"
#include "target.h"

#include "base/error.h"
#include "tests/support/effort.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 200, TRIES = 20 * SEEDS };

static fuzz_bytes seeds[SEEDS];

struct arguments {
  const struct fuzz_target *target; // or NULL: all
  uint64_t count, seed, only;       // count 0: as many as the target deserves
  bool single, write_words;
  const char *write_seeds;
};

static unsigned make_seeds (const struct fuzz_target *target) {
  unsigned made = 0;
  for (uint64_t number = 0; made < SEEDS && number < TRIES; number++) {
    seeds[made].count = 0;
    made += target->seed (target, number, &seeds[made]);
  }
  return made;
}

// The IR's text and whole checks have more to go wrong than a reader.
static uint64_t count_for (const struct fuzz_target *target) {
  if (!strcmp (target->name, "kir"))
    return effort (8000, 20000, 200000);
  return target->format || !strcmp (target->name, "any") ? effort (3000, 5000, 100000) : effort (3000, 10000, 200000);
}

static void tell (const struct fuzz_target *target, uint64_t index, const struct arguments *arguments,
                  const char *wrong) {
  fprintf (stderr, "%s, input %llu of seed %llu: %s\n", target->name, (unsigned long long) index,
           (unsigned long long) arguments->seed, wrong);
}

static uint64_t run_target (const struct fuzz_target *target, const struct arguments *arguments, uint64_t *inputs) {
  const struct mutator mutator = { seeds, make_seeds (target), target->words };
  if (!mutator.seed_count) {
    fprintf (stderr, "%s: nothing to start from\n", target->name);
    return 1;
  }
  const uint64_t first = arguments->single ? arguments->only : 0;
  const uint64_t count = arguments->single ? 1 : arguments->count ? arguments->count : count_for (target);
  fuzz_bytes input = VEC_EMPTY;
  uint64_t failures = 0, understood = 0;
  VEC_RESERVE (input, 1 << 17); // once, so that it is in nobody's account of memory
  for (uint64_t i = first; i < first + count; i++) {
    struct prng random = prng_fork (arguments->seed, i);
    bool fine;
    mutate (&mutator, &random, &input);
    const char *wrong = fuzz_run (target, input.data, input.count, &fine);
    understood += fine;
    failures += wrong != NULL;
    if (wrong && failures <= 5)
      tell (target, i, arguments, wrong);
  }
  VEC_FREE (input);
  printf ("%-14s %8llu inputs, %8llu understood\n", target->name, (unsigned long long) count,
          (unsigned long long) understood);
  // A reader that understands nothing is not tested.
  if (!arguments->single && count >= 1000 && !understood) {
    fprintf (stderr, "%s: no input was understood\n", target->name);
    failures++;
  }
  *inputs += count;
  return failures;
}

static int run_all (const struct arguments *arguments) {
  uint64_t failures = 0, inputs = 0;
  for (size_t i = 0; fuzz_targets[i]; i++)
    if (!arguments->target || arguments->target == fuzz_targets[i])
      failures += run_target (fuzz_targets[i], arguments, &inputs);
  for (unsigned i = 0; i < SEEDS; i++)
    VEC_FREE (seeds[i]);
  printf ("%llu passed, %llu failed, 0 skipped\n", (unsigned long long) (inputs > failures ? inputs - failures : 0),
          (unsigned long long) failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

// --- For libFuzzer --------------------------------------------------------------

static int write_seeds (const struct fuzz_target *target, const char *folder) {
  const unsigned count = make_seeds (target);
  for (unsigned i = 0; i < count; i++) {
    char path[512];
    snprintf (path, sizeof path, "%.450s/seed-%u", folder, i);
    FILE *file = fopen (path, "wb");
    if (!file || fwrite (seeds[i].data, 1, seeds[i].count, file) != seeds[i].count || fclose (file)) {
      fprintf (stderr, "cannot write %s\n", path);
      return EXIT_FAILURE;
    }
    VEC_FREE (seeds[i]);
  }
  return count ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int write_words (const struct fuzz_target *target) {
  for (const char *const *word = target->words; word && *word; word++) {
    putchar ('"');
    for (const unsigned char *byte = (const unsigned char *) *word; *byte; byte++)
      printf (isalnum (*byte) ? "%c" : "\\x%02x", *byte);
    puts ("\"");
  }
  return EXIT_SUCCESS;
}

static int list (void) {
  for (size_t i = 0; fuzz_targets[i]; i++)
    puts (fuzz_targets[i]->name);
  return EXIT_SUCCESS;
}

// --- Arguments ------------------------------------------------------------------

static const char *after (const char *argument, const char *name) {
  const size_t length = strlen (name);
  return strncmp (argument, name, length) ? NULL : argument + length;
}

static void take (struct arguments *arguments, const char *argument) {
  const char *text;
  if ((text = after (argument, "--count=")))
    arguments->count = strtoull (text, NULL, 10);
  else if ((text = after (argument, "--seed=")))
    arguments->seed = strtoull (text, NULL, 10);
  else if ((text = after (argument, "--only="))) {
    arguments->single = true;
    arguments->only = strtoull (text, NULL, 10);
  } else if ((text = after (argument, "--write-seeds=")))
    arguments->write_seeds = text;
  else if (!strcmp (argument, "--write-words"))
    arguments->write_words = true;
  else if ((text = after (argument, "--target=")) && fuzz_target_find (text))
    arguments->target = fuzz_target_find (text);
  else {
    fprintf (stderr, "mutations: what is %s?\n", argument);
    exit (2);
  }
}

int main (int argc, char **argv) {
  struct arguments arguments = { .seed = 1 };
  if (argc == 2 && !strcmp (argv[1], "--list"))
    return list ();
  for (int i = 1; i < argc; i++)
    take (&arguments, argv[i]);
  if ((arguments.write_words || arguments.write_seeds) && !arguments.target) {
    fprintf (stderr, "mutations: of which --target?\n");
    return 2;
  }
  return arguments.write_words   ? write_words (arguments.target)
         : arguments.write_seeds ? write_seeds (arguments.target, arguments.write_seeds)
                                 : run_all (&arguments);
}
