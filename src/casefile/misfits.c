/* misfits.c - locates the wrong unit: that of a parameter, or that of its use.
 *
 * While the tree is checked against the schema, formulas whose unit does not fit are only noted.
 * A parameter that gives its own unit and fits nowhere, but would fit wherever it is used if it
 * had one other dimension, is reported once, at its own line, and counts as being of that
 * dimension from then on: nothing that follows from its mistake is reported. All other misfits
 * are reported where they are. */
#include "casefile/reader.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 3 };

struct gdyn_misfit {
    gdyn_misfit_kind kind;
    gdyn_node *node;
    gdyn_dimension wanted, found;
    struct gdyn_misfit *next;
};

/* What the uses of one parameter say. */
typedef struct votes {
    int fits, misfits, others; /* others: misfits that no single dimension mends */
    gdyn_dimension meant;
    int line[LINES]; /* of the first misfits, 0: none */
    bool more;       /* lines than these */
} votes;

/* --- telling ---------------------------------------------------------------------------------- */

static bool is(gdyn_dimension a, gdyn_dimension b) {
    /* The same dimension for certain, not by assumption. */
    return a.known && gdyn_dimension_fits(a, b) && !gdyn_dimension_doubtful(a, b);
}

/* What is wanted, in the words of drives: speeds that turn, changes of torque in time. */
static const char *wanted_text(gdyn_dimension wanted, char *text, size_t size) {
    /* Two dimensions in the drives' own units; the general text names neither rad nor N m. */
    gdyn_dimension torque_rate = GDYN_DIM_TORQUE;
    torque_rate.s--;
    if (is(wanted, GDYN_DIM_ANGULAR_SPEED))
        return "rad/s";
    if (is(wanted, torque_rate))
        return "N m/s";
    return gdyn_dimension_text(wanted, text, size);
}

void gdyn_diagnose_misfit(gdyn_reader *r, gdyn_node *node, gdyn_dimension wanted,
                          gdyn_dimension found) {
    char a[64], b[64];
    gdyn_read_error(r, node, NULL, GDYN_CODE_UNIT "expected %s, got %s",
                    wanted_text(wanted, a, sizeof a), gdyn_dimension_text(found, b, sizeof b));
}

void gdyn_diagnose_doubt(gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted,
                         gdyn_dimension found) {
    char a[64], b[64];
    gdyn_log_node(r->log, GDYN_WARNING, node, "give the whole number its unit: 3 kg, not 3",
                  GDYN_CODE_UNIT "expected %s, got %s if whole factors are pure numbers",
                  wanted_text(wanted, a, sizeof a), gdyn_dimension_text(found, b, sizeof b));
}

/* --- noting ----------------------------------------------------------------------------------- */

void gdyn_misfit_note(gdyn_reader *r, gdyn_misfit_kind kind, gdyn_node *node, gdyn_dimension wanted,
                      gdyn_dimension found) {
    struct gdyn_misfit *m = gdyn_arena_alloc(r->the_case->arena, 1, sizeof *m);
    node->bad |= kind == GDYN_UNIT_MISFIT;
    if (!m) {
        gdyn_out_of_memory(r);
        return;
    }
    *m = (struct gdyn_misfit){kind, node, wanted, found, r->misfits};
    r->misfits = m;
}

/* --- judging ---------------------------------------------------------------------------------- */

static bool same(gdyn_dimension a, gdyn_dimension b) {
    return a.m == b.m && a.kg == b.kg && a.s == b.s;
}

/* The formula compiled when the parameters have these dimensions; NULL: it is none. */
static gdyn_expr *compile_with(const gdyn_reader *r, const gdyn_node *node,
                               const gdyn_dimension *dimension) {
    const gdyn_parameters *p = &r->the_case->parameters;
    gdyn_scope scope = {.constant = gdyn_index_constant,
                        .context = (void *)node->index,
                        .variables = p->name,
                        .dimensions = dimension,
                        .variable_count = p->count};
    gdyn_expr_error error = {0};
    return gdyn_expr_compile(node->text, &scope, &error);
}

/* Its dimension then; unknown when it has none. */
static gdyn_dimension dimension_with(const gdyn_reader *r, const gdyn_node *node,
                                     const gdyn_dimension *dimension, bool *good) {
    gdyn_expr *expr = compile_with(r, node, dimension);
    gdyn_dimension found = expr ? gdyn_expr_dimension(expr) : GDYN_DIM_UNKNOWN;
    *good = expr != NULL;
    gdyn_expr_destroy(expr);
    return found;
}

/* A dimension of parameter i with which the formula fits. */
static bool mend(const gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted, int i,
                 gdyn_dimension *trial, gdyn_dimension *meant) {
    /* The wanted dimension itself, then those that parameters mostly have. */
    const gdyn_dimension candidates[] = {wanted,         GDYN_DIM_LENGTH, GDYN_DIM_MASS,
                                         GDYN_DIM_NONE,  GDYN_DIM_TIME,   GDYN_DIM_INERTIA,
                                         GDYN_DIM_FORCE, GDYN_DIM_SPEED,  GDYN_DIM_ANGULAR_SPEED};
    gdyn_dimension own = trial[i];
    bool mended = false;
    /* Try them one by one in place of the parameter's own. */
    for (size_t k = 0; k < sizeof candidates / sizeof *candidates && !mended; k++) {
        bool good;
        trial[i] = candidates[k];
        gdyn_dimension found = dimension_with(r, node, trial, &good);
        mended = good && found.known && !found.assumed && same(found, wanted);
        *meant = candidates[k];
    }
    trial[i] = own;
    return mended;
}

/* True for a parameter whose own text gives a unit and refers to no other. */
static bool states_unit(const gdyn_parameters *p, int i) {
    /* A parameter that follows from others is not to blame. */
    gdyn_dimension d = p->dimension[i];
    if (!p->expr[i] || !d.known || d.assumed || same(d, GDYN_DIM_NONE))
        return false;
    for (int j = 0; j < p->count; j++)
        if (gdyn_expr_uses(p->expr[i], j))
            return false;
    return true;
}

/* Keeps the first lines of all, each once. */
static void keep_line(votes *v, int line) {
    for (int k = 0; k < LINES; k++) {
        if (line == v->line[k])
            return;
        if (v->line[k] == 0 || line < v->line[k]) {
            int behind = v->line[k];
            v->line[k] = line;
            line = behind;
        }
    }
    v->more |= line > 0;
}

static void vote(const gdyn_reader *r, const gdyn_node *node, gdyn_dimension wanted,
                 gdyn_dimension *trial, votes *all) {
    const gdyn_parameters *p = &r->the_case->parameters;
    gdyn_dimension found = gdyn_expr_dimension(node->expr);
    bool fits = gdyn_dimension_fits(found, wanted) && !gdyn_dimension_doubtful(found, wanted);
    /* Nothing can be said without both dimensions. */
    if (!wanted.known || !found.known)
        return;
    /* Each parameter of the formula that gives its own unit has a vote. */
    for (int i = 0; i < p->count; i++) {
        gdyn_dimension meant;
        votes *v = &all[i];
        if (!gdyn_expr_uses(node->expr, i) || !states_unit(p, i))
            continue;
        if (fits) {
            v->fits++;
        } else if (!mend(r, node, wanted, i, trial, &meant) ||
                   (v->misfits > 0 && !same(meant, v->meant))) {
            v->others++;
        } else {
            keep_line(v, node->line);
            v->misfits++;
            v->meant = meant;
        }
    }
}

/* Lengths in points, wherever they stand. Their readers tell what stays wrong. */
static void vote_points(gdyn_reader *r, gdyn_node *node, bool inside, gdyn_dimension *trial,
                        votes *all) {
    if (node->kind == GDYN_NODE_SCALAR && inside && !node->expr && !node->bad) {
        /* Points are read later: compile them here for their dimension. */
        node->expr = compile_with(r, node, r->the_case->parameters.dimension);
        if (node->expr)
            vote(r, node, GDYN_DIM_LENGTH, trial, all);
        gdyn_expr_destroy(node->expr);
        node->expr = NULL;
    }
    /* Everything below `points` is a length. */
    for (int i = 0; i < node->count; i++) {
        bool points = node->kind == GDYN_NODE_MAPPING && strcmp(node->key[i]->text, "points") == 0;
        vote_points(r, node->item[i], inside || points, trial, all);
    }
}

static void blame(gdyn_reader *r, int i, const votes *v) {
    gdyn_parameters *p = &r->the_case->parameters;
    char stated[64], meant[64], lines[80] = "";
    /* Lines of the first uses. */
    for (int k = 0; k < LINES && v->line[k] > 0; k++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%d", k ? ", " : "",
                 v->line[k]);
    gdyn_dimension_text(p->dimension[i], stated, sizeof stated);
    gdyn_dimension_text(v->meant, meant, sizeof meant);
    gdyn_log_node(r->log, GDYN_ERROR, p->node[i],
                  gdyn_log_help(r->log, "give it in %s, or use another parameter there", meant),
                  GDYN_CODE_UNIT "parameter '%s' is given in %s, but used in %s (line%s %s%s)",
                  p->name[i], stated, meant, strchr(lines, ',') ? "s" : "", lines,
                  v->more ? ", ..." : "");
    /* From now on it counts as what it was meant to be. */
    p->dimension[i] = v->meant;
    p->node[i]->bad = true;
}

/* Dimensions of the parameters that follow from others. */
static void follow(gdyn_reader *r) {
    gdyn_parameters *p = &r->the_case->parameters;
    for (int k = 0; k < p->count; k++) {
        int i = p->order[k];
        bool good = false; /* a parameter reported to be wrong is bad */
        if (!p->expr[i] || states_unit(p, i) || !p->node[i] || p->node[i]->bad)
            continue;
        gdyn_dimension found = dimension_with(r, p->node[i], p->dimension, &good);
        if (good)
            p->dimension[i] = found;
    }
}

/* Misfits that the mistake of a parameter does not explain. */
static void report_rest(gdyn_reader *r, const bool *blamed) {
    const gdyn_parameters *p = &r->the_case->parameters;
    for (const struct gdyn_misfit *m = r->misfits; m; m = m->next) {
        /* the formula uses a parameter whose unit is reported to be wrong */
        bool explained = m->kind == GDYN_UNIT_FITS;
        for (int i = 0; i < p->count && !explained; i++)
            explained = blamed[i] && gdyn_expr_uses(m->node->expr, i);
        if (explained)
            continue;
        if (m->kind == GDYN_UNIT_DOUBT) {
            gdyn_diagnose_doubt(r, m->node, m->wanted, m->found);
            continue;
        }
        m->node->bad = false;
        gdyn_diagnose_misfit(r, m->node, m->wanted, m->found);
        m->node->bad = true;
    }
}

void gdyn_misfit_judge(gdyn_reader *r) {
    gdyn_parameters *p = &r->the_case->parameters;
    size_t n = (size_t)p->count + 1;
    gdyn_dimension *trial = gdyn_arena_alloc(r->the_case->arena, n, sizeof *trial);
    votes *all = gdyn_arena_alloc(r->the_case->arena, n, sizeof *all);
    bool *blamed = gdyn_arena_alloc(r->the_case->arena, n, sizeof *blamed);
    r->noting = false;
    if (!trial || !all || !blamed) {
        gdyn_out_of_memory(r);
        return;
    }
    bool any = false;
    /* Votes of all uses. */
    if (p->count > 0) {
        memcpy(trial, p->dimension, (size_t)p->count * sizeof *trial);
        for (const struct gdyn_misfit *m = r->misfits; m; m = m->next)
            if (m->kind != GDYN_UNIT_DOUBT)
                vote(r, m->node, m->wanted, trial, all);
        gdyn_node *machine = gdyn_node_get(r->the_case->root, "machine");
        if (machine)
            vote_points(r, machine, false, trial, all);
    }
    /* A parameter is wrong when all its uses agree on another dimension. */
    for (int i = 0; i < p->count; i++) {
        blamed[i] = all[i].misfits > 0 && all[i].fits == 0 && all[i].others == 0;
        any |= blamed[i];
    }
    report_rest(r, blamed);
    /* The parameters themselves, once each. */
    for (int i = 0; i < p->count; i++)
        if (blamed[i])
            blame(r, i, &all[i]);
    if (any)
        follow(r);
}
