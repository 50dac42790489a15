// Increments that cannot be checked.
//
// One whose new value was not recorded is a put of a value that nobody knows (SEMANTICS 2). That is
// fine as long as nobody reads the key who may have seen it: any transaction but itself may,
// whatever it says about the order of the two, because levels differ in what they make of that; and
// so may its own operations behind it. Else no verdict is possible.
//
// Under `init any` a key that starts as 0 or absent, as an inc says, as anything but 0, and as
// anything but absent, all at once, would need three reads to be looked at together. Everywhere
// else two are enough, and nobody is known to need it: no verdict either.

#include "asg/builder.h"

#include <inttypes.h>
#include <stdio.h>

struct blind {
  uint32_t *first; // per key: the first inc without a recorded result, or UINT32_MAX
  uint32_t *txn;   // per key: its transaction; UINT32_MAX: several have one
};

static bool may_see (const struct blind *blind, uint32_t op, uint32_t key, uint32_t txn) {
  return blind->first[key] != UINT32_MAX && (blind->txn[key] != txn || op > blind->first[key]);
}

struct looking {
  const struct history *h;
  const struct blind *blind;
};

static bool scan_may_see (const void *context, uint32_t op, uint32_t key) {
  const struct looking *l = context;
  return may_see (l->blind, op, key, history_txn_of_op (l->h, op));
}

static bool reads_key (const struct history *h, uint32_t op, const struct effects *e) {
  return e->key != KEY_NONE
         && (e->reads > READS_UNRECORDED
             || (e->writes == WRITES_PERHAPS && effects_settled_write (h, op) == WRITES_PERHAPS));
}

// False: there are none.
static bool find_blind (const struct history *h, struct blind *blind, uint8_t *marks) {
  bool some = false;
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      const struct effects e = effects_of (h, op);
      if (e.written != VALUE_UNRECORDED || h->txn_status.data[t] == TXN_ABORTED)
        continue;
      const bool first = blind->first[e.key] == UINT32_MAX;
      blind->txn[e.key] = first || blind->txn[e.key] == t ? t : UINT32_MAX;
      blind->first[e.key] = first ? op : blind->first[e.key];
      marks[e.key] = 1;
      some = true;
    }
  return some;
}

// A key that somebody reads who may have seen such an inc, or KEY_NONE.
static uint32_t find_seen (const struct history *h, const struct blind *blind, const uint8_t *marks) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      const struct effects e = effects_of (h, op);
      if (h->txn_status.data[t] != TXN_ABORTED && reads_key (h, op, &e) && may_see (blind, op, e.key, t))
        return e.key;
    }
  if (!h->ranges.count)
    return KEY_NONE;
  struct ranges *ranges = ranges_new (h);
  const uint32_t key = ranges_cover_marked (ranges, h, marks, scan_may_see, &(struct looking){ h, blind });
  ranges_free (ranges);
  return key;
}

static char *blind_problem (const struct history *h) {
  const uint32_t keys = history_keys (h);
  struct blind blind = { mem_nones (keys), MEM_ARRAY (uint32_t, keys) };
  uint8_t *marks = MEM_ZARRAY (uint8_t, keys);
  char *text = NULL;
  const uint32_t key = find_blind (h, &blind, marks) ? find_seen (h, &blind, marks) : KEY_NONE;
  if (key != KEY_NONE) {
    text = mem_alloc (160);
    snprintf (text, 160,
              "transaction %" PRIu64
              " has an inc whose new value was not recorded, and its key is read: nobody can say "
              "by whom it was seen",
              h->txn_ids.data[history_txn_of_op (h, blind.first[key])]);
  }
  MEM_FREE_ALL (marks, blind.first, blind.txn);
  return text;
}

enum { NOT_ZERO = 1, NOT_ABSENT = 2, ZERO_OR_ABSENT = 4, ALL_THREE = 7 };

static char *initial_problem (const struct history *h) {
  static const char text[] =
    "under init any, a key is read as 0 or absent by an inc, as anything but 0 and as anything but "
    "absent, which is not supported";
  uint8_t *asked = MEM_ZARRAY (uint8_t, history_keys (h));
  bool all = false;
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      const struct effects e = effects_of (h, op);
      if (h->txn_status.data[t] == TXN_ABORTED || (e.reads != READS_OTHER && e.reads != READS_OR_ABSENT))
        continue;
      asked[e.key] |= e.reads == READS_OR_ABSENT                      ? ZERO_OR_ABSENT
                      : e.read == VALUE_ABSENT                        ? NOT_ABSENT
                      : atom_is_zero (atoms_get (&h->values, e.read)) ? NOT_ZERO
                                                                      : 0;
      all |= asked[e.key] == ALL_THREE;
    }
  mem_free (asked);
  return all ? mem_strdup (text) : NULL;
}

char *incs_problem (const struct history *h) {
  char *text = blind_problem (h);
  return text || h->init != INIT_ANY ? text : initial_problem (h);
}
