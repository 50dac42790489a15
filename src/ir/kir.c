#include "ir/kir.h"

#include <stdio.h>
#include <string.h>

static const char first_word[] = "kir ";
static const char level_word[] = "level ";

bool kir_probe (const char *head, size_t length) {
  const size_t word = sizeof first_word - 1;
  return length > word && !memcmp (head, first_word, word) && head[word] >= '0' && head[word] <= '9';
}

const struct level *kir_probe_level (const char *head, size_t length) {
  const char *end = head + length;
  const char *line = length && kir_probe (head, length) ? memchr (head, '\n', length) : NULL;
  const size_t word = sizeof level_word - 1;
  if (!line || (size_t) (end - ++line) <= word || memcmp (line, level_word, word))
    return NULL;
  char name[64];
  size_t used = 0;
  line += word;
  while (line + used < end && used + 1 < sizeof name && line[used] > ' ') {
    name[used] = line[used];
    used++;
  }
  name[used] = 0;
  return level_find (name);
}

void kir_points (const struct level *level, char text[KIR_POINTS_SIZE]) {
  const struct {
    enum edge_kind kind;
    const struct edge_points *points;
  } all[] = {
    { EDGE_SO, &level->rules.so }, { EDGE_RT, &level->rules.rt }, { EDGE_WW, &level->rules.ww },
    { EDGE_WR, &level->rules.wr }, { EDGE_RW, &level->rules.rw },
  };
  size_t used = (size_t) snprintf (text, KIR_POINTS_SIZE, "%u", level->rules.points);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].points->used)
      used += (size_t) snprintf (text + used, KIR_POINTS_SIZE - used, " %s=%u>%u", edge_kind_name (all[i].kind),
                                 all[i].points->from, all[i].points->to);
}
