// Krait trace: a folder of <n>.ktr, one session each, which the tracer writes while a program runs
// (include/krait/trace.h; trace_layout.h has the bytes).
//
// A file may end anywhere: its process may have been killed. All records up to the place that its
// header names are there, and those behind it that are complete; half a record at the end is
// nothing. An operation without an output has no result then, and a transaction without an end an
// unknown outcome.
//
// Damage before that place is another matter: what is lost there may be a commit whose writes
// others read, and a verdict on the rest would be worth nothing.
//
// A folder may be read while it is written. Its files are read one after the other, so that a file
// read late could show a read whose write came too late for a file read early. So the clock is read
// before any file is, and of each file only what has an earlier time is taken. What is taken then
// lacks no write that it observed: a write that is not taken was published at that moment or later,
// whether its record has a later time or was not there yet when its file was read; it ran after
// that, since inputs are published before they are run; and whoever saw it has logged so with a
// time that is later still. What is not taken of a transaction leaves it without an end, and its
// outcome unknown. All this holds for files of this machine's clock only; other machines' have no
// moment in common with it.

#include "formats/formats.h"
#include "formats/jsonl_read.h"
#include "formats/trace_clock.h"
#include "formats/trace_heads.h"
#include "formats/trace_read.h"

#include <inttypes.h>
#include <string.h>

const struct log_name trace_log_name = { "", TRACE_SUFFIX };

bool trace_fail (struct trace_reader *r, size_t at, const char *why) {
  return error_at_byte (r->error, r->log->path, at, "%s", why);
}

// --- Records ----------------------------------------------------------------

struct record {
  size_t at, length;
  struct trace_record head;
  struct trace_data data;
};

// The length of the datum at `at`, 0 if it is none.
static size_t datum_length (const char *at, size_t left) {
  if (left < 8)
    return 0;
  const uint32_t type = load_le32 (at), length = load_le32 (at + 4);
  if (type > TRACE_BYTES || length > ATOM_MAX_LENGTH || (type == TRACE_NOTHING && length)
      || ((type == TRACE_UNSIGNED || type == TRACE_NEGATIVE) && length != 8))
    return 0;
  const size_t total = trace_datum_length ((enum trace_type) type, length);
  if (total > left || (type == TRACE_NEGATIVE && (int64_t) load_le64 (at + 8) >= 0))
    return 0;
  return total;
}

static bool check_data (struct trace_reader *r, const struct record *record) {
  size_t at = TRACE_RECORD_LENGTH;
  for (uint32_t i = 0; i < record->head.count; i++) {
    const size_t length = datum_length (r->log->bytes + record->at + at, record->length - at);
    if (!length)
      return trace_fail (r, record->at + at, "expected a key, a value or a text, found something else");
    at += length;
  }
  return at == record->length || trace_fail (r, record->at + at, "expected the end of the record, found more data");
}

static bool parse (struct trace_reader *r, struct record *record) {
  const char *bytes = r->log->bytes + record->at;
  record->head = (struct trace_record){
    .kind = (enum trace_kind) (unsigned char) bytes[TRACE_AT_KIND],
    .detail = (unsigned char) bytes[TRACE_AT_DETAIL],
    .flags = (unsigned char) bytes[TRACE_AT_FLAGS] | (unsigned) (unsigned char) bytes[TRACE_AT_FLAGS + 1] << 8,
    .count = load_le32 (bytes + TRACE_AT_COUNT),
    .time = (int64_t) load_le64 (bytes + TRACE_AT_TIME),
  };
  record->data = (struct trace_data){ bytes + TRACE_RECORD_LENGTH, record->head.count };
  return check_data (r, record);
}

static bool time_of (struct trace_reader *r, const struct record *record, int64_t missing, int64_t *time) {
  *time = missing;
  if (!(record->head.flags & TRACE_TIMED))
    return true;
  if (__builtin_add_overflow (record->head.time, r->shift, time) || *time == TIME_NONE_BEGIN || *time == TIME_NONE_END)
    return trace_fail (r, record->at, "a time that is out of range");
  return true;
}

// --- Transactions and operations --------------------------------------------

static bool read_begin (struct trace_reader *r, const struct record *record) {
  struct txn_header header = { .session = r->log->session, .status = TXN_UNKNOWN, .end = TIME_NONE_END };
  struct trace_data data = record->data;
  struct atom id;
  const char *why;
  if (record->head.count > 1 || (record->head.count && (!trace_next_datum (&data, &id) || id.kind != ATOM_UNSIGNED)))
    return trace_fail (r, record->at, "expected one id or none, found something else");
  if (record->head.count) {
    header.has_id = true;
    header.id = id.number;
  }
  r->begun = true;
  r->ended = r->hinted = r->may_version = false;
  return time_of (r, record, TIME_NONE_BEGIN, &header.begin)
         && (history_begin_txn (r->h, &header, &why) || trace_fail (r, record->at, why));
}

static bool read_input (struct trace_reader *r, const struct record *record) {
  const struct trace_record *head = &record->head;
  if (!r->begun || r->ended)
    return trace_fail (r, record->at, "an input outside of a transaction");
  if (head->detail >= OP_KINDS)
    return trace_fail (r, record->at, "an input of no known operation");
  const struct trace_shape *shape = &trace_shapes[head->detail];
  const unsigned flags = head->flags & ~(unsigned) TRACE_TIMED;
  if (head->count != shape->arguments)
    return trace_fail (r, record->at, "an input with too few or too many arguments");
  if (flags & ~(unsigned) shape->flags || (flags & TRACE_LOCKS) == TRACE_LOCKS)
    return trace_fail (r, record->at, "an input with flags that do not fit its operation");
  struct trace_data data = record->data;
  struct atom ignored;
  for (unsigned i = 0; i < head->count; i++)
    if (!trace_next_datum (&data, &ignored) && !(shape->may_be_nothing >> i & 1))
      return trace_fail (r, record->at, "an input with nothing as a key or value");
  r->may_version = false;
  r->op = (struct trace_op){ true,          record->at,   (enum op_kind) head->detail,
                             flags,         record->data, TIME_NONE_BEGIN,
                             TIME_NONE_END, TRACE_DONE,   { NULL, 0 } };
  return time_of (r, record, TIME_NONE_BEGIN, &r->op.begin);
}

static bool read_output (struct trace_reader *r, const struct record *record) {
  const struct trace_record *head = &record->head;
  if (!r->op.open)
    return trace_fail (r, record->at, "an output without an input");
  const unsigned flags = head->flags & ~(unsigned) TRACE_TIMED;
  const char *why = trace_misfit (r->op.kind, head->detail, flags, head->count);
  struct trace_data data = record->data;
  struct atom ignored;
  while (!why && data.count)
    if (!trace_next_datum (&data, &ignored))
      why = "an output with nothing as a key or value";
  if (why)
    return trace_fail (r, record->at, why);
  r->op.flags |= flags;
  r->op.answer = (enum trace_answer) head->detail;
  r->op.data = record->data;
  r->may_version = r->op.answer != TRACE_REFUSED && r->op.kind != OP_PUT && r->op.kind != OP_APPEND;
  return time_of (r, record, TIME_NONE_END, &r->op.end) && trace_flush_op (r);
}

static bool read_commit (struct trace_reader *r, const struct record *record) {
  r->may_version = false;
  return (r->begun && !r->ended) || trace_fail (r, record->at, "a commit outside of a transaction");
}

static bool read_end (struct trace_reader *r, const struct record *record) {
  int64_t end;
  const char *why;
  if (!r->begun || r->ended)
    return trace_fail (r, record->at, "an end outside of a transaction");
  if (record->head.detail > TXN_UNKNOWN)
    return trace_fail (r, record->at, "an end of no known kind");
  r->ended = true;
  r->may_version = false;
  history_set_status (r->h, (enum txn_status) record->head.detail);
  return time_of (r, record, TIME_NONE_END, &end)
         && (end == TIME_NONE_END || history_set_end (r->h, end, &why) || trace_fail (r, record->at, why));
}

// --- Texts ------------------------------------------------------------------

static bool text_of (struct trace_reader *r, const struct record *record, struct atom *text) {
  struct trace_data data = record->data;
  return (record->head.count == 1 && trace_next_datum (&data, text) && text->kind == ATOM_BYTES)
         || trace_fail (r, record->at, "expected one text, found something else");
}

// Compact JSON. `what` names it in messages.
static bool read_json (struct trace_reader *r, const struct record *record, const char *what, bool object,
                       struct text *json) {
  struct atom text;
  struct error error = { 0 };
  struct json_reader reader = { 0 };
  if (!text_of (r, record, &text))
    return false;
  json_start (&reader, text.bytes, text.length, what, 1, &error);
  const bool fine = (!object || json_peek (&reader) == '{' || json_expected (&reader, "an object of hints"))
                    && json_compact (&reader, json) && json_at_end (&reader);
  json_stop (&reader);
  return fine || trace_fail (r, record->at, error.text);
}

typedef bool (*set_hint) (struct history *, const char *json, size_t length, const char **why);

static bool keep_hint (struct trace_reader *r, const struct record *record, const char *what, set_hint set) {
  struct text json = VEC_EMPTY;
  const char *why;
  const bool fine = read_json (r, record, what, set == history_set_txn_hint, &json)
                    && (set (r->h, json.data, json.count, &why) || trace_fail (r, record->at, why));
  VEC_FREE (json);
  return fine;
}

static bool read_version (struct trace_reader *r, const struct record *record) {
  if (!r->may_version)
    return trace_fail (r, record->at, "a version that does not follow the output of a read");
  r->may_version = false;
  return keep_hint (r, record, "version", history_set_op_hint);
}

static bool read_hint (struct trace_reader *r, const struct record *record) {
  if (!r->begun || r->hinted)
    return trace_fail (r, record->at, "a hint outside of a transaction, or a second one");
  r->hinted = true;
  return keep_hint (r, record, "hint", history_set_txn_hint);
}

static bool read_header (struct trace_reader *r, const struct record *record) {
  struct atom text;
  struct error error = { 0 };
  struct jsonl_reader header = { .history = r->h, .stage = { .history = r->h } };
  if (r->has_header)
    return trace_fail (r, record->at, "a second header; one is for all sessions");
  if (!text_of (r, record, &text))
    return false;
  r->has_header = true;
  json_start (&header.json, text.bytes, text.length, "header", 1, &error);
  const bool fine = json_open (&header.json, '{', "an object") && jsonl_header (&header);
  json_stop (&header.json);
  stage_free (&header.stage);
  VEC_FREE (header.bytes);
  return fine || trace_fail (r, record->at, error.text);
}

// --- Files ------------------------------------------------------------------

// The header of the history is for all sessions, and has no time: it counts wherever it stands.
static bool is_late (struct trace_reader *r, const struct trace_record *head) {
  if (head->flags & TRACE_TIMED && head->time >= r->until)
    r->late = r->was_late = true;
  return r->late && head->kind != TRACE_HEADER;
}

static bool read_record (struct trace_reader *r, struct record *record) {
  if (!parse (r, record))
    return false;
  if (is_late (r, &record->head))
    return true;
  // Hints may come between an input and its output; everything else ends an operation that got
  // none.
  const enum trace_kind kind = record->head.kind;
  if (kind != TRACE_OUTPUT && kind != TRACE_TXN_HINT && kind != TRACE_HEADER && !trace_flush_op (r))
    return false;
  switch (kind) {
  case TRACE_BEGIN: return read_begin (r, record);
  case TRACE_INPUT: return read_input (r, record);
  case TRACE_OUTPUT: return read_output (r, record);
  case TRACE_COMMIT: return read_commit (r, record);
  case TRACE_END: return read_end (r, record);
  case TRACE_VERSION_HINT: return read_version (r, record);
  case TRACE_TXN_HINT: return read_hint (r, record);
  case TRACE_HEADER: return read_header (r, record);
  }
  return trace_fail (r, record->at, "a record of no known kind");
}

enum found { FOUND_RECORD, FOUND_END, FOUND_CUT, FOUND_DAMAGE };

// FOUND_CUT: the file ends inside of it.
static enum found find_record (const struct log *log, struct record *record) {
  const size_t left = log->length - record->at;
  const char *bytes = log->bytes + record->at;
  if (!left)
    return FOUND_END;
  if (left < TRACE_RECORD_LENGTH)
    return FOUND_CUT;
  record->length = load_le32 (bytes);
  if (record->length < TRACE_RECORD_LENGTH || record->length % 8)
    return FOUND_DAMAGE;
  if (record->length > left)
    return FOUND_CUT;
  const uint32_t checksum = trace_record_checksum (bytes, record->length, record->at);
  return checksum == load_le32 (bytes + TRACE_AT_RECORD_CHECKSUM) ? FOUND_RECORD : FOUND_DAMAGE;
}

// Where the complete records end, `found` says why. Is that where they should?
static bool check_end (struct trace_reader *r, size_t at, enum found found) {
  const struct log *log = r->log;
  const uint64_t logged = load_le64 (log->bytes + TRACE_AT_LOGGED);
  const uint32_t code = load_le32 (log->bytes + TRACE_AT_ERROR);
  if (code) {
    history_warn (r->h, "%.300s: tracing ended here, and in all sessions of this process: %s", log->path,
                  strerror ((int) code));
    // Sessions of other processes did not stop with it.
    r->others_went_on = r->others_went_on || trace_heads_have_others (r->heads, r->head);
  }
  if (at >= logged)
    return true;
  if (found == FOUND_DAMAGE || log->length >= logged)
    return error_at_byte (r->error, log->path, at, "the record is damaged (%" PRIu64 " bytes were logged)", logged);
  history_warn (r->h, "%.300s: cut off: %zu bytes of %" PRIu64 " are there; transactions may be missing", log->path,
                log->length, logged);
  history_mark_incomplete (r->h, "%.300s: cut off", log->path);
  return true;
}

// What a process logged is safe whatever becomes of it, but not of its machine. Whether that went
// down is known of this machine only.
static void look_for_close (struct trace_reader *r, uint32_t version, const struct trace_clock *here) {
  const struct log *log = r->log;
  static const char converted[TRACE_CLOCK_LENGTH];
  if (version != 1 && !load_le64 (log->bytes + TRACE_AT_CLOSED) && !trace_head_has_clock (r->head, here)
      && memcmp (r->head->bytes + TRACE_AT_CLOCK, converted, TRACE_CLOCK_LENGTH))
    history_mark_incomplete (r->h, "%.300s: was never closed; if its machine went down, the last of it may be missing",
                             log->path);
}

static bool read_log (struct trace_reader *r, const struct trace_clock *here) {
  const uint32_t version = load_le32 (r->head->bytes + TRACE_AT_VERSION);
  struct record record = { .at = trace_header_length (version) };
  enum found found;
  r->begun = r->ended = r->op.open = r->may_version = r->late = false;
  if (r->log->length < record.at) // it was there a moment ago
    return trace_fail (r, 0, "the header is gone");
  while ((found = find_record (r->log, &record)) == FOUND_RECORD) {
    if (!read_record (r, &record))
      return false;
    record.at += record.length;
  }
  look_for_close (r, version, here);
  return trace_flush_op (r) && check_end (r, record.at, found);
}

// --- The folder -------------------------------------------------------------

// The magic comes last when a header is made, and records after it: a process can be killed, or be
// at work, anywhere before.
static bool holds_nothing (const struct log *log) {
  size_t at = 0;
  if (log->length >= TRACE_HEADER_LENGTH_1) {
    const uint64_t logged = load_le64 (log->bytes + TRACE_AT_LOGGED);
    const size_t header = trace_header_length (load_le32 (log->bytes + TRACE_AT_VERSION));
    at = !logged || logged == header ? (header < log->length ? header : log->length) : 0;
  }
  while (at < log->length && !log->bytes[at])
    at++;
  return at == log->length;
}

static bool skip_log (struct trace_reader *r) {
  const struct log *log = r->log;
  if (r->head->cut) {
    history_warn (r->h, "%.300s: cut off: it ends inside of its header; transactions may be missing", log->path);
    history_mark_incomplete (r->h, "%.300s: cut off", log->path);
    return true;
  }
  const bool begun = log->length && log->bytes[0]; // since the headers were read
  if (!begun && !holds_nothing (log))
    return trace_fail (r, 0, "expected the header of a trace, found zeros, and something behind them");
  history_warn (r->h, "%.300s: has no header, and nothing was logged: its process ended early, or has only begun",
                log->path);
  history_mark_incomplete (r->h, "%.300s: has no header", log->path);
  return true;
}

static void warn_of_folder (struct trace_reader *r) {
  const char *folder = r->h->name;
  if (!trace_heads_have_one_clock (r->heads))
    history_warn (r->h, "%.300s: sessions of several machines; their times are of wall clocks (see --clock-skew)",
                  folder);
  if (r->was_late)
    history_warn (r->h, "%.300s: still being written; read up to the moment when reading began", folder);
  if (r->others_went_on)
    history_mark_incomplete (r->h, "%.300s: one process could not log all that it did, and others went on", folder);
}

static bool read_logs (struct trace_reader *r, const struct logs *logs, int64_t now) {
  const struct trace_clock here = trace_clock_here ();
  const bool one_clock = trace_heads_have_one_clock (r->heads);
  for (size_t i = 0; i < logs->count; i++) {
    r->log = &logs->data[i];
    r->head = &r->heads->data[i];
    r->shift = one_clock ? 0 : r->head->wall;
    r->until = trace_head_has_clock (r->head, &here) ? now : INT64_MAX;
    const bool done =
      log_load (&logs->data[i], TRACE_HEADER_LENGTH, r->error) && (r->head->there ? read_log (r, &here) : skip_log (r));
    log_unload (&logs->data[i]);
    if (!done)
      return false;
  }
  warn_of_folder (r);
  return true;
}

static bool read_trace (struct history *h, const char *path, struct error *error) {
  const int64_t now = trace_now (); // before anything else: see the top
  struct logs logs = VEC_EMPTY;
  struct trace_heads heads = VEC_EMPTY;
  struct trace_reader r = { .h = h, .error = error, .heads = &heads };
  const bool done = logs_list (&logs, path, trace_log_name, error) && trace_heads_read (&heads, &logs, error)
                    && trace_heads_check (&heads, &logs, h, error) && read_logs (&r, &logs, now);
  trace_heads_free (&heads);
  logs_close (&logs);
  return done;
}

const struct format format_trace = {
  .name = "trace",
  .title = "krait trace: a folder of <n>.ktr, written by the tracer",
  .tells_incomplete = true,
  .logs = &trace_log_name,
  .read_folder = read_trace,
  .write_folder = trace_write,
};
