// A small reader of GNF, MonoSAT's text, by its documentation and not by our writer, and a solver
// for it: a plain one that is told, model by model, which cycle or path it has overlooked.

#ifndef KRAIT_SUPPORT_GNF_H
#define KRAIT_SUPPORT_GNF_H

#include "base/vec.h"

#include <stdbool.h>

struct gnf_answer {
  const char *wrong; // what is wrong with the text; NULL: nothing
  bool satisfiable;
  VEC (int8_t) values; // per variable, from 1 on, +1 or -1; if it is
};

void gnf_solve (const char *text, size_t length, struct gnf_answer *); // free the values

#endif
