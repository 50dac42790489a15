#include "verify_ir/sentence.h"

#include "base/search.h"

// -------------------------------------------------------------------------------------- statements

struct collecting {
  struct sentence *sentence;
  sentence_filter *wants;
  void *context;
  size_t most;
};

static bool collect (void *context, uint64_t number, const struct statement *s) {
  struct collecting *c = context;
  struct sentence *sentence = c->sentence;
  if (sentence->list.count > c->most || number > UINT32_MAX)
    return false;
  if (!c->wants (c->context, number, s))
    return true;
  const uint32_t first = (uint32_t) sentence->conditions.count;
  for (int i = 0; s->kind == STATES_CHOICE && i < 2; i++)
    VEC_PUSH (sentence->conditions, (struct condition){ IF_PRESENCE, s->presence[i], 0 });
  for (uint32_t i = 0; i < s->count; i++)
    VEC_PUSH (sentence->conditions, s->conditions[i]);
  VEC_PUSH (sentence->list, (struct stated){ (uint32_t) number, (uint8_t) s->kind, (uint8_t) s->edge.role, s->edge.from,
                                             s->edge.to, first, (uint32_t) sentence->conditions.count - first });
  return true;
}

struct sentence *sentence_new (const struct ir *ir, sentence_filter *wants, void *context, size_t most) {
  struct sentence *sentence = mem_zalloc (sizeof *sentence);
  sentence->ir = ir;
  ir_each_statement (ir, collect, &(struct collecting){ sentence, wants, context, most });
  if (sentence->list.count <= most)
    return sentence;
  sentence_free (sentence);
  return NULL;
}

void sentence_free (struct sentence *sentence) {
  if (!sentence)
    return;
  MEM_FREE_ALL (sentence->list.data, sentence->conditions.data, sentence);
}

static const struct stated *find (const struct sentence *sentence, uint32_t number) {
  size_t at = 0;
  LOWER_BOUND (at, sentence->list.count, middle, sentence->list.data[middle].number < number);
  return at < sentence->list.count && sentence->list.data[at].number == number ? &sentence->list.data[at] : NULL;
}

// ----------------------------------------------------------------------------------------- clauses

// Exactly one of the two orders of such versions is so, in any case.
static bool is_one_of_two (const struct ir *ir, struct condition c) {
  return c.kind == IF_ORDER && ir_install_presence (ir, c.a) == ALWAYS && ir_install_presence (ir, c.b) == ALWAYS;
}

int32_t sentence_literal (const struct sentence *sentence, struct clauses *clauses, struct condition c) {
  if (c.kind == IF_PRESENCE && !presence_entry (c.a))
    return presence_wanted (c.a) ? LITERAL_TRUE : LITERAL_FALSE;
  const bool turned = c.a > c.b && is_one_of_two (sentence->ir, c);
  const bool opposite = turned || (c.kind == IF_PRESENCE && !presence_wanted (c.a));
  const uint32_t a = c.kind == IF_PRESENCE ? presence_entry (c.a) : turned ? c.b : c.a;
  const int32_t literal =
    literal_named (clauses, (struct variable_name){ NAME_CONDITION, a, turned ? c.a : c.b, c.kind });
  return opposite ? -literal : literal;
}

// What is shared by those who make one clause.
struct making {
  const struct sentence *sentence;
  struct clauses *clauses;
  const uint32_t *numbers; // of the item
  uint32_t count;
};

static int32_t literal_at (const struct making *m, const struct stated *s, uint32_t which) {
  return sentence_literal (m->sentence, m->clauses, m->sentence->conditions.data[s->first + which]);
}

static void push_opposites (const struct making *m, const struct stated *s) {
  for (uint32_t i = 0; i < s->count; i++)
    clause_push (m->clauses, -literal_at (m, s, i));
}

static bool add_choice (const struct making *m, enum ir_item_kind kind, const struct stated *s,
                        struct complaint *complaint) {
  const uint32_t alternatives = s->count - 2, wanted = kind == IR_ITEM_CHOICE ? 1 : 3;
  if (s->kind != STATES_CHOICE || m->count != wanted)
    return complain (complaint, "the statement is no superposition, or numbers are missing");
  if (kind == IR_ITEM_CHOICE) {
    for (uint32_t i = 0; i < s->count; i++)
      clause_push (m->clauses, i < 2 ? -literal_at (m, s, i) : literal_at (m, s, i));
    return true;
  }
  const uint32_t one = m->numbers[1], other = m->numbers[2];
  if (one >= alternatives || other >= (kind == IR_ITEM_ONLY_IF ? 2 : alternatives))
    return complain (complaint, "the superposition has no such alternative");
  const int32_t literal = literal_at (m, s, 2 + one);
  clause_push (m->clauses, -literal);
  if (kind == IR_ITEM_ONLY_IF)
    clause_push (m->clauses, literal_at (m, s, other));
  else if (literal == literal_at (m, s, 2 + other))
    return complain (complaint, "it is one alternative, not two");
  else
    clause_push (m->clauses, -literal_at (m, s, 2 + other));
  return true;
}

// Edges, each from where the one before it ends. A path that a first edge forbids is part of no
// cycle otherwise.
static bool add_walk (const struct making *m, struct complaint *complaint) {
  bool forbidden = false;
  uint32_t start = 0, end = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    const struct stated *s = find (m->sentence, m->numbers[i]);
    if (!s || s->kind != STATES_EDGE)
      return complain (complaint, "there is no such edge");
    if (i && (s->from != end || s->role == ROLE_FORBID || (forbidden && s->role != ROLE_PATH)))
      return complain (complaint, "the edges are no walk, or not one that counts");
    forbidden |= s->role == ROLE_FORBID;
    start = i ? start : s->from;
    end = s->to;
    push_opposites (m, s);
  }
  return (m->count > forbidden && start == end) || complain (complaint, "the walk is not closed");
}

static bool says (struct clauses *clauses, const struct certificate *c, const struct cert_item *item,
                  struct complaint *complaint) {
  const enum ir_item_kind kind = (enum ir_item_kind) item->kind;
  const struct making m = { clauses->sentence, clauses, c->assumed.data + item->first_assumed, item->assumed };
  if (kind == IR_ITEM_WALK)
    return add_walk (&m, complaint);
  const struct stated *s = m.count ? find (m.sentence, m.numbers[0]) : NULL;
  if (!s)
    return complain (complaint, "there is no such statement");
  if (kind != IR_ITEM_FALSE)
    return add_choice (&m, kind, s, complaint);
  if (s->kind != STATES_FALSE || m.count != 1)
    return complain (complaint, "the statement does not exclude anything");
  push_opposites (&m, s);
  return true;
}

struct clauses *sentence_clauses (const struct sentence *sentence) {
  return clauses_new_of (says, sentence);
}
