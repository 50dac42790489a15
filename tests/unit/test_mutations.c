// Random damage to good texts: a reader refuses it with one line and a place, or understands it; then what it understood can be written
// and read again. Sanitizers watch.

#include "base/output.h"
#include "greatest_main.h"
#include "tests/brute/prng.h"
#include "tests/support/history_equal.h"
#include "tests/support/random_ops.h"
#include "tests/support/round_trip.h"

#include <stdlib.h>
#include <string.h>

static const char *const jsonl_pieces[] = { "{",
                                            "}",
                                            "[",
                                            "]",
                                            ",",
                                            ":",
                                            "\"",
                                            "\\",
                                            "null",
                                            "true",
                                            "1",
                                            "-",
                                            "0",
                                            "1.5",
                                            "e9",
                                            "\n",
                                            " ",
                                            "\"b\"",
                                            "\"lock\"",
                                            "{}",
                                            "\\u12",
                                            "\xff",
                                            "\"s\":",
                                            "\"t\":",
                                            "\"st\":",
                                            "[\"get\",",
                                            "[\"scan\",",
                                            "{\"b64\":\"",
                                            "18446744073709551616" };
static const char *const kht_pieces[] = {
  "{",    "}",      "[",     "]",   ";",      "->",      "@",    "=",
  "-",    "\"",     "\\",    "#",   " ",      "\n",      "nil",  "...",
  "none", "commit", "s1 ",   "T1 ", "1",      "x",       "-0",   "1.5",
  "\xff", "get ",   "scan ", "@[",  "hints=", "krait 1", "init", "18446744073709551616"
};

struct damage {
  const struct format *format;
  const char *const *pieces;
  unsigned count;
};

static size_t mutate (struct prng *random, char *text, size_t length, size_t room, const struct damage *damage) {
  for (unsigned times = 1 + prng_below (random, 3); times && length; times--) {
    const size_t at = prng_below (random, (unsigned) length);
    const char *piece = damage->pieces[prng_below (random, damage->count)];
    const size_t added = strlen (piece);
    size_t gone = 0;
    switch (prng_below (random, 4)) {
    case 0: text[at] = (char) prng_next (random); continue;
    case 1: gone = 1 + prng_below (random, 4); break;
    case 2: length = at; continue;
    default: break;
    }
    if (gone > length - at)
      gone = length - at;
    const size_t insert = gone && prng_chance (random, 50) ? 0 : added;
    if (length - gone + insert > room)
      continue;
    memmove (text + at + insert, text + at + gone, length - at - gone);
    memcpy (text + at, piece, insert);
    length = length - gone + insert;
  }
  return length;
}

static bool is_one_line (const char *text) {
  return *text && !strchr (text, '\n');
}

// NULL, or what is wrong.
static const char *check (const struct format *format, const char *text, size_t length) {
  struct error error = { 0 };
  char *exact = malloc (length ? length : 1); // a block of its own shows a read beyond its end
  memcpy (exact, text, length);
  struct history *h = history_read_memory ("mutant", exact, length, format, &error);
  free (exact);
  if (!h)
    return error.code == ERROR_INPUT && is_one_line (error.text) && !strncmp (error.text, "mutant:", 7)
             ? NULL
             : "a bad message";
  const char *why = NULL;
  if (history_validate (h, &why)) {
    struct history *again = round_trip (h, format, &error);
    why = again ? history_difference (h, again) : error.text;
    history_free (again);
  }
  history_free (h);
  return why;
}

TEST damage_is_survived (const struct damage *damage) {
  static char text[1 << 20];
  const unsigned rounds = getenv ("KRAIT_TEST_LONG") ? 200000 : 10000;
  for (unsigned round = 0; round < rounds; round++) {
    struct prng random = prng_fork (17, round);
    struct error error = { 0 };
    struct history *h = random_ops_history (round % 500);
    struct output *output = output_open_memory ();
    size_t length;
    ASSERTm (error.text, damage->format->write (h, output, &error));
    const char *written = output_memory (output, &length);
    ASSERT (length < sizeof text);
    memcpy (text, written, length);
    output_discard (output);
    history_free (h);
    length = mutate (&random, text, length, sizeof text, damage);
    const char *wrong = check (damage->format, text, length);
    if (wrong)
      printf ("\nround %u: %s\n%.*s\n", round, wrong, (int) length, text);
    ASSERT (!wrong);
  }
  PASS ();
}

SUITE (mutations) {
  static const struct damage jsonl = { &format_jsonl, jsonl_pieces, sizeof jsonl_pieces / sizeof *jsonl_pieces };
  static const struct damage kht = { &format_kht, kht_pieces, sizeof kht_pieces / sizeof *kht_pieces };
  RUN_TEST1 (damage_is_survived, &jsonl);
  RUN_TEST1 (damage_is_survived, &kht);
}

KRAIT_UNIT_MAIN (RUN_SUITE (mutations);)
