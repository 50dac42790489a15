#include "cli/formula_file.h"

#include "api/pose.h"
#include "asg/asg.h"
#include "cnf/encodings.h"
#include "dialects/dialects.h"
#include "formats/text.h"
#include "history/digest.h"
#include "levels/levels.h"

#include <inttypes.h>

bool formula_is_asked_for (const struct options *options) {
  return options->to && (!strcmp (options->to, "dimacs") || !strcmp (options->to, "gnf"));
}

struct formula_kind formula_kind_of (const struct options *options) {
  if (!strcmp (options->to, "gnf"))
    return (struct formula_kind){ NULL };
  return (struct formula_kind){ options->acyclicity ? options->acyclicity : &acyclicities[0] };
}

// ----------------------------------------------------------------------------------------- options

static void add_word (struct text *t, bool wanted, const char *name, const char *value) {
  if (!wanted)
    return;
  text_string (t, t->count ? " --" : "--");
  text_string (t, name);
  if (value)
    text_string (t, "=");
  if (value)
    text_string (t, value);
}

char *formula_options_text (const struct options *options, const struct level *level) {

  const struct acyclicity *acyclicity = formula_kind_of (options).acyclicity;
  char skew[24];
  struct text t = { 0 };
  snprintf (skew, sizeof skew, "%" PRIu64, options->clock_skew);
  add_word (&t, true, "level", level->name);
  add_word (&t, true, "to", options->to);
  add_word (&t, true, "encoding", options->encoding ? options->encoding->name : encodings[0].name);
  add_word (&t, acyclicity, "acyclicity", acyclicity ? acyclicity->name : NULL);
  add_word (&t, options->format, "format", options->format ? options->format->name : NULL);
  add_word (&t, options->dialect, "dialect", options->dialect ? options->dialect->name : NULL);
  add_word (&t, options->own_writes, "own-writes", own_writes_name ((enum own_writes) options->own_writes));
  add_word (&t, options->clock_skew, "clock-skew", skew);
  add_word (&t, options->trust_commit_ts, "trust-commit-ts", NULL);
  add_word (&t, options->ignore_unreadable, "ignore-unreadable", NULL);
  add_word (&t, options->no_saturation, "no-saturation", NULL);
  VEC_PUSH (t, 0);
  return t.data;
}

static bool may_come_from_a_file (const char *word) {
  static const char *const names[] = {
    "level",      "to",         "encoding",        "acyclicity",        "format",       "dialect",
    "own-writes", "clock-skew", "trust-commit-ts", "ignore-unreadable", "no-saturation"
  };
  const size_t length = strcspn (word, "=");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (length == strlen (names[i]) + 2 && !strncmp (word, "--", 2) && !strncmp (word + 2, names[i], length - 2))
      return true;
  return false;
}

bool formula_options_read (struct options *options, char *text, const char *file, struct error *error) {
  VEC (const char *) words = VEC_EMPTY;
  struct error wrong = { 0 };
  bool fine = true;
  char *rest = NULL;
  for (char *word = strtok_r (text, " ", &rest); word; word = strtok_r (NULL, " ", &rest)) {
    fine =
      fine
      && (may_come_from_a_file (word) || error_set (&wrong, "%.80s is no option that a formula may ask for", word));
    VEC_PUSH (words, word);
  }
  fine = options_parse (options, COMMAND_encode, words.data, fine ? (int) words.count : 0, &wrong) && fine;
  if (fine && (!options->level || !formula_is_asked_for (options)))
    fine = error_set (&wrong, "expected --level=LEVEL and --to=dimacs or --to=gnf");
  VEC_FREE (words);
  return fine || error_set (error, "%.400s: its options: %.300s", file, wrong.text);
}

// ----------------------------------------------------------------------------------------- remarks

// Whatever is in the text, it stays on the line.
static void add_remark (struct text *t, const char *name, const char *text) {
  text_string (t, "c ");
  text_string (t, name);
  text_string (t, ": ");
  for (; *text; text++)
    text_char (t, (unsigned char) *text < ' ' || *text == 0x7f ? '?' : *text);
  text_string (t, "\n");
}

char *formula_remarks (const struct options *options, const struct history *h, const struct posed_question *question) {
  struct text t = { 0 };
  char line[80];
  snprintf (line, sizeof line, "c history: %016" PRIx64 ", transactions: %" PRIu32 "\n", history_digest (h),
            history_txns (h));
  text_string (&t, line);
  if (options->init)
    add_remark (&t, "initial state, which decode is to be given as well", options->init);
  for (size_t i = 0; i < options->module.count; i++)
    add_remark (&t, "module, which decode is to be given as well", options->module.data[i]);
  if (question->settled)
    add_remark (&t, "settled before any search", question->settled);
  if (question->doubt)
    add_remark (&t, "even if there is no model the history may be valid", question->doubt);
  VEC_PUSH (t, 0);
  return t.data;
}
