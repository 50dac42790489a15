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
  struct claim claim;
  // what the verifier understands of the history, with the facts that the verdict may rest on
  struct told *told;
  // Sources may be named that the verifier would find by itself, and of operations that read
  // nothing: that is faster, and only for a verification that is prepared.
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

// The points of the witness; `node_txn`: the transaction of each node, or NULL: it goes by the same
// number.
void certify_order (struct certificate *, const struct ir_witness *, const uint32_t *node_txn);

// `invalid` by a refutation that speaks of these transactions, ascending, and of whom they may have
// read from. `told` is what the verifier understands of the history. NULL, with the reason in
// `why`: there is none, or it was not found within the budget.
struct certificate *certify_refutation (struct told *told, const struct claim *, const struct cert_constraints *,
                                        const uint32_t *txns, uint32_t count, struct budget *, const char **why);

// The same of an IR that was read from a file. The refutation begins with what is said of these
// nodes, ascending.
struct ir;
struct certificate *certify_ir_witness (const struct ir *, const struct ir_witness *);
struct certificate *certify_ir_refutation (const struct ir *, const uint32_t *nodes, size_t count, struct budget *,
                                           const char **why);

#endif
