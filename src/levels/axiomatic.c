// The three levels of Biswas and Enea (OOPSLA 2019) below prefix consistency. There is a total
// order that contains session order and reads-from; if a version of the key that was read is
// visible to the reader, and is not the one it read, then it comes before that one in the order.
// The levels differ in what is visible. The order itself makes nothing visible.

#include "levels/all.h"

#define AXIOMATIC .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }, .ww_hidden = true

const struct level_base causal = {
  .name = "causal",
  .aliases = { "tcc cc" },
  .proscribes = { "a read that misses a version on which it causally depends" },
  .rules = { AXIOMATIC, .anti = ANTI_FORBID },
  .orders = ORDER_SESSIONS,
  .has_form = { [FORM_STRICT] = true },
  .stronger = "serializable",
};

const struct level_base read_atomic = {
  .name = "read-atomic",
  .aliases = { "ra" },
  .proscribes = { "a transaction that sees some writes of another one, or of its session, and misses others", NULL,
                  "a transaction that sees some writes of another one, or of what ended before, and misses others" },
  .rules = { AXIOMATIC, .view = VIEW_STEPS },
  .orders = ORDER_SESSIONS,
  .has_form = { [FORM_STRICT] = true },
  .stronger = "serializable",
};

const struct level_base read_committed_axiomatic = {
  .name = "read-committed-axiomatic",
  .aliases = { "rc-ax" },
  .proscribes = { "a read that misses a write of a transaction that an earlier read saw" },
  .rules = { AXIOMATIC, .view = VIEW_EARLIER_READS },
  .orders = ORDER_SESSIONS,
  .has_form = { [FORM_STRICT] = true },
  .stronger = "serializable",
};
