// Nothing that a module says is believed: every number is held against its bounds, and a constraint
// is taken only as a whole. The first thing wrong is remembered, so that a module that does not
// look at results ends as one that does.

#include "modules/host.h"

#include "base/group.h"
#include "history/history.h"

#include <inttypes.h>
#include <string.h>

struct krait_model {
  const struct asg *asg;
  const struct history *h;
  uint32_t *reader;      // per read: its node
  uint32_t *install_key; // per install
  struct constraints *constraints;
  uint32_t module;
  struct error *error;
  VEC (char *) hint_texts; // handed out
};

static const char *name_of (const struct krait_model *model) {
  return model->constraints->modules.data[model->module];
}

static int refuse (struct krait_model *model, const char *what, uint32_t number, uint32_t count) {
  error_set (model->error, "%.300s: asks for %s %" PRIu32 ", and there are %" PRIu32, name_of (model), what, number,
             count);
  return 1;
}

static uint64_t id_of (const struct krait_model *model, uint32_t txn) {
  return model->h->txn_ids.data[txn];
}

// ----------------------------------------------------------------------------------------- looking

static uint32_t count_transactions (const struct krait_model *model) {
  return history_txns (model->h);
}

static uint32_t count_keys (const struct krait_model *model) {
  return model->asg->keys;
}

static uint32_t count_installs (const struct krait_model *model) {
  return model->asg->installs;
}

static uint32_t count_reads (const struct krait_model *model) {
  return model->asg->reads;
}

static struct krait_atom atom_of (struct atom atom) {
  static const enum krait_atom_kind kinds[] = {
    [ATOM_UNSIGNED] = KRAIT_UNSIGNED, [ATOM_NEGATIVE] = KRAIT_NEGATIVE, [ATOM_BYTES] = KRAIT_BYTES
  };
  return (struct krait_atom){ kinds[atom.kind], atom.number, atom.bytes, atom.length };
}

static struct krait_atom value_of (const struct krait_model *model, uint32_t value) {
  if (value >= atoms_count (&model->h->values))
    return (struct krait_atom){ .kind = KRAIT_ABSENT };
  return atom_of (atoms_get (&model->h->values, value));
}

static const char *hint_text (struct krait_model *model, uint32_t text) {
  const struct atom atom = atoms_get (&model->h->texts, text);
  char *copy = mem_alloc (atom.length + 1);
  memcpy (copy, atom.bytes, atom.length);
  copy[atom.length] = 0;
  VEC_PUSH (model->hint_texts, copy);
  return copy;
}

static const char *txn_hints (struct krait_model *model, uint32_t txn) {
  const uint32_t hint = history_hint_of_txn (model->h, txn);
  return hint == AUX_NONE ? NULL : hint_text (model, hint);
}

static const char *history_hints (const struct krait_model *model) {
  if (model->h->hints == AUX_NONE)
    return NULL;
  return hint_text ((struct krait_model *) model, model->h->hints);
}

static int transaction (struct krait_model *model, uint32_t txn, struct krait_transaction *to) {
  static const enum krait_status statuses[] = {
    [TXN_COMMITTED] = KRAIT_COMMITTED, [TXN_ABORTED] = KRAIT_ABORTED, [TXN_UNKNOWN] = KRAIT_OUTCOME_UNKNOWN
  };
  const struct history *h = model->h;
  if (txn >= history_txns (h))
    return refuse (model, "transaction", txn, history_txns (h));
  const uint32_t node = model->asg->txn_node[txn];
  *to = (struct krait_transaction){
    .id = id_of (model, txn),
    .session = h->txn_sessions.data[txn],
    .position = txn - h->session_first.data[h->txn_sessions.data[txn]],
    .status = statuses[h->txn_status.data[txn]],
    .begin = history_begin_time (h, txn),
    .end = history_end_time (h, txn),
    .hints = txn_hints (model, txn),
  };
  if (node != NODE_NONE) {
    to->first_read = model->asg->node_first_read[node];
    to->reads = model->asg->node_first_read[node + 1] - to->first_read;
  }
  return 0;
}

static int key (struct krait_model *model, uint32_t number, struct krait_key *to) {
  const struct asg *asg = model->asg;
  if (number >= asg->keys)
    return refuse (model, "key", number, asg->keys);
  *to = (struct krait_key){ atom_of (atoms_get (&model->h->keys, number)), asg->key_first[number],
                            asg->key_first[number + 1] - asg->key_first[number] };
  return 0;
}

static int install (struct krait_model *model, uint32_t number, struct krait_install *to) {
  const struct asg *asg = model->asg;
  if (number >= asg->installs)
    return refuse (model, "install", number, asg->installs);
  *to = (struct krait_install){ asg->node_txn[asg->install_node[number]], model->install_key[number],
                                value_of (model, asg->install_value[number]),
                                asg_install_unrecorded (asg, number) != UNRECORDED_NONE };
  return 0;
}

#define ALL_CANDIDATES UINT32_MAX
static int list_candidates (const struct krait_model *model, uint32_t read, uint32_t number, uint32_t *writer);

static int read_of (struct krait_model *model, uint32_t number, struct krait_read *to) {
  const struct asg *asg = model->asg;
  if (number >= asg->reads)
    return refuse (model, "read", number, asg->reads);
  const uint32_t txn = asg->node_txn[model->reader[number]];
  const uint8_t flags = asg->read_flags ? asg->read_flags[number] : 0;
  *to = (struct krait_read){
    .transaction = txn,
    .key = asg->read_key[number],
    .value = value_of (model, asg->read_value[number]),
    .flags = (flags & READ_PREDICATE ? KRAIT_READ_PREDICATE : 0u) | (flags & READ_OTHER ? KRAIT_READ_OTHER : 0u)
             | (flags & READ_OR_ABSENT ? KRAIT_READ_OR_ABSENT : 0u)
             | (asg_read_unrecorded (asg, number) != UNRECORDED_NONE ? KRAIT_READ_IN_DOUBT : 0u),
    .operation = asg->read_op[number] - model->h->txn_first_op.data[txn],
    .candidates = (uint32_t) list_candidates (model, number, ALL_CANDIDATES, NULL),
  };
  return 0;
}

// -------------------------------------------------------------------------------------- candidates

// Candidate number `number` of the read, 1 if there is one; ALL_CANDIDATES: how many there are. The
// initial state comes first.
static int list_candidates (const struct krait_model *model, uint32_t read, uint32_t number, uint32_t *writer) {
  const struct asg *asg = model->asg;
  const uint32_t source = asg->read_source[read], reader = model->reader[read];
  if (source == SOURCE_NONE)
    return 0;
  if (!source_is_many (source)) {
    if (number == 0)
      *writer = source == SOURCE_INITIAL ? KRAIT_INITIAL : asg->node_txn[asg->install_node[source]];
    return number == 0 || number == ALL_CANDIDATES;
  }
  const struct choice *choice = &asg->choices.data[source & ~SOURCE_MANY];
  const bool other = asg->read_flags && (asg->read_flags[read] & READ_OTHER);
  const uint32_t key_read = asg->read_key[read];
  const uint32_t first = other ? asg->key_first[key_read] : choice->first;
  const uint32_t last = other ? asg->key_first[key_read + 1] : choice->last;
  uint32_t met = 0;
  if (choice->initial && number == met++) {
    *writer = KRAIT_INITIAL;
    return 1;
  }
  for (uint32_t i = first; i < last; i++) {
    const uint32_t at = other ? i : asg->value_installs[i], node = asg->install_node[at];
    if (node == reader || !asg_accepts (asg, read, asg->install_value[at]))
      continue;
    if (number == met++) {
      *writer = asg->node_txn[node];
      return 1;
    }
  }
  return number == ALL_CANDIDATES ? (int) met : 0;
}

static int candidate (struct krait_model *model, uint32_t read, uint32_t number, uint32_t *writer) {
  if (read >= model->asg->reads)
    return refuse (model, "read", read, model->asg->reads);
  if (number != ALL_CANDIDATES && list_candidates (model, read, number, writer))
    return 0;
  return refuse (model, "candidate", number, (uint32_t) list_candidates (model, read, ALL_CANDIDATES, NULL));
}

// --------------------------------------------------------------------------------------- demanding

static int refuse_edge (struct krait_model *model, uint32_t txn) {
  if (txn >= history_txns (model->h))
    return refuse (model, "an edge at transaction", txn, history_txns (model->h));
  if (model->h->txn_status.data[txn] != TXN_ABORTED)
    return 0;
  error_set (model->error, "%.300s: asks for an edge at T%" PRIu64 ", which was aborted", name_of (model),
             id_of (model, txn));
  return 1;
}

static int add_edge (struct krait_model *model, const struct krait_edge *edge) {
  if (refuse_edge (model, edge->from) || refuse_edge (model, edge->to))
    return 1;
  if (edge->from == edge->to) {
    error_set (model->error, "%.300s: asks for an edge from T%" PRIu64 " to itself", name_of (model),
               id_of (model, edge->from));
    return 1;
  }
  constraints_add_edge (model->constraints, (struct ir_edge){ edge->from, edge->to });
  return 0;
}

static bool is_candidate (const struct krait_model *model, uint32_t read, uint32_t writer) {
  const struct asg *asg = model->asg;
  if (writer == KRAIT_INITIAL)
    return asg_accepts_initial (asg, read);
  const uint32_t node = asg->txn_node[writer];
  const uint32_t at =
    node == NODE_NONE || node == model->reader[read] ? INSTALL_NONE : asg_install_of (asg, asg->read_key[read], node);
  return at != INSTALL_NONE && asg_accepts (asg, read, asg->install_value[at]);
}

static int add_condition (struct krait_model *model, const struct krait_condition *condition) {
  const uint32_t read = condition->read, writer = condition->writer;
  if (read >= model->asg->reads)
    return refuse (model, "a condition on read", read, model->asg->reads);
  if (writer != KRAIT_INITIAL && writer >= history_txns (model->h))
    return refuse (model, "a read from transaction", writer, history_txns (model->h));
  if (!is_candidate (model, read, writer)) {
    const uint64_t reader = id_of (model, model->asg->node_txn[model->reader[read]]);
    if (writer == KRAIT_INITIAL)
      error_set (model->error,
                 "%.300s: speaks of read %" PRIu32 " of T%" PRIu64 " reading from the initial state, which it cannot",
                 name_of (model), read, reader);
    else
      error_set (model->error,
                 "%.300s: speaks of read %" PRIu32 " of T%" PRIu64 " reading from T%" PRIu64 ", which it cannot",
                 name_of (model), read, reader, id_of (model, writer));
    return 1;
  }
  constraints_add_condition (model->constraints, (struct constraint_condition){ read, writer });
  return 0;
}

static int add_alternative (struct krait_model *model, const struct krait_alternative *alternative) {
  constraints_begin_alternative (model->constraints);
  for (size_t i = 0; i < alternative->count; i++)
    if (add_edge (model, &alternative->edges[i]))
      return 1;
  return 0;
}

static int constraint (struct krait_model *model, const struct krait_condition *conditions, size_t condition_count,
                       const struct krait_alternative *alternatives, size_t alternative_count) {
  constraints_begin (model->constraints, model->module);
  int wrong = 0;
  for (size_t i = 0; i < condition_count && !wrong; i++)
    wrong = add_condition (model, &conditions[i]);
  for (size_t i = 0; i < alternative_count && !wrong; i++)
    wrong = add_alternative (model, &alternatives[i]);
  if (wrong)
    constraints_take_back (model->constraints);
  return wrong;
}

static int fail (struct krait_model *model, const char *text) {
  error_set (model->error, "%.300s: %.400s", name_of (model), text);
  return 1;
}

// --------------------------------------------------------------------------------------------- all

bool host_run (krait_module_function *run, const char *argument, int64_t clock_skew, const struct asg *asg,
               struct constraints *constraints, uint32_t module, struct error *error) {
  struct krait_model model = {
    .asg = asg, .h = asg->history, .constraints = constraints, .module = module, .error = error
  };
  model.reader = groups_of_places (asg->node_first_read, asg->nodes);
  model.install_key = groups_of_places (asg->key_first, asg->keys);
  const struct krait_host host = {
    .abi = KRAIT_MODULE_ABI,
    .argument = argument,
    .clock_skew = clock_skew,
    .transactions = count_transactions,
    .keys = count_keys,
    .installs = count_installs,
    .reads = count_reads,
    .transaction = transaction,
    .key = key,
    .install = install,
    .read = read_of,
    .candidate = candidate,
    .hints = history_hints,
    .demand = constraint,
    .fail = fail,
  };
  const int result = run (&host, &model);
  if (result)
    error_set (error, "%.300s: failed with result %d", name_of (&model), result);
  VEC_FREE_EACH (model.hint_texts, mem_free);
  MEM_FREE_ALL (model.reader, model.install_key);
  return !error->code;
}
