/* loops.c - explicit closing of plane loops, y_c = y_c(z) in closed form.
 *
 * A loop is a cut joint with the tree's joints between its bodies a and b. It is plane where all
 * unknown joints turn about one direction n or slide at right angles to it. Seen from b, a moves by
 * M_1 M_2 (or M_1 alone), each a turn about a point X or a slide along e, and the cut joint asks
 * for
 *
 *   a turn free       coincidence    M_1 M_2 a = b
 *   a slide free      alignment      turns add up to phi,  c . (M_1 M_2 a - b) = value,
 *                                    c across the slide
 *   both free         line           c . (M_1 a - b) = value
 *   a rod             distance       |M_1 a - b| = length
 *   two slides free   angle          the turn is phi
 *
 * for all kinds of the joints: four-bars, sliders and inverted sliders, guides, rods. All of
 * it comes down to lines,
 *   A cos t + B sin t = C    and    |p + s e| = r.
 * The two solutions differ in the sign of the derivative at the solution, which is kept from the
 * closed pose: it is the branch (elbow up or down) that a motion cannot leave without passing a
 * dead centre. Loops that share joints are closed one after another, each as soon as only its own
 * unknowns are left. Inverse kinematics of this kind: C. Woernle 1988, cited by Schiehlen and
 * Blajer 1992; B. Paul, Kinematics and Dynamics of Planar Machinery, 1979, section 6.3. */
#include "tree/internal.h"

#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* Directions count as parallel or perpendicular to this; derivatives below it, relative to their
 * terms, tell no branch. */
static const double PARALLEL = 1e-9, BRANCH = 1e-6;

typedef enum need { COINCIDENCE, ALIGNMENT, LINE, DISTANCE, ANGLE, NOT_PLANE } need;

typedef struct plane {
    double x, y;
} plane;

static plane add(plane p, double s, plane q) {
    return (plane){p.x + s * q.x, p.y + s * q.y};
}
static plane sub(plane p, plane q) {
    return add(p, -1, q);
}
static double times(plane p, plane q) {
    return p.x * q.x + p.y * q.y;
}
static plane turned(plane p, double angle) {
    double c = cos(angle), s = sin(angle);
    return (plane){c * p.x - s * p.y, s * p.x + c * p.y};
}
static plane across(plane p) {
    return (plane){-p.y, p.x};
}
static double angle_between(plane p, plane q) {
    return atan2(p.x * q.y - p.y * q.x, times(p, q));
}

/* --- a loop at a pose ------------------------------------------------------------------------- */

/* One unknown: a turn about X, rate per coordinate +-1, or a slide along the unit vector e. */
typedef struct mover {
    bool turns;
    plane X, e;
    double rate;
} mover;

typedef struct view {
    double n[3], m[3], k[3]; /* normal, axes of the plane */
    plane a, b;              /* the cut joint's points */
    plane c;                 /* ALIGNMENT, LINE: across the slide */
    mover by[2];             /* seen from b */
} view;

static plane project(const view *v, const double x[3]) {
    return (plane){v3_dot(v->m, x), v3_dot(v->k, x)};
}

/* Ground axes of a free screw of the cut joint. */
static void screw_axis(const gdyn_state *state, const gdyn_joint_def *def, const gdyn_screw *s,
                       double e[3]) {
    gdyn_state_vector(state, s->in_a ? def->a.body : def->b.body, s->axis, e);
}

/* The normal: that of the plane, or the axis of a turn among the unknowns or of the cut joint;
 * false: none. */
static bool find_normal(const gdyn_tree_dynamics *d, const gdyn_tree_loop *loop,
                        const gdyn_tree_pose *pose, double n[3]) {
    const gdyn_model *model = d->tree->model;
    gdyn_screw screws[GDYN_SCREWS_MOST];
    v3_set(n, 0, 0, 1);
    if (d->dim == 3)
        return true;
    for (int i = 0; i < loop->unknowns; i++)
        if (d->tree->screw[loop->unknown[i]].turns) {
            v3_copy(n, pose->S + 6 * loop->unknown[i] + 3);
            return true;
        }
    int count = gdyn_joint_screws(model, loop->joint, screws);
    for (int i = 0; i < count; i++)
        if (screws[i].turns) {
            screw_axis(pose->state, &model->machine->joint[loop->joint], &screws[i], n);
            return true;
        }
    return false;
}

/* What the cut joint asks for in the plane, and the direction of its slide (ground axes). */
static need need_of(const gdyn_tree_dynamics *d, const gdyn_tree_loop *loop,
                    const gdyn_state *state, const double n[3], double slide[3]) {
    const gdyn_model *model = d->tree->model;
    const gdyn_joint_def *def = &model->machine->joint[loop->joint];
    gdyn_screw screws[GDYN_SCREWS_MOST];
    int count = gdyn_joint_screws(model, loop->joint, screws), slides = 0, all = 0;
    bool turns = false;
    if (count < 0) {
        bool rod = model->joint_count[loop->joint] == 1 &&
                   model->row[model->joint_first[loop->joint]].kind == GDYN_ROW_DISTANCE;
        return rod ? DISTANCE : NOT_PLANE;
    }
    for (int i = 0; i < count; i++) {
        double e[3];
        screw_axis(state, def, &screws[i], e);
        double along = fabs(v3_dot(e, n));
        all += screws[i].turns;
        if (screws[i].turns) {
            turns = turns || along > 1 - PARALLEL;
        } else if (along < PARALLEL) {
            v3_copy(slide, e);
            slides++;
        } else if (along < 1 - PARALLEL) {
            return NOT_PLANE;
        }
    }
    turns = turns || all == 3; /* a ball turns about any axis */
    if (turns)
        return slides == 0 ? COINCIDENCE : slides == 1 ? LINE : NOT_PLANE;
    return slides == 1 ? ALIGNMENT : slides == 2 ? ANGLE : NOT_PLANE;
}

/* The unknown i at a pose; false: it leaves the plane. */
static bool see_mover(const gdyn_tree_dynamics *d, const gdyn_tree_loop *loop, int i,
                      const gdyn_tree_pose *pose, const view *v, mover *out) {
    int c = loop->unknown[i], body = d->tree->screw_body[c];
    const double *S = pose->S + 6 * c;
    double X[3], e[3];
    *out = (mover){.turns = d->tree->screw[c].turns};
    if (out->turns) {
        double along = v3_dot(S + 3, v->n);
        v3_sub(X, pose->state->r + 3 * body, pose->arm + 3 * c);
        out->X = project(v, X);
        out->rate = loop->sign[i] * (along > 0 ? 1 : -1);
        return fabs(along) > 1 - PARALLEL && d->tree->screw[c].pitch == 0;
    }
    v3_scale(e, loop->sign[i], S);
    out->e = project(v, e);
    out->rate = 1;
    return fabs(v3_dot(e, v->n)) < PARALLEL;
}

static need see(const gdyn_tree_dynamics *d, const gdyn_tree_loop *loop, const gdyn_tree_pose *pose,
                view *v) {
    const gdyn_joint_def *def = &d->tree->model->machine->joint[loop->joint];
    double x[3], slide[3] = {0, 0, 0};
    if (!find_normal(d, loop, pose, v->n))
        return NOT_PLANE;
    gdyn_v3_triad(v->n, v->m, v->k);
    need wanted = need_of(d, loop, pose->state, v->n, slide);
    for (int i = 0; i < loop->unknowns; i++)
        if (!see_mover(d, loop, i, pose, v, &v->by[i]))
            return NOT_PLANE;
    gdyn_state_point(pose->state, &def->a, x);
    v->a = project(v, x);
    gdyn_state_point(pose->state, &def->b, x);
    v->b = project(v, x);
    v->c = across(project(v, slide));
    return wanted;
}

/* --- finding loops ---------------------------------------------------------------------------- */

static int unknowns_for(need wanted) {
    return wanted == COINCIDENCE || wanted == ALIGNMENT ? 2 : wanted == NOT_PLANE ? -1 : 1;
}

static bool is_inboard(const gdyn_tree *tree, int body, int of) {
    for (int b = of; b >= 0; b = tree->body[b].inboard)
        if (b == body)
            return true;
    return body < 0;
}

/* Adds the unsettled coordinates of the body's joint, those nearer to b first; false: too many. */
static bool take_unknowns(gdyn_tree_dynamics *d, int body, bool on_b, gdyn_tree_loop *loop) {
    const gdyn_tree_body *node = &d->tree->body[body];
    /* in a joint slides come first, seen from its b */
    bool forward = on_b == node->reversed;
    for (int i = 0; i < node->count; i++) {
        int c = node->first + (forward ? i : node->count - 1 - i);
        if (d->settled[c])
            continue;
        if (loop->unknowns == 2)
            return false;
        loop->unknown[loop->unknowns] = c;
        loop->sign[loop->unknowns++] = on_b ? -1 : 1;
    }
    return true;
}

/* The unknowns of the loop that a joint closes, in order from b to a; false: more than two. */
static bool trace(gdyn_tree_dynamics *d, int joint, gdyn_tree_loop *loop) {
    const gdyn_tree *tree = d->tree;
    const gdyn_joint_def *def = &tree->model->machine->joint[joint];
    *loop = (gdyn_tree_loop){.joint = joint};
    int meeting = def->b.body;
    for (; !is_inboard(tree, meeting, def->a.body); meeting = tree->body[meeting].inboard)
        if (!take_unknowns(d, meeting, true, loop))
            return false;
    for (int next = meeting, end = meeting; end != def->a.body; end = next) {
        for (next = def->a.body; tree->body[next].inboard != end;)
            next = tree->body[next].inboard;
        if (!take_unknowns(d, next, false, loop))
            return false;
    }
    return true;
}

static void settle_known(gdyn_tree_dynamics *d) {
    memset(d->settled, 0, (size_t)d->nq * sizeof *d->settled);
    for (int j = 0; j < d->condition.freedom; j++)
        d->settled[d->z[j]] = true;
}

void gdyn_tree_find_loops(gdyn_tree_dynamics *d) {
    const gdyn_machine *machine = d->tree->model->machine;
    bool more = true;
    settle_known(d);
    for (d->loops = 0; more;) {
        more = false;
        for (int j = 0; j < machine->joints; j++) {
            gdyn_tree_loop *loop = &d->loop[d->loops];
            view v;
            if (!gdyn_joint_type_has_points(machine->joint[j].type) ||
                gdyn_tree_takes(d->tree, j) || !trace(d, j, loop) || loop->unknowns == 0 ||
                unknowns_for(see(d, loop, d->pose, &v)) != loop->unknowns)
                continue;
            for (int i = 0; i < loop->unknowns; i++)
                d->settled[loop->unknown[i]] = true;
            d->loops++;
            more = true;
        }
    }
}

/* --- closing ---------------------------------------------------------------------------------- */

/* t of A cos t + B sin t = C on the branch with the sign of the derivative B cos t - A sin t. */
static bool solve_turn(double A, double B, double C, double branch, double *t) {
    double size = hypot(A, B);
    if (!(fabs(C) <= size))
        return false;
    *t = atan2(B, A) + (branch < 0 ? acos(C / size) : -acos(C / size));
    *t = remainder(*t, 2 * acos(-1.0));
    return true;
}

/* s of |p + s e| = r on the branch with the sign of e . (p + s e). */
static bool solve_slide(plane p, plane e, double r, double branch, double *s) {
    double along = times(p, e), square = r * r - times(p, p) + along * along;
    if (!(square >= 0))
        return false;
    *s = -along + (branch < 0 ? -sqrt(square) : sqrt(square));
    return true;
}

/* A loop's closing as one equation of either form; the second unknown follows. */
typedef struct equation {
    bool turns;
    double A, B, C; /* turn */
    plane p, e;     /* slide */
    double r;
} equation;

/* w . R(t) v = C */
static equation turn_equation(plane w, plane v, double C) {
    return (equation){.turns = true, .A = times(w, v), .B = times(w, across(v)), .C = C};
}

/* |R(t) v - w| = r */
static equation turn_distance(plane v, plane w, double r) {
    return turn_equation(w, v, 0.5 * (times(v, v) + times(w, w) - r * r));
}

static double length_of(plane p) {
    return sqrt(times(p, p));
}

/* The equation of a loop where one unknown stands alone with two solutions; false: it is linear,
 * see solve_linear. value: of c . (a - b) or |a - b| wanted; phi: turn wanted. */
static bool equation_of(need wanted, const view *v, double value, double phi, equation *q) {
    const mover *one = &v->by[0], *two = &v->by[1];
    if (wanted == COINCIDENCE && one->turns) {
        double r = length_of(sub(v->b, one->X));
        *q = two->turns ? turn_distance(sub(v->a, two->X), sub(one->X, two->X), r)
                        : (equation){.p = sub(v->a, one->X), .e = two->e, .r = r};
    } else if (wanted == COINCIDENCE && two->turns) {
        *q = (equation){
            .p = sub(v->b, two->X), .e = {-one->e.x, -one->e.y}, .r = length_of(sub(v->a, two->X))};
    } else if (wanted == ALIGNMENT && one->turns && two->turns) {
        plane rest = sub(add(one->X, 1, turned(sub(v->a, two->X), phi)), v->b);
        *q = turn_equation(v->c, sub(two->X, one->X), value - times(v->c, rest));
    } else if (wanted == LINE && one->turns) {
        *q = turn_equation(v->c, sub(v->a, one->X), value - times(v->c, sub(one->X, v->b)));
    } else if (wanted == DISTANCE) {
        *q = one->turns ? turn_distance(sub(v->a, one->X), sub(v->b, one->X), value)
                        : (equation){.p = sub(v->a, v->b), .e = one->e, .r = value};
    } else {
        return false;
    }
    return true;
}

/* Second unknown from the first solution x (of the second mover first in COINCIDENCE of two turns
 * or turn and slide). */
static void complete(need wanted, const view *v, double phi, double x, double out[2]) {
    const mover *one = &v->by[0], *two = &v->by[1];
    out[0] = x;
    if (wanted == ALIGNMENT) {
        out[1] = phi - x;
    } else if (wanted == COINCIDENCE && one->turns) {
        plane moved =
            two->turns ? add(two->X, 1, turned(sub(v->a, two->X), x)) : add(v->a, x, two->e);
        out[1] = x;
        out[0] = angle_between(sub(moved, one->X), sub(v->b, one->X));
    } else if (wanted == COINCIDENCE) {
        plane to = add(v->b, -x, one->e);
        out[1] = angle_between(sub(v->a, two->X), sub(to, two->X));
    }
}

/* Loops that are linear in their slides. */
static bool solve_linear(need wanted, const view *v, double value, double phi, double out[2]) {
    const mover *one = &v->by[0], *two = &v->by[1];
    double by, missing;
    if (wanted == ANGLE) {
        out[0] = phi;
        return one->turns;
    }
    if (wanted == COINCIDENCE) { /* two slides */
        plane gap = sub(v->b, v->a);
        by = one->e.x * two->e.y - one->e.y * two->e.x;
        out[0] = (gap.x * two->e.y - gap.y * two->e.x) / by;
        out[1] = (one->e.x * gap.y - one->e.y * gap.x) / by;
        return fabs(by) > BRANCH;
    }
    if (wanted == LINE) {
        by = times(v->c, one->e);
        out[0] = (value - times(v->c, sub(v->a, v->b))) / by;
        return fabs(by) > BRANCH;
    }
    if (one->turns == two->turns)
        return false;
    /* ALIGNMENT with a turn and a slide */
    const mover *turn = one->turns ? one : two;
    plane moved = add(turn->X, 1, turned(sub(v->a, turn->X), phi));
    plane e = one->turns ? turned(two->e, phi) : one->e;
    missing = value - times(v->c, sub(moved, v->b));
    by = times(v->c, e);
    out[one->turns ? 0 : 1] = phi;
    out[one->turns ? 1 : 0] = missing / by;
    return fabs(by) > BRANCH;
}

/* Turn of a relative to b that leads back to their relative attitude at the closed pose. */
static double turn_missing(const gdyn_tree_dynamics *d, int joint, const gdyn_state *to,
                           const double n[3]) {
    const gdyn_joint_def *def = &d->tree->model->machine->joint[joint];
    double r[3], A[9], B[9], A0[9], B0[9], wanted[9], gap[9], w[3];
    gdyn_state_body(to, def->a.body, r, A), gdyn_state_body(to, def->b.body, r, B);
    gdyn_state_body(d->state, def->a.body, r, A0);
    gdyn_state_body(d->state, def->b.body, r, B0);
    gdyn_m3_multiply_tn(wanted, B0, A0);
    gdyn_m3_multiply(wanted, B, wanted);
    gdyn_m3_multiply_tn(gap, A, wanted); /* in a's axes */
    gdyn_rotation_log(gap, w);
    m3_apply(w, A, w);
    return v3_dot(w, n);
}

/* Displacements of the loop's unknowns between the closed pose and `to`. */
static bool close_loop(gdyn_tree_dynamics *d, const gdyn_tree_loop *loop, const gdyn_state *to,
                       double *dq) {
    view before, now;
    equation q;
    double out[2] = {0, 0}, x;
    gdyn_tree_pose_set(d->near.pose, to);
    need wanted = see(d, loop, d->pose, &before);
    if (wanted == NOT_PLANE || see(d, loop, d->near.pose, &now) != wanted)
        return false;
    plane gap = sub(before.a, before.b);
    double value = wanted == DISTANCE ? length_of(gap) : times(before.c, gap),
           phi = turn_missing(d, loop->joint, to, now.n);
    if (equation_of(wanted, &before, value, 0, &q)) {
        /* the sign of the derivative at the closed pose itself, t = s = 0; 0: unknown */
        double slope = q.turns ? q.B : times(q.p, q.e);
        double size = q.turns ? hypot(q.A, q.B) : length_of(q.p);
        double branch = fabs(slope) > BRANCH * size ? slope : 0;
        equation_of(wanted, &now, value, phi, &q);
        if (branch == 0 || !(q.turns ? solve_turn(q.A, q.B, q.C, branch, &x)
                                     : solve_slide(q.p, q.e, q.r, branch, &x)))
            return false;
        complete(wanted, &now, phi, x, out);
    } else if (!solve_linear(wanted, &now, value, phi, out)) {
        return false;
    }
    for (int i = 0; i < loop->unknowns; i++) {
        dq[loop->unknown[i]] = out[i] / now.by[i].rate;
        d->settled[loop->unknown[i]] = isfinite(out[i]);
    }
    return isfinite(out[0]) && isfinite(out[1]);
}

bool gdyn_tree_close_loops(gdyn_tree_dynamics *d, double *dq, gdyn_state *to) {
    settle_known(d);
    for (int i = 0; i < d->loops; i++) {
        gdyn_tree_move(d->near.pose, d->state, dq, to);
        if (!close_loop(d, &d->loop[i], to, dq))
            return false;
    }
    return true;
}
