#include "gnf.h"

#include "solve/sat.h"

#include <stdlib.h>

enum { MOST_GRAPHS = 4, MOST_WORDS = 6 };

struct edge {
  long from, to, variable;
};

struct reach {
  long graph, from, to, variable;
};

struct graph {
  bool declared;
  long points, edges;
  VEC (struct edge) list;
  long acyclic; // a variable; 0: nothing is said
};

struct gnf_text {
  long variables, clauses, clauses_found;
  struct graph graphs[MOST_GRAPHS];
  VEC (struct reach) reaches;
  VEC (bool) used; // per variable: an edge or a property has it
  struct sat *sat;
  const char *wrong;
};

static bool complain (struct gnf_text *g, const char *what) {
  if (!g->wrong)
    g->wrong = what;
  return false;
}

// ----------------------------------------------------------------------------------------- reading

struct line {
  char word[16];
  long number[MOST_WORDS];
  unsigned count;
};

static bool take_variable (struct gnf_text *g, long variable) {
  if (variable < 1 || variable > g->variables)
    return complain (g, "a variable that the formula does not have");
  if (g->used.data[variable])
    return complain (g, "a variable that stands for two things");
  g->used.data[variable] = true;
  return true;
}

static bool is_point (const struct gnf_text *g, long graph, long point) {
  return point >= 0 && point < g->graphs[graph].points;
}

static bool take_graph (struct gnf_text *g, const struct line *line) {
  const long id = line->number[2];
  if (line->count != 3 || id < 0 || id >= MOST_GRAPHS || g->graphs[id].declared)
    return complain (g, "a digraph that is not declared as it should be");
  g->graphs[id] = (struct graph){ .declared = true, .points = line->number[0], .edges = line->number[1] };
  return true;
}

static bool take_edge (struct gnf_text *g, const struct line *line) {
  const long id = line->number[0], from = line->number[1], to = line->number[2], variable = line->number[3];
  if (line->count != 4 || !is_point (g, id, from) || !is_point (g, id, to))
    return complain (g, "an edge that is not declared as it should be");
  VEC_PUSH (g->graphs[id].list, (struct edge){ from, to, variable });
  return take_variable (g, variable)
         && ((long) g->graphs[id].list.count <= g->graphs[id].edges || complain (g, "more edges than were declared"));
}

static bool take_property (struct gnf_text *g, const struct line *line) {
  const long id = line->number[0];
  if (!strcmp (line->word, "acyclic") && line->count == 2) {
    g->graphs[id].acyclic = line->number[1];
    return take_variable (g, line->number[1]);
  }
  if (!strcmp (line->word, "reach") && line->count == 4 && is_point (g, id, line->number[1])
      && is_point (g, id, line->number[2])) {
    VEC_PUSH (g->reaches, (struct reach){ id, line->number[1], line->number[2], line->number[3] });
    return take_variable (g, line->number[3]);
  }
  return complain (g, "a line that is none of GNF");
}

static bool take_words (struct gnf_text *g, const struct line *line) {
  if (!strcmp (line->word, "digraph"))
    return take_graph (g, line);
  if (line->number[0] < 0 || line->number[0] >= MOST_GRAPHS || !g->graphs[line->number[0]].declared)
    return complain (g, "a line for a graph that was not declared");
  return !strcmp (line->word, "edge") ? take_edge (g, line) : take_property (g, line);
}

static bool take_clause (struct gnf_text *g, const char *text) {
  char *end;
  for (;; text = end) {
    const long literal = strtol (text, &end, 10);
    if (end == text)
      return complain (g, "a clause without a 0");
    if (labs (literal) > g->variables)
      return complain (g, "a literal that is none");
    sat_add (g->sat, (int32_t) literal);
    if (!literal)
      break;
  }
  g->clauses_found++;
  return !*end || complain (g, "something behind a clause");
}

static bool take_size (struct gnf_text *g, const char *text) {
  char *end;
  if (g->used.count || strncmp (text, "p cnf ", 6) != 0)
    return complain (g, "expected p cnf");
  g->variables = strtol (text + 6, &end, 10);
  g->clauses = strtol (end, &end, 10);
  for (long v = 0; v <= g->variables; v++)
    VEC_PUSH (g->used, false);
  return !*end || complain (g, "something behind p cnf");
}

static bool take_line (struct gnf_text *g, char *text) {
  struct line line = { .count = 0 };
  if (*text == 'c')
    return true;
  if (*text == 'p' || !g->used.count)
    return take_size (g, text);
  if (*text == '-' || (*text >= '0' && *text <= '9'))
    return take_clause (g, text);
  char *rest = NULL;
  for (char *word = strtok_r (text, " ", &rest); word; word = strtok_r (NULL, " ", &rest))
    if (!*line.word)
      strncpy (line.word, word, sizeof line.word - 1);
    else if (line.count < MOST_WORDS && strcmp (word, "int") != 0)
      line.number[line.count++] = strtol (word, NULL, 10);
  return take_words (g, &line);
}

static void read_text (struct gnf_text *g, const char *text, size_t length) {
  char *copy = mem_alloc (length + 1), *rest = NULL;
  memcpy (copy, text, length);
  copy[length] = 0;
  for (char *line = strtok_r (copy, "\n", &rest); line && take_line (g, line);)
    line = strtok_r (NULL, "\n", &rest);
  mem_free (copy);
  if (!g->wrong && g->clauses_found != g->clauses)
    g->wrong = "another number of clauses than was declared";
}

// ----------------------------------------------------------------------------------------- solving

// Backwards from each point of a path, the edge by which it was reached; -1: by none.
static bool find_path (const struct gnf_text *g, const struct graph *graph, long from, long to, long *by) {
  for (long v = 0; v < graph->points; v++)
    by[v] = -1;
  bool grew = true, found = false;
  for (; grew && !found;) {
    grew = false;
    for (size_t i = 0; i < graph->list.count && !found; i++) {
      const struct edge *edge = &graph->list.data[i];
      if (!sat_value (g->sat, (int32_t) edge->variable) || by[edge->to] >= 0
          || (edge->from != from && by[edge->from] < 0))
        continue;
      by[edge->to] = (long) i;
      grew = true;
      found = edge->to == to;
    }
  }
  return found;
}

typedef VEC (int32_t) lemma;

static void collect_path (const struct graph *graph, long from, long to, const long *by, lemma *clause) {
  do {
    const struct edge *edge = &graph->list.data[by[to]];
    VEC_PUSH (*clause, -(int32_t) edge->variable);
    to = edge->from;
  } while (to != from);
}

// The clause that was overlooked; none: all is well.
static void find_cycle (struct gnf_text *g, const struct graph *graph, long *by, lemma *clause) {
  if (!graph->acyclic)
    return;
  if (!sat_value (g->sat, (int32_t) graph->acyclic)) {
    complain (g, "nobody demands that a graph has no cycle");
    return;
  }
  for (long v = 0; v < graph->points && !clause->count; v++)
    if (find_path (g, graph, v, v, by)) {
      VEC_PUSH (*clause, -(int32_t) graph->acyclic);
      collect_path (graph, v, v, by, clause);
    }
}

static void find_reached (const struct gnf_text *g, const struct reach *reach, long *by, lemma *clause) {
  const struct graph *graph = &g->graphs[reach->graph];
  const bool is = find_path (g, graph, reach->from, reach->to, by);
  if (is == sat_value (g->sat, (int32_t) reach->variable))
    return;
  VEC_PUSH (*clause, is ? (int32_t) reach->variable : -(int32_t) reach->variable);
  if (is)
    collect_path (graph, reach->from, reach->to, by, clause);
  for (size_t i = 0; !is && i < graph->list.count; i++) { // some edge must lead further
    const struct edge *edge = &graph->list.data[i];
    if ((edge->from == reach->from || by[edge->from] >= 0) && by[edge->to] < 0)
      VEC_PUSH (*clause, (int32_t) edge->variable);
  }
}

static void find_overlooked (struct gnf_text *g, lemma *clause) {
  long most = 1;
  for (int i = 0; i < MOST_GRAPHS; i++)
    most = g->graphs[i].points > most ? g->graphs[i].points : most;
  long *by = MEM_ARRAY (long, (size_t) most);
  for (int i = 0; i < MOST_GRAPHS && !clause->count; i++)
    find_cycle (g, &g->graphs[i], by, clause);
  for (size_t i = 0; i < g->reaches.count && !clause->count; i++)
    find_reached (g, &g->reaches.data[i], by, clause);
  mem_free (by);
}

static bool solve (struct gnf_text *g) {
  lemma clause = VEC_EMPTY;
  bool satisfiable;
  do {
    clause.count = 0;
    satisfiable = sat_solve (g->sat, NULL) == SAT_YES;
    if (satisfiable)
      find_overlooked (g, &clause);
    for (size_t i = 0; i < clause.count; i++)
      sat_add (g->sat, clause.data[i]);
    if (clause.count)
      sat_add (g->sat, 0);
  } while (satisfiable && clause.count && !g->wrong);
  VEC_FREE (clause);
  return satisfiable;
}

void gnf_solve (const char *text, size_t length, struct gnf_answer *answer) {
  struct gnf_text g = { .sat = sat_new (0) };
  *answer = (struct gnf_answer){ 0 };
  read_text (&g, text, length);
  answer->satisfiable = !g.wrong && solve (&g);
  for (long v = 0; answer->satisfiable && v <= g.variables; v++)
    VEC_PUSH (answer->values, v && sat_value (g.sat, (int32_t) v) ? 1 : -1);
  answer->wrong = g.wrong;
  for (int i = 0; i < MOST_GRAPHS; i++)
    VEC_FREE (g.graphs[i].list);
  VEC_FREE (g.reaches);
  VEC_FREE (g.used);
  sat_free (g.sat);
}
