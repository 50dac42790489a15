#include "tests/trace/store.h"

#include "tests/brute/prng.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 4096 };

struct client {
  pthread_t thread;
  krait_trace_session *session;
  unsigned number, padding;
  uint64_t txns;
  struct store_progress *progress;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char store[STORE_KEYS][LONGEST]; // "": absent

static void count (struct client *client, _Atomic uint64_t *counter, int error) {
  if (error)
    client->progress->errors++;
  else
    ++*counter;
}

static void read_key (struct client *client, unsigned key) {
  struct store_progress *progress = client->progress;
  count (client, &progress->inputs, krait_trace_get (client->session, krait_unsigned (key), 0));
  const char *value = store[key];
  count (client, &progress->outputs,
         *value ? krait_trace_value (client->session, krait_text (value)) : krait_trace_absent (client->session));
}

static void write_key (struct client *client, unsigned key, uint64_t txn, unsigned op) {
  struct store_progress *progress = client->progress;
  char value[LONGEST];
  snprintf (value, sizeof value, "%u.%llu.%u%*s", client->number, (unsigned long long) txn, op, (int) client->padding,
            "");
  count (client, &progress->inputs, krait_trace_put (client->session, krait_unsigned (key), krait_text (value)));
  strcpy (store[key], value);
  count (client, &progress->outputs, krait_trace_done (client->session));
}

static void *run_client (void *context) {
  struct client *client = context;
  struct store_progress *progress = client->progress;
  for (uint64_t txn = 0; txn < client->txns; txn++) {
    struct prng random = prng_fork (client->number, txn);
    count (client, &progress->begins, krait_trace_begin (client->session));
    pthread_mutex_lock (&lock);
    for (unsigned op = 0; op < STORE_OPS; op++) {
      const unsigned key = prng_below (&random, STORE_KEYS);
      if (prng_chance (&random, 50))
        read_key (client, key);
      else
        write_key (client, key, txn, op);
    }
    count (client, &progress->commits, krait_trace_commit (client->session));
    pthread_mutex_unlock (&lock);
    count (client, &progress->ends, krait_trace_end (client->session, KRAIT_COMMITTED));
    progress->txns++;
  }
  return NULL;
}

void store_run (krait_trace *trace, unsigned threads, uint64_t txns, unsigned padding,
                struct store_progress *progress) {
  struct client clients[STORE_MOST_THREADS];
  memset (store, 0, sizeof store);
  for (unsigned i = 0; i < threads; i++) {
    clients[i] = (struct client){ .number = i, .padding = padding, .txns = txns, .progress = &progress[i] };
    clients[i].session = krait_trace_session_open (trace, i);
  }
  for (unsigned i = 0; i < threads; i++)
    pthread_create (&clients[i].thread, NULL, run_client, &clients[i]);
  for (unsigned i = 0; i < threads; i++)
    pthread_join (clients[i].thread, NULL);
}
