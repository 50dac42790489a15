// Golden histories: NAME.kht (or another form) and NAME.verdicts in tests/golden, whose lines read
//
//   LEVEL VERDICT [CLASS [NAME]] [--option…]
//
// CLASS and NAME are the anomaly's; what is left out is not compared. Every line is compared with
//
// - the checker, as it is, with its explanation where a line names an anomaly, and with all steps
//   switched off, which must not change the verdict;
// - the checker on a .kir file made of the history, as `krait encode` makes it;
// - the brute-force checker, whether the checker knows the level or not.
//
// tests/golden/run asks the program about some of them.
//
//   golden                  all of them
//   golden --print FILE…    the verdicts on other histories at every level, in the form of a
//     .verdicts file

#include "api/explanation.h"
#include "base/input.h"
#include "base/output.h"
#include "brute.h"
#include "explain/violation.h"
#include "formats/formats.h"
#include "history/override.h"
#include "ir/kir.h"
#include "levels/levels.h"
#include "run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally {
  uint64_t passed, failed, skipped;
  uint64_t lines, anomalies;
};

static const char *verdict_word (enum brute_verdict verdict) {
  return verdict == BRUTE_HOLDS ? "valid" : verdict == BRUTE_FAILS ? "invalid" : "unknown";
}

static struct history *read_or_tell (const char *path) {
  struct error error = { 0 };
  struct history *h = history_read (path, NULL, &error);
  if (!h)
    fprintf (stderr, "%s\n", error.text);
  return h;
}

// ---------------------------------------------------------------------------------------- one line

struct line {
  const char *level, *verdict;
  const char *anomaly, *name; // or NULL
  const char *init;           // or NULL
  struct brute_options options;
};

static bool parse_own_writes (const char *name, enum brute_own_writes *policy) {
  for (int i = BRUTE_OWN_MUST; i <= BRUTE_OWN_INFER; i++)
    if (!strcmp (name, run_own_writes_name ((enum brute_own_writes) i))) {
      *policy = (enum brute_own_writes) i;
      return true;
    }
  return false;
}

static bool parse_line (char *text, struct line *line) {
  char *rest, *word = strtok_r (text, " \n", &rest);
  *line = (struct line){ .level = word, .verdict = strtok_r (NULL, " \n", &rest) };
  brute_options_default (&line->options);
  while ((word = strtok_r (NULL, " \n", &rest))) {
    if (!strncmp (word, "--clock-skew=", 13))
      line->options.clock_skew = strtoll (word + 13, NULL, 10);
    else if (!strncmp (word, "--init=", 7))
      line->init = word + 7;
    else if (!strncmp (word, "--own-writes=", 13)) {
      if (!parse_own_writes (word + 13, &line->options.own_writes))
        return false;
    } else if (!strncmp (word, "--", 2))
      return false;
    else if (!line->anomaly)
      line->anomaly = word;
    else if (!line->name)
      line->name = word;
    else
      return false;
  }
  return line->verdict;
}

static struct history *read_for (const char *path, const struct line *line) {
  struct history *h = read_or_tell (path);
  const char *why;
  if (!h || !line->init || history_override_init (h, line->init, &why))
    return h;
  history_free (h);
  return NULL;
}

// A name of the command line; those of the brute force are full names.
static int find_level (const char *name) {
  const struct level *level = level_find (name);
  return brute_level_find (level ? level->name : name);
}

// Of an incomplete history, what holds only because something is excused is unknown.
static void unrecorded_excused (const struct history *h, const struct line *line, struct brute_verdicts *verdicts) {
  struct brute_options options = line->options;
  struct brute_verdicts complete;
  options.as_if_complete = true;
  const bool judged = brute_judge (h, &options, &complete);
  for (unsigned level = 0; level < brute_levels (); level++)
    if (verdicts->of[level] == BRUTE_HOLDS && !(judged && complete.of[level] == BRUTE_HOLDS))
      verdicts->of[level] = BRUTE_UNDEFINED;
}

static bool judge_line (const char *history, const struct line *line, struct brute_verdicts *verdicts) {
  struct history *h = read_for (history, line);
  const bool judged = h && brute_judge (h, &line->options, verdicts);
  if (judged && h->incomplete)
    unrecorded_excused (h, line, verdicts);
  history_free (h);
  return judged;
}

// The verdict on what comes back from the text of the IR; `unknown` if it does not.
static enum verdict verdict_through_text (const struct ir *ir, const struct check_options *options) {
  struct output *output = output_open_memory ();
  struct error error = { 0 };
  enum verdict verdict = VERDICT_UNKNOWN;
  size_t length;
  kir_write (ir, NULL, output);
  const char *text = output_memory (output, &length);
  struct input *input = input_open_memory ("golden.kir", text, length);
  struct ir *back = kir_read (input, &error);
  input_close (input);
  if (back) {
    struct check_result *result = check_ir (back, options);
    verdict = result->verdict;
    check_result_free (result);
  } else
    fprintf (stderr, "%s\n", error.text);
  ir_free (back);
  output_discard (output);
  return verdict;
}

// As lowered, or as saturation leaves it.
static enum verdict encoded_verdict (const struct history *h, const struct line *line, const struct level *level,
                                     bool saturated) {
  const struct check_options options = run_check_options (&line->options, level);
  struct check_subject *subject = check_subject_new (h, &options, level_needs_events (level));
  enum verdict verdict = VERDICT_UNKNOWN;
  if (!check_subject_error (subject)) {
    struct lowered *lowered = check_subject_lower (subject, &options, saturated);
    verdict = verdict_through_text (lowered->ir, &options);
    lowered_free (lowered);
  }
  check_subject_free (subject);
  return verdict;
}

static void test_encoded (const char *history, char *text, struct tally *tally) {
  struct line line;
  char *copy = mem_strdup (text);
  const struct level *level = parse_line (text, &line) ? level_find (line.level) : NULL;
  struct history *h = level && strcmp (line.verdict, "unknown") ? read_for (history, &line) : NULL;
  if (!h)
    tally->skipped++;
  else {
    const char *found = verdict_name (encoded_verdict (h, &line, level, false));
    if (!strcmp (found, line.verdict))
      found = verdict_name (encoded_verdict (h, &line, level, true));
    const bool fine = !strcmp (found, line.verdict);
    tally->passed += fine;
    tally->failed += !fine;
    if (!fine)
      fprintf (stderr, "%s: a .kir file of it is %s, not %s", history, found, copy);
  }
  history_free (h);
  mem_free (copy);
}

static bool is_named (const struct violation *v, const struct line *line) {
  const char *name = v ? violation_name (v) : NULL;
  return v && !strcmp (violation_class (v), line->anomaly) && (!line->name || (name && !strcmp (name, line->name)));
}

// As `krait check` does it. Without its steps the search may find another, equally good reason.
static bool is_so (const struct history *h, const struct line *line, const struct level *level, bool steps) {
  struct check_options options = run_check_options (&line->options, level);
  options.threads = 0;
  if (!steps)
    options.steps = (struct check_steps){ 0 };
  struct check_result *result = check_history (h, &options);
  bool fine = !strcmp (verdict_name (result->verdict), line->verdict);
  if (fine && steps && line->anomaly) {
    explain_result (result, h, &options, &(struct part_limits){ .bounded = true });
    fine = is_named (result->violation, line) && result->verified;
  }
  if (!fine)
    fprintf (stderr, "it is %s %s\n", verdict_name (result->verdict),
             result->violation ? violation_class (result->violation) : "");
  check_result_free (result);
  return fine;
}

static void test_checked (const char *history, char *text, struct tally *tally) {
  struct line line;
  char *copy = mem_strdup (text);
  const struct level *level = parse_line (text, &line) ? level_find (line.level) : NULL;
  struct history *h = level ? read_for (history, &line) : NULL;
  for (int steps = 0; steps < 2; steps++) {
    const bool fine = h && is_so (h, &line, level, steps);
    tally->passed += fine;
    tally->failed += !fine;
    if (!fine)
      fprintf (stderr, "%s, %s: not %s", history, steps ? "as it is" : "without steps", copy);
  }
  tally->lines++;
  tally->anomalies += line.anomaly != NULL;
  history_free (h);
  mem_free (copy);
}

static void test_line (const char *history, char *text, struct tally *tally) {
  struct line line;
  struct brute_verdicts verdicts = { .supported = true };
  char *copy = mem_strdup (text);
  const int level = parse_line (text, &line) ? find_level (line.level) : -1;
  if (level < 0) {
    tally->failed++;
    fprintf (stderr, "%s: what is %s", history, copy);
  } else if (!judge_line (history, &line, &verdicts)) {
    if (verdicts.supported || strcmp (line.verdict, "unknown"))
      tally->skipped++;
    else
      tally->passed++; // nobody gives a verdict
  } else if (strcmp (verdict_word (verdicts.of[level]), line.verdict)) {
    tally->failed++;
    fprintf (stderr, "%s: the brute force says %s, not %s", history, verdict_word (verdicts.of[level]), copy);
  } else
    tally->passed++;
  mem_free (copy);
}

// --------------------------------------------------------------------------------------- all files

// The file beside NAME.verdicts that is the history.
static bool find_history (const char *folder, const char *name, char *path, size_t size) {
  static const char *const endings[] = { "kht", "jsonl" };
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    snprintf (path, size, "%s/%.*s%s", folder, (int) (strlen (name) - strlen ("verdicts")), name, endings[i]);
    FILE *file = fopen (path, "r");
    if (file) {
      fclose (file);
      return true;
    }
  }
  return false;
}

static void test_file (const char *folder, const char *name, struct tally *tally) {
  char path[1024], history[1024], text[512];
  snprintf (path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen (path, "r");
  if (!file || !find_history (folder, name, history, sizeof history)) {
    tally->failed++;
    fprintf (stderr, "%s: cannot be read, or has no history beside it\n", path);
  } else
    while (fgets (text, sizeof text, file))
      if (*text != '#' && *text != '\n') {
        static void (*const tests[]) (const char *, char *, struct tally *) = { test_checked, test_encoded, test_line };
        for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
          char copy[sizeof text];
          memcpy (copy, text, sizeof text);
          tests[i](history, copy, tally);
        }
      }
  if (file)
    fclose (file);
}

static bool ends_with (const char *name, const char *ending) {
  const char *dot = strrchr (name, '.');
  return dot && !strcmp (dot, ending);
}

static void expect_verdicts (const char *folder, const char *name, struct tally *tally) {
  char path[1024];
  snprintf (path, sizeof path, "%s/%.*s.verdicts", folder, (int) (strrchr (name, '.') - name), name);
  if (access (path, R_OK)) {
    tally->failed++;
    fprintf (stderr, "%s/%s: no verdicts beside it\n", folder, name);
  }
}

static int test_folder (void) {
  const char *source = getenv ("KRAIT_SRCDIR");
  char folder[768];
  snprintf (folder, sizeof folder, "%s/tests/golden", source ? source : ".");
  struct tally tally = { 0 };
  DIR *directory = opendir (folder);
  if (!directory) {
    perror (folder);
    return run_end (0, 1, 0);
  }
  for (struct dirent *entry; (entry = readdir (directory));)
    if (ends_with (entry->d_name, ".verdicts"))
      test_file (folder, entry->d_name, &tally);
    else if (ends_with (entry->d_name, ".kht") || ends_with (entry->d_name, ".jsonl"))
      expect_verdicts (folder, entry->d_name, &tally);
  closedir (directory);
  printf ("%llu lines, %llu of them with an anomaly\n", (unsigned long long) tally.lines,
          (unsigned long long) tally.anomalies);
  return run_end (tally.passed, tally.failed, tally.skipped);
}

// ------------------------------------------------------------------------------------- one history

static bool print_verdicts (const char *path) {
  struct brute_options options;
  struct brute_verdicts verdicts;
  brute_options_default (&options);
  struct history *h = read_or_tell (path);
  const bool judged = h && brute_judge (h, &options, &verdicts);
  for (unsigned level = 0; judged && level < brute_levels (); level++)
    printf ("%s %s\n", brute_level_name (level), verdict_word (verdicts.of[level]));
  history_free (h);
  return judged;
}

int main (int argc, char **argv) {
  if (argc < 2)
    return test_folder ();
  if (strcmp (argv[1], "--print")) {
    fprintf (stderr, "%s: what is %s?\n", argv[0], argv[1]);
    return 2;
  }
  bool fine = true;
  for (int i = 2; i < argc; i++)
    fine &= print_verdicts (argv[i]);
  return fine ? 0 : 1;
}
