// Damaged histories of every format. Each is either read, and then keeps its meaning through krait
// binary (and through its own format, if that holds everything), or refused with one line that
// names the file and, in Krait's own text formats, the place.
//
// A folder is one input: its files are the parts. Files with checksums are tried as they are, and
// once more with checksums that fit.

#include "readers.h"

#include "base/input.h"
#include "base/output.h"
#include "formats/formats.h"
#include "tests/support/history_equal.h"
#include "tests/support/krt_seal.h"
#include "tests/support/random_ops.h"
#include "tests/support/sample_history.h"
#include "tests/support/scratch.h"
#include "tests/support/trace_seal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 5 };

// --- Reading ----------------------------------------------------------------

#define NAME "damaged"

// The file of a session, in a folder of the format's own.
static const char *session_path (const char *folder, const struct format *format, uint64_t session) {
  char name[96];
  const bool trace = format == &format_trace;
  snprintf (name, sizeof name, "%s-%s/%s%llu%s", folder, format->name,
            trace                     ? ""
            : format == &format_viper ? "J"
                                      : "T",
            (unsigned long long) session, trace ? ".ktr" : ".log");
  return scratch_path (name);
}

static const char *folder_path (const char *folder, const struct format *format) {
  char name[64];
  snprintf (name, sizeof name, "%s-%s", folder, format->name);
  return scratch_path (name);
}

static void write_file (const char *path, const struct fuzz_part *part) {
  unlink (path); // some file systems wait for the disk when a file is written over
  FILE *file = fopen (path, "wb");
  if (!file || fwrite (part->bytes, 1, part->length, file) != part->length || fclose (file))
    misuse (__func__, "cannot write a temporary file");
}

static struct history *read_as_folder (const struct format *format, const uint8_t *bytes, size_t length,
                                       struct error *error) {
  struct fuzz_parts parts = { bytes, bytes + length };
  struct fuzz_part part;
  unsigned files = 0;
  mkdir (folder_path (NAME, format), 0777);
  while (files < MOST_FILES && fuzz_next_part (&parts, &part))
    write_file (session_path (NAME, format, ++files), &part);
  // Of an input before.
  for (unsigned gone = files + 1; gone <= MOST_FILES && !unlink (session_path (NAME, format, gone)); gone++) {
  }
  return history_read (folder_path (NAME, format), format, error);
}

static bool has_parts (const uint8_t *bytes, size_t length) {
  struct fuzz_parts parts = { bytes, bytes + length };
  struct fuzz_part part;
  return fuzz_next_part (&parts, &part) && parts.next;
}

// --- What must hold -----------------------------------------------------------

static const char *check_kept (const struct history *h, const struct format *format) {
  static char message[sizeof (struct error) + 64];
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  const char *wrong = "cannot be written again";
  if (format->write (h, output, &error)) {
    size_t length;
    const char *bytes = output_memory (output, &length);
    struct history *back = history_read_memory ("back", bytes, length, format, &error);
    wrong = back ? history_difference (h, back) : error.text;
    if (wrong) // before what it points to is gone
      snprintf (message, sizeof message, "does not keep its meaning through %s: %s", format->name, wrong);
    history_free (back);
  } else
    snprintf (message, sizeof message, "cannot be written as %s: %s", format->name, error.text);
  output_discard (output);
  return wrong ? message : NULL;
}

static const char *check_read (const struct history *h, const struct format *format) {
  const char *why;
  if (!history_validate (h, &why))
    return why;
  const char *wrong = check_kept (h, &format_krt);
  // Krait's own formats hold everything.
  return wrong || (format != &format_jsonl && format != &format_kht) ? wrong : check_kept (h, format);
}

static const char *check_error (const struct error *error, const struct format *format) {
  const bool has_place = format == &format_jsonl || format == &format_kht;
  if (error->code != ERROR_INPUT || !*error->text)
    return "refused without a reason";
  if (strchr (error->text, '\n'))
    return "an error of several lines";
  if (!strstr (error->text, NAME))
    return "an error without the file's name";
  return !has_place || !strncmp (error->text, NAME ":", sizeof NAME) ? NULL : "an error without a place";
}

static const char *read_once (const struct format *format, const uint8_t *bytes, size_t length, bool *understood) {
  struct error error = { 0 };
  const bool folder = format && format->read_folder && (!format->read || has_parts (bytes, length));
  struct history *h =
    folder ? read_as_folder (format, bytes, length, &error) : history_read_memory (NAME, bytes, length, format, &error);
  const char *wrong = h ? check_read (h, format) : check_error (&error, format);
  if (wrong && !h)
    fprintf (stderr, "  %s\n", error.text);
  *understood |= h != NULL;
  history_free (h);
  return wrong;
}

// Whether there were checksums to be mended.
static bool seal (const struct format *format, uint8_t *bytes, size_t length) {
  if (format == &format_krt)
    krt_seal ((char *) bytes, length);
  else if (format == &format_trace) {
    struct fuzz_parts parts = { bytes, bytes + length };
    for (struct fuzz_part part; fuzz_next_part (&parts, &part);)
      trace_seal ((char *) bytes + (part.bytes - bytes), part.length);
  } else
    return false;
  return true;
}

static const char *run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  const char *wrong = read_once (target->format, bytes, length, understood);
  uint8_t *sealed = mem_alloc (length);
  if (length)
    memcpy (sealed, bytes, length);
  if (!wrong && seal (target->format, sealed, length) && memcmp (sealed, bytes, length))
    wrong = read_once (target->format, sealed, length, understood);
  mem_free (sealed);
  return wrong;
}

// --- Seeds ------------------------------------------------------------------

static enum sample_kind sample_for (const struct format *format) {
  if (format == &format_cobra)
    return SAMPLE_COBRA;
  if (format == &format_dbcop)
    return SAMPLE_DBCOP;
  if (format == &format_jepsen_json)
    return SAMPLE_JEPSEN;
  return format == &format_plume ? SAMPLE_PLUME : SAMPLE_FULL;
}

// The files of the first sessions.
static bool seed_from_folder (const struct history *h, const struct format *format, fuzz_bytes *seed) {
  struct error error = { 0 };
  if (!history_txns (h) || !history_write (h, folder_path ("seed", format), format, true, &error))
    return false;
  for (unsigned s = 0; s < history_sessions (h) && s < MOST_FILES; s++) {
    struct input *file = input_open (session_path ("seed", format, h->session_labels.data[s]), &error);
    size_t length = 0;
    const char *bytes = file ? input_all (file, &length, &error) : NULL;
    if (s)
      fuzz_append (seed, FUZZ_PART, FUZZ_PART_LENGTH);
    if (bytes)
      fuzz_append (seed, bytes, length);
    input_close (file);
  }
  return true;
}

static bool seed_from_file (const struct history *h, const struct format *format, fuzz_bytes *seed) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  const bool made = format->write (h, output, &error);
  size_t length;
  const char *bytes = output_memory (output, &length);
  if (made)
    fuzz_append (seed, bytes, length);
  output_discard (output);
  return made;
}

// Formats that cannot be written start from a few texts.
static const struct {
  const struct format *format;
  const char *text;
} texts[] = {
  { &format_jepsen, "{:type :invoke, :f :txn, :value [[:append 1 5] [:r 1 nil]], :process 0, :time 10, :index 0}\n"
                    "{:type :ok, :f :txn, :value [[:append 1 5] [:r 1 [5 6]]], :process 0, :time 30, :index 2}\n" },
  { &format_jepsen,
    "; words\n[#jepsen.history.Op{:type :info :process :nemesis :value [:isolated {\"n1\" #{\"n2\"}}]},\n"
    " #_#_ 1 2 {:type :fail, :process 1, :value [[:w :x \"a\\n\\u00e9\"] [:r \"y\"]], :error [\\a 1.5e3]}\n"
    " {:type :info :value nil :process 1} {:type :ok :process 1 :value ([:r -1 (1 2N)])}]" },
  { &format_jepsen, "{:type :invoke, :process 3, :index 7}\n{:type :invoke, :process 3, :index 6, :value [[:w 1 2]]}\n"
                    "{:type :ok, :value [[:r 1 2] [:r 1 []]]}\n{:type :ok, :f :dump, :process 4, :value {1 2}}\n" },
  { &format_jepsen, "{:type :invoke, :f :read, :value nil, :process 0}\n{:type :ok, :f :read, :value 3, :process 0}\n"
                    "{:type :invoke, :f :cas, :value [3 4], :process 1}\n{:type :fail, :f :cas, :value [3 4], "
                    ":process 1}\n" },
  { &format_awdit, "w 0 1\nw 1 -2\n-----\nr 0 1\n=====\nr 1 18446744073709551615\n\n-----\n" },
  { &format_awdit, "-----\nw 5 7\n=====\nr 5 7\nw 5 8\n-----\nr 5 8\n=====\n" },
  { &format_viper, "{\"value\": [[\"w\", 9696, -5, true], [\"r\", 3, null, false]]}\n{\"value\": []}\n" },
  { &format_viper,
    "{\"value\": [[\"w\", 1, 5, true]]}\n" FUZZ_PART "{\"value\": [[\"r\", 1, 5, false], [\"w\", \"k\", 6, true]]}\n" },
  { &format_timekiller,
    "[{\"tid\":5,\"sid\":3,\"sts\":{\"p\":\"17\",\"l\":0},\"cts\":{\"p\":18,\"l\":1},\"ops\":[{\"t\":\"r\",\"k\":1,"
    "\"v\":0},\n{\"t\":\"w\",\"k\":1,\"v\":2}]},{\"sid\":3,\"ops\":[{\"t\":\"a\",\"k\":2,\"v\":5},{\"t\":\"r\",\"k\":2,"
    "\"v\":[5]}]}]" },
};
enum { TEXTS = sizeof texts / sizeof *texts };

static bool seed_from_text (const struct format *format, uint64_t number, fuzz_bytes *seed) {
  const char *text = texts[number % TEXTS].text;
  if (texts[number % TEXTS].format != format)
    return false;
  fuzz_append (seed, text, strlen (text));
  return true;
}

static bool make_seed (const struct fuzz_target *target, uint64_t number, fuzz_bytes *seed) {
  const struct format *format = target->format;
  if (!format) { // anything that is a file
    format = formats[number % (FUZZ_READERS - 1)];
    if (!format->read)
      return false;
  }
  if (!format_can_write (format))
    return seed_from_text (format, number, seed);
  const bool strange = number % 2 && (format == &format_jsonl || format == &format_kht);
  struct history *h = strange ? random_ops_history (number) : sample_history (sample_for (format), number);
  const bool made = format_is_folder (format) ? seed_from_folder (h, format, seed) : seed_from_file (h, format, seed);
  history_free (h);
  return made;
}

// --- Words ------------------------------------------------------------------

static const char *const json_words[] = { "{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\\",
                                          "null",
                                          "true",
                                          "1",
                                          "-",
                                          "0",
                                          "1.5",
                                          "e9",
                                          "\n",
                                          " ",
                                          "\"b\"",
                                          "\"lock\"",
                                          "{}",
                                          "\\u12",
                                          "\xff",
                                          "\"s\":",
                                          "\"t\":",
                                          "\"st\":",
                                          "[\"get\",",
                                          "[\"scan\",",
                                          "{\"b64\":\"",
                                          "18446744073709551616",
                                          NULL };
static const char *const kht_words[] = {
  "{",    "}",      "[",     "]",   ";",      "->",      "@",    "=",
  "-",    "\"",     "\\",    "#",   " ",      "\n",      "nil",  "...",
  "none", "commit", "s1 ",   "T1 ", "1",      "x",       "-0",   "1.5",
  "\xff", "get ",   "scan ", "@[",  "hints=", "krait 1", "init", "18446744073709551616",
  NULL
};
static const char *const edn_words[] = {
  "{",      "}",       "[",      "]",        ":type", ":ok",  ":fail",
  ":info",  ":invoke", ":value", ":process", ":f",    ":txn", ":time",
  ":index", ":append", ":r",     ":w",       "nil",   "#_",   "#{",
  "(",      ")",       "\\a",    "\"",       "\n",    "1N",   "#jepsen.history.Op",
  NULL
};
static const char *const viper_words[] = { "{\"value\": [", "[\"w\", ", "[\"r\", ", "]", "}",       ", ", "true",
                                           "false",         "null",     "\n",       "1", FUZZ_PART, NULL };
static const char *const awdit_words[] = { "r ", "w ", "-----\n", "=====\n", "\n", " ", "-1", "18446744073709551616",
                                           NULL };
static const char *const part_words[] = { FUZZ_PART, NULL };

#define READER(place, called, words_, format_)                                                                         \
  [place] = { .name = called, .run = run, .seed = make_seed, .words = words_, .format = format_ }

const struct fuzz_target fuzz_readers[FUZZ_READERS] = {
  READER (FUZZ_JSONL, "jsonl", json_words, &format_jsonl),
  READER (FUZZ_KHT, "kht", kht_words, &format_kht),
  READER (FUZZ_KRT, "krt", NULL, &format_krt),
  READER (FUZZ_TRACE, "trace", part_words, &format_trace),
  READER (FUZZ_COBRA, "cobra", part_words, &format_cobra),
  READER (FUZZ_DBCOP, "dbcop", NULL, &format_dbcop),
  READER (FUZZ_PLUME, "plume", NULL, &format_plume),
  READER (FUZZ_JEPSEN, "jepsen", edn_words, &format_jepsen),
  READER (FUZZ_JEPSEN_JSON, "jepsen-json", json_words, &format_jepsen_json),
  READER (FUZZ_AWDIT, "awdit", awdit_words, &format_awdit),
  READER (FUZZ_VIPER, "viper", viper_words, &format_viper),
  READER (FUZZ_TIMEKILLER, "timekiller", json_words, &format_timekiller),
  READER (FUZZ_ANY, "any", NULL, NULL),
};
