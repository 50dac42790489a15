#include "drive/encode.h"

#include "formats/bytes.h"
#include "generate/workload.h"
#include "generate/workloads/rows.h"

#include <inttypes.h>
#include <stdio.h>

struct slice encode_key (const struct workload *workload, uint64_t key, char text[KEY_SIZE]) {
  if (workload->application) {
    row_name (workload->application->tables, key, text, KEY_SIZE);
    return slice_of (text, strlen (text));
  }
  store_be64 (text, key);
  return slice_of (text, sizeof key);
}

struct slice encode_next_key (const struct workload *workload, struct slice key, char text[KEY_SIZE + 1]) {
  if (!workload->application) {
    store_be64 (text, load_be64 (key.bytes) + 1);
    return slice_of (text, sizeof (uint64_t));
  }
  memcpy (text, key.bytes, key.length);
  text[key.length] = 0;
  return slice_of (text, key.length + 1);
}

struct slice encode_number (uint64_t number, char text[NUMBER_SIZE]) {
  return slice_of (text, (size_t) snprintf (text, NUMBER_SIZE, "%" PRIu64, number));
}

bool decode_number (struct slice from, uint64_t *number) {
  struct atom atom;
  const char *end = from.bytes + from.length;
  *number = 0;
  if (!from.length || *from.bytes == '-' || (*from.bytes == '0' && from.length > 1)
      || atom_parse (from.bytes, end, &atom) != end)
    return false;
  *number = atom.number;
  return true;
}

bool decode_element (struct slice *list, struct slice *element) {
  if (!list->length)
    return false;
  const char *space = memchr (list->bytes, ' ', list->length);
  element->bytes = list->bytes;
  element->length = space ? (size_t) (space - list->bytes) : list->length;
  const size_t used = element->length + (space != NULL);
  *list = slice_of (list->bytes + used, list->length - used);
  return true;
}

krait_datum datum_of_value (struct slice value) {
  uint64_t number;
  return decode_number (value, &number) ? krait_unsigned (number) : krait_bytes (value.bytes, value.length);
}

krait_datum datum_of_key (const struct workload *workload, struct slice key) {
  if (workload->application)
    return krait_bytes (key.bytes, key.length);
  return key.length == sizeof (uint64_t) ? krait_unsigned (load_be64 (key.bytes)) : krait_nothing ();
}
