/* xml.c - a file of XML as a tree of elements. */
#include "import/robot.h"
#include "expr/code.h"

#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct parse {
    XML_Parser parser;
    gdyn_arena *arena;
    const gdyn_document *source;
    const gdyn_sink *sink;
    gdyn_xml *root, *open;
    int depth, elements;
    const char *refusal; /* why parsing was stopped, NULL: it was not */
    gdyn_text text;      /* SDF: of the element that is open */
} parse;

/* --- messages --------------------------------------------------------------------------------- */

void gdyn_xml_emit(const gdyn_sink *sink, const gdyn_document *source, const int place[3],
                   const char *help, const char *message) {
    gdyn_diag diag = {.severity = GDYN_ERROR,
                      .code = gdyn_code_of(GDYN_CODE_IMPORT),
                      .path = "",
                      .message = message,
                      .help = help,
                      .file = source->name,
                      .line = place[0],
                      .column = place[1],
                      .width = place[2]};
    if (!sink || !sink->emit)
        return;
    gdyn_arena *arena = gdyn_arena_create();
    /* a place behind the line that is shown is moved to its end */
    if (arena)
        diag.source = gdyn_document_line(source, place[0], arena);
    if (diag.source && (size_t)diag.column > strlen(diag.source))
        diag.column = diag.width = 1;
    sink->emit(sink->context, &diag);
    gdyn_arena_destroy(arena);
}

const char *gdyn_robot_shown(gdyn_robot *robot, const char *text) {
    enum { LONGEST = 80 };
    char *copy = gdyn_arena_strndup(robot->arena, text, strnlen(text, LONGEST));
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c == 0x7f)
            *c = ' ';
    /* a character that was cut in two is left out */
    size_t end = copy ? strlen(copy) : 0;
    while (end == LONGEST && end > 0 && ((unsigned char)copy[end - 1] & 0xC0) == 0x80)
        copy[--end] = '\0';
    if (copy && end > 0 && (unsigned char)copy[end - 1] >= 0xC0 && strlen(text) > end)
        copy[end - 1] = '\0';
    return copy ? copy : "";
}

/* --- handlers of expat ------------------------------------------------------------------------ */

static void stop(parse *p, const char *why) {
    if (!p->refusal)
        p->refusal = why;
    XML_StopParser(p->parser, XML_FALSE);
}

static void take_attributes(parse *p, gdyn_xml *element, const char **pairs) {
    int count = 0;
    while (pairs[2 * count])
        count++;
    if (count > GDYN_XML_ATTRIBUTES) {
        stop(p, "an element has too many attributes");
        return;
    }
    gdyn_xml_attribute *list = gdyn_arena_alloc(p->arena, (size_t)count + 1, sizeof *list);
    for (int i = 0; list && i < count; i++) {
        list[i].name = gdyn_arena_strdup(p->arena, pairs[2 * i]);
        list[i].value = gdyn_arena_strdup(p->arena, pairs[2 * i + 1]);
    }
    element->attributes = gdyn_arena_failed(p->arena) ? 0 : count;
    element->attribute = list;
}

static void begin(void *data, const char *name, const char **pairs) {
    parse *p = data;
    gdyn_xml *e = gdyn_arena_alloc(p->arena, 1, sizeof *e);
    if (++p->depth > GDYN_XML_DEPTH || ++p->elements > GDYN_XML_ELEMENTS) {
        stop(p, "there are too many elements, or they are nested too deeply");
        return;
    }
    if (!e || !(e->name = gdyn_arena_strdup(p->arena, name))) {
        stop(p, "out of memory");
        return;
    }
    e->source = p->source;
    p->text.length = 0;
    e->line = (int)XML_GetCurrentLineNumber(p->parser);
    e->column = (int)XML_GetCurrentColumnNumber(p->parser) + 1;
    take_attributes(p, e, pairs);
    /* behind its siblings */
    e->parent = p->open;
    if (!p->open)
        p->root = e;
    else if (p->open->last)
        p->open->last->next = e;
    else
        p->open->first = e;
    if (p->open)
        p->open->last = e;
    p->open = e;
}

static void add_characters(void *data, const char *characters, int length) {
    parse *p = data;
    if (p->root && gdyn_xml_is(p->root, "sdf"))
        gdyn_text_printf(&p->text, "%.*s", length, characters);
}

static void end(void *data, const char *name) {
    parse *p = data;
    (void)name;
    p->depth--;
    if (p->open && !p->open->first && p->text.length > 0) {
        const char *text = p->text.data + strspn(p->text.data, " \t\r\n");
        size_t n = strlen(text);
        while (n > 0 && strchr(" \t\r\n", text[n - 1]))
            n--;
        p->open->text = n > 0 ? gdyn_arena_strndup(p->arena, text, n) : NULL;
    }
    p->text.length = 0;
    p->open = p->open ? p->open->parent : NULL;
}

static void refuse_entity(void *data, const char *name, int is_parameter, const char *value,
                          int length, const char *base, const char *system, const char *public,
                          const char *notation) {
    (void)name, (void)is_parameter, (void)value, (void)length;
    (void)base, (void)system, (void)public, (void)notation;
    stop(data, "entities that a document defines itself are not read");
}

/* --- parsing ---------------------------------------------------------------------------------- */

static gdyn_status report(parse *p) {
    enum XML_Error code = XML_GetErrorCode(p->parser);
    const char *why = p->refusal ? p->refusal : XML_ErrorString(code);
    if (code == XML_ERROR_NO_MEMORY || gdyn_arena_failed(p->arena)) {
        gdyn_memory_refuse();
        return GDYN_ERROR_MEMORY;
    }
    char message[200];
    snprintf(message, sizeof message, "this is not valid XML: %s", why ? why : "unknown error");
    int line = (int)XML_GetCurrentLineNumber(p->parser);
    gdyn_xml_emit(p->sink, p->source,
                  (int[3]){line < p->source->lines ? line : p->source->lines,
                           (int)XML_GetCurrentColumnNumber(p->parser) + 1, 1},
                  NULL, message);
    return GDYN_ERROR_INPUT;
}

/* What the parsers of ROS and Gazebo let pass: "--" within comments, blanks before <?xml ...?>. */
static void forgive(char *text) {
    char *first = text + strspn(text, " \t\r\n"), *end = strstr(first, "?>");
    if (first > text && !strncmp(first, "<?xml", 5) && end)
        memset(first, ' ', (size_t)(end + 2 - first));
    for (char *at = text; (at = strstr(at, "<!--")) && (end = strstr(at + 4, "-->")); at = end)
        for (at += 4; at < end; at++)
            *at = *at == '-' ? ' ' : *at;
}

gdyn_status gdyn_xml_parse(gdyn_arena *arena, const gdyn_document *source, const gdyn_sink *sink,
                           gdyn_xml **root) {
    parse p = {.parser = XML_ParserCreate(NULL), .arena = arena, .source = source, .sink = sink};
    *root = NULL;
    if (!p.parser) {
        gdyn_memory_refuse();
        return GDYN_ERROR_MEMORY;
    }
    char *text = gdyn_arena_strndup(arena, source->text, source->length);
    if (text)
        forgive(text);
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, begin, end);
    XML_SetCharacterDataHandler(p.parser, add_characters);
    XML_SetEntityDeclHandler(p.parser, refuse_entity);
    enum XML_Status parsed =
        text ? XML_Parse(p.parser, text, (int)source->length, 1) : XML_STATUS_ERROR;
    gdyn_status status = GDYN_OK;
    if (parsed != XML_STATUS_OK || gdyn_arena_failed(arena) || p.text.failed)
        status = report(&p);
    else
        *root = p.root;
    gdyn_text_free(&p.text);
    XML_ParserFree(p.parser);
    return status;
}

/* --- looking into the tree -------------------------------------------------------------------- */

const char *gdyn_xml_get(const gdyn_xml *element, const char *name) {
    for (int i = 0; element && i < element->attributes; i++)
        if (!strcmp(element->attribute[i].name, name))
            return element->attribute[i].value;
    const gdyn_xml *child = gdyn_xml_child(element, name);
    return child ? child->text : NULL;
}

bool gdyn_xml_is(const gdyn_xml *element, const char *name) {
    return !strcmp(element->name, name);
}

bool gdyn_xml_says(const gdyn_xml *element, const char *name, const char *word) {
    const char *value = gdyn_xml_get(element, name);
    return value && !strcmp(value, word);
}

static const gdyn_xml *named(const gdyn_xml *from, const char *name) {
    while (from && !gdyn_xml_is(from, name))
        from = from->next;
    return from;
}

const gdyn_xml *gdyn_xml_child(const gdyn_xml *element, const char *name) {
    return element ? named(element->first, name) : NULL;
}

const gdyn_xml *gdyn_xml_again(const gdyn_xml *element) {
    return named(element->next, element->name);
}

/* --- numbers of attributes -------------------------------------------------------------------- */

/* Most is the room in values; the number of numbers, or -1: some word is no finite number. */
static int read_list(const char *text, int most, double *values) {
    static const char blanks[] = " \t\r\n,";
    int count = 0;
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        double value;
        int n = gdyn_scan_signed(text, &value);
        if (n == 0 || (text[n] && !strchr(blanks, text[n])))
            return -1;
        if (count < most)
            values[count] = value;
        count++;
        text += n;
    }
    return count;
}

bool gdyn_robot_numbers(gdyn_robot *robot, const gdyn_xml *at, const char *what, const char *text,
                        int least, int count, double *values) {
    enum { MOST = 16 };
    double found[MOST];
    int n = read_list(text, MOST, found);
    const gdyn_xml *leaf = gdyn_xml_child(at, what);
    const char *of = at->name;
    at = leaf && leaf->text ? leaf : at;
    if (n >= least && n <= count) {
        memcpy(values, found, (size_t)n * sizeof *values);
        return true;
    }
    if (n < 0)
        return gdyn_robot_error(robot, at, NULL, "%s of <%s> is '%s', not %s", what, of,
                                gdyn_robot_shown(robot, text),
                                count == 1 ? "a finite number" : "finite numbers");
    return gdyn_robot_error(robot, at, NULL, "%s of <%s> has %d number%s, not %d", what, of, n,
                            gdyn_plural(n), n < least ? least : count);
}

bool gdyn_robot_attribute(gdyn_robot *robot, const gdyn_xml *at, const char *name, int count,
                          double *values) {
    const char *text = gdyn_xml_get(at, name);
    return !text || gdyn_robot_numbers(robot, at, name, text, count, count, values);
}

/* --- <include file="..."/> -------------------------------------------------------------------- */

/* The children of the file's root element stand in its place. */

enum { FILES_MOST = 64, DEPTH_MOST = 8 };

/* The root of the file that is named there, of the first name that can be read; NULL after a
 * message. A model of SDF is looked for in folders next to, or above, that of the file. */
static gdyn_xml *read_included(gdyn_robot *robot, const gdyn_xml *at) {
    static const char *const folders[] = {"", "../", "../models/"};
    const char *file = gdyn_xml_get(at, "file"), *uri = file ? file : gdyn_xml_get(at, "uri");
    const char *scheme = uri ? strstr(uri, "://") : NULL, *name = NULL;
    gdyn_document *source = NULL;
    gdyn_xml *root = NULL;
    char message[400] = "";
    if (!uri || ++robot->files > FILES_MOST) {
        gdyn_robot_error(robot, at, NULL,
                         uri ? "more than %d files are included" : "<include> has no file",
                         FILES_MOST);
        return NULL;
    }
    const char *tail = scheme ? scheme + 3 : uri, *slash = tail ? strrchr(tail, '/') : NULL;
    for (int i = 0; i < (file ? 1 : 9) && !source; i++) {
        name = gdyn_arena_printf(robot->arena, "%s%s%s%s%s", folders[i / 3], tail, i % 3 ? "/" : "",
                                 i % 3 == 2   ? slash ? slash + 1 : tail
                                 : i % 3 == 1 ? "model"
                                              : "",
                                 i % 3 ? ".sdf" : "");
        name = name ? gdyn_document_beside(robot->arena, at->source->name, name) : NULL;
        if (!name || gdyn_document_from_file(robot->arena, name, GDYN_XML_BYTES, false, &source,
                                             message, sizeof message) != GDYN_OK)
            source = NULL;
    }
    if (!source && (strstr(uri, "ground_plane") || strstr(uri, "sun")))
        gdyn_robot_remark_at(robot, "dropped", at, "<include> of %s", gdyn_robot_shown(robot, uri));
    else if (!source)
        gdyn_robot_error(robot, at, file ? NULL : "put its folder next to that of this file",
                         "'%s': %s", gdyn_robot_shown(robot, uri),
                         name ? message : "out of memory");
    else if (gdyn_xml_parse(robot->arena, source, robot->sink, &root) != GDYN_OK)
        robot->errors++;
    return root;
}

/* SDF: <include> becomes the <model> of that file, with its own name and pose, which come first. */
static void insert_model(gdyn_robot *robot, gdyn_xml *e, const gdyn_xml *root) {
    const gdyn_xml *model = gdyn_xml_child(root, "model");
    if (!model) {
        gdyn_robot_error(robot, e, NULL, "'%s' has no <model>",
                         gdyn_robot_shown(robot, root->source->name));
        return;
    }
    e->name = model->name;
    if (!gdyn_xml_get(e, "name")) {
        size_t own = (size_t)e->attributes, all = own + (size_t)model->attributes;
        gdyn_xml_attribute *list = gdyn_arena_alloc(robot->arena, all + 1, sizeof *list);
        for (size_t i = 0; list && i < all; i++)
            list[i] = i < own ? e->attribute[i] : model->attribute[i - own];
        e->attribute = list;
        e->attributes = list ? (int)all : 0;
    }
    e->last->next = model->first;
    e->last = model->last ? model->last : e->last;
    for (gdyn_xml *child = model->first; child; child = child->next)
        child->parent = e;
}

void gdyn_robot_expand_includes(gdyn_robot *robot, gdyn_xml *parent, int depth) {
    gdyn_xml **link = &parent->first;
    while (*link) {
        gdyn_xml *e = *link, *next = e->next, *root = NULL;
        bool include = gdyn_xml_is(e, "include");
        if (include && depth >= DEPTH_MOST)
            gdyn_robot_error(robot, e, NULL, "files include each other too deeply");
        else if (include)
            root = read_included(robot, e);
        bool model = root && !gdyn_xml_get(e, "file");
        if (model)
            insert_model(robot, e, root);
        if (!include || model) {
            gdyn_robot_expand_includes(robot, e, depth + include);
            link = &e->next;
            continue;
        }
        /* its children come here */
        if (root) {
            gdyn_robot_expand_includes(robot, root, depth + 1);
            for (*link = root->first; *link; link = &(*link)->next)
                (*link)->parent = parent;
        }
        *link = next;
    }
    parent->last = NULL;
}
