// What the parts of the JSON Lines reader share.

#ifndef KRAIT_FORMATS_JSONL_READ_H
#define KRAIT_FORMATS_JSONL_READ_H

#include "formats/json_read.h"
#include "formats/stage.h"
#include "history/history.h"

struct jsonl_reader {
  struct json_reader json;
  struct history *history;
  struct stage stage;    // transactions that were read but are not in the history yet
  struct text bytes;     // the last b64
  struct staged_txn txn; // the transaction that is being read, its operation, and its extras
  struct staged_op op;
  struct staged_extra extra;
};

// An integer, a string or {"b64":…}. A message names `what` was expected: "a key".
bool jsonl_atom (struct jsonl_reader *, struct atom *, const char *what);
bool jsonl_time (struct jsonl_reader *, int64_t *);

// The array of operations, into the stage.
bool jsonl_ops (struct jsonl_reader *);

// The header line, from behind its opening brace.
bool jsonl_header (struct jsonl_reader *);

// Is it the name of a member of the header?
bool jsonl_in_header (struct json_string name);

// Any value, kept as text in the stage.
bool jsonl_text (struct jsonl_reader *, struct staged_text *);

struct output;
bool jsonl_write (const struct history *, struct output *, struct error *);
// without a newline; to be freed
bool jsonl_header_text (const struct history *, struct text *, struct error *);

#endif
