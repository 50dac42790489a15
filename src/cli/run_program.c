#include "cli/run_program.h"

#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#define PROGRAM "krait-run"

// The folder that this program is in, as in `/usr/bin/`. False: nobody knows.
static bool own_folder (char *path, size_t size) {
  const ssize_t length = readlink ("/proc/self/exe", path, size - 1);
  if (length < 0)
    return false;
  path[length] = 0;
  char *slash = strrchr (path, '/');
  if (slash)
    slash[1] = 0;
  return slash != NULL;
}

// Beside this program in a build folder; else where it was installed, also if that was moved as a
// whole.
int become_run_program (char **argv) {
  static const char *const beside[] = { PROGRAM, "../libexec/krait/" PROGRAM };
  char folder[PATH_MAX], path[2 * PATH_MAX];
  const bool known = own_folder (folder, sizeof folder);
  for (size_t i = 0; known && i < sizeof beside / sizeof *beside; i++) {
    snprintf (path, sizeof path, "%s%s", folder, beside[i]);
    execv (path, argv);
    if (errno != ENOENT)
      return usage_error ("run: cannot start %s: %s", path, strerror (errno));
  }
  execv (KRAIT_LIBEXECDIR "/" PROGRAM, argv);
  return usage_error ("run: cannot start %s: %s", KRAIT_LIBEXECDIR "/" PROGRAM, strerror (errno));
}
