// The verifier takes exactly the serial orders that explain a history.

#include "formats/formats.h"
#include "greatest_main.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/support/serial_orders.h"

#include <inttypes.h>
#include <string.h>

static struct history *text_history (const char *text) {
  struct error error = { 0 };
  struct history *h = history_read_memory ("test", text, strlen (text), &format_kht, &error);
  if (!h)
    fprintf (stderr, "%s\n", error.text);
  return h;
}

// Transactions in the text are numbered from T1 on, session by session, so that T1 is transaction
// 0.
static const char *refusal (const char *text, const char *level, int64_t skew, enum own_writes own_writes,
                            const char *ids) {
  struct history *h = text_history (text);
  uint32_t order[16], count = 0;
  for (; *ids; ids++)
    order[count++] = (uint32_t) (*ids - '1');
  const char *why = serial_order_refused (h, level_find (level), skew, own_writes, order, count);
  history_free (h);
  return why;
}

// What a refusal says, in part.
static const char incomplete[] = "points";
static const char session[] = "session order";
static const char real_time[] = "real time";
static const char value[] = "operation";

TEST orders_by_hand (void) {
#define CHAIN                                                                                                          \
  "s1 T1 { put x 1 } commit\ns1 T2 { get x -> 1; put x 2; get x -> 2 } commit\ns2 T3 { get x -> 2 } commit\n"
#define UNSURE "s1 T1 { put x 1 } unknown\ns1 T2 { } commit\ns2 T3 { get x -> 1 } commit\ns2 T4 { put x 2 } abort\n"
#define CLOCK                                                                                                          \
  "s1 T1 [10 20] { put x 1 } commit\ns2 T2 [21 30] { } commit\ns3 T3 [15 40] { } commit\ns4 T4 [- -] { } commit\n"
  static const struct {
    const char *text, *level;
    int64_t skew;
    const char *order, *why;
  } cases[] = {
    { CHAIN, "strong-session-serializable", 0, "123", NULL },
    { CHAIN, "serializable", 0, "12", incomplete },
    { CHAIN, "serializable", 0, "1233", incomplete },
    { CHAIN, "serializable", 0, "1234", incomplete },
    { CHAIN, "serializable", 0, "132", value },
    { CHAIN, "serializable", 0, "213", value },
    { CHAIN, "strong-session-serializable", 0, "213", session },
    { UNSURE, "strong-session-serializable", 0, "132", NULL },
    { UNSURE, "strong-session-serializable", 0, "213", NULL }, // session order does not leave an unknown one
    { UNSURE, "strong-session-serializable", 0, "23", value },
    { UNSURE, "strong-session-serializable", 0, "1243", incomplete },
    { UNSURE, "strong-session-serializable", 0, "1123", incomplete },
    { CLOCK, "strict-serializable", 0, "1234", NULL },
    { CLOCK, "strict-serializable", 0, "4132", NULL },
    { CLOCK, "strict-serializable", 0, "3124", NULL },
    { CLOCK, "strict-serializable", 0, "2134", real_time },
    { CLOCK, "strict-serializable", 0, "4231", real_time },
    { CLOCK, "strict-serializable", 1, "2134", NULL },
    { CLOCK, "strict-serializable", INT64_MAX, "2134", NULL },
    { CLOCK, "strong-session-serializable", 0, "2134", NULL },
    { "s1 T1 { put x 1 } commit\ns1 T2 { put x 2 } unknown\ns1 T3 { get x -> 1 } commit\n",
      "strong-session-serializable", 0, "213", session },
    { "s1 T1 { put x 1 } commit\ns1 T2 { put x 2 } unknown\ns1 T3 { get x -> 1 } commit\n",
      "strong-session-serializable", 0, "132", NULL },
    { "krait 1 init=any\ns1 T1 { get x -> 4 } commit\ns2 T2 { get x -> 4 } commit\n", "serializable", 0, "12", NULL },
    { "krait 1 init=any\ns1 T1 { get x -> 4 } commit\ns2 T2 { get x -> 5 } commit\n", "serializable", 0, "12", value },
    { "init { x=4 }\ns1 T1 { get x -> 4; get y -> nil } commit\n", "serializable", 0, "1", NULL },
    { "init { x=4 }\ns1 T1 { get x -> nil } commit\n", "serializable", 0, "1", value },
    { "s1 T1 { put x 1; get x -> 2 } commit\n", "serializable", 0, "1", value },
    { "s1 T1 { put x 1 } commit\ns2 T2 { del x -> found; get x -> nil } commit\n", "serializable", 0, "12", NULL },
    { "s1 T1 { put x 1 } commit\ns2 T2 { del x -> found } commit\n", "serializable", 0, "21", value },
    { "s1 T1 { put b 1 } commit\ns2 T2 { scan a c -> } commit\n", "serializable", 0, "21", NULL },
    { "s1 T1 { put b 1 } commit\ns2 T2 { scan a c -> } commit\n", "serializable", 0, "12", value },
    { "s1 T1 { append x 1 } commit\ns2 T2 { append x 2; list x -> [1 2] } commit\n", "serializable", 0, "12", NULL },
    { "s1 T1 { append x 1 } commit\ns2 T2 { append x 2; list x -> [1 2] } commit\n", "serializable", 0, "21", value },
    { "s1 T1 { append x 1 } commit\ns2 T2 { append x 2; list x -> [1] } commit\n", "serializable", 0, "12", value },
    { "s1 T1 { append x 1 } commit\ns2 T2 { list x -> [1 1] } commit\n", "serializable", 0, "12", value },
    { "s1 T1 { put b 1 } commit\ns2 T2 { scan a c -> b=2 } commit\n", "serializable", 0, "12", value },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *why = refusal (cases[i].text, cases[i].level, cases[i].skew, OWN_MUST, cases[i].order);
    if (!cases[i].why && why)
      FAILm (why);
    if (cases[i].why)
      ASSERTm (cases[i].text, why && strstr (why, cases[i].why));
  }
  PASS ();
}

TEST own_writes_by_hand (void) {
  static const struct {
    const char *text, *order;
    bool taken[OWN_INFER];
  } cases[] = {
    { "s1 T1 { put x 1; get x -> 1 } commit\n", "1", { true, false, true } },
    { "s1 T1 { put x 1; get x -> nil } commit\n", "1", { false, true, true } },
    { "s1 T1 { put x 1; get x -> nil; get x -> 1 } commit\n", "1", { false, false, true } },
    { "s1 T1 { put x 1; get x -> nil; get x } commit\n", "1", { false, true, true } },
    { "s1 T1 { put x 1; put x 2; get x -> 1 } commit\n", "1", { false, false, false } },
    { "s1 T1 { get x -> nil; put x 1; get x -> nil } commit\ns2 T2 { get x -> 1 } commit\n",
      "12",
      { false, true, true } },
    { "s1 T1 { get x -> nil; put x 1; get x -> nil } commit\ns2 T2 { get x -> 1 } commit\n",
      "21",
      { false, false, false } },
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } commit\n", "21", { true, true, true } },
    { "s1 T1 { put x 1; get x -> 1 } commit\ns2 T2 { put x 1 } commit\n", "12", { true, false, true } },
    { "krait 1 init=any\ns1 T1 { get x -> 5 } commit\ns2 T2 { put x 1; get x -> 1 } commit\n",
      "12",
      { true, false, true } },
    { "krait 1 init=any\ns1 T1 { put x 1; get x -> 1 } unknown\ns2 T2 { get x -> 1 } commit\n",
      "12",
      { true, true, true } },
    { "krait 1 init=any\ns1 T1 { put x 1; get x -> 5; get x -> 6 } commit\n", "1", { false, false, false } },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int policy = OWN_MUST; policy < OWN_INFER; policy++) {
      const char *why = refusal (cases[i].text, "serializable", 0, (enum own_writes) policy, cases[i].order);
      ASSERTm (cases[i].text, cases[i].taken[policy] ? !why : why && strstr (why, value));
    }
  PASS ();
}

// --- Every order of random histories ------------------------------------------

struct found {
  const struct history *h;
  uint32_t count;
  uint32_t lengths[20000];
  uint8_t orders[20000][SERIAL_MOST_TXNS];
};

static bool remember (void *context, const uint32_t *order, uint32_t count) {
  struct found *f = context;
  f->lengths[f->count] = count;
  for (uint32_t i = 0; i < count; i++)
    f->orders[f->count][i] = (uint8_t) order[i];
  return ++f->count < 20000;
}

static bool is_found (const struct found *f, const uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < f->count; i++) {
    bool same = f->lengths[i] == count;
    for (uint32_t k = 0; same && k < count; k++)
      same = f->orders[i][k] == order[k];
    if (same)
      return true;
  }
  return false;
}

// A random arrangement of some of the transactions: all committed ones mostly, unknown ones now and
// then.
static uint32_t arrange (struct prng *random, const struct history *h, uint32_t *order) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (prng_chance (random, h->txn_status.data[t] == TXN_COMMITTED ? 97
                             : h->txn_status.data[t] == TXN_UNKNOWN ? 50
                                                                    : 2)) {
      const uint32_t at = prng_below (random, count + 1);
      order[count++] = order[at];
      order[at] = t;
    }
  return count;
}

TEST random_orders (void) {
  static struct found found;
  unsigned taken = 0, refused = 0;
  for (uint64_t index = 0; index < 1500; index++) {
    struct brute_options options;
    struct prng random = prng_fork (4, index);
    struct history *h = random_history (21, index, &options);
    const struct level *level = level_at (index % 3);
    const enum own_writes policy =
      prng_chance (&random, 40) ? OWN_MUST : (enum own_writes) prng_below (&random, OWN_INFER);
    found.h = h;
    found.count = 0;
    serial_orders (h, level, options.clock_skew, policy, remember, &found);
    const char *why = NULL;
    for (uint32_t i = 0; i < found.count; i++) {
      uint32_t order[SERIAL_MOST_TXNS];
      for (uint32_t k = 0; k < found.lengths[i]; k++)
        order[k] = found.orders[i][k];
      why = serial_order_refused (h, level, options.clock_skew, policy, order, found.lengths[i]);
      if (why)
        FAILm (why);
      taken++;
    }
    for (int try = 0; try < 20 && serial_has_verdict (h, level); try++) {
      uint32_t order[SERIAL_MOST_TXNS];
      const uint32_t count = arrange (&random, h, order);
      why = serial_order_refused (h, level, options.clock_skew, policy, order, count);
      const bool fine = !why;
      if (fine != is_found (&found, order, count)) {
        printf ("history %" PRIu64 "\n", index);
        FAILm (fine ? "took an order that does not explain the history" : why);
      }
      refused += !fine;
    }
    history_free (h);
  }
  ASSERT (taken > 3000);
  ASSERT (refused > 3000);
  PASS ();
}

SUITE (serial) {
  RUN_TEST (orders_by_hand);
  RUN_TEST (own_writes_by_hand);
  RUN_TEST (random_orders);
}

KRAIT_UNIT_MAIN (RUN_SUITE (serial);)
