// Krait inside another program: a history that was put together in memory is checked at one level.
//
//   cc embed.c $(pkg-config --cflags --libs krait)

#include <krait/krait.h>

#include <stdio.h>
#include <string.h>

// Two clients move money from x to y at the same time, and each sees only half of what the other
// did.
static const char recorded[] =
  "{\"krait\":1,\"init\":{\"default\":50}}\n"
  "{\"s\":1,\"t\":1,\"st\":\"ok\",\"ops\":[[\"get\",\"x\",50],[\"get\",\"y\",50],[\"put\",\"x\",-40]]}\n"
  "{\"s\":2,\"t\":2,\"st\":\"ok\",\"ops\":[[\"get\",\"x\",50],[\"get\",\"y\",50],[\"put\",\"y\",-40]]}\n";

static int check (const krait_history *history, const char *level) {
  krait_options *options = krait_options_new ();
  if (!krait_options_set_level (options, level)) {
    fprintf (stderr, "no such level: %s\n", level);
    krait_options_free (options);
    return 2;
  }
  krait_options_set_timeout (options, 10);
  krait_result *result = krait_check (history, options);
  const int verdict = krait_result_verdict (result);
  switch (krait_result_verdict (result)) {
  case KRAIT_VALID: printf ("%s holds\n", krait_result_level (result)); break;
  case KRAIT_INVALID:
    printf ("%s is violated: %s\n%s", krait_result_level (result), krait_result_anomaly (result),
            krait_result_explanation (result));
    break;
  case KRAIT_BAD_INPUT: printf ("the history contradicts its hints: %s\n", krait_result_reason (result)); break;
  case KRAIT_UNKNOWN: printf ("nothing is known: %s\n", krait_result_reason (result)); break;
  }
  krait_result_free (result);
  krait_options_free (options);
  return verdict;
}

int main (void) {
  char message[KRAIT_MESSAGE_SIZE];
  krait_history *history =
    krait_history_read_memory ("two transfers", recorded, strlen (recorded), "jsonl", message, sizeof message);
  if (!history) {
    fprintf (stderr, "%s\n", message);
    return 2;
  }
  printf ("%s has %d transactions\n", "the history", (int) krait_history_transactions (history));
  const int verdict = check (history, "serializable");
  krait_history_free (history);
  return verdict;
}
