// The order and names of the fields are a contract (docs/manual.md, "For programs"); new ones are
// added, none is renamed.

#include "api/report.h"

#include "explain/violation_words.h"
#include "hints/hints.h"
#include "history/history.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------ people

void report_verdict (enum verdict verdict, bool colour, struct text *text) {
  static const char *const colours[] = { "\033[32m", "\033[31m", "\033[33m" };
  words_add (text, "%s%s%s", colour ? colours[verdict] : "", verdict_name (verdict), colour ? "\033[0m" : "");
}

static void add_name (struct anomaly anomaly, struct text *text) {
  const char *class = anomaly_classes[anomaly.class].text, *name = anomaly_names[anomaly.name].text;
  words_add (text, "%s", class ? class : "unnamed");
  if (name)
    words_add (text, " (%s)", name);
}

void report_anomaly (const struct check_result *result, struct text *text) {
  if (violation_class (result->violation))
    add_name (result->violation->anomaly, text);
}

void report_hint_names (const struct check_result *result, struct text *text) {
  const char *before = "";
  for (unsigned kind = 0; kind < FACT_KINDS; kind++)
    if (result->hint_facts >> kind & 1) {
      words_add (text, "%s%s", before, fact_names[kind]);
      before = ", ";
    }
}

void report_settings (const struct check_result *result, struct text *text) {
  if (result->dialect)
    words_add (text, "dialect: %s\n", result->dialect);
  for (size_t i = 0; i < result->modules.count; i++) {
    text_string (text, i ? ", " : "modules: ");
    report_name (result->modules.data[i], text);
  }
  text_string (text, result->modules.count ? "\n" : "");
  if (result->own_writes_inferred)
    words_add (text, "own writes: %s (inferred)\n", own_writes_name (result->own_writes));
  if (result->hint_facts) {
    text_string (text, "hints: ");
    report_hint_names (result, text);
    text_char (text, '\n');
  }
}

void report_assumption (const struct check_result *result, struct text *text) {
  if (result->assumption)
    words_add (text, "assumption: %s\n", result->assumption);
}

// ----------------------------------------------------------------------------------- all anomalies

struct kind {
  struct anomaly anomaly;
  uint64_t count;
};

typedef VEC (struct kind) kind_vec;

static void count_kind (kind_vec *kinds, struct anomaly anomaly) {
  size_t at = 0;
  while (at < kinds->count && !anomaly_is_same (kinds->data[at].anomaly, anomaly))
    at++;
  if (at == kinds->count)
    VEC_PUSH (*kinds, (struct kind){ anomaly, 0 });
  kinds->data[at].count++;
}

// How many there are of each kind, in the order in which they were found.
static void add_kinds (const struct check_result *result, struct text *text) {
  kind_vec kinds = VEC_EMPTY;
  for (size_t i = 0; i < result->anomalies.count; i++)
    count_kind (&kinds, result->anomalies.data[i]->anomaly);
  for (size_t i = 0; i < kinds.count; i++) {
    words_add (text, "%s %" PRIu64 " ", i ? "," : "", kinds.data[i].count);
    add_name (kinds.data[i].anomaly, text);
  }
  text_char (text, '\n');
  VEC_FREE (kinds);
}

static void add_list (const struct check_result *result, struct text *text) {
  words_add (text, "Anomalies that share no transaction, %zu:", result->anomalies.count);
  add_kinds (result, text);
  for (size_t i = 0; i < result->anomalies.count; i++) {
    size_t count;
    const uint64_t *txns = violation_txns (result->anomalies.data[i], &count);
    text_string (text, "  ");
    add_name (result->anomalies.data[i]->anomaly, text);
    text_char (text, ':');
    for (size_t k = 0; k < count; k++)
      words_add (text, " T%" PRIu64, txns[k]);
    text_char (text, '\n');
  }
  text_string (text, result->anomalies_complete ? "Without their transactions, the history is valid.\n"
                                                : "There may be more: the search ended before the rest was decided.\n");
}

void report_anomalies (const struct check_result *result, struct text *text) {
  if (result->anomalies_listed)
    add_list (result, text);
  else if (result->others)
    words_add (text,
               "And at least %" PRIu64 " more read%s that nothing explains, in other transactions (--anomalies=all "
               "lists all that is wrong).\n",
               result->others, result->others == 1 ? "" : "s");
}

// A line stays a line, and its tabs stay ours, whatever the file is called.
void report_name (const char *name, struct text *text) {
  for (; *name; name++)
    text_char (text, (unsigned char) *name < 0x20 || *name == 0x7f ? '?' : *name);
}

void report_explanation (const struct report *report, struct text *text) {
  char *explanation = violation_explanation (report->result->violation, report->history);
  text_string (text, explanation ? explanation : "");
  mem_free (explanation);
}

void report_text (const struct report *report, struct report_style style, struct text *text) {
  const struct check_result *result = report->result;
  report_verdict (result->verdict, style.colour, text);
  words_add (text, "\t%s\t", result->level);
  report_name (report->name, text);
  text_char (text, '\n');
  if (style.brief)
    return;
  report_settings (result, text);
  report_assumption (result, text);
  if (result->verdict == VERDICT_UNKNOWN && result->reason)
    words_add (text, "reason: %s\n", result->reason);
  if (result->verdict != VERDICT_INVALID)
    return;
  if (violation_class (result->violation)) {
    text_string (text, "anomaly: ");
    report_anomaly (result, text);
    text_char (text, '\n');
  }
  report_explanation (report, text);
  report_anomalies (result, text);
}

// ---------------------------------------------------------------------------------------- programs

static void add_counts (struct tree *tree, const struct history *h) {
  static const char *const names[] = { "transactions", "sessions", "operations", "keys" };
  const uint64_t counts[] = { h ? history_txns (h) : 0, h ? history_sessions (h) : 0, h ? history_ops (h) : 0,
                              h ? history_keys (h) : 0 };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (h)
      tree_unsigned (tree, names[i], counts[i]);
    else
      tree_null (tree, names[i]);
}

static void add_party (struct tree *tree, const char *name, struct party party) {
  if (party.initial)
    tree_string (tree, name, "initial");
  else
    tree_unsigned (tree, name, party.id);
}

// Text that was made for it; NULL: null.
static void add_words (struct tree *tree, const char *name, char *text) {
  tree_string (tree, name, text);
  mem_free (text);
}

static void add_edge (struct tree *tree, const struct violation *v, const struct violation_edge *edge,
                      const struct history *h, bool elsewhere) {
  words why = VEC_EMPTY;
  words_edge (&why, h, v, edge, elsewhere);
  tree_open (tree, NULL, '{');
  add_party (tree, "from", edge->from);
  add_party (tree, "to", edge->to);
  tree_string (tree, "type", violation_edge_type (edge));
  if (edge->key == KEY_NONE)
    tree_null (tree, "key");
  else
    tree_atom (tree, "key", atoms_get (&h->keys, edge->key));
  add_words (tree, "why", words_take (&why));
  tree_close (tree, '}');
}

// `elsewhere`: the cases that the edges rest on are told apart from them.
static void add_circle (struct tree *tree, const struct violation *v, const struct violation_edge *edges, size_t count,
                        const struct history *h, bool elsewhere) {
  tree_open (tree, "cycle", '[');
  for (size_t i = 0; i < count; i++)
    add_edge (tree, v, &edges[i], h, elsewhere);
  tree_close (tree, ']');
}

static void add_cycle (struct tree *tree, const struct violation *v, const struct history *judged) {
  size_t count;
  const struct violation_edge *edges = violation_circle (v, &count);
  add_circle (tree, v, edges, count, violation_history (v, judged), true);
}

static void add_cases (struct tree *tree, const struct violation *v, const struct history *judged) {
  const struct history *h = violation_history (v, judged);
  tree_open (tree, "cases", '[');
  for (uint32_t at = violation_next_leaf (v, 0); at != CASE_NONE; at = violation_next_leaf (v, at + 1)) {
    const struct violation_case *leaf = &v->cases.data[at];
    words assumption = VEC_EMPTY;
    words_case (&assumption, h, v, at);
    tree_open (tree, NULL, '{');
    add_words (tree, "if", words_take (&assumption));
    add_circle (tree, v, v->edges.data + leaf->first_edge, leaf->edges, h, false);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
}

static void add_core (struct tree *tree, const struct violation *v) {
  size_t count;
  const uint64_t *txns = violation_txns (v, &count);
  tree_open (tree, "core", '[');
  for (size_t i = 0; i < count; i++)
    tree_unsigned (tree, NULL, txns[i]);
  tree_close (tree, ']');
}

static void add_anomaly (struct tree *tree, const struct violation *v) {
  tree_string (tree, "anomaly", violation_class (v));
  tree_string (tree, "anomalyName", violation_name (v));
}

static void add_anomalies (struct tree *tree, const struct report *report) {
  const struct check_result *result = report->result;
  tree_open (tree, "anomalies", '[');
  for (size_t i = 0; i < result->anomalies.count; i++) {
    const struct violation *one = result->anomalies.data[i];
    tree_open (tree, NULL, '{');
    add_anomaly (tree, one);
    add_core (tree, one);
    add_cycle (tree, one, report->history);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
  if (result->anomalies_listed)
    tree_bool (tree, "anomaliesComplete", result->anomalies_complete);
  else
    tree_null (tree, "anomaliesComplete");
  tree_unsigned (tree, "othersAtLeast", result->others);
}

static void add_fragments (struct tree *tree, const struct violation *v) {
  tree_open (tree, "parts", '[');
  for (size_t i = 0; v && i < v->fragments.count; i++) {
    tree_open (tree, NULL, '{');
    tree_unsigned (tree, "id", v->fragments.data[i].id);
    tree_unsigned (tree, "of", v->fragments.data[i].of);
    tree_string (tree, "part", v->fragments.data[i].what);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
}

static void add_effort (struct tree *tree, const struct report *report) {
  const struct check_result *result = report->result;
  const struct effort *effort = &result->effort;
  tree_open (tree, "superpositions", '{');
  tree_unsigned (tree, "initial", result->superpositions_initial);
  tree_unsigned (tree, "afterSaturation", result->superpositions_left);
  tree_close (tree, '}');
  tree_open (tree, "seconds", '{');
  tree_seconds (tree, "parse", report->parse_seconds);
  tree_seconds (tree, "lower", effort->seconds.lower);
  tree_seconds (tree, "saturate", effort->seconds.saturate);
  tree_seconds (tree, "encode", effort->seconds.encode);
  tree_seconds (tree, "solve", effort->seconds.solve);
  tree_seconds (tree, "explain", effort->seconds.explain);
  tree_seconds (tree, "total", report->parse_seconds + result->seconds);
  tree_close (tree, '}');
  tree_unsigned (tree, "peakRssBytes", resident_peak ());
  tree_open (tree, "solver", '{');
  tree_unsigned (tree, "variables", effort->variables);
  tree_unsigned (tree, "conflicts", effort->conflicts);
  tree_unsigned (tree, "decisions", effort->decisions);
  tree_unsigned (tree, "lemmas", effort->lemmas);
  tree_close (tree, '}');
}

static void add_texts (struct tree *tree, const char *name, const char *const *texts, size_t count) {
  tree_open (tree, name, '[');
  for (size_t i = 0; i < count; i++)
    tree_string (tree, NULL, texts[i]);
  tree_close (tree, ']');
}

static void add_hints (struct tree *tree, const struct check_result *result) {
  tree_open (tree, "hints", '[');
  for (unsigned kind = 0; kind < FACT_KINDS; kind++)
    if (result->hint_facts >> kind & 1)
      tree_string (tree, NULL, fact_names[kind]);
  tree_close (tree, ']');
}

void report_data (const struct report *report, enum tree_dialect dialect, struct text *text) {
  const struct check_result *result = report->result;
  const struct violation *v = result->violation;
  const char *assumption = result->assumption;
  struct tree out = { .text = text, .dialect = dialect }, *tree = &out;
  tree_open (tree, NULL, '{');
  tree_unsigned (tree, "schema", 1);
  tree_string (tree, "verdict", verdict_name (result->verdict));
  tree_string (tree, "level", result->level);
  tree_string (tree, "history", report->name);
  add_counts (tree, report->history);
  add_anomaly (tree, v);
  add_cycle (tree, v, report->history);
  add_core (tree, v);
  add_words (tree, "explanation", violation_explanation (v, report->history));
  add_effort (tree, report);
  add_texts (tree, "warnings", (const char *const *) result->warnings.data, result->warnings.count);
  tree_string (tree, "reason", result->reason);
  tree_string (tree, "ownWrites", check_result_policy (result));
  tree_string (tree, "byLevel", result->by_level);
  tree_string (tree, "dialect", result->dialect);
  add_fragments (tree, v);
  add_texts (tree, "modules", (const char *const *) result->modules.data, result->modules.count);
  add_hints (tree, result);
  add_cases (tree, v, report->history);
  add_texts (tree, "weakestViolated", v ? v->weakest_violated.data : NULL, v ? v->weakest_violated.count : 0);
  add_texts (tree, "strongestHolding", v ? v->strongest_holding.data : NULL, v ? v->strongest_holding.count : 0);
  tree_open (tree, "excused", '{');
  tree_unsigned (tree, "count", result->excused);
  tree_string (tree, "example", result->excused_example);
  tree_close (tree, '}');
  add_texts (tree, "assumptions", &assumption, assumption != NULL);
  add_anomalies (tree, report);
  tree_close (tree, '}');
  text_char (text, '\n');
}
