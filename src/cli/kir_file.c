#include "cli/kir_file.h"

#include "base/input.h"
#include "ir/kir.h"
#include "levels/levels.h"

#include <sys/stat.h>

// Looks at the first bytes, if it is a .kir file.
static bool peek (const char *path, const struct level **level) {
  struct stat status;
  struct error ignored = { 0 };
  char label[KIR_LABEL_SIZE];
  *level = NULL;
  if (stat (path, &status) || !S_ISREG (status.st_mode))
    return false;
  struct input *input = input_open (path, &ignored);
  if (!input)
    return false;
  size_t length;
  const char *head = input_peek (input, &length, &ignored);
  const bool is = head && kir_probe (head, length);
  if (is)
    *level = kir_probe_label (head, length, label) ? level_find (label) : NULL;
  input_close (input);
  return is;
}

bool is_kir_file (const char *path) {
  const struct level *level;
  return peek (path, &level);
}

const struct level *kir_file_level (const char *path) {
  const struct level *level;
  return peek (path, &level) ? level : NULL;
}

struct ir *read_kir_file (const char *path, struct error *error) {
  struct input *input = input_open (path, error);
  if (!input)
    return NULL;
  struct ir *ir = kir_read (input, error);
  input_close (input);
  return ir;
}
