#include "ir/kir.h"

#include <string.h>

static const char first_word[] = "kir ";
static const char level_word[] = "level ";

const char *const kir_anti[3] = { "none", "edge", "forbid" };
const char *const kir_views[3] = { "paths", "steps", "earlier-reads" };
const char *const kir_presences[] = { "always", "in", "wrote", "writes" };

bool kir_probe (const char *head, size_t length) {
  const size_t word = sizeof first_word - 1;
  return length > word && !memcmp (head, first_word, word) && head[word] >= '0' && head[word] <= '9';
}

bool kir_probe_label (const char *head, size_t length, char label[KIR_LABEL_SIZE]) {
  const char *end = head + length;
  const char *line = length && kir_probe (head, length) ? memchr (head, '\n', length) : NULL;
  const size_t word = sizeof level_word - 1;
  if (!line || (size_t) (end - ++line) <= word || memcmp (line, level_word, word))
    return false;
  for (line += word; line < end && (*line == ' ' || *line == '\t');)
    line++;
  const size_t used = kir_label_length (line, (size_t) (end - line));
  if (!used || used >= KIR_LABEL_SIZE)
    return false;
  memcpy (label, line, used);
  label[used] = 0;
  return true;
}

size_t kir_label_length (const char *text, size_t length) {
  size_t used = 0;
  while (used < length
         && ((text[used] >= 'a' && text[used] <= 'z') || (text[used] >= '0' && text[used] <= '9') || text[used] == '-'))
    used++;
  return used;
}

bool kir_is_text (char byte) {
  return (unsigned char) byte >= ' ' && byte != 127;
}
