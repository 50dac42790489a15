// Damaged histories of every format, in one process and the same each time:
//
//   mutate_formats [COUNT [SEED [FORMAT [FIRST]]]]
//
// COUNT inputs per format are made from small valid histories: cut, flipped, spliced, or random altogether. Each is either read, and
// then keeps its meaning through krait binary, or refused with one line that names the file. Nothing leaks. A failure prints the number
// of its input; with FORMAT and FIRST that one is run again alone.

#include "base/input.h"
#include "base/output.h"
#include "formats/formats.h"
#include "tests/brute/prng.h"
#include "tests/support/history_equal.h"
#include "tests/support/krt_seal.h"
#include "tests/support/sample_history.h"
#include "tests/support/scratch.h"
#include "tests/support/trace_seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_COUNT = 3000, SEEDS = 40, LONGEST = 1 << 16 };

struct bytes {
  char data[LONGEST];
  size_t length;
};

static struct bytes seeds[SEEDS];
static struct bytes input;

// --- Inputs -----------------------------------------------------------------

static enum sample_kind sample_for (const struct format *format) {
  if (format == &format_cobra)
    return SAMPLE_COBRA;
  if (format == &format_dbcop)
    return SAMPLE_DBCOP;
  if (format == &format_jepsen_json)
    return SAMPLE_JEPSEN;
  return format == &format_plume ? SAMPLE_PLUME : SAMPLE_FULL;
}

static void keep (struct bytes *to, const char *from, size_t length) {
  to->length = length < LONGEST ? length : LONGEST;
  memcpy (to->data, from, to->length);
}

// The file of a session, in a folder of the format's own.
static const char *session_path (const char *folder, const struct format *format, uint64_t session) {
  char name[64];
  const bool trace = format == &format_trace;
  snprintf (name, sizeof name, "%s-%s/%s%llu%s", folder, format->name, trace ? "" : "T", (unsigned long long) session,
            trace ? ".ktr" : ".log");
  return scratch_path (name);
}

static const char *folder_path (const char *folder, const struct format *format) {
  char name[64];
  snprintf (name, sizeof name, "%s-%s", folder, format->name);
  return scratch_path (name);
}

// Sessions are files of their own; the first one of each history is a seed.
static bool seed_from_folder (struct bytes *seed, const struct history *h, const struct format *format) {
  struct error error = { 0 };
  if (!history_txns (h) || !history_write (h, folder_path ("seed", format), format, true, &error))
    return false;
  struct input *file = input_open (session_path ("seed", format, h->session_labels.data[0]), &error);
  size_t length = 0;
  const char *bytes = file ? input_all (file, &length, &error) : NULL;
  if (bytes)
    keep (seed, bytes, length);
  input_close (file);
  return length > 0;
}

static bool seed_from_file (struct bytes *seed, const struct history *h, const struct format *format) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  size_t length = 0;
  if (format->write (h, output, &error)) {
    const char *bytes = output_memory (output, &length);
    keep (seed, bytes, length);
  }
  output_discard (output);
  return length > 0;
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
  { &format_awdit, "w 0 1\nw 1 -2\n-----\nr 0 1\n=====\nr 1 18446744073709551615\n\n-----\n" },
  { &format_viper, "{\"value\": [[\"w\", 9696, -5, true], [\"r\", 3, null, false]]}\n{\"value\": []}\n" },
  { &format_timekiller,
    "[{\"tid\":5,\"sid\":3,\"sts\":{\"p\":\"17\",\"l\":0},\"cts\":{\"p\":18,\"l\":1},\"ops\":[{\"t\":\"r\",\"k\":1,"
    "\"v\":0},\n{\"t\":\"w\",\"k\":1,\"v\":2}]},{\"sid\":3,\"ops\":[{\"t\":\"a\",\"k\":2,\"v\":5},{\"t\":\"r\",\"k\":2,"
    "\"v\":[5]}]}]" },
};

static bool seeds_from_texts (const struct format *format) {
  const size_t count = sizeof texts / sizeof *texts;
  size_t made = 0;
  for (size_t i = 0; made < SEEDS && (made || i < count); i++)
    if (texts[i % count].format == format)
      keep (&seeds[made++], texts[i % count].text, strlen (texts[i % count].text));
  return made == SEEDS;
}

static bool make_seeds (const struct format *format) {
  if (!format->can_write)
    return seeds_from_texts (format);
  unsigned made = 0;
  for (uint64_t number = 0; made < SEEDS && number < 20 * SEEDS; number++) {
    struct history *h = sample_history (sample_for (format), number);
    made += format->is_folder ? seed_from_folder (&seeds[made], h, format) : seed_from_file (&seeds[made], h, format);
    history_free (h);
  }
  return made == SEEDS;
}

static void flip (struct prng *random) {
  for (unsigned i = 1 + prng_below (random, 3); input.length && i; i--)
    input.data[prng_below (random, (unsigned) input.length)] ^= (char) (1 << prng_below (random, 8));
}

static void overwrite (struct prng *random) {
  static const char interesting[] = { 0,   1,   0x7f, (char) 0x80, (char) 0xff, '{', '}', '[',
                                      ']', '"', '\\', '\n',        ' ',         '-', '0', '9' };
  for (unsigned i = 1 + prng_below (random, 4); input.length && i; i--)
    input.data[prng_below (random, (unsigned) input.length)] = interesting[prng_below (random, sizeof interesting)];
}

// Puts a piece of a seed in the place of a piece of the input; with an empty piece of either it inserts or removes.
static void splice (struct prng *random, const struct bytes *other) {
  static char tail[LONGEST];
  const size_t at = prng_below (random, (unsigned) input.length + 1);
  size_t gone = prng_chance (random, 30) ? 0 : prng_below (random, 64);
  if (gone > input.length - at)
    gone = input.length - at;
  const size_t from = prng_below (random, (unsigned) other->length + 1);
  size_t piece = prng_chance (random, 20) ? 0 : prng_below (random, 200);
  if (piece > other->length - from)
    piece = other->length - from;
  const size_t tail_length = input.length - at - gone;
  if (at + piece + tail_length > LONGEST)
    return;
  memcpy (tail, input.data + at + gone, tail_length);
  memcpy (input.data + at, other->data + from, piece);
  memcpy (input.data + at + piece, tail, tail_length);
  input.length = at + piece + tail_length;
}

static void randomize (struct prng *random) {
  const size_t kept = prng_chance (random, 50) ? prng_below (random, (unsigned) input.length + 1) : 0;
  input.length = kept + prng_below (random, 300);
  if (input.length > LONGEST)
    input.length = LONGEST;
  for (size_t i = kept; i < input.length; i++)
    input.data[i] = (char) prng_next (random);
}

static void mutate (struct prng *random) {
  const struct bytes *seed = &seeds[prng_below (random, SEEDS)];
  keep (&input, seed->data, seed->length);
  for (unsigned steps = 1 + prng_below (random, 3); steps; steps--)
    switch (prng_below (random, 6)) {
    case 0: input.length = prng_below (random, (unsigned) input.length + 1); break;
    case 1: flip (random); break;
    case 2: overwrite (random); break;
    case 3: randomize (random); break;
    default: splice (random, &seeds[prng_below (random, SEEDS)]); break;
    }
}

// --- Checks -----------------------------------------------------------------

static const char *check_kept (const struct history *h, const struct format *format) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  size_t length;
  const char *wrong = "cannot be written again";
  if (format->write (h, output, &error)) {
    const char *bytes = output_memory (output, &length);
    struct history *back = history_read_memory ("back", bytes, length, format, &error);
    wrong = back ? history_difference (h, back) : error.text;
    history_free (back);
  }
  output_discard (output);
  if (wrong)
    fprintf (stderr, "  through %s: %s\n", format->name, wrong);
  return wrong ? "does not keep its meaning" : NULL;
}

static const char *check_read (const struct history *h, const struct format *format) {
  const char *why;
  if (!history_validate (h, &why))
    return why;
  const char *wrong = check_kept (h, &format_krt);
  // Krait's own formats hold everything.
  return wrong || (format != &format_jsonl && format != &format_kht) ? wrong : check_kept (h, format);
}

static const char *check_error (const struct error *error, const char *name) {
  if (!error->code || !*error->text)
    return "refused without a reason";
  if (strchr (error->text, '\n'))
    return "an error of several lines";
  return strstr (error->text, name) ? NULL : "an error without the file's name";
}

static struct history *read_as_file (const struct format *format, bool by_content, struct error *error) {
  // A block of just that length, so that a sanitizer sees a read beyond.
  char *copy = mem_alloc (input.length);
  memcpy (copy, input.data, input.length);
  struct history *h = history_read_memory ("mutated", copy, input.length, by_content ? NULL : format, error);
  mem_free (copy);
  return h;
}

static struct history *read_as_folder (const struct format *format, bool by_content, struct error *error) {
  const char *path = session_path ("mutated", format, 1);
  mkdir (folder_path ("mutated", format), 0777);
  unlink (path); // some file systems wait for the disk when a file is written over
  FILE *file = fopen (path, "wb");
  if (!file || fwrite (input.data, 1, input.length, file) != input.length || fclose (file))
    misuse (__func__, "cannot write a temporary file");
  return history_read (folder_path ("mutated", format), by_content ? NULL : format, error);
}

static const char *run_one (const struct format *format, struct prng *random) {
  mutate (random);
  if (format == &format_krt && prng_chance (random, 50))
    krt_seal (input.data, input.length);
  if (format == &format_trace && prng_chance (random, 70))
    trace_seal (input.data, input.length);
  const bool by_content = prng_chance (random, 30);
  const size_t before = mem_in_use ();
  struct error error = { 0 };
  struct history *h =
    format->is_folder ? read_as_folder (format, by_content, &error) : read_as_file (format, by_content, &error);
  const char *wrong = h ? check_read (h, format) : check_error (&error, "mutated");
  if (wrong && !h)
    fprintf (stderr, "  %s\n", error.text);
  history_free (h);
  return wrong || mem_in_use () == before ? wrong : "memory is not given back";
}

static unsigned long long run_format (const struct format *format, uint64_t first, uint64_t count, uint64_t seed) {
  if (!make_seeds (format)) {
    fprintf (stderr, "%s: not enough histories to start from\n", format->name);
    return 1;
  }
  unsigned long long failures = 0;
  for (uint64_t i = first; i < first + count; i++) {
    struct prng random = prng_fork (seed, i);
    const char *wrong = run_one (format, &random);
    if (!wrong)
      continue;
    failures++;
    fprintf (stderr, "%s, input %llu of seed %llu: %s\n", format->name, (unsigned long long) i,
             (unsigned long long) seed, wrong);
  }
  return failures;
}

int main (int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull (argv[1], NULL, 10) : DEFAULT_COUNT;
  const uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  const struct format *only = argc > 3 ? format_find (argv[3]) : NULL;
  const uint64_t first = argc > 4 ? strtoull (argv[4], NULL, 10) : 0;
  if (argc > 3 && !only) {
    fprintf (stderr, "no format %s\n", argv[3]);
    return 2;
  }
  if (getenv ("KRAIT_TEST_LONG") && argc < 2)
    count *= 100;
  unsigned long long failures = 0, inputs = 0;
  for (size_t i = 0; formats[i]; i++) {
    if (only && only != formats[i])
      continue;
    failures += run_format (formats[i], first, argc > 4 ? 1 : count, seed);
    inputs += argc > 4 ? 1 : count;
  }
  printf ("%llu passed, %llu failed, 0 skipped\n", inputs - failures, failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
