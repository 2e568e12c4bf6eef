/* rests.c - rows of a table at which it comes to rest.
 *
 * A table over time that stands still has equal rows, and one that stops and starts smoothly has
 * steps that grow from the rest like the powers of time: 1, 3, 5 (constant acceleration) or faster.
 * A spline with a continuous second derivative would ring there and turn back and forth by a
 * little, so the table is split: it is constant between equal rows, and begins and ends there with
 * the derivative zero. Rows near to a rest hold rounding rather than motion: as long as the way is
 * a few of the table's last digits, those are left out that a power of time from the rest to a row
 * behind them gives to that digit. */
#include "path/internal.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that differ from a rest by at most as many digits may belong to it, */
static const double DIGITS = 3.5;
/* and so do rows up to that many away, if the power of time through the next row fits to FITS. */
static const double ENOUGH = 20, FITS = 1.5;
/* Speeds grow from a rest by this share of what constant acceleration gives, at least. */
static const double GROWTH = 0.7;
/* Greater powers of time are constant acceleration no longer. */
static const double STEEP = 2.5;
/* Greater powers begin later. */
static const int STEEPEST = 5;
/* Shares by which steps and their growth differ where a motion turns back. */
static const double TURNS = 0.25;
/* Share by which two speeds of a row differ that is not at rest. */
static const double SAME = 0.5;
/* Tables of fewer rows are waypoints. */
enum { DECIMALS = 12 };

typedef struct table {
    int count, columns;
    const double *at, *value; /* values row by row */
    double *digit, *weight;   /* columns */
} table;

/* The last decimal of the values of a column, times `factor`; 0: more than DECIMALS. */
static double last_digit(const table *t, int column, double factor) {
    double unit = 1;
    for (int k = 0, i = 0; k <= DECIMALS && i < t->count; k++) {
        unit = pow(10, -k);
        for (i = 0; i < t->count; i++) {
            double y = t->value[i * t->columns + column] * factor,
                   off = y - unit * nearbyint(y / unit);
            if (fabs(off) > 1e-6 * unit + 4e-16 * fabs(y))
                break;
        }
        if (i == t->count)
            return unit / factor;
    }
    return 0;
}

static double distance(const table *t, int i, int j) {
    double sum = 0;
    for (int c = 0; c < t->columns; c++) {
        double d = t->weight[c] * (t->value[i * t->columns + c] - t->value[j * t->columns + c]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* The largest difference of two rows, in digits. */
static double digits_between(const table *t, int i, int j) {
    double most = 0;
    for (int c = 0; c < t->columns; c++) {
        double d = fabs(t->value[i * t->columns + c] - t->value[j * t->columns + c]);
        if (d > 0)
            most = fmax(most, t->digit[c] > 0 ? d / t->digit[c] : INFINITY);
    }
    return most;
}

/* The last row, in that direction, that is near row i without a gap. */
static int reach(const table *t, int i, int direction) {
    int j = i;
    while (j + direction >= 0 && j + direction < t->count &&
           digits_between(t, i, j + direction) <= DIGITS)
        j += direction;
    return j;
}

/* The power of time since row `rest` with which the distance from row `value` grows; 0: less than
 * from a rest. The first row that counts is `next`, in that direction. */
static double power_of(const table *t, int rest, int value, int next, int direction) {
    int after = next + direction, end = direction > 0 ? t->count - 1 : 0;
    if (after < 0 || after >= t->count)
        return 0;
    /* a row behind `next` at half as much time again */
    while (after != end && fabs(t->at[after] - t->at[rest]) < 1.5 * fabs(t->at[next] - t->at[rest]))
        after += direction;
    double h = fabs(t->at[next] - t->at[rest]), k = fabs(t->at[after] - t->at[next]);
    double first = distance(t, value, next), second = distance(t, next, after);
    if (second / k < GROWTH * (2 + k / h) * first / h)
        return 0;
    return log((first + second) / first) / log((h + k) / h);
}

/* Rows between a rest and row `next` are, but for rounding, where that power of time has them. */
static bool fits(const table *t, int rest, int value, int next, int direction, double power) {
    for (int i = rest + direction; i != next; i += direction) {
        double share = pow((t->at[i] - t->at[rest]) / (t->at[next] - t->at[rest]), power);
        for (int c = 0; c < t->columns; c++) {
            const double *y = t->value + c;
            double from = y[value * t->columns], d = y[next * t->columns] - from;
            if (fabs(from + share * d - y[i * t->columns]) > FITS * t->digit[c])
                return false;
        }
    }
    return true;
}

typedef struct side {
    int edge, to, order; /* where it stands, rows that hold nothing else, power of time */
} side;

/* What begins at row `edge`; rows up to `to` are near to it. Rows that are rounding are left out,
 * as far as a power of time explains them. */
static side leave_from(const table *t, int edge, int to, int value, int direction) {
    int end = direction > 0 ? t->count - 1 : 0;
    side best = {edge, to, 0};
    for (int next = to; next != end;) {
        next += direction;
        double power = power_of(t, edge, value, next, direction);
        if (power > 0 && fits(t, edge, value, next, direction, power))
            best = (side){edge, next - direction, power > STEEP ? (int)fmax(ceil(power), 3) : 2};
        if (digits_between(t, value, next) > ENOUGH)
            break;
    }
    return best;
}

/* It stands on up to the row from which the distance grows like a power that motions have. */
static side leave(const table *t, int last, int to, int value, int direction) {
    side best = leave_from(t, last, to, value, direction);
    while (last != to && (best.order == 0 || best.order > STEEPEST)) {
        last += direction;
        side next = leave_from(t, last, to, value, direction);
        best = next.order ? next : best;
    }
    return best;
}

/* Weighted product of the steps behind rows i and j. */
static double step_product(const table *t, int i, int j) {
    double sum = 0;
    for (int c = 0; c < t->columns; c++) {
        const double *y = t->value + c;
        sum += t->weight[c] * t->weight[c] * (y[(i + 1) * t->columns] - y[i * t->columns]) *
               (y[(j + 1) * t->columns] - y[j * t->columns]);
    }
    return sum;
}

/* Two equal rows with equal steps around them, which a motion that turns back has in its middle. */
static bool turns_back(const table *t, int first) {
    double h = t->at[first + 1] - t->at[first];
    if (first < 2 || first + 3 >= t->count)
        return false;
    for (int i = first - 2; i < first + 3; i++)
        if (fabs(t->at[i + 1] - t->at[i] - h) > TURNS * h)
            return false;
    double before = step_product(t, first - 1, first - 1);
    double behind = step_product(t, first + 1, first + 1);
    double across = step_product(t, first - 1, first + 1);
    /* constant acceleration doubles the steps */
    double more[2] = {step_product(t, first - 2, first - 1) / before,
                      step_product(t, first + 2, first + 1) / behind};
    return before + behind + 2 * across < TURNS * TURNS * (before + behind) &&
           fmin(more[0], more[1]) > 2 * (1 - TURNS) && fmax(more[0], more[1]) < 2 * (1 + TURNS);
}

/* Equal rows are a rest, unless two of them are the middle of a smooth turn. */
static bool stands(const table *t, int first, int last) {
    if (last - first != 1 || first == 0 || last == t->count - 1)
        return last > first;
    bool fine = digits_between(t, first - 1, first) <= ENOUGH ||
                digits_between(t, last, last + 1) <= ENOUGH;
    return step_product(t, first - 1, last) > 0 || (!fine && !turns_back(t, first));
}

/* Speed of a column at row i times the next step, by a polynomial through `rows` on that side. */
static double speed_beside(const table *t, int i, int direction, int rows, int column) {
    const double *y = t->value + column;
    double sum = 0, one = t->at[i + direction] - t->at[i];
    for (int j = 1; j <= rows; j++) {
        double h = t->at[i + j * direction] - t->at[i], share = one / h;
        for (int l = 1; l <= rows; l++) {
            double other = t->at[i + l * direction] - t->at[i];
            share *= l == j ? 1 : other / (other - h);
        }
        sum += share * (y[(i + j * direction) * t->columns] - y[i * t->columns]);
    }
    return direction * sum;
}

/* The rows on both sides of row i (one at an end) give a column the same speed there (beyond
 * rounding and the difference of two degrees): the motion turns beside the row. */
static bool turns_beside(const table *t, int i) {
    enum { ROWS = 3 };
    bool any = false;
    for (int c = 0; c < t->columns; c++) {
        const double *y = t->value + i * t->columns + c;
        double v[2] = {NAN, NAN}, off = 0, most = 0;
        bool moves = true;
        for (int end = 0; end < 2; end++) {
            int direction = end ? 1 : -1;
            if ((end ? t->count - 1 - i : i) < ROWS)
                continue;
            double h = fabs(t->at[i + direction] - t->at[i]);
            double step = fabs(y[direction * t->columns] - y[0]);
            double wide = speed_beside(t, i, direction, ROWS, c);
            double narrow = speed_beside(t, i, direction, ROWS - 1, c);
            moves = moves && fabs(wide) > fmax(4 * DIGITS * t->digit[c], 1e-9 * step);
            v[end] = wide / h;
            off = fmax(off, fabs(narrow - wide) / h), most = fmax(most, fabs(v[end]));
        }
        any |= moves && off < SAME * most && !(fabs(v[0] - v[1]) > SAME * most);
    }
    return any;
}

/* The rest around row i; false when there is none. */
static bool find_at(const table *t, int i, gdyn_table_rest *rest) {
    int from = reach(t, i, -1), to = reach(t, i, 1), first = i, last = i;
    /* the longest run of equal rows */
    for (int a = from, b; a < to; a = b + 1) {
        for (b = a; b < to && distance(t, a, b + 1) == 0;)
            b++;
        if (b - a > last - first)
            first = a, last = b;
    }
    if (last > first)
        from = reach(t, first, -1), to = reach(t, last, 1);
    else if (from > 0 && to + 1 < t->count)
        first = last = (from + to) / 2;
    else
        first = last = from == 0 ? 0 : t->count - 1;
    /* nothing comes before the first row, nothing after the last */
    bool begins = from == 0, ends = to == t->count - 1, still = stands(t, first, last);
    if (begins && ends)
        return false;
    side before = {first, from, 0}, behind = {last, to, 0};
    /* between few rows nothing shows but that rows are equal; there the spline is clamped */
    if (!begins && t->count >= GDYN_TABLE_DENSE)
        before = leave(t, first, from, first, -1);
    if (!ends && t->count >= GDYN_TABLE_DENSE)
        behind = leave(t, last, to, first, 1);
    if (still && t->count < GDYN_TABLE_DENSE)
        before.order = behind.order = 2;
    if (first == last && t->count >= GDYN_TABLE_DENSE && turns_beside(t, first))
        return false;
    *rest = (gdyn_table_rest){.first = before.edge,
                              .last = behind.edge,
                              .from = before.to,
                              .to = behind.to,
                              .value = first,
                              .order = {before.order, behind.order}};
    /* standing, and moving at once */
    return (begins || before.order || (still && from == first)) &&
           (ends || behind.order || (still && to == last));
}

gdyn_status gdyn_table_rests(const gdyn_table_def *def, gdyn_table_rest **rest, int *rests) {
    table t = {
        .count = def->count, .columns = def->columns, .at = def->knots, .value = def->values};
    int room = 0, count = def->count;
    *rest = NULL;
    *rests = 0;
    if (!(t.digit = gdyn_alloc(2 * (size_t)t.columns, sizeof *t.digit)))
        return GDYN_ERROR_MEMORY;
    t.weight = t.digit + t.columns;
    /* Lengths and angles are compared with their largest range. Angles may be in degrees. */
    double range[2] = {0, 0};
    for (int c = 0; c < t.columns; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < t.count; i++) {
            double y = t.value[i * t.columns + c];
            low = fmin(low, y), high = fmax(high, y);
        }
        t.digit[c] = last_digit(&t, c, 1);
        if (def->angle[c])
            t.digit[c] = fmax(t.digit[c], last_digit(&t, c, 180 / GDYN_PI));
        range[def->angle[c]] = fmax(range[def->angle[c]], high - low);
    }
    for (int c = 0; c < t.columns; c++)
        t.weight[c] = range[def->angle[c]] > 0 ? 1 / range[def->angle[c]] : 0;
    for (int i = 0; count > 2 && i < count;) {
        gdyn_table_rest found;
        if (!find_at(&t, i, &found)) {
            i++;
            continue;
        }
        if (!gdyn_reserve(rest, &room, *rests + 1, sizeof **rest)) {
            gdyn_free(t.digit);
            return GDYN_ERROR_MEMORY;
        }
        i = found.to + 1;
        (*rest)[(*rests)++] = found;
    }
    gdyn_free(t.digit);
    return GDYN_OK;
}

/* --- noise ------------------------------------------------------------------------------------ */

/* Rows from which on noise is looked for; the quantile of |x| / sigma that 2 of 3 rows stay below;
 * two estimates of sigma by polynomials of degree 3 and 5 that agree so far are no motion. */
enum { NOISY_ROWS = 100 };
static const double QUANTILE = 0.967, AGREES = 0.5;

/* What row i misses the polynomial through `reach` rows on either side by, over the standard
 * deviation that errors of one in all of them give. */
static double scatter_at(const table *t, int i, int reach, int column) {
    const double *y = t->value + column, *x = t->at;
    double sum = y[i * t->columns], gain = 1;
    for (int j = i - reach; j <= i + reach; j++) {
        double share = 1;
        for (int l = i - reach; l <= i + reach && j != i; l++)
            share *= l == j || l == i ? 1 : (x[i] - x[l]) / (x[j] - x[l]);
        sum -= j == i ? 0 : share * y[j * t->columns];
        gain += j == i ? 0 : share * share;
    }
    return fabs(sum) / sqrt(gain);
}

gdyn_status gdyn_table_noise_find(const gdyn_table_def *def, gdyn_table_noise *worst) {
    table t = {
        .count = def->count, .columns = def->columns, .at = def->knots, .value = def->values};
    *worst = (gdyn_table_noise){0};
    double *off = gdyn_alloc((size_t)t.count, sizeof *off), bend[2] = {0, 0};
    double h = (t.at[t.count - 1] - t.at[0]) / (t.count - 1);
    for (int c = 0; c < t.columns; c++)
        for (int i = 1; i + 1 < t.count; i++) {
            double change = speed_beside(&t, i, 1, 1, c) / (t.at[i + 1] - t.at[i]) -
                            speed_beside(&t, i, -1, 1, c) / (t.at[i] - t.at[i - 1]);
            bend[def->angle[c]] = fmax(bend[def->angle[c]], fabs(change));
        }
    for (int c = 0; off && def->given && t.count >= NOISY_ROWS && c < t.columns; c++) {
        double sigma[2], share;
        for (int reach = 3; reach >= 2; reach--) {
            int rows = t.count - 2 * reach;
            for (int i = 0; i < rows; i++)
                off[i] = scatter_at(&t, i + reach, reach, c);
            qsort(off, (size_t)rows, sizeof *off, gdyn_ascending);
            sigma[reach - 2] = off[2 * rows / 3] / QUANTILE;
        }
        /* second differences of noise: sqrt(6) sigma, thrice among many; the spline's 6 sigma */
        share = 3 * sqrt(6) * sigma[1] / (h * bend[def->angle[c]]);
        if (sigma[1] > AGREES * sigma[0] && share > worst->share)
            *worst = (gdyn_table_noise){c, sigma[1], 6 * sigma[1] / (h * h), fmin(share, 1)};
    }
    gdyn_free(off);
    return off ? GDYN_OK : GDYN_ERROR_MEMORY;
}
