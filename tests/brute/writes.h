// What each operation of a transaction wrote, once it is chosen which deletes without a recorded
// result did.

#ifndef KRAIT_BRUTE_WRITES_H
#define KRAIT_BRUTE_WRITES_H

#include "history/history.h"

struct op_write {
  bool wrote;
  bool read_absent; // a delete without a recorded result that did nothing because nothing was there
  uint32_t value;   // VALUE_ABSENT: deleted; VALUE_NONE: appended
};

// Open is a delete without a recorded result if the transaction has not surely put or deleted the
// key before. Bit *open_deletes + i of `did_nothing`: the i-th open one of the transaction read
// absent and wrote nothing. Counts them in *open_deletes. `writes` has room for all operations.
void writes_settle (const struct history *, uint32_t txn, uint32_t did_nothing, unsigned *open_deletes,
                    struct op_write *writes);

#endif
