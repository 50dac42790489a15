// The headers of a folder's files, read before their records: whose times can be compared is a
// matter of all of them.

#ifndef KRAIT_FORMATS_TRACE_HEADS_H
#define KRAIT_FORMATS_TRACE_HEADS_H

#include "formats/logs.h"
#include "formats/trace_layout.h"

struct trace_head {
  bool there; // its process may not have come to write one
  bool cut;   // the file ends inside of it
  // to be added to times for wall-clock time: the same for all files of a clock, whose order is
  // exact
  int64_t wall;
  char bytes[TRACE_HEADER_LENGTH];
};

struct trace_heads {
  struct trace_head *data; // one per log
  size_t count, capacity;
};

// False after setting the error: something else than a header.
bool trace_heads_read (struct trace_heads *, const struct logs *, struct error *);
void trace_heads_free (struct trace_heads *);

// Are all files there, and no others? False after setting the error: a file twice, or one of
// another trace. What is missing is told to the history.
bool trace_heads_check (const struct trace_heads *, const struct logs *, struct history *, struct error *);

bool trace_heads_have_one_clock (const struct trace_heads *);

// Files whose sessions did not stop together with this one's.
bool trace_heads_have_others (const struct trace_heads *, const struct trace_head *);

bool trace_head_has_clock (const struct trace_head *, const struct trace_clock *);

#endif
