/* certificate.c - why nothing is accessible at a point: the limits that exclude each other, where
 * the case file states them, and how far they would have to be relaxed. */
#include "cli/cli.h"

enum { RUNS_SHOWN = 4 };

static const char *const counted[] = {"no limits",   "one limit",   "two limits", "three limits",
                                      "four limits", "five limits", "six limits"};

/* --- limits ----------------------------------------------------------------------------------- */

void gdyn_print_limit_line(const gdyn_trajectory *t, gdyn_limit limit) {
    const gdyn_limited *owner = gdyn_limit_owner(t->row, t->rows, limit);
    if (owner && owner->source[limit.side > 0])
        printf("   (%s)", owner->source[limit.side > 0]);
}

/* "   needs 12.84 N m (+7.0 %)", beside a limit of that value, NAN where there is none. */
static void print_need(double needs, double value, const char *unit) {
    printf("   needs %s", gdyn_amount(needs, unit).text);
    /* A share of the limit, or a factor where that is large. */
    if (!isfinite(value) || value == 0)
        return;
    double change = (needs - value) / fabs(value);
    if (fabs(change) < 10)
        printf(" (%+.1f %%)", 100 * change);
    else
        printf(" (%.4g times as much)", needs / value);
}

static void print_limit(const gdyn_trajectory *t, const gdyn_region_points *at, int point,
                        gdyn_limit limit, double needs) {
    const gdyn_limited *owner = gdyn_limit_owner(t->row, t->rows, limit);
    if (limit.shape == GDYN_LIMIT_EQUALITY) {
        printf("   the path requires a motion that the drives cannot control\n");
        if (t->evaluation && at == &t->along)
            gdyn_print_undriven(t->evaluation->track->state[point], "   ");
    } else if (gdyn_limit_is_forward(limit)) {
        printf("   d1 >= 0: the path is traversed forward\n");
    } else if (owner) {
        /* "   m1.torque <= 12 N m   (five_bar.yaml:38)   needs 12.84 N m (+7.0 %)". */
        bool upper = limit.side > 0, curve = owner->kind->at && owner->effort >= 0;
        double value = owner->value[upper];
        if (isnan(value) && !curve)
            printf("   %s at its %s", owner->name, upper ? "max" : "min");
        else
            printf("   %s%s%s %s %s%s", owner->name, *owner->quantity ? "." : "", owner->quantity,
                   upper ? "<=" : ">=", curve ? "its " : "",
                   curve ? owner->kind->at : gdyn_amount(value, owner->unit).text);
        gdyn_print_limit_line(t, limit);
        /* The need of a window is one of d1. */
        if (isfinite(needs) && limit.shape != GDYN_LIMIT_WINDOW)
            print_need(needs, value, owner->unit);
        printf("\n");
    }
}

/* --- points ----------------------------------------------------------------------------------- */

static void print_point(const gdyn_trajectory *t, const gdyn_region_points *at, int point,
                        int run) {
    const gdyn_certificate *proof = gdyn_region_certificate(at->region[point]);
    const char *many = proof->count < 7 ? counted[proof->count] : "limits";
    /* "circle: p = 1.2: no (d1, d2) is accessible: two limits exclude each other". */
    printf("%s: p = %s: no (d1, d2) is accessible", t->name,
           gdyn_amount(at->p[point], t->unit).text);
    if (proof->count > 0 && !(proof->count == 1 && proof->limit[0].shape == GDYN_LIMIT_EQUALITY)) {
        printf(": %s exclude%s %s", many, proof->count == 1 ? "s" : "",
               proof->count == 1 ? "it" : "each other");
    }
    printf("\n");
    /* Then one line for each of them. */
    for (int i = 0; i < proof->count; i++)
        print_limit(t, at, point, proof->limit[i], proof->needs[i]);
    if (proof->count > 1 && isfinite(proof->relative) && proof->relative > 0) {
        if (proof->relative < 10) {
            printf("   opens when all of them are relaxed by %.3g %%\n", 100 * proof->relative);
        } else {
            printf("   opens when all of them are relaxed by %.4g times their size\n",
                   proof->relative);
        }
    }
    if (run > 1)
        printf("   (the worst of %d neighbouring points without a region)\n", run);
}

void gdyn_print_certificates(const gdyn_trajectory *t) {
    const gdyn_region_points *at = t->at.points > 0 ? &t->at : &t->along;
    /* Runs of neighbouring points without a region, by their worst one. */
    int shown = 0, hidden = 0;
    for (int i = 0, end; i < at->points; i = end) {
        int worst = i;
        for (end = i; end < at->points && at->region[end]->status == GDYN_REGION_EMPTY &&
                      at->region[end]->island_count == 0;
             end++)
            if (gdyn_region_certificate(at->region[end])->relative >
                gdyn_region_certificate(at->region[worst])->relative)
                worst = end;
        if (end == i)
            end++;
        else if (shown++ < RUNS_SHOWN)
            print_point(t, at, worst, end - i);
        else
            hidden += end - i;
    }
    if (hidden > 0) {
        printf("%s: %d more point%s without a region\n", t->name, hidden,
               hidden == 1 ? " is" : "s are");
    }
}

static gdyn_words place_of(const gdyn_trajectory *t, double p) {
    return gdyn_place(p, t->along.p[t->along.points - 1] - t->along.p[0], t->unit);
}

void gdyn_print_singularities(const gdyn_trajectory *t) {
    const gdyn_singularities *singular = t->singular;
    for (int i = 0; singular && i < singular->count; i++) {
        const gdyn_singularity *at = &singular->at[i];
        printf("\n%s: p = %s", t->name, place_of(t, at->from).text);
        if (at->to != at->from)
            printf(" .. %s", place_of(t, at->to).text);
        if (at->constraints) {
            /* Where the constraints lose rank. */
            printf(": singular, the constraints have rank %d, elsewhere %d\n", at->rank,
                   at->generic);
            printf(at->blocks ? "   Branches of the motion may meet there, and no drive selects "
                                "one: no speed, acceleration or\n   time is valid across it.\n"
                              : "   The drives control all freedoms that the machine has there.\n");
            continue;
        }
        printf(": singular, the drives control %d of %d freedoms\n", at->rank, at->generic);
        /* Whether this path demands something of the freedom that is lost. */
        printf(at->blocks ? "   Near it the forces grow without bound: no speed, acceleration or "
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
                  "warning: trajectory '%s': at p = %s large loads cancel and leave rounding "
                  "errors of %.1e of half the range of '%s'; its load there is taken as zero",
                  t->name, place_of(t, e->cut_p).text, e->cut, t->row[e->cut_effort].name);
    gdyn_cli_note(options, "      = help: to resolve such loads of light parts, remove the heavy "
                           "ones from the machine");
}
