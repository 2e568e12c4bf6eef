/* record.c - a simulation as a table.
 *
 * Drive forces are given here, so that a reaction is known when G L = 0 (reactions.h): unique and
 * drive-dependent ones. Their values follow from any multipliers of the family. */
#include "simulate/record.h"

#include "base/memory.h"
#include "linalg/vec3.h"
#include "model/kinds.h"
#include "reactions/reactions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gdyn_record_work {
    gdyn_reactions *reactions;
    double *C, *weight; /* rows x n, rows */
    double *z, *angles; /* n, 3 per body */
    int rows;
};

static const char *const places[2][6] = {{"x", "y", "angle"}, {"x", "y", "z", "a", "b", "c"}};
static const char *const velocities[2][6] = {{"vx", "vy", "w"},
                                             {"vx", "vy", "vz", "wx", "wy", "wz"}};
static const char *const accelerations[2][6] = {{"ax", "ay", "alpha"},
                                                {"ax", "ay", "az", "alphax", "alphay", "alphaz"}};
static const char *const energies[] = {"kinetic",       "potential",        "work_drives",
                                       "work_motions",  "work_constraints", "work_loads",
                                       "work_friction", "work_projection",  "balance"};
enum { ENERGIES = sizeof energies / sizeof *energies };

/* --- columns ---------------------------------------------------------------------------------- */

static void add(gdyn_record *r, gdyn_record_kind kind, const char *unit, int component,
                const char *owner, const char *what) {
    gdyn_record_column *c = &r->column[r->columns++];
    *c = (gdyn_record_column){.kind = kind};
    c->unit = unit, c->component = component;
    snprintf(c->name, sizeof c->name, "%s%s%s", owner, *owner && *what ? "." : "", what);
}

static void add_bodies(gdyn_record *r) {
    bool spatial = gdyn_model_space(r->model) == GDYN_SPATIAL;
    /* Three groups with the same order of bodies and coordinates. */
    const struct {
        gdyn_record_kind kind;
        const char *const *names, *length, *angle;
    } groups[] = {{GDYN_RECORD_PLACE, places[spatial], "m", "rad"},
                  {GDYN_RECORD_VELOCITY, velocities[spatial], "m/s", "rad/s"},
                  {GDYN_RECORD_ACCELERATION, accelerations[spatial], "m/s^2", "rad/s^2"}};
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < gdyn_model_bodies(r->model); i++)
            for (int j = 0; j < (spatial ? 6 : 3); j++)
                add(r, groups[g].kind, j < (spatial ? 3 : 2) ? groups[g].length : groups[g].angle,
                    -1, gdyn_model_body(r->model, i)->name, groups[g].names[j]);
}

/* Unit of what the drive exerts; that of a wrench with a torque is the user's choice. */
static const char *unit_of_effort(const gdyn_model *model, int drive) {
    const gdyn_drive_def *def = gdyn_model_drive(model, drive);
    gdyn_acting acts = gdyn_drive_traits_of(def->kind)->acts;
    if (acts == GDYN_ACTS_AT_JOINT)
        return gdyn_freedom_slides(def->freedom) ? "N" : "N m";
    bool turns = acts == GDYN_ACTS_ON_POINT && v3_norm(def->torque) > 0;
    return turns ? "" : "N";
}

const char *gdyn_record_limit_unit(const gdyn_model *model, const gdyn_sim_limit *limit) {
    const gdyn_limit_kind *kind = limit->item.kind;
    if (kind->of == GDYN_LIMIT_OF_DRIVE)
        return gdyn_limit_unit(kind, unit_of_effort(model, limit->item.owner));
    return kind->unit[gdyn_model_limit_slides(model, limit->item.owner)];
}

static void add_columns(gdyn_record *r) {
    /* Time, bodies, joints, drives; then residuals, energies, reactions. */
    add(r, GDYN_RECORD_TIME, "s", -1, "t", "");
    add_bodies(r);
    for (int i = 0; i < gdyn_model_joints(r->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(r->model, i);
        gdyn_freedom freedom[3];
        int count = gdyn_joint_freedoms(joint->type, gdyn_model_space(r->model), freedom);
        for (int k = 0; k < count; k++)
            add(r, GDYN_RECORD_JOINT, gdyn_freedom_slides(freedom[k]) ? "m" : "rad", -1,
                joint->name, gdyn_freedom_name(freedom[k]));
    }
    bool spatial = gdyn_model_space(r->model) == GDYN_SPATIAL;
    for (int i = 0; i < r->points; i++)
        for (int j = 0; j < (spatial ? 6 : 4); j++) {
            int axis = j % (spatial ? 3 : 2);
            bool place = j < (spatial ? 3 : 2);
            add(r, GDYN_RECORD_POINT, place ? "m" : "m/s", -1, r->point[i].name,
                (place ? places : velocities)[spatial][axis]);
        }
    for (int i = 0; i < gdyn_model_drives(r->model); i++)
        add(r, GDYN_RECORD_DRIVE, unit_of_effort(r->model, i), -1,
            gdyn_model_drive(r->model, i)->name, "force");
    add(r, GDYN_RECORD_RESIDUAL, "m", -1, "residual", "position");
    add(r, GDYN_RECORD_RESIDUAL, "m/s", -1, "residual", "velocity");
    add(r, GDYN_RECORD_RESIDUAL, "m/s^2", -1, "residual", "acceleration");
    for (int k = 0; k < ENERGIES; k++)
        add(r, GDYN_RECORD_ENERGY, "J", -1, "energy", energies[k]);
    const gdyn_reactions *reactions = r->work->reactions;
    char label[100];
    for (int c = 0; c < r->components; c++) {
        add(r, GDYN_RECORD_REACTION, gdyn_reactions_component(reactions, c)->moment ? "N m" : "N",
            c, gdyn_reactions_label(reactions, c, label, sizeof label), "");
        r->column[r->columns - 1].ground = gdyn_reactions_axis(reactions, c) >= 6;
    }
}

/* --- making one ------------------------------------------------------------------------------- */

gdyn_record *gdyn_record_create(const gdyn_model *model, bool all) {
    const gdyn_simulation_def none = gdyn_simulation_default();
    return gdyn_record_create_for(model, &none, all);
}

gdyn_record *gdyn_record_create_for(const gdyn_model *model, const gdyn_simulation_def *def,
                                    bool all) {
    gdyn_record *r = gdyn_alloc(1, sizeof *r);
    struct gdyn_record_work *w = gdyn_alloc(1, sizeof *w);
    if (!r || !w) {
        gdyn_free(r), gdyn_free(w);
        return NULL;
    }
    /* Workspace: C, weights of the multipliers, coordinates z, angles of the last frame. */
    size_t n = (size_t)gdyn_model_coordinates(model), bodies = (size_t)gdyn_model_bodies(model);
    r->model = model, r->all = all, r->work = w;
    w->rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    r->point = def->record;
    r->points = def->record_count, r->ground = def->axes == GDYN_SIM_AXES_GROUND;
    w->reactions = gdyn_reactions_create_along(model, r->ground);
    w->C = gdyn_alloc((n + 1) * ((size_t)w->rows + 1) + n + 3 * bodies, sizeof *w->C);
    r->components = w->reactions ? w->reactions->components : 0;
    /* At most three groups of coordinates, three freedoms a joint, six numbers a point. */
    size_t most = 1 + 3 * n + 3 * (size_t)gdyn_model_joints(model) + 6 * (size_t)r->points +
                  (size_t)gdyn_model_drives(model) + 3 + ENERGIES + (size_t)r->components +
                  GDYN_RECORD_ADDED_MOST;
    r->column = gdyn_alloc(most, sizeof *r->column);
    r->worst = gdyn_alloc((size_t)r->components + 1, sizeof *r->worst);
    if (!w->reactions || !w->C || !r->column || !r->worst) {
        gdyn_record_destroy(r);
        return NULL;
    }
    w->weight = w->C + n * (size_t)w->rows;
    w->z = w->weight + w->rows + 1;
    w->angles = w->z + n;
    add_columns(r);
    return r;
}

void gdyn_record_destroy(gdyn_record *r) {
    if (!r)
        return;
    gdyn_reactions_destroy(r->work->reactions);
    gdyn_free(r->work->C), gdyn_free(r->work), gdyn_free(r->column);
    gdyn_free(r->worst), gdyn_free(r->value), gdyn_free(r->verdict), gdyn_free(r);
}

static bool make_room(gdyn_record *r) {
    if (r->frames < r->capacity)
        return true;
    /* Room doubles; verdicts have rows of their own. */
    size_t room = r->capacity > 0 ? 2 * (size_t)r->capacity : 128;
    double *value = gdyn_realloc(r->value, room * (size_t)r->columns, sizeof *value);
    if (value)
        r->value = value;
    size_t verdicts = room * (size_t)r->components + 1;
    gdyn_verdict *verdict = value ? gdyn_realloc(r->verdict, verdicts, sizeof *verdict) : NULL;
    if (!verdict)
        return false;
    r->verdict = verdict;
    r->capacity = (int)room;
    return true;
}

/* --- frames ----------------------------------------------------------------------------------- */

static double *take_joints(const gdyn_record *r, const gdyn_state *state, double *out) {
    for (int i = 0; i < gdyn_model_joints(r->model); i++) {
        gdyn_freedom freedom[3];
        int count = gdyn_joint_freedoms(gdyn_model_joint(r->model, i)->type,
                                        gdyn_model_space(r->model), freedom);
        for (int k = 0; k < count; k++)
            *out++ = gdyn_mech_joint_coordinate(state, i, freedom[k]);
    }
    return out;
}

static double *take_points(const gdyn_record *r, const gdyn_sim_now *now, double *out) {
    int axes = gdyn_model_space(r->model) == GDYN_SPATIAL ? 3 : 2;
    for (int i = 0; i < r->points; i++) {
        double x[3], v[3];
        gdyn_state_point(now->state, &r->point[i].at, x);
        gdyn_state_point_velocity(now->state, &r->point[i].at, now->u, v);
        memcpy(out, x, (size_t)axes * sizeof *out);
        memcpy(out + axes, v, (size_t)axes * sizeof *out);
        out += 2 * axes;
    }
    return out;
}

/* Off the constraints ranks mislead: what was indeterminate at the start stays so. */
static bool is_open(const gdyn_record *r, int component, bool drifted) {
    return gdyn_reactions_component(r->work->reactions, component)->verdict == GDYN_INDETERMINATE ||
           (drifted && r->frames > 0 && r->verdict[component] == GDYN_INDETERMINATE);
}

static void set_reaction(gdyn_record *r, int component, bool open, double value, double *out) {
    /* The verdict at this frame and the worst of all; a value only where unique or requested. */
    r->verdict[(size_t)r->frames * (size_t)r->components + (size_t)component] =
        open ? GDYN_INDETERMINATE : GDYN_UNIQUE;
    r->worst[component] = open ? GDYN_INDETERMINATE : r->worst[component];
    out[component] = open && !r->all ? NAN : value;
}

static gdyn_status take_reactions(gdyn_record *r, const gdyn_sim_now *now, double *out) {
    struct gdyn_record_work *w = r->work;
    gdyn_status status =
        gdyn_reactions_at(w->reactions, now->state, NULL, 1u << GDYN_REACTIONS_BY_SVD);
    if (status != GDYN_OK)
        return status;
    /* Components are linear in the multipliers, with weights of the pose. */
    gdyn_mech_jacobian(now->state, w->C);
    int at = 0;
    for (int joint = 0; joint < gdyn_model_joints(r->model); joint++) {
        gdyn_component list[GDYN_COMPONENTS_MOST];
        int count = gdyn_components_of(r->model, joint, r->ground, list);
        for (int k = 0; k < count; k++, at++) {
            double sum = 0;
            gdyn_component_weights(now->state, joint, &list[k], w->C, w->weight);
            for (int i = 0; i < w->rows; i++)
                sum += w->weight[i] * now->lambda[i];
            set_reaction(r, at, is_open(r, at, now->drifted), sum, out);
        }
    }
    /* the motions stand behind the joints' components: the multiplier of their row */
    for (int row = 0; row < r->work->rows; row++) {
        int motion = gdyn_model_row_motion(r->model, row);
        if (motion >= 0)
            set_reaction(r, at + motion, is_open(r, at + motion, now->drifted), now->lambda[row],
                         out);
    }
    return GDYN_OK;
}

static void summarize(gdyn_record *r, const gdyn_sim_now *now) {
    const gdyn_sim_energy *e = &now->energy;
    for (int k = 0; k < 3; k++)
        r->residual[k] = fmax(r->residual[k], now->residual[k]);
    r->imbalance = fmax(r->imbalance, fabs(e->balance));
    r->exchange = fmax(r->exchange, fmax(e->kinetic, fabs(e->potential)));
    r->potential = r->frames == 0 ? e->potential : r->potential;
    r->swing = fmax(r->swing, fmax(e->kinetic, fabs(e->potential - r->potential)));
    r->energy = *e, r->redundant = now->redundant;
    if (now->held > GDYN_SIM_HINDERED && !(r->held > GDYN_SIM_HINDERED))
        r->held_time = now->t;
    if (now->structure && !r->structure)
        r->structure_time = now->t;
    r->structure = now->structure;
    r->held = fmax(r->held, now->held);
}

gdyn_status gdyn_record_take(gdyn_record *r, gdyn_simulation *simulation) {
    gdyn_sim_now now;
    if (!make_room(r))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_simulation_now(simulation, &now);
    if (status != GDYN_OK)
        return status;
    /* In the order of add_columns. */
    double *row = r->value + (size_t)r->frames * (size_t)r->columns, *out = row;
    *out++ = now.t;
    struct gdyn_record_work *w = r->work;
    int n = gdyn_model_coordinates(r->model);
    bool spatial = gdyn_model_space(r->model) == GDYN_SPATIAL;
    /* Cardan angles near those of the last frame: no jumps. */
    gdyn_state_z(now.state, w->z);
    for (int i = 0; spatial && i < gdyn_model_bodies(r->model); i++) {
        double x[3], R[9];
        gdyn_state_body(now.state, i, x, R);
        gdyn_rotation_to_cardan_near(R, w->angles + 3 * i);
        v3_copy(w->z + 6 * i + 3, w->angles + 3 * i);
    }
    memcpy(out, w->z, (size_t)n * sizeof *out);
    memcpy(out + n, now.u, (size_t)n * sizeof *out);
    memcpy(out + 2 * n, now.udot, (size_t)n * sizeof *out);
    out += 3 * n;
    out = take_joints(r, now.state, out);
    out = take_points(r, &now, out);
    for (int k = 0; k < gdyn_model_drives(r->model); k++)
        *out++ = now.force[k];
    for (int k = 0; k < 3; k++)
        *out++ = now.residual[k];
    const gdyn_sim_energy *e = &now.energy;
    const double parts[ENERGIES] = {e->kinetic,  e->potential,   e->drives,
                                    e->motions,  e->constraints, e->loads,
                                    e->friction, e->projection,  e->balance};
    memcpy(out, parts, sizeof parts);
    /* What a caller adds is not known yet. */
    for (int c = 0; c < r->columns; c++)
        if (r->column[c].kind >= GDYN_RECORD_TRACKING)
            row[c] = NAN;
    status = take_reactions(r, &now, out + ENERGIES);
    if (status != GDYN_OK)
        return status;
    summarize(r, &now);
    r->frames++;
    return GDYN_OK;
}

int gdyn_record_add(gdyn_record *r, gdyn_record_kind kind, const char *name, const char *unit) {
    add(r, kind, unit, -1, name, "");
    return r->columns - 1;
}

void gdyn_record_set(gdyn_record *r, int column, double value) {
    r->value[(size_t)(r->frames - 1) * (size_t)r->columns + (size_t)column] = value;
}

int gdyn_record_find(const gdyn_record *r, const char *name) {
    for (int c = 0; c < r->columns; c++)
        if (strcmp(r->column[c].name, name) == 0)
            return c;
    return -1;
}
