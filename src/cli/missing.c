/* missing.c - what may have been meant by a name where there is no case file, or no study. */
#include "cli/cli.h"

#include <dirent.h>
#include <sys/stat.h>

bool gdyn_is_file(const char *name) {
    struct stat about;
    return stat(name, &about) == 0 && S_ISREG(about.st_mode);
}

static bool is_case_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot > name && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* A file at one of the places where the case of that name would be: with its extension, below cases/. */
static bool find_named(const char *name, char *file, size_t size) {
    static const char *const before[] = {"", "", "cases/"};
    static const char *const after[] = {".yaml", ".yml", "/case.yaml"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        int length = snprintf(file, size, "%s%s%s", before[i], name, after[i]);
        if (length > 0 && (size_t)length < size && gdyn_is_file(file))
            return true;
    }
    return false;
}

/* The case file of the folder whose name is nearest; false: none is near. */
static bool find_near(const char *name, char *file, size_t size) {
    enum { MOST = 400 };
    static char names[MOST][80];
    const char *list[MOST];
    int count = 0;
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    int folder = (int)(base - name);
    snprintf(file, size, "%.*s", folder, name);
    DIR *open = opendir(folder ? file : ".");
    struct dirent *entry;
    while (open && count < MOST && (entry = readdir(open)))
        if (is_case_name(entry->d_name) && strlen(entry->d_name) < sizeof *names) {
            list[count] = strcpy(names[count], entry->d_name);
            count++;
        }
    if (open)
        closedir(open);
    const char *near = gdyn_text_nearest(base, list, count);
    if (near)
        snprintf(file, size, "%.*s%s", folder, name, near);
    return near != NULL;
}

void gdyn_help_missing_case(const char *name, bool or_study) {
    char file[1000];
    if (find_named(name, file, sizeof file) || find_near(name, file, sizeof file))
        gdyn_cli_help("did you mean '%s'?", file);
    else if (!or_study && gdyn_is_study(name))
        gdyn_cli_help("this is a study: globdyn study show %s; its case: globdyn study case %s 0",
                      name, name);
    else
        gdyn_cli_help(
            or_study
                ? "no case file and no study has this name; globdyn study list shows the studies"
                : "give a case file; globdyn new writes one to start from");
}

bool gdyn_refuse_case_as_study(const char *name) {
    char study[400];
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    if (!is_case_name(base) || !gdyn_is_file(name))
        return false;
    /* Its study, where one stands in the folder that optimize gives it. */
    snprintf(study, sizeof study, "%.*s", (int)(strrchr(base, '.') - base), base);
    bool known = gdyn_is_study(study);
    gdyn_cli_error(GDYN_CODE_ABSENT "'%s' is a case file, no study", name);
    gdyn_cli_help(known ? "its study is '%s'" : "globdyn study list shows studies", study);
    return true;
}
