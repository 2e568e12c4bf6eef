/* traverse.c - the run: refine the grid until the bounds agree, put grid points where the motion
 * switches, tighten until the audit finds nothing, or say why there is no motion. */

#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* d2 within a segment, as a share of its step, that shows a switch; relative size of no switch. */
static const double SWITCHES = 1e-3, SWITCH_LEAST = 1e-6;
/* Relative distance from an island's end and from a limit of d2 that counts as active. */
static const double AT_ISLAND_END = 1e-6, AT_LIMIT = 2e-3;
/* By this share of that distance the limit at the end of a segment has to be nearer than the one at
 * its beginning: a motion that changes between the two touches both, but for rounding. */
static const double NEARER = 1e-6;

enum { SWITCH_ROUNDS = 4, AUDIT_ROUNDS = 24, CURVED_ROUNDS = 2, MOST_ROUNDS = 4 };
/* Pieces of a curved region made at once, without a first round that shows how far they matter. */
enum { FEW_PIECES = 16 };
/* What the audit may find: a share of half the range of a limit. */
static const double AUDIT_TOLERANCE = 2e-10;
/* What a motion may lack that counts as one: as much as `feasible` forgives. */
static const double FORGIVEN = 1e-6;

gdyn_traverse_settings gdyn_traverse_default(void) {
    return (gdyn_traverse_settings){
        .tolerance = 1e-3, .max_points = 2001, .bounds = true, .audit = true, .certificate = true};
}

const char *gdyn_traverse_status_name(gdyn_traverse_status status) {
    static const char *const names[] = {"ok",    "unfollowed", "empty",    "curve", "blocked",
                                        "start", "rest",       "singular", "rate"};
    return names[status];
}

gdyn_traverse *gdyn_traverse_create(void) {
    return gdyn_alloc(1, sizeof(gdyn_traverse));
}

/* NULL is allowed. */
void gdyn_traverse_destroy(gdyn_traverse *traverse) {
    if (traverse) {
        gdyn_free(traverse->point);
        gdyn_free(traverse->audit);
        gdyn_free(traverse->force);
        gdyn_free(traverse);
    }
}

/* --- a motion on the grid --------------------------------------------------------------------- */

/* Cells that depend on what speeds matter. */
static bool scoped(const gdyn_grid *grid) {
    bool any = false;
    for (int i = 0; i < grid->count; i++)
        any |= grid->place[i].cells.scoped;
    return any;
}

/* Few cells are fine up to the greatest speed of the regions already. */
static bool few_cells(const gdyn_grid *grid) {
    int most = 0;
    for (int i = 0; i < grid->count && most <= FEW_PIECES; i++) {
        const gdyn_place *place = &grid->place[i];
        int pieces =
            place->found == GDYN_POINT_OK ? gdyn_cells_pieces(place->region, &grid->scope) : 0;
        most = pieces > most ? pieces : most;
    }
    return most <= FEW_PIECES;
}

/* Regions are made; cells and motion. With curved arcs the cells are made anew, finer, once the
 * speeds of the motion are known, unless few suffice: fine as far as it goes, coarse beyond. */
static gdyn_status solve(gdyn_grid *grid, gdyn_plan *plan) {
    gdyn_status status = GDYN_OK;
    gdyn_grid_scope(grid);
    int pieces = grid->scope.pieces, rounds = few_cells(grid) ? 1 : CURVED_ROUNDS;
    grid->scope.pieces = rounds > 1 ? pieces / 2 : pieces;
    for (int round = 0; round < rounds && status == GDYN_OK; round++) {
        status = gdyn_grid_cells(grid);
        if (status == GDYN_OK)
            status = gdyn_plan_make(grid, plan);
        if (!scoped(grid) || round + 1 == rounds)
            break;
        double x = 0;
        for (int i = 0; i < grid->count; i++)
            x = fmax(x, grid->place[i].x);
        /* cells fine up to the speeds of this motion, with room above */
        double top = 1.25 * sqrt(x);
        if (plan->status == GDYN_TRAVERSE_OK && top > 0)
            grid->scope.d1_top = fmin(top, sqrt(grid->scope.x_cap));
        grid->scope.pieces = pieces;
    }
    return status;
}

/* --- refinement ------------------------------------------------------------------------------- */

/* Where the parabolas of two neighbouring segments meet in the segment between them; false when
 * that is at one of its ends, or the motion does not switch there. */
static bool meeting(const gdyn_grid *grid, int i, double *p) {
    const gdyn_place *a = &grid->place[i], *b = a + 1;
    /* u before and behind, and how much it varies there */
    double before = a[-1].u_end, after = b->u, h = b->p - a->p;
    double around = fabs(a[-1].u - before) + fabs(b->u_end - after);
    /* a jump within the segment, not a slope over several */
    bool jumps = before - a->u > SWITCHES * (before - after) ||
                 a->u_end - after > SWITCHES * (before - after) ||
                 a->u - a->u_end > 0.5 * (before - after);
    if (!jumps || before - after < 4 * around + SWITCH_LEAST * (fabs(before) + fabs(after)))
        return false;
    /* x of both parabolas is the same */
    *p = a->p + (b->x - a->x - 2 * after * h) / (2 * (before - after));
    return *p > a->p + 0.01 * h && *p < b->p - 0.01 * h;
}

/* Puts grid points where the motion switches from driving to braking. */
static gdyn_status insert_switches(gdyn_grid *grid, int *inserted) {
    *inserted = 0;
    gdyn_status status = GDYN_OK;
    /* every third segment at most: parabolas need neighbours */
    for (int i = 1; i + 2 < grid->count && status == GDYN_OK; i++) {
        double p;
        if (meeting(grid, i, &p)) {
            status = gdyn_grid_insert(grid, p, GDYN_EXTRA);
            ++*inserted;
            i += 2;
        }
    }
    return status;
}

/* Regions of all places, with nodes at zero-inertia points. */
static gdyn_status regions(gdyn_grid *grid) {
    gdyn_status status = gdyn_grid_regions(grid);
    for (int inserted = 1; inserted > 0 && status == GDYN_OK && gdyn_grid_follows(grid);) {
        status = gdyn_inertia_find(grid, &inserted);
        if (status == GDYN_OK && inserted > 0)
            status = gdyn_grid_regions(grid);
    }
    return status;
}

/* Refines the grid until the bounds agree to that share, and there where they do not. */
static gdyn_status refine(gdyn_grid *grid, gdyn_plan *plan, gdyn_traverse *out, double share) {
    const gdyn_traverse_settings *settings = &grid->settings;
    gdyn_status status = GDYN_OK;
    for (int refined = 1; refined > 0 && status == GDYN_OK;) {
        /* motion and bound on this grid */
        status = regions(grid);
        if (status == GDYN_OK)
            status = solve(grid, plan);
        if (status == GDYN_OK && settings->bounds && !plan->given)
            status = gdyn_bound_time(grid, plan, &out->lower);
        out->lower = plan->given ? plan->time - plan->doubt : out->lower;
        if (status != GDYN_OK || !settings->bounds)
            return status;
        /* no finer grid makes an obstacle vanish */
        bool moving = plan->status == GDYN_TRAVERSE_OK,
             hopeless = plan->status == GDYN_TRAVERSE_UNFOLLOWED ||
                        plan->status == GDYN_TRAVERSE_EMPTY ||
                        (plan->status == GDYN_TRAVERSE_CURVE && !plan->given);
        bool agree = plan->time - out->lower <= share * plan->time && !grid->overtaken;
        if (hopeless || (moving && agree) ||
            (!moving && 2 * grid->count - 1 > settings->max_points / 4))
            return GDYN_OK;
        /* no hint where to refine: everywhere */
        if (!moving || plan->given || isinf(out->lower)) {
            /* Nothing is known about where to look: everywhere. */
            for (int i = 0; i < grid->count; i++)
                grid->place[i].refine = grid->place[i].kind == GDYN_NODE;
        }
        status = gdyn_grid_refine(grid, &refined);
    }
    return status;
}

/* --- the audit -------------------------------------------------------------------------------- */

static gdyn_status solve_anew(gdyn_grid *grid, gdyn_plan *plan) {
    gdyn_status status = regions(grid);
    return status == GDYN_OK ? solve(grid, plan) : status;
}

/* Tightens and splits until the audit finds nothing. When that leads nowhere, the motion on the
 * limits as they are stands, with what the audit finds. */
static gdyn_status tighten(gdyn_grid *grid, gdyn_plan *plan, gdyn_traverse *out) {
    gdyn_status status = GDYN_OK;
    for (int round = 0, inserted; status == GDYN_OK; round++) {
        bool last = round == AUDIT_ROUNDS || plan->given, moving = plan->status == GDYN_TRAVERSE_OK;
        /* the limits as they are */
        if (last && !moving) {
            for (int i = 0; i < grid->count; i++)
                grid->place[i].tighten = 0;
            status = solve_anew(grid, plan);
            moving = plan->status == GDYN_TRAVERSE_OK;
        }
        /* audit of a motion, or limits that tightening has closed */
        if (status == GDYN_OK && moving)
            status = gdyn_audit_motion(grid, out, !last);
        else if (status == GDYN_OK) {
            /* Tightened limits leave no motion: there they are relaxed, and segments split. */
            for (int i = plan->at - 1; i <= plan->at + 2; i++) {
                if (i >= 0 && i < grid->count) {
                    grid->place[i].tighten *= 0.25;
                    grid->place[i].audit.split = i + 1 < grid->count;
                }
            }
        }
        if (status != GDYN_OK || last || (moving && out->violation <= AUDIT_TOLERANCE))
            break;
        status = gdyn_grid_split(grid, &inserted);
        if (status == GDYN_OK)
            status = solve_anew(grid, plan);
    }
    return status;
}

/* --- results ---------------------------------------------------------------------------------- */

/* The limit that u touches at one place. */
static double nearest_limit(const gdyn_place *place, double x, double u, gdyn_motion_point *point,
                            double best, int *side) {
    double d1 = sqrt(fmax(x, 0));
    for (int upper = 0; upper < 2; upper++) {
        const gdyn_arc *arc = gdyn_region_arc(place->region, d1, upper);
        if (!arc)
            continue;
        double slack = fabs((arc->a * d1 + arc->b) * d1 + arc->c - u);
        if (slack < best) {
            best = slack;
            *side = upper ? 1 : -1;
            point->limit_count = arc->active_count;
            memcpy(point->limit, arc->active, sizeof arc->active);
        }
    }
    return best;
}

/* The island whose right end, a limit of the speed, is reached at one place; NULL: none. */
static const gdyn_island *island_ended(const gdyn_place *place) {
    double d1 = sqrt(fmax(place->x, 0));
    for (int i = 0; i < place->region->island_count; i++) {
        const gdyn_island *island = &place->region->island[i];
        if (island->right_count > 0 && fabs(island->to - d1) <= AT_ISLAND_END * d1)
            return island;
    }
    return NULL;
}

static gdyn_status take_points(const gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out) {
    if (!gdyn_reserve(&out->point, &out->capacity, grid->count, sizeof *out->point))
        return GDYN_ERROR_MEMORY;
    out->points = grid->count;
    bool moving = plan->status == GDYN_TRAVERSE_OK;
    double t = 0;
    int before = 0;
    for (int i = 0; i < grid->count; i++) {
        const gdyn_place *place = &grid->place[i];
        const gdyn_intervals *k = &place->k;
        gdyn_motion_point *point = &out->point[i];
        *point = (gdyn_motion_point){
            .p = place->p, .t = NAN, .d1 = NAN, .d2 = NAN, .s = place->p, .s1 = NAN, .s2 = NAN};
        point->k_low = k->count ? sqrt(k->low[0]) : NAN;
        point->k_high = sqrt(gdyn_intervals_top(k));
        point->d1_max = place->d1_max;
        if (!moving)
            continue;
        point->t = t;
        point->d1 = sqrt(place->x);
        point->d2 = place->u;
        point->d2_before = i > 0 ? place[-1].u_end : place->u;
        point->s1 = point->d1, point->s2 = point->d2, point->s2_before = point->d2_before;
        if (i + 1 < grid->count) {
            /* What limits the segment behind i; side: -1, 1 of d2, 2 of the speed, 0 nothing */
            int side = 0;
            const gdyn_place *a = place, *b = a + 1;
            double unit = fmax(a->region->d2_unit, b->region->d2_unit), span = fabs(a->u);
            double near = AT_LIMIT * fmax(span, isfinite(unit) ? 0.02 * unit : 0);
            double best = nearest_limit(a, a->x, a->u, point, near, &side);
            nearest_limit(b, b->x, a->u_end, point, best - NEARER * near, &side);
            /* A speed limit reached at one end alone is where the segment leads to or from */
            const gdyn_island *from = island_ended(a), *to = island_ended(b),
                              *island = from ? from : to;
            if (island && ((from && to) || side == 0)) {
                side = 2;
                point->limit_count = island->right_count;
                memcpy(point->limit, island->right, sizeof island->right);
            }
            point->switching = i > 0 && side != before && side != 0;
            before = side;
            t += gdyn_segment_time(b->p - a->p, a, b);
        } else {
            point->limit_count = i > 0 ? point[-1].limit_count : 0;
            memcpy(point->limit, point[-1].limit, sizeof point->limit);
        }
    }
    out->time = out->upper = moving ? t : NAN;
    return GDYN_OK;
}

/* --- the run ---------------------------------------------------------------------------------- */

/* Refines until the bounds agree to that share, and makes the motion keep its limits. */
static gdyn_status plan_motion(gdyn_grid *grid, gdyn_plan *plan, gdyn_traverse *out, double share) {
    gdyn_status status = refine(grid, plan, out, share);
    if (status == GDYN_OK && plan->status == GDYN_TRAVERSE_OK && !plan->given &&
        (grid->settings.bounds || grid->settings.audit)) {
        /* New points change the motion a little, and with it the switches. */
        status = GDYN_OK;
        int inserted = 1;
        for (int round = 0; round < SWITCH_ROUNDS && inserted > 0 && status == GDYN_OK &&
                            plan->status == GDYN_TRAVERSE_OK;
             round++) {
            status = insert_switches(grid, &inserted);
            if (status == GDYN_OK && inserted > 0)
                status = solve(grid, plan);
        }
    }
    if (status == GDYN_OK && grid->settings.audit && plan->status == GDYN_TRAVERSE_OK)
        status = tighten(grid, plan, out);
    return status;
}

/* Shares of d1^2 below this are rounding. */
static const double ROUNDING = 1e-12;

/* The audit's tightening makes the motion slower: where that is too much, the grid is refined once
 * more where it was tightened, and the bounds have to agree better. */
static gdyn_status run(gdyn_grid *grid, gdyn_traverse *out) {
    double tolerance = grid->settings.tolerance, share = 0.7 * tolerance;
    bool bounds = grid->settings.bounds;
    gdyn_plan plan = {.status = GDYN_TRAVERSE_OK, .time = INFINITY};
    gdyn_status status = gdyn_grid_begin(grid);
    for (int round = 0, refined = 1; status == GDYN_OK && refined > 0; round++, share *= 0.5) {
        status = plan_motion(grid, &plan, out, share);
        out->converged = bounds && plan.status == GDYN_TRAVERSE_OK &&
                         plan.time - out->lower <= tolerance * plan.time && !grid->overtaken &&
                         (!grid->settings.audit || plan.given || out->violation <= FORGIVEN);
        if (status != GDYN_OK || plan.status != GDYN_TRAVERSE_OK || !bounds || out->converged ||
            round == MOST_ROUNDS)
            break;
        /* the audit made the motion too slow: finer where it did */
        /* Marks the segments whose limits had to be tightened most. */
        double most = 0;
        int node = 0;
        for (int i = 0; i < grid->count; i++)
            most = fmax(most, grid->place[i].tighten);
        /* the node whose segment it is */
        for (int i = 0; i + 1 < grid->count; i++) {
            node = grid->place[i].kind == GDYN_NODE ? i : node;
            if (most > 0 && fmax(grid->place[i].tighten, grid->place[i + 1].tighten) > 0.25 * most)
                grid->place[node].refine = true;
        }
        status = gdyn_grid_refine(grid, &refined);
        for (int i = 0; i < grid->count && refined > 0; i++)
            grid->place[i].tighten = 0;
    }
    if (status != GDYN_OK)
        return status;
    /* the result: points, bounds, and why there is no motion */
    out->status = plan.status;
    status = take_points(grid, &plan, out);
    out->upper += plan.given ? plan.doubt : 0;
    if (bounds && !plan.given && plan.status == GDYN_TRAVERSE_OK) {
        out->lower = fmin(out->lower, out->time);
        out->lower -= grid->ahead > ROUNDING ? grid->ahead * out->time : 0;
    }
    if (status == GDYN_OK && plan.status != GDYN_TRAVERSE_OK) {
        out->lower = NAN;
        status = gdyn_explain(grid, &plan, out);
    } else if (status == GDYN_OK && bounds) {
        status = gdyn_bound_widen(grid, &plan, out);
    }
    return status;
}

void gdyn_traverse_clear(gdyn_traverse *out) {
    out->status = GDYN_TRAVERSE_OK;
    out->points = out->audits = out->dwells = out->jumps = 0;
    out->drift = 0;
    out->time = out->lower = out->upper = NAN;
    out->violation = out->violation_p = out->relaxation = out->place = out->place_end = NAN;
    out->start_low = out->start_high = NAN;
    out->free_time = out->rate_error = out->rate_excess = NAN;
    out->infimum[0] = out->infimum[1] = NAN;
    out->leaps = 0;
    gdyn_free(out->force);
    out->force = NULL;
    out->rows = 0;
    out->certificate = (gdyn_certificate){0};
    out->converged = false;
}

/* Zero-inertia points decide what was found. */
static bool has_zeros(const gdyn_grid *grid) {
    bool any = false;
    for (int i = 0; i < grid->count; i++)
        any |= grid->place[i].inertia.zeros > 0;
    return any;
}

static bool better(const gdyn_traverse *a, const gdyn_traverse *b) {
    bool moves = a->status == GDYN_TRAVERSE_OK && !(a->violation > FORGIVEN);
    bool other = b->status == GDYN_TRAVERSE_OK && !(b->violation > FORGIVEN);
    return moves && (!other || a->upper < b->upper);
}

/* Another run: with d2 held back beside zero-inertia points, or with leaps there (leap.c). */
static gdyn_status run_other(gdyn_traverse *other, gdyn_path_dynamics *dynamics,
                             const gdyn_traverse_settings *settings, bool leaps) {
    gdyn_grid grid;
    gdyn_traverse_clear(other);
    gdyn_status status = gdyn_grid_open(&grid, dynamics, settings);
    grid.held_back = !leaps;
    grid.leaps = leaps;
    status = status == GDYN_OK ? run(&grid, other) : status;
    if (status == GDYN_OK && leaps && other->status == GDYN_TRAVERSE_OK)
        gdyn_leap_take(&grid, other);
    gdyn_grid_close(&grid);
    return status;
}

/* The better motion stays, and the better lower bound, which holds for both. */
static gdyn_status run_held_back(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                                 const gdyn_traverse_settings *settings) {
    gdyn_traverse *other = gdyn_traverse_create();
    gdyn_status status = other ? run_other(other, dynamics, settings, false) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && better(other, out)) {
        gdyn_traverse kept = *out;
        *out = *other;
        *other = kept;
        /* What belongs to the whole path, for any motion. */
        out->travels = other->travels;
        out->dwells = other->dwells;
        memcpy(out->dwell, other->dwell, sizeof out->dwell);
        out->jumps = other->jumps;
        memcpy(out->jump, other->jump, sizeof out->jump);
        if (other->status == GDYN_TRAVERSE_OK && other->lower <= out->upper)
            out->lower = fmax(out->lower, other->lower);
        out->converged = out->upper - out->lower <= settings->tolerance * out->upper;
    }
    gdyn_traverse_destroy(other);
    return status;
}

/* Infimum of the times. Lower bounds of other runs do not hold where nothing bounds d1. */
static gdyn_status run_leaping(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                               const gdyn_traverse_settings *wanted) {
    gdyn_traverse *other = gdyn_traverse_create();
    gdyn_traverse_settings settings = *wanted;
    settings.certificate = false;
    gdyn_status status = other ? run_other(other, dynamics, &settings, true) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && other->leaps > 0 && better(other, out)) {
        out->leaps = other->leaps;
        memcpy(out->leap, other->leap, sizeof out->leap);
        bool holds = out->lower <= other->upper && other->lower <= other->upper;
        out->lower = holds ? fmax(out->lower, other->lower) : other->lower;
        out->infimum[0] = out->lower;
        out->infimum[1] = other->upper;
    }
    gdyn_traverse_destroy(other);
    return status;
}

/* One piece of the path, or all of it, in the dynamics's present parameter. */
static gdyn_status run_piece(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                             const gdyn_traverse_settings *settings) {
    gdyn_grid grid;
    bool again = false, unbounded = false, open = false;
    bool free = settings->periodic || (isnan(settings->start_speed) && isnan(settings->end_speed));
    gdyn_status status = gdyn_grid_open(&grid, dynamics, settings);
    if (status == GDYN_OK) {
        status = run(&grid, out);
        /* After an error the places of the grid are not complete. */
        bool zeros = status == GDYN_OK && settings->bounds && has_zeros(&grid);
        unbounded = zeros && gdyn_leap_stretches(&grid);
        out->converged = out->converged && !unbounded; /* the scope of d1 of a run is limited */
        again = zeros && !out->converged;
        open = status == GDYN_OK && free && out->status == GDYN_TRAVERSE_OK &&
               gdyn_leap_unbounded(&grid);
        if (open) {
            /* Any speed is allowed, at both ends too: the infimum of the times is zero. */
            out->lower = out->infimum[0] = out->infimum[1] = 0;
            out->converged = false;
            out->leaps = 1;
            out->leap[0] = (gdyn_leap){.p = grid.place[0].p,
                                       .p_end = grid.place[grid.count - 1].p,
                                       .d1_from = INFINITY,
                                       .d1_to = INFINITY};
        }
    }
    gdyn_grid_close(&grid);
    if (open)
        return status;
    if (status == GDYN_OK && again)
        status = run_held_back(out, dynamics, settings);
    out->infimum[0] = out->lower;
    out->infimum[1] = out->upper;
    if (status == GDYN_OK && again && (!out->converged || unbounded) &&
        out->status == GDYN_TRAVERSE_OK)
        status = run_leaping(out, dynamics, settings);
    if (status == GDYN_OK && settings->rate && out->status == GDYN_TRAVERSE_OK)
        status = gdyn_rate_run(out, dynamics, settings);
    return status;
}

/* The drives lose control of a freedom within the path: no motion, also where the grid gave one. */
static void refuse(gdyn_traverse *out, const gdyn_singularity *block) {
    for (int i = 0; i < out->points; i++) {
        gdyn_motion_point *m = &out->point[i];
        m->t = m->d1 = m->d2 = m->d2_before = m->s1 = m->s2 = m->s2_before = NAN;
        m->s1_low = m->s1_high = m->k_low = m->k_high = NAN;
        m->limit_count = 0;
        m->switching = false;
    }
    out->time = out->upper = out->lower = NAN;
    out->certificate = (gdyn_certificate){0};
    out->status = GDYN_TRAVERSE_SINGULAR;
    out->place = block->from;
    out->place_end = block->to;
}

/* Stops where limited rates need them. Where a motion with a jump of d2, which is not sought, could
 * do without, *least is the lower bound without any limit on rates and such stops. */
static gdyn_status stop_at_jumps(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                                 const gdyn_traverse_settings *settings, double *least) {
    bool avoidable;
    gdyn_status status = gdyn_path_dynamics_stop_at_jumps(
        dynamics, settings->rate, GDYN_DWELLS_MOST, out->jump, &out->jumps, &avoidable);
    if (status != GDYN_OK || !avoidable || !settings->bounds)
        return status;
    gdyn_traverse *free = gdyn_traverse_create();
    gdyn_traverse_settings own = *settings;
    own.rate = NULL;
    status = free ? gdyn_path_dynamics_regularize(dynamics) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        gdyn_traverse_clear(free);
        status = gdyn_pieces_run(free, dynamics, &own, run_piece);
    }
    gdyn_path_dynamics_whole(dynamics);
    *least = free && free->status == GDYN_TRAVERSE_OK ? free->lower : INFINITY;
    gdyn_traverse_destroy(free);
    return status == GDYN_OK
               ? gdyn_path_dynamics_stop_at_jumps(dynamics, settings->rate, GDYN_DWELLS_MOST,
                                                  out->jump, &out->jumps, &avoidable)
               : status;
}

gdyn_status gdyn_traverse_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                              const gdyn_traverse_settings *wanted) {
    gdyn_traverse_settings settings = wanted ? *wanted : gdyn_traverse_default();
    gdyn_traverse_clear(out);
    if (!(settings.start_speed >= 0 || isnan(settings.start_speed)) ||
        !(settings.end_speed >= 0 || isnan(settings.end_speed)) || !(settings.tolerance > 0) ||
        !isfinite(settings.relax) || (settings.rate && settings.periodic) ||
        !(gdyn_path_dynamics_last(dynamics) > gdyn_path_dynamics_first(dynamics)))
        return GDYN_ERROR_ARGUMENT;
    const gdyn_singularity *block = gdyn_path_dynamics_block(dynamics, -INFINITY, INFINITY);
    if (block) {
        settings.bounds = settings.audit = settings.certificate = false;
        settings.rate = NULL;
    }
    double least = INFINITY;
    gdyn_status status = gdyn_path_dynamics_regularize(dynamics);
    if (status == GDYN_OK) {
        out->travels = gdyn_path_dynamics_travels(dynamics);
        out->dwells = gdyn_path_dynamics_dwells(dynamics, GDYN_DWELLS_MOST, out->dwell);
        if (settings.rate)
            status = stop_at_jumps(out, dynamics, &settings, &least);
    }
    if (status == GDYN_OK)
        status = gdyn_pieces_run(out, dynamics, &settings, run_piece);
    out->lower = least < out->lower ? least : out->lower;
    gdyn_path_dynamics_whole(dynamics);
    if (status == GDYN_OK && block && out->status != GDYN_TRAVERSE_UNFOLLOWED)
        refuse(out, block);
    return status;
}
