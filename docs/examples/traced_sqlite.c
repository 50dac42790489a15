// Two clients of an SQLite database move money between accounts, traced:
//
//   cc traced_sqlite.c $(pkg-config --cflags --libs krait sqlite3) && ./a.out bank.db bank.trace
//   krait check --level=strict-serializable bank.trace
//
// A bank.db that is there from an earlier run has balances that this trace does not know of: remove
// it, or check with --init=any.
//
// Around each statement: log what is asked, ask, log what came back. Each client is a thread with a
// connection and a session of its own.

#include <krait/trace.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>

enum { CLIENTS = 2, ACCOUNTS = 5, TRANSFERS = 50 };

struct client {
  sqlite3 *db;
  krait_trace_session *session;
  pthread_t thread;
};

static int run (struct client *client, const char *sql) {
  return sqlite3_exec (client->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static long long balance_of (struct client *client, int account) {
  sqlite3_stmt *select;
  sqlite3_prepare_v2 (client->db, "SELECT balance FROM bank WHERE id = ?", -1, &select, NULL);
  sqlite3_bind_int (select, 1, account);
  krait_trace_get (client->session, krait_int (account), 0); // the input
  const int answer = sqlite3_step (select);
  const long long balance = answer == SQLITE_ROW ? sqlite3_column_int64 (select, 0) : 0;
  if (answer == SQLITE_ROW)
    krait_trace_value (client->session, krait_int (balance)); // the output
  else if (answer == SQLITE_DONE)
    krait_trace_absent (client->session);
  sqlite3_finalize (select);
  return balance;
}

static void set_balance (struct client *client, int account, long long balance) {
  char sql[96];
  snprintf (sql, sizeof sql, "REPLACE INTO bank VALUES (%d, %lld)", account, balance);
  krait_trace_put (client->session, krait_int (account), krait_int (balance));
  if (run (client, sql))
    krait_trace_done (client->session);
  else
    krait_trace_refused (client->session); // SQLite said that it changed nothing
}

static void transfer (struct client *client, int from, int to, int amount) {
  krait_trace_begin (client->session);
  int done = run (client, "BEGIN IMMEDIATE");
  if (done) {
    const long long left = balance_of (client, from) - amount, right = balance_of (client, to) + amount;
    set_balance (client, from, left);
    set_balance (client, to, right);
    krait_trace_commit (client->session);
    done = run (client, "COMMIT") || (run (client, "ROLLBACK"), 0);
  }
  krait_trace_end (client->session, done ? KRAIT_COMMITTED : KRAIT_ABORTED);
}

static void *work (void *context) {
  for (int i = 0; i < TRANSFERS; i++)
    transfer (context, i % ACCOUNTS, (i + 1 + i % 3) % ACCOUNTS, i);
  return NULL;
}

static int connect_to (struct client *client, const char *path, char *message) {
  if (sqlite3_open (path, &client->db) == SQLITE_OK && sqlite3_busy_timeout (client->db, 10000) == SQLITE_OK
      && run (client, "CREATE TABLE IF NOT EXISTS bank (id INTEGER PRIMARY KEY, balance INTEGER)"))
    return 1;
  snprintf (message, KRAIT_MESSAGE_SIZE, "%.300s: %.300s", path, sqlite3_errmsg (client->db));
  return 0;
}

int main (int argc, char **argv) {
  char message[KRAIT_MESSAGE_SIZE] = "usage: traced_sqlite DATABASE FOLDER";
  struct client clients[CLIENTS] = { { 0 } };
  int connected = 0, code = 1;
  while (argc == 3 && connected < CLIENTS && connect_to (&clients[connected], argv[1], message))
    connected++;
  krait_trace *trace = connected == CLIENTS ? krait_trace_open (argv[2], 0, message, sizeof message) : NULL;
  for (int i = 0; trace && i < CLIENTS; i++) {
    clients[i].session = krait_trace_session_open (trace, KRAIT_ANY_SESSION);
    pthread_create (&clients[i].thread, NULL, work, &clients[i]);
  }
  for (int i = 0; trace && i < CLIENTS; i++)
    pthread_join (clients[i].thread, NULL);
  for (int i = 0; i < CLIENTS; i++)
    sqlite3_close (clients[i].db);
  if (trace)
    code = krait_trace_close (trace, message, sizeof message);
  if (code)
    fprintf (stderr, "%s\n", message);
  return code != 0;
}
