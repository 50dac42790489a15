// Tokens of the text form, and the readers of its parts (docs/kht.md is the grammar).
//
// The whole file is in memory, and its state is that of the reader of JSON.

#ifndef KRAIT_FORMATS_KHT_READ_H
#define KRAIT_FORMATS_KHT_READ_H

#include "formats/json_read.h"
#include "history/history.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Plain operations that are not in the history yet. Their strings stand in the text.
struct kht_waiting {
  uint8_t kinds[MOST_ANNOUNCED]; // as history_add_announced takes them
  struct atom keys[MOST_ANNOUNCED];
  const char *places[MOST_ANNOUNCED];
  struct atom values[MOST_ANNOUNCED]; // of those that have one, next to each other
  uint32_t with_value;
};

struct kht_reader {
  struct json_reader text; // from json_start_text to json_stop
  struct history *history;
  struct text json; // the last hint
  struct kht_waiting waiting;
};

struct kht_word {
  const char *bytes;
  size_t length;
};

// At r->text.at; false.
bool kht_expected (struct kht_reader *, const char *what) __attribute__ ((cold));

// White space, comments, and ends of lines.
void kht_skip (struct kht_reader *);
// The same without ends of lines.
void kht_skip_in_line (struct kht_reader *);

// These skip first. The last one does not consume what follows: a bare word (length 0: none).
bool kht_accept (struct kht_reader *, char);
bool kht_accept_text (struct kht_reader *, const char *punctuation);
bool kht_require (struct kht_reader *, char, const char *what); // a character that has to stand there
struct kht_word kht_peek_word (struct kht_reader *);

bool kht_accept_word (struct kht_reader *, const char *word);
bool kht_accept_dash (struct kht_reader *); // one that begins neither a number nor an arrow
bool kht_word_is (struct kht_word, const char *text);

// "s12": the letter and a number.
bool kht_label (struct kht_reader *, char letter, uint64_t *number, const char *what);

bool kht_atom (struct kht_reader *, struct atom *, const char *what);
bool kht_key (struct kht_reader *, uint32_t *);
bool kht_value (struct kht_reader *, uint32_t *);
bool kht_value_or_nil (struct kht_reader *, uint32_t *);

// "[10 20]", behind its opening bracket; "-" is a missing one.
bool kht_times (struct kht_reader *, int64_t *begin, int64_t *end);

// A JSON value on one line, into r->json; JSON knows of no comments.
bool kht_json (struct kht_reader *, const char *what);
bool kht_json_object (struct kht_reader *, const char *what);

// Plain operations go into the history: before any other operation does, and in the end.
bool kht_flush (struct kht_reader *);

// A plain operation with the semicolon or the closing brace behind it, if one begins here. There is
// room for it: fewer than MOST_ANNOUNCED wait.
enum kht_quick { KHT_NOT_QUICK, KHT_QUICK, KHT_QUICK_LAST };
enum kht_quick kht_quick_op (struct kht_reader *);

// The operations between the braces of a transaction, the closing one included.
bool kht_ops (struct kht_reader *);

struct output;
bool kht_write (const struct history *, struct output *, struct error *);

// What a bare word may begin with and go on with; the writer asks too.
static inline bool kht_begins_word (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool kht_in_word (char c) {
  return kht_begins_word (c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '/';
}

#endif
