// Damaged certificates, and certificates of other histories: two parts, krait text and a
// certificate. It cannot be read, or is refused, or what it claims is true, as the brute-force
// checker says.

#include "oracle.h"

#include "api/certify.h"
#include "history/history.h"
#include "levels/levels.h"
#include "tests/brute/random_history.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

static const char *check_claim (const struct history *h, const struct certificate *claim) {
  static const enum brute_own_writes policies[] = { BRUTE_OWN_MUST, BRUTE_OWN_EXTERNAL, BRUTE_OWN_MAY };
  struct brute_options brute;
  enum verdict truth;
  brute_options_default (&brute);
  brute.own_writes = policies[claim->policy];
  brute.clock_skew = claim->clock_skew;
  // With hints other worlds count, and under a dialect another history.
  if (*claim->dialect || oracle_has_hints (h) || !oracle_is_small (h)
      || !oracle_verdict (h, &brute, claim->level, &truth) || truth == (claim->valid ? VERDICT_VALID : VERDICT_INVALID))
    return NULL;
  oracle_tell (h, claim->level, &brute);
  return "a certificate that lies is believed";
}

static const char *run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  (void) target;
  struct fuzz_parts parts = { bytes, bytes + length };
  struct fuzz_part history, certificate;
  if (!fuzz_next_part (&parts, &history) || !fuzz_next_part (&parts, &certificate))
    return NULL;
  struct history *h = oracle_read (history.bytes, history.length);
  if (!h)
    return NULL;
  struct error error = { 0 };
  struct complaint complaint = { "" };
  const char *wrong = NULL;
  struct certificate *claim = certificate_read (certificate.bytes, certificate.length, "damaged", &error);
  *understood = claim != NULL;
  if (!claim)
    wrong = error.code == ERROR_INPUT && strstr (error.text, "damaged") ? NULL : "refused without a reason";
  else if (verify_certificate (h, claim, &complaint))
    wrong = check_claim (h, claim);
  else if (!*complaint.text)
    wrong = "refused without a complaint";
  certificate_free (claim);
  history_free (h);
  return wrong;
}

static bool append_certificate (const struct history *h, uint64_t number, fuzz_bytes *made) {
  struct check_options options;
  const char *why;
  check_options_default (&options);
  options.level = oracle_level (number / 4);
  options.own_writes = OWN_MUST;
  options.threads = 1;
  options.certify = true;
  struct check_result *result = check_history (h, &options);
  struct certificate *certificate = certify_result (h, &options, result, &why);
  byte_vec bytes = VEC_EMPTY;
  if (certificate)
    certificate_write (certificate, &bytes);
  fuzz_append (made, bytes.data, bytes.count);
  const bool done = certificate != NULL;
  VEC_FREE (bytes);
  certificate_free (certificate);
  check_result_free (result);
  return done;
}

static bool seed (const struct fuzz_target *target, uint64_t number, fuzz_bytes *made) {
  static const struct random_mixture mixtures[] = { { .ops = RANDOM_BASIC },
                                                    { .ops = RANDOM_ALL },
                                                    { .ops = RANDOM_ALL, .often_unknown = true },
                                                    { .ops = RANDOM_LISTS, .often_unknown = true } };
  (void) target;
  struct brute_options drawn;
  struct history *h = random_history_of (29, number, &mixtures[number % 4], &drawn);
  oracle_write (h, made);
  history_free (h);
  h = oracle_read (made->data, made->count); // which may number things differently
  fuzz_append (made, FUZZ_PART, FUZZ_PART_LENGTH);
  const bool done = h && append_certificate (h, number, made);
  history_free (h);
  if (!done)
    made->count = 0;
  return done;
}

static const char *const words[] = { FUZZ_PART, "serializable", "snapshot-isolation", "causal", NULL };

extern const struct fuzz_target fuzz_certificates;
const struct fuzz_target fuzz_certificates = { .name = "certificates", .run = run, .seed = seed, .words = words };
