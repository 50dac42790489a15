// Text that is made visible and escaped; layouts in which nothing lies on anything else; drawings
// that hold everything, each time the same.

#include "../unit/greatest_main.h"
#include "base/output.h"
#include "explain/picture_layout.h"
#include "explain/picture_text.h"
#include "tests/pictures/samples.h"

#include <string.h>
#include <time.h>

// -------------------------------------------------------------------------------------------- text

static const char *taken (struct output *out) {
  static char text[4096];
  size_t length;
  const char *bytes = output_memory (out, &length);
  length = length < sizeof text ? length : sizeof text - 1;
  memcpy (text, bytes, length);
  text[length] = 0;
  output_discard (out);
  return text;
}

static const char *as (void (*write) (struct output *, const char *, size_t), const char *string, size_t most) {
  struct output *out = output_open_memory ();
  write (out, string, most);
  return taken (out);
}

TEST hidden_things_become_visible (void) {
  ASSERT_STR_EQ ("a\\nb\\tc\\x07\\x7f", as (picture_xml, "a\nb\tc\a\x7f", 100));
  ASSERT_STR_EQ ("\\xff\\xc0\\xaf\\xed\\xa0\\x80", as (picture_xml, "\xff\xc0\xaf\xed\xa0\x80", 100));
  ASSERT_STR_EQ ("\\u{202e}x\\u{2028}\\u{feff}", as (picture_xml, "\xe2\x80\xaex\xe2\x80\xa8\xef\xbb\xbf", 100));
  ASSERT_STR_EQ ("\xe6\x97\xa5\xf0\x9f\x90\x8d\xc3\xa4", as (picture_xml, "\xe6\x97\xa5\xf0\x9f\x90\x8d\xc3\xa4", 100));
  PASS ();
}

TEST long_things_are_cut (void) {
  ASSERT_STR_EQ ("abcd", as (picture_xml, "abcd", 4));
  ASSERT_STR_EQ ("abc…", as (picture_xml, "abcde", 4));
  ASSERT_STR_EQ ("…", as (picture_xml, "\n\n", 1));                       // an escape is not cut through
  ASSERT_STR_EQ ("a…", as (picture_xml, "a\xe6\x97\xa5\xe6\x97\xa5", 3)); // nor is a wide character
  ASSERT_STR_EQ ("&lt;&lt;…", as (picture_xml, "<<<<", 3));
  PASS ();
}

TEST nothing_breaks_out (void) {
  ASSERT_STR_EQ ("&lt;a b=&quot;&#39;&amp;&quot;&gt;", as (picture_xml, "<a b=\"'&\">", 100));
  ASSERT_STR_EQ ("\"\\u003c/script\\u003e\\u003c!--\\u0026\"", as (picture_json, "</script><!--&", 100));
  ASSERT_STR_EQ ("\"\\\"\\\\x\\nb\\\\u{2028}\"", as (picture_json, "\"\\x\nb\xe2\x80\xa8", 100));
  ASSERT_STR_EQ ("null", as (picture_json, NULL, 100));
  ASSERT_STR_EQ ("\\\"];\\\\", as (picture_dot, "\"];\\", 100));
  ASSERT_STR_EQ ("a\\\\nb", as (picture_dot, "a\nb", 100));
  ASSERT_STR_EQ ("a\nb", as (picture_xml_lines, "a\nb", 100));
  PASS ();
}

SUITE (texts) {
  RUN_TEST (hidden_things_become_visible);
  RUN_TEST (long_things_are_cut);
  RUN_TEST (nothing_breaks_out);
}

// ------------------------------------------------------------------------------------------ layout

static bool overlap (const struct box *a, const struct box *b) {
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static bool is_inside (const struct layout *layout, int x, int y) {
  return x >= 0 && y >= 0 && x <= layout->width && y <= layout->height;
}

// A piece of a line with corners, which is horizontal or vertical, inside of a box rather than at
// its side.
static bool crosses (const struct spot *a, const struct spot *b, const struct box *box) {
  const int left = a->x < b->x ? a->x : b->x, right = a->x < b->x ? b->x : a->x;
  const int top = a->y < b->y ? a->y : b->y, bottom = a->y < b->y ? b->y : a->y;
  return left < box->x + box->width && right > box->x && top < box->y + box->height && bottom > box->y;
}

static enum greatest_test_res boxes_are_apart (const struct layout *layout) {
  const struct picture *p = layout->picture;
  for (uint32_t a = 0; a < p->txns.count; a++) {
    const struct box *box = &layout->boxes[a];
    if (!box->shown)
      continue;
    ASSERT (is_inside (layout, box->x, box->y) && is_inside (layout, box->x + box->width, box->y + box->height));
    for (uint32_t b = 0; b < a; b++)
      ASSERT_FALSE (layout->boxes[b].shown && overlap (box, &layout->boxes[b]));
  }
  PASS ();
}

static enum greatest_test_res sessions_go_right (const struct layout *layout) {
  const struct picture *p = layout->picture;
  for (uint32_t a = 0; a < p->txns.count; a++)
    for (uint32_t b = 0; b < p->txns.count; b++) {
      const struct picture_txn *x = &p->txns.data[a], *y = &p->txns.data[b];
      if (!layout->boxes[a].shown || !layout->boxes[b].shown || a == p->initial || b == p->initial)
        continue;
      if (x->session == y->session && x->position < y->position)
        ASSERT (layout->boxes[a].column < layout->boxes[b].column);
      if (x->session != y->session)
        ASSERT (layout->boxes[a].row != layout->boxes[b].row);
    }
  if (p->initial != PICTURE_NONE)
    for (uint32_t t = 0; t < p->txns.count; t++)
      ASSERT (t == p->initial || !layout->boxes[t].shown || layout->boxes[t].column > layout->boxes[p->initial].column);
  PASS ();
}

static enum greatest_test_res edges_are_drawn (const struct layout *layout) {
  const struct picture *p = layout->picture;
  for (uint32_t i = 0; i < p->edges.count; i++) {
    const struct picture_edge *e = &p->edges.data[i];
    const struct route *route = &layout->routes[i];
    const struct box *from = &layout->boxes[e->from], *to = &layout->boxes[e->to];
    ASSERT_EQ (from->shown && to->shown, route->kind != ROUTE_NONE);
    if (route->kind == ROUTE_NONE)
      continue;
    const struct spot begin = route->spots[0], end = route->spots[route->count - 1];
    ASSERT (begin.x == from->x || begin.x == from->x + from->width);
    ASSERT (begin.y >= from->y && begin.y <= from->y + from->height);
    ASSERT_EQ (route->leftwards ? to->x + to->width : to->x, end.x);
    ASSERT (end.y >= to->y && end.y <= to->y + to->height);
    for (unsigned k = 0; k < route->count; k++)
      ASSERT (is_inside (layout, route->spots[k].x, route->spots[k].y));
  }
  PASS ();
}

// Curves stay in their gutters, between their control points; lines are looked at piece by piece.
// Labels keep clear of boxes, too.
static enum greatest_test_res edges_keep_clear (const struct layout *layout) {
  const struct picture *p = layout->picture;
  for (uint32_t i = 0; i < p->edges.count; i++) {
    const struct route *route = &layout->routes[i];
    if (route->kind == ROUTE_NONE)
      continue;
    const struct box label = { .x = route->label.x - route->label_width / 2,
                               .y = route->label.y - LABEL_HEIGHT / 2,
                               .width = route->label_width,
                               .height = LABEL_HEIGHT };
    for (uint32_t t = 0; t < p->txns.count; t++) {
      const struct box *box = &layout->boxes[t];
      if (!box->shown)
        continue;
      for (unsigned k = 1; k < route->count && (route->kind == ROUTE_LINE || route->cornered); k++)
        ASSERT_FALSE (crosses (&route->spots[k - 1], &route->spots[k], box));
      if (route->label_width && route->kind == ROUTE_CURVE)
        ASSERT_FALSE (overlap (&label, box));
    }
  }
  PASS ();
}

static enum greatest_test_res layout_is_sound (const struct picture *p, bool surrounding) {
  struct layout *layout = layout_new (p, surrounding);
  CHECK_CALL (boxes_are_apart (layout));
  CHECK_CALL (sessions_go_right (layout));
  CHECK_CALL (edges_are_drawn (layout));
  CHECK_CALL (edges_keep_clear (layout));
  layout_free (layout);
  PASS ();
}

TEST random_layouts_are_sound (void) {
  for (uint64_t seed = 0; seed < 400; seed++) {
    struct picture *p = random_picture (seed, 1 + (uint32_t) (seed % 40));
    CHECK_CALL (layout_is_sound (p, false));
    CHECK_CALL (layout_is_sound (p, true));
    picture_free (p);
  }
  PASS ();
}

TEST samples_are_sound (void) {
  static const char *const names[] = { "choice", "hostile", "dense", "scattered" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct picture *p = sample_picture (names[i], 200);
    CHECK_CALL (layout_is_sound (p, false));
    CHECK_CALL (layout_is_sound (p, true));
    picture_free (p);
  }
  PASS ();
}

// Ten times the transactions, at most thirty times the time; the small one takes a millisecond or
// so, hence the minimum.
TEST layouts_do_not_blow_up (void) {
  double seconds[2];
  for (int i = 0; i < 2; i++) {
    struct picture *p = sample_picture ("dense", i ? 4000 : 400);
    const clock_t start = clock ();
    layout_free (layout_new (p, false));
    seconds[i] = (double) (clock () - start) / CLOCKS_PER_SEC;
    picture_free (p);
  }
  ASSERT (seconds[1] < 30 * (seconds[0] > 0.02 ? seconds[0] : 0.02));
  PASS ();
}

SUITE (layouts) {
  RUN_TEST (random_layouts_are_sound);
  RUN_TEST (samples_are_sound);
  RUN_TEST (layouts_do_not_blow_up);
}

// ---------------------------------------------------------------------------------------- drawings

typedef void writer (const struct picture *, struct output *);

static char *written (writer *write, const struct picture *p) {
  struct output *out = output_open_memory ();
  size_t length;
  write (p, out);
  const char *bytes = output_memory (out, &length);
  char *text = mem_alloc (length + 1);
  memcpy (text, bytes, length);
  text[length] = 0;
  output_discard (out);
  return text;
}

static unsigned count_of (const char *text, const char *what) {
  unsigned count = 0;
  for (const char *at = text; (at = strstr (at, what)); at += strlen (what))
    count++;
  return count;
}

TEST the_same_picture_gives_the_same_bytes (void) {
  writer *const writers[] = { picture_write_dot, picture_write_svg, picture_write_html };
  for (unsigned i = 0; i < 3; i++)
    for (uint64_t seed = 0; seed < 20; seed++) {
      struct picture *a = random_picture (seed, 20), *b = random_picture (seed, 20);
      char *first = written (writers[i], a), *second = written (writers[i], b);
      ASSERT_STR_EQ (first, second);
      mem_free (first);
      mem_free (second);
      picture_free (a);
      picture_free (b);
    }
  PASS ();
}

TEST everything_is_in_the_drawing (void) {
  struct picture *p = sample_picture ("choice", 0);
  char *svg = written (picture_write_svg, p), *html = written (picture_write_html, p),
       *dot = written (picture_write_dot, p);
  ASSERT_EQ (5, count_of (svg, " data-txn=\"")); // of the core; all seven in the page's second drawing
  ASSERT_EQ (5 + 7, count_of (html, " data-txn=\""));
  ASSERT_EQ (8, count_of (svg, "<g class=\"arrow "));
  ASSERT_EQ (8 + 11, count_of (html, "<g class=\"arrow "));
  ASSERT_EQ (11, count_of (dot, " -> t"));
  ASSERT (strstr (svg, "A: if T3 wrote x before T5") && strstr (svg, "B: if T5 wrote x before T3"));
  ASSERT (strstr (dot, "scan a z -> y=1"));
  mem_free (svg);
  mem_free (html);
  mem_free (dot);
  picture_free (p);
  PASS ();
}

TEST hostile_names_stay_text (void) {
  struct picture *p = sample_picture ("hostile", 0);
  char *svg = written (picture_write_svg, p), *html = written (picture_write_html, p),
       *dot = written (picture_write_dot, p);
  ASSERT_FALSE (strstr (svg, "<script") || strstr (svg, "<img") || strstr (svg, "<!--"));
  ASSERT_FALSE (strstr (html, "<img") || strstr (html, "<!--"));
  ASSERT_EQ (2, count_of (html, "<script"));
  ASSERT_EQ (2, count_of (html, "</script"));
  for (const char *at = html; *at; at++)
    ASSERT (*at == '\n' || (unsigned char) *at >= 0x20);
  ASSERT_FALSE (strstr (html, "\xe2\x80\xae") || strstr (html, "\xe2\x80\xa8") || strstr (html, "\xff"));
  ASSERT_FALSE (strstr (svg, "\xe2\x80\xae") || strstr (dot, "\xff"));
  ASSERT (strlen (svg) < 200000);
  mem_free (svg);
  mem_free (html);
  mem_free (dot);
  picture_free (p);
  PASS ();
}

SUITE (drawings) {
  RUN_TEST (the_same_picture_gives_the_same_bytes);
  RUN_TEST (everything_is_in_the_drawing);
  RUN_TEST (hostile_names_stay_text);
}

KRAIT_UNIT_MAIN (RUN_SUITE (texts); RUN_SUITE (layouts); RUN_SUITE (drawings);)
