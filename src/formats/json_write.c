#include "formats/json_write.h"

static void put_escaped (struct text *text, unsigned char c) {
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  const char *which = c ? strchr (from, c) : NULL;
  text_char (text, '\\');
  if (which)
    text_char (text, to[which - from]);
  else {
    text_string (text, "u00");
    text_hex (text, c);
  }
}

void json_put_string (struct text *text, const char *bytes, size_t length) {
  text_char (text, '"');
  size_t plain = 0;
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char) bytes[i];
    if (c >= 0x20 && c != '"' && c != '\\')
      continue;
    text_bytes (text, bytes + plain, i - plain);
    put_escaped (text, c);
    plain = i + 1;
  }
  text_bytes (text, bytes + plain, length - plain);
  text_char (text, '"');
}

void json_put_atom (struct text *text, struct atom atom) {
  if (atom.kind == ATOM_BYTES)
    json_put_string (text, atom.bytes, atom.length);
  else if (atom.kind == ATOM_NEGATIVE)
    text_signed (text, (int64_t) atom.number);
  else
    text_unsigned (text, atom.number);
}
