#include "cli/verify_files.h"

#include "base/input.h"
#include "base/watch.h"
#include "cli/subject_files.h"
#include "formats/tree.h"
#include "verify/dump.h"
#include "verify/verify.h"
#include "verify_ir/verify_ir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

// Opened before the history is read, so that something else than a certificate is found out at
// once; of compressed data only the first piece is decoded.
static struct input *open_certificate (const char *path, struct error *error) {
  struct input *input = input_open (path, error);
  size_t length = 0;
  const char *bytes = input ? input_peek (input, &length, error) : NULL;
  if (bytes && certificate_has_magic (bytes, length))
    return input;
  if (bytes)
    error_at_byte (error, path, 0, "not a certificate");
  input_close (input);
  return NULL;
}

static struct certificate *read_certificate (struct input *input, size_t most, const char *path, struct error *error) {
  size_t length;
  const char *bytes = input_up_to (input, most, &length, error);
  if (!bytes)
    return NULL;
  if (length > most) {
    error_set (error, "%.400s: longer than %zu bytes, the most that a certificate for this history can be", path, most);
    return NULL;
  }
  return certificate_read ((const uint8_t *) bytes, length, path, error);
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

// What else the verdict was given under.
static void print_conditions (const struct verify_request *request, const struct certificate *c, const char *assumed) {
  if (c->policy != POLICY_MUST)
    printf ("own writes: %s\n", own_policy_name (c->policy));
  if (*c->dialect)
    printf ("dialect: %s\n", c->dialect);
  if (c->clock_skew)
    printf ("clock skew: %" PRId64 " ns\n", c->clock_skew);
  for (const char *line = assumed, *end; (end = strchr (line, '\n')); line = end + 1)
    printf ("assumed: %.*s\n", (int) (end - line), line);
  if (request->init) {
    printf ("initial state: ");
    print_name (request->init);
    printf ("\n");
  }
}

static void print_json (const struct verify_request *request, const struct certificate *c, const char *assumed,
                        const char *complaint) {
  struct text text = { 0 };
  struct tree out = { .text = &text, .dialect = TREE_JSON }, *tree = &out;
  tree_open (tree, NULL, '{');
  tree_unsigned (tree, "schema", 1);
  tree_bool (tree, "certified", !complaint);
  tree_string (tree, "verdict", c->valid ? "valid" : "invalid");
  tree_string (tree, "level", c->level);
  tree_string (tree, "history", request->history);
  tree_string (tree, "ownWrites", c->of_ir ? NULL : own_policy_name (c->policy));
  tree_atom (tree, "clockSkew", atom_signed (c->clock_skew));
  tree_open (tree, "assumptions", '[');
  for (const char *line = assumed, *end; (end = strchr (line, '\n')); line = end + 1)
    tree_atom (tree, NULL, atom_bytes (line, (size_t) (end - line)));
  tree_close (tree, ']');
  tree_string (tree, "dialect", *c->dialect ? c->dialect : NULL);
  tree_string (tree, "reason", complaint);
  tree_close (tree, '}');
  printf ("%.*s\n", (int) text.count, text.data);
  VEC_FREE (text);
}

// What an incomplete history is judged under, in one line whatever is in the reasons.
static void put_missing (const char *reasons, FILE *out) {
  fprintf (out, "what is missing wrote only what no recorded transaction could explain; the history is incomplete: ");
  for (; *reasons; reasons++)
    if (*reasons == '\n')
      fprintf (out, "; ");
    else
      fputc ((unsigned char) *reasons < ' ' || *reasons == 127 ? '?' : *reasons, out);
  fputc ('\n', out);
}

// What the verdict takes for granted, a line each.
static char *assumptions_of (const struct verification *v) {
  char *lines = NULL;
  size_t length = 0;
  FILE *out = open_memstream (&lines, &length);
  if (!out)
    mem_run_out (BUFSIZ);
  if (v->told->excusing)
    put_missing (v->told->h->incomplete, out);
  certificate_put_assumptions (v->c, v->told, out);
  const bool failed = ferror (out); // half of what is assumed would be a claim that is too strong
  if (fclose (out) || failed)
    mem_run_out (length);
  return lines;
}

static void print_answer (const struct verify_request *request, const struct certificate *c, const char *assumed,
                          const char *complaint) {
  if (request->json) {
    print_json (request, c, assumed, complaint);
    return;
  }
  printf (complaint ? "refused: not shown to be %s%s\t%s\t" : "certified %s%s\t%s\t", c->valid ? "valid" : "invalid",
          *assumed ? " under assumptions" : "", c->level);
  print_name (request->history);
  printf ("\n");
  if (complaint)
    printf ("%s\n", complaint);
  print_conditions (request, c, assumed);
}

static bool verify_history (const struct verify_request *request, const struct history *h,
                            const struct certificate *c) {
  struct verification v;
  struct complaint complaint;
  const bool fine = verification_open (&v, h, c, &complaint) && verification_run (&v, &complaint);
  char *assumed = fine ? assumptions_of (&v) : NULL;
  print_answer (request, c, assumed ? assumed : "", fine ? NULL : complaint.text);
  if (request->dump && v.told)
    certificate_dump (c, v.told, stdout);
  free (assumed);
  verification_close (&v);
  return fine;
}

static bool verify_ir (const struct verify_request *request, const struct ir *ir, const struct certificate *c) {
  struct complaint complaint;
  const bool fine = ir_certificate_verify (ir, c, NULL, &complaint);
  print_answer (request, c, "", fine ? NULL : complaint.text);
  if (request->dump && c->of_ir)
    ir_certificate_dump (ir, c, stdout);
  return fine;
}

// Of one of the two: a history, or what a level has made of it.
static int verify_inputs (const struct verify_request *request, struct error *error) {
  char label[KIR_LABEL_SIZE];
  const bool lowered = !request->format && is_kir_file (request->history, label);
  if (lowered && request->init)
    return error_set (error, "%.400s: --init does not apply to a .kir file", request->history) ? 0 : ERROR_INPUT;
  struct input *input = open_certificate (request->certificate, error);
  struct history *h = input && !lowered ? read_history (request, error) : NULL;
  struct ir *ir = input && lowered ? read_kir_file (request->history, error) : NULL;
  const size_t most = h ? certificate_most_bytes (h) : ir ? ir_certificate_most_bytes (ir) : 0;
  struct certificate *c = most ? read_certificate (input, most, request->certificate, error) : NULL;
  const int code = !c ? ERROR_INPUT : !(h ? verify_history (request, h, c) : verify_ir (request, ir, c));
  input_close (input);
  certificate_free (c);
  history_free (h);
  ir_free (ir);
  return code;
}

// In the watch's thread, while the other one is busy.
static void give_up (void *context, enum budget_state state) {
  const struct verify_request *request = context;
  if (state != BUDGET_INTERRUPTED)
    fprintf (stderr, "%s: not verified: %s\n", request->program, budget_reason (state));
  _exit (state == BUDGET_INTERRUPTED ? ERROR_INTERRUPTED : ERROR_LIMIT);
}

int verify_files (const struct verify_request *request, struct error *error) {
  struct budget budget;
  budget_start (&budget, request->timeout, request->memory, request->stop);
  struct watch *watch = watch_start (&budget, give_up, (void *) request);
  const int code = verify_inputs (request, error);
  watch_stop (watch);
  return code;
}
