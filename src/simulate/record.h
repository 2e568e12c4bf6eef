/* record.h - a simulation as a table: a row per time, a column per quantity.
 *
 * Columns, in this order: t; per body place, velocity, acceleration; coordinates of joints; places
 * and velocities of points; forces of drives; residuals of the constraints on three levels;
 * energies; reactions of joints; what is added. Bodies are given as a case file gives their
 * velocities: place and velocity of the centre of gravity, angles (Cardan angles, continuous),
 * angular velocity in ground axes. */
#pragma once

#include "base/api.h"
#include "reactions/reactions.h"
#include "simulate/simulate.h"

GDYN_API_BEGIN

typedef enum gdyn_record_kind {
    GDYN_RECORD_TIME,
    GDYN_RECORD_PLACE,
    GDYN_RECORD_VELOCITY,
    GDYN_RECORD_ACCELERATION,
    GDYN_RECORD_JOINT,
    GDYN_RECORD_POINT,
    GDYN_RECORD_DRIVE,
    GDYN_RECORD_RESIDUAL,
    GDYN_RECORD_ENERGY,
    GDYN_RECORD_REACTION,
    GDYN_RECORD_TRACKING,
    GDYN_RECORD_CLOSING
} gdyn_record_kind;

typedef struct gdyn_record_column {
    char name[120]; /* "rod1.x", "P0.angle", "P0.fx" */
    const char *unit;
    gdyn_record_kind kind;
    int component; /* REACTION: of the analysis, else -1 */
    bool ground;   /* REACTION: along an axis of the ground, beside the joint's own */
} gdyn_record_column;

typedef struct gdyn_record {
    const gdyn_model *model;
    const gdyn_named_point *point; /* points: borrowed */
    int points;
    bool ground; /* reactions are also along the axes of the ground, "B.fx_ground" */
    int columns, frames, capacity;
    gdyn_record_column *column; /* columns */
    double *value;              /* frames x columns, a row per frame; NAN: not known */
    int components;
    /* Of the rigid machine, drive forces given: unique or indeterminate at any frame; by frame. */
    gdyn_verdict *worst;   /* components */
    gdyn_verdict *verdict; /* frames x components */
    bool all;              /* reactions that are not unique are recorded as the method has them */
    double held;           /* largest of all frames (gdyn_sim_now) */
    double held_time;      /* the first frame at which it was above GDYN_SIM_HINDERED */
    bool structure;        /* it was above GDYN_SIM_STRUCTURE, first at: */
    double structure_time;
    int redundant;          /* constraints that are redundant, of the last frame */
    gdyn_sim_energy energy; /* of the last frame */
    double residual[3];     /* largest of all frames */
    double imbalance;       /* largest |balance| of all frames [J] */
    double exchange;        /* largest |energy| that the balance is to be compared with [J] */
    double potential;       /* of the first frame [J] */
    double swing;           /* largest kinetic energy or change of potential energy [J] */
    struct gdyn_record_work *work;
} gdyn_record;

/* `all`: see above. NULL: memory is out. */
gdyn_record *gdyn_record_create(const gdyn_model *model, bool all);
void gdyn_record_destroy(gdyn_record *record);
/* Adds the present state of a simulation of the model. */
gdyn_status gdyn_record_take(gdyn_record *record, gdyn_simulation *simulation);
/* Another column, before the first frame: its number. At most GDYN_RECORD_ADDED_MOST. */
enum { GDYN_RECORD_ADDED_MOST = 16 };
int gdyn_record_add(gdyn_record *record, gdyn_record_kind kind, const char *name, const char *unit);
/* Its value at the last frame; NAN (not known) before. */
void gdyn_record_set(gdyn_record *record, int column, double value);
/* The column of that name, -1: none. */
int gdyn_record_find(const gdyn_record *record, const char *name);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* With the points and in the axes that a simulation asks for. */
gdyn_record *gdyn_record_create_for(const gdyn_model *model, const gdyn_simulation_def *def,
                                    bool all);
/* Unit of the amount by which a limit is exceeded. */
const char *gdyn_record_limit_unit(const gdyn_model *model, const gdyn_sim_limit *limit);
