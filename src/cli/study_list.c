/* study_list.c - globdyn study list: all studies below some folders, a line each; globdyn study
 * compare of groups of studies.
 *
 * A hypervolume depends on its reference point. Studies with the same objectives (names, senses and
 * formulas) get a common one, a tenth of their common range behind the worst; studies with other
 * objectives stand in groups of their own, whose hypervolumes are not comparable with each
 * other. */
#include "cli/cli.h"

#include <dirent.h>
#include <sys/stat.h>

typedef struct entry {
    char *file;
    bool read;
    gdyn_digest digest;    /* when it could be read */
    gdyn_grouped_front of; /* its front among the others */
    char state[120];
    int group; /* operand that it belongs to */
} entry;

typedef struct list {
    int count, capacity, groups;
    entry *entry;
    bool failed; /* out of memory */
} list;

/* A run that nobody continues was interrupted. */
static const char *state_of(long owner, const char *state) {
    if (owner > 0)
        return "running";
    return strcmp(state, "running") == 0 ? "interrupted" : state;
}

const char *gdyn_stored_state(const gdyn_stored *s) {
    return state_of(s->owner, s->state);
}

/* --- gathering ---------------------------------------------------------------------------- */

static void add_study(list *l, const char *file) {
    if (l->count == l->capacity) {
        int capacity = 2 * l->capacity + 8;
        entry *grown = realloc(l->entry, (size_t)capacity * sizeof *grown);
        if (!grown) {
            l->failed = true;
            return;
        }
        l->entry = grown, l->capacity = capacity;
    }
    /* The entry keeps its own name. */
    gdyn_text name = {0};
    gdyn_text_printf(&name, "%s", file);
    entry *e = &l->entry[l->count++];
    *e = (entry){.file = name.data};
    l->failed |= !e->file;
    gdyn_digest *d = &e->digest;
    e->read = e->file && gdyn_digest_read(e->file, d) == GDYN_OK;
    if (!e->read)
        return;
    e->of = (gdyn_grouped_front){.goals = d->goals, .m = d->m, .count = d->front, .F = d->F};
    char owner[40] = "";
    if (d->owner > 0)
        snprintf(owner, sizeof owner, " (process %ld)", d->owner);
    snprintf(e->state, sizeof e->state, "%.70s%s", state_of(d->owner, d->state), owner);
}

static bool is_folder(const char *name) {
    struct stat about;
    return stat(name, &about) == 0 && S_ISDIR(about.st_mode);
}

/* All *.db below the folder, a few floors deep. */
static void add_folder(list *l, const char *folder, int depth) {
    struct dirent **found = NULL;
    int count = scandir(folder, &found, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        gdyn_text name = {0};
        /* Hidden files and folders are left out. */
        gdyn_text_printf(&name, "%s/%s", folder, found[i]->d_name);
        if (!name.failed && found[i]->d_name[0] != '.') {
            if (is_folder(name.data) && depth > 0)
                add_folder(l, name.data, depth - 1);
            else if (gdyn_is_file(name.data) && name.length > 3 &&
                     !strcmp(name.data + name.length - 3, ".db"))
                add_study(l, name.data);
        }
        gdyn_text_free(&name);
        free(found[i]);
    }
    free(found);
}

/* --- the table ---------------------------------------------------------------------------- */

static void print_study(const list *l, const entry *e) {
    char group[16];
    if (!e->read) {
        printf("%-36s cannot be read: globdyn study check says why\n", e->file);
        return;
    }
    /* "A", ..., "Z", "A1", ... behind the hypervolume where there are several groups. */
    int k = l->groups > 1 ? e->of.group : -1;
    snprintf(group, sizeof group, k >= 26 ? " %c%d" : k >= 0 ? " %c" : "", 'A' + k % 26, k / 26);
    printf("%-36s %8d %8d %6d %12.6g%s", e->file, e->digest.designs, e->digest.feasible,
           e->of.count, e->of.volume, group);
    if (e->digest.method)
        printf("  %-10s %10d %6ld", e->digest.method, e->digest.population, e->digest.seed);
    else
        printf("  %-10s %10s %6s", "-", "-", "-");
    printf("  %s\n", e->state);
}

/* Groups of studies with the same objectives, and the hypervolumes in each. */
static void group_fronts(list *l) {
    gdyn_grouped_front *front = calloc((size_t)l->count + 1, sizeof *front);
    for (int i = 0; front && i < l->count; i++)
        front[i] = l->entry[i].of;
    l->groups = front ? gdyn_group_fronts(l->count, front) : -1;
    l->failed |= l->groups < 0;
    for (int i = 0; front && i < l->count; i++)
        l->entry[i].of = front[i];
    free(front);
}

static void free_list(list *l) {
    for (int i = 0; i < l->count; i++) {
        gdyn_free(l->entry[i].file);
        gdyn_digest_free(&l->entry[i].digest);
    }
    free(l->entry);
}

int gdyn_study_list(const gdyn_options *options) {
    static char *const usual[] = {"results"};
    int folders = options->count - 1, code = GDYN_EXIT_YES;
    char *const *name = folders > 0 ? options->operand + 1 : usual;
    list l = {0};
    for (int i = 0; i < (folders > 0 ? folders : 1) && code == GDYN_EXIT_YES; i++) {
        if (is_folder(name[i]))
            add_folder(&l, name[i], 3);
        else if (gdyn_is_file(name[i]))
            add_study(&l, name[i]);
        else if (folders > 0)
            code = gdyn_cli_fail(GDYN_EXIT_FILE, NULL, GDYN_CODE_ABSENT "there is no folder '%s'",
                                 name[i]);
    }
    group_fronts(&l);
    int compared = 0;
    if (l.count > 0)
        printf("%-36s %8s %8s %6s %12s%s  %-10s %10s %6s  %s\n", "study", "designs", "feasible",
               "front", "hypervolume", l.groups > 1 ? "  " : "", "method", "population", "seed",
               "state");
    for (int i = 0; i < l.count; i++) {
        print_study(&l, &l.entry[i]);
        compared += l.entry[i].of.group >= 0;
    }
    if (l.groups > 1)
        printf("hypervolumes with the same letter share their reference point and objectives; "
               "others cannot be compared\n");
    else if (compared > 1)
        printf("hypervolumes against one reference point, a tenth of the common range beyond the "
               "worst\n");
    if (compared > 0)
        printf("globdyn study show uses the reference point of each study's own search\n");
    if (l.count == 0 && code == GDYN_EXIT_YES)
        printf("there are no studies below %s\n", folders > 0 ? "these folders" : "results/");
    code = l.failed ? GDYN_EXIT_MEMORY : code;
    free_list(&l);
    return code;
}

/* --- groups of studies ------------------------------------------------------------------------ */

/* The folder of that name, here or below results/; to be freed. NULL: there is none. */
static char *folder_named(const char *name) {
    for (int i = 0; i < 2; i++) {
        gdyn_text text = {0};
        gdyn_text_printf(&text, "%s%s", i ? "results/" : "", name);
        if (!text.failed && is_folder(text.data))
            return text.data;
        gdyn_text_free(&text);
    }
    return NULL;
}

bool gdyn_study_groups(const gdyn_options *options) {
    bool found = false;
    for (int i = 1; i < options->count && !found; i++) {
        const char *name = options->operand[i];
        char *file = gdyn_study_file(name), *folder = file ? NULL : folder_named(name);
        found = folder || (!file && strchr(name, ','));
        gdyn_free(file), gdyn_free(folder);
    }
    return found;
}

/* The studies of an operand: of its names, and those right below its folders. */
static int gather_group(list *l, const char *operand, int group) {
    char **name = NULL;
    int names, first = l->count, code = gdyn_cli_split(operand, &name, &names);
    for (int i = 0; i < names && code == GDYN_EXIT_YES; i++) {
        int before = l->count;
        char *file = gdyn_study_file(name[i]), *folder = file ? NULL : folder_named(name[i]);
        if (file)
            add_study(l, file);
        else if (folder)
            add_folder(l, folder, 1);
        if (l->count == before)
            code = gdyn_no_study(name[i]);
        gdyn_free(file), gdyn_free(folder);
    }
    for (int i = first; i < l->count; i++)
        l->entry[i].group = group;
    free(name);
    if (code == GDYN_EXIT_YES && l->count - first > GDYN_RANK_TEST_MOST)
        code = gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_LIMIT "'%s' has %d studies; a group has at most %d", operand,
                             l->count - first, GDYN_RANK_TEST_MOST);
    return code;
}

/* All of one problem, each once. */
static int check_runs(const list *l) {
    for (int i = 0; i < l->count; i++) {
        const entry *e = &l->entry[i];
        if (!e->read || e->of.m == 0)
            return gdyn_cli_fail(GDYN_EXIT_STUDY, "globdyn study check says why",
                                 GDYN_CODE_FOREIGN "%s %s", e->file,
                                 e->read ? "has no objectives" : "cannot be read");
        if (strcmp(e->of.goals, l->entry[0].of.goals) != 0)
            return gdyn_cli_fail(GDYN_EXIT_STUDY, NULL,
                                 GDYN_CODE_FOREIGN
                                 "%s and %s have different objectives; they cannot be compared",
                                 l->entry[0].file, e->file);
        for (int k = 0; k < i; k++)
            if (strcmp(e->file, l->entry[k].file) == 0)
                return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL, GDYN_CODE_USAGE "%s is named twice",
                                     e->file);
    }
    return GDYN_EXIT_YES;
}

/* What makes a comparison less than fair; notes on standard error. */
static void note_runs(const gdyn_options *options, const list *l) {
    int least = l->entry[0].digest.designs, most = least, unfinished = 0;
    for (int i = 0; i < l->count; i++) {
        const gdyn_digest *d = &l->entry[i].digest;
        least = d->designs < least ? d->designs : least;
        most = d->designs > most ? d->designs : most;
        unfinished += strncmp(l->entry[i].state, "finished", strlen("finished")) != 0;
        for (int k = 0; k < i; k++)
            if (l->entry[k].group == l->entry[i].group && l->entry[k].digest.seed == d->seed)
                gdyn_cli_note(options, "%s and %s have the same seed: they may not be independent",
                              l->entry[k].file, l->entry[i].file);
    }
    if (least < most)
        gdyn_cli_note(options, "the studies have %d to %d designs: unequal budgets", least, most);
    if (unfinished > 0)
        gdyn_cli_note(options, "%d stud%s not finished", unfinished,
                      unfinished == 1 ? "y has" : "ies have");
}

static void print_groups(const gdyn_run_comparison *c) {
    static const char explained[] =
        "A ahead: share of the pairs of studies in which that of A is better, equal ones half;\n"
        "p: probability of such a difference by chance (Mann and Whitney's test, exact, "
        "two-sided);\n"
        "p (Holm): the same, adjusted for the number of tests\n";
    printf("%-36s %8s %14s %14s %14s\n", "group", "studies", "median", "quartiles", "");
    for (int i = 0; i < c->groups; i++) {
        const gdyn_run_group *g = &c->group[i];
        double low = c->sign * g->low, high = c->sign * g->high;
        printf("%-36s %8d %14.8g %14.8g %14.8g\n", g->name, g->count, c->sign * g->median,
               fmin(low, high), fmax(low, high));
    }
    if (c->sign > 0 && strcmp(c->measure, "hypervolume") == 0)
        printf("hypervolumes against one reference point, a tenth of the common range beyond the "
               "worst\n");
    else
        printf("best value of %s, %s\n", c->measure, c->sign > 0 ? "maximized" : "minimized");
    printf("%-24s %-24s %8s %12s %12s\n", "A", "B", "A ahead", "p", "p (Holm)");
    for (int i = 0; i < c->tests; i++) {
        const gdyn_run_test *t = &c->test[i];
        printf("%-24s %-24s %6.1f %% %12.4g %12.4g\n", c->group[t->a].name, c->group[t->b].name,
               100 * t->ahead, t->p, t->holm);
    }
    printf("%s", explained);
}

/* The runs of each group with what counts: hypervolumes, or the best value of one objective. */
static void make_runs(const list *l, const gdyn_options *options, gdyn_run_comparison *c,
                      gdyn_run *run) {
    const char *goals = l->entry[0].of.goals; /* " minimize NAME FORMULA;" */
    bool single = l->entry[0].of.m == 1;
    c->sign = single && strncmp(goals, " minimize", 9) == 0 ? -1 : 1;
    snprintf(c->measure, sizeof c->measure, "hypervolume");
    if (single)
        sscanf(goals, " %*s %63s", c->measure);
    for (int i = 0; i < l->count; i++) {
        const entry *e = &l->entry[i];
        gdyn_run_group *g = &c->group[e->group];
        g->name = options->operand[1 + e->group];
        g->run = g->run ? g->run : run + i;
        double value = e->of.count == 0 ? -INFINITY : single ? -e->of.F[0] : e->of.volume;
        g->run[g->count++] = (gdyn_run){value, e->file, &e->digest};
    }
}

int gdyn_study_compare_groups(const gdyn_options *options) {
    list l = {0};
    gdyn_run_comparison c = {.groups = options->count - 1};
    int code = GDYN_EXIT_YES, feasible = 0;
    for (int i = 0; i < c.groups && code == GDYN_EXIT_YES; i++)
        code = gather_group(&l, options->operand[1 + i], i);
    code = code == GDYN_EXIT_YES && l.failed ? GDYN_EXIT_MEMORY : code;
    code = code == GDYN_EXIT_YES ? check_runs(&l) : code;
    for (int i = 0; i < l.count; i++)
        feasible += l.entry[i].of.count > 0;
    if (code == GDYN_EXIT_YES && feasible == 0)
        code = gdyn_cli_fail(GDYN_EXIT_NO, NULL,
                             GDYN_CODE_ABSENT "none of the studies has a feasible design");
    gdyn_run *run = calloc((size_t)l.count + 1, sizeof *run);
    c.group = calloc((size_t)c.groups, sizeof *c.group);
    c.test = calloc((size_t)c.groups * (size_t)c.groups, sizeof *c.test);
    if (code == GDYN_EXIT_YES) {
        bool ready = run && c.group && c.test;
        group_fronts(&l);
        if (ready && !l.failed)
            make_runs(&l, options, &c, run);
        code = ready && !l.failed ? gdyn_exit_code(gdyn_compare_groups(&c)) : GDYN_EXIT_MEMORY;
    }
    if (code == GDYN_EXIT_YES && options->json) {
        gdyn_text text = {0};
        code = gdyn_cli_print(gdyn_report_groups_json(&text, &c), &text, options->output);
    } else if (code == GDYN_EXIT_YES) {
        print_groups(&c);
    }
    if (code == GDYN_EXIT_YES)
        note_runs(options, &l);
    free(run), free(c.group), free(c.test);
    free_list(&l);
    return code;
}
