#define _GNU_SOURCE // madvise

#include "base/memory.h"

#include "base/budget.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static atomic_size_t in_use;

static int (*failure_handler) (void *, size_t);
static void *failure_context;
static void (*last_words) (void *);
static void *last_words_context;
static int exit_code = 3;

void mem_set_handler (int (*handler) (void *, size_t), void *context) {
  failure_handler = handler;
  failure_context = context;
}

void mem_set_last_words (void (*say) (void *), void *context) {
  last_words = say;
  last_words_context = context;
}

void mem_set_exit_code (int code) {
  exit_code = code;
}

// ------------------------------------------------------------------------------------- the reserve

// Whoever says the last words has this to say them with. Nothing of it is freed, and its pages cost
// nothing before that.
enum { RESERVE = 4 << 20, ALIGNMENT = 16 };
static _Alignas(ALIGNMENT) char reserve[RESERVE];
static size_t reserve_used;
static _Thread_local bool saying_last_words;

static bool in_reserve (const void *block) {
  return (const char *) block >= reserve && (const char *) block < reserve + RESERVE;
}

// Its length stands before a block.
static void *from_reserve (size_t bytes) {
  if (bytes > RESERVE || RESERVE - reserve_used < bytes + ALIGNMENT + ALIGNMENT)
    _exit (exit_code);
  char *block = reserve + reserve_used + ALIGNMENT;
  memcpy (block - ALIGNMENT, &bytes, sizeof bytes);
  reserve_used += ALIGNMENT + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return block;
}

static size_t usable (void *block) {
  if (!in_reserve (block))
    return malloc_usable_size (block);
  size_t bytes;
  memcpy (&bytes, (char *) block - ALIGNMENT, sizeof bytes);
  return bytes;
}

static void *move_to_reserve (void *block, size_t bytes) {
  void *moved = from_reserve (bytes);
  const size_t before = block ? usable (block) : 0;
  if (before)
    memcpy (moved, block, before < bytes ? before : bytes);
  return moved;
}

void mem_run_out (size_t bytes) {
  static atomic_flag saying = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set (&saying)) {
    // Another thread ends the process, unless it waits for something that this one holds.
    if (!saying_last_words)
      sleep (1);
    _exit (exit_code);
  }
  saying_last_words = true;
  fprintf (stderr, "krait: out of memory (%zu bytes more were needed, %zu in use)\n", bytes, mem_in_use ());
  if (last_words)
    last_words (last_words_context);
  // What others left half printed stays where it is, and nothing that they registered runs in the
  // middle of their work.
  _exit (exit_code);
}

// Whether to ask the system again.
static bool is_worth_another_try (size_t bytes) {
  return !saying_last_words && failure_handler && failure_handler (failure_context, bytes);
}

// -------------------------------------------------------------------------------------- allocation

static atomic_size_t slow_limit;

// What is smaller than this share of the limit makes no difference, and need not be asked for.
enum { SMALL_SHARE = 128 };

// Large blocks are kept apart by the C library then, however many there were: they grow without
// being copied, and go back to the system when they are freed.
void mem_go_slowly_near (size_t resident_limit) {
  enum { LEAST = 128 << 10, MOST = 4 << 20 };
  const size_t large = resident_limit / SMALL_SHARE;
  if (resident_limit)
    (void) mallopt (M_MMAP_THRESHOLD, large < LEAST ? LEAST : large > MOST ? MOST : (int) large);
  atomic_store (&slow_limit, resident_limit);
}

// So much more would be past the limit.
static bool is_near_limit (size_t bytes) {
  const size_t limit = atomic_load_explicit (&slow_limit, memory_order_relaxed);
  return limit && bytes >= limit / SMALL_SHARE && resident_bytes () + bytes > limit;
}

// Whoever looks after the limit may have to wait for a processor, and fresh pages come at gigabytes
// a second: past the limit, who asks for memory waits a little for him, and longer where he is
// going to end the process.
static void wait_past_limit (void) {
  enum { MOST_WAITS = 200 };
  static const struct timespec pause = { .tv_nsec = 1000000 };
  for (int i = 0; i < MOST_WAITS; i++) {
    const size_t limit = atomic_load_explicit (&slow_limit, memory_order_relaxed),
                 resident = limit ? resident_bytes () : 0;
    if (resident <= limit)
      return;
    nanosleep (&pause, NULL);
    if (resident <= limit + limit / 64)
      return;
  }
}

// Many small blocks are as good as a large one.
static void look_now_and_then (size_t bytes) {
  static _Thread_local size_t since;
  const size_t limit = atomic_load_explicit (&slow_limit, memory_order_relaxed);
  since += bytes;
  if (!limit || since < limit / SMALL_SHARE)
    return;
  since = 0;
  wait_past_limit ();
}

// A large array that is filled in one go would be past the limit by more than is tolerated before
// anybody looks. What is written here is nothing that its owner counts on.
static void *touch_slowly (void *block, size_t bytes) {
  enum { PIECE = 1 << 16 };
  const size_t page = is_near_limit (bytes) ? (size_t) sysconf (_SC_PAGESIZE) : 0;
  for (size_t at = 0; page && at < bytes; at += page) {
    ((volatile char *) block)[at] = 0;
    if (at % PIECE == 0)
      wait_past_limit ();
  }
  if (!page)
    look_now_and_then (bytes);
  return block;
}

// Clock rows and columns are read at random: with small pages half of the time goes into address
// translation.
static void prefer_huge_pages (void *block, size_t bytes) {
  enum { LARGE = 4 << 20 };
  if (bytes < LARGE || is_near_limit (bytes))
    return;
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  const uintptr_t first = ((uintptr_t) block + page - 1) & ~(page - 1);
  const uintptr_t end = ((uintptr_t) block + bytes) & ~(page - 1);
  // only advice: a refusal changes nothing
  (void) madvise ((void *) first, end - first, MADV_HUGEPAGE);
}

static void *account (void *block, size_t bytes) {
  if (!in_reserve (block))
    prefer_huge_pages (block, bytes);
  atomic_fetch_add_explicit (&in_use, usable (block), memory_order_relaxed);
  return block;
}

// The slow way, after the system refused.
static void *insist (void *block, size_t bytes, bool zeroed) {
  void *found = NULL;
  while (!found && is_worth_another_try (bytes))
    found = zeroed ? calloc (1, bytes) : realloc (block, bytes);
  if (!found && !saying_last_words)
    mem_run_out (bytes);
  return found ? found : move_to_reserve (block, bytes);
}

void *mem_alloc (size_t bytes) {
  const size_t wanted = bytes ? bytes : 1;
  void *block = malloc (wanted);
  return touch_slowly (account (block ? block : insist (NULL, wanted, false), wanted), wanted);
}

void *mem_zalloc (size_t bytes) {
  const size_t wanted = bytes ? bytes : 1;
  void *block = calloc (1, wanted);
  return touch_slowly (account (block ? block : insist (NULL, wanted, true), wanted), wanted);
}

void *mem_realloc (void *block, size_t bytes) {
  const size_t wanted = bytes ? bytes : 1, before = block ? usable (block) : 0;
  void *moved = in_reserve (block) ? move_to_reserve (block, wanted) : realloc (block, wanted);
  if (!moved)
    moved = insist (block, wanted, false);
  atomic_fetch_sub_explicit (&in_use, before, memory_order_relaxed);
  look_now_and_then (wanted > before ? wanted - before : 0);
  return account (moved, wanted);
}

// What is filled bit by bit is asked for in small steps near the limit, so that somebody looks in
// between.
size_t mem_capacity_after (size_t capacity, size_t size) {
  enum { FIRST = 8, SMALL_STEP = 16 };
  const size_t more = capacity < FIRST ? FIRST - capacity : capacity / 2;
  return capacity + (more > SMALL_STEP && is_near_limit (more * size) ? more / SMALL_STEP : more);
}

void mem_free (void *block) {
  if (!block)
    return;
  atomic_fetch_sub_explicit (&in_use, usable (block), memory_order_relaxed);
  if (!in_reserve (block))
    free (block);
}

void mem_free_all (void *const *blocks, size_t count) {
  for (size_t i = 0; i < count; i++)
    mem_free (blocks[i]);
}

size_t mem_bytes (size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow (count, size, &bytes))
    mem_run_out (SIZE_MAX);
  return bytes;
}

uint32_t *mem_nones (size_t count) {
  uint32_t *numbers = MEM_ARRAY (uint32_t, count);
  memset (numbers, 0xff, count * sizeof *numbers);
  return numbers;
}

void *mem_copy (const void *block, size_t bytes) {
  return block ? memcpy (mem_alloc (bytes), block, bytes) : NULL;
}

char *mem_strdup (const char *text) {
  return text ? mem_copy (text, strlen (text) + 1) : NULL;
}

char *mem_format (const char *format, ...) {
  va_list arguments, again;
  va_start (arguments, format);
  va_copy (again, arguments);
  const size_t size = (size_t) vsnprintf (NULL, 0, format, arguments) + 1;
  char *text = mem_alloc (size);
  vsnprintf (text, size, format, again);
  va_end (again);
  va_end (arguments);
  return text;
}

size_t mem_in_use (void) {
  return atomic_load_explicit (&in_use, memory_order_relaxed);
}

void mem_give_back (void) {
  malloc_trim (0);
}

size_t mem_half_of_machine (void) {
  const long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t) pages / 2 * (size_t) page : SIZE_MAX / 2;
}
