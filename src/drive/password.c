#include "drive/password.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_for_all (int descriptor) {
  struct stat status;
  return !fstat (descriptor, &status) && S_ISREG (status.st_mode) && status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP);
}

static bool read_first_line (const char *file, int descriptor, char password[PASSWORD_SIZE], struct error *error) {
  size_t used = 0;
  ssize_t got;
  while (used < PASSWORD_SIZE && (got = read (descriptor, password + used, PASSWORD_SIZE - used)) != 0) {
    if (got < 0 && errno != EINTR)
      return error_set (error, "--password-file=%.400s: %s", file, strerror (errno));
    used += got > 0 ? (size_t) got : 0;
  }
  const char *end = memchr (password, '\n', used);
  const size_t length = end ? (size_t) (end - password) : used;
  if (!length || length == PASSWORD_SIZE || memchr (password, 0, length))
    return error_set (error, "--password-file=%.400s: expected a password in its first line, of at most %d bytes", file,
                      PASSWORD_SIZE - 1);
  memset (password + length, 0, PASSWORD_SIZE - length);
  return true;
}

static bool read_file (const char *file, char password[PASSWORD_SIZE], struct error *error) {
  const int descriptor = open (file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return error_set (error, "--password-file=%.400s: %s", file, strerror (errno));
  const bool done =
    is_for_all (descriptor)
      ? error_set (error, "--password-file=%.400s: all can read it, or others write it (chmod 600 would help)", file)
      : read_first_line (file, descriptor, password, error);
  close (descriptor);
  return done;
}

bool password_read (const char *file, char password[PASSWORD_SIZE], struct error *error) {
  memset (password, 0, PASSWORD_SIZE);
  if (file)
    return read_file (file, password, error);
  const char *given = getenv (PASSWORD_VARIABLE);
  if (given && strlen (given) >= PASSWORD_SIZE)
    return error_set (error, PASSWORD_VARIABLE ": it has more than %d bytes", PASSWORD_SIZE - 1);
  memcpy (password, given ? given : "", given ? strlen (given) : 0);
  return true;
}
