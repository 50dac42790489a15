/* Loaded before everything else (LD_PRELOAD), refuses memory: the allocation number REFUSE_FROM of the program, counted from its main function on, and
   with REFUSE_ALL=1 all that follow. With REFUSE_COUNT=FILE the number of allocations is written there at the end, and none is refused. */

#define _GNU_SOURCE

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
extern void *__libc_memalign (size_t, size_t);

static atomic_ulong made;
static unsigned long from;
static int all, counting;

__attribute__ ((constructor)) static void begin (void) {
  const char *text = getenv ("REFUSE_FROM");
  from = text ? strtoul (text, NULL, 10) : 0;
  all = getenv ("REFUSE_ALL") != NULL;
  counting = 1;
}

__attribute__ ((destructor)) static void end (void) {
  const char *path = getenv ("REFUSE_COUNT");
  const unsigned long count = made;
  counting = 0;
  FILE *file = path ? fopen (path, "w") : NULL;
  if (file) {
    fprintf (file, "%lu\n", count);
    fclose (file);
  }
}

static int is_refused (void) {
  if (!counting)
    return 0;
  const unsigned long number = atomic_fetch_add (&made, 1) + 1;
  if (!from || (all ? number < from : number != from))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc (size_t bytes) {
  return is_refused () ? NULL : __libc_malloc (bytes);
}

void *calloc (size_t count, size_t size) {
  return is_refused () ? NULL : __libc_calloc (count, size);
}

void *realloc (void *block, size_t bytes) {
  return is_refused () ? NULL : __libc_realloc (block, bytes);
}

void *aligned_alloc (size_t alignment, size_t bytes) {
  return is_refused () ? NULL : __libc_memalign (alignment, bytes);
}

int posix_memalign (void **block, size_t alignment, size_t bytes) {
  *block = is_refused () ? NULL : __libc_memalign (alignment, bytes);
  return *block ? 0 : ENOMEM;
}
