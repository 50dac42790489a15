// A circle of edges between transactions, each of which must come before the next, and what such a
// violation, or one without a circle, is called: a class, and the name by which people know it.

#ifndef KRAIT_EXPLAIN_CIRCLE_H
#define KRAIT_EXPLAIN_CIRCLE_H

#include "ir/ir.h"

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

struct anomaly_class_row {
  const char *text; // "G1c", …; NULL: CLASS_NONE
  bool alone;       // a read or a write is wrong by itself
};
extern const struct anomaly_class_row anomaly_classes[];

struct anomaly_name_row {
  const char *text;  // "lost-update", …; NULL: NAMED_NOTHING
  const char *about; // a sentence without its full stop; NULL: there is none
};
extern const struct anomaly_name_row anomaly_names[];

struct circle_edge {
  uint32_t from, to; // nodes of the ASG
  enum edge_kind kind;
  bool predicate; // wr, rw: of what a scan did not find
  uint32_t key;   // or KEY_NONE
  uint32_t read;  // or READ_NONE
};

typedef VEC (struct circle_edge) circle_edge_vec;

// What the shape alone does not show.
struct circle_facts {
  bool lost_update; // two transactions that read one version of a key and both replaced it
  bool reader_only; // some transaction of the circle writes nothing
  // deletes whose result nobody recorded are taken to have written, as only some levels allow
  bool settled;
  bool single_reads; // what anti-dependencies mean is not the same for all reads
};

struct anomaly circle_anomaly (const struct circle_edge *, size_t count, struct circle_facts, const struct rules *);

// Of two violations one must have happened: what can be said, whichever it was. A class that is not
// the mildest would accuse the database of breaking levels that it keeps. Of one class, what has a
// name goes before what has none, and then what rests on real time or session order.
struct anomaly anomaly_either (struct anomaly, struct anomaly);

#endif
