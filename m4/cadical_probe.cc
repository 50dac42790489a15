// Links only against a CaDiCaL that has the external propagator (IPASIR-UP).
// configure and bootstrap both build this file, with the flags of the real
// build. Members that changed their signature between 1.7 and 2.x stand here
// in both forms: the one that the library knows overrides, the other is idle.

#include <cadical.hpp>

#include <cstddef>
#include <vector>

class Probe : public CaDiCaL::ExternalPropagator {
public:
  void notify_assignment (int, bool) {
  }
  void notify_assignment (const std::vector<int> &) {
  }
  void notify_new_decision_level () {
  }
  void notify_backtrack (size_t) {
  }
  bool cb_check_found_model (const std::vector<int> &) {
    return true;
  }
  bool cb_has_external_clause () {
    return false;
  }
  bool cb_has_external_clause (bool &) {
    return false;
  }
  int cb_add_external_clause_lit () {
    return 0;
  }
};

int main () {
  CaDiCaL::Solver solver;
  Probe probe;
  solver.connect_external_propagator (&probe);
  solver.add_observed_var (1);
  solver.add (1);
  solver.add (0);
  const int status = solver.solve ();
  solver.disconnect_external_propagator ();
  return status == 10 ? 0 : 1;
}
