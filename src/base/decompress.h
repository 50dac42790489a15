// Streaming decompression of gzip members and zstd frames, one after another.
//
// The source hands out raw bytes in pieces; nothing is ever allocated by what the data claims about
// itself, so that hostile data costs at most the window of its format (128 MiB for zstd).

#ifndef KRAIT_BASE_DECOMPRESS_H
#define KRAIT_BASE_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

struct decompress;

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

// By the first bytes of the raw data.
enum compression compression_of (const char *raw, size_t length);

struct decompress *decompress_new (enum compression);
void decompress_free (struct decompress *);

struct decompress_step {
  const char *raw; // in: raw bytes not used yet; out: advanced
  size_t raw_left;
  char *to; // in: where decompressed bytes go
  size_t room;
  size_t produced; // out
};

// Uses raw bytes until some output was produced or they run out. NULL, or what is wrong with the
// data.
const char *decompress_some (struct decompress *, struct decompress_step *);

// Nothing is half done: the raw data may end here.
bool decompress_at_end (const struct decompress *);

#endif
