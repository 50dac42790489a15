#define _GNU_SOURCE // memrchr

// Three layers: raw bytes (a caller's block, or a descriptor that is read piece by piece), an
// optional decompressor, and the window: the decoded bytes that were produced and not consumed yet.
// A caller's plain block is the window itself; a plain file is read straight into it.
//
// Files are not mapped: one that gets shorter meanwhile would end the process by a signal, which a
// library has no business to catch. Reading into a buffer that stays in the cache costs no more
// than the page faults of a mapping.

#include "base/input.h"

#include "base/decompress.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PEEK_LENGTH = 64 << 10, RAW_LENGTH = 256 << 10, GROWTH = 256 << 10, LARGEST_READ = 1 << 30 };
static const size_t longest_line = (size_t) 1 << 30;

struct input {
  char *name;

  int fd;           // -1: nothing is left to be read
  char *raw_buffer; // NULL: the raw bytes are a caller's
  const char *raw;  // raw bytes not used yet
  size_t raw_left;
  uint64_t raw_used; // for messages
  bool raw_ended;

  // a file, of which `unread` bytes were not read yet; what is added meanwhile is left alone
  bool sized;
  uint64_t unread;

  struct decompress *decompress; // NULL: plain

  const char *window; // decoded bytes: window[begin .. end)
  char *buffer;       // the window's memory if it is our own
  size_t begin, end, capacity;
  size_t searched; // of the window, from begin on: holds no newline
  bool ended;      // no decoded bytes follow the window

  uint64_t line_number;
  bool line_torn;
};

static void close_fd (struct input *input) {
  if (input->fd > STDIN_FILENO)
    close (input->fd);
  input->fd = -1;
}

// The next bytes of the descriptor; `got` is 0 at the end.
static bool read_some (struct input *input, char *to, size_t room, size_t *got, struct error *error) {
  if (room > LARGEST_READ)
    room = LARGEST_READ;
  if (input->sized && room > input->unread)
    room = (size_t) input->unread;
  ssize_t length = 0;
  do
    length = input->fd >= 0 && room ? read (input->fd, to, room) : 0;
  while (length < 0 && errno == EINTR);
  if (length < 0)
    return error_set (error, "%s: cannot read: %s", input->name, strerror (errno));
  if (input->sized && !length && input->unread)
    return error_set (error, "%s: became shorter while it was read, by %" PRIu64 " bytes", input->name, input->unread);
  if (input->sized)
    input->unread -= (uint64_t) length;
  if (input->sized && !input->unread) // a folder of logs would use up descriptors
    close_fd (input);
  *got = (size_t) length;
  return true;
}

// One more piece of raw bytes, if there is any.
static bool refill_raw (struct input *input, struct error *error) {
  if (input->raw_left || input->raw_ended)
    return true;
  // The buffer of a file that is shorter is too, but then so is what is left to be read.
  if (!read_some (input, input->raw_buffer, RAW_LENGTH, &input->raw_left, error))
    return false;
  input->raw = input->raw_buffer;
  input->raw_ended = !input->raw_left;
  return true;
}

// Telling the compression takes four bytes; a pipe may hand them out one by one.
static bool read_magic (struct input *input, struct error *error) {
  const size_t length = input->sized && input->unread < RAW_LENGTH ? (size_t) input->unread : RAW_LENGTH;
  size_t have = 0, got = 1;
  input->raw_buffer = mem_alloc (length);
  while (have < 4 && got) {
    if (!read_some (input, input->raw_buffer + have, length - have, &got, error))
      return false;
    have += got;
  }
  input->raw_ended = !got;
  input->raw = input->raw_buffer;
  input->raw_left = have;
  return true;
}

static void start_decoding (struct input *input) {
  const enum compression compression = compression_of (input->raw, input->raw_left);
  if (compression != COMPRESSION_NONE) {
    input->decompress = decompress_new (compression);
  } else if (!input->raw_buffer || (input->sized && !input->unread)) { // all is there
    input->window = input->raw;
    input->end = input->raw_left;
    input->ended = true;
  }
}

static struct input *input_new (const char *name) {
  struct input *input = mem_zalloc (sizeof *input);
  input->name = mem_strdup (name);
  input->fd = -1;
  input->raw = input->window = "";
  return input;
}

struct input *input_open_memory (const char *name, const void *bytes, size_t length) {
  struct input *input = input_new (name);
  if (length)
    input->raw = bytes;
  input->raw_left = length;
  input->raw_ended = true;
  start_decoding (input);
  return input;
}

static bool open_path (struct input *input, const char *path, struct error *error) {
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return error_set (error, "%s: cannot open: %s", path, strerror (errno));
  input->fd = fd;
  struct stat status;
  if (fstat (fd, &status))
    return error_set (error, "%s: cannot read: %s", path, strerror (errno));
  if (S_ISDIR (status.st_mode))
    return error_set (error, "%s: is a folder, not a file", path);
  // Files under /proc claim to be empty; those are read like a pipe.
  input->sized = S_ISREG (status.st_mode) && status.st_size > 0;
  if (input->sized)
    input->unread = (uint64_t) status.st_size;
  return true;
}

struct input *input_open (const char *path, struct error *error) {
  const bool standard = !strcmp (path, "-");
  struct input *input = input_new (standard ? "standard input" : path);
  if (standard)
    input->fd = STDIN_FILENO;
  bool opened = standard || open_path (input, path, error);
  opened = opened && read_magic (input, error);
  if (!opened) {
    input_close (input);
    return NULL;
  }
  start_decoding (input);
  return input;
}

void input_close (struct input *input) {
  if (!input)
    return;
  close_fd (input);
  decompress_free (input->decompress);
  MEM_FREE_ALL (input->raw_buffer, input->buffer, input->name, input);
}

const char *input_name (const struct input *input) {
  return input->name;
}

// Room for at least so many more bytes behind the window.
static void make_room (struct input *input, size_t room) {
  const size_t used = input->end - input->begin;
  if (input->capacity - input->end >= room)
    return;
  if (input->begin && used + room <= input->capacity - input->capacity / 4) {
    memmove (input->buffer, input->buffer + input->begin, used);
  } else {
    input->capacity = used + room > 2 * (used + GROWTH) ? used + room : 2 * (used + GROWTH);
    char *grown = mem_alloc (input->capacity);
    if (used)
      memcpy (grown, input->buffer + input->begin, used);
    mem_free (input->buffer);
    input->buffer = grown;
  }
  input->window = input->buffer;
  input->begin = 0;
  input->end = used;
}

static bool decode_more (struct input *input, struct error *error) {
  struct decompress_step step = { input->raw, input->raw_left, input->buffer + input->end, input->capacity - input->end,
                                  0 };
  const char *wrong = decompress_some (input->decompress, &step);
  input->raw_used += input->raw_left - step.raw_left;
  input->raw = step.raw;
  input->raw_left = step.raw_left;
  input->end += step.produced;
  return !wrong || error_at_byte (error, input->name, input->raw_used, "%s", wrong);
}

// Raw bytes that are there already come first.
static bool copy_more (struct input *input, struct error *error) {
  const size_t room = input->capacity - input->end;
  size_t taken = input->raw_left < room ? input->raw_left : room;
  if (input->raw_left) {
    memcpy (input->buffer + input->end, input->raw, taken);
    input->raw += taken;
    input->raw_left -= taken;
  } else {
    if (!read_some (input, input->buffer + input->end, room, &taken, error))
      return false;
    input->raw_ended = !taken;
  }
  input->raw_used += taken;
  input->end += taken;
  return true;
}

// Some more decoded bytes, or `ended`.
static bool fill (struct input *input, struct error *error) {
  make_room (input, GROWTH);
  const size_t end = input->end;
  while (input->end == end) {
    if (input->decompress && !refill_raw (input, error))
      return false;
    if (!input->raw_left && input->raw_ended) {
      input->ended = true;
      if (input->decompress && !decompress_at_end (input->decompress))
        return error_at_byte (error, input->name, input->raw_used, "the compressed data is cut off");
      return true;
    }
    if (!(input->decompress ? decode_more (input, error) : copy_more (input, error)))
      return false;
  }
  return true;
}

const char *input_peek (struct input *input, size_t *length, struct error *error) {
  while (!input->ended && input->end - input->begin < PEEK_LENGTH)
    if (!fill (input, error))
      return NULL;
  *length = input->end - input->begin;
  if (*length > PEEK_LENGTH)
    *length = PEEK_LENGTH;
  return input->window + input->begin;
}

bool input_line (struct input *input, const char **line, size_t *length, struct error *error) {
  const char *newline;
  for (;;) {
    const size_t unread = input->end - input->begin, unsearched = unread - input->searched;
    newline = unsearched ? memchr (input->window + input->begin + input->searched, '\n', unsearched) : NULL;
    if ((newline ? (size_t) (newline - input->window) - input->begin : unread) > longest_line)
      return error_at_line (error, input->name, input->line_number + 1, 0, "a line of more than 1 GiB");
    if (newline || input->ended)
      break;
    input->searched = unread;
    if (!fill (input, error))
      return false;
  }
  input->searched = 0;
  if (!newline && input->begin == input->end)
    return false;
  *line = input->window + input->begin;
  *length = newline ? (size_t) (newline - *line) : input->end - input->begin;
  input->begin += *length + (newline ? 1 : 0);
  if (newline && *length && (*line)[*length - 1] == '\r')
    --*length;
  input->line_number++;
  input->line_torn = !newline;
  return true;
}

// A piece that is no longer than the longest line holds none that is.
bool input_lines (struct input *input, uint64_t before, const char **lines, size_t *length, struct error *error) {
  const char *newline;
  for (;;) {
    const size_t unread = input->end - input->begin, looked_at = unread <= longest_line ? unread : longest_line + 1;
    const char *first = input->window + input->begin;
    newline = looked_at ? memrchr (first + input->searched, '\n', looked_at - input->searched) : NULL;
    if (!newline && unread > longest_line)
      return error_at_line (error, input->name, before + 1, 0, "a line of more than 1 GiB");
    if (newline || input->ended)
      break;
    input->searched = unread;
    if (!fill (input, error))
      return false;
  }
  input->searched = 0;
  *lines = input->window + input->begin;
  *length = newline ? (size_t) (newline - *lines) + 1 : input->end - input->begin;
  input->begin += *length;
  input->line_torn = !newline;
  return *length != 0;
}

uint64_t input_line_number (const struct input *input) {
  return input->line_number;
}

bool input_line_torn (const struct input *input) {
  return input->line_torn;
}

const char *input_up_to (struct input *input, size_t most, size_t *length, struct error *error) {
  while (!input->ended && input->end - input->begin <= most)
    if (!fill (input, error))
      return NULL;
  *length = input->end - input->begin;
  return input->window + input->begin;
}

const char *input_all (struct input *input, size_t *length, struct error *error) {
  // A few kilobytes can decompress to terabytes; half of the machine's memory is more than a
  // history of that size could use.
  const size_t most = mem_half_of_machine ();
  // all at once, without growing by and by
  if (input->sized && !input->decompress && input->unread < most)
    make_room (input, input->raw_left + (size_t) input->unread + GROWTH);
  const char *bytes = input_up_to (input, most, length, error);
  // a caller's block is no memory of ours
  if (!bytes || *length <= most || input->window != input->buffer)
    return bytes;
  error_set_code (error, ERROR_LIMIT, "%s: holds more than %zu bytes, half of this machine's memory", input->name,
                  most);
  return NULL;
}

bool input_length (const struct input *input, uint64_t *length) {
  *length = input->end - input->begin;
  if (input->ended)
    return true;
  if (!input->sized || input->decompress)
    return false;
  *length += input->raw_left + input->unread;
  return *length <= mem_half_of_machine ();
}

// What was read ahead comes first; the rest need not go through a buffer.
bool input_take (struct input *input, void *to, size_t length, struct error *error) {
  char *at = to;
  size_t taken = input->end - input->begin < length ? input->end - input->begin : length;
  if (taken)
    memcpy (at, input->window + input->begin, taken);
  input->begin += taken;
  for (size_t done = taken; done < length; done += taken) {
    taken = input->raw_left < length - done ? input->raw_left : length - done;
    if (taken) {
      memcpy (at + done, input->raw, taken);
      input->raw += taken;
      input->raw_left -= taken;
    } else if (!read_some (input, at + done, length - done, &taken, error)) {
      return false;
    } else if (!taken) {
      misuse (__func__, "more bytes than there are");
    }
  }
  return true;
}
