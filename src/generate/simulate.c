// Clients in simulated time. Each has one transaction at a time and takes one step after the other;
// every step takes a while, and whose is next is decided by a clock that all share. A client that
// waits for a lock is woken when the one who holds it ends.

#include "generate/engine.h"
#include "generate/fault_hooks.h"
#include "generate/generate.h"
#include "generate/play.h"
#include "generate/workloads/rows.h"

#include "base/heap.h"
#include "base/sort.h"
#include "history/history.h"

#include <string.h>

enum { STEP_TIME = 100000, THINK_TIME = 50000 }; // nanoseconds; at most
enum { MOST_RETRIES = 5, REMEMBERED_KEYS = 1 << 20 };

typedef VEC (uint32_t) atom_table;

struct record {
  enum op_kind kind;
  unsigned flags;
  uint64_t key, high, value;
  uint64_t by;    // inc
  bool has_value; // else absent
  uint32_t first_item, items;
};

struct client {
  struct play play;
  unsigned retries;
  bool in_transaction, read_only;
  int64_t begin;
  int64_t answered; // when it heard of the commit, if that was before the commit; else 0
  int64_t wakes;    // when it takes its next step
  uint32_t first_waiter, next_waiter;
  VEC (struct record) records; // of the transaction at hand
  cell_vec items;
};

struct simulation {
  const struct generate_options *options;
  struct generate_summary *summary;
  struct engine *engine;
  struct history *h;
  struct client *clients;
  struct play_ground ground;
  VEC (uint32_t) awake; // a heap of clients, by their next step
  // With a limit on transactions at a time: clients that wait for their turn, and who draws them.
  VEC (uint32_t) idle;
  struct random turns;
  uint32_t active; // transactions in progress
  uint64_t ended;
  uint64_t *overlaps; // per number of other transactions: how often
  VEC (int64_t) ends; // per transaction, in the order of recording
  atom_table key_atoms, value_atoms;
  cell_vec cells; // scratch
};

void generate_options_default (struct generate_options *options) {
  *options = (struct generate_options){
    .txns = 10000,
    .sessions = 24,
    .work = { .reads = -1, .repetition = -1 },
    .times = true,
  };
}

// ------------------------------------------------------------------------------------------- clock

static bool is_earlier (const struct simulation *sim, uint32_t a, uint32_t b) {
  const int64_t x = sim->clients[a].wakes, y = sim->clients[b].wakes;
  return x != y ? x < y : a < b;
}

static void wake_at (struct simulation *sim, uint32_t client, int64_t time) {
  sim->clients[client].wakes = time;
  HEAP_PUSH (sim->awake, client, is_earlier, sim);
}

static uint32_t next_awake (struct simulation *sim) {
  const uint32_t first = sim->awake.data[0];
  HEAP_POP (sim->awake, is_earlier, sim);
  return first;
}

static int64_t later (struct client *client, int64_t now, uint64_t most) {
  return now + 1 + (int64_t) random_below (&client->play.random, most);
}

static bool takes_turns (const struct simulation *sim) {
  return sim->options->concurrency < sim->options->sessions;
}

// Whose turn it is after `time`: all who wait are drawn alike.
static void give_turn (struct simulation *sim, int64_t time) {
  const uint32_t drawn = (uint32_t) random_below (&sim->turns, sim->idle.count), number = sim->idle.data[drawn];
  sim->idle.data[drawn] = sim->idle.data[--sim->idle.count];
  wake_at (sim, number, later (&sim->clients[number], time, THINK_TIME));
}

// --------------------------------------------------------------------------------------- recording

// Where the atom of a number is remembered, so that it is looked up in the history once; NULL for
// one that is too large for a table.
static uint32_t *remembered (atom_table *table, uint64_t number, uint64_t most) {
  if (number > most)
    return NULL;
  while (table->count <= number)
    VEC_PUSH (*table, NONE);
  return &table->data[number];
}

static uint32_t intern_key (struct simulation *sim, uint64_t key) {
  const char *why = NULL;
  const struct application *application = sim->options->workload->application;
  if (!application)
    return history_key (sim->h, atom_unsigned (key), &why);
  char text[96];
  row_name (application->tables, key, text, sizeof text);
  return history_key (sim->h, atom_bytes (text, strlen (text)), &why);
}

static uint32_t key_of (struct simulation *sim, uint64_t key) {
  uint32_t *known = remembered (&sim->key_atoms, key, REMEMBERED_KEYS);
  if (known && *known != NONE)
    return *known;
  const uint32_t found = intern_key (sim, key);
  if (known)
    *known = found;
  return found;
}

static uint32_t value_of (struct simulation *sim, uint64_t value) {
  const char *why = NULL;
  uint32_t *known =
    remembered (&sim->value_atoms, value,
                sim->options->work.values + atomic_load_explicit (&sim->ground.values, memory_order_relaxed));
  if (known && *known != NONE)
    return *known;
  const uint32_t found = history_value (sim->h, atom_unsigned (value), &why);
  if (known)
    *known = found;
  return found;
}

static void write_record (struct simulation *sim, const struct client *client, const struct record *record) {
  const char *why = NULL;
  const bool is_list = record->kind == OP_LIST, is_range = record->kind == OP_SCAN || record->kind == OP_ITER;
  const uint32_t key = key_of (sim, record->key);
  uint32_t value = VALUE_NONE, aux = AUX_NONE;
  sim->summary->operations++;
  if (record->kind == OP_INC) {
    history_add_inc (sim->h, record->flags, key, value_of (sim, record->by), value_of (sim, record->value), &why);
    return;
  }
  if (is_list || is_range) {
    aux = history_open_range (sim->h, is_range ? key : KEY_NONE, is_range ? key_of (sim, record->high) : KEY_NONE);
    for (uint32_t i = 0; i < record->items; i++) {
      const struct cell_at item = client->items.data[record->first_item + i];
      history_add_item (sim->h, is_range ? key_of (sim, item.key) : KEY_NONE, value_of (sim, item.value), &why);
    }
  } else if (record->kind != OP_DEL)
    value = record->has_value ? value_of (sim, record->value) : VALUE_ABSENT;
  history_add_op (sim->h, record->kind, record->flags, is_range ? KEY_NONE : key, value, aux, &why);
}

static void write_transaction (struct simulation *sim, uint32_t number, enum txn_status status, int64_t end) {
  struct client *client = &sim->clients[number];
  const char *why = NULL;
  struct txn_header header = { .session = number + 1, .status = status };
  header.begin = sim->options->times ? client->begin : TIME_NONE_BEGIN;
  header.end = sim->options->times ? end : TIME_NONE_END;
  history_begin_txn (sim->h, &header, &why);
  VEC_PUSH (sim->ends, end);
  for (size_t i = 0; i < client->records.count; i++)
    write_record (sim, client, &client->records.data[i]);
  sim->summary->committed += status == TXN_COMMITTED;
  sim->summary->aborted += status == TXN_ABORTED;
  sim->summary->unknown += status == TXN_UNKNOWN;
}

struct ended {
  int64_t end;
  uint32_t recorded; // as the how manieth
  uint32_t txn;
};

static int by_end (const void *a, const void *b) {
  const struct ended *x = a, *y = b;
  return x->end != y->end ? COMPARE (x->end, y->end) : COMPARE (x->recorded, y->recorded);
}

// A trace is written as transactions end. Their clients hear of it a little later, each in its own
// time, hence the order of recording is not quite it.
static void order_by_end (struct simulation *sim) {
  struct history *h = sim->h;
  const uint32_t txns = history_txns (h);
  struct ended *sorted = MEM_ARRAY (struct ended, txns);
  for (uint32_t txn = 0; txn < txns; txn++) {
    const uint32_t recorded = (uint32_t) h->txn_ids.data[txn] - 1;
    sorted[txn] = (struct ended){ sim->ends.data[recorded], recorded, txn };
  }
  SORT (sorted, txns, by_end);
  VEC_RESERVE (h->txn_order, txns);
  for (uint32_t i = 0; i < txns; i++)
    VEC_PUSH (h->txn_order, sorted[i].txn);
  mem_free (sorted);
}

// Transactions get their numbers in the order of the file, so that these say no more about time
// than the order itself does.
static void finish_history (struct simulation *sim) {
  struct history *h = sim->h;
  history_sort_sessions (h);
  history_finish (h);
  if (!sim->options->group_by_session)
    order_by_end (sim);
  for (uint32_t i = 0; i < history_txns (h); i++)
    h->txn_ids.data[h->txn_order.count ? h->txn_order.data[i] : i] = i + 1;
}

// ------------------------------------------------------------------------------------------- steps

static enum outcome read_range (struct simulation *sim, uint32_t number, const struct request *request,
                                struct record *record) {
  struct client *client = &sim->clients[number];
  bool at_end = true;
  const enum outcome outcome =
    request->kind == OP_LIST
      ? engine_list (sim->engine, number, record->key, &sim->cells)
      : engine_scan (sim->engine, number, record->key, record->high, request->kind == OP_ITER ? request->most : 0,
                     request->flags & OP_ITER_REVERSE, &sim->cells, &at_end);
  if (outcome != STEP_DONE)
    return outcome;
  record->first_item = (uint32_t) client->items.count;
  record->items = (uint32_t) sim->cells.count;
  if (request->kind == OP_ITER && at_end)
    record->flags |= OP_ITER_END;
  for (size_t i = 0; i < sim->cells.count; i++)
    VEC_PUSH (client->items, sim->cells.data[i]);
  *play_reply (&client->play) = (struct cell){ sim->cells.count, sim->cells.count ? sim->cells.data[0].value : 0 };
  return STEP_DONE;
}

// One statement: it reads the key as a write does, with a lock.
static enum outcome increase (struct simulation *sim, uint32_t number, const struct request *request,
                              struct record *record) {
  struct play *play = &sim->clients[number].play;
  struct cell before;
  const enum outcome outcome = engine_get (sim->engine, number, record->key, true, &before);
  if (outcome != STEP_DONE)
    return outcome;
  record->by = play_value (play, &sim->ground, request);
  record->value = (before.present ? before.value : 0) + record->by;
  *play_reply (play) = (struct cell){ true, record->value };
  return engine_write (sim->engine, number, record->key, record->value, false);
}

static enum outcome ask (struct simulation *sim, uint32_t number, const struct request *request,
                         struct record *record) {
  struct client *client = &sim->clients[number];
  struct cell *reply = play_reply (&client->play);
  enum outcome outcome = STEP_DONE;
  bool found = false;
  switch (request->kind) {
  case OP_GET:
    outcome = engine_get (sim->engine, number, record->key, request->flags & OP_LOCK_UPDATE, reply);
    if (outcome == STEP_DONE) {
      record->has_value = reply->present;
      record->value = reply->value;
    }
    return outcome;
  case OP_PUT:
  case OP_APPEND:
    record->has_value = true;
    record->value = play_value (&client->play, &sim->ground, request);
    *reply = (struct cell){ true, record->value };
    return engine_write (sim->engine, number, record->key, record->value, request->kind == OP_APPEND);
  case OP_INC: return increase (sim, number, request, record);
  case OP_DEL:
    outcome = engine_delete (sim->engine, number, record->key, &found);
    *reply = (struct cell){ found, 0 };
    if (!request->hides_result)
      record->flags |= OP_RESULT_KNOWN | (found ? OP_RESULT_TRUE : 0);
    return outcome;
  default: return read_range (sim, number, request, record);
  }
}

static void wake_waiters (struct simulation *sim, uint32_t number, int64_t now) {
  struct client *client = &sim->clients[number];
  for (uint32_t waiter = client->first_waiter; waiter != NONE;) {
    struct client *other = &sim->clients[waiter];
    const uint32_t next = other->next_waiter;
    sim->engine->txns[waiter].waits_for = NONE;
    wake_at (sim, waiter, later (other, now, STEP_TIME / 10));
    waiter = next;
  }
  client->first_waiter = NONE;
}

// The transaction is over; the client hears of it a little later, and goes on then.
static void finish (struct simulation *sim, uint32_t number, enum txn_status status, int64_t now) {
  struct client *client = &sim->clients[number];
  const int64_t end = later (client, now, STEP_TIME);
  write_transaction (sim, number, status, client->answered ? client->answered : end);
  wake_waiters (sim, number, now);
  sim->active--;
  sim->overlaps[sim->active]++;
  sim->ended++;
  client->in_transaction = false;
  const bool again = status == TXN_ABORTED && client->retries < MOST_RETRIES;
  client->retries = again ? client->retries + 1 : 0;
  if (!again)
    play_drop (&client->play);
  if (!again && takes_turns (sim)) {
    VEC_PUSH (sim->idle, number);
    give_turn (sim, end);
  } else
    wake_at (sim, number, later (client, end, THINK_TIME << (again ? client->retries : 0)));
}

static void begin (struct simulation *sim, uint32_t number, int64_t now) {
  struct client *client = &sim->clients[number];
  play_write (&client->play, &sim->ground);
  client->read_only = script_only_reads (&client->play.script);
  play_rewind (&client->play);
  client->records.count = 0;
  client->items.count = 0;
  client->in_transaction = true;
  client->begin = now;
  client->answered = 0;
  sim->active++;
  engine_begin (sim->engine, number, client->read_only, now);
  wake_at (sim, number, later (client, now, STEP_TIME));
}

// The answer to a commit that is yet to come.
static bool answers_too_early (struct simulation *sim, uint32_t number, int64_t now) {
  struct client *client = &sim->clients[number];
  const int64_t delay = client->answered ? 0 : fault_commit_delay (sim->engine, number);
  if (!delay)
    return false;
  client->answered = later (client, now, STEP_TIME);
  wake_at (sim, number, now + delay);
  return true;
}

static void end_transaction (struct simulation *sim, uint32_t number, int64_t now) {
  struct client *client = &sim->clients[number];
  if (answers_too_early (sim, number, now))
    return;
  const bool unknown = random_chance (&client->play.random, sim->options->unknowns);
  const bool gives_up = random_chance (&client->play.random, unknown ? 0.5 : sim->options->aborts);
  enum txn_status status = TXN_ABORTED;
  if (gives_up) {
    engine_end (sim->engine, number);
    client->retries = MOST_RETRIES; // it does not want it any more
  } else if (engine_commit (sim->engine, number, now) == STEP_DONE)
    status = TXN_COMMITTED;
  finish (sim, number, unknown ? TXN_UNKNOWN : status, now);
}

static void step (struct simulation *sim, uint32_t number) {
  struct client *client = &sim->clients[number];
  const int64_t now = client->wakes;
  if (!client->in_transaction) {
    begin (sim, number, now);
    return;
  }
  const struct request *request = play_next (&client->play);
  if (!request) {
    end_transaction (sim, number, now);
    return;
  }
  struct record record = { .kind = request->kind, .flags = request->flags };
  record.key = play_key (&client->play, request);
  record.high = play_high (&client->play, request);
  switch (ask (sim, number, request, &record)) {
  case STEP_DONE:
    VEC_PUSH (client->records, record);
    client->play.next++;
    wake_at (sim, number, later (client, now, STEP_TIME));
    return;
  case STEP_WAIT: {
    struct client *holder = &sim->clients[sim->engine->txns[number].waits_for];
    client->next_waiter = holder->first_waiter;
    holder->first_waiter = number;
    return;
  }
  case STEP_ABORT: finish (sim, number, TXN_ABORTED, now); return;
  }
}

// --------------------------------------------------------------------------------------------- run

static void start (struct simulation *sim) {
  const struct generate_options *options = sim->options;
  sim->clients = MEM_ZARRAY (struct client, options->sessions);
  sim->overlaps = MEM_ZARRAY (uint64_t, options->sessions + 1u);
  play_ground_init (&sim->ground, options->workload, &options->work, options->distribution);
  for (uint32_t number = 0; number < options->sessions; number++) {
    struct client *client = &sim->clients[number];
    play_init (&client->play, &sim->ground, options->seed, number);
    client->first_waiter = NONE;
    if (takes_turns (sim))
      VEC_PUSH (sim->idle, number);
    else
      wake_at (sim, number, later (client, 0, THINK_TIME));
  }
  sim->turns = random_fork (options->seed, UINT64_MAX - 3);
  for (unsigned turn = 0; takes_turns (sim) && turn < options->concurrency; turn++)
    give_turn (sim, 0);
}

static void stop (struct simulation *sim) {
  for (uint32_t number = 0; number < sim->options->sessions; number++) {
    struct client *client = &sim->clients[number];
    play_free (&client->play);
    VEC_FREE (client->records);
    VEC_FREE (client->items);
  }
  mem_free (sim->clients);
  VEC_FREE (sim->awake);
  VEC_FREE (sim->idle);
  mem_free (sim->overlaps);
  play_ground_free (&sim->ground);
  VEC_FREE (sim->cells);
  VEC_FREE (sim->ends);
  VEC_FREE (sim->key_atoms);
  VEC_FREE (sim->value_atoms);
  engine_free (sim->engine);
}

static unsigned median_overlap (const struct simulation *sim) {
  uint64_t seen = 0;
  for (unsigned i = 0; i <= sim->options->sessions; i++) {
    seen += sim->overlaps[i];
    if (2 * seen >= sim->ended)
      return i;
  }
  return 0;
}

static struct generate_options complete (const struct generate_options *asked) {
  struct generate_options options = *asked;
  if (options.fault && !options.fault_rate)
    options.fault_rate = options.fault->rate;
  if (!options.work.keys && options.fault)
    options.work.keys = fault_keys (options.fault, options.workload->name, options.workload->overbooked);
  options.work = play_options (options.workload, options.work);
  if (!options.concurrency)
    options.concurrency = options.sessions;
  return options;
}

struct history *generate (const struct generate_options *asked, struct generate_summary *summary) {
  const struct generate_options options = complete (asked);
  struct simulation sim = { .options = &options, .summary = summary, .h = history_new ("generated") };
  *summary = (struct generate_summary){ 0 };
  sim.engine = engine_new (options.isolation, options.sessions, options.seed, options.fault, options.fault_rate);
  start (&sim);
  bool in_time = true;
  for (uint64_t told = 0; sim.ended < options.txns && in_time;) {
    enum { TELL_EVERY = 4096 };
    step (&sim, next_awake (&sim));
    if (sim.ended < told)
      continue;
    told = sim.ended + TELL_EVERY;
    in_time = !budget_spent (options.budget);
    if (options.progress)
      options.progress (options.progress_context, (double) sim.ended / (double) options.txns);
  }
  summary->median_overlap = median_overlap (&sim);
  summary->keys = options.work.keys;
  summary->faults = sim.engine->faults.struck;
  finish_history (&sim);
  stop (&sim);
  if (in_time)
    return sim.h;
  history_free (sim.h);
  return NULL;
}
