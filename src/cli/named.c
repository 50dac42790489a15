#include "cli/named.h"

#include "cli/suggest.h"

const struct format *target_format (const char *name, struct error *error) {
  const struct format *format = format_find (name);
  if (format && format_can_write (format))
    return format;
  if (format) {
    error_set (error, "--to=%s: histories of this format can only be read", name);
    return NULL;
  }
  struct suggestion near = suggestion_for (name);
  for (size_t i = 0; formats[i]; i++)
    if (format_can_write (formats[i]))
      suggestion_offer (&near, formats[i]->name);
  error_set (error, "--to=%s: no such format%s (krait --help lists them)", name, suggestion_words (&near, ""));
  return NULL;
}

// The length before ".ending", or 0 if the path ends otherwise.
static size_t length_before (const char *path, size_t length, const char *ending) {
  const size_t wanted = strlen (ending);
  const bool ends =
    length > wanted + 1 && path[length - wanted - 1] == '.' && !strncmp (path + length - wanted, ending, wanted);
  return ends ? length - wanted - 1 : 0;
}

bool is_named_after (const char *path, const struct format *format) {
  return length_before (path, strlen (path), format->name);
}

const struct format *target_format_of_path (const char *path) {
  size_t length = strlen (path);
  static const char *const packed[] = { "gz", "zst" };
  for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
    const size_t plain = length_before (path, length, packed[i]);
    length = plain ? plain : length;
  }
  for (size_t i = 0; formats[i]; i++)
    if (format_can_write (formats[i]) && !format_is_folder (formats[i])
        && length_before (path, length, formats[i]->name))
      return formats[i];
  return &format_jsonl;
}

const struct workload *workload_named (const char *name, struct error *error) {
  const struct workload *workload = workload_find (name);
  if (workload)
    return workload;
  struct suggestion near = suggestion_for (name);
  for (size_t i = 0; workloads[i].name; i++)
    suggestion_offer (&near, workloads[i].name);
  error_set (error, "--workload=%s: no such workload%s (krait generate --help lists them)", name,
             suggestion_words (&near, ""));
  return NULL;
}

struct workload_options workload_options_of (const struct options *options) {
  return (struct workload_options){
    .keys = options->keys,
    .operations = options->operations,
    .reads = options->reads,
    .repetition = options->repetition,
    .values = options->values,
  };
}

bool modules_load (module_vec *modules, const struct options *options, struct error *error) {
  for (size_t i = 0; i < options->module.count; i++) {
    const struct module *module = module_load (options->module.data[i], error);
    if (!module)
      return false;
    VEC_PUSH (*modules, module);
  }
  return true;
}

void modules_free (module_vec *modules) {
  for (size_t i = 0; i < modules->count; i++)
    module_free ((struct module *) modules->data[i]);
  VEC_FREE (*modules);
}

struct check_options check_options_of (const struct options *options, const module_vec *modules) {
  struct check_options check;
  check_options_default (&check);
  check.dialect = options->dialect;
  check.modules = modules ? modules->data : NULL;
  check.module_count = modules ? modules->count : 0;
  check.own_writes = (enum own_writes) options->own_writes;
  check.clock_skew = (int64_t) options->clock_skew;
  check.trust_commit_ts = options->trust_commit_ts;
  check.encoding = options->encoding;
  check.steps.saturation = !options->no_saturation;
  return check;
}
