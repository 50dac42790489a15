// A SAT solver behind a C interface, with or without our theory attached. The only door to CaDiCaL.

#ifndef KRAIT_SOLVE_SAT_H
#define KRAIT_SOLVE_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct budget;
struct theory;
struct sat;

enum sat_answer { SAT_YES = 10, SAT_NO = 20, SAT_STOPPED = 0 };

struct sat *sat_new (uint64_t seed);
void sat_free (struct sat *);

void sat_add (struct sat *, int32_t literal); // 0 ends a clause
void sat_phase (struct sat *, int32_t literal);

// All variables 1 .. variables are observed.
void sat_attach (struct sat *, struct theory *, uint32_t variables);

// At most so many conflicts in the next search; then SAT_STOPPED.
void sat_limit (struct sat *, uint64_t conflicts);

// The next search also stops when this says so; asked now and then.
void sat_stop_when (struct sat *, bool (*stop) (const void *context), const void *context);

void sat_assume (struct sat *, int32_t literal);
enum sat_answer sat_solve (struct sat *, struct budget *);
bool sat_value (struct sat *, int32_t variable);
bool sat_failed (struct sat *, int32_t assumption);

struct sat_statistics {
  uint64_t conflicts, decisions;
};
struct sat_statistics sat_count (const struct sat *);

// An LRAT proof that the clauses (each ended by 0) cannot all hold, as text, to be freed with
// free(); NULL: they can, or the limits were reached. Numbers that no line of it defines are those
// of the clauses, in their order.
char *sat_prove (const int32_t *literals, size_t count, struct budget *);

const char *sat_version (void);

#ifdef __cplusplus
}
#endif

#endif
