/* spline.c - cubic splines through tables (GSL), and the arc length of the curve they make.
 *
 * Each column is a natural cubic spline over the knots u, or a periodic one when the table closes.
 * Arc length s(u) = integral |x_u| du, piece by piece between knots (the integrand is smooth
 * there), by Gauss-Legendre rules of 16 points on halved pieces until two levels agree to 1e-14 of
 * the piece. The inverse u(s) is found by Newton's method inside the piece, to rounding; so R(s),
 * and R', R'' by the chain rule, are accurate to about 1e-13 of the curve's size. */
#include "path/internal.h"
#include "base/memory.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_interp.h>
#include <math.h>
#include <string.h>

/* Relative accuracy of lengths, and of the parameter at a length: rounding. */
static const double LENGTH_ERROR = 1e-14, KNOT_ERROR = 1e-15;

enum { RULE = 16, HALVINGS = 12 };

struct gdyn_table {
    int count, columns;
    double *knots;  /* count */
    double *values; /* count x columns, a column after the other */
    double *at;     /* count: arc length at the knots */
    gsl_interp **spline;
    gsl_integration_glfixed_table *rule;
};

/* |dR/du| of the first three columns. */
static double speed(const gdyn_table *t, double u) {
    double sum = 0;
    for (int c = 0; c < 3 && c < t->columns; c++) {
        double jet[3];
        gdyn_table_jet(t, c, u, jet);
        sum += jet[1] * jet[1];
    }
    return sqrt(sum);
}

static double integrand(double u, void *context) {
    return speed(context, u);
}

static double integrate(const gdyn_table *t, double from, double to) {
    gsl_function f = {integrand, (void *)t};
    return gsl_integration_glfixed(&f, from, to, t->rule);
}

/* Length between two parameters inside one piece. */
static double piece_length(const gdyn_table *t, double from, double to, double whole, int depth) {
    double middle = 0.5 * (from + to);
    double left = integrate(t, from, middle), right = integrate(t, middle, to);
    if (depth >= HALVINGS || fabs(left + right - whole) <= LENGTH_ERROR * whole)
        return left + right;
    return piece_length(t, from, middle, left, depth + 1) +
           piece_length(t, middle, to, right, depth + 1);
}

static double length_between(const gdyn_table *t, double from, double to) {
    return piece_length(t, from, to, integrate(t, from, to), 0);
}

/* The first and the last row agree: the spline joins there. */
static bool periodic(const gdyn_table *t) {
    bool same = t->count > 3;
    for (int c = 0; c < t->columns; c++)
        same = same && t->values[(size_t)t->count * c] == t->values[(size_t)t->count * (c + 1) - 1];
    return same;
}

/* Knots, columns, lengths, and the rule of integration. */
static bool allocate(gdyn_table *t) {
    size_t count = (size_t)t->count, columns = (size_t)t->columns;
    t->knots = gdyn_alloc(count, sizeof(double));
    t->values = gdyn_alloc(count * columns, sizeof(double));
    t->at = gdyn_alloc(count, sizeof(double));
    t->spline = gdyn_alloc(columns, sizeof *t->spline);
    t->rule = gsl_integration_glfixed_table_alloc(RULE);
    return t->knots && t->values && t->at && t->spline && t->rule;
}

/* Lines through two points; cubic splines, periodic where the table is. */
static bool make_splines(gdyn_table *t) {
    const gsl_interp_type *type = t->count < 3  ? gsl_interp_linear
                                  : periodic(t) ? gsl_interp_cspline_periodic
                                                : gsl_interp_cspline;
    for (int c = 0; c < t->columns; c++) {
        t->spline[c] = gsl_interp_alloc(type, (size_t)t->count);
        if (!t->spline[c] || gsl_interp_init(t->spline[c], t->knots,
                                             t->values + (size_t)t->count * c, (size_t)t->count))
            return false;
    }
    return true;
}

/* A table of splines over common knots. */
gdyn_table *gdyn_table_create(int count, int columns, const double *knots, const double *values) {
    gsl_set_error_handler_off(); /* errors come back as codes; GSL would end the program */
    gdyn_table *t = gdyn_alloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->count = count;
    t->columns = columns;
    if (!allocate(t)) {
        gdyn_table_destroy(t);
        return NULL;
    }
    /* columns one behind the other, for GSL */
    memcpy(t->knots, knots, (size_t)count * sizeof *knots);
    for (int i = 0; i < count; i++)
        for (int c = 0; c < columns; c++)
            t->values[i + (size_t)count * c] = values[c + (size_t)columns * i];
    if (!make_splines(t)) {
        gdyn_table_destroy(t);
        return NULL;
    }
    /* arc length at the knots */
    for (int i = 1; i < count; i++)
        t->at[i] = t->at[i - 1] + length_between(t, knots[i - 1], knots[i]);
    return t;
}

/* Safe on a partly made table. */
void gdyn_table_destroy(gdyn_table *t) {
    if (!t)
        return;
    for (int c = 0; t->spline && c < t->columns; c++)
        if (t->spline[c])
            gsl_interp_free(t->spline[c]);
    if (t->rule)
        gsl_integration_glfixed_table_free(t->rule);
    gdyn_free(t->spline);
    gdyn_free(t->knots);
    gdyn_free(t->values);
    gdyn_free(t->at);
    gdyn_free(t);
}

/* Value and derivatives; constant beyond the ends. */
void gdyn_table_jet(const gdyn_table *t, int column, double u, double jet[3]) {
    const double *y = t->values + (size_t)t->count * column;
    u = fmin(fmax(u, t->knots[0]), t->knots[t->count - 1]);
    gsl_interp_eval_e(t->spline[column], t->knots, y, u, NULL, &jet[0]);
    gsl_interp_eval_deriv_e(t->spline[column], t->knots, y, u, NULL, &jet[1]);
    gsl_interp_eval_deriv2_e(t->spline[column], t->knots, y, u, NULL, &jet[2]);
}

double gdyn_table_length(const gdyn_table *t) {
    return t->at[t->count - 1];
}

double gdyn_table_knot(const gdyn_table *t, int i, bool length) {
    return length ? t->at[i] : t->knots[i];
}

/* u at an arc length. */
double gdyn_table_at_length(const gdyn_table *t, double s) {
    int last = t->count - 1, i = 0;
    if (!(s > 0))
        return t->knots[0];
    if (s >= t->at[last])
        return t->knots[last];
    /* the piece, by bisection on the lengths of the knots */
    for (int high = last; high - i > 1;) {
        int middle = (i + high) / 2;
        if (t->at[middle] <= s)
            i = middle;
        else
            high = middle;
    }
    /* inside of it Newton's method, kept within a bracket */
    double low = t->knots[i], high = t->knots[i + 1], rest = s - t->at[i];
    double u = low + (high - low) * rest / (t->at[i + 1] - t->at[i]);
    for (int k = 0; k < 60; k++) {
        double error = length_between(t, t->knots[i], u) - rest;
        if (error > 0)
            high = u;
        else
            low = u;
        double next = u - error / speed(t, u);
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        if (fabs(next - u) <= KNOT_ERROR * fabs(t->knots[last] - t->knots[0]))
            return next;
        u = next;
    }
    return u;
}
