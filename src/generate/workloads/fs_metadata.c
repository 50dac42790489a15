// What the metadata layer of a distributed file system (JuiceFS, say) asks of its key-value store:
// attributes of directories, entries of directories (the value is the inode), attributes of inodes.
// `keys` is the number of different file names, 64 to a directory. Profiles and shares:
//   30% lookup:  the directory, the entry, the attributes of its inode
//   20% create:  unless the entry is there: an inode, its attributes, the entry; the directory
//     changes
//   15% setattr: the entry, and new attributes of its inode
//   12% unlink:  entry and attributes are deleted; the directory changes
//    6% rename:  the entry moves; the attributes of what was there under the new name are deleted;
//      both directories change
//   15% readdir: an iterator over the directory's entries, as far as the buffer goes, and the
//     attributes of the first one
//    2% rmdir:   the directory, if an iterator finds no entry
// Deletes do not say whether they found something, as the store's interface is such. A create in a
// directory that is not there makes it.

#include "generate/workloads/all.h"

enum { DIRECTORY, ENTRY, INODE };
enum { NAME_BITS = 6, MOST_READ = 80 };

static const struct table tables[] = { { "directory", { 30 } }, { "entry", { 30, NAME_BITS } }, { "inode", { 60 } } };

static uint64_t directory_of (uint64_t file) {
  return ROW (DIRECTORY, file >> NAME_BITS);
}

static uint64_t entry_of (uint64_t file) {
  return ROW (ENTRY, file >> NAME_BITS, file);
}

// A request that is made if another one found something. Of inodes, it is about the one that was
// found.
static uint32_t follow_up (struct script *script, enum op_kind kind, uint64_t key, uint32_t found) {
  return script_request (script,
                         (struct request){ kind, key, .when_from = found,
                                           .key_from = key == ROW (INODE) ? found : FROM_NONE, .hides_result = true });
}

static void touch_directory (struct script *script, uint64_t file, uint32_t found) {
  follow_up (script, OP_GET, directory_of (file), found);
  follow_up (script, OP_PUT, directory_of (file), found);
}

static void write_lookup (struct script *script, uint64_t file) {
  script_get (script, directory_of (file));
  follow_up (script, OP_GET, ROW (INODE), script_get (script, entry_of (file)));
}

static void write_create (struct script *script, uint64_t file) {
  struct request entry = { OP_PUT, entry_of (file), .value_kind = VALUE_UNIQUE, .when = WHEN_ABSENT }; // the new inode
  entry.when_from = script_get (script, entry_of (file));
  const uint32_t created = script_request (script, entry);
  follow_up (script, OP_PUT, ROW (INODE), created);
  touch_directory (script, file, created);
}

static void write_setattr (struct script *script, uint64_t file) {
  const uint32_t entry = script_get (script, entry_of (file));
  follow_up (script, OP_GET, ROW (INODE), entry);
  follow_up (script, OP_PUT, ROW (INODE), entry);
}

static void write_unlink (struct script *script, uint64_t file) {
  const uint32_t entry = script_get (script, entry_of (file));
  follow_up (script, OP_DEL, entry_of (file), entry);
  follow_up (script, OP_DEL, ROW (INODE), entry);
  touch_directory (script, file, entry);
}

static void write_rename (struct script *script, uint64_t file) {
  const uint64_t other = script_key (script);
  const uint32_t entry = script_get (script, entry_of (file));
  if (file == other) // nothing to do
    return;
  const uint32_t replaced = follow_up (script, OP_GET, entry_of (other), entry);
  follow_up (script, OP_DEL, entry_of (file), entry);
  script_request (script, (struct request){ OP_PUT, entry_of (other), .when_from = entry, .value_from = entry,
                                            .value_kind = VALUE_PLUS });
  follow_up (script, OP_DEL, ROW (INODE), replaced);
  touch_directory (script, file, entry);
  if (directory_of (file) != directory_of (other))
    touch_directory (script, other, entry);
}

static uint32_t iterate (struct script *script, uint64_t file, uint64_t most) {
  const uint64_t directory = file >> NAME_BITS;
  return script_request (script,
                         (struct request){ OP_ITER, ROW (ENTRY, directory), ROW (ENTRY, directory + 1), .most = most });
}

static void write_readdir (struct script *script, uint64_t file) {
  script_get (script, directory_of (file));
  follow_up (script, OP_GET, ROW (INODE), iterate (script, file, random_between (script->random, 1, MOST_READ)));
}

static void write_rmdir (struct script *script, uint64_t file) {
  script_get (script, directory_of (file));
  struct request removes = { OP_DEL, directory_of (file), .when = WHEN_ABSENT, .hides_result = true };
  removes.when_from = iterate (script, file, 1);
  script_request (script, removes);
}

static const struct profile profiles[] = { { 30, write_lookup }, { 20, write_create }, { 15, write_setattr },
                                           { 12, write_unlink }, { 6, write_rename },  { 15, write_readdir },
                                           { 2, write_rmdir } };

const struct application application_fs_metadata = { tables, profiles };
