/* picture_front.c - designs as points: in the plane of two objectives, or in those of all pairs of
 * three and more; objectives over the design variables, a cell for each pair. Of many variables
 * those come first that go with an objective (study/correlation.h).
 *
 * The window follows the better part of the feasible designs: a few bad ones far away must not
 * press the front into a corner. */
#include "report/picture.h"

#include "base/memory.h"
#include "study/sweep.h"

#include <math.h>
#include <stdlib.h>

enum { PLOT_MOST = 6 }; /* objectives shown */

/* Column y over column x of the data; titled by the axes. */
static void add_panel(gdyn_figure *f, const gdyn_figure_axis *axes, int x, int y,
                      const int block[GDYN_MARKS]) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->ratio = 0.75, panel->x = axes[x], panel->y = axes[y];
    gdyn_marks_draw(f, panel, x + 1, y + 1, block);
}

void gdyn_front_figure(gdyn_figure *f, const gdyn_outcome *outcome) {
    gdyn_view view = gdyn_view_of(outcome);
    int all = gdyn_study_start(outcome->study)->objective_count;
    gdyn_figure_begin(f, "", "front", all < 3 ? 800 : 1100);
    /* More than six objectives do not fit on a page. */
    int m = all < PLOT_MOST ? all : PLOT_MOST;
    int block[GDYN_MARKS], last = view.archive->count - 1;
    gdyn_axis axes[PLOT_MOST];
    gdyn_figure_axis shown[PLOT_MOST + 1];
    for (int k = 0; k < m; k++) {
        axes[k] = gdyn_axis_make(&view, GDYN_TRAIT_OBJECTIVE, k, f);
        shown[k] = gdyn_axis_of_figure(&view, &axes[k], f);
    }
    /* Points are thinned by what one page can hold. */
    gdyn_marks_thin(&view, m * (m - 1) / 2);
    gdyn_marks_write(f, &view, m, axes, m == 1, block);
    gdyn_marks_title(f, &view);
    if (all > m)
        gdyn_figure_text(f, GDYN_REMARK, "the first %d of %d objectives", m, all);
    gdyn_marks_key(f, block);
    /* One objective over its number, two in a plane, all pairs of more. */
    shown[m] = (gdyn_figure_axis){
        .title = "number of the design", .high = last > 0 ? last : 1, .whole = true};
    if (m == 1)
        add_panel(f, shown, 1, 0, block);
    if (m > 2)
        gdyn_figure_side_by_side(f, 3, 120, false);
    for (int y = 1; y < m; y++)
        for (int x = 0; x < y; x++)
            add_panel(f, shown, x, y, block);
}

/* --- objectives over variables ---------------------------------------------------------------- */

enum { COLUMNS_MOST = 6, ROWS_MOST = 4 };

typedef struct candidate {
    int variable;
    double rho[ROWS_MOST], most; /* with each objective shown; largest size */
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

/* What is shown: columns of variables, rows of objectives. */
typedef struct picture {
    gdyn_view view;
    gdyn_figure *figure;
    int columns, rows;
    candidate *column; /* all variables, those shown first */
    gdyn_axis axes[COLUMNS_MOST + ROWS_MOST];
    int block[GDYN_MARKS];
    bool correlated; /* there are feasible designs enough to tell */
} picture;

/* Correlates all variables with the objectives shown; the strongest ones come first, in the order
 * of the case. False: no memory. */
static bool correlate(picture *pic) {
    int all = pic->view.start->design_count;
    gdyn_arena *arena = pic->figure->arena;
    double *rho = gdyn_arena_doubles(arena, (size_t)all * (size_t)pic->rows + 1);
    pic->column = gdyn_arena_alloc(arena, (size_t)all + 1, sizeof *pic->column);
    if (!rho || !pic->column ||
        gdyn_correlations(pic->view.outcome->study, pic->view.archive, pic->rows, rho) != GDYN_OK)
        return false;
    for (int v = 0; v < all; v++) {
        candidate *own = &pic->column[v];
        *own = (candidate){.variable = v};
        for (int k = 0; k < pic->rows; k++) {
            own->rho[k] = rho[v * pic->rows + k];
            own->most = fmax(own->most, fabs(own->rho[k]));
        }
    }
    qsort(pic->column, (size_t)all, sizeof *pic->column, by_most);
    qsort(pic->column, (size_t)pic->columns, sizeof *pic->column, by_variable);
    return true;
}

/* How the variable of a column goes with an objective: two digits, without a negative zero. */
static const char *correlation_text(picture *pic, int column, int row) {
    double rho = round(100 * pic->column[column].rho[row]) / 100 + 0.0;
    bool unordered =
        gdyn_variable_unordered(pic->view.outcome->study, pic->column[column].variable);
    if (!pic->correlated)
        return NULL;
    return gdyn_figure_words(pic->figure, "%s = %s%.2f", unordered ? "η" : "ρ", rho < 0 ? "−" : "",
                             fabs(rho));
}

/* What ρ and η mean, and what was left out. */
static void write_notes(picture *pic) {
    const gdyn_instance *start = pic->view.start;
    gdyn_figure *f = pic->figure;
    bool unordered = false;
    for (int i = 0; i < pic->columns; i++)
        unordered |= gdyn_variable_unordered(pic->view.outcome->study, pic->column[i].variable);
    gdyn_figure_text(
        f, GDYN_REMARK, "%s%s",
        pic->correlated ? "ρ: rank correlation over feasible designs"
                        : "too few feasible designs for correlations",
        pic->correlated && unordered ? "; η: correlation ratio of choices without order" : "");
    if (start->design_count > pic->columns)
        gdyn_figure_text(f, GDYN_REMARK, "%s%d of %d variables%s", pic->correlated ? "the " : "",
                         pic->columns, start->design_count,
                         pic->correlated ? " for which they are largest" : "");
    if (start->objective_count > pic->rows)
        gdyn_figure_text(f, GDYN_REMARK, "the first %d of %d objectives", pic->rows,
                         start->objective_count);
}

void gdyn_variables_figure(gdyn_figure *f, const gdyn_outcome *outcome) {
    enum { TELLING = 3 }; /* feasible designs; ranks of two always go together */
    picture pic = {.figure = f, .view = gdyn_view_of(outcome)};
    const gdyn_view *view = &pic.view;
    int all = view->start->design_count, objectives = view->start->objective_count, feasible = 0;
    for (int i = 0; i < view->archive->count; i++)
        feasible += view->archive->design[i]->status == GDYN_DESIGN_OK;
    pic.correlated = feasible >= TELLING;
    /* A cell for each variable and objective, as many as a page has room for. */
    pic.columns = all < COLUMNS_MOST ? all : COLUMNS_MOST;
    pic.rows = objectives < ROWS_MOST ? objectives : ROWS_MOST;
    gdyn_figure_begin(f, "", "variables", pic.columns > 3 ? 1200 : 900);
    if (!correlate(&pic)) {
        f->failed = true;
        return;
    }
    for (int i = 0; i < pic.columns; i++)
        pic.axes[i] = gdyn_axis_make(view, GDYN_TRAIT_VARIABLE, pic.column[i].variable, f);
    for (int i = 0; i < pic.rows; i++)
        pic.axes[pic.columns + i] = gdyn_axis_make(view, GDYN_TRAIT_OBJECTIVE, i, f);
    /* One block of data for all cells: objectives downwards, variables to the right. */
    gdyn_marks_thin(&pic.view, pic.columns * pic.rows);
    gdyn_marks_write(f, &pic.view, pic.columns + pic.rows, pic.axes, false, pic.block);
    gdyn_marks_title(f, view);
    write_notes(&pic);
    gdyn_marks_key(f, pic.block);
    gdyn_figure_side_by_side(f, pic.columns, 90, false);
    for (int row = 0; row < pic.rows; row++)
        for (int k = 0; k < pic.columns; k++) {
            gdyn_figure_panel *panel = gdyn_figure_add(f);
            panel->ratio = 0.85;
            panel->x = gdyn_axis_of_figure(view, &pic.axes[k], f);
            panel->y = gdyn_axis_of_figure(view, &pic.axes[pic.columns + row], f);
            panel->caption[0] = correlation_text(&pic, k, row);
            gdyn_marks_draw(f, panel, k + 1, pic.columns + row + 1, pic.block);
        }
}
