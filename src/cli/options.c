#include "cli/options.h"

#include "cli/quantities.h"
#include "cli/suggest.h"
#include "cnf/acyclicity.h"
#include "cnf/encodings.h"

const struct command_row command_rows[COMMANDS] = {
#define COMMAND(name, arguments, summary) { #name, arguments, summary },
#include "cli/commands.def"
#undef COMMAND
};

const struct option_row option_rows[] = {
#define OPTION(member, name, kind, initial, low, high, value, commands, where, help)                                   \
  { name, value, commands, WHERE_##where, help },
#include "cli/options.def"
#undef OPTION
};
const size_t option_row_count = sizeof option_rows / sizeof *option_rows;

// One parser per kind. Each is given the option's name and the text behind the `=`, and leaves the
// member alone when it fails.

static bool parse_choice (const char *name, const char *text, const char *words, unsigned *to, struct error *error) {
  unsigned number = 0;
  struct suggestion near = suggestion_for (text);
  for (const char *at = words;; number++) {
    const size_t length = strcspn (at, "|");
    if (strlen (text) == length && !strncmp (at, text, length)) {
      *to = number;
      return true;
    }
    suggestion_offer_part (&near, at, length);
    at += length;
    if (!*at++)
      break;
  }
  return error_set (error, "--%s=%s: expected one of %s%s", name, text, words, suggestion_words (&near, ""));
}

static bool parse_format (const char *name, const char *text, const struct format **to, struct error *error) {
  *to = format_find (text);
  if (*to)
    return true;
  struct suggestion near = suggestion_for (text);
  for (size_t i = 0; formats[i]; i++)
    suggestion_offer (&near, formats[i]->name);
  return error_set (error, "--%s=%s: no such format%s (krait --version lists them)", name, text,
                    suggestion_words (&near, ""));
}

static bool parse_dialect (const char *name, const char *text, const struct dialect **to, struct error *error) {
  *to = dialect_find (text);
  if (*to)
    return true;
  struct suggestion near = suggestion_for (text);
  for (size_t i = 0; dialects[i]; i++)
    suggestion_offer (&near, dialects[i]->name);
  return error_set (error, "--%s=%s: no such dialect%s (krait check --help lists them)", name, text,
                    suggestion_words (&near, ""));
}

static bool parse_encoding (const char *name, const char *text, const struct encoding **to, struct error *error) {
  *to = encoding_find (text);
  if (*to)
    return true;
  struct suggestion near = suggestion_for (text);
  for (size_t i = 0; encodings[i].name; i++)
    suggestion_offer (&near, encodings[i].name);
  return error_set (error, "--%s=%s: no such encoding%s (krait encode --help lists them)", name, text,
                    suggestion_words (&near, ""));
}

static bool parse_acyclicity (const char *name, const char *text, const struct acyclicity **to, struct error *error) {
  *to = acyclicity_find (text);
  if (*to)
    return true;
  struct suggestion near = suggestion_for (text);
  for (size_t i = 0; acyclicities[i].name; i++)
    suggestion_offer (&near, acyclicities[i].name);
  return error_set (error, "--%s=%s: no such way to say it%s (krait encode --help lists them)", name, text,
                    suggestion_words (&near, ""));
}

static bool parse_text (const char *name, const char *text, const char **to, struct error *error) {
  if (!*text)
    return error_set (error, "--%s=: a value is missing", name);
  *to = text;
  return true;
}

static bool parse_texts (const char *name, const char *text, text_list *to, struct error *error) {
  const char *one = NULL;
  if (!parse_text (name, text, &one, error))
    return false;
  VEC_PUSH (*to, one);
  return true;
}

#define PARSE_FLAG(name, low, high, value, to) (*(to) = true)
#define PARSE_TEXT(name, low, high, value, to) parse_text (name, text, to, error)
#define PARSE_TEXTS(name, low, high, value, to) parse_texts (name, text, to, error)
#define PARSE_CHOICE(name, low, high, value, to) parse_choice (name, text, value, to, error)
#define PARSE_FORMAT(name, low, high, value, to) parse_format (name, text, to, error)
#define PARSE_DIALECT(name, low, high, value, to) parse_dialect (name, text, to, error)
#define PARSE_ENCODING(name, low, high, value, to) parse_encoding (name, text, to, error)
#define PARSE_ACYCLICITY(name, low, high, value, to) parse_acyclicity (name, text, to, error)
#define PARSE_COUNT(name, low, high, value, to) parse_count (name, text, low, high, to, error)
#define PARSE_BYTES(name, low, high, value, to) parse_bytes (name, text, low, high, to, error)
#define PARSE_SHARE(name, low, high, value, to) parse_real (name, text, "a share", low, high, to, error)
#define PARSE_SECONDS(name, low, high, value, to) parse_real (name, text, "seconds", low, high, to, error)

// Two commands may have an option of the same name, each with its own row.
static bool set_option (struct options *options, unsigned command, const char *name, const char *text,
                        struct error *error) {
#define OPTION(member, spelled, kind, initial, low, high, value, commands, where, help)                                \
  if (1u << command & (commands) && !strcmp (name, spelled))                                                           \
    return PARSE_##kind (spelled, low, high, value, &options->member);
#include "cli/options.def"
#undef OPTION
  return false;
}

static const struct option_row *find_row (const char *name, size_t length, unsigned commands) {
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].commands & commands && strlen (option_rows[i].name) == length
        && !strncmp (option_rows[i].name, name, length))
      return &option_rows[i];
  return NULL;
}

static bool unknown_option (enum command_id command, const char *word, size_t length, struct error *error) {
  const struct option_row *elsewhere = find_row (word + 2, length, ~0u);
  if (elsewhere)
    return error_set (error, "%s: %.*s is not an option of %s", command_rows[command].name, (int) length + 2, word,
                      command_rows[command].name);
  char name[128];
  snprintf (name, sizeof name, "%.*s", (int) length, word + 2);
  struct suggestion near = suggestion_for (name);
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].commands & 1u << command)
      suggestion_offer (&near, option_rows[i].name);
  return error_set (error, "%s: unknown option --%s%s", command_rows[command].name, name,
                    suggestion_words (&near, "--"));
}

static bool parse_word (struct options *options, enum command_id command, const char *word, struct error *error) {
  const size_t length = strcspn (word + 2, "=");
  const char *text = word[2 + length] ? word + 2 + length + 1 : NULL;
  const struct option_row *row = find_row (word + 2, length, 1u << command);
  if (!row)
    return unknown_option (command, word, length, error);
  if (!row->value && text)
    return error_set (error, "%s: --%s takes no value", command_rows[command].name, row->name);
  if (row->value && !text)
    return error_set (error, "%s: --%s needs a value: --%s=%s", command_rows[command].name, row->name, row->name,
                      row->value);
  options->output_given |= !strcmp (row->name, "output");
  return set_option (options, command, row->name, text, error);
}

static bool parse_short (struct options *options, enum command_id command, const char *word, struct error *error) {
  if (strcmp (word, "-h"))
    return error_set (error, "%s: unknown option %s (options are written --name=value)", command_rows[command].name,
                      word);
  options->short_help = true;
  return true;
}

bool options_parse (struct options *options, enum command_id command, const char **words, int count,
                    struct error *error) {
  *options = (struct options){
#define OPTION(member, name, kind, initial, low, high, value, commands, where, help) .member = initial,
#include "cli/options.def"
#undef OPTION
    .arguments = MEM_ZARRAY (const char *, (size_t) count + 1),
  };
  bool only_arguments = false;
  for (int i = 0; i < count; i++) {
    const char *word = words[i];
    if (only_arguments || word[0] != '-' || !word[1])
      options->arguments[options->argument_count++] = word;
    else if (!strcmp (word, "--"))
      only_arguments = true;
    else if (!(word[1] == '-' ? parse_word (options, command, word, error)
                              : parse_short (options, command, word, error)))
      return false;
  }
  return true;
}

void options_free (struct options *options) {
  mem_free (options->arguments);
  VEC_FREE (options->module);
}
