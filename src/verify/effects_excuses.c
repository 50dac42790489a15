// Incomplete histories (docs/semantics.md, section 8): a read that nothing recorded explains says
// nothing, and neither does such an element of a list. What is missing is assumed to have written
// only what no recorded transaction could explain, so that all other reads count as usual.
//
// Explained is what another transaction, not an aborted one, wrote last to the key, or may have;
// whether one with an unknown outcome took place plays no part. The initial state explains what it
// says; where it may be anything it explains one value, and if several are asked for, then none. A
// read of anything but a value may always have seen one that nobody recorded wrote, and a read of 0
// or absent may if one of the two is.

#include "verify/effects.h"

#include "base/search.h"
#include "base/sort.h"

struct version {
  uint32_t key, value, txn; // sorted by
};

struct excuses {
  VEC (struct version) versions;
  // per key: reads ask for different initial values; NULL: the initial values are given
  uint8_t *clash;
};

bool told_is_refuted (const struct told *a, uint32_t delete) {
  for (size_t i = 0; delete != OP_NONE && i < a->reads.count; i++)
    if (a->reads.data[i].unrecorded == delete &&a->reads.data[i].if_wrote == OUTCOME_BROKEN)
      return true;
  return false;
}

static void collect_versions (struct told *a, struct excuses *excuses) {
  for (uint32_t txn = 0; told_next (a, NULL, &txn); txn++)
    for (size_t i = 0; i < a->writes.count; i++) {
      const struct told_write *write = &a->writes.data[i];
      if (!told_is_refuted (a, write->unrecorded))
        VEC_PUSH (excuses->versions, (struct version){ write->key, write->value, txn });
    }
  VEC_SORT (excuses->versions, by_u32_triple);
}

// The first version of the key with this value or a larger one.
static size_t find_version (const struct excuses *excuses, uint32_t key, uint32_t value) {
  const struct version wanted = { key, value, 0 };
  size_t low = 0;
  LOWER_BOUND (low, excuses->versions.count, middle, by_u32_triple (&excuses->versions.data[middle], &wanted) < 0);
  return low;
}

static bool wrote_value (const struct excuses *excuses, const struct told_read *read, uint32_t value) {
  for (size_t i = find_version (excuses, read->key, value); i < excuses->versions.count; i++) {
    const struct version *version = &excuses->versions.data[i];
    if (version->key != read->key || version->value != value)
      return false;
    if (version->txn != read->txn)
      return true;
  }
  return false;
}

static bool is_written (const struct excuses *excuses, const struct told_read *read) {
  return wrote_value (excuses, read, read->value) || (read->or_absent && wrote_value (excuses, read, VALUE_ABSENT));
}

// It surely read from outside, and so asks for an initial value. Of the transaction told last.
static bool asks (const struct told *a, const struct excuses *excuses, const struct told_read *read) {
  const bool external = read->if_wrote != OUTCOME_OWN || told_is_refuted (a, read->unrecorded);
  return external && read->if_not == OUTCOME_EXTERNAL && !read->list && !read->other && !read->or_absent
         && !is_written (excuses, read);
}

static void ask_all (struct told *a, struct excuses *excuses, uint32_t *asked) {
  for (uint32_t txn = 0; told_next (a, NULL, &txn); txn++)
    for (size_t i = 0; i < a->reads.count; i++) {
      const struct told_read *read = &a->reads.data[i];
      if (!asks (a, excuses, read))
        continue;
      if (asked[read->key] == VALUE_UNRECORDED)
        asked[read->key] = read->value;
      excuses->clash[read->key] |= asked[read->key] != read->value;
    }
}

static void find_clashes (struct told *a, struct excuses *excuses) {
  uint32_t *asked = MEM_ARRAY (uint32_t, history_keys (a->h));
  excuses->clash = MEM_ZARRAY (uint8_t, history_keys (a->h));
  for (uint32_t key = 0; key < history_keys (a->h); key++)
    asked[key] = VALUE_UNRECORDED;
  ask_all (a, excuses, asked);
  mem_free (asked);
}

static bool is_recorded (const struct told *a, const struct told_read *read, uint32_t value) {
  return (!a->excuses->clash && a->init_value[read->key] == value) || wrote_value (a->excuses, read, value);
}

static bool is_excused (const struct told *a, const struct told_read *read) {
  const struct excuses *excuses = a->excuses;
  if (read->list || read->other)
    return read->other;
  if (read->or_absent && !(is_recorded (a, read, read->value) && is_recorded (a, read, VALUE_ABSENT)))
    return true;
  if (excuses->clash)
    return excuses->clash[read->key] && asks (a, excuses, read);
  return !is_written (excuses, read) && !told_fits (read, a->init_value[read->key]);
}

void told_excuse (struct told *a) {
  size_t kept = 0;
  for (size_t i = 0; i < a->reads.count; i++) {
    struct told_read read = a->reads.data[i];
    const bool external = read.if_wrote == OUTCOME_EXTERNAL || read.if_not == OUTCOME_EXTERNAL;
    // as if it had seen an own write, which asks nothing of anybody
    if (external && is_excused (a, &read)) {
      read.if_wrote = read.if_wrote == OUTCOME_EXTERNAL ? OUTCOME_OWN : read.if_wrote;
      read.if_not = read.if_not == OUTCOME_EXTERNAL ? OUTCOME_OWN : read.if_not;
      if (read.if_wrote == OUTCOME_OWN && read.if_not == OUTCOME_OWN)
        continue;
    }
    a->reads.data[kept++] = read;
  }
  a->reads.count = kept;
}

struct excuses *told_excuses_new (struct told *a) {
  struct excuses *excuses = mem_zalloc (sizeof *excuses);
  collect_versions (a, excuses);
  if (a->h->init == INIT_ANY)
    find_clashes (a, excuses);
  return excuses;
}

void told_excuses_free (struct excuses *excuses) {
  if (!excuses)
    return;
  MEM_FREE_ALL (excuses->versions.data, excuses->clash, excuses);
}
