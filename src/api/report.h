// A verdict as text for people, and as data for programs: one JSON object, one EDN map, one JUnit
// test case.

#ifndef KRAIT_API_REPORT_H
#define KRAIT_API_REPORT_H

#include "api/check.h"
#include "formats/text.h"
#include "formats/tree.h"

struct report {
  const char *name;              // of the history, as the user gave it
  const struct history *history; // NULL: it was never read to its end
  const struct check_result *result;
  double parse_seconds;
};

enum report_output { REPORT_TEXT, REPORT_JSON, REPORT_EDN, REPORT_JUNIT };

struct report_style {
  bool brief;  // the first line only
  bool colour; // the verdict in colour
};

void report_text (const struct report *, struct report_style, struct text *);
void report_data (const struct report *, enum tree_dialect, struct text *); // one line

// <testcase> elements go between report_junit_begin and report_junit_end, which make the
// <testsuite> of one history.
void report_junit_begin (const char *name, struct text *);
void report_junit_case (const struct report *, struct text *);
void report_junit_bad_input (const char *name, const char *message, struct text *);
void report_junit_end (struct text *);

// What the verdict rests on, a line each: "dialect: mariadb-rr", "modules: a.so, b.so:7", "own
// writes: external (inferred)", "hints: versionOrder, version"; nothing if there is nothing, or the
// policy was given. "assumption: …" is one more.
void report_settings (const struct check_result *, struct text *);
void report_assumption (const struct check_result *, struct text *);
void report_hint_names (const struct check_result *, struct text *); // "versionOrder, version"

// Parts of the text for people. The name of a history stays on its line, whatever is in it.
void report_verdict (enum verdict, bool colour, struct text *);
void report_name (const char *, struct text *);

// "G-single (lost-update)", "G-single" or "" into the text.
void report_anomaly (const struct check_result *, struct text *);

// What is wrong, several lines; nothing if nothing is.
void report_explanation (const struct report *, struct text *);

// All anomalies, if they were asked for; else how many others there are at least; nothing if there
// are none.
void report_anomalies (const struct check_result *, struct text *);

#endif
