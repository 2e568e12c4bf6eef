/* certificate.c - why nothing is accessible at a point: the limits that exclude each other, where the
 * case file states them, and how far they would have to be relaxed. */
#include "cli/advice.h"
#include "cli/session.h"

#include <math.h>
#include <string.h>

enum { RUNS_SHOWN = 4 };

static const char *const counted[] = {"no limits",   "one limit",   "two limits", "three limits",
                                      "four limits", "five limits", "six limits"};

/* --- limits ----------------------------------------------------------------------------------- */

/* Where the case states the drive that owns the limit; NULL: nowhere. */
static const gdyn_drive_source *source_of(const gdyn_trajectory *t, const gdyn_limited_row *owner) {
    bool driven = t->instance && owner && owner->drive >= 0;
    return driven && owner->drive < t->instance->drive_count
               ? &t->instance->drive_source[owner->drive]
               : NULL;
}

void gdyn_print_limit_line(FILE *out, const gdyn_trajectory *t, gdyn_limit limit) {
    const gdyn_limited_row *owner = gdyn_limit_owner(t->row, t->rows, limit);
    const gdyn_drive_source *source = source_of(t, owner);
    /* Line of the speed, the curve, or the limit on that side. */
    int line = !source                          ? 0
               : limit.kind == GDYN_LIMIT_SPEED ? source->speed_line
               : owner->curve                   ? source->curve_line
               : limit.side > 0                 ? source->max_line
                                                : source->min_line;
    if (line > 0) {
        const char *slash = strrchr(source->file, '/');
        fprintf(out, "   (%s:%d)", slash ? slash + 1 : source->file, line);
    }
}

/* Static friction; a row without a drive: of a file of coefficients. */
static void print_friction(FILE *out, const gdyn_trajectory *t, const gdyn_limited_row *owner,
                           bool upper) {
    if (owner->drive < 0) {
        fprintf(out, "   %s at its %s", owner->name, upper ? "max" : "min");
        return;
    }
    const gdyn_model *model = t->instance->model;
    double limit = gdyn_model_stiction_limit(model, owner->drive - gdyn_model_drives(model));
    fprintf(out, "   %s %s %.6g %s", owner->name, upper ? "<=" : ">=", upper ? limit : -limit,
            owner->unit);
}

/* "   needs 12.84 N m (+7.0 %)", beside a limit of that value, NAN where there is none. */
static void print_need(FILE *out, double needs, double value, const char *unit) {
    fprintf(out, "   needs %s", gdyn_amount(needs, unit).text);
    /* A share of the limit, or a factor where that is large. */
    if (!isfinite(value) || value == 0)
        return;
    double change = (needs - value) / fabs(value);
    if (fabs(change) < 10)
        fprintf(out, " (%+.1f %%)", 100 * change);
    else
        fprintf(out, " (%.4g times as much)", needs / value);
}

/* A limit of a row's speed or force: "   m1.torque <= 12 N m   (five_bar.yaml:38)   needs 12.84 N m (+7.0 %)". */
static void print_row_limit(FILE *out, const gdyn_trajectory *t, const gdyn_limited_row *owner,
                            gdyn_limit limit, double needs) {
    bool driven = source_of(t, owner) != NULL, upper = limit.side > 0;
    const gdyn_drive_def *def = driven ? gdyn_model_drive(t->instance->model, owner->drive) : NULL;
    bool speed = limit.kind == GDYN_LIMIT_SPEED;
    /* Speed and curve have no single value. */
    double value = !def || owner->curve ? NAN
                   : speed              ? def->speed_max
                   : upper              ? def->max
                                        : def->min;
    const char *unit = driven ? gdyn_limit_unit(owner, limit) : "";
    /* Rows without a drive: static friction, or a table of coefficients. */
    if (def) {
        fprintf(out, "   %s.%s %s %s", owner->name, gdyn_limit_quantity(owner, limit),
                upper ? "<=" : ">=", owner->curve ? "its curve" : gdyn_amount(value, unit).text);
    } else {
        print_friction(out, t, owner, upper);
    }
    gdyn_print_limit_line(out, t, limit);
    if (isfinite(needs) && !speed)
        print_need(out, needs, value, unit);
    fprintf(out, "\n");
}

static void print_limit(FILE *out, const gdyn_trajectory *t, const gdyn_region_points *at,
                        int point, gdyn_limit limit, double needs) {
    const gdyn_limited_row *owner = gdyn_limit_owner(t->row, t->rows, limit);
    if (limit.kind == GDYN_LIMIT_PATH) {
        fprintf(out, "   the path requires a motion that the drives cannot control\n");
        if (t->evaluation && at == &t->along)
            gdyn_print_undriven(out, t->evaluation->track->state[point], "   ");
    } else if (limit.kind == GDYN_LIMIT_FORWARD) {
        fprintf(out, "   d1 >= 0: the path is traversed forward\n");
    } else if (owner) {
        print_row_limit(out, t, owner, limit, needs);
    }
}

/* --- points ----------------------------------------------------------------------------------- */

static void print_point(FILE *out, const gdyn_trajectory *t, const gdyn_region_points *at,
                        int point, int run) {
    const gdyn_certificate *proof = gdyn_region_certificate(at->region[point]);
    const char *many = proof->count < 7 ? counted[proof->count] : "limits";
    /* "circle: p = 1.2: no (d1, d2) is accessible: two limits exclude each other". */
    fprintf(out, "%s: p = %s: no (d1, d2) is accessible", t->name,
            gdyn_amount(at->p[point], t->unit).text);
    if (proof->count > 0 && !(proof->count == 1 && proof->limit[0].kind == GDYN_LIMIT_PATH)) {
        fprintf(out, ": %s exclude%s %s", many, proof->count == 1 ? "s" : "",
                proof->count == 1 ? "it" : "each other");
    }
    fprintf(out, "\n");
    /* Then one line for each of them. */
    for (int i = 0; i < proof->count; i++)
        print_limit(out, t, at, point, proof->limit[i], proof->needs[i]);
    if (proof->count > 1 && isfinite(proof->relative) && proof->relative > 0) {
        if (proof->relative < 10) {
            fprintf(out, "   opens when all of them are relaxed by %.3g %%\n",
                    100 * proof->relative);
        } else {
            fprintf(out, "   opens when all of them are relaxed by %.4g times their size\n",
                    proof->relative);
        }
    }
    if (run > 1)
        fprintf(out, "   (the worst of %d neighbouring points without a region)\n", run);
}

static bool is_empty(const gdyn_region_points *at, int point) {
    return at->region[point]->status == GDYN_REGION_EMPTY && at->region[point]->island_count == 0;
}

void gdyn_print_certificates(FILE *out, const gdyn_trajectory *t) {
    const gdyn_region_points *at = t->at.points > 0 ? &t->at : &t->along;
    /* Runs of neighbouring points without a region, by their worst one. */
    int shown = 0, hidden = 0;
    for (int i = 0, end; i < at->points; i = end) {
        int worst = i;
        for (end = i; end < at->points && is_empty(at, end); end++)
            if (gdyn_region_certificate(at->region[end])->relative >
                gdyn_region_certificate(at->region[worst])->relative)
                worst = end;
        if (end == i)
            end++;
        else if (shown++ < RUNS_SHOWN)
            print_point(out, t, at, worst, end - i);
        else
            hidden += end - i;
    }
    if (hidden > 0) {
        fprintf(out, "%s: %d more point%s without a region\n", t->name, hidden,
                hidden == 1 ? " is" : "s are");
    }
}

static gdyn_words place_of(const gdyn_trajectory *t, double p) {
    return gdyn_place(p, t->along.p[t->along.points - 1] - t->along.p[0], t->unit);
}

/* Where the constraints lose rank. */
static void print_rank_loss(FILE *out, const gdyn_singularity *at) {
    fprintf(out, ": singular, the constraints have rank %d, elsewhere %d\n", at->rank, at->generic);
    fprintf(out, at->blocks
                     ? "   Branches of the motion may meet there, and no drive decides: no speed, "
                       "acceleration or\n   time is valid across it.\n"
                     : "   The drives control all freedoms that the machine has there.\n");
}

void gdyn_print_singularities(FILE *out, const gdyn_trajectory *t) {
    const gdyn_singularities *singular = t->singular;
    for (int i = 0; singular && i < singular->count; i++) {
        const gdyn_singularity *at = &singular->at[i];
        /* A place, or an interval of p. */
        fprintf(out, "\n%s: p = %s", t->name, place_of(t, at->from).text);
        if (at->to != at->from)
            fprintf(out, " .. %s", place_of(t, at->to).text);
        if (at->constraints) {
            print_rank_loss(out, at);
            continue;
        }
        fprintf(out, ": singular, the drives control %d of %d freedoms\n", at->rank, at->generic);
        /* Whether this path demands something of the freedom that is lost. */
        fprintf(out, at->blocks
                         ? "   Beside it the forces grow without bound: no speed, acceleration or "
                           "time is valid across it.\n"
                         : "   Inertia and load of this path do not act on the lost freedom: "
                           "forces stay bounded,\n   but no drive controls it.\n");
    }
}

void gdyn_note_cut(const gdyn_options *options, const gdyn_trajectory *t) {
    const gdyn_evaluation *e = t->evaluation;
    if (!e || !(e->cut > GDYN_CUT_NEGLIGIBLE))
        return;
    gdyn_cli_note(options,
                  "warning: trajectory '%s': at p = %s heavy loads that cancel leave rounding of "
                  "%.1e of half the range "
                  "of '%s'; its load there is taken as zero and known no better",
                  t->name, place_of(t, e->cut_p).text, e->cut, t->row[e->cut_effort].name);
    gdyn_cli_note(options,
                  "      = help: such loads of light parts need a machine without the heavy ones");
}
