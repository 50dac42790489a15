// A line at a time: what it says goes to the builder, and what the whole must be like is for
// ir_validate to find out.

#include "base/hash.h"
#include "base/input.h"
#include "ir/builder.h"
#include "ir/kir.h"

#include <inttypes.h>
#include <string.h>

struct reader {
  struct input *input;
  struct error *error;
  const char *line, *end; // the current line
  const char *at;         // behind the word read last
  const char *word;       // the word read last
  size_t length;
  const char *part; // what of the word is still to be read

  struct ir *ir;
  struct ir_builder *b;
  VEC (uint64_t) ids; // of nodes
  struct hash_set id_table;
  VEC (uint64_t) values; // their numbers in the file
  struct hash_set value_table;
  VEC (uint64_t) presence_ids; // per presence: the transaction that it speaks of
  VEC (uint32_t) sources;      // of the read at hand
  VEC (uint32_t) read_keys;
  ir_edge_vec module_edges;
  uint32_t chain, keys, last_node;
};

// ------------------------------------------------------------------------------------------- words

static bool fail_at (struct reader *r, const char *at, const char *text) {
  return error_at_line (r->error, input_name (r->input), input_line_number (r->input), (uint64_t) (at - r->line) + 1,
                        "%s", text);
}

static bool fail_expected (struct reader *r, const char *at, const char *expected) {
  const char *end = at, *quote = "'";
  while (end < r->end && *end != ' ' && *end != '\t' && end - at < 40)
    end++;
  int length = (int) (end - at);
  const char *found = at;
  if (!length) {
    quote = "";
    found = at < r->end ? "the end of the word" : "the end of the line";
    length = (int) strlen (found);
  }
  return error_at_line (r->error, input_name (r->input), input_line_number (r->input), (uint64_t) (at - r->line) + 1,
                        "expected %s, found %s%.*s%s", expected, quote, length, found, quote);
}

// False at the end of the line, a comment included; the word is empty then, and stands where one
// could.
static bool next_word (struct reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
    r->at++;
  if (r->at < r->end && *r->at == '#')
    r->end = r->at;
  r->word = r->part = r->at;
  while (r->at < r->end && *r->at != ' ' && *r->at != '\t')
    r->at++;
  r->length = (size_t) (r->at - r->word);
  return r->length != 0;
}

static bool word_is (const struct reader *r, const char *text) {
  return r->length == strlen (text) && !memcmp (r->word, text, r->length);
}

// If the rest of the word begins like this, that much of it is done with.
static bool take (struct reader *r, const char *text) {
  const size_t length = strlen (text);
  if ((size_t) (r->at - r->part) < length || memcmp (r->part, text, length))
    return false;
  r->part += length;
  return true;
}

static bool expect (struct reader *r, const char *text) {
  return take (r, text) || fail_expected (r, r->part, text);
}

static bool word_ends (struct reader *r) {
  return r->part == r->at || fail_expected (r, r->part, "the end of the word");
}

static bool line_ends (struct reader *r) {
  return !next_word (r) || fail_expected (r, r->word, "the end of the line");
}

// The next word is all of one thing.
static bool whole_word (struct reader *r, bool (*read) (struct reader *, uint32_t *), uint32_t *found) {
  next_word (r);
  return read (r, found) && word_ends (r);
}

static bool next_line (struct reader *r) {
  size_t length;
  if (!input_line (r->input, &r->line, &length, r->error))
    return false;
  r->at = r->word = r->part = r->line;
  r->end = r->line + length;
  return true;
}

// A number, less than `limit`, behind this letter or text. `what` is what was expected.
static bool number (struct reader *r, const char *before, uint64_t limit, const char *what, uint64_t *number) {
  const char *start = r->part;
  if (!take (r, before))
    return fail_expected (r, start, what);
  const char *digit = r->part;
  *number = 0;
  for (; digit < r->at && *digit >= '0' && *digit <= '9'; digit++) {
    const uint64_t d = (uint64_t) (*digit - '0');
    if (*number > (UINT64_MAX - d) / 10)
      return fail_at (r, start, "this number is too large");
    *number = 10 * *number + d;
  }
  if (digit == r->part)
    return fail_expected (r, start, what);
  r->part = digit;
  if (*number < limit)
    return true;
  return fail_at (r, start, limit > UINT32_MAX / 8 ? "this number is too large" : "nothing of this name stands above");
}

static bool number32 (struct reader *r, const char *before, uint32_t limit, const char *what, uint32_t *found) {
  uint64_t wide;
  if (!number (r, before, limit, what, &wide))
    return false;
  *found = (uint32_t) wide;
  return true;
}

// ------------------------------------------------------------------------------------------- names

static bool same_number (const void *numbers, uint32_t index, const void *wanted) {
  return ((const uint64_t *) numbers)[index] == *(const uint64_t *) wanted;
}

static uint32_t find_node (const struct reader *r, uint64_t id) {
  const uint32_t found = hash_set_find (&r->id_table, hash_u64 (id), same_number, r->ids.data, &id);
  return found == HASH_NONE ? NODE_NONE : found;
}

static bool node (struct reader *r, uint32_t *found) {
  const char *start = r->part;
  uint64_t id;
  if (!number (r, "T", UINT64_MAX, "a transaction such as T7", &id))
    return false;
  *found = find_node (r, id);
  return *found != NODE_NONE || fail_at (r, start, "no transaction of this name stands above");
}

static bool key (struct reader *r, uint32_t *found) {
  return number32 (r, "k", r->keys, "a key such as k0", found);
}

static bool read_number (struct reader *r, uint32_t *found) {
  return number32 (r, "r", (uint32_t) r->read_keys.count, "a read such as r0", found);
}

static bool presence (struct reader *r, uint32_t *found) {
  const bool not = take (r, "!");
  if (!number32 (r, "p", r->ir->presence_count, "a presence such as p1", found))
    return false;
  *found = *found << 1 | not ;
  return *found > NEVER || fail_expected (r, r->part, "a presence from p1 on");
}

// The transaction that took place by it.
static bool outcome (struct reader *r, uint32_t *found) {
  const char *start = r->part;
  uint32_t literal;
  if (!presence (r, &literal))
    return false;
  *found = r->ir->presences[presence_entry (literal)].node;
  return (presence_wanted (literal) && r->ir->presences[presence_entry (literal)].kind == PRESENCE_IN
          && *found != NODE_NONE)
         || fail_at (r, start, "this is not that a transaction above took place");
}

static bool value (struct reader *r, uint32_t *found) {
  uint64_t label;
  if (take (r, "absent")) {
    *found = ABSENT;
    return true;
  }
  if (!number (r, "v", INITIAL_OPEN, "a value such as v4, or absent", &label))
    return false;
  *found = hash_set_find (&r->value_table, hash_u64 (label), same_number, r->values.data, &label);
  if (*found == HASH_NONE) {
    *found = (uint32_t) r->values.count;
    hash_set_insert (&r->value_table, hash_u64 (label), *found);
    VEC_PUSH (r->values, label);
  }
  return true;
}

// Zero is what the writer, who counts from the first place of a transaction on, never writes.
static bool place (struct reader *r, uint32_t *found) {
  const char *start = r->part;
  return number32 (r, "", UINT32_MAX - 1, "a place", found)
         && (*found || fail_expected (r, start, "a place from 1 on"));
}

// "T7" or "init", as a source of a key.
static bool source (struct reader *r, uint32_t of_key, uint32_t *found) {
  const char *start = r->part;
  uint32_t writer;
  *found = SOURCE_INITIAL;
  if (take (r, "init"))
    return true;
  if (!node (r, &writer))
    return false;
  *found = ir_builder_install_of (r->b, of_key, writer);
  return *found != INSTALL_NONE || fail_at (r, start, "this transaction does not install the key");
}

static bool install (struct reader *r, uint32_t of_key, uint32_t *found) {
  const char *start = r->part;
  return source (r, of_key, found)
         && (*found != SOURCE_INITIAL || fail_expected (r, start, "a transaction such as T7"));
}

// ------------------------------------------------------------------------------------------ header

static bool header_line (struct reader *r, const char *first, const char *expected) {
  if (!next_line (r))
    return !r->error->code
           && error_set (r->error, "%.400s: expected %s, found the end of the file", input_name (r->input), expected);
  next_word (r);
  return word_is (r, first) || fail_expected (r, r->word, expected);
}

static bool read_version (struct reader *r) {
  if (!header_line (r, "kir", "kir 2"))
    return false;
  next_word (r);
  if (word_is (r, "1"))
    return fail_at (r, r->word,
                    "this is version 1 of the format, which is not read any more: encode the history again");
  if (!word_is (r, "2"))
    return fail_expected (r, r->word, "version 2");
  return !next_word (r) || fail_expected (r, r->word, "the end of the line (an expanded file is for reading only)");
}

static bool edge_points (struct reader *r, struct edge_points *points) {
  uint32_t from, to;
  if (!number32 (r, "", 2, "points such as 0>1", &from) || !expect (r, ">")
      || !number32 (r, "", 2, "points such as 0>1", &to))
    return false;
  *points = (struct edge_points){ true, (unsigned char) from, (unsigned char) to };
  return true;
}

static bool one_of (struct reader *r, const char *const words[3], unsigned *found) {
  for (*found = 0; *found < 3; ++*found)
    if (take (r, words[*found]))
      return true;
  return fail_expected (r, r->part, "one of the words for this");
}

static bool rule_word (struct reader *r, struct rules *rules) {
  const struct {
    const char *word;
    struct edge_points *points;
  } kinds[] = {
    { "so=", &rules->so }, { "rt=", &rules->rt }, { "ww=", &rules->ww }, { "wr=", &rules->wr }, { "rw=", &rules->rw }
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (take (r, kinds[i].word))
      return edge_points (r, kinds[i].points);
  unsigned found = 0;
  bool done = true;
  if (take (r, "points="))
    done = number32 (r, "", 3, "1 or 2", &rules->points);
  else if (take (r, "anti=")) {
    done = one_of (r, kir_anti, &found);
    rules->anti = (enum anti) found;
  } else if (take (r, "view=")) {
    done = one_of (r, kir_views, &found);
    rules->view = (enum view) found;
  } else if (take (r, "hidden"))
    rules->ww_hidden = true;
  else if (take (r, "events"))
    rules->events = true;
  else
    return fail_expected (r, r->part, "points, so, rt, ww, wr, rw, anti, view, hidden or events");
  return done;
}

static bool read_header (struct reader *r) {
  char label[KIR_LABEL_SIZE];
  struct rules rules = { 0 };
  if (!read_version (r) || !header_line (r, "level", "level"))
    return false;
  if (!next_word (r) || r->length >= sizeof label || kir_label_length (r->word, r->length) != r->length)
    return fail_expected (r, r->word, "the name of a level");
  memcpy (label, r->word, r->length);
  label[r->length] = 0;
  if (!line_ends (r) || !header_line (r, "rules", "rules"))
    return false;
  while (next_word (r))
    if (!rule_word (r, &rules) || !word_ends (r))
      return false;
  const char *problem = rules_problem (&rules);
  if (problem)
    return fail_at (r, r->line, problem);
  r->ir = ir_new (&rules, label);
  r->b = ir_builder_new (r->ir);
  VEC_PUSH (r->ids, UINT64_MAX); // T0 has no name
  VEC_PUSH (r->presence_ids, 0);
  return true;
}

// ------------------------------------------------------------------------------------------- lines

static bool read_words (struct reader *r, char **text) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
    r->at++;
  for (const char *byte = r->at; byte < r->end; byte++)
    if (!kir_is_text (*byte))
      return fail_at (r, byte, "a control character among words");
  char *words = mem_alloc ((size_t) (r->end - r->at) + 1);
  memcpy (words, r->at, (size_t) (r->end - r->at));
  words[r->end - r->at] = 0;
  mem_free (*text);
  *text = words;
  return *words ? true : fail_expected (r, r->at, "words");
}

static bool read_module (struct reader *r) {
  if (!r->ir->constraints)
    r->ir->constraints = constraints_new ();
  uint32_t found;
  next_word (r);
  if (!number32 (r, "m", UINT32_MAX, "a module such as m0", &found) || !word_ends (r))
    return false;
  if (found != r->ir->constraints->modules.count)
    return fail_at (r, r->word, "modules are numbered from m0 on");
  char *name = NULL;
  const bool done = read_words (r, &name);
  VEC_PUSH (r->ir->owned, name);
  VEC_PUSH (r->ir->constraints->modules, name);
  return done;
}

static bool module (struct reader *r, uint32_t *found) {
  return number32 (r, "m", r->ir->constraints ? (uint32_t) r->ir->constraints->modules.count : 0, "a module such as m0",
                   found);
}

static bool presence_kind (struct reader *r, enum presence_kind *kind) {
  next_word (r);
  for (*kind = PRESENCE_IN; *kind <= PRESENCE_WRITES; ++*kind)
    if (word_is (r, kir_presences[*kind]))
      return true;
  return fail_expected (r, r->word, "in, wrote or writes");
}

static bool read_presence (struct reader *r) {
  struct presence made = { .node = NODE_NONE, .install = INSTALL_NONE };
  uint64_t entry, id;
  next_word (r);
  if (!number (r, "p", UINT32_MAX / 2, "a presence such as p1", &entry) || !word_ends (r))
    return false;
  if (entry != r->ir->presence_count || r->ids.count > 1)
    return fail_at (r, r->word, "presences are numbered from p1 on, and stand before all transactions");
  if (!presence_kind (r, &made.kind))
    return false;
  if (made.kind < r->ir->presences[r->ir->presence_count - 1].kind)
    return fail_at (r, r->word, "presences stand in this order: in, wrote, writes");
  next_word (r);
  if (!number (r, "T", UINT64_MAX, "a transaction such as T7", &id) || !word_ends (r))
    return false;
  if (made.kind == PRESENCE_WROTE
      && (!next_word (r) || !number32 (r, "k", UINT32_MAX, "a key such as k0", &made.key) || !word_ends (r)))
    return r->error->code ? false : fail_expected (r, r->word, "a key such as k0");
  ir_add_presence (r->ir, made);
  VEC_PUSH (r->presence_ids, id);
  return line_ends (r);
}

static bool slot (struct reader *r, uint32_t *found) {
  if (!r->ir->rules.rt.used)
    return fail_at (r, r->word, "the rules have no real time");
  if (!number32 (r, "", UINT32_MAX / 4, "a time slot", found))
    return false;
  r->ir->slots = r->ir->slots > *found + 1 ? r->ir->slots : *found + 1;
  return true;
}

static bool node_presence (struct reader *r, struct node_line *line) {
  const char *start = r->part;
  if (!presence (r, &line->presence))
    return false;
  struct presence *entry = &r->ir->presences[presence_entry (line->presence)];
  if (!presence_wanted (line->presence) || entry->kind != PRESENCE_IN
      || r->presence_ids.data[presence_entry (line->presence)] != line->id)
    return fail_at (r, start, "this is not that the transaction took place");
  entry->node = (uint32_t) r->ids.count;
  return true;
}

static bool read_txn (struct reader *r) {
  struct node_line line = {
    .so_before = NODE_NONE, .time_before = SLOT_NONE, .time_after = SLOT_NONE, .presence = ALWAYS
  };
  next_word (r);
  if (!number (r, "T", UINT64_MAX, "a transaction such as T7", &line.id) || !word_ends (r))
    return false;
  if (find_node (r, line.id) != NODE_NONE || r->keys)
    return fail_at (r, r->word, "each transaction stands once, before all keys");
  next_word (r);
  if (!number32 (r, "c", UINT32_MAX, "a chain such as c1", &line.chain) || !word_ends (r))
    return false;
  if (line.chain != r->chain + 1 && (line.chain != r->chain || !r->chain))
    return fail_at (r, r->word, "chains are numbered from c1 on, and each stands together");
  r->chain = line.chain;
  while (next_word (r)) {
    const bool done = take (r, "after=")   ? node (r, &line.so_before)
                      : take (r, "begin=") ? slot (r, &line.time_before)
                      : take (r, "end=")   ? slot (r, &line.time_after)
                      : take (r, "if=")    ? node_presence (r, &line)
                                           : fail_expected (r, r->word, "after, begin, end or if");
    if (!done || !word_ends (r))
      return false;
  }
  hash_set_insert (&r->id_table, hash_u64 (line.id), (uint32_t) r->ids.count);
  VEC_PUSH (r->ids, line.id);
  ir_add_node (r->b, &line);
  return true;
}

static bool read_install (struct reader *r, uint32_t of_key) {
  struct install_line line = { .place = 1 };
  const char *start = r->part;
  if (!node (r, &line.node) || !expect (r, "=") || !value (r, &line.value))
    return false;
  if (line.node <= r->last_node)
    return fail_at (r, start, "installers of a key stand in the order of their lines");
  r->last_node = line.node;
  line.presence = ir_builder_presence (r->b, line.node);
  if (take (r, "@") && !place (r, &line.place))
    return false;
  if (take (r, "/")) {
    if (!presence (r, &line.presence))
      return false;
    const struct presence *entry = &r->ir->presences[presence_entry (line.presence)];
    if (entry->kind != PRESENCE_WROTE || !presence_wanted (line.presence) || entry->key != of_key
        || entry->install != INSTALL_NONE
        || r->presence_ids.data[presence_entry (line.presence)] != r->ids.data[line.node])
      return fail_at (r, start, "this is not that the transaction's delete of the key wrote");
  }
  ir_add_install (r->b, &line);
  return word_ends (r);
}

static bool read_key (struct reader *r) {
  uint32_t found, init = INITIAL_OPEN;
  next_word (r);
  if (!number32 (r, "k", UINT32_MAX - 1, "a key such as k0", &found) || !word_ends (r))
    return false;
  if (found != r->keys || r->read_keys.count)
    return fail_at (r, r->word, "keys are numbered from k0 on, and stand before all reads");
  next_word (r);
  if (!expect (r, "init=") || (!take (r, "open") && !value (r, &init)) || !word_ends (r))
    return false;
  ir_add_key (r->b, init);
  r->keys++;
  for (r->last_node = 0; next_word (r);)
    if (!read_install (r, found))
      return false;
  r->last_node = 0;
  return true;
}

static bool sources (struct reader *r, struct read_line *line) {
  r->sources.count = 0;
  if (take (r, "none"))
    return true;
  line->all = take (r, "all");
  while (line->all ? take (r, ",") : !r->sources.count || take (r, ",")) {
    const char *start = r->part;
    uint32_t found;
    if (!source (r, line->key, &found))
      return false;
    if (r->sources.count && r->sources.data[r->sources.count - 1] >= found)
      return fail_at (r, start, "sources stand in the order of their lines, init last");
    if (line->all && found != SOURCE_INITIAL)
      return fail_expected (r, start, "init");
    VEC_PUSH (r->sources, found);
  }
  return true;
}

static bool read_option (struct reader *r, struct read_line *line, bool *has_sources) {
  unsigned anti = line->anti;
  if (take (r, "sources=")) {
    *has_sources = true;
    return sources (r, line);
  }
  if (take (r, "at="))
    return place (r, &line->place);
  if (take (r, "edge-if="))
    return presence (r, &line->when);
  if (take (r, "if="))
    return presence (r, &line->presence);
  if (take (r, "range")) {
    line->flags |= READ_PREDICATE;
    return true;
  }
  if (!take (r, "anti="))
    return fail_expected (r, r->word, "sources, at, anti, edge-if, if or range");
  const bool done = one_of (r, kir_anti, &anti);
  line->anti = (uint8_t) anti;
  return done;
}

static bool read_read (struct reader *r) {
  struct read_line line = { .presence = ALWAYS, .when = NEVER, .anti = (uint8_t) r->ir->rules.anti, .place = 1 };
  bool has_sources = false;
  uint32_t found;
  next_word (r);
  if (!number32 (r, "r", UINT32_MAX / 2, "a read such as r0", &found) || !word_ends (r))
    return false;
  if (found != r->read_keys.count || !r->ir->rules.wr.used)
    return fail_at (r, r->word, "reads are numbered from r0 on, and there are none without rules for wr");
  if (!whole_word (r, node, &line.node))
    return false;
  if (line.node < r->last_node)
    return fail_at (r, r->word, "reads stand in the order of their transactions");
  r->last_node = line.node;
  next_word (r);
  if (!key (r, &line.key) || !expect (r, "="))
    return false;
  line.flags = take (r, "!") ? READ_OTHER : 0;
  if (!value (r, &line.value))
    return false;
  line.flags |= !line.flags && line.value != ABSENT && take (r, "|absent") ? READ_OR_ABSENT : 0;
  if (!word_ends (r))
    return false;
  while (next_word (r))
    if (!read_option (r, &line, &has_sources) || !word_ends (r))
      return false;
  if (!has_sources)
    return fail_expected (r, r->word, "sources");
  ir_add_read (r->b, &line, r->sources.data, r->sources.count);
  VEC_PUSH (r->read_keys, line.key);
  return true;
}

static bool read_order (struct reader *r) {
  struct known_order order = { 0 };
  uint32_t of_key;
  if (!whole_word (r, key, &of_key))
    return false;
  if (next_word (r), !install (r, of_key, &order.before) || !word_ends (r))
    return false;
  if (next_word (r), !install (r, of_key, &order.after) || !word_ends (r))
    return false;
  if (order.before == order.after)
    return fail_at (r, r->word, "a version before itself");
  if (next_word (r) && (!expect (r, "if=") || !outcome (r, &order.reader) || !word_ends (r)))
    return false;
  ir_add_order (r->b, order);
  return line_ends (r);
}

static bool read_holds (struct reader *r) {
  uint32_t found;
  if (!whole_word (r, presence, &found))
    return false;
  if (!presence_wanted (found) || r->ir->presences[presence_entry (found)].kind == PRESENCE_WRITES)
    return fail_at (r, r->word, "only that a transaction took place, or that a delete wrote, can be known");
  VEC_PUSH (r->ir->holds, found);
  return line_ends (r);
}

static bool read_implies (struct reader *r) {
  struct unknown_claim claim;
  if (!whole_word (r, outcome, &claim.reader) || !whole_word (r, outcome, &claim.other))
    return false;
  ir_add_claim (r->b, claim);
  return line_ends (r);
}

static bool read_derived (struct reader *r, struct ir_edge edge) {
  struct derived_edge made = { edge.from, edge.to, EDGE_WW, READ_NONE, KEY_NONE };
  made.kind = word_is (r, "so") ? EDGE_SO : word_is (r, "rw") ? EDGE_RW : word_is (r, "ww") ? EDGE_WW : EDGE_GIVEN;
  if (made.kind == EDGE_GIVEN)
    return fail_expected (r, r->word, "given, program, a module, so, ww or rw");
  if (!derived_points (&r->ir->rules, made.kind).used)
    return fail_at (r, r->word, "the rules have no such edges");
  if (made.kind != EDGE_SO) {
    next_word (r);
    const bool of_key = made.kind == EDGE_WW && r->word < r->at && *r->word == 'k';
    if ((of_key ? !key (r, &made.key) : !read_number (r, &made.read)) || !word_ends (r))
      return false;
  }
  VEC_PUSH (r->ir->derived, made);
  return line_ends (r);
}

static bool read_edge (struct reader *r) {
  struct ir_edge edge;
  uint32_t of;
  if (!whole_word (r, node, &edge.from) || !whole_word (r, node, &edge.to))
    return false;
  next_word (r);
  const bool program = word_is (r, "program");
  if (!program && !word_is (r, "given")) {
    if (!r->length || *r->word != 'm')
      return read_derived (r, edge);
    if (!module (r, &of) || !word_ends (r))
      return false;
    VEC_PUSH (r->module_edges, edge);
    VEC_PUSH (r->ir->edge_module, of);
    return line_ends (r);
  }
  if (r->ir->edges.count && program != r->ir->edges_are_program_order)
    return fail_at (r, r->word, "edges are all given, or all of program order");
  r->ir->edges_are_program_order = program;
  VEC_PUSH (r->ir->edges, edge);
  return line_ends (r);
}

static bool read_condition (struct reader *r, struct constraints *constraints) {
  struct constraint_condition condition;
  if (next_word (r), !read_number (r, &condition.read) || !expect (r, "="))
    return false;
  if (!source (r, r->read_keys.data[condition.read], &condition.source) || !word_ends (r))
    return false;
  constraints_add_condition (constraints, condition);
  return true;
}

static bool read_constraint_edge (struct reader *r, struct constraints *constraints) {
  struct ir_edge edge;
  if (!node (r, &edge.from) || !expect (r, ">") || !node (r, &edge.to) || !word_ends (r))
    return false;
  constraints_add_edge (constraints, edge);
  return true;
}

static bool read_constraint (struct reader *r) {
  struct constraints *constraints = r->ir->constraints;
  uint32_t of;
  if (!whole_word (r, module, &of))
    return false;
  constraints_begin (constraints, of);
  constraints->open++;
  bool then = false, begun = false;
  while (next_word (r)) {
    if (!then && word_is (r, "if")) {
      if (!read_condition (r, constraints))
        return false;
    } else if (word_is (r, then ? "or" : "then")) {
      constraints_begin_alternative (constraints);
      then = begun = true;
    } else if (!then)
      return fail_expected (r, r->word, "if or then");
    else if (!read_constraint_edge (r, constraints))
      return false;
    else
      begun = false;
  }
  return !begun || fail_expected (r, r->word, "an edge such as T1>T2");
}

static bool read_line (struct reader *r) {
  static const struct {
    const char *word;
    bool (*read) (struct reader *);
  } kinds[] = {
    { "module", read_module }, { "presence", read_presence },     { "txn", read_txn },     { "key", read_key },
    { "read", read_read },     { "order", read_order },           { "holds", read_holds }, { "implies", read_implies },
    { "edge", read_edge },     { "constraint", read_constraint },
  };
  const struct {
    const char *word;
    char **text;
  } remarks[] = { { "fault", &r->ir->fault }, { "undefined", &r->ir->undefined }, { "tentative", &r->ir->tentative } };
  if (!next_word (r))
    return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (word_is (r, kinds[i].word))
      return kinds[i].read (r);
  for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
    if (word_is (r, remarks[i].word))
      return read_words (r, remarks[i].text);
  return fail_expected (r, r->word, "the first word of a line");
}

// ---------------------------------------------------------------------------------------- together

// What presences speak of stands below them.
static bool name_presences (struct reader *r) {
  for (uint32_t entry = 1; entry < r->ir->presence_count; entry++) {
    struct presence *made = &r->ir->presences[entry];
    const uint32_t found = find_node (r, r->presence_ids.data[entry]);
    if (found == NODE_NONE || (made->kind == PRESENCE_IN && made->node == NODE_NONE)
        || (made->kind == PRESENCE_WROTE && made->key >= r->keys))
      return error_set (r->error, "%.400s: at the end of the file: p%" PRIu32 " speaks of nothing above",
                        input_name (r->input), entry);
    made->node = found;
  }
  return true;
}

static bool read_all (struct reader *r) {
  if (!read_header (r))
    return false;
  while (next_line (r))
    if (!read_line (r))
      return false;
  return !r->error->code && name_presences (r);
}

static void finish (struct reader *r) {
  struct ir *ir = r->ir;
  for (size_t i = 0; i < r->module_edges.count; i++)
    VEC_PUSH (ir->edges, r->module_edges.data[i]);
  ir->value_label = MEM_ARRAY (uint32_t, r->values.count);
  for (size_t i = 0; i < r->values.count; i++)
    ir->value_label[i] = (uint32_t) r->values.data[i];
  ir->values = (uint32_t) r->values.count;
  ir_finish (r->b);
}

struct ir *kir_read (struct input *input, struct error *error) {
  struct reader r = { .input = input, .error = error };
  const char *why = NULL;
  bool done = read_all (&r);
  if (r.ir)
    finish (&r);
  if (done && !ir_validate (r.ir, &why))
    done = error_set (error, "%.400s: at the end of the file: %s", input_name (input), why);
  if (!done) {
    ir_free (r.ir);
    r.ir = NULL;
  }
  VEC_FREE (r.ids);
  hash_set_free (&r.id_table);
  VEC_FREE (r.values);
  hash_set_free (&r.value_table);
  VEC_FREE (r.presence_ids);
  VEC_FREE (r.sources);
  VEC_FREE (r.read_keys);
  VEC_FREE (r.module_edges);
  return r.ir;
}
