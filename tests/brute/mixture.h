// Turns a plan of gets and puts into one of all operations, or of lists.

#ifndef KRAIT_BRUTE_MIXTURE_H
#define KRAIT_BRUTE_MIXTURE_H

#include "plan.h"

// Deletes, scans, iterators and cas among the gets and puts.
void mixture_of_all (struct plan *, struct prng *);
void mixture_of_incs (struct plan *, struct prng *); // behind it

// Some iterators stay open while their transaction goes on writing, and see some of that. Call it
// when all results are there.
void mixture_of_open_iterators (struct plan *, struct prng *);

// Most keys become lists. Call it after the initial state is planned: lists start empty.
void mixture_of_lists (struct plan *, struct prng *);

// Results drawn at random for operations other than get and put; `value_of` draws one for a key.
typedef int (*mixture_value) (const struct plan *, struct prng *, unsigned reader, unsigned key);
void mixture_fill (struct plan *, struct prng *, unsigned txn, unsigned op, mixture_value value_of);

#endif
