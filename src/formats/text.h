// A growing piece of text. Writers put a whole transaction together in one before they hand it to
// the output; readers decode strings into one.

#ifndef KRAIT_FORMATS_TEXT_H
#define KRAIT_FORMATS_TEXT_H

#include "base/vec.h"

#include <stdint.h>
#include <string.h>

struct text {
  char *data;
  size_t count, capacity;
};

static inline void text_bytes (struct text *text, const char *bytes, size_t length) {
  VEC_RESERVE (*text, text->count + length);
  if (length)
    memcpy (text->data + text->count, bytes, length);
  text->count += length;
}

static inline void text_string (struct text *text, const char *string) {
  text_bytes (text, string, strlen (string));
}

static inline void text_char (struct text *text, char c) {
  VEC_PUSH (*text, c);
}

static inline void text_unsigned (struct text *text, uint64_t number) {
  char digits[20];
  char *first = digits + sizeof digits;
  do
    *--first = (char) ('0' + number % 10);
  while (number /= 10);
  text_bytes (text, first, (size_t) (digits + sizeof digits - first));
}

static inline void text_signed (struct text *text, int64_t number) {
  if (number < 0)
    text_char (text, '-');
  text_unsigned (text, number < 0 ? -(uint64_t) number : (uint64_t) number);
}

static inline void text_hex (struct text *text, unsigned char byte) {
  static const char digits[] = "0123456789abcdef";
  text_char (text, digits[byte >> 4]);
  text_char (text, digits[byte & 15]);
}

#endif
