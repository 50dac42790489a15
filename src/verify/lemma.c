// Lemmas: choices that cannot go together, because their edges close a pattern that the level
// proscribes. Each step says which edge it is; whether it is one is looked up in the history, and
// what it presupposes becomes a premise. The clause says that not all premises hold.

#include "verify/clauses.h"

struct lemma {
  struct clauses *clauses;
  const struct certificate *c;
  const struct cert_item *item;
  struct complaint *complaint;
  // the steps that make up the closed walk, without the paths of STEP_VISIBLE
  const struct cert_step **walk;
  uint32_t length;
};

static bool refuse (const struct lemma *l, const char *what) {
  return complain (l->complaint, "%s", what);
}

static void presuppose (const struct lemma *l, int32_t literal) {
  clause_push (l->clauses, -literal);
}

static bool presuppose_version (const struct lemma *l, uint32_t key, uint32_t txn) {
  return clause_unless_version (l->clauses, key, txn)
         || refuse (l, "a step to or from a transaction that does not write the key");
}

// What the lemma assumes of a delete without a recorded result: 1 that it wrote, 0 that it did not,
// -1 nothing.
static int assumed (const struct lemma *l, uint32_t op) {
  for (uint32_t i = 0; i < l->item->assumed; i++) {
    const uint32_t assumption = l->c->assumed.data[l->item->first_assumed + i];
    if (assumption / 2 == op)
      return (int) (assumption % 2);
  }
  return -1;
}

static bool presuppose_assumed (const struct lemma *l) {
  struct told *a = l->clauses->told;
  for (uint32_t i = 0; i < l->item->assumed; i++) {
    const uint32_t op = l->c->assumed.data[l->item->first_assumed + i] / 2;
    if (!told_add_of (a, op))
      return refuse (l, "an assumption about an operation that is not there");
    bool unrecorded = false;
    for (size_t k = 0; k < a->unrecorded.count; k++)
      unrecorded |= a->unrecorded.data[k] == op;
    if (!unrecorded)
      return refuse (l, "an assumption about an operation that is no unrecorded delete");
    const int32_t wrote = literal_wrote (l->clauses, op);
    presuppose (l, l->c->assumed.data[l->item->first_assumed + i] % 2 ? wrote : -wrote);
  }
  return true;
}

// ---------------------------------------------------------------------------------------- one step

static bool find_read (const struct lemma *l, const struct cert_step *step, uint32_t reader, struct told_read *read) {
  const struct told_read *found = told_read_of (l->clauses->told, step->op, step->key);
  if (!found || found->txn != reader || !claim_reads_count (l->clauses->level))
    return refuse (l, "a step by a read that is not there");
  *read = *found;
  told_assume_source (l->clauses->told, read);
  return true;
}

// Session order or real time, neither of which leads from or to the initial state.
static bool is_order_step (const struct lemma *l, const struct cert_step *step, bool holds, const char *otherwise) {
  if (!holds)
    return refuse (l, otherwise);
  presuppose (l, literal_in (l->clauses, step->to));
  return true;
}

static bool is_program_step (const struct lemma *l, const struct cert_step *step) {
  return told_program_order (l->clauses->told, step->from, step->to)
         || refuse (l, "a step that is no program order of parts");
}

static bool is_constraint_step (const struct lemma *l, const struct cert_step *step) {
  const struct cert_constraints *constraints = &l->c->constraints;
  if (step->constraint >= constraints->list.count
      || step->alternative >= constraints->list.data[step->constraint].alternatives)
    return refuse (l, "a step of a constraint that is not there");
  const struct cert_alternative *alternative =
    &constraints->alternatives.data[constraints->list.data[step->constraint].first_alternative + step->alternative];
  bool found = false;
  for (uint32_t i = alternative->first_edge; i < alternative->first_edge + alternative->edges; i++)
    found |= constraints->edges.data[i].from == step->from && constraints->edges.data[i].to == step->to;
  if (!found)
    return refuse (l, "a step that the alternative does not have");
  presuppose (l, literal_alternative (l->clauses, step->constraint, step->alternative));
  presuppose (l, literal_in (l->clauses, step->from));
  presuppose (l, literal_in (l->clauses, step->to));
  return true;
}

static bool is_first_step (const struct lemma *l, const struct cert_step *step) {
  if (step->from != INITIAL || step->to == INITIAL || !told_takes_part (l->clauses->told, step->to))
    return refuse (l, "a step that does not lead from the initial state");
  presuppose (l, literal_in (l->clauses, step->to));
  return true;
}

static bool is_read_step (const struct lemma *l, const struct cert_step *step) {
  struct told_read read;
  if (!find_read (l, step, step->to, &read))
    return false;
  if (!is_possible_source (l->clauses, &read, step->from))
    return refuse (l, "a read from where it cannot have read");
  presuppose (l, literal_source (l->clauses, step->op, step->key, step->from));
  return true;
}

static bool is_version_step (const struct lemma *l, const struct cert_step *step) {
  if (claim_is_axiomatic (l->clauses->level))
    return refuse (l, "the level has no version orders");
  if (step->from == step->to || !presuppose_version (l, step->key, step->from)
      || !presuppose_version (l, step->key, step->to))
    return refuse (l, "a step between versions that are not there");
  presuppose (l, literal_before (l->clauses, step->key, step->from, step->to));
  return true;
}

static bool is_overwrite_step (const struct lemma *l, const struct cert_step *step) {
  struct told_read read;
  if (claim_is_axiomatic (l->clauses->level))
    return refuse (l, "the level has no version orders");
  if (!find_read (l, step, step->from, &read) || step->to == step->from || step->to == step->via
      || !is_possible_source (l->clauses, &read, step->via) || !presuppose_version (l, step->key, step->to))
    return refuse (l, "a step to somebody who does not overwrite what was read");
  presuppose (l, literal_source (l->clauses, step->op, step->key, step->via));
  presuppose (l, literal_before (l->clauses, step->key, step->via, step->to));
  return true;
}

// Both are in the list, in this order; or the first is its last one, and the other one, who appends
// too, is not in it.
static bool is_list_step (const struct lemma *l, const struct cert_step *step) {
  struct told *a = l->clauses->told;
  const struct told_list *found = list_of (a, step->op);
  const struct told_list list = found ? *found : (struct told_list){ 0 };
  struct told_writer behind;
  const uint32_t from = place_in_list (a, &list, step->from), to = place_in_list (a, &list, step->to);
  if (from == NOT_IN_LIST || step->to == INITIAL)
    return refuse (l, "a step that a list does not show");
  const bool by_absence = to == NOT_IN_LIST && from + 1 == list.writers && claim_reads_count (l->clauses->level)
                          && told_writer_of (a, list.key, step->to, &behind);
  if (!by_absence && (to == NOT_IN_LIST || from >= to))
    return refuse (l, "a step that a list does not show");
  presuppose (l, literal_in (l->clauses, list.txn));
  presuppose (l, literal_in (l->clauses, step->from));
  presuppose (l, literal_in (l->clauses, step->to));
  return true;
}

static bool is_hint_step (const struct lemma *l, const struct cert_step *step) {
  if (!told_hinted_order (l->clauses->told, step->key, step->from, step->to))
    return refuse (l, "a step that the history's hints do not tell");
  told_assume_order (l->clauses->told, step->key, step->from, step->to);
  return presuppose_version (l, step->key, step->from) && presuppose_version (l, step->key, step->to);
}

static bool is_step (const struct lemma *, const struct cert_step *);

// The path leads from an installer to the reader, as the level has visibility.
static bool is_visible_path (const struct lemma *l, const struct cert_step *step, uint32_t reader) {
  const enum family family = l->clauses->level.family;
  const struct cert_step *path = step + 1;
  if (!step->path || (family != FAMILY_CAUSAL && step->path != 1))
    return refuse (l, "a path of another length than the level has");
  uint32_t at = step->from;
  for (uint32_t i = 0; i < step->path; i++) {
    const bool is_read = path[i].kind == STEP_READ;
    const bool is_given = family == FAMILY_CAUSAL // elsewhere nothing is seen by it
                          && (path[i].kind == STEP_PROGRAM || path[i].kind == STEP_CONSTRAINT);
    if (!is_read && !is_given && path[i].kind != STEP_SESSION && path[i].kind != STEP_REAL_TIME)
      return refuse (l, "a path of other steps than session order, real time and reads");
    if (family == FAMILY_READ_COMMITTED_AXIOMATIC && (!is_read || path[i].op >= step->op))
      return refuse (l, "a path that is no earlier read");
    if (path[i].from != at || !is_step (l, &path[i]))
      return refuse (l, "a path with a gap");
    at = path[i].to;
  }
  return at == reader || refuse (l, "a path that leads elsewhere");
}

static bool is_visible_step (const struct lemma *l, const struct cert_step *step) {
  if (!claim_is_axiomatic (l->clauses->level))
    return refuse (l, "the level does not ask what is visible");
  const struct told_read *found = told_read_of (l->clauses->told, step->op, step->key);
  const struct told_read read = found ? *found : (struct told_read){ 0 };
  if (!found || step->from == step->to || !is_possible_source (l->clauses, &read, step->to))
    return refuse (l, "a step by a read that is not there");
  told_assume_source (l->clauses->told, &read);
  presuppose (l, literal_source (l->clauses, step->op, step->key, step->to));
  return presuppose_version (l, step->key, step->from) && is_visible_path (l, step, read.txn);
}

static bool is_step (const struct lemma *l, const struct cert_step *step) {
  const struct clauses *clauses = l->clauses;
  switch ((enum step_kind) step->kind) {
  case STEP_SESSION:
    return is_order_step (l, step, clauses->level.so && told_session_order (clauses->told, step->from, step->to),
                          "a step that is no session order");
  case STEP_REAL_TIME:
    return is_order_step (
      l, step, clauses->level.rt && told_real_time (clauses->told, step->from, step->to, clauses->clock_skew),
      "a step that is no real-time order");
  case STEP_PROGRAM: return is_program_step (l, step);
  case STEP_CONSTRAINT: return is_constraint_step (l, step);
  case STEP_FIRST: return is_first_step (l, step);
  case STEP_READ: return is_read_step (l, step);
  case STEP_VERSION: return is_version_step (l, step);
  case STEP_OVERWRITE: return is_overwrite_step (l, step);
  case STEP_LIST: return is_list_step (l, step);
  case STEP_HINT: return is_hint_step (l, step);
  case STEP_VISIBLE: return is_visible_step (l, step);
  case STEP_KINDS: break;
  }
  return refuse (l, "no such step");
}

// ------------------------------------------------------------------------------ what is proscribed

static bool is_anti (const struct cert_step *step) {
  return step->kind == STEP_OVERWRITE;
}

static uint32_t count_anti (const struct lemma *l) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->length; i++)
    count += is_anti (l->walk[i]);
  return count;
}

static const struct cert_step *step_before (const struct lemma *l, uint32_t i) {
  return l->walk[i ? i - 1 : l->length - 1];
}

// Snapshot isolation: nowhere two anti-dependencies one after the other.
static bool has_no_two_anti_together (const struct lemma *l) {
  for (uint32_t i = 0; i < l->length; i++)
    if (is_anti (l->walk[i]) && is_anti (step_before (l, i)))
      return false;
  return true;
}

// Prefix consistency: each anti-dependency follows session order, real time, program order of
// parts, what a module demands or a read.
static bool anti_follow_what_is_seen (const struct lemma *l) {
  for (uint32_t i = 0; i < l->length; i++) {
    const enum step_kind before = (enum step_kind) step_before (l, i)->kind;
    if (is_anti (l->walk[i]) && before != STEP_SESSION && before != STEP_REAL_TIME && before != STEP_PROGRAM
        && before != STEP_CONSTRAINT && before != STEP_READ)
      return false;
  }
  return true;
}

static bool anti_are_of_items (const struct lemma *l) {
  for (uint32_t i = 0; i < l->length; i++) {
    const struct told_read *read =
      is_anti (l->walk[i]) ? told_read_of (l->clauses->told, l->walk[i]->op, l->walk[i]->key) : NULL;
    if (read && read->predicate)
      return false;
  }
  return true;
}

static bool surely_writes (const struct lemma *l, uint32_t txn) {
  struct told *a = l->clauses->told;
  told_add (a, txn);
  for (size_t i = 0; i < a->writes.count; i++)
    if (a->writes.data[i].unrecorded == OP_NONE || assumed (l, a->writes.data[i].unrecorded) == 1)
      return true;
  return false;
}

// Update serializability: all of them write, except one. What leads on from one that only reads,
// and is no anti-dependency, is known anyway.
static bool all_but_one_write (const struct lemma *l) {
  uint32_t only_reads = INITIAL;
  for (uint32_t i = 0; i < l->length; i++) {
    const uint32_t txn = l->walk[i]->from;
    if (!is_anti (l->walk[i]) || surely_writes (l, txn))
      continue;
    if (only_reads != INITIAL && only_reads != txn)
      return false;
    only_reads = txn;
  }
  return true;
}

// The key of a step from one version to another.
static uint32_t key_of_versions (const struct lemma *l, const struct cert_step *step) {
  return step->kind == STEP_LIST ? l->clauses->told->h->op_keys.data[step->op] : step->key;
}

// The step comes into its transaction at an operation before the read `op`, or at that read.
static bool arrives_before (const struct lemma *l, const struct cert_step *step, uint32_t op) {
  struct told *a = l->clauses->told;
  switch ((enum step_kind) step->kind) {
  case STEP_SESSION:
  case STEP_PROGRAM:
  case STEP_CONSTRAINT:
  case STEP_REAL_TIME: return true;
  case STEP_READ: return step->op <= op;
  case STEP_VERSION:
  case STEP_HINT:
  case STEP_LIST: {
    const uint32_t key = key_of_versions (l, step);
    told_add (a, step->to);
    const struct told_write *write = told_find_write (a, key);
    return write && write->last_op < op;
  }
  default: return false;
  }
}

// Monotonic view: one anti-dependency, of a read, and a way back to that read or to what its
// transaction did before; not through the transaction itself.
static bool comes_back_to_its_read (const struct lemma *l) {
  uint32_t at = 0;
  while (!is_anti (l->walk[at]))
    at++;
  const uint32_t reader = l->walk[at]->from;
  for (uint32_t i = 0; i < l->length; i++)
    if (i != at && l->walk[i]->from == reader)
      return false;
  return arrives_before (l, step_before (l, at), l->walk[at]->op);
}

// The first write of a key by a transaction, under what is assumed; OP_NONE: that leaves it open.
static uint32_t first_write (const struct lemma *l, const struct told_write *write) {
  if (write->unrecorded_before_first == OP_NONE)
    return write->first_op;
  const int wrote = assumed (l, write->unrecorded_before_first);
  return wrote < 0 ? OP_NONE : wrote ? write->unrecorded_before_first : write->first_op;
}

// Cursor stability: the last read of a key that holds a cursor, before its transaction writes the
// key, and somebody else's version between the one read and the one written.
static bool is_lost_update (const struct lemma *l) {
  struct told *a = l->clauses->told;
  if (l->length != 2 || is_anti (l->walk[0]) == is_anti (l->walk[1]))
    return false;
  const struct cert_step *read = is_anti (l->walk[0]) ? l->walk[0] : l->walk[1];
  const struct cert_step *version = is_anti (l->walk[0]) ? l->walk[1] : l->walk[0];
  if (version->kind != STEP_VERSION && version->kind != STEP_LIST && version->kind != STEP_HINT)
    return false;
  const uint32_t key = key_of_versions (l, version);
  if (key != read->key)
    return false;
  told_add (a, read->from);
  const struct told_write *write = told_find_write (a, key);
  const uint32_t first = write ? first_write (l, write) : OP_NONE;
  const struct told_read *cursor = told_find_read (a, read->op, key);
  if (first == OP_NONE || !cursor || read->op > first || !told_holds_cursor (a, cursor)
      || told_run_divides_cursors (a, write))
    return false;
  for (size_t i = 0; i < a->reads.count; i++) { // no later one may count
    const struct told_read *later = &a->reads.data[i];
    if (later->key != key || later->op <= read->op || later->op > first || !told_holds_cursor (a, later))
      continue;
    told_assume_source (a, later);
    // the version is there, so that delete wrote
    const bool installed_it = later->unrecorded == write->unrecorded;
    const int wrote = later->unrecorded == OP_NONE ? 0 : installed_it ? 1 : assumed (l, later->unrecorded);
    if (wrote < 0 || later->perhaps || (wrote ? later->if_wrote : later->if_not) == OUTCOME_EXTERNAL)
      return false;
  }
  return true;
}

static bool kinds_fit (const struct lemma *l) {
  const struct claim_level level = l->clauses->level;
  for (uint32_t i = 0; i < l->length; i++) {
    const enum step_kind kind = (enum step_kind) l->walk[i]->kind;
    if ((kind == STEP_FIRST || kind == STEP_VISIBLE) && !claim_is_axiomatic (level))
      return false;
    if (l->walk[i]->from == INITIAL && kind != STEP_FIRST && kind != STEP_READ)
      return false;
  }
  return true;
}

static bool is_proscribed (const struct lemma *l) {
  const uint32_t anti = count_anti (l);
  if (!kinds_fit (l))
    return false;
  switch (l->clauses->level.family) {
  case FAMILY_READ_UNCOMMITTED: // reads give no steps there
  case FAMILY_READ_COMMITTED:
  case FAMILY_CAUSAL:
  case FAMILY_READ_ATOMIC:
  case FAMILY_READ_COMMITTED_AXIOMATIC: return !anti;
  case FAMILY_CURSOR_STABILITY: return !anti || is_lost_update (l);
  case FAMILY_MONOTONIC_VIEW: return !anti || (anti == 1 && comes_back_to_its_read (l));
  case FAMILY_CONSISTENT_VIEW: return anti <= 1;
  case FAMILY_REPEATABLE_READ: return anti_are_of_items (l);
  case FAMILY_SNAPSHOT_ISOLATION: return has_no_two_anti_together (l);
  case FAMILY_SERIALIZABLE: return true;
  case FAMILY_UPDATE_SERIALIZABLE: return all_but_one_write (l);
  case FAMILY_PREFIX_CONSISTENCY: return anti_follow_what_is_seen (l);
  }
  return false;
}

static bool follow (struct lemma *l) {
  const struct cert_step *steps = l->c->steps.data + l->item->first_step;
  for (uint32_t i = 0; i < l->item->steps; i++) {
    const struct cert_step *step = &steps[i];
    const uint32_t path = step->kind == STEP_VISIBLE ? step->path : 0;
    if (path > l->item->steps - i - 1)
      return refuse (l, "a path that is longer than the lemma");
    if (l->length && l->walk[l->length - 1]->to != step->from)
      return refuse (l, "steps that do not follow each other");
    if (!is_step (l, step))
      return false;
    l->walk[l->length++] = step;
    i += path;
  }
  if (!l->length || l->walk[l->length - 1]->to != l->walk[0]->from)
    return refuse (l, "steps that do not lead back to where they began");
  return is_proscribed (l) || refuse (l, "a pattern that the level does not proscribe");
}

bool clauses_add_lemma (struct clauses *clauses, const struct certificate *c, const struct cert_item *item,
                        struct complaint *complaint) {
  struct lemma l = { .clauses = clauses, .c = c, .item = item, .complaint = complaint };
  if (item->first_step > c->steps.count || item->steps > c->steps.count - item->first_step
      || item->first_assumed > c->assumed.count || item->assumed > c->assumed.count - item->first_assumed)
    return complain (complaint, "a lemma outside the certificate");
  l.walk = MEM_ARRAY (const struct cert_step *, item->steps);
  const bool fine = presuppose_assumed (&l) && follow (&l);
  mem_free (l.walk);
  return fine;
}
