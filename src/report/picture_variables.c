/* picture_variables.c - objectives over the design variables, a cell for each pair. Of many variables
 * those come first whose ranks go with those of an objective: Spearman's rho over feasible designs; for
 * choices without order the correlation ratio eta of the ranks (Fisher 1925), the root of the share of
 * their variance that lies between the choices. */
#include "report/picture_study.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    COLUMNS_MOST = 6,
    ROWS_MOST = 4,
    CELL = 235,
    LEFT = 125,
    TOP = 110,
    BOTTOM = 100,
    KEY = 225
};

/* --- rank correlation ------------------------------------------------------------------------- */

typedef struct ranked {
    double value;
    int place;
} ranked;

static int by_value(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->place > y->place) - (x->place < y->place);
}

/* Ranks of the axis' values over the feasible designs, the mean rank for equal values; their number. */
static int rank(const gdyn_view *view, const gdyn_axis *axis, ranked *work, double *out) {
    int count = 0;
    for (int i = 0; i < view->archive->count; i++) {
        const gdyn_design *d = view->archive->design[i];
        if (d->status == GDYN_DESIGN_OK) {
            work[count] = (ranked){gdyn_axis_value(axis, d), count};
            count++;
        }
    }
    qsort(work, (size_t)count, sizeof *work, by_value);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && work[end].value == work[i].value;)
            end++;
        for (int j = i; j < end; j++)
            out[work[j].place] = 0.5 * (i + end - 1);
    }
    return count;
}

/* Pearson's correlation; 0 where one of them is constant. */
static double correlation(const double *a, const double *b, int count) {
    double mean = 0.5 * (count - 1), ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < count; i++) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Ranks of the objective against the choice (an index) of each design. */
static double ratio(const double *choice, int choices, const double *f, int count) {
    double mean = 0.5 * (count - 1), between = 0, total = 0;
    for (int c = 0; c < choices; c++) {
        double sum = 0;
        int members = 0;
        for (int i = 0; i < count; i++)
            if ((int)lround(choice[i]) == c) {
                sum += f[i] - mean;
                members++;
            }
        between += members > 0 ? sum * sum / members : 0;
    }
    for (int i = 0; i < count; i++)
        total += (f[i] - mean) * (f[i] - mean);
    return total > 0 ? sqrt(fmin(between / total, 1)) : 0;
}

/* Values of a variable over the feasible designs, in the order of the ranks; their number. */
static int values(const gdyn_view *view, int variable, double *out) {
    int count = 0;
    for (int i = 0; i < view->archive->count; i++)
        if (view->archive->design[i]->status == GDYN_DESIGN_OK)
            out[count++] = view->archive->design[i]->x[variable];
    return count;
}

static bool unordered(const gdyn_view *view, int variable) {
    return view->start->design[variable].kind == GDYN_DESIGN_TABLE;
}

typedef struct candidate {
    int variable;
    double rho[ROWS_MOST], most; /* with each objective shown; greatest size */
} candidate;

static int by_most(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return x->most != y->most ? (x->most < y->most) - (x->most > y->most)
                              : (x->variable > y->variable) - (x->variable < y->variable);
}

static int by_variable(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* Correlates all variables with the objectives shown; false when memory is out. */
static bool correlate(gdyn_view *view, int objectives, candidate *out) {
    size_t most = (size_t)view->archive->count + 1;
    ranked *work = gdyn_alloc(most, sizeof *work);
    double *x = gdyn_alloc(most, sizeof *x);
    double *f = gdyn_alloc(most * (size_t)objectives, sizeof *f);
    bool good = work && x && f;
    for (int k = 0; good && k < objectives; k++) {
        gdyn_axis axis = {.kind = GDYN_AXIS_OBJECTIVE, .index = k};
        rank(view, &axis, work, f + (size_t)k * most);
    }
    for (int v = 0; good && v < view->start->design_count; v++) {
        gdyn_axis axis = {.kind = GDYN_AXIS_VARIABLE, .index = v};
        bool table = unordered(view, v);
        int count = table ? values(view, v, x) : rank(view, &axis, work, x);
        out[v] = (candidate){.variable = v};
        for (int k = 0; k < objectives; k++) {
            const double *ranks = f + (size_t)k * most;
            out[v].rho[k] = table ? ratio(x, view->start->design[v].choices, ranks, count)
                                  : correlation(x, ranks, count);
            out[v].most = fmax(out[v].most, fabs(out[v].rho[k]));
        }
    }
    gdyn_free(work);
    gdyn_free(x);
    gdyn_free(f);
    return good;
}

/* --- script ----------------------------------------------------------------------------------- */

typedef struct picture {
    gdyn_view view;
    gdyn_script script;
    int columns, rows, width, height;
    candidate *column; /* all variables, those shown first */
    gdyn_axis axes[COLUMNS_MOST + ROWS_MOST];
    bool present[GDYN_MARKS];
} picture;

static void choose(picture *pic) {
    int all = pic->view.start->design_count, objectives = pic->view.start->objective_count;
    pic->columns = all < COLUMNS_MOST ? all : COLUMNS_MOST;
    pic->rows = objectives < ROWS_MOST ? objectives : ROWS_MOST;
    pic->width = LEFT + pic->columns * CELL + KEY;
    pic->height = TOP + pic->rows * CELL + BOTTOM;
}

static void place(picture *pic, int column, int row) {
    double left = LEFT + column * CELL, top = TOP + row * CELL;
    gdyn_page_columns(&pic->script, left / pic->width, (left + CELL - 30) / pic->width);
    gdyn_page_rows(&pic->script, 1 - top / pic->height, 1 - (top + CELL - 34) / pic->height);
}

static void cell(picture *pic, int column, int row) {
    char text[200];
    const gdyn_axis *x = &pic->axes[column], *y = &pic->axes[pic->columns + row];
    bool bottom = row == pic->rows - 1, left = column == 0;
    place(pic, column, row);
    gdyn_axis_set(&pic->view, x, 'x', bottom, &pic->script);
    gdyn_axis_set(&pic->view, y, 'y', left, &pic->script);
    gdyn_script_line(&pic->script, "set xlabel \"%s\"",
                     bottom ? gdyn_axis_label(&pic->view, x, "\\n", text, sizeof text) : "");
    gdyn_script_line(&pic->script, "set ylabel \"%s\" offset -0.6,0",
                     left ? gdyn_axis_label(&pic->view, y, "\\n", text, sizeof text) : "");
    double rho = round(100 * pic->column[column].rho[row]) / 100 + 0.0;
    gdyn_script_line(&pic->script, "set title \"%s = %s%.2f\" offset 0,-0.8 font ',11'",
                     unordered(&pic->view, pic->column[column].variable) ? "η" : "ρ",
                     rho < 0 ? "−" : "", fabs(rho));
    gdyn_marks_plot(&pic->script, column + 1, pic->columns + row + 1, pic->present, false);
    gdyn_script_line(&pic->script, "unset label");
}

static void heading(picture *pic) {
    char text[300];
    const gdyn_instance *start = pic->view.start;
    gdyn_marks_title(&pic->view, text, sizeof text);
    gdyn_page_note(&pic->script, (double)LEFT / pic->width, 1 - 22.0 / pic->height, "left", "%s",
                   text);
    gdyn_text note = {0};
    gdyn_text_printf(&note, "ρ: rank correlation\\nover feasible designs");
    for (int i = 0; i < pic->columns; i++)
        if (unordered(&pic->view, pic->column[i].variable)) {
            gdyn_text_printf(&note, "\\n\\nη: correlation ratio of\\nchoices without order");
            break;
        }
    if (start->design_count > pic->columns)
        gdyn_text_printf(&note, "\\n\\nthe %d of %d variables\\nfor which they are greatest",
                         pic->columns, start->design_count);
    if (start->objective_count > pic->rows)
        gdyn_text_printf(&note, "\\n\\nthe first %d of\\n%d objectives", pic->rows,
                         start->objective_count);
    gdyn_page_note(&pic->script, (pic->width - KEY + 5.0) / pic->width,
                   1 - (TOP + 130.0) / pic->height, "left font ',11'", "%s",
                   note.data ? note.data : "");
    gdyn_text_free(&note);
}

static void legend(picture *pic) {
    gdyn_page_columns(&pic->script, (pic->width - KEY + 0.0) / pic->width, 0.999);
    gdyn_page_rows(&pic->script, 1 - (TOP - 10.0) / pic->height, 1 - (TOP + 110.0) / pic->height);
    gdyn_marks_key(&pic->script, pic->present);
}

static void draw(picture *pic) {
    int all = pic->view.start->design_count;
    qsort(pic->column, (size_t)all, sizeof *pic->column, by_most);
    qsort(pic->column, (size_t)pic->columns, sizeof *pic->column, by_variable);
    for (int i = 0; i < pic->columns; i++)
        pic->axes[i] = gdyn_axis_make(&pic->view, GDYN_AXIS_VARIABLE, pic->column[i].variable);
    for (int i = 0; i < pic->rows; i++)
        pic->axes[pic->columns + i] = gdyn_axis_make(&pic->view, GDYN_AXIS_OBJECTIVE, i);
    gdyn_script_begin(&pic->script, "", "variables", pic->width, pic->height);
    gdyn_marks_thin(&pic->view, pic->columns * pic->rows);
    gdyn_marks_write(&pic->script, &pic->view, pic->columns + pic->rows, pic->axes, pic->present);
    gdyn_script_line(&pic->script, "set multiplot");
    heading(pic);
    legend(pic);
    gdyn_script_line(&pic->script, "unset label");
    for (int row = 0; row < pic->rows; row++)
        for (int column = 0; column < pic->columns; column++)
            cell(pic, column, row);
    gdyn_script_line(&pic->script, "unset multiplot");
}

gdyn_status gdyn_picture_variables(const char *folder, const gdyn_outcome *outcome,
                                   const gdyn_sink *sink) {
    picture pic = {0};
    if (!gdyn_view_create(&pic.view, outcome))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = GDYN_ERROR_MEMORY;
    choose(&pic);
    pic.column = gdyn_alloc((size_t)pic.view.start->design_count, sizeof *pic.column);
    if (pic.column && correlate(&pic.view, pic.rows, pic.column)) {
        draw(&pic);
        status = gdyn_script_finish(&pic.script, folder, sink);
    }
    gdyn_free(pic.column);
    gdyn_view_destroy(&pic.view);
    return status;
}
