#include "drive/encode.h"
#include "drive/session.h"

static enum lock lock_of (const struct request *request) {
  return request->flags & OP_LOCK_UPDATE ? LOCK_UPDATE : request->flags & OP_LOCK_SHARE ? LOCK_SHARE : LOCK_NONE;
}

// Flags of a request are those of the trace. A lock that the engine does not know was not taken.
static unsigned flags_of (const struct session *session, const struct request *request) {
  _Static_assert(OP_LOCK_UPDATE == (int) KRAIT_LOCK_UPDATE && OP_LOCK_SHARE == (int) KRAIT_LOCK_SHARE
                   && OP_ITER_REVERSE == (int) KRAIT_ITER_REVERSE && OP_ITER_END == (int) KRAIT_ITER_END,
                 "the trace has the flags of histories");
  const unsigned locks = OP_LOCK_UPDATE | OP_LOCK_SHARE;
  return session->drive->options->driver->locks_reads ? request->flags : request->flags & ~locks;
}

// Kinds of operations are those of the trace, too.
static krait_operation operation_of (const struct request *request) {
  _Static_assert(OP_PUT == (int) KRAIT_OP_PUT && OP_DEL == (int) KRAIT_OP_DEL && OP_GET == (int) KRAIT_OP_GET
                   && OP_SCAN == (int) KRAIT_OP_SCAN && OP_ITER == (int) KRAIT_OP_ITER
                   && OP_APPEND == (int) KRAIT_OP_APPEND && OP_LIST == (int) KRAIT_OP_LIST
                   && OP_INC == (int) KRAIT_OP_INC,
                 "the trace has the operations of histories");
  return (krait_operation) request->kind;
}

// ------------------------------------------------------------------------------------------- reads

// The first row's value, or a list's first element. Bytes that are no number count as 0.
static struct cell reply_of (const struct rows *rows, bool is_list) {
  struct cell reply = { .present = rows->rows.count };
  if (!reply.present)
    return reply;
  struct slice value = rows_value (rows, 0), rest = value;
  if (is_list && !decode_element (&rest, &value))
    return (struct cell){ 0 };
  if (!decode_number (value, &reply.value))
    reply.value = 0;
  return reply;
}

static void log_item (struct session *session) {
  const struct rows *rows = &session->rows;
  if (rows->rows.count)
    krait_trace_value (session->trace, datum_of_value (rows_value (rows, 0)));
  else
    krait_trace_absent (session->trace);
}

static void log_list (struct session *session) {
  const struct rows *rows = &session->rows;
  if (!rows->rows.count) {
    krait_trace_absent (session->trace);
    return;
  }
  struct slice list = rows_value (rows, 0), element;
  session->items.count = 0;
  while (decode_element (&list, &element))
    VEC_PUSH (session->items, datum_of_value (element));
  krait_trace_items (session->trace, session->items.data, session->items.count, 0);
}

static void log_range (struct session *session, unsigned flags) {
  const struct rows *rows = &session->rows;
  session->items.count = 0;
  for (size_t row = 0; row < rows->rows.count; row++) {
    const krait_datum key = datum_of_key (session->drive->options->workload, rows_key (rows, row));
    if (key.type == KRAIT_NOTHING)
      drive_fail (session->drive, "table " DRIVE_TABLE, "there is a key in it that this run did not write");
    VEC_PUSH (session->items, key);
    VEC_PUSH (session->items, datum_of_value (rows_value (rows, row)));
  }
  krait_trace_items (session->trace, session->items.data, session->items.count, flags);
}

// No get returns two rows under one key, but databases have been seen to (docs/databases.md). It is
// put down as what came back: a scan of that key alone. A list in two rows has no result that could
// be told.
static void log_several (struct session *session, const struct request *request, struct slice key) {
  if (request->kind == OP_LIST)
    return;
  const struct workload *workload = session->drive->options->workload;
  char next[KEY_SIZE + 1];
  krait_trace_refused (session->trace);
  krait_trace_scan (session->trace, datum_of_key (workload, key),
                    datum_of_key (workload, encode_next_key (workload, key, next)), flags_of (session, request));
  log_range (session, 0);
}

// The key of a request, or the low end of its range: for the database, and for the trace.
struct asked {
  struct slice key;
  krait_datum logged;
};

static enum answer ask_item (struct session *session, const struct request *request, struct asked asked) {
  krait_trace_input (session->trace, operation_of (request), flags_of (session, request), asked.logged,
                     krait_nothing (), krait_nothing ());
  const enum answer answer =
    session->drive->options->driver->get (session->connection, asked.key, lock_of (request), &session->rows);
  if (answer != ANSWER_DONE)
    return answer;
  if (session->rows.rows.count > 1)
    log_several (session, request, asked.key);
  else if (request->kind == OP_LIST)
    log_list (session);
  else
    log_item (session);
  return answer;
}

static enum answer ask_range (struct session *session, const struct request *request, struct asked asked) {
  const struct drive_options *options = session->drive->options;
  char high[KEY_SIZE];
  struct range range = { .low = asked.key, .lock = lock_of (request), .reverse = request->flags & OP_ITER_REVERSE };
  range.high = encode_key (options->workload, play_high (&session->play, request), high);
  range.most = request->kind == OP_ITER ? request->most : 0;
  krait_trace_input (session->trace, operation_of (request), flags_of (session, request), asked.logged,
                     datum_of_key (options->workload, range.high), krait_nothing ());
  const enum answer answer = options->driver->scan (session->connection, &range, &session->rows);
  const bool ended = request->kind == OP_ITER && session->rows.rows.count < request->most;
  if (answer == ANSWER_DONE)
    log_range (session, ended ? KRAIT_ITER_END : 0);
  return answer;
}

static enum answer ask_read (struct session *session, const struct request *request, struct asked asked) {
  rows_clear (&session->rows);
  const bool is_range = request->kind == OP_SCAN || request->kind == OP_ITER;
  const enum answer answer = (is_range ? ask_range : ask_item) (session, request, asked);
  if (answer == ANSWER_DONE)
    *play_reply (&session->play) = reply_of (&session->rows, request->kind == OP_LIST);
  return answer;
}

// ------------------------------------------------------------------------------------------ writes

static enum answer ask_write (struct session *session, const struct request *request, struct asked asked) {
  const struct driver *driver = session->drive->options->driver;
  char text[NUMBER_SIZE];
  const uint64_t number = play_value (&session->play, &session->drive->ground, request);
  krait_trace_input (session->trace, operation_of (request), 0, asked.logged, krait_unsigned (number),
                     krait_nothing ());
  const enum answer answer = (request->kind == OP_APPEND ? driver->append : driver->put) (
    session->connection, asked.key, encode_number (number, text));
  if (answer == ANSWER_DONE) {
    krait_trace_done (session->trace);
    *play_reply (&session->play) = (struct cell){ true, number };
  }
  return answer;
}

static enum answer ask_inc (struct session *session, const struct request *request, struct asked asked) {
  char text[NUMBER_SIZE];
  const uint64_t by = play_value (&session->play, &session->drive->ground, request);
  rows_clear (&session->rows);
  krait_trace_inc (session->trace, asked.logged, krait_unsigned (by));
  const enum answer answer =
    session->drive->options->driver->inc (session->connection, asked.key, encode_number (by, text), &session->rows);
  if (answer != ANSWER_DONE)
    return answer;
  if (session->rows.rows.count == 1)
    krait_trace_value (session->trace, datum_of_value (rows_value (&session->rows, 0)));
  else
    krait_trace_done (session->trace); // nobody knows what it made of it
  *play_reply (&session->play) = reply_of (&session->rows, false);
  return answer;
}

static enum answer ask_delete (struct session *session, const struct request *request, struct asked asked) {
  bool found = false;
  krait_trace_del (session->trace, asked.logged);
  const enum answer answer = session->drive->options->driver->del (session->connection, asked.key, &found);
  if (answer != ANSWER_DONE)
    return answer;
  if (request->hides_result)
    krait_trace_done (session->trace);
  else
    krait_trace_bool (session->trace, found);
  *play_reply (&session->play) = (struct cell){ found, 0 };
  return answer;
}

enum answer session_ask (struct session *session, const struct request *request) {
  const struct workload *workload = session->drive->options->workload;
  char text[KEY_SIZE];
  struct asked asked = { .key = encode_key (workload, play_key (&session->play, request), text) };
  asked.logged = datum_of_key (workload, asked.key);
  atomic_fetch_add_explicit (&session->drive->operations, 1, memory_order_relaxed);
  switch (request->kind) {
  case OP_DEL: return ask_delete (session, request, asked);
  case OP_INC: return ask_inc (session, request, asked);
  case OP_PUT:
  case OP_APPEND: return ask_write (session, request, asked);
  default: return ask_read (session, request, asked);
  }
}
