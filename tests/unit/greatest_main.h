// The main function of a unit test program:
//
//   #include "greatest_main.h"
//   TEST empty_vector_has_no_items (void) { ...; PASS (); }
//   SUITE (vectors) { RUN_TEST (empty_vector_has_no_items); }
//   KRAIT_UNIT_MAIN (RUN_SUITE (vectors);)
//
// It takes greatest's own options (-v, -s SUITE, -t TEST) and closes with the line of counts that
// tests/run adds up.

#ifndef KRAIT_TESTS_GREATEST_MAIN_H
#define KRAIT_TESTS_GREATEST_MAIN_H

#include <greatest.h>
#include <stdio.h>
#include <stdlib.h>

static inline int krait_unit_close (void) {
  struct greatest_report_t report;
  greatest_get_report (&report);
  printf ("%u passed, %u failed, %u skipped\n", report.passed, report.failed, report.skipped);
  return report.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

// greatest's own functions do not survive -Wconversion, ours must.
#define KRAIT_UNIT_MAIN(...)                                                                                           \
  _Pragma ("GCC diagnostic push") _Pragma ("GCC diagnostic ignored \"-Wconversion\"") GREATEST_MAIN_DEFS ();           \
  _Pragma ("GCC diagnostic pop") int main (int argc, char **argv) {                                                    \
    GREATEST_MAIN_BEGIN ();                                                                                            \
    __VA_ARGS__                                                                                                        \
    GREATEST_PRINT_REPORT ();                                                                                          \
    return krait_unit_close ();                                                                                        \
  }

#endif
