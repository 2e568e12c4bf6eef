/* evaluate.h - from a machine on a path to coefficients, regions and criteria. */
#pragma once

#include "base/api.h"
#include "access/access.h"
#include "criteria/criteria.h"
#include "path/path.h"

GDYN_API_BEGIN

/* How the drives' coefficients A, B, C, D, V are found. */
typedef enum gdyn_reduction {
    GDYN_REDUCE_SVD, /* reference: SVD of [C^T T], minimum-norm solution, drive part of the null
                        space */
    /* independent and fast: N^T T n = N^T (M u' + h - g), N from joint coordinates or QR */
    GDYN_REDUCE_NULL
} gdyn_reduction;
/* "svd", "null", NULL. */
extern const char *const gdyn_reduction_names[];

/* Coefficients of one pose with their own storage. */
typedef struct gdyn_pose {
    gdyn_coefficients coefficients; /* points into this object */
    int drives;                     /* k of the machine */
    int efforts;                    /* drives and stictions: the first rows */
    /* the force that each row limits: a drive, or drives + a stiction; -1: none */
    const int *row_effort;
    bool before;       /* joints that turn here are seen from before p */
    int redundancy;    /* of the drives alone: r without static friction */
    gdyn_rank rank_c;  /* of scaled C */
    gdyn_rank rank_ct; /* of scaled [C^T T]; SVD reduction only */
    gdyn_rank rank_v;  /* drive (and static friction) part of the null space: its rank is r */
    int mobility;      /* n - rank C */
    /* greatest share of the motion's inertia and load that no drive can balance */
    double uncontrolled;
    /* Largest force that was taken as zero, because loads that cancel leave rounding of that size,
     * as a share of half the range of its effort; at d1 and d2 that the other drives bear. Only
     * where loads of bodies differ by orders of magnitude. */
    double cut;
    int cut_effort;
} gdyn_pose;

/* Cuts up to this share change nothing that matters. */
#define GDYN_CUT_NEGLIGIBLE 1e-6

int gdyn_pose_efforts(const gdyn_model *model);

typedef struct gdyn_evaluator gdyn_evaluator; /* workspace */
gdyn_evaluator *gdyn_evaluator_create(const gdyn_model *model);
void gdyn_evaluator_destroy(gdyn_evaluator *evaluator);
gdyn_pose *gdyn_pose_create(const gdyn_model *model);
void gdyn_pose_destroy(gdyn_pose *pose);

/* Coefficients at a closed pose for derivatives along a path. Allocates nothing. */
gdyn_status gdyn_evaluator_pose(gdyn_evaluator *evaluator, const gdyn_state *state,
                                const gdyn_path_rates *rates, gdyn_reduction reduction,
                                gdyn_pose *pose);

/* Criteria of the pass LOCAL at one pose, from the drives' map and stiffnesses without its region:
 *   dexterity  least / greatest singular value of the map from drive speeds to the speeds the path
 *              prescribes, rotations times L: 0 singular, 1 isotropic
 *   stiffness  least translational stiffness at the tool from the drives' stiffnesses, unstressed;
 *              NaN without tool or stated stiffness, 0 when a freedom is not held by a stiff drive
 *   frequency  lowest eigenfrequency on the drives' stiffnesses, drives held; NaN without any
 *   load       least greatest utilisation of the drives at rest: 1 is at a limit, INFINITY when the
 *              pose cannot be held; sides that allow no zero force are kept as they are
 * targets: the path's rows at this pose; tool: where stiffness is taken, NULL for none. */
gdyn_status gdyn_evaluator_criteria(gdyn_evaluator *evaluator, const gdyn_state *state, int count,
                                    const gdyn_target *targets, const gdyn_anchor *tool,
                                    const gdyn_pose *pose, gdyn_criteria *criteria);

/* A place or stretch of a path where the drives lose control of a freedom, or a place where the
 * constraints lose rank (singularity.c). */
typedef struct gdyn_singularity {
    double from, to; /* p; equal but for a stretch of the path's points that are all singular */
    double within;   /* half of the bracket left around a place between points; 0 at a point */
    double sigma; /* greatest of the lost singular values of H, over max(1, the greatest of all) */
    int rank,
        generic; /* freedoms that the drives control there, elsewhere; or rank of the constraints */
    bool constraints;    /* the constraints lose rank; sigma: of them */
    double uncontrolled; /* greatest share of the motion's inertia and load along what is lost */
    /* uncontrolled is not zero: forces beside it have no bound; constraints: the drives do not
     * control the freedoms that appear */
    bool blocks;
} gdyn_singularity;

typedef struct gdyn_singularities {
    int generic; /* freedoms the drives control elsewhere; -1: no point was assembled */
    int count, capacity;
    gdyn_singularity *at;  /* count, in the order of p */
    double least, least_p; /* least sigma_g / max(1, sigma_1) met, and where; NAN: not asked for */
    double least_rank,
        least_rank_p; /* the same of the constraints, where it was asked for; else NAN */
    int losses;       /* places where the constraints lose rank (gdyn_ranks_losses), */
    int looked;       /* and of how many points of the track that is known; 0: not looked for */
} gdyn_singularities;

/* Everything about one trajectory. */
typedef struct gdyn_evaluation {
    gdyn_track *track; /* with the points that were inserted */
    /* The track as it was followed, without such points; NULL: not kept. */
    const gdyn_track *followed;
    bool follows, borrows; /* a run follows the path first; the track is another's */
    gdyn_region **region;  /* N */
    gdyn_pose **pose; /* N; lean: a few in turns for all, of the last points that were followed */
    gdyn_criteria *point; /* N; lean: NULL */
    int capacity;         /* points for which there is room, once one was inserted */
    bool lean;            /* of a path whose points are fixed */
    gdyn_region *common;  /* intersection of the regions of all points */
    /* Of the path, of the passes TRACK and, as asked for, REGIONS and LOCAL. */
    gdyn_criteria criteria;
    /* Of a path with a tolerance: estimated errors of the criteria that come from its points, in
     * their units; NAN: none is known; INFINITY: none can be given, no points were inserted for it,
     * or more are needed than there may be. Points are inserted into the track only where the path
     * can be followed and passed. */
    gdyn_criteria error;
    /* Places where the drives lose control of a freedom, at and between the points (with regions).
     * Where one blocks the path, area, d1_max, speed and accel are NAN: none holds across it. */
    gdyn_singularities singular;
    /* The worst cut of a pose, its effort and where. */
    double cut, cut_p;
    int cut_effort;
} gdyn_evaluation;

gdyn_evaluation *gdyn_evaluation_create(const gdyn_model *model, const gdyn_path *path);
/* Of a path that was followed already: the track is borrowed, and copied where points may be
 * inserted. lean, for very many points: coefficients and criteria of single points are not kept
 * where no points are inserted. */
gdyn_evaluation *gdyn_evaluation_over(gdyn_track *track, const gdyn_path *path, bool lean);
void gdyn_evaluation_destroy(gdyn_evaluation *evaluation);
/* What a run is to work out; all by default. Criteria of passes left out are NaN. */
typedef struct gdyn_evaluation_settings {
    gdyn_reduction reduction;   /* default GDYN_REDUCE_NULL */
    gdyn_projection projection; /* default GDYN_BY_ELEMENTARY */
    bool regions, local;        /* regions and their criteria; pose criteria */
    bool closest;               /* the criterion `singularity`; default false */
    bool lean; /* trajectory/: the sweep over the points is a lean evaluation; default false */
    const bool *wanted; /* GDYN_CRITERIA: those for which points are inserted; default NULL: all */
    bool wanted_alone;  /* errors of others are not estimated; default false */
    /* the machine assembled without a path; default NULL: from its first guess */
    const gdyn_state *start;
    /* lent, with room for the path's targets; default NULL: one of its own */
    gdyn_closure *closure;
    bool few; /* nothing is looked for between the points; default false */
    /* nothing is evaluated where a point cannot be assembled, see track->left; default false */
    bool brief;
    bool strict; /* trajectory/: the same, at the first point that is not OK; default false */
} gdyn_evaluation_settings;
gdyn_evaluation_settings gdyn_evaluation_default(void);
/* NULL settings take the default. */
gdyn_status gdyn_evaluation_run(gdyn_evaluation *evaluation, const gdyn_path *path,
                                const gdyn_evaluation_settings *settings);

/* Regions and criteria at any value of p of an evaluated trajectory. */
typedef struct gdyn_probe gdyn_probe; /* workspace */
/* The path and its evaluation are borrowed. */
gdyn_probe *gdyn_probe_create(const gdyn_path *path, const gdyn_evaluation *evaluation);
void gdyn_probe_destroy(gdyn_probe *probe);

/* The answer at one p; what it points to holds until the next one. */
typedef struct gdyn_probed {
    gdyn_point_status status;
    const gdyn_region *region; /* unknown unless the status is OK */
    gdyn_criteria criteria;
    const gdyn_state *state; /* the pose; the best one found where it cannot be closed */
    double error;            /* estimated error of the pose (shares of L, rad) */
} gdyn_probed;
/* p lies in the path's range (GDYN_ERROR_ARGUMENT elsewhere). */
gdyn_status gdyn_probe_at(gdyn_probe *probe, double p, const gdyn_evaluation_settings *settings,
                          gdyn_probed *answer);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The points that the wanted criteria come from (GDYN_CRITERIA), with both ends of the path: a
 * design nearby has the same criteria on them alone. Their number, and p (most) in ascending order;
 * 0: all points are needed, more than `most`, or places between them; or memory is out. */
int gdyn_evaluation_active(const gdyn_evaluation *evaluation, const bool *wanted, int most,
                           double *p);

/* Limit rows of a pose, and most columns of V: drives and stictions. */
int gdyn_pose_capacity(const gdyn_model *model);
/* The same at neighbouring points of a track that is followed, with its derivatives, at once: from
 * that point on, `count` points at most; before: as at the end of the path. Returns how many were
 * taken; 0: the machine is not of the kind for that, or a decision is not clear, they are to be
 * taken one by one. */
enum { GDYN_POSES_AT_ONCE = 4 };
int gdyn_evaluator_poses(gdyn_evaluator *evaluator, const gdyn_track *track, int point, int count,
                         gdyn_pose *const *pose);
/* Greatest translational stiffness at the tool, of the pose whose criteria were taken last; NAN:
 * none is known. */
double gdyn_evaluator_stiffest(const gdyn_evaluator *evaluator);
void gdyn_singularities_free(gdyn_singularities *singularities);
/* The first one that blocks the path between p = from and p = to; NULL when there is none. */
const gdyn_singularity *gdyn_singularities_block(const gdyn_singularities *singularities,
                                                 double from, double to);
/* A criterion of a range: GDYN_RANGE_TRAVEL, GDYN_RANGE_MARGIN [m or rad]; NAN where no point is
 * followed. */
double gdyn_travel_value(const gdyn_travel *travel, int criterion);
