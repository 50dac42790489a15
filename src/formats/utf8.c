#include "formats/utf8.h"

#include <string.h>

static bool is_continuation (unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

unsigned utf8_sequence (const char *at, const char *end) {
  const unsigned char *byte = (const unsigned char *) at;
  const size_t left = (size_t) (end - at);
  if (!left)
    return 0;
  if (byte[0] < 0x80)
    return 1;
  if (byte[0] < 0xc2)
    return 0;
  if (byte[0] < 0xe0)
    return left >= 2 && is_continuation (byte[1]) ? 2 : 0;
  if (byte[0] < 0xf0) {
    if (left < 3 || !is_continuation (byte[1]) || !is_continuation (byte[2]))
      return 0;
    if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] >= 0xa0))
      return 0;
    return 3;
  }
  if (byte[0] > 0xf4 || left < 4 || !is_continuation (byte[1]) || !is_continuation (byte[2])
      || !is_continuation (byte[3]))
    return 0;
  if ((byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] >= 0x90))
    return 0;
  return 4;
}

bool utf8_valid (const char *bytes, size_t length) {
  const char *end = bytes + length;
  for (const char *at = bytes; at < end;) {
    uint64_t eight;
    while (end - at >= 8 && (memcpy (&eight, at, 8), !(eight & 0x8080808080808080u)))
      at += 8;
    if (at == end)
      break;
    const unsigned sequence = utf8_sequence (at, end);
    if (!sequence)
      return false;
    at += sequence;
  }
  return true;
}

// The 1 to 4 bytes of a code point that is not a surrogate; tells how many.
static unsigned encode (uint32_t code_point, char bytes[4]) {
  if (code_point < 0x80) {
    bytes[0] = (char) code_point;
    return 1;
  }
  if (code_point < 0x800) {
    bytes[0] = (char) (0xc0 | code_point >> 6);
    bytes[1] = (char) (0x80 | (code_point & 0x3f));
    return 2;
  }
  if (code_point < 0x10000) {
    bytes[0] = (char) (0xe0 | code_point >> 12);
    bytes[1] = (char) (0x80 | (code_point >> 6 & 0x3f));
    bytes[2] = (char) (0x80 | (code_point & 0x3f));
    return 3;
  }
  bytes[0] = (char) (0xf0 | code_point >> 18);
  bytes[1] = (char) (0x80 | (code_point >> 12 & 0x3f));
  bytes[2] = (char) (0x80 | (code_point >> 6 & 0x3f));
  bytes[3] = (char) (0x80 | (code_point & 0x3f));
  return 4;
}

int hex_value (char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'a' && digit <= 'f')
    return digit - 'a' + 10;
  return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

// The four digits of \uXXXX; false if it is not there.
static bool escaped (const char *at, const char *end, uint32_t *code) {
  if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
    return false;
  *code = 0;
  for (int i = 2; i < 6; i++) {
    if (hex_value (at[i]) < 0)
      return false;
    *code = *code << 4 | (uint32_t) hex_value (at[i]);
  }
  return true;
}

unsigned utf8_unescape (const char *at, const char *end, struct text *to, const char **why) {
  uint32_t code, low;
  *why = "expected four hexadecimal digits after \\u";
  if (!escaped (at, end, &code))
    return 0;
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (is_surrogate) {
    *why = "expected a pair of surrogates, found half of one";
    if (code >= 0xdc00 || !escaped (at + 6, end, &low) || low < 0xdc00 || low >= 0xe000)
      return 0;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  char bytes[4];
  text_bytes (to, bytes, encode (code, bytes));
  return is_surrogate ? 12 : 6;
}
