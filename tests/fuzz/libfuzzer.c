// The fuzz targets for libFuzzer: one program for all of them.
//
//   libfuzzer --target=NAME [libFuzzer's options] [CORPUS…]
//
// libFuzzer leaves alone what begins with two dashes. tests/fuzz/run is the way to call it.

#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize (int *argc, char ***argv) {
  static const char option[] = "--target=";
  for (int i = 1; i < *argc; i++)
    if (!strncmp ((*argv)[i], option, sizeof option - 1))
      target = fuzz_target_find ((*argv)[i] + sizeof option - 1);
  if (!target) {
    fprintf (stderr, "libfuzzer: --target must be one of");
    for (size_t i = 0; fuzz_targets[i]; i++)
      fprintf (stderr, " %s", fuzz_targets[i]->name);
    fprintf (stderr, "\n");
    exit (2);
  }
  return 0;
}

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  bool understood;
  const char *wrong = fuzz_run (target, bytes, length, &understood);
  if (wrong) {
    fprintf (stderr, "%s: %s\n", target->name, wrong);
    abort (); // what libFuzzer calls a finding
  }
  return 0;
}
