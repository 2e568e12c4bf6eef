/* xml.h - a file of XML as a tree of elements that know their place (expat). Text between
 * elements is left out: the formats that are read here have none. */
#ifndef GDYN_IMPORT_XML_H
#define GDYN_IMPORT_XML_H

#include "base/diag.h"
#include "base/document.h"
#include "base/memory.h"
#include "base/status.h"

enum {
    GDYN_XML_BYTES = 64 << 20,  /* of a file */
    GDYN_XML_DEPTH = 200,       /* of nested elements */
    GDYN_XML_ELEMENTS = 200000, /* of a file */
    GDYN_XML_ATTRIBUTES = 256   /* of an element */
};

typedef struct gdyn_xml_attribute {
    const char *name, *value;
} gdyn_xml_attribute;

typedef struct gdyn_xml {
    const char *name;
    const gdyn_document *source;
    int line, column; /* 1-based */
    int attributes;
    const gdyn_xml_attribute *attribute;
    struct gdyn_xml *parent, *first, *last, *next; /* children in the order of the file */
} gdyn_xml;

/* Parses a document. On failure one diagnostic with its place; GDYN_ERROR_INPUT or _MEMORY.
 * Entities of the document's own are refused. */
gdyn_status gdyn_xml_parse(gdyn_arena *arena, const gdyn_document *source, const gdyn_sink *sink,
                           gdyn_xml **root);

/* Value of an attribute; NULL: it is not there (or there is no element). */
const char *gdyn_xml_get(const gdyn_xml *element, const char *name);
/* First child of that name, and the next sibling of that name; NULL: none. */
const gdyn_xml *gdyn_xml_child(const gdyn_xml *element, const char *name);
const gdyn_xml *gdyn_xml_again(const gdyn_xml *element);
bool gdyn_xml_is(const gdyn_xml *element, const char *name);

/* Emits a message with the element's place and line. */
void gdyn_xml_emit(const gdyn_sink *sink, gdyn_severity severity, const gdyn_xml *at,
                   const char *help, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The text with what messages cannot show replaced, shortened; of a small pool of the arena. */
const char *gdyn_xml_shown(gdyn_arena *arena, const char *text);

#endif
