// What is wrong with a history, as a value: nothing in it is prose, and whatever tells of it
// (words, JSON, JUnit, pictures) is made from it at the end.
//
// It stands alone, except that its keys and values are numbers of a history: of its own part if it
// has one, else of the history that was judged. Once it is known to somebody else it does not
// change any more, so that several results can share it.

#ifndef KRAIT_EXPLAIN_VIOLATION_H
#define KRAIT_EXPLAIN_VIOLATION_H

#include "explain/circle.h"
#include "explain/words.h"
#include "ir/ir.h"
#include "verdict/verdict.h"

// A read, and whom it reads from.
struct seen {
  struct party reader, writer;
  struct shown_read read;
  bool deleted; // what the writer installed is an absence
};

// ------------------------------------------------------------------------------------------- edges

// Why an edge is there, as far as its kind does not say it.
enum why {
  WHY_KIND,     // so, rt, wr, rw: nothing to add
  WHY_ASSUMED,  // the order of two writers: this case assumes it …
  WHY_LIST,     // … lists that were read show it …
  WHY_EDGE,     // … another edge leads the same way anyway …
  WHY_REPLACED, // … the first has read what the second overwrote, too, and replaced it …
  WHY_SEEN,     // … the first comes before a read, which reads from the second …
  WHY_DERIVED,  // … or it follows
  WHY_PROGRAM,  // parts of one transaction
  WHY_MODULE,   // a module demands it
  WHY_GIVEN,    // said from outside
};

// An edge that leads the same way as two writers are ordered: so, rt or wr.
struct leading_edge {
  enum edge_kind kind;
  struct party from, to;
  struct seen seen; // wr
};

struct violation_edge {
  struct party from, to;
  enum edge_kind kind;
  bool predicate; // wr, rw: of what a scan did not find
  uint32_t key;   // or KEY_NONE
  enum why why;
  struct seen seen;       // wr, rw, WHY_REPLACED, WHY_SEEN
  bool deletes;           // rw: what overwrites is a delete
  struct leading_edge by; // WHY_EDGE
  uint32_t module;        // WHY_MODULE: of the violation's modules
};

const char *violation_edge_type (const struct violation_edge *); // "wr", "prw", …

// ------------------------------------------------------------------------------------------- cases

#define CASE_NONE UINT32_MAX

enum case_kind { CASE_ALL, CASE_ORDER, CASE_SOURCE, CASE_DELETE };

// What the history leaves open, decided one way. The first of all cases is the root, which assumes
// nothing.
struct violation_case {
  enum case_kind kind;
  // CASE_ORDER: they write the key in this order. CASE_DELETE: the first deletes it.
  struct party first, then;
  uint32_t key;
  struct seen seen;             // CASE_SOURCE
  bool wrote;                   // CASE_DELETE: it found something
  uint32_t parent, child, next; // CASE_NONE: there is none
  uint32_t first_edge, edges;   // of a leaf: its circle
  bool orphaned;                // of a leaf: there is none, but a read that nothing explains then
  struct seen orphan;
};

// ---------------------------------------------------------------------------- what needs no circle

enum fault_told {
#define FAULT(id, class, name, sourced, sentence) TOLD_##id,
#include "explain/faults.def"
#undef FAULT
};

struct fault_row {
  struct anomaly anomaly;
  bool sourced;
  const char *sentence;
};
extern const struct fault_row fault_rows[];

struct violation_fault {
  enum fault_told told;
  uint64_t reader;
  struct shown_read read;
  uint64_t other;   // who wrote what was read, or did what does not fit to it
  uint32_t written; // TOLD_OWN_WRITE: the value
  bool appended;    // TOLD_OWN_WRITE: it was appended
};

// A write of what a read without a source has read.
struct lost_source {
  struct party writer;
  bool later; // it comes after the read; else it was overwritten before
};

// ------------------------------------------------------------------------- what no choice explains

enum choice_kind {
  CHOICE_ORDER,       // `first` writes before `then`
  CHOICE_SOURCE,      // `seen`
  CHOICE_COMMITTED,   // `first` did
  CHOICE_WROTE,       // `first` did, by one of its deletes
  CHOICE_DELETE,      // that of `key` by `first` found something, or not
  CHOICE_ALTERNATIVE, // of what a module demands
  CHOICE_INITIAL,     // value of the key
};

struct violation_choice {
  enum choice_kind kind;
  struct party first, then;
  struct seen seen;
  uint32_t key, value;
  bool found;
  uint32_t module, constraint, alternative;
};

// Choices that close a circle together.
struct violation_lemma {
  size_t end;       // of its choices: they begin where those of the one before end
  bool constrained; // with an edge that a module demands then
};

// --------------------------------------------------------------------------------------- all of it

enum violation_kind {
  VIOLATION_FAULT,     // a read or a write that is wrong by itself
  VIOLATION_CIRCLE,    // of edges that the check came upon
  VIOLATION_CASES,     // a tree of cases, each of which ends in a circle; it may have no branch
  VIOLATION_LOST_READ, // a read without any source
  VIOLATION_FORBIDDEN, // reads that a module forbids
  VIOLATION_REFUTED,   // no choice works
  VIOLATION_STATED,    // a .kir file says so, in words
};

// A transaction that a dialect made of a transaction of the history.
struct txn_fragment {
  uint64_t id, of;
  const char *what; // words of the dialect
};

struct violation {
  atomic_uint shares;
  enum violation_kind kind;
  struct anomaly anomaly;
  VEC (uint64_t) involved;           // ids of transactions, in no particular order
  struct violation_fault fault;      // VIOLATION_FAULT
  VEC (struct violation_edge) edges; // VIOLATION_CIRCLE; VIOLATION_CASES: of all leaves
  VEC (struct violation_case) cases; // VIOLATION_CASES
  VEC (struct seen) reads;           // VIOLATION_LOST_READ: one, or two that contradict each other; VIOLATION_FORBIDDEN
  VEC (struct lost_source) sources;  // VIOLATION_LOST_READ: the first so many …
  uint32_t more_sources;             // … and so many more
  VEC (struct violation_lemma) lemmas;   // VIOLATION_REFUTED: the first so many …
  uint32_t lemma_count;                  // … of these
  VEC (struct violation_choice) choices; // of the lemmas
  VEC (char *) modules;                  // that have to do with it
  char *words;                           // VIOLATION_STATED
  VEC (struct txn_fragment) fragments;   // of the transactions involved
  // The smallest part found that is invalid by itself; NULL: none was looked for or found. The
  // levels are those that the part breaks and keeps.
  struct history *part;
  level_name_vec weakest_violated, strongest_holding;
};

struct violation *violation_new (enum violation_kind, struct anomaly);
struct violation *violation_share (struct violation *); // one more owner; NULL stays NULL
void violation_free (struct violation *);

void violation_involve (struct violation *, struct party); // once, and not T0
// its number among the modules
uint32_t violation_module (struct violation *, const char *name);

// NULL if there is no violation, or no name.
const char *violation_class (const struct violation *);
const char *violation_name (const struct violation *);

// The transactions in conflict: those of the part, or else those involved.
const uint64_t *violation_txns (const struct violation *, size_t *count);

// The history that its keys and values are numbers of; `judged` if it has no part.
const struct history *violation_history (const struct violation *, const struct history *judged);

// The circle that stands for all: the only one, or that of the last case, where all other
// alternatives have turned out to be impossible.
const struct violation_edge *violation_circle (const struct violation *, size_t *count);

// Where the history leaves something open: the next case from `at` on that ends in a circle;
// CASE_NONE: there are no more.
uint32_t violation_next_leaf (const struct violation *, uint32_t at);
size_t violation_leaves (const struct violation *);

// Per transaction of the part: a circle goes through it. The caller frees it.
uint8_t *violation_txns_in_circles (const struct violation *);

// The transaction of the history that one of this id is, or is a fragment of.
uint64_t violation_whole_id (const struct violation *, uint64_t id);

#endif
