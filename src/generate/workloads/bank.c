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
  const uint32_t had = script_get (script, from), has = script_get (script, to);
  struct request moves = { OP_PUT, from, .value_kind = VALUE_PLUS, .value_from = had, .value = (uint64_t) 0 - amount };
  moves.when_from = had;
  moves.when = WHEN_AT_LEAST;
  moves.least = amount;
  moves.absent = BALANCE;
  script_request (script, moves);
  moves.key = to;
  moves.value_from = has;
  moves.value = amount;
  script_request (script, moves);
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
