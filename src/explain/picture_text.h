// Any bytes as text that can be looked at, and as parts of XML, JSON and DOT.
//
// A picture is drawn from what clients wrote into a database. Control characters, characters that
// turn the direction of text, invisible ones and bytes that are not UTF-8 become visible escapes
// before anything else happens; so a writer sees only printable UTF-8, and, where they are kept,
// ends of lines.

#ifndef KRAIT_EXPLAIN_PICTURE_TEXT_H
#define KRAIT_EXPLAIN_PICTURE_TEXT_H

#include "formats/text.h"

struct output;

// columns of text that is shown in full; beyond it is cut even then
enum { PICTURE_WHOLE = 1 << 14 };

// Appends at most `most` columns, the last one an ellipsis if something was cut; a wide character
// takes two.
enum line_ends { LINES_JOINED, LINES_KEPT };
void picture_show (struct text *, const char *bytes, size_t length, size_t most, enum line_ends);

// The same for a key, of which the middle is left out: keys often differ at the end only.
void picture_show_key (struct text *, const char *key, size_t most);

// Columns of text that picture_show made.
size_t picture_columns (const struct text *);

// The text so shown, escaped for XML text and attributes; inside of a JSON string in a script
// element; inside of a DOT string.
void picture_xml (struct output *, const char *string, size_t most);
void picture_xml_lines (struct output *, const char *string, size_t most);
void picture_json (struct output *, const char *string, size_t most); // with quotes; NULL: null
void picture_dot (struct output *, const char *string, size_t most);

#endif
