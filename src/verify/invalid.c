// `invalid`: every item is a clause that each explanation of the history has to meet, and the proof
// derives the empty clause from them. A clause of the proof follows from the ones that its hints
// name, by unit propagation in that order (LRAT without its RAT steps, which nothing here needs).

#include "verify/clauses.h"

struct proof {
  const struct clauses *clauses;
  const struct certificate *c;
  uint32_t *stamp; // per variable: the clause at hand, if it has a value
  int8_t *value;
  uint32_t now;
};

struct literals {
  const int32_t *data;
  uint32_t count;
};

// Clauses by number: the items from 1 on, then those of the proof.
static bool clause_number (const struct proof *p, uint32_t number, uint32_t derived, struct literals *found) {
  const uint32_t items = clauses_count (p->clauses);
  if (!number || number > items + derived)
    return false;
  if (number <= items) {
    const uint32_t first = p->clauses->first.data[number - 1];
    *found = (struct literals){ p->clauses->literals.data + first, p->clauses->first.data[number] - first };
  } else {
    const struct cert_clause *clause = &p->c->clauses.data[number - items - 1];
    *found = (struct literals){ p->c->literals.data + clause->first_literal, clause->literals };
  }
  return true;
}

static int8_t value_of (const struct proof *p, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  if (p->stamp[variable] != p->now)
    return 0;
  return literal > 0 ? p->value[variable] : (int8_t) -p->value[variable];
}

static void make_true (struct proof *p, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  p->stamp[variable] = p->now;
  p->value[variable] = literal > 0 ? 1 : -1;
}

// With all literals of the clause false, each hint's clause has one literal left, which becomes
// true; the last one has none left.
static bool follows (struct proof *p, uint32_t derived, const char **what) {
  const struct cert_clause *clause = &p->c->clauses.data[derived];
  const int32_t *literals = p->c->literals.data + clause->first_literal;
  p->now++;
  for (uint32_t i = 0; i < clause->literals; i++) {
    *what = "a literal that no item speaks of";
    const int64_t variable = literals[i] > 0 ? literals[i] : -(int64_t) literals[i];
    if (variable >= (int64_t) p->clauses->names.count)
      return false;
    *what = "a literal twice, or a variable with both signs";
    if (value_of (p, literals[i]))
      return false;
    make_true (p, -literals[i]);
  }
  for (uint32_t i = 0; i < clause->hints; i++) {
    struct literals hint;
    int32_t unit = 0;
    *what = "a hint names a clause that is not there";
    if (!clause_number (p, p->c->hints.data[clause->first_hint + i], derived, &hint))
      return false;
    *what = "a hint's clause is not a unit";
    for (uint32_t k = 0; k < hint.count; k++) {
      const int8_t value = value_of (p, hint.data[k]);
      if (value > 0 || (!value && unit && unit != hint.data[k]))
        return false;
      if (!value)
        unit = hint.data[k];
    }
    *what = "a hint behind the contradiction";
    if (!unit)
      return i + 1 == clause->hints;
    make_true (p, unit);
  }
  *what = "its hints do not lead to a contradiction";
  return false;
}

bool clauses_refute (struct clauses *clauses, const struct certificate *c, struct complaint *complaint) {
  struct proof p = { .clauses = clauses, .c = c };
  struct complaint what_is_wrong;
  bool empty = false, fine = true; // an empty item needs no proof
  for (uint32_t i = 0; i < c->items.count; i++) {
    if (!clauses_add (clauses, c, &c->items.data[i], &what_is_wrong))
      return complain (complaint, "item %u: %s", i + 1, what_is_wrong.text);
    empty |= clause_is_empty (clauses, i);
  }
  p.stamp = MEM_ZARRAY (uint32_t, clauses->names.count);
  p.value = MEM_ZARRAY (int8_t, clauses->names.count);
  for (uint32_t i = 0; i < c->clauses.count && fine; i++) {
    const char *what = "it stands behind the contradiction";
    fine = (!empty && follows (&p, i, &what)) || complain (complaint, "clause %u of the proof: %s", i + 1, what);
    empty = !c->clauses.data[i].literals;
  }
  MEM_FREE_ALL (p.stamp, p.value);
  return fine && (empty || complain (complaint, "the proof does not end in a contradiction"));
}

bool verify_invalid (struct told *told, const struct certificate *c, const struct claim_level *level,
                     struct complaint *complaint) {
  struct clauses *clauses = clauses_new_for (told, *level, c);
  const bool fine = clauses_refute (clauses, c, complaint);
  clauses_free (clauses);
  return fine;
}
