// Logging: each call is one record, stored into the mapped file and published.
//
// The order of calls is checked here, so that a program that traces wrongly learns it while it runs
// and not from a file that cannot be read.

#include "drive/tracer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int) KRAIT_OP_CAS == OP_CAS && (int) KRAIT_OP_INC == OP_INC && (int) KRAIT_OP_ITER == OP_ITER,
               "operations are numbered as in histories");
_Static_assert((int) KRAIT_REFUSED == TRACE_REFUSED && (int) KRAIT_ITEMS == TRACE_ITEMS, "answers as in files");
_Static_assert((int) KRAIT_BYTES == TRACE_BYTES && (int) KRAIT_NEGATIVE == TRACE_NEGATIVE, "types as in files");
_Static_assert((int) KRAIT_OUTCOME_UNKNOWN == TXN_UNKNOWN && (int) KRAIT_ABORTED == TXN_ABORTED,
               "outcomes as in histories");
_Static_assert((int) KRAIT_LOCK_UPDATE == OP_LOCK_UPDATE && (int) KRAIT_LOCK_SHARE == OP_LOCK_SHARE
                 && (int) KRAIT_ITER_END == OP_ITER_END && (int) KRAIT_ITER_REVERSE == OP_ITER_REVERSE,
               "flags as in histories");

static int misused (krait_trace_session *session, const char *what) {
  return tracer_fail_session (session, EINVAL, what);
}

// Before anything else in a call.
static inline int standing_error (const krait_trace_session *session) {
  if (!session)
    return EINVAL;
  if (!tracer_is_mine (session->trace))
    return EPERM;
  return atomic_load_explicit (&session->trace->stopped, memory_order_acquire);
}

static inline size_t length_of (const krait_datum *datum) {
  return trace_datum_length ((enum trace_type) datum->type, datum->length);
}

static inline char *put_datum (char *to, const krait_datum *datum) {
  return datum->type == KRAIT_BYTES ? trace_put_bytes (to, datum->bytes, datum->length)
                                    : trace_put_number (to, (enum trace_type) datum->type, datum->number);
}

static inline bool is_sound (const krait_datum *datum) {
  if (datum->type == KRAIT_BYTES)
    return datum->length <= ATOM_MAX_LENGTH && (datum->bytes || !datum->length);
  return (unsigned) datum->type < KRAIT_BYTES && (datum->type != KRAIT_NEGATIVE || (int64_t) datum->number < 0);
}

static int log_record (krait_trace_session *session, const struct trace_record *record, const krait_datum *data) {
  size_t length = TRACE_RECORD_LENGTH;
  for (uint32_t i = 0; i < record->count; i++) {
    if (!is_sound (&data[i]))
      return misused (session, "a key or value that cannot be");
    length += length_of (&data[i]);
  }
  if (length > UINT32_MAX / 2)
    return misused (session, "more than 2 GiB in one record");
  struct tracer_file *file = &session->file;
  const int code = tracer_file_room (file, length);
  if (code)
    return tracer_fail_session (session, code, strerror (code));
  char *place = tracer_file_place (file);
  char *to = trace_put_record (place, record, length);
  for (uint32_t i = 0; i < record->count; i++)
    to = put_datum (to, &data[i]);
  store_le32 (place + TRACE_AT_RECORD_CHECKSUM, trace_record_checksum (place, length, file->at));
  tracer_file_publish (file, length);
  return 0;
}

// --- Transactions -----------------------------------------------------------

static int begin (krait_trace_session *session, const krait_datum *id) {
  const int error = standing_error (session);
  if (error)
    return error;
  const struct trace_record record = { TRACE_BEGIN, 0, TRACE_TIMED, id ? 1 : 0, trace_now () };
  session->begun = true;
  session->ended = session->has_input = session->may_version = session->hinted = false;
  return log_record (session, &record, id);
}

int krait_trace_begin (krait_trace_session *session) {
  return begin (session, NULL);
}

int krait_trace_begin_id (krait_trace_session *session, uint64_t id) {
  const krait_datum datum = krait_unsigned (id);
  return begin (session, &datum);
}

int krait_trace_commit (krait_trace_session *session) {
  const int error = standing_error (session);
  if (error)
    return error;
  if (!session->begun || session->ended)
    return misused (session, "a commit outside of a transaction");
  session->has_input = session->may_version = false;
  const struct trace_record record = { TRACE_COMMIT, 0, TRACE_TIMED, 0, trace_now () };
  return log_record (session, &record, NULL);
}

int krait_trace_end (krait_trace_session *session, krait_outcome outcome) {
  const int error = standing_error (session);
  if (error)
    return error;
  if (!session->begun || session->ended || (unsigned) outcome > TXN_UNKNOWN)
    return misused (session, "an end outside of a transaction, or of no known kind");
  session->ended = true;
  session->has_input = session->may_version = false;
  // Nobody knows when a transaction of unknown outcome takes place, if it does; the time of giving
  // up says nothing.
  const unsigned flags = outcome == KRAIT_OUTCOME_UNKNOWN ? 0 : TRACE_TIMED;
  const struct trace_record record = { TRACE_END, (unsigned) outcome, flags, 0, trace_now () };
  return log_record (session, &record, NULL);
}

// --- Operations -------------------------------------------------------------

static const char *wrong_input (krait_operation operation, unsigned flags, const krait_datum *arguments) {
  const struct trace_shape *shape = &trace_shapes[operation];
  if (flags & ~(unsigned) shape->flags || (flags & TRACE_LOCKS) == TRACE_LOCKS)
    return "an input with flags that do not fit its operation";
  for (unsigned i = 0; i < 3; i++)
    if (arguments[i].type == KRAIT_NOTHING ? i < shape->arguments && !(shape->may_be_nothing >> i & 1)
                                           : i >= shape->arguments)
      return "an input with too few or too many arguments";
  return operation == KRAIT_OP_INC && arguments[1].type == KRAIT_BYTES
           ? "an increment by something that is not an integer"
           : NULL;
}

int krait_trace_input (krait_trace_session *session, krait_operation operation, unsigned flags, krait_datum first,
                       krait_datum second, krait_datum third) {
  const int error = standing_error (session);
  if (error)
    return error;
  if (!session->begun || session->ended)
    return misused (session, "an input outside of a transaction");
  if ((unsigned) operation >= OP_KINDS)
    return misused (session, "an input of no known operation");
  const krait_datum arguments[3] = { first, second, third };
  const char *wrong = wrong_input (operation, flags, arguments);
  if (wrong)
    return misused (session, wrong);
  session->has_input = true;
  session->may_version = false;
  session->kind = (uint8_t) operation;
  const struct trace_record record = { TRACE_INPUT, (unsigned) operation, flags | TRACE_TIMED,
                                       trace_shapes[operation].arguments, trace_now () };
  return log_record (session, &record, arguments);
}

int krait_trace_output (krait_trace_session *session, krait_answer answer, unsigned flags, const krait_datum *data,
                        size_t count) {
  const int64_t time = trace_now (); // as close to the answer as can be
  const int error = standing_error (session);
  if (error)
    return error;
  if (!session->has_input)
    return misused (session, "an output without an input");
  const char *wrong = trace_misfit ((enum op_kind) session->kind, (unsigned) answer, flags, count);
  if (!wrong && count > UINT32_MAX / 16)
    wrong = "more than 2 GiB in one record";
  for (size_t i = 0; !wrong && i < count; i++)
    if (data[i].type == KRAIT_NOTHING)
      wrong = "an output with nothing as a key or value";
  if (wrong)
    return misused (session, wrong);
  session->has_input = false;
  session->may_version = answer != KRAIT_REFUSED && session->kind != OP_PUT && session->kind != OP_APPEND;
  const struct trace_record record = { TRACE_OUTPUT, (unsigned) answer, flags | TRACE_TIMED, (uint32_t) count, time };
  return log_record (session, &record, data);
}

// --- Hints ------------------------------------------------------------------

static int log_text (krait_trace_session *session, enum trace_kind kind, const char *json) {
  if (!json)
    return misused (session, "no text");
  const krait_datum text = krait_text (json);
  const struct trace_record record = { kind, 0, 0, 1, 0 };
  return log_record (session, &record, &text);
}

int krait_trace_version (krait_trace_session *session, const char *json) {
  const int error = standing_error (session);
  if (error)
    return error;
  if (!session->may_version)
    return misused (session, "a version that does not follow the output of a read");
  session->may_version = false;
  return log_text (session, TRACE_VERSION_HINT, json);
}

int krait_trace_hint (krait_trace_session *session, const char *json) {
  const int error = standing_error (session);
  if (error)
    return error;
  if (!session->begun || session->hinted)
    return misused (session, "a hint outside of a transaction, or a second one");
  session->hinted = true;
  return log_text (session, TRACE_TXN_HINT, json);
}

int krait_trace_commit_ts (krait_trace_session *session, int64_t timestamp) {
  char json[48];
  snprintf (json, sizeof json, "{\"commitTs\":%" PRId64 "}", timestamp);
  return krait_trace_hint (session, json);
}

int krait_trace_header (krait_trace_session *session, const char *json) {
  const int error = standing_error (session);
  return error ? error : log_text (session, TRACE_HEADER, json);
}
