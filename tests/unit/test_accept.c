// A witness that was damaged on its way is refused, at every level.

#include "api/decide.h"
#include "asg/asg.h"
#include "decide/decide.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "levels/levels.h"
#include "levels/lower.h"

#include <string.h>

// Lists show the order of their writers at every level, whatever reads count for.
static const char text[] = "s1 T1 [1 2] { append x 1; put y 1 } commit\n"
                           "s2 T2 [3 4] { append x 2; put y 2 } commit\n"
                           "s3 T3 [5 6] { list x -> [1 2]; get y -> 2 } commit\n"
                           "s4 T4 [7 8] { append x 3 } unknown\n"
                           "s5 T5 [9 10] { list x -> [1 2 3] } commit\n";

struct meddler {
  struct to_accept claim;
  unsigned accepted, wrong;
};

// A copy that can be damaged.
struct copy {
  struct ir_witness w;
  uint8_t in[8];
  uint32_t order[8], position[16], read_writer[32];
};

static void copy_witness (struct copy *copy, const struct ir_witness *w) {
  copy->w = *w;
  memcpy (copy->in, w->in, w->ir->nodes);
  memcpy (copy->order, w->order, w->count * sizeof *w->order);
  copy->w.in = copy->in;
  copy->w.order = copy->order;
  if (!w->position)
    return;
  memcpy (copy->position, w->position, w->ir->nodes * w->ir->rules.points * sizeof *w->position);
  memcpy (copy->read_writer, w->read_writer, w->ir->reads * sizeof *w->read_writer);
  copy->w.position = copy->position;
  copy->w.read_writer = copy->read_writer;
}

static bool is_refused (struct meddler *m, const struct copy *copy) {
  const char *why = NULL;
  return accept_witness (&m->claim, &copy->w, &why) == REFUSED && why && *why;
}

static uint32_t node_of (const struct ir_witness *w, uint32_t txn) {
  return w->ir->asg->txn_node[txn];
}

static bool refuses_without (struct meddler *m, const struct ir_witness *w, uint32_t txn) {
  struct copy copy;
  uint32_t kept = 0;
  copy_witness (&copy, w);
  copy.in[node_of (w, txn)] = 0;
  for (uint32_t i = 0; i < w->count; i++)
    if (w->order[i] != node_of (w, txn))
      copy.order[kept++] = w->order[i];
  copy.w.count = kept;
  return is_refused (m, &copy);
}

static uint32_t exchanged (uint32_t node, uint32_t a, uint32_t b) {
  return node == a ? b : node == b ? a : node;
}

static bool refuses_exchange (struct meddler *m, const struct ir_witness *w, uint32_t first, uint32_t second) {
  const uint32_t a = node_of (w, first), b = node_of (w, second), points = w->ir->rules.points;
  struct copy copy;
  copy_witness (&copy, w);
  for (uint32_t i = 0; i < w->count; i++)
    copy.order[i] = exchanged (w->order[i], a, b);
  for (uint32_t i = 0; w->position && i < w->ir->nodes * points; i++)
    copy.position[exchanged (i / points, a, b) * points + i % points] = w->position[i];
  return is_refused (m, &copy);
}

// Where reads count: all of them from the initial state.
static bool refuses_initial_sources (struct meddler *m, const struct ir_witness *w) {
  struct copy copy;
  if (!w->position || !w->ir->rules.wr.used)
    return true;
  copy_witness (&copy, w);
  memset (copy.read_writer, 0, sizeof copy.read_writer);
  return is_refused (m, &copy);
}

static enum acceptance meddle (void *context, const struct ir_witness *w, const char **why) {
  struct meddler *m = context;
  const enum acceptance answer = accept_witness (&m->claim, w, why);
  if (answer != ACCEPTED)
    return answer;
  m->accepted++;
  for (uint32_t txn = 0; txn < 5; txn++) // the unknown one, too: a list holds what it appended
    m->wrong += w->ir->rules.wr.used || txn != 3 ? !refuses_without (m, w, txn) : 0;
  m->wrong += !refuses_exchange (m, w, 0, 1);
  m->wrong += !refuses_initial_sources (m, w);
  return answer;
}

TEST damaged (void) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), &format_kht, &error);
  ASSERT (h);
  for (size_t i = 0; level_at (i); i++) {
    const struct level *level = level_at (i);
    struct check_options options;
    check_options_default (&options);
    options.level = level;
    struct asg *asg = asg_build (h, &(struct asg_options){ .events = true, .own_writes = OWN_MUST });
    const struct given given = { .history = h };
    struct ir *ir = lower (asg, level, &given, 0);
    struct meddler m = { .claim = { .options = &options, .given = &given } };
    const struct decision decision = decide (ir, &options, &(struct witness_judge){ meddle, &m });
    ASSERT_EQm (level->name, VERDICT_VALID, decision.verdict);
    ASSERTm (level->name, m.accepted && !m.wrong);
    ir_free (ir);
    asg_free (asg);
  }
  history_free (h);
  PASS ();
}

SUITE (accept) {
  RUN_TEST (damaged);
}

KRAIT_UNIT_MAIN (RUN_SUITE (accept);)
