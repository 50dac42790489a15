/* User modules: what a module needs, and all that it needs.
 *
 * A module is a shared object that is given with `krait check --module=PATH.so[:ARGUMENT]`. It looks at a history as the checker sees it, and demands
 * more than the level does: that one transaction comes before another, that one of several such things holds, or that something holds if reads read from
 * certain writers. The history is valid if some choice meets the level and all demands together.
 *
 * A module defines two symbols:
 *
 *   const int krait_module_abi = KRAIT_MODULE_ABI;
 *   int krait_module (const struct krait_host *host, struct krait_model *model);   // 0: done
 *
 * It is called once per history, before anything is decided, and links nothing of Krait: every function is in the table that it is handed. What is wrong
 * (an index beyond the end, an edge at an aborted transaction, a result other than 0) ends the check with exit code 2; the first thing wrong is told. Texts and
 * arrays belong to the host and live until krait_module returns.
 *
 * docs/modules.md works through three of them. */

#ifndef KRAIT_MODULE_H
#define KRAIT_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when a module that was compiled before can no longer run. What is added to the end of the table does not count. */
#define KRAIT_MODULE_ABI 1

#define KRAIT_INITIAL UINT32_MAX /* the initial state, as a writer */
#define KRAIT_NO_BEGIN INT64_MIN /* not recorded */
#define KRAIT_NO_END INT64_MAX

struct krait_model; /* one history and what is demanded of it so far */

enum krait_status { KRAIT_COMMITTED, KRAIT_ABORTED, KRAIT_OUTCOME_UNKNOWN };

/* Transactions are numbered session by session, each session in its own order. */
struct krait_transaction {
  uint64_t id;       /* as the history has it */
  uint32_t session;  /* from 0 on */
  uint32_t position; /* in its session, from 0 on */
  enum krait_status status;
  int64_t begin, end;         /* nanoseconds */
  uint32_t first_read, reads; /* its external reads; none if it was aborted */
  const char *hints;          /* compact JSON; NULL: none */
};

/* A key or a value. */
enum krait_atom_kind { KRAIT_ABSENT, KRAIT_UNSIGNED, KRAIT_NEGATIVE, KRAIT_BYTES };

struct krait_atom {
  enum krait_atom_kind kind;
  uint64_t number;   /* KRAIT_UNSIGNED; KRAIT_NEGATIVE: its two's complement */
  const char *bytes; /* KRAIT_BYTES: not terminated */
  size_t length;
};

/* The last write of a transaction to a key. The installs of a key are next to each other. */
struct krait_key {
  struct krait_atom name;
  uint32_t first_install, installs;
};

struct krait_install {
  uint32_t transaction, key;
  struct krait_atom value; /* KRAIT_ABSENT: deleted */
  int in_doubt;            /* a delete whose result was not recorded: it may have written nothing */
};

enum krait_read_flags {
  KRAIT_READ_PREDICATE = 1, /* a scan that covered the key and did not return it */
  KRAIT_READ_OTHER = 2,     /* of anything but the value: a delete that found something, a cas that failed */
  KRAIT_READ_IN_DOUBT = 4,  /* there was no such read if a delete whose result was not recorded wrote */
  KRAIT_READ_OR_ABSENT = 8  /* of the value, which is 0, or of nothing: an increment */
};

/* A read that another transaction's write, or the initial state, must explain. */
struct krait_read {
  uint32_t transaction, key;
  struct krait_atom value; /* KRAIT_ABSENT: there was nothing */
  unsigned flags;
  uint32_t operation;  /* its place in the transaction, from 0 on */
  uint32_t candidates; /* writers that can explain it */
};

/* "This read reads from that writer": a transaction, or KRAIT_INITIAL. */
struct krait_condition {
  uint32_t read, writer;
};

/* One transaction comes before the other. If one of them has an unknown outcome and did not take place, that says nothing. */
struct krait_edge {
  uint32_t from, to;
};

/* All of these edges. */
struct krait_alternative {
  const struct krait_edge *edges;
  size_t count;
};

/* Every function that can fail returns 0 if it did not, and leaves its result alone if it did. */
struct krait_host {
  uint32_t abi;
  const char *argument; /* what followed the path; "" if nothing did */
  int64_t clock_skew;   /* as given with --clock-skew */

  uint32_t (*transactions) (const struct krait_model *);
  uint32_t (*keys) (const struct krait_model *);
  uint32_t (*installs) (const struct krait_model *);
  uint32_t (*reads) (const struct krait_model *);
  int (*transaction) (struct krait_model *, uint32_t number, struct krait_transaction *);
  int (*key) (struct krait_model *, uint32_t number, struct krait_key *);
  int (*install) (struct krait_model *, uint32_t number, struct krait_install *);
  int (*read) (struct krait_model *, uint32_t number, struct krait_read *);
  int (*candidate) (struct krait_model *, uint32_t read, uint32_t number, uint32_t *writer);
  const char *(*hints) (const struct krait_model *); /* of the whole history: compact JSON; NULL: none */

  /* If all conditions hold, then so does at least one of the alternatives. No condition: at least one does. No alternative: the conditions do not all
     hold. */
  int (*demand) (struct krait_model *, const struct krait_condition *, size_t conditions,
                 const struct krait_alternative *, size_t alternatives);

  /* Says in one line what the module finds wrong, and returns what krait_module is to return then. */
  int (*fail) (struct krait_model *, const char *text);
};

typedef int krait_module_function (const struct krait_host *, struct krait_model *);

/* The usual demands. */

static inline int krait_demand_edge (const struct krait_host *host, struct krait_model *model, uint32_t from,
                                     uint32_t to) {
  const struct krait_edge edge = { from, to };
  const struct krait_alternative only = { &edge, 1 };
  return host->demand (model, NULL, 0, &only, 1);
}

static inline int krait_demand_edge_if (const struct krait_host *host, struct krait_model *model,
                                        const struct krait_condition *conditions, size_t count, uint32_t from,
                                        uint32_t to) {
  const struct krait_edge edge = { from, to };
  const struct krait_alternative only = { &edge, 1 };
  return host->demand (model, conditions, count, &only, 1);
}

static inline int krait_demand_one_of (const struct krait_host *host, struct krait_model *model,
                                       const struct krait_alternative *alternatives, size_t count) {
  return host->demand (model, NULL, 0, alternatives, count);
}

static inline int krait_forbid (const struct krait_host *host, struct krait_model *model,
                                const struct krait_condition *conditions, size_t count) {
  return host->demand (model, conditions, count, NULL, 0);
}

#ifdef __cplusplus
}
#endif

#endif
