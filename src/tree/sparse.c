/* sparse.c - Gaussian elimination of sparse conditions, see internal.h. */
#include "tree/internal.h"

#include <math.h>
#include <string.h>

/* A pivot's smallest share of its row: entries of U over their pivots stay below its inverse, and
 * an elimination step enlarges entries at most by 1 + 1 / 0.6. Of a rook pivot the smallest share
 * of its column, which bounds the multipliers. */
static const double SHARE_OF_ROW = 0.6, SHARE_OF_COLUMN = 0.5;
/* Smaller shares of the stage's largest entry are left to complete pivoting. */
static const double SOUND = 1e-3;
/* Rows that are looked at per pivot, and the number of rows left from which on all of them are. */
enum { CANDIDATES = 4, FEW = 8 };

static double *row_at(const gdyn_sparse *s, int row) {
    return s->at + (size_t)s->columns * (size_t)row;
}

static int *row_where(const gdyn_sparse *s, int row) {
    return s->where + (size_t)s->columns * (size_t)row;
}

static int *row_list(const gdyn_sparse *s, int row) {
    return s->list + (size_t)s->columns * (size_t)row;
}

static int *column_members(const gdyn_sparse *s, int column) {
    return s->member + (size_t)s->most_rows * (size_t)column;
}

/* --- storage ---------------------------------------------------------------------------------- */

bool gdyn_sparse_create(gdyn_arena *arena, gdyn_sparse *s, int most_rows, int columns) {
    size_t rows = (size_t)most_rows + 1, width = (size_t)columns + 1;
    size_t steps = rows < width ? rows : width;
    *s = (gdyn_sparse){.columns = columns, .most_rows = most_rows};
    s->at = gdyn_arena_doubles(arena, rows * width);
    s->pivot = gdyn_arena_doubles(arena, steps);
    s->times = gdyn_arena_doubles(arena, rows * steps);
    s->settled = gdyn_arena_alloc(arena, rows, sizeof *s->settled);
    struct {
        int **list;
        size_t count;
    } ints[] = {{&s->list, rows * width},   {&s->where, rows * width}, {&s->count, rows},
                {&s->member, rows * width}, {&s->members, width},      {&s->weight, width},
                {&s->row, steps},           {&s->column, steps},       {&s->first, steps + 1},
                {&s->target, rows * steps}, {&s->row_of, width},       {&s->waiting, rows},
                {&s->place, rows},          {&s->live, rows},          {&s->head, width},
                {&s->next, rows},           {&s->before, rows}};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i].list = gdyn_arena_alloc(arena, ints[i].count, sizeof(int));
    if (gdyn_arena_failed(arena))
        return false;
    for (int c = 0; c <= columns; c++)
        s->head[c] = s->row_of[c] = -1;
    return true;
}

void gdyn_sparse_clear(gdyn_sparse *s, int rows) {
    /* entries that are left are the listed ones */
    for (int i = 0; i < s->rows; i++) {
        int *where = row_where(s, i);
        const int *list = row_list(s, i);
        for (int k = 0; k < s->count[i]; k++)
            where[list[k]] = 0;
    }
    s->rows = rows, s->steps = s->active = s->first[0] = 0, s->by_fill = false;
    for (int i = 0; i < rows; i++)
        s->count[i] = 0, s->settled[i] = false, s->place[i] = -1, s->before[i] = -2;
    for (int c = 0; c < s->columns; c++)
        s->members[c] = s->weight[c] = 0, s->row_of[c] = -1;
}

/* An entry where there was none. */
static void append(gdyn_sparse *s, int row, int column, double value) {
    int k = s->count[row]++;
    row_at(s, row)[k] = value;
    row_list(s, row)[k] = column;
    row_where(s, row)[column] = k + 1;
    column_members(s, column)[s->members[column]++] = row;
    s->weight[column]++;
}

void gdyn_sparse_add(gdyn_sparse *s, int row, int column, double value) {
    int k = row_where(s, row)[column];
    if (k > 0)
        row_at(s, row)[k - 1] += value;
    else
        append(s, row, column, value);
}

/* --- rows by their number of live entries ----------------------------------------------------- */

static void leave_list(gdyn_sparse *s, int row) {
    int before = s->before[row], next = s->next[row];
    if (before == -2)
        return;
    if (before >= 0)
        s->next[before] = next;
    else
        s->head[s->live[row]] = next;
    if (next >= 0)
        s->before[next] = before;
    s->before[row] = -2;
}

/* Rows without live entries are in no list, and none is once few are left. */
static void join_list(gdyn_sparse *s, int row) {
    int *head = &s->head[s->live[row]];
    if (s->live[row] == 0 || s->active <= FEW)
        return;
    s->next[row] = *head, s->before[row] = -1;
    if (*head >= 0)
        s->before[*head] = row;
    *head = row;
}

static bool usable(const gdyn_sparse *s, int column) {
    return !s->barred || !s->barred[column];
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Takes an entry out; returns its value. */
static double take_out(gdyn_sparse *s, int row, int column) {
    double *at = row_at(s, row);
    int *list = row_list(s, row), *where = row_where(s, row);
    int k = where[column] - 1, last = --s->count[row];
    double value = at[k];
    /* the last one takes its place */
    at[k] = at[last];
    list[k] = list[last];
    where[list[k]] = k + 1;
    where[column] = 0;
    return value;
}

/* Row -= times the pivot's row, whose pivot is already taken out. */
static void subtract(gdyn_sparse *s, int row, int pivot_row, double times) {
    double *at = row_at(s, row);
    const double *from = row_at(s, pivot_row);
    const int *where = row_where(s, row), *list = row_list(s, pivot_row);
    for (int k = 0; k < s->count[pivot_row]; k++) {
        int place = where[list[k]];
        if (place > 0) {
            at[place - 1] -= times * from[k];
            continue;
        }
        append(s, row, list[k], -times * from[k]);
        s->live[row] += usable(s, list[k]);
    }
}

/* One step of Gauss: all rows without a pivot, of this stage and of later ones, lose the column. */
static void eliminate(gdyn_sparse *s, int row, int column) {
    double pivot = take_out(s, row, column);
    int step = s->steps++, used = s->first[step];
    const int *member = column_members(s, column);
    leave_list(s, row);
    s->row[step] = row, s->column[step] = column, s->pivot[step] = pivot;
    s->settled[row] = true, s->row_of[column] = row;
    /* out of the stage, and out of its columns */
    int last = s->waiting[--s->active];
    s->waiting[s->place[row]] = last;
    s->place[last] = s->place[row];
    for (int k = 0; k < s->count[row]; k++)
        s->weight[row_list(s, row)[k]]--;
    for (int k = 0; k < s->members[column]; k++) {
        int other = member[k];
        if (s->settled[other] || row_where(s, other)[column] == 0)
            continue;
        double times = take_out(s, other, column) / pivot;
        bool waits = s->place[other] >= 0;
        if (waits)
            leave_list(s, other);
        s->live[other]--;
        s->target[used] = other;
        s->times[used++] = times;
        subtract(s, other, row, times);
        if (waits)
            join_list(s, other);
    }
    s->first[step + 1] = used;
}

/* --- the choice of pivots --------------------------------------------------------------------- */

/* Largest entry of the stage, and where; 0: none. */
static double find_greatest(const gdyn_sparse *s, int *row, int *column) {
    double best = 0;
    for (int i = 0; i < s->active; i++) {
        int r = s->waiting[i];
        const double *at = row_at(s, r);
        const int *list = row_list(s, r);
        for (int k = 0; k < s->count[r]; k++) {
            double size = fabs(at[k]);
            if (size > best && usable(s, list[k])) {
                best = size;
                *row = r, *column = list[k];
            }
        }
    }
    return best;
}

/* Whether an entry of that size is sound in its column, among the rows of the stage. */
static bool stands_out(const gdyn_sparse *s, int column, double size) {
    const int *member = column_members(s, column);
    for (int k = 0; s->rook && k < s->members[column]; k++) {
        int row = member[k], place = row_where(s, row)[column];
        if (s->place[row] >= 0 && !s->settled[row] && place > 0 &&
            SHARE_OF_COLUMN * fabs(row_at(s, row)[place - 1]) > size)
            return false;
    }
    return true;
}

/* The best pivot of a row by the fill that it may cause: its column, -1: none is sound. */
static int best_of_row(const gdyn_sparse *s, int row, double least, double *cost) {
    const double *at = row_at(s, row);
    const int *list = row_list(s, row);
    double most = 0, size = 0;
    int best = -1;
    for (int k = 0; k < s->count[row]; k++)
        if (usable(s, list[k]))
            most = fabs(at[k]) > most ? fabs(at[k]) : most;
    least = SHARE_OF_ROW * most > least ? SHARE_OF_ROW * most : least;
    for (int k = 0; k < s->count[row]; k++) {
        int c = list[k];
        if (!usable(s, c) || !(fabs(at[k]) >= least) || at[k] == 0)
            continue;
        /* few entries, then great ones */
        double fill = (double)(s->live[row] - 1) * (s->weight[c] - 1);
        bool better = best < 0 || fill < *cost || (fill == *cost && fabs(at[k]) > size);
        if (better && stands_out(s, c, fabs(at[k]))) {
            best = c;
            *cost = fill;
            size = fabs(at[k]);
        }
    }
    return best;
}

/* A sound pivot in one of the shortest rows; false: none. */
static bool find_sparse(gdyn_sparse *s, double least, int *row, int *column) {
    double best = INFINITY;
    int seen = 0;
    for (int live = 1; live <= s->columns && seen < CANDIDATES; live++) {
        for (int r = s->head[live], next; r >= 0 && seen < CANDIDATES; r = next) {
            double cost = 0;
            int c = best_of_row(s, r, least, &cost);
            next = s->next[r];
            if (c < 0) { /* until it changes */
                leave_list(s, r);
                continue;
            }
            seen++;
            if (cost < best) {
                best = cost;
                *row = r, *column = c;
            }
        }
        /* nothing in longer rows is better */
        if (best <= (double)(live - 1) * (live - 1))
            break;
    }
    return best < INFINITY;
}

/* The stage's rows, by length; returns its largest entry. */
static double begin_stage(gdyn_sparse *s, int count, const int *rows, const bool *barred, int *row,
                          int *column) {
    s->barred = barred, s->active = 0;
    for (int i = 0; i < count; i++) {
        int r = rows[i];
        if (s->settled[r])
            continue;
        s->place[r] = s->active;
        s->waiting[s->active++] = r;
    }
    for (int i = 0; i < s->active && s->active > FEW; i++) {
        int r = s->waiting[i];
        s->live[r] = 0;
        for (int k = 0; k < s->count[r]; k++)
            s->live[r] += usable(s, row_list(s, r)[k]);
        join_list(s, r);
    }
    return find_greatest(s, row, column);
}

static void take(gdyn_sparse *s, int row, int column, gdyn_sparse_sizes *sizes) {
    double size = fabs(row_at(s, row)[row_where(s, row)[column] - 1]);
    sizes->greatest = size > sizes->greatest ? size : sizes->greatest;
    sizes->smallest = size < sizes->smallest ? size : sizes->smallest;
    eliminate(s, row, column);
}

double gdyn_sparse_stage(gdyn_sparse *s, int count, const int *rows, const bool *barred,
                         double share, double floor, gdyn_sparse_sizes *sizes) {
    int row = 0, column = 0;
    double first = begin_stage(s, count, rows, barred, &row, &column), left = first;
    sizes->greatest = fmax(sizes->greatest, first);
    /* without fill where pivots are sound */
    if (s->active > FEW) {
        while (s->active > FEW &&
               find_sparse(s,
                           fmax(fmax(share, SOUND) * first, fmax(floor, SOUND) * sizes->greatest),
                           &row, &column))
            take(s, row, column, sizes);
        s->by_fill = true;
        left = find_greatest(s, &row, &column);
    }
    /* what is left decides the rank: the largest entry first */
    while (left > share * first && left > floor * fmax(sizes->greatest, left)) {
        take(s, row, column, sizes);
        left = find_greatest(s, &row, &column);
    }
    /* no row stays in a list */
    for (int i = 0; i < s->active; i++) {
        leave_list(s, s->waiting[i]);
        s->place[s->waiting[i]] = -1;
    }
    s->active = 0;
    return left;
}

/* --- solutions -------------------------------------------------------------------------------- */

void gdyn_sparse_solve(const gdyn_sparse *s, double *b, double *x) {
    /* L y = b */
    for (int i = 0; b && i < s->steps; i++) {
        double y = b[s->row[i]];
        for (int k = s->first[i]; y != 0 && k < s->first[i + 1]; k++)
            b[s->target[k]] -= s->times[k] * y;
    }
    /* U x = y, the last pivot first */
    for (int i = s->steps - 1; i >= 0; i--) {
        int r = s->row[i];
        const double *at = row_at(s, r);
        const int *list = row_list(s, r);
        double sum = b ? b[r] : 0;
        for (int k = 0; k < s->count[r]; k++)
            sum -= at[k] * x[list[k]];
        x[s->column[i]] = sum / s->pivot[i];
    }
}

/* x, or its size. */
static double part_of(double x, bool sizes) {
    return sizes ? fabs(x) : x;
}

void gdyn_sparse_solve_transposed(const gdyn_sparse *s, bool sizes, double *tau, double *lambda) {
    double sign = sizes ? 1 : -1;
    memset(lambda, 0, (size_t)s->rows * sizeof *lambda);
    /* U^T y = tau */
    for (int i = 0; i < s->steps; i++) {
        int r = s->row[i];
        const double *at = row_at(s, r);
        const int *list = row_list(s, r);
        double y = lambda[r] = tau[s->column[i]] / part_of(s->pivot[i], sizes);
        for (int k = 0; y != 0 && k < s->count[r]; k++)
            tau[list[k]] += sign * (part_of(at[k], sizes) * y);
    }
    /* L^T lambda = y */
    for (int i = s->steps - 1; i >= 0; i--)
        for (int k = s->first[i]; k < s->first[i + 1]; k++)
            lambda[s->row[i]] += sign * (part_of(s->times[k], sizes) * lambda[s->target[k]]);
}
