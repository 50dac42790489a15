// The bytes of a .ktr file: what the tracer writes and the reader reads. Integers are
// little-endian.
//
// A header of 128 bytes, then records back to back, each a multiple of 8 long:
//
//   header   magic (8), version (4), error (4), logged (8), wall (8), clock (16), process (8),
//     checksum (8),
//            folder (8), ordinal (8), sessions (8), closed (8), zeros (32)
//   record   length (4), checksum (4), kind (1), detail (1), flags (2), count (4), time (8), then
//     data and texts
//   datum    type (4), length (4), then the number (8), or the bytes, padded with zeros to a
//     multiple of 8
//
// `logged` is where the last complete record ends. It is written behind each record, with release
// order, and is never ahead of the records: whatever kills the process, all bytes before it are
// good. A record's checksum takes in its place in the file, so that a block from elsewhere is not
// taken for one. `error` is why tracing ended before the program did. Neither of these two is under
// the header's checksum, because they change.
//
// `process` is the same for files whose sessions stopped together: those of one krait_trace_open.
// Its lower half is the process id. One file has the error of all.
//
// Whether all files are there is for the headers to tell. `ordinal` counts the sessions of a
// process from 1, in the order in which they were opened; the file of the first of them says in
// `sessions` how many there have been. `folder` is the same for files that were written into one
// folder of one machine. `closed` is 1 when the session was closed and not just left. Like
// `logged`, the last and the last but one are not under the checksum. Version 1 had a header of 64
// bytes, without these four.
//
// Times are nanoseconds of CLOCK_MONOTONIC; `wall` added gives wall-clock time. `clock` is the same
// for files whose monotonic times can be compared. Converted histories have zeros in all three:
// their times are their own.

#ifndef KRAIT_FORMATS_TRACE_LAYOUT_H
#define KRAIT_FORMATS_TRACE_LAYOUT_H

#include "formats/bytes.h"
#include "history/history.h"

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

#define TRACE_MAGIC "KRAITKTR"
#define TRACE_SUFFIX ".ktr"

enum {
  TRACE_VERSION = 2,
  TRACE_HEADER_LENGTH = 128,
  TRACE_HEADER_LENGTH_1 = 64, // of version 1
  TRACE_AT_VERSION = 8,
  TRACE_AT_ERROR = 12,
  TRACE_AT_LOGGED = 16,
  TRACE_AT_WALL = 24,
  TRACE_AT_CLOCK = 32,
  TRACE_CLOCK_LENGTH = 16,
  TRACE_AT_PROCESS = 48,
  TRACE_AT_CHECKSUM = 56,
  TRACE_AT_FOLDER = 64,
  TRACE_AT_ORDINAL = 72,
  TRACE_AT_SESSIONS = 80,
  TRACE_AT_CLOSED = 88,
};

enum {
  TRACE_RECORD_LENGTH = 24, // without data
  TRACE_AT_RECORD_CHECKSUM = 4,
  TRACE_AT_KIND = 8,
  TRACE_AT_DETAIL = 9,
  TRACE_AT_FLAGS = 10,
  TRACE_AT_COUNT = 12,
  TRACE_AT_TIME = 16,
};

// The letters are for people with a hex dump.
enum trace_kind {
  TRACE_BEGIN = 'B',        // count 1: the id
  TRACE_INPUT = 'I',        // detail: enum op_kind; the arguments
  TRACE_OUTPUT = 'O',       // detail: enum trace_answer; the data
  TRACE_COMMIT = 'C',       // the commit is being asked for
  TRACE_END = 'E',          // detail: enum txn_status
  TRACE_VERSION_HINT = 'V', // the following three: one datum, JSON
  TRACE_TXN_HINT = 'H',
  TRACE_HEADER = 'K',
};

enum trace_answer {
  TRACE_DONE,
  TRACE_ABSENT,
  TRACE_VALUE,
  TRACE_TRUE,
  TRACE_FALSE,
  TRACE_ITEMS,
  TRACE_REFUSED,
  TRACE_ANSWERS
};

// Flags of records: those of operations (OP_LOCK_UPDATE …) and whether the time counts.
enum { TRACE_TIMED = 256 };

enum trace_type { TRACE_NOTHING, TRACE_UNSIGNED, TRACE_NEGATIVE, TRACE_BYTES };

// What an operation takes and what may come back.
struct trace_shape {
  uint8_t arguments;
  uint8_t may_be_nothing; // bit i: argument i may be nothing
  uint8_t flags;          // of its input
  uint8_t answers;        // bit per enum trace_answer
  uint8_t item_data;      // data per item
};

enum {
  TRACE_EVERY_ANSWER = 1 << TRACE_DONE | 1 << TRACE_REFUSED,
  TRACE_LOCKS = OP_LOCK_UPDATE | OP_LOCK_SHARE,
};

static const struct trace_shape trace_shapes[OP_KINDS] = {
  [OP_PUT] = { 2, 0, 0, TRACE_EVERY_ANSWER, 0 },
  [OP_DEL] = { 1, 0, TRACE_LOCKS, TRACE_EVERY_ANSWER | 1 << TRACE_TRUE | 1 << TRACE_FALSE, 0 },
  [OP_GET] = { 1, 0, TRACE_LOCKS, TRACE_EVERY_ANSWER | 1 << TRACE_ABSENT | 1 << TRACE_VALUE, 0 },
  [OP_SCAN] = { 2, 3, TRACE_LOCKS, TRACE_EVERY_ANSWER | 1 << TRACE_ITEMS, 2 },
  [OP_ITER] = { 2, 3, TRACE_LOCKS | OP_ITER_REVERSE, TRACE_EVERY_ANSWER | 1 << TRACE_ITEMS, 2 },
  [OP_APPEND] = { 2, 0, 0, TRACE_EVERY_ANSWER, 0 },
  [OP_LIST] = { 1, 0, TRACE_LOCKS, TRACE_EVERY_ANSWER | 1 << TRACE_ABSENT | 1 << TRACE_ITEMS, 1 },
  [OP_CAS] = { 3, 2, TRACE_LOCKS, TRACE_EVERY_ANSWER | 1 << TRACE_TRUE | 1 << TRACE_FALSE, 0 },
  [OP_INC] = { 2, 0, TRACE_LOCKS, TRACE_EVERY_ANSWER | 1 << TRACE_VALUE, 0 },
};

// NULL, or what is wrong with an answer to an operation.
static inline const char *trace_misfit (enum op_kind kind, unsigned answer, unsigned flags, size_t count) {
  const struct trace_shape *shape = &trace_shapes[kind];
  if (answer >= TRACE_ANSWERS || !(shape->answers >> answer & 1))
    return "an output that does not fit its operation";
  const size_t data = answer == TRACE_VALUE ? 1 : answer == TRACE_ITEMS ? count : 0;
  if (count != data || (answer == TRACE_ITEMS && count % shape->item_data))
    return "an output with too few or too many data";
  if (flags & ~(unsigned) (kind == OP_ITER && answer == TRACE_ITEMS ? OP_ITER_END : 0))
    return "an output with flags that do not fit its operation";
  return NULL;
}

static inline size_t trace_padded (size_t length) {
  return (length + 7) & ~(size_t) 7;
}

static inline size_t trace_datum_length (enum trace_type type, size_t bytes) {
  return 8 + (type == TRACE_BYTES ? trace_padded (bytes) : type == TRACE_NOTHING ? 0 : 8);
}

// Both return what follows the datum.
static inline char *trace_put_number (char *to, enum trace_type type, uint64_t number) {
  store_le32 (to, (uint32_t) type);
  store_le32 (to + 4, type == TRACE_NOTHING ? 0 : 8);
  if (type == TRACE_NOTHING)
    return to + 8;
  store_le64 (to + 8, number);
  return to + 16;
}

static inline char *trace_put_bytes (char *to, const void *bytes, size_t length) {
  const size_t padded = trace_padded (length);
  store_le32 (to, TRACE_BYTES);
  store_le32 (to + 4, (uint32_t) length);
  if (length) {
    store_le64 (to + padded, 0); // the padding, with the last bytes, which come next
    memcpy (to + 8, bytes, length);
  }
  return to + 8 + padded;
}

struct trace_record {
  enum trace_kind kind;
  unsigned detail, flags;
  uint32_t count;
  int64_t time;
};

static inline char *trace_put_record (char *to, const struct trace_record *record, size_t length) {
  store_le32 (to, (uint32_t) length);
  to[TRACE_AT_KIND] = (char) record->kind;
  to[TRACE_AT_DETAIL] = (char) record->detail;
  to[TRACE_AT_FLAGS] = (char) record->flags;
  to[TRACE_AT_FLAGS + 1] = (char) (record->flags >> 8);
  store_le32 (to + TRACE_AT_COUNT, record->count);
  store_le64 (to + TRACE_AT_TIME, (uint64_t) record->time);
  return to + TRACE_RECORD_LENGTH;
}

static inline uint32_t trace_record_checksum (const char *record, size_t length, uint64_t place) {
  return (uint32_t) XXH3_64bits_withSeed (record + TRACE_AT_KIND, length - TRACE_AT_KIND, place ^ length);
}

static inline size_t trace_header_length (uint32_t version) {
  return version == 1 ? TRACE_HEADER_LENGTH_1 : TRACE_HEADER_LENGTH;
}

static inline uint64_t trace_header_checksum (const char *header) {
  const uint32_t version = load_le32 (header + TRACE_AT_VERSION);
  const uint64_t first = XXH3_64bits_withSeed (header + TRACE_AT_WALL, TRACE_AT_CHECKSUM - TRACE_AT_WALL, version);
  if (version == 1)
    return first;
  const uint64_t identity = XXH3_64bits_withSeed (header + TRACE_AT_FOLDER, TRACE_AT_SESSIONS - TRACE_AT_FOLDER, first);
  return XXH3_64bits_withSeed (header + TRACE_AT_CLOSED + 8, TRACE_HEADER_LENGTH - TRACE_AT_CLOSED - 8, identity);
}

struct trace_clock {
  int64_t wall;
  char id[TRACE_CLOCK_LENGTH];
};

// Whose file it is.
struct trace_identity {
  uint64_t process, folder, ordinal;
};

static inline void trace_put_header (char *to, const struct trace_clock *clock, const struct trace_identity *identity) {
  memset (to, 0, TRACE_HEADER_LENGTH);
  memcpy (to, TRACE_MAGIC, TRACE_AT_VERSION);
  store_le32 (to + TRACE_AT_VERSION, TRACE_VERSION);
  store_le64 (to + TRACE_AT_LOGGED, TRACE_HEADER_LENGTH);
  store_le64 (to + TRACE_AT_WALL, (uint64_t) clock->wall);
  memcpy (to + TRACE_AT_CLOCK, clock->id, TRACE_CLOCK_LENGTH);
  store_le64 (to + TRACE_AT_PROCESS, identity->process);
  store_le64 (to + TRACE_AT_FOLDER, identity->folder);
  store_le64 (to + TRACE_AT_ORDINAL, identity->ordinal);
  store_le64 (to + TRACE_AT_SESSIONS, identity->ordinal == 1);
  store_le64 (to + TRACE_AT_CHECKSUM, trace_header_checksum (to));
}

#endif
