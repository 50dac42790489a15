// Krait's own encoding (ALGORITHMS 3.3): a variable for every two transactions whose order is open,
// and one edge between them for all of their keys.

#include "cnf/encoder.h"
#include "cnf/encodings.h"

// One edge will do for all keys that the two surely install. At levels with events it is the one
// whose second write comes first; that of each key in doubt stands besides. None is needed where
// somebody surely read the version that comes first, and edges lead from there by way of the
// reader.
struct best_edge {
  uint32_t p, q; // installs; UINT32_MAX: none yet
  bool implied;
};

static bool goes_by_reader (const struct encoder *e, uint32_t p, uint32_t q) {
  return e->rules->points == 1 && every_dependency_is_an_edge (e->ir) && encoder_is_read (e, p, e->ir->install_node[q]);
}

// It is not known whether the delete wrote that the install comes from.
static bool is_open_delete (const struct encoder *e, uint32_t install) {
  return ir_is_delete (e->ir, install) && encoder_presence_literal (e, e->ir->install_presence[install]);
}

static void order_edge_of_key (struct encoder *e, uint32_t p, uint32_t q, int32_t order, struct best_edge *best) {
  const bool open = is_open_delete (e, p) || is_open_delete (e, q);
  if (goes_by_reader (e, p, q))
    best->implied |= !open;
  else if (open)
    encoder_order_edge (e, p, q, order);
  else if (best->p == UINT32_MAX || (e->rules->events && e->ir->install_last_op[q] < e->ir->install_last_op[best->q]))
    *best = (struct best_edge){ p, q, best->implied };
}

static size_t encode_pair (struct encoder *e, const open_pair_vec *pairs, size_t at) {
  const uint32_t p = pairs->data[at].first, q = pairs->data[at].second;
  const int32_t order = encoder_variable (e, VARIABLE_PAIR, p, q, encoder_earlier (e, p, q));
  struct best_edge forward = { UINT32_MAX, UINT32_MAX, false }, backward = forward;
  for (; at < pairs->count && pairs->data[at].first == p && pairs->data[at].second == q; at++) {
    const uint32_t first = pairs->data[at].first_install, second = pairs->data[at].second_install;
    encoder_readers_before (e, first, second, order);
    encoder_readers_before (e, second, first, -order);
    order_edge_of_key (e, first, second, order, &forward);
    order_edge_of_key (e, second, first, -order, &backward);
    encoder_force_order (e, first, second, order);
    encoder_force_order (e, second, first, -order);
  }
  if (forward.p != UINT32_MAX && !forward.implied)
    encoder_order_edge (e, forward.p, forward.q, order);
  if (backward.p != UINT32_MAX && !backward.implied)
    encoder_order_edge (e, backward.p, backward.q, -order);
  return at;
}

struct problem *encode_krait (const struct to_encode *input) {
  struct encoder e;
  encoder_begin (&e, input);
  encoder_sources (&e);
  for (size_t at = 0; at < input->pairs->count && !encoder_stops (&e);)
    at = encode_pair (&e, input->pairs, at);
  encoder_others (&e);
  return encoder_end (&e);
}
