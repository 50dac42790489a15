// Integers of fixed byte order at any address.

#ifndef KRAIT_FORMATS_BYTES_H
#define KRAIT_FORMATS_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t load_le64 (const void *from) {
  uint64_t number;
  memcpy (&number, from, sizeof number);
  return le64toh (number);
}

static inline uint32_t load_le32 (const void *from) {
  uint32_t number;
  memcpy (&number, from, sizeof number);
  return le32toh (number);
}

static inline uint64_t load_be64 (const void *from) {
  uint64_t number;
  memcpy (&number, from, sizeof number);
  return be64toh (number);
}

static inline void store_le64 (void *to, uint64_t number) {
  number = htole64 (number);
  memcpy (to, &number, sizeof number);
}

static inline void store_le32 (void *to, uint32_t number) {
  number = htole32 (number);
  memcpy (to, &number, sizeof number);
}

static inline void store_be64 (void *to, uint64_t number) {
  number = htobe64 (number);
  memcpy (to, &number, sizeof number);
}

#endif
