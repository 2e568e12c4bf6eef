/* reactions_text.c - the reactions of one pose as a table for people. */
#include "cli/cli.h"

/* Partners in few words: at most six names, then how many more. */
static void print_partners(const gdyn_reactions *r, int component) {
    enum { SHOWN = 6 };
    int block = gdyn_reactions_component(r, component)->block, count = 0;
    char label[160];
    /* components of the block, then drives and static friction */
    for (int c = 0; block >= 0 && c < r->components; c++) {
        if (c == component || gdyn_reactions_component(r, c)->block != block)
            continue;
        if (count++ < SHOWN)
            printf("%s%s", count > 1 ? ", " : "", gdyn_reactions_label(r, c, label, sizeof label));
    }
    for (int k = 0; block >= 0 && k < r->efforts; k++)
        if (r->drive_block[k] == block && count++ < SHOWN)
            printf("%s%s", count > 1 ? ", " : "", gdyn_reactions_effort_name(r, k));
    if (count > SHOWN)
        printf(", and %d more", count - SHOWN);
}

/* Joints and other groups with their components. */
static void print_table(const gdyn_reactions *r, const gdyn_reaction_frame *frame,
                        const char *convention) {
    int width = 5;
    if (r->groups == 0) {
        printf("\n  the machine has no joints: there are no reactions\n");
        return;
    }
    for (int g = 0; g < r->groups; g++) {
        /* as wide as the longest name */
        int length = (int)strlen(r->item[g].name);
        width = length > width ? length : width;
    }
    printf("\n  %-*s  %-16s %-9s %-16s %15s   %s\n", width, "joint", "verdict", "component",
           "verdict", convention ? convention : "value", "shares load with");
    for (int g = 0; g < r->groups; g++) {
        bool first = true; /* the joint's name and verdict stand at its first component only */
        for (int c = 0; c < r->components; c++) {
            const gdyn_reaction_item *item = gdyn_reactions_component(r, c);
            char value[40] = "-";
            if (item->group != g)
                continue;
            /* a value only where it is unique, or chosen by a convention */
            if (frame->values && (item->verdict == GDYN_UNIQUE || convention))
                snprintf(value, sizeof value, "%.6g %s", r->value[c], item->moment ? "N m" : "N");
            printf("  %-*s  %-16s %-9s %-16s %15s   ", width, first ? r->item[g].name : "",
                   first ? gdyn_verdict_text(r->item[g].verdict) : "", item->name,
                   gdyn_verdict_text(item->verdict), value);
            print_partners(r, c);
            printf("\n");
            first = false;
        }
    }
}

/* "(0.3, 0, -1)"; what is zero beside `size` is written so. */
static const char *vector_text(const double v[3], bool planar, double size, char out[80]) {
    double shown[3];
    for (int i = 0; i < 3; i++)
        shown[i] = fabs(v[i]) < 1e-12 * size ? 0 : v[i];
    if (planar)
        snprintf(out, 80, "(%.4g, %.4g)", shown[0], shown[1]);
    else
        snprintf(out, 80, "(%.4g, %.4g, %.4g)", shown[0], shown[1], shown[2]);
    return out;
}

/* Cells of a joint's line: on, by, point, x, y, z, words. */
enum { CELLS = 5, CELL = 200 };
static void frame_cells(const gdyn_reactions *r, int joint, char cell[CELLS][CELL]) {
    const gdyn_joint_def *def = gdyn_model_joint(r->model, joint);
    const gdyn_joint_frame *frame = &r->frame[joint];
    bool planar = gdyn_model_space(r->model) == GDYN_PLANAR;
    double length = gdyn_model_length(r->model);
    char text[80];
    /* which body acts on which, where, and along which axes */
    snprintf(cell[0], CELL, "%s on %s", gdyn_body_name(r->model, def->b.body),
             gdyn_body_name(r->model, def->a.body));
    snprintf(cell[1], CELL, "%s m", vector_text(frame->point, planar, length, text));
    for (int k = 0; k < 3; k++)
        snprintf(cell[2 + k], CELL, "%s", vector_text(frame->E + 3 * k, planar, 1, text));
}

/* Where and along what the components act: point and axes of every joint, in ground coordinates. */
static void print_frames(const gdyn_reactions *r) {
    static const char *const head[CELLS] = {"reaction of", "at, and moments about", "x", "y", "z"};
    int cells = gdyn_model_space(r->model) == GDYN_PLANAR ? CELLS - 1 : CELLS;
    int width[CELLS] = {0}, name = (int)strlen("joint");
    char cell[CELLS][CELL];
    if (r->joints == 0)
        return;
    /* widths first, then the head (-1) and the lines */
    for (int pass = 0; pass < 2; pass++)
        for (int x = -1; x < r->joints; x++) {
            const char *words = x < 0 ? "" : gdyn_joint_frame_words(r->model, x);
            const char *joint = x < 0 ? "joint" : r->item[x].name;
            if (x >= 0 && !*words)
                continue;
            if (x >= 0)
                frame_cells(r, x, cell);
            if (pass)
                printf("%s  %-*s", x < 0 ? "\n" : "", name, joint);
            name = (int)fmax(name, (double)strlen(joint));
            for (int k = 0; k < cells; k++) {
                const char *text = x < 0 ? head[k] : cell[k];
                if (pass)
                    printf("  %-*s", width[k], text);
                width[k] = (int)fmax(width[k], (double)strlen(text));
            }
            if (pass)
                printf(x < 0 ? "\n" : "  %s\n", words);
        }
}

/* "|B_X| 0.5831 of B, C; 0.4082 of W1, W2": joints by the norms of their B_X, equal ones
 * together. */
static void print_norms(const gdyn_reactions *r) {
    static const double SAME = 1e-6;
    int kinds = 0;
    for (int g = 0; g < r->groups; g++) {
        int count = 0;
        for (int k = 0; k < g; k++) /* printed with an earlier one */
            count += r->norm[k] > 0 && fabs(r->norm[k] - r->norm[g]) <= SAME * r->norm[g];
        if (!(r->norm[g] > 0) || count > 0)
            continue;
        printf("%s %.4g of", kinds++ ? ";" : "  |B_X|", r->norm[g]);
        for (int k = g; k < r->groups; k++)
            if (fabs(r->norm[k] - r->norm[g]) <= SAME * r->norm[g])
                printf("%s %s", count++ ? "," : "", r->item[k].name);
    }
    if (kinds > 0)
        printf("\n");
}

/* What is known of reactions that are not. */
static void print_combinations(const gdyn_reaction_frame *frame, bool all) {
    enum { SHOWN = 8 };
    int count = frame->combinations->count, shown = all || count <= SHOWN ? count : SHOWN;
    if (count == 0)
        return;
    printf("\n  known together%s:\n", frame->values ? "" : " (unique, but without values here)");
    /* a few of them, all on request */
    for (int i = 0; i < shown; i++) {
        printf("    ");
        /* "hinge1.fz + 2 hinge2.fz = 30 N", moments with the arms of forces */
        const gdyn_combination *c = &frame->combinations->list[i];
        char label[160];
        for (int k = 0; k < c->terms; k++) {
            /* the factor where it is not 1, in m when a force stands among moments */
            double factor = c->term[k].coefficient;
            bool arm = c->moment && !gdyn_term_is_moment(frame->r, &c->term[k]);
            const char *sign = factor < 0 ? (k ? " - " : "-") : k ? " + " : "";
            printf("%s", sign);
            if (arm)
                printf("%.6g m*", fabs(factor));
            else if (fabs(fabs(factor) - 1) > 1e-9)
                printf("%.6g*", fabs(factor));
            printf("%s", gdyn_term_label(frame->r, &c->term[k], label, sizeof label));
        }
        if (frame->values)
            printf(" = %.6g %s", c->value, c->moment ? "N m" : "N");
        printf("\n");
    }
    if (shown < count)
        printf("    and %d more: --all\n", count - shown);
}

/* How near the ranks are to falling, and what that means. */
static void print_doubts(const gdyn_reactions *r) {
    double alone = gdyn_rank_least(&r->rank_c), driven = gdyn_rank_least(&r->rank_ct);
    bool svd = r->methods & 1u << GDYN_REACTIONS_BY_SVD;
    printf("  smallest %s kept: constraints %.3g", svd ? "singular value" : "pivot", alone);
    if (r->drives > 0)
        printf(", with drives %.3g", driven);
    printf(" of the largest\n");
    /* nothing more to say when all tests agree on regular ranks */
    if (r->disagreements == 0 && r->regular)
        return;
    if (!gdyn_rank_is_clear(&r->rank_c) || !gdyn_rank_is_clear(&r->rank_ct)) {
        printf(
            "  near singular: reactions may be %.1g times the loads, and errors of the pose grow "
            "with them\n",
            1 / fmin(alone, driven));
    }
    printf("  doubtful: ");
    /* which tests differ, or how narrow the gap is */
    if (r->disagreements > 0) {
        printf("the tests differ on %d reaction%s, ", r->disagreements,
               gdyn_plural(r->disagreements));
    }
    if (isfinite(r->gap))
        printf("smallest gap %.2g", r->gap);
    else
        printf("full rank");
    int count = r->rows < r->n ? r->rows : r->n;
    for (int i = 0; svd && i < count; i++)
        printf("%s %.3g", i ? "" : "; singular values", r->sigma[i]);
    printf("\n");
}

/* Why there are no values. */
static void print_unbalanced(const gdyn_reactions *r) {
    int over = gdyn_reactions_slipping(r);
    if (over < 0) {
        printf("  no values: the drives%s cannot hold the machine here\n",
               r->efforts > r->drives ? " and static friction" : "");
        return;
    }
    /* static friction beyond its limit */
    const char *unit = gdyn_reactions_effort_is_moment(r, over) ? "N m" : "N";
    printf(
        "  no values: %s would need %s to hold the machine here, but can give at most %s\n",
        gdyn_reactions_effort_name(r, over), gdyn_amount(fabs(r->drive[over]), unit).text,
        gdyn_amount(gdyn_model_stiction_limit(r->model, r->effort[over] - r->drives), unit).text);
}

/* Static friction that shares load may be shared out in many ways; their limits are not checked. */
static void print_unchecked(const gdyn_reactions *r) {
    int count = 0;
    for (int i = r->drives; i < r->efforts; i++)
        if (r->drive_block[i] >= 0)
            printf("%s%s", count++ ? ", " : "  ", gdyn_reactions_effort_name(r, i));
    if (count > 0) {
        printf(": not unique, so whether %s within the limits is not checked here (globdyn regions "
               "does)\n",
               count == 1 ? "it stays" : "they stay");
    }
}

void gdyn_print_reactions(const gdyn_reactions *r, const gdyn_reaction_frame *frame,
                          const char *name, const char *convention, bool all) {
    printf("%s: %d coordinate%s, %d constraint%s of rank %d, redundancy %d", name, r->n,
           gdyn_plural(r->n), r->rows, gdyn_plural(r->rows), r->rank_c.rank, r->redundancy);
    if (r->drives > 0)
        printf("; drive redundancy %d", r->drive_redundancy);
    printf("\n");
    /* redundancy, doubts, where the values come from */
    for (int s = 0; s < r->subsystems; s++) {
        /* Which joints share a redundancy: with any of their rows. */
        printf("  redundancy %d among", r->subsystem[s].redundancy);
        for (int g = 0; g < r->groups; g++) {
            bool within = false;
            for (int i = 0; i < r->rows; i++)
                within |= gdyn_reactions_multiplier(r, i)->group == g && r->subsystem_of[i] == s;
            if (within)
                printf(" %s", r->item[g].name);
        }
        printf("\n");
    }
    print_norms(r);
    print_doubts(r);
    if (!frame->values)
        print_unbalanced(r);
    else if (!strcmp(frame->motion, "released"))
        printf("  values: released at rest\n");
    else
        print_unchecked(r);
    /* the components, what is known together, the frames */
    print_table(r, frame, convention);
    if (frame->combinations)
        print_combinations(frame, all);
    print_frames(r);
}

/* Proposals whose outcome lies between these two under a title: a few of each sort unless all are
 * wanted. */
static void print_some(const gdyn_instance *instance, const gdyn_proposals *found,
                       gdyn_proposal_outcome first, gdyn_proposal_outcome last, const char *title,
                       bool all) {
    enum { SHOWN = 6 };
    int shown[3] = {0, 0, 0}, count = 0, left_out = 0; /* fewest changes, one more, changes alike */
    for (int i = 0; i < found->count; i++) {
        const gdyn_proposal *proposal = &found->proposal[i];
        int sort = proposal->alike ? 2 : proposal->count > found->fewest;
        if (proposal->outcome < first || proposal->outcome > last)
            continue;
        if (count++ == 0)
            printf("%s", title);
        if (!all && shown[sort] == SHOWN) {
            left_out++;
            continue;
        }
        shown[sort]++;
        char text[300];
        for (int k = 0; k < proposal->count; k++)
            printf("%s%s", k ? "; " : "  ",
                   gdyn_proposal_text(instance->model, &proposal->change[k], text, sizeof text));
        printf("\n");
        if (gdyn_proposal_jams(proposal)) {
            /* Where it jams along the case's trajectories. */
            const gdyn_path_def *path = &instance->trajectory[proposal->trajectory];
            gdyn_words place = gdyn_amount(proposal->jam_p, gdyn_path_unit_of_p(path));
            printf("      %s at p = %s of '%s'\n",
                   proposal->outcome == GDYN_PROPOSAL_STOPS ? "stops" : "loses rank", place.text,
                   path->name);
        }
    }
    if (left_out > 0)
        printf("  and %d more: --all\n", left_out);
}

void gdyn_print_proposals(const gdyn_instance *instance, const gdyn_proposals *found, bool all) {
    char title[160];
    int joints = gdyn_model_joints(instance->model);
    int most = joints < GDYN_CHANGES_MOST ? joints : GDYN_CHANGES_MOST;
    if (found->redundancy > 0 && found->count == 0)
        printf("\nNone of the %d combination%s tried makes the machine exactly constrained (up to "
               "%d joint%s replaced by\nless constraining ones, or several replaced alike%s).\n",
               found->tried, gdyn_plural(found->tried), most, gdyn_plural(most),
               found->complete ? "" : "; the search was stopped early");
    if (found->redundancy == 0 || found->count == 0)
        return;
    snprintf(
        title, sizeof title,
        "\nExactly constrained, with the same mobility %d, when (each rebuilt and checked%s):\n",
        found->mobility, instance->trajectory_count > 0 ? ", also along the trajectories" : "");
    print_some(instance, found, GDYN_PROPOSAL_UNCHECKED, GDYN_PROPOSAL_PASSES, title, all);
    print_some(
        instance, found, GDYN_PROPOSAL_NO_PATH, GDYN_PROPOSAL_NO_PATH,
        "\nExactly constrained at the first guess (a trajectory prescribes a coordinate of a "
        "changed joint\nand is not checked):\n",
        all);
    print_some(instance, found, GDYN_PROPOSAL_STOPS, GDYN_PROPOSAL_LOSES_RANK,
               "\nExactly constrained at the first guess, but jammed along a trajectory:\n", all);
    if (!found->complete) {
        printf("  the list is incomplete (%d combination%s tried): there may be others\n",
               found->tried, gdyn_plural(found->tried));
    }
}
