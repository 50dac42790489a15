#include "explain/say.h"

#include "base/error.h"

#include <inttypes.h>

static void words_party (words *w, struct party party) {
  if (party.initial)
    words_add (w, "the initial state");
  else
    words_add (w, "T%" PRIu64, party.id);
}

void say (words *w, const struct history *h, const char *sentence, const struct said *s) {
  for (const char *at = sentence; *at; at++) {
    if (*at != '%') {
      VEC_PUSH (*w, *at);
      continue;
    }
    switch (*++at) {
    case 'a': words_party (w, s->a); break;
    case 'b': words_party (w, s->b); break;
    case 'c': words_party (w, s->c); break;
    case 'k': words_key (w, h, s->key); break;
    case 'v': words_value (w, h, s->value); break;
    case 'r': words_read (w, h, s->read); break;
    case 's': words_add (w, "%s", s->text); break;
    default: misuse (__func__, sentence);
    }
  }
}
