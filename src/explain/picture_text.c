#include "explain/picture_text.h"

#include "base/output.h"
#include "formats/utf8.h"

#include <stdio.h>

static uint32_t decode (const char *at, unsigned length) {
  static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
  uint32_t c = (unsigned char) at[0] & first[length];
  for (unsigned i = 1; i < length; i++)
    c = c << 6 | ((unsigned char) at[i] & 0x3f);
  return c;
}

struct code_range {
  uint32_t low, high;
};

static bool is_among (uint32_t c, const struct code_range *ranges, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (c >= ranges[i].low && c <= ranges[i].high)
      return true;
  return false;
}

// Controls, what turns the direction of text, what cannot be seen, what XML does not allow.
static bool is_hidden (uint32_t c) {
  static const struct code_range ranges[] = {
    { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0xad, 0xad },     { 0x61c, 0x61c },   { 0x115f, 0x1160 },
    { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 },
    { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff },
  };
  return is_among (c, ranges, sizeof ranges / sizeof *ranges) || (c & 0xfffe) == 0xfffe || c >= 0xe0000;
}

// East Asian wide and full-width characters, and pictographs.
static bool is_wide (uint32_t c) {
  static const struct code_range ranges[] = {
    { 0x1100, 0x115e }, { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },   { 0xac00, 0xd7a3 },
    { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
    { 0x2600, 0x27bf }, { 0x1f000, 0x1faff }, { 0x20000, 0x3fffd },
  };
  return c >= 0x1100 && is_among (c, ranges, sizeof ranges / sizeof *ranges);
}

struct shown_char {
  char bytes[16];
  unsigned length, columns, read; // `read`: bytes of the original
};

static struct shown_char show_char (const char *at, const char *end, enum line_ends ends) {
  struct shown_char shown = { .read = 1 };
  const unsigned sequence = utf8_sequence (at, end);
  const uint32_t c = sequence ? decode (at, sequence) : 0;
  int length;
  if (*at == '\n' && ends == LINES_KEPT)
    length = snprintf (shown.bytes, sizeof shown.bytes, "\n");
  else if (*at == '\n' || *at == '\t' || *at == '\r')
    length = snprintf (shown.bytes, sizeof shown.bytes, "\\%c", *at == '\n' ? 'n' : *at == '\t' ? 't' : 'r');
  else if (!sequence || c < 0x80) {
    const unsigned char byte = (unsigned char) *at;
    length = sequence && !is_hidden (byte) ? snprintf (shown.bytes, sizeof shown.bytes, "%c", byte)
                                           : snprintf (shown.bytes, sizeof shown.bytes, "\\x%02x", byte);
  } else {
    shown.read = sequence;
    length = is_hidden (c) ? snprintf (shown.bytes, sizeof shown.bytes, "\\u{%x}", (unsigned) c)
                           : snprintf (shown.bytes, sizeof shown.bytes, "%.*s", (int) sequence, at);
  }
  shown.length = (unsigned) length;
  shown.columns = c >= 0x80 && !is_hidden (c) ? 1u + is_wide (c) : shown.length;
  return shown;
}

void picture_show (struct text *text, const char *bytes, size_t length, size_t most, enum line_ends ends) {
  const char *end = bytes + length;
  size_t columns = 0, fits = text->count; // what stays if an ellipsis is needed
  for (const char *at = bytes; at < end;) {
    const struct shown_char shown = show_char (at, end, ends);
    columns += shown.columns;
    if (columns > most) {
      text->count = fits;
      text_string (text, "…");
      return;
    }
    text_bytes (text, shown.bytes, shown.length);
    if (columns < most)
      fits = text->count;
    at += shown.read;
  }
}

void picture_show_key (struct text *text, const char *key, size_t most) {
  struct text whole = { 0 };
  picture_show (&whole, key, strlen (key), PICTURE_WHOLE, LINES_JOINED);
  if (picture_columns (&whole) <= most) {
    text_bytes (text, whole.data, whole.count);
    VEC_FREE (whole);
    return;
  }
  const size_t tail = most / 2;
  size_t at = whole.count, columns = 0;
  while (at) {
    size_t before = at - 1;
    while (before && ((unsigned char) whole.data[before] & 0xc0) == 0x80)
      before--;
    columns += 1 + is_wide (decode (whole.data + before, (unsigned) (at - before)));
    if (columns > tail)
      break;
    at = before;
  }
  picture_show (text, key, strlen (key), most - tail, LINES_JOINED); // ends in the ellipsis
  text_bytes (text, whole.data + at, whole.count - at);
  VEC_FREE (whole);
}

size_t picture_columns (const struct text *text) {
  size_t columns = 0;
  for (size_t i = 0; i < text->count;) {
    const unsigned length = utf8_sequence (text->data + i, text->data + text->count);
    columns += 1 + is_wide (decode (text->data + i, length));
    i += length;
  }
  return columns;
}

// ---------------------------------------------------------------------------------------- escaping

typedef const char *escape_function (unsigned char);

static const char *escape_xml (unsigned char c) {
  switch (c) {
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '&': return "&amp;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return NULL;
  }
}

// Inside of a script element nothing may look like markup: neither "</script" nor "<!--". Line ends
// were kept or made visible before.
static const char *escape_json (unsigned char c) {
  switch (c) {
  case '<': return "\\u003c";
  case '>': return "\\u003e";
  case '&': return "\\u0026";
  case '"': return "\\\"";
  case '\\': return "\\\\";
  case '\n': return "\\n";
  default: return NULL;
  }
}

static const char *escape_dot (unsigned char c) {
  return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

static void write_escaped (struct output *out, const char *string, size_t most, enum line_ends ends,
                           escape_function *escape) {
  struct text text = { 0 };
  picture_show (&text, string, strlen (string), most, ends);
  size_t from = 0;
  for (size_t i = 0; i < text.count; i++) {
    const char *instead = escape ((unsigned char) text.data[i]);
    if (!instead)
      continue;
    output_write (out, text.data + from, i - from);
    output_text (out, instead);
    from = i + 1;
  }
  output_write (out, text.data + from, text.count - from);
  VEC_FREE (text);
}

void picture_xml (struct output *out, const char *string, size_t most) {
  write_escaped (out, string, most, LINES_JOINED, escape_xml);
}

void picture_xml_lines (struct output *out, const char *string, size_t most) {
  write_escaped (out, string, most, LINES_KEPT, escape_xml);
}

void picture_json (struct output *out, const char *string, size_t most) {
  if (!string) {
    output_text (out, "null");
    return;
  }
  output_text (out, "\"");
  write_escaped (out, string, most, LINES_KEPT, escape_json);
  output_text (out, "\"");
}

void picture_dot (struct output *out, const char *string, size_t most) {
  write_escaped (out, string, most, LINES_JOINED, escape_dot);
}
