// EDN, pulled form by form out of a whole text.
//
// There is no tree: the caller says what it expects next and gets it, or an error. The state is
// that of the reader of JSON, from json_start_text to json_stop. White space, commas, comments,
// discarded forms (#_) and tags (#inst, #jepsen.history.Op: the form behind the tag stands for
// both) are passed over. Reading is lenient where nobody cares: a form that is skipped must have
// its brackets and strings in order, and no more.

#ifndef KRAIT_FORMATS_EDN_H
#define KRAIT_FORMATS_EDN_H

#include "formats/json_read.h"

enum { EDN_MAX_DEPTH = 200, EDN_END = -1 };

bool edn_expected (struct json_reader *, const char *what) __attribute__ ((cold)); // at the next form

// The first character of the next form or closing bracket; or EDN_END, perhaps after setting the
// error (a discarded form may be broken). A '#' begins a set or something odder.
int edn_next (struct json_reader *);

// Vectors and lists are the same to us. Before each element: 1 if there is one, 0 if the closing
// bracket was consumed instead, -1 after setting the error.
bool edn_open_sequence (struct json_reader *, char *close, const char *what);
int edn_element (struct json_reader *, char close);

// A keyword, without its colon.
bool edn_keyword (struct json_reader *, struct json_string *, const char *what);
bool edn_accept_nil (struct json_reader *);

// An integer from -2^63 to 2^64-1 is a number, everything else that is not a collection is bytes:
// what a string says; keywords with their colon, symbols, booleans, characters and fractions as
// they are written. Valid until the next atom is read.
bool edn_atom (struct json_reader *, struct atom *, const char *what);

// Any one form.
bool edn_skip (struct json_reader *);

// Does the text begin with a form that is complete?
bool edn_is_whole (const char *bytes, size_t length);

#endif
