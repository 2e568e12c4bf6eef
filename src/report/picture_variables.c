/* picture_variables.c - objectives over the design variables, a cell for each pair. Of many variables
 * those come first that go with an objective (study/correlation.h). */
#include "report/picture_study.h"

#include "base/memory.h"
#include "study/sweep.h"

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

/* Correlates all variables with the objectives shown. */
static gdyn_status correlate(const gdyn_view *view, int objectives, candidate *out) {
    int variables = view->start->design_count;
    /* Rows of rho: variables, columns: objectives. */
    double *rho = gdyn_alloc((size_t)variables * (size_t)objectives, sizeof *rho);
    gdyn_status status =
        rho ? gdyn_correlations(view->outcome->study, view->archive, objectives, rho)
            : GDYN_ERROR_MEMORY;
    /* The strongest correlation of each decides its place. */
    for (int v = 0; v < variables && status == GDYN_OK; v++) {
        out[v] = (candidate){.variable = v};
        for (int k = 0; k < objectives; k++) {
            out[v].rho[k] = rho[v * objectives + k];
            out[v].most = fmax(out[v].most, fabs(out[v].rho[k]));
        }
    }
    gdyn_free(rho);
    return status;
}

/* --- script ----------------------------------------------------------------------------------- */

typedef struct picture {
    gdyn_view view;
    gdyn_script script;
    int columns, rows, width, height;
    int band;          /* columns side by side: in a column of text the others follow below */
    candidate *column; /* all variables, those shown first */
    gdyn_axis axes[COLUMNS_MOST + ROWS_MOST];
    bool present[GDYN_MARKS];
    bool correlated; /* there are feasible designs enough to tell */
} picture;

enum { TELLING = 3 }; /* feasible designs; ranks of two always go together */

static void choose(picture *pic) {
    int feasible = 0;
    for (int i = 0; i < pic->view.archive->count; i++)
        feasible += pic->view.archive->design[i]->status == GDYN_DESIGN_OK;
    pic->correlated = feasible >= TELLING;
    /* A cell for each variable and objective, as many as a page has room for. */
    int all = pic->view.start->design_count, objectives = pic->view.start->objective_count;
    pic->columns = all < COLUMNS_MOST ? all : COLUMNS_MOST;
    pic->rows = objectives < ROWS_MOST ? objectives : ROWS_MOST;
    pic->width = LEFT + pic->columns * CELL + KEY;
    pic->height = TOP + pic->rows * CELL + BOTTOM;
}

static void place(picture *pic, int column, int row) {
    /* Cells from left to right and from top to bottom. */
    double left = LEFT + column * CELL, top = TOP + row * CELL;
    gdyn_page_columns(&pic->script, left / pic->width, (left + CELL - 30) / pic->width);
    gdyn_page_rows(&pic->script, 1 - top / pic->height, 1 - (top + CELL - 34) / pic->height);
    if (gdyn_script_narrow(&pic->script))
        gdyn_page_cell(&pic->script, column % pic->band, pic->band, false,
                       0.85 * gdyn_column_room(&pic->script, pic->band, false));
}

/* How the variable of a column goes with an objective: two digits, without a negative zero. */
static void title(picture *pic, int column, double correlation) {
    double rho = round(100 * correlation) / 100 + 0.0;
    bool unordered =
        gdyn_variable_unordered(pic->view.outcome->study, pic->column[column].variable);
    char text[40];
    snprintf(text, sizeof text, "%s = %s%.2f", unordered ? "η" : "ρ", rho < 0 ? "−" : "",
             fabs(rho));
    gdyn_page_title(&pic->script, text, "offset 0,-0.8 font ',11'");
}

static void cell(picture *pic, int column, int row) {
    char text[200];
    const gdyn_axis *x = &pic->axes[column], *y = &pic->axes[pic->columns + row];
    bool bottom = row == pic->rows - 1, left = column % pic->band == 0;
    bool narrow = gdyn_script_narrow(&pic->script);
    /* Axes are labelled at the edges of the table alone. */
    place(pic, column, row);
    gdyn_axis_set(&pic->view, x, 'x', bottom, &pic->script);
    gdyn_axis_set(&pic->view, y, 'y', left, &pic->script);
    gdyn_page_label(&pic->script, 'x',
                    bottom ? gdyn_axis_label(&pic->view, x, "\\n", text, sizeof text) : "", "");
    gdyn_page_label(&pic->script, 'y',
                    left ? gdyn_axis_label(&pic->view, y, narrow ? ", " : "\\n", text, sizeof text)
                         : "",
                    "offset -0.6,0");
    if (pic->correlated)
        title(pic, column, pic->column[column].rho[row]);
    gdyn_marks_plot(&pic->script, column + 1, pic->columns + row + 1, pic->present, false);
    gdyn_script_line(&pic->script, "unset label");
}

static void heading(picture *pic) {
    /* Designs counted above, what rho means at the right. */
    char text[300];
    const gdyn_instance *start = pic->view.start;
    gdyn_marks_title(&pic->view, text, sizeof text);
    gdyn_page_note(&pic->script, (double)LEFT / pic->width, 1 - 22.0 / pic->height, "left", "%s",
                   text);
    gdyn_text note = {0};
    gdyn_text_printf(&note, pic->correlated ? "ρ: rank correlation\\nover feasible designs"
                                            : "too few feasible designs\\nfor correlations");
    for (int i = 0; i < pic->columns && pic->correlated; i++)
        if (gdyn_variable_unordered(pic->view.outcome->study, pic->column[i].variable)) {
            gdyn_text_printf(&note, "\\n\\nη: correlation ratio of\\nchoices without order");
            break;
        }
    /* What was left out. */
    if (start->design_count > pic->columns)
        gdyn_text_printf(&note,
                         pic->correlated
                             ? "\\n\\nthe %d of %d variables\\nfor which they are greatest"
                             : "\\n\\n%d of %d variables",
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

static void draw_page(picture *pic) {
    static const double LEAST = 80;
    bool narrow = gdyn_script_narrow(&pic->script);
    pic->band = narrow ? gdyn_column_cells(&pic->script, pic->columns, LEAST, false) : pic->columns;
    gdyn_script_line(&pic->script, "set multiplot");
    heading(pic);
    legend(pic);
    gdyn_script_line(&pic->script, "unset label");
    if (narrow)
        gdyn_marks_frame(&pic->script);
    /* Objectives downwards, variables to the right. */
    for (int first = 0; first < pic->columns; first += pic->band)
        for (int row = 0; row < pic->rows; row++)
            for (int k = first; k < first + pic->band && k < pic->columns; k++)
                cell(pic, k, row);
    gdyn_script_line(&pic->script, "unset multiplot");
}

static void draw(picture *pic) {
    int all = pic->view.start->design_count;
    /* The strongest ones, in the order of the case. */
    qsort(pic->column, (size_t)all, sizeof *pic->column, by_most);
    qsort(pic->column, (size_t)pic->columns, sizeof *pic->column, by_variable);
    for (int i = 0; i < pic->columns; i++)
        pic->axes[i] = gdyn_axis_make(&pic->view, GDYN_AXIS_VARIABLE, pic->column[i].variable);
    for (int i = 0; i < pic->rows; i++)
        pic->axes[pic->columns + i] = gdyn_axis_make(&pic->view, GDYN_AXIS_OBJECTIVE, i);
    /* One block of data for all cells. */
    gdyn_script_begin(&pic->script, "", "variables", pic->width, pic->height);
    gdyn_marks_thin(&pic->view, pic->columns * pic->rows);
    gdyn_marks_write(&pic->script, &pic->view, pic->columns + pic->rows, pic->axes, pic->present);
    do {
        draw_page(pic);
    } while (gdyn_script_again(&pic->script));
}

gdyn_status gdyn_picture_variables(const char *folder, const gdyn_outcome *outcome,
                                   const gdyn_sink *sink) {
    picture pic = {0};
    if (!gdyn_view_create(&pic.view, outcome))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = GDYN_ERROR_MEMORY;
    choose(&pic);
    pic.column = gdyn_alloc((size_t)pic.view.start->design_count, sizeof *pic.column);
    if (pic.column)
        status = correlate(&pic.view, pic.rows, pic.column);
    if (status == GDYN_OK) {
        draw(&pic);
        status = gdyn_script_finish(&pic.script, folder, sink);
    }
    gdyn_free(pic.column);
    gdyn_view_destroy(&pic.view);
    return status;
}
