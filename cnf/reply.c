#include "cnf/reply.h"

#include "base/input.h"
#include "cnf/tokens.h"

#include <inttypes.h>
#include <stdio.h>

void reply_free (struct reply *reply) {
  mem_free (reply->values);
}

// ----------------------------------------------------------------------------------------- reading

struct reply_reader {
  struct tokens tokens;
  struct reply *reply;
  bool answered, ended; // the answer was there; and the 0 behind the model
};

static bool take_answer (struct reply_reader *r, enum reply_answer answer, struct error *error) {
  if (r->answered)
    return tokens_fail (&r->tokens, 0, error, "a second answer");
  r->answered = true;
  r->reply->answer = answer;
  return tokens_at_end (&r->tokens) || tokens_fail (&r->tokens, r->tokens.at, error, "expected the end of the line");
}

static bool take_status (struct reply_reader *r, struct error *error) {
  struct tokens *t = &r->tokens;
  if (tokens_word (t, "SATISFIABLE"))
    return take_answer (r, REPLY_MODEL, error);
  if (tokens_word (t, "UNSATISFIABLE"))
    return take_answer (r, REPLY_NO_MODEL, error);
  if (tokens_word (t, "UNKNOWN") || tokens_word (t, "INDETERMINATE"))
    return take_answer (r, REPLY_UNKNOWN, error);
  return tokens_fail (t, t->at, error, "expected SATISFIABLE, UNSATISFIABLE or UNKNOWN");
}

static bool take_value (struct reply_reader *r, int64_t literal, size_t at, struct error *error) {
  int8_t *value = &r->reply->values[literal < 0 ? -literal : literal];
  const int8_t wanted = literal < 0 ? -1 : 1;
  if (r->ended)
    return tokens_fail (&r->tokens, at, error, "something behind the 0 that ends the model");
  if (*value && *value != wanted)
    return tokens_fail (&r->tokens, at, error, "a variable that has both values");
  *value = wanted;
  return true;
}

static bool take_values (struct reply_reader *r, struct error *error) {
  struct tokens *t = &r->tokens;
  const int64_t most = r->reply->variables;
  while (!tokens_at_end (t)) {
    const size_t at = t->at;
    int64_t literal;
    if (!tokens_number (t, -most, most, &literal, error))
      return false;
    if (!literal && r->ended)
      return tokens_fail (t, at, error, "a second 0");
    if (!literal)
      r->ended = true;
    else if (!take_value (r, literal, at, error))
      return false;
  }
  return true;
}

static bool begins_number (const struct tokens *t) {
  const char byte = t->line[t->at];
  return byte == '-' || (byte >= '0' && byte <= '9');
}

static bool take_line (struct reply_reader *r, struct error *error) {
  struct tokens *t = &r->tokens;
  if (tokens_at_end (t) || *t->line == 'c')
    return true;
  if (tokens_word (t, "s"))
    return take_status (r, error);
  if (tokens_word (t, "SAT"))
    return take_answer (r, REPLY_MODEL, error);
  if (tokens_word (t, "UNSAT"))
    return take_answer (r, REPLY_NO_MODEL, error);
  if (tokens_word (t, "INDET"))
    return take_answer (r, REPLY_UNKNOWN, error);
  if (tokens_word (t, "v") || (r->answered && begins_number (t)))
    return take_values (r, error);
  return tokens_fail (t, t->at, error, "expected a solver's answer: s, v or c and what goes with it, SAT or UNSAT");
}

static bool read_all (struct reply_reader *r, struct error *error) {
  while (tokens_line (&r->tokens, error))
    if (!take_line (r, error))
      return false;
  if (error->code)
    return false;
  if (!r->answered)
    return tokens_fail_at_end (&r->tokens, error, "an answer (\"s SATISFIABLE\", SAT)");
  if (r->reply->answer == REPLY_MODEL && !r->ended)
    return tokens_fail_at_end (&r->tokens, error, "a 0 behind the model");
  return true;
}

bool reply_read (struct reply *reply, struct input *input, uint32_t variables, struct error *error) {
  *reply = (struct reply){ .variables = variables, .values = MEM_ZARRAY (int8_t, (size_t) variables + 1) };
  struct reply_reader r = { .tokens.input = input, .reply = reply };
  if (read_all (&r, error))
    return true;
  reply_free (reply);
  return false;
}

// -------------------------------------------------------------------------------------- satisfying

enum { MOST_SHOWN = 12 }; // literals of a clause

struct checking {
  const struct reply *reply;
  uint64_t clause;
  int32_t shown[MOST_SHOWN];
  size_t length;
  bool holds, failed; // the clause at hand; the one before it, and what is shown is of that
};

static void check_literal (void *context, int32_t literal) {
  struct checking *c = context;
  if (c->failed)
    return;
  if (!literal) {
    c->clause++;
    c->failed = !c->holds;
    c->holds = false;
    c->length = c->failed ? c->length : 0;
    return;
  }
  if (c->length < MOST_SHOWN)
    c->shown[c->length] = literal;
  c->length++;
  c->holds |= c->reply->values[literal < 0 ? -literal : literal] == (literal < 0 ? -1 : 1);
}

static bool say_broken (const struct checking *c, const char *name, struct error *error) {
  char text[MOST_SHOWN * 12 + 8];
  size_t used = 0;
  *text = 0;
  for (size_t i = 0; i < c->length && i < MOST_SHOWN; i++)
    used += (size_t) snprintf (text + used, sizeof text - used, "%" PRId32 " ", c->shown[i]);
  snprintf (text + used, sizeof text - used, "%s", c->length > MOST_SHOWN ? "..." : "0");
  return error_set (error, "%.400s: not a model of the formula: clause %" PRIu64 " does not hold: %s", name, c->clause,
                    text);
}

bool reply_satisfies (const struct reply *reply, const struct problem *problem, struct formula_kind kind,
                      const char *name, struct error *error) {
  struct checking c = { .reply = reply };
  struct formula formula = { .take = check_literal, .context = &c };
  struct gnf gnf;
  formula_make (problem, kind, &formula, &gnf);
  gnf_free (&gnf);
  formula_free (&formula);
  return !c.failed || say_broken (&c, name, error);
}
