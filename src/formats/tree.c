#include "formats/tree.h"

#include "formats/base64.h"
#include "formats/json_write.h"
#include "formats/utf8.h"

// What stands before a value: a separator, and its name.
static void begin (struct tree *tree, const char *name) {
  const bool json = tree->dialect == TREE_JSON;
  if (tree->filled)
    text_string (tree->text, json ? "," : ", ");
  tree->filled = true;
  if (!name)
    return;
  text_string (tree->text, json ? "\"" : ":");
  text_string (tree->text, name);
  text_string (tree->text, json ? "\":" : " ");
}

void tree_open (struct tree *tree, const char *name, char bracket) {
  begin (tree, name);
  text_char (tree->text, bracket);
  tree->filled = false;
}

void tree_close (struct tree *tree, char bracket) {
  text_char (tree->text, bracket);
  tree->filled = true;
}

static void escape (struct text *text, unsigned char c) {
  static const char from[] = "\"\\\n\r\t", to[] = "\"\\nrt";
  const char *which = c ? strchr (from, c) : NULL;
  if (which) {
    text_char (text, '\\');
    text_char (text, to[which - from]);
  } else {
    text_string (text, "\\u00");
    text_hex (text, c);
  }
}

static void quote (struct text *text, const char *bytes, size_t length) {
  const char *end = bytes + length;
  text_char (text, '"');
  for (const char *at = bytes; at < end;) {
    const unsigned char c = (unsigned char) *at;
    const unsigned sequence = utf8_sequence (at, end);
    if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
      escape (text, c);
    else if (sequence)
      text_bytes (text, at, sequence);
    else
      text_string (text, "\xef\xbf\xbd");
    at += sequence ? sequence : 1;
  }
  text_char (text, '"');
}

void tree_string (struct tree *tree, const char *name, const char *string) {
  if (!string) {
    tree_null (tree, name);
    return;
  }
  begin (tree, name);
  quote (tree->text, string, strlen (string));
}

void tree_unsigned (struct tree *tree, const char *name, uint64_t number) {
  begin (tree, name);
  text_unsigned (tree->text, number);
}

void tree_bool (struct tree *tree, const char *name, bool value) {
  begin (tree, name);
  text_string (tree->text, value ? "true" : "false");
}

// By hand, because printf may write a comma: an embedding program can have any locale.
void tree_seconds (struct tree *tree, const char *name, double seconds) {
  const uint64_t microseconds = seconds > 0 ? (uint64_t) (seconds * 1e6 + 0.5) : 0;
  begin (tree, name);
  text_unsigned (tree->text, microseconds / 1000000);
  text_char (tree->text, '.');
  for (uint64_t unit = 100000; unit; unit /= 10)
    text_char (tree->text, (char) ('0' + microseconds / unit % 10));
}

void tree_null (struct tree *tree, const char *name) {
  begin (tree, name);
  text_string (tree->text, tree->dialect == TREE_JSON ? "null" : "nil");
}

static void tree_base64 (struct tree *tree, const char *name, struct atom atom) {
  tree_open (tree, name, '{');
  begin (tree, "b64");
  text_char (tree->text, '"');
  base64_encode (tree->text, atom.bytes, atom.length);
  text_char (tree->text, '"');
  tree_close (tree, '}');
}

void tree_atom (struct tree *tree, const char *name, struct atom atom) {
  if (atom.kind == ATOM_BYTES && !utf8_valid (atom.bytes, atom.length)) {
    tree_base64 (tree, name, atom);
    return;
  }
  begin (tree, name);
  if (atom.kind == ATOM_BYTES)
    quote (tree->text, atom.bytes, atom.length);
  else
    json_put_atom (tree->text, atom);
}
