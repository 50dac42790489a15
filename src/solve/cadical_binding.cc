// The one C++ file: CaDiCaL with our theory as its external propagator (IPASIR-UP). It accepts the
// interface of 1.7 and that of 2.x; configure tells by compiling which one is there.

#include "config.h"

#include "solve/sat.h"

extern "C" {
#include "base/memory.h"
#include "solve/theory.h"
}

#include <cadical.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <vector>

// base/budget.h is C11 with <stdatomic.h>, which C++ before C++23 cannot read; one function of it
// is all that is needed here.
extern "C" int budget_stops (struct budget *);

// CaDiCaL throws when memory runs out, and is good for nothing afterwards, not even for being
// freed; besides, nothing may be thrown through C.
template <class Call> static auto with_memory (Call call) -> decltype (call ()) {
  try {
    return call ();
  } catch (const std::bad_alloc &) {
    mem_run_out (0);
  } catch (const std::length_error &) { // a vector that would be larger than the address space
    mem_run_out (0);
  }
}

namespace {

// The theory decides until there were so many conflicts of its own; by then the solver knows better
// what matters.
enum { LED_CONFLICTS = 400 };

class Propagator : public CaDiCaL::ExternalPropagator {
public:
  struct theory *theory = nullptr;
  const int32_t *clause = nullptr, *reason = nullptr;
  uint64_t conflicts = 0, decisions = 0;

  void assign (int literal, bool fixed) {
    theory_assign (theory, literal, fixed);
  }

#ifdef KRAIT_CADICAL_NOTIFY_VECTOR
  void notify_assignment (const std::vector<int> &literals) override {
    for (const int literal : literals)
      assign (literal, false);
  }
#else
  void notify_assignment (int literal, bool fixed) override {
    assign (literal, fixed);
  }
#endif

  void notify_new_decision_level () override {
    decisions++;
    theory_new_level (theory);
  }

  void notify_backtrack (size_t level) override {
    theory_backtrack (theory, static_cast<uint32_t> (level));
  }

  bool has_clause () {
    clause = theory_take_clause (theory);
    conflicts += clause != nullptr;
    return clause != nullptr;
  }

  int cb_propagate () override {
    return theory_take_implied (theory);
  }

  // Asked literal by literal, for one clause after the other.
  int cb_add_reason_clause_lit (int implied) override {
    if (!reason)
      reason = theory_reason (theory, implied);
    const int literal = *reason;
    reason = literal ? reason + 1 : nullptr;
    return literal;
  }

  int cb_decide () override {
    return conflicts < LED_CONFLICTS ? theory_decide (theory) : 0;
  }

  bool cb_check_found_model (const std::vector<int> &) override {
    return theory_accepts (theory);
  }

#ifdef KRAIT_CADICAL_CLAUSE_FORGETTABLE
  bool cb_has_external_clause (bool &forgettable) override {
    forgettable = false;
    return has_clause ();
  }
#else
  bool cb_has_external_clause () override {
    return has_clause ();
  }
#endif

  int cb_add_external_clause_lit () override {
    return clause ? *clause++ : 0;
  }
};

class Limit : public CaDiCaL::Terminator {
public:
  struct budget *budget = nullptr;
  bool (*stop) (const void *) = nullptr;
  const void *context = nullptr;
  bool terminate () override {
    return (budget && budget_stops (budget)) || (stop && stop (context));
  }
};

} // namespace

struct sat {
  CaDiCaL::Solver solver;
  Propagator propagator;
  Limit limit;
};

struct sat *sat_new (uint64_t seed) {
  return with_memory ([=] {
    auto *sat = new struct sat;
    sat->solver.set ("quiet", 1);
    sat->solver.set ("seed", static_cast<int> (seed & 0x3fffffff));
    sat->solver.set ("chrono", 0); // out-of-order assignments would not follow the levels that the theory is told of
    return sat;
  });
}

void sat_free (struct sat *sat) {
  if (!sat)
    return;
  if (sat->propagator.theory)
    sat->solver.disconnect_external_propagator ();
  delete sat;
}

void sat_add (struct sat *sat, int32_t literal) {
  with_memory ([=] { sat->solver.add (literal); });
}

void sat_phase (struct sat *sat, int32_t literal) {
  with_memory ([=] { sat->solver.phase (literal); });
}

void sat_attach (struct sat *sat, struct theory *theory, uint32_t variables) {
  sat->propagator.theory = theory;
  with_memory ([=] {
    sat->solver.connect_external_propagator (&sat->propagator);
    for (uint32_t v = 1; v <= variables; v++)
      sat->solver.add_observed_var (static_cast<int> (v));
  });
}

void sat_limit (struct sat *sat, uint64_t conflicts) {
  const int most = static_cast<int> (conflicts < 1000000000 ? conflicts : 1000000000);
  with_memory ([=] { sat->solver.limit ("conflicts", most); });
}

void sat_stop_when (struct sat *sat, bool (*stop) (const void *context), const void *context) {
  sat->limit.stop = stop;
  sat->limit.context = context;
}

void sat_assume (struct sat *sat, int32_t literal) {
  with_memory ([=] { sat->solver.assume (literal); });
}

enum sat_answer sat_solve (struct sat *sat, struct budget *budget) {
  sat->limit.budget = budget;
  const bool limited = budget || sat->limit.stop;
  if (limited)
    sat->solver.connect_terminator (&sat->limit);
  const int answer = with_memory ([=] { return sat->solver.solve (); });
  if (limited)
    sat->solver.disconnect_terminator ();
  return static_cast<enum sat_answer> (answer);
}

bool sat_value (struct sat *sat, int32_t variable) {
  return with_memory ([=] { return sat->solver.val (variable) > 0; });
}

bool sat_failed (struct sat *sat, int32_t assumption) {
  return with_memory ([=] { return sat->solver.failed (assumption); });
}

struct sat_statistics sat_count (const struct sat *sat) {
  return { sat->propagator.conflicts, sat->propagator.decisions };
}

char *sat_prove (const int32_t *literals, size_t count, struct budget *budget) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream (&text, &length);
  if (!file)
    mem_run_out (0);
  int answer = 0;
  with_memory ([&] {
    auto *solver = new CaDiCaL::Solver; // not on the stack: see with_memory
    Limit limit;
    limit.budget = budget;
    solver->set ("quiet", 1);
    if (solver->set ("lrat", 1) && solver->set ("binary", 0) && solver->trace_proof (file, "proof")) {
      for (size_t i = 0; i < count; i++)
        solver->add (literals[i]);
      solver->connect_terminator (&limit);
      answer = solver->solve ();
      solver->disconnect_terminator ();
      solver->close_proof_trace ();
    }
    delete solver;
  });
  if (fclose (file)) // it could not take all of it
    mem_run_out (0);
  if (answer == SAT_NO)
    return text;
  free (text);
  return nullptr;
}

const char *sat_version (void) {
  return CaDiCaL::Solver::version ();
}
