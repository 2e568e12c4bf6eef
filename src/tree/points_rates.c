/* points_rates.c - velocities, accelerations and path derivatives of the poses in the lanes
 * (recursion.c, rates.c), and how the legs follow the hubs there. */
#include "tree/points_data.h"

#include "base/pi.h"

#include <math.h>
#include <string.h>

/* --- recursions ------------------------------------------------------------------------------- */

/* The same with what is zero in the plane left out. */
static void planar_velocities(gdyn_tree_points *p, const gdyn_lanes *rate) {
    const gdyn_tree *tree = p->tree;
    for (int k = 0; k < tree->bodies; k++) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        gdyn_wide3 v = w3_zero(), arm = w3_sub(p->r[i], p->p[i]);
        gdyn_lanes w = l_all(0), own = l_all(0);
        if (body->inboard >= 0) {
            w = p->w[body->inboard].z;
            v = w3_add(p->v[body->inboard], w3_turn(w, w3_sub(p->r[i], p->r[body->inboard])));
        }
        for (int c = body->first; c < body->first + body->count; c++)
            if (tree->screw[c].turns)
                own += rate[c] * p->e[c].z;
            else
                v = w3_axpy(v, rate[c], p->e[c]);
        v = w3_add(v, w3_turn(own, arm));
        p->v[i] = (gdyn_wide3){v.x, v.y, l_all(0)};
        p->w[i] = (gdyn_wide3){l_all(0), l_all(0), w + own};
    }
}

void gdyn_points_velocities(gdyn_tree_points *p, const gdyn_lanes *rate) {
    const gdyn_tree *tree = p->tree;
    if (p->planar) {
        planar_velocities(p, rate);
        return;
    }
    for (int k = 0; k < tree->bodies; k++) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        /* what the body's own joint adds: turns and slides */
        gdyn_wide3 v = w3_zero(), w = w3_zero(), arm = w3_sub(p->r[i], p->p[i]);
        gdyn_wide3 own = w3_zero(), slide = w3_zero();
        for (int c = body->first; c < body->first + body->count; c++) {
            const gdyn_screw *screw = &tree->screw[c];
            if (screw->turns)
                own = w3_axpy(own, rate[c], p->e[c]);
            if (!screw->turns || screw->pitch != 0)
                slide = w3_axpy(slide, screw->turns ? screw->pitch * rate[c] : rate[c], p->e[c]);
        }
        /* carried by the body inboard */
        if (body->inboard >= 0) {
            gdyn_wide3 reach = w3_sub(p->r[i], p->r[body->inboard]);
            w = p->w[body->inboard];
            v = w3_add(p->v[body->inboard], w3_cross(w, reach));
        }
        p->v[i] = w3_add(w3_add(v, slide), w3_cross(own, arm));
        p->w[i] = w3_add(w, own);
    }
}

/* Adds the rate of the screw of coordinate c in the motion v, w, times its speed; darm: the arm's
 * rate. */
static inline void add_screw_rate(const gdyn_tree_points *p, int body, int c, gdyn_lanes speed,
                                  gdyn_wide3 arm, gdyn_wide3 darm, gdyn_wide3 *bv, gdyn_wide3 *bw) {
    const gdyn_screw *screw = &p->tree->screw[c];
    const gdyn_tree_body *node = &p->tree->body[body];
    /* the axis moves with the body that holds it */
    int holder = screw->in_a != node->reversed ? body : node->inboard;
    gdyn_wide3 e = p->e[c], de = holder >= 0 ? w3_cross(p->w[holder], e) : w3_zero();
    if (!screw->turns) {
        *bv = w3_axpy(*bv, speed, de);
        return;
    }
    gdyn_wide3 rate = w3_add(w3_cross(de, arm), w3_cross(e, darm));
    *bw = w3_axpy(*bw, speed, de);
    *bv = w3_axpy(*bv, speed, w3_axpy(rate, l_all(screw->pitch), de));
}

/* Rate of the arm from the joint's point, which is a's, to the body's centre. */
static inline gdyn_wide3 arm_rate(const gdyn_tree_points *p, const gdyn_tree_body *body, int i,
                                  gdyn_wide3 arm) {
    if (!body->reversed)
        return w3_cross(p->w[i], arm);
    if (body->inboard < 0)
        return p->v[i];
    /* the joint's point is carried by the body inboard */
    gdyn_wide3 at = w3_sub(p->p[i], p->r[body->inboard]);
    gdyn_wide3 point = w3_add(p->v[body->inboard], w3_cross(p->w[body->inboard], at));
    return w3_sub(p->v[i], point);
}

/* The same in the plane, where axes of turns stand still: nothing turns faster by itself. */
static void planar_bias(gdyn_tree_points *p, const gdyn_lanes *rate) {
    const gdyn_tree *tree = p->tree;
    for (int k = 0; k < tree->bodies; k++) {
        int i = tree->order[k], P = tree->body[i].inboard;
        const gdyn_tree_body *body = &tree->body[i];
        gdyn_wide3 bv = w3_zero();
        p->bw[i] = p->bv[i] = bv;
        if (body->joint < 0 && P < 0) /* a hub's screws are fixed */
            continue;
        if (P >= 0)
            bv = w3_add(p->bv[P], w3_turn(p->w[P].z, w3_sub(p->v[i], p->v[P])));
        for (int c = body->first; c < body->first + body->count; c++) {
            int holder = tree->screw[c].in_a != body->reversed ? i : P;
            if (tree->screw[c].turns)
                bv = w3_add(bv, w3_turn(rate[c] * p->e[c].z,
                                        arm_rate(p, body, i, w3_sub(p->r[i], p->p[i]))));
            else if (holder >= 0)
                bv = w3_axpy(bv, rate[c], w3_turn(p->w[holder].z, p->e[c]));
        }
        p->bv[i] = (gdyn_wide3){bv.x, bv.y, l_all(0)};
    }
}

void gdyn_points_bias(gdyn_tree_points *p, const gdyn_lanes *rate) {
    const gdyn_tree *tree = p->tree;
    if (p->planar) {
        planar_bias(p, rate);
        return;
    }
    for (int k = 0; k < tree->bodies; k++) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        gdyn_wide3 bv = w3_zero(), bw = w3_zero();
        if (body->joint < 0 && body->inboard < 0) { /* a hub's screws are fixed */
            p->bv[i] = p->bw[i] = bv;
            continue;
        }
        /* what the motion of the body inboard brings */
        gdyn_wide3 arm = w3_sub(p->r[i], p->p[i]), darm = arm_rate(p, body, i, arm);
        if (body->inboard >= 0) {
            int P = body->inboard;
            gdyn_wide3 reach = w3_sub(p->r[i], p->r[P]), relative = w3_sub(p->v[i], p->v[P]);
            bw = p->bw[P];
            bv = w3_add(p->bv[P], w3_cross(bw, reach));
            bv = w3_add(bv, w3_cross(p->w[P], relative));
        }
        /* rates of the own screws */
        for (int c = body->first; c < body->first + body->count; c++)
            add_screw_rate(p, i, c, rate[c], arm, darm, &bv, &bw);
        p->bv[i] = bv, p->bw[i] = bw;
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Acceleration of a point x of a body in the plane: b_v - w^2 s. */
static inline gdyn_wide3 planar_point(const gdyn_tree_points *p, int body, gdyn_wide3 x) {
    if (body < 0)
        return w3_zero();
    gdyn_lanes w = p->w[body].z;
    return w3_axpy(p->bv[body], -w * w, w3_sub(x, p->r[body]));
}

static inline void point_motion(const gdyn_tree_points *p, int body, gdyn_wide3 x, gdyn_wide3 *v,
                                gdyn_wide3 *a) {
    *v = *a = w3_zero();
    if (body < 0)
        return;
    /* v + w x s and b_v + b_w x s + w x (w x s) */
    gdyn_wide3 s = w3_sub(x, p->r[body]), swing = w3_cross(p->w[body], s);
    *v = w3_add(p->v[body], swing), *a = w3_add(p->bv[body], w3_cross(p->bw[body], s));
    *a = w3_add(*a, w3_cross(p->w[body], swing));
}

/* First and second derivative of a vector fixed in a body. */
static inline void vector_motion(const gdyn_tree_points *p, int body, gdyn_wide3 e, gdyn_wide3 *de,
                                 gdyn_wide3 *dde) {
    *de = *dde = w3_zero();
    if (body < 0)
        return;
    *de = w3_cross(p->w[body], e);
    *dde = w3_add(w3_cross(p->bw[body], e), w3_cross(p->w[body], *de));
}

static inline gdyn_wide3 turning(const gdyn_tree_points *p, int body) {
    return body >= 0 ? p->bw[body] : w3_zero();
}

/* Second derivative of a row of points or directions:
 * (e . d)'' = e . d'' + 2 e' . d' + e'' . d, and m . e likewise. */
static inline gdyn_lanes second_of(const gdyn_tree_points *p, const gdyn_row_group *g, int k) {
    gdyn_wide3 d, dd, da, dda, db, ddb, e, de;
    switch (g->s.kind) {
    case GDYN_ROW_POINT:
        if (p->planar)
            return w3_part(w3_sub(planar_point(p, g->s.a, g->xa), planar_point(p, g->s.b, g->xb)),
                           g->s.axis[k]);
        point_motion(p, g->s.a, g->xa, &da, &dda);
        point_motion(p, g->s.b, g->xb, &db, &ddb);
        return w3_part(dda, g->s.axis[k]) - w3_part(ddb, g->s.axis[k]);
    case GDYN_ROW_ALONG:
        point_motion(p, g->s.a, g->xa, &da, &dda);
        point_motion(p, g->s.b, g->xb, &db, &ddb);
        vector_motion(p, g->s.b, g->ew, &e, &de);
        d = w3_sub(da, db);
        dd = w3_sub(dda, ddb);
        return w3_dot(g->ew, dd) + 2 * w3_dot(e, d) + w3_dot(de, g->d);
    case GDYN_ROW_DOT:
        vector_motion(p, g->s.a, g->mw, &da, &dda);
        vector_motion(p, g->s.b, g->ew, &e, &de);
        return w3_dot(dda, g->ew) + 2 * w3_dot(da, e) + w3_dot(g->mw, de);
    case GDYN_ROW_TURN:
        return g->e0[2] * (turning(p, g->s.a).z - turning(p, g->s.b).z);
    default:
        return w3_part(turning(p, g->s.a), g->s.axis[k]);
    }
}

void gdyn_points_curvature(gdyn_tree_points *p, double factor) {
    for (int i = 0; i < p->blocks; i++) {
        gdyn_point_block *block = &p->block[i];
        for (int j = block->first_group; j < block->first_group + block->groups; j++) {
            const gdyn_row_group *g = &p->group[j];
            for (int k = 0; k < g->s.rows; k++)
                block->b[g->s.row[k]] = factor * g->s.scale * second_of(p, g, k);
        }
    }
}

/* --- path derivatives ------------------------------------------------------------------------- */

/* Adds the goals' derivatives of that order to the right-hand sides of the hubs. */
static void add_goals(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                      int order) {
    gdyn_point_block *hubs = &p->block[p->blocks - 1];
    for (int j = hubs->first_group; j < hubs->first_group + hubs->groups; j++)
        for (int k = 0; k < p->group[j].s.rows; k++) {
            int at = p->group[j].s.source[k] - p->tree->closing;
            gdyn_lanes value = gdyn_points_goals(goal, at, order);
            hubs->b[p->group[j].s.row[k]] += p->group[j].s.scale * value;
        }
}

void gdyn_points_derive(gdyn_tree_points *p, const gdyn_tree_goal *const goal[GDYN_AT_ONCE]) {
    size_t bodies = (size_t)p->tree->bodies;
    /* first derivative: only the goals move */
    for (int i = 0; i < p->blocks; i++)
        memset(p->block[i].b, 0, sizeof p->block[i].b);
    add_goals(p, goal, 1);
    gdyn_points_solve(p, p->rate);
    gdyn_points_velocities(p, p->rate);
    /* second derivative: the curvature of rows and goals */
    gdyn_points_bias(p, p->rate);
    gdyn_points_curvature(p, -1);
    add_goals(p, goal, 2);
    /* velocities are kept: v, w become J q'' */
    memcpy(p->u_v, p->v, bodies * sizeof *p->v);
    memcpy(p->u_w, p->w, bodies * sizeof *p->w);
    gdyn_points_solve(p, p->acceleration);
    gdyn_points_velocities(p, p->acceleration);
}

/* --- how the legs follow the hubs: q = G h, G = -L^-1 P leg by leg ---------------------------- */

/* From the inverses at hand, into the lanes' maps. */
static void leg_maps(gdyn_tree_points *p, double *const map[GDYN_AT_ONCE]) {
    int f = p->tree->hub_columns, at = 1;
    gdyn_points_give(map, 0, p->least_of_legs);
    for (int b = 0; b + 1 < p->blocks; b++) {
        const gdyn_point_block *leg = &p->block[b];
        int m = leg->rows;
        for (int i = 0; i < m; i++) {
            const gdyn_lanes *X = leg->X + i * m, *P = leg->A + m;
            double scale = -p->scale[leg->coordinate[i]];
            for (int j = 0; j < f; j++, at++) {
                gdyn_lanes sum = X[0] * P[j];
                for (int k = 1; k < m; k++)
                    sum += X[k] * P[k * leg->width + j];
                gdyn_points_give(map, at, scale * sum);
            }
        }
    }
}

const double *gdyn_points_legs(gdyn_tree_points *p, const gdyn_state *state) {
    gdyn_points_take(p, state, NULL, p->tree->plan->groups);
    /* the lanes at the base itself, as far as the legs need it */
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < p->tree->bodies; i++) {
        p->r[i] = w3_all(state->r + 3 * i);
        p->p[i] = w3_sub(p->r[i], w3_all(p->arm + 3 * i));
        for (int j = 0; j < 3; j++)
            p->E[3 * i + j] = w3_all(unit[j]);
    }
    for (int c = 0; c < p->tree->coordinates; c++)
        p->e[c] = w3_all(p->axis + 3 * c);
    for (int l = 0; l + 1 < p->blocks; l++)
        gdyn_points_conditions(p, &p->block[l]);
    gdyn_points_invert(p, p->blocks - 1);
    double *const maps[GDYN_AT_ONCE] = {p->map, p->map, p->map, p->map}; /* the same in all lanes */
    leg_maps(p, maps);
    return p->map[0] >= GDYN_POINTS_CLEAR ? p->map : NULL;
}

/* --- handing out ------------------------------------------------------------------------------ */

static inline void give3(double *const list[GDYN_AT_ONCE], int i, gdyn_wide3 x) {
    gdyn_points_give(list, i, x.x), gdyn_points_give(list, i + 1, x.y);
    gdyn_points_give(list, i + 2, x.z);
}

/* Each lane less the one before it, the first one less what was at the base. */
static inline gdyn_lanes since(gdyn_lanes x, double base) {
    return x - (gdyn_lanes){base, x[0], x[1], x[2]};
}

/* Most that a body turned from lane to lane: the angle between two rotations is at most pi /
 * sqrt(8) times the Frobenius norm of their difference, which is sqrt(8) sin(angle / 2). */
static gdyn_lanes turned(const gdyn_tree_points *p) {
    gdyn_lanes most = l_all(0);
    for (int i = 0; i < p->tree->bodies; i++) {
        const gdyn_wide3 *E = p->E + 3 * i;
        gdyn_wide3 d = {since(E[0].x, 1), since(E[0].y, 0), l_all(0)};
        gdyn_lanes sum = 2 * w3_dot(d, d); /* in the plane one column of two */
        for (int j = 0; j < 3 && !p->planar; j++) {
            d = (gdyn_wide3){since(E[j].x, j == 0), since(E[j].y, j == 1), since(E[j].z, j == 2)};
            sum = w3_dot(d, d) + (j > 0 ? sum : l_all(0));
        }
        most = l_greater(sum, most);
    }
    return GDYN_PI / sqrt(8.0) * l_root(most);
}

/* Places of all bodies; the plane keeps their heights. */
static void give_places(const gdyn_tree_points *p, gdyn_tree_arrival *const to[GDYN_AT_ONCE]) {
    double *r[GDYN_AT_ONCE], *R[GDYN_AT_ONCE];
    for (int l = 0; l < GDYN_LANES; l++) {
        r[l] = to[l]->state->r;
        R[l] = to[l]->state->R;
    }
    for (int i = 0; i < p->tree->bodies; i++) {
        const double *from = p->base->R + 9 * i;
        gdyn_wide3 centre = p->r[i];
        if (p->planar) {
            centre.z = l_all(p->base->r[3 * i + 2]);
            /* E times the body's rotation at the base in the plane, of unit length by one step of
             * Newton's method; what is constant in the plane stays. */
            const gdyn_wide3 *E = p->E + 3 * i;
            int at = 9 * i;
            gdyn_lanes c = E[0].x * from[0] + E[1].x * from[1],
                       s = E[0].y * from[0] + E[1].y * from[1];
            gdyn_lanes factor = 1.5 - 0.5 * (c * c + s * s);
            c *= factor, s *= factor;
            gdyn_points_give(R, at, c), gdyn_points_give(R, at + 1, s);
            gdyn_points_give(R, at + 3, -s), gdyn_points_give(R, at + 4, c);
        } else {
            /* the same in space: lengths by one step of Newton's method, columns at right
             * angles. */
            const gdyn_wide3 *E = p->E + 3 * i;
            int at = 9 * i;
            gdyn_wide3 x = w3_apply(E, w3_all(from)), y = w3_apply(E, w3_all(from + 3));
            x = w3_scale(1.5 - 0.5 * w3_dot(x, x), x);
            y = w3_axpy(y, -w3_dot(x, y), x);
            y = w3_scale(1.5 - 0.5 * w3_dot(y, y), y);
            give3(R, at, x), give3(R, at + 3, y), give3(R, at + 6, w3_cross(x, y));
        }
        give3(r, 3 * i, centre);
    }
}

/* u_p as kept, u_pp = J q'' + bias, and the joints' rates. */
static void give_rates(const gdyn_tree_points *p, gdyn_tree_arrival *const to[GDYN_AT_ONCE]) {
    double *u[GDYN_AT_ONCE], *a[GDYN_AT_ONCE], *rate[GDYN_AT_ONCE], *acceleration[GDYN_AT_ONCE];
    for (int l = 0; l < GDYN_LANES; l++) {
        u[l] = to[l]->u_p;
        a[l] = to[l]->u_pp;
        rate[l] = to[l]->rate;
        acceleration[l] = to[l]->acceleration;
    }
    for (int i = 0; i < p->tree->bodies; i++) {
        gdyn_wide3 v = p->u_v[i], w = p->u_w[i];
        gdyn_wide3 dv = w3_add(p->v[i], p->bv[i]), dw = w3_add(p->w[i], p->bw[i]);
        if (p->planar) { /* vx, vy, wz */
            give3(u, 3 * i, (gdyn_wide3){v.x, v.y, w.z});
            give3(a, 3 * i, (gdyn_wide3){dv.x, dv.y, dw.z});
            continue;
        }
        give3(u, 6 * i, v), give3(u, 6 * i + 3, w), give3(a, 6 * i, dv);
        give3(a, 6 * i + 3, dw);
    }
    for (int c = 0; c < p->tree->coordinates; c++) {
        gdyn_points_give(rate, c, p->rate[c]);
        gdyn_points_give(acceleration, c, p->acceleration[c]);
    }
}

void gdyn_points_hand_out(gdyn_tree_points *p, gdyn_tree_arrival *const to[GDYN_AT_ONCE],
                          bool legs) {
    double *map[GDYN_AT_ONCE];
    gdyn_lanes turns = turned(p);
    give_places(p, to);
    give_rates(p, to);
    /* lengths of the steps from each lane to the next one; from the last one as long as the one
     * before it */
    gdyn_lanes h = {p->h[1] - p->h[0], p->h[2] - p->h[1], p->h[3] - p->h[2], p->h[3] - p->h[2]};
    gdyn_lanes sum = l_all(0), most = l_all(0), half = 0.5 * h * h;
    for (int i = 0; i < p->tree->bodies; i++) {
        const gdyn_tree_body *body = &p->tree->body[i];
        gdyn_lanes own = l_all(0);
        for (int c = body->first; c < body->first + body->count; c++) {
            gdyn_lanes d = (h * p->rate[c] + half * p->acceleration[c]) * p->per_joint[c];
            own += d * d;
        }
        sum += own;
        most = l_greater(own, most);
    }
    sum = l_root(sum), most = l_root(most);
    for (int l = 0; l < GDYN_LANES; l++)
        to[l]->stride = (gdyn_tree_stride){.h = h[l], .length = sum[l], .most = most[l]};
    for (int l = 0; l < GDYN_LANES; l++) {
        to[l]->turned = turns[l];
        map[l] = to[l]->leg_map;
        map[l][0] = 0;
        for (int i = 0; i < p->blocks; i++)
            to[l]->sign[i] = (signed char)(p->block[i].sign[l] < 0 ? -1 : 1);
        to[l]->closed = (gdyn_tree_closed){.residual = p->residual[l],
                                           .worst = (int)p->worst[l],
                                           .moved = p->moved[l],
                                           .steps = p->steps,
                                           .least = p->least[l]};
    }
    if (legs)
        leg_maps(p, map);
}
