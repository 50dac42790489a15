#include "cli/level_table.h"

#include "api/report.h"
#include "explain/violation.h"

enum form { PLAIN, SESSION, STRICT, FORMS };

static const char *const titles[FORMS] = { "plain", "strong-session", "strict" };

// A verdict has to fit, too.
static const int widths[FORMS] = { 7, 14, 7 };

// By what the level has, not by its name: causal, for example, has session order without saying so.
static enum form form_of (const struct level *level) {
  return !level->rules.so.used ? PLAIN : level->rules.rt.used ? STRICT : SESSION;
}

static size_t widest_family (const struct level_results *all) {
  size_t widest = 0;
  for (size_t i = 0; i < all->count; i++)
    if (strlen (all->levels[i]->base) > widest)
      widest = strlen (all->levels[i]->base);
  return widest;
}

static size_t find_form (const struct level_results *all, const char *family, enum form form) {
  size_t i = 0;
  while (i < all->count && (strcmp (all->levels[i]->base, family) || form_of (all->levels[i]) != form))
    i++;
  return i;
}

// --------------------------------------------------------------------------------------- the table

// Blank where the level has no such form. No spaces at the end of the line.
static void add_row (const struct level_results *all, const char *family, size_t width, bool colour,
                     struct text *text) {
  text_string (text, family);
  int due = (int) (width - strlen (family));
  for (enum form form = PLAIN; form < FORMS; form++) {
    const size_t i = find_form (all, family, form);
    due += 2 + widths[form];
    if (i == all->count)
      continue;
    words_add (text, "%*s", due - widths[form], "");
    report_verdict (all->results[i]->verdict, colour, text);
    due = widths[form] - (int) strlen (verdict_name (all->results[i]->verdict));
  }
  text_char (text, '\n');
}

static bool is_first_of_family (const struct level_results *all, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (!strcmp (all->levels[i]->base, all->levels[index]->base))
      return false;
  return true;
}

// ------------------------------------------------------------------------------------- the summary

static void add_strongest (const struct level_results *all, struct text *text) {
  text_string (text, "strongest that hold:");
  const char *between = "";
  for (size_t i = 0; i < all->count; i++)
    if (is_extreme (all, i, VERDICT_VALID, STRONGEST)) {
      words_add (text, "%s %s", between, all->levels[i]->name);
      between = ",";
    }
  text_string (text, has_verdict (all, VERDICT_VALID) ? "\n" : " none\n");
}

static void add_weakest (const struct level_results *all, struct text *text) {
  size_t widest = 0;
  for (size_t i = 0; i < all->count; i++)
    if (is_extreme (all, i, VERDICT_INVALID, WEAKEST) && strlen (all->levels[i]->name) > widest)
      widest = strlen (all->levels[i]->name);
  if (widest)
    text_string (text, "weakest that fail:\n");
  for (size_t i = 0; i < all->count; i++) {
    if (!is_extreme (all, i, VERDICT_INVALID, WEAKEST))
      continue;
    const bool is_named = violation_class (all->results[i]->violation);
    words_add (text, "  %-*s", is_named ? (int) widest + 2 : 0, all->levels[i]->name);
    report_anomaly (all->results[i], text);
    text_char (text, '\n');
  }
}

// Most unknown verdicts have the same reason; each is told once.
static void add_reasons (const struct level_results *all, struct text *text) {
  for (size_t i = 0; i < all->count; i++) {
    const char *reason = all->results[i]->reason;
    bool told = !reason || all->results[i]->verdict != VERDICT_UNKNOWN;
    for (size_t k = 0; k < i && !told; k++)
      told = all->results[k]->reason && !strcmp (all->results[k]->reason, reason);
    if (!told)
      words_add (text, "unknown: %s\n", reason);
  }
}

void level_table (const struct level_results *all, const char *name, bool colour, struct text *text) {
  const size_t width = widest_family (all);
  report_name (name, text);
  text_char (text, '\n');
  words_add (text, "%*s  %-*s  %-*s  %s\n", (int) width, "", widths[PLAIN], titles[PLAIN], widths[SESSION],
             titles[SESSION], titles[STRICT]);
  for (size_t i = 0; i < all->count; i++)
    if (is_first_of_family (all, i))
      add_row (all, all->levels[i]->base, width, colour, text);
  add_strongest (all, text);
  add_weakest (all, text);
  add_reasons (all, text);
}
