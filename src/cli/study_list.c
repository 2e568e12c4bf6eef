/* study_list.c - globdyn study list: all studies below some folders, a line each.
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
        l->entry = grown;
        l->capacity = capacity;
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
    printf("%-36s %8d %8d %6d %12.6g%s  %s\n", e->file, e->digest.designs, e->digest.feasible,
           e->of.count, e->of.volume, group, e->state);
}

static void print_list(const list *l) {
    int compared = 0;
    if (l->count > 0)
        printf("%-36s %8s %8s %6s %12s%s  %s\n", "study", "designs", "feasible", "front",
               "hypervolume", l->groups > 1 ? "  " : "", "state");
    for (int i = 0; i < l->count; i++) {
        print_study(l, &l->entry[i]);
        compared += l->entry[i].of.group >= 0;
    }
    if (l->groups > 1)
        printf("hypervolumes with the same letter share their reference point and objectives; "
               "others cannot be compared\n");
    else if (compared > 1)
        printf("hypervolumes against one reference point, a tenth of the common range beyond the "
               "worst\n");
    if (compared > 0)
        printf("globdyn study show uses the reference point of each study's own search\n");
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
    /* Groups of studies with the same objectives, and the hypervolumes in each. */
    gdyn_grouped_front *front = calloc((size_t)l.count + 1, sizeof *front);
    for (int i = 0; front && i < l.count; i++)
        front[i] = l.entry[i].of;
    l.groups = front ? gdyn_group_fronts(l.count, front) : -1;
    l.failed |= l.groups < 0;
    for (int i = 0; front && i < l.count; i++)
        l.entry[i].of = front[i];
    free(front);
    print_list(&l);
    if (l.count == 0 && code == GDYN_EXIT_YES)
        printf("there are no studies below %s\n", folders > 0 ? "these folders" : "results/");
    code = l.failed ? GDYN_EXIT_MEMORY : code;
    for (int i = 0; i < l.count; i++) {
        gdyn_free(l.entry[i].file);
        gdyn_digest_free(&l.entry[i].digest);
    }
    free(l.entry);
    return code;
}
