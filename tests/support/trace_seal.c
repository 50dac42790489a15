#include "tests/support/trace_seal.h"

#include "formats/trace_layout.h"

void trace_seal (char *bytes, size_t length) {
  if (length < TRACE_HEADER_LENGTH)
    return;
  const size_t header = trace_header_length (load_le32 (bytes + TRACE_AT_VERSION));
  store_le64 (bytes + TRACE_AT_CHECKSUM, trace_header_checksum (bytes));
  for (size_t at = header, size; length - at >= TRACE_RECORD_LENGTH; at += size) {
    size = load_le32 (bytes + at);
    if (size < TRACE_RECORD_LENGTH || size > length - at)
      return;
    store_le32 (bytes + at + TRACE_AT_RECORD_CHECKSUM, trace_record_checksum (bytes + at, size, at));
  }
}
