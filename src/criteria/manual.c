/* manual.c - the vocabulary as tables of docs/criteria.md. */
#include "base/text.h"
#include "criteria/criteria.h"

#include <stdio.h>

static gdyn_words unit_text(int criterion) {
    /* The coordinate's unit, unless the row states a share or a unit. */
    const gdyn_criterion_row *row = &gdyn_criterion_table[criterion];
    gdyn_words words = {"of the coordinate"};
    if (row->of == GDYN_OF_WORKSPACE && !row->unit)
        words = (gdyn_words){"m, m^2, m^3"};
    else if (row->share)
        snprintf(words.text, sizeof words.text, "%s", row->share);
    else if (row->unit)
        words = gdyn_criterion_unit((gdyn_criterion)criterion, "[p]", "[N, N m]");
    return words;
}

static char *finished(gdyn_text *out) {
    if (!out->failed)
        return out->data;
    gdyn_text_free(out);
    return NULL;
}

char *gdyn_criteria_manual(bool formula) {
    gdyn_text out = {0};
    gdyn_text_printf(&out, "| name | of | unit | better | requires | meaning |\n"
                           "|---|---|---|---|---|---|\n");
    /* Rows in the order of the vocabulary, those of formulas or the others. */
    for (int i = -1; (i = gdyn_criterion_next(i, ~0u, formula)) >= 0;) {
        const gdyn_criterion_row *row = &gdyn_criterion_table[i];
        static const char *const better[] = {"lower", "", "higher"};
        if (row->formula != formula)
            continue;
        const char *of = row->of & GDYN_OF_MACHINE       ? "machine"
                         : row->of == GDYN_OF_RANGE      ? "range"
                         : row->of == GDYN_OF_WORKSPACE  ? "workspace"
                         : row->of == GDYN_OF_POINT      ? "point"
                         : row->of == GDYN_OF_TRAJECTORY ? "trajectory"
                                                         : "trajectory, point";
        gdyn_text_printf(&out, "| `%s` | %s | %s | %s | ", row->name, of, unit_text(i).text,
                         better[row->better + 1]);
        const gdyn_presumption_row *presumed;
        for (int k = 0, count = 0; (presumed = gdyn_presumption(k)); k++)
            if (row->presumes & presumed->presumption)
                gdyn_text_printf(&out, "%s%s", count++ ? ", " : "", presumed->word);
        gdyn_text_printf(&out, " | %s |\n", row->definition);
    }
    return finished(&out);
}

char *gdyn_presumptions_manual(void) {
    gdyn_text out = {0};
    const gdyn_presumption_row *row;
    gdyn_text_printf(&out, "| requires | no value if |\n|---|---|\n");
    for (int i = 0; (row = gdyn_presumption(i)); i++)
        gdyn_text_printf(&out, "| %s | %s |\n", row->word, row->why);
    return finished(&out);
}

char *gdyn_criteria_list(void) {
    static const char *const heads[] = {
        "Of the machine, in objectives, constraints and `expect`:\n",
        "\nOf a trajectory, as TRAJECTORY.NAME; [p] is the unit of p:\n",
        "\nOf a range of a joint or drive along a trajectory, as TRAJECTORY.NAME.RANGE:\n",
        "\nOf a workspace, as WORKSPACE.NAME:\n"};
    static const unsigned of[] = {GDYN_OF_MACHINE, GDYN_OF_TRAJECTORY, GDYN_OF_RANGE,
                                  GDYN_OF_WORKSPACE};
    gdyn_text out = {0};
    /* By what they belong to, as `globdyn schema --criteria` prints them. */
    for (int k = 0; k < 4; k++) {
        gdyn_text_printf(&out, "%s", heads[k]);
        for (int i = -1; (i = gdyn_criterion_next(i, of[k], true)) >= 0;)
            gdyn_text_printf(&out, "  %-22s %-10s %s\n", gdyn_criterion_table[i].name,
                             of[k] == GDYN_OF_RANGE ? "m, rad" : unit_text(i).text,
                             gdyn_criterion_table[i].label);
    }
    return finished(&out);
}
