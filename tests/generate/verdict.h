// Krait's verdict on a history at a level: "valid", "invalid" or "unknown". By name, and in a file
// of its own, as the checker has faults that are not those of the store.

#ifndef KRAIT_TESTS_GENERATE_VERDICT_H
#define KRAIT_TESTS_GENERATE_VERDICT_H

struct history;

const char *verdict_at (const struct history *, const char *level);
// NULL: none
const char *verdict_under (const struct history *, const char *level, const char *dialect);

#endif
