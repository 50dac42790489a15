#define _GNU_SOURCE // madvise

#include "base/memory.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_size_t in_use;

static void (*last_words) (void *);
static void *last_words_context;

void mem_set_last_words (void (*say) (void *), void *context) {
  last_words = say;
  last_words_context = context;
}

static void out_of_memory (size_t bytes) {
  static atomic_flag saying = ATOMIC_FLAG_INIT;
  // The last words may need memory themselves.
  if (atomic_flag_test_and_set (&saying))
    _exit (3);
  fprintf (stderr, "krait: out of memory (%zu bytes more were needed, %zu in use)\n", bytes, mem_in_use ());
  if (last_words)
    last_words (last_words_context);
  exit (3);
}

// Clock rows and columns are read at random: with small pages half of the time goes into address translation.
static void prefer_huge_pages (void *block, size_t bytes) {
  enum { LARGE = 4 << 20 };
  if (bytes < LARGE)
    return;
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  const uintptr_t first = ((uintptr_t) block + page - 1) & ~(page - 1);
  const uintptr_t end = ((uintptr_t) block + bytes) & ~(page - 1);
  (void) madvise ((void *) first, end - first, MADV_HUGEPAGE); // only advice: a refusal changes nothing
}

static void *account (void *block, size_t bytes) {
  if (!block)
    out_of_memory (bytes);
  prefer_huge_pages (block, bytes);
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
