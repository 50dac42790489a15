// A log of what rooms do, in terms of transactions, edges and superpositions. For people
// who work on Krait: it is compiled in with `configure --enable-log` (KRAIT_LOG), and costs nothing
// otherwise, though its arguments are compiled and checked in every build. The variable KRAIT_LOG
// of the environment names the rooms that are heard, as in KRAIT_LOG=asg,hints or KRAIT_LOG=all;
// each line goes to standard error:
//
//   asg: T3: installs 2 keys
//   asg: T1 -ww-> T2: list of T4
//   asg: one of 3: T5 reads x
//
// Transactions are named as in the history; LOG_INITIAL is the initial state.

#ifndef KRAIT_BASE_LOG_H
#define KRAIT_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_INITIAL UINT64_MAX

#ifdef KRAIT_LOG
#define LOG_IS_COMPILED_IN true
#else
#define LOG_IS_COMPILED_IN false
#endif

// For loops that do nothing but log.
#define LOG_IS_HEARD(room) (LOG_IS_COMPILED_IN && log_is_heard (room))

#define LOG_TRANSACTION(room, id, ...) LOG_IF_HEARD (room, log_edge (room, id, NULL, 0, __VA_ARGS__))
#define LOG_EDGE(room, ...) LOG_IF_HEARD (room, log_edge (room, __VA_ARGS__))
#define LOG_SUPERPOSITION(room, ...) LOG_IF_HEARD (room, log_superposition (room, __VA_ARGS__))

#define LOG_IF_HEARD(room, call)                                                                                       \
  do {                                                                                                                 \
    if (LOG_IS_HEARD (room))                                                                                           \
      call;                                                                                                            \
  } while (0)

bool log_is_heard (const char *room);
// `kind` NULL: about one transaction, without an edge.
void log_edge (const char *room, uint64_t from, const char *kind, uint64_t to, const char *format, ...)
  __attribute__ ((format (printf, 5, 6)));
void log_superposition (const char *room, uint64_t alternatives, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

#endif
