// The IR's text form (.kir), for people and for other programs: docs/kir.md.
//
// It says what the IR says and nothing else, so that a file is decided as it stands. Keys and
// values are symbols.

#ifndef KRAIT_IR_KIR_H
#define KRAIT_IR_KIR_H

#include "ir/ir.h"

struct condition;
struct input;
struct output;

// What keys and values are called in the history, for comments. May be NULL, and so may the
// functions.
struct kir_names {
  void *context;
  void (*key) (void *context, struct output *, uint32_t key);
  void (*value) (void *context, struct output *, uint32_t value);
};

void kir_write (const struct ir *, const struct kir_names *, struct output *);

// Every point, known edge, superposition and implication by itself (ir/walk.h), instead of groups
// and rules.
void kir_expand (const struct ir *, struct output *);
// The lines of statements with these numbers, ascending, with the number before each; and the word
// for a condition.
void kir_expand_some (const struct ir *, const uint32_t *numbers, size_t count, struct output *);
void kir_put_condition (const struct ir *, const struct condition *, struct output *);

// NULL after setting the error, with line and column.
struct ir *kir_read (struct input *, struct error *);

// Do these first bytes of a file begin a .kir file?
bool kir_probe (const char *head, size_t length);

// The label of the level in the first lines; false: there is none.
enum { KIR_LABEL_SIZE = 64 };
bool kir_probe_label (const char *head, size_t length, char label[KIR_LABEL_SIZE]);

// How much of a text is a label: lower-case letters, digits and hyphens.
size_t kir_label_length (const char *text, size_t length);
// What words for people may hold: anything but control characters.
bool kir_is_text (char byte);

// Words of the text, as the reader and the writer share them.
extern const char *const kir_anti[3];      // by enum anti
extern const char *const kir_views[3];     // by enum view
extern const char *const kir_presences[4]; // by enum presence_kind

#endif
