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

enum { HAS_S = 1, HAS_T = 2, HAS_ST = 4, HAS_B = 8, HAS_E = 16, HAS_OPS = 32, HAS_H = 64 };

static bool once (struct jsonl_reader *r, unsigned *seen, unsigned bit, const char *name_at) {
  if (*seen & bit)
    return json_twice (&r->json, name_at);
  *seen |= bit;
  return true;
}

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

static bool read_hint (struct jsonl_reader *r, struct staged_txn *txn) {
  txn->has_hint = true;
  return json_peek (&r->json) == '{' ? jsonl_text (r, &txn->hint) : json_expected (&r->json, "an object of hints");
}

static unsigned letter_bit (char letter) {
  switch (letter) {
  case 's': return HAS_S;
  case 't': return HAS_T;
  case 'b': return HAS_B;
  case 'e': return HAS_E;
  case 'h': return HAS_H;
  default: return 0;
  }
}

static unsigned member_bit (struct json_string name) {
  if (name.length == 1)
    return letter_bit (name.bytes[0]);
  return json_equal (name, "ops") ? HAS_OPS : json_equal (name, "st") ? HAS_ST : 0;
}

static bool read_name (struct jsonl_reader *r, unsigned *seen, unsigned *bit) {
  struct json_reader *json = &r->json;
  struct json_string name;
  json_peek (json);
  const char *at = json->at;
  // The usual form first: one letter, without white space.
  if (json->end - at > 4 && at[0] == '"' && at[2] == '"' && at[3] == ':' && (*bit = letter_bit (at[1]))) {
    json->at += 4;
    return once (r, seen, *bit, at);
  }
  if (!json_name (json, &name))
    return false;
  *bit = member_bit (name);
  if (*bit)
    return once (r, seen, *bit, at);
  if (json_equal (name, "krait"))
    return json_fail (json, at, "expected a transaction, found a header that is not the first line");
  return json_unknown (json, name, at, "the transaction");
}

static bool read_member (struct jsonl_reader *r, struct staged_txn *txn, unsigned *seen) {
  unsigned bit;
  if (!read_name (r, seen, &bit))
    return false;
  json_peek (&r->json);
  const uint64_t column = (uint64_t) (r->json.at - r->json.begin) + 1;
  switch (bit) {
  case HAS_S: return json_unsigned (&r->json, &txn->header.session, "a session number (an integer from 0 to 2^64-1)");
  case HAS_T:
    txn->id_column = column;
    txn->header.has_id = true;
    return json_unsigned (&r->json, &txn->header.id, "a transaction id (an integer from 0 to 2^64-1)");
  case HAS_ST: return read_status (r, &txn->header.status);
  case HAS_B: return jsonl_time (r, &txn->header.begin);
  case HAS_E: txn->end_column = column; return jsonl_time (r, &txn->header.end);
  case HAS_OPS: return jsonl_ops (r);
  default: return read_hint (r, txn);
  }
}

static bool require_members (struct jsonl_reader *r, unsigned seen) {
  const char *lacks = !(seen & HAS_S) ? "s" : !(seen & HAS_ST) ? "st" : !(seen & HAS_OPS) ? "ops" : NULL;
  if (!lacks)
    return true;
  return json_fail (&r->json, r->json.at - 1, "expected member \"%s\" in the transaction, found the end of the object",
                    lacks);
}

static bool read_transaction (struct jsonl_reader *r) {
  struct staged_txn txn = { .header = { .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END }, .line = r->json.line };
  unsigned seen = 0;
  int next;
  for (bool first = true; (next = json_next (&r->json, '}', first)) > 0; first = false)
    if (!read_member (r, &txn, &seen))
      return false;
  if (next < 0 || !require_members (r, seen) || !json_at_end (&r->json))
    return false;
  txn.ops_end = r->stage.ops.count;
  txn.extras_end = r->stage.extras.count;
  VEC_PUSH (r->stage.txns, txn);
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

static bool jsonl_probe (const char *path, const char *head, size_t length) {
  struct error ignored = { 0 };
  struct json_reader r = { 0 };
  struct json_string name;
  (void) path;
  json_start (&r, head, length, "", 1, &ignored);
  while (json_peek (&r) == '\n')
    r.at++;
  const bool found = json_accept (&r, '{') && json_name (&r, &name) && (jsonl_in_header (name) || member_bit (name));
  json_stop (&r);
  return found;
}

const struct format format_jsonl = {
  .name = "jsonl",
  .title = "Krait JSON Lines, one transaction per line",
  .can_write = true,
  .tells_incomplete = true,
  .probe = jsonl_probe,
  .read = jsonl_read,
  .write = jsonl_write,
};
