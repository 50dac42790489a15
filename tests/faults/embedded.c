// An embedding program whose memory runs out: its handler is asked, frees what it kept, and the
// check goes on. With an argument it has nothing to free, and the process ends.

#include <krait/krait.h>

#include <stdio.h>

static int asked;

static int free_something (void *context, size_t bytes) {
  (void) bytes;
  asked++;
  return *(int *) context;
}

int main (int argc, char **argv) {
  static const char text[] =
    "krait 1 init=0\ns1 T1 { get x -> 0; put x 1 } commit\ns2 T2 { get x -> 0; put x 2 } commit\n";
  (void) argv;
  int has_something = argc == 1;
  krait_set_memory_handler (free_something, &has_something);
  krait_history *history = krait_history_read_memory ("history", text, sizeof text - 1, "kht", NULL, 0);
  krait_options *options = krait_options_new ();
  krait_options_set_level (options, "serializable");
  krait_result *result = history ? krait_check (history, options) : NULL;
  const int fine = result && krait_result_verdict (result) == KRAIT_INVALID;
  krait_result_free (result);
  krait_options_free (options);
  krait_history_free (history);
  printf ("%s, asked %d times\n", fine ? "invalid" : "wrong", asked);
  return 0;
}
