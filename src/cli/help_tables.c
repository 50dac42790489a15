#include "cli/help_tables.h"

#include "dialects/dialects.h"
#include "drive/driver.h"
#include "formats/formats.h"
#include "generate/faults.h"
#include "generate/isolation.h"
#include "generate/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void print_about (const char *text) {
  enum { WIDTH = 96, INDENT = 6 };
  int column = INDENT;
  printf ("%*s", INDENT, "");
  while (*text) {
    const int length = (int) strcspn (text, " ");
    if (column > INDENT && column + 1 + length > WIDTH) {
      printf ("\n%*s", INDENT, "");
      column = INDENT;
    }
    if (column > INDENT)
      column += printf (" ");
    column += printf ("%.*s", length, text);
    text += length;
    text += strspn (text, " ");
  }
  printf ("\n");
}

void print_workloads (void) {
  printf ("\nWorkloads\n");
  for (const struct workload *workload = workloads; workload->name; workload++) {
    printf ("  %s\n", workload->name);
    print_about (workload->about);
  }
}

void print_isolations (void) {
  printf ("\n%-30s its histories satisfy\n", "Levels of the store");
  for (const struct isolation *isolation = isolations; isolation->name; isolation++) {
    printf ("  %-28s %s\n", isolation->name, isolation->holds ? isolation->holds : "(what its dialect allows)");
    print_about (isolation->about);
  }
}

// The workloads, each with the number of keys that --fault takes.
static void print_shows (const struct fault *fault) {
  char text[512] = "shown by:";
  size_t used = strlen (text);
  for (const struct workload *workload = workloads; workload->name && used + 64 < sizeof text; workload++) {
    const uint64_t keys = fault_keys (fault, workload->name, workload->overbooked);
    if (keys)
      used += (size_t) snprintf (text + used, sizeof text - used, " %s:%" PRIu64, workload->name, keys);
  }
  print_about (text);
}

void print_faults (void) {
  printf ("\n%-30s %-35s keeps\n", "Faults", "breaks");
  print_about ("shown by: workloads, and the number of keys that they have with the fault unless --keys says another");
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    const struct fault *fault = &faults[id];
    char about[256];
    snprintf (about, sizeof about, "%s (--level=%s; rate %g)", fault->about, fault->isolation, fault->rate);
    printf ("  %-28s %-35s %s\n", fault->name, fault->breaks, fault->keeps);
    print_about (about);
    print_shows (fault);
  }
}

void print_drivers (void) {
  printf ("\nDatabases\n");
  for (size_t i = 0; drivers[i]; i++) {
    printf ("  %s: %s\n", drivers[i]->name, drivers[i]->about);
    print_about (drivers[i]->url);
    for (const struct driver_level *level = drivers[i]->levels; level->name; level++) {
      char text[256];
      snprintf (text, sizeof text, "--isolation=%s: %s", level->name, level->about);
      print_about (text);
    }
  }
  if (!drivers[0])
    printf ("  none: this krait was built without client libraries\n");
}

void print_dialects (void) {
  printf ("\nDialects\n");
  for (size_t i = 0; dialects[i]; i++) {
    printf ("  %s\n", dialects[i]->name);
    print_about (dialects[i]->about);
  }
}

void print_formats (void) {
  printf ("\nFormats\n");
  for (size_t i = 0; formats[i]; i++)
    printf ("  %-10s %s%s\n", formats[i]->name, formats[i]->title, format_can_write (formats[i]) ? "" : " (read only)");
}
