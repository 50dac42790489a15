// What workloads ask for, before any store has answered: the shares that they promise, names in the
// order of keys, ranges within their tables.

#include "../unit/greatest_main.h"
#include "base/sort.h"
#include "generate/workloads/all.h"

#include <string.h>

enum { SCRIPTS = 20000 };

struct writer {
  const struct workload *workload;
  struct workload_options options;
  struct random random;
  struct draw keys;
  uint64_t memory[8], shared[SCRIPT_SHARED];
  struct script script;
};

static void start (struct writer *writer, const char *name, uint64_t keys, enum distribution distribution) {
  *writer = (struct writer){ .workload = workload_find (name), .random = { 7 } };
  const struct workload *workload = writer->workload;
  writer->options = (struct workload_options){ keys ? keys : workload->keys, workload->operations, workload->reads,
                                               workload->repetition, 0 };
  draw_init (&writer->keys, distribution, writer->options.keys);
  writer->script = (struct script){ .random = &writer->random,
                                    .options = &writer->options,
                                    .keys = &writer->keys,
                                    .session = 3,
                                    .memory = writer->memory,
                                    .shared = writer->shared };
}

static const struct script *next (struct writer *writer) {
  writer->script.requests.count = 0;
  workload_write (writer->workload, &writer->script);
  return &writer->script;
}

static void name_of (const struct workload *workload, uint64_t key, char *text, size_t size) {
  if (workload->application)
    row_name (workload->application->tables, key, text, size);
  else
    snprintf (text, size, "%020llu", (unsigned long long) key);
}

static bool in_table (const struct workload *workload, const struct request *request, const char *table) {
  char name[96];
  name_of (workload, request->key, name, sizeof name);
  return !*table || !strncmp (name, table, strlen (table));
}

// ------------------------------------------------------------------------------------------ shares

// How many requests of a kind there are per transaction, or, `whole`, in how many transactions
// there is one: per 100, and how far off that may be.
struct promise {
  const char *workload;
  enum op_kind kind;
  const char *table; // only of keys that are named so
  bool whole;
  double wanted, slack;
};

static const struct promise promises[] = {
  // A read-modify-write has a read and a write of its own: 8 * (25 + 25).
  { "randombench", OP_GET, "", false, 400, 8 },
  { "randombench", OP_PUT, "", false, 400, 8 },
  { "randombench", OP_DEL, "", false, 40, 3 },
  { "randombench", OP_SCAN, "", false, 80, 4 },
  { "randombench", OP_ITER, "", false, 80, 4 },
  { "randomrange", OP_GET, "", false, 400, 8 },
  { "randomrange", OP_PUT, "", false, 400, 8 },
  { "randomrange", OP_DEL, "", false, 40, 3 },
  { "randomrange", OP_SCAN, "", false, 160, 6 },
  { "randomrange", OP_ITER, "", false, 0, 0 },
  { "randomrmwrange", OP_GET, "", false, 360, 4 },
  { "randomrmwrange", OP_PUT, "", false, 360, 4 },
  { "randomrmwrange", OP_SCAN, "", false, 80, 4 },
  { "list-append", OP_APPEND, "", false, 125, 4 },
  { "list-append", OP_LIST, "", false, 125, 4 },
  { "twitter", OP_PUT, "tweet/", true, 20, 2 },
  { "twitter", OP_PUT, "following/", true, 40, 2 },
  { "twitter", OP_GET, "tweet/", true, 30, 2 },
  { "rubis", OP_PUT, "user/", true, 10, 1 },
  { "rubis", OP_PUT, "category/", true, 15, 1 },
  { "rubis", OP_PUT, "bid/", true, 10, 1 },
  { "rubis", OP_PUT, "receipt/", true, 5, 1 },
  { "rubis", OP_PUT, "comment/", true, 20, 2 },
  { "rubis", OP_GET, "rating/", true, 60, 2 },
  { "tpcc", OP_PUT, "new_order/", true, 45, 2 },
  { "tpcc", OP_PUT, "history/", true, 43, 2 },
  { "tpcc", OP_ITER, "customer_order/", true, 4, 0.6 },
  { "tpcc", OP_DEL, "new_order/", true, 4, 0.6 },
  { "tpcc", OP_SCAN, "order_line/", true, 12, 1 },
  { "tpcc", OP_PUT, "order_line/", false, 450, 10 },
  { "retwis", OP_PUT, "followers/", true, 20, 2 },
  { "retwis", OP_PUT, "post/", true, 30, 2 },
  { "retwis", OP_GET, "user/", true, 35, 2 },
  { "bank", OP_PUT, "", true, 50, 2 },
  { "fs-metadata", OP_ITER, "entry/", true, 17, 1 },
  { "fs-metadata", OP_PUT, "entry/", true, 26, 2 },
  { "fs-metadata", OP_DEL, "entry/", true, 18, 2 },
  { "fs-metadata", OP_DEL, "directory/", true, 2, 0.5 },
};

static double measure (const struct promise *promise) {
  static struct writer writer;
  start (&writer, promise->workload, 0, DISTRIBUTION_UNIFORM);
  uint64_t found = 0;
  for (unsigned i = 0; i < SCRIPTS; i++) {
    const struct script *script = next (&writer);
    uint64_t here = 0;
    for (size_t k = 0; k < script->requests.count; k++) {
      const struct request *request = &script->requests.data[k];
      here += request->kind == promise->kind && in_table (writer.workload, request, promise->table);
    }
    found += promise->whole ? here > 0 : here;
  }
  VEC_FREE (writer.script.requests);
  return 100.0 * (double) found / SCRIPTS;
}

TEST shares_are_as_promised (void) {
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
    const double found = measure (&promises[i]);
    char about[128];
    snprintf (about, sizeof about, "%s %s %s: %.2f per 100 transactions", promises[i].workload,
              op_kind_name (promises[i].kind), promises[i].table, found);
    ASSERTm (about, found >= promises[i].wanted - promises[i].slack && found <= promises[i].wanted + promises[i].slack);
  }
  PASS ();
}

TEST half_of_the_deletes_say_what_they_found (void) {
  static struct writer writer;
  start (&writer, "randombench", 0, DISTRIBUTION_UNIFORM);
  unsigned deletes = 0, hidden = 0;
  for (unsigned i = 0; i < SCRIPTS; i++) {
    const struct script *script = next (&writer);
    for (size_t k = 0; k < script->requests.count; k++)
      if (script->requests.data[k].kind == OP_DEL) {
        deletes++;
        hidden += script->requests.data[k].hides_result;
      }
  }
  VEC_FREE (writer.script.requests);
  ASSERT (hidden > deletes * 45 / 100 && hidden < deletes * 55 / 100);
  PASS ();
}

// ---------------------------------------------------------------------------------------- requests

static bool sound (const struct script *script, uint32_t at) {
  const struct request *request = &script->requests.data[at];
  const bool uses_high = request->high_from != FROM_NONE, adds = request->value_kind == VALUE_PLUS;
  if (request->key_from > at || request->high_from > at || request->when_from > at || request->value_from > at
      || (adds && request->value_from == FROM_NONE))
    return false;
  switch (request->kind) {
  case OP_SCAN: return request->key < request->high && !request->most;
  case OP_ITER: return request->key < request->high && request->most;
  case OP_CAS: return false;
  default: return !uses_high && !request->high;
  }
}

static bool same_table (const struct workload *workload, const struct request *request) {
  char low[96], high[96];
  name_of (workload, request->key, low, sizeof low);
  name_of (workload, request->high, high, sizeof high);
  const size_t table = strcspn (low, "/");
  return !workload->application || !strncmp (low, high, table + 1);
}

TEST requests_are_sound (void) {
  static struct writer writer;
  static const uint64_t keys[] = { 0, 1, 2, 17, 1000000000 };
  for (size_t w = 0; workloads[w].name; w++)
    for (size_t i = 0; i < 2 * sizeof keys / sizeof *keys; i++) {
      start (&writer, workloads[w].name, keys[i / 2], i % 2 ? DISTRIBUTION_ZIPF : DISTRIBUTION_UNIFORM);
      for (unsigned n = 0; n < SCRIPTS / 20; n++) {
        const struct script *script = next (&writer);
        ASSERTm (workloads[w].name, script->requests.count);
        ASSERTm (workloads[w].name, script->requests.data[0].when_from == FROM_NONE);
        for (uint32_t k = 0; k < script->requests.count; k++) {
          const struct request *request = &script->requests.data[k];
          ASSERTm (workloads[w].name, sound (script, k));
          if (request->kind == OP_SCAN || request->kind == OP_ITER)
            ASSERTm (workloads[w].name, same_table (&workloads[w], request));
        }
      }
      VEC_FREE (writer.script.requests);
    }
  PASS ();
}

// ------------------------------------------------------------------------------------------- names

typedef VEC (uint64_t) keys_vec;

// Keys as they are asked for, and some behind them, as counters reach.
static void gather_keys (struct writer *writer, keys_vec *keys) {
  for (unsigned n = 0; n < SCRIPTS / 10; n++) {
    const struct script *script = next (writer);
    for (size_t k = 0; k < script->requests.count; k++) {
      const struct request *request = &script->requests.data[k];
      VEC_PUSH (*keys, request->key);
      if (request->high)
        VEC_PUSH (*keys, request->high);
      if (request->key_from != FROM_NONE)
        VEC_PUSH (*keys, request->key + (random_below (writer->script.random, 100000) << request->shift));
    }
  }
  VEC_SORT (*keys, by_u64);
}

TEST names_are_in_the_order_of_keys (void) {
  static struct writer writer;
  for (size_t w = 0; workloads[w].name; w++) {
    if (!workloads[w].application)
      continue;
    keys_vec keys = { 0 };
    start (&writer, workloads[w].name, 1000000, DISTRIBUTION_UNIFORM);
    gather_keys (&writer, &keys);
    char before[96] = "", name[96];
    for (size_t i = 0; i < keys.count; i++) {
      if (i && keys.data[i] == keys.data[i - 1])
        continue;
      name_of (&workloads[w], keys.data[i], name, sizeof name);
      ASSERTm (name, strcmp (before, name) < 0);
      memcpy (before, name, sizeof name);
    }
    VEC_FREE (keys);
    VEC_FREE (writer.script.requests);
  }
  PASS ();
}

TEST lists_are_given_up (void) {
  static struct writer writer;
  start (&writer, "list-append", 5, DISTRIBUTION_ZIPF);
  enum { LISTS = 10000 };
  static unsigned appends[LISTS];
  unsigned used = 0;
  for (unsigned n = 0; n < 2000; n++) {
    const struct script *script = next (&writer);
    for (size_t k = 0; k < script->requests.count; k++) {
      const struct request *request = &script->requests.data[k];
      ASSERT (request->key < LISTS);
      used += request->kind == OP_APPEND && !appends[request->key];
      appends[request->key] += request->kind == OP_APPEND;
      ASSERT (appends[request->key] <= 32);
    }
  }
  VEC_FREE (writer.script.requests);
  ASSERT (used > 70 && used < 100); // some 2,500 appends
  PASS ();
}

SUITE (scripts) {
  RUN_TEST (shares_are_as_promised);
  RUN_TEST (half_of_the_deletes_say_what_they_found);
  RUN_TEST (requests_are_sound);
  RUN_TEST (names_are_in_the_order_of_keys);
  RUN_TEST (lists_are_given_up);
}

KRAIT_UNIT_MAIN (RUN_SUITE (scripts);)
