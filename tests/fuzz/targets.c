#include "target.h"

#include "readers.h"

#include <string.h>

extern const struct fuzz_target fuzz_verdicts, fuzz_kir, fuzz_certificates, fuzz_formulas, fuzz_hints;

const struct fuzz_target *const fuzz_targets[] = { &fuzz_verdicts,
                                                   &fuzz_kir,
                                                   &fuzz_certificates,
                                                   &fuzz_formulas,
                                                   &fuzz_hints,
                                                   &fuzz_readers[FUZZ_KRT],
                                                   &fuzz_readers[FUZZ_TRACE],
                                                   &fuzz_readers[FUZZ_JSONL],
                                                   &fuzz_readers[FUZZ_KHT],
                                                   &fuzz_readers[FUZZ_COBRA],
                                                   &fuzz_readers[FUZZ_DBCOP],
                                                   &fuzz_readers[FUZZ_PLUME],
                                                   &fuzz_readers[FUZZ_AWDIT],
                                                   &fuzz_readers[FUZZ_VIPER],
                                                   &fuzz_readers[FUZZ_JEPSEN],
                                                   &fuzz_readers[FUZZ_JEPSEN_JSON],
                                                   &fuzz_readers[FUZZ_TIMEKILLER],
                                                   &fuzz_readers[FUZZ_ANY],
                                                   NULL };

const struct fuzz_target *fuzz_target_find (const char *name) {
  for (size_t i = 0; fuzz_targets[i]; i++)
    if (!strcmp (fuzz_targets[i]->name, name))
      return fuzz_targets[i];
  return NULL;
}

const char *fuzz_run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  const size_t before = mem_in_use ();
  uint8_t *copy = mem_alloc (length);
  if (length)
    memcpy (copy, bytes, length);
  *understood = false;
  const char *wrong = target->run (target, copy, length, understood);
  mem_free (copy);
  return wrong || mem_in_use () == before ? wrong : "memory is not given back";
}

static const uint8_t *find_part_end (const uint8_t *from, const uint8_t *end) {
  for (; end - from >= FUZZ_PART_LENGTH; from++)
    if (!memcmp (from, FUZZ_PART, FUZZ_PART_LENGTH))
      return from;
  return NULL;
}

bool fuzz_next_part (struct fuzz_parts *parts, struct fuzz_part *part) {
  if (!parts->next)
    return false;
  const uint8_t *end = find_part_end (parts->next, parts->end);
  *part = (struct fuzz_part){ parts->next, (size_t) ((end ? end : parts->end) - parts->next) };
  parts->next = end ? end + FUZZ_PART_LENGTH : NULL;
  return true;
}

void fuzz_append (fuzz_bytes *to, const void *bytes, size_t length) {
  VEC_RESERVE (*to, to->count + length);
  if (length)
    memcpy (to->data + to->count, bytes, length);
  to->count += length;
}

uint64_t fuzz_hash (const uint8_t *bytes, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}
