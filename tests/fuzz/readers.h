// The readers of all formats, each a target.

#ifndef KRAIT_FUZZ_READERS_H
#define KRAIT_FUZZ_READERS_H

#include "target.h"

enum fuzz_reader {
  FUZZ_JSONL,
  FUZZ_KHT,
  FUZZ_KRT,
  FUZZ_TRACE,
  FUZZ_COBRA,
  FUZZ_DBCOP,
  FUZZ_PLUME,
  FUZZ_JEPSEN,
  FUZZ_JEPSEN_JSON,
  FUZZ_AWDIT,
  FUZZ_VIPER,
  FUZZ_TIMEKILLER,
  FUZZ_ANY,
  FUZZ_READERS
};

extern const struct fuzz_target fuzz_readers[FUZZ_READERS];

#endif
