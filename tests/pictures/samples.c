#include "tests/pictures/samples.h"

#include "tests/brute/prng.h"

#include <stdio.h>
#include <string.h>

const char *const hostile_names[] = {
  "</script><script>window.hacked=1</script>",
  "<img src=x onerror=\"window.hacked=1\">",
  "<!--<script>",
  "]]>&amp;&lt;",
  "\"'`${window.hacked=1}",
  "back\\slash\\",
  "new\nline\r\ttab",
  "bell\a and \x7f",
  "not UTF-8: \xff\xfe\xc0\xaf\xed\xa0\x80",
  "\xe2\x80\xaeturned round",
  "a\xe2\x80\xa8"
  "b\xe2\x80\xa9"
  "c",
  "\xf0\x9f\x90\x8d \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
  "",
};
const unsigned hostile_name_count = sizeof hostile_names / sizeof *hostile_names;

static void add_op (struct picture *p, uint32_t txn, const char *text) {
  VEC_PUSH (p->txns.data[txn].ops, mem_strdup (text));
}

static uint32_t add_txn (struct picture *p, unsigned number, uint32_t session, uint32_t position) {
  char label[16];
  snprintf (label, sizeof label, "T%u", number);
  return picture_add_txn (p, label, session, position, TXN_COMMITTED);
}

static struct picture *make_choice (void) {
  struct picture *p = picture_new ("a choice");
  p->level = mem_strdup ("serializable");
  p->anomaly = mem_strdup ("G2");
  p->anomaly_name = mem_strdup ("phantom");
  p->summary = mem_strdup ("T3 and T5 both wrote x, in one order or the other. Neither order works.");
  VEC_PUSH (p->violated, mem_strdup ("serializable"));
  VEC_PUSH (p->holding, mem_strdup ("snapshot-isolation"));
  VEC_PUSH (p->holding, mem_strdup ("repeatable-read"));
  const uint32_t s1 = picture_add_session (p, "1"), s2 = picture_add_session (p, "2"),
                 s3 = picture_add_session (p, "3");
  const uint32_t initial = picture_initial (p);
  const uint32_t t1 = add_txn (p, 1, s1, 0), t3 = add_txn (p, 3, s1, 1), t5 = add_txn (p, 5, s2, 4),
                 t6 = add_txn (p, 6, s2, 5), t7 = add_txn (p, 7, s3, 0), t8 = add_txn (p, 8, s3, 1);
  p->txns.data[t1].surrounding = p->txns.data[t6].surrounding = true;
  p->txns.data[t6].status = TXN_ABORTED;
  p->txns.data[t8].status = TXN_UNKNOWN;
  p->txns.data[t8].note = mem_strdup ("It must have committed: T7 read what it wrote.");
  add_op (p, t1, "put y 1");
  add_op (p, t3, "get y -> nil");
  add_op (p, t3, "put x 1");
  add_op (p, t5, "scan a z -> y=1");
  add_op (p, t5, "put x 2");
  add_op (p, t6, "put x 9");
  add_op (p, t7, "get x -> 1");
  add_op (p, t8, "get x -> 2");
  add_op (p, t8, "put z 1");
  picture_add_edge (p, PICTURE_NONE, initial, t3, PICTURE_WR, "y", "T3 read y = nil, the initial state.");
  picture_add_edge (p, PICTURE_NONE, t1, t3, PICTURE_SO, NULL, "The same client did one after the other.");
  picture_add_edge (p, PICTURE_NONE, t5, t6, PICTURE_SO, NULL, "The same client did one after the other.");
  picture_add_edge (p, PICTURE_NONE, t1, t5, PICTURE_PWR, "y", "The scan of T5 saw what T1 wrote.");
  picture_add_edge (p, PICTURE_NONE, t7, t8, PICTURE_RT, NULL, "T7 ended before T8 began.");
  const uint32_t a = picture_add_branch (p, "if T3 wrote x before T5");
  const uint32_t b = picture_add_branch (p, "if T5 wrote x before T3");
  picture_add_edge (p, a, t3, t5, PICTURE_WW, "x", "That is the choice.");
  picture_add_edge (p, a, t5, t7, PICTURE_WR, "x", "T7 must see what T5 wrote.");
  picture_add_edge (p, a, t7, t3, PICTURE_PRW, "x", "T7 did not see it.");
  picture_add_edge (p, b, t5, t3, PICTURE_WW, "x", "That is the choice.");
  picture_add_edge (p, b, t3, t8, PICTURE_WR, "x", "T8 must see what T3 wrote.");
  picture_add_edge (p, b, t8, t5, PICTURE_RW, "x", "T8 did not see it.");
  return p;
}

static struct picture *make_hostile (void) {
  struct picture *p = picture_new (hostile_names[0]);
  char *long_key = mem_alloc (10 * 1024 + 1);
  memset (long_key, 'K', 10 * 1024);
  long_key[10 * 1024] = 0;
  p->level = mem_strdup (hostile_names[1]);
  p->anomaly = mem_strdup (hostile_names[2]);
  p->anomaly_name = mem_strdup (hostile_names[3]);
  p->summary = mem_strdup (hostile_names[0]);
  VEC_PUSH (p->violated, mem_strdup (hostile_names[0]));
  const uint32_t branch = picture_add_branch (p, hostile_names[1]);
  for (unsigned i = 0; i < hostile_name_count; i++) {
    const uint32_t txn =
      picture_add_txn (p, hostile_names[i], picture_add_session (p, hostile_names[i]), 0, TXN_COMMITTED);
    p->txns.data[txn].note = mem_strdup (hostile_names[i]);
    for (unsigned k = 0; k < hostile_name_count; k++)
      add_op (p, txn, hostile_names[(i + k) % hostile_name_count]);
    add_op (p, txn, long_key);
  }
  for (unsigned i = 0; i < hostile_name_count; i++)
    picture_add_edge (p, branch, i, (i + 1) % hostile_name_count, PICTURE_WR, i ? hostile_names[i] : long_key,
                      hostile_names[i]);
  mem_free (long_key);
  return p;
}

static struct picture *make_dense (uint32_t txns, bool scattered) {
  struct picture *p = picture_new (scattered ? "scattered" : "dense");
  struct prng prng = { 1 };
  const uint32_t sessions = scattered ? txns : 24;
  char text[32];
  for (uint32_t s = 0; s < sessions; s++) {
    snprintf (text, sizeof text, "%u", s + 1);
    picture_add_session (p, text);
  }
  for (uint32_t t = 0; t < txns; t++) {
    add_txn (p, t + 1, t % sessions, t / sessions);
    if (!scattered) {
      p->txns.data[t].begin = 100 * (int64_t) t + prng_below (&prng, 90);
      p->txns.data[t].end = p->txns.data[t].begin + 200 + prng_below (&prng, 1000);
    }
    for (unsigned i = 0, count = 1 + prng_below (&prng, 9); i < count; i++) {
      snprintf (text, sizeof text, "%s k%u %s%u", i % 2 ? "put" : "get", prng_below (&prng, 1000), i % 2 ? "" : "-> ",
                prng_below (&prng, 100000));
      add_op (p, t, text);
    }
  }
  const uint32_t branch = picture_add_branch (p, NULL), length = scattered ? txns : txns / 4;
  for (uint32_t i = 0; i < length; i++)
    picture_add_edge (p, branch, i * (txns / length), (i + 1) % length * (txns / length),
                      i % 3 ? PICTURE_WR : PICTURE_RW, "k17", "One comes before the other.");
  for (uint32_t i = 0; i < txns && !scattered; i++) {
    const uint32_t from = prng_below (&prng, txns), to = prng_below (&prng, txns);
    if (from != to)
      picture_add_edge (p, PICTURE_NONE, from < to ? from : to, from < to ? to : from, PICTURE_WR, "k4",
                        "Another edge.");
  }
  return p;
}

struct picture *sample_picture (const char *name, uint32_t txns) {
  if (!strcmp (name, "choice"))
    return make_choice ();
  if (!strcmp (name, "hostile"))
    return make_hostile ();
  if (txns >= 4 && !strcmp (name, "dense"))
    return make_dense (txns, false);
  return txns >= 4 && !strcmp (name, "scattered") ? make_dense (txns, true) : NULL;
}

struct picture *random_picture (uint64_t seed, uint32_t txns) {
  struct prng prng = prng_fork (seed, txns);
  struct picture *p = picture_new ("random");
  const uint32_t sessions = 1 + prng_below (&prng, txns);
  const bool times = prng_chance (&prng, 40);
  for (uint32_t s = 0; s < sessions; s++)
    picture_add_session (p, "s");
  for (uint32_t t = 0; t < txns; t++) {
    const uint32_t txn = add_txn (p, t, prng_below (&prng, sessions), prng_below (&prng, txns));
    p->txns.data[txn].status = (enum txn_status) prng_below (&prng, 3);
    p->txns.data[txn].surrounding = prng_chance (&prng, 20);
    if (times && !prng_chance (&prng, 1)) {
      p->txns.data[txn].begin = 10 * (int64_t) p->txns.data[txn].position;
      p->txns.data[txn].end = p->txns.data[txn].begin + prng_below (&prng, 50);
    }
    for (unsigned i = prng_below (&prng, 10); i; i--)
      add_op (p, txn, hostile_names[prng_below (&prng, hostile_name_count)]);
  }
  if (prng_chance (&prng, 50))
    picture_initial (p);
  for (unsigned i = prng_below (&prng, 3); i; i--)
    picture_add_branch (p, hostile_names[prng_below (&prng, hostile_name_count)]);
  const uint32_t all = (uint32_t) p->txns.count;
  for (unsigned i = prng_below (&prng, 3 * txns); i && all > 1; i--) {
    const uint32_t from = prng_below (&prng, all), to = (from + 1 + prng_below (&prng, all - 1)) % all;
    const enum picture_type type = (enum picture_type) prng_below (&prng, PICTURE_TYPE_COUNT);
    const char *key = prng_chance (&prng, 70) ? hostile_names[prng_below (&prng, hostile_name_count)] : NULL;
    if (p->branches.count && prng_chance (&prng, 50))
      picture_add_edge (p, prng_below (&prng, (unsigned) p->branches.count), from, to, type, key, NULL);
    else
      picture_add_edge (p, PICTURE_NONE, from, to, type, key, "why");
  }
  return p;
}
