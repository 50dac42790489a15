// A history as text. JSON Lines and the text form say the same things in the same order, and so do
// the operations in pictures; they differ in punctuation, in how they show bytes, and in the lines
// around the operations.

#ifndef KRAIT_FORMATS_TEXT_WRITE_H
#define KRAIT_FORMATS_TEXT_WRITE_H

#include "formats/text.h"
#include "formats/walk.h"

struct error;
struct output;
struct text_writer;

// What stands between things: there are many of it, and its length is known.
struct text_mark {
  char bytes[15];
  uint8_t length;
};
#define MARK(string)                                                                                                   \
  { string, sizeof (string) - 1 }

// Around things that stand in a row; `none` instead of everything if there are none.
struct text_row {
  struct text_mark open, first, next; // before the row, its first thing, and the others
  struct text_mark middle;            // between name and arguments, key and value
  struct text_mark end, close;        // behind each thing, and the row
  struct text_mark none;
};

struct text_form {
  void (*put_bytes) (struct text *, struct atom); // a key or a value
  void (*put_quoted) (struct text *, const char *bytes, size_t length);
  void (*put_times) (struct text *, int64_t begin, int64_t end);

  const char *krait, *key_types[3]; // by enum key_type
  const char *init, *source, *incomplete, *hints;
  void (*put_init) (struct text_writer *);
  void (*end_header) (struct text_writer *);
  bool (*put_txn) (struct text_writer *, uint32_t txn);

  struct text_row ops, pairs, list; // pairs: what a scan returned
  const char *no_bound, *absent;
  const char *unrecorded;               // NULL: left out
  struct text_mark argument, result;    // before each
  const char *cas_ok[2], *del_found[2]; // false, true
  const char *goes_on;                  // an iterator that may have more; NULL: `reached_end` says it
  size_t longest;                       // bytes of an operation, before its results are cut short; 0: never

  // Marks behind an operation. They are members of an object if there is `reached_end`.
  const char *reached_end[2], *reverse, *locks[2], *times, *version;
};

struct text_writer {
  const struct history *history;
  const struct text_form *form;
  struct error *error;
  struct text text;
  struct walk walk;
};

// What stands between arguments and results in the text form, and in pictures.
#define TEXT_FORM_MARKS                                                                                                \
  .pairs = { MARK (" ->"), MARK (" "), MARK (" "), MARK ("="), MARK (""), MARK (""), MARK (" -> none") },              \
  .list = { MARK (" -> ["), MARK (""), MARK (" "), MARK (""), MARK (""), MARK ("]"), MARK (" -> []") },                \
  .absent = "nil", .argument = MARK (" "), .result = MARK (" -> "), .cas_ok = { " -> failed", " -> ok" },              \
  .del_found = { " -> absent", " -> found" }

bool text_write (const struct history *, const struct text_form *, struct output *, struct error *);

// Its parts, for what is written around them. Hints may be what cannot be written.
bool text_put_header (struct text_writer *);
void text_put_key (struct text_writer *, uint32_t key);
void text_put_value (struct text_writer *, uint32_t value);
void text_put_arguments (struct text_writer *, uint32_t op); // and results
bool text_put_ops (struct text_writer *, uint32_t txn);
bool text_put_txn_hint (struct text_writer *, const char *before, uint32_t txn);

// With the escapes of the text form. False: there is more than `most` bytes.
bool text_put_quoted (struct text *, const char *bytes, size_t length, size_t most);

#endif
