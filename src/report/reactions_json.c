/* reactions_json.c - the reactions document: per pose the verdicts, and for values the affine family
 *   value = particular + sum_i y_i direction[i]   with free y_i. */
#include "reactions/components.h"
#include "report/reactions_report.h"

#include "base/memory.h"
#include "report/number.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

struct gdyn_reaction_document {
    json_t *root, *poses, *ranks;
    const char *convention;
};

gdyn_reaction_document *gdyn_reaction_document_create(const char *case_name, unsigned methods,
                                                      const char *convention) {
    gdyn_reaction_document *d = gdyn_alloc(1, sizeof *d);
    if (!d) {
        return NULL;
    }
    json_t *list = json_array();
    d->root = json_object();
    d->poses = json_array();
    d->ranks = json_object();
    d->convention = convention;
    for (int m = 0; m < GDYN_REACTION_METHODS; m++) {
        if (methods & 1u << m) {
            json_array_append_new(list, json_string(gdyn_reaction_method_names[m]));
        }
    }
    json_object_set_new(d->root, "format", json_integer(1));
    json_object_set_new(d->root, "tool", json_string("globdyn"));
    json_object_set_new(d->root, "case", json_string(case_name));
    json_object_set_new(d->root, "methods", list);
    json_object_set_new(d->root, "convention", convention ? json_string(convention) : json_null());
    json_object_set_new(d->root, "poses", d->poses);
    json_object_set_new(d->root, "ranks", d->ranks);
    return d;
}

void gdyn_reaction_document_destroy(gdyn_reaction_document *document) {
    if (document) {
        json_decref(document->root);
        gdyn_free(document);
    }
}

/* --- one item -------------------------------------------------------------------------------- */

static json_t *verdict_object(const gdyn_reactions *r, const gdyn_reaction_item *item) {
    json_t *object = json_object();
    json_object_set_new(object, "verdict", json_string(gdyn_verdict_text(item->verdict)));
    bool differs = false;
    json_t *by = json_object();
    for (int m = 0; m < GDYN_REACTION_METHODS; m++) {
        if (r->methods & 1u << m) {
            json_object_set_new(by, gdyn_reaction_method_names[m],
                                json_string(gdyn_verdict_text(item->by[m])));
            differs |= item->by[m] != item->verdict;
        }
    }
    if (differs) {
        json_object_set(object, "methods", by);
    }
    json_decref(by);
    return object;
}

static void add_value(json_t *object, const gdyn_reaction_document *d, gdyn_verdict verdict,
                      double value, const double *direction, int stride, int directions) {
    if (verdict == GDYN_UNIQUE) {
        json_object_set_new(object, "value", gdyn_json_number(value));
        return;
    }
    json_t *list = json_array();
    for (int i = 0; i < directions; i++) {
        json_array_append_new(list, gdyn_json_number(direction[i * stride]));
    }
    json_object_set_new(object, "value", d->convention ? gdyn_json_number(value) : json_null());
    json_object_set_new(object, "particular", gdyn_json_number(value));
    json_object_set_new(object, "directions", list);
}

static json_t *partner_list(const gdyn_reactions *r, int component) {
    int block = gdyn_reactions_component(r, component)->block;
    json_t *list = json_array();
    char label[160];
    for (int c = 0; block >= 0 && c < r->components; c++) {
        if (c != component && gdyn_reactions_component(r, c)->block == block) {
            json_array_append_new(list,
                                  json_string(gdyn_reactions_label(r, c, label, sizeof label)));
        }
    }
    for (int k = 0; block >= 0 && k < r->efforts; k++) {
        if (r->drive_block[k] == block) {
            json_array_append_new(list, json_string(gdyn_reactions_effort_name(r, k)));
        }
    }
    return list;
}

static json_t *vector(const double v[3]) {
    json_t *list = json_array();
    for (int i = 0; i < 3; i++) {
        json_array_append_new(list, gdyn_json_number(v[i]));
    }
    return list;
}

static const char *body_name(const gdyn_model *model, int body) {
    return body == GDYN_GROUND ? "ground" : gdyn_model_body(model, body)->name;
}

/* Where the components of a joint act, in ground axes. */
static void add_frame(json_t *object, const gdyn_reactions *r, int joint) {
    const char *words = gdyn_joint_frame_words(r->model, joint);
    if (!*words) {
        return;
    }
    const gdyn_joint_def *def = gdyn_model_joint(r->model, joint);
    json_t *frame = json_object();
    json_object_set_new(frame, "of", json_string(body_name(r->model, def->b.body)));
    json_object_set_new(frame, "on", json_string(body_name(r->model, def->a.body)));
    json_object_set_new(frame, "point", vector(r->frame[joint].point));
    json_object_set_new(frame, "x", vector(r->frame[joint].E));
    json_object_set_new(frame, "y", vector(r->frame[joint].E + 3));
    json_object_set_new(frame, "z", vector(r->frame[joint].E + 6));
    json_object_set_new(frame, "words", json_string(words));
    json_object_set_new(object, "frame", frame);
}

static json_t *group_object(const gdyn_reaction_document *d, const gdyn_reaction_frame *frame,
                            int group) {
    const gdyn_reactions *r = frame->r;
    json_t *object = verdict_object(r, &r->item[group]);
    json_t *components = json_object(), *multipliers = json_array();
    for (int c = 0; c < r->components; c++) {
        const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
        if (item->group != group) {
            continue;
        }
        json_t *one = verdict_object(r, item);
        json_object_set_new(one, "unit", json_string(item->moment ? "N m" : "N"));
        int axis = gdyn_reactions_axis(r, c);
        if (axis >= 0) {
            json_object_set_new(one, "axis", vector(r->frame[group].E + 3 * (axis % 3)));
        }
        json_object_set_new(one, "partners", partner_list(r, c));
        if (frame->values) {
            add_value(one, d, item->verdict, r->value[c], r->component_direction + c, r->components,
                      r->directions);
            json_object_set_new(one, "error", gdyn_json_number(r->value_error[c]));
        }
        json_object_set_new(components, item->name, one);
    }
    for (int i = 0; i < r->rows; i++) {
        const gdyn_reaction_item *item = gdyn_reactions_multiplier(r, i);
        if (item->group != group) {
            continue;
        }
        json_t *one = verdict_object(r, item);
        json_object_set_new(one, "row", json_string(item->name));
        if (frame->values) {
            add_value(one, d, item->verdict, r->lambda[i], r->lambda_direction + i, r->rows,
                      r->directions);
        }
        json_array_append_new(multipliers, one);
    }
    if (group < r->joints) {
        add_frame(object, r, group);
    }
    json_object_set_new(object, "components", components);
    json_object_set_new(object, "multipliers", multipliers);
    return object;
}

/* Unique sums of reactions that are not unique themselves. */
static json_t *combination_list(const gdyn_reaction_frame *frame) {
    json_t *list = json_array();
    char label[160];
    for (int i = 0; i < frame->combinations->count; i++) {
        const gdyn_combination *c = &frame->combinations->list[i];
        json_t *one = json_object(), *terms = json_array();
        for (int k = 0; k < c->terms; k++) {
            const gdyn_term *term = &c->term[k];
            bool arm = c->moment && !gdyn_term_is_moment(frame->r, term);
            json_array_append_new(
                terms, json_pack("{s:s,s:f,s:s}", "reaction",
                                 gdyn_term_label(frame->r, term, label, sizeof label),
                                 "coefficient", term->coefficient, "unit", arm ? "m" : ""));
        }
        json_object_set_new(one, "terms", terms);
        json_object_set_new(one, "unit", json_string(c->moment ? "N m" : "N"));
        json_object_set_new(one, "value", frame->values ? gdyn_json_number(c->value) : json_null());
        json_array_append_new(list, one);
    }
    return list;
}

/* --- one pose -------------------------------------------------------------------------------- */

static json_t *subsystem_list(const gdyn_reactions *r) {
    json_t *list = json_array();
    for (int s = 0; s < r->subsystems; s++) {
        json_t *one = json_object(), *names = json_array();
        for (int g = 0; g < r->groups; g++) {
            bool within = false;
            for (int i = 0; i < r->rows; i++) {
                within |= gdyn_reactions_multiplier(r, i)->group == g && r->subsystem_of[i] == s;
            }
            if (within) {
                json_array_append_new(names, json_string(r->item[g].name));
            }
        }
        json_object_set_new(one, "redundancy", json_integer(r->subsystem[s].redundancy));
        json_object_set_new(one, "constraints", json_integer(r->subsystem[s].rows));
        json_object_set_new(one, "joints", names);
        json_array_append_new(list, one);
    }
    return list;
}

static void add_ranks(json_t *pose, const gdyn_reactions *r) {
    int count = r->rows < r->n ? r->rows : r->n;
    json_object_set_new(pose, "coordinates", json_integer(r->n));
    json_object_set_new(pose, "constraints", json_integer(r->rows));
    json_object_set_new(pose, "rank", json_integer(r->rank_c.rank));
    json_object_set_new(pose, "redundancy", json_integer(r->redundancy));
    json_object_set_new(pose, "drive_redundancy", json_integer(r->drive_redundancy));
    json_object_set_new(pose, "gap", gdyn_json_number(r->gap));
    json_object_set_new(pose, "near_singular", json_boolean(!r->regular));
    bool svd = r->methods & 1u << GDYN_REACTIONS_BY_SVD;
    json_object_set_new(pose, svd ? "least_singular_value" : "least_pivot",
                        json_pack("{s:f,s:f}", "constraints", gdyn_rank_least(&r->rank_c),
                                  "with_drives", gdyn_rank_least(&r->rank_ct)));
    json_object_set_new(pose, "disagreements", json_integer(r->disagreements));
    json_object_set_new(pose, "singular_values_at_cut",
                        json_pack("[f, f]", r->rank_c.above, r->rank_c.below));
    if (svd && (r->disagreements > 0 || !r->regular)) {
        json_t *values = json_array();
        for (int i = 0; i < count; i++) {
            json_array_append_new(values, gdyn_json_number(r->sigma[i]));
        }
        json_object_set_new(pose, "singular_values", values);
    }
    json_object_set_new(pose, "subsystems", subsystem_list(r));
}

static json_t *drive_object(const gdyn_reaction_document *d, const gdyn_reactions *r, int drive) {
    json_t *object = json_object();
    double size = 0;
    for (int i = 0; i < r->directions; i++) {
        size = fmax(size, fabs(r->drive_direction[drive + i * r->efforts]));
    }
    bool free = r->drive_block[drive] >= 0 && size > 0;
    add_value(object, d, free ? GDYN_DRIVE_DEPENDENT : GDYN_UNIQUE, r->drive[drive],
              r->drive_direction + drive, r->efforts, r->directions);
    return object;
}

void gdyn_reaction_document_frame(gdyn_reaction_document *d, const gdyn_reaction_frame *frame) {
    const gdyn_reactions *r = frame->r;
    json_t *pose = json_object(), *joints = json_object(), *motions = json_object();
    bool on_path = frame->trajectory != NULL;
    json_object_set_new(pose, "trajectory", on_path ? json_string(frame->trajectory) : json_null());
    json_object_set_new(pose, "p", on_path ? gdyn_json_number(frame->p) : json_null());
    json_object_set_new(pose, "d1", on_path ? gdyn_json_number(frame->d1) : json_null());
    json_object_set_new(pose, "d2", on_path ? gdyn_json_number(frame->d2) : json_null());
    json_object_set_new(pose, "status", json_string(frame->motion));
    if (r) {
        add_ranks(pose, r);
    }
    for (int g = 0; r && g < r->groups; g++) {
        json_object_set_new(g < r->joints ? joints : motions, r->item[g].name,
                            group_object(d, frame, g));
    }
    json_object_set_new(pose, "joints", joints);
    json_object_set_new(pose, "motions", motions);
    if (r && frame->combinations) {
        json_object_set_new(pose, "combinations", combination_list(frame));
    }
    if (r && frame->values) {
        json_t *drives = json_object(), *friction = json_object();
        for (int k = 0; k < r->efforts; k++) {
            json_object_set_new(k < r->drives ? drives : friction, gdyn_reactions_effort_name(r, k),
                                drive_object(d, r, k));
        }
        json_object_set_new(pose, "drives", drives);
        json_object_set_new(pose, "static_friction", friction);
    }
    json_array_append_new(d->poses, pose);
}

/* --- paths and proposals --------------------------------------------------------------------- */

void gdyn_reaction_document_ranks(gdyn_reaction_document *d, const char *trajectory,
                                  const gdyn_ranks *ranks) {
    json_t *object = json_object(), *runs = json_array(), *poses = json_array();
    for (int i = 0; i < ranks->runs; i++) {
        json_array_append_new(runs, json_pack("{s:[f,f],s:i}", "p", ranks->run[i].from,
                                              ranks->run[i].to, "rank", ranks->run[i].rank));
    }
    for (int i = 0; i < ranks->poses; i++) {
        json_array_append_new(poses, json_pack("{s:f,s:f,s:i,s:f}", "p", ranks->pose[i].p, "within",
                                               ranks->pose[i].within, "rank", ranks->pose[i].rank,
                                               "sigma", ranks->pose[i].sigma));
    }
    json_object_set_new(object, "generic_rank",
                        ranks->generic < 0 ? json_null() : json_integer(ranks->generic));
    json_object_set_new(object, "intervals", runs);
    json_object_set_new(object, "singular_poses", poses);
    json_object_set_new(object, "least_sigma", gdyn_json_number(ranks->least));
    json_object_set_new(object, "least_sigma_p", gdyn_json_number(ranks->least_p));
    json_object_set_new(d->ranks, trajectory, object);
}

void gdyn_reaction_document_stretches(gdyn_reaction_document *d, const gdyn_reaction_series *series,
                                      gdyn_stretch *stretch) {
    const int *rank = series->rank;
    json_t *ranks = json_object_get(d->ranks, series->name);
    json_t *object = json_object(), *lower = json_array();
    int generic = gdyn_reaction_generic(series->points, rank);
    char label[160];
    for (int c = 0; c < series->components; c++) {
        json_t *list = json_array();
        int count = gdyn_reaction_stretches(series->points, series->p, rank, series->components,
                                            series->verdict + c, series->value + c, stretch);
        for (int i = 0; i < count; i++) {
            const gdyn_stretch *s = &stretch[i];
            bool known = s->least <= s->greatest;
            json_t *one = json_pack("{s:[f,f],s:s}", "p", s->from, s->to, "verdict",
                                    gdyn_verdict_text(s->verdict));
            json_object_set_new(one, "least", known ? gdyn_json_number(s->least) : json_null());
            json_object_set_new(one, "greatest",
                                known ? gdyn_json_number(s->greatest) : json_null());
            json_array_append_new(list, one);
        }
        json_object_set_new(object, gdyn_reactions_label(series->r, c, label, sizeof label), list);
    }
    for (int i = 0; i < series->points; i++) {
        if (rank[i] >= 0 && rank[i] < generic) {
            json_array_append_new(lower, gdyn_json_number(series->p[i]));
        }
    }
    json_object_set_new(ranks, "stretches", object);
    json_object_set_new(ranks, "points_of_lower_rank", lower);
}

void gdyn_reaction_document_proposals(gdyn_reaction_document *d, const gdyn_model *model,
                                      const gdyn_proposals *proposals) {
    json_t *list = json_array();
    char text[200];
    for (int i = 0; i < proposals->count; i++) {
        const gdyn_proposal *proposal = &proposals->proposal[i];
        json_t *changes = json_array();
        for (int k = 0; k < proposal->count; k++) {
            const gdyn_joint_change *change = &proposal->change[k];
            const gdyn_joint_def *old = gdyn_model_joint(model, change->joint);
            json_t *one = json_object();
            json_object_set_new(one, "joint", json_string(old->name));
            json_object_set_new(one, "from", json_string(gdyn_joint_type_name(old->type)));
            json_object_set_new(one, "to",
                                change->removed
                                    ? json_null()
                                    : json_string(gdyn_joint_type_name(change->def.type)));
            json_object_set_new(one, "text",
                                json_string(gdyn_proposal_text(model, change, text, sizeof text)));
            const char *what;
            int body;
            const double *direction = gdyn_joint_change_direction(model, change, &what, &body);
            if (direction) {
                json_object_set_new(one, "direction", vector(direction));
                json_object_set_new(one, "direction_is", json_string(what));
                json_object_set_new(one, "direction_in", json_string(body_name(model, body)));
            }
            json_array_append_new(changes, one);
        }
        json_t *one = json_object();
        json_object_set_new(one, "changes", changes);
        json_object_set_new(one, "alike", json_boolean(proposal->alike));
        json_object_set_new(one, "rank", json_integer(proposals->rank));
        json_object_set_new(one, "mobility", json_integer(proposals->mobility));
        json_array_append_new(list, one);
    }
    json_object_set_new(d->root, "proposals", list);
    json_object_set_new(d->root, "proposals_complete", json_boolean(proposals->complete));
    json_object_set_new(d->root, "changes_tried", json_integer(proposals->tried));
}

gdyn_status gdyn_reaction_document_text(const gdyn_reaction_document *d, gdyn_text *out) {
    char *text = json_dumps(d->root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (!text) {
        return GDYN_ERROR_MEMORY;
    }
    gdyn_text_printf(out, "%s\n", text);
    free(text);
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
