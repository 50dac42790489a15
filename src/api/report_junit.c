// Verdicts as JUnit sees tests: a history is a suite, a level a test case. An invalid history is a
// failure; an unknown one an error, because a build that could not be judged should not look green.

#include "api/report.h"

#include "explain/violation.h"
#include "formats/utf8.h"

#include <stdio.h>

// Text for XML: markup escaped, what XML cannot hold replaced.
static void xml_escape (const char *string, struct text *text) {
  const char *end = string + strlen (string);
  for (const char *at = string; at < end;) {
    const unsigned sequence = utf8_sequence (at, end);
    const unsigned char c = (unsigned char) *at;
    if (c == '&' || c == '<' || c == '>' || c == '"')
      text_string (text, c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;");
    else if (!sequence || (c < 0x20 && c != '\n' && c != '\t'))
      text_string (text, "\xef\xbf\xbd");
    else
      text_bytes (text, at, sequence);
    at += sequence ? sequence : 1;
  }
}

static void add_attribute (struct text *text, const char *name, const char *value) {
  words_add (text, " %s=\"", name);
  xml_escape (value, text);
  text_char (text, '"');
}

static void add_failure (const struct report *report, struct text *text) {
  const char *class = violation_class (report->result->violation);
  struct text anomaly = { 0 }, body = { 0 };
  report_anomaly (report->result, &anomaly);
  text_char (&anomaly, 0);
  report_explanation (report, &body);
  report_anomalies (report->result, &body);
  text_char (&body, 0);
  text_string (text, "      <failure");
  add_attribute (text, "type", class ? class : "invalid");
  add_attribute (text, "message", anomaly.data);
  text_char (text, '>');
  xml_escape (body.data, text);
  text_string (text, "</failure>\n");
  VEC_FREE (anomaly);
  VEC_FREE (body);
}

static void add_error (const char *type, const char *message, struct text *text) {
  text_string (text, "      <error");
  add_attribute (text, "type", type);
  add_attribute (text, "message", message);
  text_string (text, "/>\n");
}

void report_junit_begin (const char *name, struct text *text) {
  text_string (text, "  <testsuite");
  add_attribute (text, "name", name);
  text_string (text, ">\n");
}

static void begin_case (const char *name, const char *level, double seconds, struct text *text) {
  char time[64];
  snprintf (time, sizeof time, "%.6f", seconds);
  text_string (text, "    <testcase");
  add_attribute (text, "classname", name);
  add_attribute (text, "name", level);
  add_attribute (text, "time", time);
  text_string (text, ">\n");
}

// Lines as an element; nothing if there are none.
static void add_element (const char *name, struct text *lines, struct text *text) {
  if (lines->count) {
    lines->data[lines->count - 1] = 0; // the last newline
    words_add (text, "      <%s>", name);
    xml_escape (lines->data, text);
    words_add (text, "</%s>\n", name);
  }
  VEC_FREE (*lines);
}

void report_junit_case (const struct report *report, struct text *text) {
  const struct check_result *result = report->result;
  begin_case (report->name, result->level, report->parse_seconds + result->seconds, text);
  if (result->verdict == VERDICT_INVALID)
    add_failure (report, text);
  if (result->verdict == VERDICT_UNKNOWN)
    add_error ("unknown", result->reason ? result->reason : "", text);
  struct text settings = { 0 }, warnings = { 0 };
  report_settings (result, &settings);
  add_element ("system-out", &settings, text);
  for (size_t i = 0; i < result->warnings.count; i++)
    words_add (&warnings, "%s\n", result->warnings.data[i]);
  add_element ("system-err", &warnings, text);
  text_string (text, "    </testcase>\n");
}

void report_junit_bad_input (const char *name, const char *message, struct text *text) {
  begin_case (name, "read", 0, text);
  add_error ("input", message, text);
  text_string (text, "    </testcase>\n");
}

void report_junit_end (struct text *text) {
  text_string (text, "  </testsuite>\n");
}
