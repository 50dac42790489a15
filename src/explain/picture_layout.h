// Where everything goes: sessions are rows, progress goes to the right in columns, edges run in the
// gutters between columns and in the channels between rows, where no box is. All numbers are whole
// pixels, so that the same picture is drawn the same everywhere.

#ifndef KRAIT_EXPLAIN_PICTURE_LAYOUT_H
#define KRAIT_EXPLAIN_PICTURE_LAYOUT_H

#include "explain/picture.h"
#include "formats/text.h"

enum {
  LINE_HEIGHT = 16,
  HEAD_HEIGHT = 24,
  MOST_LINES = 6,    // operations in a box; if there are more, the last line says how many
  MOST_COLUMNS = 34, // of text in a box
  LABEL_HEIGHT = 14,
  LANE_NAME_COLUMNS = 14,
  TXN_NAME_COLUMNS = 20, // without its outcome
};

// The width of so many columns of the fixed-width font, at 12 and at 11 pixels.
static inline int width_of_columns (size_t columns) {
  return (int) (columns * 73 + 9) / 10;
}
static inline int width_of_label (size_t columns) {
  return (int) (columns * 67 + 9) / 10;
}

struct box {
  bool shown;
  uint32_t column, row;
  // operations written into it, without a last line that says how many more there are
  uint32_t lines;
  int x, y, width, height;
};

struct spot {
  int x, y;
};

enum route_kind { ROUTE_NONE, ROUTE_CURVE, ROUTE_LINE };

struct route {
  enum route_kind kind; // ROUTE_NONE: not shown
  struct spot spots[6]; // curve: begin, two control points, end; line: its corners
  unsigned count;
  bool cornered;       // a curve that is drawn as a line
  bool leftwards;      // the last piece; the others end to the right
  struct spot label;   // its middle
  int label_width;     // 0: no label
  uint32_t gutters[2]; // where it leaves and where it arrives
  uint32_t channel;    // of a line
  uint32_t tracks[3];  // in the first gutter, in the channel, in the second gutter
};

struct lane {
  bool shown;
  int top, height; // of the row, without the channel above
};

struct layout {
  const struct picture *picture;
  uint32_t columns, rows;
  struct box *boxes;    // per transaction
  struct route *routes; // per edge
  struct lane *lanes;   // per session
  uint32_t *steps;      // per edge: its number in the cycle, from 1; 0: none
  int margin;           // left of everything, for the names of lanes
  int width, height;
};

struct layout *layout_new (const struct picture *, bool with_surrounding);
void layout_free (struct layout *);

// Fills box->column of what is shown and layout->columns.
void layout_columns (struct layout *);

// What stands beside an edge; nothing for session order that is no step.
void layout_label (const struct layout *, uint32_t edge, struct text *);

#endif
