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

unsigned utf8_encode (uint32_t code_point, char bytes[4]) {
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
