// The file of --certificate.

#ifndef KRAIT_CLI_CERTIFICATE_H
#define KRAIT_CLI_CERTIFICATE_H

#include "cli/check_one.h"

// Nothing is asked for that a certificate cannot be made of, and its file may be written.
bool certificate_may_be_written (const struct check_job *, size_t histories, struct error *);

// For check_job.look; the context is the job.
bool certificate_look (void *context, const struct check_result *, const struct history *, const struct ir *,
                       struct error *);

#endif
