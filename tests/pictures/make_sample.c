// Pictures that the checker does not make by itself, for tests and for looking at them: make_sample
// NAME dot|svg|html >FILE.
//
//   choice      two branches, the initial state, surrounding transactions, all kinds of edges
//   hostile     names that would like to be markup
//   dense N     N transactions in 24 sessions with times, N edges at random, a cycle of N / 4
//   scattered N N transactions in sessions of their own, one cycle

#include "base/output.h"
#include "explain/picture.h"

#include "tests/pictures/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main (int argc, char **argv) {
  struct picture *p = argc > 2 ? sample_picture (argv[1], argc > 3 ? (uint32_t) atoi (argv[3]) : 0) : NULL;
  if (!p) {
    fprintf (stderr, "usage: make_sample choice|hostile|dense|scattered dot|svg|html [N]\n");
    return 2;
  }
  struct error error = { 0 };
  struct output *out = output_open ("-", false, &error);
  if (!strcmp (argv[2], "dot"))
    picture_write_dot (p, out);
  else if (!strcmp (argv[2], "svg"))
    picture_write_svg (p, out);
  else
    picture_write_html (p, out);
  const bool done = output_commit (out, &error);
  picture_free (p);
  return done ? 0 : 1;
}
