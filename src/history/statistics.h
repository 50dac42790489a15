// What is in a history, counted.

#ifndef KRAIT_HISTORY_STATISTICS_H
#define KRAIT_HISTORY_STATISTICS_H

#include "history/history.h"

struct history_statistics {
  uint64_t by_status[3]; // enum txn_status
  uint64_t by_kind[OP_KINDS];

  // Pairs of key and value that some put, append or successful cas wrote.
  uint64_t written_pairs;
  uint64_t repeated_pairs; // written more than once
  uint64_t most_repeated;  // how often the most frequent one was

  // Transactions with both times, and how many others one of them overlaps.
  uint64_t timed;
  uint64_t overlap_median, overlap_most;

  uint64_t bytes; // in memory
};

struct history_statistics history_count (const struct history *);

// Some transaction that counts has a begin or an end, or none counts: levels with real time are
// defined.
bool history_has_times (const struct history *);

#endif
