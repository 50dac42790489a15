// The encoding of Viper (Zhang et al., EuroSys 2023): a polygraph over begins and commits, with a
// constraint for every two writers of a key, key by key. Of its two alternatives one puts the first
// writer's commit before the second one's begin, and every reader of the first version before the
// second one's commit; the other is the same the other way round.
//
// Beyond the paper: sources that are open, and transactions and deletes that may not have taken
// place, guard these edges.

#include "cnf/encoder.h"
#include "cnf/encodings.h"

struct problem *encode_viper (const struct to_encode *input) {
  struct encoder e;
  encoder_begin (&e, input);
  encoder_sources (&e);
  for (size_t i = 0; i < input->pairs->count && !encoder_stops (&e); i++) {
    const struct open_pair *pair = &input->pairs->data[i];
    const bool likely = encoder_earlier (&e, pair->first, pair->second);
    const int32_t order = encoder_variable (&e, VARIABLE_PAIR, pair->first, pair->second, likely);
    encoder_order (&e, pair->first_install, pair->second_install, order);
    encoder_order (&e, pair->second_install, pair->first_install, -order);
  }
  encoder_others (&e);
  return encoder_end (&e);
}
