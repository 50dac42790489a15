// Krait JSON Lines: what a tracer appends while it runs, one transaction per line
// (docs/formats.md).
//
// This is the format of big traces, so reading it is a hot path: there is no tree; a line goes from
// its bytes to a stage (stage.h) in one pass, and from there, with its neighbours, to the columns
// of the history.

#include "base/input.h"
#include "formats/formats.h"
#include "formats/jsonl_read.h"

#include <stdio.h>

enum { MEMBER_S, MEMBER_T, MEMBER_ST, MEMBER_B, MEMBER_E, MEMBER_OPS, MEMBER_H, MEMBER_KRAIT };
static const char *const members[] = { "s", "t", "st", "b", "e", "ops", "h", "krait", NULL };

static bool read_status (struct jsonl_reader *r, enum txn_status *status) {
  static const char *const names[] = { "ok", "abort", "unknown", NULL }; // as in enum txn_status
  const int found = json_word (&r->json, names, "\"ok\", \"abort\" or \"unknown\"");
  *status = (enum txn_status) found;
  return found >= 0;
}

bool jsonl_text (struct jsonl_reader *r, struct staged_text *text) {
  text->first = r->stage.texts.count;
  const bool fine = json_compact (&r->json, &r->stage.texts);
  text->length = r->stage.texts.count - text->first;
  return fine;
}

static bool read_hint (struct jsonl_reader *r) {
  r->txn.has_hint = true;
  return json_peek (&r->json) == '{' ? jsonl_text (r, &r->txn.hint) : json_expected (&r->json, "an object of hints");
}

static uint64_t column_of_next (struct json_reader *json) {
  return (uint64_t) (json_place (json) - json->begin) + 1;
}

static bool read_member (void *context, unsigned member) {
  struct jsonl_reader *r = context;
  struct json_reader *json = &r->json;
  struct staged_txn *txn = &r->txn;
  switch (member) {
  case MEMBER_S: return json_unsigned (json, &txn->header.session, "a session number (an integer from 0 to 2^64-1)");
  case MEMBER_T:
    txn->id_column = column_of_next (json);
    txn->header.has_id = true;
    return json_unsigned (json, &txn->header.id, "a transaction id (an integer from 0 to 2^64-1)");
  case MEMBER_ST: return read_status (r, &txn->header.status);
  case MEMBER_B: return jsonl_time (r, &txn->header.begin);
  case MEMBER_E: txn->end_column = column_of_next (json); return jsonl_time (r, &txn->header.end);
  case MEMBER_OPS: return jsonl_ops (r);
  case MEMBER_H: return read_hint (r);
  default: return json_fail (json, json->name_at, "expected a transaction, found a header that is not the first line");
  }
}

static bool read_transaction (struct jsonl_reader *r) {
  unsigned seen;
  r->txn = (struct staged_txn){ .header = { .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END }, .line = r->json.line };
  if (!json_members (&r->json, members, "the transaction", &seen, read_member, r))
    return false;
  const char *lacks = json_lacking (members, seen, 1 << MEMBER_S | 1 << MEMBER_ST | 1 << MEMBER_OPS);
  if (lacks)
    return json_fail (&r->json, r->json.at - 1,
                      "expected member \"%s\" in the transaction, found the end of the object", lacks);
  if (!json_at_end (&r->json))
    return false;
  r->txn.ops_end = r->stage.ops.count;
  r->txn.extras_end = r->stage.extras.count;
  VEC_PUSH (r->stage.txns, r->txn);
  return true;
}

// The header and a transaction have no member name in common, so the first one tells.
static bool is_header (struct jsonl_reader *r) {
  struct json_reader peek = r->json;
  struct error ignored = { 0 };
  struct json_string name;
  peek.error = &ignored;
  peek.decoded = peek.skipped = (struct text){ 0 };
  const bool header = json_string (&peek, &name, "a name") && jsonl_in_header (name);
  json_stop (&peek);
  return header;
}

static bool read_line (struct jsonl_reader *r, bool *first) {
  if (json_peek (&r->json) < 0)
    return true;
  const bool may_be_header = *first;
  *first = false;
  if (!json_open (&r->json, '{', "a transaction (an object)"))
    return false;
  return may_be_header && is_header (r) ? jsonl_header (r) : read_transaction (r);
}

// A process that was killed while it wrote leaves half a line; what it wrote before is still good.
static bool is_half_line (const char *line, size_t length) {
  while (length && (*line == ' ' || *line == '\t')) {
    line++;
    length--;
  }
  return length && *line == '{' && !json_is_whole (line, length);
}

// An error of a staged transaction comes before one of the line after it.
static bool read_lines (struct jsonl_reader *r, struct input *in, struct error *error) {
  const char *line, *file = input_name (in);
  size_t length;
  bool first = true;
  struct error of_line = { 0 };
  while (input_line (in, &line, &length, &of_line)) {
    const uint64_t number = input_line_number (in);
    if (input_line_torn (in) && is_half_line (line, length)) {
      history_warn (r->history, "%s:%llu: dropped the last line: it is not complete", file,
                    (unsigned long long) number);
      history_mark_incomplete (r->history, "%s:%llu: the last line is torn", file, (unsigned long long) number);
      break;
    }
    json_start (&r->json, line, length, file, number, &of_line);
    if (!read_line (r, &first))
      break;
    if (stage_is_full (&r->stage) && !stage_flush (&r->stage, file, error))
      return false;
  }
  if (!stage_flush (&r->stage, file, error))
    return false;
  if (of_line.code)
    *error = of_line;
  return !of_line.code;
}

static bool jsonl_read (struct history *h, struct input *in, struct error *error) {
  struct jsonl_reader r = { .history = h, .stage = { .history = h } };
  const bool fine = read_lines (&r, in, error);
  json_stop (&r.json);
  stage_free (&r.stage);
  VEC_FREE (r.bytes);
  return fine;
}

static bool jsonl_probe (struct json_reader *r) {
  struct json_string name;
  json_peek (r);
  r->line_end = ' '; // what comes is one line
  return json_accept (r, '{') && json_name (r, &name) && (jsonl_in_header (name) || json_among (name, members) >= 0);
}

const struct format format_jsonl = {
  .name = "jsonl",
  .title = "Krait JSON Lines, one transaction per line",
  .tells_incomplete = true,
  .probe = jsonl_probe,
  .read = jsonl_read,
  .write = jsonl_write,
};
