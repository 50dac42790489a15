// RocksDB, in this process: an ordered key-value engine whose transactions really run beside each
// other. TransactionDB locks what is written; OptimisticTransactionDB looks for conflicts when it
// commits. (LMDB, the other candidate, has one writer at a time and snapshots for readers: there is
// nothing to find in it.)
//
// A read at the level snapshot sees the state at the begin, and a write of a key that has changed
// since then is refused. Neither looks after what was only read.

#include "drive/driver.h"
#include "drive/encode.h"

#include "base/folder.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <rocksdb/c.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_PATIENCE = 1000 }; // milliseconds

struct database {
  char *folder, *path; // as given, and what is in it
  bool optimistic, snapshot;
  rocksdb_transactiondb_t *locking;
  rocksdb_optimistictransactiondb_t *trusting; // one of the two
};

struct connection {
  const struct database *database;
  rocksdb_transaction_t *transaction;
  rocksdb_transaction_options_t *options;
  rocksdb_optimistictransaction_options_t *trusting_options;
  rocksdb_writeoptions_t *writes;
  rocksdb_readoptions_t *reads;
  const rocksdb_snapshot_t *snapshot;
  char *error; // or NULL
};

static const struct driver_level levels[] = {
  { "read-committed", "reads see what is committed by then", NULL },
  { "snapshot", "set_snapshot: reads see the state at the begin, written keys must not have changed since", NULL },
  { 0 },
};

// ---------------------------------------------------------------------------------------- database

// A folder of its own inside of the one that the URL names, because it will be destroyed.
static void *open_database (const char *url, const char *password, const struct driver_level *level,
                            struct error *error) {
  (void) password;
  const char *folder = strchr (url, ':') + 1;
  folder += !strncmp (folder, "//", 2) ? 2 : 0;
  if (!*folder) {
    error_set (error, "--db=%.200s: the path of a folder is missing", url);
    return NULL;
  }
  if (strchr (folder, '?')) {
    error_set (error, "--db=%.200s: RocksDB takes no parameters", url);
    return NULL;
  }
  struct database *database = mem_zalloc (sizeof *database);
  database->folder = mem_strdup (folder);
  database->path = mem_zalloc (strlen (folder) + sizeof "/" DRIVE_TABLE);
  strcat (strcpy (database->path, folder), "/" DRIVE_TABLE);
  database->optimistic = !strncmp (url, "rocksdb-optimistic:", 19);
  database->snapshot = level == &levels[1];
  return database;
}

static void close_database (void *of) {
  struct database *database = of;
  if (database->locking)
    rocksdb_transactiondb_close (database->locking);
  if (database->trusting)
    rocksdb_optimistictransactiondb_close (database->trusting);
  MEM_FREE_ALL (database->folder, database->path, database);
}

// RocksDB locks a file of its own, named LOCK, as long as a database is open.
static bool is_claim (const char *failure) {
  return strstr (failure, "/LOCK: Resource temporarily unavailable")
         || strstr (failure, "lock hold by current process");
}

static bool make_folder (const char *path, struct error *error) {
  return !mkdir (path, 0777) || errno == EEXIST
         || error_set (error, "%.400s: cannot make this folder: %s", path, strerror (errno));
}

// A file that RocksDB neither knows nor removes. A folder that has something in it but no mark is
// somebody's.
static bool mark_folder (const char *path, struct error *error) {
  static const char mark[] = DRIVE_MARK;
  char *file = mem_zalloc (strlen (path) + sizeof "/" + sizeof mark);
  strcat (strcat (strcpy (file, path), "/"), mark);
  bool done = true;
  if (access (file, F_OK)) {
    const int descriptor = folder_is_empty (path) ? open (file, O_CREAT | O_WRONLY | O_CLOEXEC, 0666) : -1;
    done = descriptor >= 0 && !close (descriptor);
    if (!done && folder_is_empty (path))
      error_set (error, "%.400s: cannot write to this folder: %s", path, strerror (errno));
    else if (!done)
      error_set (error, "RocksDB: " DRIVE_FOREIGN);
  }
  mem_free (file);
  return done;
}

static bool clear (void *of, struct error *error) {
  struct database *database = of;
  char *failure = NULL;
  if (!make_folder (database->folder, error) || !make_folder (database->path, error)
      || !mark_folder (database->path, error))
    return false;
  rocksdb_options_t *options = rocksdb_options_create ();
  rocksdb_options_set_create_if_missing (options, 1);
  rocksdb_destroy_db (options, database->path, &failure);
  rocksdb_transactiondb_options_t *locking = rocksdb_transactiondb_options_create ();
  if (!failure && database->optimistic)
    database->trusting = rocksdb_optimistictransactiondb_open (options, database->path, &failure);
  else if (!failure)
    database->locking = rocksdb_transactiondb_open (options, locking, database->path, &failure);
  rocksdb_transactiondb_options_destroy (locking);
  rocksdb_options_destroy (options);
  if (failure)
    error_set (error, "RocksDB: %.600s", is_claim (failure) ? DRIVE_CLAIMED : failure);
  const bool done = !failure;
  rocksdb_free (failure);
  return done;
}

static void *connect_to (void *to, struct error *error) {
  (void) error;
  struct connection *connection = mem_zalloc (sizeof *connection);
  connection->database = to;
  connection->reads = rocksdb_readoptions_create ();
  connection->writes = rocksdb_writeoptions_create ();
  connection->options = rocksdb_transaction_options_create ();
  connection->trusting_options = rocksdb_optimistictransaction_options_create ();
  rocksdb_transaction_options_set_set_snapshot (connection->options, connection->database->snapshot);
  rocksdb_transaction_options_set_deadlock_detect (connection->options, 1);
  rocksdb_transaction_options_set_lock_timeout (connection->options, LOCK_PATIENCE);
  rocksdb_optimistictransaction_options_set_set_snapshot (connection->trusting_options, connection->database->snapshot);
  return connection;
}

static void forget_snapshot (struct connection *connection) {
  rocksdb_readoptions_set_snapshot (connection->reads, NULL);
  rocksdb_free ((void *) connection->snapshot);
  connection->snapshot = NULL;
}

static void disconnect (void *of) {
  struct connection *connection = of;
  forget_snapshot (connection);
  if (connection->transaction)
    rocksdb_transaction_destroy (connection->transaction);
  rocksdb_transaction_options_destroy (connection->options);
  rocksdb_optimistictransaction_options_destroy (connection->trusting_options);
  rocksdb_writeoptions_destroy (connection->writes);
  rocksdb_readoptions_destroy (connection->reads);
  rocksdb_free (connection->error);
  mem_free (connection);
}

static const char *reason (void *of) {
  const struct connection *connection = of;
  return connection->error ? connection->error : "no error";
}

// -------------------------------------------------------------------------------------- operations

static char **no_error (struct connection *connection) {
  rocksdb_free (connection->error);
  connection->error = NULL;
  return &connection->error;
}

// The C interface has errors as text only.
static enum answer answer_of (const struct connection *connection) {
  static const char *const refusals[] = { "Resource busy", "Operation timed out", "Operation failed. Try again",
                                          "Operation expired" };
  if (!connection->error)
    return ANSWER_DONE;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (!strncmp (connection->error, refusals[i], strlen (refusals[i])))
      return ANSWER_REFUSED;
  return ANSWER_WRONG;
}

static enum answer begin (void *of) {
  struct connection *connection = of;
  const struct database *database = connection->database;
  forget_snapshot (connection);
  connection->transaction =
    database->optimistic
      ? rocksdb_optimistictransaction_begin (database->trusting, connection->writes, connection->trusting_options,
                                             connection->transaction)
      : rocksdb_transaction_begin (database->locking, connection->writes, connection->options, connection->transaction);
  if (database->snapshot) {
    connection->snapshot = rocksdb_transaction_get_snapshot (connection->transaction);
    rocksdb_readoptions_set_snapshot (connection->reads, connection->snapshot);
  }
  return ANSWER_DONE;
}

// NULL: absent, or an error. To be freed with rocksdb_free.
static char *read_one (struct connection *connection, struct slice key, enum lock lock, size_t *length) {
  char **error = no_error (connection);
  if (lock == LOCK_NONE)
    return rocksdb_transaction_get (connection->transaction, connection->reads, key.bytes, key.length, length, error);
  return rocksdb_transaction_get_for_update (connection->transaction, connection->reads, key.bytes, key.length, length,
                                             lock == LOCK_UPDATE, error);
}

static enum answer get (void *of, struct slice key, enum lock lock, struct rows *rows) {
  struct connection *connection = of;
  size_t length;
  char *value = read_one (connection, key, lock, &length);
  if (value)
    rows_add (rows, key, slice_of (value, length));
  rocksdb_free (value);
  return answer_of (connection);
}

static void move_on (rocksdb_iterator_t *iterator, bool reverse) {
  if (reverse)
    rocksdb_iter_prev (iterator);
  else
    rocksdb_iter_next (iterator);
}

// The end of the range that is not included may be there, when one comes from it.
static void move_to_first (rocksdb_iterator_t *iterator, const struct range *range) {
  if (!range->reverse) {
    rocksdb_iter_seek (iterator, range->low.bytes, range->low.length);
    return;
  }
  rocksdb_iter_seek (iterator, range->high.bytes, range->high.length);
  if (rocksdb_iter_valid (iterator))
    rocksdb_iter_prev (iterator);
  else
    rocksdb_iter_seek_to_last (iterator);
}

static int compare (struct slice a, struct slice b) {
  const int order = memcmp (a.bytes, b.bytes, a.length < b.length ? a.length : b.length);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

static struct slice key_at (const rocksdb_iterator_t *iterator) {
  size_t length;
  const char *bytes = rocksdb_iter_key (iterator, &length);
  return slice_of (bytes, length);
}

static bool is_inside (const rocksdb_iterator_t *iterator, const struct range *range) {
  return rocksdb_iter_valid (iterator) && compare (key_at (iterator), range->low) >= 0
         && compare (key_at (iterator), range->high) < 0;
}

static enum answer keep_row (struct connection *connection, const rocksdb_iterator_t *iterator, enum lock lock,
                             struct rows *rows) {
  if (lock != LOCK_NONE)
    return get (connection, key_at (iterator), lock, rows);
  size_t length;
  const char *value = rocksdb_iter_value (iterator, &length);
  rows_add (rows, key_at (iterator), slice_of (value, length));
  return ANSWER_DONE;
}

static enum answer scan (void *of, const struct range *range, struct rows *rows) {
  struct connection *connection = of;
  char **error = no_error (connection);
  rocksdb_iterator_t *iterator = rocksdb_transaction_create_iterator (connection->transaction, connection->reads);
  enum answer answer = ANSWER_DONE;
  const size_t before = rows->rows.count;
  for (move_to_first (iterator, range); answer == ANSWER_DONE && is_inside (iterator, range)
                                        && (!range->most || rows->rows.count - before < range->most);
       move_on (iterator, range->reverse))
    answer = keep_row (connection, iterator, range->lock, rows);
  if (answer == ANSWER_DONE) {
    rocksdb_iter_get_error (iterator, error);
    answer = answer_of (connection);
  }
  rocksdb_iter_destroy (iterator);
  return answer;
}

static enum answer put (void *of, struct slice key, struct slice value) {
  struct connection *connection = of;
  rocksdb_transaction_put (connection->transaction, key.bytes, key.length, value.bytes, value.length,
                           no_error (connection));
  return answer_of (connection);
}

static enum answer append (void *of, struct slice key, struct slice value) {
  struct connection *connection = of;
  size_t length;
  char *old = read_one (connection, key, LOCK_UPDATE, &length);
  enum answer answer = answer_of (connection);
  if (old) {
    char *both = mem_alloc (length + 1 + value.length);
    memcpy (both, old, length);
    both[length] = ' ';
    memcpy (both + length + 1, value.bytes, value.length);
    answer = put (connection, key, slice_of (both, length + 1 + value.length));
    mem_free (both);
  } else if (answer == ANSWER_DONE)
    answer = put (connection, key, value);
  rocksdb_free (old);
  return answer;
}

static enum answer inc (void *of, struct slice key, struct slice by, struct rows *rows) {
  struct connection *connection = of;
  size_t length = 0;
  uint64_t before = 0, added = 0;
  char *old = read_one (connection, key, LOCK_UPDATE, &length), text[NUMBER_SIZE];
  const bool fine = (!old || decode_number (slice_of (old, length), &before)) && decode_number (by, &added);
  rocksdb_free (old);
  if (!fine || answer_of (connection) != ANSWER_DONE)
    return fine ? answer_of (connection) : ANSWER_WRONG;
  const struct slice value = encode_number (before + added, text);
  rows_add (rows, key, value);
  return put (connection, key, value);
}

static enum answer del (void *of, struct slice key, bool *found) {
  struct connection *connection = of;
  size_t length;
  char *old = read_one (connection, key, LOCK_UPDATE, &length);
  *found = old != NULL;
  rocksdb_free (old);
  if (answer_of (connection) == ANSWER_DONE && *found)
    rocksdb_transaction_delete (connection->transaction, key.bytes, key.length, no_error (connection));
  return answer_of (connection);
}

static enum answer commit (void *of) {
  struct connection *connection = of;
  rocksdb_transaction_commit (connection->transaction, no_error (connection));
  return answer_of (connection);
}

static enum answer rollback (void *of) {
  struct connection *connection = of;
  rocksdb_transaction_rollback (connection->transaction, no_error (connection));
  return answer_of (connection);
}

const struct driver driver_rocksdb = {
  .name = "rocksdb",
  .about = "RocksDB's TransactionDB and OptimisticTransactionDB, in this process",
  .schemes = (const char *const[]){ "rocksdb", "rocksdb-optimistic", NULL },
  .url = "rocksdb:FOLDER, rocksdb-optimistic:FOLDER; the database is FOLDER/" DRIVE_TABLE,
  .locks_reads = true,
  .levels = levels,
  DRIVER_FUNCTIONS,
};
