/* gcode.c - the motions of a program for a milling machine (RS274/NGC; ISO 6983): G0, G1, G2, G3 in a plane of G17, G18 or G19,
 * in mm or inches (G21, G20), absolute or incremental (G90, G91). What else would change where the tool goes is refused; feeds,
 * spindle, coolant and the like are dropped.
 *
 * An arc goes about I, J, K from its start (G91.1) or about that point (G90.1), or has the radius R: the short one, a negative R the long
 * one. G2 is clockwise, seen from the positive end of the axis that is normal to the plane. */
#include "import/contour.h"

#include "base/pi.h"
#include "expr/code.h"
#include "linalg/vec3.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct block { /* a line of the program */
    const gdyn_xml *at;
    double value[26];
    bool given[26];
    bool pause; /* its words belong to no motion */
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
    int offset;  /* 540..590, 0: none was stated */
    bool ended;  /* by M2 or M30 */
} machine;

/* --- words ------------------------------------------------------------------------------------------ */

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

/* Codes that change nothing here. */
static bool is_harmless(int code) {
    /* dwell, exact stop, plane and polar off, tool length, cycles off, path control, feeds, spindle, return levels */
    static const int codes[] = {40,  90,  150, 400, 430, 490, 500, 610, 611,
                                640, 800, 930, 940, 950, 960, 970, 980, 990};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* One system of coordinates is as good as another; two are not. */
static void take_offset(machine *m, const block *b, int code) {
    if (m->offset != 0 && m->offset != code)
        gdyn_robot_error(m->c->log, b->at, "end one path here and begin another",
                         "G%d after G%d: where the one lies in the other is not known", code / 10,
                         m->offset / 10);
    m->offset = code;
}

/* A word G; ten times its number. */
static void take_code(machine *m, block *b, int code) {
    gdyn_robot *log = m->c->log;
    if (code % 10 == 0 && code >= 0 && code <= 30) {
        m->motion = code / 10;
    } else if (code == 170 || code == 180 || code == 190) {
        m->plane = code / 10;
    } else if (code == 200 || code == 210) {
        m->unit = code == 200 ? 0.0254 : 0.001;
    } else if (code == 900 || code == 910) {
        m->relative = code == 910;
    } else if (code == 901 || code == 911) {
        m->centre_absolute = code == 901;
    } else if (code == 410 || code == 420) {
        gdyn_robot_remark_at(log, "assumed", b->at, "G%d: the path is that of the tool's centre",
                             code / 10);
    } else if (code == 530) {
        b->pause = true;
        m->away = m->placed;
        gdyn_robot_remark_at(log, "dropped", b->at, "a motion in coordinates of the machine (G53)");
    } else if (code % 10 == 0 && code >= 540 && code <= 590) {
        take_offset(m, b, code);
    } else if (is_harmless(code)) {
        b->pause = b->pause || code == 40;
        if (code != 800 && code != 400)
            gdyn_robot_remark_at(log, "dropped", b->at, "G%g", code / 10.0);
    } else {
        gdyn_robot_error(log, b->at, "write the motion as G0, G1, G2 and G3",
                         "G%g is not read, and may change where the tool goes", code / 10.0);
    }
}

/* A word M: the end of the program, calls of other ones, or what switches something. */
static void take_function(machine *m, const block *b, int number) {
    gdyn_robot *log = m->c->log;
    m->ended = m->ended || number == 2 || number == 30;
    if (number >= 97 && number <= 99)
        gdyn_robot_error(log, b->at, "expand the program first",
                         "M%d leads to another part of the program", number);
    else
        gdyn_robot_remark_at(log, "dropped", b->at, "words M");
}

static void take_word(machine *m, block *b, char letter, double value) {
    gdyn_robot *log = m->c->log;
    if (letter == 'G') {
        take_code(m, b, (int)lround(fmin(fmax(10 * value, -10), 9990)));
    } else if (letter == 'M') {
        take_function(m, b, (int)lround(fmin(fmax(value, -1), 9999)));
    } else if (strchr("XYZIJKRP", letter)) {
        if (b->given[letter - 'A'])
            gdyn_robot_error(log, b->at, NULL, "%c stands twice in one line", letter);
        b->given[letter - 'A'] = true;
        b->value[letter - 'A'] = value;
    } else if (letter != 'N' && letter != 'O') {
        gdyn_robot_remark_at(log, "dropped", b->at,
                             strchr("ABCUVW", letter) ? "the axis %c" : "words %c", letter);
    }
}

/* All words of a line; false after a complaint. */
static bool read_words(machine *m, block *b, const char *text) {
    gdyn_robot *log = m->c->log;
    while (*text) {
        char letter = *text++;
        double value;
        int sign = *text == '-' || *text == '+', n = gdyn_scan_number(text + sign, &value);
        if (letter == '#' || letter == '[' || *text == '#' || *text == '[') {
            gdyn_robot_error(log, b->at, "expand the program first",
                             "parameters and expressions are not read");
            return false;
        }
        if (!isalpha((unsigned char)letter) || n == 0 || !isfinite(value)) {
            gdyn_robot_error(log, b->at, NULL, "expected a letter and a number at '%s'",
                             gdyn_robot_shown(log, text - 1));
            return false;
        }
        value = *text == '-' ? -value : value;
        text += sign + n;
        take_word(m, b, letter, value);
    }
    return true;
}

/* --- motions ---------------------------------------------------------------------------------------- */

/* The axes of the plane: two in it and the normal, right-handed. */
static void plane_axes(int plane, int axis[3]) {
    int first = plane == 17 ? 0 : plane == 18 ? 2 : 1;
    for (int i = 0; i < 3; i++)
        axis[i] = (first + i) % 3;
}

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

/* Centre from I, J, K, moved to equal distances from both ends; false after a complaint. */
static bool centre_of_offsets(const machine *m, const block *b, const int axis[3],
                              const double from[2], const double to[2], double centre[2]) {
    for (int i = 0; i < 2; i++) {
        int letter = 'I' - 'A' + axis[i];
        double given = b->given[letter] ? b->value[letter] * m->unit : 0;
        centre[i] = m->centre_absolute ? (b->given[letter] ? given : from[i]) : from[i] + given;
    }
    double start = hypot(from[0] - centre[0], from[1] - centre[1]);
    double end = hypot(to[0] - centre[0], to[1] - centre[1]);
    if (!(start > 1e-12) || fabs(start - end) > fmax(2e-5, 1e-3 * start)) {
        gdyn_robot_error(m->c->log, b->at, NULL,
                         "the centre is %.6g mm from the start of the arc and %.6g mm from its end",
                         1e3 * start, 1e3 * end);
        return false;
    }
    double d[2] = {to[0] - from[0], to[1] - from[1]}, square = d[0] * d[0] + d[1] * d[1];
    double off = square > 0 ? ((centre[0] - 0.5 * (from[0] + to[0])) * d[0] +
                               (centre[1] - 0.5 * (from[1] + to[1])) * d[1]) /
                                  square
                            : 0;
    centre[0] -= off * d[0];
    centre[1] -= off * d[1];
    return true;
}

static void add_arc(machine *m, const block *b, const double to[3]) {
    int axis[3];
    plane_axes(m->plane, axis);
    double from2[2] = {m->x[axis[0]], m->x[axis[1]]}, to2[2] = {to[axis[0]], to[axis[1]]},
           centre[2];
    bool clockwise = m->motion == 2, whole = hypot(to2[0] - from2[0], to2[1] - from2[1]) < 1e-12;
    if (b->given['R' - 'A']) {
        if (!centre_of_radius(from2, to2, b->value['R' - 'A'] * m->unit, clockwise, centre)) {
            gdyn_robot_error(m->c->log, b->at, NULL, "no arc of the radius R has these ends");
            return;
        }
    } else if (!centre_of_offsets(m, b, axis, from2, to2, centre)) {
        return;
    }
    gdyn_contour_piece piece = {.at = b->at};
    double u[2] = {from2[0] - centre[0], from2[1] - centre[1]};
    double start = atan2(u[1], u[0]), end = atan2(to2[1] - centre[1], to2[0] - centre[0]);
    double turns = b->given['P' - 'A'] ? fmin(fmax(floor(b->value['P' - 'A']) - 1, 0), 1000) : 0;
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
    if (!any && !(arc && (b->given['I' - 'A'] || b->given['J' - 'A'] || b->given['K' - 'A'])))
        return;
    if (m->motion < 0) {
        gdyn_robot_error(log, b->at, NULL, "coordinates without G0, G1, G2 or G3");
    } else if (m->away) {
        gdyn_robot_error(log, b->at, "end the program before G53",
                         "a motion in coordinates of the machine (G53) came before: where this one "
                         "begins is not known");
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
    enum { LONGEST = 1000 };
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
    if (read_words(m, &b, text) && !b.pause)
        move(m, &b);
}

void gdyn_gcode_read(gdyn_contour *c) {
    machine m = {.c = c, .motion = -1, .plane = 17, .unit = 0.001};
    c->format = "G-code";
    for (int i = 1; i <= c->source->lines && !m.ended && !c->log->failed && c->log->errors < 50;
         i++)
        read_line(&m, i);
}
