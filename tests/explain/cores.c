// Cores of every invalid history of the corpus and of every fault of the generator: a core is
// invalid by itself and shows what the whole shows; without any of its transactions or operations
// it is valid; it survives being written and read; the same search finds the same. Prints a table
// of their sizes.
//
//   cores [--long] [--times] [--corpus=TEXT] [--fault=NAME]
//
// --long, or KRAIT_TEST_LONG: more seeds. --times: a line per history. --corpus: rows whose path
// holds the text, and no faults; --fault: the other way round.

#include "formats/formats.h"
#include "generate/generate.h"
#include "levels/levels.h"
#include "trial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct run {
  struct trials trials;
  bool is_long;
  const char *corpus, *fault; // or NULL
};

static struct check_options options_for (const char *level) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (level);
  options.threads = 1;
  return options;
}

// ------------------------------------------------------------------------------------------ corpus

// The manifest's name of a level, and ours, as in tests/corpus/run.
static const char *level_of (const char *name) {
  static const char *const names[][2] = {
    { "ser", "strong-session-serializable" },
    { "si", "strong-session-snapshot-isolation" },
    { "cc", "causal" },
    { "ra", "read-atomic" },
    { "rc", "read-committed-axiomatic" },
    { "adya-ser", "serializable" },
    { "adya-rr", "repeatable-read" },
    { "adya-si", "snapshot-isolation" },
    { "adya-psi", "consistent-view" },
    { "adya-pl2", "read-committed" },
    { "adya-pl1", "read-uncommitted" },
    { "strong-si", "strict-snapshot-isolation" },
    { "elle-default", "strict-serializable" },
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp (names[i][0], name))
      return names[i][1];
  return NULL;
}

// The folder of the unpacked corpus; false: there is none, and the reason is printed.
static bool unpack (char *folder, size_t size) {
  const char *source = getenv ("KRAIT_SRCDIR"), *build = getenv ("KRAIT_BUILDDIR");
  char command[1024];
  if (!getenv ("KRAIT_CORPUS") || !source || !build) {
    printf ("without KRAIT_CORPUS, KRAIT_SRCDIR and KRAIT_BUILDDIR there is no corpus\n");
    return false;
  }
  snprintf (command, sizeof command, "bash '%s/tests/corpus/unpack' '%s' 2>&1", source, build);
  FILE *pipe = popen (command, "r");
  const bool said = pipe && fgets (folder, (int) size, pipe);
  const bool there = pipe && !pclose (pipe) && said;
  folder[said ? strcspn (folder, "\n") : 0] = 0;
  if (!there)
    printf ("%s\n", folder);
  return there;
}

struct row {
  char path[512], level[32];
};

static bool read_row (FILE *file, struct row *row) {
  static char line[8192];
  while (fgets (line, sizeof line, file)) {
    char expected[32];
    if (sscanf (line, "%511[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%31[^\t]\t%31[^\t]", row->path, row->level, expected) == 3
        && !strcmp (expected, "invalid") && level_of (row->level))
      return true;
  }
  return false;
}

static void try_row (struct run *run, const char *folder, const struct row *row) {
  static char read_path[512];
  static struct history *h; // the levels of a history stand next to each other
  char path[1600], label[560], family[64];
  struct error error = { 0 };
  if (strcmp (read_path, row->path)) {
    history_free (h);
    snprintf (path, sizeof path, "%s/%s", folder, row->path);
    h = history_read (path, NULL, &error);
    snprintf (read_path, sizeof read_path, "%s", row->path);
  }
  snprintf (label, sizeof label, "%s", row->path);
  snprintf (family, sizeof family, "%.*s", (int) strcspn (row->path, "/"), row->path);
  const struct check_options options = options_for (level_of (row->level));
  if (!h || !trial (&run->trials, family, label, h, &options)) {
    printf ("FAIL %s, %s: %s\n", row->path, options.level->name, h ? "not invalid" : error.text);
    run->trials.failed++;
  }
}

static void try_corpus (struct run *run) {
  char folder[1024], manifest[4200];
  if (!unpack (folder, sizeof folder)) {
    run->trials.skipped++;
    return;
  }
  snprintf (manifest, sizeof manifest, "%s/MANIFEST.tsv", getenv ("KRAIT_CORPUS"));
  FILE *file = fopen (manifest, "r");
  if (!file) {
    printf ("FAIL %s cannot be read\n", manifest);
    run->trials.failed++;
    return;
  }
  for (struct row row; read_row (file, &row);)
    if (!run->corpus || strstr (row.path, run->corpus))
      try_row (run, folder, &row);
  fclose (file);
}

// ------------------------------------------------------------------------------------------ faults

// As krait generate makes it, but shorter.
static struct history *generated (const struct fault *fault, const struct workload *workload, uint64_t seed) {
  struct generate_options options;
  struct generate_summary summary;
  generate_options_default (&options);
  options.fault = fault;
  options.workload = workload;
  options.isolation = isolation_find (fault->isolation);
  options.txns = !strncmp (workload->name, "random", 6) || !strcmp (workload->name, "tpcc") ? 300 : 1000;
  options.aborts = 0.05;
  options.seed = seed;
  return generate (&options, &summary);
}

// Range queries take their time: but for the long run they are left out where something else shows
// the fault.
static bool has_its_turn (const struct run *run, const struct fault *fault, const struct workload *workload) {
  const bool only_ranges = !fault_shows_in (fault, "blindw-mixed") && !fault_shows_in (fault, "twitter");
  const bool slow = !strncmp (workload->name, "random", 6) || !strcmp (workload->name, "tpcc");
  return fault_shows_in (fault, workload->name) && (only_ranges || !slow || run->is_long);
}

static unsigned try_fault (struct run *run, const struct fault *fault, uint64_t seeds) {
  unsigned shown = 0;
  for (size_t w = 0; workloads[w].name; w++)
    for (uint64_t seed = 1; seed <= seeds && has_its_turn (run, fault, &workloads[w]); seed++) {
      char label[128];
      snprintf (label, sizeof label, "%s, %s, seed %" PRIu64, fault->name, workloads[w].name, seed);
      struct history *h = generated (fault, &workloads[w], seed);
      const struct check_options options = options_for (fault->breaks);
      shown += trial (&run->trials, fault->name, label, h, &options);
      history_free (h);
    }
  return shown;
}

static void try_faults (struct run *run) {
  enum { SEEDS = 1, LONG_SEEDS = 20 };
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    if (run->fault && strcmp (run->fault, faults[id].name))
      continue;
    if (!try_fault (run, &faults[id], run->is_long ? LONG_SEEDS : SEEDS)) {
      printf ("FAIL %s is never shown\n", faults[id].name);
      run->trials.failed++;
    }
  }
}

int main (int argc, char **argv) {
  const char *asked = getenv ("KRAIT_TEST_LONG");
  struct run run = { .is_long = asked && *asked };
  for (int i = 1; i < argc; i++) {
    if (!strncmp (argv[i], "--corpus=", 9))
      run.corpus = argv[i] + 9;
    else if (!strncmp (argv[i], "--fault=", 8))
      run.fault = argv[i] + 8;
    else if (!strcmp (argv[i], "--long"))
      run.is_long = true;
    else if (!strcmp (argv[i], "--times"))
      run.trials.tell_times = true;
    else {
      fprintf (stderr, "%s: what is %s?\n", argv[0], argv[i]);
      return 2;
    }
  }
  if (!run.fault)
    try_corpus (&run);
  if (!run.corpus)
    try_faults (&run);
  return trials_end (&run.trials);
}
