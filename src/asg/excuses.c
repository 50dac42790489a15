// Reads that nothing recorded explains, in a history that may lack transactions (SEMANTICS 8): they
// are excused, that is, left out.
//
// Which reads these are is a matter of what is written down, not of what can have taken place: a
// transaction with an unknown outcome explains what its last writes say even if it turns out to be
// impossible, since what is missing is assumed to have written only what nobody recorded could
// explain. So one walk over all transactions comes first, and its only outcome is the set of
// excuses that the building proper goes by.
//
// A read of anything but a value (a delete that found its key, a cas that failed) may have seen a
// value that nobody recorded wrote, whoever else could explain it: it is excused in any case.
// The same goes for an inc that has seen 0 or absent, unless both are written down. Whether they
// need to be is found out by judging the history as if it were complete first.
//
// Under `init any` the initial state explains one value per key. If reads that nothing else
// explains ask for different ones, any of them may be the missing writers', and all are excused.

#include "asg/builder.h"

#include "base/search.h"
#include "base/sort.h"

#include <string.h>

// NULL: there is none. What nothing explains is not vague as well.
static const struct excuse *find (const struct builder *b, const struct excuse *excuse) {
  const struct excuse *all = b->excuses.data, *found = NULL;
  size_t at = 0;
  LOWER_BOUND (at, b->excuses.count, middle, by_u32_triple (&all[middle], excuse) < 0);
  for (; at < b->excuses.count && !by_u32_triple (&all[at], excuse); at++)
    if (all[at].flags == excuse->flags && all[at].depends == excuse->depends && (!found || found->vague))
      found = &all[at];
  return found;
}

static void add (struct builder *b, uint32_t node, uint32_t read, bool vague) {
  const struct asg *asg = b->asg;
  VEC_PUSH (b->excuses, (struct excuse){ asg->node_txn[node], asg->read_key[read], asg->read_value[read],
                                         asg_read_flags (asg, read) & READ_SEVERAL,
                                         asg_read_unrecorded (asg, read) != UNRECORDED_NONE, vague });
}

static bool depends (const struct builder *b, uint32_t unrecorded) {
  return unrecorded != UNRECORDED_NONE
         && find_u32 (b->refuted.data, 0, (uint32_t) b->refuted.count, b->unrecorded.data[unrecorded].op) == NOT_FOUND;
}

static void note_refuted (struct builder *b) {
  for (size_t i = 0; i < b->unrecorded.count; i++)
    if (b->unrecorded.data[i].nothing)
      VEC_PUSH (b->refuted, b->unrecorded.data[i].op);
  VEC_SORT (b->refuted, by_u32);
}

bool excuses_read (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags,
                   uint32_t unrecorded) {
  const struct excuse excuse = { b->asg->node_txn[node],  key,  value, flags & READ_SEVERAL,
                                 depends (b, unrecorded), false };
  if (hints_source (b->options->hints, op, key) != HINT_NONE)
    return false;
  const struct excuse *found = find (b, &excuse);
  const bool unexplained = found && !found->vague;
  if (!found && !(flags & READ_OTHER))
    return false;
  excuses_note (b, (struct asg_excused){ .reads = unexplained,
                                         .vague = !unexplained,
                                         .unrecorded = unrecorded != UNRECORDED_NONE,
                                         .txn = excuse.txn,
                                         .op = op,
                                         .key = key,
                                         .value = value,
                                         .flags = flags });
  return true;
}

void excuses_note (struct builder *b, struct asg_excused what) {
  struct asg_excused *sum = &b->asg->excused;
  const bool better = what.reads || what.elements, good = sum->reads || sum->elements;
  if (better ? !good : !good && !sum->vague) { // the example
    sum->txn = what.txn;
    sum->op = what.op;
    sum->key = what.key;
    sum->value = what.value;
    sum->flags = what.flags;
  }
  sum->reads += what.reads;
  sum->elements += what.elements;
  sum->vague += what.vague;
  sum->unrecorded += what.unrecorded;
}

// ----------------------------------------------------------------------------------------- finding

typedef void look_at_read (struct builder *, uint32_t node, uint32_t read, void *context);

// Every read that no install explains, and of which no hint says what it read.
static void for_each_unexplained (struct builder *b, look_at_read *look, void *context) {
  const struct asg *asg = b->asg;
  uint32_t range[2], only;
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      if ((!b->read_hint.count || b->read_hint.data[read] == HINT_NONE)
          && !lineage_candidates (asg, node, read, range, &only))
        look (b, node, read, context);
}

static void excuse_unless_initial (struct builder *b, uint32_t node, uint32_t read, void *context) {
  (void) context;
  if (!asg_accepts_initial (b->asg, read))
    add (b, node, read, false);
}

static bool is_recorded (const struct asg *asg, uint32_t node, uint32_t key, uint32_t value) {
  return asg->init_value[key] == value || lineage_is_written (asg, node, key, value);
}

// Reads of 0 or absent. What is missing may have written the one that nobody recorded wrote.
static void excuse_vague (struct builder *b) {
  const struct asg *asg = b->asg;
  for (uint32_t node = 1; node < asg->nodes && !b->simple; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t key = asg->read_key[read];
      if ((asg_read_flags (asg, read) & READ_OR_ABSENT)
          && !(is_recorded (asg, node, key, asg->read_value[read]) && is_recorded (asg, node, key, VALUE_ABSENT)))
        add (b, node, read, true);
    }
}

// What the reads of a key ask of its initial value.
struct asked {
  uint32_t *value; // VALUE_UNRECORDED: none does
  uint8_t *clash;
};

// A read that several values explain asks for nothing, since it is vague; nor does one that depends
// on an unrecorded delete: the delete may have written.
static bool asks (const struct asg *asg, uint32_t read) {
  return !(asg_read_flags (asg, read) & READ_SEVERAL) && asg_read_unrecorded (asg, read) == UNRECORDED_NONE;
}

static void ask_for_value (struct builder *b, uint32_t node, uint32_t read, void *context) {
  struct asked *asked = context;
  const uint32_t key = b->asg->read_key[read], value = b->asg->read_value[read];
  (void) node;
  if (!asks (b->asg, read))
    return;
  if (asked->value[key] == VALUE_UNRECORDED)
    asked->value[key] = value;
  asked->clash[key] |= asked->value[key] != value;
}

static void excuse_if_clash (struct builder *b, uint32_t node, uint32_t read, void *context) {
  const struct asked *asked = context;
  if (asks (b->asg, read) && asked->clash[b->asg->read_key[read]])
    add (b, node, read, false);
}

static void excuse_under_any (struct builder *b) {
  const uint32_t keys = b->asg->keys;
  struct asked asked = { MEM_ARRAY (uint32_t, keys), MEM_ZARRAY (uint8_t, keys) };
  for (uint32_t key = 0; key < keys; key++)
    asked.value[key] = VALUE_UNRECORDED;
  for_each_unexplained (b, ask_for_value, &asked);
  for_each_unexplained (b, excuse_if_clash, &asked);
  MEM_FREE_ALL (asked.value, asked.clash);
}

void excuses_find (struct builder *b) {
  builder_number_nodes (b);
  builder_walk (b);
  lineage_group_by_value (b);
  lineage_initial_values (b->asg);
  if (b->h->init == INIT_ANY)
    excuse_under_any (b);
  else
    for_each_unexplained (b, excuse_unless_initial, NULL);
  excuse_vague (b);
  note_refuted (b);
  VEC_SORT (b->excuses, by_u32_triple);
  // What the walk found out about transactions that cannot have taken place, the building proper
  // finds out again.
  memset (b->excluded, 0, history_txns (b->h));
}
