// How a workload's keys and values are kept in a database, and what is made of what comes back.
//
// Integer keys are eight bytes, the highest first, hence in the order of their numbers; keys with
// names are their names. Values are decimal; a list has spaces between its elements.

#ifndef KRAIT_DRIVE_ENCODE_H
#define KRAIT_DRIVE_ENCODE_H

#include "drive/rows.h"
#include "krait/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct workload;

enum { KEY_SIZE = 96, NUMBER_SIZE = 24 };
struct slice encode_key (const struct workload *, uint64_t key, char text[KEY_SIZE]);
// The least key behind this one.
struct slice encode_next_key (const struct workload *, struct slice key, char text[KEY_SIZE + 1]);
struct slice encode_number (uint64_t number, char text[NUMBER_SIZE]);

// Only as encode_number writes it: anything else is bytes that nobody wrote.
bool decode_number (struct slice, uint64_t *number);
// The next element of a list; false at its end. `list` becomes the rest.
bool decode_element (struct slice *list, struct slice *element);

// For the trace: numbers where the workload has numbers. Data point to the bytes that they were
// made from.
krait_datum datum_of_value (struct slice);
// Nothing, if the bytes are no key of this workload.
krait_datum datum_of_key (const struct workload *, struct slice);

#endif
