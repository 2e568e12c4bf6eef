/* instance_dump.h - every number of an instance as text (hexadecimal, so that equal text means equal
 * bits), one entity a line. */
#ifndef INSTANCE_DUMP_H
#define INSTANCE_DUMP_H

#include "base/text.h"
#include "casefile/casefile.h"

static void dump_numbers(gdyn_text *out, const char *what, const double *value, int count) {
    gdyn_text_printf(out, " %s", what);
    for (int i = 0; i < count; i++)
        gdyn_text_printf(out, " %a", value[i]);
}

static void dump_anchor(gdyn_text *out, const gdyn_anchor *a) {
    gdyn_text_printf(out, " at %d", a->body);
    dump_numbers(out, "", a->at, 3);
}

/* Value and derivatives at a few points. */
static void dump_formula(gdyn_text *out, const gdyn_expr *expr) {
    static const double at[] = {-1.37, 0.0, 0.213, 1.0, 2.385};
    for (size_t i = 0; expr && i < sizeof at / sizeof *at; i++) {
        double jet[3];
        gdyn_expr_jet(expr, &at[i], 0, jet);
        dump_numbers(out, "f", jet, 3);
    }
}

static void dump_body(gdyn_text *out, const gdyn_body_def *b) {
    gdyn_text_printf(out, "body %s", b->name);
    dump_numbers(out, "mass", &b->mass, 1);
    dump_numbers(out, "inertia", b->inertia, 6);
    dump_numbers(out, "com", b->com, 3);
    dump_numbers(out, "pose", b->position, 3);
    dump_numbers(out, "cardan", b->cardan, 3);
    for (int i = 0; i < b->pose_points; i++) {
        dump_numbers(out, "own", b->pose_own[i], 3);
        dump_anchor(out, &b->pose_on[i]);
    }
    gdyn_text_printf(out, " %d\n", b->hub);
}

static void dump_joint(gdyn_text *out, const gdyn_joint_def *j) {
    gdyn_text_printf(out, "joint %s %d", j->name, j->type);
    dump_anchor(out, &j->a);
    dump_anchor(out, &j->b);
    dump_numbers(out, "axis", j->axis_a, 3);
    dump_numbers(out, "axis", j->axis_b, 3);
    dump_numbers(out, "normal", j->normal, 3);
    double rest[] = {j->length, j->pitch,   j->radius,  j->ratio,
                     j->offset, j->viscous, j->coulomb, j->stiction};
    dump_numbers(out, "rest", rest, 7);
    for (int i = 0; i < 6; i++)
        gdyn_text_printf(out, " %d", j->locks[i]);
    gdyn_text_printf(out, " %d %d %d %d %d\n", j->cut, j->joint_a, j->joint_b, j->freedom_a,
                     j->freedom_b);
}

static void dump_drive(gdyn_text *out, const gdyn_drive_def *d) {
    gdyn_text_printf(out, "drive %s %d %d %d %d", d->name, d->kind, d->joint, d->freedom,
                     d->in_body);
    dump_anchor(out, &d->a);
    dump_anchor(out, &d->b);
    dump_numbers(out, "force", d->force, 3);
    dump_numbers(out, "torque", d->torque, 3);
    double rest[] = {d->min, d->max, d->speed_max, d->stiffness, d->rotor_inertia, d->ratio};
    dump_numbers(out, "rest", rest, 6);
    for (int i = 0; i < d->curve_points; i++)
        dump_numbers(out, "curve", d->curve[i], 2);
    gdyn_text_printf(out, "\n");
}

static void dump_force(gdyn_text *out, const gdyn_force_def *f) {
    gdyn_text_printf(out, "force %s %d %d %d %d", f->name, f->kind, f->joint, f->freedom,
                     f->in_body);
    dump_anchor(out, &f->a);
    dump_anchor(out, &f->b);
    dump_numbers(out, "force", f->force, 3);
    dump_numbers(out, "torque", f->torque, 3);
    double rest[] = {f->stiffness, f->rest, f->viscous, f->coulomb, f->stiction, f->magnitude};
    dump_numbers(out, "rest", rest, 5);
    gdyn_text_printf(out, "\n");
}

static void dump_model(gdyn_text *out, const gdyn_model *m) {
    gdyn_text_printf(out, "model %d %d %d %d", gdyn_model_space(m), gdyn_model_coordinates(m),
                     gdyn_model_holonomic(m), gdyn_model_pfaffian(m));
    double sums[] = {gdyn_model_length(m), gdyn_model_mass(m)};
    dump_numbers(out, "sums", sums, 2);
    gdyn_text_printf(out, "\n");
    for (int i = 0; i < gdyn_model_bodies(m); i++)
        dump_body(out, gdyn_model_body(m, i));
    for (int i = 0; i < gdyn_model_joints(m); i++)
        dump_joint(out, gdyn_model_joint(m, i));
    for (int i = 0; i < gdyn_model_drives(m); i++)
        dump_drive(out, gdyn_model_drive(m, i));
    for (int i = 0; i < gdyn_model_forces(m); i++)
        dump_force(out, gdyn_model_force(m, i));
    for (int i = 0; i < gdyn_model_motions(m); i++) {
        const gdyn_motion_def *motion = gdyn_model_motion(m, i);
        gdyn_text_printf(out, "motion %s %d %d", motion->name, motion->joint, motion->freedom);
        dump_formula(out, motion->displacement);
        gdyn_text_printf(out, "\n");
    }
}

static void dump_path(gdyn_text *out, const gdyn_path_def *p, int weights) {
    gdyn_text_printf(out, "path %s %d %d %d %d %d", p->name, p->kind, p->tools, p->joints,
                     p->p_given, p->points);
    double rest[] = {p->p_start, p->p_end, p->radius, p->start, p->end};
    dump_numbers(out, "rest", rest, 5);
    dump_numbers(out, "centre", p->centre, 3);
    dump_numbers(out, "normal", p->normal, 3);
    for (int i = 0; i < p->tools; i++) {
        dump_anchor(out, &p->tool[i].of);
        for (int k = 0; k < GDYN_PATH_COORDINATES; k++)
            dump_formula(out, p->tool[i].coordinate[k]);
    }
    for (int i = 0; i < p->joints; i++) {
        gdyn_text_printf(out, " joint %d %d", p->joint[i].joint, p->joint[i].freedom);
        dump_formula(out, p->joint[i].value);
    }
    for (int i = 0; i < p->count; i++) {
        if (p->through)
            dump_numbers(out, "point", p->through[i], 3);
        for (int j = 0; j < p->joints; j++)
            if (p->joint[j].column)
                dump_numbers(out, "column", &p->joint[j].column[i], 1);
        if (p->through_p)
            dump_numbers(out, "p", &p->through_p[i], 1);
        if (p->table)
            dump_numbers(out, "row", p->table + i * GDYN_PATH_COORDINATES, GDYN_PATH_COORDINATES);
    }
    if (p->weights)
        dump_numbers(out, "weights", p->weights, weights);
    gdyn_text_printf(out, "\n");
}

static void dump_study(gdyn_text *out, const gdyn_instance *in) {
    for (int i = 0; i < in->design_count; i++) {
        const gdyn_design_variable *v = &in->design[i];
        double range[] = {v->min, v->max};
        gdyn_text_printf(out, "design %s %d", v->name, v->integer);
        dump_numbers(out, "", range, 2);
        gdyn_text_printf(out, "\n");
    }
    for (int i = 0; i < in->objective_count; i++)
        gdyn_text_printf(out, "objective %s %s %d\n", in->objective[i].name, in->objective[i].text,
                         in->objective[i].maximize);
    for (int i = 0; i < in->requirement_count; i++)
        gdyn_text_printf(out, "constraint %s %s %d %a\n", in->requirement[i].name,
                         in->requirement[i].left, in->requirement[i].relation,
                         in->requirement[i].right);
    const gdyn_search_options *s = &in->search;
    gdyn_text_printf(out, "search %d %d %llu %ld %ld %a %d %a\n", s->method, s->population,
                     (unsigned long long)s->seed, s->evaluations, s->generations, s->time,
                     s->stall_window, s->stall_tolerance);
    double tuning[] = {s->crossover, s->crossover_eta, s->mutation, s->mutation_eta,
                       s->weight,    s->rate,          s->tolerance};
    dump_numbers(out, "tuning", tuning, 7);
    gdyn_text_printf(out, " %d %s %d\n", s->divisions, s->nlopt ? s->nlopt : "", s->points);
}

static void dump_expectation(gdyn_text *out, const gdyn_expectation *e) {
    gdyn_text_printf(out, "expect %d %d %d %s %d %d %d %d %d %d %d", e->kind, e->trajectory,
                     e->criterion, e->entity ? e->entity : "", e->joint, e->drive, e->freedom,
                     e->has_p, e->has_d1, e->infinite, e->none);
    double rest[] = {e->p, e->d1, e->value, e->tolerance};
    dump_numbers(out, "", rest, 4);
    gdyn_text_printf(out, " %s\n", e->source ? e->source : "");
}

/* Everything but places in files and dimensions of parameters. */
static void dump_instance(gdyn_text *out, const gdyn_instance *in) {
    gdyn_text_printf(out, "case %s: %s\n", in->name, in->about);
    for (int i = 0; i < in->parameter_count; i++)
        gdyn_text_printf(out, "parameter %s %a\n", in->parameter_name[i], in->parameter_value[i]);
    if (in->model)
        dump_model(out, in->model);
    for (int i = 0; i < in->trajectory_count; i++)
        dump_path(out, &in->trajectory[i], in->model ? gdyn_model_coordinates(in->model) : 0);
    dump_study(out, in);
    for (int i = 0; i < in->expectation_count; i++)
        dump_expectation(out, &in->expectation[i]);
}

#endif
