// What the parts of the trace reader share, and its writer.

#ifndef KRAIT_FORMATS_TRACE_READ_H
#define KRAIT_FORMATS_TRACE_READ_H

#include "formats/logs.h"
#include "formats/trace_heads.h"
#include "formats/trace_layout.h"

// The data of a record, one after the other. They were checked, so that taking them cannot fail.
struct trace_data {
  const char *at;
  uint32_t count;
};

// An operation whose input was read; it goes into the history with its output, or with what comes
// instead of one.
struct trace_op {
  bool open;
  size_t at; // of the input
  enum op_kind kind;
  unsigned flags;
  struct trace_data arguments;
  int64_t begin, end;
  enum trace_answer answer; // TRACE_DONE without an output: nothing is known of a result
  struct trace_data data;
};

struct trace_reader {
  struct history *h;
  struct error *error;
  const struct trace_heads *heads;
  const struct trace_head *head; // of this file
  const struct log *log;
  int64_t shift;       // of times, to the clock of the history
  int64_t until;       // of times in the file: from here on it is read no further
  bool late;           // that place was reached, in this file
  bool was_late;       // in any file
  bool others_went_on; // when one process could log no more
  bool has_header;     // the header of the history was read, in this file or another one
  bool begun, ended;   // a transaction has begun in this file; its end was read
  bool hinted;         // it has its hint
  bool may_version;    // the operation added last can have a version
  struct trace_op op;
};

extern const struct log_name trace_log_name;

// Any history as a trace, for `krait convert`; programs that run have the tracer
// (include/krait/trace.h).
bool trace_write (const struct history *, const char *folder, struct error *);

bool trace_fail (struct trace_reader *, size_t at, const char *why); // false

// The next datum; true if it is not nothing.
bool trace_next_datum (struct trace_data *, struct atom *);

// Adds the operation that waits, if one does.
bool trace_flush_op (struct trace_reader *);

#endif
