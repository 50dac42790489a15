// Help from the tables of commands, options and everything else that goes by a name, with examples
// that are worth typing.

#include "cli/options.h"

#include "cnf/acyclicity.h"
#include "cnf/encodings.h"
#include "drive/driver.h"
#include "generate/faults.h"
#include "generate/isolation.h"
#include "generate/workload.h"

#include <inttypes.h>

static const char *const examples[COMMANDS] = {
  [COMMAND_check] =
    "  Did the database keep its promise? The exit code says so too.\n"
    "    krait check --level=serializable run.jsonl\n\n"
    "  Session order must be kept as well (most users expect that).\n"
    "    krait check --level=strong-session-serializable run.jsonl\n\n"
    "  Which levels does this history satisfy?\n"
    "    krait check --level=all run.jsonl\n\n"
    "  A night's worth of histories in CI: at most a minute and 4 GiB for each.\n"
    "    krait check --level=strict-serializable --timeout=60 --memory=4G --output=junit --batch=runs >krait.xml\n\n"
    "  Straight from the tracer, through a pipe, for a program.\n"
    "    zstdcat run.jsonl.zst | krait check --level=ser --json - | jq .anomaly\n\n"
    "  The table was filled before tracing began: nobody knows with what.\n"
    "    krait check --level=ser --init=any run.jsonl\n\n"
    "  Clocks of different machines, at most 2 ms apart.\n"
    "    krait check --level=sser --clock-skew=2000000 run.jsonl\n\n"
    "  MariaDB at REPEATABLE READ, which is no level of the textbook.\n"
    "    krait check --level=strict-serializable --dialect=mariadb-rr run.jsonl\n\n"
    "  For somebody who does not take our word for it: what the verdict rests on.\n"
    "    krait check --level=ser --certificate=run.crt run.jsonl; krait-verify run.jsonl run.crt\n",
  [COMMAND_explain] =
    "  Why is this not serializable? The exit codes are those of check.\n"
    "    krait explain --level=serializable run.jsonl\n\n"
    "  To look at, and to send to somebody: one file that any browser opens, without a network. The arrow keys\n"
    "  go through the cycle step by step, a click on a transaction or an arrow tells more, ? helps.\n"
    "    krait explain --level=serializable --html=why.html run.jsonl\n\n"
    "  For a report or a ticket.\n"
    "    krait explain --level=si --svg=why.svg run.jsonl\n\n"
    "  Graphviz draws it in its own way.\n"
    "    krait explain --level=si --dot=- run.jsonl | dot -Tpdf >why.pdf\n",
  [COMMAND_verify] = "  Is it so? 0: certified, 1: refused, 2: unreadable, 3: a limit was reached.\n"
                     "    krait verify run.jsonl run.crt\n\n"
                     "  The argument itself, as text.\n"
                     "    krait verify --dump run.jsonl run.crt\n\n"
                     "  The same with a program that holds no checker and no solver.\n"
                     "    krait-verify run.jsonl run.crt\n",
  [COMMAND_convert] = "  A history that people can read.\n"
                      "    krait convert --to=kht run.jsonl -\n\n"
                      "  A large one, compact.\n"
                      "    krait convert --to=krt run.jsonl.gz run.krt\n\n"
                      "  One to attach to a bug report: no key or value of yours is left in it.\n"
                      "    krait convert --to=jsonl --anonymise run.jsonl report.jsonl.zst\n",
  [COMMAND_stats] = "  What is in there?\n"
                    "    krait stats run.jsonl\n",
  [COMMAND_levels] = "  All of them, for people and for programs.\n"
                     "    krait levels\n"
                     "    krait levels --json\n",
  [COMMAND_encode] = "  The edges and superpositions of a history at a level, as text.\n"
                     "    krait encode --level=serializable --to=kir run.jsonl -\n\n"
                     "  A formula for any SAT solver, and its model as a verdict.\n"
                     "    krait encode --level=serializable --to=dimacs run.jsonl run.cnf\n"
                     "    cadical run.cnf >run.model; krait decode run.jsonl run.cnf run.model\n\n"
                     "  The same in the way of the textbooks, for comparison: it may be a thousand times as large.\n"
                     "    krait encode --level=serializable --to=dimacs --acyclicity=closure run.jsonl run.cnf\n\n"
                     "  For solvers that know graphs (MonoSAT).\n"
                     "    krait encode --level=serializable --to=gnf run.jsonl run.gnf\n",
  [COMMAND_decode] =
    "  Another solver's word, checked against the history.\n"
    "    krait encode --level=serializable --to=dimacs run.jsonl run.cnf\n"
    "    minisat run.cnf run.model; krait decode run.jsonl run.cnf run.model\n\n"
    "  And for somebody who does not take our word for it.\n"
    "    krait decode --certificate=run.crt run.jsonl run.cnf run.model; krait-verify run.jsonl run.crt\n",
  [COMMAND_generate] =
    "  Ten thousand transactions of 24 clients, correct.\n"
    "    krait generate --workload=blindw --level=serializable run.jsonl\n\n"
    "  Few keys and many clients: transactions meet more often. Another seed, another history.\n"
    "    krait generate --workload=blindw-mixed --level=si --keys=100 --sessions=50 --seed=7 run.jsonl.zst\n\n"
    "  Hard for a checker: values that repeat, outcomes nobody knows, no times, one session after the other.\n"
    "    krait generate --workload=blindw-repeated --level=serializable --unknown-rate=0.05 --no-times \\\n"
    "      --group-by-session run.krt\n\n"
    "  Straight into the checker: snapshot isolation allows what serializability does not.\n"
    "    krait generate --workload=blindw-mixed --level=si --keys=1000 - | krait check --level=ser -\n",
  [COMMAND_run] =
    "  Does PostgreSQL keep its promise? The exit codes are those of check.\n"
    "    krait run --db=postgresql:///test --workload=blindw-mixed --isolation=serializable --check=ser run.jsonl\n\n"
    "  What does MariaDB really give?\n"
    "    krait run --db='mariadb://root@/test?socket=/run/mysqld/mysqld.sock' --workload=blindw-mixed --keys=100 \\\n"
    "      --isolation=repeatable-read --check=strongest run.jsonl\n\n"
    "  A server that is killed and comes back within a minute.\n"
    "    krait run --db=postgresql:///test --workload=bank --isolation=serializable --reconnect=60 run.jsonl\n",
};

static const char about_histories[] =
  "A HISTORY is a file, a folder where the format is one (Cobra), or - for standard input; plain, .gz or\n"
  ".zst. The format is found from the content.\n";

static const char about_output[] =
  "OUT is a file, a folder where the format is one (Cobra), or - for standard output; a name that ends in .gz\n"
  "or .zst is compressed.\n";

static const char about_pictures[] =
  "Pictures\n"
  "  Lanes are sessions, boxes are transactions with what they did, an arrow says that one must come before the\n"
  "  other. The numbered arrows close a circle, so no order of the transactions explains what they saw.\n"
  "    so  the same client did one after the other       wr  the second read what the first wrote\n"
  "    rt  the first ended before the second began       ww  the second overwrote what the first wrote\n"
  "    rw  the second overwrote what the first read\n"
  "  If the history is valid, or nobody knows, no file is written.\n";

static const char about_exit_codes[] =
  "Exit codes\n"
  "  0    valid, or done\n"
  "  1    invalid\n"
  "  2    usage error or bad input\n"
  "  3    unknown: time or memory ran out, or the level is not defined for this history\n"
  "  4    internal error\n"
  "  130  interrupted\n"
  "With several histories or levels: the first of 4, 2, 1, 3, 0 that occurred. With --level=all or\n"
  "--level=strongest: 0 unless some level is unknown.\n";

// ------------------------------------------------------------------------------------------ tables

// Behind its heading, in lines of at most 96 characters.
static void print_about (const char *text) {
  enum { WIDTH = 96, INDENT = 6 };
  int column = INDENT;
  printf ("%*s", INDENT, "");
  while (*text) {
    const int length = (int) strcspn (text, " ");
    if (column > INDENT && column + 1 + length > WIDTH) {
      printf ("\n%*s", INDENT, "");
      column = INDENT;
    }
    if (column > INDENT)
      column += printf (" ");
    column += printf ("%.*s", length, text);
    text += length;
    text += strspn (text, " ");
  }
  printf ("\n");
}

static void print_workloads (void) {
  printf ("\nWorkloads\n");
  for (const struct workload *workload = workloads; workload->name; workload++) {
    printf ("  %s\n", workload->name);
    print_about (workload->about);
  }
}

static void print_isolations (void) {
  printf ("\n%-30s its histories satisfy\n", "Levels of the store");
  for (const struct isolation *isolation = isolations; isolation->name; isolation++) {
    printf ("  %-28s %s\n", isolation->name, isolation->holds ? isolation->holds : "(what its dialect allows)");
    print_about (isolation->about);
  }
}

// The workloads, each with the number of keys that --fault takes.
static void print_shows (const struct fault *fault) {
  char text[512] = "shown by:";
  size_t used = strlen (text);
  for (const struct workload *workload = workloads; workload->name && used + 64 < sizeof text; workload++) {
    const uint64_t keys = fault_keys (fault, workload->name, workload->overbooked);
    if (keys)
      used += (size_t) snprintf (text + used, sizeof text - used, " %s:%" PRIu64, workload->name, keys);
  }
  print_about (text);
}

static void print_faults (void) {
  printf ("\n%-30s %-35s keeps\n", "Faults", "breaks");
  print_about ("shown by: workloads, and the number of keys that they have with the fault unless --keys says another");
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    const struct fault *fault = &faults[id];
    char about[256];
    snprintf (about, sizeof about, "%s (--level=%s; rate %g)", fault->about, fault->isolation, fault->rate);
    printf ("  %-28s %-35s %s\n", fault->name, fault->breaks, fault->keeps);
    print_about (about);
    print_shows (fault);
  }
}

static void print_drivers (void) {
  printf ("\nDatabases\n");
  for (size_t i = 0; drivers[i]; i++) {
    printf ("  %s: %s\n", drivers[i]->name, drivers[i]->about);
    print_about (drivers[i]->url);
    for (const struct driver_level *level = drivers[i]->levels; level->name; level++) {
      char text[256];
      snprintf (text, sizeof text, "--isolation=%s: %s", level->name, level->about);
      print_about (text);
    }
  }
  if (!drivers[0])
    printf ("  none: this krait was built without client libraries\n");
}

static void print_dialects (void) {
  printf ("\nDialects\n");
  for (size_t i = 0; dialects[i]; i++) {
    printf ("  %s\n", dialects[i]->name);
    print_about (dialects[i]->about);
  }
}

static void print_encodings (void) {
  printf ("\nEncodings\n");
  for (const struct encoding *encoding = encodings; encoding->name; encoding++) {
    printf ("  %s\n", encoding->name);
    print_about (encoding->summary);
  }
}

static void print_acyclicities (void) {
  printf ("\nWays to say in clauses that edges close no cycle\n");
  for (const struct acyclicity *acyclicity = acyclicities; acyclicity->name; acyclicity++) {
    printf ("  %s\n", acyclicity->name);
    print_about (acyclicity->summary);
  }
}

static void print_formats (void) {
  printf ("\nFormats\n");
  for (size_t i = 0; formats[i]; i++)
    printf ("  %-10s %s%s\n", formats[i]->name, formats[i]->title, format_can_write (formats[i]) ? "" : " (read only)");
}

// -------------------------------------------------------------------------------------------- help

static void print_options (enum command_id command, unsigned wheres, const char *title) {
  bool any = false;
  for (size_t i = 0; i < option_row_count; i++) {
    const struct option_row *row = &option_rows[i];
    if (!(row->commands & 1u << command) || !(wheres & 1u << row->where))
      continue;
    if (!any)
      printf ("\n%s\n", title);
    any = true;
    printf ("  --%s%s%s\n", row->name, row->value ? "=" : "", row->value ? row->value : "");
    print_about (row->help);
  }
}

void help_command (enum command_id command, bool all) {
  const struct command_row *row = &command_rows[command];
  printf ("Usage: krait %s [options]%s%s\n\n", row->name, *row->arguments ? " " : "", row->arguments);
  printf ("krait %s: %s.\n", row->name, row->summary);
  if (command == COMMAND_generate || command == COMMAND_run)
    printf ("%s", about_output);
  else if (command != COMMAND_levels)
    printf ("%s", about_histories);
  print_options (command, all ? 1u << WHERE_SHORT | 1u << WHERE_LONG : 1u << WHERE_SHORT, "Options");
  if (!all) {
    printf ("\nkrait %s --help has all of them, with examples.\n", row->name);
    return;
  }
  print_options (command, 1u << WHERE_STEP, "Switching off steps of the algorithm (the verdict stays the same)");
  if (command == COMMAND_generate) {
    print_workloads ();
    print_isolations ();
    print_faults ();
  }
  if (command == COMMAND_run)
    print_drivers ();
  if (command == COMMAND_check || command == COMMAND_explain || command == COMMAND_encode)
    print_dialects ();
  if (command == COMMAND_check || command == COMMAND_encode)
    print_encodings ();
  if (command == COMMAND_encode)
    print_acyclicities ();
  printf ("\nExamples\n%s", examples[command]);
  if (command == COMMAND_explain)
    printf ("\n%s", about_pictures);
  if (command == COMMAND_check || command == COMMAND_explain || command == COMMAND_decode)
    printf ("\n%s", about_exit_codes);
}

void help_program (bool all) {
  printf ("Usage: krait COMMAND [options] [arguments]\n\n"
          "Krait reads what a database answered and says whether it kept its promise.\n\nCommands\n");
  for (size_t i = 0; i < COMMANDS; i++)
    printf ("  %-9s %s\n", command_rows[i].name, command_rows[i].summary);
  printf ("\n  krait COMMAND -h      the options of a command\n"
          "  krait COMMAND --help  all of them, with examples\n"
          "  krait --version       the version, the solver's, and the formats\n");
  if (!all)
    return;
  printf ("\n%s", about_histories);
  print_formats ();
  printf ("\nExamples\n");
  for (size_t i = 0; i < COMMANDS; i++)
    printf ("%s\n", examples[i]);
  printf ("%s", about_exit_codes);
}
