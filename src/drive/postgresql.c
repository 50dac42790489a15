// PostgreSQL, through libpq: prepared statements, everything in binary.
//
// A commit that was answered with an error is aborted only if the server is still there to have
// said so: one that is being shut down may report its own end instead of a commit that has
// happened.

#include "drive/sql.h"
#include "drive/url.h"

#include "base/memory.h"

#include <endian.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OID_BYTEA = 17, OID_INT8 = 20 };

struct database {
  char *url, *password; // the latter or NULL
  const struct driver_level *level;
  struct connection *claim; // holds the table; or NULL
};

struct connection {
  PGconn *server;
  const struct database *database;
  bool prepared[SQL_STATEMENTS];
};

static const struct driver_level levels[] = {
  { "read-uncommitted", "ISOLATION LEVEL READ UNCOMMITTED, which PostgreSQL treats as READ COMMITTED",
    "BEGIN ISOLATION LEVEL READ UNCOMMITTED" },
  { "read-committed", "ISOLATION LEVEL READ COMMITTED, the default", "BEGIN ISOLATION LEVEL READ COMMITTED" },
  { "repeatable-read", "ISOLATION LEVEL REPEATABLE READ: snapshot isolation", "BEGIN ISOLATION LEVEL REPEATABLE READ" },
  { "serializable", "ISOLATION LEVEL SERIALIZABLE", "BEGIN ISOLATION LEVEL SERIALIZABLE" },
  { 0 },
};

static const struct sql_words words = {
  .locks = { "", " FOR UPDATE", " FOR SHARE" },
  .upsert = "ON CONFLICT (k) DO UPDATE SET v = excluded.v",
  .append = "ON CONFLICT (k) DO UPDATE SET v = " DRIVE_TABLE ".v || ' '::bytea || excluded.v",
  .inc = "ON CONFLICT (k) DO UPDATE SET v = convert_to ((convert_from (" DRIVE_TABLE
         ".v, 'UTF8')::numeric + convert_from (excluded.v, 'UTF8')::numeric)::text, 'UTF8')",
};

// ---------------------------------------------------------------------------------------- database

// One or, with several hosts, several, with commas between them. In postgresql://USER:PASSWORD,
// without a host, libpq takes the password for one.
static bool are_ports (const PQconninfoOption *options) {
  while (options->keyword && strcmp (options->keyword, "port"))
    options++;
  const char *text = options->keyword && options->val ? options->val : "";
  for (size_t length; *text; text += length + (text[length] == ',')) {
    length = strcspn (text, ",");
    if (strspn (text, "0123456789") != length || length > 5 || (length && (!atoi (text) || atoi (text) > 65535)))
      return false;
  }
  return true;
}

// What libpq says about a URL that it cannot read quotes parts of it, perhaps those of a password;
// and so do its messages about hosts and ports, if a password was taken for them.
static bool check_url (const char *url, struct error *error) {
  char shown[URL_SHOWN], *message = NULL;
  if (url_has_stray_at (url))
    return error_set (error, "--db=%s: an @ or / in a name or password is written %%40 or %%2F",
                      url_shown (url, shown));
  PQconninfoOption *options = PQconninfoParse (url, &message);
  const bool fine = options != NULL, has_ports = fine && are_ports (options);
  PQconninfoFree (options);
  PQfreemem (message);
  if (fine && !has_ports)
    return error_set (error, "--db=%s: a port from 1 to 65535 is expected behind the host", url_shown (url, shown));
  return fine
         || error_set (error,
                       "--db=%s: libpq does not take this URL: it has no //, an unknown parameter, or a character that "
                       "must be percent-encoded",
                       url_shown (url, shown));
}

static void *open_database (const char *url, const char *password, const struct driver_level *level,
                            struct error *error) {
  if (!check_url (url, error))
    return NULL;
  struct database *database = mem_zalloc (sizeof *database);
  database->url = mem_strdup (url);
  database->password = password ? mem_strdup (password) : NULL;
  database->level = level;
  return database;
}

static const char *reason (void *of) {
  return PQerrorMessage (((struct connection *) of)->server);
}

static void disconnect (void *of) {
  struct connection *connection = of;
  PQfinish (connection->server);
  mem_free (connection);
}

// Notices (a table that was not there to be dropped) are of no interest.
static void ignore_notice (void *context, const PGresult *notice) {
  (void) context;
  (void) notice;
}

// Defaults stand before the URL: of two values the last one counts.
static PGconn *connect_by_url (const struct database *database) {
  char timeout[16];
  snprintf (timeout, sizeof timeout, "%d", CONNECT_TIMEOUT);
  const char *const names[] = { "connect_timeout", "password", "dbname", NULL };
  const char *const values[] = { getenv ("PGCONNECT_TIMEOUT") ? NULL : timeout, database->password, database->url,
                                 NULL };
  return PQconnectdbParams (names, values, 1);
}

// SQLSTATE 53300, of which libpq has only the words when there is no connection to ask. Servers
// that speak another language go without the hint.
static bool is_too_many (const char *message) {
  return strstr (message, "too many clients") || strstr (message, "too many connections")
         || strstr (message, "connection slots are reserved");
}

static void *connect_to (void *to, struct error *error) {
  struct connection *connection = mem_zalloc (sizeof *connection);
  connection->database = to;
  connection->server = connect_by_url (connection->database);
  PQsetNoticeReceiver (connection->server, ignore_notice, NULL);
  if (PQstatus (connection->server) == CONNECTION_OK)
    return connection;
  const char *message = reason (connection);
  size_t length = strlen (message);
  while (length && message[length - 1] == '\n')
    length--;
  error_set (error, "PostgreSQL: %.*s%s", (int) (length < 600 ? length : 600), message,
             is_too_many (message) ? DRIVE_TOO_MANY : "");
  disconnect (connection);
  return NULL;
}

static bool run_text (struct connection *connection, const char *text, struct error *error) {
  PGresult *result = PQexec (connection->server, text);
  const bool done = PQresultStatus (result) == PGRES_COMMAND_OK;
  PQclear (result);
  return done || error_set (error, "PostgreSQL: %.600s", reason (connection));
}

// False if another run has it. The key is "krait" in ASCII; it counts in this database alone. What
// speaks PostgreSQL's protocol without knowing advisory locks answers with an error.
static bool claim (struct connection *connection, struct error *error) {
  PQclear (PQexec (connection->server,
                   "SET idle_session_timeout = 0")); // it says nothing for as long as the run takes; unknown before 14
  PGresult *result = PQexec (connection->server, "SELECT pg_try_advisory_lock (461480487284)");
  const bool refused = PQresultStatus (result) == PGRES_TUPLES_OK && !strcmp (PQgetvalue (result, 0, 0), "f");
  PQclear (result);
  return !refused || error_set (error, "PostgreSQL: " DRIVE_CLAIMED);
}

// False if a table (or a view, or whatever has a name of that kind) is there that does not have our
// comment.
static bool may_drop (struct connection *connection, struct error *error) {
  PGresult *result =
    PQexec (connection->server, "SELECT 1 WHERE to_regclass ('" DRIVE_TABLE "') IS NOT NULL AND obj_description "
                                "(to_regclass ('" DRIVE_TABLE "'), 'pg_class') IS DISTINCT FROM '" DRIVE_MARK "'");
  const bool done = PQresultStatus (result) == PGRES_TUPLES_OK, foreign = done && PQntuples (result);
  PQclear (result);
  return (done && !foreign) || error_set (error, "PostgreSQL: %.600s", foreign ? DRIVE_FOREIGN : reason (connection));
}

// Several statements in one text are one transaction: no table is ever seen without its mark.
static bool clear (void *of, struct error *error) {
  struct database *database = of;
  struct connection *connection = database->claim = connect_to (database, error);
  return connection && claim (connection, error) && may_drop (connection, error)
         && run_text (connection,
                      "DROP TABLE IF EXISTS " DRIVE_TABLE "; CREATE TABLE " DRIVE_TABLE
                      " (k bytea PRIMARY KEY, v bytea NOT NULL); COMMENT ON TABLE " DRIVE_TABLE " IS '" DRIVE_MARK "'",
                      error);
}

// Claims end with their connection, but some time after it has said goodbye; a run that follows at
// once would still find it.
static void close_database (void *of) {
  struct database *database = of;
  if (database->claim) {
    PQclear (PQexec (database->claim->server, "SELECT pg_advisory_unlock_all ()"));
    disconnect (database->claim);
  }
  MEM_FREE_ALL (database->url, database->password, database);
}

// -------------------------------------------------------------------------------------- statements

// Class 40: the transaction was rolled back (serialization failure, deadlock). 55P03, 57014: a lock
// or a statement took longer than the user allows.
static bool is_refusal (const char *state) {
  return !strncmp (state, "40", 2) || !strcmp (state, "55P03") || !strcmp (state, "57014");
}

static enum answer answer_to (const struct connection *connection, const PGresult *result) {
  const ExecStatusType status = PQresultStatus (result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
    return ANSWER_DONE;
  if (PQstatus (connection->server) != CONNECTION_OK)
    return ANSWER_LOST;
  const char *state = PQresultErrorField (result, PG_DIAG_SQLSTATE);
  return state && is_refusal (state) ? ANSWER_REFUSED : ANSWER_WRONG;
}

static enum answer execute_text (struct connection *connection, const char *text) {
  PGresult *result = PQexec (connection->server, text);
  const enum answer answer = answer_to (connection, result);
  PQclear (result);
  return answer;
}

// PostgreSQL's own $1 for ?1.
static void use_dollars (char *text) {
  unsigned number;
  for (char *at = text; (at = (char *) sql_parameter (at, &number)) != NULL;)
    *at = '$';
}

static enum answer prepare (struct connection *connection, unsigned number, const char *name) {
  static const Oid types[] = { OID_BYTEA, OID_BYTEA, OID_INT8 };
  char text[SQL_SIZE];
  sql_text (&words, number, text);
  use_dollars (text);
  PGresult *result = PQprepare (connection->server, name, text, (int) sql_parameters (number), types);
  const enum answer answer = answer_to (connection, result);
  connection->prepared[number] = answer == ANSWER_DONE;
  PQclear (result);
  return answer;
}

static void keep_rows (const PGresult *result, struct rows *rows) {
  for (int row = 0; row < PQntuples (result); row++)
    rows_add (rows, slice_of (PQgetvalue (result, row, 0), (size_t) PQgetlength (result, row, 0)),
              slice_of (PQgetvalue (result, row, 1), (size_t) PQgetlength (result, row, 1)));
}

static enum answer execute (struct connection *connection, unsigned number, struct slice first, struct slice second,
                            uint64_t most, struct rows *rows, bool *affected) {
  static const int binary[] = { 1, 1, 1 };
  char name[16];
  snprintf (name, sizeof name, "s%u", number);
  const enum answer prepared = connection->prepared[number] ? ANSWER_DONE : prepare (connection, number, name);
  if (prepared != ANSWER_DONE)
    return prepared;
  const uint64_t limit = htobe64 (most);
  const char *values[] = { first.bytes, second.bytes, (const char *) &limit };
  const int lengths[] = { (int) first.length, (int) second.length, sizeof limit };
  PGresult *result =
    PQexecPrepared (connection->server, name, (int) sql_parameters (number), values, lengths, binary, 1);
  const enum answer answer = answer_to (connection, result);
  if (answer == ANSWER_DONE && rows)
    keep_rows (result, rows);
  if (answer == ANSWER_DONE && affected)
    *affected = strcmp (PQcmdTuples (result), "0") != 0;
  PQclear (result);
  return answer;
}

// -------------------------------------------------------------------------------------- operations

#include "drive/sql_operations.h"

static enum answer begin (void *of) {
  struct connection *connection = of;
  return execute_text (connection, connection->database->level->statement);
}

// A transaction that failed before is rolled back by COMMIT, which then calls itself ROLLBACK.
// Class 40 says that it was rolled back, but for 40003.
static enum answer commit (void *of) {
  struct connection *connection = of;
  PGresult *result = PQexec (connection->server, "COMMIT");
  enum answer answer = answer_to (connection, result);
  if (answer == ANSWER_DONE && strcmp (PQcmdStatus (result), "COMMIT"))
    answer = ANSWER_REFUSED;
  const char *state = PQresultErrorField (result, PG_DIAG_SQLSTATE);
  if (answer == ANSWER_REFUSED && state && (strncmp (state, "40", 2) || !strcmp (state, "40003")))
    answer = ANSWER_WRONG;
  PQclear (result);
  return answer;
}

static enum answer rollback (void *of) {
  return execute_text (of, "ROLLBACK");
}

const struct driver driver_postgresql = {
  .name = "postgresql",
  .about = "PostgreSQL and what speaks its protocol, through libpq",
  .schemes = (const char *const[]){ "postgresql", "postgres", NULL },
  .url = "postgresql://[USER[:PASSWORD]@][HOST][:PORT][/DATABASE][?host=/SOCKET/FOLDER&...], as libpq has it",
  .takes_password = true,
  .locks_reads = true,
  .levels = levels,
  DRIVER_FUNCTIONS,
};
