/* gcode.c - the motions of a program for a milling machine (RS274/NGC; ISO 6983): G0, G1, G2, G3
 * in a plane of G17, G18 or G19, in mm or inches (G21, G20), absolute or incremental (G90, G91).
 * What else would change where the tool goes is rejected; feeds, spindle, coolant, extruders and
 * the like are dropped. All words of a line are collected before its codes are taken: a word of
 * an axis belongs to a code that wants it, wherever it stands.
 *
 * An arc goes about I, J, K from its start (G91.1) or about that point (G90.1), or has the
 * radius R: the short one, a negative R the long one. G2 is clockwise, seen from the positive
 * end of the axis that is normal to the plane. */
#include "import/contour.h"

#include "base/pi.h"
#include "expr/code.h"
#include "linalg/vec3.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CODES_MOST = 40, LONGEST = 1000 /* bytes of a line */ };

typedef struct block { /* a line of the program */
    const gdyn_xml *at;
    double value[26]; /* of its words by letter, but for G and M */
    bool given[26];
    int codes, code[CODES_MOST]; /* of its words G, times ten */
    bool ends;                   /* M2 or M30 */
    bool pause;                  /* its words of axes belong to no motion */
} block;

typedef struct machine {
    gdyn_contour *c;
    double x[3];
    bool placed; /* the position is known */
    bool away;   /* it was, before a motion in coordinates of the machine */
    int motion;  /* 0..3, -1: none */
    int plane;   /* 17, 18, 19 */
    bool relative, centre_absolute;
    double unit; /* [m] */
    int offset;  /* 540..593, 0: none was given, and it is 540 */
    bool ended;  /* by M2 or M30 */
} machine;

/* --- words ------------------------------------------------------------------------------------ */

/* Without comments, blanks and in capitals; false: a bracket is not closed. */
static bool strip(const char *line, char *out, size_t size) {
    size_t n = 0;
    for (; *line && *line != ';' && *line != '%'; line++) {
        if (*line == '(') {
            line = strchr(line, ')');
            if (!line)
                return false;
            continue;
        }
        if (!isspace((unsigned char)*line) && n + 1 < size)
            out[n++] = (char)toupper((unsigned char)*line);
    }
    out[n] = '\0';
    return true;
}

static bool has(const block *b, char letter) {
    return b->given[letter - 'A'];
}

static bool has_any(const block *b, const char *letters) {
    while (*letters && !has(b, *letters))
        letters++;
    return *letters != '\0';
}

/* A number of RS274: digits with a sign and a point, without an exponent (E is a word of its
 * own). Bytes read; 0: it is none. */
static int scan_number(const char *text, double *value) {
    char digits[LONGEST];
    int sign = *text == '-' || *text == '+';
    int n = (int)strspn(text + sign, "0123456789.");
    memcpy(digits, text, (size_t)(sign + n));
    digits[sign + n] = '\0';
    return gdyn_scan_signed(digits, value);
}

static void take_word(machine *m, block *b, char letter, double value) {
    gdyn_robot *log = m->c->log;
    int i = letter - 'A';
    if (letter == 'G') {
        double code = 10 * value;
        if (fabs(code - round(code)) > 1e-6 || code < 0 || code > 9999 || b->codes == CODES_MOST)
            gdyn_robot_error(log, b->at, NULL, "G%g is not a code", value);
        else
            b->code[b->codes++] = (int)lround(code);
        return;
    }
    if (letter == 'M') {
        b->ends = b->ends || value == 2 || value == 30;
        if (value >= 97 && value <= 99)
            gdyn_robot_error(log, b->at, "expand the program first",
                             "M%g leads to another part of the program", value);
        else
            gdyn_robot_remark_at(log, "dropped", b->at, "words M");
        return;
    }
    bool counts = strchr("XYZIJKRP", letter);
    if (counts && b->given[i])
        gdyn_robot_error(log, b->at, NULL, "%c stands twice in one line", letter);
    if (!counts && letter != 'N' && letter != 'O')
        gdyn_robot_remark_at(log, "dropped", b->at,
                             strchr("ABCUVW", letter) ? "the axis %c" : "words %c", letter);
    b->given[i] = true;
    b->value[i] = value;
}

/* All words of a line; false after a complaint. */
static bool read_words(machine *m, block *b, const char *text) {
    gdyn_robot *log = m->c->log;
    int errors = log->errors;
    while (*text) {
        char letter = *text++;
        double value;
        if (letter == '#' || letter == '[' || *text == '#' || *text == '[')
            return gdyn_robot_error(log, b->at, "expand the program first",
                                    "parameters and expressions are not read");
        int n = scan_number(text, &value);
        if (letter < 'A' || letter > 'Z' || n == 0)
            return gdyn_robot_error(log, b->at, NULL, "expected a letter and a number at '%s'",
                                    gdyn_robot_shown(log, text - 1));
        text += n;
        take_word(m, b, letter, value);
    }
    return log->errors == errors;
}

/* --- codes ------------------------------------------------------------------------------------ */

/* Codes that exclude each other; of two groups each may stand in a line. The rows behind HARMLESS
 * change nothing here: exact stop, polar coordinates off, tool length, path control, feeds,
 * spindle, return levels. */
enum { MOTIONS = 0, HARMLESS = 7, OFFSETS = 100 };
static const int groups[][6] = {{0, 10, 20, 30},
                                {170, 180, 190},
                                {200, 210},
                                {400, 410, 420},
                                {900, 910},
                                {901, 911},
                                {40, 280, 300, 500, 530, 920},
                                {90},
                                {150},
                                {430, 490},
                                {610, 611, 640},
                                {930, 940, 950},
                                {960, 970},
                                {980, 990}};

static bool is_offset(int code) {
    return code >= 540 && code <= 593 && (code % 10 == 0 || code > 590);
}

/* Its row; -1: none. */
static int group_of(int code) {
    for (int row = 0; row < (int)(sizeof groups / sizeof *groups); row++)
        for (int k = 0; k < 6 && (k == 0 || groups[row][k]); k++) /* zero is G0 in front alone */
            if (groups[row][k] == code)
                return row;
    return is_offset(code) ? OFFSETS : -1;
}

static bool has_motion(const block *b) {
    int i = 0;
    while (i < b->codes && group_of(b->code[i]) != MOTIONS)
        i++;
    return i < b->codes;
}

/* What stands for another place of the tool, or of the coordinates: nothing is known of where it
 * is afterwards. */
static void leave(machine *m, block *b, int code) {
    gdyn_robot *log = m->c->log;
    b->pause = true;
    m->away = m->away || m->placed;
    gdyn_robot_remark_at(log, "dropped", b->at,
                         code == 530 ? "a motion in coordinates of the machine (G%d)"
                                     : "a return to a machine position (G%d)",
                         code / 10);
    if (code != 530 && has_motion(b))
        gdyn_robot_error(
            log, b->at, "write two lines",
            "G%d and a motion in one line: it is not known which of them the coordinates belong to",
            code / 10);
}

/* Codes with words of axes of their own: none of them may become a motion. */
static void take_plain(machine *m, block *b, int code) {
    gdyn_robot *log = m->c->log;
    bool axes = has_any(b, "XYZABCUVW");
    if (code == 40) {
        b->pause = true;
        if (has_motion(b))
            gdyn_robot_error(log, b->at, "write two lines", "G4 and a motion in one line");
    } else if ((code == 500 && axes) || (code == 920 && (axes || !has(b, 'E')))) {
        gdyn_robot_error(log, b->at, "write the motion as G0, G1, G2 and G3",
                         "G%d%s shifts the coordinates", code / 10, axes ? " with axes" : "");
    } else if (code == 800 && !has_motion(b)) {
        m->motion = -1;
    }
    if (code == 500 || code == 920 || code == 40)
        gdyn_robot_remark_at(log, "dropped", b->at, code == 920 ? "G92 of E" : "G%d", code / 10);
}

/* A word G; ten times its number. */
static void take_code(machine *m, block *b, int code) {
    gdyn_robot *log = m->c->log;
    int group = group_of(code), other = -1;
    for (int i = 0; i < b->codes && other < 0; i++)
        if (group >= 0 && b->code[i] != code && group_of(b->code[i]) == group)
            other = b->code[i];
    if (other >= 0 && other < code)
        gdyn_robot_error(log, b->at, "write two lines",
                         "G%g and G%g exclude each other in one line", other / 10.0, code / 10.0);
    if (group == MOTIONS)
        m->motion = code / 10;
    else if (code == 170 || code == 180 || code == 190)
        m->plane = code / 10;
    else if (code == 200 || code == 210)
        m->unit = code == 200 ? 0.0254 : 0.001;
    else if (code == 900 || code == 910)
        m->relative = code == 910;
    else if (code == 901 || code == 911)
        m->centre_absolute = code == 901;
    else if (code == 410 || code == 420)
        gdyn_robot_remark_at(log, "assumed", b->at, "G%d: the path is that of the tool's centre",
                             code / 10);
    else if (code == 280 || code == 300 || code == 530)
        leave(m, b, code);
    else if (is_offset(code)) {
        /* one system of coordinates is as good as another, two are not; without a word it is G54 */
        int before = m->offset == 0 ? 540 : m->offset;
        if ((m->placed || m->away) && before != code)
            gdyn_robot_error(m->c->log, b->at, "end one path here and begin another",
                             "G%g after G%g%s: the position of one in the other is not known",
                             code / 10.0, before / 10.0,
                             m->offset == 0 ? ", which holds from the start" : "");
        m->offset = code;
    } else if (code == 40 || code == 500 || code == 800 || code == 920)
        take_plain(m, b, code);
    else if (group >= HARMLESS)
        gdyn_robot_remark_at(log, "dropped", b->at, "G%g", code / 10.0);
    else if (code != 400)
        gdyn_robot_error(log, b->at, "write the motion as G0, G1, G2 and G3",
                         "G%g is not read, and may change where the tool goes", code / 10.0);
}

/* --- motions ---------------------------------------------------------------------------------- */

/* Centre of an arc of that radius; false: the chord is too long. Positions in the plane. */
static bool centre_of_radius(const double from[2], const double to[2], double radius,
                             bool clockwise, double centre[2]) {
    double d[2] = {to[0] - from[0], to[1] - from[1]}, chord = hypot(d[0], d[1]);
    double rest = radius * radius - 0.25 * chord * chord;
    if (chord < 1e-12 || rest < -1e-6 * radius * radius)
        return false;
    double height = sqrt(fmax(rest, 0)), side = (clockwise ? -1 : 1) * (radius > 0 ? 1 : -1);
    centre[0] = 0.5 * (from[0] + to[0]) - side * height * d[1] / chord;
    centre[1] = 0.5 * (from[1] + to[1]) + side * height * d[0] / chord;
    return true;
}

/* Centre from I, J, K, moved to equal distances from both ends, or an error. */
static void centre_of_offsets(const machine *m, const block *b, const int axis[3],
                              const double from[2], const double to[2], double centre[2]) {
    for (int i = 0; i < 2; i++) {
        int letter = 'I' - 'A' + axis[i];
        double given = b->given[letter] ? b->value[letter] * m->unit : 0;
        centre[i] = m->centre_absolute ? (b->given[letter] ? given : from[i]) : from[i] + given;
    }
    double start = hypot(from[0] - centre[0], from[1] - centre[1]);
    double end = hypot(to[0] - centre[0], to[1] - centre[1]);
    if (!(start > 1e-12) || fabs(start - end) > fmax(2e-5, 1e-3 * start))
        gdyn_robot_error(m->c->log, b->at, NULL,
                         "the centre is %.6g mm from the start of the arc and %.6g mm from its end",
                         1e3 * start, 1e3 * end);
    double d[2] = {to[0] - from[0], to[1] - from[1]}, square = d[0] * d[0] + d[1] * d[1];
    double off = square > 0 ? ((centre[0] - 0.5 * (from[0] + to[0])) * d[0] +
                               (centre[1] - 0.5 * (from[1] + to[1])) * d[1]) /
                                  square
                            : 0;
    centre[0] -= off * d[0];
    centre[1] -= off * d[1];
}

/* Whether the words of an arc fit together. */
static bool is_arc(const machine *m, const block *b) {
    enum { TURNS_MOST = 1001 };
    gdyn_robot *log = m->c->log;
    int errors = log->errors, normal = m->plane == 17 ? 'K' : m->plane == 18 ? 'J' : 'I';
    double turns = has(b, 'P') ? b->value['P' - 'A'] : 1;
    if (turns < 1 || turns != floor(turns))
        gdyn_robot_error(log, b->at, NULL, "P%g: an arc has a whole number of turns, from 1 on",
                         turns);
    if (turns > TURNS_MOST)
        gdyn_robot_error(log, b->at, NULL, "P%g: more than %d turns of an arc", turns, TURNS_MOST);
    if (has(b, 'R') && has_any(b, "IJK"))
        gdyn_robot_error(log, b->at, NULL, "an arc has either R or I, J, K");
    if (!m->centre_absolute && b->value[normal - 'A'] != 0)
        gdyn_robot_error(log, b->at, NULL, "%c does not lie in the plane of the arc (G%d)", normal,
                         m->plane);
    return log->errors == errors;
}

static void add_arc(machine *m, const block *b, const double to[3]) {
    int axis[3], errors = m->c->log->errors;
    if (!is_arc(m, b))
        return;
    /* the axes of the plane: two in it and the normal, right-handed */
    int first = m->plane == 17 ? 0 : m->plane == 18 ? 2 : 1;
    for (int i = 0; i < 3; i++)
        axis[i] = (first + i) % 3;
    double from2[2] = {m->x[axis[0]], m->x[axis[1]]}, to2[2] = {to[axis[0]], to[axis[1]]},
           centre[2] = {0, 0};
    bool clockwise = m->motion == 2, whole = hypot(to2[0] - from2[0], to2[1] - from2[1]) < 1e-12;
    double radius = b->value['R' - 'A'] * m->unit;
    if (has(b, 'R') && !centre_of_radius(from2, to2, radius, clockwise, centre))
        gdyn_robot_error(m->c->log, b->at, NULL, "no arc of the radius R has these ends");
    else if (!has(b, 'R'))
        centre_of_offsets(m, b, axis, from2, to2, centre);
    if (m->c->log->errors > errors)
        return;
    gdyn_contour_piece piece = {.at = b->at};
    double u[2] = {from2[0] - centre[0], from2[1] - centre[1]};
    double start = atan2(u[1], u[0]), end = atan2(to2[1] - centre[1], to2[0] - centre[0]);
    double turns = has(b, 'P') ? b->value['P' - 'A'] - 1 : 0;
    double sweep = whole ? 2 * GDYN_PI
                         : fmod((clockwise ? start - end : end - start) + 4 * GDYN_PI, 2 * GDYN_PI);
    piece.radius = hypot(u[0], u[1]);
    piece.sweep = (clockwise ? -1 : 1) * (sweep + 2 * GDYN_PI * turns);
    for (int i = 0; i < 2; i++) {
        piece.centre[axis[i]] = centre[i];
        piece.u[axis[i]] = u[i] / piece.radius;
    }
    piece.v[axis[0]] = -u[1] / piece.radius;
    piece.v[axis[1]] = u[0] / piece.radius;
    piece.centre[axis[2]] = m->x[axis[2]];
    piece.rise[axis[2]] = to[axis[2]] - m->x[axis[2]];
    gdyn_contour_arc(m->c, &piece);
}

static void move(machine *m, const block *b) {
    gdyn_robot *log = m->c->log;
    double to[3];
    bool any = false;
    for (int i = 0; i < 3; i++) {
        int letter = 'X' - 'A' + i;
        double given = b->value[letter] * m->unit;
        to[i] = !b->given[letter] ? m->x[i] : m->relative ? m->x[i] + given : given;
        any = any || b->given[letter];
    }
    bool arc = m->motion >= 2;
    if (!any && !(arc && has_any(b, "IJK")))
        return;
    if (m->motion < 0) {
        gdyn_robot_error(log, b->at, NULL, "coordinates without G0, G1, G2 or G3");
    } else if (!arc && has_any(b, "IJKR")) {
        gdyn_robot_error(log, b->at, "write chamfers and roundings as motions of their own",
                         "I, J, K and R belong to arcs (G2, G3)");
    } else if (m->away) {
        gdyn_robot_error(log, b->at, "end the program before it",
                         "a motion to a machine position (G53, G28, G30) came before: the start of "
                         "this one is not known");
    } else if (!m->placed && arc) {
        gdyn_robot_error(log, b->at, "begin with G0 to the start",
                         "the first motion is an arc: its start is not known");
    } else if (!m->placed) {
        gdyn_robot_remark_at(log, "assumed", b->at, "the path begins where the first motion ends");
    } else if (arc) {
        add_arc(m, b, to);
    } else {
        gdyn_contour_line(m->c, b->at, m->x, to);
    }
    m->placed = true;
    v3_copy(m->x, to);
}

static void read_line(machine *m, int number) {
    char text[LONGEST];
    gdyn_contour *c = m->c;
    const char *line = gdyn_document_line(c->source, number, c->log->arena);
    block b = {.at = gdyn_contour_place(c, number, "")};
    if (!line || !b.at) {
        if (b.at && gdyn_document_line_length(c->source, number) > 0)
            gdyn_robot_error(c->log, b.at, NULL, "the line is too long");
        return;
    }
    if (strlen(line) + 1 > sizeof text || !strip(line, text, sizeof text)) {
        gdyn_robot_error(c->log, b.at, NULL, "a comment is not closed, or the line is too long");
        return;
    }
    if (text[0] == '/') {
        gdyn_robot_remark_at(c->log, "dropped", b.at, "lines that begin with /");
        return;
    }
    if (!read_words(m, &b, text))
        return;
    int errors = c->log->errors;
    for (int i = 0; i < b.codes; i++)
        take_code(m, &b, b.code[i]);
    if (!b.pause && c->log->errors == errors)
        move(m, &b);
    m->ended = b.ends;
}

void gdyn_gcode_read(gdyn_contour *c) {
    machine m = {.c = c, .motion = -1, .plane = 17, .unit = 0.001};
    c->format = "G-code";
    for (int i = 1; i <= c->source->lines && !m.ended && !c->log->failed && c->log->errors < 50;
         i++)
        read_line(&m, i);
}
