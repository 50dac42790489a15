#include "cli/guard.h"

#include "cli/cli.h"
#include "formats/formats.h"

#include <string.h>
#include <unistd.h>

static void leave (void *context, enum budget_state state) {
  (void) context;
  (void) state;
  history_remove_unfinished ();
  _exit (EXIT_INTERRUPTED);
}

void guard_start (struct guard *guard) {
  budget_start (&guard->budget, 0, 0, &interrupted);
  guard->watch = watch_start (&guard->budget, leave, NULL);
}

void guard_stop (struct guard *guard) {
  watch_stop (guard->watch);
}

void print_history_warnings (const struct history *h) {
  for (const char *at = h->warnings; at && *at;) {
    const size_t length = strcspn (at, "\n");
    warn_about (h->name, at, length);
    at += length + (at[length] == '\n');
  }
}
