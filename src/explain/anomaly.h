// What a violation is called: its class, and the name by which people know it.

#ifndef KRAIT_EXPLAIN_ANOMALY_H
#define KRAIT_EXPLAIN_ANOMALY_H

#include <stdbool.h>

enum anomaly_class {
  CLASS_NONE,
#define CLASS(id, name, alone) CLASS_##id,
#include "explain/anomalies.def"
#undef CLASS
};

enum anomaly_name {
  NAMED_NOTHING,
#define ANOMALY(id, name, about) NAMED_##id,
#include "explain/anomalies.def"
#undef ANOMALY
};

struct anomaly {
  enum anomaly_class class;
  enum anomaly_name name;
  // Of circles, to tell which of two is the milder one.
  unsigned rests_on; // 2: real time, 1: session order, 0: neither
  unsigned broken;   // a bit for each class whose levels do not allow it
};

bool anomaly_is_same (struct anomaly, struct anomaly); // class and name

const char *anomaly_class_text (enum anomaly_class); // "G1c", …; NULL: CLASS_NONE
const char *anomaly_name_text (enum anomaly_name);   // "lost-update", …; NULL: NAMED_NOTHING
// a sentence without its full stop; NULL: there is none
const char *anomaly_about (enum anomaly_name);

// A read or a write is wrong by itself.
bool anomaly_needs_no_circle (enum anomaly_class);

#endif
