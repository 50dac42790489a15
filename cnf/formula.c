#include "cnf/formula.h"

void formula_free (struct formula *f) {
  VEC_FREE (f->helpers);
}

bool formula_is_too_large (const struct formula *f) {
  return f->variables > INT32_MAX || f->literals > INT32_MAX;
}

int32_t formula_helpers (struct formula *f, uint64_t count, const char *what) {
  const uint64_t first = f->variables + 1;
  if (f->variables > INT32_MAX || count > INT32_MAX - f->variables) {
    f->variables = (uint64_t) INT32_MAX + 1;
    return INT32_MAX;
  }
  f->variables += count;
  const bool same = f->helpers.count && f->helpers.data[f->helpers.count - 1].what == what;
  if (count && !same)
    VEC_PUSH (f->helpers, (struct helpers){ (int32_t) first, what });
  return (int32_t) first;
}

void formula_literal (struct formula *f, int32_t literal) {
  f->literals++;
  if (f->take)
    f->take (f->context, literal);
}

void formula_end (struct formula *f) {
  f->clauses++;
  if (f->take)
    f->take (f->context, 0);
}

void formula_implies (struct formula *f, int32_t a, int32_t b, int32_t consequence) {
  if ((a && a == -b) || (consequence && (consequence == a || consequence == b)))
    return;
  if (a)
    formula_literal (f, -a);
  if (b && b != a)
    formula_literal (f, -b);
  if (consequence)
    formula_literal (f, consequence);
  formula_end (f);
}
