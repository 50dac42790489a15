// Where histories come from: a plain file, a .gz or .zst file (told by its first bytes, not by its
// name), standard input, or a block of memory. A file that becomes shorter while it is read is an
// error.

#ifndef KRAIT_BASE_INPUT_H
#define KRAIT_BASE_INPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input;

struct input *input_open (const char *path, struct error *); // "-": standard input. NULL after setting the error
struct input *input_open_memory (const char *name, const void *bytes, size_t length);
void input_close (struct input *);

const char *input_name (const struct input *);

// The first bytes (up to 64 KiB) without consuming them.
const char *input_peek (struct input *, size_t *length, struct error *);

// The next line without its newline (and without a carriage return before it), valid until the next
// call. False at the end, or after setting the error (compressed data that is broken, a line over 1
// GiB). Lines count from 1.
bool input_line (struct input *, const char **line, size_t *length, struct error *);
uint64_t input_line_number (const struct input *); // of the line returned last
// the line returned last ended with the file, not with a newline
bool input_line_torn (const struct input *);

// As many whole lines as are there already, at least one, with their newlines (the last line of the
// input may have none); for who looks for the ends of lines himself, many times a line's length at
// once. `before`: how many lines he has had, for messages.
bool input_lines (struct input *, uint64_t before, const char **lines, size_t *length, struct error *);

// How many bytes there are from here on, if that is known before they are read: not of a pipe, and
// not of compressed data. Nor of a file that input_all would refuse.
bool input_length (const struct input *, uint64_t *length);

// Copies the next bytes, of which there are so many. Do not mix with input_line. False after
// setting the error.
bool input_take (struct input *, void *to, size_t length, struct error *);

// All the bytes at once. Do not mix with input_line. NULL after setting the error.
const char *input_all (struct input *, size_t *length, struct error *);

// The same, but decoding stops beyond `most` bytes; `length` is then larger than that.
const char *input_up_to (struct input *, size_t most, size_t *length, struct error *);

#endif
