#include "formats/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode (struct text *text, const char *bytes, size_t length) {
  const unsigned char *byte = (const unsigned char *) bytes;
  for (size_t i = 0; i < length; i += 3) {
    const size_t left = length - i;
    const uint32_t three =
      (uint32_t) byte[i] << 16 | (left > 1 ? (uint32_t) byte[i + 1] << 8 : 0) | (left > 2 ? (uint32_t) byte[i + 2] : 0);
    text_char (text, alphabet[three >> 18]);
    text_char (text, alphabet[three >> 12 & 63]);
    text_char (text, left > 1 ? alphabet[three >> 6 & 63] : '=');
    text_char (text, left > 2 ? alphabet[three & 63] : '=');
  }
}

static int sextet (char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_decode (struct text *bytes, const char *encoded, size_t length) {
  bytes->count = 0;
  if (length % 4)
    return false;
  for (size_t i = 0; i < length; i += 4) {
    const bool last = i + 4 == length;
    const unsigned padding = !last || encoded[i + 3] != '=' ? 0 : encoded[i + 2] != '=' ? 1 : 2;
    uint32_t three = 0;
    for (size_t j = 0; j < 4; j++) {
      const int six = j >= 4 - padding ? 0 : sextet (encoded[i + j]);
      if (six < 0)
        return false;
      three = three << 6 | (uint32_t) six;
    }
    // The bits that padding leaves over are zero, so that equal bytes have equal texts.
    if (three & ((1u << 8 * padding) - 1))
      return false;
    for (unsigned j = 0; j < 3 - padding; j++)
      text_char (bytes, (char) (three >> (16 - 8 * j)));
  }
  return true;
}
