// The file of a traced session: a shared mapping, so that the kernel has every record as soon as it
// is stored, and writes it back whatever becomes of the process.

#include "drive/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FIRST_PIECE = 1 << 16, LARGEST_PIECE = 1 << 22 };

static size_t page_size (void) {
  return (size_t) sysconf (_SC_PAGESIZE);
}

// Beyond the limit of the process the kernel would send a signal, which ends a program that did not
// expect one.
static bool is_beyond_limit (uint64_t end) {
  struct rlimit limit;
  return !getrlimit (RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur;
}

static int reserve (int fd, uint64_t from, uint64_t to) {
  if (is_beyond_limit (to))
    return EFBIG;
  int code;
  do
    code = posix_fallocate (fd, (off_t) from, (off_t) (to - from));
  while (code == EINTR);
  return code;
}

int tracer_file_grow (struct tracer_file *file, size_t length) {
  const uint64_t page = page_size ();
  const uint64_t from = file->at / page * page;
  uint64_t to = from + file->piece;
  if (to - file->at < length)
    to = (file->at + length + page - 1) / page * page;
  const int code = reserve (file->fd, from, to);
  if (code)
    return code;
  void *window = mmap (NULL, to - from, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, (off_t) from);
  if (window == MAP_FAILED)
    return errno;
  if (file->window)
    munmap (file->window, file->window_to - file->window_from);
  file->window = window;
  file->window_from = from;
  file->window_to = to;
  if (file->piece < LARGEST_PIECE)
    file->piece *= 2;
  return 0;
}

int tracer_file_create (struct tracer_file *file, const char *path, const struct trace_clock *clock,
                        const struct trace_identity *identity) {
  *file = (struct tracer_file){ .piece = FIRST_PIECE };
  file->fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file->fd < 0)
    return errno;
  int code = tracer_file_grow (file, TRACE_HEADER_LENGTH);
  if (!code) {
    file->header = mmap (NULL, page_size (), PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
    if (file->header == MAP_FAILED)
      code = errno;
  }
  if (code) {
    file->header = NULL;
    tracer_file_close (file);
    unlink (path); // without a header it is no trace
    return code;
  }
  // The magic comes last: without it there is no header yet, and nothing logged.
  char header[TRACE_HEADER_LENGTH];
  uint64_t magic;
  trace_put_header (header, clock, identity);
  memcpy (&magic, header, sizeof magic);
  memcpy (file->header + sizeof magic, header + sizeof magic, sizeof header - sizeof magic);
  __atomic_store_n ((uint64_t *) (void *) file->header, magic, __ATOMIC_RELEASE);
  file->at = TRACE_HEADER_LENGTH;
  return 0;
}

int tracer_file_abandon (struct tracer_file *file) {
  if (file->window)
    munmap (file->window, file->window_to - file->window_from);
  if (file->header)
    munmap (file->header, page_size ());
  return close (file->fd) ? errno : 0;
}

int tracer_file_close (struct tracer_file *file) {
  int code = 0;
  if (file->header)
    __atomic_store_n ((uint64_t *) (void *) (file->header + TRACE_AT_CLOSED), htole64 (1), __ATOMIC_RELEASE);
  if (file->header && ftruncate (file->fd, (off_t) file->at)) // gives back what was reserved ahead
    code = errno;
  const int closed = tracer_file_abandon (file);
  return code ? code : closed;
}
