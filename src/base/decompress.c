#include "base/decompress.h"

#include "base/memory.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

struct decompress {
  enum compression kind;
  bool inside; // of a member or frame
  z_stream gzip;
  ZSTD_DStream *zstd;
};

enum compression compression_of (const char *raw, size_t length) {
  if (length >= 3 && !memcmp (raw, "\x1f\x8b\x08", 3))
    return COMPRESSION_GZIP;
  if (length >= 4 && !memcmp (raw, "\x28\xb5\x2f\xfd", 4))
    return COMPRESSION_ZSTD;
  // A skippable frame; parallel compressors put one first.
  if (length >= 4 && ((unsigned char) raw[0] & 0xf0) == 0x50 && !memcmp (raw + 1, "\x2a\x4d\x18", 3))
    return COMPRESSION_ZSTD;
  return COMPRESSION_NONE;
}

struct decompress *decompress_new (enum compression kind) {
  struct decompress *d = mem_zalloc (sizeof *d);
  d->kind = kind;
  // 16 asks zlib for gzip's wrapping, 15 for its largest window.
  if (kind == COMPRESSION_GZIP && inflateInit2 (&d->gzip, 16 + 15) != Z_OK)
    mem_run_out (sizeof d->gzip);
  if (kind == COMPRESSION_ZSTD) {
    d->zstd = ZSTD_createDStream ();
    if (!d->zstd)
      mem_run_out (0);
  }
  return d;
}

void decompress_free (struct decompress *d) {
  if (!d)
    return;
  if (d->kind == COMPRESSION_GZIP)
    inflateEnd (&d->gzip);
  ZSTD_freeDStream (d->zstd);
  mem_free (d);
}

bool decompress_at_end (const struct decompress *d) {
  return !d->inside;
}

static const char *gzip_some (struct decompress *d, struct decompress_step *step) {
  while (step->raw_left && step->room && !step->produced) {
    if (!d->inside && inflateReset (&d->gzip) != Z_OK)
      return "broken gzip data";
    d->inside = true;
    const uInt in = step->raw_left < 1u << 30 ? (uInt) step->raw_left : 1u << 30;
    const uInt out = step->room < 1u << 30 ? (uInt) step->room : 1u << 30;
    d->gzip.next_in = (Bytef *) (uintptr_t) step->raw;
    d->gzip.avail_in = in;
    d->gzip.next_out = (Bytef *) step->to;
    d->gzip.avail_out = out;
    const int status = inflate (&d->gzip, Z_NO_FLUSH);
    step->raw += in - d->gzip.avail_in;
    step->raw_left -= in - d->gzip.avail_in;
    step->produced += out - d->gzip.avail_out;
    if (status == Z_STREAM_END)
      d->inside = false;
    else if (status == Z_MEM_ERROR)
      mem_run_out (1u << 15);
    else if (status != Z_OK && status != Z_BUF_ERROR)
      return d->gzip.total_out || step->produced ? "broken gzip data" : "no gzip data where a gzip member should start";
  }
  return NULL;
}

static const char *zstd_some (struct decompress *d, struct decompress_step *step) {
  while (step->raw_left && step->room && !step->produced) {
    ZSTD_inBuffer in = { step->raw, step->raw_left, 0 };
    ZSTD_outBuffer out = { step->to, step->room, 0 };
    const size_t status = ZSTD_decompressStream (d->zstd, &out, &in);
    if (ZSTD_isError (status) && ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation)
      mem_run_out (0);
    if (ZSTD_isError (status))
      return "broken zstd data";
    d->inside = status != 0;
    step->raw += in.pos;
    step->raw_left -= in.pos;
    step->produced += out.pos;
  }
  return NULL;
}

const char *decompress_some (struct decompress *d, struct decompress_step *step) {
  step->produced = 0;
  return d->kind == COMPRESSION_GZIP ? gzip_some (d, step) : zstd_some (d, step);
}
