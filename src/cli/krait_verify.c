// krait-verify: checks a certificate that `krait check --certificate=FILE` wrote. It holds the
// readers of histories and the verifier, and no part of what came to the verdict.

#include "cli/quantities.h"
#include "cli/verify_files.h"
#include "config.h"

#include <stdio.h>

static const char help[] =
  "usage: krait-verify [options] HISTORY CERTIFICATE\n"
  "\n"
  "Says whether a certificate shows what it claims about a history: `certified valid`, that the history satisfies the\n"
  "isolation level that it names; `certified invalid`, that nothing could make it do so. `krait check --level=LEVEL\n"
  "--certificate=FILE HISTORY` writes certificates. HISTORY may be a .kir file, what a level makes of a history. This\n"
  "program does not contain the checker or its solver.\n"
  "\n"
  "  --format=FORMAT   the format of the history; by default found from its content\n"
  "  --ignore-unreadable  leave out operations that cannot be read, as krait check did\n"
  "  --init=STATE      the initial state, as it was given to krait check: absent, any, a value, or a file\n"
  "  --dump            the certificate as text, behind the answer\n"
  "  --json            one JSON object\n"
  "  --timeout=SECONDS give up after this time, reading included\n"
  "  --memory=BYTES    give up when this much memory is in use (K, M, G: powers of 1024)\n"
  "  --help, --version\n"
  "\n"
  "Either file may be -, standard input. Exit codes: 0 certified, 1 refused, 2 usage error or unreadable input,\n"
  "3 a limit was reached.\n";

static int usage (const char *what, const char *detail) {
  fprintf (stderr, "krait-verify: %s%s (krait-verify --help)\n", what, detail);
  return ERROR_INPUT;
}

static const char *value_of (const char *argument, const char *option) {
  const size_t length = strlen (option);
  return !strncmp (argument, option, length) && argument[length] == '=' ? argument + length + 1 : NULL;
}

static int report (int code, const struct error *error) {
  if (error->code)
    fprintf (stderr, "krait-verify: %s\n", error->text);
  if (fflush (stdout) || ferror (stdout)) {
    fprintf (stderr, "krait-verify: cannot write to standard output\n");
    return ERROR_INPUT;
  }
  return error->code ? error->code : code;
}

int main (int argc, char **argv) {
  struct verify_request request = { .program = "krait-verify" };
  struct error error = { 0 };
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i], *value;
    if (!strcmp (argument, "--help") || !strcmp (argument, "-h"))
      return printf ("%s", help) < 0;
    if (!strcmp (argument, "--version"))
      return printf ("krait-verify %s\n", PACKAGE_VERSION) < 0;
    if (!strcmp (argument, "--dump"))
      request.dump = true;
    else if (!strcmp (argument, "--json"))
      request.json = true;
    else if (!strcmp (argument, "--ignore-unreadable"))
      request.ignore_unreadable = true;
    else if ((value = value_of (argument, "--init")))
      request.init = value;
    else if ((value = value_of (argument, "--format"))) {
      request.format = format_find (value);
      if (!request.format)
        return usage ("there is no format ", value);
    } else if ((value = value_of (argument, "--timeout"))) {
      if (!parse_real ("timeout", value, "seconds", 0.001, 1e9, &request.timeout, &error))
        return report (ERROR_INPUT, &error);
    } else if ((value = value_of (argument, "--memory"))) {
      if (!parse_bytes ("memory", value, 1, INT64_MAX, &request.memory, &error))
        return report (ERROR_INPUT, &error);
    } else if (argument[0] == '-' && argument[1])
      return usage ("there is no option ", argument);
    else if (!request.history)
      request.history = argument;
    else if (!request.certificate)
      request.certificate = argument;
    else
      return usage ("one history and one certificate, not ", argument);
  }
  if (!request.certificate)
    return usage ("a history and a certificate are missing", "");
  return report (verify_files (&request, &error), &error);
}
