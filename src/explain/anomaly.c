#include "explain/anomaly.h"

#include <stddef.h>

static const struct {
  const char *text;
  bool alone;
} classes[] = {
  { NULL, false },
#define CLASS(id, name, alone) { name, alone },
#include "explain/anomalies.def"
#undef CLASS
};

static const struct {
  const char *text, *about;
} names[] = {
  { NULL, NULL },
#define ANOMALY(id, name, about) { name, about },
#include "explain/anomalies.def"
#undef ANOMALY
};

bool anomaly_is_same (struct anomaly a, struct anomaly b) {
  return a.class == b.class && a.name == b.name;
}

const char *anomaly_class_text (enum anomaly_class class) {
  return classes[class].text;
}

const char *anomaly_name_text (enum anomaly_name name) {
  return names[name].text;
}

const char *anomaly_about (enum anomaly_name name) {
  return names[name].about;
}

bool anomaly_needs_no_circle (enum anomaly_class class) {
  return classes[class].alone;
}
