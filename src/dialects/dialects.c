#include "dialects/dialects.h"

#include "history/history.h"

#include <string.h>

extern const struct dialect dialect_mariadb_rr;

const struct dialect *const dialects[] = { &dialect_mariadb_rr, NULL };

const struct dialect *dialect_find (const char *name) {
  for (size_t i = 0; dialects[i]; i++)
    if (!strcmp (dialects[i]->name, name))
      return dialects[i];
  return NULL;
}

bool rewriting_follows (const struct rewriting *r, uint32_t txn) {
  return txn && r->origins.data[txn - 1].txn == r->origins.data[txn].txn
         && r->history->txn_status.data[txn] == TXN_COMMITTED;
}

void rewriting_free (struct rewriting *rewriting) {
  history_free (rewriting->history);
  VEC_FREE (rewriting->origins);
  *rewriting = (struct rewriting){ 0 };
}
