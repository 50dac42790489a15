#include "formats/trace_heads.h"

#include <inttypes.h>
#include <string.h>

static bool say_no_header (const struct log *log, struct error *error) {
  return error_at_byte (error, log->path, 0, "expected the header of a trace, found something else");
}

static bool check (const struct log *log, const char *bytes, struct error *error) {
  if (memcmp (bytes, TRACE_MAGIC, TRACE_AT_VERSION))
    return say_no_header (log, error);
  const uint32_t version = load_le32 (bytes + TRACE_AT_VERSION);
  if (version != TRACE_VERSION)
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
  head->there = length >= sizeof head->bytes;
  return head->there ? check (log, head->bytes, error) : say_no_header (log, error);
}

static bool is_same_clock (const struct trace_head *a, const struct trace_head *b) {
  return !memcmp (a->bytes + TRACE_AT_CLOCK, b->bytes + TRACE_AT_CLOCK, TRACE_CLOCK_LENGTH);
}

// Wall clocks are set now and then: files that were begun before and after would be moved by different amounts.
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
