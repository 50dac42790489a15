// The parts of a drawing that the page shares with the drawing that stands alone.

#ifndef KRAIT_EXPLAIN_PICTURE_SVG_H
#define KRAIT_EXPLAIN_PICTURE_SVG_H

#include "explain/picture_layout.h"

// in a page, boxes and edges can be chosen with mouse and keyboard
enum svg_use { SVG_ALONE, SVG_IN_PAGE };

// Rules for what svg_drawing draws: with the colours in it, for light and dark; or with variables,
// which svg_variables sets.
void svg_style (struct output *);
void svg_style_with_variables (struct output *);
void svg_variables (struct output *, bool dark);

// Lanes, edges and boxes, without the svg element around them.
void svg_drawing (const struct layout *, enum svg_use, struct output *);

#endif
