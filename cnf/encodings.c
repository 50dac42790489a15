#include "cnf/encodings.h"

#include "ir/ir.h"

#include <string.h>

const char *refuses_nothing (const struct ir *ir) {
  (void) ir;
  return NULL;
}

bool every_dependency_is_an_edge (const struct ir *ir) {
  const struct rules *rules = &ir->rules;
  return rules->ww.used && rules->wr.used && rules->rw.used && rules->anti == ANTI_EDGE && !ir->read_anti
         && !ir->read_when && rules->view == VIEW_PATHS && !rules->ww_hidden && !rules->events;
}

const char *refuses_all_but_one_point (const struct ir *ir) {
  return every_dependency_is_an_edge (ir) && ir->rules.points == 1
           ? NULL
           : "is for levels at which every dependency is an edge between transactions (serializable and its like)";
}

const char *refuses_all_but_two_points (const struct ir *ir) {
  return every_dependency_is_an_edge (ir) && ir->rules.points == 2
           ? NULL
           : "is for levels at which every dependency is an edge between begins "
             "and commits (snapshot-isolation and its "
             "like)";
}

const struct encoding encodings[] = {
#define ENCODING(name, refuses, summary) { #name, summary, refuses, encode_##name },
#include "cnf/encodings.def"
#undef ENCODING
  { NULL, NULL, NULL, NULL },
};

const struct encoding *encoding_find (const char *name) {
  for (const struct encoding *e = encodings; e->name; e++)
    if (!strcmp (e->name, name))
      return e;
  return NULL;
}
