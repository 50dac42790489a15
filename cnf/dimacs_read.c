// Reading DIMACS: comments before the formula, of which the options count, "p cnf", and literals
// wherever line ends are. What a letter begins ends the clauses (GNF has graphs there).

#include "cnf/dimacs.h"

#include "base/input.h"
#include "cnf/tokens.h"

#include <inttypes.h>

enum { LONGEST_OPTIONS = 4096 };

struct dimacs_reader {
  struct tokens tokens;
  char *options;
  uint64_t variables, clauses;
};

static bool take_comment (struct dimacs_reader *r, struct error *error) {
  static const char head[] = "c options: ";
  const size_t known = sizeof head - 1, length = r->tokens.length;
  if (length < known || memcmp (r->tokens.line, head, known) != 0)
    return true;
  if (r->options)
    return tokens_fail (&r->tokens, 0, error, "the options stand here a second time");
  if (length - known > LONGEST_OPTIONS)
    return tokens_fail (&r->tokens, 0, error, "the options are too long");
  r->options = mem_format ("%.*s", (int) (length - known), r->tokens.line + known);
  return true;
}

static bool take_size (struct dimacs_reader *r, struct error *error) {
  int64_t variables, clauses;
  struct tokens *t = &r->tokens;
  if (!tokens_word (t, "p") || !tokens_word (t, "cnf"))
    return tokens_fail (t, t->at, error, "expected a comment, or \"p cnf\" and the size of the formula");
  if (!tokens_number (t, 0, INT32_MAX, &variables, error) || !tokens_number (t, 0, INT32_MAX, &clauses, error))
    return false;
  r->variables = (uint64_t) variables;
  r->clauses = (uint64_t) clauses;
  return tokens_at_end (t) || tokens_fail (t, t->at, error, "expected the end of the line");
}

static bool read_head (struct dimacs_reader *r, struct error *error) {
  while (tokens_line (&r->tokens, error))
    if (r->tokens.length && *r->tokens.line != 'c')
      return take_size (r, error);
    else if (!take_comment (r, error))
      return false;
  return error->code ? false : tokens_fail_at_end (&r->tokens, error, "\"p cnf\"");
}

struct dimacs_reader *dimacs_open (struct input *input, struct error *error) {
  struct dimacs_reader *r = mem_zalloc (sizeof *r);
  r->tokens.input = input;
  if (read_head (r, error))
    return r;
  dimacs_close (r);
  return NULL;
}

void dimacs_close (struct dimacs_reader *r) {
  if (r)
    MEM_FREE_ALL (r->options, r);
}

const char *dimacs_options (const struct dimacs_reader *r) {
  return r->options;
}

uint64_t dimacs_variables (const struct dimacs_reader *r) {
  return r->variables;
}

uint64_t dimacs_clauses (const struct dimacs_reader *r) {
  return r->clauses;
}

static bool begins_with_letter (const struct tokens *t) {
  return t->at == 0 && *t->line >= 'a' && *t->line <= 'z';
}

bool dimacs_next (struct dimacs_reader *r, int32_t *literal, struct error *error) {
  struct tokens *t = &r->tokens;
  int64_t number;
  while (tokens_at_end (t) || (t->at == 0 && *t->line == 'c'))
    if (!tokens_line (t, error))
      return false;
  if (begins_with_letter (t))
    return false;
  if (!tokens_number (t, -(int64_t) r->variables, (int64_t) r->variables, &number, error))
    return false;
  *literal = (int32_t) number;
  return true;
}
