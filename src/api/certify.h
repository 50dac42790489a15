// A certificate for a verdict, whichever it is.

#ifndef KRAIT_API_CERTIFY_H
#define KRAIT_API_CERTIFY_H

#include "api/check.h"
#include "core/part.h"
#include "verify/certificate.h"

// A verdict of `invalid` is shown to the verifier, with a refutation of what the result's violation
// is about. If it is refused, the verdict becomes `unknown`; that there is none to be shown, within
// these limits, becomes a warning.
void verify_refutation (struct check_result *, const struct history *, const struct check_options *,
                        const struct part_limits *);

// For a history that was checked under these options, `certify` among them, with this result. NULL,
// with the reason in `why`: there is none.
struct certificate *certify_result (const struct history *, const struct check_options *, const struct check_result *,
                                    const char **why);

// The same of an IR that check_ir was asked about.
struct certificate *certify_ir_result (const struct ir *, const struct check_options *, const struct check_result *,
                                       const char **why);

#endif
