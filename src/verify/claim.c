#include "verify/claim.h"

#include <string.h>

static const struct claim_row rows[] = {
  { "read-uncommitted", { FAMILY_READ_UNCOMMITTED, false, false }, true },
  { "read-committed", { FAMILY_READ_COMMITTED, false, false }, true },
  { "cursor-stability", { FAMILY_CURSOR_STABILITY, false, false }, true },
  { "monotonic-view", { FAMILY_MONOTONIC_VIEW, false, false }, true },
  { "consistent-view", { FAMILY_CONSISTENT_VIEW, false, false }, true },
  { "forward-consistent-view", { FAMILY_CONSISTENT_VIEW, false, true }, true },
  { "parallel-snapshot-isolation", { FAMILY_CONSISTENT_VIEW, true, false }, true },
  { "repeatable-read", { FAMILY_REPEATABLE_READ, false, false }, true },
  { "snapshot-isolation", { FAMILY_SNAPSHOT_ISOLATION, false, false }, true },
  { "serializable", { FAMILY_SERIALIZABLE, false, false }, true },
  { "update-serializable", { FAMILY_UPDATE_SERIALIZABLE, false, false }, false },
  { "prefix-consistency", { FAMILY_PREFIX_CONSISTENCY, true, false }, true },
  { "causal", { FAMILY_CAUSAL, true, false }, true },
  { "read-atomic", { FAMILY_READ_ATOMIC, true, false }, true },
  { "read-committed-axiomatic", { FAMILY_READ_COMMITTED_AXIOMATIC, true, false }, true },
};

// What follows the prefix, or NULL.
static const char *behind (const char *name, const char *prefix) {
  const size_t length = strlen (prefix);
  return strncmp (name, prefix, length) ? NULL : name + length;
}

const struct claim_row *claim_row_besides;

bool claim_level_find (const char *name, struct claim_level *level) {
  const char *in_sessions = behind (name, "strong-session-"), *strictly = behind (name, "strict-");
  const char *base = in_sessions ? in_sessions : strictly ? strictly : name;
  const size_t count = sizeof rows / sizeof *rows;
  for (size_t i = 0; i <= count; i++) {
    const struct claim_row *row = i < count ? &rows[i] : claim_row_besides;
    if (!row || strcmp (row->name, base) || (base != name && !row->takes_prefixes))
      continue;
    *level = row->level;
    level->so |= base != name;
    level->rt |= strictly != NULL;
    return true;
  }
  return false;
}
