// The order and names of the fields are a contract (docs/manual.md, "For programs"); new ones are
// added, none is renamed.

#include "api/report.h"

#include "api/tree.h"
#include "explain/violation_words.h"
#include "hints/hints.h"
#include "history/history.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ people

void report_verdict (enum verdict verdict, bool colour, struct text *text) {
  static const char *const colours[] = { "\033[32m", "\033[31m", "\033[33m" };
  if (colour)
    text_string (text, colours[verdict]);
  text_string (text, verdict_name (verdict));
  if (colour)
    text_string (text, "\033[0m");
}

static void add_name (struct anomaly anomaly, struct text *text) {
  const char *class = anomaly_class_text (anomaly.class), *name = anomaly_name_text (anomaly.name);
  text_string (text, class ? class : "unnamed");
  if (!name)
    return;
  text_string (text, " (");
  text_string (text, name);
  text_char (text, ')');
}

void report_anomaly (const struct check_result *result, struct text *text) {
  if (violation_class (result->violation))
    add_name (result->violation->anomaly, text);
}

void report_hint_names (const struct check_result *result, struct text *text) {
  bool first = true;
  for (unsigned kind = 0; kind < FACT_KINDS; kind++) {
    if (!(result->hint_facts >> kind & 1))
      continue;
    text_string (text, first ? "" : ", ");
    text_string (text, fact_names[kind]);
    first = false;
  }
}

static void add_setting (const char *name, const char *value, struct text *text) {
  text_string (text, name);
  text_string (text, ": ");
  text_string (text, value);
  text_char (text, '\n');
}

void report_settings (const struct check_result *result, struct text *text) {
  if (result->dialect)
    add_setting ("dialect", result->dialect, text);
  for (size_t i = 0; i < result->modules.count; i++) {
    text_string (text, i ? ", " : "modules: ");
    report_name (result->modules.data[i], text);
  }
  text_string (text, result->modules.count ? "\n" : "");
  if (result->own_writes_inferred) {
    text_string (text, "own writes: ");
    text_string (text, own_writes_name (result->own_writes));
    text_string (text, " (inferred)\n");
  }
  if (result->hint_facts) {
    text_string (text, "hints: ");
    report_hint_names (result, text);
    text_char (text, '\n');
  }
}

void report_assumption (const struct check_result *result, struct text *text) {
  if (result->assumption)
    add_setting ("assumption", result->assumption, text);
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
    text_string (text, i ? ", " : " ");
    text_unsigned (text, kinds.data[i].count);
    text_char (text, ' ');
    add_name (kinds.data[i].anomaly, text);
  }
  text_char (text, '\n');
  VEC_FREE (kinds);
}

static void add_list (const struct check_result *result, struct text *text) {
  text_string (text, "Anomalies that share no transaction, ");
  text_unsigned (text, result->anomalies.count);
  text_string (text, ":");
  add_kinds (result, text);
  for (size_t i = 0; i < result->anomalies.count; i++) {
    size_t count;
    const uint64_t *txns = violation_txns (result->anomalies.data[i], &count);
    text_string (text, "  ");
    add_name (result->anomalies.data[i]->anomaly, text);
    text_char (text, ':');
    for (size_t k = 0; k < count; k++) {
      text_string (text, " T");
      text_unsigned (text, txns[k]);
    }
    text_char (text, '\n');
  }
  text_string (text, result->anomalies_complete ? "Without their transactions, the history is valid.\n"
                                                : "There may be more: the search ended before the rest was decided.\n");
}

void report_anomalies (const struct check_result *result, struct text *text) {
  if (result->anomalies_listed)
    add_list (result, text);
  else if (result->others) {
    text_string (text, "And at least ");
    text_unsigned (text, result->others);
    text_string (text, result->others == 1 ? " more read" : " more reads");
    text_string (text, " that nothing explains, in other transactions (--anomalies=all lists all that is wrong).\n");
  }
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
  text_char (text, '\t');
  text_string (text, result->level);
  text_char (text, '\t');
  report_name (report->name, text);
  text_char (text, '\n');
  if (style.brief)
    return;
  report_settings (result, text);
  report_assumption (result, text);
  if (result->verdict == VERDICT_UNKNOWN && result->reason)
    add_setting ("reason", result->reason, text);
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
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tree_name (tree, names[i]);
    if (h)
      tree_unsigned (tree, counts[i]);
    else
      tree_null (tree);
  }
}

static void add_party (struct tree *tree, const char *name, struct party party) {
  tree_name (tree, name);
  if (party.initial)
    tree_string (tree, "initial");
  else
    tree_unsigned (tree, party.id);
}

static void add_words (struct tree *tree, const char *name, words *w) {
  char *text = words_take (w);
  tree_name (tree, name);
  tree_string (tree, text);
  mem_free (text);
}

// `elsewhere`: the cases that the edges rest on are told apart from them.
static void add_circle (struct tree *tree, const struct violation *v, const struct violation_edge *edges, size_t count,
                        const struct history *h, bool elsewhere) {
  tree_name (tree, "cycle");
  tree_open (tree, '[');
  for (size_t i = 0; i < count; i++) {
    const struct violation_edge *edge = &edges[i];
    words why = VEC_EMPTY;
    words_edge (&why, h, v, edge, elsewhere);
    tree_open (tree, '{');
    add_party (tree, "from", edge->from);
    add_party (tree, "to", edge->to);
    tree_name (tree, "type");
    tree_string (tree, violation_edge_type (edge));
    tree_name (tree, "key");
    if (edge->key == KEY_NONE)
      tree_null (tree);
    else
      tree_atom (tree, atoms_get (&h->keys, edge->key));
    add_words (tree, "why", &why);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
}

static void add_cycle (struct tree *tree, const struct violation *v, const struct history *judged) {
  size_t count;
  const struct violation_edge *edges = violation_circle (v, &count);
  add_circle (tree, v, edges, count, violation_history (v, judged), true);
}

static void add_cases (struct tree *tree, const struct violation *v, const struct history *judged) {
  const struct history *h = violation_history (v, judged);
  tree_name (tree, "cases");
  tree_open (tree, '[');
  for (uint32_t at = violation_next_leaf (v, 0); at != CASE_NONE; at = violation_next_leaf (v, at + 1)) {
    const struct violation_case *leaf = &v->cases.data[at];
    words assumption = VEC_EMPTY;
    words_case (&assumption, h, v, at);
    tree_open (tree, '{');
    add_words (tree, "if", &assumption);
    add_circle (tree, v, v->edges.data + leaf->first_edge, leaf->edges, h, false);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
}

static void add_level_names (struct tree *tree, const char *name, const level_name_vec *names) {
  tree_name (tree, name);
  tree_open (tree, '[');
  for (size_t i = 0; names && i < names->count; i++)
    tree_string (tree, names->data[i]);
  tree_close (tree, ']');
}

static void add_core (struct tree *tree, const struct violation *v) {
  size_t count;
  const uint64_t *txns = violation_txns (v, &count);
  tree_name (tree, "core");
  tree_open (tree, '[');
  for (size_t i = 0; i < count; i++)
    tree_unsigned (tree, txns[i]);
  tree_close (tree, ']');
}

static void add_anomaly (struct tree *tree, const struct violation *v) {
  tree_name (tree, "anomaly");
  tree_string (tree, violation_class (v));
  tree_name (tree, "anomalyName");
  tree_string (tree, violation_name (v));
}

static void add_anomalies (struct tree *tree, const struct report *report) {
  const struct check_result *result = report->result;
  tree_name (tree, "anomalies");
  tree_open (tree, '[');
  for (size_t i = 0; i < result->anomalies.count; i++) {
    const struct violation *one = result->anomalies.data[i];
    tree_open (tree, '{');
    add_anomaly (tree, one);
    add_core (tree, one);
    add_cycle (tree, one, report->history);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
  tree_name (tree, "anomaliesComplete");
  if (result->anomalies_listed)
    tree_bool (tree, result->anomalies_complete);
  else
    tree_null (tree);
  tree_name (tree, "othersAtLeast");
  tree_unsigned (tree, result->others);
}

static void add_dialect (struct tree *tree, const struct check_result *result) {
  tree_name (tree, "dialect");
  tree_string (tree, result->dialect);
  tree_name (tree, "parts");
  tree_open (tree, '[');
  for (size_t i = 0; result->violation && i < result->violation->fragments.count; i++) {
    const struct txn_fragment *fragment = &result->violation->fragments.data[i];
    tree_open (tree, '{');
    tree_name (tree, "id");
    tree_unsigned (tree, fragment->id);
    tree_name (tree, "of");
    tree_unsigned (tree, fragment->of);
    tree_name (tree, "part");
    tree_string (tree, fragment->what);
    tree_close (tree, '}');
  }
  tree_close (tree, ']');
}

static void add_seconds (struct tree *tree, const struct report *report) {
  const struct check_result *result = report->result;
  tree_name (tree, "seconds");
  tree_open (tree, '{');
  const struct {
    const char *name;
    double seconds;
  } phases[] = { { "parse", report->parse_seconds },
                 { "lower", result->effort.seconds.lower },
                 { "saturate", result->effort.seconds.saturate },
                 { "solve", result->effort.seconds.solve },
                 { "explain", result->effort.seconds.explain },
                 { "total", report->parse_seconds + result->seconds } };
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
    tree_name (tree, phases[i].name);
    tree_seconds (tree, phases[i].seconds);
  }
  tree_close (tree, '}');
}

static void add_numbers (struct tree *tree, const struct check_result *result) {
  tree_name (tree, "superpositions");
  tree_open (tree, '{');
  tree_name (tree, "initial");
  tree_unsigned (tree, result->superpositions_initial);
  tree_name (tree, "afterSaturation");
  tree_unsigned (tree, result->superpositions_left);
  tree_close (tree, '}');
}

static void add_solver (struct tree *tree, const struct check_result *result) {
  tree_name (tree, "solver");
  tree_open (tree, '{');
  tree_name (tree, "variables");
  tree_unsigned (tree, result->effort.variables);
  tree_name (tree, "conflicts");
  tree_unsigned (tree, result->effort.conflicts);
  tree_name (tree, "decisions");
  tree_unsigned (tree, result->effort.decisions);
  tree_name (tree, "lemmas");
  tree_unsigned (tree, result->effort.lemmas);
  tree_close (tree, '}');
}

static void add_texts (struct tree *tree, const char *name, char *const *texts, size_t count) {
  tree_name (tree, name);
  tree_open (tree, '[');
  for (size_t i = 0; i < count; i++)
    tree_string (tree, texts[i]);
  tree_close (tree, ']');
}

static void add_hints (struct tree *tree, const struct check_result *result) {
  tree_name (tree, "hints");
  tree_open (tree, '[');
  for (unsigned kind = 0; kind < FACT_KINDS; kind++)
    if (result->hint_facts >> kind & 1)
      tree_string (tree, fact_names[kind]);
  tree_close (tree, ']');
}

static void add_report (struct tree *tree, const struct report *report) {
  const struct check_result *result = report->result;
  const struct violation *v = result->violation;
  tree_open (tree, '{');
  tree_name (tree, "schema");
  tree_unsigned (tree, 1);
  tree_name (tree, "verdict");
  tree_string (tree, verdict_name (result->verdict));
  tree_name (tree, "level");
  tree_string (tree, result->level);
  tree_name (tree, "history");
  tree_string (tree, report->name);
  add_counts (tree, report->history);
  add_anomaly (tree, v);
  add_cycle (tree, v, report->history);
  add_core (tree, v);
  char *explanation = violation_explanation (v, report->history);
  tree_name (tree, "explanation");
  tree_string (tree, explanation);
  mem_free (explanation);
  add_numbers (tree, result);
  add_seconds (tree, report);
  tree_name (tree, "peakRssBytes");
  tree_unsigned (tree, resident_peak ());
  add_solver (tree, result);
  add_texts (tree, "warnings", result->warnings.data, result->warnings.count);
  tree_name (tree, "reason");
  tree_string (tree, result->reason);
  tree_name (tree, "ownWrites");
  tree_string (tree, check_result_policy (result));
  tree_name (tree, "byLevel");
  tree_string (tree, result->by_level);
  add_dialect (tree, result);
  add_texts (tree, "modules", result->modules.data, result->modules.count);
  add_hints (tree, result);
  add_cases (tree, v, report->history);
  add_level_names (tree, "weakestViolated", v ? &v->weakest_violated : NULL);
  add_level_names (tree, "strongestHolding", v ? &v->strongest_holding : NULL);
  tree_name (tree, "excused");
  tree_open (tree, '{');
  tree_name (tree, "count");
  tree_unsigned (tree, result->excused);
  tree_name (tree, "example");
  tree_string (tree, result->excused_example);
  tree_close (tree, '}');
  add_texts (tree, "assumptions", &result->assumption, result->assumption != NULL);
  add_anomalies (tree, report);
  tree_close (tree, '}');
}

void report_json (const struct report *report, struct text *text) {
  add_report (&(struct tree){ .text = text, .dialect = TREE_JSON }, report);
  text_char (text, '\n');
}

void report_edn (const struct report *report, struct text *text) {
  add_report (&(struct tree){ .text = text, .dialect = TREE_EDN }, report);
  text_char (text, '\n');
}
