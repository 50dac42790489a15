// Sizes, rows and positions of boxes, and the ways of edges between them.
//
// Between two columns is a gutter, above each row a channel, and below the last one, too. An edge
// between neighbouring columns, or within one, is a curve in the gutter between them. Any other
// runs as a line from its box into the gutter beside it, from there into a channel next to the row
// it goes to, and through the gutter before that box. In gutters and channels lines have tracks of
// their own, given out as for intervals: the first that is free. So no edge crosses a box, and the
// work grows with the number of edges and the tracks in use, not with the number of pairs.

#include "explain/picture_layout.h"

#include "base/sort.h"
#include "explain/picture_text.h"
#include "explain/words.h"

enum {
  TOP = 8,
  ROW_PADDING = 12,
  TRACK_HEIGHT = 20, // of channels; a label has to fit
  TRACK_WIDTH = 9,   // of gutters
  PORT_DISTANCE = 13,
  KEY_COLUMNS = 12, // of a label
  INITIAL_WIDTH = 64,
};

// What runs in a gutter has tracks of its own kind: lines between gutter and channel; bows at its
// left, within the column before it; bows at its right; curves across it, whose left end is the
// upper one, and those whose left end is the lower one.
enum gutter_kind { LINES, BOWS_LEFT, BOWS_RIGHT, FALLING, RISING, GUTTER_KINDS };

struct gutter {
  int x, width;
  uint32_t tracks[GUTTER_KINDS]; // in use
  int label_width;
  bool used;
};

struct channel {
  uint32_t tracks;
  int y;
};

struct drawing {
  struct layout *layout;
  const struct picture *picture;
  uint32_t edges, txns; // of the picture
  struct box *boxes;    // of the layout
  struct route *routes;
  struct gutter *gutters;   // columns + 1; the first is left of all
  struct channel *channels; // rows + 1
  int *column_width;
  struct lane **row_lanes;
  uint32_t *next_in_row;     // per transaction: the box to its right, or PICTURE_NONE
  uint32_t (*port_count)[2]; // per transaction: left, right
  int (*port_y)[2];          // per edge: where it leaves, where it arrives
};

// ------------------------------------------------------------------------------------------- texts

static void add_step_name (const struct layout *layout, uint32_t edge, struct text *text) {
  const struct picture_edge *e = &layout->picture->edges.data[edge];
  if (!layout->steps[edge])
    return;
  if (layout->picture->branches.count > 1 && e->branch < 26)
    text_char (text, (char) ('A' + e->branch));
  else if (layout->picture->branches.count > 1)
    words_add (text, "%u/", e->branch + 1);
  words_add (text, "%u. ", layout->steps[edge]);
}

void layout_label (const struct layout *layout, uint32_t edge, struct text *text) {
  const struct picture_edge *e = &layout->picture->edges.data[edge];
  if (!e->on_cycle && e->type == PICTURE_SO)
    return;
  add_step_name (layout, edge, text);
  words_add (text, "%s%s", picture_types[e->type].name, e->key ? " " : "");
  if (e->key)
    picture_show_key (text, e->key, KEY_COLUMNS);
}

static void number_steps (struct layout *layout) {
  const struct picture *p = layout->picture;
  uint32_t *count = MEM_ZARRAY (uint32_t, p->branches.count + 1);
  for (size_t i = 0; i < p->edges.count; i++)
    if (p->edges.data[i].on_cycle && p->edges.data[i].branch < p->branches.count)
      layout->steps[i] = ++count[p->edges.data[i].branch];
  mem_free (count);
}

// ------------------------------------------------------------------------------------------- sizes

static bool is_initial (const struct drawing *d, uint32_t txn) {
  return txn == d->picture->initial;
}

static void widen (int *width, int wanted) {
  if (*width < wanted)
    *width = wanted;
}

// Of a text with another one behind it.
static int text_width (const char *string, size_t most, const char *behind) {
  struct text text = { 0 };
  picture_show (&text, string, strlen (string), most, LINES_JOINED);
  const int width = width_of_columns (picture_columns (&text) + strlen (behind));
  VEC_FREE (text);
  return width;
}

static void size_box (struct drawing *d, uint32_t txn) {
  const struct picture_txn *t = &d->picture->txns.data[txn];
  struct box *box = &d->boxes[txn];
  int width = text_width (t->label, TXN_NAME_COLUMNS, picture_outcomes[t->status]) + 4; // it is bold
  box->lines = (uint32_t) (t->ops.count > MOST_LINES ? MOST_LINES - 1 : t->ops.count);
  for (uint32_t i = 0; i < box->lines; i++)
    widen (&width, text_width (t->ops.data[i], MOST_COLUMNS, ""));
  const uint32_t drawn = box->lines + (box->lines < t->ops.count);
  box->height = HEAD_HEIGHT + (drawn ? (int) drawn * LINE_HEIGHT + 8 : 4);
  for (int side = 0; side < 2; side++)
    widen (&box->height, (int) (d->port_count[txn][side] + 1) * PORT_DISTANCE);
  widen (&d->column_width[box->column], is_initial (d, txn) ? INITIAL_WIDTH : width + 20 < 84 ? 84 : width + 20);
}

// -------------------------------------------------------------------------------------------- ways

// The channel above or below the row that the edge goes to, on the side it comes from. The initial
// state stands in all rows: there, the other end decides.
static uint32_t channel_of (const struct drawing *d, const struct picture_edge *edge) {
  const struct box *boxes = d->boxes;
  const uint32_t to = boxes[is_initial (d, edge->to) ? edge->from : edge->to].row;
  const uint32_t from = boxes[is_initial (d, edge->from) ? edge->to : edge->from].row;
  return from > to ? to + 1 : to;
}

// Nothing stands between the two.
static bool are_neighbours (const struct drawing *d, const struct picture_edge *edge) {
  const uint32_t a = d->boxes[edge->from].column, b = d->boxes[edge->to].column;
  return (a <= b + 1 && b <= a + 1) || d->next_in_row[edge->from] == edge->to || d->next_in_row[edge->to] == edge->from;
}

static void choose_way (struct drawing *d, uint32_t index) {
  const struct picture_edge *edge = &d->picture->edges.data[index];
  const struct box *from = &d->boxes[edge->from], *to = &d->boxes[edge->to];
  struct route *route = &d->routes[index];
  if (!from->shown || !to->shown)
    return;
  const uint32_t a = from->column, b = to->column;
  const bool bow_right = a == b && from->row < to->row;
  route->kind = are_neighbours (d, edge) ? ROUTE_CURVE : ROUTE_LINE;
  route->gutters[0] = a < b || bow_right ? a + 1 : a;
  route->gutters[1] = a < b || (a == b && !bow_right) ? b : b + 1;
  route->leftwards = route->gutters[1] == b + 1;
  route->channel = route->kind == ROUTE_LINE ? channel_of (d, edge) : 0;
  d->port_count[edge->from][route->gutters[0] == a + 1]++;
  d->port_count[edge->to][route->leftwards]++;
  struct text label = { 0 };
  layout_label (d->layout, index, &label);
  route->label_width = label.count ? width_of_label (picture_columns (&label)) + 4 : 0;
  VEC_FREE (label);
  for (unsigned i = 0; i < 2; i++) {
    d->gutters[route->gutters[i]].used = true;
    if (route->kind == ROUTE_CURVE)
      widen (&d->gutters[route->gutters[i]].label_width, route->label_width);
  }
}

// ------------------------------------------------------------------------------------------ tracks

// An interval of a gutter or channel that wants a track.
struct interval {
  int place; // gutter or channel
  int low, high;
  int edge, which;
};
typedef VEC (struct interval) intervals;

// For structs of five numbers, those that count most first.
static int by_five (const void *a, const void *b) {
  const int *x = a, *y = b;
  int i = 0;
  while (i < 4 && x[i] == y[i])
    i++;
  return COMPARE (x[i], y[i]);
}

// The first track whose last interval has ended; returns how many tracks the place of interval
// `from` uses, and moves `from` on to the next place.
static uint32_t give_tracks (struct layout *layout, const intervals *all, size_t *from) {
  VEC (int) ends = VEC_EMPTY;
  const int place = all->data[*from].place;
  for (; *from < all->count && all->data[*from].place == place; ++*from) {
    const struct interval *interval = &all->data[*from];
    uint32_t track = 0;
    while (track < ends.count && ends.data[track] >= interval->low)
      track++;
    if (track == ends.count)
      VEC_PUSH (ends, 0);
    ends.data[track] = interval->high;
    layout->routes[interval->edge].tracks[interval->which] = track;
  }
  const uint32_t used = (uint32_t) ends.count;
  VEC_FREE (ends);
  return used;
}

static struct interval interval_between (uint32_t place, int a, int b, uint32_t edge, int which) {
  return (struct interval){ (int) place, a < b ? a : b, a < b ? b : a, (int) edge, which };
}

static void fill_channels (struct drawing *d) {
  intervals all = VEC_EMPTY;
  for (uint32_t i = 0; i < d->edges; i++) {
    const struct route *route = &d->routes[i];
    if (route->kind == ROUTE_LINE)
      VEC_PUSH (all, interval_between (route->channel, (int) route->gutters[0], (int) route->gutters[1], i, 1));
  }
  VEC_SORT (all, by_five);
  for (size_t i = 0; i < all.count;) {
    struct channel *channel = &d->channels[all.data[i].place];
    channel->tracks = give_tracks (d->layout, &all, &i);
  }
  VEC_FREE (all);
}

// -------------------------------------------------------------------------------------------- rows

static int track_y (const struct drawing *d, const struct route *route) {
  return d->channels[route->channel].y + (int) route->tracks[1] * TRACK_HEIGHT + TRACK_HEIGHT / 2;
}

static void place_rows (struct drawing *d) {
  struct layout *layout = d->layout;
  for (uint32_t t = 0; t < d->txns; t++) {
    const struct box *box = &layout->boxes[t];
    if (box->shown && !is_initial (d, t))
      widen (&d->row_lanes[box->row]->height, box->height + 2 * ROW_PADDING);
  }
  int y = TOP;
  for (uint32_t row = 0; row <= layout->rows; row++) {
    d->channels[row].y = y;
    y += (int) d->channels[row].tracks * TRACK_HEIGHT;
    if (row == layout->rows)
      break;
    d->row_lanes[row]->top = y;
    y += d->row_lanes[row]->height;
  }
  layout->height = y + TOP;
  for (uint32_t t = 0; t < d->txns; t++) {
    struct box *box = &layout->boxes[t];
    if (!box->shown)
      continue;
    const struct lane *lane = is_initial (d, t) ? NULL : d->row_lanes[box->row];
    box->height = lane ? box->height : y - TOP;
    box->y = lane ? lane->top + (lane->height - box->height) / 2 : TOP;
  }
}

// ------------------------------------------------------------------------------------------- ports

// An end of an edge at a side of a box, and how high the edge comes from.
struct port {
  int txn, side;
  int y;
  int edge, end;
};

static int middle (const struct box *box) {
  return box->y + box->height / 2;
}

typedef VEC (struct port) port_vec;

static bool is_same_side (const struct port *a, const struct port *b) {
  return a->txn == b->txn && a->side == b->side;
}

static void list_ports (const struct drawing *d, port_vec *ports) {
  for (uint32_t i = 0; i < d->edges; i++) {
    const struct picture_edge *edge = &d->picture->edges.data[i];
    const struct route *route = &d->routes[i];
    const uint32_t ends[] = { edge->from, edge->to };
    for (uint32_t end = 0; end < 2 && route->kind != ROUTE_NONE; end++) {
      const struct box *box = &d->boxes[ends[end]], *other = &d->boxes[ends[!end]];
      const int y = route->kind == ROUTE_LINE ? track_y (d, route) : middle (other);
      if (!is_initial (d, ends[end]))
        VEC_PUSH (*ports,
                  (struct port){ (int) ends[end], route->gutters[end] == box->column + 1, y, (int) i, (int) end });
    }
  }
  VEC_SORT (*ports, by_five);
}

static bool is_in_one_row (const struct drawing *d, const struct port *port) {
  const struct picture_edge *edge = &d->picture->edges.data[port->edge];
  return d->routes[port->edge].kind == ROUTE_CURVE && !is_initial (d, edge->from) && !is_initial (d, edge->to)
         && d->boxes[edge->from].row == d->boxes[edge->to].row;
}

// Ports of one side. All boxes of a row have the same middle: an edge between neighbours of the row
// goes there, and is straight; the others are spread above and below, or over the whole side if
// there is no such edge.
static void place_side (struct drawing *d, const struct port *ports, int count) {
  const struct box *box = &d->boxes[ports->txn];
  int straight = 0;
  while (straight < count && !is_in_one_row (d, &ports[straight]))
    straight++;
  for (int i = 0; i < count; i++) {
    int y;
    if (straight == count)
      y = box->y + (i + 1) * box->height / (count + 1);
    else if (i <= straight)
      y = box->y + (i + 1) * (box->height / 2) / (straight + 1);
    else
      y = middle (box) + (i - straight) * (box->height / 2) / (count - straight);
    d->port_y[ports[i].edge][ports[i].end] = y;
  }
}

static void place_ports (struct drawing *d) {
  port_vec ports = VEC_EMPTY;
  list_ports (d, &ports);
  for (size_t first = 0, end; first < ports.count; first = end) {
    for (end = first; end < ports.count && is_same_side (&ports.data[first], &ports.data[end]); end++)
      ;
    place_side (d, &ports.data[first], (int) (end - first));
  }
  VEC_FREE (ports);
}

// The initial state is as high as the picture: an edge leaves it where it runs anyway.
static void place_initial_ports (struct drawing *d) {
  for (uint32_t i = 0; i < d->edges; i++) {
    const struct picture_edge *edge = &d->picture->edges.data[i];
    const struct route *route = &d->routes[i];
    const unsigned end = is_initial (d, edge->to);
    if (route->kind != ROUTE_NONE && (is_initial (d, edge->from) || end))
      d->port_y[i][end] = route->kind == ROUTE_LINE ? track_y (d, route) : d->port_y[i][!end];
  }
}

// ----------------------------------------------------------------------------------------- gutters

static bool is_bow (const struct drawing *d, uint32_t edge) {
  const struct picture_edge *e = &d->picture->edges.data[edge];
  return d->routes[edge].kind == ROUTE_CURVE && d->boxes[e->from].column == d->boxes[e->to].column;
}

static enum gutter_kind kind_of_curve (const struct drawing *d, uint32_t edge) {
  const struct route *route = &d->routes[edge];
  if (is_bow (d, edge))
    return route->leftwards ? BOWS_LEFT : BOWS_RIGHT;
  const bool begins_left = !route->leftwards;
  return (d->port_y[edge][0] < d->port_y[edge][1]) == begins_left ? FALLING : RISING;
}

static void fill_gutters (struct drawing *d) {
  intervals all = VEC_EMPTY;
  for (uint32_t i = 0; i < d->edges; i++) {
    const struct route *route = &d->routes[i];
    const int *y = d->port_y[i];
    if (route->kind == ROUTE_LINE) {
      VEC_PUSH (all, interval_between (GUTTER_KINDS * route->gutters[0] + LINES, y[0], track_y (d, route), i, 0));
      VEC_PUSH (all, interval_between (GUTTER_KINDS * route->gutters[1] + LINES, track_y (d, route), y[1], i, 2));
    } else if (route->kind == ROUTE_CURVE && y[0] != y[1])
      VEC_PUSH (all, interval_between (GUTTER_KINDS * route->gutters[0] + kind_of_curve (d, i), y[0], y[1], i, 0));
  }
  VEC_SORT (all, by_five);
  for (size_t i = 0; i < all.count;) {
    const int place = all.data[i].place;
    d->gutters[place / GUTTER_KINDS].tracks[place % GUTTER_KINDS] = give_tracks (d->layout, &all, &i);
  }
  VEC_FREE (all);
}

static uint32_t curves_of (const struct gutter *gutter) {
  return gutter->tracks[FALLING] + gutter->tracks[RISING];
}

// How far curves are kept apart.
static int curve_distance (const struct gutter *gutter) {
  if (curves_of (gutter) <= 4)
    return gutter->label_width > 36 ? gutter->label_width / 2 + 10 : 28; // a label leaves the next curve alone
  return curves_of (gutter) <= 10 ? 16 : TRACK_WIDTH;
}

// Lines have the left part of a gutter, curves what is left of it.
static int line_part (const struct gutter *gutter) {
  return gutter->tracks[LINES] ? 20 + (int) gutter->tracks[LINES] * TRACK_WIDTH : 0;
}

static int bow_depth (uint32_t track) {
  return 30 + (int) track * TRACK_WIDTH;
}

static void place_columns (struct drawing *d) {
  struct layout *layout = d->layout;
  int x = layout->margin;
  for (uint32_t i = 0; i <= layout->columns; i++) {
    struct gutter *gutter = &d->gutters[i];
    const bool inside = i && i < layout->columns;
    gutter->x = x;
    gutter->width = inside ? 48 : 16;
    if (gutter->used) {
      int bows = 16;
      for (unsigned kind = BOWS_LEFT; kind <= BOWS_RIGHT; kind++)
        bows += gutter->tracks[kind] ? bow_depth (gutter->tracks[kind]) + 8 : 0;
      int curves = (int) curves_of (gutter) * curve_distance (gutter);
      widen (&curves, gutter->label_width + (gutter->tracks[BOWS_LEFT] && gutter->tracks[BOWS_RIGHT] ? 24 : 0));
      widen (&gutter->width, bows);
      widen (&gutter->width, 40 + line_part (gutter) + curves);
    }
    x += gutter->width;
    if (i == layout->columns)
      break;
    x += d->column_width[i];
  }
  layout->width = x + 8;
  for (uint32_t t = 0; t < d->txns; t++) {
    struct box *box = &layout->boxes[t];
    if (!box->shown)
      continue;
    box->x = d->gutters[box->column].x + d->gutters[box->column].width;
    box->width = d->column_width[box->column];
  }
}

// ------------------------------------------------------------------------------------------ routes

static int side_x (const struct box *box, bool right) {
  return right ? box->x + box->width : box->x;
}

// Where a curve across a gutter goes up or down. Of two that fall, the one that begins higher does
// so further to the right, and they do not cross; of two that rise, the one that ends higher does
// so further to the left.
static int curve_x (const struct drawing *d, uint32_t edge) {
  const struct gutter *gutter = &d->gutters[d->routes[edge].gutters[0]];
  const uint32_t track = d->routes[edge].tracks[0], count = curves_of (gutter);
  const uint32_t from_left = kind_of_curve (d, edge) == FALLING ? count - 1 - track : track;
  const int middle_of_part = gutter->x + (line_part (gutter) + gutter->width) / 2;
  return middle_of_part + (2 * (int) from_left - (int) count + 1) * curve_distance (gutter) / 2;
}

// A bow is a cubic curve, which reaches three quarters of the way to its control points. So is the
// only curve across a gutter; among several, corners are easier to follow.
static void draw_curve (struct drawing *d, uint32_t index, struct spot begin, struct spot end) {
  struct route *route = &d->routes[index];
  const struct gutter *gutter = &d->gutters[route->gutters[0]];
  int x = gutter->x + gutter->width / 2;
  if (is_bow (d, index)) {
    const int depth = bow_depth (route->tracks[0]) * 4 / 3;
    x = route->leftwards ? begin.x + depth : begin.x - depth;
  } else if (begin.y != end.y)
    x = curve_x (d, index);
  const struct spot spots[] = { begin, { x, begin.y }, { x, end.y }, end };
  memcpy (route->spots, spots, sizeof spots);
  route->count = 4;
  route->cornered =
    !is_bow (d, index) && (curves_of (gutter) > 1 || gutter->tracks[LINES] || route->gutters[0] != route->gutters[1]);
}

static int line_x (const struct drawing *d, uint32_t gutter, uint32_t track) {
  return d->gutters[gutter].x + 20 + (int) track * TRACK_WIDTH;
}

static void draw_line (struct drawing *d, uint32_t index, struct spot begin, struct spot end) {
  struct route *route = &d->routes[index];
  const int y = track_y (d, route);
  const int out = line_x (d, route->gutters[0], route->tracks[0]), in = line_x (d, route->gutters[1], route->tracks[2]);
  const struct spot spots[] = { begin, { out, begin.y }, { out, y }, { in, y }, { in, end.y }, end };
  memcpy (route->spots, spots, sizeof spots);
  route->count = 6;
  route->label = (struct spot){ (out + in) / 2, y };
}

static void draw_routes (struct drawing *d) {
  for (uint32_t i = 0; i < d->edges; i++) {
    const struct picture_edge *edge = &d->picture->edges.data[i];
    const struct route *route = &d->routes[i];
    if (route->kind == ROUTE_NONE)
      continue;
    const struct box *from = &d->boxes[edge->from], *to = &d->boxes[edge->to];
    const struct spot begin = { side_x (from, route->gutters[0] == from->column + 1), d->port_y[i][0] };
    const struct spot end = { side_x (to, route->leftwards), d->port_y[i][1] };
    if (route->kind == ROUTE_CURVE)
      draw_curve (d, i, begin, end);
    else
      draw_line (d, i, begin, end);
  }
}

// ------------------------------------------------------------------------------------------ labels

struct placed {
  struct spot middle;
  int width;
};
typedef VEC (struct placed) placed_labels;

// A point of a curve, at `t` hundredths of the way; of one with corners, of the part that goes up
// or down.
static struct spot point_of (const struct route *route, int64_t t) {
  const int64_t u = 100 - t;
  if (route->cornered)
    return (struct spot){ route->spots[1].x, (int) ((u * route->spots[1].y + t * route->spots[2].y) / 100) };
  const int64_t weights[] = { u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t };
  int64_t x = 0, y = 0;
  for (unsigned i = 0; i < 4; i++) {
    x += weights[i] * route->spots[i].x;
    y += weights[i] * route->spots[i].y;
  }
  return (struct spot){ (int) (x / 1000000), (int) (y / 1000000) };
}

static bool collides (const placed_labels *labels, struct spot at, int width) {
  for (size_t i = 0; i < labels->count; i++) {
    const struct placed *other = &labels->data[i];
    if (abs (other->middle.y - at.y) < LABEL_HEIGHT && 2 * abs (other->middle.x - at.x) < width + other->width)
      return true;
  }
  return false;
}

static bool is_in_channel (const struct drawing *d, int y) {
  for (uint32_t i = 0; i <= d->layout->rows; i++) {
    const struct channel *channel = &d->channels[i];
    if (channel->tracks && y > channel->y - LABEL_HEIGHT / 2
        && y < channel->y + (int) channel->tracks * TRACK_HEIGHT + LABEL_HEIGHT / 2)
      return true;
  }
  return false;
}

static void place_curve_label (struct drawing *d, struct route *route, placed_labels *there) {
  static const int hundredths[] = { 50, 42, 58, 35, 65, 28, 72, 20, 80, 12, 88 };
  const struct gutter *gutter = &d->gutters[route->gutters[0]];
  const int low = gutter->x + route->label_width / 2 + 4, high = gutter->x + gutter->width - route->label_width / 2 - 4;
  for (size_t i = 0; i < sizeof hundredths / sizeof *hundredths; i++) {
    struct spot at = point_of (route, hundredths[i]);
    at.x = at.x < low ? low : at.x > high ? high : at.x;
    if (i == 0)
      route->label = at; // if nothing is free
    if (collides (there, at, route->label_width) || is_in_channel (d, at.y))
      continue;
    route->label = at;
    break;
  }
  VEC_PUSH (*there, (struct placed){ route->label, route->label_width });
}

// Steps first: they are what one looks for.
static void place_labels (struct drawing *d) {
  placed_labels *there = MEM_ZARRAY (placed_labels, d->layout->columns + 1);
  for (int steps = 1; steps >= 0; steps--)
    for (uint32_t i = 0; i < d->edges; i++) {
      struct route *route = &d->routes[i];
      if (route->kind == ROUTE_CURVE && route->label_width && d->picture->edges.data[i].on_cycle == steps)
        place_curve_label (d, route, &there[route->gutters[0]]);
    }
  for (uint32_t i = 0; i <= d->layout->columns; i++)
    VEC_FREE (there[i]);
  mem_free (there);
}

// --------------------------------------------------------------------------------------------- all

static void show_boxes (struct layout *layout, bool with_surrounding) {
  const struct picture *p = layout->picture;
  for (uint32_t t = 0; t < p->txns.count; t++)
    layout->boxes[t].shown = with_surrounding || !p->txns.data[t].surrounding;
  for (uint32_t t = 0; t < p->txns.count; t++)
    if (layout->boxes[t].shown && t != p->initial)
      layout->lanes[p->txns.data[t].session].shown = true;
}

static void number_rows (struct drawing *d) {
  struct layout *layout = d->layout;
  uint32_t *row_of = MEM_ZARRAY (uint32_t, d->picture->sessions.count + 1);
  d->row_lanes = MEM_ARRAY (struct lane *, d->picture->sessions.count + 1);
  for (uint32_t s = 0; s < d->picture->sessions.count; s++)
    if (layout->lanes[s].shown) {
      row_of[s] = layout->rows;
      d->row_lanes[layout->rows++] = &layout->lanes[s];
      widen (&layout->margin, text_width (d->picture->sessions.data[s], LANE_NAME_COLUMNS, "") + 24);
    }
  for (uint32_t t = 0; t < d->txns; t++)
    if (!is_initial (d, t))
      layout->boxes[t].row = row_of[d->picture->txns.data[t].session];
  mem_free (row_of);
  widen (&layout->margin, width_of_columns (7) + 24); // "session"
}

// Boxes of each row from left to right.
static void link_rows (struct drawing *d) {
  const struct picture *p = d->picture;
  intervals boxes = VEC_EMPTY;
  d->next_in_row = MEM_ARRAY (uint32_t, p->txns.count + 1);
  for (uint32_t t = 0; t < p->txns.count; t++) {
    const struct box *box = &d->boxes[t];
    d->next_in_row[t] = PICTURE_NONE;
    if (box->shown && !is_initial (d, t))
      VEC_PUSH (boxes, (struct interval){ .place = (int) box->row, .low = (int) box->column, .edge = (int) t });
  }
  VEC_SORT (boxes, by_five);
  for (size_t i = 1; i < boxes.count; i++)
    if (boxes.data[i].place == boxes.data[i - 1].place)
      d->next_in_row[boxes.data[i - 1].edge] = (uint32_t) boxes.data[i].edge;
  VEC_FREE (boxes);
}

static void draw (struct drawing *d) {
  const struct picture *p = d->picture;
  link_rows (d);
  for (uint32_t i = 0; i < p->edges.count; i++)
    choose_way (d, i);
  for (uint32_t t = 0; t < p->txns.count; t++)
    if (d->boxes[t].shown)
      size_box (d, t);
  fill_channels (d);
  place_rows (d);
  place_ports (d);
  place_initial_ports (d);
  fill_gutters (d);
  place_columns (d);
  draw_routes (d);
  place_labels (d);
}

struct layout *layout_new (const struct picture *p, bool with_surrounding) {
  struct layout *layout = mem_zalloc (sizeof *layout);
  layout->picture = p;
  layout->boxes = MEM_ZARRAY (struct box, p->txns.count + 1);
  layout->routes = MEM_ZARRAY (struct route, p->edges.count + 1);
  layout->lanes = MEM_ZARRAY (struct lane, p->sessions.count + 1);
  layout->steps = MEM_ZARRAY (uint32_t, p->edges.count + 1);
  struct drawing d = { .layout = layout,
                       .picture = p,
                       .edges = (uint32_t) p->edges.count,
                       .txns = (uint32_t) p->txns.count,
                       .boxes = layout->boxes,
                       .routes = layout->routes };
  show_boxes (layout, with_surrounding);
  number_steps (layout);
  layout_columns (layout);
  number_rows (&d);
  d.gutters = MEM_ZARRAY (struct gutter, layout->columns + 1);
  d.channels = MEM_ZARRAY (struct channel, layout->rows + 1);
  d.column_width = MEM_ZARRAY (int, layout->columns + 1);
  d.port_count = mem_zalloc (mem_bytes (p->txns.count + 1, sizeof *d.port_count));
  d.port_y = mem_zalloc (mem_bytes (p->edges.count + 1, sizeof *d.port_y));
  draw (&d);
  MEM_FREE_ALL (d.gutters, d.channels, d.column_width, d.row_lanes, d.next_in_row, d.port_count, d.port_y);
  return layout;
}

void layout_free (struct layout *layout) {
  MEM_FREE_ALL (layout->boxes, layout->routes, layout->lanes, layout->steps, layout);
}
