#include "cnf/gnf.h"

#include "base/output.h"
#include "cnf/acyclicity.h"

#include <inttypes.h>

struct drawing {
  struct formula *formula;
  struct gnf *gnf;
  enum gnf_graph graph;
};

static void draw (struct drawing *d, bool reach, uint32_t from, uint32_t to, int32_t variable) {
  VEC_PUSH (d->gnf->lines[d->graph], (struct gnf_line){ reach, from, to, variable });
}

static void draw_component (void *context, const struct arc_component *component) {
  struct drawing *d = context;
  for (uint32_t i = 0; i < component->count; i++) {
    const struct arc *arc = &component->arcs[i];
    const int32_t edge = formula_helpers (d->formula, 1, "an edge of a graph");
    formula_implies (d->formula, arc->literal, 0, edge);
    draw (d, false, component->point[arc->from], component->point[arc->to], edge);
  }
  for (uint32_t i = 0; i < component->forbid_count; i++) {
    const struct arc *forbid = &component->forbids[i];
    const int32_t back = formula_helpers (d->formula, 1, "a path leads back along an edge that forbids");
    formula_implies (d->formula, forbid->literal, back, 0);
    draw (d, true, component->point[forbid->to], component->point[forbid->from], back);
  }
}

void gnf_compile (const struct problem *problem, struct formula *formula, struct gnf *gnf) {
  struct arc_maker maker;
  *gnf = (struct gnf){ .points = problem->points };
  formula_of_clauses (problem, formula);
  arc_maker_open (&maker, problem, formula);
  arcs_each_component (&maker, ARCS_OF_ORDER, draw_component, &(struct drawing){ formula, gnf, GNF_ORDER });
  if (gnf->lines[GNF_ORDER].count) {
    gnf->acyclic = formula_helpers (formula, 1, "the first graph has no cycle");
    formula_implies (formula, 0, 0, gnf->acyclic);
  }
  arcs_each_component (&maker, ARCS_IN_VIEW, draw_component, &(struct drawing){ formula, gnf, GNF_VIEW });
  arc_maker_close (&maker);
}

void gnf_free (struct gnf *gnf) {
  VEC_FREE (gnf->lines[GNF_ORDER]);
  VEC_FREE (gnf->lines[GNF_VIEW]);
}

static void write_graph (const struct gnf *gnf, enum gnf_graph graph, struct output *output) {
  uint32_t edges = 0;
  for (size_t i = 0; i < gnf->lines[graph].count; i++)
    edges += !gnf->lines[graph].data[i].reach;
  if (!gnf->lines[graph].count)
    return;
  output_printf (output, "digraph int %" PRIu32 " %" PRIu32 " %d\n", gnf->points, edges, (int) graph);
  for (size_t i = 0; i < gnf->lines[graph].count; i++) {
    const struct gnf_line *line = &gnf->lines[graph].data[i];
    if (!line->reach)
      output_printf (output, "edge %d %" PRIu32 " %" PRIu32 " %" PRId32 "\n", (int) graph, line->from, line->to,
                     line->variable);
  }
}

void gnf_write_graphs (const struct gnf *gnf, struct output *output) {
  write_graph (gnf, GNF_ORDER, output);
  write_graph (gnf, GNF_VIEW, output);
  if (gnf->acyclic)
    output_printf (output, "acyclic %d %" PRId32 "\n", GNF_ORDER, gnf->acyclic);
  for (size_t i = 0; i < gnf->lines[GNF_VIEW].count; i++) {
    const struct gnf_line *line = &gnf->lines[GNF_VIEW].data[i];
    if (line->reach)
      output_printf (output, "reach %d %" PRIu32 " %" PRIu32 " %" PRId32 "\n", GNF_VIEW, line->from, line->to,
                     line->variable);
  }
}
