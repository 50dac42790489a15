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
  size_t used = 0;
  for (line += word; line + used < end && used + 1 < KIR_LABEL_SIZE && line[used] > ' '; used++)
    label[used] = line[used];
  label[used] = 0;
  return used != 0;
}
