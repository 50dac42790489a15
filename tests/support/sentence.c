#include "tests/support/sentence.h"

#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64, MOST_WORDS = 64, PATH = 0, ORDER = 1, FORBID = 2 };

typedef VEC (char *) name_vec;

struct rule { // conditions, then an edge or a contradiction
  int conditions[MOST_WORDS];
  unsigned count;
  bool impossible;
  unsigned from, to, role;
};

struct choice_of {
  int alternatives[MOST_WORDS], ifs[2];
  unsigned count, if_count;
};

struct sentence {
  name_vec points, literals;
  VEC (struct rule) rules;
  VEC (struct choice_of) choices;
  int8_t *value; // per literal: 0 open, 1 true, -1 false
  uint64_t left;
  bool too_large;
};

static unsigned number_of (name_vec *names, const char *word) {
  for (size_t i = 0; i < names->count; i++)
    if (!strcmp (names->data[i], word))
      return (unsigned) i;
  VEC_PUSH (*names, mem_strdup (word));
  return (unsigned) names->count - 1;
}

// From 1 on; negative: not.
static int literal_of (struct sentence *s, const char *word) {
  return *word == '!' ? -(int) number_of (&s->literals, word + 1) - 1 : (int) number_of (&s->literals, word) + 1;
}

static unsigned point_of (struct sentence *s, const char *word) {
  return number_of (&s->points, word);
}

// --------------------------------------------------------------------------------------- reading

static unsigned split (char *line, char **words) {
  unsigned count = 0;
  char *comment = strstr (line, "  # ");
  if (comment)
    *comment = 0;
  for (char *rest, *word = strtok_r (line, " ", &rest); word; word = strtok_r (NULL, " ", &rest)) {
    if (count == 4 * MOST_WORDS)
      misuse (__func__, "a line of so many words");
    words[count++] = word;
  }
  return count;
}

// "edge A B role kind", from this word on.
static void read_edge (struct sentence *s, char **words, struct rule *rule) {
  rule->from = point_of (s, words[1]);
  rule->to = point_of (s, words[2]);
  rule->role = !strcmp (words[3], "path") ? PATH : !strcmp (words[3], "order") ? ORDER : FORBID;
}

static void read_choice (struct sentence *s, char **words, unsigned count) {
  struct choice_of choice = { .count = 0 };
  unsigned i = 1;
  for (; i < count && strcmp (words[i], "if"); i++)
    if (strcmp (words[i], "|"))
      choice.alternatives[choice.count++] = literal_of (s, words[i]);
  for (; i + 1 < count; i += 2)
    choice.ifs[choice.if_count++] = literal_of (s, words[i + 1]);
  VEC_PUSH (s->choices, choice);
}

static void read_rule (struct sentence *s, char **words, unsigned count) {
  struct rule rule = { .count = 0 };
  unsigned i = 1;
  for (; i < count && strcmp (words[i], "=>"); i++)
    if (strcmp (words[i], "&"))
      rule.conditions[rule.count++] = literal_of (s, words[i]);
  rule.impossible = !strcmp (words[i + 1], "false");
  if (!rule.impossible)
    read_edge (s, words + i + 1, &rule);
  VEC_PUSH (s->rules, rule);
}

static void read_line (struct sentence *s, char *line) {
  char *words[4 * MOST_WORDS];
  const unsigned count = split (line, words);
  if (!count || !strcmp (words[0], "kir") || !strcmp (words[0], "level"))
    return;
  if (!strcmp (words[0], "point"))
    point_of (s, words[1]);
  else if (!strcmp (words[0], "choose"))
    read_choice (s, words, count);
  else if (!strcmp (words[0], "imply"))
    read_rule (s, words, count);
  else if (!strcmp (words[0], "edge")) {
    struct rule rule = { .count = 0 };
    read_edge (s, words, &rule);
    if (count > 5)
      rule.conditions[rule.count++] = literal_of (s, words[6]);
    VEC_PUSH (s->rules, rule);
  } else
    misuse (__func__, words[0]);
}

// -------------------------------------------------------------------------------------- deciding

static int value_of (const struct sentence *s, int literal) {
  const int value = s->value[abs (literal) - 1];
  return literal > 0 ? value : -value;
}

static bool holds (const struct sentence *s, const struct rule *rule) {
  for (unsigned i = 0; i < rule->count; i++)
    if (value_of (s, rule->conditions[i]) != 1)
      return false;
  return true;
}

static void close_over (uint64_t *reach, size_t points) {
  for (size_t k = 0; k < points; k++)
    for (size_t i = 0; i < points; i++)
      if (reach[i] >> k & 1)
        reach[i] |= reach[k];
}

// As far as it is decided, nothing is broken.
static bool is_consistent (const struct sentence *s) {
  uint64_t all[MOST_POINTS] = { 0 }, paths[MOST_POINTS] = { 0 };
  for (size_t i = 0; i < s->rules.count; i++) {
    const struct rule *rule = &s->rules.data[i];
    if (!holds (s, rule))
      continue;
    if (rule->impossible)
      return false;
    if (rule->role != FORBID)
      all[rule->from] |= (uint64_t) 1 << rule->to;
    if (rule->role == PATH)
      paths[rule->from] |= (uint64_t) 1 << rule->to;
  }
  close_over (all, s->points.count);
  close_over (paths, s->points.count);
  for (size_t i = 0; i < s->points.count; i++)
    if (all[i] >> i & 1)
      return false;
  for (size_t i = 0; i < s->rules.count; i++) {
    const struct rule *rule = &s->rules.data[i];
    if (!rule->impossible && rule->role == FORBID && holds (s, rule) && (paths[rule->to] >> rule->from & 1))
      return false;
  }
  return true;
}

static void set (struct sentence *s, int literal, int value) {
  s->value[abs (literal) - 1] = (int8_t) (literal > 0 ? value : -value);
}

static bool choose (struct sentence *s, size_t at) {
  if (!s->left) {
    s->too_large = true;
    return false;
  }
  s->left--;
  if (!is_consistent (s))
    return false;
  if (at == s->choices.count)
    return true;
  const struct choice_of *choice = &s->choices.data[at];
  bool asked = true, found = false;
  for (unsigned i = 0; i < choice->if_count; i++)
    asked = asked && value_of (s, choice->ifs[i]) == 1;
  for (unsigned i = 0; i < (asked ? choice->count : 1) && !found && !s->too_large; i++) {
    for (unsigned k = 0; k < choice->count; k++)
      set (s, choice->alternatives[k], -1);
    if (asked)
      set (s, choice->alternatives[i], 1);
    found = choose (s, at + 1);
  }
  if (!found)
    for (unsigned k = 0; k < choice->count; k++)
      s->value[abs (choice->alternatives[k]) - 1] = 0;
  return found;
}

enum sentence_answer sentence_decide (const char *text, size_t length, uint64_t most_choices) {
  struct sentence s = { .left = most_choices };
  char *copy = mem_alloc (length + 1);
  memcpy (copy, text, length);
  copy[length] = 0;
  for (char *rest, *line = strtok_r (copy, "\n", &rest); line; line = strtok_r (NULL, "\n", &rest))
    read_line (&s, line);
  s.value = MEM_ZARRAY (int8_t, s.literals.count);
  s.too_large = s.points.count > MOST_POINTS;
  const bool found = !s.too_large && choose (&s, 0);
  for (size_t i = 0; i < s.points.count; i++)
    mem_free (s.points.data[i]);
  for (size_t i = 0; i < s.literals.count; i++)
    mem_free (s.literals.data[i]);
  VEC_FREE (s.points);
  VEC_FREE (s.literals);
  VEC_FREE (s.rules);
  VEC_FREE (s.choices);
  mem_free (s.value);
  mem_free (copy);
  return found ? SENTENCE_HOLDS : s.too_large ? SENTENCE_TOO_LARGE : SENTENCE_FAILS;
}
