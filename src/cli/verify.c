// krait verify: the same as the separate program krait-verify, for those who have only this one.

#include "cli/cli.h"
#include "cli/verify_files.h"

int command_verify (const struct options *options) {
  struct error error = { 0 };
  if (options->argument_count != 2)
    return usage_error ("verify: a history and a certificate, in this order: krait verify HISTORY CERTIFICATE");
  const struct verify_request request = {
    .history = options->arguments[0],
    .certificate = options->arguments[1],
    .format = options->format,
    .init = options->init,
    .json = options->json,
    .ignore_unreadable = options->ignore_unreadable,
    .dump = options->dump,
    .timeout = options->timeout,
    .memory = options->memory,
    .stop = &interrupted,
    .program = "krait",
  };
  const int code = verify_files (&request, &error);
  return error.code ? fail (&error) : code;
}
