// MariaDB and MySQL, through libmariadb, with statements as text. Bytes are written in hexadecimal:
// what a key holds need not be quoted, and is compared as bytes.

#include "drive/sql.h"
#include "drive/url.h"

#include "base/memory.h"

#include <errmsg.h>
#include <inttypes.h>
#include <mysql.h>
#include <mysqld_error.h>
#include <stdio.h>
#include <string.h>

enum {
  CHANGED_SINCE_READ = 1020,
  CONNECTION_KILLED = 1927,
  NET_READ = 5013,
  NET_UNCOMPRESS = 5015
}; // errors that headers of some versions lack or name otherwise

// What a run holds: locks have names of 64 characters that all databases of a server share, in
// capitals or not.
#define CLAIM "CONCAT ('" DRIVE_TABLE ".', SHA1 (DATABASE ()))"

struct database {
  struct url url;
  char *password; // if the URL has none; or NULL
  const struct driver_level *level;
  struct connection *claim; // holds the table; or NULL
};

struct connection {
  MYSQL *server;
  VEC (char) text; // of a statement
};

static const struct driver_level levels[] = {
  { "read-uncommitted", "ISOLATION LEVEL READ UNCOMMITTED",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED" },
  { "read-committed", "ISOLATION LEVEL READ COMMITTED", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED" },
  { "repeatable-read", "ISOLATION LEVEL REPEATABLE READ, the default",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ" },
  { "snapshot", "REPEATABLE READ with innodb_snapshot_isolation, which MariaDB has since 10.6.18 and 10.11.8",
    "SET SESSION tx_isolation = 'REPEATABLE-READ', innodb_snapshot_isolation = ON" },
  { "serializable", "ISOLATION LEVEL SERIALIZABLE", "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE" },
  { 0 },
};

static const struct sql_words words = {
  .locks = { "", " FOR UPDATE", " LOCK IN SHARE MODE" },
  .upsert = "ON DUPLICATE KEY UPDATE v = VALUES (v)",
  .append = "ON DUPLICATE KEY UPDATE v = CONCAT (v, ' ', VALUES (v))",
  .inc = "ON DUPLICATE KEY UPDATE v = CAST(CAST(v AS UNSIGNED) + CAST(VALUES (v) AS UNSIGNED) AS CHAR)",
};

// ---------------------------------------------------------------------------------------- database

static void disconnect (void *of) {
  struct connection *connection = of;
  mysql_close (connection->server);
  MEM_FREE_ALL (connection->text.data, connection);
}

// The claim would end with its connection, but some time after it has said goodbye; a run that
// follows at once would still find it.
static void close_database (void *of) {
  struct database *database = of;
  if (database->claim) {
    mysql_query (database->claim->server, "DO RELEASE_LOCK (" CLAIM ")");
    disconnect (database->claim);
  }
  url_free (&database->url);
  MEM_FREE_ALL (database->password, database);
}

static void *open_database (const char *url, const char *password, const struct driver_level *level,
                            struct error *error) {
  struct database *database = mem_zalloc (sizeof *database);
  database->password = password ? mem_strdup (password) : NULL;
  database->level = level;
  // Before there are threads: the library's own initialization is not safe with them.
  if (url_read (&database->url, url, error)
      && (!mysql_library_init (0, NULL, NULL) || error_set (error, "libmariadb does not start")))
    return database;
  close_database (database);
  return NULL;
}

static const char *reason (void *of) {
  return mysql_error (((struct connection *) of)->server);
}

static bool is_too_many (unsigned code) {
  return code == ER_CON_COUNT_ERROR || code == ER_TOO_MANY_USER_CONNECTIONS || code == ER_USER_LIMIT_REACHED;
}

// Without a parameter about it the library does as it always does (before 3.4 it speaks no TLS by
// itself, since then it does, and verifies).
static bool set_tls (MYSQL *server, const struct url *url) {
  const struct {
    enum mysql_option option;
    const char *path;
  } paths[] = { { MYSQL_OPT_SSL_CA, url->tls_ca },
                { MYSQL_OPT_SSL_CAPATH, url->tls_capath },
                { MYSQL_OPT_SSL_CERT, url->tls_cert },
                { MYSQL_OPT_SSL_KEY, url->tls_key } };
  const my_bool enforce = url->tls != TLS_DISABLED, verify = url->tls == TLS_VERIFY_IDENTITY;
  if (url->tls == TLS_AS_THE_LIBRARY)
    return true;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (paths[i].path && mysql_options (server, paths[i].option, paths[i].path))
      return false;
  return !mysql_options (server, MYSQL_OPT_SSL_ENFORCE, &enforce)
         && !mysql_options (server, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
}

static void *connect_to (void *to, struct error *error) {
  const struct database *database = to;
  const struct url *url = &database->url;
  const unsigned timeout = url->connect_timeout ? url->connect_timeout : CONNECT_TIMEOUT;
  struct connection *connection = mem_zalloc (sizeof *connection);
  connection->server = mysql_init (NULL);
  if (connection->server && !mysql_options (connection->server, MYSQL_OPT_CONNECT_TIMEOUT, &timeout)
      && set_tls (connection->server, url)
      && mysql_real_connect (connection->server, url->host, url->user,
                             url->password ? url->password : database->password, url->database, url->port, url->socket,
                             CLIENT_FOUND_ROWS)
      && !mysql_query (connection->server, database->level->statement))
    return connection;
  error_set (error, "MariaDB: %.600s%s", connection->server ? reason (connection) : "no memory",
             connection->server && is_too_many (mysql_errno (connection->server)) ? DRIVE_TOO_MANY : "");
  disconnect (connection);
  return NULL;
}

static bool run_text (struct connection *connection, const char *text, struct error *error) {
  return !mysql_query (connection->server, text) || error_set (error, "MariaDB: %.600s", reason (connection));
}

// False if another run has it. Clusters that know no such locks answer with an error.
static bool claim (struct connection *connection, struct error *error) {
  mysql_query (connection->server,
               "SET SESSION wait_timeout = 2147483"); // it says nothing for as long as the run takes
  MYSQL_RES *result =
    mysql_query (connection->server, "SELECT GET_LOCK (" CLAIM ", 0)") ? NULL : mysql_store_result (connection->server);
  char *const *row = result ? mysql_fetch_row (result) : NULL;
  const bool refused = row && row[0] && !strcmp (row[0], "0");
  mysql_free_result (result);
  return !refused || error_set (error, "MariaDB: " DRIVE_CLAIMED);
}

// False if a table or view of that name is there that does not have our comment, which is the last
// thing in the statement that would make it.
static bool may_drop (struct connection *connection, struct error *error) {
  static const char mark[] = " COMMENT='" DRIVE_MARK "'";
  if (mysql_query (connection->server, "SHOW CREATE TABLE " DRIVE_TABLE))
    return mysql_errno (connection->server) == ER_NO_SUCH_TABLE
           || error_set (error, "MariaDB: %.600s", reason (connection));
  MYSQL_RES *result = mysql_store_result (connection->server);
  char *const *row = result ? mysql_fetch_row (result) : NULL;
  const size_t length = row && row[1] ? strlen (row[1]) : 0;
  const bool ours = length >= sizeof mark && !strcmp (row[1] + length + 1 - sizeof mark, mark);
  mysql_free_result (result);
  return ours || error_set (error, "MariaDB: " DRIVE_FOREIGN);
}

static bool clear (void *of, struct error *error) {
  struct database *database = of;
  struct connection *connection = database->claim = connect_to (database, error);
  return connection && claim (connection, error) && may_drop (connection, error)
         && run_text (connection, "DROP TABLE IF EXISTS " DRIVE_TABLE, error)
         && run_text (connection,
                      "CREATE TABLE " DRIVE_TABLE " (k VARBINARY(255) PRIMARY KEY, v MEDIUMBLOB NOT NULL) "
                      "ENGINE=InnoDB COMMENT='" DRIVE_MARK "'",
                      error);
}

// -------------------------------------------------------------------------------------- statements

// Errors of the client library, which has closed the connection by then or cannot make sense of
// what comes over it (TLS, a malformed packet, a system error). What remains is no memory, and
// calls in the wrong order.
static bool is_lost (unsigned code) {
  if (code == CR_OUT_OF_MEMORY || code == CR_COMMANDS_OUT_OF_SYNC)
    return false;
  return (code >= CR_MIN_ERROR && code <= CR_MAX_ERROR) || (code >= NET_READ && code <= NET_UNCOMPRESS)
         || code == ER_SERVER_SHUTDOWN || code == CONNECTION_KILLED;
}

static enum answer answer_of (struct connection *connection) {
  const unsigned code = mysql_errno (connection->server);
  switch (code) {
  case 0: return ANSWER_DONE;
  case ER_LOCK_DEADLOCK:
  case ER_LOCK_WAIT_TIMEOUT:
  case CHANGED_SINCE_READ: return ANSWER_REFUSED;
  default: return is_lost (code) ? ANSWER_LOST : ANSWER_WRONG;
  }
}

static void add_text (struct connection *connection, const char *text, size_t length) {
  VEC_RESERVE (connection->text, connection->text.count + length);
  memcpy (connection->text.data + connection->text.count, text, length);
  connection->text.count += length;
}

static void add_bytes (struct connection *connection, struct slice bytes) {
  add_text (connection, "x'", 2);
  for (size_t i = 0; i < bytes.length; i++) {
    const unsigned char byte = (unsigned char) bytes.bytes[i];
    const char digits[] = { "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15] };
    add_text (connection, digits, 2);
  }
  add_text (connection, "'", 1);
}

static void write_statement (struct connection *connection, unsigned number, struct slice first, struct slice second,
                             uint64_t most) {
  char template[SQL_SIZE], limit[24];
  sql_text (&words, number, template);
  snprintf (limit, sizeof limit, "%" PRIu64, most);
  connection->text.count = 0;
  const char *at = template, *next;
  for (unsigned parameter; (next = sql_parameter (at, &parameter)) != NULL; at = next + 2) {
    add_text (connection, at, (size_t) (next - at));
    if (parameter == 3)
      add_text (connection, limit, strlen (limit));
    else
      add_bytes (connection, parameter == 1 ? first : second);
  }
  add_text (connection, at, strlen (at));
}

static enum answer keep_rows (struct connection *connection, struct rows *rows) {
  MYSQL_RES *result = mysql_store_result (connection->server);
  if (!result)
    return answer_of (connection);
  for (MYSQL_ROW row; (row = mysql_fetch_row (result)) != NULL;) {
    const unsigned long *lengths = mysql_fetch_lengths (result);
    rows_add (rows, slice_of (row[0], lengths[0]), slice_of (row[1], lengths[1]));
  }
  mysql_free_result (result);
  return ANSWER_DONE;
}

static enum answer execute (struct connection *connection, unsigned number, struct slice first, struct slice second,
                            uint64_t most, struct rows *rows, bool *affected) {
  write_statement (connection, number, first, second, most);
  if (mysql_real_query (connection->server, connection->text.data, connection->text.count))
    return answer_of (connection);
  if (affected)
    *affected = mysql_affected_rows (connection->server) != 0;
  return rows ? keep_rows (connection, rows) : ANSWER_DONE;
}

static enum answer execute_text (struct connection *connection, const char *text) {
  mysql_query (connection->server, text);
  return answer_of (connection);
}

// -------------------------------------------------------------------------------------- operations

#include "drive/sql_operations.h"

static enum answer begin (void *of) {
  return execute_text (of, "START TRANSACTION");
}

// A deadlock says that nothing was committed (a cluster finds out as late as this). Of any other
// error of a commit nobody knows.
static enum answer commit (void *of) {
  struct connection *connection = of;
  const enum answer answer = execute_text (connection, "COMMIT");
  return answer == ANSWER_REFUSED && mysql_errno (connection->server) != ER_LOCK_DEADLOCK ? ANSWER_WRONG : answer;
}

static enum answer rollback (void *of) {
  return execute_text (of, "ROLLBACK");
}

const struct driver driver_mariadb = {
  .name = "mariadb",
  .about = "MariaDB and MySQL (InnoDB), through libmariadb",
  .schemes = (const char *const[]){ "mariadb", "mysql", NULL },
  .url = "mariadb://[USER[:PASSWORD]@][HOST[:PORT]]/DATABASE[?socket=PATH&connect_timeout=SECONDS&"
         "ssl_mode=disabled|required|verify_identity&ssl_ca=PATH&...]",
  .takes_password = true,
  .locks_reads = true,
  .levels = levels,
  DRIVER_FUNCTIONS,
};
