#include "certify/verify_files.h"

#include "base/input.h"
#include "certify/dump.h"
#include "certify/verify.h"
#include "cli/init_option.h"
#include "formats/json_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct certificate *read_certificate (const char *path, struct error *error) {
  struct input *input = input_open (path, error);
  size_t length = 0;
  const char *bytes = input ? input_all (input, &length, error) : NULL;
  struct certificate *c = bytes ? certificate_read ((const uint8_t *) bytes, length, path, error) : NULL;
  if (input)
    input_close (input);
  return c;
}

static struct history *read_history (const struct verify_request *request, struct error *error) {
  struct init_option init = { 0 };
  struct history *h = history_read_what_can_be (request->history, request->format, request->ignore_unreadable, error);
  const bool fine = h && init_option_read (&init, request->init, error) && init_option_apply (&init, h, error);
  init_option_free (&init);
  if (fine)
    return h;
  history_free (h);
  return NULL;
}

// A name stays on its line, whatever is in it.
static void print_name (const char *name) {
  for (; *name; name++)
    putchar ((unsigned char) *name < ' ' || *name == 127 ? '?' : *name);
}

static void print_lines (const char *text) {
  for (; *text; text++)
    if (*text == '\n')
      printf ("; ");
    else
      putchar ((unsigned char) *text < ' ' || *text == 127 ? '?' : *text);
}

// What else the verdict was given under.
static void print_conditions (const struct verify_request *request, const struct certificate *c,
                              const struct history *h) {
  if (h->incomplete && !c->valid) {
    printf ("assumed: the history is incomplete, and what is missing wrote only what no recorded transaction could "
            "explain: ");
    print_lines (h->incomplete);
    printf ("\n");
  }
  if (c->policy != POLICY_MUST)
    printf ("own writes: %s\n", own_policy_name (c->policy));
  if (c->clock_skew)
    printf ("clock skew: %" PRId64 " ns\n", c->clock_skew);
  if (c->assumptions.count) {
    size_t orders = 0;
    for (size_t i = 0; i < c->assumptions.count; i++)
      orders += c->assumptions.data[i].kind == ASSUME_ORDER;
    printf ("assumed: the order of %zu pairs of versions, the sources of %zu reads\n", orders,
            c->assumptions.count - orders);
  }
  if (request->init) {
    printf ("initial state: ");
    print_name (request->init);
    printf ("\n");
  }
}

static void print_json (const struct verify_request *request, const struct certificate *c, const struct history *h,
                        const char *complaint) {
  struct text text = { 0 };
  char start[160];
  snprintf (start, sizeof start, "{\"schema\":1,\"certified\":%s,\"verdict\":\"%s\",\"level\":\"%s\",\"history\":",
            complaint ? "false" : "true", c->valid ? "valid" : "invalid", c->level);
  text_string (&text, start);
  json_put_string (&text, request->history, strlen (request->history));
  snprintf (start, sizeof start, ",\"ownWrites\":\"%s\",\"clockSkew\":%" PRId64 ",\"assumptions\":%zu,\"reason\":",
            own_policy_name (c->policy), c->clock_skew, c->assumptions.count);
  text_string (&text, start);
  if (complaint)
    json_put_string (&text, complaint, strlen (complaint));
  else
    text_string (&text, "null");
  text_string (&text, h->incomplete && !c->valid ? ",\"incomplete\":true" : ",\"incomplete\":false");
  printf ("%.*s}\n", (int) text.count, text.data);
  VEC_FREE (text);
}

int verify_files (const struct verify_request *request, struct error *error) {
  struct certificate *c = read_certificate (request->certificate, error);
  struct history *h = c ? read_history (request, error) : NULL;
  struct complaint complaint;
  int code = ERROR_INPUT;
  if (h) {
    const bool fine = verify_certificate (h, c, &complaint);
    code = !fine;
    if (request->json)
      print_json (request, c, h, fine ? NULL : complaint.text);
    else {
      printf (fine ? "certified %s%s\t%s\t" : "refused: not shown to be %s%s\t%s\t", c->valid ? "valid" : "invalid",
              c->assumptions.count || (h->incomplete && !c->valid) ? " under assumptions" : "", c->level);
      print_name (request->history);
      printf ("\n");
      if (!fine)
        printf ("%s\n", complaint.text);
      print_conditions (request, c, h);
    }
    if (request->dump)
      certificate_dump (c, h, stdout);
  }
  certificate_free (c);
  history_free (h);
  return code;
}
