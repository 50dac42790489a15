// A certificate for a verdict, whichever it is.

#ifndef KRAIT_API_CERTIFY_H
#define KRAIT_API_CERTIFY_H

#include "api/check.h"
#include "verify/certificate.h"

// For a history that was checked under these options, `certify` among them, with this result. NULL,
// with the reason in `why`: there is none.
struct certificate *certify_result (const struct history *, const struct check_options *, const struct check_result *,
                                    const char **why);

#endif
