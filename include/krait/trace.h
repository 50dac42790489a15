// Krait's tracer: a program that talks to a database logs what it asks and what it is told, and
// `krait check` reads the folder afterwards.
//
//   krait_trace *trace = krait_trace_open ("run.trace", 0, message, sizeof message);
//   krait_trace_session *session = krait_trace_session_open (trace, KRAIT_ANY_SESSION); // one per
//     connection
//
//   krait_trace_begin (session);
//   krait_trace_get (session, krait_text ("x"), 0); // the input, before the call
//   … ask the database …
//   krait_trace_value (session, krait_int (7)); // the output, behind it
//   krait_trace_commit (session);
//   … commit …
//   krait_trace_end (session, KRAIT_COMMITTED);
//
//   krait_trace_close (trace, message, sizeof message);
//
// What was logged is in the file as soon as a call returns: a process that is killed, by whatever
// signal, loses nothing of it. An operation without an output and a transaction without an end have
// an unknown outcome, which is the truth about a client that died waiting. A machine that loses its
// power may lose what the kernel had not written back yet (docs/tracing.md).
//
// A session belongs to one thread at a time. Sessions share no lock: each has a file of its own,
// and logging allocates nothing.
//
// All logging functions return 0, or an errno value. The first error of any session (a full disk,
// say, or an output without an input) ends the whole trace: every later call returns it and does
// nothing, and so does the closing of the trace. The traced program goes on. All sessions of a
// krait_trace stop together, so that none of them can have read what is missing. Others that trace
// into the same folder (KRAIT_TRACE_ADD) do not learn of it, and may: whoever reads the folder is
// warned. A session that is NULL is an error too, not a crash.

#ifndef KRAIT_TRACE_H
#define KRAIT_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <krait/krait.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct krait_trace krait_trace;                 // a folder
typedef struct krait_trace_session krait_trace_session; // a file in it

// --- Folder and sessions ---

enum {
  KRAIT_TRACE_ADD =
    1, // the folder may hold something already: other processes may trace into it, each with sessions and errors of its own
};

#define KRAIT_ANY_SESSION UINT64_MAX // the next number that has no file yet, from 1 on

// Makes the folder if it is not there. One that is not empty is refused unless KRAIT_TRACE_ADD is
// set. On failure NULL, and what is wrong in `message`, which may be NULL; KRAIT_MESSAGE_SIZE bytes
// are always enough.
KRAIT_API krait_trace *krait_trace_open (const char *folder, unsigned flags, char *message, size_t size);

// Closes all sessions that are still open; none may be in use. 0, or the first error of the trace
// with its text in `message`.
KRAIT_API int krait_trace_close (krait_trace *, char *message, size_t size);

// The first error so far. May be called at any time, from any thread.
KRAIT_API int krait_trace_error (krait_trace *, char *message, size_t size);

// A session's number is its file's name, NUMBER.ktr, and its name in the history. A number is used
// once: a program that comes back opens new sessions. NULL after an error, which ends the trace as
// every other one does.
KRAIT_API krait_trace_session *krait_trace_session_open (krait_trace *, uint64_t number);
KRAIT_API int krait_trace_session_close (krait_trace_session *);

// --- Keys and values ---

typedef enum krait_datum_type { KRAIT_NOTHING, KRAIT_UNSIGNED, KRAIT_NEGATIVE, KRAIT_BYTES } krait_datum_type;

typedef struct krait_datum {
  krait_datum_type type;
  uint64_t number;   // KRAIT_UNSIGNED; KRAIT_NEGATIVE: its two's complement
  const void *bytes; // KRAIT_BYTES: copied before a call returns
  size_t length;
} krait_datum;

// All keys of a history are integers, or all are bytes. 1 and "1" differ.
static inline krait_datum krait_unsigned (uint64_t number) {
  krait_datum datum = { KRAIT_UNSIGNED, number, NULL, 0 };
  return datum;
}
static inline krait_datum krait_int (int64_t number) {
  krait_datum datum = { number < 0 ? KRAIT_NEGATIVE : KRAIT_UNSIGNED, (uint64_t) number, NULL, 0 };
  return datum;
}
static inline krait_datum krait_bytes (const void *bytes, size_t length) {
  krait_datum datum = { KRAIT_BYTES, 0, bytes, length };
  return datum;
}
static inline krait_datum krait_text (const char *text) {
  return krait_bytes (text, strlen (text));
}
// No bound of a range; a compare-and-set that expects the key to be absent.
static inline krait_datum krait_nothing (void) {
  krait_datum datum = { KRAIT_NOTHING, 0, NULL, 0 };
  return datum;
}

// --- Transactions ---

typedef enum krait_outcome { KRAIT_COMMITTED, KRAIT_ABORTED, KRAIT_OUTCOME_UNKNOWN } krait_outcome;

// Ids are for hints that name transactions: then every transaction of the folder has one, unique in
// it. Without them transactions are numbered when they are read. A transaction that is still open
// has an unknown outcome.
KRAIT_API int krait_trace_begin (krait_trace_session *);
KRAIT_API int krait_trace_begin_id (krait_trace_session *, uint64_t id);

// Before the commit is asked for, and when the outcome is known (or will never be). A rollback
// needs the second call only.
KRAIT_API int krait_trace_commit (krait_trace_session *);
KRAIT_API int krait_trace_end (krait_trace_session *, krait_outcome);

// --- Operations: the input ---

typedef enum krait_operation {
  KRAIT_OP_PUT,    // key, value
  KRAIT_OP_DEL,    // key
  KRAIT_OP_GET,    // key
  KRAIT_OP_SCAN,   // low, high: all keys with low <= key < high; either may be nothing
  KRAIT_OP_ITER,   // the same, read as far as the program wants to
  KRAIT_OP_APPEND, // key, value: to the list under the key
  KRAIT_OP_LIST,   // key: the whole list
  KRAIT_OP_CAS,    // key, old value or nothing, new value
  KRAIT_OP_INC     // key, an integer to add; a key that is absent counts as 0
} krait_operation;

// Flags of inputs and outputs.
enum {
  KRAIT_LOCK_UPDATE = 1,  // input, all but put and append: SELECT … FOR UPDATE
  KRAIT_LOCK_SHARE = 2,   // the same: FOR SHARE
  KRAIT_ITER_END = 16,    // output of iter: the end of the range was reached
  KRAIT_ITER_REVERSE = 32 // input of iter: from high downwards
};

// Arguments beyond those of the operation are nothing. A new input without an output of the last
// one is allowed: the last one's result was not recorded.
KRAIT_API int krait_trace_input (krait_trace_session *, krait_operation, unsigned flags, krait_datum first,
                                 krait_datum second, krait_datum third);

static inline int krait_trace_put (krait_trace_session *session, krait_datum key, krait_datum value) {
  return krait_trace_input (session, KRAIT_OP_PUT, 0, key, value, krait_nothing ());
}
static inline int krait_trace_del (krait_trace_session *session, krait_datum key) {
  return krait_trace_input (session, KRAIT_OP_DEL, 0, key, krait_nothing (), krait_nothing ());
}
static inline int krait_trace_get (krait_trace_session *session, krait_datum key, unsigned flags) {
  return krait_trace_input (session, KRAIT_OP_GET, flags, key, krait_nothing (), krait_nothing ());
}
static inline int krait_trace_scan (krait_trace_session *session, krait_datum low, krait_datum high, unsigned flags) {
  return krait_trace_input (session, KRAIT_OP_SCAN, flags, low, high, krait_nothing ());
}
static inline int krait_trace_iter (krait_trace_session *session, krait_datum low, krait_datum high, unsigned flags) {
  return krait_trace_input (session, KRAIT_OP_ITER, flags, low, high, krait_nothing ());
}
static inline int krait_trace_append (krait_trace_session *session, krait_datum key, krait_datum value) {
  return krait_trace_input (session, KRAIT_OP_APPEND, 0, key, value, krait_nothing ());
}
static inline int krait_trace_list (krait_trace_session *session, krait_datum key, unsigned flags) {
  return krait_trace_input (session, KRAIT_OP_LIST, flags, key, krait_nothing (), krait_nothing ());
}
static inline int krait_trace_cas (krait_trace_session *session, krait_datum key, krait_datum old_value,
                                   krait_datum new_value) {
  return krait_trace_input (session, KRAIT_OP_CAS, 0, key, old_value, new_value);
}
static inline int krait_trace_inc (krait_trace_session *session, krait_datum key, krait_datum by) {
  return krait_trace_input (session, KRAIT_OP_INC, 0, key, by, krait_nothing ());
}

// --- Operations: the output ---

typedef enum krait_answer {
  KRAIT_DONE,   // all: it was done, and there is nothing else to tell
  KRAIT_ABSENT, // get: no such key; list: no list
  KRAIT_VALUE,  // get: data[0]; inc: the new value
  KRAIT_TRUE,   // del: there was something to delete; cas: it took place
  KRAIT_FALSE,  // del, cas: not so
  KRAIT_ITEMS,  // scan, iter: key, value, key, value, …; list: its elements
  // all: the database said that it did nothing. The operation will not be part of the history
  KRAIT_REFUSED
} krait_answer;

// Of the input logged last. `count` is the number of data. An operation that may or may not have
// been done, a timeout say, gets no output.
KRAIT_API int krait_trace_output (krait_trace_session *, krait_answer, unsigned flags, const krait_datum *data,
                                  size_t count);

static inline int krait_trace_done (krait_trace_session *session) {
  return krait_trace_output (session, KRAIT_DONE, 0, NULL, 0);
}
static inline int krait_trace_absent (krait_trace_session *session) {
  return krait_trace_output (session, KRAIT_ABSENT, 0, NULL, 0);
}
static inline int krait_trace_value (krait_trace_session *session, krait_datum value) {
  return krait_trace_output (session, KRAIT_VALUE, 0, &value, 1);
}
static inline int krait_trace_bool (krait_trace_session *session, int yes) {
  return krait_trace_output (session, yes ? KRAIT_TRUE : KRAIT_FALSE, 0, NULL, 0);
}
static inline int krait_trace_items (krait_trace_session *session, const krait_datum *data, size_t count,
                                     unsigned flags) {
  return krait_trace_output (session, KRAIT_ITEMS, flags, data, count);
}
static inline int krait_trace_refused (krait_trace_session *session) {
  return krait_trace_output (session, KRAIT_REFUSED, 0, NULL, 0);
}

// --- Hints (docs/hints.md), as JSON ---

// The version that the last operation read, behind its output: an id, null, or [[key,id],…].
KRAIT_API int krait_trace_version (krait_trace_session *, const char *json);

// Hints on the transaction begun last, an object; its end may be logged already. Once per
// transaction.
KRAIT_API int krait_trace_hint (krait_trace_session *, const char *json);
KRAIT_API int krait_trace_commit_ts (krait_trace_session *, int64_t timestamp); // {"commitTs":…}

// The header of JSON Lines (docs/formats.md), an object: how keys start, for example
// {"krait":1,"init":{"default":0}}. Once per folder, in any session, and before any transaction: a
// trace that is cut off, or read early, should have it.
KRAIT_API int krait_trace_header (krait_trace_session *, const char *json);

#ifdef __cplusplus
}
#endif

#endif
