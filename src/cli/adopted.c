/* adopted.c - designs of another study as the first ones of a search. */
#include "cli/cli.h"

static bool is_start(const gdyn_study *study, const gdyn_design *d) {
    for (int i = 0; i < gdyn_study_start(study)->design_count; i++)
        if (d->x[i] != gdyn_study_start_value(study, i))
            return false;
    return true;
}

int gdyn_number_adopted(const gdyn_study *study, gdyn_adopted *adopted, gdyn_study_options *wanted,
                        double **starts) {
    int n = gdyn_study_start(study)->design_count;
    *starts = calloc((size_t)n * (size_t)adopted->archive.count + 1, sizeof **starts);
    if (!*starts)
        return gdyn_exit_code(GDYN_ERROR_MEMORY);
    bool start = false;
    for (int i = 0; i < adopted->archive.count; i++) {
        gdyn_design *d = adopted->archive.design[i];
        if (is_start(study, d)) {
            d->serial = 0;
            start = true;
            continue;
        }
        memcpy(*starts + wanted->starts * n, d->x, (size_t)n * sizeof **starts);
        d->serial = ++wanted->starts;
    }
    wanted->start = *starts;
    /* The budget is that of new designs. */
    if (wanted->search.evaluations > 0)
        wanted->search.evaluations += wanted->starts + start;
    return GDYN_EXIT_YES;
}

int gdyn_store_adopted(const gdyn_kept *kept, const gdyn_adopted *adopted) {
    gdyn_design *row = gdyn_design_create(kept->study);
    gdyn_status status = row ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < adopted->archive.count && status == GDYN_OK; i++) {
        bool found;
        row->serial = adopted->archive.design[i]->serial;
        status = gdyn_store_find(kept->store, row, &found);
        if (status == GDYN_OK && !found)
            status = gdyn_store_add(kept->store, adopted->archive.design[i]);
    }
    if (status == GDYN_OK)
        status = gdyn_store_sync(kept->store);
    gdyn_design_destroy(row);
    return status == GDYN_OK ? GDYN_EXIT_YES : gdyn_kept_complain(kept, status);
}
