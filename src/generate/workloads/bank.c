// Bank, after Jepsen's: transfers between accounts, and transactions that read balances. An account
// that nobody has touched holds 100; nobody's balance goes below 0. Transfers stay within a branch
// of at most 16 accounts, so that its total is known: 100 per account, to whoever sees a snapshot.
// `reads` is the share of transactions that only read: half of these read all accounts of a branch,
// half only a few of them (`operations`).

#include "generate/workloads/all.h"

enum { BRANCH = 16, BALANCE = 100, MOST_MOVED = 10 };

static void write_transfer (struct script *script, uint64_t first, uint64_t accounts, uint64_t from) {
  const uint64_t to = first + (from - first + 1 + random_below (script->random, accounts - 1)) % accounts;
  const uint64_t amount = random_between (script->random, 1, MOST_MOVED);
  struct request takes = request_to (OP_PUT, from), gives = request_to (OP_PUT, to);
  takes.value_from = takes.when_from = gives.when_from = script_get (script, from);
  gives.value_from = script_get (script, to);
  takes.value_kind = gives.value_kind = VALUE_PLUS;
  takes.value = (uint64_t) 0 - amount;
  gives.value = amount;
  takes.when = gives.when = WHEN_AT_LEAST;
  takes.least = gives.least = amount;
  takes.absent = gives.absent = BALANCE;
  script_request (script, takes);
  script_request (script, gives);
}

void write_bank (struct script *script) {
  const uint64_t account = script_key (script), first = account / BRANCH * BRANCH, left = script->options->keys - first,
                 accounts = left < BRANCH ? left : BRANCH;
  if (accounts > 1 && !random_chance (script->random, script->options->reads))
    write_transfer (script, first, accounts, account);
  else if (random_chance (script->random, 0.5))
    for (uint64_t i = 0; i < accounts; i++)
      script_get (script, first + i);
  else
    for (uint64_t i = 0; i < script->options->operations; i++)
      script_get (script, first + random_below (script->random, accounts));
}
