// Real databases behind one small interface: a table of keys and values, both bytes, keys in the
// order of memcmp; transactions, one at a time per connection.
//
// Adding a database touches one file here, and its rows in drivers.def, configure.ac and run.am. A
// driver does not know what is run on it, nor that it is recorded; it must only never claim more
// than it knows: ANSWER_DONE to a commit means committed, ANSWER_REFUSED means that nothing of it
// will ever be seen by those who read committed data, and everything else is ANSWER_LOST or
// ANSWER_WRONG.

#ifndef KRAIT_DRIVE_DRIVER_H
#define KRAIT_DRIVE_DRIVER_H

#include "base/error.h"
#include "drive/rows.h"

#include <stdbool.h>
#include <stdint.h>

enum answer {
  ANSWER_DONE,
  // this transaction cannot go on (conflict, deadlock, a lock that does not come): roll back,
  // perhaps try again
  ANSWER_REFUSED,
  ANSWER_LOST,  // the connection is of no use any more
  ANSWER_WRONG, // an error that trying again does not mend: a wrong set-up, a full disk
};

enum lock { LOCK_NONE, LOCK_UPDATE, LOCK_SHARE };
enum { LOCKS = LOCK_SHARE + 1 };

struct range {
  struct slice low, high; // [low, high)
  uint64_t most;          // rows; 0: all
  bool reverse;           // from the high end
  enum lock lock;
};

struct driver_level {
  const char *name; // as in --isolation
  const char *about;
  const char *statement; // that asks for it, where one does
};

struct driver {
  const char *name;
  const char *about;
  const char *const *schemes; // of URLs, before the colon; NULL at the end
  const char *url;            // what one looks like
  bool takes_password;
  bool locks_reads; // FOR UPDATE and FOR SHARE mean something
  // the first one without a name ends them; in the engine's own words
  const struct driver_level *levels;

  // What all connections share. A password counts if the URL has none; NULL: what the client
  // library knows. NULL after setting the error.
  void *(*open) (const char *url, const char *password, const struct driver_level *, struct error *);
  void (*close) (void *database);
  // Begins anew with an empty table, DRIVE_TABLE, which is marked as made by us; one that is there
  // without the mark is somebody's, and refused. Holds it until close: of two runs at once on one
  // database, each would find what the other wrote. A database that knows no way to claim something
  // is taken as it is; a claim that is lost with the server does not end the run.
  bool (*clear) (void *database, struct error *);

  void *(*connect) (void *database, struct error *);
  void (*disconnect) (void *connection);
  // Why the last answer of the connection was what it was; valid until the next call.
  const char *(*reason) (void *connection);

  enum answer (*begin) (void *connection);
  // No row or one, or what the database returned instead.
  enum answer (*get) (void *connection, struct slice key, enum lock, struct rows *);
  enum answer (*scan) (void *connection, const struct range *, struct rows *);
  enum answer (*put) (void *connection, struct slice key, struct slice value);
  enum answer (*append) (void *connection, struct slice key,
                         struct slice value); // after a space, if something is there
  // Adds a number to what is there, or to 0; the row is the new one.
  enum answer (*inc) (void *connection, struct slice key, struct slice by, struct rows *);
  enum answer (*del) (void *connection, struct slice key, bool *found);
  enum answer (*commit) (void *connection);
  enum answer (*rollback) (void *connection);
};

// A driver's own functions, under the names that all drivers give them.
#define DRIVER_FUNCTIONS                                                                                               \
  .open = open_database, .close = close_database, .clear = clear, .connect = connect_to, .disconnect = disconnect,     \
  .reason = reason, .begin = begin, .get = get, .scan = scan, .put = put, .append = append, .inc = inc, .del = del,    \
  .commit = commit, .rollback = rollback

#define DRIVE_TABLE "krait_run"

// What marks the table: only with this is one that is there dropped.
#define DRIVE_MARK "made by krait run"

// Behind the message that there are no descriptors left: those of the recording count, too.
#define TOO_MANY_FILES "; --sessions=N takes N connections, with up to four open files each (ulimit -n)"

// Messages that drivers share; the first two behind a colon, the last one behind the database's
// own.
#define DRIVE_CLAIMED "another krait run is using the table " DRIVE_TABLE " of this database"
#define DRIVE_FOREIGN                                                                                                  \
  "there is a " DRIVE_TABLE                                                                                            \
  " that krait run has not made (it has no mark that says so): rename or remove it, or take another database"
#define DRIVE_TOO_MANY "; --sessions=N takes N connections, and the run one more"

enum { CONNECT_TIMEOUT = 10 }; // seconds, unless the URL has another

// Those that were built in; NULL at the end. The program krait-run has them; krait itself has none.
extern const struct driver *const drivers[];

// By the scheme of a URL. NULL after setting the error, which names those that there are.
const struct driver *driver_for (const char *url, struct error *);
const struct driver_level *driver_level_find (const struct driver *, const char *name, struct error *);

#endif
