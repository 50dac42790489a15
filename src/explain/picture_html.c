// One page that needs nothing but itself: the drawing, with and without the surroundings, the texts
// as JSON, and a script that shows them. page.css and page.js are taken in when Krait is built,
// line by line. Nothing of a history gets into the page other than through picture_xml and
// picture_json, and the script puts it into text nodes only.

#include "explain/picture_svg.h"

#include "base/output.h"
#include "explain/picture_text.h"

#include <inttypes.h>

static const char *const style_lines[] = {
#include "src/explain/page_css.inc"
};

static const char *const script_lines[] = {
#include "src/explain/page_js.inc"
};

// bytes of texts in full in a page; beyond, they are cut to BRIEF columns
enum { WHOLE_TEXTS = 8 << 20 };
enum { BRIEF = 120 };

static void write_lines (struct output *out, const char *const *lines, size_t count) {
  for (size_t i = 0; i < count; i++)
    output_text (out, lines[i]);
}

// -------------------------------------------------------------------------------------------- data

struct data_writer {
  struct output *out;
  size_t left; // of WHOLE_TEXTS
};

static void write_member (struct data_writer *w, const char *name, const char *string) {
  const size_t length = string ? strlen (string) : 0;
  const bool whole = length <= w->left;
  w->left -= whole ? length : 0;
  if (name)
    output_printf (w->out, "\"%s\":", name);
  picture_json (w->out, string, whole ? PICTURE_WHOLE : BRIEF);
}

static void write_strings (struct data_writer *w, const char *name, char *const *strings, size_t count) {
  output_printf (w->out, "\"%s\":[", name);
  for (size_t i = 0; i < count; i++) {
    output_text (w->out, i ? "," : "");
    write_member (w, NULL, strings[i]);
  }
  output_text (w->out, "]");
}

static void write_time (struct data_writer *w, const char *name, int64_t time, bool known) {
  if (known)
    output_printf (w->out, ",\"%s\":\"%" PRId64 "\"", name,
                   time); // as text: it may have more digits than a number of a script
  else
    output_printf (w->out, ",\"%s\":null", name);
}

static void write_txn (struct data_writer *w, const struct picture_txn *t) {
  static const char *const outcomes[] = { "committed", "aborted", "unknown" };
  output_text (w->out, "{");
  write_member (w, "label", t->label);
  if (t->session == PICTURE_NONE)
    output_text (w->out, ",\"session\":null");
  else
    output_printf (w->out, ",\"session\":%u", t->session);
  output_printf (w->out, ",\"position\":%u,\"status\":\"%s\",\"near\":%s", t->position, outcomes[t->status],
                 t->surrounding ? "true" : "false");
  write_time (w, "begin", t->begin, t->begin != TIME_NONE_BEGIN);
  write_time (w, "end", t->end, t->end != TIME_NONE_END);
  output_text (w->out, ",");
  write_member (w, "note", t->note);
  output_text (w->out, ",");
  write_strings (w, "ops", t->ops.data, t->ops.count);
  output_text (w->out, "}");
}

static void write_edge (struct data_writer *w, const struct picture_edge *e) {
  output_printf (w->out, "{\"from\":%u,\"to\":%u,\"type\":\"%s\",\"cycle\":%s,\"branch\":", e->from, e->to,
                 picture_types[e->type].name, e->on_cycle ? "true" : "false");
  if (e->branch == PICTURE_NONE)
    output_text (w->out, "null");
  else
    output_printf (w->out, "%u", e->branch);
  output_text (w->out, ",");
  write_member (w, "key", e->key);
  output_text (w->out, ",");
  write_member (w, "label", e->label);
  output_text (w->out, ",");
  write_member (w, "why", e->why);
  output_text (w->out, "}");
}

static void write_types (struct output *out) {
  output_text (out, "\"types\":{");
  for (unsigned i = 0; i < PICTURE_TYPE_COUNT; i++) {
    output_printf (out, "%s\"%s\":", i ? "," : "", picture_types[i].name);
    picture_json (out, picture_types[i].says, PICTURE_WHOLE);
  }
  output_text (out, "}");
}

static void write_data (const struct picture *p, struct output *out) {
  struct data_writer w = { out, WHOLE_TEXTS };
  output_text (out, "{");
  write_member (&w, "summary", p->summary);
  output_text (out, ",");
  write_strings (&w, "violated", p->violated.data, p->violated.count);
  output_text (out, ",");
  write_strings (&w, "holding", p->holding.data, p->holding.count);
  output_text (out, ",");
  write_strings (&w, "sessions", p->sessions.data, p->sessions.count);
  output_text (out, ",\n\"branches\":[");
  for (size_t i = 0; i < p->branches.count; i++) {
    output_text (out, i ? ",{" : "{");
    write_member (&w, "choice", p->branches.data[i].choice);
    output_text (out, "}");
  }
  output_text (out, "],\n\"edges\":[");
  for (size_t i = 0; i < p->edges.count; i++) {
    output_text (out, i ? ",\n" : "\n");
    write_edge (&w, &p->edges.data[i]);
  }
  output_text (out, "],\n\"txns\":[");
  for (size_t i = 0; i < p->txns.count; i++) {
    output_text (out, i ? ",\n" : "\n");
    write_txn (&w, &p->txns.data[i]);
  }
  output_text (out, "],\n");
  write_types (out);
  output_text (out, "}");
}

// -------------------------------------------------------------------------------------------- page

static void write_style (struct output *out) {
  output_text (out, "<style>\n:root {");
  svg_variables (out, false);
  output_text (out, " }\n:root[data-theme=dark] {");
  svg_variables (out, true);
  output_text (out, " }\n@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) {");
  svg_variables (out, true);
  output_text (out, " } }\n");
  svg_style_with_variables (out);
  write_lines (out, style_lines, sizeof style_lines / sizeof *style_lines);
  output_text (out, "</style>\n");
}

static void write_head (const struct picture *p, struct output *out) {
  output_text (out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                    "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"generator\" content=\"krait\">\n<title>");
  picture_xml (out, p->title ? p->title : "", 120);
  output_text (out, "</title>\n");
  write_style (out);
  output_text (out, "</head>\n");
}

static void write_header (const struct picture *p, struct output *out) {
  output_text (out, "<header>\n<h1>");
  picture_xml (out, p->title ? p->title : "", 200);
  output_text (out, "</h1>\n<p>");
  const char *name = p->anomaly_name ? p->anomaly_name : p->anomaly;
  if (name) {
    output_text (out, "<b>");
    picture_xml (out, name, 60);
    output_text (out, "</b>");
  }
  if (p->anomaly && p->anomaly_name) {
    output_text (out, " <span class=\"soft\">(");
    picture_xml (out, p->anomaly, 60);
    output_text (out, ")</span>");
  }
  if (p->level) {
    output_text (out, name ? ": not <b>" : "Not <b>");
    picture_xml (out, p->level, 80);
    output_text (out, "</b>");
  }
  output_text (out, "</p>\n</header>\n");
}

static void write_bar (const struct picture *p, struct output *out) {
  output_text (out, "<div class=\"bar\" role=\"toolbar\" aria-label=\"Steps and view\">\n<div class=\"group\">"
                    "<button type=\"button\" id=\"previous\" aria-keyshortcuts=\"ArrowLeft k\">◀ Previous</button>"
                    "<span id=\"where\" role=\"status\"></span>"
                    "<button type=\"button\" id=\"next\" aria-keyshortcuts=\"ArrowRight j\">Next ▶</button>"
                    "<button type=\"button\" id=\"back\" aria-keyshortcuts=\"Escape\">Overview</button></div>\n");
  if (p->branches.count > 1)
    output_text (out, "<div class=\"group\"><label for=\"branch\">Choice</label>"
                      "<button type=\"button\" id=\"previous-branch\" aria-label=\"previous choice\">◀</button>"
                      "<select id=\"branch\"></select>"
                      "<button type=\"button\" id=\"next-branch\" aria-label=\"next choice\">▶</button></div>\n");
  output_text (
    out, "<div class=\"group\"><button type=\"button\" id=\"surrounding\" aria-pressed=\"false\" "
         "aria-keyshortcuts=\"s\">Surrounding transactions</button></div>\n"
         "<div class=\"group end\"><button type=\"button\" id=\"smaller\" aria-label=\"smaller\">−</button>"
         "<button type=\"button\" id=\"zoom\" aria-label=\"size: back to 100%\">100%</button>"
         "<button type=\"button\" id=\"larger\" aria-label=\"larger\">+</button>"
         "<button type=\"button\" id=\"fit\">Fit</button>"
         "<button type=\"button\" id=\"theme\" aria-pressed=\"false\" aria-keyshortcuts=\"d\">Dark</button>"
         "<button type=\"button\" id=\"ask\" aria-label=\"help\" aria-keyshortcuts=\"?\">?</button></div>\n</div>\n");
}

static void write_drawing (const struct picture *p, bool with_surrounding, struct output *out) {
  struct layout *layout = layout_new (p, with_surrounding);
  output_printf (
    out,
    "<svg class=\"picture\" role=\"group\" aria-label=\"transactions%s\" viewBox=\"0 0 %d %d\" width=\"%d\" "
    "height=\"%d\" data-width=\"%d\" data-height=\"%d\"%s>\n",
    with_surrounding ? ", with those around them" : "", layout->width, layout->height, layout->width, layout->height,
    layout->width, layout->height, with_surrounding ? " hidden" : "");
  svg_drawing (layout, SVG_IN_PAGE, out);
  output_text (out, "</svg>\n");
  layout_free (layout);
}

static bool has_surrounding (const struct picture *p) {
  for (size_t i = 0; i < p->txns.count; i++)
    if (p->txns.data[i].surrounding)
      return true;
  return false;
}

static void write_help (struct output *out) {
  static const struct {
    const char *keys, *what;
  } rows[] = {
    { "<kbd>→</kbd> <kbd>j</kbd>", "next step of the cycle" },
    { "<kbd>←</kbd> <kbd>k</kbd>", "previous step" },
    { "<kbd>]</kbd> <kbd>[</kbd>", "next and previous choice, where there are several" },
    { "<kbd>Esc</kbd>", "back to the overview" },
    { "<kbd>s</kbd>", "show or hide the surrounding transactions" },
    { "<kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> <kbd>f</kbd>", "larger, smaller, 100%, fit" },
    { "<kbd>d</kbd>", "dark or light" },
    { "<kbd>Tab</kbd> <kbd>Enter</kbd>", "go to a transaction or an arrow, and open it" },
    { "<kbd>?</kbd>", "this help" },
  };
  output_text (out, "<dialog id=\"help\" aria-labelledby=\"help-title\">\n<h2 id=\"help-title\">How to read this</h2>\n"
                    "<p>Each lane is a session (a client), its transactions from left to right. An arrow says that one "
                    "transaction must come before "
                    "another; choose it for the reason. The numbered, thick arrows close a circle: no order satisfies "
                    "all of them.</p>\n<dl>\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    output_printf (out, "<dt>%s</dt><dd>%s</dd>\n", rows[i].keys, rows[i].what);
  output_text (out, "</dl>\n<button type=\"button\" id=\"close\">Close</button>\n</dialog>\n");
}

void picture_write_html (const struct picture *p, struct output *out) {
  write_head (p, out);
  output_text (out, "<body>\n");
  write_header (p, out);
  write_bar (p, out);
  output_text (out, "<main>\n<div id=\"pane\" tabindex=\"-1\">\n");
  write_drawing (p, false, out);
  if (has_surrounding (p))
    write_drawing (p, true, out);
  output_text (
    out,
    "</div>\n<aside id=\"panel\" aria-label=\"Explanation\" aria-live=\"polite\" tabindex=\"0\"></aside>\n</main>\n");
  write_help (out);
  output_text (out, "<script type=\"application/json\" id=\"data\">");
  write_data (p, out);
  output_text (out, "</script>\n<script>\n");
  write_lines (out, script_lines, sizeof script_lines / sizeof *script_lines);
  output_text (out, "</script>\n</body>\n</html>\n");
}
