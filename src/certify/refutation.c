// At the end the solver proves that the items contradict each other; those that it did not need are
// left out.

#include "certify/refutation.h"

#include "solve/sat.h"

#include <stdlib.h>
#include <string.h>

void refutation_open (struct refutation *r, struct certificate *c, struct clauses *clauses) {
  *r = (struct refutation){ .c = c, .clauses = clauses, .sat = sat_new (0) };
}

void refutation_close (struct refutation *r) {
  sat_free (r->sat);
  clauses_free (r->clauses);
  certificate_free (r->c);
  *r = (struct refutation){ 0 };
}

bool refutation_add (struct refutation *r, size_t item) {
  struct complaint complaint;
  if (!clauses_add (r->clauses, r->c, &r->c->items.data[item], &complaint))
    return false;
  r->empty |= clause_is_empty (r->clauses, clauses_count (r->clauses) - 1);
  return true;
}

void refutation_tell (struct refutation *r) {
  const struct clauses *clauses = r->clauses;
  for (; r->handed_over < clauses_count (clauses); r->handed_over++) {
    for (uint32_t i = clauses->first.data[r->handed_over]; i < clauses->first.data[r->handed_over + 1]; i++) {
      const int32_t literal = clauses->literals.data[i], variable = literal > 0 ? literal : -literal;
      sat_add (r->sat, literal);
      r->highest = variable > r->highest ? variable : r->highest;
    }
    sat_add (r->sat, 0);
  }
}

// --------------------------------------------------------------------------------------- the proof

static char *prove_clauses (const struct clauses *clauses, struct budget *budget) {
  VEC (int32_t) all = VEC_EMPTY;
  for (uint32_t i = 0; i < clauses_count (clauses); i++) {
    for (uint32_t k = clauses->first.data[i]; k < clauses->first.data[i + 1]; k++)
      VEC_PUSH (all, clauses->literals.data[k]);
    VEC_PUSH (all, 0);
  }
  char *text = sat_prove (all.data, all.count, budget);
  VEC_FREE (all);
  return text;
}

// Numbers of the solver's lines are its own; the ones that it gave to our clauses are those that no
// line defines.
static uint32_t *clause_numbers (const char *text, uint32_t items, uint32_t *most) {
  *most = 0;
  for (const char *line = text; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL) {
    const unsigned long number = strtoul (line, NULL, 10);
    *most = number > *most ? (uint32_t) number : *most;
  }
  *most = *most > items ? *most : items;
  *most += items;
  uint32_t *numbers = MEM_ZARRAY (uint32_t, (size_t) *most + 1);
  uint32_t derived = 0;
  for (const char *line = text; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL) {
    char *rest;
    const unsigned long number = strtoul (line, &rest, 10);
    if (number && strncmp (rest, " d", 2))
      numbers[number] = items + ++derived;
  }
  for (uint32_t number = 1, item = 0; number <= *most && item < items; number++)
    if (!numbers[number])
      numbers[number] = ++item;
  return numbers;
}

static void take_line (struct certificate *c, const char *line, const uint32_t *numbers, uint32_t most) {
  struct cert_clause clause = { .first_literal = (uint32_t) c->literals.count,
                                .first_hint = (uint32_t) c->hints.count };
  char *rest;
  strtoul (line, &rest, 10);
  if (!strncmp (rest, " d", 2))
    return;
  for (long literal = strtol (rest, &rest, 10); literal; literal = strtol (rest, &rest, 10)) {
    VEC_PUSH (c->literals, (int32_t) literal);
    clause.literals++;
  }
  for (long hint = strtol (rest, &rest, 10); hint > 0 && (uint32_t) hint <= most; hint = strtol (rest, &rest, 10)) {
    VEC_PUSH (c->hints, numbers[hint]);
    clause.hints++;
  }
  VEC_PUSH (c->clauses, clause);
}

static void take_proof (struct certificate *c, const char *text) {
  uint32_t most;
  uint32_t *numbers = clause_numbers (text, (uint32_t) c->items.count, &most);
  for (const char *line = text; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL)
    take_line (c, line, numbers, most);
  mem_free (numbers);
}

// What the empty clause rests on, one step after the other. The rest of the proof goes.
static void trim_proof (struct certificate *c) {
  const uint32_t items = (uint32_t) c->items.count;
  uint32_t last = 0;
  while (last < c->clauses.count && c->clauses.data[last].literals)
    last++;
  if (last == c->clauses.count)
    return;
  uint8_t *needed = MEM_ZARRAY (uint8_t, (size_t) last + 1);
  uint32_t *number = MEM_ZARRAY (uint32_t, (size_t) items + last + 2), kept = 0;
  needed[last] = 1;
  for (uint32_t i = last + 1; i-- > 0;)
    for (uint32_t k = 0; needed[i] && k < c->clauses.data[i].hints; k++) {
      const uint32_t hint = c->hints.data[c->clauses.data[i].first_hint + k];
      if (hint > items && hint - items - 1 < i)
        needed[hint - items - 1] = 1;
    }
  for (uint32_t i = 0; i <= items; i++)
    number[i] = i;
  for (uint32_t i = 0; i <= last; i++) {
    if (!needed[i])
      continue;
    struct cert_clause clause = c->clauses.data[i];
    for (uint32_t k = 0; k < clause.hints; k++)
      c->hints.data[clause.first_hint + k] = number[c->hints.data[clause.first_hint + k]];
    c->clauses.data[kept++] = clause;
    number[items + 1 + i] = items + kept;
  }
  c->clauses.count = kept;
  MEM_FREE_ALL (needed, number);
}

static bool prove_items (struct refutation *r, struct budget *budget) {
  char *text = prove_clauses (r->clauses, budget);
  if (!text)
    return false;
  take_proof (r->c, text);
  trim_proof (r->c);
  free (text);
  return true;
}

// Per item: the proof rests on it.
static uint8_t *items_in_proof (const struct certificate *c) {
  uint8_t *used = MEM_ZARRAY (uint8_t, c->items.count);
  for (size_t i = 0; i < c->clauses.count; i++)
    for (uint32_t k = 0; k < c->clauses.data[i].hints; k++) {
      const uint32_t hint = c->hints.data[c->clauses.data[i].first_hint + k];
      if (hint && hint <= c->items.count)
        used[hint - 1] = 1;
    }
  return used;
}

// The first item that needs no proof.
static uint8_t *empty_item (const struct refutation *r) {
  uint8_t *kept = MEM_ZARRAY (uint8_t, r->c->items.count);
  uint32_t i = 0;
  while (!clause_is_empty (r->clauses, i))
    i++;
  kept[i] = 1;
  return kept;
}

// The items with a mark, moved together with what belongs to them, and their clauses made anew, so
// that variables are numbered as the verifier will number them. There is no proof of them yet.
static void keep_items (struct refutation *r, uint8_t *kept) {
  struct certificate *c = r->c;
  const size_t items = c->items.count;
  c->items.count = c->steps.count = c->assumed.count = 0;
  c->clauses.count = c->literals.count = c->hints.count = 0;
  clauses_clear (r->clauses);
  for (size_t i = 0; i < items; i++) {
    struct cert_item item = c->items.data[i];
    const uint32_t step = item.first_step, assumed = item.first_assumed;
    if (!kept[i])
      continue;
    item.first_step = (uint32_t) c->steps.count;
    item.first_assumed = (uint32_t) c->assumed.count;
    for (uint32_t k = 0; k < item.steps; k++)
      VEC_PUSH (c->steps, c->steps.data[step + k]);
    for (uint32_t k = 0; k < item.assumed; k++)
      VEC_PUSH (c->assumed, c->assumed.data[assumed + k]);
    VEC_PUSH (c->items, item);
    if (!refutation_add (r, c->items.count - 1))
      misuse (__func__, "an item that was added before");
  }
  mem_free (kept);
}

// Each round proves what the one before was found to need.
bool refutation_prove (struct refutation *r, struct budget *budget) {
  enum { ROUNDS = 3 };
  if (r->empty) {
    keep_items (r, empty_item (r));
    return true;
  }
  for (int round = 0; round < ROUNDS; round++) {
    if (round)
      keep_items (r, items_in_proof (r->c));
    if (!prove_items (r, budget))
      return false;
  }
  return true;
}
