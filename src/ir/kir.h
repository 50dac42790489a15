// The IR's text form (.kir), for people and for other programs: docs/kir.md.
//
// It holds facts, not conclusions: which transactions there are, who installs which value of which
// key, who reads which value. Candidates and superpositions are worked out again from these, by the
// same code; the file shows them only as comments. Hence a .kir file reads as a small history of
// symbolic keys and values, and every later stage, replay and explanations included, works on it
// unchanged.

#ifndef KRAIT_IR_KIR_H
#define KRAIT_IR_KIR_H

#include "asg/asg.h"
#include "ir/ir.h"
#include "levels/levels.h"
#include "levels/lower.h"

#include <stddef.h>

struct input;
struct output;

// False after setting the error: the history holds what cannot be lowered yet.
bool kir_write (const struct ir *, struct output *, struct error *);

// The IR owns its ASG and the history behind it. NULL after setting the error, with line and
// column.
struct ir *kir_read (struct input *, struct error *);

// Do these first bytes of a file begin a .kir file?
bool kir_probe (const char *head, size_t length);

// The level that the first lines name, or NULL.
const struct level *kir_probe_level (const char *head, size_t length);

// Inside of kir: which edges the level has, between which points: "1 so=0>0 ww=0>0".
enum { KIR_POINTS_SIZE = 128 };
void kir_points (const struct level *, char text[KIR_POINTS_SIZE]);

#endif
