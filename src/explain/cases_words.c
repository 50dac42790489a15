#include "explain/cases_words.h"

#include "asg/asg.h"
#include "history/history.h"

#include <inttypes.h>

static void words_txn (words *w, const struct cases *c, uint32_t node) {
  if (node)
    words_add (w, "T%" PRIu64, c->scene->history->txn_ids.data[c->scene->asg->node_txn[node]]);
  else
    words_add (w, "the initial state");
}

static void words_of_key (words *w, const struct cases *c, uint32_t key) {
  words_key (w, c->scene->history, key);
}

static unsigned flags_of (const struct cases *c, uint32_t read) {
  return c->scene->asg->read_flags ? c->scene->asg->read_flags[read] : 0;
}

static void words_of_read (words *w, const struct cases *c, uint32_t read) {
  const struct asg *asg = c->scene->asg;
  words_read (w, c->scene->history, asg->read_op ? asg->read_op[read] : UINT32_MAX, asg->read_key[read],
              asg->read_value[read], flags_of (c, read));
}

static bool is_absence (const struct cases *c, uint32_t read) {
  return c->scene->asg->read_value[read] == VALUE_ABSENT && !(flags_of (c, read) & READ_OTHER);
}

// ", which T3 wrote" behind what was read.
static void words_of_writer (words *w, const struct cases *c, uint32_t read, uint32_t writer) {
  const struct asg *asg = c->scene->asg;
  if (!writer) {
    words_add (w, is_absence (c, read) ? ", as at the start" : ", the initial value");
    return;
  }
  const bool deleted = asg->install_value[asg_install_of (asg, asg->read_key[read], writer)] == VALUE_ABSENT;
  words_add (w, deleted ? ", since " : flags_of (c, read) & READ_OTHER ? ", as " : ", which ");
  words_txn (w, c, writer);
  words_add (w, deleted ? " had deleted it" : " wrote");
}

// ----------------------------------------------------------------------------------------------------------------------- edges

static void words_fixed (words *w, const struct cases *c, const struct circle_edge *edge) {
  words_add (w, edge->kind == EDGE_SO ? "the same client ran " : "");
  words_txn (w, c, edge->from);
  words_add (w, edge->kind == EDGE_SO ? " before " : " ended before ");
  words_txn (w, c, edge->to);
  words_add (w, edge->kind == EDGE_SO ? "" : " began");
}

static void words_wr (words *w, const struct cases *c, const struct circle_edge *edge) {
  words_txn (w, c, edge->to);
  words_add (w, " ");
  words_of_read (w, c, edge->read);
  words_of_writer (w, c, edge->read, edge->from);
}

// Why the second of two writers is the second, as an addition in the middle of a sentence.
static void words_reason (words *w, const struct cases *c, const struct case_edge *edge, bool elsewhere) {
  switch (edge->reason) {
  case BY_CASE: words_add (w, elsewhere ? " (the other order closes a circle, too)" : " (assumed here)"); return;
  case BY_LIST: words_add (w, " (as lists that were read show)"); return;
  case BY_EDGE:
    words_add (w, " (since ");
    if (edge->by.kind == EDGE_WR)
      words_wr (w, c, &edge->by);
    else
      words_fixed (w, c, &edge->by);
    words_add (w, ")");
    return;
  case BY_REPLACING:
    words_add (w, " (since ");
    words_txn (w, c, edge->edge.from);
    words_add (w, " ");
    words_of_read (w, c, edge->edge.read);
    words_of_writer (w, c, edge->edge.read, edge->writer);
    words_add (w, ", and replaced that, as ");
    words_txn (w, c, edge->edge.to);
    words_add (w, " did later)");
    return;
  }
}

static void words_ww (words *w, const struct cases *c, const struct case_edge *edge, bool elsewhere) {
  words_txn (w, c, edge->edge.from);
  words_add (w, " wrote ");
  words_of_key (w, c, edge->edge.key);
  words_add (w, " before ");
  words_txn (w, c, edge->edge.to);
  words_reason (w, c, edge, elsewhere);
}

static void words_rw (words *w, const struct cases *c, const struct case_edge *edge, bool elsewhere) {
  const struct asg *asg = c->scene->asg;
  const uint32_t p = edge->edge.to, key = edge->edge.key;
  const bool deletes = asg->install_value[asg_install_of (asg, key, p)] == VALUE_ABSENT;
  words_txn (w, c, edge->edge.from);
  words_add (w, " ");
  words_of_read (w, c, edge->edge.read);
  words_of_writer (w, c, edge->edge.read, edge->writer);
  words_add (w, "; ");
  words_txn (w, c, p);
  words_add (w, deletes ? " deleted " : edge->writer && !edge->edge.predicate ? " overwrote " : " wrote ");
  words_of_key (w, c, key);
  if (edge->writer) {
    words_add (w, " after ");
    words_txn (w, c, edge->writer);
    words_reason (w, c, edge, elsewhere);
  }
  words_add (w, ", so ");
  words_txn (w, c, edge->edge.from);
  words_add (w, " comes before ");
  words_txn (w, c, p);
}

void words_case_edge (words *w, const struct cases *c, const struct case_edge *edge, bool elsewhere) {
  switch (edge->edge.kind) {
  case EDGE_WR: words_wr (w, c, &edge->edge); return;
  case EDGE_WW: words_ww (w, c, edge, elsewhere); return;
  case EDGE_RW: words_rw (w, c, edge, elsewhere); return;
  default: words_fixed (w, c, &edge->edge); return;
  }
}

// ----------------------------------------------------------------------------------------------------------------------- cases

void words_assumption (words *w, const struct cases *c, const struct one_case *one) {
  if (one->kind == CASE_ORDER) {
    words_txn (w, c, one->first);
    words_add (w, " wrote ");
    words_of_key (w, c, one->key);
    words_add (w, " before ");
    words_txn (w, c, one->then);
  } else if (one->kind == CASE_SOURCE) {
    uint32_t reader;
    scene_reads (c->scene, one->read, &reader);
    words_txn (w, c, reader);
    words_add (w, " ");
    words_of_read (w, c, one->read);
    words_of_writer (w, c, one->read, case_source_node (c, one->source));
  } else if (one->kind == CASE_DELETE) {
    words_add (w, "the delete of ");
    words_of_key (w, c, one->key);
    words_add (w, " by ");
    words_txn (w, c, c->scene->asg->doubts.data[one->doubt].node);
    words_add (w, one->wrote ? " found something" : " found nothing");
  }
}

void words_assumptions (words *w, const struct cases *c, uint32_t at) {
  const struct one_case *one = &c->all.data[at];
  if (one->parent != CASE_NONE && one->parent) {
    words_assumptions (w, c, one->parent);
    words_add (w, " and ");
  }
  words_assumption (w, c, one);
}

static void words_circle (words *w, const struct cases *c, const struct one_case *leaf, int indent) {
  if (leaf->orphan != UINT32_MAX) {
    uint32_t reader;
    scene_reads (c->scene, leaf->orphan, &reader);
    words_add (w, "%*s", indent, "");
    words_txn (w, c, reader);
    words_add (w, " ");
    words_of_read (w, c, leaf->orphan);
    words_add (w, ", which nobody can have written then\n");
  }
  for (uint32_t i = 0; i < leaf->edges; i++) {
    const struct case_edge *edge = &c->edges.data[leaf->first_edge + i];
    words_add (w, "%*s", indent, "");
    words_txn (w, c, edge->edge.from);
    words_add (w, " -> ");
    words_txn (w, c, edge->edge.to);
    words_add (w, "  (%s)  ", circle_edge_name (edge->edge.kind, edge->edge.predicate));
    words_case_edge (w, c, edge, false);
    words_add (w, "\n");
  }
}

// What is open, and that no answer does.
static void words_question (words *w, const struct cases *c, const struct one_case *first) {
  if (first->kind == CASE_ORDER) {
    words_txn (w, c, first->first);
    words_add (w, " and ");
    words_txn (w, c, first->then);
    words_add (w, " both wrote ");
    words_of_key (w, c, first->key);
    words_add (w, ". Neither order of the two works:\n");
    return;
  }
  if (first->kind == CASE_DELETE) {
    words_txn (w, c, c->scene->asg->doubts.data[first->doubt].node);
    words_add (w, " deleted ");
    words_of_key (w, c, first->key);
    words_add (w, ", and it was not recorded whether there was something to delete. Neither works:\n");
    return;
  }
  uint32_t reader;
  scene_reads (c->scene, first->read, &reader);
  words_txn (w, c, reader);
  words_add (w, " ");
  words_of_read (w, c, first->read);
  words_add (w, first->next == CASE_NONE ? ", for which one explanation is left. It does not work:\n"
                                         : ", for which there is more than one explanation. None of them works:\n");
}

static void words_below (words *w, const struct cases *c, uint32_t at, const char *number, int indent) {
  const struct one_case *one = &c->all.data[at];
  if (case_is_leaf (one)) {
    words_circle (w, c, one, indent);
    return;
  }
  words_add (w, "%*s", indent, "");
  words_question (w, c, &c->all.data[one->child]);
  unsigned count = 0;
  for (uint32_t child = one->child; child != CASE_NONE; child = c->all.data[child].next) {
    words name = VEC_EMPTY;
    words_add (&name, "%s%s%u", number, *number ? "." : "", ++count);
    char *text = words_take (&name);
    words_add (w, "%*sCase %s: ", indent, "", text);
    words_assumption (w, c, &c->all.data[child]);
    words_add (w, case_is_leaf (&c->all.data[child]) ? ". Then each of these comes before the next, in a circle:\n"
                                                     : ".\n");
    words_below (w, c, child, text, indent + 2);
    mem_free (text);
  }
}

void words_cases (words *w, const struct cases *c) {
  if (c->plain)
    words_add (w, "Each of these must come before the next, in a circle:\n");
  words_below (w, c, 0, "", c->plain ? 2 : 0);
}
