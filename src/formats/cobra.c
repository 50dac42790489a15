// Cobra's logs: a folder of T<n>.log, one session each. Records stand back to back, their numbers
// are big-endian:
//
//   S txn                        a transaction starts (9 bytes)
//   W writeId key value          it writes (25)
//   R writerTxn writeId key value  it reads (33)
//   C txn                        it has committed (9)
//
// A read names the write it saw, so that a write's id serves as the value. Logs without usable ids
// (all of them 0xabddefee) are matched by the value itself. Aborted transactions are not logged: a
// read of theirs matches no write, and the checker says so.

#include "base/input.h"
#include "base/output.h"
#include "formats/bytes.h"
#include "formats/formats.h"
#include "formats/logs.h"
#include "formats/registers.h"

#include <inttypes.h>

#define ID_INITIAL 0xbebeebeeu
#define ID_NULL 0xdeadbeefu
#define ID_GC_FIRST 0x23332333u
#define ID_GC_SECOND 0x66666666u
#define ID_NONE 0xabddefeeu

static const struct log_name log_name = { "T", ".log" };

enum { START_LENGTH = 9, WRITE_LENGTH = 25, READ_LENGTH = 33 };

// --- Reading ----------------------------------------------------------------

static size_t record_length (char letter) {
  switch (letter) {
  case 'S':
  case 'C': return START_LENGTH;
  case 'W': return WRITE_LENGTH;
  case 'R': return READ_LENGTH;
  default: return 0;
  }
}

static bool is_special (uint64_t number) {
  return number == ID_INITIAL || number == ID_NULL || number == ID_GC_FIRST || number == ID_GC_SECOND;
}

static bool has_write_id (const char *record) {
  if (*record == 'W')
    return load_be64 (record + 1) != ID_NONE;
  return *record == 'R' && load_be64 (record + 9) != ID_NONE && !is_special (load_be64 (record + 9));
}

// Is there one write id that tells a write from others? Broken records end the search; the reading
// proper reports them.
static bool has_write_ids (const struct logs *logs) {
  for (size_t i = 0; i < logs->count; i++) {
    const struct log *log = &logs->data[i];
    size_t length;
    for (size_t at = 0; at < log->length; at += length) {
      length = record_length (log->bytes[at]);
      if (!length || length > log->length - at)
        break;
      if (has_write_id (log->bytes + at))
        return true;
    }
  }
  return false;
}

struct reader {
  struct history *h;
  const struct log *log;
  struct error *error;
  bool by_id;
  bool open; // a transaction has started and not committed
  uint64_t txn;
  struct registers operations;
  VEC (uint32_t) initial_reads; // among them, by the number of the operation in the history
  VEC (bool) is_initial;        // per key: in the initial map already
};

static bool fail (struct reader *reader, size_t at, const char *why) {
  return error_at_byte (reader->error, reader->log->path, at, "%s", why);
}

// The key starts live, with a value of its own that no write has.
//
// No published log reads a key both as initial and as null. Nothing deletes in Cobra's logs, so
// that such a key would have two initial states; it stays live here and the null read without a
// writer.
static bool start_live (struct reader *reader, uint32_t op, const char **why) {
  const uint32_t key = reader->h->op_keys.data[op];
  while (reader->is_initial.count <= key)
    VEC_PUSH (reader->is_initial, false);
  if (reader->is_initial.data[key])
    return true;
  reader->is_initial.data[key] = true;
  return history_set_init_key (reader->h, key, reader->h->op_values.data[op], why);
}

static bool flush (struct reader *reader) {
  const char *why;
  uint64_t at;
  if (!registers_flush (&reader->operations, &why, &at))
    return fail (reader, at, why);
  for (size_t i = 0; i < reader->initial_reads.count; i++)
    if (!start_live (reader, reader->initial_reads.data[i], &why))
      return fail (reader, 0, why);
  reader->initial_reads.count = 0;
  return true;
}

static bool read_start (struct reader *reader, size_t at) {
  const struct txn_header header = {
    .session = reader->log->session,
    .has_id = true,
    .id = load_be64 (reader->log->bytes + at + 1),
    .status = TXN_UNKNOWN, // until its C record comes
    .begin = TIME_NONE_BEGIN,
    .end = TIME_NONE_END,
  };
  if (reader->open)
    return fail (reader, at, "a transaction starts before the last one has committed");
  reader->open = true;
  reader->txn = header.id;
  const char *why;
  return history_begin_txn (reader->h, &header, &why) || fail (reader, at, why);
}

static bool read_commit (struct reader *reader, size_t at) {
  if (!reader->open || load_be64 (reader->log->bytes + at + 1) != reader->txn)
    return fail (reader, at, "the commit of a transaction that is not the one started last");
  reader->open = false;
  history_set_status (reader->h, TXN_COMMITTED);
  return true;
}

// `seen`: the value written or read.
static inline bool add (struct reader *reader, size_t at, uint8_t kind, uint64_t key, uint64_t seen) {
  if (registers_full (&reader->operations) && !flush (reader))
    return false;
  registers_put (&reader->operations, kind, key, seen, at);
  return true;
}

static bool read_write (struct reader *reader, size_t at) {
  const char *record = reader->log->bytes + at;
  if (!reader->open)
    return fail (reader, at, "a write outside of a transaction");
  return add (reader, at, OP_PUT, load_be64 (record + 9), load_be64 (record + (reader->by_id ? 1 : 17)));
}

static bool read_initial (struct reader *reader, size_t at, uint64_t key) {
  if (!add (reader, at, OP_GET, key, ID_INITIAL))
    return false;
  VEC_PUSH (reader->initial_reads, history_ops (reader->h) + reader->h->waiting_ops - 1);
  return true;
}

static bool read_read (struct reader *reader, size_t at) {
  const char *record = reader->log->bytes + at;
  if (!reader->open)
    return fail (reader, at, "a read outside of a transaction");
  const uint64_t writer = load_be64 (record + 1), write = load_be64 (record + 9);
  if (write == ID_GC_FIRST || write == ID_GC_SECOND || writer == ID_GC_FIRST || writer == ID_GC_SECOND)
    return true; // Cobra's own garbage collection reads these; they say nothing about the database
  const uint64_t key = load_be64 (record + 17);
  if (write == ID_INITIAL || writer == ID_INITIAL)
    return read_initial (reader, at, key);
  if (write == ID_NULL || writer == ID_NULL)
    return add (reader, at, OP_GET | GETS_ABSENT, key, 0);
  return add (reader, at, OP_GET, key, reader->by_id ? write : load_be64 (record + 25));
}

static bool read_log (struct reader *reader) {
  const struct log *log = reader->log;
  reader->open = false;
  size_t length;
  for (size_t at = 0; at < log->length; at += length) {
    const char letter = log->bytes[at];
    length = record_length (letter);
    if (!length)
      return error_at_byte (reader->error, log->path, at, "no record starts with byte 0x%02x (S, W, R or C expected)",
                            (unsigned char) letter);
    if (length > log->length - at)
      return fail (reader, at, "the record is cut off");
    const bool done = letter == 'S'   ? read_start (reader, at)
                      : letter == 'C' ? read_commit (reader, at)
                      : letter == 'W' ? read_write (reader, at)
                                      : read_read (reader, at);
    if (!done)
      return false;
  }
  return flush (reader); // while its places are those of this log
}

static bool read_cobra (struct history *h, const char *path, struct error *error) {
  struct logs logs = VEC_EMPTY;
  struct reader reader = { .h = h, .error = error };
  reader.operations.history = h;
  bool done = logs_open (&logs, path, log_name, error);
  reader.by_id = done && has_write_ids (&logs);
  h->key_type = KEYS_INT;
  for (size_t i = 0; done && i < logs.count; i++) {
    reader.log = &logs.data[i];
    done = read_log (&reader);
  }
  VEC_FREE (reader.initial_reads);
  VEC_FREE (reader.is_initial);
  logs_close (&logs);
  return done;
}

// --- Writing ----------------------------------------------------------------

static const struct register_limits limits = { .format = "a Cobra log", .negative = false, .unknown = true };

struct writer {
  const struct history *h;
  uint32_t *initial;      // per key: value, or VALUE_ABSENT
  struct hash_set writes; // of operations, by (key, value)
  bool by_id;             // no two writes of one value to one key: the value can be the id
};

struct wanted_write {
  uint32_t key, value;
};

static bool same_write (const void *context, uint32_t op, const void *wanted) {
  const struct history *h = context;
  const struct wanted_write *write = wanted;
  return h->op_keys.data[op] == write->key && h->op_values.data[op] == write->value;
}

static uint32_t find_write (const struct writer *writer, uint32_t key, uint32_t value) {
  return hash_set_find (&writer->writes, hash_pair (key, value), same_write, writer->h,
                        &(struct wanted_write){ key, value });
}

static uint64_t number_of (const struct history *h, uint32_t value) {
  return atoms_get (&h->values, value).number;
}

static void collect_writes (struct writer *writer) {
  const struct history *h = writer->h;
  writer->by_id = true;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
      if (h->txn_status.data[txn] == TXN_ABORTED || value == VALUE_ABSENT)
        continue;
      if (is_special (number_of (h, value)) && value != writer->initial[key])
        writer->by_id = false;
      if (h->op_kinds.data[op] != OP_PUT)
        continue;
      if (find_write (writer, key, value) == HASH_NONE)
        hash_set_insert (&writer->writes, hash_pair (key, value), op);
      else
        writer->by_id = false;
    }
}

// What a log would turn into something else when it is read again.
static const char *misfit (const struct writer *writer, uint32_t op) {
  const uint32_t key = writer->h->op_keys.data[op], value = writer->h->op_values.data[op];
  if (value == VALUE_ABSENT && writer->initial[key] != VALUE_ABSENT)
    return "a read of absent on a key that starts live";
  if (value == VALUE_ABSENT || writer->initial[key] == VALUE_ABSENT)
    return NULL;
  if (value == writer->initial[key] && find_write (writer, key, value) != HASH_NONE)
    return "a key whose initial value is written again";
  if (value != writer->initial[key] && number_of (writer->h, value) == ID_INITIAL)
    return "0xbebeebee on a key that starts with something else";
  return NULL;
}

static bool check_writable (const struct writer *writer, struct error *error) {
  const struct history *h = writer->h;
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    const bool last = txn + 1 == history_txns (h) || h->txn_sessions.data[txn + 1] != h->txn_sessions.data[txn];
    if (h->txn_status.data[txn] == TXN_UNKNOWN && !last)
      return error_set (error,
                        "%.300s: transaction %" PRIu64 ": only the last one of a Cobra log can have an unknown outcome",
                        h->name, h->txn_ids.data[txn]);
    if (is_special (h->txn_ids.data[txn]))
      return error_set (error, "%.300s: transaction %" PRIu64 ": this id means something else in a Cobra log", h->name,
                        h->txn_ids.data[txn]);
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      const char *why = h->txn_status.data[txn] == TXN_ABORTED ? NULL : misfit (writer, op);
      if (why)
        return registers_refuse (h, txn, op, error, why, limits.format);
    }
  }
  return true;
}

static void put_record (struct output *output, char letter, const uint64_t *numbers, size_t count) {
  char record[READ_LENGTH] = { letter };
  for (size_t i = 0; i < count; i++)
    store_be64 (record + 1 + 8 * i, numbers[i]);
  output_write (output, record, 1 + 8 * count);
}

static void put_read (const struct writer *writer, struct output *output, uint32_t key, uint32_t value) {
  const struct history *h = writer->h;
  uint64_t record[4] = { ID_NULL, ID_NULL, atoms_get (&h->keys, key).number, 0 };
  if (value != VALUE_ABSENT) {
    record[3] = number_of (h, value);
    const uint32_t write = find_write (writer, key, value);
    if (value == writer->initial[key]) {
      record[0] = record[1] = ID_INITIAL;
    } else {
      record[0] = write == HASH_NONE
                    ? 0
                    : h->txn_ids.data[history_txn_of_op (h, write)]; // 0: a transaction that is not in the log
      record[1] = writer->by_id ? record[3] : ID_NONE;
    }
  }
  put_record (output, 'R', record, 4);
}

static void put_txn (const struct writer *writer, struct output *output, uint32_t txn) {
  const struct history *h = writer->h;
  if (h->txn_status.data[txn] == TXN_ABORTED)
    return;
  put_record (output, 'S', &h->txn_ids.data[txn], 1);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
    if (h->op_kinds.data[op] == OP_GET) {
      put_read (writer, output, key, value);
      continue;
    }
    const uint64_t number = number_of (h, value);
    put_record (output, 'W', (uint64_t[]){ writer->by_id ? number : ID_NONE, atoms_get (&h->keys, key).number, number },
                3);
  }
  if (h->txn_status.data[txn] == TXN_COMMITTED)
    put_record (output, 'C', &h->txn_ids.data[txn], 1);
}

static bool write_session (const struct writer *writer, const char *folder, uint32_t session, struct error *error) {
  const struct history *h = writer->h;
  struct output *output = logs_create (folder, log_name, h->session_labels.data[session], error);
  if (!output)
    return false;
  for (uint32_t txn = h->session_first.data[session]; txn < h->session_first.data[session + 1]; txn++)
    put_txn (writer, output, txn);
  return output_commit (output, error);
}

static bool write_cobra (const struct history *h, const char *path, struct error *error) {
  if (!registers_check (h, &limits, error))
    return false;
  struct writer writer = { .h = h, .initial = history_initial_values (h) };
  collect_writes (&writer);
  bool done = check_writable (&writer, error);
  for (uint32_t s = 0; done && s < history_sessions (h); s++)
    done = write_session (&writer, path, s, error);
  mem_free (writer.initial);
  hash_set_free (&writer.writes);
  return done;
}

const struct format format_cobra = {
  .name = "cobra",
  .title = "Cobra log: a folder of T<n>.log",
  .logs = &log_name,
  .read_folder = read_cobra,
  .write_folder = write_cobra,
};
