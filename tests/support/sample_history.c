#include "tests/support/sample_history.h"

#include "tests/brute/prng.h"

#include <stdio.h>
#include <string.h>

struct sampler {
  struct history *h;
  struct prng random;
  enum sample_kind kind;
  bool string_keys;
  bool repeated; // values
  uint64_t next_value;
  bool aborted_before; // Plume joins aborted transactions that follow each other
  bool timed;
  int64_t clock;
};

static void must (bool done, const char *why) {
  if (!done)
    misuse ("sample_history", why);
}

static uint32_t new_atom (struct sampler *s, bool is_key, struct atom atom) {
  const char *why = "";
  const uint32_t index = is_key ? history_key (s->h, atom, &why) : history_value (s->h, atom, &why);
  must (index != UINT32_MAX, why);
  return index;
}

static uint32_t some_key (struct sampler *s) {
  const unsigned n = prng_below (&s->random, 6);
  char text[16];
  static const uint64_t integers[] = { 0, 1, 17, 0xfffd8f9c6d1094d5u, UINT64_MAX, 3 };
  if (s->string_keys) {
    const int length = snprintf (text, sizeof text, n == 5 ? "" : n == 4 ? "%c\n\"\\\xff" : "k%u", n);
    return new_atom (s, true, atom_bytes (text, (size_t) length));
  }
  const bool negative = (s->kind == SAMPLE_FULL || s->kind == SAMPLE_PLUME) && prng_chance (&s->random, 20);
  return new_atom (s, true,
                   negative ? atom_signed (n == 5 ? INT64_MIN : -(int64_t) n - 1) : atom_unsigned (integers[n]));
}

static uint32_t some_value (struct sampler *s) {
  if (s->kind == SAMPLE_FULL)
    switch (prng_below (&s->random, 5)) {
    case 0: return new_atom (s, false, atom_bytes ("", 0));
    case 1: return new_atom (s, false, atom_bytes ("1", 1));
    case 2: return new_atom (s, false, atom_bytes ("\0\xc3\x28 \xe2\x82\xac", 7));
    case 3: return new_atom (s, false, atom_signed (-1 - (int64_t) prng_below (&s->random, 3)));
    default: return new_atom (s, false, atom_unsigned (UINT64_MAX - prng_below (&s->random, 3)));
    }
  if (s->kind == SAMPLE_PLUME && prng_chance (&s->random, 20))
    return new_atom (s, false, atom_signed (-7));
  return new_atom (s, false, atom_unsigned (s->repeated ? 1 + prng_below (&s->random, 4) : ++s->next_value));
}

static void add (struct sampler *s, enum op_kind kind, unsigned flags, uint32_t key, uint32_t value, uint32_t aux) {
  const char *why = "";
  must (history_add_op (s->h, kind, flags, key, value, aux, &why), why);
}

static uint32_t some_range (struct sampler *s, bool of_keys) {
  const char *why = "";
  const uint32_t low = of_keys && prng_chance (&s->random, 60) ? some_key (s) : KEY_NONE;
  const uint32_t high = of_keys && prng_chance (&s->random, 60) ? some_key (s) : KEY_NONE;
  const uint32_t range = history_open_range (s->h, low, high);
  for (unsigned i = prng_below (&s->random, 4); i; i--) {
    const uint32_t key = of_keys ? some_key (s) : KEY_NONE;
    must (history_add_item (s->h, key, some_value (s), &why), why);
  }
  return range;
}

static void add_outcome (struct sampler *s, enum op_kind kind) {
  const unsigned flags =
    prng_chance (&s->random, 30) ? 0 : OP_RESULT_KNOWN | (prng_chance (&s->random, 50) ? OP_RESULT_TRUE : 0);
  const uint32_t key = some_key (s);
  if (kind == OP_DEL)
    add (s, kind, flags, key, VALUE_NONE, AUX_NONE);
  else
    add (s, kind, flags, key, prng_chance (&s->random, 30) ? VALUE_ABSENT : some_value (s), some_value (s));
}

static void add_read (struct sampler *s, enum op_kind kind) {
  static const unsigned locks[] = { 0, 0, OP_LOCK_UPDATE, OP_LOCK_SHARE };
  unsigned flags = locks[prng_below (&s->random, 4)];
  const char *why = "";
  if (kind == OP_GET) {
    const unsigned what = prng_below (&s->random, 5);
    add (s, kind, flags, some_key (s),
         what == 0   ? VALUE_ABSENT
         : what == 1 ? VALUE_UNRECORDED
                     : some_value (s),
         AUX_NONE);
  } else {
    if (kind == OP_ITER)
      flags |= (prng_chance (&s->random, 50) ? OP_ITER_END : 0) | (prng_chance (&s->random, 30) ? OP_ITER_REVERSE : 0);
    const uint32_t key = kind == OP_LIST ? some_key (s) : KEY_NONE;
    add (s, kind, flags, key, VALUE_NONE, some_range (s, kind != OP_LIST));
  }
  if (prng_chance (&s->random, 30)) {
    const int64_t begin = (int64_t) prng_below (&s->random, 100);
    history_set_op_times (s->h, begin, prng_chance (&s->random, 50) ? TIME_NONE_END : begin + 5);
  }
  if (prng_chance (&s->random, 20))
    must (history_set_op_hint (s->h, "\"v1\"", 4, &why), why);
}

static void add_inc (struct sampler *s) {
  const char *why = "";
  const uint32_t by = new_atom (s, false, atom_signed ((int64_t) prng_below (&s->random, 9) - 4));
  const uint32_t result = prng_chance (&s->random, 30) ? VALUE_UNRECORDED : some_value (s);
  must (history_add_inc (s->h, 0, some_key (s), by, result, &why), why);
}

static void add_any (struct sampler *s) {
  const enum op_kind kind = (enum op_kind) prng_below (&s->random, OP_KINDS);
  if (kind == OP_PUT || kind == OP_APPEND)
    add (s, kind, 0, some_key (s), some_value (s), AUX_NONE);
  else if (kind == OP_DEL || kind == OP_CAS)
    add_outcome (s, kind);
  else if (kind == OP_INC)
    add_inc (s);
  else
    add_read (s, kind);
}

// A value that the key could hold: its initial one, or any that somebody may write.
static void add_register_get (struct sampler *s) {
  const uint32_t key = some_key (s);
  const unsigned what = prng_below (&s->random, 3);
  if (what == 0 && s->kind != SAMPLE_COBRA)
    add (s, OP_GET, 0, key, s->h->init_default, AUX_NONE);
  else if (what == 0) {
    // In Cobra's logs a key starts with 0xbebeebee or absent; which, is decided by its index here.
    const char *why;
    if (key % 2) {
      const uint32_t value = new_atom (s, false, atom_unsigned (0xbebeebeeu));
      (void) history_set_init_key (s->h, key, value, &why); // a key twice stays once
      add (s, OP_GET, 0, key, value, AUX_NONE);
    } else {
      add (s, OP_GET, 0, key, VALUE_ABSENT, AUX_NONE);
    }
  } else {
    add (s, OP_GET, 0, key, new_atom (s, false, atom_unsigned (1 + prng_below (&s->random, 8))), AUX_NONE);
  }
}

// Jepsen's keys hold a list or a register; here, the last three of six are lists.
static uint32_t jepsen_key (struct sampler *s, unsigned n) {
  static const char *const names[] = { "", "x", "\xc3\xa9\n\"\\", ":y", "z", "-7" };
  static const int64_t numbers[] = { 0, 1, INT64_MIN, -4, 17, INT64_MAX };
  return new_atom (s, true, s->string_keys ? atom_bytes (names[n], strlen (names[n])) : atom_signed (numbers[n]));
}

static uint32_t jepsen_value (struct sampler *s) {
  if (prng_chance (&s->random, 20))
    return new_atom (s, false, atom_bytes ("\0\t\xe2\x82\xac", 5));
  return new_atom (s, false, atom_signed ((int64_t) prng_below (&s->random, 9) - 2));
}

// A null is a result of committed transactions, and none in others.
static void add_jepsen (struct sampler *s, enum txn_status status) {
  const unsigned n = prng_below (&s->random, 6);
  const uint32_t key = jepsen_key (s, n), null = status == TXN_COMMITTED ? VALUE_ABSENT : VALUE_UNRECORDED;
  const bool is_list = n >= 3, is_null = prng_chance (&s->random, 30);
  if (prng_chance (&s->random, 50))
    add (s, is_list ? OP_APPEND : OP_PUT, 0, key, jepsen_value (s), AUX_NONE);
  else if (!is_list)
    add (s, OP_GET, 0, key, is_null ? null : jepsen_value (s), AUX_NONE);
  else if (is_null && null == VALUE_UNRECORDED)
    add (s, OP_LIST, 0, key, null, AUX_NONE);
  else {
    const char *why = "";
    const uint32_t range = history_open_range (s->h, KEY_NONE, KEY_NONE);
    for (unsigned i = is_null ? 0 : prng_below (&s->random, 4); i; i--)
      must (history_add_item (s->h, KEY_NONE, jepsen_value (s), &why), why);
    add (s, OP_LIST, 0, key, is_null ? VALUE_ABSENT : VALUE_NONE, range);
  }
}

static void jepsen_times (struct sampler *s, struct txn_header *header) {
  if (!s->timed)
    return;
  if (prng_chance (&s->random, 80))
    header->begin = s->clock += (int64_t) prng_below (&s->random, 5);
  if (prng_chance (&s->random, 80))
    header->end = s->clock += (int64_t) prng_below (&s->random, 5);
}

static void add_ops (struct sampler *s, enum txn_status status) {
  // that these are lists must be seen somewhere
  if (s->kind == SAMPLE_JEPSEN && history_txns (s->h) == 1)
    for (unsigned n = 3; n < 6; n++)
      add (s, OP_APPEND, 0, jepsen_key (s, n), jepsen_value (s), AUX_NONE);
  unsigned ops = prng_below (&s->random, 6);
  if (s->kind == SAMPLE_PLUME)
    ops++; // an empty transaction leaves no line
  for (; ops; ops--)
    if (s->kind == SAMPLE_FULL)
      add_any (s);
    else if (s->kind == SAMPLE_JEPSEN)
      add_jepsen (s, status);
    else if (prng_chance (&s->random, 50) || (s->kind == SAMPLE_DBCOP && status == TXN_ABORTED))
      add (s, OP_PUT, 0, some_key (s), some_value (s), AUX_NONE);
    else
      add_register_get (s);
}

static enum txn_status some_status (struct sampler *s, bool last) {
  const bool chance = prng_chance (&s->random, 25);
  if (s->kind == SAMPLE_FULL)
    return (enum txn_status) prng_below (&s->random, 3);
  if (s->kind == SAMPLE_COBRA)
    return last && chance ? TXN_UNKNOWN : TXN_COMMITTED;
  if (s->kind == SAMPLE_JEPSEN && last && prng_chance (&s->random, 50))
    return TXN_UNKNOWN;
  return chance && !s->aborted_before ? TXN_ABORTED : TXN_COMMITTED;
}

static void add_txn (struct sampler *s, uint64_t session, uint64_t id, bool last) {
  const char *why = "";
  struct txn_header header = { session, true, id, some_status (s, last), TIME_NONE_BEGIN, TIME_NONE_END };
  s->aborted_before = header.status == TXN_ABORTED && !last;
  if (s->kind == SAMPLE_FULL && prng_chance (&s->random, 70)) {
    header.begin = (int64_t) prng_below (&s->random, 1000) - 500;
    header.end = prng_chance (&s->random, 50) ? header.begin + 10 : TIME_NONE_END;
  }
  if (s->kind == SAMPLE_JEPSEN)
    jepsen_times (s, &header);
  must (history_begin_txn (s->h, &header, &why), why);
  add_ops (s, header.status);
  if (s->kind == SAMPLE_FULL && prng_chance (&s->random, 20))
    must (history_set_txn_hint (s->h, "{\"commitTs\":5}", 14, &why), why);
}

static void set_header (struct sampler *s) {
  const char *why = "";
  s->h->key_type = s->string_keys ? KEYS_BYTES : KEYS_INT;
  if (s->kind == SAMPLE_DBCOP || s->kind == SAMPLE_PLUME) {
    s->h->init = INIT_DEFAULT;
    s->h->init_default = new_atom (s, false, atom_unsigned (0));
  }
  if (s->kind == SAMPLE_DBCOP)
    s->h->source = mem_strdup ("a source");
  if (s->kind != SAMPLE_FULL)
    return;
  s->h->init = (enum init_mode) prng_below (&s->random, 3);
  if (s->h->init == INIT_DEFAULT)
    s->h->init_default = some_value (s);
  if (s->h->init != INIT_ANY)
    for (unsigned i = prng_below (&s->random, 3); i; i--)
      (void) history_set_init_key (s->h, some_key (s), i == 1 ? VALUE_ABSENT : some_value (s), &why);
  if (prng_chance (&s->random, 50))
    s->h->source = mem_strdup (prng_chance (&s->random, 50) ? "" : "some \"source\"");
  if (prng_chance (&s->random, 20))
    history_mark_incomplete (s->h, "%s", prng_chance (&s->random, 50) ? "" : "some \"reason\"\nand another");
  if (prng_chance (&s->random, 50))
    must (history_set_header_hints (s->h, "{\"uniqueValues\":false}", 22, &why), why);
}

// Plume's aborted transactions have no id of their own: readers number them behind the others.
static void number_as_plume (struct history *h) {
  uint64_t next = 1;
  for (int aborted = 0; aborted < 2; aborted++)
    for (uint32_t t = 0; t < history_txns (h); t++)
      if ((h->txn_status.data[t] == TXN_ABORTED) == aborted)
        h->txn_ids.data[t] = next++;
}

struct history *sample_history (enum sample_kind kind, uint64_t seed) {
  struct sampler s = { .h = history_new ("sample"), .random = prng_fork (seed, kind), .kind = kind, .next_value = 100 };
  s.string_keys = (kind == SAMPLE_FULL || kind == SAMPLE_JEPSEN) && prng_chance (&s.random, 50);
  s.timed = kind == SAMPLE_JEPSEN && prng_chance (&s.random, 70);
  s.repeated = prng_chance (&s.random, 50);
  set_header (&s);
  const unsigned sessions = prng_below (&s.random, 4), txns = prng_below (&s.random, 5);
  uint64_t id = 1;
  if (kind == SAMPLE_FULL) { // sessions interleave
    for (unsigned t = 0; t < sessions * txns; t++)
      add_txn (&s, 10 - prng_below (&s.random, sessions), (uint64_t) t * 0x123456789u + 1, false);
  } else {
    for (unsigned session = 1; session <= sessions; session++, s.clock = -3)
      for (unsigned t = 0; t < txns; t++)
        add_txn (&s, session, id++, t + 1 == txns);
  }
  history_finish (s.h);
  if (kind == SAMPLE_PLUME)
    number_as_plume (s.h);
  return s.h;
}
