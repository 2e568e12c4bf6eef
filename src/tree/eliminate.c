/* eliminate.c - the closing conditions, leg by leg, then what is left of all legs together.
 *
 * With q_i the coordinates of leg i, h those of the hubs, complete pivoting over the leg's columns gives
 *
 *   L_i q_i + P_i h = b_i    ->    q_p + W [q_s; h] = X b_i,    S [q_s; h] = Y b_i
 *
 * where q_s are the coordinates that the leg's conditions do not determine (a crank, a leg at its dead centre:
 * pivots below DELAYED times the leg's first wait for the rest of the machine) and S the conditions that bind
 * the rest only. All S, the targets and the rows of the hubs form one small system, the border. Its rank, with that of
 * the legs, is the rank of all conditions: an open tree's rows are independent. What counts as zero is
 * relative to the rows on u, before anything cancels: the second hinge of a door leaves rounding only. */
#include "tree/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A leg's pivots below this share of its first one are left to the border: entries of W stay below its
 * inverse, so that elimination loses at most three digits. */
static const double DELAYED = 1e-3;
/* Clear decisions: pivots kept, entries dropped, relative to the greatest pivot. Rounding leaves about 1e-13. */
static const double CLEAR_KEPT = 1e-4, CLEAR_DROPPED = 1e-11;

/* --- memory ---------------------------------------------------------------------------------- */

/* Room for a leg's [L P 1] or the border's [S 1]: own columns, those carried along, one for each row. */
static bool make_table(gdyn_arena *arena, gdyn_tree_table *t, int rows, int own, int carried) {
    size_t width = (size_t)own + (size_t)carried + (size_t)rows;
    *t = (gdyn_tree_table){.rows = rows, .own = own, .width = (int)width};
    t->at = gdyn_arena_alloc(arena, (size_t)rows * width + 1, sizeof *t->at);
    t->column_of = gdyn_arena_alloc(arena, (size_t)rows + 1, sizeof *t->column_of);
    t->row_of = gdyn_arena_alloc(arena, (size_t)own + 1, sizeof *t->row_of);
    return t->at && t->column_of && t->row_of;
}

/* A table for every leg, and the border's for all rows that may come to it. */
static bool make_tables(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    int first = 0;
    pose->leg = gdyn_arena_alloc(pose->arena, (size_t)tree->legs + 1, sizeof *pose->leg);
    pose->reduced_first =
        gdyn_arena_alloc(pose->arena, (size_t)tree->legs + 1, sizeof *pose->reduced_first);
    if (!pose->leg || !pose->reduced_first)
        return false;
    /* the legs' rows are numbered one leg after the other */
    for (int l = 0; l < tree->legs; l++) {
        const gdyn_tree_leg *leg = &tree->leg[l];
        pose->reduced_first[l] = first;
        first += leg->rows;
        if (!make_table(pose->arena, &pose->leg[l], leg->rows, leg->columns, tree->hub_columns))
            return false;
    }
    return make_table(pose->arena, &pose->border, tree->closing + pose->max_targets,
                      tree->coordinates, 0);
}

/* All arrays of a pose. */
static bool make_lists(gdyn_tree_pose *pose) {
    size_t columns = (size_t)pose->tree->coordinates + 1;
    size_t rows = (size_t)(pose->tree->closing + pose->max_targets) + 1;
    struct {
        double **list;
        size_t count;
    } doubles[] = {{&pose->S, 6 * columns},
                   {&pose->axis, 3 * columns},
                   {&pose->arm, 3 * columns},
                   {&pose->reach, 3 * (size_t)pose->tree->bodies + 1},
                   {&pose->wrench, 6 * (size_t)pose->tree->bodies + 1},
                   {&pose->turned, 9 * (size_t)pose->tree->bodies + 1},
                   {&pose->scale, columns},
                   {&pose->one, columns},
                   {&pose->row_scale, rows},
                   {&pose->value, rows * columns},
                   {&pose->x, columns},
                   {&pose->square, columns * columns},
                   {&pose->rate, columns},
                   {&pose->acceleration, columns},
                   {&pose->next, rows},
                   {&pose->u, (size_t)pose->tree->n + 1},
                   {&pose->given, rows},
                   {&pose->known, rows},
                   {&pose->reduced, rows}};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (!(*doubles[i].list = gdyn_arena_alloc(pose->arena, doubles[i].count, sizeof(double))))
            return false;
    pose->pivot = gdyn_arena_alloc(pose->arena, columns, sizeof *pose->pivot);
    pose->row_at = gdyn_arena_alloc(pose->arena, columns, sizeof *pose->row_at);
    pose->row = gdyn_arena_alloc(pose->arena, rows, sizeof *pose->row);
    pose->jacobian = gdyn_arena_alloc(pose->arena, rows, sizeof *pose->jacobian);
    pose->column = gdyn_arena_alloc(pose->arena, columns, sizeof *pose->column);
    pose->place = gdyn_arena_alloc(pose->arena, columns, sizeof *pose->place);
    pose->origin = gdyn_arena_alloc(pose->arena, rows, sizeof *pose->origin);
    pose->origin_leg = gdyn_arena_alloc(pose->arena, rows, sizeof *pose->origin_leg);
    pose->hubs_only = gdyn_arena_alloc(pose->arena, rows, sizeof *pose->hubs_only);
    return pose->pivot && pose->row_at && pose->row && pose->jacobian && pose->column &&
           pose->place && pose->origin && pose->origin_leg && pose->hubs_only;
}

gdyn_tree_pose *gdyn_tree_pose_create(const gdyn_tree *tree, int max_targets) {
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_tree_pose *pose = arena ? gdyn_arena_alloc(arena, 1, sizeof *pose) : NULL;
    if (!pose) {
        gdyn_arena_destroy(arena);
        return NULL;
    }
    *pose = (gdyn_tree_pose){.tree = tree, .max_targets = max_targets, .arena = arena};
    if (!make_tables(pose) || !make_lists(pose)) {
        gdyn_tree_pose_destroy(pose);
        return NULL;
    }
    /* units: lengths are counted in L, angles in rad */
    double L = tree->model->length;
    for (int c = 0; c < tree->coordinates; c++) {
        pose->one[c] = 1;
        pose->scale[c] = tree->screw[c].turns ? 1 : L;
    }
    for (int i = 0; i < tree->closing; i++) {
        pose->row_scale[i] = tree->model->row[tree->row[i]].length ? 1 / L : 1;
        pose->hubs_only[i] = tree->row_leg[i] == GDYN_TREE_HUBS;
    }
    return pose;
}

void gdyn_tree_pose_destroy(gdyn_tree_pose *pose) {
    if (pose)
        gdyn_arena_destroy(pose->arena);
}

/* --- elimination ----------------------------------------------------------------------------- */

static double *value_of(const gdyn_tree_pose *pose, int row) {
    return pose->value + (size_t)pose->tree->coordinates * (size_t)row;
}

/* Greatest entry of a row on u, scaled: the size of a condition before anything cancels. */
static double natural_size(const gdyn_row_jacobian *jacobian, double scale, double L) {
    double length = 0, angle = 0;
    for (int i = 0; i < jacobian->count; i++)
        for (int j = 0; j < 3; j++) {
            double force = fabs(jacobian->J[i][j]), moment = fabs(jacobian->J[i][j + 3]);
            length = force > length ? force : length;
            angle = moment > angle ? moment : angle;
        }
    return scale * (L * length > angle ? L * length : angle);
}

/* A row's derivative, its natural size, and its scaled form in joint coordinates; false: not finite. */
static bool load_row(gdyn_tree_pose *pose, int index, const gdyn_row *row, double *greatest) {
    gdyn_row_jacobian *jacobian = &pose->jacobian[index];
    double scale = pose->row_scale[index], sum = 0;
    pose->row[index] = row;
    gdyn_row_derivative(pose->state, row, jacobian);
    double size = natural_size(jacobian, scale, pose->tree->model->length);
    *greatest = size > *greatest ? size : *greatest;
    gdyn_tree_scaled_row(pose, jacobian, scale, pose->scale, value_of(pose, index));
    for (int i = 0; i < jacobian->count; i++)
        for (int j = 0; j < 6; j++)
            sum += jacobian->J[i][j];
    return isfinite(sum);
}

/* The leg's rows [L P 1] from the values. */
static void load_leg(const gdyn_tree_pose *pose, int l) {
    const gdyn_tree *tree = pose->tree;
    const gdyn_tree_leg *leg = &tree->leg[l];
    const gdyn_tree_table *t = &pose->leg[l];
    memset(t->at, 0, (size_t)t->rows * (size_t)t->width * sizeof *t->at);
    for (int i = 0; i < leg->rows; i++) {
        /* own coordinates, then the hubs' */
        const double *value = value_of(pose, leg->row[i]);
        double *entry = t->at + (size_t)t->width * (size_t)i;
        for (int j = 0; j < leg->columns; j++)
            entry[j] = value[leg->column[j]];
        for (int j = 0; j < tree->hub_columns; j++)
            entry[leg->columns + j] = value[tree->hub_column[j]];
        /* the unit matrix becomes X and Y */
        entry[leg->columns + tree->hub_columns + i] = 1;
    }
}

/* Border columns: the hubs' coordinates, then what the legs leave. */
static void place_columns(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    pose->columns = 0;
    /* the hubs */
    for (int j = 0; j < tree->hub_columns; j++) {
        pose->column[pose->columns] = tree->hub_column[j];
        pose->place[tree->hub_column[j]] = pose->columns++;
    }
    /* of every leg the columns without a pivot */
    for (int l = 0; l < tree->legs; l++)
        for (int j = 0; j < tree->leg[l].columns; j++) {
            int c = tree->leg[l].column[j];
            bool rest = pose->leg[l].row_of[j] < 0;
            pose->place[c] = rest ? pose->columns : -1;
            if (rest)
                pose->column[pose->columns++] = c;
        }
}

/* Adds `times` a row of a leg's table, without its pivot, to a row of the border. */
static void add_leg_row(const gdyn_tree_pose *pose, int l, int row, double times, double *border) {
    const gdyn_tree *tree = pose->tree;
    const gdyn_tree_table *t = &pose->leg[l];
    const double *entry = t->at + (size_t)t->width * (size_t)row;
    /* P, then the columns that the leg leaves */
    for (int j = 0; j < tree->hub_columns; j++)
        border[j] += times * entry[t->own + j];
    for (int j = 0; j < t->own; j++)
        if (t->row_of[j] < 0)
            border[pose->place[tree->leg[l].column[j]]] += times * entry[j];
}

/* A row of the machine or a target with the legs' eliminated coordinates substituted. */
static void add_value_row(const gdyn_tree_pose *pose, int index, double *border) {
    const gdyn_tree *tree = pose->tree;
    const double *value = value_of(pose, index);
    /* its own entries in the border's columns */
    for (int j = 0; j < pose->columns; j++)
        border[j] += value[pose->column[j]];
    /* a pivot's coordinate is substituted: -W times its entry */
    for (int l = 0; l < tree->legs && !pose->hubs_only[index]; l++)
        for (int j = 0; j < tree->leg[l].columns; j++) {
            double own = value[tree->leg[l].column[j]];
            int row = pose->leg[l].row_of[j];
            if (row >= 0 && own != 0)
                add_leg_row(pose, l, row, -own, border);
        }
}

/* Appends a row to the border: of the machine (origin >= 0) or of a leg's table (-1 - its row). */
static void place_row(gdyn_tree_pose *pose, int origin, int leg) {
    pose->origin[pose->border.rows] = origin;
    pose->origin_leg[pose->border.rows++] = leg;
}

/* Border rows: what the legs leave, rows over several legs or hubs, and the targets. */
static void place_rows(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    pose->border.rows = 0;
    /* rows of legs without a pivot */
    for (int l = 0; l < tree->legs; l++)
        for (int i = 0; i < tree->leg[l].rows; i++)
            if (pose->leg[l].column_of[i] < 0)
                place_row(pose, -1 - i, l);
    /* rows of no single leg, targets */
    for (int i = 0; i < tree->closing + pose->targets; i++)
        if (i >= tree->closing || tree->row_leg[i] < 0)
            place_row(pose, i, GDYN_TREE_HUBS);
}

/* The border [S 1] from the legs' tables and the values. */
static void load_border(gdyn_tree_pose *pose) {
    gdyn_tree_table *t = &pose->border;
    t->own = pose->columns;
    t->width = t->own + t->rows;
    memset(t->at, 0, (size_t)t->rows * (size_t)t->width * sizeof *t->at);
    for (int i = 0; i < t->rows; i++) {
        double *entry = t->at + (size_t)t->width * (size_t)i;
        if (pose->origin[i] < 0)
            add_leg_row(pose, pose->origin_leg[i], -1 - pose->origin[i], 1, entry);
        else
            add_value_row(pose, pose->origin[i], entry);
        entry[t->own + i] = 1;
    }
}

/* The conditions of the pivots: their rows, by column. */
static void note_pivots(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    for (int c = 0; c < tree->coordinates; c++)
        pose->row_at[c] = -1;
    /* pivots in the legs */
    for (int l = 0; l < tree->legs; l++)
        for (int j = 0; j < tree->leg[l].columns; j++)
            if (pose->leg[l].row_of[j] >= 0)
                pose->row_at[tree->leg[l].column[j]] = tree->leg[l].row[pose->leg[l].row_of[j]];
    for (int j = 0; j < pose->columns; j++) {
        int row = pose->border.row_of[j];
        if (row >= 0)
            pose->row_at[pose->column[j]] =
                pose->origin[row] >= 0
                    ? pose->origin[row]
                    : tree->leg[pose->origin_leg[row]].row[-1 - pose->origin[row]];
    }
}

gdyn_status gdyn_tree_eliminate(gdyn_tree_pose *pose, int targets, const gdyn_row *const *target,
                                gdyn_tree_rank *rank) {
    const gdyn_tree *tree = pose->tree;
    double greatest = 0, smallest = INFINITY;
    bool finite = true;
    *rank = (gdyn_tree_rank){0};
    pose->targets = targets;
    /* the conditions and the targets at this pose */
    for (int i = 0; i < tree->closing; i++)
        finite = load_row(pose, i, &tree->model->row[tree->row[i]], &greatest) && finite;
    for (int i = 0; i < targets; i++) {
        pose->row_scale[tree->closing + i] = target[i]->length ? 1 / tree->model->length : 1;
        pose->hubs_only[tree->closing + i] = gdyn_tree_leg_of(tree, target[i]) == GDYN_TREE_HUBS;
        finite = load_row(pose, tree->closing + i, target[i], &greatest) && finite;
    }
    if (!finite)
        return GDYN_ERROR_NUMERIC;
    /* each leg by itself */
    for (int l = 0; l < tree->legs; l++) {
        load_leg(pose, l);
        gdyn_tree_reduce(&pose->leg[l], DELAYED, DELAYED, &greatest, &smallest);
        rank->rank += pose->leg[l].rank;
    }
    /* what is left of all together */
    place_columns(pose);
    place_rows(pose);
    load_border(pose);
    double left = gdyn_tree_reduce(&pose->border, 0, GDYN_RANK_TOLERANCE, &greatest, &smallest);
    rank->rank += pose->border.rank;
    note_pivots(pose);
    /* freedoms, and how clear the decisions were */
    rank->freedom = tree->coordinates - rank->rank;
    rank->least = rank->rank ? smallest / greatest : 1;
    rank->left = greatest > 0 ? left / greatest : 0;
    rank->clear = rank->least >= CLEAR_KEPT && rank->left <= CLEAR_DROPPED;
    return GDYN_OK;
}

gdyn_rank gdyn_tree_rank_of(const gdyn_tree *tree, const gdyn_tree_rank *found) {
    return (gdyn_rank){.rank = tree->n - found->freedom,
                       .greatest = 1,
                       .above = found->least,
                       .below = found->left,
                       .gap = found->left > 0 ? found->least / found->left : INFINITY,
                       .tolerance = GDYN_RANK_TOLERANCE};
}

/* --- solutions ------------------------------------------------------------------------------- */

/* The coordinates eliminated in the legs from those of the border, in pose->x; with_known: and from
 * the right-hand sides. */
static void substitute(const gdyn_tree_pose *pose, bool with_known) {
    const gdyn_tree *tree = pose->tree;
    for (int l = 0; l < tree->legs; l++) {
        const gdyn_tree_table *t = &pose->leg[l];
        const gdyn_tree_leg *leg = &tree->leg[l];
        for (int i = 0; i < t->rows; i++) {
            const double *entry = t->at + (size_t)t->width * (size_t)i;
            if (t->column_of[i] < 0)
                continue;
            /* q_p = X b - W [q_s; h] */
            double sum = with_known ? pose->reduced[pose->reduced_first[l] + i] : 0;
            for (int j = 0; j < t->own; j++)
                if (t->row_of[j] < 0)
                    sum -= entry[j] * pose->x[leg->column[j]];
            for (int j = 0; j < tree->hub_columns; j++)
                sum -= entry[t->own + j] * pose->x[tree->hub_column[j]];
            pose->x[leg->column[t->column_of[i]]] = sum;
        }
    }
}

/* Right-hand sides of the rows of the legs' tables, X b and Y b. */
static void reduce_known(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    for (int l = 0; l < tree->legs; l++) {
        const gdyn_tree_table *t = &pose->leg[l];
        for (int i = 0; i < t->rows; i++) {
            const double *X = t->at + (size_t)t->width * (size_t)(i + 1) - t->rows;
            double sum = 0;
            for (int j = 0; j < t->rows; j++)
                sum += X[j] * pose->given[tree->leg[l].row[j]];
            pose->reduced[pose->reduced_first[l] + i] = sum;
        }
    }
}

/* Right-hand side of a row of the border. */
static double border_known(const gdyn_tree_pose *pose, int row) {
    const gdyn_tree *tree = pose->tree;
    int origin = pose->origin[row];
    if (origin < 0)
        return pose->reduced[pose->reduced_first[pose->origin_leg[row]] - 1 - origin];
    /* b less what the pivots of the legs take of it */
    const double *value = value_of(pose, origin);
    double sum = pose->given[origin];
    for (int l = 0; l < tree->legs && !pose->hubs_only[origin]; l++)
        for (int j = 0; j < tree->leg[l].columns; j++) {
            int pivot = pose->leg[l].row_of[j];
            if (pivot >= 0)
                sum -=
                    value[tree->leg[l].column[j]] * pose->reduced[pose->reduced_first[l] + pivot];
        }
    return sum;
}

void gdyn_tree_solve(gdyn_tree_pose *pose, const double *b, double *qdot) {
    const gdyn_tree *tree = pose->tree;
    const gdyn_tree_table *t = &pose->border;
    /* scaled right-hand sides, reduced in the legs, then in the border */
    for (int i = 0; i < tree->closing + pose->targets; i++)
        pose->given[i] = b[i] * pose->row_scale[i];
    reduce_known(pose);
    for (int i = 0; i < t->rows; i++)
        pose->known[i] = border_known(pose, i);
    /* the border's coordinates, free ones zero; the legs' follow */
    for (int j = 0; j < pose->columns; j++) {
        int row = t->row_of[j];
        double sum = 0;
        for (int k = 0; row >= 0 && k < t->rows; k++)
            sum += t->at[(size_t)t->width * (size_t)row + (size_t)(t->own + k)] * pose->known[k];
        pose->x[pose->column[j]] = sum;
    }
    substitute(pose, true);
    for (int c = 0; c < tree->coordinates; c++)
        qdot[c] = pose->scale[c] * pose->x[c];
}

/* Transpose of substitute: what depends on the coordinates of the legs' pivots, as forces on the others and on the
 * right-hand sides. */
static void substitute_transposed(gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    for (int l = 0; l < tree->legs; l++) {
        const gdyn_tree_table *t = &pose->leg[l];
        const gdyn_tree_leg *leg = &tree->leg[l];
        for (int i = 0; i < t->rows; i++) {
            const double *entry = t->at + (size_t)t->width * (size_t)i;
            double *reduced = &pose->reduced[pose->reduced_first[l] + i];
            *reduced = 0;
            if (t->column_of[i] < 0)
                continue;
            /* q_p's force is its row's multiplier, and acts on q_s and h through -W^T */
            *reduced = pose->x[leg->column[t->column_of[i]]];
            for (int j = 0; j < t->own; j++)
                if (t->row_of[j] < 0)
                    pose->x[leg->column[j]] -= entry[j] * *reduced;
            for (int j = 0; j < tree->hub_columns; j++)
                pose->x[tree->hub_column[j]] -= entry[t->own + j] * *reduced;
        }
    }
}

/* Transpose of border_known: adds to given and reduced. */
static void spread_border(gdyn_tree_pose *pose, int row, double known) {
    const gdyn_tree *tree = pose->tree;
    int origin = pose->origin[row];
    if (origin < 0) {
        pose->reduced[pose->reduced_first[pose->origin_leg[row]] - 1 - origin] += known;
        return;
    }
    const double *value = value_of(pose, origin);
    pose->given[origin] += known;
    for (int l = 0; l < tree->legs && !pose->hubs_only[origin]; l++)
        for (int j = 0; j < tree->leg[l].columns; j++) {
            int pivot = pose->leg[l].row_of[j];
            if (pivot >= 0)
                pose->reduced[pose->reduced_first[l] + pivot] -=
                    value[tree->leg[l].column[j]] * known;
        }
}

void gdyn_tree_solve_transposed(gdyn_tree_pose *pose, double *tau, double *lambda) {
    const gdyn_tree *tree = pose->tree;
    const gdyn_tree_table *t = &pose->border;
    int rows = tree->closing + pose->targets;
    /* forces on scaled coordinates */
    for (int c = 0; c < tree->coordinates; c++)
        pose->x[c] = pose->scale[c] * tau[c];
    memset(pose->given, 0, (size_t)rows * sizeof *pose->given);
    memset(pose->known, 0, (size_t)rows * sizeof *pose->known);
    substitute_transposed(pose);
    /* back through the border's inverse, transposed */
    for (int j = 0; j < pose->columns; j++) {
        int row = t->row_of[j];
        for (int k = 0; row >= 0 && k < t->rows; k++)
            pose->known[k] += t->at[(size_t)t->width * (size_t)row + (size_t)(t->own + k)] *
                              pose->x[pose->column[j]];
    }
    for (int i = 0; i < t->rows; i++)
        spread_border(pose, i, pose->known[i]);
    for (int l = 0; l < tree->legs; l++) /* given += X^T reduced */
        for (int i = 0; i < pose->leg[l].rows; i++) {
            const gdyn_tree_table *own = &pose->leg[l];
            const double *X = own->at + (size_t)own->width * (size_t)(i + 1) - own->rows;
            for (int j = 0; j < own->rows; j++)
                pose->given[tree->leg[l].row[j]] +=
                    X[j] * pose->reduced[pose->reduced_first[l] + i];
        }
    for (int i = 0; i < rows; i++)
        lambda[i] = pose->given[i] * pose->row_scale[i];
}

/* The same where all coordinates of the legs follow from those of the hubs, which are free. */
static void free_hub(gdyn_tree_pose *pose, int f) {
    const gdyn_tree *tree = pose->tree;
    /* the hubs move, the legs' pivots follow by -W */
    for (int j = 0; j < pose->columns; j++)
        pose->x[pose->column[j]] = j == f;
    for (int l = 0; l < tree->legs; l++) {
        const gdyn_tree_table *t = &pose->leg[l];
        const double *entry = t->at + t->own + f;
        for (int i = 0; i < t->rows; i++, entry += t->width)
            if (t->column_of[i] >= 0)
                pose->x[tree->leg[l].column[t->column_of[i]]] = -*entry;
    }
}

/* The motion of the free border column f alone, in pose->x (rates of scaled coordinates). */
static void free_motion(gdyn_tree_pose *pose, int f) {
    const gdyn_tree_table *t = &pose->border;
    if (t->rows == 0 && pose->columns == pose->tree->hub_columns) {
        free_hub(pose, f);
        return;
    }
    for (int j = 0; j < pose->columns; j++) {
        int row = t->row_of[j];
        pose->x[pose->column[j]] =
            row < 0 ? j == f : -t->at[(size_t)t->width * (size_t)row + (size_t)f];
    }
    substitute(pose, false);
}

void gdyn_tree_free(gdyn_tree_pose *pose, int *coordinate, double *K) {
    const gdyn_tree *tree = pose->tree;
    int count = 0;
    for (int c = 0; c < tree->coordinates; c++) {
        if (pose->place[c] < 0 || pose->border.row_of[pose->place[c]] >= 0)
            continue;
        /* one column for each coordinate that is nobody's pivot, in unscaled rates */
        double *column = K + (size_t)tree->coordinates * (size_t)count;
        coordinate[count++] = c;
        free_motion(pose, pose->place[c]);
        for (int i = 0; i < tree->coordinates; i++)
            column[i] = pose->x[i] * (pose->scale[i] / pose->scale[c]);
    }
}

void gdyn_tree_null(gdyn_tree_pose *pose, double *N) {
    const gdyn_tree *tree = pose->tree;
    int count = 0;
    for (int f = 0; f < pose->columns; f++) {
        if (pose->border.row_of[f] >= 0)
            continue;
        /* velocities of the free motion, unscaled */
        free_motion(pose, f);
        for (int c = 0; c < tree->coordinates; c++)
            pose->x[c] *= pose->scale[c];
        gdyn_tree_velocities(pose, pose->x, N + (size_t)tree->n * (size_t)count++);
    }
}
