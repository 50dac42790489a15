// Bytes collect in a buffer; a full buffer goes through the compressor, if any, to the descriptor.
// The first failure is kept and everything after it dropped, so that writers need not look after
// every call.

#define _GNU_SOURCE

#include "base/output.h"

#include "base/memory.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { BUFFER_LENGTH = 256 << 10, PACKED_LENGTH = 256 << 10, TEMPORARY_TRIES = 1000 };

struct output {
  char *path;      // NULL: memory
  char *temporary; // NULL: written straight to the descriptor (standard output, a device)
  bool noted;      // among the unfinished ones
  int fd;
  bool force;
  VEC (char) buffer;
  char *packed; // compressed bytes on their way
  ZSTD_CStream *zstd;
  z_stream *gzip;
  int failure; // errno of the first one
};

// Temporaries that are not in their place yet. Whoever takes one out of here decides what becomes
// of it.
enum { MOST_UNFINISHED = 64 };
static _Atomic (char *) unfinished[MOST_UNFINISHED];

void output_remove_unfinished (void) {
  for (size_t i = 0; i < MOST_UNFINISHED; i++) {
    const char *name = atomic_exchange (&unfinished[i], NULL);
    if (name)
      unlink (name);
  }
}

// A place of the first becomes one of the second; NULL: a free one. False: there is no such place,
// because there are too many, or somebody has taken the name out.
static bool change_unfinished (char *from, char *to) {
  for (size_t i = 0; i < MOST_UNFINISHED; i++) {
    char *expected = from;
    if (atomic_compare_exchange_strong (&unfinished[i], &expected, to))
      return true;
  }
  return false;
}

static bool ends_in (const char *path, const char *suffix) {
  const size_t length = strlen (path), wanted = strlen (suffix);
  return length > wanted && !strcmp (path + length - wanted, suffix);
}

static void start_compressing (struct output *output, const char *path) {
  if (ends_in (path, ".zst")) {
    output->zstd = ZSTD_createCStream ();
    if (!output->zstd)
      mem_run_out (0);
    ZSTD_CCtx_setParameter (output->zstd, ZSTD_c_checksumFlag, 1);
  } else if (ends_in (path, ".gz")) {
    output->gzip = mem_zalloc (sizeof *output->gzip);
    // 16 asks zlib for gzip's wrapping.
    if (deflateInit2 (output->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      mem_run_out (sizeof *output->gzip);
  }
  if (output->zstd || output->gzip)
    output->packed = mem_alloc (PACKED_LENGTH);
}

// In the folder of the target, because a rename works only within one file system. mkstemp would
// make it private.
static bool create_temporary (struct output *output, struct error *error) {
  const size_t length = strlen (output->path) + 48;
  char *name = mem_alloc (length);
  for (int try = 0; try < TEMPORARY_TRIES; try++) {
    snprintf (name, length, "%s.%ld-%d.tmp", output->path, (long) getpid (), try);
    output->fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->fd >= 0) {
      output->temporary = name;
      output->noted = change_unfinished (NULL, name);
      return true;
    }
    if (errno != EEXIST)
      break;
  }
  mem_free (name);
  return error_set (error, "%s: cannot create: %s", output->path, strerror (errno));
}

static bool refuse_existing (const char *path, struct error *error) {
  return error_set (error, "%s: exists already (--force overwrites it)", path);
}

// What replaces a file is for the same people.
static bool open_target (struct output *output, bool just_try, struct error *error) {
  struct stat status;
  const bool exists = !stat (output->path, &status);
  if (exists && S_ISDIR (status.st_mode))
    return error_set (error, "%s: is a folder", output->path);
  if (exists && !S_ISREG (status.st_mode)) { // a device or a pipe: a rename would replace it
    output->fd = just_try ? -1 : open (output->path, O_WRONLY | O_CLOEXEC);
    return (just_try ? !access (output->path, W_OK) : output->fd >= 0)
           || error_set (error, "%s: cannot open: %s", output->path, strerror (errno));
  }
  if (exists && !output->force)
    return refuse_existing (output->path, error);
  if (!create_temporary (output, error))
    return false;
  return !exists || !fchmod (output->fd, status.st_mode & 07777)
         || error_set (error, "%s: cannot give it the mode of the old file: %s", output->path, strerror (errno));
}

static struct output *output_new (const char *path, bool force) {
  struct output *output = mem_zalloc (sizeof *output);
  output->path = path ? mem_strdup (path) : NULL;
  output->fd = -1;
  output->force = force;
  return output;
}

// A temporary that is made and removed at once tells whether one can be made later, whatever may
// stand against it.
bool output_may_open (const char *path, bool force, struct error *error) {
  if (!strcmp (path, "-"))
    return true;
  struct output *output = output_new (path, force);
  const bool done = open_target (output, true, error);
  output_discard (output);
  return done;
}

struct output *output_open (const char *path, bool force, struct error *error) {
  struct output *output = output_new (path, force);
  if (!strcmp (path, "-")) {
    fflush (stdout);
    output->fd = STDOUT_FILENO;
  } else if (!open_target (output, false, error)) {
    output_discard (output);
    return NULL;
  }
  start_compressing (output, path);
  return output;
}

struct output *output_open_memory (void) {
  return output_new (NULL, false);
}

const char *output_memory (const struct output *output, size_t *length) {
  *length = output->buffer.count;
  return output->buffer.count ? output->buffer.data : "";
}

static void write_raw (struct output *output, const char *bytes, size_t length) {
  while (length && !output->failure) {
    const ssize_t written = write (output->fd, bytes, length);
    if (written < 0 && errno != EINTR)
      output->failure = errno;
    if (written > 0) {
      bytes += written;
      length -= (size_t) written;
    }
  }
}

static void write_zstd (struct output *output, const char *bytes, size_t length, bool last) {
  ZSTD_inBuffer in = { bytes, length, 0 };
  size_t left;
  do {
    ZSTD_outBuffer out = { output->packed, PACKED_LENGTH, 0 };
    left = ZSTD_compressStream2 (output->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError (left) && ZSTD_getErrorCode (left) == ZSTD_error_memory_allocation)
      mem_run_out (0);
    if (ZSTD_isError (left)) {
      output->failure = EIO;
      return;
    }
    write_raw (output, output->packed, out.pos);
  } while (!output->failure && (last ? left != 0 : in.pos < in.size));
}

// `length` fits zlib's 32 bits, because callers write in pieces.
static void write_gzip (struct output *output, const char *bytes, size_t length, bool last) {
  z_stream *gzip = output->gzip;
  gzip->next_in = (Bytef *) (uintptr_t) bytes;
  gzip->avail_in = (uInt) length;
  do {
    gzip->next_out = (Bytef *) output->packed;
    gzip->avail_out = PACKED_LENGTH;
    deflate (gzip, last ? Z_FINISH : Z_NO_FLUSH);
    write_raw (output, output->packed, PACKED_LENGTH - gzip->avail_out);
  } while (!output->failure && gzip->avail_out == 0);
}

static void flush_through (struct output *output, const char *bytes, size_t length, bool last) {
  if (output->failure)
    return;
  if (output->zstd)
    write_zstd (output, bytes, length, last);
  else if (output->gzip)
    write_gzip (output, bytes, length, last);
  else
    write_raw (output, bytes, length);
}

void output_write (struct output *output, const void *bytes, size_t length) {
  const char *from = bytes;
  while (length) {
    size_t piece = length;
    if (output->path) {
      if (output->buffer.count == BUFFER_LENGTH) {
        flush_through (output, output->buffer.data, BUFFER_LENGTH, false);
        output->buffer.count = 0;
      }
      if (piece > BUFFER_LENGTH - output->buffer.count)
        piece = BUFFER_LENGTH - output->buffer.count;
      VEC_RESERVE (output->buffer, BUFFER_LENGTH);
    }
    VEC_RESERVE (output->buffer, output->buffer.count + piece);
    memcpy (output->buffer.data + output->buffer.count, from, piece);
    output->buffer.count += piece;
    from += piece;
    length -= piece;
  }
}

void output_text (struct output *output, const char *text) {
  output_write (output, text, strlen (text));
}

void output_printf (struct output *output, const char *format, ...) {
  char small[512];
  va_list arguments;
  va_start (arguments, format);
  const int length = vsnprintf (small, sizeof small, format, arguments);
  va_end (arguments);
  if (length < 0)
    misuse (__func__, "a format that cannot be printed");
  if ((size_t) length < sizeof small) {
    output_write (output, small, (size_t) length);
    return;
  }
  char *large = mem_alloc ((size_t) length + 1);
  va_start (arguments, format);
  vsnprintf (large, (size_t) length + 1, format, arguments);
  va_end (arguments);
  output_write (output, large, (size_t) length);
  mem_free (large);
}

void output_u64 (struct output *output, uint64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char) ('0' + number % 10);
    number /= 10;
  } while (number);
  output_write (output, digits + at, sizeof digits - at);
}

static void output_free (struct output *output) {
  if (!output->noted || change_unfinished (output->temporary, NULL))
    mem_free (output->temporary);
  if (output->gzip)
    deflateEnd (output->gzip);
  mem_free (output->gzip);
  ZSTD_freeCStream (output->zstd);
  MEM_FREE_ALL (output->packed, output->buffer.data, output->path, output);
}

static void close_fd (struct output *output) {
  if (output->fd > STDOUT_FILENO && close (output->fd) && !output->failure)
    output->failure = errno;
  output->fd = -1;
}

void output_discard (struct output *output) {
  if (!output)
    return;
  close_fd (output);
  if (output->temporary)
    unlink (output->temporary);
  output_free (output);
}

// Without force, a file that appeared in the meantime stays; not every file system can promise that
// in one step.
static bool put_in_place (struct output *output, struct error *error) {
  if (!output->force) {
    if (!renameat2 (AT_FDCWD, output->temporary, AT_FDCWD, output->path, RENAME_NOREPLACE))
      return true;
    if (errno == EEXIST)
      return refuse_existing (output->path, error);
    if (errno != EINVAL && errno != ENOSYS)
      return error_set (error, "%s: cannot create: %s", output->path, strerror (errno));
  }
  return !rename (output->temporary, output->path)
         || error_set (error, "%s: cannot create: %s", output->path, strerror (errno));
}

bool output_commit (struct output *output, struct error *error) {
  bool done = true;
  if (output->path) {
    flush_through (output, output->buffer.data, output->buffer.count, true);
    close_fd (output);
    if (output->failure)
      done = error_set (error, "%s: cannot write: %s", output->path, strerror (output->failure));
    else if (output->temporary)
      done = put_in_place (output, error);
    if (!done && output->temporary)
      unlink (output->temporary);
  }
  output_free (output);
  return done;
}
