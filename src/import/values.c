/* values.c - numbers of attributes. */
#include "import/robot.h"

#include "expr/code.h"

#include <math.h>
#include <string.h>

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* One number with its sign; bytes read, 0: it is none. */
static int scan(const char *text, double *value) {
    int sign = text[0] == '-' || text[0] == '+';
    int n = gdyn_scan_number(text + sign, value);
    if (n == 0 || !isfinite(*value) || (text[sign + n] && !blank(text[sign + n])))
        return 0;
    *value = text[0] == '-' ? -*value : *value;
    return sign + n;
}

/* Most is the room in values; the number of numbers, or -1: some word is no finite number. */
static int read_list(const char *text, int most, double *values) {
    int count = 0;
    for (;;) {
        double value;
        while (blank(*text))
            text++;
        if (!*text)
            return count;
        int n = scan(text, &value);
        if (n == 0)
            return -1;
        if (count < most)
            values[count] = value;
        count++;
        text += n;
    }
}

bool gdyn_robot_numbers(gdyn_robot *robot, const gdyn_xml *at, const char *what, const char *text,
                        int count, double *values) {
    enum { MOST = 16 };
    double found[MOST];
    int n = read_list(text, MOST, found);
    if (n == count) {
        memcpy(values, found, (size_t)count * sizeof *values);
        return true;
    }
    const char *help = strstr(text, "${") ? "this is a xacro file: run xacro on it first" : NULL;
    if (n < 0)
        gdyn_robot_error(robot, at, help, "%s of <%s> is '%s', not %s", what, at->name,
                         gdyn_robot_shown(robot, text),
                         count == 1 ? "a finite number" : "finite numbers");
    else
        gdyn_robot_error(robot, at, help, "%s of <%s> has %d number%s, not %d", what, at->name, n,
                         gdyn_plural(n), count);
    return false;
}

bool gdyn_robot_attribute(gdyn_robot *robot, const gdyn_xml *at, const char *name, int count,
                          double *values) {
    const char *text = gdyn_xml_get(at, name);
    return !text || gdyn_robot_numbers(robot, at, name, text, count, values);
}
