// One page that needs nothing but itself: the drawing, with and without the surroundings, the texts
// as JSON, and a script that shows them. page.html has places for what is written here; it is taken
// in line by line when Krait is built, like page.css and page.js. Nothing of a history gets into
// the page other than through picture_xml and picture_json, and the script puts it into text nodes
// only.

#include "explain/picture_svg.h"

#include "base/output.h"
#include "explain/picture_text.h"

#include <inttypes.h>

static const char *const page_lines[] = {
#include "src/explain/page_html.inc"
};

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

// `before`: what separates it from the member before it, and its name.
static void write_member (struct data_writer *w, const char *before, const char *string) {
  const size_t length = string ? strlen (string) : 0;
  const bool whole = length <= w->left;
  w->left -= whole ? length : 0;
  output_text (w->out, before);
  picture_json (w->out, string, whole ? PICTURE_WHOLE : BRIEF);
}

static void write_strings (struct data_writer *w, const char *before, char *const *strings, size_t count) {
  output_printf (w->out, "%s[", before);
  for (size_t i = 0; i < count; i++)
    write_member (w, i ? "," : "", strings[i]);
  output_text (w->out, "]");
}

// As text: it may have more digits than a number of a script.
static void write_time (struct data_writer *w, const char *name, int64_t time, bool known) {
  if (known)
    output_printf (w->out, ",\"%s\":\"%" PRId64 "\"", name, time);
  else
    output_printf (w->out, ",\"%s\":null", name);
}

static void write_index (struct data_writer *w, const char *before, uint32_t index) {
  if (index == PICTURE_NONE)
    output_printf (w->out, "%snull", before);
  else
    output_printf (w->out, "%s%u", before, index);
}

static void write_txn (struct data_writer *w, const struct picture_txn *t) {
  static const char *const outcomes[] = { "committed", "aborted", "unknown" };
  write_member (w, "{\"label\":", t->label);
  write_index (w, ",\"session\":", t->session);
  output_printf (w->out, ",\"position\":%u,\"status\":\"%s\",\"near\":%s", t->position, outcomes[t->status],
                 t->surrounding ? "true" : "false");
  write_time (w, "begin", t->begin, t->begin != TIME_NONE_BEGIN);
  write_time (w, "end", t->end, t->end != TIME_NONE_END);
  write_member (w, ",\"note\":", t->note);
  write_strings (w, ",\"ops\":", t->ops.data, t->ops.count);
  output_text (w->out, "}");
}

static void write_edge (struct data_writer *w, const struct picture_edge *e) {
  output_printf (w->out, "{\"from\":%u,\"to\":%u,\"type\":\"%s\",\"cycle\":%s", e->from, e->to,
                 picture_types[e->type].name, e->on_cycle ? "true" : "false");
  write_index (w, ",\"branch\":", e->branch);
  write_member (w, ",\"key\":", e->key);
  write_member (w, ",\"why\":", e->why);
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
  write_member (&w, "{\"summary\":", p->summary);
  write_strings (&w, ",\"violated\":", p->violated.data, p->violated.count);
  write_strings (&w, ",\"holding\":", p->holding.data, p->holding.count);
  write_strings (&w, ",\"sessions\":", p->sessions.data, p->sessions.count);
  output_text (out, ",\n\"branches\":[");
  for (size_t i = 0; i < p->branches.count; i++) {
    write_member (&w, i ? ",{\"choice\":" : "{\"choice\":", p->branches.data[i].choice);
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

static void write_style (const struct picture *p, struct output *out) {
  (void) p;
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

static void write_title (const struct picture *p, struct output *out) {
  picture_xml (out, p->title ? p->title : "", 120);
}

static void write_heading (const struct picture *p, struct output *out) {
  picture_xml (out, p->title ? p->title : "", 200);
}

static void write_anomaly (const struct picture *p, struct output *out) {
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
}

static void write_choice (const struct picture *p, struct output *out) {
  if (p->branches.count > 1)
    output_text (out, "<div class=\"group\"><label for=\"branch\">Choice</label>"
                      "<button type=\"button\" id=\"previous-branch\" aria-label=\"previous choice\">◀</button>"
                      "<select id=\"branch\"></select>"
                      "<button type=\"button\" id=\"next-branch\" aria-label=\"next choice\">▶</button></div>\n");
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

static void write_drawings (const struct picture *p, struct output *out) {
  bool surrounding = false;
  for (size_t i = 0; i < p->txns.count; i++)
    surrounding |= p->txns.data[i].surrounding;
  write_drawing (p, false, out);
  if (surrounding)
    write_drawing (p, true, out);
}

static void write_script (const struct picture *p, struct output *out) {
  (void) p;
  write_lines (out, script_lines, sizeof script_lines / sizeof *script_lines);
}

static const struct {
  const char *name;
  void (*write) (const struct picture *, struct output *);
} places[] = { { "@{title}", write_title },       { "@{style}", write_style },   { "@{heading}", write_heading },
               { "@{anomaly}", write_anomaly },   { "@{choice}", write_choice }, { "@{data}", write_data },
               { "@{drawings}", write_drawings }, { "@{script}", write_script } };

void picture_write_html (const struct picture *p, struct output *out) {
  for (size_t i = 0; i < sizeof page_lines / sizeof *page_lines; i++) {
    const char *line = page_lines[i], *place = strstr (line, "@{"); // there is one in a line at the most
    output_write (out, line, place ? (size_t) (place - line) : strlen (line));
    for (size_t k = 0; place && k < sizeof places / sizeof *places; k++)
      if (!strncmp (place, places[k].name, strlen (places[k].name))) {
        places[k].write (p, out);
        output_text (out, place + strlen (places[k].name));
      }
  }
}
