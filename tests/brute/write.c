// Random histories as files, for bench/compare: POLICY/INDEX.kht in the current folder, where
// POLICY is how own writes are to be taken.
//
//   write [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]
//     [--incomplete]

#include "base/output.h"
#include "formats/formats.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

static bool write_history (const struct history *h, const char *policy, uint64_t index) {
  char path[80];
  struct output *text = output_open_memory ();
  struct error error = { 0 };
  size_t length = 0;
  mkdir (policy, 0777);
  snprintf (path, sizeof path, "%s/%" PRIu64 ".kht", policy, index);
  bool done = format_find ("kht")->write (h, text, &error);
  const char *bytes = output_memory (text, &length);
  FILE *file = done ? fopen (path, "w") : NULL;
  done = file && fwrite (bytes, 1, length, file) == length;
  done = file && !fclose (file) && done;
  output_discard (text);
  if (!done)
    fprintf (stderr, "cannot write %s\n", path);
  return done;
}

int main (int argc, char **argv) {
  const struct run run = run_arguments (argc, argv, 100, 100);
  for (uint64_t index = run.first; index < run.first + run.count; index++) {
    struct brute_options options;
    struct history *h = random_history_of (run.seed, index, &run.mixture, &options);
    const bool done = write_history (h, run_own_writes_name (options.own_writes), index);
    history_free (h);
    if (!done)
      return 1;
  }
  return 0;
}
