// Writes a BlindW history: half of the transactions read 8 keys, half write 8, all values unique. It is serializable by construction: sessions run at
// the same time, a reading transaction takes effect when it begins, a writing one when it ends. The file has one session after another and no
// times, so that its order gives nothing away about the true one.
//
//   blindw TXNS SEED OUT [SESSIONS [KEYS]]

#include "formats/formats.h"
#include "history/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPERATIONS = 8 };

struct prng {
  uint64_t state;
};

static uint64_t next (struct prng *random) { // splitmix64
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

struct txn {
  uint32_t session, place; // place: its number within the session
  bool writes;
  uint64_t effect;
  uint32_t keys[OPERATIONS];
  uint64_t values[OPERATIONS]; // read or written; 0: the initial absent
};

static int by_effect (const void *a, const void *b) {
  const struct txn *x = a, *y = b;
  if (x->effect != y->effect)
    return x->effect < y->effect ? -1 : 1;
  return x->session < y->session ? -1 : x->session > y->session;
}

static int by_session (const void *a, const void *b) {
  const struct txn *x = a, *y = b;
  if (x->session != y->session)
    return x->session < y->session ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static void choose_keys (struct txn *txn, struct prng *random, uint32_t keys) {
  for (int i = 0; i < OPERATIONS; i++) {
    txn->keys[i] = (uint32_t) (next (random) % keys);
    for (int k = 0; k < i; k++)
      if (txn->keys[k] == txn->keys[i]) {
        i--; // again: keys of a transaction differ
        break;
      }
  }
}

static struct txn *run (uint32_t txns, uint32_t sessions, uint32_t keys, struct prng *random) {
  struct txn *all = MEM_ZARRAY (struct txn, txns);
  uint64_t *now = MEM_ZARRAY (uint64_t, sessions);
  uint32_t *placed = MEM_ZARRAY (uint32_t, sessions);
  for (uint32_t t = 0; t < txns; t++) {
    struct txn *txn = &all[t];
    const uint32_t session = t % sessions;
    const uint64_t begin = now[session] + next (random) % 100;
    const uint64_t end = begin + 100 + next (random) % 900;
    txn->session = session;
    txn->place = placed[session]++;
    txn->writes = next (random) & 1;
    txn->effect = txn->writes ? end : begin;
    now[session] = end + 1;
    choose_keys (txn, random, keys);
  }
  qsort (all, txns, sizeof *all, by_effect);
  uint64_t *state = MEM_ZARRAY (uint64_t, keys);
  uint64_t value = 0;
  for (uint32_t t = 0; t < txns; t++)
    for (int i = 0; i < OPERATIONS; i++) {
      if (all[t].writes)
        state[all[t].keys[i]] = ++value;
      all[t].values[i] = state[all[t].keys[i]];
    }
  qsort (all, txns, sizeof *all, by_session);
  mem_free (state);
  mem_free (now);
  mem_free (placed);
  return all;
}

static struct history *record (const struct txn *all, uint32_t txns) {
  struct history *h = history_new ("blindw");
  const char *why = NULL;
  for (uint32_t t = 0; t < txns; t++) {
    const struct txn_header header = { .session = all[t].session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
    history_begin_txn (h, &header, &why);
    for (int i = 0; i < OPERATIONS; i++) {
      const uint32_t key = history_key (h, atom_unsigned (all[t].keys[i]), &why);
      const uint32_t value =
        all[t].values[i] ? history_value (h, atom_unsigned (all[t].values[i]), &why) : VALUE_ABSENT;
      history_add_op (h, all[t].writes ? OP_PUT : OP_GET, 0, key, value, AUX_NONE, &why);
    }
  }
  history_finish (h);
  return h;
}

int main (int count, char **arguments) {
  if (count < 4 || count > 6) {
    fprintf (stderr, "usage: blindw TXNS SEED OUT.krt [SESSIONS [KEYS]]\n");
    return 2;
  }
  const uint32_t txns = (uint32_t) strtoul (arguments[1], NULL, 10);
  struct prng random = { strtoull (arguments[2], NULL, 10) };
  const uint32_t sessions = count > 4 ? (uint32_t) strtoul (arguments[4], NULL, 10) : 24;
  const uint32_t keys = count > 5 ? (uint32_t) strtoul (arguments[5], NULL, 10) : 10000;
  if (!txns || !sessions || keys < 2 * OPERATIONS) {
    fprintf (stderr, "blindw: at least one transaction, one session and %d keys\n", 2 * OPERATIONS);
    return 2;
  }
  struct txn *all = run (txns, sessions, keys, &random);
  struct history *h = record (all, txns);
  mem_free (all);
  struct error error = { 0 };
  const bool written = history_write (h, arguments[3], format_find ("krt"), true, &error);
  if (!written)
    fprintf (stderr, "blindw: %s\n", error.text);
  history_free (h);
  return written ? 0 : 2;
}
