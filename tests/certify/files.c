// Certifies the verdicts on histories in files, in process: each line of standard input is a level
// (or `all`), a tab and a path. A verdict of `unknown` needs no certificate. A line at the end adds
// up.

#include "api/certify.h"
#include "formats/formats.h"
#include "levels/levels.h"
#include "verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60 };

struct tally {
  uint64_t passed, failed, skipped;
  uint64_t valid, invalid, operations, bytes, most_items;
  double checking, certifying, verifying;
};

static void wrong (struct tally *tally, const char *path, const char *level, const char *what, const char *more) {
  tally->failed++;
  printf ("FAIL %s, %s: %s: %s\n", path, level, what, more ? more : "");
}

static void verify_made (struct tally *tally, const char *path, const struct history *h, const struct certificate *made,
                         enum verdict verdict) {
  byte_vec bytes = VEC_EMPTY;
  struct error error = { 0 };
  struct complaint complaint;
  certificate_write (made, &bytes);
  struct certificate *read = certificate_read (bytes.data, bytes.count, "certificate", &error);
  const double start = clock_seconds ();
  if (!read)
    wrong (tally, path, made->level, "cannot be read back", error.text);
  else if (!verify_certificate (h, read, &complaint))
    wrong (tally, path, made->level, "refused", complaint.text);
  else if (read->valid != (verdict == VERDICT_VALID))
    wrong (tally, path, made->level, "claims something else", NULL);
  else
    tally->passed++;
  tally->verifying += clock_seconds () - start;
  if (made->valid) {
    tally->operations += history_ops (h);
    tally->bytes += bytes.count;
  } else if (made->items.count > tally->most_items)
    tally->most_items = made->items.count;
  certificate_free (read);
  VEC_FREE (bytes);
}

static void certify_level (struct tally *tally, const char *path, const struct history *h, const struct level *level) {
  struct check_options options;
  struct budget budget;
  check_options_default (&options);
  budget_start (&budget, SECONDS, 0, NULL);
  options.level = level;
  options.certify = true;
  options.budget = &budget;
  double start = clock_seconds ();
  struct check_result *result = check_history (h, &options);
  tally->checking += clock_seconds () - start;
  const char *why = NULL;
  if (result->verdict == VERDICT_UNKNOWN)
    tally->skipped++;
  else {
    start = clock_seconds ();
    struct certificate *made = certify_result (h, &options, result, &why);
    tally->certifying += clock_seconds () - start;
    tally->valid += result->verdict == VERDICT_VALID;
    tally->invalid += result->verdict == VERDICT_INVALID;
    if (made)
      verify_made (tally, path, h, made, result->verdict);
    else
      wrong (tally, path, level->name, "not certified", why);
    certificate_free (made);
  }
  check_result_free (result);
}

static void certify_line (struct tally *tally, const char *level, const char *path) {
  struct error error = { 0 };
  struct history *h = history_read (path, NULL, &error);
  const struct level *one = strcmp (level, "all") ? level_find (level) : NULL;
  if (!h)
    wrong (tally, path, level, "cannot be read", error.text);
  else if (one)
    certify_level (tally, path, h, one);
  else
    for (const struct level *const *each = all_levels (); *each; each++)
      certify_level (tally, path, h, *each);
  history_free (h);
}

int main (void) {
  struct tally tally = { 0 };
  char *line = NULL;
  size_t capacity = 0;
  while (getline (&line, &capacity, stdin) > 0) {
    line[strcspn (line, "\n")] = 0;
    char *path = strchr (line, '\t');
    if (!path)
      continue;
    *path++ = 0;
    certify_line (&tally, line, path);
  }
  free (line);
  printf ("%" PRIu64 " certificates of valid, %.2f bytes per operation; %" PRIu64 " of invalid, at most %" PRIu64
          " items; checking %.1f s, certifying %.1f s, verifying %.1f s\n",
          tally.valid, tally.operations ? (double) tally.bytes / (double) tally.operations : 0, tally.invalid,
          tally.most_items, tally.checking, tally.certifying, tally.verifying);
  printf ("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", tally.passed, tally.failed, tally.skipped);
  return tally.failed != 0;
}
