/* Bounded staleness: a read does not miss what was committed more than DELTA nanoseconds before its transaction began.
 *
 * Let p install x and end more than DELTA before the reader began. If the reader read x from w, then p comes before w, unless it is w; and it did not read
 * x from the initial state. DELTA is the module's argument: --module=bounded_staleness.so:5000000 allows reads to lag by five milliseconds. With DELTA 0
 * and one-key transactions it is what real time says about reads.
 *
 *   cc -std=c11 -shared -fPIC -I PREFIX/include -o bounded_staleness.so bounded_staleness.c */

#include <krait/module.h>

#include <stdlib.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

/* When the write was there for all to see. KRAIT_NO_END: it never was, for all we know, or may have written nothing. */
static int ended_at (const struct krait_host *host, struct krait_model *model, uint32_t number, uint32_t *writer,
                     int64_t *end) {
  struct krait_install install;
  struct krait_transaction transaction;
  if (host->install (model, number, &install) || host->transaction (model, install.transaction, &transaction))
    return 1;
  *writer = install.transaction;
  *end = transaction.status == KRAIT_COMMITTED && !install.in_doubt ? transaction.end : KRAIT_NO_END;
  return 0;
}

/* Whatever the read reads from is not older than p. */
static int not_older_than (const struct krait_host *host, struct krait_model *model, uint32_t read_number,
                           const struct krait_read *read, uint32_t p) {
  for (uint32_t i = 0; i < read->candidates; i++) {
    struct krait_condition from = { read_number, 0 };
    if (host->candidate (model, read_number, i, &from.writer))
      return 1;
    if (from.writer == p)
      continue;
    if (from.writer == KRAIT_INITIAL ? krait_forbid (host, model, &from, 1)
                                     : krait_demand_edge_if (host, model, &from, 1, p, from.writer))
      return 1;
  }
  return 0;
}

static int bound_read (const struct krait_host *host, struct krait_model *model, uint32_t number, int64_t delta) {
  struct krait_read read;
  struct krait_transaction reader;
  struct krait_key key;
  if (host->read (model, number, &read) || host->transaction (model, read.transaction, &reader)
      || host->key (model, read.key, &key))
    return 1;
  if (reader.begin == KRAIT_NO_BEGIN || reader.begin < INT64_MIN + delta)
    return 0;
  for (uint32_t i = key.first_install; i < key.first_install + key.installs; i++) {
    uint32_t p;
    int64_t end;
    if (ended_at (host, model, i, &p, &end))
      return 1;
    if (p != read.transaction && end != KRAIT_NO_END && end < reader.begin - delta
        && not_older_than (host, model, number, &read, p))
      return 1;
  }
  return 0;
}

int krait_module (const struct krait_host *host, struct krait_model *model) {
  char *rest;
  const long long delta = strtoll (host->argument, &rest, 10);
  if (!*host->argument || *rest || delta < 0)
    return host->fail (model, "expected how many nanoseconds a read may lag: --module=bounded_staleness.so:5000000");
  for (uint32_t read = 0; read < host->reads (model); read++)
    if (bound_read (host, model, read, delta))
      return 1;
  return 0;
}
