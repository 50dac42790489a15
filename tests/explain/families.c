#include "families.h"

#include "base/sort.h"

#include <string.h>

void families_add (family_vec *families, const char *name, uint32_t txns, uint32_t ops, double check, double find) {
  struct family *family = NULL;
  for (size_t i = 0; i < families->count; i++)
    if (!strcmp (families->data[i].name, name))
      family = &families->data[i];
  if (!family) {
    VEC_PUSH (*families, (struct family){ .check = 0 });
    family = &families->data[families->count - 1];
    snprintf (family->name, sizeof family->name, "%s", name);
  }
  VEC_PUSH (family->txns, txns);
  VEC_PUSH (family->ops, ops);
  family->check = check > family->check ? check : family->check;
  family->find = find > family->find ? find : family->find;
}

void families_print (const family_vec *families, FILE *file) {
  fprintf (file,
           "| family | cores | transactions: median | largest | operations: median | largest | longest check, s | "
           "longest search, s |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < families->count; i++) {
    const struct family *family = &families->data[i];
    const size_t count = family->txns.count;
    VEC_SORT (family->txns, by_u32);
    VEC_SORT (family->ops, by_u32);
    fprintf (file, "| %s | %zu | %u | %u | %u | %u | %.2f | %.2f |\n", family->name, count,
             family->txns.data[count / 2], family->txns.data[count - 1], family->ops.data[count / 2],
             family->ops.data[count - 1], family->check, family->find);
  }
}

void families_free (family_vec *families) {
  for (size_t i = 0; i < families->count; i++) {
    VEC_FREE (families->data[i].txns);
    VEC_FREE (families->data[i].ops);
  }
  VEC_FREE (*families);
}
