#include "history/history.h"

static void copy_atoms (struct atoms *to, const struct atoms *from) {
  VEC_COPY (to->kinds, from->kinds);
  VEC_COPY (to->payloads, from->payloads);
  VEC_COPY (to->numbers, from->numbers);
  VEC_COPY (to->pool, from->pool);
}

struct history *history_new_like (const struct history *h) {
  struct history *like = history_new (h->name);
  like->source = h->source ? mem_strdup (h->source) : NULL;
  like->warnings = h->warnings ? mem_strdup (h->warnings) : NULL;
  like->incomplete = h->incomplete ? mem_strdup (h->incomplete) : NULL;
  like->key_type = h->key_type;
  copy_atoms (&like->keys, &h->keys);
  copy_atoms (&like->values, &h->values);
  copy_atoms (&like->texts, &h->texts);
  like->init = h->init;
  like->init_default = h->init_default;
  VEC_COPY (like->init_keys, h->init_keys);
  VEC_COPY (like->init_values, h->init_values);
  like->hints = h->hints;
  return like;
}
