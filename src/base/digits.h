// Decimal digits, eight at a time where the machine's byte order lets that be.

#ifndef KRAIT_BASE_DIGITS_H
#define KRAIT_BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The number that eight digits make, the first one in the lowest byte, each less '0'.
static inline uint64_t digits_eight (uint64_t eight) {
  const uint64_t pairs = eight * 10 + (eight >> 8);
  return ((pairs & 0x000000ff000000ffu) * 0x000f424000000064u
          + (pairs >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u)
         >> 32;
}

// Eight bytes from here on, each less '0' where it is a digit.
static inline uint64_t digits_load (const char *at) {
  uint64_t eight;
  memcpy (&eight, at, sizeof eight);
  return eight ^ 0x3030303030303030u;
}

// How many of them are digits, up to the first that is none. Carries spoil only what stands behind
// that one.
static inline unsigned digits_leading (uint64_t eight) {
  const uint64_t others = (eight | (eight + 0x7676767676767676u)) & 0x8080808080808080u;
  return others ? (unsigned) __builtin_ctzll (others) / 8 : 8;
}

static const uint64_t digits_power[9] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };

// The next digits one by one, `most` of them at most, added to the number that came before.
static inline uint64_t digits_one_by_one (const char **at, const char *end, uint64_t number, ptrdiff_t most) {
  for (const char *first = *at; *at < end && (unsigned char) (**at - '0') < 10 && *at - first < most; ++*at)
    number = number * 10 + (uint64_t) (**at - '0');
  return number;
}

// Up to 19 digits (all that surely fit). `at` moves behind them.
static inline uint64_t digits_up_to (const char **at, const char *end) {
  const char *first = *at;
  uint64_t number = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  while (end - *at >= 8 && *at - first < 16) {
    const uint64_t eight = digits_load (*at);
    const unsigned digits = digits_leading (eight);
    if (!digits)
      return number;
    number = number * digits_power[digits] + digits_eight (eight << (64 - 8 * digits));
    *at += digits;
    if (digits < 8)
      return number;
  }
#endif
  return digits_one_by_one (at, end, number, 19 - (*at - first));
}

// From one to 15 digits, where DIGITS_ROOM bytes can be read; anything else: false. `at` moves
// behind them.
enum { DIGITS_ROOM = 16 };

static inline bool digits_quick_anywhere (const char **at, uint64_t *number) {
  const char *first = *at;
  *number = digits_one_by_one (at, first + DIGITS_ROOM, 0, DIGITS_ROOM);
  return *at > first && *at < first + DIGITS_ROOM;
}

static inline bool digits_quick (const char **at, uint64_t *number) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t eight = digits_load (*at);
  unsigned digits = digits_leading (eight);
  if (digits < 8) {
    *number = digits_eight (eight << 8 << (56 - 8 * digits));
    *at += digits;
    return digits;
  }
  *number = digits_eight (eight);
  eight = digits_load (*at + 8);
  digits = digits_leading (eight);
  if (digits == 8)
    return false;
  *number = *number * digits_power[digits] + digits_eight (eight << 8 << (56 - 8 * digits));
  *at += 8 + digits;
  return true;
#else
  return digits_quick_anywhere (at, number);
#endif
}

#endif
