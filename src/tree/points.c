/* points.c - neighbouring poses closed together: places, conditions, inverses, Newton's steps.
 *
 * Bodies are placed from the base outward as in move.c; axes and arms fixed in a body are those at
 * the base, turned by E. A step d from the residual phi takes the second-order term along
 * (Chebyshev):
 *   K d = -phi,   K d2 = -(d^T phi'' d) / 2,   q += d + d2. */
#include "tree/points_data.h"

#include "base/pi.h"

#include <math.h>
#include <string.h>

enum { STEPS = 5 };
/* Residuals of this size are rounding; above this one the second-order term is worth its cost. */
static const double SETTLED = 1e-14, CURVED = 1e-8;
/* Longest turn from the base, squared: the series below hold to rounding. */
static const double TURN_MOST = 1;
/* Below it y^5 / 11! is less than a tenth of the rounding of 1. */
static const double SMALL_TURN = 0.01;

/* --- places ---------------------------------------------------------------------------------- */

/* sin t / t and (1 - cos t) / t^2 of y = t^2 <= 1, by their series: terms to y^8, for small turns
 * to y^4. */
static inline void turn_factors(gdyn_lanes y, gdyn_lanes *a, gdyn_lanes *b) {
    /* 1 / (2 i + 1)! and 1 / (2 i + 2)! */
    static const double sine[] = {1,
                                  1.0 / 6,
                                  1.0 / 120,
                                  1.0 / 5040,
                                  1.0 / 362880,
                                  1.0 / 39916800,
                                  1.0 / 6227020800,
                                  1.0 / 1307674368000,
                                  1.0 / 355687428096000};
    static const double cosine[] = {1.0 / 2,
                                    1.0 / 24,
                                    1.0 / 720,
                                    1.0 / 40320,
                                    1.0 / 3628800,
                                    1.0 / 479001600,
                                    1.0 / 87178291200,
                                    1.0 / 20922789888000,
                                    1.0 / 6402373705728000};
    gdyn_lanes s = l_all(0), c = l_all(0);
    for (int i = l_holds(y < SMALL_TURN) ? 4 : 8; i >= 0; i--)
        s = sine[i] - y * s, c = cosine[i] - y * c;
    *a = s, *b = c;
}

/* E := E exp(t) */
static inline void turn_by(gdyn_wide3 E[3], gdyn_wide3 t) {
    gdyn_lanes a, b, y = w3_dot(t, t);
    turn_factors(y, &a, &b);
    /* columns of exp(t) = 1 + a t~ + b t~ t~ by Rodrigues */
    gdyn_wide3 bt = w3_scale(b, t), at = w3_scale(a, t), M[3], old[3] = {E[0], E[1], E[2]};
    M[0] = (gdyn_wide3){1 + bt.x * t.x - b * y, bt.x * t.y + at.z, bt.x * t.z - at.y};
    M[1] = (gdyn_wide3){bt.x * t.y - at.z, 1 + bt.y * t.y - b * y, bt.y * t.z + at.x};
    M[2] = (gdyn_wide3){bt.x * t.z + at.y, bt.y * t.z - at.x, 1 + bt.z * t.z - b * y};
    for (int j = 0; j < 3; j++)
        E[j] = w3_apply(old, M[j]);
}

/* E a */
static inline gdyn_wide3 apply(const gdyn_tree_points *p, const gdyn_wide3 *E, gdyn_wide3 a) {
    return p->planar ? w3_apply_planar(E, a) : w3_apply(E, a);
}

/* Displacements of a body's joint, in axes of the base with the joint's sign. */
typedef struct shift {
    gdyn_wide3 turn_a, turn_b, slide;
    bool by_a, by_b; /* there are such turns */
} shift;

static inline shift shift_of(const gdyn_tree_points *p, const gdyn_tree_body *body) {
    shift s = {w3_zero(), w3_zero(), w3_zero(), false, false};
    for (int c = body->first; c < body->first + body->count; c++) {
        const gdyn_screw *screw = &p->tree->screw[c];
        gdyn_wide3 axis = w3_all(p->axis + 3 * c);
        if (!screw->turns) {
            s.slide = w3_axpy(s.slide, p->dq[c], axis);
            continue;
        }
        if (screw->pitch != 0)
            s.slide = w3_axpy(s.slide, screw->pitch * p->dq[c], axis);
        /* turns about axes fixed in a and in b are kept apart */
        gdyn_wide3 *turn = screw->in_a ? &s.turn_a : &s.turn_b;
        *turn = w3_axpy(*turn, p->dq[c], axis);
        s.by_a = s.by_a || screw->in_a, s.by_b = s.by_b || !screw->in_a;
    }
    return s;
}

/* Axes of the body's joint at the poses. */
static inline void set_screws(gdyn_tree_points *p, const gdyn_tree_body *body, int i) {
    for (int c = body->first; c < body->first + body->count; c++) {
        gdyn_wide3 axis = w3_all(p->axis + 3 * c);
        int holder = p->tree->screw[c].in_a != body->reversed ? i : body->inboard;
        bool turned = holder >= 0 && !(p->planar && p->tree->screw[c].turns);
        p->e[c] = turned ? apply(p, p->E + 3 * holder, axis) : axis;
    }
}

/* place_body in the plane, where the order of turns does not matter. */
static inline bool place_planar(gdyn_tree_points *p, int i) {
    const gdyn_tree_body *body = &p->tree->body[i];
    gdyn_wide3 *E = p->E + 3 * i, slide, *sliding;
    gdyn_wide3 reach = w3_all(p->reach + 3 * i), arm = w3_all(p->arm + 3 * i);
    gdyn_lanes turn, a, b, c = l_all(1), s = l_all(0);
    /* a turn and a slide, at the base */
    turn = l_all(0);
    slide = w3_zero();
    for (int k = body->first; k < body->first + body->count; k++)
        if (p->tree->screw[k].turns)
            turn += p->dq[k] * p->axis[3 * k + 2];
        else
            slide = w3_axpy(slide, p->dq[k], w3_all(p->axis + 3 * k));
    gdyn_lanes square = turn * turn;
    sliding = body->reversed ? &arm : &reach;
    *sliding = w3_add(*sliding, slide);
    p->p[i] = reach, p->turn[i] = turn;
    turn_factors(square, &a, &b);
    gdyn_lanes own_c = 1 - b * square, own_s = a * turn;
    if (body->inboard >= 0) {
        const gdyn_wide3 *F = p->E + 3 * body->inboard;
        p->p[i] = w3_add(p->r[body->inboard], w3_apply_planar(F, reach));
        p->turn[i] += p->turn[body->inboard];
        c = F[0].x, s = F[0].y;
    }
    E[0] = (gdyn_wide3){c * own_c - s * own_s, s * own_c + c * own_s, l_all(0)};
    E[1] = (gdyn_wide3){-E[0].y, E[0].x, l_all(0)};
    E[2] = (gdyn_wide3){l_all(0), l_all(0), l_all(1)};
    p->r[i] = w3_add(p->p[i], w3_apply_planar(E, arm));
    set_screws(p, body, i);
    return l_holds(square <= TURN_MOST);
}

/* The body from the one inboard; false: it turns too far. */
static inline bool place_body(gdyn_tree_points *p, int i) {
    const gdyn_tree_body *body = &p->tree->body[i];
    shift s = shift_of(p, body);
    gdyn_wide3 *E = p->E + 3 * i, reach = w3_all(p->reach + 3 * i), arm = w3_all(p->arm + 3 * i);
    /* slides lengthen the reach, or in a reversed joint the arm */
    gdyn_wide3 *sliding = body->reversed ? &arm : &reach;
    *sliding = w3_add(*sliding, s.slide);
    /* frame and joint's point, carried by the body inboard */
    if (body->inboard >= 0) {
        memcpy(E, p->E + 3 * body->inboard, 3 * sizeof *E);
        p->p[i] = w3_add(p->r[body->inboard], w3_apply(E, reach));
    } else {
        const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int j = 0; j < 3; j++)
            E[j] = w3_all(unit[j]);
        p->p[i] = reach;
    }
    /* turns about axes of the inboard side come first */
    if (body->reversed ? s.by_a : s.by_b)
        turn_by(E, body->reversed ? s.turn_a : s.turn_b);
    if (body->reversed ? s.by_b : s.by_a)
        turn_by(E, body->reversed ? s.turn_b : s.turn_a);
    /* the centre and the screws */
    arm = w3_apply(E, arm);
    p->r[i] = w3_add(p->p[i], arm);
    set_screws(p, body, i);
    gdyn_lanes most = w3_dot(s.turn_a, s.turn_a) + w3_dot(s.turn_b, s.turn_b);
    return l_holds(most <= TURN_MOST);
}

/* points.c: the bodies, rows and inverses at dq; false: a joint moves too far from the base. */
static bool points_place(gdyn_tree_points *p) {
    bool near = true;
    for (int k = 0; k < p->tree->bodies && near; k++)
        near = p->planar ? place_planar(p, p->tree->order[k]) : place_body(p, p->tree->order[k]);
    return near;
}

/* --- conditions ------------------------------------------------------------------------------- */

static inline gdyn_wide3 fixed_in(const gdyn_tree_points *p, int body, const double base[3]) {
    gdyn_wide3 x = w3_all(base);
    return body >= 0 ? apply(p, p->E + 3 * body, x) : x;
}

/* Velocity of a point x of the term's body per unit of its coordinate. */
static inline gdyn_wide3 point_rate(const gdyn_tree_points *p, const gdyn_point_term *t,
                                    gdyn_wide3 x) {
    gdyn_wide3 e = p->e[t->coordinate];
    if (!t->turns)
        return e;
    if (p->planar)
        return w3_turn(e.z, w3_sub(x, p->p[t->body]));
    gdyn_wide3 rate = w3_cross(e, w3_sub(x, p->p[t->body]));
    return t->pitch != 0 ? w3_axpy(rate, l_all(t->pitch), e) : rate;
}

/* Derivatives of rows of points. */
static inline void fill_points(const gdyn_tree_points *p, const gdyn_row_group *g,
                               gdyn_point_block *block) {
    bool along = g->s.kind == GDYN_ROW_ALONG;
    for (int i = 0; i < g->s.terms; i++) {
        const gdyn_point_term *t = &p->term[g->s.first_term + i];
        /* where its motion counts: at a's point too when the direction moves with b */
        gdyn_wide3 rate = point_rate(p, t, t->on_b && !along ? g->xb : g->xa);
        rate = w3_scale(l_all(t->factor), rate);
        const gdyn_lanes part[3] = {rate.x, rate.y, rate.z};
        for (int k = 0; k < g->s.rows; k++)
            block->A[g->s.row[k] * block->width + t->column] +=
                along ? w3_dot(g->ew, rate) : part[g->s.axis[k]];
    }
}

/* Derivatives of rows of angles: n . w. */
static inline void fill_angles(const gdyn_tree_points *p, const gdyn_row_group *g,
                               gdyn_point_block *block) {
    gdyn_wide3 n = g->s.kind == GDYN_ROW_DOT ? w3_cross(g->mw, g->ew) : g->ew;
    bool orients = g->s.kind == GDYN_ROW_ORIENT;
    for (int i = 0; i < g->s.terms; i++) {
        const gdyn_point_term *t = &p->term[g->s.first_term + i];
        gdyn_wide3 e = w3_scale(l_all(t->factor), p->e[t->coordinate]);
        const gdyn_lanes part[3] = {e.x, e.y, e.z};
        for (int k = 0; k < g->s.rows && t->turns; k++)
            block->A[g->s.row[k] * block->width + t->column] +=
                orients ? part[g->s.axis[k]] : w3_dot(n, e);
    }
}

/* Rotation vector of the body against its target frame; its series near zero, where steps end.
 * Beyond a right angle, where the sine falls again, to zero at half a turn, it is not a number: no
 * step is taken from there. */
static inline gdyn_wide3 orientation_error(const gdyn_tree_points *p, const gdyn_row_group *g) {
    const gdyn_wide3 *E = p->E + 3 * g->s.a;
    const gdyn_wide3 *F = p->frame + 3 * (g->s.source[0] - p->tree->closing);
    gdyn_wide3 M[3];
    for (int j = 0; j < 3; j++)
        M[j] = w3_apply(E, F[j]);
    /* M = E R F^T turns the target into the body: its skew part is sin(angle) times the axis */
    gdyn_wide3 s = {0.5 * (M[1].z - M[2].y), 0.5 * (M[2].x - M[0].z), 0.5 * (M[0].y - M[1].x)};
    gdyn_lanes trace = M[0].x + M[1].y + M[2].z; /* 1 + 2 cos(angle) */
    s.x = l_choose((gdyn_lane_bits)(trace > 1), s.x, l_all(NAN));
    gdyn_lanes y = w3_dot(s, s); /* asin(s) / s */
    return w3_scale(1 + y * (1.0 / 6 + y * (3.0 / 40 + y * (15.0 / 336))), s);
}

/* Residuals of the group's rows with the opposite sign, scaled. */
static inline void fill_residuals(const gdyn_tree_points *p, const gdyn_row_group *g,
                                  const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                                  gdyn_point_block *block) {
    gdyn_wide3 error = g->s.kind == GDYN_ROW_ORIENT ? orientation_error(p, g) : g->d;
    for (int k = 0; k < g->s.rows; k++) {
        int at = g->s.source[k] - p->tree->closing;
        gdyn_lanes value, target = at < 0 ? l_all(g->s.target[k]) : gdyn_points_goals(goal, at, 0);
        if (g->s.kind == GDYN_ROW_ALONG) {
            value = w3_dot(g->ew, g->d) - target;
        } else if (g->s.kind == GDYN_ROW_DOT) {
            value = w3_dot(g->mw, g->ew) - target;
        } else if (g->s.kind == GDYN_ROW_TURN) {
            /* angles: the base's error to the nearest turn, and what the bodies turned since */
            gdyn_lanes own = p->turn[g->s.a] - (g->s.b >= 0 ? p->turn[g->s.b] : l_all(0));
            value = g->value0 - target;
            for (int l = 0; l < GDYN_LANES && !l_holds(l_abs(value) <= GDYN_PI); l++)
                value[l] = remainder(value[l], 2 * GDYN_PI);
            value += own * g->e0[2];
        } else {
            value = w3_part(error, g->s.axis[k]) - target;
        }
        block->b[g->s.row[k]] = -g->s.scale * value;
    }
}

void gdyn_points_conditions(gdyn_tree_points *p, gdyn_point_block *block) {
    memset(block->A, 0, (size_t)(block->rows * block->width) * sizeof *block->A);
    for (int j = block->first_group; j < block->first_group + block->groups; j++) {
        gdyn_row_group *g = &p->group[j];
        /* geometry first, then the derivatives over it: points and their difference */
        if (g->s.kind == GDYN_ROW_POINT || g->s.kind == GDYN_ROW_ALONG) {
            g->xa = fixed_in(p, g->s.a, g->arm_a);
            g->xb = fixed_in(p, g->s.b, g->arm_b);
            g->xa = g->s.a >= 0 ? w3_add(g->xa, p->r[g->s.a]) : g->xa;
            g->xb = g->s.b >= 0 ? w3_add(g->xb, p->r[g->s.b]) : g->xb;
            g->d = w3_sub(g->xa, g->xb);
        }
        /* directions fixed in b, and in a */
        if (g->s.kind == GDYN_ROW_ALONG || g->s.kind == GDYN_ROW_DOT || g->s.kind == GDYN_ROW_TURN)
            g->ew = fixed_in(p, g->s.b, g->e0);
        if (g->s.kind == GDYN_ROW_DOT)
            g->mw = fixed_in(p, g->s.a, g->m0);
        if (g->s.kind == GDYN_ROW_POINT || g->s.kind == GDYN_ROW_ALONG)
            fill_points(p, g, block);
        else
            fill_angles(p, g, block);
    }
}

static void points_rows(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE]) {
    for (int i = 0; i < p->blocks; i++) {
        gdyn_point_block *block = &p->block[i];
        gdyn_points_conditions(p, block);
        for (int j = 0; j < block->groups; j++)
            fill_residuals(p, &p->group[block->first_group + j], goal, block);
    }
}

/* --- solutions ------------------------------------------------------------------------------- */

void gdyn_points_invert(gdyn_tree_points *p, int blocks) {
    gdyn_lanes inverse = l_all(0), greatest = l_all(0), none = l_all(0);
    p->least_of_legs = l_all(1);
    for (int i = 0; i < blocks; i++) {
        gdyn_point_block *block = &p->block[i];
        int m = block->rows;
        /* behind the legs the hubs */
        if (i > 0 && i + 1 == p->blocks)
            p->least_of_legs = 1 / (inverse * greatest) + none;
        /* the inverse, its largest entry and that of the block */
        gdyn_lanes_inverse(m, block->A, block->width, block->X, &block->sign);
        none += 0 / block->sign; /* NaN from the first singular block on */
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++) {
                greatest = l_greater(greatest, l_abs(block->A[j * block->width + k]));
                inverse = l_greater(inverse, l_abs(block->X[j * m + k]));
            }
    }
    /* 1 / (max |X| max |A|): small near a singular block */
    p->least = 1 / (inverse * greatest) + none;
    p->least_of_legs = blocks > 0 && blocks < p->blocks ? p->least : p->least_of_legs;
}

/* x := X b (m). */
static inline void apply_inverse(int m, const gdyn_lanes *X, const gdyn_lanes *b, gdyn_lanes *x) {
    for (int j = 0; j < m; j++, X += m) {
        gdyn_lanes sum = X[0] * b[0];
        for (int k = 1; k < m; k++)
            sum += X[k] * b[k];
        x[j] = sum;
    }
}

void gdyn_points_solve(gdyn_tree_points *p, gdyn_lanes *x) {
    const gdyn_point_block *hubs = &p->block[p->blocks - 1];
    gdyn_lanes hub[GDYN_BLOCK_MOST], b[GDYN_BLOCK_MOST], own[GDYN_BLOCK_MOST];
    int f = hubs->rows;
    /* the hubs, in units of the rows and of the coordinates */
    apply_inverse(f, hubs->X, hubs->b, hub);
    for (int j = 0; j < f; j++)
        x[hubs->coordinate[j]] = p->scale[hubs->coordinate[j]] * hub[j];
    /* every leg with the hubs known */
    for (int i = 0; i + 1 < p->blocks; i++) {
        const gdyn_point_block *block = &p->block[i];
        int m = block->rows;
        for (int j = 0; j < m; j++) {
            const gdyn_lanes *P = block->A + j * block->width + m;
            gdyn_lanes sum = block->b[j];
            for (int k = 0; k < f; k++)
                sum -= P[k] * hub[k];
            b[j] = sum;
        }
        apply_inverse(m, block->X, b, own);
        for (int j = 0; j < m; j++)
            x[block->coordinate[j]] = p->scale[block->coordinate[j]] * own[j];
    }
}

/* --- steps ------------------------------------------------------------------------------------ */

/* dq := dq + d; three turns in one frame make a rotation vector t, whose rate is t' = d - t x d / 2
 * + (1 - (a/2) cot(a/2)) / a^2 t x (t x d), a = |t|; the factor is 1/12 + a^2 / 720 + a^4 / 30240 +
 * ... */
static void add_step(gdyn_tree_points *p, const gdyn_lanes *d) {
    const gdyn_tree *tree = p->tree;
    for (int c = 0; c < tree->coordinates; c++) {
        const gdyn_screw *s = &tree->screw[c];
        /* three turns of one joint on one side: a ball */
        bool ball = s[0].turns && c + 2 < tree->coordinates &&
                    tree->screw_body[c + 2] == tree->screw_body[c] && s[1].turns && s[2].turns &&
                    s[1].in_a == s[0].in_a && s[2].in_a == s[0].in_a;
        if (!ball) {
            p->dq[c] += d[c];
            continue;
        }
        /* the rotation vector so far and its increment */
        gdyn_wide3 t = w3_zero(), own = w3_zero(), e[3];
        for (int j = 0; j < 3; j++) {
            e[j] = w3_all(p->axis + 3 * (c + j));
            t = w3_axpy(t, p->dq[c + j], e[j]), own = w3_axpy(own, d[c + j], e[j]);
        }
        /* the rate of the vector that turns by the increment */
        gdyn_lanes y = w3_dot(t, t);
        gdyn_lanes factor = 1.0 / 12 + y * (1.0 / 720 + y * (1.0 / 30240 + y / 1209600));
        gdyn_wide3 once = w3_cross(t, own), rate = w3_axpy(own, l_all(-0.5), once);
        rate = w3_axpy(rate, factor, w3_cross(t, once));
        for (int j = 0; j < 3; j++)
            p->dq[c + j] += w3_dot(e[j], rate);
        c += 2;
    }
}

/* Largest residual of each lane, and where; one that is no number counts as largest. */
static void measure(gdyn_tree_points *p) {
    gdyn_lanes most = l_all(-1);
    gdyn_lane_bits worst = {0};
    for (int i = 0; i < p->blocks; i++)
        for (int j = 0; j < p->block[i].groups; j++) {
            const gdyn_row_group *g = &p->group[p->block[i].first_group + j];
            for (int k = 0; k < g->s.rows; k++) {
                gdyn_lanes size = l_abs(p->block[i].b[g->s.row[k]]);
                gdyn_lane_bits more =
                    ~(gdyn_lane_bits)(size <= most) & (gdyn_lane_bits)(most == most);
                most = l_choose(more, size, most);
                worst = (more & (long long)g->s.source[k]) | (~more & worst);
            }
        }
    p->residual = most, p->worst = worst;
}

/* A step from the residuals in b, with its second-order term where they are not small; its length
 * is added to p->moved. */
static void step(gdyn_tree_points *p, bool curved) {
    gdyn_points_solve(p, p->x);
    gdyn_points_velocities(p, p->x);
    /* length of the motion v, w of all bodies, without unit */
    double L = p->tree->model->length;
    gdyn_lanes moved = l_all(0), turned = l_all(0);
    for (int i = 0; i < p->tree->bodies; i++) {
        moved += w3_dot(p->v[i], p->v[i]);
        turned += w3_dot(p->w[i], p->w[i]);
    }
    /* lengths over L, and angles */
    gdyn_lanes sum = moved / (L * L) + turned;
    p->moved += l_root(sum);
    if (curved) {
        gdyn_points_bias(p, p->x);
        gdyn_points_curvature(p, -0.5);
        gdyn_points_solve(p, p->acceleration);
        for (int c = 0; c < p->tree->coordinates; c++)
            p->x[c] += p->acceleration[c];
    }
    add_step(p, p->x);
}

/* Frames of the goals seen from the base: R F^T, by columns. */
static void load_frames(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE]) {
    for (int i = 0; i < p->goals; i++) {
        if (goal[0][i].row->kind != GDYN_ROW_ORIENT)
            continue;
        for (int l = 0; l < GDYN_LANES; l++) {
            const double *R = p->base->R + 9 * goal[l][i].row->a, *F = goal[l][i].row->frame;
            for (int j = 0; j < 3; j++) {
                double row[3] = {F[j], F[3 + j], F[6 + j]}, column[3];
                m3_apply(column, R, row);
                p->frame[3 * i + j].x[l] = column[0];
                p->frame[3 * i + j].y[l] = column[1];
                p->frame[3 * i + j].z[l] = column[2];
            }
        }
    }
}

static int close_poses(gdyn_tree_points *p, const gdyn_tree_motion *motion,
                       const double h[GDYN_AT_ONCE], const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                       double tolerance, double radius) {
    gdyn_lanes before = l_all(INFINITY);
    int done = 0, sound = GDYN_ALL_LANES, closed = 0;
    p->h = l_pair(h);
    for (int c = 0; c < p->tree->coordinates; c++) {
        gdyn_lanes sum = l_all(0);
        for (int i = motion->terms - 1; i >= 0; i--)
            sum = p->h * (motion->c[i][c] + sum);
        p->dq[c] = sum;
    }
    p->moved = l_all(0);
    load_frames(p, goal);
    for (int i = 0; i < STEPS; i++) {
        if (!points_place(p))
            return 0;
        points_rows(p, goal);
        gdyn_points_invert(p, p->blocks);
        measure(p);
        p->steps = i;
        /* bits of the lanes that have arrived; before: their residuals one step ago */
        gdyn_lanes now = p->residual;
        gdyn_lane_bits stalls =
            (gdyn_lane_bits)(now > 0.1 * before) & (gdyn_lane_bits)(now <= tolerance);
        done = l_mask((gdyn_lane_bits)(now <= SETTLED) | stalls);
        sound = l_mask((gdyn_lane_bits)(p->least >= GDYN_POINTS_CLEAR) &
                       (gdyn_lane_bits)(p->moved <= radius));
        /* on, while the first lane needs a step or another one profits from it */
        int falls = l_mask(p->residual < before) & ~done;
        if (!(sound & 1) || ((done & 1) && (falls == 0 || i + 1 == STEPS)))
            break;
        before = p->residual;
        step(p, !l_holds(before <= CURVED));
    }
    while (closed < GDYN_LANES && (done & sound & 1 << closed))
        closed++;
    return closed;
}

static void base_signs(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                       signed char *sign) {
    memset(p->dq, 0, (size_t)p->tree->coordinates * sizeof *p->dq);
    load_frames(p, goal);
    points_place(p);
    points_rows(p, goal);
    gdyn_points_invert(p, p->blocks);
    for (int i = 0; i < p->blocks; i++)
        sign[i] = (signed char)(p->block[i].sign[0] < 0 ? -1 : 1);
}

const gdyn_points_kernel GDYN_TRANSLATED(gdyn_points_kernel) = {.close = close_poses,
                                                                .derive = gdyn_points_derive,
                                                                .hand_out = gdyn_points_hand_out,
                                                                .base_signs = base_signs,
                                                                .legs = gdyn_points_legs};
