#include "formats/trace_heads.h"

#include "base/sort.h"

#include <inttypes.h>
#include <string.h>

static bool say_no_header (const struct log *log, struct error *error) {
  return error_at_byte (error, log->path, 0, "expected the header of a trace, found something else");
}

static bool check (const struct log *log, const char *bytes, struct error *error) {
  if (memcmp (bytes, TRACE_MAGIC, TRACE_AT_VERSION))
    return say_no_header (log, error);
  const uint32_t version = load_le32 (bytes + TRACE_AT_VERSION);
  if (version != TRACE_VERSION && version != 1)
    return error_at_byte (error, log->path, TRACE_AT_VERSION, "a trace of version %" PRIu32 "; version %d expected",
                          version, TRACE_VERSION);
  return load_le64 (bytes + TRACE_AT_CHECKSUM) == trace_header_checksum (bytes)
         || error_at_byte (error, log->path, TRACE_AT_CHECKSUM, "the header's checksum is wrong");
}

// No more than the header is looked at: the rest of a file that is being written may go away.
static bool read_head (struct trace_head *head, const struct log *log, struct input *input, struct error *error) {
  static const char nothing[TRACE_AT_VERSION];
  size_t length;
  const char *bytes = input_peek (input, &length, error);
  if (!bytes)
    return false;
  if (!memcmp (bytes, nothing, length < sizeof nothing ? length : sizeof nothing))
    return true;
  __atomic_thread_fence (__ATOMIC_ACQUIRE); // the magic was written last
  memcpy (head->bytes, bytes, length < sizeof head->bytes ? length : sizeof head->bytes);
  const bool has_version = length >= TRACE_AT_VERSION + 4;
  if (memcmp (bytes, TRACE_MAGIC, length < TRACE_AT_VERSION ? length : TRACE_AT_VERSION))
    return say_no_header (log, error);
  head->there = has_version && length >= trace_header_length (load_le32 (bytes + TRACE_AT_VERSION));
  head->cut = !head->there;
  return head->cut || check (log, head->bytes, error);
}

static bool is_same_clock (const struct trace_head *a, const struct trace_head *b) {
  return !memcmp (a->bytes + TRACE_AT_CLOCK, b->bytes + TRACE_AT_CLOCK, TRACE_CLOCK_LENGTH);
}

// Wall clocks are set now and then: files that were begun before and after would be moved by
// different amounts.
static int64_t wall_of (const struct trace_heads *heads, const struct trace_head *head) {
  size_t i = 0;
  while (i < heads->count && !(heads->data[i].there && is_same_clock (head, &heads->data[i])))
    i++;
  return i < heads->count ? heads->data[i].wall : (int64_t) load_le64 (head->bytes + TRACE_AT_WALL);
}

bool trace_heads_read (struct trace_heads *heads, const struct logs *logs, struct error *error) {
  bool done = true;
  for (size_t i = 0; done && i < logs->count; i++) {
    struct trace_head head = { 0 };
    struct input *input = input_open (logs->data[i].path, error);
    done = input && read_head (&head, &logs->data[i], input, error);
    input_close (input);
    head.wall = wall_of (heads, &head);
    VEC_PUSH (*heads, head);
  }
  return done;
}

void trace_heads_free (struct trace_heads *heads) {
  VEC_FREE (*heads);
}

// Version 1 does not tell.
static bool has_identity (const struct trace_head *head) {
  return head->there && load_le32 (head->bytes + TRACE_AT_VERSION) != 1;
}

static uint64_t field (const struct trace_head *head, size_t at) {
  return load_le64 (head->bytes + at);
}

struct file_of_process {
  const struct trace_head *head;
  const struct log *log;
};

static int by_process (const void *a, const void *b) {
  const struct trace_head *x = ((const struct file_of_process *) a)->head,
                          *y = ((const struct file_of_process *) b)->head;
  const int clocks = memcmp (x->bytes + TRACE_AT_CLOCK, y->bytes + TRACE_AT_CLOCK, TRACE_CLOCK_LENGTH);
  const uint64_t process[] = { field (x, TRACE_AT_PROCESS), field (y, TRACE_AT_PROCESS) };
  const uint64_t ordinal[] = { field (x, TRACE_AT_ORDINAL), field (y, TRACE_AT_ORDINAL) };
  if (clocks)
    return clocks;
  if (process[0] != process[1])
    return process[0] < process[1] ? -1 : 1;
  return (ordinal[0] > ordinal[1]) - (ordinal[0] < ordinal[1]);
}

static bool is_same_process (const struct trace_head *a, const struct trace_head *b) {
  return is_same_clock (a, b) && field (a, TRACE_AT_PROCESS) == field (b, TRACE_AT_PROCESS);
}

// The files of one process, by their ordinals.
static bool check_process (const struct file_of_process *files, size_t count, struct history *h, struct error *error) {
  for (size_t i = 1; i < count; i++)
    if (field (files[i].head, TRACE_AT_ORDINAL) == field (files[i - 1].head, TRACE_AT_ORDINAL))
      return error_set (error, "%.300s: holds the same session as %.300s", files[i].log->path, files[i - 1].log->path);
  const uint64_t first = field (files[0].head, TRACE_AT_ORDINAL),
                 last = field (files[count - 1].head, TRACE_AT_ORDINAL),
                 told = first == 1 ? field (files[0].head, TRACE_AT_SESSIONS) : 0, wanted = told > last ? told : last;
  if (count < wanted)
    history_mark_incomplete (h, "%.300s: of %" PRIu64 " sessions of one process the files of %" PRIu64 " are missing",
                             h->name, wanted, wanted - count);
  return true;
}

// Folders of several machines may have been put together, but nobody traces into two folders of one
// machine as one.
static bool check_folders (const struct file_of_process *files, size_t count, struct error *error) {
  for (size_t i = 1; i < count; i++)
    if (is_same_clock (files[i].head, files[i - 1].head)
        && field (files[i].head, TRACE_AT_FOLDER) != field (files[i - 1].head, TRACE_AT_FOLDER))
      return error_set (error, "%.300s and %.300s: files of two different traces", files[i - 1].log->path,
                        files[i].log->path);
  return true;
}

bool trace_heads_check (const struct trace_heads *heads, const struct logs *logs, struct history *h,
                        struct error *error) {
  VEC (struct file_of_process) files = VEC_EMPTY;
  for (size_t i = 0; i < heads->count; i++)
    if (has_identity (&heads->data[i]))
      VEC_PUSH (files, (struct file_of_process){ &heads->data[i], &logs->data[i] });
  VEC_SORT (files, by_process);
  bool fine = check_folders (files.data, files.count, error);
  for (size_t first = 0, next; fine && first < files.count; first = next) {
    for (next = first + 1; next < files.count && is_same_process (files.data[first].head, files.data[next].head);)
      next++;
    fine = check_process (files.data + first, next - first, h, error);
  }
  VEC_FREE (files);
  return fine;
}

bool trace_heads_have_one_clock (const struct trace_heads *heads) {
  const struct trace_head *first = NULL;
  for (size_t i = 0; i < heads->count; i++) {
    if (!heads->data[i].there)
      continue;
    if (!first)
      first = &heads->data[i];
    if (!is_same_clock (first, &heads->data[i]))
      return false;
  }
  return true;
}

bool trace_heads_have_others (const struct trace_heads *heads, const struct trace_head *head) {
  for (size_t i = 0; i < heads->count; i++) {
    const struct trace_head *other = &heads->data[i];
    if (other->there
        && (!is_same_clock (head, other)
            || memcmp (head->bytes + TRACE_AT_PROCESS, other->bytes + TRACE_AT_PROCESS, 8)))
      return true;
  }
  return false;
}

bool trace_head_has_clock (const struct trace_head *head, const struct trace_clock *clock) {
  return !memcmp (head->bytes + TRACE_AT_CLOCK, clock->id, TRACE_CLOCK_LENGTH);
}
