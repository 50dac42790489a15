// A drawing that stands alone: what is wrong, the lanes, the steps in words, and a key to the kinds
// of edges.

#include "explain/picture_svg.h"

#include "base/output.h"
#include "explain/picture_text.h"
#include "explain/words.h"

#include <stdlib.h>

enum {
  MARGIN = 16,
  TIP = 9,          // length of an arrow's tip
  CORNER = 10,      // radius
  MOST_STEPS = 100, // in words
};

// ------------------------------------------------------------------------------------------ pieces

static void write_text (struct output *out, const char *class, int x, int y, const char *string, size_t most) {
  output_printf (out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
  picture_xml (out, string, most);
  output_text (out, "</text>\n");
}

// Text that was made ready for showing already; it is freed.
static void write_ready_xml (struct output *out, struct text *text) {
  text_char (text, '\0');
  picture_xml (out, text->data, PICTURE_WHOLE);
  VEC_FREE (*text);
}

static void write_ready (struct output *out, const char *class, int x, int y, struct text *text) {
  output_printf (out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
  write_ready_xml (out, text);
  output_text (out, "</text>\n");
}

// "T1 before T2, rw x", and, with a step's number, "1. T1 before T2, rw x".
static void write_edge_name (const struct layout *layout, uint32_t edge, struct output *out) {
  const struct picture_edge *e = &layout->picture->edges.data[edge];
  if (layout->steps[edge])
    output_printf (out, "%u. ", layout->steps[edge]);
  picture_xml (out, layout->picture->txns.data[e->from].label, 40);
  output_text (out, " before ");
  picture_xml (out, layout->picture->txns.data[e->to].label, 40);
  output_printf (out, ", %s", picture_types[e->type].name);
  if (e->key) {
    output_text (out, " ");
    picture_xml (out, e->key, 60);
  }
}

// ------------------------------------------------------------------------------------------- lanes

static void draw_rules (const struct layout *layout, struct output *out) {
  bool first = true;
  output_text (out, "<g class=\"lanes\">\n");
  for (size_t s = 0; s < layout->picture->sessions.count; s++) {
    const struct lane *lane = &layout->lanes[s];
    if (lane->shown && !first)
      output_printf (out, "<path class=\"rule\" d=\"M0 %dH%d\"/>\n", lane->top, layout->width);
    first = first && !lane->shown;
  }
  output_text (out, "</g>\n");
}

// On top of all, because a page keeps them in view when the rest is moved to the left.
static void draw_names (const struct layout *layout, enum svg_use use, struct output *out) {
  const struct picture *p = layout->picture;
  output_printf (out, "<g class=\"names\"%s>\n", use == SVG_IN_PAGE ? " aria-hidden=\"true\"" : "");
  if (use == SVG_IN_PAGE)
    output_printf (out, "<rect class=\"veil\" x=\"0\" y=\"0\" width=\"%d\" height=\"%d\"/>\n", layout->margin - 8,
                   layout->height);
  for (size_t s = 0; s < p->sessions.count; s++) {
    const struct lane *lane = &layout->lanes[s];
    if (!lane->shown)
      continue;
    write_text (out, "lane", 8, lane->top + lane->height / 2 - 3, "session", LANE_NAME_COLUMNS);
    write_text (out, "lane", 8, lane->top + lane->height / 2 + 12, p->sessions.data[s], LANE_NAME_COLUMNS);
  }
  output_text (out, "</g>\n");
}

// ------------------------------------------------------------------------------------------- edges

static int towards (int from, int to, int by) {
  return from < to ? from + by : from > to ? from - by : from;
}

static int least (int a, int b) {
  return a < b ? a : b;
}

// Corners become arcs; pieces of no length, and corners where nothing turns, are left out.
static void draw_corners (const struct spot *spots, unsigned count, struct output *out) {
  struct spot at = spots[0];
  output_printf (out, "M%d %d", at.x, at.y);
  for (unsigned i = 1; i < count; i++) {
    const struct spot corner = spots[i];
    if (corner.x == at.x && corner.y == at.y)
      continue;
    unsigned next = i + 1;
    while (next < count && spots[next].x == corner.x && spots[next].y == corner.y)
      next++;
    if (next >= count) {
      output_printf (out, "L%d %d", corner.x, corner.y);
      break;
    }
    const struct spot after = spots[next];
    if ((at.x == corner.x && corner.x == after.x) || (at.y == corner.y && corner.y == after.y))
      continue;
    int radius = least (CORNER, (abs (corner.x - at.x) + abs (corner.y - at.y)) / 2);
    radius = least (radius, (abs (after.x - corner.x) + abs (after.y - corner.y)) / 2);
    const struct spot begin = { towards (corner.x, at.x, radius), towards (corner.y, at.y, radius) };
    const struct spot end = { towards (corner.x, after.x, radius), towards (corner.y, after.y, radius) };
    output_printf (out, "L%d %dQ%d %d %d %d", begin.x, begin.y, corner.x, corner.y, end.x, end.y);
    at = end;
  }
}

static void draw_way (const struct route *route, struct output *out) {
  struct spot spots[6];
  memcpy (spots, route->spots, sizeof spots);
  spots[route->count - 1].x += route->leftwards ? TIP - 2 : 2 - TIP;
  output_text (out, "d=\"");
  if (route->kind == ROUTE_CURVE && !route->cornered)
    output_printf (out, "M%d %dC%d %d %d %d %d %d", spots[0].x, spots[0].y, spots[1].x, spots[1].y, spots[2].x,
                   spots[2].y, spots[3].x, spots[3].y);
  else
    draw_corners (spots, route->count, out);
  output_text (out, "\"/>");
}

static void write_classes (const struct picture_edge *e, struct output *out) {
  output_text (out, picture_types[e->type].name);
  if (e->branch != PICTURE_NONE)
    output_printf (out, " b%u", e->branch);
  if (e->on_cycle)
    output_printf (out, " cycle c%u", e->branch % 4);
}

static void draw_edge (const struct layout *layout, uint32_t edge, enum svg_use use, struct output *out) {
  const struct picture_edge *e = &layout->picture->edges.data[edge];
  const struct route *route = &layout->routes[edge];
  output_text (out, "<g class=\"arrow ");
  write_classes (e, out);
  output_printf (out, "\" data-edge=\"%u\"", edge);
  if (use == SVG_IN_PAGE) {
    output_printf (out, " role=\"button\" tabindex=\"%d\" aria-label=\"", e->on_cycle ? 0 : -1);
    write_edge_name (layout, edge, out);
    output_text (out, "\"");
  }
  output_text (out, "><title>");
  write_edge_name (layout, edge, out);
  if (e->why) {
    output_text (out, ": ");
    picture_xml (out, e->why, 400);
  }
  output_text (out, "</title>");
  if (use == SVG_IN_PAGE) {
    output_text (out, "<path class=\"hit\" ");
    draw_way (route, out);
  }
  output_text (out, "<path class=\"wire\" ");
  draw_way (route, out);
  const struct spot end = route->spots[route->count - 1];
  const int back = route->leftwards ? TIP : -TIP;
  output_printf (out, "<path class=\"tip\" d=\"M%d %dl%d 5v-10z\"/></g>\n", end.x, end.y, back);
}

static void draw_label (const struct layout *layout, uint32_t edge, struct output *out) {
  const struct route *route = &layout->routes[edge];
  if (!route->label_width)
    return;
  output_text (out, "<g class=\"label ");
  write_classes (&layout->picture->edges.data[edge], out);
  output_printf (out, "\" data-edge=\"%u\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>", edge,
                 route->label.x - route->label_width / 2, route->label.y - LABEL_HEIGHT / 2, route->label_width,
                 LABEL_HEIGHT);
  struct text label = { 0 };
  layout_label (layout, edge, &label);
  output_printf (out, "<text x=\"%d\" y=\"%d\">", route->label.x, route->label.y + 4);
  write_ready_xml (out, &label);
  output_text (out, "</text></g>\n");
}

// Grey ones below, steps above them, labels on top of all.
static void draw_edges (const struct layout *layout, enum svg_use use, struct output *out) {
  const struct picture *p = layout->picture;
  output_text (out, "<g class=\"arrows\">\n");
  for (int steps = 0; steps < 2; steps++)
    for (uint32_t i = 0; i < p->edges.count; i++)
      if (layout->routes[i].kind != ROUTE_NONE && p->edges.data[i].on_cycle == steps)
        draw_edge (layout, i, use, out);
  output_text (out, "</g>\n");
}

static void draw_labels (const struct layout *layout, struct output *out) {
  output_text (out, "<g class=\"labels\">\n");
  for (uint32_t i = 0; i < layout->picture->edges.count; i++)
    if (layout->routes[i].kind != ROUTE_NONE)
      draw_label (layout, i, out);
  output_text (out, "</g>\n");
}

// ------------------------------------------------------------------------------------------- boxes

static void describe_box (const struct layout *layout, uint32_t txn, struct output *out) {
  const struct picture_txn *t = &layout->picture->txns.data[txn];
  picture_xml (out, t->label, TXN_NAME_COLUMNS);
  output_text (out, picture_outcomes[t->status]);
  if (txn == layout->picture->initial)
    output_text (out, ", the initial state");
  else {
    output_text (out, ", session ");
    picture_xml (out, layout->picture->sessions.data[t->session], 40);
  }
  for (size_t i = 0; i < t->ops.count && i < 12; i++) {
    output_text (out, i ? "; " : ": ");
    picture_xml (out, t->ops.data[i], 80);
  }
  output_text (out, t->ops.count > 12 ? "; …" : "");
}

static void draw_initial (const struct box *box, struct output *out) {
  const int middle = box->y + box->height / 2;
  write_text (out, "head", box->x + 24, middle - 8, "T0", 4);
  write_text (out, "soft", box->x + 7, middle + 8, "initial", 8);
  write_text (out, "soft", box->x + 14, middle + 24, "state", 8);
}

static void draw_ops (const struct layout *layout, uint32_t txn, struct output *out) {
  const struct picture_txn *t = &layout->picture->txns.data[txn];
  const struct box *box = &layout->boxes[txn];
  int y = box->y + HEAD_HEIGHT + 12;
  for (uint32_t i = 0; i < box->lines; i++, y += LINE_HEIGHT)
    write_text (out, "op", box->x + 10, y, t->ops.data[i], MOST_COLUMNS);
  if (box->lines == t->ops.count)
    return;
  output_printf (out, "<text class=\"soft\" x=\"%d\" y=\"%d\">… %zu more</text>\n", box->x + 10, y,
                 t->ops.count - box->lines);
}

static void draw_box (const struct layout *layout, uint32_t txn, bool on_cycle, enum svg_use use, struct output *out) {
  const struct picture_txn *t = &layout->picture->txns.data[txn];
  const struct box *box = &layout->boxes[txn];
  output_printf (out, "<g class=\"box%s%s%s\" data-txn=\"%u\"", on_cycle ? " bad" : "", t->surrounding ? " near" : "",
                 t->status == TXN_ABORTED   ? " abort"
                 : t->status == TXN_UNKNOWN ? " unknown"
                                            : "",
                 txn);
  if (use == SVG_IN_PAGE) {
    output_text (out, " role=\"button\" tabindex=\"0\" aria-label=\"");
    describe_box (layout, txn, out);
    output_text (out, "\"");
  }
  output_text (out, "><title>");
  describe_box (layout, txn, out);
  output_printf (out, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", box->x, box->y,
                 box->width, box->height);
  if (txn == layout->picture->initial)
    draw_initial (box, out);
  else {
    output_printf (out, "<text class=\"head\" x=\"%d\" y=\"%d\">", box->x + 10, box->y + 18);
    picture_xml (out, t->label, TXN_NAME_COLUMNS);
    output_printf (out, "%s</text>\n", picture_outcomes[t->status]);
    draw_ops (layout, txn, out);
  }
  output_text (out, "</g>\n");
}

static void draw_boxes (const struct layout *layout, enum svg_use use, struct output *out) {
  const struct picture *p = layout->picture;
  bool *on_cycle = MEM_ZARRAY (bool, p->txns.count + 1);
  for (size_t i = 0; i < p->edges.count; i++)
    if (p->edges.data[i].on_cycle)
      on_cycle[p->edges.data[i].from] = on_cycle[p->edges.data[i].to] = true;
  output_text (out, "<g class=\"boxes\">\n");
  for (uint32_t t = 0; t < p->txns.count; t++)
    if (layout->boxes[t].shown)
      draw_box (layout, t, on_cycle[t], use, out);
  output_text (out, "</g>\n");
  mem_free (on_cycle);
}

void svg_drawing (const struct layout *layout, enum svg_use use, struct output *out) {
  draw_rules (layout, out);
  draw_edges (layout, use, out);
  draw_boxes (layout, use, out);
  draw_labels (layout, out);
  draw_names (layout, use, out);
}

// ------------------------------------------------------------------------------------- words below

// Lines of text that grow downwards; written into a buffer first, because the height of the whole
// comes before them.
struct column_of_text {
  struct output *out;
  int y;
  size_t columns; // that fit
};

// Breaks at spaces, and inside of what is longer than a line.
static void write_wrapped (struct column_of_text *c, const char *class, const char *string) {
  struct text text = { 0 };
  picture_show (&text, string, strlen (string), 600, LINES_JOINED);
  for (size_t from = 0; from < text.count;) {
    size_t end = from, columns = 0, space = 0;
    while (end < text.count && columns < c->columns) {
      if (text.data[end] == ' ' && end > from)
        space = end;
      end++;
      columns += end == text.count || (text.data[end] & 0xc0) != 0x80;
    }
    while (end < text.count && (text.data[end] & 0xc0) == 0x80)
      end++;
    if (end < text.count && space)
      end = space;
    struct text line = { 0 };
    text_bytes (&line, text.data + from, end - from);
    write_ready (c->out, class, MARGIN, c->y, &line);
    c->y += LINE_HEIGHT;
    from = end + (end < text.count && text.data[end] == ' ');
  }
  VEC_FREE (text);
}

static void append (struct text *line, const char *string, size_t most) {
  picture_show (line, string, strlen (string), most, LINES_JOINED);
}

static void end_line (struct column_of_text *c, const char *class, struct text *line) {
  char *string = words_take (line);
  write_wrapped (c, class, string);
  mem_free (string);
}

static void write_step (const struct layout *layout, uint32_t edge, struct column_of_text *c) {
  const struct picture *p = layout->picture;
  const struct picture_edge *e = &p->edges.data[edge];
  struct text line = { 0 };
  words_add (&line, "%u. ", layout->steps[edge]);
  append (&line, p->txns.data[e->from].label, 40);
  text_string (&line, " → ");
  append (&line, p->txns.data[e->to].label, 40);
  words_add (&line, " (%s%s", picture_types[e->type].name, e->key ? " " : "");
  if (e->key)
    picture_show_key (&line, e->key, 24);
  text_string (&line, e->why ? "): " : ")");
  if (e->why)
    append (&line, e->why, 500);
  end_line (c, "step", &line);
}

static void write_branch (const struct layout *layout, uint32_t branch, struct column_of_text *c) {
  const struct picture *p = layout->picture;
  if (p->branches.data[branch].choice) {
    struct text line = { 0 };
    words_add (&line, "%c: ", branch < 26 ? (int) ('A' + branch) : '+');
    append (&line, p->branches.data[branch].choice, 300);
    c->y += 6;
    end_line (c, "head", &line);
  }
  unsigned written = 0;
  for (uint32_t i = 0; i < p->edges.count; i++)
    if (layout->steps[i] && p->edges.data[i].branch == branch && written++ < MOST_STEPS)
      write_step (layout, i, c);
  if (written > MOST_STEPS) {
    struct text more = { 0 };
    words_add (&more, "… and %u more", written - MOST_STEPS);
    end_line (c, "soft", &more);
  }
}

static void write_key_to_types (const struct layout *layout, struct column_of_text *c) {
  const struct picture *p = layout->picture;
  bool used[PICTURE_TYPE_COUNT] = { false };
  for (size_t i = 0; i < p->edges.count; i++)
    used[p->edges.data[i].type] |= layout->routes[i].kind != ROUTE_NONE;
  c->y += 10;
  for (unsigned i = 0; i < PICTURE_TYPE_COUNT; i++) {
    if (!used[i])
      continue;
    output_printf (c->out, "<g class=\"%s\"><path class=\"wire\" d=\"M%d %dh40\"/></g>\n", picture_types[i].name,
                   MARGIN, c->y - 4);
    write_text (c->out, "soft", MARGIN + 52, c->y, picture_types[i].name, 8);
    write_text (c->out, "soft", MARGIN + 96, c->y, picture_types[i].says, 100);
    c->y += LINE_HEIGHT;
  }
}

static void write_summary (const char *summary, struct column_of_text *c) {
  unsigned lines = 0;
  for (const char *at = summary; *at && lines < 40; lines++) {
    const size_t length = strcspn (at, "\n");
    struct text line = { 0 };
    text_bytes (&line, at, length);
    end_line (c, "soft", &line);
    at += length + (at[length] == '\n');
  }
}

static void write_levels (const char *title, char *const *names, size_t count, struct column_of_text *c) {
  if (!count)
    return;
  struct text line = { 0 };
  text_string (&line, title);
  for (size_t i = 0; i < count; i++) {
    text_string (&line, i ? ", " : " ");
    append (&line, names[i], 60);
  }
  end_line (c, "soft", &line);
}

static void write_words (const struct layout *layout, struct column_of_text *c) {
  const struct picture *p = layout->picture;
  if (p->summary && *p->summary)
    write_summary (p->summary, c);
  for (uint32_t branch = 0; branch < p->branches.count; branch++)
    write_branch (layout, branch, c);
  c->y += 6;
  write_levels ("Weakest levels that this breaks:", p->violated.data, p->violated.count, c);
  write_levels ("Strongest levels that it keeps:", p->holding.data, p->holding.count, c);
  write_key_to_types (layout, c);
}

// --------------------------------------------------------------------------------------------- all

// "lost-update (G-single), not allowed by serializable"
static void write_subtitle (const struct picture *p, struct output *out) {
  struct text line = { 0 };
  const char *name = p->anomaly_name ? p->anomaly_name : p->anomaly;
  if (name)
    append (&line, name, 40);
  if (p->anomaly && p->anomaly_name) {
    text_string (&line, " (");
    append (&line, p->anomaly, 40);
    text_char (&line, ')');
  }
  if (p->level) {
    text_string (&line, line.count ? ": not " : "not ");
    append (&line, p->level, 60);
  }
  write_ready (out, "soft", MARGIN, 46, &line);
}

void picture_write_svg (const struct picture *p, struct output *out) {
  struct layout *layout = layout_new (p, false);
  const int width = (layout->width < 720 ? 720 : layout->width) + 2 * MARGIN, top = 60;
  struct column_of_text below = { .out = output_open_memory (),
                                  .y = top + layout->height + 24,
                                  .columns = (size_t) (least (width, 1000) - 2 * MARGIN) / 7 };
  write_words (layout, &below);
  const int height = below.y + 4;
  output_printf (out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                 "class=\"picture\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
                 width, height, width, height);
  picture_xml (out, p->title ? p->title : "", 200);
  output_text (out, "</title>\n<desc>");
  picture_xml_lines (out, p->summary ? p->summary : "", 4000);
  output_text (out, "</desc>\n<style>\n");
  svg_style (out);
  output_printf (out, "</style>\n<rect class=\"sheet\" width=\"%d\" height=\"%d\"/>\n", width, height);
  write_text (out, "title", MARGIN, 26, p->title ? p->title : "", 90);
  write_subtitle (p, out);
  output_printf (out, "<g transform=\"translate(%d %d)\">\n", MARGIN, top);
  svg_drawing (layout, SVG_ALONE, out);
  output_text (out, "</g>\n");
  size_t length;
  const char *lines = output_memory (below.out, &length);
  output_write (out, lines, length);
  output_text (out, "</svg>\n");
  output_discard (below.out);
  layout_free (layout);
}
