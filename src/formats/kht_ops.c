// Operations of the text form: `get x -> 1 @update`.
//
// A name, fixed arguments, a result behind an arrow (without one it was not recorded), then marks
// that begin with '@'.

#include "formats/kht_read.h"

enum { MARK_LOCK = 1, MARK_TIMES = 2, MARK_VERSION = 4, MARK_REVERSE = 8 };

struct op {
  enum op_kind kind;
  unsigned flags;
  uint32_t key, value, aux;
  int64_t begin, end;
  bool has_version; // the text is in r->json
};

// At a token that ends an operation, or its items?
static bool at_end_of_items (struct kht_reader *r) {
  kht_skip (r);
  return r->text.at == r->text.end || *r->text.at == ';' || *r->text.at == '}' || *r->text.at == '@'
         || *r->text.at == '.';
}

static bool accept_arrow (struct kht_reader *r) {
  return kht_accept_text (r, "->");
}

// --- Arguments and results ---

static bool read_write (struct kht_reader *r, struct op *op) {
  return kht_key (r, &op->key) && kht_value (r, &op->value);
}

static bool read_get (struct kht_reader *r, struct op *op) {
  op->value = VALUE_UNRECORDED;
  return kht_key (r, &op->key) && (!accept_arrow (r) || kht_value_or_nil (r, &op->value));
}

static bool read_outcome (struct kht_reader *r, struct op *op, const char *yes, const char *no, const char *what) {
  if (!accept_arrow (r))
    return true;
  op->flags |= OP_RESULT_KNOWN;
  if (kht_accept_word (r, yes)) {
    op->flags |= OP_RESULT_TRUE;
    return true;
  }
  return kht_accept_word (r, no) || kht_expected (r, what);
}

static bool read_del (struct kht_reader *r, struct op *op) {
  return kht_key (r, &op->key) && read_outcome (r, op, "found", "absent", "found or absent");
}

static bool read_cas (struct kht_reader *r, struct op *op) {
  return kht_key (r, &op->key) && kht_value_or_nil (r, &op->value) && kht_value (r, &op->aux)
         && read_outcome (r, op, "ok", "failed", "ok or failed");
}

// The new value goes to `aux` for now.
static bool read_inc (struct kht_reader *r, struct op *op) {
  if (!kht_key (r, &op->key))
    return false;
  kht_skip (r);
  const char *at = r->text.at;
  if (!kht_value (r, &op->value))
    return false;
  if (atoms_get (&r->history->values, op->value).kind == ATOM_BYTES)
    return json_unexpected (&r->text, at, "an integer to add");
  op->aux = VALUE_UNRECORDED;
  return !accept_arrow (r) || kht_value (r, &op->aux);
}

static bool read_bound (struct kht_reader *r, uint32_t *key) {
  *key = KEY_NONE;
  return kht_accept_dash (r) || kht_key (r, key);
}

static bool add_item (struct kht_reader *r, const char *at, uint32_t key, uint32_t value) {
  const char *why;
  return history_add_item (r->history, key, value, &why) || json_fail (&r->text, at, "%s", why);
}

static bool read_items (struct kht_reader *r) {
  while (!at_end_of_items (r)) {
    uint32_t key, value;
    const char *at = r->text.at;
    if (!kht_key (r, &key) || !kht_require (r, '=', "'=' and a value") || !kht_value (r, &value)
        || !add_item (r, at, key, value))
      return false;
  }
  return true;
}

// `none` says that nothing was found, in so many words; it is a key only before a '='.
static void skip_none (struct kht_reader *r) {
  const char *at = r->text.at;
  if (!kht_accept_word (r, "none"))
    return;
  kht_skip (r);
  if (r->text.at < r->text.end && *r->text.at == '=')
    r->text.at = at;
}

static bool read_range (struct kht_reader *r, struct op *op) {
  uint32_t low, high;
  if (!read_bound (r, &low) || !read_bound (r, &high))
    return false;
  op->aux = history_open_range (r->history, low, high);
  op->value = VALUE_UNRECORDED;
  if (!accept_arrow (r))
    return true;
  op->value = VALUE_NONE;
  skip_none (r);
  if (!read_items (r))
    return false;
  if (op->kind == OP_ITER && !kht_accept_text (r, "..."))
    op->flags |= OP_ITER_END;
  return true;
}

static bool read_list (struct kht_reader *r, struct op *op) {
  op->value = VALUE_UNRECORDED;
  if (!kht_key (r, &op->key))
    return false;
  if (!accept_arrow (r))
    return true;
  op->aux = history_open_range (r->history, KEY_NONE, KEY_NONE);
  op->value = VALUE_ABSENT;
  if (kht_accept_word (r, "nil"))
    return true;
  op->value = VALUE_NONE;
  if (!kht_require (r, '[', "a list in [ ] or nil"))
    return false;
  while (!kht_accept (r, ']')) {
    uint32_t value;
    const char *at = r->text.at;
    if (!kht_value (r, &value) || !add_item (r, at, KEY_NONE, value))
      return false;
  }
  return true;
}

// --- Marks ---

static bool mark_forbidding (struct kht_reader *r, unsigned *seen, unsigned mark, const char *at) {
  if (*seen & mark)
    return json_fail (&r->text, at, "a mark of a kind that is there already");
  *seen |= mark;
  return true;
}

static bool read_times (struct kht_reader *r, struct op *op, unsigned *seen, const char *at) {
  return mark_forbidding (r, seen, MARK_TIMES, at) && kht_times (r, &op->begin, &op->end);
}

static bool read_version (struct kht_reader *r, struct op *op, unsigned *seen, const char *at) {
  op->has_version = true;
  return mark_forbidding (r, seen, MARK_VERSION, at) && kht_require (r, '=', "'=' and a JSON value")
         && kht_json (r, "a JSON value");
}

static bool read_mark (struct kht_reader *r, struct op *op, unsigned *seen, const char *at) {
  const bool reads = op->kind != OP_PUT && op->kind != OP_APPEND;
  if (kht_accept (r, '['))
    return read_times (r, op, seen, at);
  const bool update = reads && kht_accept_word (r, "update");
  if (update || (reads && kht_accept_word (r, "share"))) {
    op->flags |= update ? OP_LOCK_UPDATE : OP_LOCK_SHARE;
    return mark_forbidding (r, seen, MARK_LOCK, at);
  }
  if (reads && kht_accept_word (r, "version"))
    return read_version (r, op, seen, at);
  if (op->kind == OP_ITER && kht_accept_word (r, "reverse")) {
    op->flags |= OP_ITER_REVERSE;
    return mark_forbidding (r, seen, MARK_REVERSE, at);
  }
  return kht_expected (r, !reads                ? "a time mark @[begin end]"
                          : op->kind == OP_ITER ? "update, share, reverse, version=... or [begin end]"
                                                : "update, share, version=... or [begin end]");
}

static bool read_marks (struct kht_reader *r, struct op *op) {
  unsigned seen = 0;
  for (;;) {
    kht_skip (r);
    const char *at = r->text.at;
    if (!kht_accept (r, '@'))
      return true;
    if (!read_mark (r, op, &seen, at))
      return false;
  }
}

// --- Operations ---

static bool (*const readers[OP_KINDS]) (struct kht_reader *, struct op *) = {
  [OP_PUT] = read_write,    [OP_DEL] = read_del,   [OP_GET] = read_get, [OP_SCAN] = read_range, [OP_ITER] = read_range,
  [OP_APPEND] = read_write, [OP_LIST] = read_list, [OP_CAS] = read_cas, [OP_INC] = read_inc,
};

static bool read_kind (struct kht_reader *r, enum op_kind *kind) {
  const struct kht_word word = kht_peek_word (r);
  for (int k = 0; k < OP_KINDS; k++)
    if (kht_word_is (word, op_kind_name ((enum op_kind) k))) {
      *kind = (enum op_kind) k;
      r->text.at += word.length;
      return true;
    }
  return kht_expected (r, "put, get, del, scan, iter, append, list, cas, inc or '}'");
}

static bool add_op (struct kht_reader *r, const struct op *op, const char *at) {
  struct history *h = r->history;
  const char *why;
  const bool added = op->kind == OP_INC ? history_add_inc (h, op->flags, op->key, op->value, op->aux, &why)
                                        : history_add_op (h, op->kind, op->flags, op->key, op->value, op->aux, &why);
  if (!added)
    return json_fail (&r->text, at, "%s", why);
  if (op->begin != TIME_NONE_BEGIN || op->end != TIME_NONE_END)
    history_set_op_times (h, op->begin, op->end);
  if (op->has_version && !history_set_op_hint (h, r->json.data, r->json.count, &why))
    return json_fail (&r->text, at, "%s", why);
  return true;
}

static bool read_op (struct kht_reader *r) {
  struct op op = { OP_PUT, 0, KEY_NONE, VALUE_NONE, AUX_NONE, TIME_NONE_BEGIN, TIME_NONE_END, false };
  kht_skip (r);
  const char *at = r->text.at;
  return read_kind (r, &op.kind) && readers[op.kind](r, &op) && read_marks (r, &op) && add_op (r, &op, at);
}

bool kht_ops (struct kht_reader *r) {
  for (;;) {
    kht_skip (r);
    if (r->history->waiting_ops == MOST_ANNOUNCED && !kht_flush (r))
      return false;
    const enum kht_quick quick = kht_quick_op (r);
    if (quick == KHT_QUICK_LAST || (!quick && kht_accept (r, '}')))
      return true;
    if (quick)
      continue;
    if (!kht_flush (r) || !read_op (r))
      return false;
    if (!kht_accept (r, ';'))
      return kht_require (r, '}', "';' or '}'");
  }
}
