// Allocation that is accounted.
//
// Every sizeable array of Krait comes from here, so that a budget (budget.h) can see growth before
// the kernel does. Running out of memory is not an error that callers handle one by one: a handler
// is asked first, who may free something; then the process ends with one line and the exit code for
// `unknown`, because nothing was proved and nothing was written. Programs have last words, and
// another code where `unknown` means nothing.

#ifndef KRAIT_BASE_MEMORY_H
#define KRAIT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *mem_alloc (size_t bytes);
void *mem_zalloc (size_t bytes);
void *mem_realloc (void *block, size_t bytes);
void mem_free (void *block);

// Several blocks. All are named before any of them is gone, so that the last one may hold the
// others.
void mem_free_all (void *const *blocks, size_t count);
#define MEM_FREE_ALL(...)                                                                                              \
  mem_free_all ((void *const[]){ __VA_ARGS__ }, sizeof ((void *const[]){ __VA_ARGS__ }) / sizeof (void *))

// Multiplication that ends the process instead of wrapping.
size_t mem_bytes (size_t count, size_t size);

char *mem_strdup (const char *text); // NULL stays NULL
char *mem_format (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

// A block with the same bytes; of NULL, NULL.
void *mem_copy (const void *block, size_t bytes);
#define MEM_COPY(pointer, count) mem_copy ((pointer), mem_bytes ((count), sizeof *(pointer)))

// So many numbers, all of them UINT32_MAX: whatever they are to name, there is none yet.
uint32_t *mem_nones (size_t count);

// Asked when the system refuses so many bytes: 1, try again; 0, there is nothing to be done. For
// embedding programs; in the thread that ran out.
void mem_set_handler (int (*handler) (void *context, size_t bytes), void *context);

// What is still to be done, in the thread that ran out of memory, before the process ends. NULL:
// nothing. What it allocates comes out of a small reserve then. It may end the process itself.
void mem_set_last_words (void (*say) (void *context), void *context);
void mem_set_exit_code (int code); // 3 unless set

// For libraries with an allocation of their own, which failed.
void mem_run_out (size_t bytes) __attribute__ ((noreturn));

// Somebody looks now and then whether more than this is resident (base/watch.h). Near it, large
// blocks are touched at once, and past it who asks for memory waits, so that it is found out in
// time. 0: nobody looks.
void mem_go_slowly_near (size_t resident_limit);

// A growing array's next capacity.
size_t mem_capacity_after (size_t capacity, size_t item_size);

// What was freed goes back to the system, so that a budget does not count it any more.
void mem_give_back (void);

// Half of the memory that the machine has.
size_t mem_half_of_machine (void);

// Bytes handed out by this module and not freed yet.
size_t mem_in_use (void);

#define MEM_ARRAY(type, count) ((type *) mem_alloc (mem_bytes ((count), sizeof (type))))
#define MEM_ZARRAY(type, count) ((type *) mem_zalloc (mem_bytes ((count), sizeof (type))))
#define MEM_RESIZE(pointer, count) ((pointer) = mem_realloc ((pointer), mem_bytes ((count), sizeof *(pointer))))

#endif
