/* motion_csv.c - motions at equal time steps as a table: t, p, d1, d2, then of every coordinate of a joint its position, speed
 * and acceleration, then the forces of the drives. */
#include "report/motion_csv.h"

#include "base/memory.h"
#include "base/pi.h"
#include "report/number.h"
#include "report/traverse.h"

#include <math.h>
#include <stdio.h>

typedef struct table {
    gdyn_text *out;
    const gdyn_trajectory *t;
    double *angle; /* of every coordinate in the row before */
    bool begun;
} table;

/* Calls `each` for every coordinate of a joint of the model; their number. */
static int each_coordinate(const gdyn_model *model,
                           void (*each)(void *context, int index, int joint, gdyn_freedom freedom,
                                        bool single),
                           void *context) {
    int index = 0;
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        gdyn_freedom freedom[3];
        const gdyn_joint_def *joint = gdyn_model_joint(model, j);
        int count = gdyn_joint_freedoms(joint->type, gdyn_model_space(model), freedom);
        for (int k = 0; k < count; k++, index++)
            if (each)
                each(context, index, j, freedom[k], count == 1);
    }
    return index;
}

static void name_coordinate(void *context, int index, int joint, gdyn_freedom freedom,
                            bool single) {
    table *s = context;
    char name[160], unit[3][12];
    const char *word = gdyn_freedom_slides(freedom) ? "m" : "rad";
    (void)index;
    snprintf(name, sizeof name, "%s%s%s", gdyn_model_joint(s->t->instance->model, joint)->name,
             single ? "" : ".", single ? "" : gdyn_freedom_name(freedom));
    snprintf(unit[0], sizeof unit[0], "%s", word);
    snprintf(unit[1], sizeof unit[1], "%s/s", word);
    snprintf(unit[2], sizeof unit[2], "%s/s^2", word);
    gdyn_csv_head(s->out, name, "position", unit[0]);
    gdyn_csv_head(s->out, name, "speed", unit[1]);
    gdyn_csv_head(s->out, name, "acceleration", unit[2]);
}

typedef struct moment {
    table *s;
    const gdyn_step *step;
    gdyn_path_rates rates;
} moment;

/* Turns are counted on from the row before. */
static double count_turns(table *s, int index, gdyn_freedom freedom, double value) {
    if (s->begun && !gdyn_freedom_slides(freedom))
        value += 2 * GDYN_PI * round((s->angle[index] - value) / (2 * GDYN_PI));
    return s->angle[index] = value;
}

static void add_coordinate(void *context, int index, int joint, gdyn_freedom freedom, bool single) {
    moment *m = context;
    const gdyn_state *state = gdyn_path_dynamics_state(m->step->dynamics);
    double q = gdyn_mech_joint_coordinate(state, joint, freedom), rate[2];
    (void)single;
    gdyn_mech_joint_rates(state, joint, freedom, &m->rates, rate);
    double d1 = m->step->at.d1;
    gdyn_csv_number(m->s->out, count_turns(m->s, index, freedom, q));
    gdyn_csv_number(m->s->out, rate[0] * d1);
    gdyn_csv_number(m->s->out, rate[0] * m->step->at.d2 + rate[1] * d1 * d1);
}

static void add_step(void *context, const gdyn_step *step) {
    table *s = context;
    const gdyn_sample *at = &step->original;
    moment m = {.s = s, .step = step};
    gdyn_csv_word(s->out, s->t->name);
    gdyn_csv_numbers(s->out, 4, (const double[]){at->t, at->p, at->d1, at->d2});
    if (gdyn_path_dynamics_motion(step->dynamics, &m.rates))
        each_coordinate(s->t->instance->model, add_coordinate, &m);
    gdyn_csv_numbers(s->out, s->t->rows, step->force);
    gdyn_csv_end(s->out);
    s->begun = true;
    gdyn_text_pass_on(s->out);
}

void gdyn_report_motion_heads(gdyn_text *out, int count, const gdyn_trajectory *t) {
    table s = {.out = out, .t = t};
    gdyn_text_printf(out, "trajectory,t [s]");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p d1 d2");
    if (t->path)
        each_coordinate(t->instance->model, name_coordinate, &s);
    for (int row = 0; row < t->rows; row++)
        gdyn_csv_head(out, t->row[row].name, gdyn_limited_word(&t->row[row]), t->row[row].unit);
    gdyn_csv_end(out);
}

gdyn_status gdyn_report_motion_rows(gdyn_text *out, gdyn_trajectory *t, double step,
                                    gdyn_equal_steps *result) {
    table s = {.out = out, .t = t};
    int count = t->path ? each_coordinate(t->instance->model, NULL, NULL) : 0;
    s.angle = gdyn_alloc((size_t)count + 1, sizeof *s.angle);
    if (!s.angle)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_equal_steps_visit(t, step, add_step, &s, result);
    gdyn_free(s.angle);
    return status == GDYN_OK && out->failed ? GDYN_ERROR_MEMORY : status;
}
