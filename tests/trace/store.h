// A program to be traced: threads with a session each, on a small store in memory whose
// transactions hold a lock from begin to end. Whatever part of such a trace is there, it must be
// strict serializable.

#ifndef KRAIT_TESTS_TRACE_STORE_H
#define KRAIT_TESTS_TRACE_STORE_H

#include <krait/trace.h>

#include <stdatomic.h>

enum { STORE_MOST_THREADS = 8, STORE_KEYS = 20, STORE_OPS = 4 };

// What a session has done, for others to look at while it runs: calls of the tracer that returned
// without an error, by kind.
struct store_progress {
  _Atomic uint64_t begins, inputs, outputs, commits, ends;
  _Atomic uint64_t txns;   // of the program itself, traced or not
  _Atomic uint64_t errors; // calls that returned an error
};

// Runs `txns` transactions in each of `threads` threads, with values of `padding` bytes and more.
// progress: one per thread.
void store_run (krait_trace *, unsigned threads, uint64_t txns, unsigned padding, struct store_progress *progress);

#endif
