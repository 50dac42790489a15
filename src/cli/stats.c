// krait stats: what is in a history, for people and for programs.

#include "cli/cli.h"
#include "formats/tree.h"
#include "history/statistics.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------ people

static void print_kinds (const struct history *h, const struct history_statistics *s) {
  printf ("operations       %" PRIu32, history_ops (h));
  const char *before = " (";
  for (int kind = 0; kind < OP_KINDS; kind++)
    if (s->by_kind[kind]) {
      printf ("%s%" PRIu64 " %s", before, s->by_kind[kind], op_kind_name ((enum op_kind) kind));
      before = ", ";
    }
  printf (history_ops (h) ? ")\n" : "\n");
}

static void print_repeated (const struct history_statistics *s) {
  if (s->repeated_pairs)
    printf ("repeated values  %" PRIu64 " of %" PRIu64 " written (key, value) pairs, one of them %" PRIu64 " times\n",
            s->repeated_pairs, s->written_pairs, s->most_repeated);
  else
    printf ("repeated values  none: every write to a key has a value of its own\n");
}

static void print_overlaps (const struct history *h, const struct history_statistics *s) {
  if (!s->timed) {
    printf ("concurrency      not known: no transaction has a begin and an end time\n");
    return;
  }
  printf ("concurrency      a transaction overlaps %" PRIu64 " others in the median, %" PRIu64 " at most",
          s->overlap_median, s->overlap_most);
  if (s->timed < history_txns (h))
    printf (" (of %" PRIu64 " that have both times)", s->timed);
  printf ("\n");
}

static void print_statistics (const struct history *h, const struct history_statistics *s) {
  printf ("history          %s\n", h->name);
  if (h->source)
    printf ("source           %s\n", h->source);
  printf ("transactions     %" PRIu32 " (%" PRIu64 " committed, %" PRIu64 " aborted, %" PRIu64 " unknown)\n",
          history_txns (h), s->by_status[TXN_COMMITTED], s->by_status[TXN_ABORTED], s->by_status[TXN_UNKNOWN]);
  printf ("sessions         %" PRIu32 "\n", history_sessions (h));
  printf ("keys             %" PRIu32 "\n", history_keys (h));
  print_kinds (h, s);
  print_repeated (s);
  print_overlaps (h, s);
  printf ("memory           %" PRIu64 " bytes, %.1f per operation\n", s->bytes,
          history_ops (h) ? (double) s->bytes / (double) history_ops (h) : 0);
}

// ---------------------------------------------------------------------------------------- programs

static void add_groups (struct tree *tree, const struct history_statistics *s) {
  tree_open (tree, "statuses", '{');
  tree_unsigned (tree, "committed", s->by_status[TXN_COMMITTED]);
  tree_unsigned (tree, "aborted", s->by_status[TXN_ABORTED]);
  tree_unsigned (tree, "unknown", s->by_status[TXN_UNKNOWN]);
  tree_close (tree, '}');
  tree_open (tree, "kinds", '{');
  for (int kind = 0; kind < OP_KINDS; kind++)
    tree_unsigned (tree, op_kind_name ((enum op_kind) kind), s->by_kind[kind]);
  tree_close (tree, '}');
  tree_open (tree, "repeatedValues", '{');
  tree_unsigned (tree, "written", s->written_pairs);
  tree_unsigned (tree, "repeated", s->repeated_pairs);
  tree_unsigned (tree, "most", s->most_repeated);
  tree_close (tree, '}');
}

static void add_concurrency (struct tree *tree, const struct history_statistics *s) {
  if (!s->timed) {
    tree_null (tree, "concurrency");
    return;
  }
  tree_open (tree, "concurrency", '{');
  tree_unsigned (tree, "timed", s->timed);
  tree_unsigned (tree, "median", s->overlap_median);
  tree_unsigned (tree, "most", s->overlap_most);
  tree_close (tree, '}');
}

static void print_json (const struct history *h, const struct history_statistics *s) {
  struct text text = { 0 };
  struct tree tree = { .text = &text, .dialect = TREE_JSON };
  tree_open (&tree, NULL, '{');
  tree_unsigned (&tree, "schema", 1);
  tree_string (&tree, "history", h->name);
  tree_string (&tree, "source", h->source);
  tree_unsigned (&tree, "transactions", history_txns (h));
  tree_unsigned (&tree, "sessions", history_sessions (h));
  tree_unsigned (&tree, "keys", history_keys (h));
  tree_unsigned (&tree, "operations", history_ops (h));
  add_groups (&tree, s);
  add_concurrency (&tree, s);
  tree_unsigned (&tree, "bytes", s->bytes);
  tree_close (&tree, '}');
  text_char (&text, '\n');
  fwrite (text.data, 1, text.count, stdout);
  VEC_FREE (text);
}

// ----------------------------------------------------------------------------------------- command

static int stats_one (const struct options *options, const char *path, bool *first) {
  struct error error = { 0 };
  struct history *h = history_read_what_can_be (path, options->format, options->ignore_unreadable, &error);
  if (!h)
    return fail (&error);
  print_history_warnings (h);
  const struct history_statistics s = history_count (h);
  if (options->json)
    print_json (h, &s);
  else {
    printf ("%s", *first ? "" : "\n");
    *first = false;
    print_statistics (h, &s);
  }
  history_free (h);
  return EXIT_VALID;
}

int command_stats (const struct options *options) {
  if (!options->argument_count)
    return usage_error ("stats: a history is missing: krait stats HISTORY...");
  int code = EXIT_VALID;
  bool first = true;
  for (int i = 0; i < options->argument_count && !atomic_load (&interrupted); i++)
    code = exit_code_of_both (code, stats_one (options, options->arguments[i], &first));
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}
