// Allocation that is accounted.
//
// Every sizeable array of Krait comes from here, so that a budget (budget.h) can see growth before the kernel does.
// Running out of memory is not an error that callers handle one by one: the process ends with one line and the exit code for
// `unknown`, because nothing was proved and nothing was written.

#ifndef KRAIT_BASE_MEMORY_H
#define KRAIT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *mem_alloc (size_t bytes);
void *mem_zalloc (size_t bytes);
void *mem_realloc (void *block, size_t bytes);
void mem_free (void *block);

// Multiplication that ends the process instead of wrapping.
size_t mem_bytes (size_t count, size_t size);

char *mem_strdup (const char *text);

// What is still to be done, in the thread that ran out of memory, before the process ends. NULL: nothing.
void mem_set_last_words (void (*say) (void *context), void *context);

// Bytes handed out by this module and not freed yet.
size_t mem_in_use (void);

#define MEM_ARRAY(type, count) ((type *) mem_alloc (mem_bytes ((count), sizeof (type))))
#define MEM_ZARRAY(type, count) ((type *) mem_zalloc (mem_bytes ((count), sizeof (type))))
#define MEM_RESIZE(pointer, count) ((pointer) = mem_realloc ((pointer), mem_bytes ((count), sizeof *(pointer))))

#endif
