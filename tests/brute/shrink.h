// Makes a failing history small: removes or simplifies one thing after the other as long as it
// still fails.

#ifndef KRAIT_BRUTE_SHRINK_H
#define KRAIT_BRUTE_SHRINK_H

#include <stdbool.h>
#include <stdio.h>

struct history;

// Does the history still show what we are after?
typedef bool (*shrink_fails) (const struct history *, void *context);

// A history that fails and from which no single step takes anything away without losing the
// failure. The argument fails, and is left alone.
struct history *shrink (const struct history *, shrink_fails, void *context);

// The history as krait text.
void shrink_print (FILE *, const struct history *);

// The same to a file, replacing what was there; says on standard error where it is.
void shrink_save (const char *path, const struct history *);

#endif
