// The three levels of Biswas and Enea (OOPSLA 2019) below prefix consistency. There is a total order that contains session order and reads-from; if a
// version of the key that was read is visible to the reader, and is not the one it read, then it comes before that one in the order. The levels
// differ in what is visible. The order itself makes nothing visible.

#include "levels/all.h"

#define AXIOMATIC                                                                                                      \
  .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 }, .rules.rw = { true, 0, 0 },               \
  .rules.ww_hidden = true

LEVEL_WITH_SESSIONS (causal, "causal", "tcc cc", "a read that misses a version on which it causally depends", 0, 0,
                     "strong-session-serializable", AXIOMATIC, .rules.anti = ANTI_ONCE)
LEVEL_WITH_TIMES (strict_causal, "strict-causal", "",
                  "a read that misses a version on which it causally depends, with real time", 0, 0,
                  "strict-serializable", AXIOMATIC, .rules.anti = ANTI_ONCE)

LEVEL_WITH_SESSIONS (read_atomic, "read-atomic", "ra",
                     "a transaction that sees some writes of another one, or of its session, and misses others", 0, 0,
                     "strong-session-serializable", AXIOMATIC, .rules.view = VIEW_STEPS)
LEVEL_WITH_TIMES (strict_read_atomic, "strict-read-atomic", "",
                  "a transaction that sees some writes of another one, or of what ended before, and misses others", 0,
                  0, "strict-serializable", AXIOMATIC, .rules.view = VIEW_STEPS)

LEVEL_WITH_SESSIONS (read_committed_axiomatic, "read-committed-axiomatic", "rc-ax",
                     "a read that misses a write of a transaction that an earlier read saw", 0, 0,
                     "strong-session-serializable", AXIOMATIC, .rules.view = VIEW_EARLIER_READS)
LEVEL_WITH_TIMES (strict_read_committed_axiomatic, "strict-read-committed-axiomatic", "",
                  "a read that misses a write of a transaction that an earlier read saw, with real time", 0, 0,
                  "strict-serializable", AXIOMATIC, .rules.view = VIEW_EARLIER_READS)
