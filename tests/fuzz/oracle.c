#include "oracle.h"

#include "base/output.h"
#include "formats/formats.h"
#include "history/history.h"
#include "levels/levels.h"

#include <inttypes.h>
#include <stdio.h>

bool oracle_is_small (const struct history *h) {
  enum { TXNS = 7, OPS = 24, KEYS = 4, ITEMS = 32 };
  return history_txns (h) <= TXNS && history_ops (h) <= OPS && history_keys (h) <= KEYS && h->item_keys.count <= ITEMS;
}

bool oracle_has_hints (const struct history *h) {
  return h->hints != AUX_NONE || h->op_hints.count || h->txn_hints.count;
}

bool oracle_verdict (const struct history *h, const struct brute_options *options, const char *level,
                     enum verdict *verdict) {
  struct brute_verdicts verdicts;
  const int number = brute_level_find (level);
  if (number < 0 || !brute_judge (h, options, &verdicts))
    return false;
  switch (verdicts.of[number]) {
  case BRUTE_HOLDS: *verdict = VERDICT_VALID; break;
  case BRUTE_FAILS: *verdict = VERDICT_INVALID; break;
  default: *verdict = VERDICT_UNKNOWN; break;
  }
  return true;
}

void oracle_write (const struct history *h, fuzz_bytes *text) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  if (!format_kht.write (h, output, &error))
    misuse (__func__, error.text);
  size_t length;
  const char *bytes = output_memory (output, &length);
  fuzz_append (text, bytes, length);
  output_discard (output);
}

struct history *oracle_read (const uint8_t *text, size_t length) {
  struct error error = { 0 };
  return history_read_memory ("text", text, length, &format_kht, &error);
}

const struct level *oracle_level (uint64_t number) {
  size_t count = 0;
  while (level_at (count))
    count++;
  return level_at (number % count);
}

void oracle_tell (const struct history *h, const char *level, const struct brute_options *options) {
  static const char *const policies[] = { "must", "external", "may", "infer" };
  fuzz_bytes text = VEC_EMPTY;
  oracle_write (h, &text);
  fprintf (stderr, "--level=%s --own-writes=%s --clock-skew=%" PRId64 "\n%.*s\n", level, policies[options->own_writes],
           options->clock_skew, (int) text.count, (const char *) text.data);
  VEC_FREE (text);
}
