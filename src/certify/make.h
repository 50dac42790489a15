// Making certificates: what the checker found, written down for the verifier. Nothing here is
// trusted by anybody; a mistake makes a certificate that the verifier refuses.

#ifndef KRAIT_CERTIFY_MAKE_H
#define KRAIT_CERTIFY_MAKE_H

#include "verify/certificate.h"

struct asg;
struct constraints;
struct budget;
struct hints;
struct ir_witness;

#define ALTERNATIVE_NONE UINT32_MAX

struct certify_claim {
  const struct history *h;
  struct claim claim;
  const struct hints *hints; // facts that the verdict may rest on, or NULL
  const uint32_t *origin;    // of a history that a dialect made, or NULL
  // `valid` if what is missing explains what nothing else does
  bool excusing;
  // Sources may be named that the verifier would find by itself, and of operations that read
  // nothing: that is faster, and only for verify_now.
  bool generous;
  const struct cert_constraints *constraints; // of modules, or NULL
  // for `valid`: per constraint the alternative that was taken, or ALTERNATIVE_NONE; or NULL
  const uint32_t *preferred;
};

// What modules demand, in the words of certificates. `asg`: what they saw.
struct cert_constraints *certify_constraints (const struct constraints *, const struct asg *);
void certify_constraints_free (struct cert_constraints *);
// NULL is allowed
struct cert_constraints *certify_constraints_copy (const struct cert_constraints *);

// Names the alternatives that hold in the world of the certificate so far.
struct world;
void certify_alternatives (struct certificate *, struct world *, const uint32_t *preferred);

// `valid` by a witness of an IR. NULL: something is missing.
struct certificate *certify_witness (const struct certify_claim *, const struct ir_witness *);

// `invalid` by a refutation that speaks of these transactions only, ascending. NULL, with the
// reason in `why`: there is none, or it was not found within the budget.
struct certificate *certify_refutation (const struct certify_claim *, const uint32_t *txns, uint32_t count,
                                        struct budget *, const char **why);

#endif
