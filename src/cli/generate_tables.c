#include "cli/generate_tables.h"

#include "cli/wrap.h"
#include "generate/faults.h"
#include "generate/isolation.h"
#include "generate/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_workloads (void) {
  printf ("\nWorkloads\n");
  for (size_t i = 0; workloads[i]; i++) {
    printf ("  %s\n", workloads[i]->name);
    wrap_text (workloads[i]->about, WRAP_INDENT);
  }
}

static void print_isolations (void) {
  printf ("\n%-30s its histories satisfy\n", "Levels of the store");
  for (size_t i = 0; isolations[i]; i++) {
    printf ("  %-28s %s\n", isolations[i]->name,
            isolations[i]->holds ? isolations[i]->holds : "(what its dialect allows)");
    wrap_text (isolations[i]->about, WRAP_INDENT);
  }
}

// The workloads, each with the number of keys that --fault takes.
static void print_shows (const struct fault *fault) {
  char text[512] = "shown by:";
  size_t used = strlen (text);
  for (size_t i = 0; workloads[i] && used + 64 < sizeof text; i++) {
    const uint64_t keys = fault_keys (fault, workloads[i]->name, workloads[i]->overbooked);
    if (keys)
      used += (size_t) snprintf (text + used, sizeof text - used, " %s:%" PRIu64, workloads[i]->name, keys);
  }
  wrap_text (text, WRAP_INDENT);
}

static void print_faults (void) {
  printf ("\n%-30s %-35s keeps\n", "Faults", "breaks");
  wrap_text ("shown by: workloads, and the number of keys that they have with the fault unless --keys says another",
             WRAP_INDENT);
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    const struct fault *fault = &faults[id];
    char about[256];
    snprintf (about, sizeof about, "%s (--level=%s; rate %g)", fault->about, fault->isolation, fault->rate);
    printf ("  %-28s %-35s %s\n", fault->name, fault->breaks, fault->keeps);
    wrap_text (about, WRAP_INDENT);
    print_shows (fault);
  }
}

void generate_tables_print (void) {
  print_workloads ();
  print_isolations ();
  print_faults ();
}
