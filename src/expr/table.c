/* table.c - a table in one variable as an expression: linear between its rows, or the natural
 * cubic spline through them.
 *
 * With h_i = x_i+1 - x_i the spline's second derivatives s follow from h_i-1 s_i-1 + 2 (h_i-1 +
 * h_i) s_i + h_i s_i+1 = 6 ((y_i+1 - y_i)/h_i - (y_i - y_i-1)/h_i-1), s = 0 at both ends. Beyond
 * its ends it goes on as a straight line, with continuous second derivatives; the linear table
 * stays constant. A cubic with given second derivatives may have the same x twice. */
#include "code.h"

#include "base/memory.h"

/* The knots' second derivatives; room: count. */
static void bend(int count, gdyn_knot *k, double *room) {
    /* rows of the tridiagonal system, eliminated on the way */
    for (int i = 1; i + 1 < count; i++) {
        double before = k[i].x - k[i - 1].x, behind = k[i + 1].x - k[i].x;
        double rise = 6 * ((k[i + 1].y - k[i].y) / behind - (k[i].y - k[i - 1].y) / before);
        double pivot = 2 * (before + behind) - before * room[i - 1];
        room[i] = behind / pivot;
        k[i].bend = (rise - before * k[i - 1].bend) / pivot;
    }
    /* back substitution */
    for (int i = count - 2; i > 0; i--)
        k[i].bend -= room[i] * k[i + 1].bend;
}

/* The rows as an expression; bend NULL: zeros. */
static gdyn_expr *make(int count, const double *x, const double *y, const double *bend) {
    gdyn_expr *expr = gdyn_alloc(1, sizeof *expr);
    gdyn_knot *knot = gdyn_alloc((size_t)count, sizeof *knot);
    if (!expr || !knot) {
        gdyn_free(expr);
        gdyn_free(knot);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        knot[i] = (gdyn_knot){.x = x[i], .y = y[i], .bend = bend ? bend[i] : 0};
    *expr = (gdyn_expr){.knots = count, .knot = knot, .smooth = true};
    expr->dimension = GDYN_DIM_UNKNOWN;
    return expr;
}

gdyn_expr *gdyn_expr_table(int count, const double *x, const double *y, bool smooth) {
    double *room = gdyn_alloc((size_t)count, sizeof *room);
    gdyn_expr *expr = room ? make(count, x, y, NULL) : NULL;
    if (expr && smooth)
        bend(count, expr->knot, room);
    if (expr)
        expr->smooth = smooth;
    gdyn_free(room);
    return expr;
}

gdyn_expr *gdyn_expr_cubic(int count, const double *x, const double *y, const double *bend) {
    return make(count, x, y, bend);
}

void gdyn_expr_table_jet(const gdyn_expr *expr, double x, double jet[3]) {
    const gdyn_knot *k = expr->knot;
    int low = 0, high = expr->knots - 1;
    bool outside = x < k[0].x || x > k[high].x;
    /* the piece by bisection */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (k[middle].x <= x)
            low = middle;
        else
            high = middle;
    }
    const gdyn_knot *a = &k[low], *b = &k[high];
    double end = x < a->x ? a->x : x > b->x ? b->x : x; /* the nearest place of the table */
    double h = b->x - a->x, u = (end - a->x) / h, v = 1 - u;
    /* cubic from the ends' values and second derivatives, and its derivatives */
    jet[0] =
        v * a->y + u * b->y + h * h / 6 * ((v * v - 1) * v * a->bend + (u * u - 1) * u * b->bend);
    jet[1] = (b->y - a->y) / h + h / 6 * ((1 - 3 * v * v) * a->bend + (3 * u * u - 1) * b->bend);
    jet[2] = v * a->bend + u * b->bend;
    /* beyond the ends: constant, or along the end's slope */
    if (outside && !expr->smooth)
        jet[1] = 0;
    jet[0] += jet[1] * (x - end);
}
