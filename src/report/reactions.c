/* reactions.c - reactions as a table and as a document: per pose the verdicts, and for values the
 * affine family
 *   value = particular + sum_i y_i direction[i]   with free y_i. */
#include "report/report.h"
#include "report/number.h"

#include "base/memory.h"
#include "reactions/reactions.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gdyn_reaction_document {
    json_t *root, *poses, *ranks;
    const char *convention;
};

gdyn_reaction_document *gdyn_reaction_document_create(const char *case_name, unsigned methods,
                                                      const char *convention) {
    gdyn_reaction_document *d = gdyn_alloc(1, sizeof *d);
    if (!d)
        return NULL;
    /* The tests that were run. */
    json_t *list = gdyn_json_list();
    for (int m = 0; m < GDYN_REACTION_METHODS; m++)
        if (methods & 1u << m)
            json_array_append_new(list, json_string(gdyn_reaction_method_names[m]));
    *d = (gdyn_reaction_document){gdyn_json_document(case_name), gdyn_json_list(), gdyn_json_map(),
                                  convention};
    gdyn_json_add(d->root, "methods:o convention:s poses:o ranks:o", list, convention, d->poses,
                  d->ranks);
    return d;
}

void gdyn_reaction_document_destroy(gdyn_reaction_document *document) {
    if (document) {
        json_decref(document->root);
        gdyn_free(document);
    }
}

/* --- one item -------------------------------------------------------------------------------- */

/* The verdict, and those of the methods where they differ. */
static json_t *verdict_object(const gdyn_reactions *r, const gdyn_reaction_item *item) {
    bool differs = false;
    json_t *by = gdyn_json_map();
    /* Per method only where two of them differ. */
    for (int m = 0; m < GDYN_REACTION_METHODS; m++)
        if (r->methods & 1u << m) {
            json_object_set_new(by, gdyn_reaction_method_names[m],
                                json_string(gdyn_verdict_text(item->by[m])));
            differs |= item->by[m] != item->verdict;
        }
    json_t *object = gdyn_json_object("verdict:s methods:?", gdyn_verdict_text(item->verdict),
                                      differs ? json_incref(by) : NULL);
    json_decref(by);
    return object;
}

static void add_value(json_t *object, const gdyn_reaction_document *d, gdyn_verdict verdict,
                      double value, const double *direction, int stride, int directions) {
    /* A unique value stands alone. */
    if (verdict == GDYN_UNIQUE) {
        gdyn_json_add(object, "value:n", value);
        return;
    }
    /* Others: one member of the family and its directions. */
    json_t *list = gdyn_json_list();
    for (int i = 0; i < directions; i++)
        json_array_append_new(list, gdyn_json_number(direction[i * stride]));
    gdyn_json_add(object, "value:n particular:n directions:o", d->convention ? value : NAN, value,
                  list);
}

static json_t *partner_list(const gdyn_reactions *r, int component) {
    int block = gdyn_reactions_component(r, component)->block;
    json_t *list = gdyn_json_list();
    char label[160];
    /* Components and drives of the same block share load. */
    for (int c = 0; block >= 0 && c < r->components; c++) {
        if (c != component && gdyn_reactions_component(r, c)->block == block) {
            json_array_append_new(list,
                                  json_string(gdyn_reactions_label(r, c, label, sizeof label)));
        }
    }
    for (int k = 0; block >= 0 && k < r->efforts; k++)
        if (r->drive_block[k] == block)
            json_array_append_new(list, json_string(gdyn_reactions_effort_name(r, k)));
    return list;
}

const char *gdyn_body_name(const gdyn_model *model, int body) {
    return body == GDYN_GROUND ? "ground" : gdyn_model_body(model, body)->name;
}

/* Where the components of a joint act, in ground axes; NULL: nowhere. */
static json_t *frame_object(const gdyn_reactions *r, int joint) {
    const char *words = gdyn_joint_frame_words(r->model, joint);
    if (!*words)
        return NULL;
    /* On which body it acts, where, and along which axes. */
    const gdyn_joint_def *def = gdyn_model_joint(r->model, joint);
    const gdyn_joint_frame *frame = &r->frame[joint];
    return gdyn_json_object(
        "of:s on:s point:o x:o y:o z:o words:s", gdyn_body_name(r->model, def->b.body),
        gdyn_body_name(r->model, def->a.body), gdyn_json_numbers(3, frame->point),
        gdyn_json_numbers(3, frame->E), gdyn_json_numbers(3, frame->E + 3),
        gdyn_json_numbers(3, frame->E + 6), words);
}

static json_t *component_object(const gdyn_reaction_document *d, const gdyn_reaction_frame *frame,
                                int c) {
    const gdyn_reactions *r = frame->r;
    const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
    int axis = gdyn_reactions_axis(r, c);
    json_t *one = verdict_object(r, item);
    /* The axis in ground coordinates, regardless of the frame. */
    gdyn_json_add(one, "unit:s axis:? partners:o", item->moment ? "N m" : "N",
                  axis >= 0 ? gdyn_json_numbers(3, r->frame[item->group].E + 3 * (axis % 3)) : NULL,
                  partner_list(r, c));
    if (frame->values) {
        add_value(one, d, item->verdict, r->value[c], r->component_direction + c, r->components,
                  r->directions);
        gdyn_json_add(one, "error:n", r->value_error[c]);
    }
    return one;
}

static json_t *multiplier_object(const gdyn_reaction_document *d, const gdyn_reaction_frame *frame,
                                 int row) {
    const gdyn_reactions *r = frame->r;
    const gdyn_reaction_item *item = gdyn_reactions_multiplier(r, row);
    json_t *one = verdict_object(r, item);
    gdyn_json_add(one, "row:s", item->name);
    if (frame->values)
        add_value(one, d, item->verdict, r->lambda[row], r->lambda_direction + row, r->rows,
                  r->directions);
    return one;
}

static json_t *group_object(const gdyn_reaction_document *d, const gdyn_reaction_frame *frame,
                            int group) {
    const gdyn_reactions *r = frame->r;
    json_t *object = verdict_object(r, &r->item[group]);
    json_t *components = gdyn_json_map(), *multipliers = gdyn_json_list();
    for (int c = 0; c < r->components; c++)
        if (gdyn_reactions_component(r, c)->group == group)
            json_object_set_new(components, gdyn_reactions_component(r, c)->name,
                                component_object(d, frame, c));
    for (int i = 0; i < r->rows; i++)
        if (gdyn_reactions_multiplier(r, i)->group == group)
            json_array_append_new(multipliers, multiplier_object(d, frame, i));
    gdyn_json_add(object, "norm:n frame:? components:o multipliers:o", r->norm[group],
                  group < r->joints ? frame_object(r, group) : NULL, components, multipliers);
    return object;
}

/* Unique sums of reactions that are not unique themselves. */
static json_t *combination_list(const gdyn_reaction_frame *frame) {
    json_t *list = gdyn_json_list();
    char label[160];
    for (int i = 0; i < frame->combinations->count; i++) {
        const gdyn_combination *c = &frame->combinations->list[i];
        json_t *terms = gdyn_json_list();
        /* Coefficients of forces in a sum of moments are lever arms. */
        for (int k = 0; k < c->terms; k++) {
            const gdyn_term *term = &c->term[k];
            bool arm = c->moment && !gdyn_term_is_moment(frame->r, term);
            gdyn_json_append(terms, "reaction:s coefficient:n unit:s",
                             gdyn_term_label(frame->r, term, label, sizeof label),
                             term->coefficient, arm ? "m" : "");
        }
        gdyn_json_append(list, "terms:o unit:s value:n", terms, c->moment ? "N m" : "N",
                         frame->values ? c->value : NAN);
    }
    return list;
}

/* --- one pose -------------------------------------------------------------------------------- */

static json_t *subsystem_list(const gdyn_reactions *r) {
    json_t *list = gdyn_json_list();
    for (int s = 0; s < r->subsystems; s++) {
        json_t *names = gdyn_json_list();
        /* A group belongs to the subsystem of its rows. */
        for (int g = 0; g < r->groups; g++) {
            bool within = false;
            for (int i = 0; i < r->rows; i++)
                within |= gdyn_reactions_multiplier(r, i)->group == g && r->subsystem_of[i] == s;
            if (within)
                json_array_append_new(names, json_string(r->item[g].name));
        }
        gdyn_json_append(list, "redundancy:i constraints:i joints:o", r->subsystem[s].redundancy,
                         r->subsystem[s].rows, names);
    }
    return list;
}

static void add_ranks(json_t *pose, const gdyn_reactions *r) {
    int count = r->rows < r->n ? r->rows : r->n;
    bool svd = r->methods & 1u << GDYN_REACTIONS_BY_SVD;
    bool doubtful = r->disagreements > 0 || !r->regular;
    /* Numbers of the pose, then how sure its ranks are. */
    gdyn_json_add(pose,
                  "coordinates:i constraints:i rank:i redundancy:i drive_redundancy:i gap:n "
                  "near_singular:b",
                  r->n, r->rows, r->rank_c.rank, r->redundancy, r->drive_redundancy, r->gap,
                  !r->regular);
    json_object_set_new(pose, svd ? "least_singular_value" : "least_pivot",
                        gdyn_json_object("constraints:n with_drives:n", gdyn_rank_least(&r->rank_c),
                                         gdyn_rank_least(&r->rank_ct)));
    /* All singular values only where something is in doubt. */
    gdyn_json_add(pose, "disagreements:i singular_values_at_cut:o singular_values:? subsystems:o",
                  r->disagreements, gdyn_json_pair(r->rank_c.above, r->rank_c.below),
                  svd && doubtful ? gdyn_json_numbers(count, r->sigma) : NULL, subsystem_list(r));
}

void gdyn_reaction_document_frame(gdyn_reaction_document *d, const gdyn_reaction_frame *frame) {
    const gdyn_reactions *r = frame->r;
    json_t *joints = gdyn_json_map(), *motions = gdyn_json_map();
    bool on_path = frame->trajectory != NULL;
    /* At the first guess p, d1 and d2 have no meaning. */
    json_t *pose = gdyn_json_object("trajectory:s p:n d1:n d2:n status:s", frame->trajectory,
                                    on_path ? frame->p : NAN, on_path ? frame->d1 : NAN,
                                    on_path ? frame->d2 : NAN, frame->motion);
    if (r)
        add_ranks(pose, r);
    for (int g = 0; r && g < r->groups; g++)
        json_object_set_new(g < r->joints ? joints : motions, r->item[g].name,
                            group_object(d, frame, g));
    gdyn_json_add(pose, "joints:o motions:o combinations:?", joints, motions,
                  r && frame->combinations ? combination_list(frame) : NULL);
    /* Forces of the drives and of static friction. */
    if (r && frame->values) {
        json_t *drives = gdyn_json_map(), *friction = gdyn_json_map();
        for (int k = 0; k < r->efforts; k++) {
            json_t *object = gdyn_json_map();
            double size = 0;
            /* The force of a drive on which no direction acts is unique. */
            for (int i = 0; i < r->directions; i++)
                size = fmax(size, fabs(r->drive_direction[k + i * r->efforts]));
            bool free = r->drive_block[k] >= 0 && size > 0;
            add_value(object, d, free ? GDYN_DRIVE_DEPENDENT : GDYN_UNIQUE, r->drive[k],
                      r->drive_direction + k, r->efforts, r->directions);
            json_object_set_new(k < r->drives ? drives : friction, gdyn_reactions_effort_name(r, k),
                                object);
        }
        gdyn_json_add(pose, "drives:o static_friction:o", drives, friction);
    }
    json_array_append_new(d->poses, pose);
}

/* --- paths and proposals --------------------------------------------------------------------- */

void gdyn_reaction_document_ranks(gdyn_reaction_document *d, const char *trajectory,
                                  const gdyn_ranks *ranks) {
    json_t *runs = gdyn_json_list(), *poses = gdyn_json_list();
    for (int i = 0; i < ranks->runs; i++)
        gdyn_json_append(runs, "p:o rank:i", gdyn_json_pair(ranks->run[i].from, ranks->run[i].to),
                         ranks->run[i].rank);
    /* Singular poses, also between the points. */
    for (int i = 0; i < ranks->poses; i++)
        gdyn_json_append(poses, "p:n within:n rank:i sigma:n", ranks->pose[i].p,
                         ranks->pose[i].within, ranks->pose[i].rank, ranks->pose[i].sigma);
    json_object_set_new(
        d->ranks, trajectory,
        gdyn_json_object("generic_rank:o intervals:o singular_poses:o least_sigma:n "
                         "least_sigma_p:n",
                         ranks->generic < 0 ? json_null() : json_integer(ranks->generic), runs,
                         poses, ranks->least, ranks->least_p));
}

void gdyn_reaction_document_stretches(gdyn_reaction_document *d, const gdyn_path_reactions *along) {
    json_t *object = gdyn_json_map(), *lower = gdyn_json_list();
    int generic = gdyn_reaction_generic(along->points, along->rank);
    char label[160];
    /* Stretches by the labels of components. */
    for (int c = 0; c < along->components; c++) {
        json_t *list = gdyn_json_list();
        int count = gdyn_path_reactions_stretches(along, c);
        for (int i = 0; i < count; i++) {
            const gdyn_stretch *s = &along->stretch[i];
            bool known = s->least <= s->greatest;
            gdyn_json_append(list, "p:o verdict:s least:n greatest:n",
                             gdyn_json_pair(s->from, s->to), gdyn_verdict_text(s->verdict),
                             known ? s->least : NAN, known ? s->greatest : NAN);
        }
        json_object_set_new(object, gdyn_reactions_label(along->r, c, label, sizeof label), list);
    }
    /* Points left out of the stretches. */
    for (int i = 0; i < along->points; i++)
        if (along->rank[i] >= 0 && along->rank[i] < generic)
            json_array_append_new(lower, gdyn_json_number(along->p[i]));
    gdyn_json_add(json_object_get(d->ranks, along->name), "stretches:o points_of_lower_rank:o",
                  object, lower);
}

static json_t *change_object(const gdyn_model *model, const gdyn_joint_change *change) {
    const gdyn_joint_def *old = gdyn_model_joint(model, change->joint);
    char text[200];
    const char *what;
    int body;
    const double *direction = gdyn_joint_change_direction(model, change, &what, &body);
    /* From one type to another; null: the joint is removed. */
    json_t *one =
        gdyn_json_object("joint:s from:s to:s text:s", old->name, gdyn_joint_type_name(old->type),
                         change->removed ? NULL : gdyn_joint_type_name(change->def.type),
                         gdyn_proposal_text(model, change, text, sizeof text));
    if (direction)
        gdyn_json_add(one, "direction:o direction_is:s direction_in:s",
                      gdyn_json_numbers(3, direction), what, gdyn_body_name(model, body));
    return one;
}

void gdyn_reaction_document_proposals(gdyn_reaction_document *d, const gdyn_instance *instance,
                                      const gdyn_proposals *proposals) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < proposals->count; i++) {
        const gdyn_proposal *proposal = &proposals->proposal[i];
        /* One proposal changes one or more joints. */
        json_t *changes = gdyn_json_list();
        for (int k = 0; k < proposal->count; k++)
            json_array_append_new(changes, change_object(instance->model, &proposal->change[k]));
        json_t *passes = proposal->outcome == GDYN_PROPOSAL_UNCHECKED ||
                                 proposal->outcome == GDYN_PROPOSAL_NO_PATH
                             ? json_null()
                             : json_boolean(!gdyn_proposal_jams(proposal));
        /* where it jams along a trajectory, and how; null: nowhere */
        json_t *jams = json_null();
        if (gdyn_proposal_jams(proposal))
            jams = gdyn_json_object(
                "trajectory:s p:n how:s", instance->trajectory[proposal->trajectory].name,
                proposal->jam_p, proposal->outcome == GDYN_PROPOSAL_STOPS ? "stops" : "loses rank");
        gdyn_json_append(list,
                         "changes:o alike:b rank:i mobility:i "
                         "passes:o jams:o",
                         changes, proposal->alike, proposals->rank, proposals->mobility, passes,
                         jams);
    }
    gdyn_json_add(d->root, "proposals:o proposals_complete:b changes_tried:i", list,
                  proposals->complete, proposals->tried);
}

gdyn_status gdyn_reaction_document_text(const gdyn_reaction_document *d, gdyn_text *out) {
    return gdyn_json_print(json_incref(d->root), GDYN_JSON_INDENTED, out);
}

/* --- as a table: one line per pose and component ---------------------------------------------- */

void gdyn_report_reactions_header(gdyn_text *out) {
    gdyn_text_printf(out, "trajectory,p,d1,d2,joint,component,verdict,value,unit,convention\n");
}

static void put_place(gdyn_text *out, const gdyn_reaction_frame *frame) {
    /* Empty fields at the first guess: no trajectory. */
    const double values[] = {frame->p, frame->d1, frame->d2};
    if (frame->trajectory) {
        gdyn_csv_word(out, frame->trajectory);
        gdyn_csv_numbers(out, 3, values);
    } else {
        gdyn_text_printf(out, ",,,");
    }
}

void gdyn_report_reactions_csv(gdyn_text *out, const gdyn_reaction_frame *frame,
                               const char *convention) {
    const gdyn_reactions *r = frame->r;
    /* A pose without reactions has one row with the reason. */
    if (!r) {
        put_place(out, frame);
        gdyn_text_printf(out, ",,,%s,,,\n", frame->motion);
        return;
    }
    for (int c = 0; c < r->components; c++) {
        const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
        bool unique = item->verdict == GDYN_UNIQUE;
        put_place(out, frame);
        gdyn_csv_word(out, r->item[item->group].name);
        gdyn_text_printf(out, ",%s,%s", item->name, gdyn_verdict_text(item->verdict));
        /* Values that are not unique only by a convention, which the last column names. */
        gdyn_csv_number(out, frame->values && (unique || convention) ? r->value[c] : NAN);
        gdyn_text_printf(out, ",%s,%s\n", item->moment ? "N m" : "N",
                         frame->values && !unique && convention ? convention : "");
    }
}
