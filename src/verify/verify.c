#include "verify/verify.h"

#include "verify/claim.h"

#include <stdarg.h>
#include <stdio.h>

bool complain (struct complaint *complaint, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (complaint->text, sizeof complaint->text, format, arguments);
  va_end (arguments);
  return false;
}

static bool is_for (const struct history *h, const struct certificate *c, struct complaint *complaint) {
  if (c->of_ir)
    return complain (complaint, "the certificate is for a .kir file, not for a history");
  if (c->txns == history_txns (h) && c->ops == history_ops (h) && c->keys == history_keys (h))
    return true;
  return complain (complaint,
                   "the certificate is for another history: that has %u transactions, %u operations and %u keys",
                   c->txns, c->ops, c->keys);
}

// The hints of the history; where a dialect made parts of it, what these leave of them.
static bool read_hints (struct verification *v, const struct history *h, bool trust_commit_ts,
                        struct complaint *complaint) {
  struct error error = { 0 };
  struct hints_options options = { .trust_commit_ts = trust_commit_ts };
  bool fine = hints_read (h, &options, &v->hints, &error);
  if (fine && v->split.history && v->hints) {
    hints_free (v->hints);
    options.origin = v->split.origin.data;
    fine = hints_read (v->split.history, &options, &v->hints, &error);
  }
  return fine || complain (complaint, "the history has no verdict: %.200s", error.text);
}

static bool open_with (struct verification *v, const struct history *h, const struct claim *claim, bool valid,
                       struct complaint *complaint) {
  const struct verify_now *now = v->now;
  const struct hints *hints = now ? now->hints : NULL;
  const char *problem;
  complaint->text[0] = 0;
  if (claim->dialect && !split_make (&v->split, h, claim->dialect, claim->policy, &problem))
    return complain (complaint, "the dialect %s does not apply to the history: %s", claim->dialect, problem);
  const struct history *meant = claim->dialect ? v->split.history : h;
  if (v->c && !is_for (meant, v->c, complaint))
    return false;
  if (!history_has_committed (h))
    return complain (complaint, "the history has no verdict: no committed transaction");
  if (claim->clock_skew < 0)
    return complain (complaint, "the clock skew is negative");
  if (!now || claim->dialect) {
    if (!read_hints (v, h, claim->trust_commit_ts, complaint))
      return false;
    hints = v->hints;
  }
  v->told = told_new (meant, claim->policy, hints, !valid || (now && now->excusing), &problem);
  if (!v->told)
    return complain (complaint, "the history has no verdict: %s", problem);
  v->told->origin = v->split.origin.data;
  return true;
}

bool verification_open (struct verification *v, const struct history *h, const struct certificate *c,
                        struct complaint *complaint) {
  const struct claim claim = { .level = c->level,
                               .policy = c->policy,
                               .clock_skew = c->clock_skew,
                               .trust_commit_ts = c->trust_commit_ts,
                               .dialect = *c->dialect ? c->dialect : NULL };
  *v = (struct verification){ .c = c };
  return open_with (v, h, &claim, c->valid, complaint);
}

bool verification_prepare (struct verification *v, const struct history *h, const struct claim *claim, bool valid,
                           const struct verify_now *now, struct complaint *complaint) {
  *v = (struct verification){ .now = now };
  return open_with (v, h, claim, valid, complaint);
}

bool verification_run (struct verification *v, struct complaint *complaint) {
  struct claim_level level;
  if (v->c->trust_commit_ts && !(v->told->hints && v->told->hints->commit_ts))
    return complain (complaint, "the certificate trusts commit timestamps, and the history has none");
  if (!claim_level_find (v->c->level, &level))
    return complain (complaint, "there is no level %s", v->c->level);
  if (level.rt && !told_has_times (v->told))
    return complain (complaint, "the level needs times, and the history has none");
  return v->c->valid ? verify_valid (v->told, v->c, &level, v->now, complaint)
                     : verify_invalid (v->told, v->c, &level, complaint);
}

void verification_close (struct verification *v) {
  told_free (v->told);
  hints_free (v->hints);
  split_free (&v->split);
}

bool verify_certificate (const struct history *h, const struct certificate *c, struct complaint *complaint) {
  struct verification v;
  const bool fine = verification_open (&v, h, c, complaint) && verification_run (&v, complaint);
  verification_close (&v);
  return fine;
}

bool verification_finish (struct verification *v, const struct certificate *c, struct complaint *complaint) {
  v->c = c;
  return is_for (v->told->h, c, complaint) && verification_run (v, complaint);
}
