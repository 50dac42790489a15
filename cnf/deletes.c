// Deletes whose result was not recorded, as far as saturation left them open: a variable each,
// which is true if the delete wrote. Readers of the key have it among their candidates under that
// guard, and open pairs of versions are encoded with it (encode.c). Here is what known orders mean
// if it wrote: whoever read a version that its transaction is known to follow comes before it.

#include "cnf/encoder.h"

static bool comes_before (const struct graph *g, uint32_t w, uint32_t p) {
  const struct edge_points ww = g->ir->rules.ww;
  return graph_reaches (g, graph_point (g, g->ir->install_node[w], ww.from),
                        graph_point (g, g->ir->install_node[p], ww.to));
}

typedef VEC (uint32_t) install_vec;

// The last version of a segment that is known to come before a point. Of its own chain that is
// clear, whatever rows track.
static uint32_t last_before (const struct graph *g, uint32_t segment, uint32_t point) {
  const unsigned which = g->ir->rules.ww.from;
  if (g->segment_track[segment] != graph_track (g, point) || graph_segment_out (g, segment))
    return last_of_segment (g, segment, graph_before (g, point), which);
  return last_install_not_above (g, g->segment_install[segment], g->segment_install[segment + 1], (int32_t) point - 1,
                                 which);
}

// Per chain the last certain version that is known to come before the delete's transaction, less
// those that another one of these follows.
static void last_versions_before (const struct encoder *e, uint32_t install, install_vec *lasts) {
  const struct graph *g = e->g;
  const struct edge_points ww = g->ir->rules.ww;
  const uint32_t key = graph_key (g, install);
  const uint32_t point = graph_point (g, e->ir->install_node[install], ww.to);
  lasts->count = 0;
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t last = last_before (g, segment, point);
    if (last != UINT32_MAX)
      VEC_PUSH (*lasts, last);
  }
  size_t kept = 0;
  for (size_t i = 0; i < lasts->count; i++) {
    bool followed = false;
    for (size_t k = 0; k < lasts->count && !followed; k++)
      followed = k != i && comes_before (g, lasts->data[i], lasts->data[k]);
    if (!followed)
      lasts->data[kept++] = lasts->data[i];
  }
  lasts->count = kept;
}

// Other unrecorded deletes that are known to come before this one, and that somebody may have read.
static void encode_deletes_before (struct encoder *e, uint32_t install) {
  const struct graph *g = e->g;
  const uint32_t key = graph_key (g, install);
  for (uint32_t i = e->ir->key_first[key]; i < e->ir->key_first[key + 1]; i++)
    if (i != install && !graph_installs (g, i) && g->active[e->ir->install_node[i]] && e->source_head
        && e->source_head[i] != UINT32_MAX && comes_before (g, i, install))
      encoder_readers_before (e, i, install, 0);
}

// If both versions are there.
static void arrive (struct encoder *e, uint32_t from_install, uint32_t install) {
  const struct guards guards = { { encoder_install_literal (e, from_install), encoder_install_literal (e, install) } };
  encoder_version_arrival (e, from_install, install, guards);
}

// The delete itself comes in at the reads behind later writes.
static void arrive_at_followers (struct encoder *e, uint32_t install) {
  const struct graph *g = e->g;
  const uint32_t key = graph_key (g, install);
  for (uint32_t i = e->ir->key_first[key]; e->rules->events && i < e->ir->key_first[key + 1]; i++)
    if (i != install && g->active[e->ir->install_node[i]] && comes_before (g, install, i))
      arrive (e, install, i);
}

static void encode_delete (struct encoder *e, uint32_t entry, install_vec *lasts) {
  const struct presence *presence = &e->ir->presences[entry];
  const int32_t wrote = e->presence_variable[entry], in = encoder_in_literal (e, presence->node);
  const uint32_t writes = ir_writes (e->ir, presence->node);
  if (in)
    encoder_clause2 (e, -wrote, in);
  if (writes && e->presence_variable[writes])
    encoder_clause2 (e, -wrote, e->presence_variable[writes]);
  if (in || presence->install == INSTALL_NONE) // an unknown transaction follows nobody for sure
    return;
  last_versions_before (e, presence->install, lasts);
  for (size_t i = 0; i < lasts->count; i++) {
    encoder_readers_before (e, lasts->data[i], presence->install, 0);
    arrive (e, lasts->data[i], presence->install);
  }
  encode_deletes_before (e, presence->install);
  arrive_at_followers (e, presence->install);
  if (!lasts->count)
    encoder_readers_before (e, SOURCE_INITIAL, presence->install, 0);
}

void encoder_deletes (struct encoder *e) {
  install_vec lasts = VEC_EMPTY;
  for (uint32_t d = 0; d < e->ir->deletes && !encoder_stops (e); d++)
    if (e->presence_variable[e->ir->first_delete + d])
      encode_delete (e, e->ir->first_delete + d, &lasts);
  VEC_FREE (lasts);
}
