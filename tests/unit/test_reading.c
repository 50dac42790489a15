// What makes reading quick, against what is plain: digits eight at a time, arrays in the place of
// hash tables, whole pieces of lines, and lines that take a short cut.

#include "base/digits.h"
#include "base/input.h"
#include "formats/formats.h"
#include "formats/text.h"
#include "greatest_main.h"
#include "history/distinct.h"
#include "history/id_set.h"
#include "tests/brute/prng.h"
#include "tests/support/history_equal.h"
#include "tests/support/scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- Digits ---

// Bytes that end where nothing can be read any more.
struct edge {
  char *page, *end;
  size_t size;
};

static struct edge edge_new (void) {
  const size_t size = (size_t) sysconf (_SC_PAGESIZE);
  char *page = mmap (NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || mprotect (page + size, size, PROT_NONE))
    misuse (__func__, "no memory");
  return (struct edge){ page, page + size, size };
}

static void edge_free (struct edge edge) {
  munmap (edge.page, 2 * edge.size);
}

static const char bytes_behind[] = { ',', ' ', '\n', 0, '/', ':', '-', '\x7f', '\x80', '\xb0', '\xff' };

static void put_digits (struct prng *random, char *to, size_t digits) {
  for (size_t i = 0; i < digits; i++)
    to[i] = (char) ('0' + (prng_chance (random, 30) ? 9 : prng_below (random, 10)));
}

TEST digits_are_read_at_every_place (void) {
  const struct edge edge = edge_new ();
  struct prng random = prng_fork (1, 2);
  for (int round = 0; round < 40; round++)
    for (size_t digits = 0; digits <= 24; digits++)
      for (size_t room = digits; room <= 40; room++) { // up to the end, hence at every alignment
        char *first = edge.end - room;
        memset (first, bytes_behind[prng_below (&random, sizeof bytes_behind)], room);
        put_digits (&random, first, digits);
        const char *at = first, *plain_at = first;
        const uint64_t number = digits_up_to (&at, edge.end);
        ASSERT_EQ (number, digits_one_by_one (&plain_at, edge.end, 0, 19));
        ASSERT_EQ (at, plain_at);
        if (room < DIGITS_ROOM)
          continue;
        uint64_t quick, plain;
        at = plain_at = first;
        const bool is_quick = digits_quick (&at, &quick);
        ASSERT_EQ (is_quick, digits_quick_anywhere (&plain_at, &plain));
        ASSERT_EQ (is_quick, digits > 0 && digits < 16);
        if (is_quick)
          ASSERT (quick == plain && quick == number && at == plain_at);
      }
  edge_free (edge);
  PASS ();
}

// --- Atoms and ids ---

enum { ATOMS = 3000 };

// Numbers in a row, with gaps, in any order, far apart, and all mixed.
static uint64_t draw_number (struct prng *random, unsigned shape, uint64_t i) {
  switch (shape) {
  case 0: return i;
  case 1: return i * 16 + prng_below (random, 40);
  case 2: return prng_below (random, ATOMS);
  case 3: return prng_next (random) >> prng_below (random, 64);
  case 4: return UINT64_MAX - prng_below (random, 50);
  default: return draw_number (random, prng_below (random, 5), prng_below (random, ATOMS));
  }
}

static struct atom draw_atom (struct prng *random, unsigned shape, uint64_t i, bool numbers_only) {
  const uint64_t number = draw_number (random, shape, i);
  if (numbers_only || prng_chance (random, 80))
    return atom_unsigned (number);
  if (prng_chance (random, 50))
    return atom_signed ((int64_t) (number | 1ull << 63));
  return atom_bytes ("abc", number % 4);
}

// As many as there is time for, each in one of three ways.
static bool interns_like_a_list (struct prng *random, unsigned shape, bool numbers_only) {
  enum { TOGETHER = 200 };
  struct atoms atoms = { 0 }, list = { 0 }; // `list` is only looked at from its beginning
  struct atom wanted[TOGETHER];
  uint64_t numbers[TOGETHER];
  uint32_t ids[TOGETHER];
  bool fine = true;
  for (uint64_t i = 0; fine && i < ATOMS / 10;) {
    const unsigned way = numbers_only ? prng_below (random, 3) : prng_below (random, 2);
    const unsigned count = way ? prng_between (random, 1, way == 1 ? 64 : TOGETHER) : 1;
    for (unsigned j = 0; j < count; j++, i++) {
      wanted[j] = draw_atom (random, shape, i, numbers_only);
      numbers[j] = wanted[j].number;
    }
    if (way == 0)
      ids[0] = atoms_intern (&atoms, wanted[0]);
    else if (way == 1)
      atoms_intern_all (&atoms, wanted, count, ids);
    else
      fine = atoms_intern_numbers (&atoms, numbers, count, ids) == count;
    for (unsigned j = 0; fine && j < count; j++) {
      uint32_t id = 0;
      while (id < atoms_count (&list) && atom_compare (atoms_get (&list, id), wanted[j]))
        id++;
      if (id == atoms_count (&list))
        fine = atoms_intern (&list, wanted[j]) == id;
      fine = fine && ids[j] == id;
    }
    if (prng_chance (random, 5)) // more may come afterwards
      atoms_seal (&atoms);
  }
  for (uint32_t id = 0; fine && id < atoms_count (&list); id++)
    fine =
      atoms_find (&atoms, atoms_get (&list, id)) == id && !atom_compare (atoms_get (&atoms, id), atoms_get (&list, id));
  fine = fine && atoms_count (&atoms) == atoms_count (&list) && atoms_distinct (&atoms);
  atoms_free (&atoms);
  atoms_free (&list);
  return fine;
}

TEST atoms_are_numbered_as_they_come (void) {
  struct prng random = prng_fork (3, 4);
  for (int round = 0; round < 60; round++)
    ASSERT (interns_like_a_list (&random, (unsigned) round % 6, round % 2));
  PASS ();
}

TEST small_numbers_are_kept_small (void) {
  struct atoms atoms = { 0 };
  atoms_intern (&atoms, atom_unsigned (UINT32_MAX));
  atoms_intern (&atoms, atom_unsigned (7));
  atoms_seal (&atoms);
  ASSERT (atoms.numbers.count == 2 && !atoms.kinds.count);
  ASSERT_EQ (2u, atoms_intern (&atoms, atom_unsigned (1ull << 32)));
  ASSERT_EQ (0u, atoms_intern (&atoms, atom_unsigned (UINT32_MAX)));
  atoms_seal (&atoms);
  ASSERT (!atoms.numbers.count && atoms.kinds.count == 3);
  atoms_free (&atoms);
  PASS ();
}

TEST an_id_comes_once (void) {
  struct prng random = prng_fork (5, 6);
  for (unsigned round = 0; round < 60; round++) {
    struct id_set set = { 0 };
    uint64_t ids[ATOMS / 4];
    size_t count = 0;
    for (uint64_t i = 0; i < ATOMS / 4; i++) {
      const uint64_t id = draw_number (&random, round % 6, i) << (round % 3 * 5);
      bool known = false;
      for (size_t j = 0; j < count && !known; j++)
        known = ids[j] == id;
      ASSERT_EQ (!known, id_set_add (&set, ids, count, id));
      if (!known)
        ids[count++] = id;
    }
    id_set_free (&set);
  }
  PASS ();
}

// --- Lines ---

// All lines of a file, one by one or in pieces, with what input_line takes away put back.
static struct text joined (const char *name, bool in_pieces) {
  struct text text = { 0 };
  struct error error = { 0 };
  struct input *input = input_open (scratch_path (name), &error);
  const char *line;
  size_t length;
  uint64_t lines = 0;
  while (in_pieces ? input_lines (input, lines, &line, &length, &error) : input_line (input, &line, &length, &error)) {
    text_bytes (&text, line, length);
    if (!in_pieces && !input_line_torn (input))
      text_char (&text, '\n');
    for (const char *at = line; in_pieces && at < line + length; at++)
      lines += *at == '\n';
  }
  input_close (input);
  text_unsigned (&text, (uint64_t) error.code);
  return text;
}

TEST pieces_are_the_lines (void) {
  struct prng random = prng_fork (7, 8);
  for (int round = 0; round < 12; round++) {
    FILE *file = fopen (scratch_path ("lines"), "w");
    ASSERT (file);
    const unsigned lines = prng_below (&random, round < 6 ? 10 : 40), longest = round % 3 ? 100 : 300000;
    for (unsigned i = 0; i < lines; i++)
      fprintf (file, "%0*u%s", (int) prng_between (&random, 1, longest), i, i + 1 < lines || round % 2 ? "\n" : "");
    fclose (file);
    struct text pieces = joined ("lines", true), single = joined ("lines", false);
    ASSERT (pieces.count == single.count && !memcmp (pieces.data, single.data, single.count));
    VEC_FREE (pieces);
    VEC_FREE (single);
  }
  PASS ();
}

// --- Short cuts ---

// The same operations twice: as a writer puts them, and with white space that only the long way
// takes.
struct pair {
  struct text quick, slow;
};

static void put (struct pair *pair, const char *quick, const char *slow) {
  text_string (&pair->quick, quick);
  text_string (&pair->slow, slow);
}

static void put_number (struct pair *pair, struct prng *random, bool negative) {
  char digits[32];
  const uint64_t number =
    prng_chance (random, 90) ? prng_below (random, 300) : prng_next (random) >> prng_below (random, 64);
  if (negative && prng_chance (random, 2))
    snprintf (digits, sizeof digits, "-%llu", (unsigned long long) (number >> 1));
  else
    snprintf (digits, sizeof digits, "%llu", (unsigned long long) number);
  put (pair, digits, digits);
}

static void put_plume (struct pair *pair, struct prng *random, uint64_t txn) {
  const bool aborted = prng_chance (random, 5);
  char tail[64];
  snprintf (tail, sizeof tail, ",%u,%lld)", prng_below (random, 3), aborted ? -1 : (long long) txn);
  put (pair, prng_chance (random, 50) ? "r(" : "w(", "");
  text_bytes (&pair->slow, pair->quick.data + pair->quick.count - 2, 2);
  text_char (&pair->slow, ' ');
  put_number (pair, random, true);
  put (pair, ",", " , ");
  put_number (pair, random, true);
  put (pair, tail, tail);
  put (pair, prng_chance (random, 3) ? "\r\n\n" : "\n", " \n");
  if (pair->quick.data[pair->quick.count - 2] == '\n') // a blank line
    text_char (&pair->slow, '\n');
}

static void put_awdit (struct pair *pair, struct prng *random, uint64_t txn) {
  (void) txn;
  if (prng_chance (random, 10)) {
    const char *rule = prng_chance (random, 30) ? "=====\n" : "---\n";
    put (pair, rule, rule);
    return;
  }
  const bool read = prng_chance (random, 50);
  put (pair, read ? "r " : "w ", read ? "r\t" : "w  ");
  put_number (pair, random, true);
  put (pair, " ", "  ");
  put_number (pair, random, true);
  put (pair, "\n", "\t\n");
}

static void put_string (struct pair *pair, struct prng *random) {
  static const char *const strings[] = { "x",       "nilly",   "a.b:c/d",  "\"\"",
                                         "\"nil\"", "\"a b\"", "\"\\\"\"", "\"\xc3\xa4\"" };
  const char *string = strings[prng_below (random, sizeof strings / sizeof *strings)];
  put (pair, string, string);
}

static void put_kht_ops (struct pair *pair, struct prng *random, uint64_t txn, bool strings) {
  char head[64];
  snprintf (head, sizeof head, "s%u T%llu {", prng_below (random, 3), (unsigned long long) txn);
  put (pair, head, head);
  const unsigned ops = prng_below (random, 4);
  for (unsigned i = 0; i < ops; i++) {
    const bool get = prng_chance (random, 50);
    put (pair, get ? " get " : " put ", get ? "\nget  " : " put\t");
    strings ? put_string (pair, random) : put_number (pair, random, true);
    put (pair, get ? " -> " : " ", get ? "->" : "  ");
    if (get && prng_chance (random, 30))
      put (pair, "nil", "nil");
    else
      prng_chance (random, 30) ? put_string (pair, random) : put_number (pair, random, true);
    if (prng_chance (random, 5))
      put (pair, " @[1 2]", " @[1 2]");
    put (pair, i + 1 < ops ? ";" : "", i + 1 < ops ? " ;" : "");
    if (prng_chance (random, 3) && i + 1 == ops)
      put (pair, strings ? "; del y" : "; del 5", strings ? "; del y" : "; del 5");
  }
  put (pair, " } commit\n", "}  commit\n");
}

static void put_kht (struct pair *pair, struct prng *random, uint64_t txn) {
  put_kht_ops (pair, random, txn, false);
}

static void put_kht_strings (struct pair *pair, struct prng *random, uint64_t txn) {
  put_kht_ops (pair, random, txn, true);
}

static struct history *read_exactly (struct text text, const struct format *format, struct error *error) {
  char *exact = mem_alloc (text.count); // sanitizers see what is read beyond
  memcpy (exact, text.data, text.count);
  struct history *h = history_read_memory ("test", exact, text.count, format, error);
  mem_free (exact);
  return h;
}

TEST short_cuts_lead_to_the_same (const struct format *format,
                                  void (*put_some) (struct pair *, struct prng *, uint64_t)) {
  struct prng random = prng_fork (9, 10);
  for (unsigned round = 0; round < 300; round++) {
    struct pair pair = { { 0 }, { 0 } };
    struct error error = { 0 };
    if (put_some == put_kht)
      put (&pair, "krait 1 keys=int\n", "krait 1 keys=int\n");
    if (put_some == put_kht_strings)
      put (&pair, "krait 1 keys=bytes\n", "krait 1 keys=bytes\n");
    const unsigned txns = prng_below (&random, round % 10 ? 30 : 600);
    for (unsigned txn = 1; txn <= txns; txn++)
      put_some (&pair, &random, txn);
    if (pair.quick.count) {
      struct history *quick = read_exactly (pair.quick, format, &error);
      ASSERTm (error.text, quick);
      struct history *slow = read_exactly (pair.slow, format, &error);
      ASSERTm (error.text, slow);
      ASSERT_EQ (NULL, history_difference (quick, slow));
      ASSERT_EQ (atoms_count (&quick->values), atoms_count (&slow->values));
      for (uint32_t op = 0; op < history_ops (quick); op++)
        ASSERT (quick->op_values.data[op] == slow->op_values.data[op]
                && quick->op_keys.data[op] == slow->op_keys.data[op]);
      history_free (quick);
      history_free (slow);
    }
    VEC_FREE (pair.quick);
    VEC_FREE (pair.slow);
  }
  PASS ();
}

// The first mistake is told with its line, wherever it is, and however many lines before it are
// still on their way.
TEST a_mistake_is_told_where_it_stands (void) {
  for (unsigned line = 1; line < 700; line += 23) {
    struct text text = { 0 };
    char expected[64];
    for (unsigned i = 1; i <= 700; i++)
      text_string (&text, i == line ? "w(1,2,3;4)\n" : i % 2 ? "w(1,2,3,4)\n" : "r(1,123456789012345,3,4)\n");
    struct error error = { 0 };
    ASSERT_FALSE (read_exactly (text, &format_plume, &error));
    snprintf (expected, sizeof expected, "test:%u:8: a comma expected", line);
    ASSERT_STR_EQ (expected, error.text);
    VEC_FREE (text);
  }
  PASS ();
}

SUITE (reading) {
  RUN_TEST (digits_are_read_at_every_place);
  RUN_TEST (atoms_are_numbered_as_they_come);
  RUN_TEST (small_numbers_are_kept_small);
  RUN_TEST (an_id_comes_once);
  RUN_TEST (pieces_are_the_lines);
  RUN_TESTp (short_cuts_lead_to_the_same, &format_plume, put_plume);
  RUN_TESTp (short_cuts_lead_to_the_same, &format_awdit, put_awdit);
  RUN_TESTp (short_cuts_lead_to_the_same, &format_kht, put_kht);
  RUN_TESTp (short_cuts_lead_to_the_same, &format_kht, put_kht_strings);
  RUN_TEST (a_mistake_is_told_where_it_stands);
}

KRAIT_UNIT_MAIN (RUN_SUITE (reading);)
