#include "tests/support/random_ops.h"

#include "tests/brute/prng.h"

#include <stdlib.h>
#include <string.h>

struct maker {
  struct history *h;
  struct prng random;
  bool string_keys;
};

static void must (bool done, const char *why) {
  if (!done)
    misuse ("random_ops_history", why);
}

static bool chance (struct maker *m, unsigned percent) {
  return prng_chance (&m->random, percent);
}

static unsigned below (struct maker *m, unsigned bound) {
  return prng_below (&m->random, bound);
}

#define BYTES(literal)                                                                                                 \
  { literal, sizeof literal - 1 }

// Each is there because some reader or writer could get it wrong.
static const struct {
  const char *bytes;
  size_t length;
} strings[] = {
  BYTES ("x"),
  BYTES ("y_1"),
  BYTES (""),
  BYTES ("nil"),
  BYTES ("null"),
  BYTES ("1"),
  BYTES ("-1"),
  BYTES ("any"),
  BYTES ("absent"),
  BYTES ("none"),
  BYTES ("a b"),
  BYTES ("a-b"),
  BYTES ("a.b:c/d"),
  BYTES ("..."),
  BYTES ("\"quoted\""),
  BYTES ("back\\slash"),
  BYTES ("\\n"),
  BYTES ("line\nend"),
  BYTES ("\ttab\r"),
  BYTES ("\0zero"),
  BYTES ("\x01\x1f"),
  BYTES ("\x7f"),
  BYTES ("caf\xc3\xa9"),
  BYTES ("\xe2\x82\xac"),
  BYTES ("\xf0\x9f\x90\x8d"),
  BYTES ("\xff\xfe"),
  BYTES ("\xed\xa0\x80"),
  BYTES ("\xc3"),
  BYTES ("\xc0\x80"),
  BYTES ("b64"),
  BYTES ("{\"b64\":1}"),
  BYTES ("# no comment"),
  BYTES ("@update"),
  BYTES ("a=1"),
  BYTES ("; } commit"),
  BYTES ("12345678"),
  BYTES ("eight by\xe2\x82\xac"),
  BYTES ("exactly sixteen!"),
  BYTES ("9lives"),
  BYTES ("_"),
};

static struct atom some_string (struct maker *m) {
  const unsigned which = below (m, sizeof strings / sizeof *strings);
  return atom_bytes (strings[which].bytes, strings[which].length);
}

static struct atom some_integer (struct maker *m) {
  static const uint64_t edges[] = { 0,
                                    9,
                                    10,
                                    99999999,
                                    100000000,
                                    INT64_MAX,
                                    (uint64_t) INT64_MAX + 1,
                                    9999999999999999999u,
                                    10000000000000000000u,
                                    UINT64_MAX };
  switch (below (m, 5)) {
  case 0: return atom_unsigned (edges[below (m, sizeof edges / sizeof *edges)]);
  case 1: return atom_signed (chance (m, 20) ? INT64_MIN : -1 - (int64_t) below (m, 1000));
  case 2: return atom_unsigned (prng_next (&m->random) >> below (m, 64));
  default: return atom_unsigned (below (m, 8));
  }
}

static uint32_t some_key (struct maker *m) {
  const char *why = "";
  const uint32_t key = history_key (m->h, m->string_keys ? some_string (m) : some_integer (m), &why);
  must (key != KEY_NONE, why);
  return key;
}

static uint32_t some_value (struct maker *m) {
  const char *why = "";
  const uint32_t value = history_value (m->h, chance (m, 50) ? some_string (m) : some_integer (m), &why);
  must (value != UINT32_MAX, why);
  return value;
}

static const char *some_hint (struct maker *m, bool object) {
  static const char *const hints[] = { "{}",
                                       "{\"commitTs\":17}",
                                       "{\"versionOrder\":{\"x\":[1,2,\"\\u20ac\"]}}",
                                       "{\"a\":[{\"b\":[]},null,true,false,-1.5e+10,\"\\\"}\"]}",
                                       "17",
                                       "\"a string; } # with everything\"",
                                       "null",
                                       "[1,[2,[3]]]" };
  return hints[below (m, object ? 4 : sizeof hints / sizeof *hints)];
}

static void some_times (struct maker *m, int64_t *begin, int64_t *end) {
  *begin = chance (m, 10) ? INT64_MIN + 1 : (int64_t) below (m, 1000) - 500;
  *end = chance (m, 10) ? INT64_MAX - 1 : *begin + below (m, 100);
  if (chance (m, 20))
    *begin = TIME_NONE_BEGIN;
  if (chance (m, 20))
    *end = TIME_NONE_END;
}

// --- Operations ---

static void add (struct maker *m, enum op_kind kind, unsigned flags, uint32_t key, uint32_t value, uint32_t aux) {
  const char *why = "";
  must (history_add_op (m->h, kind, flags, key, value, aux, &why), why);
}

static unsigned some_lock (struct maker *m) {
  static const unsigned locks[] = { 0, 0, 0, OP_LOCK_UPDATE, OP_LOCK_SHARE };
  return locks[below (m, 5)];
}

static unsigned some_outcome (struct maker *m) {
  return chance (m, 30) ? 0 : OP_RESULT_KNOWN | (chance (m, 50) ? OP_RESULT_TRUE : 0);
}

static void add_items (struct maker *m, bool with_keys) {
  const char *why = "";
  for (unsigned left = below (m, 4); left; left--) {
    const uint32_t key = with_keys ? some_key (m) : KEY_NONE;
    must (history_add_item (m->h, key, some_value (m), &why), why);
  }
}

static void add_range (struct maker *m, enum op_kind kind) {
  unsigned flags = some_lock (m);
  const uint32_t low = chance (m, 30) ? KEY_NONE : some_key (m), high = chance (m, 30) ? KEY_NONE : some_key (m);
  const uint32_t range = history_open_range (m->h, low, high);
  const bool recorded = chance (m, 80);
  if (recorded)
    add_items (m, true);
  if (kind == OP_ITER)
    flags |= (recorded && chance (m, 50) ? OP_ITER_END : 0) | (chance (m, 30) ? OP_ITER_REVERSE : 0);
  add (m, kind, flags, KEY_NONE, recorded ? VALUE_NONE : VALUE_UNRECORDED, range);
}

static void add_list (struct maker *m) {
  const uint32_t key = some_key (m);
  if (chance (m, 20)) {
    add (m, OP_LIST, some_lock (m), key, VALUE_UNRECORDED, AUX_NONE);
    return;
  }
  const uint32_t range = history_open_range (m->h, KEY_NONE, KEY_NONE);
  const bool null = chance (m, 20);
  if (!null)
    add_items (m, false);
  add (m, OP_LIST, some_lock (m), key, null ? VALUE_ABSENT : VALUE_NONE, range);
}

static uint32_t some_read_value (struct maker *m) {
  return chance (m, 20) ? VALUE_UNRECORDED : chance (m, 20) ? VALUE_ABSENT : some_value (m);
}

// By an integer; to what it gives, to anything, or to what was not recorded.
static void add_inc (struct maker *m) {
  static const int64_t steps[] = { 1, -1, 3, INT64_MAX, INT64_MIN, 0 };
  const char *why = "";
  const uint32_t by = history_value (m->h, atom_signed (steps[below (m, 6)]), &why);
  const uint32_t result = chance (m, 20) ? VALUE_UNRECORDED : some_value (m);
  must (history_add_inc (m->h, some_lock (m), some_key (m), by, result, &why), why);
}

static void add_kind (struct maker *m, enum op_kind kind) {
  switch (kind) {
  case OP_PUT:
  case OP_APPEND: add (m, kind, 0, some_key (m), some_value (m), AUX_NONE); break;
  case OP_DEL: add (m, kind, some_outcome (m) | some_lock (m), some_key (m), VALUE_NONE, AUX_NONE); break;
  case OP_GET: add (m, kind, some_lock (m), some_key (m), some_read_value (m), AUX_NONE); break;
  case OP_SCAN:
  case OP_ITER: add_range (m, kind); break;
  case OP_LIST: add_list (m); break;
  case OP_CAS:
    add (m, kind, some_outcome (m) | some_lock (m), some_key (m), chance (m, 20) ? VALUE_ABSENT : some_value (m),
         some_value (m));
    break;
  case OP_INC: add_inc (m); break;
  }
}

static void add_op (struct maker *m) {
  const enum op_kind kind = (enum op_kind) below (m, OP_KINDS);
  const char *why = "";
  int64_t begin, end;
  add_kind (m, kind);
  some_times (m, &begin, &end);
  if (chance (m, 20) && (begin != TIME_NONE_BEGIN || end != TIME_NONE_END))
    history_set_op_times (m->h, begin, end);
  if (kind != OP_PUT && kind != OP_APPEND && chance (m, 15)) {
    const char *hint = some_hint (m, false);
    must (history_set_op_hint (m->h, hint, strlen (hint), &why), why);
  }
}

// --- Transactions and header ---

static void add_txn (struct maker *m, uint64_t id, unsigned sessions) {
  static const uint64_t labels[] = { 0, 3, UINT64_MAX, 7 };
  struct txn_header header = {
    labels[below (m, sessions)], true, id, (enum txn_status) below (m, 3), TIME_NONE_BEGIN, TIME_NONE_END
  };
  const char *why = "";
  if (chance (m, 70))
    some_times (m, &header.begin, &header.end);
  must (history_begin_txn (m->h, &header, &why), why);
  for (unsigned left = below (m, 6); left; left--)
    add_op (m);
  if (chance (m, 15)) {
    const char *hint = some_hint (m, true);
    must (history_set_txn_hint (m->h, hint, strlen (hint), &why), why);
  }
}

static void set_init (struct maker *m) {
  const char *why = "";
  m->h->init = (enum init_mode) below (m, 3);
  if (m->h->init == INIT_DEFAULT)
    m->h->init_default = some_value (m);
  if (m->h->init == INIT_ANY)
    return;
  // A key that is drawn twice is refused, as it should be.
  for (unsigned left = chance (m, 50) ? below (m, 30) : 0; left; left--)
    (void) history_set_init_key (m->h, some_key (m), chance (m, 20) ? VALUE_ABSENT : some_value (m), &why);
}

static void set_header (struct maker *m) {
  const char *why = "";
  if (chance (m, 50))
    m->h->key_type = m->string_keys ? KEYS_BYTES : KEYS_INT;
  if (chance (m, 30))
    m->h->source = mem_strdup (chance (m, 50) ? "a \"test\"\n\\ caf\xc3\xa9" : "");
  if (chance (m, 30)) {
    const char *hint = some_hint (m, true);
    must (history_set_header_hints (m->h, hint, strlen (hint), &why), why);
  }
}

struct history *random_ops_history (uint64_t seed) {
  struct maker m = { history_new ("random"), { seed }, false };
  m.string_keys = chance (&m, 50);
  set_header (&m);
  set_init (&m);
  const unsigned sessions = 1 + below (&m, 4);
  uint64_t id = chance (&m, 20) ? UINT64_MAX - 100 : below (&m, 3);
  for (unsigned left = below (&m, 25); left; left--, id += 1 + below (&m, 3))
    add_txn (&m, id, sessions);
  history_finish (m.h);
  return m.h;
}
