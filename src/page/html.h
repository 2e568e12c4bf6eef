/* html.h - text in HTML and SVG, data in a script (internal to page).
 *
 * Every text that a case states (names, units, words of messages) passes through gdyn_html_text,
 * or through gdyn_html_data as part of a document: no character of it can end an element, an
 * attribute or a script. */
#ifndef GDYN_PAGE_HTML_H
#define GDYN_PAGE_HTML_H

#include "base/text.h"

/* A text as content or as the value of a quoted attribute. Control characters become U+FFFD. */
void gdyn_html_text(gdyn_text *out, const char *text);
/* <tag attributes>text</tag>; attributes: "" or " class=\"x\"", not escaped. */
void gdyn_html_element(gdyn_text *out, const char *tag, const char *attributes, const char *text);
/* A unit with raised digits, "1/s³" of "1/s^3"; not yet escaped. */
gdyn_words gdyn_html_unit(const char *unit);
/* A JSON document as the content of a script: <, >, &, U+2028 and U+2029 become \uXXXX, which
 * mean the same in its strings, where alone they occur. */
void gdyn_html_data(gdyn_text *out, const char *json, size_t length);

#endif
