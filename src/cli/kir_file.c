#include "cli/kir_file.h"

#include "base/input.h"
#include "ir/kir.h"

#include <sys/stat.h>

bool is_kir_file (const char *path, char label[KIR_LABEL_SIZE]) {
  struct stat status;
  struct error ignored = { 0 };
  *label = 0;
  if (stat (path, &status) || !S_ISREG (status.st_mode))
    return false;
  struct input *input = input_open (path, &ignored);
  if (!input)
    return false;
  size_t length;
  const char *head = input_peek (input, &length, &ignored);
  const bool is = head && kir_probe (head, length);
  if (is && !kir_probe_label (head, length, label))
    *label = 0;
  input_close (input);
  return is;
}

struct ir *read_kir_file (const char *path, struct error *error) {
  struct input *input = input_open (path, error);
  if (!input)
    return NULL;
  struct ir *ir = kir_read (input, error);
  input_close (input);
  return ir;
}
