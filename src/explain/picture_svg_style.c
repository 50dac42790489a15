// Colours and rules. The accents are Okabe and Ito's, which people tell apart whatever their eyes
// do with red and green, made darker or lighter until text in them can be read; types of edges
// differ in their dashes, too.

#include "explain/picture_svg.h"

#include "base/output.h"

#include <ctype.h>
#include <stdio.h>

static const struct {
  const char *name, *light, *dark;
} colours[] = {
  { "paper", "#ffffff", "#14181d" },   { "ink", "#1a1d21", "#e8ecf0" },     { "soft", "#535d67", "#a8b3be" },
  { "rule", "#d3d9df", "#343e48" },    { "box", "#f7f9fa", "#202831" },     { "edge", "#6f7a85", "#8d99a5" },
  { "accent0", "#bd4b00", "#ff9d52" }, { "accent1", "#00629b", "#66bdf5" }, { "accent2", "#00735a", "#41d0a3" },
  { "accent3", "#9c3d7a", "#ec9fcb" },
};
enum { COLOUR_COUNT = sizeof colours / sizeof *colours };

// $name is a colour.
static const char *const rules[] = {
  (".picture text { fill: $ink; font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 12px; "
   "white-space: pre; }\n"),
  ".picture .sheet { fill: $paper; }\n",
  ".picture .title { font-size: 16px; font-weight: bold; }\n",
  ".picture .soft { fill: $soft; }\n",
  ".picture .rule { stroke: $rule; stroke-width: 1; fill: none; }\n",
  ".picture .lane { fill: $soft; font-size: 11px; }\n",
  ".picture .box rect { fill: $box; stroke: $edge; stroke-width: 1; }\n",
  ".picture .box .head { font-weight: bold; }\n",
  ".picture .box.bad rect { stroke: $ink; stroke-width: 2; }\n",
  ".picture .box.abort rect, .picture .box.unknown rect { stroke-dasharray: 5 3; }\n",
  ".picture .box.near rect { fill: $paper; stroke: $rule; }\n",
  ".picture .box.near text { fill: $soft; }\n",
  ".picture .wire { fill: none; stroke: $edge; stroke-width: 1.25; }\n",
  ".picture .tip { fill: $edge; stroke: none; }\n",
  ".picture .hit { fill: none; stroke: transparent; stroke-width: 12; pointer-events: stroke; }\n",
  ".picture .label text { font-size: 11px; text-anchor: middle; fill: $soft; }\n",
  ".picture .label rect { fill: $paper; }\n",
  ".picture .cycle .wire { stroke-width: 2.75; }\n",
  ".picture .label.cycle text { font-weight: bold; }\n",
};

static const char *colour_value (size_t length, const char *name, bool dark) {
  for (size_t i = 0; i < COLOUR_COUNT; i++)
    if (strlen (colours[i].name) == length && !memcmp (colours[i].name, name, length))
      return dark ? colours[i].dark : colours[i].light;
  return "red";
}

enum fill { FILL_LIGHT, FILL_DARK, FILL_VARIABLES };

static void write_rule (struct output *out, const char *rule, enum fill fill) {
  for (const char *at = rule; *at;) {
    const size_t plain = strcspn (at, "$");
    output_write (out, at, plain);
    at += plain;
    if (!*at)
      break;
    size_t length = 1;
    while (isalnum ((unsigned char) at[length]))
      length++;
    if (fill == FILL_VARIABLES)
      output_printf (out, "var(--%.*s)", (int) length - 1, at + 1);
    else
      output_text (out, colour_value (length - 1, at + 1, fill == FILL_DARK));
    at += length;
  }
}

static void write_rules (struct output *out, enum fill fill) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    write_rule (out, rules[i], fill);
  char rule[256];
  for (unsigned i = 0; i < 4; i++) {
    snprintf (
      rule, sizeof rule,
      ".picture .c%u .wire { stroke: $accent%u; }\n.picture .c%u .tip, .picture .label.c%u text { fill: $accent%u; }\n",
      i, i, i, i, i);
    write_rule (out, rule, fill);
  }
}

static void write_dashes (struct output *out) {
  for (unsigned i = 0; i < PICTURE_TYPE_COUNT; i++)
    if (*picture_types[i].dashes)
      output_printf (out, ".picture .%s .wire { stroke-dasharray: %s; }\n", picture_types[i].name,
                     picture_types[i].dashes);
  output_printf (out, ".picture .rt .wire { stroke-linecap: round; }\n");
}

void svg_style (struct output *out) {
  write_rules (out, FILL_LIGHT);
  write_dashes (out);
  output_text (out, "@media (prefers-color-scheme: dark) {\n");
  write_rules (out, FILL_DARK);
  output_text (out, "}\n");
}

void svg_style_with_variables (struct output *out) {
  write_rules (out, FILL_VARIABLES);
  write_dashes (out);
}

void svg_variables (struct output *out, bool dark) {
  for (size_t i = 0; i < COLOUR_COUNT; i++)
    output_printf (out, " --%s: %s;", colours[i].name, dark ? colours[i].dark : colours[i].light);
}
