/* study_limit.c - globdyn study limit: what a constraint costs (study/choose.h), with --search from
 * further searches by epsilon constraints, each kept as a study. */
#include "cli/cli.h"

typedef struct limit_wish {
    int constraint;
    int wanted;          /* number of levels asked for */
    int levels;          /* and those there are, with the given one */
    const double *level; /* the strictest first */
} limit_wish;

/* --- further searches ------------------------------------------------------------------------ */

/* One search: an objective at the levels of the limit. */
typedef struct further {
    const gdyn_options *options;
    const gdyn_stored *stored;
    const limit_wish *wish;
    const char *constraint, *objective;
    int designs;
    gdyn_limit_part *part;
} further;

/* levels_CONSTRAINT_OBJECTIVE_N in the folder of the study, made if it is not there; NULL after a
 * message. */
static char *make_folder(const further *f) {
    const char *filename = f->stored->filename, *slash = strrchr(filename, '/');
    gdyn_sink console = gdyn_console_sink();
    gdyn_text folder = {0};
    char name[200], plain[200];
    snprintf(name, sizeof name, "levels_%.85s_%.85s_%d", f->constraint, f->objective,
             f->wish->wanted);
    gdyn_report_file_name(name, plain, sizeof plain);
    gdyn_text_append(&folder, filename, slash ? (size_t)(slash + 1 - filename) : 0);
    gdyn_text_printf(&folder, "%s", plain);
    if (folder.failed || gdyn_report_folder(folder.data, &console) != GDYN_OK) {
        gdyn_text_free(&folder);
        return NULL;
    }
    return folder.data;
}

/* New designs, in terms of the variant with all objectives. */
static gdyn_status take_new(const further *f, const gdyn_kept *kept, gdyn_study_result *result,
                            int starts, int known, gdyn_variant *all) {
    gdyn_adopted more = {0};
    gdyn_status status = gdyn_adopt(kept->study, &result->archive, all->study, &more);
    for (int i = 0; i < more.archive.count && status == GDYN_OK; i++) {
        gdyn_design *d = more.archive.design[i];
        if (d->serial <= starts)
            continue;
        d->serial += f->part->first;
        more.archive.design[i] = NULL;
        status = gdyn_archive_add(&all->archive, d);
    }
    /* Those that are gone leave no gap for who clears the list. */
    int left = 0;
    for (int i = 0; i < more.archive.count; i++)
        if (more.archive.design[i])
            more.archive.design[left++] = more.archive.design[i];
    more.archive.count = left;
    f->part->evaluated = result->archive.count - known;
    f->part->stop = gdyn_search_stop_text(result->final.search.stop);
    /* The states of the levels go on to the caller. */
    f->part->state = result->level;
    result->level = NULL;
    gdyn_adopted_clear(&more);
    return status;
}

static int run(const further *f, gdyn_kept *kept, gdyn_study_options *wanted, int known,
               gdyn_variant *all) {
    gdyn_study_result result;
    int code = gdyn_kept_run(f->options, kept, wanted, NULL, &result);
    if (code != GDYN_EXIT_YES)
        return code;
    gdyn_status status = take_new(f, kept, &result, wanted->starts, known, all);
    if (status != GDYN_OK)
        code = gdyn_kept_complain(kept, status);
    else if (result.interrupted)
        code = gdyn_note_how_to_continue(f->options, kept, result.archive.count);
    gdyn_study_result_clear(&result);
    return code;
}

/* The designs of the study that matter are the first ones. */
static int search(const further *f, gdyn_kept *kept, const gdyn_archive *front, gdyn_variant *all) {
    gdyn_adopted adopted = {.archive = *front};
    gdyn_study_options wanted = gdyn_study_default(kept->study);
    double *starts = NULL;
    gdyn_text filename = {0};
    wanted.search.evaluations = f->designs;
    /* A search that is there goes on as it began. */
    gdyn_text_printf(&filename, "%s/study.db", f->part->folder);
    if (!filename.failed)
        gdyn_store_decide(filename.data, kept->study, &wanted.search);
    int code = filename.failed ? gdyn_exit_code(GDYN_ERROR_MEMORY) : GDYN_EXIT_YES;
    gdyn_text_free(&filename);
    if (code == GDYN_EXIT_YES)
        code = gdyn_number_adopted(kept->study, &adopted, &wanted, &starts);
    int known = (int)wanted.search.evaluations - f->designs;
    if (code == GDYN_EXIT_YES)
        code = gdyn_kept_open(f->options, f->part->folder, "study.db", GDYN_STORE_OPTIMIZE, &wanted,
                              NULL, kept);
    code = code == GDYN_EXIT_YES ? gdyn_store_adopted(kept, &adopted) : code;
    code = code == GDYN_EXIT_YES ? run(f, kept, &wanted, known, all) : code;
    free(starts);
    return code;
}

static int search_objective(const further *f, int objective, gdyn_variant *all) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_variant v;
    gdyn_archive front = {0};
    gdyn_kept kept = {0};
    gdyn_status status =
        gdyn_variant_make(&v, f->stored->study, &f->stored->result.archive,
                          &(gdyn_variant_def){.released = f->wish->constraint,
                                              .alone = objective + 1,
                                              .levels = f->wish->levels,
                                              .level = f->wish->level,
                                              .seed = f->stored->options.search.seed},
                          &console);
    status = status == GDYN_OK ? gdyn_variant_front(&v, &front) : status;
    /* The study of two objectives: another reader of it finds all that it needs. */
    gdyn_text text = {0};
    if (status == GDYN_OK)
        gdyn_text_printf(&text, "%s", v.text);
    int code = gdyn_exit_code(text.failed ? GDYN_ERROR_MEMORY : status);
    if (code == GDYN_EXIT_YES)
        code = gdyn_kept_make_text(&text, f->stored->filename, GDYN_STORE_OPTIMIZE, &kept);
    code = code == GDYN_EXIT_YES ? search(f, &kept, &front, all) : code;
    gdyn_kept_close(&kept);
    gdyn_archive_clear(&front);
    gdyn_variant_clear(&v);
    return code;
}

/* For each objective: the best value at each of the levels of the limit, from the designs of the
 * study of which none is better in both; --search N designs in all. Each search is kept in a study
 * of its own next to that of the study, whose name has `wanted`, the number of levels asked for.
 * Its designs are added to the archive of `all` (all objectives, the left side last).
 * part[objectives], of which *parts are filled in, is to be freed also on failure.
 * An exit code. */
static int search_objectives(const gdyn_options *options, const gdyn_stored *s,
                             const limit_wish *wish, gdyn_variant *all, gdyn_limit_part *part,
                             int *parts) {
    const gdyn_instance *start = gdyn_study_start(s->study);
    int code = GDYN_EXIT_YES, count = start->objective_count;
    const gdyn_archive *old = &s->result.archive, *now = &all->archive;
    long next = old->count > 0 ? old->design[old->count - 1]->serial + 1 : 0;
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        /* Equal shares of all designs. */
        long designs =
            (long)options->further * (i + 1) / count - (long)options->further * i / count;
        further f = {.options = options,
                     .stored = s,
                     .wish = wish,
                     .constraint = start->requirement[wish->constraint].name,
                     .objective = start->objective[i].name,
                     .designs = (int)designs,
                     .part = &part[i]};
        part[i] = (gdyn_limit_part){.objective = f.objective, .first = next, .stop = ""};
        *parts = i + 1;
        part[i].folder = make_folder(&f);
        if (!part[i].folder)
            return GDYN_EXIT_FILE;
        if (f.designs > 0)
            code = search_objective(&f, i, all);
        if (now->count > 0 && now->design[now->count - 1]->serial >= next)
            next = now->design[now->count - 1]->serial + 1;
    }
    return code;
}

/* --- the table ------------------------------------------------------------------------------- */

enum { USUAL_LEVELS = 11 };

/* The constraint of that name; -1 after a message. */
static int find_constraint(const gdyn_study *study, const char *name) {
    const gdyn_instance *start = gdyn_study_start(study);
    for (int k = 0; k < start->requirement_count; k++)
        if (strcmp(start->requirement[k].name, name) == 0)
            return k;
    gdyn_cli_error(GDYN_CODE_ABSENT "the study has no constraint '%s'", name);
    fprintf(stderr, "      = help: its constraints:");
    for (int k = 0; k < start->requirement_count; k++)
        fprintf(stderr, "%s %s", k ? "," : "", start->requirement[k].name);
    fprintf(stderr, "\n");
    return -1;
}

/* "310", of a further search "mass:12". */
static const char *design_text(const gdyn_limit_cost *c, const gdyn_design *d, char *text,
                               size_t size) {
    const gdyn_limit_part *part = gdyn_limit_part_of(c, d);
    snprintf(text, size, "%.60s%s%ld", part ? part->objective : "", part ? ":" : "",
             d->serial - (part ? part->first : 0));
    return text;
}

/* What was searched beside the study, and how much of the table it gave. */
static void print_parts(const gdyn_limit_cost *c) {
    int all = 0, theirs = 0;
    for (int i = 0; i < c->levels; i++)
        for (int k = 0; k < c->objectives; k++) {
            all += c->level[i].best[k] != NULL;
            theirs += c->level[i].best[k] && gdyn_limit_part_of(c, c->level[i].best[k]);
        }
    for (int i = 0; i < c->parts; i++)
        printf("%s%s: %d further design%s (%s)%s%s\n", i ? "" : "searched: ", c->part[i].objective,
               c->part[i].evaluated, gdyn_plural(c->part[i].evaluated), c->part[i].folder,
               *c->part[i].stop ? ", " : "", c->part[i].stop);
    if (c->parts > 0)
        printf("%d of the %d best values above are of these designs (OBJECTIVE:N)\n", theirs, all);
}

static void print_cost(const gdyn_stored *s, const gdyn_requirement *wanted, const gdyn_variant *v,
                       const gdyn_limit_cost *c) {
    printf("%s: what %s (%s) costs, from %d designs\n", gdyn_study_start(s->study)->name,
           wanted->name, wanted->text, v->archive.count);
    const gdyn_instance *start = gdyn_study_start(v->study);
    char unit[64];
    printf("%14s %7s %9s", "limit", "front", "volume");
    for (int k = 0; k < c->objectives; k++)
        printf(" %14.14s %8s", start->objective[k].name, "design");
    snprintf(unit, sizeof unit, "[%s]", gdyn_study_objective_unit(v->study, c->objectives));
    printf("\n%14s %7s %9s", strcmp(unit, "[]") == 0 ? "" : unit, "", "");
    for (int k = 0; k < c->objectives; k++)
        printf(" %14s %8s", start->objective[k].maximize ? "maximum" : "minimum", "");
    printf("\n");
    for (int i = 0; i < c->levels; i++) {
        /* The volume as a share of that with the loosest limit. */
        const gdyn_study *study = v->study;
        const gdyn_limit_level *level = &c->level[i];
        double whole = c->level[0].hypervolume;
        char text[96];
        printf("%14.6g %7d", level->limit, level->front);
        printf(" %7.1f %%", whole > 0 ? 100 * level->hypervolume / whole : 0);
        for (int k = 0; k < c->objectives; k++)
            if (level->best[k])
                printf(" %14.6g %8s", level->best[k]->objective[k],
                       design_text(c, level->best[k], text, sizeof text));
            else
                printf(" %14s %8s", "-", "-");
        printf("%s", level->stated ? "   given" : "");
        /* objectives whose search at this limit has not converged */
        bool any = false;
        for (int k = 0; k < c->parts; k++)
            if (!gdyn_limit_converged(c, i, k)) {
                const char *words = c->level[i].best[k] ? "not converged" : "not met";
                printf("%s%s", any ? ", " : "   ", any ? "" : words);
                printf("%s%.60s", any ? "" : ": ", gdyn_study_start(study)->objective[k].name);
                any = true;
            }
        printf("\n");
    }
    printf("the volume is that of the front, as a share of that with the loosest limit; all other "
           "constraints are kept\n");
    print_parts(c);
}

/* The table of the archive as it is now; an exit code. */
static int answer(const gdyn_options *o, const gdyn_stored *s, const gdyn_variant *v,
                  const limit_wish *wish, const gdyn_limit_part *part, int parts) {
    const gdyn_requirement *wanted = &gdyn_study_start(s->study)->requirement[wish->constraint];
    gdyn_limit_cost c = {0};
    gdyn_text text = {0};
    gdyn_status status =
        gdyn_limit_cost_find(&c, v->study, &v->archive, wanted->right, wish->levels, wish->level);
    int code = gdyn_exit_code(status);
    c.part = part, c.parts = parts;
    if (status == GDYN_OK && o->json)
        code = gdyn_cli_print(gdyn_report_limit_cost_json(&text, gdyn_study_start(s->study)->name,
                                                          wanted->name, v->study, &c),
                              &text, o->output);
    else if (status == GDYN_OK)
        print_cost(s, wanted, v, &c);
    /* No limit has a feasible design. */
    if (code == GDYN_EXIT_YES && c.result.front.count == 0)
        code = GDYN_EXIT_NO;
    gdyn_limit_cost_clear(&c);
    return code;
}

/* Levels, searches if they are asked for, and the table; an exit code. */
static int find_cost(const gdyn_options *o, const gdyn_stored *s, int constraint, gdyn_variant *v,
                     gdyn_limit_part *part) {
    double stated = gdyn_study_start(s->study)->requirement[constraint].right, *level = NULL;
    limit_wish wish = {.constraint = constraint,
                       .wanted = o->levels > 0 ? o->levels : USUAL_LEVELS};
    int parts = 0;
    gdyn_status status = gdyn_limit_levels(v->study, &v->archive, stated, wish.wanted,
                                           o->further > 0, &wish.levels, &level);
    int code = gdyn_exit_code(status);
    wish.level = level;
    if (code == GDYN_EXIT_YES && o->further > 0)
        code = search_objectives(o, s, &wish, v, part, &parts);
    code = code == GDYN_EXIT_YES ? answer(o, s, v, &wish, part, parts) : code;
    for (int k = 0; k < parts; k++)
        gdyn_free(part[k].folder), gdyn_free(part[k].state);
    free(part);
    gdyn_free(level);
    return code;
}

int gdyn_study_limit(const gdyn_options *o, const gdyn_stored *s) {
    int constraint = find_constraint(s->study, o->operand[2]);
    if (constraint < 0)
        return GDYN_EXIT_USAGE;
    const gdyn_instance *start = gdyn_study_start(s->study);
    const gdyn_requirement *wanted = &start->requirement[constraint];
    gdyn_sink console = gdyn_console_sink();
    gdyn_variant v;
    gdyn_limit_part *part = calloc((size_t)start->objective_count + 1, sizeof *part);
    /* The left side as one more objective. */
    gdyn_status status = gdyn_variant_make(&v, s->study, &s->result.archive,
                                           &(gdyn_variant_def){.released = constraint}, &console);
    if (status == GDYN_ERROR_ARGUMENT)
        gdyn_cli_error(GDYN_CODE_OPTION "'%s' is an equality: it has no limit to move",
                       wanted->name);
    int code = status == GDYN_ERROR_ARGUMENT ? GDYN_EXIT_USAGE
               : part                        ? gdyn_exit_code(status)
                                             : GDYN_EXIT_MEMORY;
    if (code == GDYN_EXIT_YES)
        code = find_cost(o, s, constraint, &v, part);
    else
        free(part);
    gdyn_variant_clear(&v);
    return code;
}
