#include "base/memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t in_use;

static void out_of_memory (size_t bytes) {
  fprintf (stderr, "krait: out of memory (%zu bytes more were needed, %zu in use)\n", bytes, mem_in_use ());
  exit (3);
}

static void *account (void *block, size_t bytes) {
  if (!block)
    out_of_memory (bytes);
  atomic_fetch_add_explicit (&in_use, malloc_usable_size (block), memory_order_relaxed);
  return block;
}

void *mem_alloc (size_t bytes) {
  return account (malloc (bytes ? bytes : 1), bytes);
}

void *mem_zalloc (size_t bytes) {
  return account (calloc (1, bytes ? bytes : 1), bytes);
}

void *mem_realloc (void *block, size_t bytes) {
  if (block)
    atomic_fetch_sub_explicit (&in_use, malloc_usable_size (block), memory_order_relaxed);
  return account (realloc (block, bytes ? bytes : 1), bytes);
}

void mem_free (void *block) {
  if (!block)
    return;
  atomic_fetch_sub_explicit (&in_use, malloc_usable_size (block), memory_order_relaxed);
  free (block);
}

size_t mem_bytes (size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    out_of_memory (SIZE_MAX);
  return bytes;
}

char *mem_strdup (const char *text) {
  const size_t bytes = strlen (text) + 1;
  return memcpy (mem_alloc (bytes), text, bytes);
}

size_t mem_in_use (void) {
  return atomic_load_explicit (&in_use, memory_order_relaxed);
}
