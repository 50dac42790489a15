#include "tests/support/krt_seal.h"

#include "base/hash.h"
#include "formats/bytes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEADER = 32, ENTRY = 32 };

void krt_seal (char *bytes, size_t length) {
  if (length < HEADER)
    return;
  const size_t columns = load_le32 (bytes + 12);
  const size_t directory_end = (HEADER + columns * ENTRY + 63) / 64 * 64;
  if (columns > 1000 || directory_end > length)
    return;
  for (size_t i = 0; i < columns; i++) {
    char *entry = bytes + HEADER + i * ENTRY;
    const uint64_t offset = load_le64 (entry + 8), size = load_le64 (entry + 16);
    if (offset > length || size > length - offset || (size + 63) / 64 * 64 > length - offset)
      return;
    store_le64 (entry + 24, hash_bytes (bytes + offset, (size + 63) / 64 * 64));
  }
  const uint64_t seed = hash_bytes (bytes, HEADER - 8);
  store_le64 (bytes + 24, XXH3_64bits_withSeed (bytes + HEADER, directory_end - HEADER, seed));
}
