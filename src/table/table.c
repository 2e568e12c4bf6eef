/* table.c - lines to cells. */
#include "table/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- complaints ------------------------------------------------------------------------------- */

/* Characters in the first `bytes` of a text. */
static int characters(const char *text, size_t bytes) {
    int count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Emits the first complaint, about these bytes of the present line. Control characters of the
 * file do not reach a terminal. */
static bool complain(gdyn_table *t, size_t start, size_t bytes, const char *help, char *message) {
    /* Only the first complaint counts: those that follow are mostly its consequences. */
    if (t->status != GDYN_OK)
        return false;
    t->status = GDYN_ERROR_INPUT;
    for (char *c = message; *c; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    /* places are counted in characters, from 1 */
    const char *line = t->line > 0 ? t->document->text + t->document->line_start[t->line - 1] : "";
    int column = t->line > 0 ? characters(line, start) + 1 : 0;
    int width = t->line > 0 ? characters(line + start, bytes) : 1;
    gdyn_diag diag = {.severity = GDYN_ERROR,
                      .code = gdyn_code_of(GDYN_CODE_TABLE),
                      .path = "",
                      .message = message,
                      .help = help && *help ? help : NULL,
                      .file = t->document->name,
                      .line = t->line,
                      .column = column,
                      .width = width > 0 ? width : 1,
                      .source = gdyn_document_line(t->document, t->line, t->arena)};
    if (t->sink && t->sink->emit)
        t->sink->emit(t->sink->context, &diag);
    return false;
}

bool gdyn_table_refuse(gdyn_table *t, int column, const char *help, const char *format, ...) {
    char message[400];
    /* Without a column the message is about the whole line. */
    const gdyn_cell whole = {.text = ""};
    const gdyn_cell *cell = column >= 0 ? &t->cell[column] : &whole;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return complain(t, cell->start, cell->width, help, message);
}

bool gdyn_table_lack_memory(gdyn_table *t) {
    gdyn_table_refuse(t, -1, NULL, "out of memory");
    t->status = GDYN_ERROR_MEMORY;
    return false;
}

/* --- one line --------------------------------------------------------------------------------- */

/* A line while it is taken apart. */
typedef struct scan {
    gdyn_table *table;
    const char *line;
    size_t length, at;
    bool heads; /* blanks before and in a bracket do not end a head */
    char *out;  /* where texts go */
} scan;

static bool is_blank(const scan *s, char c) {
    return c == ' ' || (c == '\t' && s->table->delimiter != '\t');
}

static void skip_blanks(scan *s) {
    while (s->at < s->length && is_blank(s, s->line[s->at]))
        s->at++;
}

static bool at_delimiter(const scan *s) {
    char c = s->line[s->at];
    return s->table->delimiter == ' ' ? is_blank(s, c) : c == s->table->delimiter;
}

/* Takes a quoted field; false after a complaint. */
static bool take_quoted(scan *s) {
    gdyn_table *t = s->table;
    /* Up to the quote that closes; two quotes are one. */
    size_t open = s->at;
    for (s->at++; s->at < s->length; s->at++) {
        bool quote = s->line[s->at] == '"';
        if (quote && !(s->at + 1 < s->length && s->line[s->at + 1] == '"'))
            break;
        s->at += quote;
        *s->out++ = s->line[s->at];
    }
    /* A quoted field does not run over lines. */
    if (s->at == s->length)
        return complain(t, open, 1, "quotes must close in the line in which they open",
                        (char[]){"this quote does not close"});
    s->at++;
    /* Blanks behind the quote, then a delimiter or the end. */
    if (s->at < s->length && !at_delimiter(s))
        skip_blanks(s);
    if (s->at < s->length && !at_delimiter(s))
        return complain(t, s->at, 1, "inside quotes \"\" is a quote",
                        (char[]){"expected a delimiter after the quoted field"});
    return true;
}

/* In heads that blanks divide: true when a bracket follows the blanks at `at`. */
static bool bracket_follows(const scan *s) {
    size_t i = s->at;
    while (i < s->length && is_blank(s, s->line[i]))
        i++;
    return i < s->length && (s->line[i] == '[' || s->line[i] == '(');
}

/* Takes a field up to the delimiter, without the blanks at its end. */
static void take_plain(scan *s) {
    const char *start = s->out;
    if (s->table->delimiter != ' ') {
        const char *from = s->line + s->at;
        const char *end = memchr(from, s->table->delimiter, s->length - s->at);
        size_t bytes = end ? (size_t)(end - from) : s->length - s->at;
        memcpy(s->out, from, bytes);
        s->out += bytes, s->at += bytes;
    }
    /* In heads that blanks divide, "t [ms]" is one field. */
    bool inside = false, guard = s->heads && s->table->delimiter == ' ';
    for (; s->at < s->length; s->at++) {
        char c = s->line[s->at];
        if (at_delimiter(s) && !(guard && (inside || bracket_follows(s))))
            break;
        inside = c == '[' || c == '(' || (inside && c != ']' && c != ')');
        *s->out++ = c;
    }
    /* Blanks at the end belong to no field. */
    while (s->out > start && is_blank(s, s->out[-1]))
        s->out--;
}

/* Takes the next field; false after a complaint. */
static bool take_cell(scan *s, gdyn_cell *cell) {
    size_t start = s->at;
    bool good = true;
    cell->text = s->out;
    if (s->at < s->length && s->line[s->at] == '"')
        good = take_quoted(s);
    else
        take_plain(s);
    *s->out++ = '\0';
    /* Blanks at the end do not count for the place in messages. */
    while (s->at > start && is_blank(s, s->line[s->at - 1]))
        s->at--;
    cell->start = start, cell->width = s->at - start;
    skip_blanks(s);
    return good;
}

/* Takes the present line apart into at most `most` cells; returns how many fields there are, -1
 * after a complaint. A delimiter behind the last field is passed over when there are as many
 * fields without it. */
static int split(gdyn_table *t, gdyn_cell *cell, int most, bool heads) {
    /* Cell by cell, until the line ends. */
    scan s = {.table = t,
              .line = t->document->text + t->document->line_start[t->line - 1],
              .length = gdyn_document_line_length(t->document, t->line),
              .heads = heads,
              .out = t->room};
    int count = 0;
    gdyn_cell beyond;
    for (;;) {
        /* A line of blanks that divide ends without another field. */
        bool last = (skip_blanks(&s), s.at == s.length);
        if (last && count > 0 && (t->delimiter == ' ' || heads || count == most))
            return count;
        if (!take_cell(&s, count < most ? &cell[count] : &beyond))
            return -1;
        count++;
        if (s.at == s.length)
            return count;
        /* The delimiter; behind the last one an empty field may follow. */
        s.at += t->delimiter != ' ';
        if (s.at == s.length && t->delimiter != ' ' && !heads && count < most) {
            cell[count] = (gdyn_cell){"", s.length, 1};
            return count + 1;
        }
    }
}

/* Moves on to the next line that is neither empty nor a comment; false at the end. */
static bool next_line(gdyn_table *t) {
    const gdyn_document *d = t->document;
    /* Lines that are empty or begin with # are comments. */
    for (int line = t->line + 1; line <= d->lines; line++) {
        const char *at = d->text + d->line_start[line - 1];
        at += strspn(at, " \t");
        if (*at && *at != '\n' && *at != '\r' && *at != '#') {
            t->line = line;
            return true;
        }
    }
    return false;
}

/* --- heads ------------------------------------------------------------------------------------ */

/* The first of ; , tab outside of quotes, else blanks. */
static char find_delimiter(const char *line, size_t length) {
    static const char candidates[] = ";,\t";
    /* A character within quotes is text. */
    for (const char *c = candidates; *c; c++) {
        bool quoted = false;
        for (size_t i = 0; i < length; i++) {
            quoted ^= line[i] == '"';
            if (!quoted && line[i] == *c)
                return *c;
        }
    }
    return ' ';
}

static bool is_number(const char *text) {
    const char *end;
    gdyn_decimal_read(text, &end);
    return end != text && *end == '\0';
}

/* Name and unit of a head: "p [mm]", "t (ms)". */
static bool read_head(gdyn_table *t, int i) {
    const char *text = t->cell[i].text, *open = strpbrk(text, "[(");
    /* The name ends before its unit. */
    size_t length = open ? (size_t)(open - text) : strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        length--;
    gdyn_column *c = &t->column[i];
    c->factor = 1;
    c->name = gdyn_arena_strndup(t->arena, text, length);
    /* The unit stands between the brackets. */
    if (open) {
        const char *close = strchr(open, *open == '[' ? ']' : ')');
        const char *from = open + 1 + strspn(open + 1, " \t");
        while (close && close > from && strchr(" \t", close[-1]))
            close--;
        c->unit =
            gdyn_arena_strndup(t->arena, from, close && close > from ? (size_t)(close - from) : 0);
    }
    return (c->name && (c->unit || !open)) || gdyn_table_lack_memory(t);
}

static bool read_heads(gdyn_table *t) {
    /* One more than allowed shows that there are too many. */
    gdyn_cell *found = gdyn_arena_alloc(t->arena, GDYN_TABLE_COLUMNS + 1, sizeof *found);
    t->cell = found;
    t->columns = found ? split(t, found, GDYN_TABLE_COLUMNS + 1, true) : 0;
    if (t->columns < 0 || !found)
        return found ? false : gdyn_table_lack_memory(t);
    if (t->columns > GDYN_TABLE_COLUMNS)
        return gdyn_table_refuse(t, -1, NULL, "there are more than %d columns", GDYN_TABLE_COLUMNS);
    /* Numbers in the first line: the header is missing. */
    if (is_number(found[0].text))
        return gdyn_table_refuse(t, 0, "a table begins with the names of its columns, without '#'",
                                 "expected the name of a column, got '%.60s'", found[0].text);
    t->column = gdyn_arena_alloc(t->arena, (size_t)t->columns, sizeof *t->column);
    for (int i = 0; i < t->columns && t->column; i++)
        if (!read_head(t, i))
            return false;
    return t->column || gdyn_table_lack_memory(t);
}

/* Room for the texts of the longest line. */
static bool make_room(gdyn_table *t) {
    const gdyn_document *d = t->document;
    /* The longest line holds the longest text. */
    size_t most = 0;
    for (int i = 0; i < d->lines; i++) {
        size_t end = i + 1 < d->lines ? d->line_start[i + 1] : d->length;
        most = end - d->line_start[i] > most ? end - d->line_start[i] : most;
    }
    t->room = gdyn_arena_alloc(t->arena, most + 2, 1);
    return t->room || gdyn_table_lack_memory(t);
}

gdyn_status gdyn_table_open(gdyn_table *t, gdyn_arena *arena, const gdyn_document *document,
                            const gdyn_sink *sink) {
    *t = (gdyn_table){.document = document, .arena = arena, .sink = sink};
    /* What cannot be a table is rejected before it is taken apart. */
    if (memchr(document->text, '\0', document->length))
        gdyn_table_refuse(t, -1, "save it as CSV in UTF-8",
                          "this is not text: it contains zero bytes");
    else if (document->lines > GDYN_TABLE_LINES)
        gdyn_table_refuse(t, -1, NULL, "there are more than %d lines", GDYN_TABLE_LINES);
    else if (!next_line(t))
        gdyn_table_refuse(t, -1, "a table has a line with the names of its columns, then rows",
                          "the table is empty");
    else if (make_room(t)) {
        t->delimiter = find_delimiter(document->text + document->line_start[t->line - 1],
                                      gdyn_document_line_length(document, t->line));
        read_heads(t);
    }
    t->columns = t->status == GDYN_OK ? t->columns : 0;
    return t->status;
}

gdyn_status gdyn_table_open_file(gdyn_table *t, gdyn_arena *arena, const char *filename,
                                 const gdyn_sink *sink) {
    char message[300];
    gdyn_document *document = NULL;
    gdyn_status status = gdyn_document_from_file(arena, filename, GDYN_TABLE_BYTES, false,
                                                 &document, message, sizeof message);
    if (status == GDYN_OK)
        return gdyn_table_open(t, arena, document, sink);
    *t = (gdyn_table){.arena = arena, .sink = sink, .status = status};
    gdyn_diag diag = {.severity = GDYN_ERROR,
                      .code = gdyn_code_of(GDYN_CODE_FILE),
                      .path = "",
                      .message = message,
                      .file = filename};
    if (sink && sink->emit)
        sink->emit(sink->context, &diag);
    return status;
}

/* --- rows ------------------------------------------------------------------------------------- */

bool gdyn_table_next(gdyn_table *t) {
    if (t->status != GDYN_OK || !next_line(t))
        return false;
    int count = split(t, t->cell, t->columns, false);
    /* Every row has as many fields as the header. */
    if (count >= 0 && count != t->columns)
        gdyn_table_refuse(t, -1,
                          count > t->columns && t->delimiter == ','
                              ? "numbers have a decimal point; quote a text that contains a comma"
                              : NULL,
                          "%d field%s where the header has %d", count, count == 1 ? "" : "s",
                          t->columns);
    t->rows++;
    return t->status == GDYN_OK;
}

/* "1,5" and the like, and 1.5 to suggest. */
static bool decimal_comma(const char *text, char *point, size_t size) {
    char *comma = strchr(snprintf(point, size, "%s", text) < (int)size ? point : "", ',');
    if (!comma)
        return false;
    *comma = '.';
    return is_number(point);
}

double gdyn_table_limit(gdyn_table *t, int column, double open) {
    const char *text = t->cell[column].text, *name = t->column[column].name;
    const char *end;
    if (t->status != GDYN_OK)
        return NAN;
    /* An empty limit is open. */
    if (!*text && !isnan(open))
        return open;
    double value = gdyn_decimal_read(text, &end);
    if (end != text && *end == '\0' && !isnan(value))
        return value * t->column[column].factor;
    char point[64], help[96] = "";
    if (!*text)
        gdyn_table_refuse(t, column, NULL, "a number is missing in column '%.60s'", name);
    else if (decimal_comma(text, point, sizeof point))
        snprintf(help, sizeof help, "write a decimal point: %s", point);
    gdyn_table_refuse(t, column, help, "expected a number in column '%.60s', got '%.60s'", name,
                      text);
    return NAN;
}

double gdyn_table_number(gdyn_table *t, int column) {
    double value = gdyn_table_limit(t, column, NAN);
    if (t->status == GDYN_OK && !isfinite(value))
        gdyn_table_refuse(t, column, NULL,
                          "expected a finite number in column '%.60s', got '%.60s'",
                          t->column[column].name, t->cell[column].text);
    return t->status == GDYN_OK ? value : NAN;
}

/* --- columns: names and units ----------------------------------------------------------------- */

/* A unit is converted or an error, never ignored. */

int gdyn_table_find(gdyn_table *t, const char *name) {
    /* A name that occurs twice is an error, wherever it is first needed. */
    int found = -1;
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->column[i].name, name) == 0) {
            if (found >= 0)
                gdyn_table_refuse(t, i, NULL, "column '%.60s' occurs twice", name);
            found = i;
        }
    return found;
}

static bool is_one_of(const char *name, const char *const *names, int count) {
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

void gdyn_table_only(gdyn_table *t, const char *const *names, int count, const char *help) {
    for (int i = 0; i < t->columns && t->status == GDYN_OK; i++)
        if (!is_one_of(t->column[i].name, names, count))
            gdyn_table_refuse(t, i, help, "unknown column '%.60s'", t->column[i].name);
}

/* Factor and dimension of a head; false after a complaint. */
static bool read_unit(gdyn_table *t, int i, double *factor, gdyn_dimension *dimension) {
    const gdyn_column *c = &t->column[i];
    char help[120];
    *factor = 1, *dimension = GDYN_DIM_UNKNOWN;
    if (!c->unit)
        return true;
    /* The bracket must close at the end of the head. */
    snprintf(help, sizeof help, "write %.60s [mm]", c->name);
    const char *close = strpbrk(t->cell[i].text, "])");
    if (!close)
        return gdyn_table_refuse(t, i, help, "the bracket after '%.60s' does not close", c->name);
    if (close[1])
        return gdyn_table_refuse(t, i, help,
                                 "expected the end of the header after '%.60s', got '%.40s'",
                                 c->unit, close + 1);
    /* "[-]", "[1]" and "[]" are pure numbers. */
    *dimension = GDYN_DIM_NONE;
    if (strcmp(c->unit, "-") == 0 || strcmp(c->unit, "1") == 0 || !*c->unit)
        return true;
    return gdyn_unit_parse(c->unit, factor, dimension) ||
           gdyn_table_refuse(t, i, help, "column '%.60s': '%.40s' is not a unit", c->name, c->unit);
}

gdyn_dimension gdyn_table_dimension(gdyn_table *t, int column) {
    double factor;
    gdyn_dimension found;
    return read_unit(t, column, &factor, &found) ? found : GDYN_DIM_UNKNOWN;
}

void gdyn_table_unit(gdyn_table *t, int column, gdyn_dimension wanted, const char *what) {
    gdyn_column *c = &t->column[column];
    gdyn_dimension found;
    /* No unit means SI. */
    char want[64], have[64], help[120] = "";
    if (!read_unit(t, column, &c->factor, &found) || !c->unit || gdyn_dimension_fits(found, wanted))
        return;
    /* A pure number was expected. */
    bool bare = wanted.known && gdyn_dimension_fits(wanted, GDYN_DIM_NONE);
    if (bare)
        snprintf(help, sizeof help, "%.60s without a unit; an angle may be in rad or deg", c->name);
    gdyn_table_refuse(t, column, help,
                      "the unit of column '%.60s' does not fit: %s is %s%s, not %s", c->name, what,
                      bare ? "" : "in ", gdyn_dimension_text(wanted, want, sizeof want),
                      gdyn_dimension_text(found, have, sizeof have));
}
