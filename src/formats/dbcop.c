// dbcop's histories (bincode, little-endian): id, sessions, keys, transactions, events; three
// strings (info, start, end); then per session a count of transactions, per transaction a count of
// events, the events and one byte `committed`. An event is one byte is_write, key, value and one
// byte `success`.
//
// The counts of the header are what the generator was asked for, not what happened; they are not
// used. Failed events had no effect. A transaction that did not commit keeps its writes only: they
// are what others must not have read.

#include "base/input.h"
#include "base/output.h"
#include "formats/bytes.h"
#include "formats/formats.h"
#include "formats/json_read.h"
#include "formats/registers.h"

#include <string.h>

enum { COUNTS = 5, STRINGS = 3, EVENT_LENGTH = 18 };

// No real header comes near; a length beyond says that this is another kind of file.
enum { LONGEST_STRING = 1 << 20 };

// --- Reading ----------------------------------------------------------------

struct reader {
  struct history *h;
  const char *name;
  const char *bytes;
  size_t length, at;
  struct error *error;
  struct registers operations;
};

static bool fail (struct reader *reader, size_t at, const char *why) {
  return error_at_byte (reader->error, reader->name, at, "%s", why);
}

static bool flush (struct reader *reader) {
  const char *why;
  uint64_t at;
  return registers_flush (&reader->operations, &why, &at) || fail (reader, at, why);
}

static bool read_number (struct reader *reader, const char *what, uint64_t *number) {
  if (reader->length - reader->at < 8)
    return error_at_byte (reader->error, reader->name, reader->at, "cut off where %s should be", what);
  *number = load_le64 (reader->bytes + reader->at);
  reader->at += 8;
  return true;
}

static bool read_bool (struct reader *reader, size_t at, bool *value) {
  const unsigned char byte = (unsigned char) reader->bytes[at];
  *value = byte;
  return byte <= 1 || error_at_byte (reader->error, reader->name, at, "byte 0x%02x where 0 or 1 should be", byte);
}

// A count of things that take at least `least` bytes each: more than fit cannot be true.
static bool read_count (struct reader *reader, const char *what, size_t least, uint64_t *count) {
  if (!read_number (reader, what, count))
    return false;
  if (*count > (reader->length - reader->at) / least)
    return error_at_byte (reader->error, reader->name, reader->at - 8, "%s is %llu, more than the file has room for",
                          what, (unsigned long long) *count);
  return true;
}

// The first string says where the history comes from.
static bool read_header (struct reader *reader) {
  uint64_t number;
  for (int i = 0; i < COUNTS; i++)
    if (!read_number (reader, "the header", &number))
      return false;
  for (int i = 0; i < STRINGS; i++) {
    if (!read_count (reader, "the length of a string", 1, &number))
      return false;
    if (number > LONGEST_STRING)
      return fail (reader, reader->at - 8, "the string is too long");
    if (i == 0 && number && !memchr (reader->bytes + reader->at, 0, number)) {
      reader->h->source = mem_zalloc (number + 1);
      memcpy (reader->h->source, reader->bytes + reader->at, number);
    }
    reader->at += number;
  }
  return true;
}

static bool read_event (struct reader *reader, bool committed) {
  const size_t at = reader->at;
  bool is_write, success;
  if (!read_bool (reader, at, &is_write) || !read_bool (reader, at + EVENT_LENGTH - 1, &success))
    return false;
  reader->at += EVENT_LENGTH;
  if (!success || (!committed && !is_write))
    return true;
  if (registers_full (&reader->operations) && !flush (reader))
    return false;
  registers_put (&reader->operations, is_write ? OP_PUT : OP_GET, load_le64 (reader->bytes + at + 1),
                 load_le64 (reader->bytes + at + 9), at);
  return true;
}

static bool read_txn (struct reader *reader, uint64_t session) {
  uint64_t events;
  const char *why;
  const size_t at = reader->at;
  if (!read_count (reader, "the count of events", EVENT_LENGTH, &events))
    return false;
  const size_t end = reader->at + events * EVENT_LENGTH;
  bool committed;
  if (end == reader->length)
    return fail (reader, end, "cut off where a transaction's outcome should be");
  if (!read_bool (reader, end, &committed))
    return false;
  const struct txn_header header = {
    .session = session,
    .status = committed ? TXN_COMMITTED : TXN_ABORTED,
    .begin = TIME_NONE_BEGIN,
    .end = TIME_NONE_END,
  };
  if (!history_begin_txn (reader->h, &header, &why))
    return fail (reader, at, why);
  for (uint64_t i = 0; i < events; i++)
    if (!read_event (reader, committed))
      return false;
  reader->at = end + 1;
  return true;
}

static bool read_sessions (struct reader *reader) {
  uint64_t sessions, txns;
  if (!read_count (reader, "the count of sessions", 8, &sessions))
    return false;
  for (uint64_t session = 1; session <= sessions; session++) {
    if (!read_count (reader, "the count of transactions", 9, &txns))
      return false;
    for (uint64_t i = 0; i < txns; i++)
      if (!read_txn (reader, session))
        return false;
  }
  if (!flush (reader))
    return false;
  return reader->at == reader->length || fail (reader, reader->at, "bytes behind the end of the history");
}

static bool start_at_zero (struct history *h, const char **why) {
  h->key_type = KEYS_INT;
  h->init = INIT_DEFAULT;
  h->init_default = history_value (h, atom_unsigned (0), why);
  return h->init_default != ATOM_NONE;
}

static bool read_dbcop (struct history *h, struct input *input, struct error *error) {
  struct reader reader = { .h = h, .name = input_name (input), .error = error };
  const char *why;
  reader.operations.history = h;
  reader.bytes = input_all (input, &reader.length, error);
  if (!reader.bytes)
    return false;
  if (!start_at_zero (h, &why))
    return fail (&reader, 0, why);
  return read_header (&reader) && read_sessions (&reader);
}

// There is no mark. What must hold: three strings of text, and counts that fit each other's sizes.
static bool probe_dbcop (struct json_reader *r) {
  const char *head = r->at;
  const size_t length = (size_t) (r->end - head);
  size_t at = (size_t) COUNTS * 8;
  for (int i = 0; i < STRINGS; i++) {
    if (length < at + 8)
      return false;
    const uint64_t string = load_le64 (head + at);
    at += 8;
    if (string > length - at)
      return false;
    for (uint64_t c = 0; c < string; c++)
      if ((unsigned char) head[at + c] < 0x20)
        return false;
    at += string;
  }
  // The sizes of the header are small numbers in every real file; text that happens to fit so far
  // has large ones.
  for (size_t i = 0; i < COUNTS; i++)
    if (load_le64 (head + 8 * i) >> 48)
      return false;
  return length - at >= 8 && load_le64 (head + at) <= UINT32_MAX;
}

// --- Writing ----------------------------------------------------------------

static const struct register_limits limits = { .format = "a dbcop history", .negative = false, .unknown = false };

static void put_number (struct output *output, uint64_t number) {
  char bytes[8];
  store_le64 (bytes, number);
  output_write (output, bytes, sizeof bytes);
}

static void put_string (struct output *output, const char *text) {
  put_number (output, strlen (text));
  output_text (output, text);
}

static void put_txn (const struct history *h, struct output *output, uint32_t txn) {
  put_number (output, h->txn_first_op.data[txn + 1] - h->txn_first_op.data[txn]);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const uint32_t value = h->op_values.data[op];
    char event[EVENT_LENGTH] = { h->op_kinds.data[op] == OP_PUT };
    store_le64 (event + 1, atoms_get (&h->keys, h->op_keys.data[op]).number);
    store_le64 (event + 9, value == VALUE_ABSENT ? 0 : atoms_get (&h->values, value).number);
    event[EVENT_LENGTH - 1] = 1;
    output_write (output, event, sizeof event);
  }
  output_write (output, h->txn_status.data[txn] == TXN_COMMITTED ? "\1" : "\0", 1);
}

static void put_header (const struct history *h, struct output *output) {
  uint64_t txns = 0, events = 0; // the largest
  for (uint32_t s = 0; s < history_sessions (h); s++) {
    const uint64_t count = h->session_first.data[s + 1] - h->session_first.data[s];
    txns = count > txns ? count : txns;
  }
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const uint64_t count = h->txn_first_op.data[t + 1] - h->txn_first_op.data[t];
    events = count > events ? count : events;
  }
  put_number (output, 0);
  put_number (output, history_sessions (h));
  put_number (output, history_keys (h));
  put_number (output, txns);
  put_number (output, events);
  put_string (output, h->source ? h->source : "");
  put_string (output, "");
  put_string (output, "");
}

static bool write_dbcop (const struct history *h, struct output *output, struct error *error) {
  if (!registers_check (h, &limits, error) || !registers_start_at_zero (h, &limits, NULL, error))
    return false;
  put_header (h, output);
  put_number (output, history_sessions (h));
  for (uint32_t s = 0; s < history_sessions (h); s++) {
    put_number (output, h->session_first.data[s + 1] - h->session_first.data[s]);
    for (uint32_t txn = h->session_first.data[s]; txn < h->session_first.data[s + 1]; txn++)
      put_txn (h, output, txn);
  }
  return true;
}

const struct format format_dbcop = {
  .name = "dbcop",
  .title = "dbcop bincode: history.bincode",
  .probe = probe_dbcop,
  .read = read_dbcop,
  .write = write_dbcop,
};
