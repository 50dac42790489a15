// SQLite, in this process, a connection per session. Its transactions are serializable; the one
// exception that it names is read-uncommitted, for connections that share a cache.

#include "drive/sql.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// milliseconds: for a lock, and between two looks at one that cannot be waited for
enum { PATIENCE = 2000, NAP = 1 };

struct database {
  char *path;
  const char *journal;
  bool shares_cache;
  int claim;    // a descriptor of the file, locked; -1: none
  bool is_here; // the file was there before
};

struct connection {
  sqlite3 *db;
  const struct database *database;
  sqlite3_stmt *statements[SQL_STATEMENTS];
  bool is_ready;
};

static const struct driver_level levels[] = {
  { "serializable", "what SQLite does: one writer at a time; BEGIN DEFERRED", NULL },
  { "read-uncommitted", "PRAGMA read_uncommitted, with a cache that all sessions share", NULL },
  { 0 },
};

static const struct sql_words words = {
  .locks = { "", "", "" },
  .upsert = "ON CONFLICT (k) DO UPDATE SET v = excluded.v",
  .append = "ON CONFLICT (k) DO UPDATE SET v = CAST (" DRIVE_TABLE ".v || ' ' || excluded.v AS BLOB)",
  .inc = "ON CONFLICT (k) DO UPDATE SET v = CAST (CAST (CAST (" DRIVE_TABLE
         ".v AS TEXT) AS INTEGER) + CAST (CAST (excluded.v AS TEXT) AS INTEGER) AS BLOB)",
};

// ---------------------------------------------------------------------------------------- database

static const char *find_journal (const char *query, struct error *error) {
  static const char *const journals[] = { "wal", "delete" };
  for (size_t i = 0; query && i < sizeof journals / sizeof *journals; i++)
    if (!strncmp (query, "?journal=", 9) && !strcmp (query + 9, journals[i]))
      return journals[i];
  if (!query)
    return journals[0];
  error_set (error, "--db: SQLite takes ?journal=wal or ?journal=delete, not %.100s", query);
  return NULL;
}

static void *open_database (const char *url, const char *password, const struct driver_level *level,
                            struct error *error) {
  (void) password;
  const char *path = strchr (url, ':') + 1;
  path += !strncmp (path, "//", 2) ? 2 : 0;
  const char *query = strchr (path, '?');
  const size_t length = query ? (size_t) (query - path) : strlen (path);
  const char *journal = find_journal (query, error);
  if (!journal)
    return NULL;
  if (!length) {
    error_set (error, "--db=%.200s: the path of a file is missing", url);
    return NULL;
  }
  if (length == 8 && !strncmp (path, ":memory:", 8)) {
    error_set (error, "--db=%.200s: each session would have a database of its own; the path of a file is needed", url);
    return NULL;
  }
  struct database *database = mem_zalloc (sizeof *database);
  database->claim = -1;
  database->path = mem_alloc (length + 1);
  memcpy (database->path, path, length);
  database->path[length] = 0;
  database->journal = journal;
  database->shares_cache = level == &levels[1];
  database->is_here = !access (database->path, F_OK);
  return database;
}

static void close_database (void *of) {
  struct database *database = of;
  if (database->claim >= 0)
    close (database->claim);
  struct stat status;
  // opened, and never written to
  if (!database->is_here && !stat (database->path, &status) && !status.st_size)
    unlink (database->path);
  MEM_FREE_ALL (database->path, database);
}

// No descriptors left, for the file or for those beside it.
static const char *hint (sqlite3 *db) {
  const int why = sqlite3_system_errno (db);
  const bool cannot_open = (sqlite3_errcode (db) & 0xff) == SQLITE_CANTOPEN;
  return cannot_open && (why == EMFILE || why == ENFILE) ? TOO_MANY_FILES : "";
}

static bool run_text (sqlite3 *db, const char *text, struct error *error) {
  return sqlite3_exec (db, text, NULL, NULL, NULL) == SQLITE_OK
         || error_set (error, "SQLite: %s: %s%s", text, sqlite3_errmsg (db), hint (db));
}

static void disconnect (void *of) {
  struct connection *connection = of;
  for (unsigned i = 0; i < SQL_STATEMENTS; i++)
    sqlite3_finalize (connection->statements[i]);
  sqlite3_close (connection->db);
  mem_free (connection);
}

static void *connect_to (void *to, struct error *error) {
  const struct database *database = to;
  struct connection *connection = mem_zalloc (sizeof *connection);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                    | (database->shares_cache ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE);
  connection->database = database;
  if (sqlite3_open_v2 (database->path, &connection->db, flags, NULL) == SQLITE_OK
      && sqlite3_busy_timeout (connection->db, PATIENCE) == SQLITE_OK)
    return connection;
  error_set (error, "%.400s: %s%s", database->path, sqlite3_errmsg (connection->db), hint (connection->db));
  disconnect (connection);
  return NULL;
}

// False if another run has it. The descriptor stays until all connections are closed: closing one
// drops all of the process's POSIX locks of a file, SQLite's among them. (flock is of another kind,
// and in nobody's way.) A file that cannot be opened is left to SQLite's own message, and file
// systems without such locks are taken as they are.
static bool claim (struct database *database) {
  database->claim = open (database->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  return database->claim < 0 || !flock (database->claim, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

// Whether something of that name is there that does not have our mark, a comment that SQLite keeps
// with the statement.
static bool is_foreign (sqlite3 *db, bool *foreign, struct error *error) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (db,
                                 "SELECT 1 FROM sqlite_master WHERE name = '" DRIVE_TABLE "' COLLATE NOCASE "
                                 "AND (type <> 'table' OR instr (sql, '/* " DRIVE_MARK " */') = 0)",
                                 -1, &statement, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_step (statement);
  *foreign = code == SQLITE_ROW;
  sqlite3_finalize (statement);
  return code == SQLITE_ROW || code == SQLITE_DONE || error_set (error, "SQLite: %s%s", sqlite3_errmsg (db), hint (db));
}

// The journal's mode stays with the file, and cannot be changed while somebody reads it: so before
// any session has done anything.
static bool make_table (const struct database *database, sqlite3 *db, struct error *error) {
  char journal[64];
  bool foreign;
  snprintf (journal, sizeof journal, "PRAGMA journal_mode = %s", database->journal);
  return is_foreign (db, &foreign, error) && (!foreign || error_set (error, "SQLite: " DRIVE_FOREIGN))
         && run_text (db, journal, error) && run_text (db, "DROP TABLE IF EXISTS " DRIVE_TABLE, error)
         && run_text (
           db, "CREATE TABLE " DRIVE_TABLE " (k BLOB PRIMARY KEY, v BLOB NOT NULL /* " DRIVE_MARK " */) WITHOUT ROWID",
           error);
}

static bool clear (void *of, struct error *error) {
  if (!claim (of))
    return error_set (error, "SQLite: " DRIVE_CLAIMED);
  struct connection *connection = connect_to (of, error);
  const bool done = connection && make_table (of, connection->db, error);
  if (connection)
    disconnect (connection);
  return done;
}

static const char *reason (void *of) {
  return sqlite3_errmsg (((struct connection *) of)->db);
}

// -------------------------------------------------------------------------------------- statements

static enum answer answer_to (int code) {
  switch (code & 0xff) {
  case SQLITE_OK:
  case SQLITE_ROW:
  case SQLITE_DONE: return ANSWER_DONE;
  case SQLITE_BUSY:
  case SQLITE_LOCKED: return ANSWER_REFUSED;
  default: return ANSWER_WRONG;
  }
}

// Tables of a shared cache are locked without SQLite's busy handler: it is asked again until the
// patience is at its end.
static int step (sqlite3_stmt *statement) {
  int code = sqlite3_step (statement);
  for (unsigned waited = 0; (code & 0xff) == SQLITE_LOCKED && waited < PATIENCE; waited += NAP) {
    const struct timespec nap = { .tv_nsec = NAP * 1000000L };
    sqlite3_reset (statement);
    nanosleep (&nap, NULL);
    code = sqlite3_step (statement);
  }
  return code;
}

static sqlite3_stmt *statement_of (struct connection *connection, unsigned number) {
  if (!connection->statements[number]) {
    char text[SQL_SIZE];
    sql_text (&words, number, text);
    sqlite3_prepare_v2 (connection->db, text, -1, &connection->statements[number], NULL);
  }
  return connection->statements[number];
}

static struct slice column (sqlite3_stmt *statement, int number) {
  const void *bytes = sqlite3_column_blob (statement, number);
  return slice_of (bytes, (size_t) sqlite3_column_bytes (statement, number));
}

// With the first two parameters as bytes and the third as a number; those that the statement lacks
// are not looked at.
static enum answer execute (struct connection *connection, unsigned number, struct slice first, struct slice second,
                            uint64_t most, struct rows *rows, bool *affected) {
  sqlite3_stmt *statement = statement_of (connection, number);
  if (!statement)
    return answer_to (sqlite3_errcode (connection->db));
  const unsigned parameters = sql_parameters (number);
  sqlite3_bind_blob (statement, 1, first.bytes, (int) first.length, SQLITE_STATIC);
  if (parameters > 1)
    sqlite3_bind_blob (statement, 2, second.bytes, (int) second.length, SQLITE_STATIC);
  if (parameters > 2)
    sqlite3_bind_int64 (statement, 3, (sqlite3_int64) most);
  int code = step (statement);
  for (; code == SQLITE_ROW; code = sqlite3_step (statement))
    rows_add (rows, column (statement, 0), column (statement, 1));
  sqlite3_reset (statement);
  if (affected)
    *affected = code == SQLITE_DONE && sqlite3_changes (connection->db);
  return answer_to (code);
}

static enum answer execute_text (struct connection *connection, const char *text) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2 (connection->db, text, -1, &statement, NULL) != SQLITE_OK)
    return answer_to (sqlite3_errcode (connection->db));
  const int code = step (statement);
  sqlite3_finalize (statement);
  return answer_to (code);
}

// -------------------------------------------------------------------------------------- operations

#include "drive/sql_operations.h"

static enum answer make_ready (struct connection *connection) {
  enum answer answer = execute_text (connection, "PRAGMA synchronous = OFF");
  if (answer == ANSWER_DONE && connection->database->shares_cache)
    answer = execute_text (connection, "PRAGMA read_uncommitted = 1");
  connection->is_ready = answer == ANSWER_DONE;
  return answer;
}

static enum answer begin (void *of) {
  struct connection *connection = of;
  const enum answer answer = connection->is_ready ? ANSWER_DONE : make_ready (connection);
  return answer == ANSWER_DONE ? execute_text (connection, "BEGIN") : answer;
}

static enum answer rollback (void *of) {
  struct connection *connection = of;
  // Some errors have rolled back already.
  return sqlite3_get_autocommit (connection->db) ? ANSWER_DONE : execute_text (connection, "ROLLBACK");
}

// A commit that finds the file busy has not happened, and could be tried again; the session rolls
// back.
static enum answer commit (void *of) {
  return execute_text (of, "COMMIT");
}

const struct driver driver_sqlite = {
  .name = "sqlite",
  .about = "SQLite, in this process",
  .schemes = (const char *const[]){ "sqlite", NULL },
  .url = "sqlite:PATH[?journal=wal|delete]",
  .levels = levels,
  DRIVER_FUNCTIONS,
};
