/* regular.h - the travel s(p) along a path, a coordinate that keeps moving where p does not.
 *
 * d1 = dp/dt is no coordinate of a motion where the path's own derivative R'(p) vanishes: a motion
 * that passes there needs an infinite dp/dt, and one that starts there has any. With g = |R'|
 * (angles times the machine's length) and s(p) = integral of g dp, derivatives by s are u_s = u_p /
 * g, u_ss = (u_pp - u_p g' / g) / g^2, and coefficients become
 *   D_s = D / g,   B_s = B / g,   A_s = (A - D g' / g) / g^2,   g' = R' . R'' / g.
 * A rest is a place, or an interval (a dwell), where R' vanishes; s stays there. A motion has to
 * stop at a rest where the direction R' / g behind differs from that before, or the curvature
 * |dR'/ds / g| grows without bounds towards it, and where the direction jumps (a corner). */
#pragma once

#include "path/path.h"

typedef struct gdyn_path_rest {
    double from, to; /* p; equal where it is one place */
    double at;       /* s */
    /* the nearest p at which coefficients of s are to be had; NAN: the path ends here */
    double before, behind;
    bool vanishes;  /* R' does; else it jumps, */
    bool unbounded; /* or R'' is */
    bool stop;      /* a motion has to stop */
} gdyn_path_rest;

typedef struct gdyn_regular {
    const gdyn_path *path; /* borrowed */
    bool needed;           /* p itself is no coordinate, or a poor one; else s is p */
    int rests;
    gdyn_path_rest *rest; /* ascending */
    int knots;
    /* p, ascending: knots at which R''' jumps by what can be felt between points of a grid */
    double *knot;
    int bends;
    double *bend_at; /* p, ascending: places at which R'' jumps */
    int pieces;
    struct gdyn_regular_piece *piece;
    struct gdyn_target *target;      /* workspace */
    double *rate, *bend, *direction; /* targets each: R', R'', R' / g of the last place */
    double whole;                    /* largest g */
} gdyn_regular;

/* Places where R' vanishes or jumps (to be found on 1/1000 of the path, or at a knot), and s. */
gdyn_status gdyn_regular_create(const gdyn_path *path, gdyn_regular **regular);
void gdyn_regular_destroy(gdyn_regular *regular);
double gdyn_regular_s(const gdyn_regular *regular, double p);
/* p at s; at a rest where it begins, at one that ends the path where that ends. */
double gdyn_regular_p(const gdyn_regular *regular, double s);
/* The nearest place with coefficients; side < 0: at a rest the place before it. */
double gdyn_regular_near(const gdyn_regular *regular, double s, int side);
/* g and dg/dp. */
void gdyn_regular_speed(gdyn_regular *regular, double p, double *g, double *slope);
/* The rest at s, but for rounding; NULL: none. */
const gdyn_path_rest *gdyn_regular_rest(const gdyn_regular *regular, double s);
