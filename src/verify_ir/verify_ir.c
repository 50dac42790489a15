#include "verify_ir/verify_ir.h"

#include "base/output.h"
#include "ir/kir.h"

#define XXH_INLINE_ALL
#include <strings.h>
#include <xxhash.h>

// Of the text that the IR is written as, whatever it was read from.
static uint64_t checksum_of (const struct ir *ir) {
  struct output *text = output_open_memory ();
  kir_write (ir, NULL, text);
  size_t length;
  const char *bytes = output_memory (text, &length);
  const uint64_t sum = XXH3_64bits (bytes, length);
  output_discard (text);
  return sum;
}

// The label, in small letters as the name of a level is in a certificate. None is longer.
static void name_level (const struct ir *ir, struct certificate *c) {
  for (size_t i = 0; ir->label[i] && i + 1 < sizeof c->level; i++)
    c->level[i] = (char) (ir->label[i] >= 'A' && ir->label[i] <= 'Z' ? ir->label[i] | 32 : ir->label[i]);
}

struct certificate *ir_certificate_new (const struct ir *ir, bool valid) {
  struct certificate *c = mem_zalloc (sizeof *c);
  name_level (ir, c);
  c->valid = valid;
  c->of_ir = true;
  c->txns = ir->nodes;
  c->ops = ir->reads;
  c->keys = ir->keys;
  c->checksum = checksum_of (ir);
  c->points = ir->rules.points;
  return c;
}

// Per transaction its outcome and its points, per read a source; a delete and a constraint each
// take one number. The rest is for refutations.
size_t ir_certificate_most_bytes (const struct ir *ir) {
  enum { NUMBER = 5, REFUTATION = 1 << 20 };
  const size_t constraints = ir->constraints ? ir->constraints->list.count : 0;
  return REFUTATION + NUMBER * ((size_t) ir->nodes * 3 + (size_t) ir->reads * 3 + ir->deletes + constraints);
}

struct ir ir_to_refute (const struct ir *ir) {
  struct ir weaker = *ir;
  if (!ir->tentative)
    return weaker;
  weaker.rules.rw.used &= ir->rules.view != VIEW_PATHS; // what readers have in view counts still
  weaker.rules.anti = ANTI_NONE;
  weaker.serial = weaker.marks_reads = false;
  weaker.read_anti = NULL;
  weaker.read_when = NULL;
  return weaker;
}

bool ir_certificate_verify (const struct ir *ir, const struct certificate *c, struct budget *budget,
                            struct complaint *complaint) {
  complaint->text[0] = 0;
  if (!c->of_ir)
    return complain (complaint, "the certificate is for a history, not for a .kir file");
  if (strcasecmp (c->level, ir->label) || c->txns != ir->nodes || c->ops != ir->reads || c->keys != ir->keys)
    return complain (complaint,
                     "the certificate is for another file: that is for %s and has %u transactions, T0 "
                     "included, %u reads and %u keys",
                     c->level, c->txns, c->ops, c->keys);
  if (c->checksum != checksum_of (ir))
    return complain (complaint, "the certificate is for another file, with other contents");
  if (ir->undefined)
    return complain (complaint, "the file has no verdict: %.200s", ir->undefined);
  if (c->valid)
    return ir_verify_valid (ir, c, budget, complaint);
  const struct ir refuted = ir_to_refute (ir);
  return ir_verify_invalid (&refuted, c, complaint);
}
