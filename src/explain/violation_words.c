#include "explain/violation_words.h"

#include "asg/asg.h"

#include <inttypes.h>

static void say_seen (words *w, const struct history *h, const struct seen *seen, const char *sentence) {
  SAY (w, h, sentence, .a = seen->reader, .b = seen->writer, .read = &seen->read);
}

// "T4 read x = 1, which T3 wrote".
static void words_seen (words *w, const struct history *h, const struct seen *seen) {
  const bool other = seen->read.flags & READ_OTHER, absent = seen->read.value == VALUE_ABSENT && !other;
  say_seen (w, h, seen,
            seen->writer.initial ? absent ? "%a %r, as at the start" : "%a %r, the initial value"
            : seen->deleted      ? "%a %r, since %b had deleted it"
            : other              ? "%a %r, as %b wrote"
                                 : "%a %r, which %b wrote");
}

static void words_deleter (words *w, const struct history *h, uint32_t key, struct party by, bool found) {
  SAY (w, h, found ? "the delete of %k by %a found something" : "the delete of %k by %a found nothing", .a = by,
       .key = key);
}

// --------------------------------------------------------------- edges as the check came upon them

static const char *sentence_of_order (const struct violation_edge *edge) {
  switch (edge->why) {
  case WHY_KIND:
    return edge->seen.writer.initial ? "%a %r from %c; %b overwrote it later"
                                     : "%a %r, which %c wrote; %b overwrote it later";
  case WHY_REPLACED:
    return "%a %r from %c and replaced it; %b wrote it after that, too: so the write of %a is the older one";
  default: return edge->key == KEY_NONE ? "%a wrote  before %b did" : "%a wrote %k before %b did";
  }
}

static const char *sentence_of_edge (const struct violation_edge *edge) {
  switch (edge->kind) {
  case EDGE_SO: return "%a comes before %b in the same session";
  case EDGE_RT: return "%a ended before %b began";
  case EDGE_WR: return "%b %r, which %a wrote";
  case EDGE_RW:
  case EDGE_WW: return sentence_of_order (edge);
  default:
    return edge->why == WHY_MODULE    ? "module %s demands it"
           : edge->why == WHY_PROGRAM ? "%a comes before %b in one and the same transaction"
                                      : "given";
  }
}

static void words_found_edge (words *w, const struct history *h, const struct violation *v,
                              const struct violation_edge *edge) {
  if (edge->why == WHY_SEEN)
    SAY (w, h,
         "%c %r from %b, although %a, which comes before that read, wrote it too: so the write of %a is the older one",
         .a = edge->from, .b = edge->to, .c = edge->seen.reader, .read = &edge->seen.read);
  else
    SAY (w, h, sentence_of_edge (edge), .a = edge->from, .b = edge->to, .c = edge->seen.writer, .key = edge->key,
         .read = &edge->seen.read, .text = edge->why == WHY_MODULE ? v->modules.data[edge->module] : NULL);
}

// ---------------------------------------------------------------------------------- edges of cases

static void words_leading (words *w, const struct history *h, const struct leading_edge *edge) {
  if (edge->kind == EDGE_WR)
    words_seen (w, h, &edge->seen);
  else
    SAY (w, h, edge->kind == EDGE_RT ? "%a ended before %b began" : "the same client ran %a before %b", .a = edge->from,
         .b = edge->to);
}

// Why the second of two writers is the second, as an addition in the middle of a sentence.
static void words_why_second (words *w, const struct history *h, const struct violation_edge *edge, bool elsewhere) {
  switch (edge->why) {
  case WHY_ASSUMED: words_add (w, elsewhere ? " (the other order closes a circle, too)" : " (assumed here)"); return;
  case WHY_LIST: words_add (w, " (as lists that were read show)"); return;
  case WHY_EDGE:
    words_add (w, " (since ");
    words_leading (w, h, &edge->by);
    words_add (w, ")");
    return;
  case WHY_REPLACED:
    words_add (w, " (since ");
    words_seen (w, h, &edge->seen);
    SAY (w, h, ", and replaced that, as %b did later)", .b = edge->to);
    return;
  default: return;
  }
}

static void words_overwrote (words *w, const struct history *h, const struct violation_edge *edge, bool elsewhere) {
  const bool initial = edge->seen.writer.initial;
  words_seen (w, h, &edge->seen);
  SAY (w, h,
       edge->deletes                ? "; %b deleted %k"
       : initial || edge->predicate ? "; %b wrote %k"
                                    : "; %b overwrote %k",
       .b = edge->to, .key = edge->key);
  if (!initial) {
    SAY (w, h, " after %c", .c = edge->seen.writer);
    words_why_second (w, h, edge, elsewhere);
  }
  SAY (w, h, ", so %a comes before %b", .a = edge->from, .b = edge->to);
}

static void words_told_edge (words *w, const struct history *h, const struct violation_edge *edge, bool elsewhere) {
  if (edge->kind == EDGE_RW)
    words_overwrote (w, h, edge, elsewhere);
  else if (edge->kind == EDGE_WW) {
    SAY (w, h, "%a wrote %k before %b", .a = edge->from, .b = edge->to, .key = edge->key);
    words_why_second (w, h, edge, elsewhere);
  } else
    words_leading (w, h, &(struct leading_edge){ edge->kind, edge->from, edge->to, edge->seen });
}

void words_edge (words *w, const struct history *h, const struct violation *v, const struct violation_edge *edge,
                 bool elsewhere) {
  if (v->kind == VIOLATION_CASES)
    words_told_edge (w, h, edge, elsewhere);
  else
    words_found_edge (w, h, v, edge);
}

static void words_circle (words *w, const struct history *h, const struct violation *v,
                          const struct violation_edge *edges, size_t count, int indent) {
  for (size_t i = 0; i < count; i++) {
    words_add (w, "%*s", indent, "");
    SAY (w, h, "%a -> %b  (%s)  ", .a = edges[i].from, .b = edges[i].to, .text = violation_edge_type (&edges[i]));
    words_edge (w, h, v, &edges[i], false);
    words_add (w, "\n");
  }
}

// ------------------------------------------------------------------------------------------- cases

static void words_assumption (words *w, const struct history *h, const struct violation_case *one) {
  if (one->kind == CASE_ORDER)
    SAY (w, h, "%a wrote %k before %b", .a = one->first, .b = one->then, .key = one->key);
  else if (one->kind == CASE_SOURCE)
    words_seen (w, h, &one->seen);
  else if (one->kind == CASE_DELETE)
    words_deleter (w, h, one->key, one->first, one->wrote);
}

void words_case (words *w, const struct history *h, const struct violation *v, uint32_t at) {
  const struct violation_case *one = &v->cases.data[at];
  if (one->parent != CASE_NONE && one->parent) {
    words_case (w, h, v, one->parent);
    words_add (w, " and ");
  }
  words_assumption (w, h, one);
}

static void words_leaf (words *w, const struct history *h, const struct violation *v, const struct violation_case *leaf,
                        int indent) {
  if (leaf->orphaned) {
    words_add (w, "%*s", indent, "");
    say_seen (w, h, &leaf->orphan, "%a %r, which nobody can have written then\n");
  }
  words_circle (w, h, v, v->edges.data + leaf->first_edge, leaf->edges, indent);
}

// What is open, and that no answer does.
static void words_question (words *w, const struct history *h, const struct violation_case *first) {
  if (first->kind == CASE_SOURCE)
    say_seen (w, h, &first->seen,
              first->next == CASE_NONE ? "%a %r, for which one explanation is left. It does not work:\n"
                                       : "%a %r, for which there is more than one explanation. None of them works:\n");
  else
    SAY (w, h,
         first->kind == CASE_ORDER
           ? "%a and %b both wrote %k. Neither order of the two works:\n"
           : "%a deleted %k, and it was not recorded whether there was something to delete. Neither works:\n",
         .a = first->first, .b = first->then, .key = first->key);
}

static void words_below (words *w, const struct history *h, const struct violation *v, uint32_t at, const char *number,
                         int indent) {
  const struct violation_case *one = &v->cases.data[at];
  if (one->child == CASE_NONE) {
    words_leaf (w, h, v, one, indent);
    return;
  }
  words_add (w, "%*s", indent, "");
  words_question (w, h, &v->cases.data[one->child]);
  unsigned count = 0;
  for (uint32_t child = one->child; child != CASE_NONE; child = v->cases.data[child].next) {
    char *text = mem_format ("%s%s%u", number, *number ? "." : "", ++count);
    words_add (w, "%*sCase %s: ", indent, "", text);
    words_assumption (w, h, &v->cases.data[child]);
    words_add (w, v->cases.data[child].child == CASE_NONE ? ". Then each of these comes before the next, in a circle:\n"
                                                          : ".\n");
    words_below (w, h, v, child, text, indent + 2);
    mem_free (text);
  }
}

// -------------------------------------------------------------------------------- other violations

static const char in_a_circle[] = "Each of these must come before the next, in a circle:\n";

static void words_cases (words *w, const struct history *h, const struct violation *v) {
  const bool plain = v->cases.count == 1;
  words_add (w, "%s", plain ? in_a_circle : "");
  words_below (w, h, v, 0, "", plain ? 2 : 0);
}

static void words_lost_read (words *w, const struct history *h, const struct violation *v) {
  const struct seen *seen = &v->reads.data[0];
  if (v->reads.count == 2) {
    say_seen (w, h, seen, "%a %r,");
    say_seen (w, h, &v->reads.data[1], " and it also %r: no version of the key is both\n");
    return;
  }
  say_seen (w, h, seen,
            seen->writer.initial
              ? "%a %r, the initial state, although a write of it comes before that read\n"
              : "%a %r, but every write of that value either comes later or is overwritten before it:\n");
  for (size_t i = 0; i < v->sources.count; i++)
    SAY (w, h, v->sources.data[i].later ? "  %a comes after the read\n" : "  %a was overwritten before the read\n",
         .a = v->sources.data[i].writer);
  if (v->more_sources)
    words_add (w, "  … and %" PRIu32 " more\n", v->more_sources);
}

static void words_forbidden (words *w, const struct history *h, const struct violation *v) {
  words_add (w, "Module %s forbids it:\n", v->modules.data[0]);
  for (size_t i = 0; i < v->reads.count; i++)
    say_seen (w, h, &v->reads.data[i], "  %a %r from %b\n");
}

static void words_choice (words *w, const struct history *h, const struct violation *v,
                          const struct violation_choice *choice) {
  switch (choice->kind) {
  case CHOICE_ORDER: SAY (w, h, "%a writes before %b", .a = choice->first, .b = choice->then); return;
  case CHOICE_SOURCE: say_seen (w, h, &choice->seen, "%a %r from %b"); return;
  case CHOICE_COMMITTED: SAY (w, h, "%a committed", .a = choice->first); return;
  case CHOICE_WROTE: SAY (w, h, "%a wrote", .a = choice->first); return;
  case CHOICE_DELETE: words_deleter (w, h, choice->key, choice->first, choice->found); return;
  case CHOICE_ALTERNATIVE:
    words_add (w, "alternative %" PRIu32 " of constraint %" PRIu32 " by module %s", choice->alternative + 1,
               choice->constraint + 1, v->modules.data[choice->module]);
    return;
  case CHOICE_INITIAL: SAY (w, h, "the initial value of %k is %v", .key = choice->key, .value = choice->value); return;
  }
}

static void words_refuted (words *w, const struct history *h, const struct violation *v) {
  enum { MOST_SHOWN = 40 };
  words_add (w,
             "No choice of version orders and read sources works: %" PRIu32
             " combinations that each close a cycle exclude each other.\n",
             v->lemma_count);
  size_t at = 0;
  for (size_t i = 0; i < v->lemmas.count; i++) {
    words_add (w, "  not all of:");
    for (const size_t first = at; at < v->lemmas.data[i].end; at++) {
      words_add (w, at > first ? "; " : " ");
      words_choice (w, h, v, &v->choices.data[at]);
    }
    words_add (w, v->lemmas.data[i].constrained ? " (with an edge that a module demands then)\n" : "\n");
  }
  if (v->lemmas.count < v->lemma_count)
    words_add (w, "  … and %zu more\n", v->lemma_count - v->lemmas.count);
  words_add (w, "Transactions involved:");
  for (size_t i = 0; i < v->involved.count && i < MOST_SHOWN; i++)
    words_add (w, " T%" PRIu64, v->involved.data[i]);
  words_add (w, v->involved.count > MOST_SHOWN ? " …\n" : "\n");
}

static void words_reason (words *w, const struct history *h, const struct violation *v) {
  switch (v->kind) {
  case VIOLATION_FAULT:
    words_fault (w, h, &v->fault);
    words_add (w, "\n");
    return;
  case VIOLATION_CIRCLE:
    words_add (w, "%s", in_a_circle);
    words_circle (w, h, v, v->edges.data, v->edges.count, 2);
    return;
  case VIOLATION_CASES: words_cases (w, h, v); return;
  case VIOLATION_LOST_READ: words_lost_read (w, h, v); return;
  case VIOLATION_FORBIDDEN: words_forbidden (w, h, v); return;
  case VIOLATION_REFUTED: words_refuted (w, h, v); return;
  case VIOLATION_STATED: words_add (w, "%s\n", v->words); return;
  }
}

// --------------------------------------------------------------------------------------- all of it

static void words_fragments (words *w, const struct violation *v) {
  for (size_t i = 0; i < v->fragments.count; i++) {
    const struct txn_fragment *fragment = &v->fragments.data[i];
    words_add (w, "%s  T%" PRIu64 ": %s of T%" PRIu64 "\n", i ? "" : "Parts of transactions:\n", fragment->id,
               fragment->what, fragment->of);
  }
}

static void words_levels (words *w, const char *title, const level_name_vec *names) {
  if (!names->count)
    return;
  words_add (w, "%s:", title);
  for (size_t i = 0; i < names->count; i++)
    words_add (w, "%s %s", i ? "," : "", names->data[i]);
  words_add (w, "\n");
}

// Of a large part, those that the circles go through; NULL: all.
static uint8_t *txns_to_tell (const struct violation *v) {
  enum { FEW = 12 };
  size_t circle;
  violation_circle (v, &circle);
  return history_txns (v->part) <= FEW || !circle ? NULL : violation_txns_in_circles (v);
}

static void words_part (words *w, const struct violation *v, const struct history *judged) {
  const char *about = anomaly_names[v->anomaly.name].about;
  uint8_t *which = txns_to_tell (v);
  if (about)
    words_add (w, "In short: %s.\n", about);
  if (history_txns (v->part) < history_txns (judged) || which)
    words_add (w, "The smallest part found that is invalid by itself, %" PRIu32 " of %" PRIu32 " transactions%s:\n",
               history_txns (v->part), history_txns (judged), which ? "; of these, those in a circle" : "");
  else
    words_add (w, "What happened:\n");
  words_summary (w, v->part, which);
  mem_free (which);
}

char *violation_explanation (const struct violation *v, const struct history *judged) {
  words w = VEC_EMPTY;
  if (!v)
    return NULL;
  if (v->part)
    words_part (&w, v, judged);
  words_reason (&w, violation_history (v, judged), v);
  words_fragments (&w, v);
  words_levels (&w, "Weakest levels that this breaks", &v->weakest_violated);
  words_levels (&w, "Strongest levels that it keeps", &v->strongest_holding);
  return words_take (&w);
}
