#include "certify/verify.h"

#include "certify/claim.h"

#include <stdarg.h>
#include <stdio.h>

bool complain (struct complaint *complaint, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (complaint->text, sizeof complaint->text, format, arguments);
  va_end (arguments);
  return false;
}

static bool has_committed (const struct history *h) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if (h->txn_status.data[txn] == TXN_COMMITTED)
      return true;
  return false;
}

bool verify_certificate (const struct history *h, const struct certificate *c, struct complaint *complaint) {
  struct claim_level level;
  const char *problem;
  complaint->text[0] = 0;
  if (c->txns != history_txns (h) || c->ops != history_ops (h) || c->keys != history_keys (h))
    return complain (complaint,
                     "the certificate is for another history: that has %u transactions, %u operations and %u keys",
                     c->txns, c->ops, c->keys);
  if (!claim_level_find (c->level, &level))
    return complain (complaint, "there is no level %s", c->level);
  if (!has_committed (h))
    return complain (complaint, "the history has no verdict: no committed transaction");
  if (c->clock_skew < 0)
    return complain (complaint, "the clock skew is negative");
  struct account *account = account_new (h, c->policy, !c->valid, &problem);
  if (!account)
    return complain (complaint, "the history has no verdict: %s", problem);
  bool fine =
    !level.rt || account_has_times (account) || complain (complaint, "the level needs times, and the history has none");
  fine = fine && (c->valid ? verify_valid : verify_invalid) (account, c, &level, complaint);
  account_free (account);
  return fine;
}
