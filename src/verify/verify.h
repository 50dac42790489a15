// The verifier: does a certificate show what it claims about a history? It knows the semantics
// (effects.h), the levels (claim.h) and how to follow an argument; nothing of graphs, saturation or
// search.

#ifndef KRAIT_VERIFY_VERIFY_H
#define KRAIT_VERIFY_VERIFY_H

#include "verify/certificate.h"
#include "verify/split.h"

struct budget;

// What is wrong with a certificate, in one line.
struct complaint {
  char text[256];
};

// True: the history satisfies the level (a certificate of `valid`), or nothing can make it do so
// (of `invalid`).
bool verify_certificate (const struct history *, const struct certificate *, struct complaint *);

// What is different for whoever came to a verdict of `valid` just now: it is within a budget, with
// the hints of the history as they were read already (NULL: there are none; those of the parts that
// a dialect makes are read again), and of an incomplete history also that it is valid if what is
// missing explains what nothing else does. Sources that no read asks for do not count.
struct verify_now {
  const struct hints *hints;
  bool excusing;
  struct budget *budget; // or NULL
};

// The same in steps. False with a complaint: the certificate is not for this history, or there is
// no such claim. verification_close in any case.
struct verification {
  const struct certificate *c;
  struct split split; // if there is a dialect
  struct hints *hints;
  struct told *told;            // of the history as it is meant; or NULL
  const struct verify_now *now; // or NULL
};
bool verification_open (struct verification *, const struct history *, const struct certificate *, struct complaint *);
bool verification_run (struct verification *, struct complaint *);
void verification_close (struct verification *);

// For whoever makes a certificate and has it verified: the first step without one, which can be
// made of what is told, and then the rest of them. False without a complaint, and nothing left of
// the budget: it was stopped.
bool verification_prepare (struct verification *, const struct history *, const struct claim *, bool valid,
                           const struct verify_now *, struct complaint *);
bool verification_finish (struct verification *, const struct certificate *, struct complaint *);

// Inside.
struct claim_level;
bool complain (struct complaint *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
bool verify_valid (struct told *, const struct certificate *, const struct claim_level *, const struct verify_now *,
                   struct complaint *);
bool verify_invalid (struct told *, const struct certificate *, const struct claim_level *, struct complaint *);

#endif
