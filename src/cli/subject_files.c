#include "cli/subject_files.h"

#include "base/input.h"
#include "formats/formats.h"
#include "history/override.h"

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

// ------------------------------------------------------------------------------------------ --init

static bool is_number (const char *text) {
  text += *text == '-';
  return *text && strspn (text, "0123456789") == strlen (text);
}

static const char *init_file (const char *text) {
  struct stat status;
  if (text[0] == '@')
    return text + 1;
  if (!strcmp (text, "absent") || !strcmp (text, "any") || is_number (text))
    return NULL;
  return !stat (text, &status) && S_ISREG (status.st_mode) ? text : NULL;
}

// Only the first line is read: the rest may be a large history.
static struct history *read_header (const char *path, struct error *error) {
  struct input *input = input_open (path, error);
  if (!input)
    return NULL;
  const char *line;
  size_t length;
  struct history *h = NULL;
  if (input_line (input, &line, &length, error))
    h = history_read_memory (path, line, length, format_find ("jsonl"), error);
  else
    error_set (error, "%.400s: an empty file has no initial state", path);
  input_close (input);
  if (h && history_txns (h)) {
    error_set (error, "%.400s:1: expected a header with the initial state, found a transaction", path);
    history_free (h);
    h = NULL;
  }
  return h;
}

bool init_option_read (struct init_option *init, const char *text, struct error *error) {
  *init = (struct init_option){ .text = text };
  const char *file = text ? init_file (text) : NULL;
  if (file)
    init->from = read_header (file, error);
  return !file || init->from;
}

bool init_option_apply (const struct init_option *init, struct history *h, struct error *error) {
  const char *why = "?";
  if (!init->text)
    return true;
  const bool fine = init->from ? history_copy_init (h, init->from, &why) : history_override_init (h, init->text, &why);
  return fine || error_set (error, "%.400s: --init: %s", h->name, why);
}

void init_option_free (struct init_option *init) {
  history_free (init->from);
}
