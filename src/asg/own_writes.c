// Which own-write policy a history speaks for (SEMANTICS 2): `must` if no committed read refutes
// it, else `external`, else `may`. A read after an own write of its key refutes `must` if it did
// not return the latest own write, and `external` if nobody else can have given it what it
// returned.
//
// The walk that builds an ASG knows both: under `must` it finds the faults, and under `external` it
// can note which reads come after own writes. Levels, and whether an unknown transaction took
// place, have no say in this.

#include "asg/builder.h"

const char *own_writes_name (enum own_writes policy) {
  static const char *const names[] = { "must", "external", "may", "infer" };
  return names[policy];
}

// A read that did not see the own write that it must see; or one that saw what it must not, as a
// hint says.
static bool an_own_read_is_wrong (const struct asg *asg) {
  for (size_t i = 0; i < asg->faults.count; i++)
    if (asg->faults.data[i].kind == FAULT_OWN_WRITE || asg->faults.data[i].from_own)
      return true;
  return false;
}

static bool external_is_refuted (struct builder *b) {
  struct asg *asg = b->asg;
  lineage_group_by_value (b);
  lineage_initial_values (asg);
  uint32_t node = 0;
  for (size_t i = 0; i < b->after_own.count; i++) {
    const uint32_t read = b->after_own.data[i];
    while (node + 1 < asg->nodes && asg->node_first_read[node + 1] <= read)
      node++;
    uint32_t range[2], only;
    if (!asg->optional[node] && !asg_accepts_initial (asg, read) && !lineage_candidates (asg, node, read, range, &only))
      return true;
  }
  return false;
}

// One walk under the policy, nothing merged, so that the reads that are noted are the reads that
// are there.
static bool is_refuted (const struct history *h, const struct hints *hints, enum own_writes policy) {
  const struct asg_options options = { .events = true, .own_writes = policy, .hints = hints };
  struct asg *asg = mem_zalloc (sizeof *asg);
  struct builder b;
  bool refuted = false;
  builder_init (&b, asg, h, &options);
  if (!asg->unsupported) {
    b.note_after_own = policy == OWN_EXTERNAL;
    builder_number_nodes (&b);
    builder_walk (&b);
    refuted = an_own_read_is_wrong (asg) || (policy == OWN_EXTERNAL && external_is_refuted (&b));
  }
  builder_release (&b);
  asg_free (asg);
  return refuted;
}

enum own_writes asg_infer_own_writes (const struct history *h, const struct hints *hints) {
  return !is_refuted (h, hints, OWN_MUST) ? OWN_MUST : !is_refuted (h, hints, OWN_EXTERNAL) ? OWN_EXTERNAL : OWN_MAY;
}
