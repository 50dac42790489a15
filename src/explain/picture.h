// A counterexample as data, ready to be drawn: transactions in lanes, edges between them, the
// cycles that they close, and words for all of it.
//
//   struct picture *p = picture_new ("run.jsonl");
//   const uint32_t s1 = picture_add_session (p, "1"), s2 = picture_add_session (p, "2");
//   const uint32_t a = picture_add_txn (p, "T1", s1, 0, TXN_COMMITTED), b = picture_add_txn (p,
//     "T2", s2, 4, TXN_COMMITTED);
//   const uint32_t branch = picture_add_branch (p, NULL);
//   picture_add_edge (p, branch, a, b, PICTURE_RW, "x", "T1 read x = 0 …");
//   picture_add_edge (p, branch, b, a, PICTURE_RW, "x", "T2 read x = 0 …");
//   picture_write_svg (p, output);
//   picture_free (p);
//
// Every text handed to a function is copied. It may hold anything: what does not belong into a line
// of text is made visible when it is drawn, what is long is cut. Members that no function sets are
// set directly.
//
// A plain violation has one branch without a choice: its steps, in the order in which they were
// added, are the cycle. Where every alternative of a choice closes a cycle of its own, there is a
// branch for each, with the words for that alternative; an edge that several cycles use is a step
// of each. A violation without a cycle (a value that nobody wrote) has no branch.

#ifndef KRAIT_EXPLAIN_PICTURE_H
#define KRAIT_EXPLAIN_PICTURE_H

#include "history/history.h"

struct output;
struct violation;

// Name, what an arrow of it says from the first to the second transaction, dashes, and whether time
// goes along with it: a read need not come early to come before a write.
#define PICTURE_TYPES(TYPE)                                                                                            \
  TYPE (SO, "so", "session order: the same client did one after the other", "3 2", true)                               \
  TYPE (RT, "rt", "real time: the first ended before the second began", "1 5", true)                                   \
  TYPE (WW, "ww", "the second overwrote what the first wrote", "14 4", true)                                           \
  TYPE (WR, "wr", "the second read what the first wrote", "", true)                                                    \
  TYPE (RW, "rw", "the second overwrote what the first read", "7 5", false)                                            \
  TYPE (PWR, "pwr", "a scan of the second saw what the first wrote", "14 3 2 3", true)                                 \
  TYPE (PRW, "prw", "the second changed what a scan of the first found", "7 3 2 3", false)                             \
  TYPE (GIVEN, "given", "given from outside", "2 8", true)

enum picture_type {
#define TYPE(id, name, says, dashes, forward) PICTURE_##id,
  PICTURE_TYPES (TYPE)
#undef TYPE
    PICTURE_TYPE_COUNT
};

struct picture_type_row {
  const char *name, *says, *dashes;
  bool forward;
};
extern const struct picture_type_row picture_types[PICTURE_TYPE_COUNT];

#define PICTURE_NONE UINT32_MAX

extern const char *const picture_outcomes[]; // by status, what is said behind a transaction

struct picture_txn {
  char *label;
  uint32_t session; // PICTURE_NONE: the initial state
  uint32_t position;
  enum txn_status status;
  int64_t begin, end; // TIME_NONE_BEGIN, TIME_NONE_END: not known
  bool surrounding;   // not of the core; shown on demand only
  char *note;         // a sentence besides, or NULL
  VEC (char *) ops;
};

struct picture_edge {
  uint32_t from, to;
  enum picture_type type;
  char *key;       // or NULL
  char *why;       // a sentence, or NULL
  bool on_cycle;   // a step of its branch
  uint32_t branch; // PICTURE_NONE: holds whatever is chosen
};

struct picture_branch {
  char *choice; // "if T3 wrote x before T5", or NULL
};

struct picture {
  char *title;
  char *level;           // or NULL
  char *anomaly;         // Adya's class, or NULL
  char *anomaly_name;    // or NULL
  char *summary;         // a paragraph, perhaps of several lines, or NULL
  VEC (char *) violated; // the weakest levels that do not hold
  VEC (char *) holding;  // the strongest that do
  VEC (char *) sessions;
  VEC (struct picture_txn) txns;
  VEC (struct picture_edge) edges;
  VEC (struct picture_branch) branches;
  uint32_t initial; // the transaction that is the initial state, or PICTURE_NONE
};

struct picture *picture_new (const char *title);
void picture_free (struct picture *);

// Each returns the index of what it added. Lanes are drawn in the order of sessions, a lane by
// position.
uint32_t picture_add_session (struct picture *, const char *label);
uint32_t picture_add_txn (struct picture *, const char *label, uint32_t session, uint32_t position, enum txn_status);
uint32_t picture_add_branch (struct picture *, const char *choice);
uint32_t picture_initial (struct picture *); // added by the first call

// A step of a branch's cycle, or an edge beside them (PICTURE_NONE). `key` and `why` may be NULL.
void picture_add_edge (struct picture *, uint32_t branch, uint32_t from, uint32_t to, enum picture_type,
                       const char *key, const char *why);

// Of what is wrong with a history at a level: the core, its cycles, and as surroundings the
// neighbours in each session. NULL if no transaction is named.
struct picture *picture_of_violation (const struct violation *, const char *level, const struct history *,
                                      const char *title);

// For Graphviz; as a drawing that stands alone; as a page that does. The same picture gives the
// same bytes.
void picture_write_dot (const struct picture *, struct output *);
void picture_write_svg (const struct picture *, struct output *);
void picture_write_html (const struct picture *, struct output *);

#endif
