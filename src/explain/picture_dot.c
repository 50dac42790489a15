// For Graphviz: sessions as clusters, the cycle in colour. Labels are plain quoted strings, never
// HTML.

#include "explain/picture.h"

#include "base/output.h"
#include "explain/picture_text.h"

enum { MOST_LINES = 12, MOST_COLUMNS = 60 };

static void write_txn (const struct picture *p, uint32_t txn, struct output *out) {
  const struct picture_txn *t = &p->txns.data[txn];
  output_printf (out, "    t%u [label=\"", txn);
  picture_dot (out, t->label, MOST_COLUMNS);
  output_text (out, picture_outcomes[t->status]);
  for (size_t i = 0; i < t->ops.count && i < MOST_LINES; i++) {
    output_text (out, "\\n");
    picture_dot (out, t->ops.data[i], MOST_COLUMNS);
  }
  if (t->ops.count > MOST_LINES)
    output_printf (out, "\\n… %zu more", t->ops.count - MOST_LINES);
  output_printf (out, "\"%s%s];\n", t->status == TXN_COMMITTED ? "" : ", style=dashed",
                 t->surrounding ? ", color=gray70, fontcolor=gray40" : "");
}

static void write_session (const struct picture *p, uint32_t session, struct output *out) {
  output_printf (out, "  subgraph cluster_%u {\n    label=\"session ", session);
  picture_dot (out, p->sessions.data[session], MOST_COLUMNS);
  output_text (out, "\";\n");
  for (uint32_t t = 0; t < p->txns.count; t++)
    if (p->txns.data[t].session == session)
      write_txn (p, t, out);
  output_text (out, "  }\n");
}

static void write_edge (const struct picture_edge *e, uint32_t step, bool branches, struct output *out) {
  static const char *const colours[] = { "#bd4b00", "#00629b", "#00735a", "#9c3d7a" };
  output_printf (out, "  t%u -> t%u [label=\"", e->from, e->to);
  if (step && branches)
    output_printf (out, "branch %u, %u. ", e->branch + 1, step);
  else if (step)
    output_printf (out, "%u. ", step);
  output_text (out, picture_types[e->type].name);
  if (e->key) {
    output_text (out, " ");
    picture_dot (out, e->key, MOST_COLUMNS);
  }
  output_text (out, "\", tooltip=\"");
  picture_dot (out, e->why ? e->why : picture_types[e->type].says, 400);
  const char *style = e->type == PICTURE_RW || e->type == PICTURE_PRW ? "dashed"
                      : e->type == PICTURE_RT                         ? "dotted"
                                                                      : "solid";
  if (e->on_cycle)
    output_printf (out, "\", color=\"%s\", fontcolor=\"%s\", penwidth=2.5, style=%s];\n", colours[e->branch % 4],
                   colours[e->branch % 4], style);
  else
    output_printf (out, "\", color=gray50, fontcolor=gray40, style=%s];\n", style);
}

void picture_write_dot (const struct picture *p, struct output *out) {
  uint32_t *steps = MEM_ZARRAY (uint32_t, p->branches.count + 1);
  output_text (out, "digraph krait {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n"
                    "  edge [fontname=\"monospace\", fontsize=9];\n  label=\"");
  picture_dot (out, p->title ? p->title : "", 200);
  output_text (out, "\";\n");
  if (p->initial != PICTURE_NONE)
    write_txn (p, p->initial, out);
  for (uint32_t s = 0; s < p->sessions.count; s++)
    write_session (p, s, out);
  for (size_t i = 0; i < p->edges.count; i++) {
    const struct picture_edge *e = &p->edges.data[i];
    const bool step = e->on_cycle && e->branch < p->branches.count;
    write_edge (e, step ? ++steps[e->branch] : 0, p->branches.count > 1, out);
  }
  output_text (out, "}\n");
  mem_free (steps);
}
