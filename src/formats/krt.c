// Krait binary: the columns of struct history as they lie in memory, each with a checksum.
// docs/krt.md describes the bytes.
//
// Every byte of the file is under some checksum (header and directory under one, each column with
// its padding under its own) or compared with what it must be, so that no flipped bit goes
// unnoticed. Checksums guard against accidents, not against malice: what a file with correct
// checksums says is still validated before anybody indexes with it.

#include "base/input.h"
#include "base/output.h"
#include "formats/bytes.h"
#include "formats/formats.h"
#include "formats/json_read.h"
#include "history/distinct.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAGIC "\x89KRT\r\n\x1a\n"
enum { VERSION = 1, MAGIC_LENGTH = 8, HEADER_LENGTH = 32, ENTRY_LENGTH = 32, ALIGNMENT = 64 };

// Every count but those of string pools is an index into something; history.h promises INDEX_MOST
// at most.
#define MOST ((uint64_t) INDEX_MOST + 1)

enum { META_KEY_TYPE, META_INIT, META_INIT_DEFAULT, META_HINTS, META_COUNT };

// A history on its way in or out: the columns that lie in struct history, and those that need
// another shape in a file.
struct image {
  struct history *h;
  struct atoms *keys, *values, *texts;
  VEC (uint32_t) meta;
  VEC (char) source;
  VEC (char) warnings;
  // struct op_times has padding; a file should not.
  VEC (uint32_t) time_ops;
  VEC (int64_t) time_begins;
  VEC (int64_t) time_ends;
};

// Name and place of each column, in the order of the file.
#define COLUMNS(X)                                                                                                     \
  X (meta, image->meta)                                                                                                \
  X (source, image->source)                                                                                            \
  X (warnings, image->warnings)                                                                                        \
  X (key_kinds, image->keys->kinds)                                                                                    \
  X (key_payloads, image->keys->payloads)                                                                              \
  X (key_pool, image->keys->pool)                                                                                      \
  X (value_kinds, image->values->kinds)                                                                                \
  X (value_payloads, image->values->payloads)                                                                          \
  X (value_pool, image->values->pool)                                                                                  \
  X (text_kinds, image->texts->kinds)                                                                                  \
  X (text_payloads, image->texts->payloads)                                                                            \
  X (text_pool, image->texts->pool)                                                                                    \
  X (init_keys, image->h->init_keys)                                                                                   \
  X (init_values, image->h->init_values)                                                                               \
  X (session_labels, image->h->session_labels)                                                                         \
  X (session_first, image->h->session_first)                                                                           \
  X (txn_ids, image->h->txn_ids)                                                                                       \
  X (txn_status, image->h->txn_status)                                                                                 \
  X (txn_begin, image->h->txn_begin)                                                                                   \
  X (txn_end, image->h->txn_end)                                                                                       \
  X (txn_first_op, image->h->txn_first_op)                                                                             \
  X (txn_hints, image->h->txn_hints)                                                                                   \
  X (op_kinds, image->h->op_kinds)                                                                                     \
  X (op_flags, image->h->some_op_flags)                                                                                \
  X (op_keys, image->h->op_keys)                                                                                       \
  X (op_values, image->h->op_values)                                                                                   \
  X (op_aux, image->h->some_op_aux)                                                                                    \
  X (ranges, image->h->ranges)                                                                                         \
  X (item_keys, image->h->item_keys)                                                                                   \
  X (item_values, image->h->item_values)                                                                               \
  X (op_time_ops, image->time_ops)                                                                                     \
  X (op_time_begins, image->time_begins)                                                                               \
  X (op_time_ends, image->time_ends)                                                                                   \
  X (op_hints, image->h->op_hints)

#define COLUMN_ID(name, vec) COLUMN_##name,
enum column_id { COLUMNS (COLUMN_ID) COLUMN_COUNT };

#define COLUMN_NAME(name, vec) #name,
static const char *const column_names[] = { COLUMNS (COLUMN_NAME) };

_Static_assert(sizeof (struct op_range) == 16 && sizeof (struct op_hint) == 8, "structs of a file have no padding");

static const bool little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

static uint64_t padded (uint64_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

enum { DIRECTORY_END = (HEADER_LENGTH + COLUMN_COUNT * ENTRY_LENGTH + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

// The header but for the checksum itself, then the directory with its padding.
static uint64_t head_checksum (const char *head) {
  const uint64_t seed = XXH3_64bits (head, HEADER_LENGTH - 8);
  return XXH3_64bits_withSeed (head + HEADER_LENGTH, DIRECTORY_END - HEADER_LENGTH, seed);
}

static void image_free (struct image *image) {
  VEC_FREE (image->meta);
  VEC_FREE (image->source);
  VEC_FREE (image->warnings);
  VEC_FREE (image->time_ops);
  VEC_FREE (image->time_begins);
  VEC_FREE (image->time_ends);
}

// --- Writing ----------------------------------------------------------------

struct column {
  const void *data;
  uint64_t bytes;
  uint32_t element;
};

static const char zeros[ALIGNMENT];

// Behind the numbers that every history has, so that complete ones look as they always did: the
// length of the text, then the text, four bytes a number.
static void put_reason (struct image *image, const char *reason) {
  const size_t length = reason ? strlen (reason) : 0;
  if (reason)
    VEC_PUSH (image->meta, (uint32_t) length);
  for (size_t at = 0; at < length; at += 4) {
    char bytes[4] = { 0 };
    memcpy (bytes, reason + at, length - at < 4 ? length - at : 4);
    VEC_PUSH (image->meta, load_le32 (bytes));
  }
}

static const char *restore_reason (const struct image *image) {
  const size_t count = image->meta.count - META_COUNT;
  if (!count)
    return NULL;
  const size_t length = image->meta.data[META_COUNT];
  if (count != 1 + (length + 3) / 4)
    return "a reason for incompleteness that is not complete itself";
  char *reason = image->h->incomplete = mem_zalloc (4 * count);
  for (size_t i = 0; i + 1 < count; i++)
    store_le32 (reason + 4 * i, image->meta.data[META_COUNT + 1 + i]);
  return strlen (reason) == length ? NULL : "a reason for incompleteness with a zero byte";
}

// In a file, atoms have one form.
static struct atoms *wide_copy (const struct atoms *atoms) {
  struct atoms *copy = MEM_ZARRAY (struct atoms, 1);
  VEC_COPY (copy->kinds, atoms->kinds);
  VEC_COPY (copy->payloads, atoms->payloads);
  VEC_COPY (copy->numbers, atoms->numbers);
  VEC_COPY (copy->pool, atoms->pool);
  atoms_widen (copy);
  return copy;
}

static void free_copy (struct atoms *atoms) {
  atoms_free (atoms);
  mem_free (atoms);
}

static void image_of (struct image *image, const struct history *h) {
  *image = (struct image){ .h = (struct history *) (uintptr_t) h };
  image->keys = wide_copy (&h->keys);
  image->values = wide_copy (&h->values);
  image->texts = wide_copy (&h->texts);
  VEC_PUSH (image->meta, (uint32_t) h->key_type);
  VEC_PUSH (image->meta, (uint32_t) h->init);
  VEC_PUSH (image->meta, h->init_default);
  VEC_PUSH (image->meta, h->hints);
  put_reason (image, h->incomplete);
  // An empty source and none differ: the terminating zero is part of the column.
  for (const char *c = h->source; c; c = *c ? c + 1 : NULL)
    VEC_PUSH (image->source, *c);
  for (const char *c = h->warnings; c; c = *c ? c + 1 : NULL)
    VEC_PUSH (image->warnings, *c);
  for (size_t i = 0; i < h->op_times.count; i++) {
    VEC_PUSH (image->time_ops, h->op_times.data[i].op);
    VEC_PUSH (image->time_begins, h->op_times.data[i].begin);
    VEC_PUSH (image->time_ends, h->op_times.data[i].end);
  }
}

// Most histories have no flags, no results of scans and nothing but commits: such a column is left
// out.
static void drop_if_all (struct column *column, unsigned char byte) {
  const unsigned char *bytes = column->data;
  for (uint64_t i = 0; i < column->bytes; i++)
    if (bytes[i] != byte)
      return;
  column->bytes = 0;
}

static uint64_t column_checksum (const struct column *column) {
  XXH3_state_t state;
  XXH3_64bits_reset (&state);
  if (column->bytes)
    XXH3_64bits_update (&state, column->data, column->bytes);
  XXH3_64bits_update (&state, zeros, padded (column->bytes) - column->bytes);
  return XXH3_64bits_digest (&state);
}

static void write_columns (const struct column *columns, struct output *output) {
  char head[DIRECTORY_END] = { 0 };
  uint64_t offset = DIRECTORY_END;
  for (uint32_t id = 0; id < COLUMN_COUNT; id++) {
    char *entry = head + HEADER_LENGTH + (size_t) id * ENTRY_LENGTH;
    store_le32 (entry, id);
    store_le32 (entry + 4, columns[id].element);
    store_le64 (entry + 8, offset);
    store_le64 (entry + 16, columns[id].bytes);
    store_le64 (entry + 24, column_checksum (&columns[id]));
    offset += padded (columns[id].bytes);
  }
  memcpy (head, MAGIC, MAGIC_LENGTH);
  store_le32 (head + 8, VERSION);
  store_le32 (head + 12, COLUMN_COUNT);
  store_le64 (head + 16, offset);
  store_le64 (head + 24, head_checksum (head));
  output_write (output, head, sizeof head);
  for (uint32_t id = 0; id < COLUMN_COUNT; id++) {
    output_write (output, columns[id].data, columns[id].bytes);
    output_write (output, zeros, padded (columns[id].bytes) - columns[id].bytes);
  }
}

static bool write_krt (const struct history *h, struct output *output, struct error *error) {
  if (!little_endian)
    return error_set (error, "%.400s: krait binary is not supported on big-endian machines", h->name);
  if (h->session_first.count != h->session_labels.count + 1)
    misuse (__func__, "a history that is not finished");
  struct image whole, *image = &whole;
  image_of (image, h);
#define COLUMN_TO_WRITE(name, vec) { (vec).data, (vec).count * sizeof *(vec).data, sizeof *(vec).data },
  struct column columns[] = { COLUMNS (COLUMN_TO_WRITE) };
  drop_if_all (&columns[COLUMN_txn_status], TXN_COMMITTED);
  drop_if_all (&columns[COLUMN_op_flags], 0);
  drop_if_all (&columns[COLUMN_op_aux], AUX_NONE & 0xff);
  write_columns (columns, output);
  free_copy (image->keys);
  free_copy (image->values);
  free_copy (image->texts);
  image_free (image);
  return true;
}

// --- Reading ----------------------------------------------------------------

static bool is_krt (const char *bytes, size_t length) {
  return length >= MAGIC_LENGTH && !memcmp (bytes, MAGIC, MAGIC_LENGTH);
}

static bool probe_krt (struct json_reader *r) {
  return is_krt (r->at, (size_t) (r->end - r->at));
}

struct krt_file {
  const char *name;
  struct input *input;
  uint64_t length;
  char head[DIRECTORY_END];
};

static bool check_head (const struct krt_file *file, struct error *error) {
  const char *bytes = file->head;
  if (!is_krt (bytes, file->length))
    return error_at_byte (error, file->name, 0, "no krait binary: it does not start with its mark");
  if (file->length < HEADER_LENGTH)
    return error_at_byte (error, file->name, file->length, "the header is cut off");
  const uint32_t version = load_le32 (bytes + 8), columns = load_le32 (bytes + 12);
  const uint64_t length = load_le64 (bytes + 16);
  if (version != VERSION)
    return error_at_byte (error, file->name, 8, "version %u of krait binary, this program reads version %d", version,
                          VERSION);
  if (columns != COLUMN_COUNT)
    return error_at_byte (error, file->name, 12, "%u columns, expected %d", columns, COLUMN_COUNT);
  if (length != file->length)
    return error_at_byte (error, file->name, 16, "the file has %llu bytes, its header says %llu",
                          (unsigned long long) file->length, (unsigned long long) length);
  if (file->length < DIRECTORY_END)
    return error_at_byte (error, file->name, file->length, "the directory is cut off");
  if (head_checksum (bytes) != load_le64 (bytes + 24))
    return error_at_byte (error, file->name, 24, "the checksum of the header is wrong");
  return true;
}

// Where a column stands in the file, and its length.
struct place {
  uint64_t offset, bytes, checksum;
};

// Checks the directory's entry of one column. *end: where it must start; moved to where the next
// one must.
static bool find_column (const struct krt_file *file, uint32_t id, uint32_t element, uint64_t *end, struct place *place,
                         struct error *error) {
  const size_t at = HEADER_LENGTH + (size_t) id * ENTRY_LENGTH;
  const char *entry = file->head + at;
  const uint64_t offset = load_le64 (entry + 8), bytes = load_le64 (entry + 16);
  if (load_le32 (entry) != id || load_le32 (entry + 4) != element || offset != *end || bytes % element)
    return error_at_byte (error, file->name, at, "column %s: not described as it should be", column_names[id]);
  if (bytes > file->length - offset || padded (bytes) > file->length - offset)
    return error_at_byte (error, file->name, at, "column %s: longer than the file", column_names[id]);
  const bool is_pool = id == COLUMN_key_pool || id == COLUMN_value_pool || id == COLUMN_text_pool;
  if (!is_pool && bytes / element > MOST)
    return error_at_byte (error, file->name, at, "column %s: too long", column_names[id]);
  *place = (struct place){ offset, bytes, load_le64 (entry + 24) };
  *end = offset + padded (bytes);
  return true;
}

// The column with its padding goes where it is to stay. `to` has room for both.
static bool take_column (const struct krt_file *file, uint32_t id, const struct place *place, void *to,
                         struct error *error) {
  if (!input_take (file->input, to, padded (place->bytes), error))
    return false;
  return XXH3_64bits (to, padded (place->bytes)) == place->checksum
         || error_at_byte (error, file->name, place->offset, "column %s: its checksum is wrong", column_names[id]);
}

static bool load_columns (const struct krt_file *file, struct image *image, struct error *error) {
  uint64_t end = DIRECTORY_END;
  struct place place;
  uint32_t id = 0;
#define LOAD_COLUMN(name, vec)                                                                                         \
  if (!find_column (file, id, sizeof *(vec).data, &end, &place, error))                                                \
    return false;                                                                                                      \
  VEC_RESERVE (vec, padded (place.bytes) / sizeof *(vec).data);                                                        \
  if (!take_column (file, id, &place, (vec).data, error))                                                              \
    return false;                                                                                                      \
  (vec).count = place.bytes / sizeof *(vec).data;                                                                      \
  id++;
  COLUMNS (LOAD_COLUMN)
  return end == file->length || error_at_byte (error, file->name, end, "bytes behind the last column");
}

#define FILL_COLUMN(vec, wanted, value)                                                                                \
  do {                                                                                                                 \
    if (!(vec).count && (wanted)) {                                                                                    \
      VEC_RESERVE (vec, wanted);                                                                                       \
      (vec).count = (wanted);                                                                                          \
      memset ((vec).data, (value) &0xff, (wanted) * sizeof *(vec).data);                                               \
    }                                                                                                                  \
  } while (0)

static const char *restore_sessions (struct history *h) {
  const size_t sessions = h->session_labels.count, txns = h->txn_ids.count;
  if (h->session_first.count != sessions + 1 || h->session_first.data[0] || h->session_first.data[sessions] != txns)
    return "sessions that do not hold the transactions";
  VEC_RESERVE (h->txn_sessions, txns);
  for (uint32_t s = 0; s < sessions; s++) {
    if (h->session_first.data[s] > h->session_first.data[s + 1] || h->session_first.data[s + 1] > txns)
      return "sessions that do not hold the transactions";
    for (uint32_t t = h->session_first.data[s]; t < h->session_first.data[s + 1]; t++)
      h->txn_sessions.data[t] = s;
  }
  h->txn_sessions.count = txns;
  return NULL;
}

static const char *restore_text (const char *data, size_t count, char **text) {
  if (!count)
    return NULL;
  if (memchr (data, 0, count) != data + count - 1)
    return "a text without an end";
  *text = mem_strdup (data);
  return NULL;
}

static const char *restore (struct image *image) {
  struct history *h = image->h;
  if (image->meta.count < META_COUNT)
    return "no description of the history";
  const uint32_t *meta = image->meta.data;
  if (meta[META_KEY_TYPE] > KEYS_BYTES || meta[META_INIT] > INIT_ANY)
    return "a type of key or initial state that is not known";
  h->key_type = (enum key_type) meta[META_KEY_TYPE];
  h->init = (enum init_mode) meta[META_INIT];
  h->init_default = meta[META_INIT_DEFAULT];
  h->hints = meta[META_HINTS];
  const size_t times = image->time_ops.count;
  FILL_COLUMN (h->txn_status, h->txn_ids.count, TXN_COMMITTED);
  if (image->time_begins.count != times || image->time_ends.count != times)
    return "columns of times of different length";
  VEC_RESERVE (h->op_times, times);
  for (size_t i = 0; i < times; i++)
    h->op_times.data[h->op_times.count++] =
      (struct op_times){ image->time_ops.data[i], image->time_begins.data[i], image->time_ends.data[i] };
  const char *why = restore_text (image->source.data, image->source.count, &h->source);
  if (!why)
    why = restore_text (image->warnings.data, image->warnings.count, &h->warnings);
  if (!why)
    why = restore_reason (image);
  return why ? why : restore_sessions (h);
}

// Builders hand out ranges one after the other and give each to one operation. A file must do the
// same, else few bytes could describe a quadratic amount of items, and validation would go through
// all of them.
static const char *check_ranges (const struct history *h) {
  if (h->some_op_aux.count && h->some_op_aux.count != h->op_kinds.count)
    return "operations without a result column";
  uint64_t next = 0;
  for (size_t i = 0; i < h->ranges.count; i++) {
    if (h->ranges.data[i].first_item != next)
      return "results that overlap";
    next += h->ranges.data[i].items;
    if (next > h->item_values.count)
      return "results that are not there";
  }
  if (next != h->item_values.count)
    return "results that belong to nothing";
  uint8_t *used = MEM_ZARRAY (uint8_t, h->ranges.count);
  const char *why = NULL;
  for (size_t op = 0; !why && h->ranges.count && op < h->op_kinds.count; op++) {
    const uint8_t kind = h->op_kinds.data[op];
    const uint32_t aux = history_aux (h, (uint32_t) op);
    if (op_has_range ((enum op_kind) kind) && aux < h->ranges.count && used[aux]++)
      why = "one result of two operations";
  }
  mem_free (used);
  return why;
}

// Strings follow each other in their pool without gap or overlap, for the reason given above
// check_ranges.
static const char *check_pool (const struct atoms *atoms) {
  uint64_t next = 0;
  if (atoms->kinds.count != atoms->payloads.count)
    return "atoms without a value";
  for (size_t i = 0; i < atoms->kinds.count; i++) {
    if (atoms->kinds.data[i] != ATOM_BYTES)
      continue;
    if (atoms->payloads.data[i] != next || atoms->pool.count - next < sizeof (uint32_t))
      return "strings that overlap";
    next += sizeof (uint32_t) + load_le32 (atoms->pool.data + next);
    if (next > atoms->pool.count)
      return "a string outside of its pool";
  }
  return next == atoms->pool.count ? NULL : "strings that belong to nothing";
}

// Before history_validate: what bounds its work.
static const char *check_bounds (const struct history *h) {
  const char *why = check_ranges (h);
  if (!why)
    why = check_pool (&h->keys);
  if (!why)
    why = check_pool (&h->values);
  return why ? why : check_pool (&h->texts);
}

// The elements of a list have no keys.
static const char *check_list (const struct history *h, uint32_t aux) {
  if (aux == AUX_NONE)
    return NULL;
  const struct op_range *range = &h->ranges.data[aux];
  if (range->low != KEY_NONE || range->high != KEY_NONE)
    return "a list with bounds";
  for (uint32_t i = 0; i < range->items; i++)
    if (h->item_keys.data[range->first_item + i] != KEY_NONE)
      return "a list of keys";
  return NULL;
}

static const char *check_op (const struct history *h, size_t op) {
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const bool of_range = kind == OP_SCAN || kind == OP_ITER;
  if (history_flags (h, (uint32_t) op) >= 2 * OP_ITER_REVERSE)
    return "an operation with unknown flags";
  if (of_range && h->op_keys.data[op] != KEY_NONE)
    return "a scan of one key";
  if ((of_range || kind == OP_LIST || kind == OP_DEL) && h->op_values.data[op] < VALUE_NONE)
    return "a value where none belongs";
  if (!of_range && kind != OP_LIST && kind != OP_CAS && kind != OP_INC && history_aux (h, (uint32_t) op) != AUX_NONE)
    return "a result where none belongs";
  return kind == OP_LIST ? check_list (h, history_aux (h, (uint32_t) op)) : NULL;
}

// After it: what it leaves to the builders.
static const char *check_details (const struct history *h) {
  for (uint32_t t = 0; t < atoms_count (&h->texts); t++)
    if (atoms_kind (&h->texts, t) != ATOM_BYTES)
      return "a hint that is not text";
  const char *why = NULL;
  if (!numbers_distinct (h->session_labels.data, h->session_labels.count))
    why = "two sessions of one number";
  for (size_t op = 0; !why && op < h->op_kinds.count; op++)
    why = check_op (h, op);
  return why;
}

// A file says it; what comes through a pipe, or out of compressed data, is read first.
static bool learn_length (struct krt_file *file, struct error *error) {
  size_t length;
  if (input_length (file->input, &file->length))
    return true;
  if (!input_all (file->input, &length, error))
    return false;
  file->length = length;
  return true;
}

static bool read_krt (struct history *h, struct input *input, struct error *error) {
  struct krt_file file = { .name = input_name (input), .input = input };
  if (!little_endian)
    return error_set (error, "%.400s: krait binary is not supported on big-endian machines", file.name);
  if (!learn_length (&file, error))
    return false;
  const size_t head = file.length < DIRECTORY_END ? (size_t) file.length : DIRECTORY_END;
  if (!input_take (input, file.head, head, error) || !check_head (&file, error))
    return false;
  struct image image = { .h = h, .keys = &h->keys, .values = &h->values, .texts = &h->texts };
  bool done = load_columns (&file, &image, error);
  if (done) {
    const char *why = restore (&image);
    if (!why)
      why = check_bounds (h);
    if (!why && history_validate (h, &why))
      why = check_details (h);
    done = !why || error_at_byte (error, file.name, DIRECTORY_END, "checksums fit, but the file holds %s", why);
  }
  image_free (&image);
  return done;
}

const struct format format_krt = {
  .name = "krt",
  .title = "krait binary: columns with checksums, for huge histories",
  .tells_incomplete = true,
  .probe = probe_krt,
  .read = read_krt,
  .write = write_krt,
};
